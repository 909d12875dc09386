"""Manoeuvres for the ground under a vehicle: rough roads, slippery sides, posts, soft ground.

What is asked for on soft ground, at and near rest, follows from what the vehicle is able to on it.
"""

from __future__ import annotations

import math
from typing import Any

from axletree.ground.friction_maps import SplitFriction
from axletree.ground.paths import StraightPath
from axletree.ground.random_road import RandomRoad, RoadClass
from axletree.ground.surfaces import Flat, Ramp
from axletree.metrics.vehicle_signals import BRAKE, THROTTLE
from axletree.model.manoeuvre import Manoeuvre
from axletree.runs.acceleration_and_braking import Coasting, PedalBraking
from axletree.runs.follow_path import FollowPath
from axletree.runs.posts import PostRoad, PostSweep
from axletree.runs.slopes import HillClimb, SlopeStart, SlopeStop
from axletree.runs.soft_ground import DrawbarPull, SoftSpot
from axletree.runs.standard_manoeuvres import (
    FORWARD,
    STANDARD_SPEED,
    driven_start,
    emergency_pedal,
)
from axletree.vehicles.assembly import HOOK_FORCE
from axletree.vehicles.soil_mobility import SoilMobility, soil_mobility
from axletree.vehicles.suspensions import SIDES
from axletree.vehicles.vehicle import Vehicle
from axletree.wheel.soils.contract import SoilLaw
from axletree.wheel.soils.layers import SoilMap, SoilPatch

_SLIPPERY = 0.2  # of the friction of dry ground, on the right
AHEAD, LEAD_IN = 5.0, 20.0  # m before the first axle where a road begins, and until it is whole
_WHOLE = 3.0  # s, from which on it is under all wheels
RIDE = 20.0  # s
ROAD_LENGTH = 300.0  # m after which it repeats
_USUAL = RoadClass.C
SPLIT = 1.5  # s, at which brakes are put on, with all wheels on the ground that differs


def ground_manoeuvres(vehicle: Vehicle) -> dict[str, Manoeuvre]:
    """By name."""
    begins = driven_start(vehicle)
    found: dict[str, Manoeuvre] = {
        f"iso-8608-{rated.value.lower()}": _rough_road(vehicle, begins, rated)
        for rated in (RoadClass.A, RoadClass.B, RoadClass.C, RoadClass.D, RoadClass.E)
    }
    found["rough-road"] = found[f"iso-8608-{_USUAL.value.lower()}"]
    if any(axle.brakes is not None for axle in vehicle.axles.values()):
        found["split-mu-braking"] = _split_braking(vehicle, begins)
        found["iso-14512-split-mu-braking"] = found["split-mu-braking"]
    return found | _on_posts(vehicle)


def _road(vehicle: Vehicle, rated: RoadClass) -> RandomRoad:
    first = max(axle.position for axle in vehicle.axles.values())
    width = next(iter(vehicle.axles.values())).track
    return RandomRoad(
        road_class=rated, length=ROAD_LENGTH, width=width, lead_in=LEAD_IN, x=first + AHEAD
    )


def _rough_road(vehicle: Vehicle, begins: dict[str, Any], rated: RoadClass) -> Manoeuvre:
    """A driver keeps to a straight line, where there is a steering."""
    given = {**begins, "road": _road(vehicle, rated), "duration": RIDE, "metrics": _felt(vehicle)}
    if all(axle.steering is None for axle in vehicle.axles.values()):
        return Coasting(**given)
    return FollowPath(path=StraightPath(), **given)


def _split_braking(vehicle: Vehicle, begins: dict[str, Any]) -> Manoeuvre:
    """As far as an anti-lock system needs, or as wheels on the side that grips can take."""
    first = max(axle.position for axle in vehicle.axles.values())
    road = Flat(friction_map=SplitFriction(left=1.0, right=_SLIPPERY, begin=first + AHEAD))
    right = [[axle.position, -0.5 * axle.track] for axle in vehicle.axles.values()]
    metrics: Any = (
        {"type": "split-braking", "low_side": right}, {"type": "stopping", "low_side": right}
    )  # fmt: skip
    pedal = emergency_pedal(vehicle)
    return PedalBraking(
        **begins, road=road, pedals=(BRAKE,), pedal=pedal, begin=SPLIT, metrics=metrics
    )


def _felt(vehicle: Vehicle) -> Any:
    """Metrics as files write them; they are made when they are first used."""
    axles = vehicle.every_axle.items()
    travels = [travel for name, axle in axles for travel in axle.suspension.travels(name)]
    loads = {"type": "wheel-loads", "loads": _of_wheels(vehicle, "tyre.Fz"), "travels": travels}
    return ({"type": "ride-comfort", "begin": _WHOLE}, {**loads, "begin": _WHOLE})


def _of_wheels(vehicle: Vehicle, word: str) -> list[str]:
    return [f"{axle}_{side}_{word}" for axle in vehicle.every_axle for side in SIDES]


