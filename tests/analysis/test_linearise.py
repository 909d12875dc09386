"""Linear systems about a state: by hand, and the same whatever coordinates a model is in."""

from __future__ import annotations

import math

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.rolling_disc import GRAVITY, HOOP, Disc, rolling_disc
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.analysis.linear.linearise import linearise
from axletree.analysis.linear.tangent import LinearisationError
from axletree.core.errors import AxletreeError
from axletree.model.model import Model
from axletree.system.forms.baumgarte import Baumgarte
from axletree.system.forms.contract import Form
from axletree.system.forms.embedding import Embedded
from axletree.system.forms.partition import Partition
from axletree.system.forms.projected import Projected

LENGTH, MASS, DAMPING = 0.7, 2.0, 0.3


def pendulum() -> Model:
    model = at.Model("pendulum", gravity=(0.0, 0.0, -GRAVITY))
    bob = model.add(at.RigidBody("bob", mass=MASS, centre_of_mass=(0.0, 0.0, -LENGTH)))
    pin = model.add(at.Revolute("pin", model.ground, bob, axis="y"))
    model.add(at.RotationalSpringDamper("bearing", pin, damping=DAMPING))
    model.add(at.JointTorque("motor", pin))
    return model


@pytest.mark.validation("numerics")
def test_a_pendulum_by_hand(agrees: Agrees) -> None:
    inertia = MASS * LENGTH**2
    found = linearise(pendulum().formulate(), outputs=["bob.position.x", "motor.power"])
    assert found.states == ("pin.rate", "pin.angle")
    assert found.inputs == ("motor.torque",)
    agrees(
        "pendulum with a damper, linearised: matrix A", found.A,
        [[-DAMPING / inertia, -GRAVITY / LENGTH], [1.0, 0.0]], rel=1e-13,
        source="Closed form, small swings",
    )  # fmt: skip
    assert pytest.approx(np.array([[1.0 / inertia], [0.0]]), rel=1e-13) == found.B
    assert pytest.approx(np.zeros((2, 2)), abs=1e-13) == found.C  # the pin is the origin
    (mode,) = found.modes
    assert mode.swings
    assert mode.is_stable
    assert abs(mode.eigenvalue) == pytest.approx(math.sqrt(GRAVITY / LENGTH), rel=1e-12)
    ratio = DAMPING / (2.0 * inertia) / math.sqrt(GRAVITY / LENGTH)
    agrees(
        "pendulum with a damper, linearised: damping ratio and time to half the swing",
        [mode.damping_ratio, mode.time_to_half],
        [ratio, math.log(2.0) * 2.0 * inertia / DAMPING], rel=1e-12, unit="1, s",
        source="Closed form, small swings",
    )  # fmt: skip
    assert mode.frequency == pytest.approx(mode.eigenvalue.imag / (2.0 * math.pi), rel=1e-12)


def test_the_second_order_form_of_a_pendulum() -> None:
    found = linearise(pendulum().formulate()).second_order(["pin.angle"], ["motor.torque"])
    assert found.M[0, 0] == pytest.approx(MASS * LENGTH**2, rel=1e-13)
    assert found.C[0, 0] == pytest.approx(DAMPING, rel=1e-13)
    assert found.K[0, 0] == pytest.approx(MASS * GRAVITY * LENGTH, rel=1e-13)


HINGES = {"shoulder.angle": 0.0, "elbow.angle": 0.0}
HANGING = {"upper.z": -0.5, "lower.z": -1.5}  # the same in absolute coordinates


def double_pendulum(orientation: str) -> Model:
    model = at.Model("double_pendulum", gravity=(0.0, 0.0, -GRAVITY))
    upper, lower = (
        model.add(at.RigidBody(name, 1.0, (0.08, 0.08, 0.01), orientation=orientation))
        for name in ("upper", "lower")
    )
    model.add(at.Revolute("shoulder", model.ground, upper.point(0.0, 0.0, 0.5), axis="y"))
    bottom, top = upper.point(0.0, 0.0, -0.5), lower.point(0.0, 0.0, 0.5)
    model.add(at.Revolute("elbow", bottom, top, axis="y"))
    return model


@pytest.mark.parametrize("form", [Projected(), Baumgarte(), Partition(), Embedded()])
@pytest.mark.parametrize("orientation", ["321", "quaternion"])
def test_the_same_modes_in_absolute_coordinates(orientation: str, form: Form) -> None:
    """Two hinges as two freedoms, and as twelve or fourteen coordinates with ten constraints."""
    few = linearise(double_pendulum(orientation).formulate(), HINGES)
    model = double_pendulum(orientation)
    model.start = dict(HANGING)
    many = linearise(model.formulate(tree=["upper", "lower"], form=form), HANGING)
    assert len(few.states) == len(many.states) == 4
    assert few.eigenvalues.real == pytest.approx(0.0, abs=1e-12)
    swings = sorted(mode.frequency for mode in few.modes)
    assert sorted(mode.frequency for mode in many.modes) == pytest.approx(swings, rel=1e-9)
    assert many.eigenvalues.real == pytest.approx(0.0, abs=1e-9)


def test_any_independent_states_may_be_kept() -> None:
    system = shipped_system("slider-crank")
    start = system.state()
    found = [
        system.linearise(start, keep=keep)
        for keep in (["shaft.angle", "shaft.rate"], ["crank_pin.angle", "shaft.rate"])
    ]
    assert found[0].states == ("shaft.rate", "shaft.angle")
    assert found[1].states == ("shaft.rate", "crank_pin.angle")
    with pytest.raises(LinearisationError, match=r"cannot keep shaft\.angle, crank_pin\.angle"):
        system.linearise(start, keep=["shaft.angle", "crank_pin.angle"])
    with pytest.raises(AxletreeError, match="unknown state 'shaft'"):
        system.linearise(start, keep=["shaft"])


