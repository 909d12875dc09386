"""Every choice of the Magic Formula on floats, arrays and expressions, with finite slopes."""

from __future__ import annotations

import dataclasses
import itertools
import math
from typing import Any

import numpy as np
import pytest

from axletree.code.backends.runnable import compile_program
from axletree.code.lowering import lower
from axletree.expr import as_expr, evaluate, jacobian, symbol
from axletree.expr.quantity import Quantity, Role
from axletree.system.system import Definition, System
from axletree.wheel.contract import Contact
from axletree.wheel.tyres.magic_formula import MagicFormula52, MagicFormula61
from axletree.wheel.tyres.magic_formula_shape import BeyondRange, SlipMeasure

NAMES = tuple(f.name for f in dataclasses.fields(Contact))[:8]  # up to the inflation pressure
POINTS = np.array(
    [
        (4850.0, 0.03, 0.05, 0.02, 20.0, 60.0, 0.05, 2.3e5),
        (2000.0, -0.2, -0.3, -0.05, -8.0, -20.0, -0.3, 1.8e5),
        (9000.0, 0.0, 0.0, 0.1, 0.4, 1.0, 2.0, 2.6e5),
        (3000.0, -1.0, 1.2, 0.0, 10.0, 0.0, 0.0, 2.2e5),
    ]
)
# load, slip, slip angle, inclination, speed, turn slip
EDGES = tuple(
    itertools.product(
        (0.0, 4850.0), (-1.0, 0.0), (0.0, 0.3, math.pi / 2), (0.0, -0.1), (-5.0, 0.0), (0.0, 0.2)
    )
)


def variants() -> list[Any]:
    old = [
        MagicFormula52(**MagicFormula52.example, slip_measure=measure, beyond=beyond)
        for measure, beyond in itertools.product(SlipMeasure, BeyondRange)
    ]
    new = [
        MagicFormula61(
            **MagicFormula61.example, slip_measure=measure, beyond=beyond, turn_slip=spin
        )
        for measure, beyond, spin in itertools.product(SlipMeasure, BeyondRange, (False, True))
    ]
    return old + new


def shown(law: Any) -> str:
    words = [type(law).__name__, law.slip_measure.value, law.beyond.value]
    return "-".join([*words, "turn" if getattr(law, "turn_slip", False) else "straight"])


@pytest.fixture(params=variants(), ids=shown)
def law(request: pytest.FixtureRequest) -> Any:
    return request.param


def test_floats_arrays_and_expressions_agree(law: Any) -> None:
    arrays = np.array(dataclasses.astuple(law(Contact(*POINTS.T))))
    floats = np.array([dataclasses.astuple(law(Contact(*point))) for point in POINTS.tolist()])
    np.testing.assert_allclose(floats.T, arrays, rtol=1e-12, atol=1e-9)
    inputs = [symbol(name) for name in NAMES]
    p = {name: symbol(f"p.{name}") for name in law.numbers}
    found = [as_expr(e) for e in dataclasses.astuple(law.forces(Contact(*inputs), p))]
    values = dict(zip(inputs, POINTS.T, strict=True))
    values |= {p[name]: value for name, value in law.numbers.items()}
    np.testing.assert_allclose(np.array(evaluate(found, values)), arrays, rtol=1e-10, atol=1e-8)


def quantity(name: str, role: Role, default: float = 0.0) -> Quantity:
    return Quantity(name, "1", "A quantity of a test.", role, default)


def test_generated_code_with_turn_slip() -> None:
    law = MagicFormula61(**MagicFormula61.example, turn_slip=True)
    p = {name: symbol(f"p.{name}") for name in law.numbers}
    forces = law.forces(Contact(*[symbol(name) for name in NAMES]), p)
    system = System(
        name="tyre",
        time=quantity("time", Role.TIME),
        states=(quantity("x", Role.STATE),),
        inputs=tuple(quantity(name, Role.INPUT) for name in NAMES),
        parameters=tuple(quantity(f"p.{n}", Role.PARAMETER, v) for n, v in law.numbers.items()),
        derivatives=(symbol("x"),),
        outputs=tuple(
            Definition(quantity(f"tyre.{k}.force", Role.OUTPUT), as_expr(e))
            for k, e in vars(forces).items()
        ),
        intermediates=(),
        projection=None,
    )
    program = compile_program(lower(system))
    constants = program.constants(list(law.numbers.values()))
    for point in POINTS:
        found = program.outputs(0.0, [1.0], point, constants)
        expected = dataclasses.astuple(law(Contact(*point.tolist())))
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-6)


