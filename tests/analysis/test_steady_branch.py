"""Curves of steady motions: normal forms, the adhesion limit of a car, and its stability."""

from __future__ import annotations

import math

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.by_hand import by_hand, single_track
from mechanisms.shipped_run import shipped_system
from scipy.optimize import brentq

from axletree.analysis.steady.continuation import SpecialKind
from axletree.core.errors import AxletreeError, TrimError
from axletree.system.system import System

GRIP, SHAPE, STIFFNESS = 0.9, 1.6, 12.0
SATURATING = "0.5*m*9.81*{grip}*sin(1.6*atan(12*{slip}))"


def saturating_car(front: float = GRIP, rear: float = GRIP, **more: float) -> System:
    """Equal axle loads; both tyres have a peak of grip times load."""
    return single_track(
        SATURATING.format(grip=front, slip="alpha_f"),
        SATURATING.format(grip=rear, slip="alpha_r"),
        a=1.4, b=1.4, **more,
    )  # fmt: skip


def test_a_fold_is_found_and_passed() -> None:
    """x' = mu - x^2: stable above, unstable below, nothing beyond mu = 0."""
    system = by_hand("fold", {"x": "mu - x^2"}, parameters={"mu": 1.0}, start={"x": 1.0})
    branch = system.trim().continued("mu", -1.0, step=0.1)
    (fold,) = branch.folds
    assert fold.value == pytest.approx(0.0, abs=1e-12)
    assert fold.state["x"] == pytest.approx(0.0, abs=1e-6)
    assert branch.bifurcations == ()
    assert branch["x"] ** 2 == pytest.approx(branch.values, abs=1e-12)
    assert branch.is_stable.tolist() == (branch["x"] > 0.0).tolist()
    assert branch.growth == pytest.approx(-2.0 * branch["x"], rel=1e-9)
    assert branch["x"][-1] == pytest.approx(-1.0)
    assert branch.ended == "it came back to 1"
    assert np.abs(np.diff(branch.values)).max() <= 0.1 + 1e-12


@pytest.mark.parametrize("rate", ["mu*x - x^2", "mu*x - x^3"], ids=["transcritical", "pitchfork"])
@pytest.mark.parametrize("step", [0.25, 0.3])
def test_where_another_curve_meets(rate: str, step: float) -> None:
    """One step ends on the point itself, the other one jumps over it."""
    system = by_hand("meeting", {"x": rate, "y": "x - y"}, parameters={"mu": -1.0})
    branch = system.trim().continued("mu", 1.0, step=step)
    (met,) = branch.special
    assert met.kind is SpecialKind.BRANCHING
    assert met.value == pytest.approx(0.0, abs=1e-10)
    assert branch["x"] == pytest.approx(0.0, abs=1e-12)
    assert branch.values[-1] == 1.0
    assert branch.is_stable.tolist() == (branch.values < 0.0).tolist()


def test_the_other_branches_of_a_pitchfork() -> None:
    system = by_hand("pitchfork", {"x": "mu*x - x^3"}, parameters={"mu": 1.0}, start={"x": 1.1})
    branch = system.trim().continued("mu", -1.0, step=0.2)
    kinds = [special.kind for special in branch.special]
    assert SpecialKind.FOLD in kinds  # where it turns to the branch of -x
    assert branch.folds[0].value == pytest.approx(0.0, abs=1e-10)
    assert branch["x"][-1] == pytest.approx(-1.0)


def test_swings_that_begin_to_grow() -> None:
    """The normal form of Andronov and Hopf, at a frequency of 2 rad/s."""
    rates = {"x": "mu*x - 2*y - x*(x^2+y^2)", "y": "2*x + mu*y - y*(x^2+y^2)"}
    system = by_hand("hopf", rates, parameters={"mu": -1.0})
    branch = system.trim().continued("mu", 1.0, step=0.3)
    (hopf,) = branch.special
    assert hopf.kind is SpecialKind.HOPF
    assert hopf.value == pytest.approx(0.0, abs=1e-12)
    assert hopf.eigenvalue == pytest.approx(2j, rel=1e-9)
    assert branch.values[hopf.after] < hopf.value < branch.values[hopf.after + 1]


def test_undamped_oscillations_that_meet() -> None:
    """A hilltop held up by spin, s^4 + (w^2 - 2) s^2 + 1 = 0: stable for w > 2 alone."""
    rates = {"x": "u", "y": "v", "u": "x + w*v", "v": "y - w*u"}
    system = by_hand("spun", rates, parameters={"w": 3.0})
    (meeting,) = system.trim({"w": 3.0}).continued("w", 0.5, step=0.3).special
    assert meeting.kind is SpecialKind.HOPF
    assert meeting.value == pytest.approx(2.0, abs=1e-9)
    assert meeting.eigenvalue == pytest.approx(1j, abs=1e-6)


def test_a_cusp_has_two_folds() -> None:
    """x' = lambda + x - x^3: folds at x = +-1/sqrt(3), lambda = +-2/(3 sqrt(3))."""
    system = by_hand("cusp", {"x": "force + x - x^3"}, inputs={"force": -1.0}, start={"x": -1.3})
    branch = system.trim({"force": -1.0}).continued("force", 1.0, step=0.05)
    limit = 2.0 / (3.0 * math.sqrt(3.0))
    assert [fold.value for fold in branch.folds] == pytest.approx([limit, -limit], rel=1e-12)
    assert [fold.state["x"] for fold in branch.folds] == pytest.approx(
        [-1 / math.sqrt(3.0), 1 / math.sqrt(3.0)], rel=1e-6
    )
    assert branch.values[-1] == 1.0
    assert branch.ended == "1 was reached"


