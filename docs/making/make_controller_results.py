"""Writes docs/reference/controller-results.md: what the reference controllers change.

    python docs/making/make_controller_results.py [--processes N]

Vehicles of the package, as their files are, are driven without and with controllers; in some ten
minutes on two cores.
"""

from __future__ import annotations

import argparse
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import axletree as at
from axletree.simulation.trajectory import Trajectory

PAGE = Path(__file__).parent.parent / "reference" / "controller-results.md"
CARS = ("sedan", "sports-car", "suv", "compact-car")
SURFACES = {"dry": 1.0, "wet": 0.6, "snow": 0.3, "ice": 0.1}  # friction over that of dry ground
STOP_FROM, SPLIT_FROM = 60.0 / 3.6, 80.0 / 3.6  # m/s
STEERED = math.radians(60.0)  # of the steering wheel, while braking
FULL, ONSET, RISE = 100e5, 1.5, 0.2  # Pa, s, s, of the pressure on split friction
LANE, CAR = 3.5, 1.8  # m, widths of a lane and of a car
STANDS = 0.5  # m/s, below which a stop has ended
GRADE, ON_GRADE = 0.05, 0.3  # rise over run; friction there
GRAVITY = 9.80665  # m/s^2

HEAD = """\
# What controllers change

`make controllers` writes this page: vehicles of the package, their files unchanged, without and
with the [reference controllers](../how-to/controllers.md#reference-controllers), which have the
same numbers for all of them. Sensors and actuators are ideal.
"""


@dataclass(frozen=True)
class Part:
    """A table of the page: what is driven of each vehicle, and its rows."""

    title: str
    text: str
    columns: tuple[str, ...]
    cars: tuple[str, ...]
    rows: Callable[[str], list[tuple[str, ...]]]


def dwell(car: str) -> list[tuple[str, ...]]:
    """A row of the whole series of FMVSS 126, without and with."""
    rows = []
    for controllers in ((), ("esc",)):
        found = at.procedure(car, "fmvss-126", controllers=controllers)
        values = {one.criterion.finding: one.value for one in found.checks}
        ratios = (f"{abs(values[f'yaw_rate_ratio_{k}']):.1f} %" for k in (1, 2))
        rows.append(
            (car, "+".join(controllers) or "none", f"{found['reference_angle']:.1f} deg", *ratios,
             f"{values['lateral_displacement']:.2f} m", found.verdict.outcome.value)
        )  # fmt: skip
    return rows


def stops(car: str) -> list[tuple[str, ...]]:
    """On four surfaces, straight and steered, with locked wheels and with the controller."""
    rows = []
    for surface, friction in SURFACES.items():
        cells = []
        for controls, controllers in (({"anti_lock": False}, ()), ({}, ("abs",))):
            road = {"type": "flat", "friction_map": {"type": "uniform", "factor": friction}}
            model = at.read_model(car, {"vehicle": {"road": road, "controls": controls}})
            span = round(2.0 + 1.4 * STOP_FROM / (GRAVITY * friction), 1)
            braking = replace(
                model.manoeuvres["braking"], speed=STOP_FROM, pedal=1.0, duration=span, metrics=()
            )
            straight = _driven(model, braking, controllers)
            steer = {"driver.steering": ([0.0, 1.0, 1.2], [0.0, 0.0, STEERED])}
            steered = _driven(model, replace(braking, inputs=steer), controllers)
            cells += [f"{_way(straight, 1.0):.1f} m", f"{_aside(steered):.2f} m"]
        rows.append((car, f"{surface}, {friction:g}", *cells))
    return rows


def valve_stops(car: str) -> list[tuple[str, ...]]:
    """The same by brake lines, whose valves the controller sets."""
    rows = []
    for surface, friction in SURFACES.items():
        road = {"type": "flat", "friction_map": {"type": "uniform", "factor": friction}}
        lines = {"brake_lines": {"layout": "diagonal"}, "controls": {"anti_lock": False}}
        model = at.read_model(car, {"vehicle": {"road": road, **lines}})
        span = round(2.0 + 1.4 * STOP_FROM / (GRAVITY * friction), 1)
        braking = replace(
            model.manoeuvres["braking"], speed=STOP_FROM, pedal=1.0, duration=span, metrics=()
        )
        outputs = ["primary_master.pressure"]
        locked, free = (
            model.drive(braking, controllers=one, outputs=outputs, watch=False)
            for one in ((), ("abs",))
        )
        calliper, store = (
            float(np.max(free[name])) for name in ("front_left_calliper.pressure",
                                                   "primary_accumulator.pressure")
        )  # fmt: skip
        rows.append(
            (car, f"{surface}, {friction:g}", f"{_way(locked, 1.0):.1f} m",
             f"{_way(free, 1.0):.1f} m", f"{calliper / 1e5:.0f} bar", f"{store / 1e5:.1f} bar")
        )  # fmt: skip
    return rows


