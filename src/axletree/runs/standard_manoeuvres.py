"""Manoeuvres that every vehicle can drive, for its inputs have the same names.

Vehicles that steer can be led along paths, and those with trailers drive some more. A linear
single-track model drives those that steer alone, at constant speed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from axletree.expr import number
from axletree.ground.lane_changes import Iso38881Path, Iso38882Path, LaneChangePath
from axletree.ground.path_driver import Pace
from axletree.ground.paths import CirclePath, Footprint, Path, SkidPadPath, SlalomPath
from axletree.ground.race_track import ready_track
from axletree.metrics.vehicle_signals import BRAKE, STEERING, THROTTLE
from axletree.model.manoeuvre import Manoeuvre
from axletree.model.model import Model
from axletree.runs.acceleration_and_braking import (
    Acceleration,
    BrakingInTurn,
    Coasting,
    PedalBraking,
)
from axletree.runs.follow_path import FollowPath
from axletree.runs.standing_starts import Creep, Reversing, Stall
from axletree.runs.steering import (
    FrequencySweep,
    PulseSteer,
    RampSteer,
    RandomSteer,
    SineSteer,
    SineWithDwell,
    StepSteer,
)
from axletree.vehicles.drive_and_brakes import REVERSE
from axletree.vehicles.performance_limits import OwnPace
from axletree.vehicles.statics import rolling_together
from axletree.vehicles.steer_estimate import (
    SAFE_SHARE,
    rigid_rollover_acceleration,
    steering_wheel_angle,
)
from axletree.vehicles.units import Axle, Trailer, VehicleUnit, full_name
from axletree.vehicles.vehicle import Fidelity, Vehicle

STANDARD_SPEED = 80.0 / 3.6  # m/s, that of ISO 7401
FAST = 100.0 / 3.6  # m/s, from which it stops and coasts
_HEAVY, HEAVY_STOP = 3500.0, 60.0 / 3.6  # kg above which it stops from this speed [m/s] (UN R13)
_SLOW = 10.0 / 3.6  # m/s, from which it accelerates
FORWARD = "chassis.vx"
CLUTCH = "driver.clutch"
_RANDOM_SHARE = 0.4  # of an angle, as standard deviation: peaks of three of them just exceed it
_LINEAR, _CLEAR, RAMP_END = 2.0, 4.0, 6.0  # m/s^2, of lateral acceleration
DWELL_REFERENCE, DWELL_TIMES = 0.3 * 9.80665, 5.0  # m/s^2 of the angle that a dwell is times of
_SLIDES, TALL_TIMES = 0.7 * 9.80665, 2.0  # m/s^2; what tips before that is dwelt on at fewer times
BRAKED = 6.0  # m/s^2, that the pedal is set for
TURN_BRAKED = 4.0  # m/s^2, likewise in a turn
_HELD, _SURELY = 3.0, 1.5  # m/s^2 that brakes hold at rest; times what engines creep by
_IN_HAND = 0.7  # of the torque of brakes, that an engine has against them
_REVERSED = 0.2  # of the throttle


def standard_manoeuvres(vehicle: Vehicle) -> dict[str, Manoeuvre]:
    """By name; a file of a vehicle may have others, and others of these names."""
    begins = driven_start(vehicle)
    found = _straight(vehicle, begins)
    steered = next((axle for axle in vehicle.axles.values() if axle.steering is not None), None)
    if steered is not None:
        found |= _steered(vehicle, steered, begins)
    return found


def driven_start(vehicle: Vehicle) -> dict[str, Any]:
    """The steady state of a vehicle that a manoeuvre begins with: kept by the throttle, if any."""
    drives = any(axle.drive is not None for axle in vehicle.axles.values())
    throttle = (THROTTLE,) if drives else ()
    return {"speed": STANDARD_SPEED, "forward": FORWARD, "driven_by": throttle}


def _straight(vehicle: Vehicle, begins: dict[str, Any]) -> dict[str, Manoeuvre]:
    axles = vehicle.every_axle.values()
    turning = [2.0 * axle.wheel.spin_inertia / axle.wheel.radius**2 for axle in axles]
    load = {"type": "road-load", "mass": vehicle.train_mass + sum(turning)}
    heavy = vehicle.mass > _HEAVY
    down: dict[str, Any] = {
        "speed": STANDARD_SPEED if heavy else FAST, "forward": FORWARD, "duration": 60.0,
        "metrics": _by(load),
    }  # fmt: skip
    found: dict[str, Manoeuvre] = {
        "coasting": Coasting(speed=STANDARD_SPEED, forward=FORWARD),
        "coast-down": Coasting(**down, inputs={CLUTCH: 1.0}),
    }
    found["iso-10521-coast-down"] = found["coast-down"]
    if begins["driven_by"]:
        found["coast-down-in-gear"] = Coasting(**down)
        found["acceleration"] = Acceleration(
            speed=_SLOW, forward=FORWARD, pedals=(THROTTLE,), metrics=_by("speed-gain")
        )
    if any(axle.brakes is not None for axle in vehicle.axles.values()):
        braked = PedalBraking(
            **{**begins, "speed": HEAVY_STOP if heavy else FAST}, pedals=(BRAKE,),
            pedal=pedal_for(vehicle, BRAKED), metrics=_by("stopping"),
        )  # fmt: skip
        found["braking"] = braked
        found["iso-21994-braking"] = replace(braked, pedal=emergency_pedal(vehicle))
        found |= _from_brakes(vehicle)
    return found


def _from_brakes(vehicle: Vehicle) -> dict[str, Manoeuvre]:
    """From rest on its brakes: what a reverse gear or a torque converter can do."""
    held: dict[str, Any] = {
        "forward": FORWARD, "pedals": (BRAKE,), "pedal": standing_pedal(vehicle),
    }  # fmt: skip
    found: dict[str, Manoeuvre] = {}
    if vehicle.reverses:
        found["reversing"] = Reversing(
            **held, levers=(REVERSE,), drives=(THROTTLE,), drive=_REVERSED
        )
    engines = {
        name: axle for name, axle in vehicle.axles.items()
        if axle.drive is not None and axle.drive.converter is not None
    }  # fmt: skip
    if engines and vehicle.fidelity is not Fidelity.LINEAR:
        found["creep"] = Creep(**held)
        found["stall"] = Stall(
            **{**held, "pedal": 1.0}, drives=(THROTTLE,),
            drive=min(_stall_throttle(axle) for axle in engines.values()),
            engines=tuple(f"{name}_drive.speed" for name in engines),
        )  # fmt: skip
    return found


def standing_pedal(vehicle: Vehicle) -> float:
    """The position of the brake pedal that holds it at rest, against engines that creep, too.

    Example:
    >>> import axletree as at
    >>> from axletree.runs.standard_manoeuvres import standing_pedal
    >>> sedan, automatic = (
    ...     at.read_model(name).described["vehicle"] for name in ("sedan", "automatic-sedan")
    ... )
    >>> standing_pedal(sedan) < standing_pedal(automatic)
    True
    """
    held = pedal_for(vehicle, _HELD)
    for axle in vehicle.axles.values():
        idles = None if axle.drive is None else axle.drive.stalled(pedal=0.0)
        if idles is not None and axle.brakes is not None:
            held = max(held, _SURELY * idles.torque / (2.0 * axle.brakes.greatest))
    return min(held, 1.0)


def _stall_throttle(axle: Axle) -> float:
    """All of it, or what the brakes of the driven wheels hold with something in hand: at the speed
    w the torque goes in a straight line from that of a closed to that of an open throttle."""
    assert axle.drive is not None
    assert axle.drive.source is not None
    source, full = axle.drive.source, axle.drive.stalled()
    assert full is not None
    holds = 0.0 if axle.brakes is None else 2.0 * axle.brakes.greatest
    share = _IN_HAND * holds / full.torque
    if share >= 1.0:
        return 1.0
    rate = full.rate * math.sqrt(share)
    at_full = number(full.rate)
    most = float(source.torque(number(1.0), at_full, source.numbers))
    closed, opened = (
        float(source.torque(number(pedal), number(rate), source.numbers)) for pedal in (0.0, 1.0)
    )
    return (share * most - closed) / (opened - closed)


def _steered(vehicle: Vehicle, axle: Axle, begins: dict[str, Any]) -> dict[str, Manoeuvre]:
    assert axle.steering is not None
    begins = {**begins, "steering": (STEERING,)}

    tips = rigid_rollover_acceleration(vehicle)
    share = min(1.0, SAFE_SHARE * tips / _CLEAR)  # less than 1 if it is tall
    times = DWELL_TIMES if tips > _SLIDES else TALL_TIMES

    @cache
    def angle(acceleration: float) -> float:
        return steering_wheel_angle(vehicle, STANDARD_SPEED, share * acceleration)

    cornering = {
        "type": "steady-cornering", "wheelbase": vehicle.wheelbase, "ratio": axle.steering.ratio,
    }  # fmt: skip
    step = StepSteer(
        **begins, angle=angle(_CLEAR), level=share * _CLEAR, rise=0.15, duration=6.0,
        metrics=_by("step-response"),
    )  # fmt: skip
    ramp = RampSteer(**begins, angle=angle(RAMP_END), metrics=_by(cornering))
    sine = SineSteer(
        **begins, amplitude=angle(_CLEAR), period=2.0, periods=1.0, duration=6.0,
        metrics=_by("sine-response"),
    )  # fmt: skip
    sweep = FrequencySweep(**begins, amplitude=angle(_LINEAR), metrics=_by("steering-response"))
    random = RandomSteer(
        **begins, deviation=_RANDOM_SHARE * angle(_LINEAR), metrics=_by("random-response")
    )
    pulse = PulseSteer(
        **begins, angle=angle(_CLEAR), duration=6.0, metrics=_by("steering-response")
    )
    dwell = SineWithDwell(
        **{**begins, "driven_by": ()}, amplitude=times * angle(DWELL_REFERENCE),
        duration=6.0, metrics=_by({"type": "dwell-stability", "way": _displaced(vehicle)}),
    )  # fmt: skip
    found: dict[str, Manoeuvre] = {
        "step-steer": step, "iso-7401-step": step, "ramp-steer": ramp, "iso-4138-ramp": ramp,
        "sine-steer": sine, "iso-7401-sine": sine, "pulse-steer": pulse, "iso-7401-pulse": pulse,
        "frequency-sweep": sweep, "iso-7401-sweep": sweep, "random-steer": random,
        "iso-7401-random": random, "sine-with-dwell": dwell,
        "iso-19365-sine-with-dwell": dwell,
    }  # fmt: skip
    turn = {**begins, "angle": angle(_CLEAR), "level": share * _CLEAR}
    return found | trailer_manoeuvres(vehicle, begins, angle) | _braked_in_turn(vehicle, turn)


def _displaced(vehicle: Vehicle) -> float:
    """The lateral displacement [m] that FMVSS 126, S5.2.3, requires of its mass."""
    return 1.52 if vehicle.mass > _HEAVY else 1.83


def _braked_in_turn(vehicle: Vehicle, turn: dict[str, Any]) -> dict[str, Manoeuvre]:
    if all(axle.brakes is None for axle in vehicle.axles.values()):
        return {}
    braked = BrakingInTurn(
        **turn, pedals=(BRAKE,), pedal=pedal_for(vehicle, TURN_BRAKED), metrics=_by("turn-braking")
    )
    return {"braking-in-turn": braked, "iso-7975-braking-in-turn": braked}


def _by(*metrics: Any) -> Any:
    """Metrics as files write them; they are made when they are first used."""
    return metrics


def pedal_for(vehicle: Vehicle, deceleration: float) -> float:
    """The position at which brakes on wheels that grip give this deceleration [m/s^2], or 1."""
    force = sum(2.0 * _braked(axle) / axle.wheel.radius for axle in vehicle.every_axle.values())
    return min(1.0, deceleration * vehicle.train_mass / force)


def emergency_pedal(vehicle: Vehicle) -> float:
    """All the way where every brake has a slip limit, elsewhere what tyres can take."""
    brakes = [axle.brakes for axle in vehicle.every_axle.values() if axle.brakes is not None]
    limited = all(one.slip_limit is not None for one in brakes)
    return 1.0 if limited else pedal_for(vehicle, BRAKED)


def _braked(axle: Axle) -> float:
    """The torque of a wheel with the pedal down [N m], whatever a valve makes of it."""
    brakes = axle.brakes
    if brakes is None:
        return 0.0
    if brakes.torque is not None:
        return brakes.torque
    assert brakes.torque_per_pressure is not None
    return brakes.torque_per_pressure * brakes.pedal_pressure


_PERIOD = 2.5  # s, of the steering wheel in a lane change
LANE_CHANGE, _PULSE = 2.0, 4.0  # m/s^2, of lateral acceleration that angles are set for


def trailer_manoeuvres(
    vehicle: Vehicle, begins: Mapping[str, Any], angle: Callable[[float], float]
) -> dict[str, Manoeuvre]:
    """By name, with the angle of the steering wheel [rad] for a lateral acceleration [m/s^2]."""
    names = list(vehicle.trailers)
    if not names:
        return {}
    ahead, _ = vehicle.ends
    swings: list[dict[str, Any]] = [
        {"type": "rearward-amplification", "last": names[-1], "ahead": ahead}
    ]
    if not vehicle.fidelity.is_planar:
        swings.append({"type": "rollover", "axles": _unsteered_axles(vehicle)})
    towing = names[-2] if len(names) > 1 else "vehicle"
    dies = {"type": "trailer-damping", "trailer": names[-1], "towing": towing}
    change = SineSteer(
        **begins, amplitude=angle(LANE_CHANGE), period=_PERIOD, periods=1.0, duration=8.0,
        metrics=_by(*swings),
    )  # fmt: skip
    pulse = PulseSteer(**begins, angle=angle(_PULSE), duration=10.0, metrics=_by(dies))
    return {
        "single-lane-change": change, "iso-14791-lane-change": change,
        "trailer-pulse": pulse, "iso-9815-pulse": pulse,
    }  # fmt: skip


def _unsteered_axles(vehicle: Vehicle) -> list[str]:
    """Axles that the last trailer tips on: of all that rolls with it, those that do not steer."""
    units = list(vehicle.units)
    together = next(
        names
        for names in (tuple(rolling_together(vehicle, first)) for first in units)
        if units[-1] in names
    )
    return [
        full_name(name, axle)
        for name in together
        for axle, own in vehicle.units[name].axles.items()
        if own.steering is None
    ]


STEERING_ALONE = (
    StepSteer, RampSteer, SineSteer, PulseSteer, FrequencySweep, RandomSteer, SineWithDwell,
    FollowPath,
)  # fmt: skip
WHY_STEERING_ALONE = (
    "the linear model goes on at constant speed and is steered alone: it has no drive, no brakes "
    "and no resistance; take another fidelity, such as single-track"
)


def keep_steering_manoeuvres(model: Model, manoeuvres: Mapping[str, Manoeuvre]) -> None:
    """Give a model those that only steer, and the reason why it does not have the others."""
    for name, manoeuvre in manoeuvres.items():
        if isinstance(manoeuvre, STEERING_ALONE):
            # Nothing slows it down, and no throttle has to make up for that.
            model.manoeuvres[name] = replace(manoeuvre, driven_by=())
        else:
            model.manoeuvres.left_out[name] = WHY_STEERING_ALONE


BESIDE_WHEELS = 0.3  # m, by which a vehicle is wider than its tracks
BEYOND_AXLES = 0.8  # m, by which it reaches beyond its first and last axle
_KMH = 1.0 / 3.6
RACE_SHARE = 0.6  # of what a vehicle holds; the rest is the driver's margin
RACE_MOST = 5.0  # m/s^2, along the path: what the driver keeps up with, of any vehicle
RACE_START = 60.0 * _KMH
LESSONS = 4  # runs in which a driver practises a lane change, at each speed up to that of the run
PRACTISED_MARGIN = 0.1  # m to cones, of a line that a driver who practises keeps to closely
CIRCLE, CIRCLE_START = 100.0, 20.0 * _KMH  # m, radius; m/s, of a speed that rises
CIRCLE_GAIN = 0.1  # m/s^2, by which it does
CIRCLE_END = 3.0  # m/s^2, of lateral acceleration
CIRCLE_RUN_OUT = 250.0  # m, that is left when a run ends which is as late as it may be


def path_manoeuvres(vehicle: Vehicle) -> dict[str, Manoeuvre]:
    """By name. What nobody describes of a vehicle's outline follows from its wheels."""
    axles = vehicle.axles.values()
    if all(axle.steering is None for axle in axles):
        return {}
    rear = -min(axle.position for axle in axles)
    own = _footprint(vehicle)
    towed = {name: _towed_footprint(trailer) for name, trailer in vehicle.trailers.items()}
    box = {"width": own.width, "ahead": own.ahead, "behind": own.behind}
    outline: dict[str, Any] = {**driven_start(vehicle), "towed": towed, **box}
    del outline["speed"]  # that of each path
    # Lanes are for the widest of a train, which all of it is to go through.
    widest = {**box, "width": max(one.width for one in (own, *towed.values())), "rear": rear}
    near = {} if towed else {"margin": PRACTISED_MARGIN}  # what is towed goes its own way
    paths: dict[str, tuple[Path, float]] = {
        "iso-3888-1": (Iso38881Path(**widest, **near), 80.0 * _KMH),
        "iso-3888-2": (Iso38882Path(**widest), 50.0 * _KMH),
        "slalom": (SlalomPath(), 40.0 * _KMH),
        "skid-pad": (SkidPadPath(), 25.0 * _KMH),
        "constant-radius": (CirclePath(radius=40.0), 40.0 * _KMH),
    }
    found: dict[str, Manoeuvre] = {
        name: FollowPath(path=path, speed=speed, **outline) for name, (path, speed) in paths.items()
    }
    found |= {
        name: replace(one, practice=LESSONS)
        for name, one in found.items()
        if isinstance(one, FollowPath) and isinstance(one.path, LaneChangePath)
    }
    turn: Any = ({"type": "steady-turn", "offsets": "driver.offset"},)
    found["constant-radius"] = replace(found["constant-radius"], metrics=turn)
    found["race-track"] = _race(vehicle, outline)
    found["iso-4138-constant-radius"] = _circle(vehicle, outline)
    return found