@pytest.mark.validation("vehicles")
def test_the_adhesion_limit_of_a_car_with_equal_axles(agrees: Agrees) -> None:
    """Both axles are at their peaks at once: the lateral acceleration is grip times g there."""
    branch = (
        saturating_car()
        .trim({"lateral_acceleration": 0.0}, ["delta"])
        .continued("lateral_acceleration", 12.0, step=0.5, points=80)
    )
    (fold,) = branch.folds
    agrees(
        "single-track car with tyres that saturate: adhesion limit", fold.value, GRIP * 9.81,
        rel=1e-12, unit="m/s²", source="Closed form, grip times g",
    )  # fmt: skip
    peak = math.tan(math.pi / 2.0 / SHAPE) / STIFFNESS  # slip where the sine is 1
    assert (1.4 * fold.state["r"] - fold.state["v"]) / 20.0 == pytest.approx(peak, rel=1e-5)
    assert branch["v"].min() < fold.state["v"]  # beyond it the slip goes on growing


@pytest.mark.parametrize(("front", "rear"), [(0.8, 0.9), (0.9, 0.8)])
def test_the_weaker_axle_is_the_limit(front: float, rear: float) -> None:
    branch = (
        saturating_car(front, rear)
        .trim({"lateral_acceleration": 0.0}, ["delta"])
        .continued("lateral_acceleration", 12.0, step=0.5, points=60)
    )
    (fold,) = branch.folds
    assert fold.value == pytest.approx(0.8 * 9.81, rel=1e-12)


@pytest.mark.validation("vehicles")
def test_where_a_cornering_car_begins_to_spin(agrees: Agrees) -> None:
    """With less grip behind, det A = 0 at a lateral acceleration that is solved by itself."""
    car = saturating_car(0.9, 0.8)
    branch = car.trim({"lateral_acceleration": 0.0}, ["delta"]).continued(
        "lateral_acceleration", 12.0, step=0.25, points=60
    )
    spins = [s for s in branch.special if s.kind is SpecialKind.DIVERGENCE]
    assert spins

    m, inertia, a, u, g = 1500.0, 2500.0, 1.4, 20.0, 9.81

    def slope(grip: float, acceleration: float) -> float:
        """Of an axle's force by its slip, on the rising side."""
        slip = math.tan(math.asin(acceleration / (g * grip)) / SHAPE) / STIFFNESS
        turn = SHAPE * math.atan(STIFFNESS * slip)
        across = 1.0 + (STIFFNESS * slip) ** 2
        return 0.5 * m * g * grip * math.cos(turn) * SHAPE * STIFFNESS / across

    def determinant(acceleration: float) -> float:
        cf, cr = slope(0.9, acceleration), slope(0.8, acceleration)
        first = -(cf + cr) / (m * u), (a * cr - a * cf) / (m * u) - u
        second = (a * cr - a * cf) / (inertia * u), -(a**2) * (cf + cr) / (inertia * u)
        return first[0] * second[1] - first[1] * second[0]

    expected = brentq(determinant, 1.0, 0.8 * g - 1e-9, xtol=1e-13)
    agrees(
        "single-track car with less grip behind: lateral acceleration where it begins to spin",
        spins[0].value, expected, rel=1e-9, unit="m/s²",
        source="Closed form, determinant of the linear equations by SciPy",
    )  # fmt: skip


@pytest.mark.validation("vehicles")
def test_weave_and_capsize_on_a_curve_of_the_benchmark_bicycle(agrees: Agrees) -> None:
    """Weave begins to die out at a Hopf point; at the capsize speed steady turns branch off."""
    bicycle = shipped_system("whipple-bicycle")
    branch = bicycle.trim({"rear_frame.vx": 4.0}).continued("rear_frame.vx", 6.5, step=0.5)
    weave, capsize = branch.special
    assert (weave.kind, capsize.kind) == (SpecialKind.HOPF, SpecialKind.BRANCHING)
    agrees(
        "Whipple bicycle, followed over its speed: Hopf point and branch point",
        [weave.value, capsize.value], [4.2923825363, 6.0242620154], abs=1e-9, unit="m/s",
        source="Meijaard et al. 2007, section 5",
    )  # fmt: skip
    assert np.abs(branch["rear_frame.roll"]).max() < 1e-12


def test_what_cannot_be_followed() -> None:
    car = saturating_car()
    with pytest.raises(TrimError, match="without a first value"):
        car.trim().continued("r", 1.0, step=0.1)
    with pytest.raises(AxletreeError, match="unknown given value, input or parameter 'speed'"):
        car.trim().continued("speed", 1.0, step=0.1)
    with pytest.raises(TrimError, match="nothing can be followed from u = 20 to 20"):
        car.trim().continued("u", 20.0, step=1.0)
    branch = car.trim().continued("u", 40.0, step=1.0, points=5)
    assert len(branch.points) == 5
    assert "5 points were found" in branch.ended
    assert branch.unit == "1"
