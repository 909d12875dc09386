"""Modes of vehicles by name, and how they follow the steering wheel by frequency."""

from __future__ import annotations

import math
import runpy
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.shipped_run import shipped_system
from scipy.linalg import eigvals
from scipy.optimize import brentq
from typer.testing import CliRunner
from vehicles.test_fidelity import LINEAR, SPEED
from vehicles.test_linear import oversteering
from vehicles.test_vehicle import described, written

import axletree as at
from axletree.analysis.handling.steer_response import (
    SteerResponse,
    bicycle_model,
    bicycle_response,
    critical_speed,
    vehicle_response,
)
from axletree.analysis.handling.straight_running import (
    StraightRunning,
    straight_running,
    vehicle_locus,
    vehicle_modes,
)
from axletree.analysis.linear.mode_shapes import named_modes
from axletree.analysis.steady.trim import trim
from axletree.cli.app import EXIT_USER_ERROR, app
from axletree.core.progress import Progress
from axletree.model.model import Model
from axletree.plot.linear import plot_named_modes, plot_vehicle_locus, shown_modes
from axletree.vehicles.assembly import assemble_vehicle
from axletree.vehicles.data_sheet import data_sheet
from axletree.vehicles.linear_single_track import linear_single_track
from axletree.vehicles.vehicle import Fidelity, Vehicle


def model_of(vehicle: Vehicle) -> Model:
    model = at.Model("car")
    assemble_vehicle(vehicle, model)
    model.described["vehicle"] = vehicle
    return model


@cache
def full() -> Model:
    given = described()
    for axle in given["axles"].values():
        axle["tyre"] = {"stiffness": 2e5, "law": LINEAR}
    return model_of(Vehicle(**given))


@cache
def running() -> StraightRunning:
    return straight_running(full())


@pytest.mark.slow
@pytest.mark.validation("vehicles")
def test_modes_of_a_car_have_the_names_of_what_moves(agrees: Agrees) -> None:
    """And the frequencies of hop that follow from masses and rates alone."""
    modes = named_modes(running().at(SPEED).linearisation)
    swings = {one.name: one.mode for one in modes if one.mode.swings}
    expected = {"bounce", "pitch", "roll", "front hop", "front tramp", "rear hop", "rear tramp"}
    assert expected <= set(swings)
    assert "yaw-sideslip" in {one.name for one in modes}
    sheet = data_sheet(full().described["vehicle"])
    for axle in ("front", "rear"):
        undamped = abs(swings[f"{axle} hop"].eigenvalue) / (2.0 * math.pi)
        agrees(
            f"car, full model: frequency of the {axle} hop", undamped,
            sheet[f"{axle} wheel hop frequency"], rel=0.05, unit="Hz",
            source="Closed form, one mass on tyre and spring",
        )  # fmt: skip
    rides = [sheet[f"{axle} ride frequency"] for axle in ("front", "rear")]
    for name in ("bounce", "pitch"):
        undamped = abs(swings[name].eigenvalue) / (2.0 * math.pi)
        assert 0.9 * min(rides) < undamped < 1.2 * max(rides)
    for one in modes:
        assert sum(one.shares.values()) == pytest.approx(1.0)
    figure = plot_named_modes(modes, "car")
    assert [axes.get_xlabel() for axes in figure.axes] == ["real part [1/s]", "share [%]"]


@pytest.mark.validation("vehicles")
def test_a_car_that_oversteers_has_the_critical_speed_of_the_closed_form(agrees: Agrees) -> None:
    own = oversteering()
    expected = critical_speed(own)
    found = vehicle_locus(model_of(own), np.linspace(0.5, 1.5, 5) * expected)
    (critical,) = found.critical
    agrees(
        "car that oversteers, from its eigenvalues: critical speed", critical.speed, expected,
        rel=1e-8, unit="m/s", source="Closed form, Riekert and Schunck 1940",
    )  # fmt: skip
    assert critical.in_words.startswith("yaw-sideslip: unstable above")
    assert critical.in_words.endswith("non-oscillatory")
    assert sorted(found.names) == ["speed", "yaw-sideslip", "yaw-sideslip"]
    values = bicycle_model(own, float(found.locus.values[0])).eigenvalues
    for value in values:
        assert np.abs(found.locus.eigenvalues[0] - value).min() < 1e-9 * abs(value)
    (drawn,) = [
        line for line in plot_vehicle_locus(found).axes[1].lines if len(line.get_xdata()) == 1
    ]
    assert drawn.get_xdata()[0] == pytest.approx(3.6 * expected)


# -- a car with a caravan -----------------------------------------------------------------------


@cache
def train() -> Model:
    return at.read_model("car-with-tail-heavy-caravan", {"vehicle": {"fidelity": "linear"}})


def forces(vehicle: Vehicle, unit: str, u: float) -> Iterator[tuple[float, float, float]]:
    """Place ahead of the unit's frame, side force and moment about the place by slip angle."""
    own = linear_single_track(vehicle, unit)
    for axle in own.axles.values():
        yield axle.position, axle.stiffness, -axle.stiffness * axle.trail
    if own.air is not None:
        yield own.air.position, own.air.side * u * u, own.air.yaw * u * u