def test_slopes_are_finite_and_right(law: Any) -> None:
    inputs = [symbol(name) for name in NAMES]
    found = [as_expr(e) for e in dataclasses.astuple(law.forces(Contact(*inputs), law.numbers))]
    slopes = jacobian(found, inputs)
    for load, slip, angle, lean, speed, turn in EDGES:
        point = (load, slip, angle, lean, speed, speed / 0.34, turn, 2.0e5)
        values = evaluate(list(slopes.values()), dict(zip(inputs, point, strict=True)))
        assert np.isfinite(np.array(values, dtype=float)).all()
    at = POINTS[0]
    for column, step in enumerate((1.0, 1e-6, 1e-6, 1e-6, 1e-3, 1e-3, 1e-6, 10.0)):
        ends = [at + sign * step * np.eye(8)[column] for sign in (1, -1)]
        high, low = (np.array(dataclasses.astuple(law(Contact(*end)))) for end in ends)
        for row in range(5):
            exact = as_expr(slopes.get((row, column), 0.0))
            value = float(evaluate([exact], dict(zip(inputs, at.tolist(), strict=True)))[0])
            difference = (high[row] - low[row]) / (2.0 * step)
            assert value == pytest.approx(difference, rel=1e-4, abs=1e-3)


def test_beyond_the_measurements_the_forces_are_held() -> None:
    law = MagicFormula61(**MagicFormula61.example, beyond=BeyondRange.HELD, FZMAX=8000.0)
    inside = law(Contact(8000.0, 1.5, 1.5, 0.26, 20.0, 60.0, 0.0, 1.0e6))
    outside = law(Contact(9000.0, 3.0, 1.55, 0.5, 20.0, 60.0, 0.0, 2.0e6))
    assert dataclasses.astuple(outside) == pytest.approx(dataclasses.astuple(inside), rel=1e-12)


def test_small_angles_are_their_own_tangents() -> None:
    angle, tangent = (
        MagicFormula52(**MagicFormula52.example, slip_measure=measure) for measure in SlipMeasure
    )
    contact = Contact(4850.0, 0.02, 0.001, 0.001, 20.0, 60.0)
    assert tangent(contact).Fy == pytest.approx(angle(contact).Fy, rel=1e-5)
    assert tangent(contact).Fy != angle(contact).Fy


@pytest.mark.parametrize("kind", [MagicFormula52, MagicFormula61])
def test_the_tangent_of_the_slip_angle_and_the_sine_of_the_inclination(kind: Any) -> None:
    """alpha* = tan(alpha), gamma* = sin(gamma) in place of the angles (Pacejka 2012, 4.E3, 4.E4).

    Friction along (4.E13, PDX3) goes with the inclination itself, and so do moments; Fx without
    that and Fy are those of the other measure at other angles.
    """
    numbers = {**kind.example, "PDX3": 0.0}
    measured = {m: kind(**numbers, slip_measure=m) for m in SlipMeasure}
    for alpha, gamma in ((0.4, 0.1), (-0.7, 0.3), (0.2, -0.2)):
        there = Contact(4000.0, -0.08, alpha, gamma, forward_speed=20.0, spin_rate=55.0)
        other = dataclasses.replace(there, slip_angle=math.tan(alpha), inclination=math.sin(gamma))
        found, expected = measured[SlipMeasure.TANGENT](there), measured[SlipMeasure.ANGLE](other)
        assert float(found.Fx) == pytest.approx(float(expected.Fx), rel=1e-12)
        assert float(found.Fy) == pytest.approx(float(expected.Fy), rel=1e-12)
        usual = measured[SlipMeasure.ANGLE](there)
        assert abs(float(found.Fy) - float(usual.Fy)) > 1e-3 * abs(float(usual.Fy))
