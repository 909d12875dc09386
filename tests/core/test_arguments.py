"""Arguments of public functions: another kind than the signature says is refused by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.core.arguments import ArgumentError, _tests, check_arguments
from axletree.core.errors import AxletreeError
from axletree.flow import Arrow, ModelFlow, SystemFlow


def public_functions() -> Iterator[tuple[str, Any]]:
    for name in sorted(at.__all__):
        found = getattr(at, name)
        if inspect.isfunction(found):
            yield name, found
    for flow in (ModelFlow, SystemFlow):
        for name, arrow in vars(flow).items():
            if isinstance(arrow, Arrow):
                yield f"{flow.__name__}.{name}", getattr(flow, name)


FUNCTIONS = dict(public_functions())


def _is_needed(parameter: inspect.Parameter) -> bool:
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return parameter.default is inspect.Parameter.empty and parameter.kind not in several


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_public_function_looks_at_its_arguments(name: str) -> None:
    """Before it does anything, and names all that it does not take."""
    function = inspect.unwrap(FUNCTIONS[name])
    tests = _tests(function)
    assert tests
    if name == "read_model":  # tests keep models that were read, by the text of their source
        tests = {"changes": tests["changes"]}
    needed = [p.name for p in inspect.signature(function).parameters.values() if _is_needed(p)]
    with pytest.raises(ArgumentError) as error:
        function(**{argument: object() for argument in (*needed, *tests)})
    for argument in tests:
        assert f"{argument} is <object object at" in str(error.value)


def example(
    path: str | Path,
    names: Sequence[str] = (),
    values: Mapping[str, Any] | None = None,
    count: int = 1,
    share: float = 0.5,
    quietly: bool = False,
    speed: float | str = 1.0,
    tell: Callable[[str], None] | None = None,
    other: Unknown = None,  # type: ignore[name-defined] # noqa: F821
) -> str:
    check_arguments(example, locals())
    return "taken"


@pytest.mark.parametrize(
    "given",
    [
        {"names": np.array(["a"])},
        {"names": {"a": 1}.keys()},
        {"values": {"a": object()}},
        {"count": np.int64(3)},
        {"share": 3},
        {"share": np.float32(0.5)},
        {"quietly": np.True_},
        {"speed": object()},  # whose own messages say more
        {"tell": print},
        {"other": 3},
    ],
)
def test_what_a_signature_allows_is_taken(given: dict[str, Any]) -> None:
    assert example("x", **given) == "taken"
    assert example(Path("x"), **given) == "taken"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"names": "abc"}, r"names is 'abc'; expected a list of names; write \['abc'\]"),
        ({"names": {"a": 1}}, "names is {'a': 1}; expected a list of names"),
        ({"names": [3]}, r"names is \[3\]; expected a list of names"),
        ({"values": [3]}, r"values is \[3\]; expected a mapping by name or None"),
        ({"values": {1: 2}}, r"values is {1: 2}; expected a mapping by name or None"),
        ({"count": 1.5}, "count is 1.5; expected a whole number"),
        ({"count": True}, "count is True; expected a whole number"),
        ({"share": "half"}, "share is 'half'; expected a number"),
        ({"share": True}, "share is True; expected a number"),
        ({"quietly": 0}, "quietly is 0; expected True or False"),
        ({"tell": 3}, "tell is 3; expected a function or None"),
        ({"count": None, "quietly": "no"}, "count is None; .*; quietly is 'no'; expected True"),
    ],
)
def test_what_it_does_not_is_refused_all_at_once(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=f"^example: {message}"):
        example("x", **given)
    assert issubclass(ArgumentError, AxletreeError)
    assert issubclass(ArgumentError, TypeError)


def test_a_kind_that_passed_once_does_not_let_others_through() -> None:
    assert example("x", names=["a"]) == "taken"
    with pytest.raises(ArgumentError, match="names is"):
        example("x", names=["a", 3])  # type: ignore[list-item]


PENDULUM = at.read_model("pendulum")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: PENDULUM.drive(3), "drive: manoeuvre is 3; expected a text, Manoeuvre or None"),
        (lambda: shipped_system("pendulum").drive(3), "drive: manoeuvre is 3; expected"),
        (lambda: PENDULUM.drive(step=0), "step is 0; expected a positive number"),
        (lambda: PENDULUM.drive(record_interval=0), "record_interval is 0; expected a positive"),
        (lambda: PENDULUM.drive(record_interval=""), "'' is no quantity"),
        (lambda: PENDULUM.drive(method=""), "unknown method ''"),
        (lambda: PENDULUM.drive(method=3), "method is 3; expected the name of one"),
        (
            lambda: shipped_system("pendulum").simulate(None, step=1e-3),
            "duration is None; expected",
        ),
        (lambda: shipped_system("pendulum").trim({}, [3]), "unknown .* 3 in"),
        (lambda: PENDULUM[3], "pendulum has no component 3"),
    ],
)
def test_what_was_ignored_or_ended_in_a_traceback(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(AxletreeError, match=message):
        call()


@pytest.mark.parametrize("name", [3, None, ["pin.angle"], (), ("pin.rate", 3), np.array([1.0])])
def test_a_column_is_asked_for_by_its_name(name: Any) -> None:
    run = shipped_system("pendulum").simulate(0.01, step=1e-3, watch=False)
    with pytest.raises(AxletreeError, match="is no name of a column; expected one"):
        run[name]


def test_a_plot_is_saved_at_a_path() -> None:
    run = shipped_system("pendulum").simulate(0.01, step=1e-3, watch=False)
    with pytest.raises(ArgumentError, match="path is 3; expected a text, a path or None"):
        run.plot("pin.angle", path=3)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="folder is 3; expected a text or a path"):
        run.report(3)  # type: ignore[arg-type]


def test_an_instant_has_a_time() -> None:
    system, state = shipped_system("pendulum"), {"pin.angle": 0.1, "pin.rate": 0.0}
    for function in (system.rhs, system.outputs_at):
        with pytest.raises(AxletreeError, match="time is nan; expected a time in seconds"):
            function(state, time=np.nan)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("start", 3, "model.start is 3; expected a Mapping"),
        ("run", {"step": 1e-3}, "model.run is {'step': 0.001}; expected a Run"),
        ("description", None, "model.description is None; expected a str"),
        ("gravity", 3, "expected a vector of three accelerations"),
        ("gravity", (0.0, 0.0, np.nan), "nan is not a finite number"),
        ("name", 3, "3 is not a valid name"),
    ],
)
def test_what_a_model_cannot_have_is_not_set(name: str, value: Any, message: str) -> None:
    model = at.Model("mine")
    with pytest.raises(AxletreeError, match=message):
        setattr(model, name, value)


def test_a_soil_has_the_fields_that_it_has() -> None:
    with pytest.raises(AxletreeError, match="unknown field 'cohesoin' .*did you mean 'cohesion'"):
        at.listed_soil("dry-sand-lll", cohesoin="2 kPa")
