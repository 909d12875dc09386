"""What stands on top of pages of analyses, against numbers that are known otherwise."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.analysis.handling.g_g_diagram import Envelope, GGDiagram
from axletree.analysis.linear.mode_shapes import NamedMode
from axletree.analysis.linear.modes import Mode
from axletree.analysis.studies.comparison import ComparedRun
from axletree.analysis.studies.sensitivity import FindingSlope, Sensitivity, SensitivityColumn
from axletree.analysis.studies.sweep import Sweep
from axletree.analysis.studies.tyre_fit import FittedParameter, TyreFit
from axletree.metrics.findings import Finding
from axletree.metrics.verdict import VerdictOutcome
from axletree.reports.analysis_verdicts import (
    agreement_verdict,
    comparison_verdict,
    fit_verdict,
    g_g_verdict,
    locus_verdict,
    modes_verdict,
    sensitivity_verdict,
    sweep_verdict,
)
from axletree.simulation.trajectory import Trajectory

TIME = np.linspace(0.0, 1.0, 11)  # s


def made_run(**columns: np.ndarray) -> Trajectory:
    return Trajectory("car", TIME, columns, dict.fromkeys(columns, "m"), ())


def test_the_largest_accelerations_of_all_speeds_stand_first() -> None:
    slow = Envelope(20.0, np.array([3.0, 0.0, -9.0]), np.array([0.0, 8.0, 0.0]), ())
    fast = Envelope(40.0, np.array([1.0, 0.0, -9.5]), np.array([0.0, 7.0, 0.0]), ())
    found = g_g_verdict(GGDiagram("sedan", (slow, fast)))
    said = {one.name: (one.value, one.description) for one in found.numbers}
    assert said["acceleration"] == (3.0, "maximum acceleration, at 72 km/h")
    assert said["deceleration"] == (9.5, "maximum deceleration, at 144 km/h")
    assert said["lateral"] == (8.0, "maximum lateral acceleration, at 72 km/h")
    assert said["acceleration_144_km_h"][0] == 1.0
    assert found.tested == "performance envelope at 72, 144 km/h"
    assert found.outcome is VerdictOutcome.NO_CRITERION


def test_a_drive_that_keeps_no_speed_has_no_numbers() -> None:
    assert g_g_verdict(GGDiagram("sedan", ())).numbers == ()


@pytest.mark.parametrize(("real", "said"), [(-0.5, "none unstable"), (0.5, "unstable: weave")])
def test_modes_that_grow_come_first_and_then_the_slowest(real: float, said: str) -> None:
    """The damping ratio of an eigenvalue is minus its real part over its size."""
    eigenvalues = {"weave": complex(real, 3.0), "roll": -1.5 + 2.0j, "still": 1e-12 + 0.0j}  # 1/s
    modes = [NamedMode(name, Mode(value, ()), {}) for name, value in eigenvalues.items()]
    findings = [
        Finding(f"{one.name}_{kind}", value, unit, "")
        for one in modes[:2]
        for kind, value, unit in (("frequency", one.mode.frequency, "Hz"),
                                  ("damping", one.mode.damping_ratio, "1"))
    ]  # fmt: skip
    found = modes_verdict(modes, findings, 20.0)
    assert found.tested == f"modes of straight running at 72 km/h, {said}"
    order = ["weave", "roll"] if real > 0.0 else ["roll", "weave"]  # of 3 rad/s and 2 rad/s
    assert [one.name for one in found.numbers] == [
        f"{name}_{kind}" for name in order for kind in ("frequency", "damping")
    ]
    values = {one.name: one.value for one in found.numbers}
    assert values["weave_damping"] == pytest.approx(-real / math.hypot(real, 3.0))
    assert values["roll_damping"] == pytest.approx(0.6)  # 3, 4, 5
    assert values["roll_frequency"] == pytest.approx(1.0 / math.pi)


def test_the_least_damped_mode_over_speed_is_that_of_the_characteristic_polynomial() -> None:
    """Of the linear car the yaw-sideslip mode alone swings; its damping ratio falls with speed."""
    sedan = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    found = locus_verdict(at.vehicle_locus(sedan, [10.0, 20.0, 30.0]), [])
    mode = next(one for one in at.vehicle_modes(sedan, 30.0) if one.name == "yaw-sideslip").mode
    values = {one.name: one.value for one in found.numbers}
    assert values["least_damping"] == pytest.approx(mode.damping_ratio, rel=1e-6)
    assert values["least_damping_frequency"] == pytest.approx(mode.frequency, rel=1e-6)
    assert found.tested.endswith("from 36 km/h to 108 km/h, stable, no critical speed")


def test_what_runs_differ_in_most_stands_first_and_what_is_equal_is_counted() -> None:
    """10 t and 11 t lie 1 apart at the most, of a range of 11."""
    one = made_run(x=10.0 * TIME, y=10.0 * TIME**2, same=TIME)
    other = made_run(x=11.0 * TIME, y=14.0 * TIME, same=TIME)
    runs = [ComparedRun("before", one), ComparedRun("after", other)]
    found = comparison_verdict(runs, ["x", "y", "same"], 1e-3)
    assert found.tested == (
        "comparison of after with before: 1 of 3 quantities equal within 0.1 % of their range"
    )
    # 14 t - 10 t^2 is greatest at t = 0.7: 4.9, of a range of 14
    assert {number.name: number.value for number in found.numbers} == {
        "y": pytest.approx(100.0 * 4.9 / 14.0), "x": pytest.approx(100.0 / 11.0),
    }  # fmt: skip
    assert next(iter(found.numbers)).name == "y"


def test_the_strongest_sensitivities_stand_first() -> None:
    gain, lag = Finding("gain", 2.0, "1/s", "gain"), Finding("lag", 0.1, "s", "lag")
    by_mass = FindingSlope(gain, -1e-3, False), FindingSlope(lag, 2e-4, False)
    by_track = FindingSlope(gain, 0.0, False), FindingSlope(lag, math.nan, False)
    columns = (SensitivityColumn("body.mass", 1500.0, "kg", by_mass),
               SensitivityColumn("track", 1.5, "m", by_track))  # fmt: skip
    found = sensitivity_verdict(Sensitivity("car", "step-steer", (gain, lag), columns))
    assert [one.name for one in found.numbers] == [
        "lag by body.mass", "gain by body.mass", "gain by track",
    ]  # fmt: skip
    assert [one.value for one in found.numbers] == pytest.approx([3.0, -0.75, 0.0])
    assert found.tested == "relative sensitivity of step-steer to 2 parameters"


def test_a_sweep_says_between_which_values_its_findings_go() -> None:
    """The period of a rod's swing is that of its length, whatever its mass is."""
    found = at.sweep("pendulum", {"gravity.z": "-9,-4"}, duration=1.0, outputs=["pin.angle"],
                     workers=1)  # fmt: skip
    verdict = sweep_verdict(found)
    ends = [number for number in verdict.numbers if number.name.startswith("pin.angle.final")]
    assert [number.value for number in ends] == sorted(found["pin.angle.final"])
    assert verdict.tested == "sweep of its own run over gravity.z (2 values): 2 points"


