"""Eigenvalues against a parameter: closed forms, and the speeds of the benchmark bicycle."""

from __future__ import annotations

import math

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.by_hand import by_hand, single_track
from mechanisms.eigenvalues import assert_same
from mechanisms.shipped_run import shipped_system
from scipy.optimize import brentq

from axletree.core.errors import AxletreeError, TrimError

CF, CR, M, IZ, A, B = 90e3, 70e3, 1500.0, 2500.0, 1.2, 1.5  # an oversteering car


def polynomial(u: float) -> list[float]:
    """Of the single-track car: s^2 + c1 s + c0, in closed form."""
    c1 = (CF + CR) / (M * u) + (A**2 * CF + B**2 * CR) / (IZ * u)
    c0 = CF * CR * (A + B) ** 2 / (M * IZ * u**2) - (A * CF - B * CR) / IZ
    return [1.0, c1, c0]


@pytest.mark.validation("vehicles")
def test_a_single_track_car_against_its_characteristic_polynomial(agrees: Agrees) -> None:
    car = single_track("90e3*alpha_f", "70e3*alpha_r")
    speeds = np.linspace(5.0, 140.0, 31)
    found = car.root_locus("u", speeds)
    for u, values in zip(speeds, found.eigenvalues, strict=True):
        expected = np.roots(polynomial(u))
        assert_same(values, expected, 1e-11 * np.abs(expected).max())
    length = A + B
    understeer = M / length * (B / CF - A / CR)
    (critical,) = found.critical
    agrees(
        "single-track car that oversteers, root locus: critical speed", critical.value,
        math.sqrt(length / -understeer), rel=1e-11, unit="m/s",
        source="Closed form, understeer gradient",
    )  # fmt: skip
    assert critical.unstable_above
    assert not critical.swings
    assert found.is_stable.tolist() == (speeds < critical.value).tolist()
    assert found.along == "u"


def test_a_falling_range_finds_the_same() -> None:
    car = single_track("90e3*alpha_f", "70e3*alpha_r")
    rising, falling = (
        car.root_locus("u", np.linspace(*ends, 6)) for ends in ((20, 140), (140, 20))
    )
    assert falling.critical[0].value == pytest.approx(rising.critical[0].value, rel=1e-10)
    assert falling.critical[0].unstable_above


def test_swings_that_begin_to_grow() -> None:
    """x'' - mu x' + 9 x = 0: growing from mu = 0 on, which is one of the values."""
    system = by_hand("swing", {"x": "y", "y": "mu*y - 9*x"}, parameters={"mu": -1.0})
    for values in (np.linspace(-1.0, 1.0, 9), np.linspace(-1.0, 1.1, 8)):
        (critical,) = system.root_locus("mu", values).critical
        assert critical.value == pytest.approx(0.0, abs=1e-12)
        assert critical.eigenvalue == pytest.approx(3j, abs=1e-12)
        assert critical.swings


@pytest.mark.parametrize("values", [np.linspace(-1.0, 2.0, 8), np.linspace(2.0, -1.0, 7)])
def test_an_undamped_mass_on_a_spring_that_becomes_negative(values: np.ndarray) -> None:
    """x'' = c x: a pair on the imaginary axis, which parts along the real one from c = 0 on."""
    system = by_hand("buckling", {"x": "y", "y": "c*x"}, parameters={"c": -1.0})
    (critical,) = system.root_locus("c", values).critical
    assert critical.value == pytest.approx(0.0, abs=1e-12)
    assert critical.eigenvalue == 0.0
    assert critical.unstable_above
    assert critical.in_words == (
        "the frequency of an undamped oscillation falls to zero; "
        "unstable above: grows without oscillation"
    )


def test_undamped_oscillations_that_meet() -> None:
    """A hilltop held up by spin: x'' - w y' = x, y'' + w x' = y is stable for w > 2.

    s^4 + (w^2 - 2) s^2 + 1 = 0, whose roots on the imaginary axis meet at s = i where w = 2, and
    leave it again at w = -2.
    """
    rates = {"x": "u", "y": "v", "u": "x + w*v", "v": "y - w*u"}
    system = by_hand("spun", rates, parameters={"w": 3.0})
    locus = system.root_locus("w", np.linspace(-3.1, 3.0, 12))
    lower, upper = locus.critical
    assert [lower.value, upper.value] == pytest.approx([-2.0, 2.0], abs=1e-11)
    assert [lower.unstable_above, upper.unstable_above] == [True, False]
    for critical in locus.critical:
        assert critical.eigenvalue == pytest.approx(1j, abs=1e-6)
        assert critical.in_words.startswith("two undamped oscillations meet at 0.1592 Hz")


