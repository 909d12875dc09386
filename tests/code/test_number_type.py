"""The number type of printed C is one: no other type, literal or function is in the text."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system

from axletree.code.backends.c import find_compiler
from axletree.code.lowering import Extra, lower
from axletree.code.printers.c import DOUBLE, SINGLE, print_header, print_unit
from axletree.code.printers.steps import c_step
from axletree.code.step_rules import CLASSICAL, SEMI_IMPLICIT, runge_kutta
from axletree.core.errors import CompilerError
from axletree.expr import symbol

MATHEMATICS = r"(?<![\w(])(?:sin|cos|tan|atan|atan2|exp|log|sqrt|pow|fabs|tanh)\("


@pytest.mark.parametrize("name", ["car", "sedan", "slider-crank"])
def test_no_number_stands_bare(name: str) -> None:
    program = lower(shipped_system(name), extras=[Extra.SPLIT_RATES])
    steps = [c_step(runge_kutta(CLASSICAL)), c_step(SEMI_IMPLICIT)]
    unit = print_unit(program, more=steps)
    definitions = DOUBLE.definitions
    assert unit.count(definitions) == 1
    text = unit.replace(definitions, "") + print_header(program).replace(definitions, "")
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    assert not re.findall(r"\b(double|float)\b", text)
    assert not re.findall(r"(?<!AXL_N\()(?<!AXL_N\(-)(?<![\w.])\d+\.\d*", text)
    assert not re.findall(MATHEMATICS, text)


@pytest.mark.parametrize("name", ["car", "slider-crank"])
def test_constants_are_behind_their_accessor(name: str) -> None:
    unit = print_unit(lower(shipped_system(name), outputs=()))
    text = unit[unit.index("void model_rhs(") :]
    assert "AXL_C(c, " in text
    assert "c[" not in text
    assert "prepared[" not in unit


def rates(name: str, tmp_path: Path, single: bool) -> np.ndarray:
    system = shipped_system(name)
    program = lower(system, outputs=())
    compiler = find_compiler()
    assert compiler is not None
    source = tmp_path / "model.c"
    source.write_text(print_unit(program, number=SINGLE if single else DOUBLE))
    compiler.build(str(source), str(tmp_path / "model.so"))
    library = np.ctypeslib.load_library("model.so", tmp_path)
    kind = np.float32 if single else np.float64
    first = system.state()
    x = np.array(list(first.values()), kind)
    u = np.array([q.default for q in system.inputs], kind)
    p = np.array([q.default for q in system.parameters], kind)
    c, xdot = np.empty(program.constants.size, kind), np.empty(len(x), kind)
    number = ctypes.c_float if single else ctypes.c_double
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (x, u, c, xdot)]
    library.model_constants(ctypes.c_void_p(p.ctypes.data), pointers[2])
    library.model_rhs(number(0.0), *pointers)
    return xdot.astype(float)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["car", "sedan", "slider-crank"])
def test_the_same_text_runs_in_single_precision(name: str, tmp_path: Path) -> None:
    """Lanes and what is written by hand in C included."""
    expected = rates(name, tmp_path, single=False)
    (tmp_path / "single").mkdir()
    found = rates(name, tmp_path / "single", single=True)
    assert np.abs(found - expected).max() < 2e-3 * np.abs(expected).max()
    assert (found != expected).any()


def test_a_number_that_the_type_does_not_have_is_refused(build) -> None:
    program = lower(build({"x": 1e300 * symbol("x")}))
    print_unit(program)
    with pytest.raises(CompilerError, match=r"1e\+300 of the equations is no float"):
        print_unit(program, number=SINGLE)