def test_a_sweep_leaves_out_what_stays_as_it_is() -> None:
    """Findings that differ by what a search for a level leaves are the level."""
    level, gain = Finding("level", 4.0, "m/s^2", "level"), Finding("gain", 0.4, "1/s", "gain")
    rows: list[Any] = [
        SimpleNamespace(
            point=SimpleNamespace(values={"body.mass": 1400.0 + k}, in_words=f"{k}"),
            outcome=SimpleNamespace(failure="", findings=tuple(
                replace(one, value=one.value * (1.0 + k * change))
                for one, change in ((level, 1e-7), (gain, 1e-2)))),
        )
        for k in range(3)
    ]  # fmt: skip
    for row in rows:
        row.finding = {one.name: one.value for one in row.outcome.findings}.__getitem__
    verdict = sweep_verdict(Sweep("car", "", (), tuple(rows)))
    assert [one.name for one in verdict.numbers] == ["gain.minimum", "gain.maximum"]


def test_points_that_failed_are_counted() -> None:
    at_points: list[Any] = [SimpleNamespace(point=SimpleNamespace(in_words=f"{k}"),
                            outcome=SimpleNamespace(failure="no" * k, findings=()))
                            for k in range(3)]  # fmt: skip
    assert sweep_verdict(Sweep("car", "", (), tuple(at_points))).tested.endswith(
        "3 points, 2 of which failed"
    )


def test_a_measurement_passes_within_its_boundaries_and_fails_beyond(tmp_path: Path) -> None:
    sedan = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    run = sedan.drive("iso-7401-step")
    for factor, outcome in ((1.0, VerdictOutcome.PASSED), (1.3, VerdictOutcome.FAILED)):
        columns = {**run.columns, "vehicle.yaw_rate": factor * run["vehicle.yaw_rate"]}
        other = Trajectory("car", run.time, columns, run.units, ())
        measured = at.read_measurement(other.to_npz(tmp_path / "measured.npz"))
        names = ["driver.steering", "vehicle.yaw_rate"]
        found = at.agreement(run, measured, names=names)
        verdict = agreement_verdict(found, at.validate(found, "iso-22140", metrics=()), "sedan")
        assert verdict.outcome is outcome
        assert "in the manner of ISO 22140" in verdict.checks[0].criterion.source
        assert agreement_verdict(found, None, "a").outcome is VerdictOutcome.NO_CRITERION
    shown = [one.name for one in agreement_verdict(found, None, "a").numbers]
    assert shown == ["vehicle.yaw_rate.rms", "driver.steering.rms"]  # the second is as measured


def test_errors_of_a_fit_are_shares_of_what_was_measured() -> None:
    kept = FittedParameter("mu", "1", 1.0, 1.0, math.nan, held=True)
    free = FittedParameter("c", "N/rad", 1e5, 9e4, 1e2)
    law = at.Fiala(0.17, 95e3, 70e3, 0.01, 1.05, 0.6)
    fit = TyreFit(law, (kept, free), {"Fy": 50.0, "Mz": 2.0}, {"Fy": 5000.0, "Mz": 40.0}, 7, True)
    verdict = fit_verdict(fit, 34)
    assert [one.value for one in verdict.numbers] == pytest.approx([1.0, 5.0])
    assert verdict.tested == "fit of 1 parameter to 34 points, converged after 7 iterations"
