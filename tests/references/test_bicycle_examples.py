"""Bicycles that nobody holds: how tyres decide whether they fall (Andres 2009, section 6.2)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.shipped_run import shipped_run, spring_energy

import axletree as at
from axletree.analysis.energy import audit_energy


def test_the_slim_bicycle_rights_itself_and_the_one_with_treads_falls() -> None:
    _, _, run = shipped_run("bicycles-geometry")
    slim, belted = run["slim_frame.roll"], run["belted_frame.roll"]
    assert [slim[0], belted[0]] == pytest.approx([0.1, 0.1], abs=1e-6)
    assert abs(slim[-1]) < 0.2 * slim.max()
    assert belted[-1] > 0.7
    assert (np.diff(belted[run.time > 2.0]) > 0.0).all()
    # Both go to the side that they lean to, the one that falls in a curve that narrows.
    headings = {b: np.unwrap(np.arctan2(*(run[f"{b}_rear_tyre.forward.{a}"] for a in "yx")))
                for b in ("slim", "belted")}  # fmt: skip
    assert -math.pi < headings["slim"][-1] < 0.0
    assert headings["belted"][-1] < -math.pi
    energy = run["energy.total"]
    assert np.abs(energy / energy[0] - 1.0).max() < 1e-7
    for tyre in ("slim_rear", "slim_front", "belted_rear", "belted_front"):
        assert run[f"{tyre}_tyre.Fz"].min() > 0.0  # nothing has to pull
        assert np.abs(run[f"{tyre}_tyre.contact_point.z"]).max() < 1e-6


@pytest.mark.slow
@pytest.mark.validation("vehicles")
def test_the_linear_system_tells_which_one_falls(agrees: Agrees) -> None:
    """The slim one is the benchmark: its slowest mode at 5 m/s is -0.32286642900409."""
    model = at.read_model("bicycles-geometry")
    upright = {name: 0.0 for name in model.start if name.endswith("roll")}
    model.start = {**model.start, **upright}
    system = model.formulate()
    steady = system.trim({f"{b}_frame.vx": 5.0 for b in ("slim", "belted")})
    quantities = ("frame.roll", "steer.angle", "frame.wx", "steer.rate")
    kept = [f"{b}_{q}" for b in ("slim", "belted") for q in quantities]
    modes = system.linearise(steady.states, keep=kept).without_drift().modes
    slowest = {
        bicycle: max(
            mode.eigenvalue.real
            for mode in modes
            if mode.states[0].startswith(bicycle) and abs(mode.eigenvalue) > 1e-3
        )
        for bicycle in ("slim", "belted")
    }
    agrees(
        "bicycle on slim tyres at 5 m/s: slowest mode", slowest["slim"], -0.32286642900409,
        abs=1e-6, unit="1/s", source="Meijaard et al. 2007, section 5",
    )  # fmt: skip
    assert slowest["belted"] > 0.05


def test_the_bicycle_with_all_effects_drives_the_inner_circle() -> None:
    _, system, run = shipped_run("bicycles-friction")
    radius = {}
    for bicycle in ("dry", "advanced"):
        x, y = (run[f"{bicycle}_rear_tyre.contact_point.{axis}"] for axis in "xy")
        half = len(x) // 2
        speed = np.hypot(np.gradient(x, run.time), np.gradient(y, run.time))
        heading = np.unwrap(np.arctan2(np.gradient(y), np.gradient(x)))
        turned = -np.gradient(heading, run.time)[half:-1]
        assert (turned > 0.0).all()  # to the right, where they lean to
        radius[bicycle] = np.median(speed[half:-1] / turned)
    assert radius["advanced"] < 0.7 * radius["dry"]
    assert run["advanced_frame.roll"][-1] > 2.0 * run["dry_frame.roll"][-1] > 0.4
    assert (np.diff(run["energy.total"]) < 0.0).all()  # rolling and slipping take, nothing gives


@pytest.mark.validation("vehicles")
def test_the_wheelie_lifts_the_front_wheel_and_puts_it_down(agrees: Agrees) -> None:
    model, system, run = shipped_run("bicycle-wheelie")
    load, height = run["front_tyre.Fz"], run["front_wheel.position.z"]
    driving = (run.time > 0.7) & (run.time < 1.5)
    assert (load[driving] == 0.0).all()
    assert height.max() > 0.35 + 0.15
    assert run["frame.pitch"].min() == pytest.approx(-0.25, abs=0.1)
    assert (run["rear_tyre.Fz"][driving] > 0.0).all()
    late = run.time > 3.5
    assert np.ptp(height[late]) < 1e-5
    weight = 9.81 * (85.0 + 4.0 + 2.0 + 3.0)
    agrees(
        "bicycle after a wheelie: load of both tyres", load[-1] + run["rear_tyre.Fz"][-1], weight,
        rel=1e-3, unit="N", source="Closed form, weight",
    )  # fmt: skip
    # Speed by the drive's impulse: torque over radius on the mass, and on the spin of two wheels.
    mass = 94.0 + 0.12 / 0.3**2 + 0.28 / 0.35**2
    gained = (
        run["rear_wheel.velocity.x"][late][0] - run["rear_wheel.velocity.x"][run.time <= 0.5][-1]
    )
    agrees(
        "bicycle after a wheelie: speed gained", gained, 170.5 / 0.3 / mass, rel=0.06, unit="m/s",
        source="Closed form, impulse of the drive on mass and spin",
    )  # fmt: skip


def test_no_energy_is_created_when_the_front_wheel_lands() -> None:
    """Bodies and springs of the tyres together have less and less after the drive has ended."""
    model, system, run = shipped_run("bicycle-wheelie")
    springs = [
        spring_energy(run, tyre, radius, 1e6)
        for tyre, radius in (("rear_tyre", 0.3), ("front_tyre", 0.35))
    ]
    energy = run["energy.total"] + springs[0] + springs[1]
    coasting = run.time > 1.505
    assert springs[1].max() > 16.0 * springs[1][0]  # it lands hard
    assert np.diff(energy[coasting]).max() < 1e-9  # in the air it stays the same
    assert model.run.duration is not None
    audit = audit_energy(
        system, model.run.duration, step=model.run.step, record_interval=0.01,
        inputs=model.run.inputs,
    )  # fmt: skip
    assert audit.relative_residual < 1e-8
    given = dict(audit.rows)
    assert given["pedals"] > 0.0 > given["rear_tyre"] + given["front_tyre"]
