"""Line and speed together in the least time, within the car's envelope.

The car is a point that turns and accelerates as its envelope allows at each speed
(Veneri and Massaro 2020, "A free-trajectory quasi-steady-state optimal-control method for minimum
lap-time of race vehicles"): with throttle p, brake b and lateral acceleration a = v^2 k,

    v' = (p driving(v) - b braking(v)) / (ds/dt),
    p^m + |a / lateral(v)|^m <= 1,   b^l + |a / lateral(v)|^l <= 1.

The curvature changes at a rate whose square has a small weight, in place of the inertia that a
point does not have. On a track with heights the limits are those of the load that presses the car
onto the road, and slope and banking ask for a part of them (``road_loads``).
"""

from __future__ import annotations

from functools import partial
from typing import Final

from axletree.expr import Expr, cos, exp, log, sin, symbol
from axletree.optimisation.dynamics import dynamics
from axletree.optimisation.ipopt import Ipopt
from axletree.optimisation.lap_time.envelope import CarEnvelope
from axletree.optimisation.lap_time.quasi_steady import load_notes
from axletree.optimisation.lap_time.result import TimedLap, columns_of
from axletree.optimisation.lap_time.road_loads import LEAST_LOAD, RELIEF_INPUTS, RoadLoads
from axletree.optimisation.lap_time.track import Track
from axletree.optimisation.optimise import optimal_control
from axletree.optimisation.problem import OptimalControlProblem, Range
from axletree.system.system import System

_TINY: Final = 1e-4  # of squared shares, so that powers have slopes at 0
BEND_WEIGHT: Final = 10.0  # s m^3, of the squared rate of the curvature
_PEDAL_WEIGHT: Final = 0.02  # s m, of squared rates of pedals


def _power(share: Expr, exponent: Expr) -> Expr:
    """|share|^exponent, smooth at 0."""
    found: Expr = exp(0.5 * exponent * log(share * share + _TINY))
    return found


def _point(envelope: CarEnvelope, in_space: bool) -> System:
    v, n, xi, k = (symbol(one) for one in ("speed", "offset", "heading_error", "bend"))
    c, throttle, brake = symbol("curvature"), symbol("throttle"), symbol("brake")
    loads = RoadLoads.at(
        {name: symbol(name) if in_space else 0.0 for name in RELIEF_INPUTS}, n, xi, c
    )
    weight = loads.weight(v * v)
    limits = envelope.limits_by_weight(v, weight) if in_space else envelope.limits(v)
    lateral, driving, braking, forward, backward = limits
    slowness = (1.0 - n * c) / (v * cos(xi))
    along = throttle * driving - brake * braking - loads.along
    share = (v * v * k + loads.across) / lateral
    rates = {
        "speed [m/s]": along * slowness,
        "offset [m]": v * sin(xi) * slowness,
        "heading_error [rad]": v * k * slowness - c,
        "bend [1/m]": symbol("bend_rate"),
    }
    outputs = {
        "slowness [s/m]": slowness,
        "effort [1/m^4]": symbol("bend_rate") ** 2,
        "driven_share": _power(throttle, forward) + _power(share, forward),
        "braked_share": _power(brake, backward) + _power(share, backward),
        "room_left [m]": symbol("left") - n,
        "room_right [m]": symbol("right") + n,
        "acceleration [m/s^2]": along,
        "lateral_acceleration [m/s^2]": v * v * k,
    }
    controls = [
        "bend_rate [1/m^2]", "throttle", "brake", "curvature [1/m]", "left [m]", "right [m]",
    ]  # fmt: skip
    if in_space:
        outputs["load_factor"] = weight
        controls += [f"{name} [{unit}]" for name, unit in RELIEF_INPUTS.items()]
    return dynamics("point", rates, controls, {}, outputs)


def free_line_lap(envelope: CarEnvelope, track: Track, start: TimedLap) -> TimedLap:
    """From another lap, such as that along the line of least curvature."""
    track.refuse_width(envelope.width)
    closed, half, in_space = track.closed, 0.5 * envelope.width, track.relief is not None
    known = ("curvature", "left", "right", *(RELIEF_INPUTS if in_space else ()))
    pressed = {"load_factor": Range(LEAST_LOAD, nominal=1.0)} if in_space else {}
    room, share = Range(half, nominal=5.0), Range(upper=1.0 + 2.0 * _TINY, nominal=1.0)
    own = envelope.pace.limits.speeds
    problem = OptimalControlProblem(
        system=_point(envelope, in_space),
        states={
            "speed": Range(0.5 * float(own[0]), envelope.top, periodic=closed),
            "offset": Range(-50.0, 50.0, periodic=closed, nominal=3.0),
            "heading_error": Range("-60 deg", "60 deg", periodic=closed, nominal=0.2),
            "bend": Range(-0.3, 0.3, periodic=closed, nominal=0.02),
        },
        controls={
            "bend_rate": Range(-0.02, 0.02, periodic=closed, nominal=1e-3),
            "throttle": Range(0.0, 1.0, periodic=closed, rate_weight=_PEDAL_WEIGHT),
            "brake": Range(0.0, 1.0, periodic=closed, rate_weight=_PEDAL_WEIGHT),
        },
        given={name: partial(track.at, name) for name in known},
        path={
            "driven_share": share,
            "braked_share": share,
            "room_left": room,
            "room_right": room,
            **pressed,
        },  # fmt: skip
        length=track.length,
        integral={"slowness": 1.0, "effort": BEND_WEIGHT},
        told=("acceleration", "lateral_acceleration"),
        along="distance",
        along_unit="m",
    )
    names = {"speed": "speed", "offset": "offset", "heading_error": "heading_error",
             "bend": "curvature", "throttle": "throttle", "brake": "brake"}  # fmt: skip
    begin = {name: (start["station"], start[column]) for name, column in names.items()}
    begin["speed"] = (start["station"], 0.9 * start["speed"])
    mesh = track.station[::2]  # the other stations are in the middle of intervals
    found = optimal_control(
        problem, rule="hermite-simpson", mesh=mesh, start=begin, settings=Ipopt(tolerance=1e-7)
    )
    s = found.places
    slow = found["slowness"]
    time = found.transcription.rule.integrated(found.nodes, slow)  # type: ignore[union-attr]
    weights = found.cost - float(time[-1])
    given = {
        "time": time, "speed": found["speed"], "heading_error": found["heading_error"],
        "curvature": found["bend"], "acceleration": found["acceleration"],
        "lateral_acceleration": found["lateral_acceleration"],
        "throttle": found["throttle"], "brake": found["brake"],
    }  # fmt: skip
    notes = [f"weights of slopes of curvature and pedals cost {weights:.3f} s beside the time"]
    if in_space:
        given["load_factor"] = found["load_factor"]
        notes += load_notes(found["load_factor"])
    columns = columns_of(track, s, found["offset"], given)
    return TimedLap(envelope.name, "free-line", track, columns, tuple(notes))