def test_rates_of_a_loop_agree_with_differences() -> None:
    """Where a state is not at rest, too: each kept state moved, the others made to follow."""
    system = shipped_system("slider-crank")
    kept = ("shaft.rate", "shaft.angle")
    start = system.state()
    found = system.linearise(start, keep=kept, outputs=["slider.position.x"])
    for column, name in enumerate(kept):
        sides = []
        for sign in (1.0, -1.0):
            given = {k: start[k] for k in kept} | {name: start[name] + sign * 1e-5}
            moved = system.state(given)
            sides.append([system.rhs(moved)[k] for k in kept])
        slopes = (np.array(sides[0]) - np.array(sides[1])) / 2e-5
        assert slopes == pytest.approx(found.A[:, column], rel=1e-6, abs=1e-6)
    crank, rod, sine = 0.2, 0.6, math.sin(start["shaft.angle"])
    leaning = crank * math.cos(start["shaft.angle"]) / math.sqrt(rod**2 - (crank * sine) ** 2)
    by_angle = -crank * sine * (1.0 + leaning)
    assert found.C[0] == pytest.approx([0.0, by_angle], abs=1e-12)


def test_inputs_that_move_a_constraint() -> None:
    """A driven crank in absolute coordinates: all that is left to the linear system is D."""
    model = at.Model("crank", gravity=(0.0, 0.0, 0.0))
    crank = model.add(at.RigidBody("crank", 1.0, (0.1, 0.1, 0.1)))
    pin = model.add(at.Revolute("pin", model.ground, crank.point(-0.2, 0.0, 0.0), axis="z"))
    model.add(at.RotationDriver("motor", pin))
    model.start = {"crank.x": 0.2}
    system = model.formulate(tree=["crank"])
    angle, rate = 0.4, 3.0
    found = linearise(
        system,
        inputs={"motor.angle": angle, "motor.angle_rate": rate},
        outputs=["crank.x", "crank.vx"],
    )
    assert found.states == ()
    by_angle = [-0.2 * math.sin(angle), -0.2 * rate * math.cos(angle)]
    assert found.D[:, found.inputs.index("motor.angle")] == pytest.approx(by_angle, abs=1e-12)
    by_rate = [0.0, -0.2 * math.sin(angle)]
    assert found.D[:, found.inputs.index("motor.angle_rate")] == pytest.approx(by_rate, abs=1e-12)


@pytest.mark.parametrize("disc", [Disc(), HOOP])
def test_a_disc_that_rolls_straight_falls_below_a_speed(disc: Disc) -> None:
    """(A + k) g'' = (m g_0 r - C (C + k) s^2 / A) g: a hoop needs v^2 > g_0 r / 4, a disc / 3."""
    system = rolling_disc(disc).formulate()
    C, A = disc.moments
    k, weight = disc.mass * disc.radius**2, disc.mass * GRAVITY * disc.radius
    threshold = math.sqrt(GRAVITY * disc.radius / (4.0 if disc is HOOP else 3.0))
    assert threshold == pytest.approx(disc.radius * math.sqrt(weight * A / (C * (C + k))))
    for share in (0.5, 0.999, 1.001, 3.0):
        spin = share * threshold / disc.radius
        straight = {"axle.rate": spin, "place.rate": 0.0, "lean.rate": 0.0, "lean.angle": 0.0}
        found = system.linearise(straight, keep=["lean.angle", "lean.rate"]).without_drift()
        square = (weight - C * (C + k) * spin**2 / A) / (A + k)
        expected = {complex(square) ** 0.5, -(complex(square) ** 0.5)}
        for value in expected:
            assert np.abs(found.eigenvalues - value).min() < 1e-7 * max(1.0, abs(value))
        grows = max(mode.eigenvalue.real for mode in found.modes) > 1e-3
        assert grows == (share < 1.0)


def test_what_drifts_can_be_left_out() -> None:
    found = linearise(rolling_disc(HOOP).formulate(), {"axle.rate": 20.0})
    assert set(found.drifting) == {"place.x", "place.y", "place.angle", "axle.angle"}
    left = found.without_drift()
    assert set(found.states) == {*left.states, *found.drifting}
    assert left.drifting == ()
    assert left.A.shape == (len(left.states),) * 2
    assert set(left.rates) == set(left.states)


def test_questions_without_an_answer() -> None:
    system = pendulum().formulate()
    with pytest.raises(LinearisationError, match="give numbers, not functions of time"):
        system.linearise(inputs={"motor.torque": "sin(t)"})
    with pytest.raises(AxletreeError, match="unknown output 'speed'"):
        system.linearise(outputs=["speed"])
    found = linearise(system)
    with pytest.raises(AxletreeError, match="unknown state 'angle'"):
        found.second_order(["angle"], ["motor.torque"])
    with pytest.raises(LinearisationError, match="1 coordinates need as many inputs, got 0"):
        found.second_order(["pin.angle"], [])
    model = double_pendulum("321")
    model.add(at.JointTorque("motor", model["shoulder"]))
    both = linearise(model.formulate(), HINGES)
    with pytest.raises(LinearisationError, match="do not go on by themselves: .* elbow.angle"):
        both.second_order(["shoulder.angle"], ["motor.torque"])
