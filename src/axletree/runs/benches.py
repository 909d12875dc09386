"""The benches that tyres are tested on, each a wheel on the rig that is driven in one way.

Slip along and across, self-aligning torque, camber, overturning, load influence, rolling
resistance, bore torque and elevation are on level ground; a wheel that nothing guides is dropped,
rolls over waves or onto ice. The flat-track rig sweeps slip at several loads, cambers and
pressures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from axletree.components.loads import JointForce, JointTorque
from axletree.components.signals import Interpolation, TimeTable
from axletree.model.model import Model, Plot
from axletree.runs.bench_contract import (
    FREE,
    LANDING_INTERVAL,
    Bench,
    Carpet,
    Setup,
    Subject,
    free_wheel,
    inclination_runs,
    press_down,
    pressed_rig,
    propose_run,
    rig,
)

# Slip along: a wheel that is turned from lock to twice its rolling rate.

LONGITUDINAL_SPEED = 5.0  # m/s, over the ground
LONGITUDINAL_DURATION = 10.0  # s


def _slip_longitudinal(subject: Subject) -> list[Setup]:
    growth = 2.0 * LONGITUDINAL_SPEED / subject.radius / LONGITUDINAL_DURATION  # rad/s^2
    moves = {"track": f"{LONGITUDINAL_SPEED}*t", "lift": FREE, "axle": f"0.5*{growth!r}*t^2"}
    plots = [
        Plot("Longitudinal force over slip", ("tyre.Fx",), "tyre.slip", "kN"),
        Plot("Longitudinal force over sliding speed", ("tyre.Fx",), "tyre.VEx", "kN"),
    ]
    name, span = "slip-longitudinal", LONGITUDINAL_DURATION
    model = pressed_rig(name, subject, moves, subject.load, span, plots)
    title = f"From a locked wheel to twice the rate of rolling at {LONGITUDINAL_SPEED:g} m/s"
    return [Setup(title, model, slip=None)]


SLIP_LONGITUDINAL = Bench("longitudinal force over slip", _slip_longitudinal, needs_slip=True)

# A rolling wheel that is pushed to both sides: force across, and self-aligning torque, slow and
# fast.

PUSHED_SPEED, PUSHED_DURATION = 5.0, 10.0  # m/s, s
ALIGNING_SPEEDS, ALIGNING_DURATION = (2.0, 10.0), 5.0  # m/s, s
FASTEST_ASIDE = 5.0  # m/s, greatest to the side


def _pushed_aside(
    subject: Subject, name: str, speed: float, duration: float, plots: Sequence[Plot]
) -> Setup:
    # The lateral speed is FASTEST_ASIDE sin(rate t): all of it to the left, then to the right.
    rate = f"{2.0 / duration}*pi"
    moves = {
        "track": f"{speed}*t",
        "cross": f"{FASTEST_ASIDE}/({rate})*(1 - cos({rate}*t))",
        "lift": FREE,
        "axle": FREE,
    }
    model = pressed_rig(name, subject, moves, subject.load, duration, plots)
    return Setup(f"Pushed aside by up to {FASTEST_ASIDE:g} m/s at {speed:g} m/s", model)


def _slip_lateral(subject: Subject) -> list[Setup]:
    plots = [
        Plot("Lateral force over slip angle", ("tyre.Fy",), "tyre.slip_angle", "kN"),
        Plot("Lateral force over lateral speed", ("tyre.Fy",), "tyre.VPy", "kN"),
    ]
    return [_pushed_aside(subject, "slip-lateral", PUSHED_SPEED, PUSHED_DURATION, plots)]


SLIP_LATERAL = Bench("lateral force over slip angle", _slip_lateral, needs_slip=True)


def _self_aligning(subject: Subject) -> list[Setup]:
    plots = [
        Plot("Self-aligning moment over slip angle", ("tyre.Mz",), "tyre.slip_angle"),
        Plot("Self-aligning moment over lateral speed", ("tyre.Mz",), "tyre.VPy"),
    ]
    return [
        _pushed_aside(subject, "self-aligning", speed, ALIGNING_DURATION, plots)
        for speed in ALIGNING_SPEEDS
    ]


SELF_ALIGNING = Bench(
    "moment about the normal over slip angle, slow and fast", _self_aligning, needs_slip=True
)

# A rolling wheel at one inclination after the other: force of camber, and overturning if slow.

CAMBER_SPEED = 5.0  # m/s
CAMBER_LOAD = 1000.0  # N
LARGEST_CAMBER = 60  # degrees; a wheel on its side has no contact point


OVERTURNING_SPEED = 2.0  # m/s
OVERTURNING_CAMBER = 30  # degrees


def _leaning(
    name: str,
    subject: Subject,
    speed: float,
    load: float,
    angles: tuple[int, int],
    plots: Sequence[Plot],
) -> list[Setup]:
    """Up to an angle to both sides, and from run to run by another [degrees]."""
    moves = {"track": f"{speed}*t", "lift": FREE, "lean": 1.0, "axle": FREE}
    model = pressed_rig(name, subject, moves, load, 0.5, plots)
    title = f"Leaning by up to {angles[0]} degrees at {speed:g} m/s"
    return [Setup(title, model, runs=inclination_runs(*angles), steady=True)]


def _camber_force(subject: Subject) -> list[Setup]:
    plots = [
        Plot("Lateral force over inclination", ("tyre.Fy",), "tyre.inclination"),
        Plot("Moment about the normal over inclination", ("tyre.Mz",), "tyre.inclination"),
        Plot("Rate of the axle over inclination", ("axle.rate",), "tyre.inclination"),
        Plot("Height of the hub over inclination", ("lift.position",), "tyre.inclination", "mm"),
    ]
    angles = LARGEST_CAMBER, 5
    return _leaning("camber-force", subject, CAMBER_SPEED, CAMBER_LOAD, angles, plots)


CAMBER_FORCE = Bench("lateral force of a wheel that leans", _camber_force, needs_slip=True)


def _overturning(subject: Subject) -> list[Setup]:
    plots = [
        Plot("Overturning moment over inclination", ("tyre.Mx",), "tyre.inclination"),
        Plot("Moment about the normal over inclination", ("tyre.Mz",), "tyre.inclination"),
    ]
    angles = OVERTURNING_CAMBER, 3
    return _leaning("overturning", subject, OVERTURNING_SPEED, subject.load, angles, plots)


OVERTURNING = Bench("overturning moment of a wheel that leans", _overturning, needs_slip=True)

# Load influence: a wheel at a constant slip angle, pressed down more and more.

LOADING_SPEED = 10.0  # m/s
LOADING_SLIP_ANGLE = math.radians(10.0)
LOADING_DURATION = 10.0  # s


def _load_influence(subject: Subject) -> list[Setup]:
    moves = {
        "track": f"{LOADING_SPEED}*t",
        "lift": FREE,
        "yaw": f"{LOADING_SLIP_ANGLE!r} + 0*t",
        "axle": FREE,
    }
    greatest = subject.load / 0.3  # 10 kN for a tyre of 3 kN
    force = f"{greatest / LOADING_DURATION!r}*t"
    plots = [
        Plot("Lateral force over load", ("tyre.Fy",), "tyre.Fz", "kN"),
        Plot("Moment about the normal over load", ("tyre.Mz",), "tyre.Fz"),
    ]
    model = pressed_rig("load-influence", subject, moves, force, LOADING_DURATION, plots)
    angle = math.degrees(LOADING_SLIP_ANGLE)
    title = f"Loaded up to {greatest / 1e3:.3g} kN at {angle:.0f} degrees of slip"
    return [Setup(title, model)]


LOAD_INFLUENCE = Bench("lateral force over load", _load_influence, needs_slip=True)

# Rolling resistance: a free wheel from full speed back to full speed ahead.

FASTEST_ROLLING = 30.0  # m/s
ROLLING_DURATION = 10.0  # s


def _rolling_resistance(subject: Subject) -> list[Setup]:
    moves = {"track": f"{FASTEST_ROLLING}*(t^2/{ROLLING_DURATION} - t)", "lift": FREE, "axle": FREE}
    plots = [
        Plot("Rolling resistance moment", ("tyre.My",), "tyre.VCx"),
        Plot("Rate of the axle", ("axle.rate",), "tyre.VCx"),
    ]
    name, span = "rolling-resistance", ROLLING_DURATION
    model = pressed_rig(name, subject, moves, subject.load, span, plots)
    return [Setup(f"A free wheel from -{FASTEST_ROLLING:g} m/s to {FASTEST_ROLLING:g} m/s", model)]


ROLLING_RESISTANCE = Bench("rolling resistance over speed, in both directions", _rolling_resistance)

# Bore torque: a standing wheel that is turned about the normal.

FASTEST_BORE = 40.0  # rad/s
BORE_DURATION = 5.0  # s


def _bore_torque(subject: Subject) -> list[Setup]:
    # The rate is FASTEST sin(0.4 pi t): to the left, then to the right.
    moves = {"lift": FREE, "yaw": f"{FASTEST_BORE}/(0.4*pi)*(1 - cos(0.4*pi*t))", "axle": FREE}
    plots = [
        Plot("Moment about the normal", ("tyre.Mz",)),
        Plot("Angle by which it is turned", ("yaw_drive.angle",), unit="deg"),
    ]
    model = pressed_rig("bore-torque", subject, moves, subject.load, BORE_DURATION, plots)
    return [Setup(f"Turned on the spot at up to {FASTEST_BORE:g} rad/s", model)]


BORE_TORQUE = Bench("moment about the normal of a wheel that is turned", _bore_torque)

# Elevation: a wheel that is driven and braked, and lifted and pressed down by pulses.

# Force [N] up, from when to when [s], with flanks of FLANK.
ELEVATION_PULSES = ((200.0, 1.0, 1.2), (-300.0, 5.0, 5.2), (300.0, 8.0, 8.2))
ELEVATION_FLANK = 1e-3  # s


def _elevation_simple(subject: Subject) -> list[Setup]:
    model = rig("elevation-simple", subject, {"track": FREE, "lift": FREE, "axle": FREE})
    flanks = [t for _, on, off in ELEVATION_PULSES for t in (on, off)]
    times = [t for flank in flanks for t in (flank, flank + ELEVATION_FLANK)]
    forces = [f for force, _, _ in ELEVATION_PULSES for f in (0.0, force, force, 0.0)]
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
    propose_run(model, subject, 10.0, plots, LANDING_INTERVAL)
    return [Setup("Lift-off and landing under a torque of 2 N m", model)]


ELEVATION_SIMPLE = Bench(
    "lift-off and landing of a wheel that is driven and braked", _elevation_simple, needs_give=True
)

# Elevation: a wheel that turns unevenly, is steered to both sides, and lifted in turns.

ELEVATION_FORCE = 160.0  # N, more than the wheel weighs


def _elevation_advanced(subject: Subject) -> list[Setup]:
    moves = {
        "track": FREE,
        "cross": FREE,
        "lift": FREE,
        "yaw": "pi/4*sin(0.2*pi*t)",
        "axle": "5*t - 5/(0.4*pi)*(cos(0.4*pi*t) - 1)",  # at 5 + 5 sin(0.4 pi t) rad/s
    }
    model = rig("elevation-advanced", subject, moves)
    press_down(model, f"-{ELEVATION_FORCE}*sin(pi*t)")
    plots = [
        Plot("Path", ("cross.position",), "track.position"),
        Plot("Normal force", ("tyre.Fz",), unit="kN"),
        Plot("Forces along and across", ("tyre.Fx", "tyre.Fy")),
        Plot("Height of the hub", ("lift.position",), unit="mm"),
    ]
    propose_run(model, subject, 10.0, plots, LANDING_INTERVAL)
    return [Setup("Steered by 45 degrees, lifted in turns", model)]


ELEVATION_ADVANCED = Bench(
    "a wheel that is steered to both sides and lifted", _elevation_advanced, needs_give=True
)

# Uneven ground: a wheel that is dropped into a valley.

DROP_HEIGHT = 2.0  # m, of the hub above the bottom of the valley
VALLEY = {
    "type": "bicubic", "length_x": 6, "length_y": 6, "x": -3, "y": -3,
    "heights": [[0.5] * 4, [0.0] * 4, [0.0] * 4, [0.5] * 4],
}  # fmt: skip


def _dropping(subject: Subject) -> list[Setup]:
    model = free_wheel("dropping", subject, surface=VALLEY)
    model.start |= {"hub.z": DROP_HEIGHT, "hub.x": -2.0}
    plots = [
        Plot("Path of the hub", ("hub.z",), "hub.x"),
        Plot("Height of the hub", ("hub.z",)),
        Plot("Normal force", ("tyre.Fz",), unit="kN"),
        Plot("Speed and sliding speed", ("tyre.VCx", "tyre.VEx")),
    ]
    propose_run(model, subject, 6.0, plots, LANDING_INTERVAL)
    return [Setup("Dropped onto a slope", model, lifted=True)]


DROPPING = Bench("a wheel that is dropped on uneven ground", _dropping, needs_give=True)

# Uneven ground: a leaning wheel that rolls up and down.

UNEVEN_LEAN = math.radians(10.0)
UNEVEN_RATE = 14.0  # rad/s
WAVE = {
    "type": "bicubic", "length_x": 10, "length_y": 20, "x": 0.5, "y": -10,
    "heights": [[0.0] * 2, [0.2] * 2, [0.0] * 2, [0.2] * 2, [0.0] * 2],
}  # fmt: skip


def _rolling_uneven(subject: Subject) -> list[Setup]:
    model = free_wheel("rolling-uneven", subject, surface=WAVE)
    plots = [
        Plot("Path", ("hub.y",), "hub.x"),
        Plot("Height of the hub", ("hub.z",), "hub.x"),
        Plot("Inclination", ("tyre.inclination",)),
        Plot("Forces along, across and normal", ("tyre.Fx", "tyre.Fy", "tyre.Fz")),
    ]
    propose_run(model, subject, 2.0, plots, LANDING_INTERVAL)
    given = {"hub.roll": UNEVEN_LEAN, "axle.rate": UNEVEN_RATE}
    return [Setup("A leaning wheel on waves of 0.2 m", model, given)]


ROLLING_UNEVEN = Bench(
    "a leaning wheel that rolls over uneven ground", _rolling_uneven, needs_give=True
)

# Partly slippery ground: a wheel that rolls off dry ground onto ice.

_DRY_CELL = {
    "type": "cells", "length_x": 10, "length_y": 10, "x": -5, "y": -5,
    "factors": [[0, 0, 0], [0, 1, 0], [0, 0, 0]],
}  # fmt: skip
ICE = {"type": "flat", "friction_map": _DRY_CELL}
SLIPPERY_LEAN = math.radians(15.0)
SLIPPERY_RATE = 12.0  # rad/s


def _slippery_surface(subject: Subject) -> list[Setup]:
    model = free_wheel("slippery-surface", subject, surface=ICE)
    plots = [
        Plot("Path", ("hub.y",), "hub.x"),
        Plot("Inclination", ("tyre.inclination",)),
        Plot("Forces along and across", ("tyre.Fx", "tyre.Fy")),
        Plot("Sliding speed and speed", ("tyre.VEx", "tyre.VCx")),
    ]
    propose_run(model, subject, 1.5, plots)
    given = {"hub.roll": SLIPPERY_LEAN, "axle.rate": SLIPPERY_RATE}
    return [Setup("A leaning wheel that rolls from dry ground onto ice", model, given)]


SLIPPERY_SURFACE = Bench(
    "a wheel that rolls from dry ground onto ice", _slippery_surface, needs_slip=True
)

# The flat-track rig: sweeps of slip at several loads, cambers and pressures.

BELT_SPEED = 15.0  # m/s, of the belt
SWEEP_DURATION = 6.0  # s
LARGEST_ANGLE = math.radians(15.0)
LARGEST_SLIP = 0.5
LOAD_SHARES = (0.25, 0.5, 1.0, 1.5)  # of the load that the tyre is for
CAMBERS = tuple(math.radians(x) for x in (-6.0, -3.0, 0.0, 3.0, 6.0))
PRESSURE_SHARES = (0.8, 1.0, 1.2)  # of the law's own
RIG_WEIGHT = 15.0 * 9.80665  # N, of the rig's own parts, which the load comes on top of

_SIDE_PLOTS = (
    Plot("Lateral force", ("tyre.Fy",), "tyre.slip_angle", "kN"),
    Plot("Self-aligning moment", ("tyre.Mz",), "tyre.slip_angle"),
)
_DRIVE_PLOTS = (Plot("Longitudinal force", ("tyre.Fx",), "tyre.slip", "kN"),)


def _flat_track(subject: Subject) -> list[Setup]:
    loads = {f"{share * subject.load / 1e3:.3g} kN": share * subject.load for share in LOAD_SHARES}
    by_load = {name: {"load.force": min(RIG_WEIGHT - load, -1.0)} for name, load in loads.items()}
    found = [
        Setup("Side slip at several loads", _side_sweep(subject), runs=by_load,
              carpet=Carpet("tyre.slip_angle", "tyre.Fy", loads, "normal load", "N")),
        Setup("Drive and brake slip at several loads", _drive_sweep(subject), slip=None,
              runs=by_load, carpet=Carpet("tyre.slip", "tyre.Fx", loads, "normal load", "N")),
        Setup("Side slip at several inclinations", _side_sweep(subject, leans=True),
              runs={f"{math.degrees(a):.0f} deg": {"lean_drive.angle": a} for a in CAMBERS}),
    ]  # fmt: skip
    return [*found, *_at_pressures(subject)]


def _at_pressures(subject: Subject) -> list[Setup]:
    if not subject.knows_pressure:
        return []
    own = subject.pressure
    runs = {
        f"{share * own / 1e5:.3g} bar": {"tyre.inflation_pressure": share * own}
        for share in PRESSURE_SHARES
    }
    model = _side_sweep(subject, inflation_pressure=own)
    return [Setup("Side slip at several pressures", model, runs=runs)]


def _side_sweep(subject: Subject, leans: bool = False, **fields: float) -> Model:
    """A free wheel that is steered from one side to the other."""
    angle = f"{LARGEST_ANGLE!r}*(2*t/{SWEEP_DURATION} - 1)"
    moves: dict[str, Any] = {"track": f"{BELT_SPEED}*t", "lift": FREE, "yaw": angle}
    # A parameter that is 0 is none: the inclination starts at some other value.
    moves |= {"lean": CAMBERS[0]} if leans else {}
    model = rig("flat-track", subject, {**moves, "axle": FREE}, **fields)
    return _propose_sweep(model, subject, _SIDE_PLOTS)


def _drive_sweep(subject: Subject) -> Model:
    """A wheel that is turned from brake slip to drive slip."""
    rate = BELT_SPEED / subject.radius
    angle = f"{rate!r}*(t + {LARGEST_SLIP}*(t^2/{SWEEP_DURATION} - t))"
    model = rig("flat-track", subject, {"track": f"{BELT_SPEED}*t", "lift": FREE, "axle": angle})
    return _propose_sweep(model, subject, _DRIVE_PLOTS)


def _propose_sweep(model: Model, subject: Subject, plots: tuple[Plot, ...]) -> Model:
    press_down(model, max(subject.load - RIG_WEIGHT, 1.0))
    propose_run(model, subject, SWEEP_DURATION, plots)
    return model


FLAT_TRACK = Bench(
    "carpet plots: sweeps of slip, load, camber, pressure", _flat_track, needs_slip=True
)
