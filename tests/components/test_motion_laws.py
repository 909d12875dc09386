"""Motion laws against numerical differentiation: rates, velocities, biases, closures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from axletree.components.contract import Component
from axletree.components.drivers import RotationDriver, TranslationDriver
from axletree.components.edges import (
    ROTATION,
    TRANSLATION,
    Basis,
    MotionLaw,
    RotationLaw,
    TranslationLaw,
)
from axletree.components.frames import Frame
from axletree.components.joints import (
    Cylindrical,
    Free,
    Planar,
    PointOnLine,
    PointOnPlane,
    Prismatic,
    Revolute,
    Rod,
    Spherical,
    Universal,
    Weld,
)
from axletree.components.motion_laws import Orientation, QuaternionRotation, Speeds
from axletree.components.signals import TIME
from axletree.expr import Expr, evaluate, sin, symbol
from axletree.expr.vectors import IDENTITY, NULL, Matrix, Vector

A, B = Frame("a", ""), Frame("b", "")
AXES = ("x", "-y", (1.0, 2.0, -3.0), (0.9, 0.1, 0.2))
STEP = 1e-6


def joints() -> list[Component]:
    found: list[Component] = [Rod("rod", A, B, length=0.7)]
    found.append(Weld("weld", A, B, (0.1, 0.2, 0.3), [["x", 0.3], ["z", -0.4]]))
    for axis in AXES:
        for joint in (Revolute, Prismatic, Cylindrical, Planar, PointOnLine, PointOnPlane):
            found.append(joint("joint", A, B, axis))
        hinge = Cylindrical("joint", A, B, axis)
        found.append(RotationDriver("drive", hinge, 0.3 + 0.2 * sin(3.0 * TIME)))
        found.append(TranslationDriver("drive", hinge, 0.3 + 0.2 * sin(3.0 * TIME)))
    found.append(Universal("joint", A, B))
    found.append(Universal("joint", A, B, (1.0, 2.0, 0.0), (-2.0, 1.0, 5.0)))
    for orientation in Orientation:
        for speeds in Speeds:
            found.append(Free("joint", A, B, orientation, speeds))
            found.append(Spherical("joint", A, B, orientation, speeds))
    return found


def title(joint: Component) -> str:
    shown = [getattr(joint, key, "") for key in ("axis", "normal", "orientation", "speeds")]
    words = [str(getattr(value, "value", value)) for value in shown if value != ""]
    return " ".join([type(joint).__name__, *words])


JOINTS = [pytest.param(joint, id=title(joint)) for joint in joints()]


@dataclass(frozen=True)
class Numbers:
    """A joint's motion at one instant, as arrays."""

    turn: np.ndarray  # R_tail_head
    w: np.ndarray  # head components
    w_partials: np.ndarray
    w_bias: np.ndarray
    r: np.ndarray
    v: np.ndarray  # in the components of the basis
    v_partials: np.ndarray
    v_bias: np.ndarray
    basis: Basis
    rates: np.ndarray  # of all coordinates
    closures: np.ndarray

    @property
    def v_tail(self) -> np.ndarray:
        return self.turn @ self.v if self.basis is Basis.HEAD else self.v