def by_hand(vehicle: Vehicle, u: float) -> np.ndarray:
    """Eigenvalues by virtual power in v, r and the rate of the articulation g, linear.

    With rows of what they do to a place: on the car at x [1, x, 0], on the trailer at the
    distance d behind the coupling [1, h - d, -d], and to yaw [0, 1, 0] and [0, 1, 1].
    """
    ((name, trailer),) = vehicle.trailers.items()
    hitch = trailer.hitch
    M, D, K = np.zeros((3, 3)), np.zeros((3, 3)), np.zeros(3)
    for unit, yaw in (("", [0.0, 1.0, 0.0]), (name, [0.0, 1.0, 1.0])):
        own, turns = linear_single_track(vehicle, unit), np.array(yaw)

        def place(x: float, unit: str = unit) -> np.ndarray:
            d = hitch.coupling - x
            return np.array([1.0, hitch.position - d, -d] if unit else [1.0, x, 0.0])

        centre = place(own.centre)
        M += own.mass * np.outer(centre, centre) + own.yaw_inertia * np.outer(turns, turns)
        D += own.mass * u * np.outer(centre, [0.0, 1.0, 0.0])
        for x, stiffness, moment in forces(vehicle, unit, u):
            acts = stiffness * place(x) + moment * turns
            D += np.outer(acts, place(x)) / u
            K += -acts if unit else 0.0  # a trailer that is turned by g slips by -g
    A = np.zeros((4, 4))
    A[:3, :3], A[:3, 3], A[3, 2] = np.linalg.solve(M, -D), np.linalg.solve(M, -K), 1.0
    return eigvals(A)


@pytest.mark.validation("vehicles")
def test_a_caravan_snakes_above_the_speed_of_equations_by_hand(agrees: Agrees) -> None:
    vehicle = train().described["vehicle"]
    assert isinstance(vehicle, Vehicle)
    found = vehicle_locus(train(), np.linspace(18.0, 48.0, 6))
    (critical,) = found.critical
    assert critical.name == "snaking"
    assert critical.where.swings

    def growth(u: float) -> float:
        return float(max(value.real for value in by_hand(vehicle, u) if value.imag))

    agrees(
        "car with a tail-heavy caravan, linear: critical speed", critical.speed,
        brentq(growth, 20.0, 48.0), rel=1e-5, unit="m/s",
        source="Equations by hand, virtual power in three speeds",
    )  # fmt: skip
    names = {one.name for one in vehicle_modes(train(), 20.0)}
    assert names == {"speed", "snaking", "yaw-sideslip"}


@pytest.mark.slow
def test_a_critical_speed_does_not_depend_on_the_speeds_it_is_sought_over() -> None:
    """Nor on whether the throttle can keep them all; at it, the car that drives by itself swings
    without end."""
    driven = at.read_model("car-with-tail-heavy-caravan", {"vehicle": {"fidelity": "single-track"}})
    near, far = (vehicle_locus(driven, np.array(ends) / 3.6) for ends in ((110, 140), (100, 175)))
    ((one,), (other,)) = near.critical, far.critical
    assert one.speed == pytest.approx(other.speed, rel=1e-9)
    system, throttle = driven.formulate(), "driver.throttle"
    alone = system.trim({"chassis.vx": 140.0 / 3.6}, find=[throttle])
    assert near.locus.points[-1].inputs[throttle] == pytest.approx(alone.inputs[throttle], rel=1e-8)
    assert far.locus.points[-1].inputs[throttle] > 1.0
    alone = system.trim({"chassis.vx": one.speed}, find=[throttle])
    values = system.linearise(alone.states, inputs=alone.inputs).eigenvalues
    assert np.abs(values - one.where.eigenvalue).min() < 1e-6


# -- two-wheelers --------------------------------------------------------------------------------