def _on_posts(vehicle: Vehicle) -> dict[str, Manoeuvre]:
    posts, loads = _of_wheels(vehicle, "post.position"), _of_wheels(vehicle, "tyre.Fz")
    places = [
        (vehicle.axle_places[name], sign * 0.5 * axle.track)
        for name, axle in vehicle.every_axle.items()
        for sign in SIDES.values()
    ]
    middle = 0.5 * (max(x for x, _ in places) + min(x for x, _ in places))
    pairs = list(zip(posts, places, strict=True))
    tracks = [axle.track for axle in vehicle.axles.values()]
    felt = _felt(vehicle)
    # Plates have no friction: brakes hold the wheels that an engine drags on.
    brakes = any(axle.brakes is not None for axle in vehicle.every_axle.values())
    held: Any = {"inputs": {BRAKE: 1.0} if brakes else {}}

    def sweep(motion: str, chosen: list[str], distance: float) -> Manoeuvre:
        response = {
            "type": "post-response", "motion": motion, "posts": chosen, "loads": loads,
            "distance": distance,
        }  # fmt: skip
        opposite = tuple(post for post in posts if post not in chosen)
        loaded = {**felt[1], "begin": 0.0}
        metrics: Any = (response, loaded)
        return PostSweep(posts=tuple(chosen), opposite=opposite, metrics=metrics, **held)

    return {
        "four-post": sweep("heave", posts, 1.0),
        "four-post-pitch": sweep(
            "pitch", [post for post, (x, _) in pairs if x > middle], vehicle.wheelbase
        ),
        "four-post-roll": sweep(
            "roll", [post for post, (_, y) in pairs if y > 0.0], sum(tracks) / len(tracks)
        ),
        "four-post-road": PostRoad(
            posts=tuple(posts), places=tuple(places), surface=_road(vehicle, _USUAL),
            road_speed=STANDARD_SPEED, duration=RIDE, metrics=felt, **held,
        ),
    }  # fmt: skip


_SPEED = 1.0  # m/s, at which clutches of engines still slip, so that throttles are torques
CLIMBED, _STEEPEST = 0.3, math.radians(8.0)  # of the slope that it could climb, and at most
_BEYOND = 2.0  # of the greatest pull, that a pull comes to
HILL, HILL_LENGTH, HILL_EDGE = 0.6, 300.0, 150.0  # slope [1] that it gets to, and lengths [m]
RUN_UP = 1.0  # m, from the first wheels to the foot of the hill
SPOT_AHEAD, SPOT_LENGTH, SPOT_WIDTH = 4.0, 3.0, 50.0  # m, of the soft spot from the first wheels
SOFTENED = ("cohesive_modulus", "frictional_modulus", "cone_index")
SOFT = 0.7  # of their value, in a soft spot


def soil_manoeuvres(vehicle: Vehicle) -> dict[str, Manoeuvre]:
    """By name; a file of a vehicle may have others, and others of these names."""
    axles = vehicle.every_axle.values()
    if all(axle.drive is None for axle in axles):
        return {"coasting": Coasting(speed=_SPEED, forward=FORWARD)}
    able = soil_mobility(vehicle)
    driven: dict[str, Any] = {"drives": (THROTTLE,), "drive": able.throttle(able.best_traction)}
    found: dict[str, Manoeuvre] = {
        "drawbar-pull": DrawbarPull(
            speed=0.0, forward=FORWARD, loads=(HOOK_FORCE,), begin=1.0, rise=60.0,
            force=-_BEYOND * max(able.maximum_pull, 0.0),
            pulls=_of_soil_wheels(vehicle, "drawbar_pull"), **driven,
        ),
    }  # fmt: skip
    if any(axle.brakes is not None for axle in axles):
        found |= _on_slopes(able)
    first = vehicle.ends[0]
    if not vehicle.fidelity.is_planar:
        hill = Ramp(
            x=first + RUN_UP, rise=HILL * (HILL_LENGTH - HILL_EDGE), length=HILL_LENGTH,
            edge=HILL_EDGE,
        )  # fmt: skip
        slopes = _of_soil_wheels(vehicle, "slope")
        start: dict[str, Any] = {"speed": 0.0, "forward": FORWARD, **driven}
        found["hill-climb"] = HillClimb(slopes=slopes, road=hill, **start)
    soft = _softened(vehicle.soil.law) if vehicle.soil is not None else None
    if soft is not None and able.moves and all(axle.soil is None for axle in axles):
        middle = first + SPOT_AHEAD + 0.5 * SPOT_LENGTH
        patch = SoilPatch(soft, SPOT_LENGTH, SPOT_WIDTH, x=middle)
        assert vehicle.soil is not None
        found["soft-spot"] = SoftSpot(
            speed=_SPEED, forward=FORWARD, driven_by=(THROTTLE,), duration=20.0,
            sinkages=_of_soil_wheels(vehicle, "sinkage"),
            ground=SoilMap(vehicle.soil.law, (patch,)),
        )  # fmt: skip
    return found


def _on_slopes(able: SoilMobility) -> dict[str, Manoeuvre]:
    slope = max(0.0, min(_STEEPEST, CLIMBED * able.steepest))
    drive = able.throttle(0.5 * (able.traction_for(slope) + able.best_traction))
    brakes: dict[str, Any] = {"slope": slope, "forward": FORWARD, "pedals": (BRAKE,)}
    found: dict[str, Manoeuvre] = {
        "slope-start": SlopeStart(**brakes, drives=(THROTTLE,), drive=drive)
    }
    if able.moves:
        found["slope-stop"] = SlopeStop(**brakes, speed=_SPEED, driven_by=(THROTTLE,))
    return found


def _softened(law: SoilLaw) -> SoilLaw | None:
    """The law on softer soil; None where it has no number for that."""
    own = law.numbers.items()
    soft = {name: SOFT * value for name, value in own if name.rpartition(".")[2] in SOFTENED}
    return law.with_numbers(soft) if soft else None


def _of_soil_wheels(vehicle: Vehicle, output: str) -> tuple[str, ...]:
    return tuple(
        f"{name}_{side}_soil.{output}"
        for name in vehicle.every_axle
        for side in SIDES
        if vehicle.soil_under(name) is not None
    )