class Mover:
    """The two laws of a joint, evaluated together."""

    def __init__(self, joint: Component) -> None:
        laws = {edge.domain: edge.law for edge in joint.edges()}
        self.values = {q.symbol: q.default for q in joint.parameters()}
        self.T, self.R = laws.get(TRANSLATION), laws.get(ROTATION)
        self.laws = [law for law in (self.T, self.R) if isinstance(law, MotionLaw)]
        self.q = [symbol(f"q.{v.suffix}") for law in self.laws for v in law.coordinates]
        self.p = [symbol(f"p.{v.suffix}") for law in self.laws for v in law.speeds]
        self.expressions = self._expressions()

    def _expressions(self) -> dict[str, list[Expr]]:
        count_q = len(self.T.coordinates) if isinstance(self.T, MotionLaw) else 0
        count_p = self.T.dimension if isinstance(self.T, MotionLaw) else 0
        found: dict[str, list[Expr]] = {"rates": [], "closures": []}
        turn, w = IDENTITY, NULL
        if isinstance(self.R, RotationLaw):
            q, p = self.q[count_q:], self.p[count_p:]
            m = self.R.motion(q, p)
            turn, w = m.R_tail_head, m.angular_velocity
            found |= {"w_partials": flat(m.partials), "w_bias": list(m.bias)}
            found["rates"] = list(self.R.rates(q, p, turn))
            found["closures"] = list(self.R.closure(turn))
        found |= {"R": flat(turn), "w": list(w)}
        if isinstance(self.T, TranslationLaw):
            q, p = self.q[:count_q], self.p[:count_p]
            n = self.T.motion(q, p, turn, w)
            self.basis = n.basis
            found |= {"r": list(n.displacement), "v": list(n.velocity), "v_bias": list(n.bias)}
            found["v_partials"] = flat(n.partials)
            found["rates"] = [*self.T.rates(q, p, turn), *found["rates"]]
            found["closures"] += self.T.closure(n.displacement)
        return found

    def at(self, q: np.ndarray, p: np.ndarray, time: float) -> Numbers:
        values: dict[Expr, Any] = {**self.values, TIME: time}
        values |= dict(zip(self.q, q, strict=True)) | dict(zip(self.p, p, strict=True))
        names = list(self.expressions)
        found = evaluate([e for name in names for e in self.expressions[name]], values)
        arrays, start = {}, 0
        for name in names:
            end = start + len(self.expressions[name])
            arrays[name] = np.array(found[start:end])
            start = end
        none = np.zeros(3)
        return Numbers(
            turn=arrays["R"].reshape(3, 3),
            w=arrays["w"],
            w_partials=arrays.get("w_partials", np.zeros(0)).reshape(-1, 3),
            w_bias=arrays.get("w_bias", none),
            r=arrays.get("r", none),
            v=arrays.get("v", none),
            v_partials=arrays.get("v_partials", np.zeros(0)).reshape(-1, 3),
            v_bias=arrays.get("v_bias", none),
            basis=getattr(self, "basis", Basis.TAIL),
            rates=arrays["rates"],
            closures=arrays["closures"],
        )

    def random(self) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates off the singularities of Euler angles; quaternions of length one."""
        generator = np.random.default_rng(3)
        q = generator.uniform(0.3, 1.0, len(self.q))
        four = [k for k, s in enumerate(self.q) if s.name in ("q.e0", "q.e1", "q.e2", "q.e3")]
        q[four] /= np.linalg.norm(q[four]) if four else 1.0
        return q, generator.uniform(-1.0, 1.0, len(self.p))

    def around(self) -> tuple[Numbers, Numbers, Numbers]:
        """A little before, now, and a little after, with all speeds constant."""
        q, p = self.random()
        now = self.at(q, p, 0.4)
        before = self.at(q - STEP * now.rates, p, 0.4 - STEP)
        return before, now, self.at(q + STEP * now.rates, p, 0.4 + STEP)


def flat(vectors: Matrix | tuple[Vector, ...]) -> list[Expr]:
    return [component for vector in vectors for component in vector]


def slope(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    return (after - before) / (2.0 * STEP)


@pytest.mark.parametrize("joint", JOINTS)
def test_velocities_are_rates_of_positions(joint: Component) -> None:
    before, now, after = Mover(joint).around()
    spin = now.turn.T @ slope(before.turn, after.turn)  # skew matrix of w in head components
    assert np.array([spin[2, 1], spin[0, 2], spin[1, 0]]) == pytest.approx(now.w, abs=1e-8)
    assert spin == pytest.approx(-spin.T, abs=1e-8)
    assert slope(before.r, after.r) == pytest.approx(now.v_tail, abs=1e-8)


@pytest.mark.parametrize("joint", JOINTS)
def test_partials_give_the_velocities(joint: Component) -> None:
    mover = Mover(joint)
    q, p = mover.random()
    now, still = mover.at(q, p, 0.4), mover.at(q, 0.0 * p, 0.4)
    speeds_T, speeds_R = np.split(p, [len(now.v_partials)])
    assert speeds_T @ now.v_partials + still.v == pytest.approx(now.v, abs=1e-12)
    assert speeds_R @ now.w_partials + still.w == pytest.approx(now.w, abs=1e-12)


@pytest.mark.parametrize("joint", JOINTS)
def test_biases_are_rates_at_constant_speeds(joint: Component) -> None:
    before, now, after = Mover(joint).around()
    assert slope(before.w, after.w) == pytest.approx(now.w_bias, abs=1e-8)
    bias_tail = now.turn @ now.v_bias if now.basis is Basis.HEAD else now.v_bias
    assert slope(before.v_tail, after.v_tail) == pytest.approx(bias_tail, abs=1e-8)


@pytest.mark.parametrize("joint", JOINTS)
def test_closures_vanish_on_the_motion_of_the_branch(joint: Component) -> None:
    mover = Mover(joint)
    now = mover.at(*mover.random(), 0.4)
    if isinstance(joint, Rod):
        # As a branch a rod is free; its closure is half of L^2 - r.r.
        assert now.closures == pytest.approx([0.5 * (0.7**2 - now.r @ now.r)])
    else:
        assert now.closures == pytest.approx(np.zeros(len(now.closures)), abs=1e-12)


@pytest.mark.parametrize("joint", JOINTS)
def test_there_is_a_closure_for_each_freedom_that_is_held(joint: Component) -> None:
    for edge in joint.edges():
        law = edge.law
        assert isinstance(law, TranslationLaw | RotationLaw)
        place = NULL if isinstance(law, TranslationLaw) else IDENTITY
        closures = law.closure(place)
        assert len(closures) == len(law.reactions)
        if isinstance(joint, RotationDriver | TranslationDriver):
            assert len(closures) == 1  # the joint beside it holds the rest
        else:
            held = 1 if isinstance(joint, Rod) else 3 - law.dimension
            assert len(closures) == held
        start = [variable.start for variable in law.coordinates]
        assert law.regular(start) == tuple(start)


@pytest.mark.parametrize("joint", JOINTS)
def test_closures_notice_a_motion_off_the_freedoms(joint: Component) -> None:
    """The gradients of the closures have full rank: each holds a direction of its own."""
    mover = Mover(joint)
    now = mover.at(*mover.random(), 0.4)
    for law in mover.laws:
        columns = []
        for unit in np.eye(3):
            if isinstance(law, TranslationLaw):
                ends = [law.closure(Vector(now.r + h * unit)) for h in (-STEP, STEP)]
            else:
                turns = [Rotation.from_rotvec(h * unit).as_matrix() for h in (-STEP, STEP)]
                ends = [law.closure(Matrix(turn @ now.turn)) for turn in turns]
            values = [np.array(evaluate(list(e), {**mover.values, TIME: 0.4})) for e in ends]
            columns.append(slope(values[0], values[1]))
        gradient = np.array(columns)
        rows = len(law.reactions)
        assert np.linalg.matrix_rank(gradient, tol=1e-3) == rows if rows else gradient.size == 0


@pytest.mark.parametrize(
    ("orientation", "sequence"),
    [
        (Orientation.EULER_321, "ZYX"),
        (Orientation.EULER_312, "ZXY"),
        (Orientation.EULER_313, "ZXZ"),
    ],
)
def test_euler_angles_are_those_of_scipy(orientation: Orientation, sequence: str) -> None:
    mover = Mover(Spherical("ball", A, B, orientation, Speeds.BODY))
    q, p = mover.random()
    assert mover.at(q, p, 0.0).turn == pytest.approx(
        Rotation.from_euler(sequence, q).as_matrix(), abs=1e-14
    )


def test_quaternions_are_those_of_scipy() -> None:
    mover = Mover(Spherical("ball", A, B, Orientation.QUATERNION, Speeds.BODY))
    q, p = mover.random()
    scalar_last = np.roll(q, -1)
    assert mover.at(q, p, 0.0).turn == pytest.approx(
        Rotation.from_quat(scalar_last).as_matrix(), abs=1e-14
    )


def test_a_quaternion_returns_to_length_one() -> None:
    mover = Mover(Spherical("ball", A, B, Orientation.QUATERNION, Speeds.BODY))
    q, p = mover.random()
    for factor, sense in ((1.1, -1.0), (0.9, 1.0)):
        assert np.sign((factor * q) @ mover.at(factor * q, p, 0.0).rates) == sense
        assert mover.at(factor * q, p, 0.0).turn == pytest.approx(
            mover.at(q, p, 0.0).turn, abs=1e-14
        )


@pytest.mark.parametrize("axis", AXES)
def test_a_driven_joint_is_where_it_is_told(axis: Any) -> None:
    hinge = Cylindrical("joint", A, B, axis)
    turned = Mover(RotationDriver("drive", hinge, "0.3 + 0.1*t")).at(np.zeros(0), np.zeros(0), 2.0)
    assert turned.turn == pytest.approx(
        Rotation.from_rotvec(0.5 * np.array(hinge.axis)).as_matrix(), abs=1e-14
    )
    shifted = Mover(TranslationDriver("drive", hinge, "0.3*t^2")).at(np.zeros(0), np.zeros(0), 2.0)
    assert shifted.r == pytest.approx(1.2 * np.array(hinge.axis))
    assert shifted.v == pytest.approx(1.2 * np.array(hinge.axis))
    assert shifted.v_bias == pytest.approx(0.6 * np.array(hinge.axis))


def test_a_quaternion_is_made_regular_by_its_length() -> None:
    law = QuaternionRotation()
    assert law.regular((3.0, 0.0, 4.0, 0.0)) == pytest.approx((0.6, 0.0, 0.8, 0.0))
    assert law.regular((0.0, 0.0, 0.0, 0.0)) == (1.0, 0.0, 0.0, 0.0)
