"""Elevation: a wheel that is driven and braked, and lifted and pressed down by pulses."""

from __future__ import annotations

from typing import Any

from axletree.library.curve import Interpolation
from axletree.library.drivers.joint_force import JointForce
from axletree.library.drivers.joint_torque import JointTorque
from axletree.library.signal import TimeTable
from axletree.model.benches.contract import Bench, Setup
from axletree.model.benches.rig import FREE, LANDING_INTERVAL, planned, rig
from axletree.model.benches.subject import Subject
from axletree.model.plot import Plot

# Force [N] up, from when to when [s], with flanks of FLANK.
PULSES = ((200.0, 1.0, 1.2), (-300.0, 5.0, 5.2), (300.0, 8.0, 8.2))
FLANK = 1e-3  # s


def _setups(subject: Subject) -> list[Setup]:
    model = rig("elevation-simple", subject, {"track": FREE, "lift": FREE, "axle": FREE})
    times = [t for _, on, off in PULSES for t in (on, on + FLANK, off, off + FLANK)]
    forces = [f for force, _, _ in PULSES for f in (0.0, force, force, 0.0)]
    pulses = TimeTable(tuple(times), tuple(forces), Interpolation.LINEAR)
    model.add(JointForce("load", model["lift"], pulses))
    torque: Any = "2*max(-1, min(1, 3*sin(0.4*pi*t)))"
    model.add(JointTorque("drive", model["axle"], torque))
    plots = [
        Plot("Height of the hub", ("lift.position",), unit="mm"),
        Plot("Normal force", ("tyre.Fz",), unit="kN"),
        Plot("Sliding speed and speed", ("tyre.VEx", "tyre.VCx")),
        Plot("Longitudinal force", ("tyre.Fx",)),
    ]
    planned(model, subject, 10.0, plots, LANDING_INTERVAL)
    return [Setup("Lift-off and landing under a torque of 2 N m", model)]


BENCH = Bench("lift-off and landing of a wheel that is driven and braked", _setups, needs_give=True)