def split(car: str) -> list[tuple[str, ...]]:
    """A steady pedal that locks no wheel, full pressure without and with the controllers."""
    low, high = 2, 60  # bar; the first locks none, the second does
    while high - low > 1:
        middle = (low + high) // 2
        locks = _locked(_split_run(car, middle * 1e5, {"anti_lock": False}, ()))
        low, high = (low, middle) if locks else (middle, high)
    cases: tuple[tuple[str, float, dict[str, Any], tuple[str, ...]], ...] = (
        (f"none, steady {low} bar", low * 1e5, {"anti_lock": False}, ()),
        ("none, 100 bar", FULL, {"anti_lock": False}, ()),
        ("abs, 100 bar", FULL, {}, ("abs",)),
        ("abs+esc, 100 bar", FULL, {}, ("abs", "esc")),
    )
    rows = []
    for label, pressure, controls, controllers in cases:
        run = _split_run(car, pressure, controls, controllers)
        until = slice(0, _stop(run) + 1)
        aside = float(np.max(np.abs(run["vehicle.y"][until])))
        heading = float(np.max(np.abs(np.degrees(run["vehicle.heading"][until]))))
        held = "yes" if aside <= 0.5 * (LANE - CAR) and heading < 90.0 else "no"
        rows.append(
            (car, label, f"{_way(run, ONSET):.1f} m", f"{aside:.2f} m", f"{heading:.1f} deg", held)
        )
    return rows


def grade(car: str) -> list[tuple[str, ...]]:
    """From 10 km/h up a slope at 60 % throttle."""
    rows = []
    for controllers in ((), ("tcs",)):
        slope = math.atan(GRADE)
        road = {"type": "flat", "friction_map": {"type": "uniform", "factor": ON_GRADE}}
        tilted = [-GRAVITY * math.sin(slope), 0.0, -GRAVITY * math.cos(slope)]
        model = at.read_model(car, {"gravity": tilted, "vehicle": {"road": road}})
        climbs = replace(model.manoeuvres["acceleration"], pedal=0.6, duration=8.0, metrics=())
        run = _driven(model, climbs, controllers)
        driven = [name for name, axle in model.described["vehicle"].axles.items() if axle.drive]
        spin = max(
            float(np.max(run[f"{name}_{side}_axle.rate"]))
            for name in driven
            for side in ("left", "right")
        )
        rows.append(
            (car, "+".join(controllers) or "none", f"{run['vehicle.x'][-1]:.1f} m",
             f"{3.6 * run['chassis.vx'][-1]:.1f} km/h", f"{spin:.0f} rad/s")
        )  # fmt: skip
    return rows


def paths(car: str) -> list[tuple[str, ...]]:
    """A lane change and a circuit, by the driver and by the followers of paths."""
    rows = []
    for name in ("iso-3888-1", "race-track"):
        model = at.read_model(car)
        for controllers in ((), ("pure-pursuit",), ("stanley",), ("mpc",)):
            run = _driven(model, model.manoeuvres[name], controllers)
            found = {one.name: one for one in run.findings}
            clear = found["clearance" if "clearance" in found else "lane_clearance"]
            rows.append(
                (car, name, "+".join(controllers) or "driver",
                 f"{100.0 * found['maximum_path_deviation'].value:.0f} cm",
                 f"{clear.value:.2f} m")
            )  # fmt: skip
    return rows


