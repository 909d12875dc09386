"""Four wheels without springs: driven, drifting, braked to a standstill (Andres 2009, 6.10)."""

from __future__ import annotations

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.shipped_run import shipped_run

from axletree.analysis.energy import audit_energy

CORNERS = ("front_left", "front_right", "rear_left", "rear_right")
G, MASS, RADIUS = 9.80665, 1100.0, 0.4247


@pytest.mark.validation("vehicles")
def test_it_accelerates_drifts_and_slides_to_a_standstill(agrees: Agrees) -> None:
    _, _, run = shipped_run("drifting-car")
    time, v, across = run.time, run["chassis.vx"], run["chassis.vy"]
    # 400 N m less 1 % of the weight's rolling resistance, on the mass and the spin of four wheels.
    inertia = MASS + 4 * 2.2 / RADIUS**2
    straight = (400.0 / RADIUS - 0.01 * MASS * G) / inertia
    agrees(
        "drifting car: speed after 8 s", v[time <= 8.0][-1], 8.0 * straight, rel=0.02, unit="m/s",
        source="Closed form, drive and rolling resistance on mass and spin",
    )  # fmt: skip
    sideslip = np.degrees(np.arctan2(across, v))
    assert np.abs(sideslip[(time > 1.0) & (time < 22.0)]).max() < 3.0
    assert sideslip[time <= 23.0][-1] < -30.0  # the tail is out, to the right
    assert run["chassis.yaw"][time <= 23.0][-1] > run["chassis.yaw"][time <= 22.0][-1] + 0.8
    spinning = (time > 22.3) & (time < 22.9)
    assert (run["rear_left_axle.rate"] * RADIUS > v + 1.0)[spinning].all()
    # The wheels lock, and sliding friction of 0.6 stops it.
    locked = (time > 23.6) & (time < 25.5)
    for corner in CORNERS:
        assert np.abs(run[f"{corner}_axle.rate"][locked]).max() < 1.0
        force = np.hypot(run[f"{corner}_tyre.Fx"], run[f"{corner}_tyre.Fy"])[locked]
        agrees(
            "drifting car: force of a locked wheel that slides", force,
            0.6 * run[f"{corner}_tyre.Fz"][locked], rel=1e-6, unit="N",
            source="Andres 2009, section 6.10, sliding friction of 0.6", case=corner,
        )  # fmt: skip
    speed = np.hypot(v, across)
    assert np.polyfit(time[locked], speed[locked], 1)[0] == pytest.approx(-0.6 * G, rel=0.15)


def test_it_stays_where_it_has_come_to_rest() -> None:
    _, _, run = shipped_run("drifting-car")
    late = run.time > 29.0
    for name in ("chassis.x", "chassis.y", "chassis.yaw"):
        assert np.ptp(run[name][late]) < 1e-6
    for corner in CORNERS:
        assert run[f"{corner}_tyre.Fz"][late] == pytest.approx(MASS * G / 4, rel=1e-3)
        assert np.abs(run[f"{corner}_tyre.Fx"][late]).max() < 1e-2


def test_brakes_and_tyres_take_what_the_drive_gives() -> None:
    model, system, run = shipped_run("drifting-car")
    audit = audit_energy(
        system, 30.0, step=model.run.step, record_interval=0.05, inputs=model.run.inputs
    )
    assert audit.relative_residual < 1e-8
    given = dict(audit.rows)
    drives = given["rear_left_drive"] + given["rear_right_drive"]
    assert drives > 1e5
    assert sum(given.values()) == pytest.approx(0.0, abs=1e-4 * drives)
    assert all(given[f"{c}_brake"] < 0.0 and given[f"{c}_tyre"] < 0.0 for c in CORNERS)