def test_an_undamped_oscillation_that_begins_to_grow_meets_no_other() -> None:
    """s^2 - max(mu, 0) s + 9 = 0: on the imaginary axis up to 0, then off it in proportion."""
    rates = {"x": "y", "y": "max(mu, 0)*y - 9*x"}
    system = by_hand("driven", rates, parameters={"mu": -1.0})
    (critical,) = system.root_locus("mu", np.linspace(-1.0, 1.0, 4)).critical
    assert critical.value == pytest.approx(0.0, abs=1e-7)
    assert not critical.meets
    assert critical.in_words == (
        "an undamped oscillation of 0.4775 Hz begins to grow; "
        "unstable above: grows as an oscillation"
    )


def test_modes_that_all_meet_at_zero_are_not_missed() -> None:
    """s^3 = -c: of three roots that meet at 0 one grows below, and two do so above."""
    system = by_hand("three", {"x": "y", "y": "z", "z": "-c*x"}, parameters={"c": -1.0})
    found = system.root_locus("c", np.linspace(-1.0, 1.0, 4)).critical
    assert found
    assert [one.value for one in found] == pytest.approx([0.0] * len(found), abs=1e-9)


def test_a_crossing_and_a_departure_between_the_same_values() -> None:
    """Damping of one oscillation passes zero at 0.3, another one is undamped up to 0.6."""
    rates = {"x": "y", "y": "(mu - 0.3)*y - 9*x", "z": "w", "w": "(mu - 0.6)*z"}
    system = by_hand("both", rates, parameters={"mu": 0.0})
    first, second = system.root_locus("mu", [0.0, 1.0]).critical
    assert first.value == pytest.approx(0.3, abs=1e-12)
    assert (first.leaves_axis, first.eigenvalue) == (False, pytest.approx(3j, abs=1e-9))
    assert second.value == pytest.approx(0.6, abs=1e-12)
    assert (second.leaves_axis, second.eigenvalue) == (True, 0.0)


@pytest.mark.parametrize("values", [[0.0, 1.0], np.linspace(0.0, 1.0, 12)])
def test_growth_that_begins_and_ends_between_two_values(values: np.ndarray) -> None:
    """The damping is negative from 0.48 to 0.52; at all values it is positive."""
    rates = {"x": "y", "y": "2*(0.0004 - (mu - 0.5)^2)*y - 9*x"}
    system = by_hand("window", rates, parameters={"mu": 0.0})
    lower, upper = system.root_locus("mu", values).critical
    assert [lower.value, upper.value] == pytest.approx([0.48, 0.52], abs=1e-10)
    assert [lower.unstable_above, upper.unstable_above] == [True, False]


def test_oscillations_that_meet_and_part_between_two_values() -> None:
    rates = {"x": "u", "y": "v", "u": "x + w*v", "v": "y - w*u"}
    system = by_hand("spun", rates, parameters={"w": 3.0})
    lower, upper = system.root_locus("w", np.linspace(-20.0, 20.5, 9)).critical
    assert [lower.value, upper.value] == pytest.approx([-2.0, 2.0], abs=1e-9)
    assert lower.meets
    assert upper.meets


def test_a_mode_that_rests_on_the_axis_between_two_growths_does_not_cross_it() -> None:
    """x'' = c (c - 1) (c - 2) x grows for 0 < c < 1 and for c > 2, and swings in between."""
    system = by_hand("cubic", {"x": "y", "y": "c*(c - 1)*(c - 2)*x"}, parameters={"c": -1.0})
    for values in ([-1.0, 3.0], np.linspace(-1.0, 3.0, 6)):
        found = system.root_locus("c", values).critical
        assert [one.value for one in found] == pytest.approx([0.0, 1.0, 2.0], abs=1e-9)
        assert [one.unstable_above for one in found] == [True, False, True]
        assert {one.eigenvalue for one in found} == {0.0}


@pytest.mark.parametrize(
    ("along", "values"),
    [
        ("rod.mass", [1.0, -1.0]),
        ("rod.inertia.yy", [0.083, -1.0]),
        ("rod.inertia.yy", [0.083, 5.0]),
    ],
)
def test_parameters_that_no_body_could_have_are_not_followed(
    along: str, values: list[float]
) -> None:
    system = shipped_system("pendulum")
    with pytest.raises(TrimError, match=f"{along} = {values[1]:g} cannot be followed: "):
        system.root_locus(along, values, {"pin.angle": 0.0})
    with pytest.raises(TrimError, match=f"{along} = {values[1]:g} cannot be followed: "):
        system.trim({"pin.angle": 0.0, along: values[0]}).continued(along, values[1], step=0.1)


@pytest.mark.parametrize(("damping", "load"), [(0.0, 3.5 - math.sqrt(2.0)), (1e-3, 41.0 / 28.0)])
def test_a_follower_force_on_two_rods(damping: float, load: float) -> None:
    """Ziegler's column, masses 2 m and m: flutter, earlier with vanishing equal damping.

    [[3, 1], [1, 1]] q'' + c [[2, -1], [-1, 1]] q' + [[2 - p, p - 1], [-1, 1]] q = 0; Ziegler 1952
    and Bolotin 1963, section 2.3.
    """
    first = "((p - 2)*a + (1 - p)*b - c*(2*u - v))"
    second = "(a - b + c*(u - v))"
    rates = {
        "a": "u",
        "b": "v",
        "u": f"({first} - {second})/2",
        "v": f"(3*{second} - {first})/2",
    }
    system = by_hand("ziegler", rates, parameters={"p": 0.0, "c": damping})
    (critical,) = system.root_locus("p", [0.0, 3.0]).critical
    assert critical.value == pytest.approx(load, rel=1e-6)
    assert critical.unstable_above
    assert critical.swings
    assert critical.meets == (damping == 0.0)


