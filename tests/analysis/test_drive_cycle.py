"""Driving cycles: files, what they come to, and balances against quadratures by hand."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.analysis.drive_cycle import CycleResult, _time_off
from axletree.core.errors import AxletreeError, ModelError, SimulationError
from axletree.metrics.verdict import VerdictOutcome

PLANE = {"vehicle": {"fidelity": "single-track"}}
HOP = at.DriveCycle("hop", (0.0, 1.0, 9.0, 13.0, 21.0, 23.0), (0.0, 0.0, 14.0, 14.0, 0.0, 0.0))


@cache
def driven() -> CycleResult:
    return at.read_model("electric-car", PLANE).cycle(HOP, step="2 ms")


def flow(result: CycleResult, name: str) -> float:
    return sum(one.energy for one in result.flows if one.name == name)


@pytest.mark.parametrize(
    ("name", "duration", "km"),
    [("ece-urban", 195.0, 1.013), ("ece-extra-urban", 400.0, 6.955), ("nedc", 1180.0, 11.007)],
)
def test_cycles_of_regulation_83_are_as_long_as_it_says(
    name: str, duration: float, km: float
) -> None:
    """UN Regulation No. 83, annex 4: the urban one by rounded speeds at changes of gear."""
    cycle = at.read_drive_cycle(name)
    assert cycle.duration == duration
    assert 1e-3 * cycle.distance == pytest.approx(km, rel=2e-3 if "extra" not in name else 1e-4)


def test_both_balances_close() -> None:
    """From the battery to the shafts to rounding, and to the road to the error of the steps."""
    found = driven()
    assert 0.0 < found.shaft_residual < 1e-11
    assert found.residual < 1e-9
    (supplied,) = found.supplied
    assert supplied.energy == pytest.approx(sum(one.energy for one in found.flows), rel=1e-9)
    assert found.verdict.outcome is VerdictOutcome.PASSED
    assert "does not close" in found.balance_in_words


def test_air_and_losses_are_what_quadratures_of_the_records_come_to() -> None:
    found, run = driven(), driven().run
    speed = run["vehicle.forward_speed"]
    air = 0.5 * 1.225 * 2.36 * 0.267 * float(np.trapezoid(speed**3, run.time))
    assert flow(found, "air") == pytest.approx(air, rel=1e-3)
    rolling = 0.008 * 1726.0 * 9.80665 * float(np.trapezoid(speed, run.time))
    force = run["rear_drive.torque"] / 0.318  # N, of both wheels, at their radius under load
    slip = float(np.trapezoid(force**2 / (2.0 * 117e3) * speed, run.time))  # F v times F / C
    assert flow(found, "tyres") == pytest.approx(rolling + slip, rel=0.1)  # to first order
    for name, column in (("battery", "battery.losses"), ("motors", "rear_drive.motor_losses")):
        by_records = float(np.trapezoid(run[column], run.time))
        assert flow(found, name) == pytest.approx(by_records, rel=5e-3)
    assert flow(found, "auxiliaries") == pytest.approx(350.0 * 23.0)


def test_findings_follow_from_the_charge() -> None:
    found, run = driven(), driven().run
    km = found["distance"]
    taken = float(np.trapezoid(run["battery.power"], run.time))
    assert found["energy_per_km"] == pytest.approx(taken / 3600.0 / km, rel=2e-3)
    assert found["consumption"] == pytest.approx(0.1 * found["energy_per_km"])
    charge = run["battery.state_of_charge"]
    pack = at.read_model("electric-car").described["vehicle"].battery
    used = pack.energy_between(float(charge[-1]), float(charge[0]))
    assert found["range"] == pytest.approx(km * pack.energy_between(0.05, 1.0) / used)
    assert 5.0 < found["recovered_share"] < 60.0
    assert found["final_charge"] == pytest.approx(100.0 * charge[-1])
    with pytest.raises(KeyError, match="it has distance"):
        _ = found["rage"]


@pytest.mark.slow
def test_a_steady_speed_takes_what_the_trim_takes() -> None:
    car = at.read_model("electric-car", PLANE)
    steady = at.DriveCycle("steady", (0.0, 4.0), (20.0, 20.0))
    power = at.trim(car, speed=20.0)["battery.power"]
    found = car.cycle(steady, step="2 ms")
    assert found["energy_per_km"] == pytest.approx(power * 4.0 / 3600.0 / 0.08, rel=1e-5)
    assert found["maximum_speed_error"] < 1e-4


@pytest.mark.slow
def test_an_engine_burns_fuel_on_its_way() -> None:
    rear = {"drive": {"source": {"fuel": {"type": "willans", "efficiency": 0.4}}}}
    change = {"vehicle": PLANE["vehicle"] | {"axles": {"rear": rear}}}
    found = at.read_model("sedan", change).cycle(HOP, step="2 ms")
    (supplied,) = found.supplied
    assert supplied.name == "from fuel"
    assert found["fuel"] == pytest.approx(1e3 * supplied.energy / 42.7e6 / 745.0)
    assert found["fuel_consumption"] == pytest.approx(100.0 * found["fuel"] / found["distance"])
    assert found.residual < 1e-9
    assert flow(found, "gears and engines") > 0.6 * supplied.energy


@pytest.mark.slow
def test_a_battery_that_runs_empty_says_when_and_the_cycle_is_not_followed() -> None:
    car = at.read_model("electric-car", PLANE)
    with pytest.warns(match=r"from t = .* s on battery: the battery is empty"):
        found = car.cycle(HOP, charge=0.0535, step="2 ms")
    assert found.verdict.outcome is VerdictOutcome.FAILED
    assert found["time_off_cycle"] > 5.0
    assert found["final_charge"] < 5.35
    assert found.residual < 1e-7


def test_a_battery_that_is_empty_from_the_start_is_told() -> None:
    """Nothing moves, and there is no consumption by distance."""
    car, told = at.read_model("electric-car", PLANE), "battery is empty at the start: begin with a"
    with (
        pytest.warns(UserWarning, match="battery is empty"),
        pytest.raises(SimulationError, match=told),
    ):
        car.cycle(HOP, step="2 ms", charge=0.0)


def test_repeats_join_and_refuse() -> None:
    twice = HOP.repeated(2)
    assert twice.duration == 46.0
    assert twice.distance == pytest.approx(2.0 * HOP.distance)
    with pytest.raises(ModelError, match="ends as it begins"):
        at.DriveCycle("up", (0.0, 9.0), (0.0, 9.0)).repeated(2)
    with pytest.raises(ModelError, match="once or more"):
        HOP.repeated(0)


def test_time_off_a_cycle_is_counted_beyond_2_kmh_within_1_s() -> None:
    cycle = at.DriveCycle("ramp", (0.0, 10.0, 20.0), (0.0, 10.0, 10.0))
    time = np.linspace(0.0, 20.0, 2001)
    late = np.interp(time - 0.9, cycle.time, cycle.speed)  # within 1 s
    assert _time_off(cycle, time, late) == 0.0
    off = np.where((time > 12.0) & (time <= 15.0), 10.0 - 2.1 / 3.6, 10.0)
    wanted = cycle.speed_at(time)
    speed = np.where(time < 11.0, wanted, off)
    assert _time_off(cycle, time, speed) == pytest.approx(3.0, abs=0.011)
    near = np.where(time < 11.0, wanted, 10.0 - 1.9 / 3.6)
    assert _time_off(cycle, time, near) == 0.0


BAD = {
    "": "the file is empty",
    "time,speed\n0,0\n9,9\n": "column time has no unit",
    "time [s],speed [kg]\n0,0\n9,9\n": "column speed is in kg",
    "time [km],speed [km/h]\n0,0\n9,9\n": "column time is in km",
    "when [s],speed [m/s]\n0,0\n9,9\n": "no column time among when, speed",
    "time [s],v [m/s],speed [m/s]\n0,0,0\n9,9,9\n": "2 columns speed",
    "time [s],speed [m/s]\n0,0\n9,fast\n": "'fast' in column 'speed' is no number",
    "time [s],speed [m/s]\n0,0\n9,\n": "no number in its row 2",
    "time [s],speed [m/s]\n0,0\n9,3\n8,3\n": "expected times that rise",
    "time [s],speed [m/s]\n0,0\n9,-3\n": "expected none below 0",
    "time [s],speed [m/s]\n0,0\n1,50\n": "more than tyres hold",
    "time [s],speed [m/s]\n0,0\n100,250\n": "is its unit right",
    "time [s],speed [m/s]\n0,0\n100,0\n": "it stands all the time",
    "time [s],speed [m/s]\n0,0\n": "expected two points or more",
}


@pytest.mark.parametrize("text", BAD)
def test_a_bad_file_is_refused_with_what_is_wrong(text: str, tmp_path: Path) -> None:
    file = tmp_path / "trip.csv"
    file.write_text(text)
    with pytest.raises(AxletreeError, match=BAD[text].replace("?", r"\?")):
        at.read_drive_cycle(file)


def test_a_file_has_its_own_units_and_time_base(tmp_path: Path) -> None:
    file = tmp_path / "trip.csv"
    file.write_text("# a trip\nt [min];v [mph]\n10;0\n10,5;30\n")
    cycle = at.read_drive_cycle(file)
    assert cycle.name == "trip"
    assert cycle.time == pytest.approx((0.0, 30.0))
    assert cycle.speed == pytest.approx((0.0, 30.0 * 0.44704))


def test_who_cannot_drive_a_cycle_is_told_why() -> None:
    with pytest.raises(AxletreeError, match="did you mean 'nedc'"):
        at.read_drive_cycle("nedk")
    with pytest.raises(ModelError, match="there is no file"):
        at.read_drive_cycle("none.csv")
    with pytest.raises(ModelError, match="expected a table of text"):
        at.read_drive_cycle("cycle.yaml")
    with pytest.raises(SimulationError, match="has no section vehicle"):
        at.read_model("pendulum").cycle(HOP)
    linear = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    with pytest.raises(SimulationError, match="a linear model"):
        linear.cycle(HOP)
    with pytest.raises(SimulationError, match="has no battery"):
        at.read_model("sedan", PLANE).cycle(HOP, charge=0.5)


@pytest.mark.parametrize("time", [(0.0, 1.0, float("nan")), ("a", 1.0), None, (0.0, float("inf"))])
def test_times_that_are_no_numbers_are_refused(time: Any) -> None:
    with pytest.raises(ModelError, match="driving cycle x: time is .*; expected finite numbers"):
        at.DriveCycle("x", time, (0.0, 1.0, 1.0))
