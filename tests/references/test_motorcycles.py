"""The sprung motorcycle: how fast it falls, and its jump (Andres 2009, section 6.2)."""

from __future__ import annotations

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.shipped_run import shipped_run, spring_energy

import axletree as at
from axletree.analysis.energy import audit_energy

G = 9.80665
MASS = 235.0 + 8.0 + 15.0 + 10.0 + 7.0 + 12.0


@pytest.mark.validation("vehicles")
def test_it_falls_as_fast_as_its_capsize_mode_says(agrees: Agrees) -> None:
    _, _, run = shipped_run("motorcycle")
    lean = run["chassis.roll"]
    assert lean[0] == pytest.approx(np.radians(1.0))
    assert 0.6 < lean[-1] < 1.0
    assert (np.diff(lean) > 0.0).all()
    model = at.read_model("motorcycle")
    model.start = {**model.start, "chassis.roll": 0.0}
    upright = model.formulate()
    linear = upright.linearise(upright.trim({"chassis.vx": 8.0}).states)
    fastest = max(m.eigenvalue.real for m in linear.without_drift().modes)
    early = (run.time > 0.6) & (lean < 0.12)
    growth = np.polyfit(run.time[early], np.log(lean[early]), 1)[0]
    agrees(
        "motorcycle of Andres 2009 that falls, simulated: growth of the lean", growth, fastest,
        rel=0.15, unit="1/s", source="Another formulation, eigenvalue of the linear system",
    )  # fmt: skip
    load = run["rear_tyre.Fz"] + run["front_tyre.Fz"]
    assert load[run.time < 0.5] == pytest.approx(MASS * G, rel=0.02)


@pytest.mark.validation("vehicles")
def test_the_motorcycle_jumps_the_gap_and_lands(agrees: Agrees) -> None:
    _, _, run = shipped_run("motorcycle-jump")
    loads = run["rear_tyre.Fz"], run["front_tyre.Fz"]
    air = (loads[0] == 0.0) & (loads[1] == 0.0)
    assert 0.7 < air.sum() * 0.02 < 1.2
    gap = run["rear_tyre.contact_point.z"][air]
    assert gap.min() < -0.9  # the gap is below it, and the wheels never go in
    assert (run["rear_wheel.position.z"][air] - 0.31 > gap + 1e-3).all()
    crossed = np.ptp(run["chassis.x"][air])
    assert crossed > 250.0 / 18.0 * 2.0  # both cells of the gap
    # In the air the centre of mass is on a parabola, and nothing turns it.
    flight = air & (run.time > run.time[air][0] + 0.05) & (run.time < run.time[air][-1] - 0.05)
    rise = run["momentum.linear.z"][flight] / MASS
    agrees(
        "motorcycle of Andres 2009 that jumps: acceleration in the air",
        np.polyfit(run.time[flight], rise, 1)[0], -G, rel=1e-6, unit="m/s²",
        source="Closed form, free fall",
    )  # fmt: skip
    late = run.time > 14.0
    assert loads[0][late] + loads[1][late] == pytest.approx(MASS * G, rel=5e-3)
    assert np.abs(run["chassis.pitch"][late]).max() < 0.01
    assert run["chassis.roll"] == pytest.approx(0.0, abs=1e-9)
    assert np.abs(run["slider.position"]).max() < 0.2


@pytest.mark.validation("vehicles")
def test_the_drive_brings_it_to_the_ramp_as_momentum_says(agrees: Agrees) -> None:
    """275 N m at 0.31 m for as long as it is on the flat; rolling resistance takes some."""
    _, _, run = shipped_run("motorcycle-jump")
    flat = run["chassis.x"] < 200.0
    wheels = (0.65 + 0.5) / 0.31**2
    speed = run["chassis.vx"][flat]
    driven = 8.0 + 275.0 / 0.31 / (MASS + wheels) * run.time[flat]
    assert speed[-1] < driven[-1]
    agrees(
        "motorcycle of Andres 2009 that jumps: speed at the ramp", speed[-1], driven[-1], rel=0.06,
        unit="m/s", source="Closed form, impulse of the drive without rolling resistance",
    )  # fmt: skip


def test_no_energy_is_created_by_the_landing() -> None:
    model, system, run = shipped_run("motorcycle-jump")
    energy = run["energy.total"] + sum(
        spring_energy(run, tyre, 0.31, 1e6) for tyre in ("rear_tyre", "front_tyre")
    )
    assert np.diff(energy[run.time > 10.02]).max() < 1e-6
    audit = audit_energy(
        system, 13.0, step=model.run.step, record_interval=0.02, inputs=model.run.inputs
    )
    assert audit.relative_residual < 1e-8
    assert dict(audit.rows)["engine"] > 1e5


@pytest.mark.slow
def test_the_jump_is_converged() -> None:
    model = at.read_model("motorcycle-jump")
    system, names = model.formulate(), ["chassis.x", "chassis.z", "chassis.pitch"]
    runs = [
        system.simulate(13.0, step=step, record_interval=0.02, inputs=model.run.inputs, outputs=[])
        for step in (1e-3, 2.5e-4)
    ]
    for name, off in zip(names, (0.02, 0.005, 0.005), strict=True):
        assert np.abs(runs[0][name] - runs[1][name]).max() < off
