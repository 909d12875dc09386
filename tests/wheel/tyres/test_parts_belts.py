"""Belts and contact points that move: power is passed, stored or lost, and nothing else."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import axletree as at
from axletree.components.contract import RelativeMotion
from axletree.expr import Expr, directional_derivative, evaluate, number, symbol
from axletree.expr.vectors import Matrix, Vector
from axletree.wheel.belts import Belt
from axletree.wheel.contact_dynamics import RigidLever, RimLoads
from axletree.wheel.contact_geometry import Patch
from axletree.wheel.contract import Forces
from axletree.wheel.ground_plane import ORIGIN, wheel_on_plane

BELTS: list[Belt] = [
    at.RigidBelt(),
    at.TorsionBelt(inertia=0.7, stiffness=3e4, damping=200.0),
    at.LongitudinalLateralBelt(
        mass=4.0, longitudinal_stiffness=8e4, lateral_stiffness=5e4, longitudinal_damping=300.0,
        lateral_damping=900.0,
    ),
    at.QuadBelt(damping=40.0, twist_damping=3.0),
]  # fmt: skip
GRAVITY = np.array([0.5, -1.0, -9.8])  # on a road that is tilted
CONTACT = at.SecondOrderContact(mass=2.0, longitudinal_damping=500.0, lateral_stiffness=6e4)
SHAPES = [at.PlanarDisc(), at.Toroid(crown_radius=0.1), at.Belted(crown_radius=0.2, width=0.15)]


class Wheel:
    """A wheel that leans, yaws, climbs and spins, by random numbers."""

    def __init__(self, random: Random) -> None:
        self.R = Rotation.from_euler(
            "ZX", (random.uniform(-3.0, 3.0), random.uniform(-0.9, 0.9))
        ).as_matrix()
        self.v = np.array([random.uniform(-9.0, 9.0) for _ in range(3)])
        self.w = np.array([random.uniform(-2.0, 2.0) for _ in range(3)])
        self.rate = random.uniform(-40.0, 40.0)

    def patch(self, shape: Any) -> Patch:
        v, w, R = Vector(self.v), Vector(self.w), Matrix(self.R)
        seen = Vector(self.R.T @ self.v), Vector(self.R.T @ self.w)
        motion = RelativeMotion(Vector((0.0, 0.0, 0.28)), v, R, w, *seen)
        axis, rate, radius = Vector((0.0, 1.0, 0.0)), number(self.rate), number(0.3)
        p = {name: number(value) for name, value in shape.numbers.items()}
        wheel = wheel_on_plane(motion, ORIGIN, axis, rate, radius)
        return shape.patch(replace(wheel, gravity=Vector(self.R.T @ GRAVITY)), p)  # type: ignore[no-any-return]

    def power(self, loads: RimLoads) -> Expr:
        """On carrier and axle."""
        v, w = Vector(self.R.T @ self.v), Vector(self.R.T @ self.w)
        return loads.force.dot(v) + loads.moment.dot(w) + loads.torque * self.rate


def contact_power(patch: Patch, Fz: float, f: Forces, w: Vector) -> Expr:
    """What forces and moments at the contact point do on a wheel that moves as its patch says."""
    spin = patch.wheel.axis * (patch.turning - w.dot(patch.wheel.axis))
    w_wheel = w + spin
    gap = patch.climb + patch.offset * patch.lean_rate
    moving = f.Fx * patch.sliding_speed(patch.loaded_radius) + f.Fy * patch.lateral_speed
    M = patch.x_C * f.Mx + patch.y_C * f.My + patch.n_C * f.Mz
    return moving + Fz * gap + M.dot(w_wheel)


def stored_rate(energy: Expr, states: Sequence[Expr], rates: Sequence[Expr]) -> Expr:
    return directional_derivative([energy], dict(zip(states, rates, strict=True)))[0]


def value(expression: Any, states: Sequence[Expr], numbers: Sequence[float]) -> float:
    return float(evaluate([expression], dict(zip(states, numbers, strict=True)))[0])


def symbols(part: Any) -> tuple[list[Expr], dict[str, Expr]]:
    p = {name: number(value) for name, value in part.numbers.items()}
    return [symbol(v.suffix) for v in part.states()], p


def random_states(part: Any, random: Random) -> list[float]:
    sizes = {"m": 0.01, "rad": 0.05, "m/s": 5.0, "rad/s": 30.0}
    return [random.uniform(-1.0, 1.0) * sizes[v.unit] for v in part.states()]


def random_forces(random: Random) -> tuple[float, Forces]:
    return random.uniform(0.0, 4e3), Forces(*(random.uniform(-2e3, 2e3) for _ in range(5)))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: type(s).__name__)
@pytest.mark.parametrize("belt", BELTS, ids=lambda b: type(b).__name__)
def test_what_goes_into_a_belt_is_passed_stored_or_lost(belt: Belt, shape: Any) -> None:
    random = Random(3)
    states, p = symbols(belt)
    for _ in range(6):
        wheel, (Fz, forces) = Wheel(random), random_forces(random)
        rim = wheel.patch(shape)
        patch = belt.carry(rim, states, p)
        load = RigidLever().loads(patch, number(Fz), forces)
        answer = belt.answer(rim, load, states, p)
        w = rim.wheel.angular_velocity
        into = contact_power(patch, Fz, forces, w)
        kept = stored_rate(answer.energy, states, answer.rates)
        at_instant = random_states(belt, random)
        into = into + weight_power(belt, rim, patch, states)
        shares = (into, wheel.power(answer.loads), kept, lost_in(belt, rim, states))
        got, passed, stored, lost = (value(e, states, at_instant) for e in shares)
        assert got == pytest.approx(passed + stored + lost, rel=1e-9, abs=1e-6)
        assert lost >= 0.0


def weight_power(belt: Belt, rim: Patch, patch: Patch, states: Sequence[Expr]) -> Expr:
    """What gravity does on the belt: all of it on a ring, in the plane on a mass in the plane."""
    g = rim.wheel.gravity
    if isinstance(belt, at.LongitudinalLateralBelt):
        return belt.mass * (g.dot(rim.x_C) * states[2] + g.dot(rim.y_C) * states[3])
    if isinstance(belt, at.QuadBelt):
        sideways = patch.lateral_speed - patch.height * patch.lean_rate  # of the ring's centre
        V = rim.x_C * states[3] + rim.y_C * sideways + rim.n_C * patch.climb
        return belt.mass * g.dot(V)
    return number(0.0)


def lost_in(belt: Belt, rim: Patch, states: Sequence[Expr]) -> Expr:
    """The power that dampers take, from the velocities between belt and rim."""
    n = belt.numbers
    if isinstance(belt, at.TorsionBelt):
        return n["damping"] * (states[1] - rim.turning) ** 2
    if isinstance(belt, at.LongitudinalLateralBelt):
        x, y, Vx, Vy = states
        along = Vx - rim.centre_speed + rim.yaw_rate * y
        across = Vy - rim.wheel.velocity.dot(rim.y_C) - rim.yaw_rate * x
        return n["longitudinal_damping"] * along**2 + n["lateral_damping"] * across**2
    if isinstance(belt, at.QuadBelt):
        x, z, _, Vx, Vz, rate = states
        # The velocity of the ring's centre as a man on the spinning rim sees it.
        along = Vx - rim.centre_speed - rim.turning * z
        up = Vz - rim.wheel.velocity.dot(rim.up_C) + rim.turning * x
        planar = 2.0 * n["damping"] * (along**2 + up**2)
        return planar + n["twist_damping"] * (rate - rim.turning) ** 2
    return number(0.0)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: type(s).__name__)
def test_what_goes_into_a_contact_point_is_passed_stored_or_lost(shape: Any) -> None:
    random = Random(4)
    states, p = symbols(CONTACT)
    for _ in range(6):
        wheel, (Fz, forces) = Wheel(random), random_forces(random)
        belt = wheel.patch(shape)
        patch = CONTACT.move(belt, states, p)
        answer = CONTACT.answer(belt, forces, states, p)
        passed = RigidLever().loads(belt, number(Fz), answer.forces) + answer.beside
        w = belt.wheel.angular_velocity
        x, y, Vx, Vy = states
        along = Vx - belt.rolling_speed(belt.loaded_radius) + belt.yaw_rate * y
        across = Vy - belt.lateral_speed - belt.yaw_rate * x
        lost = p["longitudinal_damping"] * along**2 + p["lateral_damping"] * across**2
        kept = stored_rate(answer.energy, states, answer.rates)
        g = belt.wheel.gravity
        weight = p["mass"] * (g.dot(belt.x_C) * Vx + g.dot(belt.y_C) * Vy)
        into = contact_power(patch, Fz, forces, w) + weight
        balance = into - wheel.power(passed) - kept - lost
        at_instant = random_states(CONTACT, random)
        assert value(balance, states, at_instant) == pytest.approx(0.0, abs=1e-6)


def test_the_four_springs_are_the_same_in_all_directions() -> None:
    """Against four springs one by one, at any spin angle, to the second order."""
    belt = at.QuadBelt()
    n = belt.numbers
    rim, length = n["rim_radius"], n["side_wall"]

    def springs(x: float, z: float, twist: float, spin: float) -> np.ndarray:
        """Force and torque on the ring, from the ends of the springs."""
        total = np.zeros(3)
        for k in range(4):
            a = spin + k * math.pi / 2.0
            inner = rim * np.array([math.cos(a), math.sin(a)])
            arm = (rim + length) * np.array([math.cos(a + twist), math.sin(a + twist)])
            between = np.array([x, z]) + arm - inner
            stretched = float(np.linalg.norm(between))
            force = -n["stiffness"] * (stretched - n["free_length"]) * between / stretched
            total += [*force, arm[0] * force[1] - arm[1] * force[0]]
        return total

    planar, torsional = (float(k) for k in belt._stiffnesses({k: number(v) for k, v in n.items()}))
    for spin in (0.0, 0.3, 1.1):
        errors = []
        for size in (1e-3, 1e-4):
            x, z, twist = size, -0.7 * size, 2.0 * size
            expected = -np.array([planar * x, planar * z, torsional * twist])
            errors.append(np.abs(springs(x, z, twist, spin) - expected).max())
        assert errors[1] < 1e-4 * planar * 1e-4
        assert errors[0] / errors[1] == pytest.approx(1000.0, rel=0.1)  # cubic


# -- lever ------------------------------------------------------------------------------


def test_without_a_lever_moments_are_those_of_the_law_alone() -> None:
    random = Random(6)
    patch, (Fz, f) = Wheel(random).patch(SHAPES[1]), random_forces(random)
    none = at.NoLever().loads(patch, number(Fz), f)
    levered = at.RigidLever().loads(patch, number(Fz), f)
    M = patch.x_C * f.Mx + patch.y_C * f.My + patch.n_C * f.Mz
    assert np.array(none.moment, float) == pytest.approx(np.array(M, float))
    assert float(none.torque) == pytest.approx(float(M.dot(patch.wheel.axis)))
    assert none.force == levered.force
    radius = float(patch.loaded_radius) - 0.1 * (1.0 - float(patch.cos_inclination))
    turned = float(none.torque) - radius * f.Fx  # the circle that it rolls on is the lever
    assert float(levered.torque) == pytest.approx(turned)