def _circle(vehicle: Vehicle, outline: dict[str, Any]) -> Manoeuvre:
    """A circle on which speed rises so slowly that every record is nearly a steady state.

    The limit A of the pace is twice the level a, so that most of the gain g is left at its end:
    v^2 / (A R) = u grows by du/ds = 2 g / (A R) sqrt(1 - u^2) over the way s.
    """
    level = min(CIRCLE_END, SAFE_SHARE * rigid_rollover_acceleration(vehicle))
    limit, top = 2.0 * level, math.sqrt(level * CIRCLE)
    start = min(CIRCLE_START, 0.5 * top)
    pace = Pace(lateral=limit, driving=CIRCLE_GAIN, braking=1.0, top=top, start=start)
    shares = (speed**2 / (limit * CIRCLE) for speed in (start, top))
    begin, end = (math.asin(share) for share in shares)
    way = 0.5 * limit * CIRCLE / CIRCLE_GAIN * (end - begin)
    path = CirclePath(radius=CIRCLE, laps=way / (2.0 * math.pi * CIRCLE), run_out=CIRCLE_RUN_OUT)
    ratio = next(a.steering.ratio for a in vehicle.axles.values() if a.steering is not None)
    cornering: Any = (
        {"type": "steady-cornering", "wheelbase": vehicle.wheelbase, "ratio": ratio},
    )  # fmt: skip
    return FollowPath(path=path, pace=pace, speed=start, metrics=cornering, **outline)


