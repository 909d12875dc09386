"""The car and the car with trailer of Lot and Massaro 2017 leave as every other system does."""

from __future__ import annotations

from functools import reduce
from operator import add

import numpy as np
import pytest
from printed.fortran_reader import Module
from printed.latex_reader import Expression, check_document, equations
from printed.matlab_reader import read_matlab

from axletree.code.lowering import lower
from axletree.code.printers.fortran import print_fortran
from axletree.code.printers.matlab import print_matlab
from axletree.examples.car_and_trailer import spaces
from axletree.export.latex import latex_document
from axletree.expr import evaluate
from axletree.expr.expression import ZERO
from axletree.system.latex_names import dotted, latex_names
from axletree.system.system import System, rate_symbol

SPACES = {"car": spaces.car_space, "car with trailer": spaces.train_space}


def a_turn(system: System) -> list[np.ndarray]:
    """States and inputs off straight running; parameters as they are."""
    random = np.random.default_rng(11)
    x = [q.default + random.uniform(0.01, 0.1) for q in system.states]
    u = [q.default + random.uniform(0.01, 0.1) for q in system.inputs]
    return [np.array(v) for v in (x, u, [q.default for q in system.parameters])]


@pytest.mark.parametrize("name", SPACES)
def test_matlab_and_fortran_have_its_rates(name: str) -> None:
    system = SPACES[name]().system()
    program = lower(system)
    x, u, p = a_turn(system)
    quantities = (*system.states, *system.inputs, *system.parameters)
    values = dict(zip((q.symbol for q in quantities), (*x, *u, *p), strict=True))
    expected = np.array(evaluate(system.derivatives, values))
    assert np.abs(expected).min() > 0.0
    functions, module = read_matlab(print_matlab(program)), Module(print_fortran(program))
    matlab = functions["model_rhs"](0.0, x, u, functions["model_constants"](p))
    fortran = module.run("rhs", 0.0, x, u, module.run("constants", p))
    scale = np.abs(expected).max()
    for found in (matlab, fortran):
        np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13 * scale)


@pytest.mark.parametrize("name", SPACES)
def test_latex_has_its_rows(name: str) -> None:
    """A x' and B of every equation, from the document and from the matrices."""
    system = SPACES[name]().system()
    implicit = system.implicit
    assert implicit is not None
    text = latex_document(system)
    check_document(text)
    random = np.random.default_rng(12)
    quantities = (*implicit.variables, *implicit.inputs, *implicit.parameters)
    outputs = (d.quantity for d in system.outputs)
    known_as = latex_names(q.name for q in (system.time, *quantities, *outputs))
    values = {q.symbol: q.default + random.uniform(0.01, 0.1) for q in quantities}
    names = {known_as[q.name]: values[q.symbol] for q in quantities}
    for variable in implicit.variables:
        values[rate_symbol(variable)] = random.uniform(-1.0, 1.0)
        names[dotted(known_as[variable.name])] = values[rate_symbol(variable)]
    for left, right in equations(text, "Abbreviations"):
        assert left not in names
        names[left] = Expression(right, names).value()
    rows = equations(text, "Equations")
    assert len(rows) == len(implicit.rates)
    for i, (left, right) in enumerate(rows):
        entries = [
            e * rate_symbol(implicit.variables[j])
            for (row, j), e in implicit.matrix.items()
            if row == i
        ]
        sides = evaluate([reduce(add, entries, ZERO), implicit.rates[i]], values)
        found = [Expression(side, names).value() for side in (left, right)]
        assert found == pytest.approx(sides, rel=1e-11, abs=1e-9), implicit.equation_names[i]
