"""What every tyre law of the catalogue keeps to; a new one is tested by being listed."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from mechanisms.laws import LAWS_OF_FORCES

from axletree.catalogue import TYRES
from axletree.code.backends.runnable import compile_program
from axletree.code.lowering import lower
from axletree.components.fields import kind_of
from axletree.core.errors import ModelError
from axletree.core.registry import load
from axletree.core.units import parse_unit
from axletree.expr import (
    Expr,
    as_expr,
    evaluate,
    gradient,
    hessian,
    jacobian,
    symbol,
    topological_order,
)
from axletree.expr.quantity import Quantity, Role
from axletree.system.system import Definition, System
from axletree.wheel.contract import Contact, Forces, TyreLaw

# Laws are asked at all loads, also beyond their range, of which they warn.
pytestmark = pytest.mark.filterwarnings(
    "ignore:Calspan. its load is above AOmega", "ignore:.*MagicFormula.*its load is so large"
)

WORDS = sorted(LAWS_OF_FORCES)
INPUTS = (
    "normal_load",
    "longitudinal_slip",
    "slip_angle",
    "inclination",
    "forward_speed",
    "spin_rate",
)
STEPS = (1e-2, 1e-7, 1e-7, 1e-7)  # of finite differences
ANSWERS = ("Fx", "Fy", "Mx", "My", "Mz")
# Forwards and backwards, driven and braked, locked, spinning, at rest, light and heavy.
POINTS = np.array(
    [
        (4000.0, 0.02, 0.03, 0.01, 20.0, 60.0),
        (4000.0, 0.0, -0.06, -0.02, 20.0, 60.0),
        (2500.0, -0.05, 0.0, 0.0, 12.0, 40.0),
        (6500.0, -0.03, -0.02, 0.03, 30.0, 90.0),
        (4000.0, 0.013, 0.021, 0.0, -5.0, -15.0),
        (3000.0, -1.0, 0.2, 0.01, 10.0, 0.0),
        (3000.0, 8.0, -0.4, -0.04, 1.0, 50.0),
        (300.0, 0.3, 0.25, 0.05, 15.0, 60.0),
        (15000.0, 0.06, 0.11, 0.0, 8.0, 20.0),
    ]
)


def made(word: str) -> TyreLaw:
    kind = load("tyre", word, TYRES)
    assert kind.example, f"give {kind.__name__} the fields of an example"
    return kind(**kind.example)


def passes_through_origin(law: TyreLaw) -> bool:
    rest = law(Contact(4000.0, 0.0, 0.0, forward_speed=10.0, spin_rate=30.0))
    return bool(rest.Fx == 0.0 and rest.Fy == 0.0)


WITHOUT_SHIFTS = [word for word in WORDS if passes_through_origin(made(word))]


@pytest.fixture(params=WORDS)
def law(request: pytest.FixtureRequest) -> TyreLaw:
    return made(request.param)


@pytest.fixture(params=WITHOUT_SHIFTS)
def unshifted(request: pytest.FixtureRequest) -> TyreLaw:
    return made(request.param)


def numbers(forces: Forces, shape: tuple[int, ...] = ()) -> np.ndarray:
    return np.array([np.broadcast_to(getattr(forces, a), shape) for a in ANSWERS], dtype=float)


def expressions(law: TyreLaw, parameters: dict[str, Any] | None = None) -> list[Expr]:
    contact = Contact(**{name: symbol(name) for name in INPUTS})
    forces = law.forces(contact, law.numbers if parameters is None else parameters)
    return [as_expr(getattr(forces, a)) for a in ANSWERS]


def grid(*axes: tuple[float, ...]) -> list[np.ndarray]:
    return [a.ravel() for a in np.meshgrid(*axes, indexing="ij")]


def extremes() -> list[np.ndarray]:
    edge = math.pi / 2
    return grid(
        (0.0, 1e-12, 1e-6, 1.0, 50.0, 4e3, 2e4, 1e6),
        (-1e6, -2.0, -1.0 - 1e-12, -1.0, -0.99, -0.1, -1e-9, 0.0, 1e-13, 0.1, 1.0, 1e6),
        (-edge, -1.5, -0.3, -1e-9, 0.0, 1e-13, 0.05, 1.0, edge),
        (-0.5, 0.0, 0.1),
        (-20.0, 0.0, 1e-9, 40.0),
        (-80.0, 0.0, 120.0),
    )


def test_is_declared_in_full(law: TyreLaw) -> None:
    assert law.summary
    assert type(law).__doc__
    for item in dataclasses.fields(law):  # type: ignore[arg-type]
        kind = kind_of(item)
        assert kind is not None, item.name
        parse_unit(kind.unit)
        assert len(kind.description) > 3, item.name
    with pytest.raises(dataclasses.FrozenInstanceError):
        law.anything = 1  # type: ignore[attr-defined]


@pytest.mark.filterwarnings("ignore:MagicFormula.*its slip times the tangent")
def test_is_finite_everywhere(law: TyreLaw) -> None:
    values = extremes()
    with np.errstate(invalid="raise", divide="raise", over="raise"):
        answers = numbers(law(Contact(*values)), values[0].shape)
    assert np.isfinite(answers).all()


def test_has_finite_slopes_everywhere(law: TyreLaw) -> None:
    values = dict(zip(map(symbol, INPUTS), extremes(), strict=True))
    slopes = jacobian(expressions(law), list(values)[:4])
    for (row, column), slope in zip(slopes, evaluate(list(slopes.values()), values), strict=True):
        assert np.isfinite(slope).all(), (ANSWERS[row], INPUTS[column])


def test_signs_stand_before_what_vanishes_with_them(law: TyreLaw) -> None:
    """So that no force jumps where one turns round, and FMUs need no event there."""
    answers = expressions(law)
    turned = [Expr(1.0, e.node) for node in topological_order(answers)
              if node.operation == "sign" for e in node.operands]  # fmt: skip
    low, high = (
        np.array([4000.0, -0.21, -0.19, 0.01, 20.0, 60.0]),
        POINTS[0] + [0, 0.2, 0.2, 0, 0, 0],
    )

    def values(expressions: list[Expr], share: float) -> np.ndarray:
        place = low + share * (high - low)
        return np.array(evaluate(expressions, dict(zip(map(symbol, INPUTS), place, strict=True))))

    for operand in turned:
        a, b = 0.0, 1.0
        side = values([operand], a)
        assert side * values([operand], b) < 0.0
        while (middle := 0.5 * (a + b)) not in (a, b):
            a, b = (middle, b) if side * values([operand], middle) > 0.0 else (a, middle)
        np.testing.assert_allclose(values(answers, a), values(answers, b), atol=1e-6)  # N, N m


def test_floats_arrays_and_expressions_agree(law: TyreLaw) -> None:
    by_array = numbers(law(Contact(*POINTS.T)), (len(POINTS),))
    symbols = {name: symbol(f"p.{name}") for name in law.numbers}
    values = dict(zip(map(symbol, INPUTS), POINTS.T, strict=True))
    values |= {symbols[name]: value for name, value in law.numbers.items()}
    by_graph = evaluate(expressions(law, symbols), values)
    for k, point in enumerate(POINTS):
        by_float = numbers(law(Contact(*map(float, point))))
        np.testing.assert_allclose(by_array[:, k], by_float, rtol=1e-12, atol=1e-9)
        by_symbol = [np.broadcast_to(value, len(POINTS))[k] for value in by_graph]
        np.testing.assert_allclose(by_symbol, by_float, rtol=1e-12, atol=1e-9)


def test_sympy_agrees(law: TyreLaw) -> None:
    sympy = pytest.importorskip("sympy")
    alpha = sympy.Symbol("alpha", real=True)
    # SymPy takes seconds for each point of a law with many coefficients.
    for point in POINTS[[0, 1, 4, 5] if len(law.numbers) < 20 else [0]]:
        Fz, S, angle, gamma, speed, spin = map(float, point)
        forces = law(Contact(sympy.Float(Fz), sympy.Float(S), alpha, gamma, speed, spin))
        answers = [sympy.sympify(getattr(forces, a)).subs(alpha, angle) for a in ANSWERS]
        expected = numbers(law(Contact(*map(float, point))))
        np.testing.assert_allclose([float(a) for a in answers], expected, rtol=1e-9, atol=1e-6)


def test_slopes_are_those_of_finite_differences(law: TyreLaw) -> None:
    variables = [symbol(name) for name in INPUTS]
    slopes = jacobian(expressions(law), variables[:4])
    points = POINTS[POINTS[:, 1] > -1.0]  # a locked wheel's slopes have a kink
    exact = np.zeros((5, 4, len(points)))
    values = dict(zip(variables, points.T, strict=True))
    for place, value in zip(slopes, evaluate(list(slopes.values()), values), strict=True):
        exact[place] = value
    for column in range(4):
        step = np.zeros(len(INPUTS))
        step[column] = STEPS[column]
        ahead, behind = (
            numbers(law(Contact(*(points + side * step).T)), (len(points),)) for side in (1, -1)
        )
        measured = (ahead - behind) / (2.0 * STEPS[column])
        scale = np.abs(measured).max(axis=1, keepdims=True)
        assert np.all(np.abs(exact[:, column] - measured) <= 2e-5 * scale + 1e-6), INPUTS[column]


def test_has_finite_second_derivatives_everywhere(law: TyreLaw) -> None:
    some = [value[::17] for value in extremes()]
    values = dict(zip(map(symbol, INPUTS), some, strict=True))
    found = hessian(expressions(law), np.ones(len(ANSWERS)), list(values)[:4])
    for place, value in zip(found, evaluate(list(found.values()), values), strict=True):
        assert np.isfinite(value).all(), [INPUTS[k] for k in place]


def test_second_derivatives_are_differences_of_slopes(law: TyreLaw) -> None:
    """Of a weighted sum, away from corners: a locked wheel, and wheels without slip or camber."""
    variables, weights = [symbol(name) for name in INPUTS], [1.0, 0.7, 0.2, 0.3, 1.1]
    rows, sizes = expressions(law), np.array([4000.0, 1.0, 1.0, 1.0])
    found = hessian(rows, weights, variables[:4])
    points = POINTS[POINTS[:, 1] > -1.0] + 0.0013
    exact = np.zeros((4, 4, len(points)))
    values = dict(zip(variables, points.T, strict=True))
    for (i, j), value in zip(found, evaluate(list(found.values()), values), strict=True):
        exact[i, j] = exact[j, i] = value
    slopes = gradient(rows, weights, variables[:4])
    exact *= np.multiply.outer(sizes, sizes)[..., None]
    for column in range(4):
        step = np.zeros(len(INPUTS))
        step[column] = 1e-6 * sizes[column]
        ahead, behind = (
            evaluate(slopes, dict(zip(variables, (points + side * step).T, strict=True)))
            for side in (1, -1)
        )
        moved = [np.broadcast_to(a - b, len(points)) for a, b in zip(ahead, behind, strict=True)]
        measured = np.array(moved) * sizes[:, None] / 2e-6
        scale = np.abs(exact).max(axis=(0, 1))
        assert np.all(np.abs(exact[:, column] - measured) <= 1e-5 * scale + 1e-4), INPUTS[column]


def test_generated_c_agrees() -> None:
    """All laws in one program."""

    def quantity(name: str, role: Role, default: float = 0.0) -> Quantity:
        return Quantity(name, "1", "A quantity of a test.", role, default)

    outputs, parameters = [], []
    for word in WORDS:
        law = made(word)
        symbols = {name: symbol(f"{word}.{name}") for name in law.numbers}
        parameters += [
            quantity(f"{word}.{name}", Role.PARAMETER, value) for name, value in law.numbers.items()
        ]
        outputs += [
            Definition(quantity(f"{word}.{answer}.force", Role.OUTPUT), expression)
            for answer, expression in zip(ANSWERS, expressions(law, symbols), strict=True)
        ]
    system = System(
        name="laws",
        time=quantity("time", Role.TIME),
        states=(quantity("x", Role.STATE),),
        inputs=tuple(quantity(name, Role.INPUT) for name in INPUTS),
        parameters=tuple(parameters),
        derivatives=(symbol("x"),),
        outputs=tuple(outputs),
        intermediates=(),
        projection=None,
    )
    program = compile_program(lower(system))
    constants = program.constants([q.default for q in parameters])
    for point in [*POINTS, np.zeros(len(INPUTS))]:
        answers = program.outputs(0.0, [1.0], point, constants)
        laws = [numbers(made(word)(Contact(*map(float, point)))) for word in WORDS]
        np.testing.assert_allclose(answers, np.concatenate(laws), rtol=1e-9, atol=1e-6)


def test_zero_load_gives_nothing(law: TyreLaw) -> None:
    values = grid((0.0,), (-1.0, 0.0, 0.3), (-0.2, 0.0, 1.0), (-0.1, 0.0, 0.1))
    speeds = np.full_like(values[0], 10.0)
    answers = numbers(law(Contact(*values, speeds, 3.0 * speeds)), values[0].shape)
    np.testing.assert_array_equal(answers, 0.0)


def test_forces_oppose_sliding(unshifted: TyreLaw) -> None:
    Fz, S, alpha, speed = grid(
        (10.0, 4e3, 1e4), (-3.0, -1.0, -0.5, -0.01, 0.0, 0.01, 0.5, 5.0),
        (-1.2, -0.2, -0.01, 0.0, 0.01, 0.2, 1.2), (-10.0, 10.0),
    )  # fmt: skip
    answers = unshifted(Contact(Fz, S, alpha, 0.0, speed, np.sign(speed) * 30.0))
    forces = np.broadcast_to(answers.Fx, Fz.shape), np.broadcast_to(answers.Fy, Fz.shape)
    assert np.all(forces[0] * S >= 0.0)
    assert np.all(forces[1] * alpha <= 0.0)
    assert np.all(forces[1][alpha != 0.0] != 0.0)
    if np.any(forces[0] != 0.0):
        assert np.all(forces[0][S != 0.0] != 0.0)
    power = -forces[0] * S + forces[1] * np.tan(alpha)  # over the forward speed
    assert np.all(power <= 1e-9 * Fz)
    turning = 1.0 + np.sign(speed) * S > 0.0  # the wheel spins the way it travels
    assert np.all((np.broadcast_to(answers.My, Fz.shape) * speed)[turning] <= 0.0)


def test_a_mirror_turns_the_side_force(unshifted: TyreLaw) -> None:
    Fz, S, alpha, gamma, speed, spin = POINTS.T
    one = numbers(unshifted(Contact(Fz, S, alpha, gamma, speed, spin)), Fz.shape)
    other = numbers(unshifted(Contact(Fz, S, -alpha, -gamma, speed, spin)), Fz.shape)
    turned = np.array([1.0, -1.0, -1.0, 1.0, -1.0])[:, None]
    np.testing.assert_allclose(other, turned * one, rtol=1e-12, atol=1e-9)


def test_camber_pushes_to_the_side_of_leaning(unshifted: TyreLaw) -> None:
    for speed, spin in ((10.0, 30.0), (-10.0, -30.0)):
        forces = unshifted(Contact(4000.0, 0.0, 0.0, 0.05, speed, spin))
        assert forces.Fy <= 0.0


def test_a_tyre_in_reverse_is_one_turned_by_half_a_turn(unshifted: TyreLaw) -> None:
    """About the normal: slip, angle and lean turn their signs, forces and moments along x and y do,
    and the moment about the normal does not. The side force acts behind, and behind is ahead."""
    Fz, S, alpha, gamma, speed, spin = POINTS.T
    ahead = unshifted(Contact(Fz, S, alpha, gamma, speed, spin))
    back = unshifted(Contact(Fz, -S, -alpha, -gamma, -speed, -spin))
    turned = np.array([-1.0, -1.0, -1.0, -1.0, 1.0])[:, None]
    one, other = numbers(ahead, Fz.shape), numbers(back, Fz.shape)
    np.testing.assert_allclose(other, turned * one, rtol=1e-12, atol=1e-9)


def test_the_aligning_moment_follows_the_direction_of_travel(law: TyreLaw) -> None:
    """The trail, from two angles of opposite signs so that shifts do not count, is behind."""
    trails = []
    for speed in (20.0, 1e-3, 0.0, -1e-3, -20.0):
        left, right = (
            law(Contact(4000.0, 0.0, angle, 0.0, speed, 3.0 * speed)) for angle in (0.01, -0.01)
        )
        moment, side = left.Mz - right.Mz, left.Fy - right.Fy
        trails.append(-float(moment / side) if side else 0.0)
    forward, creeping, rest, creeping_back, backward = trails
    assert rest == 0.0
    assert backward == pytest.approx(-forward, rel=1e-9)
    assert creeping_back == pytest.approx(-creeping, rel=1e-9)
    assert abs(creeping) <= 0.02 * abs(forward)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"normal_load": -4000.0}, r"normal_load is -4000.0; a road does not pull"),
        ({"normal_load": np.array([1.0, -1.0])}, r"normal_load is array\(\[ 1., -1.\]\); a road"),
        ({"normal_load": math.nan}, "normal_load is nan; expected a finite number"),
        ({"slip_angle": math.inf}, "slip_angle is inf; expected a finite number"),
        ({"normal_load": 1e308}, r"normal_load is 1e\+308, beyond computing"),
        ({"normal_load": "4 kN"}, "normal_load is '4 kN'; expected a finite number"),
    ],
)
def test_a_contact_that_there_is_not_is_refused(
    law: TyreLaw, given: dict[str, Any], message: str
) -> None:
    """A load below zero would give forces along the sliding."""
    contact = dataclasses.replace(Contact(4000.0, 0.05, 0.05), **given)
    with pytest.raises(ModelError, match=f"^{type(law).__name__}: {message}"):
        law(contact)