def _footprint(unit: VehicleUnit) -> Footprint:
    """By its wheels."""
    places = [axle.position for axle in unit.axles.values()]
    widest = max(axle.track for axle in unit.axles.values()) + BESIDE_WHEELS
    width = widest if unit.body.width is None else unit.body.width
    return Footprint(width, max(places) + BEYOND_AXLES, BEYOND_AXLES - min(places))


def _towed_footprint(trailer: Trailer) -> Footprint:
    """Axles say little of how long a trailer is: it has the length of a box of even mass with its
    yaw inertia J, for which J = m (length^2 + width^2) / 12, and reaches beyond its axles."""
    box, body = _footprint(trailer), trailer.body
    square = 12.0 * body.inertia[2] / body.mass - box.width**2
    half = 0.5 * math.sqrt(max(square, 0.0))
    return replace(box, ahead=max(box.ahead, half), behind=max(box.behind, half))


def _race(vehicle: Vehicle, outline: dict[str, Any]) -> Manoeuvre:
    """A lap at a share of what the vehicle holds at each speed, and of what tips it.

    The profile starts at the speed of the vehicle: else the driver would begin at full throttle.
    """
    lateral = RACE_SHARE * rigid_rollover_acceleration(vehicle)
    pace = OwnPace(
        lateral=lateral, driving=RACE_MOST, braking=RACE_MOST, share=RACE_SHARE, start=RACE_START,
        vehicle=vehicle,
    )  # fmt: skip
    return FollowPath(path=ready_track("lindenring"), pace=pace, speed=RACE_START, **outline)
