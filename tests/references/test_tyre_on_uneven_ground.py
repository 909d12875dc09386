"""A wheel by itself on bicubic patches: dropped, and rolling (Andres 2009, figures 6.4, 6.5)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.shipped_run import shipped_run, spring_energy

import axletree as at
from axletree.analysis.energy import audit_energy

G, MASS, RADIUS = 9.80665, 6.0, 0.2469


@pytest.mark.slow
@pytest.mark.validation("tyres")
def test_the_dropped_tyre_bounces_lower_each_time_and_comes_to_rest(agrees: Agrees) -> None:
    _, _, run = shipped_run("dropped-tyre")
    time, clearance = run.time, run["lift.position"] - RADIUS - run["tyre.contact_point.z"]
    fall = 2.0 - 0.5 * G * time**2
    first = time < 0.5
    assert (run["tyre.Fz"][first] == 0.0).all()
    agrees(
        "dropped tyre: height in its fall", run["lift.position"][first], fall[first],
        abs=1e-9, unit="m", source="Closed form, free fall",
    )  # fmt: skip
    tops = [
        clearance[k]
        for k in range(1, len(time) - 1)
        if clearance[k - 1] < clearance[k] > clearance[k + 1] and clearance[k] > 0.02
    ]
    assert len(tops) >= 2
    assert all(later < earlier for earlier, later in zip(tops, tops[1:], strict=False))
    # Off the flank of the valley it goes to the middle, and to and fro.
    turns = np.flatnonzero(np.diff(np.sign(run["place.vx"][time > 2.0])))
    assert len(turns) >= 5
    assert np.abs(run["place.x"]).max() < 3.0
    late = time > 38.0
    assert np.abs(run["place.vx"][late]).max() < 0.15
    agrees(
        "dropped tyre come to rest: load", run["tyre.Fz"][late], MASS * G, rel=0.01, unit="N",
        source="Closed form, weight",
    )  # fmt: skip
    assert run["lean.angle"] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.slow
@pytest.mark.validation("tyres")
def test_records_show_the_blow_of_the_first_landing(agrees: Agrees) -> None:
    """Its force, summed up over the records, is the momentum that it gives along the normal."""
    _, _, run = shipped_run("dropped-tyre")
    touching = np.flatnonzero(run["tyre.Fz"][run.time < 0.75])
    blow = slice(touching[0] - 1, touching[-1] + 2)
    normal = np.array([run[f"tyre.normal.{a}"][touching[0]] for a in "xz"])
    velocity = np.array([run["place.vx"][blow], run["lift.speed"][blow]])
    duration = float(np.ptp(run.time[blow]))
    momentum = MASS * normal @ (velocity[:, -1] - velocity[:, 0] + [0.0, G * duration])
    assert duration < 0.01
    interval = float(run.time[1] - run.time[0])
    agrees(
        "dropped tyre: impulse of the first landing", interval * run["tyre.Fz"][blow].sum(),
        momentum, rel=0.02, unit="N s", source="Closed form, change of momentum",
    )  # fmt: skip


def test_its_records_are_no_burden_as_text(tmp_path: Path) -> None:
    """A tenth of the run; those of everything would be 6 MB."""
    model = at.read_model("dropped-tyre")
    run = model.formulate().simulate(
        4.0, step=model.run.step, record_interval=model.run.record_interval,
        outputs=model.run.outputs,
    )  # fmt: skip
    assert {"tyre.Fz", "tyre.Fx", "energy.total"} <= set(run.columns)
    assert run.to_csv(tmp_path / "run.csv").stat().st_size < 1e6


@pytest.mark.parametrize("name", ["dropped-tyre", "rolling-tyre"])
def test_no_energy_is_created(name: str) -> None:
    model, system, run = shipped_run(name)
    energy = run["energy.total"] + spring_energy(run, "tyre", RADIUS, 1e6)
    assert np.diff(energy).max() < 2e-3  # what steps of 0.2 ms make of a landing
    assert energy[-1] < energy[0] - 1.0
    audit = audit_energy(system, 4.0, step=model.run.step, record_interval=0.01)
    assert audit.relative_residual < 1e-8


@pytest.mark.validation("tyres")
def test_the_rolling_tyre_goes_up_turns_and_comes_down(agrees: Agrees) -> None:
    model, _, run = shipped_run("rolling-tyre")
    height = run["tyre.contact_point.z"]
    assert height[0] == pytest.approx(0.0, abs=1e-6)
    assert height.max() > 0.2
    assert height[-1] == pytest.approx(0.0, abs=1e-6)
    # No higher than its energy carries it: all of the speed of centre and spin.
    kinetic = 0.5 * MASS * 1.955**2 + 0.5 * 0.25 * 8.0**2
    assert height.max() < kinetic / (MASS * G)
    assert run["place.angle"][-1] < -3.0  # to the right, where it leans to
    assert 0.0 < run["lean.angle"].min() < run["lean.angle"].max() < 1.2
    assert run["tyre.Fz"].min() > 0.0
    tyre = model["tyre"]
    assert isinstance(tyre, at.Tyre)
    ground = tyre.surface
    x, y = run["tyre.contact_point.x"], run["tyre.contact_point.y"]
    agrees(
        "tyre rolling over bicubic ground: height of the contact point", height,
        ground.height(x, y, ground.numbers), abs=1e-3, unit="m",
        source="Andres 2009, eqs. (5.1) to (5.5)",
    )  # fmt: skip