def test_modes_that_pass_one_another_keep_their_columns() -> None:
    """-2 and -mu cross at mu = 2, two swings beside them; each column stays smooth."""
    rates = {"x": "-2*x", "y": "-mu*y", "z": "w", "w": "-25*z - mu*w"}
    system = by_hand("four", rates, parameters={"mu": 0.5})
    found = system.root_locus("mu", np.linspace(0.5, 4.0, 15))
    constant = [k for k in range(4) if np.ptp(found.eigenvalues[:, k].real) < 1e-9]
    assert len(constant) == 1
    assert found.eigenvalues[:, constant[0]] == pytest.approx(-2.0)
    moving = [k for k in range(4) if np.abs(found.eigenvalues[:, k].imag).max() < 1e-9]
    (other,) = set(moving) - set(constant)
    assert found.eigenvalues[:, other].real == pytest.approx(-found.values)


@pytest.mark.validation("vehicles")
def test_weave_and_capsize_speeds_of_the_benchmark_bicycle(agrees: Agrees) -> None:
    """Meijaard et al. 2007, section 5: 4.2923825363 and 6.0242620154 m/s."""
    bicycle = shipped_system("whipple-bicycle")
    found = bicycle.root_locus("rear_frame.vx", np.linspace(3.0, 8.0, 11))
    weave, capsize = found.critical
    agrees(
        "Whipple bicycle, root locus: weave and capsize speed", [weave.value, capsize.value],
        [4.2923825363, 6.0242620154], abs=1e-10, unit="m/s",
        source="Meijaard et al. 2007, section 5",
    )  # fmt: skip
    assert weave.swings
    assert not weave.unstable_above
    assert not capsize.swings
    assert capsize.unstable_above
    assert found.unit == "m/s"
    assert found.eigenvalues.shape == (11, 5)  # four of the benchmark, and the speed itself


def test_steady_motions_on_the_way() -> None:
    """Cornering at 4 m/s^2, the steering angle found at every speed."""
    car = single_track("90e3*alpha_f", "70e3*alpha_r")
    found = car.root_locus("u", [10.0, 20.0, 30.0], {"lateral_acceleration": 4.0}, find=["delta"])
    for point, u in zip(found.points, found.values, strict=True):
        length = A + B
        understeer = M / length * (B / CF - A / CR)
        by_hand_angle = length * 4.0 / u**2 + understeer * 4.0
        assert point.inputs["delta"] == pytest.approx(by_hand_angle, rel=1e-11)


def test_mistakes_are_named() -> None:
    car = single_track("90e3*alpha_f", "70e3*alpha_r")
    with pytest.raises(TrimError, match="two or more values of u that rise or fall"):
        car.root_locus("u", [20.0, 10.0, 30.0])
    with pytest.raises(AxletreeError, match="unknown quantity 'speed'"):
        car.root_locus("speed", [10.0, 20.0])


@pytest.mark.validation("vehicles")
def test_at_the_critical_speed_a_turn_needs_no_steering(agrees: Agrees) -> None:
    """A car from components, with tyres whose slip lags and aligning torques.

    The locus looks at eigenvalues of straight running, the other side at the steering angle of
    wide turns, which changes its sign at the same speed.
    """
    car = shipped_system("bicycle-car")
    speed, find = "sqrt(chassis.vx^2 + chassis.vy^2)", ["steer.angle", "drive.torque"]
    soft = {"rear_tyre.law.cornering_stiffness": 70e3}
    locus = car.root_locus(speed, np.linspace(20.0, 50.0, 7), {**soft, "chassis.rate": 0.0}, find)
    (critical,) = locus.critical
    assert critical.unstable_above

    def steering(u: float) -> float:
        given = {**soft, speed: u, "chassis.rate": 1e-7}
        return car.trim(given, find).inputs["steer.angle"]

    agrees(
        "bicycle-car with soft rear tyres, root locus: critical speed", critical.value,
        brentq(steering, 20.0, 50.0, xtol=1e-9), rel=1e-6, unit="m/s",
        source="Another formulation, wide turns that need no steering",
    )  # fmt: skip


def test_units_of_states_do_not_matter() -> None:
    """-1 +- 2i, with a force beside an angle: slopes from 1e-9 to 4e9."""
    rates = {"angle": "-angle + 1e-9*force", "force": "-4e9*angle - mu*force"}
    found = by_hand("units", rates, parameters={"mu": 1.0}).root_locus("mu", [1.0, 1.5])
    assert_same(found.eigenvalues[0], np.array([-1 + 2j, -1 - 2j]), 1e-12)
