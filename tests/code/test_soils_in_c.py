"""Wheels in soil in generated C: values as they are in Python, and Jacobians that are finite."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from axletree.code.backends.runnable import compile_program
from axletree.code.lowering import Extra, lower
from axletree.components.fields import Parameters
from axletree.expr import as_expr, symbol
from axletree.system.system import System
from axletree.wheel.soils.cone_index_laws import Brixius
from axletree.wheel.soils.contract import SoilForces, WheelInSoil
from axletree.wheel.soils.soil import listed_soil
from axletree.wheel.soils.wong_reece import WongReece

RIGID = WongReece(listed_soil("sandy-loam-lll-15", rebound=0.05), order=4)
TYRE = Brixius(cone_index=400e3, section_height=0.14)
STATES = ("given", "slip", "angle", "radius")
SLIPS = (-1.0, -0.3, 0.0, 0.2, 1.0)
# Law, the formula that is compiled, what it is given, and whether a Jacobian is derived.
CASES = {
    "rigid wheel at a sinkage": (RIGID, RIGID.at_sinkage, (-0.01, 0.0, 1e-4, 0.05), True),
    "rigid wheel under a load": (RIGID, RIGID.under_load, (0.0, 50.0, 3000.0), False),
    "tyre by the cone index": (TYRE, TYRE.under_load, (0.0, 50.0, 3000.0), True),
}


def marks(name: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.slow] if name.startswith("rigid wheel") else []


def four(forces: SoilForces) -> list[Any]:
    drawn = forces.lateral_force
    return [forces.gross_traction, forces.compaction_resistance, drawn, forces.torque]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", [pytest.param(n, marks=marks(n)) for n in CASES])
def test_forces_are_the_same_in_c(build: Callable[..., System], name: str) -> None:
    """Four states that change by the forces of a law on them; parameters stay symbols."""
    law, formula, values, has_jacobian = CASES[name]

    def forces(given: Any, slip: Any, angle: Any, radius: Any, p: Parameters) -> list[Any]:
        return four(formula(given, WheelInSoil(radius, 0.2, slip, angle), p))

    p = {key: symbol(f"p.{key}") for key in law.numbers}
    found = [as_expr(e) for e in forces(*map(symbol, STATES), p)]
    numbers = {f"p.{key}": value for key, value in law.numbers.items()}
    system = build(dict(zip(STATES, found, strict=True)), parameters=numbers)
    run = compile_program(lower(system, extras=[Extra.JACOBIAN] if has_jacobian else []))
    c = run.constants([q.default for q in system.parameters])
    for case in ((given, slip, a, 0.4) for given in values for slip in SLIPS for a in (0.0, 0.1)):
        expected = np.array(forces(*case, law.numbers), dtype=float)
        np.testing.assert_allclose(run.rhs(0.0, case, [], c), expected, rtol=1e-9, atol=1e-9)
        if has_jacobian:
            assert np.all(np.isfinite(run.jacobian(0.0, case, [], c)))