def test_a_locus_tells_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both while motions are sought and while their modes are."""
    shown: list[float] = []
    monkeypatch.setattr(Progress, "show", lambda self, done: shown.append(done))
    vehicle_locus(at.read_model("sedan", {"vehicle": {"fidelity": "linear"}}), [20.0, 25.0, 30.0])
    assert shown == [1.0, 2.0, 3.0] * 2


def test_two_wheelers_weave_wobble_and_capsize() -> None:
    bicycle = shipped_system("whipple-bicycle").trim({"rear_frame.vx": 5.0})
    names = [one.name for one in named_modes(bicycle.linearisation)]
    assert names[1:] == ["capsize", "weave", "castering"]
    motorcycle = shipped_system("motorcycle")
    fast = motorcycle.linearise(motorcycle.trim({"chassis.vx": 30.0}).states).without_drift()
    modes = {one.name: one.mode for one in named_modes(fast)}
    assert 1.0 < modes["weave"].frequency < 4.0
    assert 6.0 < modes["wobble"].frequency < 10.0
    assert not modes["capsize"].swings
    assert abs(modes["capsize"].eigenvalue) < 1.0


# -- by frequency --------------------------------------------------------------------------------


@pytest.mark.slow
def test_slowly_steered_the_full_model_has_the_gain_of_its_steady_turn() -> None:
    response = vehicle_response(full(), SPEED, np.array([0.01, 0.1, 1.0]))
    straight, angle = running().at(SPEED), 1e-4
    given = {"chassis.vx": SPEED, "driver.steering": angle}
    keeper = straight.found[0]
    start = {**straight.states, keeper: straight.inputs[keeper]}
    steady = trim(running().system, given, [keeper], start=start)
    assert response.yaw_gain == pytest.approx(steady["vehicle.yaw_rate"] / angle, rel=1e-5)
    assert abs(response.yaw_rate[0]) == pytest.approx(response.yaw_gain, rel=1e-3)
    assert response.acceleration_gain == pytest.approx(SPEED * response.yaw_gain, rel=1e-6)


def test_bandwidth_is_where_the_gain_is_3_decibels_lower() -> None:
    model = bicycle_model(oversteering(), 15.0)
    found = bicycle_response(model)

    def above(f: float, which: int) -> float:
        return float(abs(model.response([f])[which][0] / model.response([0.0])[which][0]))

    for which, told in enumerate((found.yaw_bandwidth, found.acceleration_bandwidth)):
        expected = brentq(lambda f: above(f, which) - math.sqrt(0.5), 0.01, 3.0)  # noqa: B023
        assert told == pytest.approx(expected, rel=1e-3)
    assert math.isnan(found.peak[0])
    assert found.peak[1] == 1.0


def test_what_is_flat_has_no_resonance() -> None:
    hertz = np.geomspace(0.1, 10.0, 201)
    for height, has in ((1e-4, False), (1e-2, True)):
        gain = (1.0 + height * np.exp(-(np.log(hertz) ** 2))).astype(complex)
        found = SteerResponse("made", hertz, gain, gain, 1.0, 1.0).peak
        assert math.isfinite(found[0]) is has
        assert found[1] == pytest.approx(1.0 + height * has, rel=1e-9)


# -- commands ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_pictures_of_the_page_are_made_of_any_model(tmp_path: Path) -> None:
    program = Path(__file__).parent.parent.parent / "docs" / "making" / "make_vehicle_pictures.py"
    make_pictures = runpy.run_path(str(program))["make_pictures"]
    made = make_pictures(tmp_path, [Fidelity.LINEAR], 3)
    assert all(path.stat().st_size > 1000 for path in made)
    assert {path.name for path in made} <= {
        path.name for path in (program.parent.parent / "pictures").iterdir()
    }


def invoke(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.output


def test_the_commands_say_and_leave_what_they_find(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A root locus takes the place of the modes at one speed: a folder holds one call's results."""
    monkeypatch.chdir(tmp_path)
    path = str(written(tmp_path, vehicle=described()))
    code, output = invoke("modes", path, "--model", "linear")
    assert code == 0, output
    assert "yaw-sideslip" in output
    assert results("modes") == {"report.html", "modes.csv", "metrics.json"}
    code, output = invoke("modes", path, "--model", "linear", "--speed", "10:40:3")
    assert code == 0, output
    assert "stable at all speeds from 36 to 144 km/h" in output
    assert results("modes") == {"report.html", "locus.csv", "metrics.json"}
    code, output = invoke("frequency", path, "--model", "linear", "--frequencies", "0.1:5:20 ")
    assert code == 0, output
    gains = [line for line in output.splitlines() if "steady-state yaw rate" in line]
    lines = [line.rpartition("  ") for line in gains]
    assert len({value for _, _, value in lines}) == 1  # the vehicle is the bicycle model
    assert results("frequency") == {"report.html", "frequency.csv", "metrics.json"}


def results(command: str) -> set[str]:
    return {file.name for file in Path("out/car", f"{command}-linear").glob("*.*")}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["modes", "pendulum"], "starts without a speed"),
        (["modes", "sedan", "--model", "linear", "--speed", "0"], "expected a speed above 0 m/s"),
        (["modes", "sedan", "--speed", "10:20"], "is no range FIRST:LAST:COUNT"),
        (["frequency", "motorcycle"], "is no vehicle with a steering"),
        (["frequency", "sedan", "--frequencies", "0:1:4"], "frequencies above 0 Hz"),
        (["frequency", "sedan", "--speed", "3 kg"], "3 kg"),
    ],
)
def test_a_mistake_is_a_message(arguments: list[str], says: str) -> None:
    code, output = invoke(*arguments)
    assert code == EXIT_USER_ERROR, output
    assert says in output


@pytest.mark.slow
def test_mounts_of_brakes_and_lags_of_loads_do_not_squeeze_the_chart() -> None:
    """They decay with 200 and 20 1/s, and what a driver feels does with 2 to 25 1/s."""
    modes = at.vehicle_modes(at.read_model("sedan", {"vehicle": {"fidelity": "two-track"}}), 25.0)
    assert min(one.eigenvalue.real for one in modes) < -190.0
    assert [one.name for one in shown_modes(modes)] == ["yaw-sideslip"]
