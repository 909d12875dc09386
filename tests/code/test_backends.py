"""The contract of back ends: every one has the same numbers, constants and layout."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system

from axletree.code.backends.c_backend import C, CBackEnd
from axletree.code.backends.contract import BackEnd
from axletree.code.backends.python_backend import PYTHON
from axletree.code.layout import program_layout
from axletree.code.lowering import Extra, lower
from axletree.code.printers.c import SINGLE
from axletree.code.program import Program
from axletree.core.errors import CompilerError
from axletree.export.folder import with_assembled_start
from axletree.system.system import System

BACK_ENDS = {"C": C, "Python": PYTHON}
every_back_end = pytest.mark.parametrize("back_end", BACK_ENDS.values(), ids=BACK_ENDS)


def ready(name: str, outputs: Sequence[str] | None = ()) -> tuple[System, Program]:
    system = with_assembled_start(shipped_system(name))
    return system, lower(system, outputs, [Extra.SPLIT_RATES])


@every_back_end
@pytest.mark.parametrize("value", [0.1, -3.0, 1e-300, 1 / 3])
def test_literals_are_exact(back_end: BackEnd, value: float) -> None:
    text = back_end.number.literal(value)
    assert float(text.removeprefix("AXL_N(").rstrip(")")) == value
    assert value < back_end.number.largest


@every_back_end
def test_constants_are_where_the_accessor_says(back_end: BackEnd) -> None:
    _, program = ready("car")
    text = back_end.text(program)
    assert back_end.constant(program.constants.size - 1) in text
    loaded = back_end.load(program)
    assert loaded.language == back_end.name
    found = loaded.constants([q.default for q in program.parameters])
    expected = PYTHON.load(program).constants([q.default for q in program.parameters])
    np.testing.assert_allclose(found, expected, rtol=1e-13)


def test_text_of_another_number_type_is_for_other_machines() -> None:
    single = CBackEnd(SINGLE)
    _, program = ready("pendulum")
    assert "#define AXL_REAL float" in single.text(program)
    with pytest.raises(CompilerError, match="numbers of type double, not float"):
        single.load(program)


def test_the_layout_says_what_is_where() -> None:
    system, program = ready("car", None)
    layout = json.loads(json.dumps(program_layout(program)))
    for title, quantities in (
        ("states", program.states), ("inputs", program.inputs),
        ("parameters", program.parameters), ("outputs", program.outputs),
    ):  # fmt: skip
        assert [e["name"] for e in layout[title]] == [q.name for q in quantities]
        assert [e["index"] for e in layout[title]] == list(range(len(quantities)))
        assert layout["sizes"][title] == len(quantities)
    steer = layout["inputs"][1]
    assert (steer["unit"], steer["derivative_of"]) == ("rad/s", "steer.angle")
    assert {e["tuning"] for e in layout["parameters"]} == {"tunable"}
    assert layout["states"][0]["start"] == 20.0
    shared = program_layout(lower(system, (), equal_laws=True))
    structural = [e for e in shared["parameters"] if e["tuning"] == "structural"]
    assert len(structural) == len(lower(system, (), equal_laws=True).ties)
    assert structural[0]["equal_to"].partition(".")[2] == structural[0]["name"].partition(".")[2]