PARTS = (
    Part(
        "Sine with dwell",
        "The series of FMVSS 126 and UN R140, both sides, from 1.5 A to the greater of 6.5 A and "
        "270 deg. Yaw rates over their peak are at most 35 % after 1.0 s and 20 % after 1.75 s, "
        "and from 5 A on the vehicle has moved aside by 1.83 m; the worst of all runs.",
        ("vehicle", "controllers", "A", "yaw rate at 1.0 s", "at 1.75 s", "displacement",
         "verdict"),
        CARS, dwell,
    ),
    Part(
        "Stops on four surfaces",
        "Full pedal from 60 km/h, wheels locked or with `abs`: the stopping distance straight "
        "ahead, and how far the vehicle comes aside where the steering wheel is turned by 60 deg "
        "within 0.2 s as braking begins. Friction is that of all tyres over that of dry ground. "
        "Wheels of these vehicles that slide have 86 % of the greatest grip, on any of it.",
        ("vehicle", "surface", "locked: stop", "locked: aside", "abs: stop", "abs: aside"),
        ("sedan", "sports-car", "suv", "compact-car"), stops,
    ),
    Part(
        "Stops by the valves of brake lines",
        "The same stops straight ahead of vehicles with "
        "[`brake_lines`](../how-to/hydraulic-brakes.md): wheels that lock with valves at rest, and "
        "`abs`, which sets inlet and outlet valves and return pumps; the greatest pressure of the "
        "front left calliper, of 100 bar in the master cylinder, and of an accumulator.",
        ("vehicle", "surface", "locked", "abs", "calliper", "accumulator"),
        ("sedan", "compact-car"), valve_stops,
    ),
    Part(
        "Braking on split friction",
        "From 80 km/h, the right wheels on a fifth of the grip; a driver keeps to the line between "
        "the two by the path driver's laws, and opens the clutch. Steady: the highest pressure, to "
        "1 bar, at which no wheel locks. Held is a lane of 3.5 m by a car of 1.8 m: up to 0.85 m "
        "aside until it stands. Where the vehicle spins, the distance is that of a spin.",
        ("vehicle", "brakes", "stop", "aside", "largest heading", "lane held"),
        CARS, split,
    ),
    Part(
        "Climbing with traction control",
        f"From 10 km/h at 60 % throttle up a grade of {100.0 * GRADE:g} % with {ON_GRADE:g} of the "
        "dry grip, for 8 s with 7 s of throttle.",
        ("vehicle", "controllers", "way", "final speed", "fastest wheel"),
        ("sedan", "compact-car"), grade,
    ),
    Part(
        "Following a path",
        "The lane change of ISO 3888-1 at 80 km/h, and a lap of the Lindenring at the pace of the "
        "vehicle: the largest deviation of the centre of mass from the path, and the clearance "
        "of cones or lane. The driver sees the path ahead and knows how the vehicle answers; "
        "pure pursuit cuts corners by its look-ahead, and Stanley goes by where the front axle "
        "is.",
        ("vehicle", "path", "steered by", "deviation", "clearance"),
        ("sedan", "sports-car"), paths,
    ),
)  # fmt: skip


def _driven(model: at.Model, manoeuvre: Any, controllers: Sequence[str]) -> Trajectory:
    outputs = ["vehicle.x", "vehicle.y", "vehicle.heading"]
    return model.drive(manoeuvre, controllers=controllers, outputs=outputs, watch=False)


def _split_run(
    car: str, pressure: float, controls: dict[str, bool], controllers: Sequence[str]
) -> Trajectory:
    model = at.read_model(car, {"vehicle": {"controls": controls}})
    follows = replace(
        model.manoeuvres["iso-8608-a"], speed=SPLIT_FROM, metrics=(), duration=20.0,
        road=model.manoeuvres["split-mu-braking"].road,
        inputs={
            "driver.brake_pressure": ([ONSET, ONSET + RISE], [0.0, pressure]),
            "driver.clutch": ([ONSET - 0.1, ONSET], [0.0, 1.0]),
        },
    )  # fmt: skip
    return _driven(model, follows, controllers)


def _speed(run: Trajectory) -> np.ndarray:
    return np.hypot(run["chassis.vx"], run["chassis.vy"])


def _stop(run: Trajectory) -> int:
    """The record at which it stands, or the last."""
    still = np.flatnonzero(_speed(run) < STANDS)
    return int(still[0]) if still.size else len(run) - 1


def _way(run: Trajectory, begin: float) -> float:
    """From a time [s] until it stands; nan if it does not."""
    first, last = int(np.searchsorted(run.time, begin)), _stop(run)
    if last == len(run) - 1:
        return math.nan
    return float(np.trapezoid(_speed(run)[first : last + 1], run.time[first : last + 1]))


def _aside(run: Trajectory) -> float:
    return float(run["vehicle.y"][_stop(run)])


def _locked(run: Trajectory) -> bool:
    moves = _speed(run) > 3.0
    wheels = [f"{axle}_{side}_axle.rate" for axle in ("front", "rear") for side in
              ("left", "right")]  # fmt: skip
    return any(bool(np.any(np.abs(run[wheel][moves]) < 1.0)) for wheel in wheels)


def _rows(task: tuple[int, str]) -> list[tuple[str, ...]]:
    warnings.simplefilter("ignore")  # steps are those that the vehicles propose
    number, car = task
    found = PARTS[number].rows(car)
    print(*(" | ".join(row) for row in found), sep="\n", flush=True)
    return found


def page(found: dict[tuple[int, str], list[tuple[str, ...]]]) -> Iterator[str]:
    yield HEAD
    for number, part in enumerate(PARTS):
        yield f"## {part.title}\n"
        yield f"{part.text}\n"
        yield f"| {' | '.join(part.columns)} |"
        yield f"|{'---|' * len(part.columns)}"
        for car in part.cars:
            yield from (f"| {' | '.join(row)} |" for row in found[number, car])
        yield ""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--processes", type=int, default=2)
    tasks = [(number, car) for number, part in enumerate(PARTS) for car in part.cars]
    with ProcessPoolExecutor(parser.parse_args().processes) as pool:
        found = dict(zip(tasks, pool.map(_rows, tasks), strict=True))
    PAGE.write_text("\n".join(page(found)).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
