"""Runs made of formulas, for every metric and for every manoeuvre that has findings of its own.

Together the runs of each know all of its findings.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import axletree as at
from axletree.ground.path_driver import Pace
from axletree.ground.paths import Footprint
from axletree.metrics.contract import Metric
from axletree.model.manoeuvre import Manoeuvre

Array = np.ndarray[Any, Any]
TIME = np.linspace(0.0, 8.0, 1601)  # s


@dataclass(frozen=True)
class Made:
    """A run of columns by their names; all others are 0."""

    time: Array
    columns: dict[str, Any]

    def __getitem__(self, name: str) -> Array:
        return np.asarray(self.columns.get(name, 0.0) + np.zeros_like(self.time))

    def __contains__(self, name: object) -> bool:
        return name in self.columns


def made(**columns: Any) -> Made:
    """By the ends of names: steering is driver.steering, yaw_rate is vehicle.yaw_rate."""
    told = ("steering", "throttle", "brake")
    named = {f"{'driver' if key in told else 'vehicle'}.{key}": v for key, v in columns.items()}
    return Made(TIME, named)


def after(begin: float) -> Array:
    """The time [s] since then."""
    return np.asarray(np.maximum(TIME - begin, 0.0))


def swing(begin: float, period: float = 2.0) -> Array:
    """One period of a sine."""
    s = after(begin)
    return np.where(s < period, np.sin(2.0 * np.pi / period * s), 0.0)


def lag(values: Array, rate: float) -> Array:
    """Of the first order."""
    out, decay = np.zeros_like(values), math.exp(-rate * (TIME[1] - TIME[0]))
    for k in range(1, len(values)):
        out[k] = decay * out[k - 1] + (1.0 - decay) * values[k]
    return out


# -- metrics ----------------------------------------------------------------------------------
def step_response() -> list[tuple[Metric, Made]]:
    """With overshoot, and without."""
    s, w = after(1.0), 4.0
    swings = 1.0 - np.exp(-w * s) * (np.cos(w * s) + np.sin(w * s))
    creeps = 1.0 - np.exp(-5.0 * s)
    return [
        (at.StepResponse(), made(steering=np.sign(s), yaw_rate=0.1 * y, forward_speed=20.0,
                                 sideslip=-0.02 * y))
        for y in (swings, creeps)
    ]  # fmt: skip


def sine_response() -> list[tuple[Metric, Made]]:
    run = made(steering=swing(1.0), yaw_rate=0.2 * swing(1.1), forward_speed=20.0)
    return [(at.SineResponse(), run)]


def steady_cornering() -> list[tuple[Metric, Made]]:
    """A car that understeers, one that oversteers, and one that hardly turns."""
    v, L, ratio = 20.0, 2.7, 15.0
    runs = []
    for K, greatest in ((0.004, 4.0), (-0.002, 4.0), (0.004, 0.1)):
        side = greatest * TIME / 8.0
        run = made(steering=ratio * (L / v**2 + K) * side, yaw_rate=side / v, forward_speed=v,
                   lateral_acceleration=side, sideslip=-0.003 * side, roll=0.01 * side)  # fmt: skip
        runs.append((at.SteadyCornering(wheelbase=L, ratio=ratio), run))
    return runs


def steady_turn() -> list[tuple[Metric, Made]]:
    turned = 1.0 - np.exp(-3.0 * TIME)
    run = made(
        steering=0.5 * turned, yaw_rate=-0.2 * turned, forward_speed=20.0,
        lateral_acceleration=-4.0 * turned, sideslip=0.02 * turned, roll=0.05 * turned,
    )  # fmt: skip
    return [(at.SteadyTurn(), run)]


def steering_response() -> list[tuple[Metric, Made]]:
    """A lag, whose gain only falls, and a swing with a peak."""
    pulse = np.where(after(1.0) < 0.2, np.sign(after(1.0)), 0.0)
    s, w, d = after(1.0), 6.0, 0.3
    impulse = 0.3 * np.exp(-d * w * s) * np.sin(w * s)
    courses = (0.3 * lag(pulse, 6.0), np.convolve(pulse, impulse)[200 : 200 + len(TIME)] * 5e-3)
    metric = at.SteeringResponse(lowest=0.2, highest=3.0)
    return [(metric, made(steering=pulse, yaw_rate=y, forward_speed=20.0)) for y in courses]


def random_response() -> list[tuple[Metric, Made]]:
    """A lag, and a swing with a peak and with something beside the steering."""
    waves = [(0.3, 1.0), (0.7, 2.0), (1.1, 0.5), (1.7, 4.0), (2.3, 3.0)]
    steering = 0.02 * sum(np.sin(2.0 * np.pi * f * TIME + phase) for f, phase in waves)
    impulse = 0.3 * np.exp(-1.8 * TIME) * np.sin(6.0 * TIME)
    swing = np.convolve(steering, impulse)[: len(TIME)] * 5e-3
    other = 1e-3 * np.sin(2.0 * np.pi * 0.9 * TIME)
    metric = at.RandomResponse(lowest=0.3, highest=2.3, segment=4.0)
    return [(metric, made(steering=steering, yaw_rate=y, forward_speed=20.0))
            for y in (0.3 * lag(steering, 6.0), swing + other)]  # fmt: skip


def dwell_stability() -> list[tuple[Metric, Made]]:
    """One that comes back, and one that spins."""
    yaw = np.where(TIME < 2.0, 0.0, -np.exp(-2.0 * after(3.0)) * np.minimum(5.0 * after(2.0), 1.0))
    runs = (yaw, np.where(TIME < 2.0, 0.0, -np.minimum(after(2.0), 1.0)))
    return [
        (at.DwellStability(), made(steering=swing(1.0), yaw_rate=y, y=2.0 * after(1.0) ** 2))
        for y in runs
    ]


def stopping() -> list[tuple[Metric, Made]]:
    speed = np.maximum(20.0 - 5.0 * after(1.0), 0.0)
    return [
        (at.Stopping(), made(brake=np.sign(after(1.0)), forward_speed=speed, heading=turn * TIME))
        for turn in (0.01, 0.15, -0.3)
    ]


def turn_braking() -> list[tuple[Metric, Made]]:
    speed = np.maximum(20.0 - 3.0 * after(4.0), 0.5)
    turned = 1.0 - np.exp(-4.0 * TIME)
    yaw = turned * speed / 100.0 * (1.0 + 0.2 * after(4.0) * np.exp(-after(4.0)))
    run = made(brake=np.sign(after(4.0)), forward_speed=speed, yaw_rate=yaw,
               sideslip=0.01 * turned - 0.01 * after(4.0) * np.exp(-after(4.0)))  # fmt: skip
    return [(at.TurnBraking(), run)]


def speed_gain() -> list[tuple[Metric, Made]]:
    run = made(throttle=np.sign(after(1.0)), forward_speed=30.0 * (1.0 - np.exp(-0.4 * after(1.0))))
    return [(at.SpeedGain(speed=20.0), run)]


def road_load() -> list[tuple[Metric, Made]]:
    """One that slows down, and one that does not."""
    courses = (30.0 / (1.0 + 0.02 * TIME), 30.0 - 0.01 * TIME)
    return [(at.RoadLoad(mass=1000.0), made(forward_speed=v)) for v in courses]


def ride_comfort() -> list[tuple[Metric, Made]]:
    run = made(
        vertical_speed=0.02 * np.sin(12.0 * TIME), forward_speed=20.0,
        longitudinal_acceleration=0.3 * np.sin(5.0 * TIME), pitch=0.01 * np.sin(9.0 * TIME),
        lateral_acceleration=0.5 * np.sin(7.0 * TIME),
    )  # fmt: skip
    return [(at.RideComfort(begin=2.0, ahead=1.0), run)]


def rearward_amplification() -> list[tuple[Metric, Made]]:
    columns: dict[str, Any] = {}
    for unit, share, begin in (("vehicle", 1.0, 1.0), ("trailer", 1.4, 1.5)):
        columns |= {f"{unit}.yaw_rate": 0.1 * share * swing(begin), f"{unit}.forward_speed": 20.0,
                    f"{unit}.lateral_acceleration": 2.0 * share * swing(begin)}  # fmt: skip
    return [(at.RearwardAmplification(last="trailer"), Made(TIME, columns))]


def trailer_damping() -> list[tuple[Metric, Made]]:
    rate = 0.1 * np.exp(-0.4 * after(1.0)) * np.sin(4.0 * after(1.0))
    pulse = np.where(np.abs(TIME - 0.9) < 0.05, 1.0, 0.0)
    columns = {"driver.steering": pulse, "caravan.yaw_rate": rate}
    return [(at.TrailerDamping(trailer="caravan"), Made(TIME, columns))]


def rollover() -> list[tuple[Metric, Made]]:
    """No wheel lifts, and one does."""
    found = []
    for size in (1e3, 5e3):
        moved = size * swing(1.0, 4.0)
        loads = {"rear_left_tyre.Fz": np.maximum(4e3 + moved, 0.0),
                 "rear_right_tyre.Fz": np.maximum(4e3 - moved, 0.0)}  # fmt: skip
        found.append((at.Rollover(axles=["rear"]), Made(TIME, loads)))
    return found


def split_braking() -> list[tuple[Metric, Made]]:
    s = after(1.0)
    run = made(
        brake=np.sign(s), forward_speed=np.maximum(20.0 - 5.0 * s, 0.0), x=20.0 * TIME,
        yaw_rate=0.2 * s * np.exp(-s), heading=0.1 * s**2 / (1.0 + s), y=0.2 * s**2,
    )  # fmt: skip
    return [(at.SplitBraking(low_side=[[1.1, -0.8]]), run)]


def wheel_loads() -> list[tuple[Metric, Made]]:
    travel = 0.01 * np.sin(7.0 * TIME) + 0.004 * np.sin(3.0 * TIME)
    columns = {"front_tyre.Fz": 4e3 + 5e2 * np.sin(7.0 * TIME), "front_spring.travel": travel}
    metric = at.WheelLoads(loads=["front_tyre.Fz"], travels=["front_spring.travel"], begin=1.0)
    return [(metric, Made(TIME, columns))]


def post_response() -> list[tuple[Metric, Made]]:
    """A push of the post, and the swing of the body and of the tyre after it."""
    s = after(1.0)
    height = 0.01 * np.exp(-(((TIME - 1.0) / 0.02) ** 2))
    body = 0.02 * np.exp(-2.0 * s) * np.sin(8.0 * s)
    columns = {"post.position": height, "vehicle.vertical_speed": np.gradient(body, TIME),
               "front_tyre.Fz": 4e3 + 1e3 * np.exp(-10.0 * s) * np.sin(70.0 * s)}  # fmt: skip
    metric = at.PostResponse(posts=["post.position"], loads=["front_tyre.Fz"])
    return [(metric, Made(TIME, columns))]


METRICS: dict[str, Callable[[], list[tuple[Metric, Made]]]] = {
    "step-response": step_response, "sine-response": sine_response,
    "steady-cornering": steady_cornering, "steady-turn": steady_turn,
    "steering-response": steering_response, "random-response": random_response,
    "dwell-stability": dwell_stability,
    "stopping": stopping, "turn-braking": turn_braking, "speed-gain": speed_gain,
    "road-load": road_load, "ride-comfort": ride_comfort,
    "rearward-amplification": rearward_amplification, "trailer-damping": trailer_damping,
    "rollover": rollover, "split-braking": split_braking, "wheel-loads": wheel_loads,
    "post-response": post_response,
}  # fmt: skip


# -- manoeuvres -------------------------------------------------------------------------------
VX = {"speed": 2.0, "forward": "body.vx"}


def drawbar_pull() -> list[tuple[Manoeuvre, Made]]:
    pull = at.DrawbarPull(**VX, loads=["hook.force"], force=-8e3, begin=1.0, rise=6.0,
                          pulls=["left.pull", "right.pull"])  # fmt: skip
    run = Made(TIME, {"body.vx": np.maximum(2.0 - 0.4 * TIME, 0.0), "left.pull": 500.0 * TIME,
                      "right.pull": 400.0 * TIME})  # fmt: skip
    return [(pull, run), (pull, Made(TIME, {**run.columns, "body.vx": 2.0}))]


def slip_sweep() -> list[tuple[Manoeuvre, Made]]:
    inputs: dict[str, Any] = {"carriages": ["carriage.position"], "wheels": ["motor.angle"]}
    sweep = at.SlipSweep(speed=0.5, radius=0.4, sweep=6.0, pulls=["wheel.pull"], **inputs)
    return [(sweep, Made(TIME, {"wheel.pull": 1e3 * np.sin(0.4 * TIME)}))]


def slope_start() -> list[tuple[Manoeuvre, Made]]:
    start = at.SlopeStart(forward="body.vx", drive=0.5, pedals=["driver.brake"],
                          drives=["driver.throttle"])  # fmt: skip
    return [(start, Made(TIME, {"body.vx": -0.1 * swing(1.0) + 0.5 * after(3.0)}))]


def slope_stop() -> list[tuple[Manoeuvre, Made]]:
    stop = at.SlopeStop(speed=5.0, forward="body.vx", pedals=["driver.brake"])
    speed = np.maximum(5.0 - 2.0 * after(1.0), 0.0) - 5e-4 * (TIME > 3.6)
    return [(stop, Made(TIME, {"body.vx": speed}))]


def creep() -> list[tuple[Manoeuvre, Made]]:
    creeps = at.Creep(forward="body.vx", pedals=["driver.brake"])
    return [(creeps, Made(TIME, {"body.vx": 1.8 * (1.0 - np.exp(-after(1.0)))}))]


def stall() -> list[tuple[Manoeuvre, Made]]:
    """One that holds, and one whose brakes give way."""
    stalls = at.Stall(forward="body.vx", pedals=["driver.brake"], drives=["driver.throttle"],
                      engines=["drive.speed"])  # fmt: skip
    engine = 90.0 + 200.0 * (1.0 - np.exp(-3.0 * after(1.0)))
    return [
        (stalls, Made(TIME, {"body.vx": speed, "drive.speed": engine}))
        for speed in (0.0 * TIME, 0.1 * after(2.0))
    ]


def reversing() -> list[tuple[Manoeuvre, Made]]:
    back = at.Reversing(forward="body.vx", pedals=["driver.brake"], drives=["driver.throttle"],
                        levers=["driver.reverse"], drive=0.3)  # fmt: skip
    speed = np.minimum(-0.8 * after(1.0) + 3.0 * after(3.0), 0.0)
    return [(back, Made(TIME, {"body.vx": speed}))]


def hill_climb() -> list[tuple[Manoeuvre, Made]]:
    climb = at.HillClimb(**VX, drives=["driver.throttle"], drive=0.6, slopes=["wheel.slope"])
    speed = np.maximum(2.0 - 0.4 * TIME, 0.0)
    return [(climb, Made(TIME, {"body.vx": speed, "wheel.slope": 0.1 * (2.0 - speed)}))]


def soft_spot() -> list[tuple[Manoeuvre, Made]]:
    spot = at.SoftSpot(**VX, sinkages=["front_wheel.sinkage", "rear_wheel.sinkage"])
    run = Made(TIME, {"body.vx": np.maximum(2.0 - 0.4 * TIME, 0.0),
                      "front_wheel.sinkage": 0.02 * np.sin(0.4 * TIME),
                      "rear_wheel.sinkage": 0.01 * TIME / 8.0})  # fmt: skip
    return [(spot, run)]


def follow_path() -> list[tuple[Manoeuvre, Made]]:
    """Within a lane at a pace, between cones with a trailer, and hitting them."""
    pace = Pace(lateral=5.0, driving=3.0, braking=5.0, top=15.0)
    lane = at.FollowPath(speed=8.0, path=at.SkidPadPath(), pace=pace, width=1.4)
    towed = {"caravan": Footprint(width=2.2, ahead=2.0, behind=2.0)}
    cones = at.FollowPath(speed=20.0, path=at.SlalomPath(entry=20.0), towed=towed)
    alone = at.FollowPath(speed=20.0, path=at.SlalomPath(entry=20.0))
    return [(lane, along(lane, 0.05)), (cones, along(cones, 0.1)), (alone, along(alone, 0.6))]


def along(manoeuvre: at.FollowPath, aside: float) -> Made:
    """A run beside the path, first to its left [m]."""
    line, finish = manoeuvre.path.line, manoeuvre.path.finish
    time = np.linspace(0.0, 1.1 * manoeuvre.planned, 801)
    station = 1.01 * finish * time / time[-1]
    offset = aside * np.cos(2.0 * np.pi * station / finish)
    x, y, heading = (np.interp(station, line.station, v) for v in (line.x, line.y, line.heading))
    columns = {"driver.station": station, "driver.offset": offset}
    for unit, back in (("vehicle", 0.0), ("caravan", 5.0)):
        place = (x - offset * np.sin(heading) - back, y + offset * np.cos(heading), heading)
        columns |= {
            f"{unit}.{word}": v for word, v in zip(("x", "y", "heading"), place, strict=True)
        }
    return Made(time, columns)


MANOEUVRES: dict[str, Callable[[], list[tuple[Manoeuvre, Made]]]] = {
    "drawbar-pull": drawbar_pull, "slip-sweep": slip_sweep, "slope-start": slope_start,
    "slope-stop": slope_stop, "hill-climb": hill_climb, "soft-spot": soft_spot,
    "creep": creep, "stall": stall, "reversing": reversing,
    "follow-path": follow_path,
}  # fmt: skip
