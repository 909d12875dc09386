"""Springs, dampers, bushings and drivers of loads against numbers worked out by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.spatial.transform import Rotation

from axletree.components.contract import Component, Instant, RelativeMotion, Response, Travel
from axletree.components.edges import Basis
from axletree.components.frames import Frame
from axletree.components.joints import Cylindrical
from axletree.components.loads import ForceDriver, JointForce, LoadDriver, TorqueDriver
from axletree.components.signals import Curve, integral
from axletree.components.springs import (
    Bushing,
    RotationalSpringDamper,
    SlideSpringDamper,
    SpringDamper,
    TabulatedSpringDamper,
)
from axletree.expr import Table, evaluate, jacobian, number, symbol
from axletree.expr.vectors import IDENTITY, Matrix, Vector

A, B = Frame("a", ""), Frame("b", "")
SLEEVE = Cylindrical("sleeve", A, B)
TURN = Rotation.from_euler("ZYX", [0.3, -0.2, 0.5]).as_matrix()


def moving(
    r: Any = (0, 0, 0), v: Any = (0, 0, 0), turn: Any = IDENTITY, w: Any = (0, 0, 0)
) -> Instant:
    return Instant(motions=[RelativeMotion(Vector(r), Vector(v), Matrix(turn), Vector(w))])


def travelling(travel: float, rate: float) -> Instant:
    return Instant(travels=[Travel(number(travel), number(rate))])


def numbers(component: Component, expressions: Any) -> list[float]:
    return evaluate(list(expressions), {q.symbol: q.default for q in component.parameters()})


def output(component: Component, response: Response, suffix: str) -> float:
    (found,) = (c.expression for c in response.outputs if c.suffix == suffix)
    return numbers(component, [found])[0]


def test_a_spring_pulls_its_ends_together() -> None:
    spring = SpringDamper("s", A, B, stiffness=100.0, damping=10.0, free_length=3.0, preload=5.0)
    # 3-4-12: length 13, and the velocity has 39/13 = 3 m/s along the line.
    response = spring.respond(moving((3, 4, 12), (13, 0, 0)))
    pull = 100.0 * 10.0 + 10.0 * 3.0 + 5.0
    assert output(spring, response, "length") == pytest.approx(13.0)
    assert output(spring, response, "length_rate") == pytest.approx(3.0)
    assert output(spring, response, "force") == pytest.approx(pull)
    assert output(spring, response, "power") == pytest.approx(-3.0 * pull)
    (load,) = response.loads
    assert (load.tail, load.head, load.basis) == (A, B, Basis.TAIL)
    assert numbers(spring, load.force) == pytest.approx([-pull * c / 13 for c in (3, 4, 12)])
    assert load.moment.is_zero
    energy = numbers(spring, [response.potential_energy])
    assert energy == pytest.approx([0.5 * 100.0 * 10.0**2 + 5.0 * 10.0])


def test_a_spring_of_no_length_has_finite_force_and_slope() -> None:
    spring = SpringDamper("s", A, B, stiffness=100.0, damping=10.0, free_length=0.3)
    x = symbol("x")
    force = spring.respond(moving((x, 0, 0))).loads[0].force
    values = {q.symbol: q.default for q in spring.parameters()} | {x: 0.0}
    slopes = list(jacobian(list(force), [x]).values())
    assert evaluate(list(force), values) == [0.0, 0.0, 0.0]
    assert np.isfinite(evaluate(slopes, values)).all()


@pytest.mark.parametrize(
    ("side", "length", "rate", "pull"),
    [
        ("both", 0.8, 0.0, -20.0),
        ("above", 0.8, 0.0, 0.0),
        ("above", 1.2, 0.0, 20.0),
        ("above", 1.2, -5.0, 0.0),  # 20 - 50: it lets go and does not push
        ("above", 1.2, 5.0, 70.0),
        ("above", 0.8, 5.0, 0.0),
        ("below", 1.2, 0.0, 0.0),
        ("below", 0.8, 0.0, -20.0),
        ("below", 0.8, 5.0, 0.0),  # -20 + 50: it lets go and does not pull
        ("below", 0.8, -5.0, -70.0),
    ],
)
def test_one_sided_springs(side: str, length: float, rate: float, pull: float) -> None:
    spring = SpringDamper("s", A, B, stiffness=100, damping=10, free_length=1, side=side)
    response = spring.respond(moving((0, length, 0), (0, rate, 0)))
    assert output(spring, response, "force") == pytest.approx(pull)
    in_touch = side == "both" or (length > 1.0) == (side == "above")
    energy = 0.5 * 100.0 * 0.2**2 if in_touch else 0.0
    assert numbers(spring, [response.potential_energy]) == pytest.approx([energy])


def test_springs_along_joints_work_on_the_travel() -> None:
    torsion = RotationalSpringDamper(
        "t", SLEEVE, stiffness="2 N*m/deg", damping=3.0, free_angle="90 deg", preload=1.0
    )
    assert torsion.measured_joints() == ("sleeve.R1",)
    response = torsion.respond(travelling(5.0 * math.pi, 2.0))  # two and a half turns
    torque = -(360.0 / math.pi * 4.5 * math.pi + 6.0 + 1.0)
    (load,) = response.joint_loads
    assert load.joint == "sleeve.R1"
    assert numbers(torsion, [load.effort]) == pytest.approx([torque])
    assert output(torsion, response, "torque") == pytest.approx(torque)
    slide = SlideSpringDamper("l", SLEEVE, stiffness=10.0, free_position=0.1)
    (load,) = slide.respond(travelling(0.3, 0.0)).joint_loads
    assert load.joint == "sleeve.T1"
    assert numbers(slide, [load.effort]) == pytest.approx([-2.0])


LENGTHS, FORCES = (0.1, 0.2, 0.3, 0.5), (-300.0, 0.0, 50.0, 400.0)


@pytest.mark.parametrize("kind", ["linear", "smooth", "spline"])
@pytest.mark.parametrize("length", [0.05, 0.17, 0.28, 0.44, 0.6])
def test_tabulated_springs_store_the_integral_of_their_force(kind: str, length: float) -> None:
    points = {"x": LENGTHS, "y": FORCES, "kind": kind}
    spring = TabulatedSpringDamper("s", A, B, points, [[-1, -200], [0, 0], [1, 100]])
    response = spring.respond(moving((length, 0, 0), (-1, 0, 0)))
    table = spring.force_at_length.table
    assert output(spring, response, "force") == pytest.approx(table.evaluate(length) - 200.0)
    inner = [x for x in LENGTHS if min(0.2, length) < x < max(0.2, length)]
    work, _ = quad(table.evaluate, 0.2, length, points=inner or None, epsabs=1e-12)
    assert numbers(spring, [response.potential_energy]) == pytest.approx([work], abs=1e-9)


def test_the_integral_of_a_table_is_zero_at_its_lowest_point() -> None:
    table = integral(Curve(LENGTHS, FORCES).table)
    assert table.evaluate(0.2) == 0.0
    assert table.evaluate(0.1) > 0.0 < table.evaluate(0.3)
    assert isinstance(table.derivative(), Table)
    inside = np.linspace(0.0, 0.6, 50)
    wanted = Curve(LENGTHS, FORCES).table.evaluate(inside)
    assert table.derivative().evaluate(inside) == pytest.approx(wanted)


def test_curves_accept_units_and_pairs() -> None:
    spring = TabulatedSpringDamper("s", A, B, [["100 mm", "1 kN"], ["0.2 m", 0]])
    assert spring.force_at_length == Curve((0.1, 0.2), (1000.0, 0.0))
    assert spring.force_at_speed is None


def test_a_bushing_is_six_springs_and_dampers_for_small_motion() -> None:
    generator = np.random.default_rng(5)
    halves = [generator.uniform(-1, 1, (6, 6)) for _ in range(2)]
    K, C = (half @ half.T for half in halves)
    bushing = Bushing(
        "b", A, B, stiffness=K[:3, :3], coupling_stiffness=K[:3, 3:], damping=C[:3, :3],
        rotational_stiffness=K[3:, 3:], coupling_damping=C[:3, 3:], rotational_damping=C[3:, 3:],
    )  # fmt: skip
    small, speeds = 1e-7 * generator.uniform(-1, 1, 6), 1e-7 * generator.uniform(-1, 1, 6)
    turn = Rotation.from_rotvec(small[3:]).as_matrix()
    response = bushing.respond(moving(small[:3], speeds[:3], turn, speeds[3:]))
    (load,) = response.loads
    found = numbers(bushing, [*load.force, *load.moment])
    assert found == pytest.approx(-(K @ small + C @ speeds), abs=1e-13)
    energy = numbers(bushing, [response.potential_energy])
    assert energy == pytest.approx([0.5 * small @ K @ small], rel=1e-6)


def test_curves_of_a_bushing_are_gradients_of_what_it_stores() -> None:
    """Beside its stiffness; forces and moments against differences of the energy."""
    rubber = ((-0.02, -500.0), (0.0, 0.0), (0.01, 100.0), (0.02, 900.0))  # m, N
    twist = ((-1.0, -40.0), (0.0, 0.0), (0.5, 10.0), (1.0, 60.0))  # rad, N m
    bushing = Bushing(
        "b", A, B, stiffness=(1e4, 2e4, 0.0), rotational_stiffness=(7.0, 8.0, 0.0),
        force_y=rubber, force_z=rubber, moment_x=twist, moment_z=twist,
    )  # fmt: skip
    d, turn = np.array([0.004, 0.013, -0.011]), Rotation.from_rotvec([0.5, -0.2, 0.3])

    def stored(shift: np.ndarray, turned: Rotation) -> float:
        response = bushing.respond(moving(shift, turn=turned.as_matrix()))
        return numbers(bushing, [response.potential_energy])[0]

    (load,) = bushing.respond(moving(d, turn=turn.as_matrix())).loads
    h = 1e-6
    for k, axis in enumerate(np.eye(3)):
        slope = (stored(d + h * axis, turn) - stored(d - h * axis, turn)) / (2.0 * h)
        assert numbers(bushing, [load.force[k]])[0] == pytest.approx(-slope, rel=1e-6)
        ends = (stored(d, Rotation.from_rotvec(s * h * axis) * turn) for s in (1.0, -1.0))
        slope = -np.subtract(*ends) / (2.0 * h)
        assert numbers(bushing, [load.moment[k]])[0] == pytest.approx(slope, rel=1e-6)


@pytest.mark.parametrize("angle", [0.1, 0.8, 1.5])
def test_the_moment_of_a_bushing_at_large_angles(angle: float) -> None:
    bushing = Bushing("b", A, B, rotational_stiffness=(7.0, 8.0, 9.0))
    turn = Rotation.from_rotvec([0.0, angle, 0.0]).as_matrix()
    (load,) = bushing.respond(moving(turn=turn)).loads
    wanted = [0.0, -8.0 * 0.5 * math.sin(2.0 * angle), 0.0]
    assert numbers(bushing, load.moment) == pytest.approx(wanted, abs=1e-14)


def test_a_bushing_that_leaves_an_axis_free_holds_its_tilt_however_far_the_head_has_turned() -> (
    None
):
    """The moment against differences of the energy k sin(tilt)^2 / 2, and without spin the law
    for all rotations."""
    bushing = Bushing("b", A, B, rotational_stiffness=(7.0, 0.0, 7.0))
    tilt = Rotation.from_rotvec([0.3, 0.0, -0.4])  # of the y axis, by 0.5 rad

    def answer(turn: Rotation) -> tuple[np.ndarray, float]:
        response = bushing.respond(moving(turn=turn.as_matrix()))
        found = numbers(bushing, [*response.loads[0].moment, response.potential_energy])
        return np.array(found[:3]), found[3]

    upright, energy = answer(tilt)
    assert energy == pytest.approx(0.5 * 7.0 * math.sin(0.5) ** 2, rel=1e-14)
    every_axis = Bushing("c", A, B, rotational_stiffness=(7.0, 7.0, 7.0))
    (load,) = every_axis.respond(moving(turn=tilt.as_matrix())).loads
    assert upright == pytest.approx(numbers(every_axis, load.moment), abs=1e-14)
    for spin in (0.0, 1.0, math.pi, 40.0):
        turn = tilt * Rotation.from_rotvec([0.0, spin, 0.0])
        moment, stored = answer(turn)
        assert moment == pytest.approx(upright, abs=1e-13)
        assert stored == pytest.approx(energy, abs=1e-13)
        for axis in np.eye(3):
            ahead, behind = (
                answer(Rotation.from_rotvec(h * axis) * turn)[1] for h in (1e-5, -1e-5)
            )
            assert moment @ axis == pytest.approx(-(ahead - behind) / 2e-5, abs=1e-9)


def test_force_and_torque_drivers_in_both_bases() -> None:
    v, w = (0.1, 0.2, 0.3), (0.4, 0.5, -0.6)
    for basis, R in ((Basis.TAIL, np.eye(3)), (Basis.HEAD, TURN)):
        force = ForceDriver("f", A, B, (3, 0, 4), 10.0, basis)
        response = force.respond(moving(v=v, turn=TURN, w=w))
        assert response.loads[0].basis is basis
        assert numbers(force, response.loads[0].force) == pytest.approx([6.0, 0.0, 8.0])
        power = R @ [6.0, 0.0, 8.0] @ v
        assert output(force, response, "power") == pytest.approx(power)
        torque = TorqueDriver("t", A, B, "-y", 10.0, basis)
        response = torque.respond(moving(v=v, turn=TURN, w=w))
        assert numbers(torque, response.loads[0].moment) == pytest.approx([0.0, -10.0, 0.0])
        assert output(torque, response, "power") == pytest.approx(R @ [0.0, -10.0, 0.0] @ w)


def test_a_load_driver_has_six_inputs_in_the_axes_of_the_head() -> None:
    driver = LoadDriver("wheel", A, B, My=0.0)
    names = [f"wheel.{name}" for name in ("Fx", "Fy", "Fz", "Mx", "Mz")]
    assert [q.name for q in driver.inputs()] == names
    (load,) = driver.respond(moving()).loads
    assert load.basis is Basis.HEAD
    assert list(load.force) == [symbol(name) for name in names[:3]]
    assert list(load.moment) == [symbol("wheel.Mx"), 0.0, symbol("wheel.Mz")]


def test_a_joint_force_drives_the_travel_up() -> None:
    driver = JointForce("f", SLEEVE, "2*t")
    (load,) = driver.respond(travelling(0.0, 3.0)).joint_loads
    assert (load.joint, load.effort) == ("sleeve.T1", 2.0 * symbol("time"))
