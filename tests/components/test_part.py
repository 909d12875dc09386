"""Parts within parts: their parameters by place, lists of parts, and what is refused."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from axletree.components.fields import Part, parameter, part, parts, within
from axletree.core.errors import ModelError
from axletree.wheel.slip import SaturatingRadius

SATURATING = {"type": "saturating", "nominal_deflection": 0.02, "B": 8.0, "D": 0.2, "F": 0.03}


@dataclass(frozen=True)
class Nest(Part):
    size: float = parameter("m", "size of the nest")
    inner: Part = part("ROLLING_RADII", "one part")
    several: tuple[Part, ...] = parts("ROLLING_RADII", "many parts")


def test_parameters_within_are_named_by_their_place() -> None:
    own = {name: value for name, value in SATURATING.items() if name != "type"}
    nest = Nest(2.0, SATURATING, ["loaded", SaturatingRadius(**own)])
    assert nest.numbers == {
        "size": 2.0,
        **{f"inner.{name}": value for name, value in own.items()},
        **{f"several.2.{name}": value for name, value in own.items()},
    }
    assert within(nest.numbers, "several.2") == own
    assert within(nest.numbers, "several.1") == {}
    assert within(nest.numbers, "several") == {f"2.{name}": value for name, value in own.items()}


def test_numbers_are_changed_by_the_same_names() -> None:
    nest = Nest(2.0, SATURATING, ["loaded", SATURATING])
    values = {"size": 3.0, "inner.B": 9.0, "several.2.D": 0.3}
    changed = nest.with_numbers(values)
    assert changed.numbers == {**nest.numbers, **values}
    assert nest.with_numbers({}) == nest
    with pytest.raises(ModelError, match="SaturatingRadius, B"):
        nest.with_numbers({"inner.B": -1.0})


@pytest.mark.parametrize(
    ("several", "message"),
    [
        ([], r"Nest, several: expected a list of parts, got \[\]"),
        ("loaded", "expected a list of parts, got 'loaded'"),
        ({"type": "loaded"}, "expected a list of parts"),
        (["loaded", 5], "Nest, several: 2: expected {type: name"),
        (["loaded", {**SATURATING, "B": -1}], "several: 2: SaturatingRadius, B: -1 is not allowed"),
    ],
)
def test_a_wrong_list_is_refused(several: object, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        Nest(1.0, "loaded", several)
