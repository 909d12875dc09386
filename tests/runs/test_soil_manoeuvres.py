"""Manoeuvres on slopes and soft ground as objects: their signals, findings and parameters."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.components.signals import TIME
from axletree.core.errors import AxletreeError, ModelError, SimulationError
from axletree.expr import Table, directional_derivative, evaluate
from axletree.model.manoeuvre import Manoeuvre

SLEDGE = """\
gravity: [0, 0, -10]
components:
  sledge: {type: rigid-body, mass: 10 kg, inertia: [1, 1, 1]}
  track: {type: prismatic, tail: ground, head: sledge, axis: x}
  drag: {type: slide-spring-damper, joint: track, damping: 20 N*s/m}
  push: {type: joint-force, joint: track}
  disc: {type: rigid-body, mass: 1 kg, inertia: [1, 1, 1]}
  axle: {type: revolute, tail: sledge, head: disc, axis: y}
  brake: {type: friction-brake, joint: axle}
start: {track.speed: 2}
manoeuvres:
  climb: {type: coasting, speed: 3 m/s, driven_by: push.force, slope: 30 deg,
          parameters: {drag.damping: 10 N*s/m}}
  aside: {type: coasting, speed: 0, parameters: {gravity.y: 1}}
"""


@dataclass(frozen=True)
class Record:
    """Columns that were not computed."""

    time: np.ndarray
    columns: dict[str, np.ndarray]

    def __getitem__(self, name: str) -> np.ndarray:
        return self.columns[name]

    def __contains__(self, name: object) -> bool:
        return name in self.columns


def told(made: Manoeuvre, time: Any, **columns: Any) -> dict[str, float]:
    arrays = {name: np.asarray(values, dtype=float) for name, values in columns.items()}
    found = made.findings(Record(np.asarray(time, dtype=float), arrays))
    assert all(finding.description for finding in found)
    return {finding.name: finding.value for finding in found}


def course(signal: Any, times: np.ndarray) -> np.ndarray:
    if isinstance(signal, Table):
        return np.asarray(signal.evaluate(times))
    return np.asarray(evaluate([signal], {TIME: times})[0])


def written(folder: Path, text: str) -> at.Model:
    path = folder / "sledge.yaml"
    path.write_text(text, encoding="utf-8")
    return at.read_model(path)


# -- signals and findings --------------------------------------------------------------------
def test_a_start_releases_the_brakes_while_the_drive_comes() -> None:
    made = at.SlopeStart(
        forward="v", brakes=["a", "b"], torque=90, drives="m", drive=200, begin=1, rise=4,
        release=2, fade=1,
    )  # fmt: skip
    times = np.array([0.0, 1.0, 2.0, 2.5, 3.0, 5.0, 9.0])
    assert made.speed == 0.0
    assert course(made.signals["m"], times) == pytest.approx([0, 0, 50, 75, 100, 200, 200])
    for brake in "ab":
        assert course(made.signals[brake], times) == pytest.approx([90, 90, 90, 45, 0, 0, 0])
    found = told(made, [0, 1, 2, 3, 4], v=[0, -0.2, 0, 1, 1])
    assert found == pytest.approx({"start_time": 3.0, "roll_back": 0.2, "distance": 1.3})
    stays = told(made, [0, 1, 2], v=[0, 0, 0])
    assert math.isnan(stays["start_time"])
    assert (stays["roll_back"], stays["distance"]) == (0.0, 0.0)
    with pytest.raises(ModelError, match="speed: 1 m/s is not allowed"):
        at.SlopeStart(speed=1, forward="v", brakes="a", torque=1, drives="m", drive=1)


def test_a_stop_takes_the_drive_away_while_brakes_come() -> None:
    made = at.SlopeStop(speed=2, forward="v", brakes="a", torque=60, begin=1, rise=2)
    times = np.array([0.0, 1.0, 2.0, 3.0, 70.0])
    assert course(made.signals["a"], times) == pytest.approx([0, 0, 30, 60, 60])
    assert course(made.drive_share(), times) == pytest.approx([1, 1, 0.5, 0, 0])
    assert made.duration == 70.0
    found = told(made, [0, 1, 2, 3, 4, 5], v=[2, 2, 0, -4e-4, 0, 2e-4])
    assert found == pytest.approx({"stop_time": 2.0, "braking_distance": 1.0, "drift": 4e-4})
    creeps = told(made, [0, 1, 2], v=[2, 0, 0.1])
    assert all(math.isnan(value) for value in creeps.values())


def test_a_climb_tells_the_steepest_slope_on_which_it_advanced() -> None:
    made = at.HillClimb(
        speed=0, forward="v", drives="m", drive=10, rise=5, slopes=["left", "right"]
    )  # fmt: skip
    assert course(made.signals["m"], np.array([0.0, 2.5, 5.0, 60.0])) == pytest.approx(
        [0, 5, 10, 10]
    )
    columns = {"left": [0, 0.1, 0.2, 0.4, 0.25], "right": [0, 0.1, 0.3, 0.5, 0.3]}
    found = told(made, [0, 1, 2, 3, 4], v=[0, 2, 2, 0, -1], **columns)
    assert found == pytest.approx(
        {"maximum_slope": 0.25, "distance": 4.0, "immobilisation_time": 3.0}
    )
    assert math.isnan(told(made, [0, 1, 2, 3, 4], v=np.zeros(5), **columns)["maximum_slope"])
    tilted = at.HillClimb(speed=0, forward="v", drives="m", drive=10, slope=0.1)
    assert told(tilted, [0, 1], v=[0, 1])["maximum_slope"] == pytest.approx(0.1)
    assert made.needed_outputs == ("left", "right")


def test_a_soft_spot_tells_how_slow_and_how_deep() -> None:
    made = at.SoftSpot(speed=2, forward="v", driven_by="m", sinkages=["a", "b"])
    found = told(made, [0, 1, 2], v=[2, 1.2, 1.9], a=[0.01, 0.05, 0.01], b=[0.01, 0.02, 0.06])
    assert math.isnan(found.pop("immobilisation_time"))
    assert found == pytest.approx({"minimum_speed": 1.2, "final_speed": 1.9, "sinkage": 0.06})
    assert (
        told(at.SoftSpot(speed=2, forward="v"), [0, 1, 2], v=[2, 0, 0])["immobilisation_time"]
        == 1.0
    )


def test_a_pull_rises_until_nothing_advances() -> None:
    made = at.DrawbarPull(speed=2, forward="v", loads=["a", "b"], force=-100, begin=1, rise=10)
    times = np.array([0.0, 1.0, 3.5, 11.0, 60.0])
    assert course(made.signals["b"], times) == pytest.approx([0, 0, -25, -100, -100])
    found = told(made, [0, 1, 3.5, 6, 8], v=[2, 2, 1, 0, 0])
    assert found == pytest.approx({"maximum_drawbar_pull": 100.0, "immobilisation_time": 6.0})
    goes_on = told(made, [0, 1, 60], v=[2, 2, 1])
    assert goes_on["maximum_drawbar_pull"] == 200.0
    assert math.isnan(goes_on["immobilisation_time"])
    sets_off_late = told(made, [0, 1.5, 3.5, 6, 8], v=[0, 0, 1, 0, 0])
    assert sets_off_late == pytest.approx(
        {"maximum_drawbar_pull": 100.0, "immobilisation_time": 6.0}
    )
    assert told(made, [0, 1, 3.5], v=[0, 0, 0])["immobilisation_time"] == 3.5


@pytest.mark.parametrize(("first", "last"), [(-1.0, 0.8), (0.9, 0.2), (-0.7, -0.1)])
def test_a_sweep_turns_the_wheel_so_that_slip_changes_evenly(first: float, last: float) -> None:
    """Slip from the rates of both motions (Peiret et al., eqs. 5 and 6)."""
    made = at.SlipSweep(
        speed=1.5, carriages="x", wheels="w", radius=0.4, first=first, last=last, begin=1, sweep=8,
        pulls=["F"],
    )  # fmt: skip
    times = np.linspace(0.0, 12.0, 481)
    rates = directional_derivative(list(made.own_signals().values()), {TIME: 1.0})
    travel, rolling = (np.broadcast_to(course(rate, times), times.shape) for rate in rates)
    rolling = 0.4 * rolling
    slip = (rolling - travel) / np.maximum(rolling, travel)
    assert travel == pytest.approx(1.5)
    assert slip == pytest.approx(np.interp(times, [1.0, 9.0], [first, last]), abs=1e-12)
    angle = course(made.signals["w"], times)
    assert np.diff(angle) == pytest.approx(
        0.5 * (rolling[1:] + rolling[:-1]) * 0.025 / 0.4, rel=1e-3, abs=1e-4
    )
    found = told(made, [0, 1, 5, 9], F=[9, 1, 5, 2])
    assert found == pytest.approx(
        {"maximum_drawbar_pull": 5.0, "slip_at_maximum_pull": 0.5 * (first + last)}
    )


def test_a_sweep_without_a_change_is_refused() -> None:
    with pytest.raises(ModelError, match=r"first and last are both a slip of 0\.2"):
        at.SlipSweep(speed=1, carriages="x", wheels="w", radius=0.4, first=0.2, last=0.2)


# -- slopes and parameters -------------------------------------------------------------------
def test_a_slope_tilts_gravity_and_parameters_change(tmp_path: Path) -> None:
    """11 kg on 30 degrees are held by 55 N, and 10 N s/m at 3 m/s take 30 N more."""
    model = written(tmp_path, SLEDGE)
    system = model.formulate()
    run = system.drive(model.manoeuvres["climb"], outputs=["push.force"])
    assert run["track.speed"] == pytest.approx(3.0, rel=1e-9)
    assert run["push.force"] == pytest.approx(85.0, rel=1e-9)
    flat = system.simulate(1.0, step=1e-3)
    assert flat["track.speed"][-1] == pytest.approx(2.0 * math.exp(-20.0 / 11.0), rel=1e-9)


def test_what_a_manoeuvre_changes_stays_in_the_equations(tmp_path: Path) -> None:
    names = [q.name for q in written(tmp_path, SLEDGE).parameters]
    assert names[:3] == ["gravity.x", "gravity.y", "gravity.z"]
    bare = SLEDGE.partition("manoeuvres:")[0]
    assert written(tmp_path, bare).parameters[0].name == "gravity.z"
    climb = at.Coasting(speed=3, driven_by="push.force", slope=0.1)
    with pytest.raises(SimulationError, match=r"has no parameter gravity\.x, for what is 0"):
        written(tmp_path, bare).formulate().drive(climb)


def test_slopes_and_parameters_survive_the_round_trip(tmp_path: Path) -> None:
    model = written(tmp_path, SLEDGE)
    at.write_model(model, tmp_path / "copy.yaml")
    assert at.read_model(tmp_path / "copy.yaml").manoeuvres == model.manoeuvres


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        ("drag.damping: 10", "drag.dumping: 10", "unknown parameter 'drag.dumping'"),
        ("10 N*s/m}}", "10 kg}}", r"climb\.parameters\.drag\.damping: .*kg"),
        ("slope: 30 deg", "slope: 90 deg", r"climb\.slope: 1\.5708 rad is not allowed"),
    ],
)
def test_a_mistake_is_reported_with_its_line(
    right: str, wrong: str, says: str, tmp_path: Path
) -> None:
    assert SLEDGE.count(right) == 1
    with pytest.raises(ModelError, match=f"line 1[23], .*{says}"):
        written(tmp_path, SLEDGE.replace(right, wrong))


def test_what_nothing_holds_does_not_come_to_rest(tmp_path: Path) -> None:
    """The brake holds the disc, and nothing holds the sledge: 55 N are 2.75 m/s of its drag."""
    model = written(tmp_path, SLEDGE)
    parked = at.SlopeStart(
        slope="30 deg", forward="track.speed", brakes="brake.torque", torque=9.0,
        drives="push.force", drive=0.0,
    )  # fmt: skip
    with pytest.raises(AxletreeError, match=r"not come to rest within 60 s: track.speed 2\.75"):
        model.formulate(form="set-valued").drive(parked, method="complementarity")
