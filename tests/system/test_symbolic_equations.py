"""Equations in SymPy that are too large to be put in order."""

from __future__ import annotations

import numpy as np
import pytest
import sympy

import axletree as at
from axletree.system import symbolic_equations


def forces_and_inertias(equations: symbolic_equations.SymbolicEquations) -> np.ndarray:
    """M and b where every quantity has a value of its own, all of them positive."""
    symbols = list(equations.symbols.values())
    values = np.random.default_rng(4).uniform(0.5, 1.5, len(symbols))
    entries = [*equations.mass_matrix, *equations.forcing, *equations.internal_rates]
    return np.array(sympy.lambdify(symbols, entries, modules="numpy")(*values), dtype=float)


def test_equations_as_they_stand_are_those_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    car = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    system = car.formulate()
    in_order = forces_and_inertias(system.equations())
    monkeypatch.setattr(symbolic_equations, "_LARGEST_WITH_CASES", 0)
    as_they_stand = forces_and_inertias(system.equations())
    assert np.abs(in_order).max() > 1.0
    np.testing.assert_allclose(as_they_stand, in_order, rtol=1e-12)


def test_equations_of_1e25_operations_are_had_at_once_and_not_printed() -> None:
    """SymPy would not come back from sorting the cases of this tyre."""
    equations = at.read_model("rolling-tyre").formulate().equations()
    assert equations.operations > 1e24
    assert "6 speeds" in repr(equations)
    assert equations._repr_latex_() is None
    for printed in (equations.text, equations.latex):
        with pytest.raises(at.AxletreeError, match="written out.*export c"):
            printed()
