"""Is it the driver or the vehicle that limits the lane changes of ISO 3888?

The driver of ``axletree procedure`` is held against an optimisation that knows no driver: on the
same full vehicle, from the same steady state, with the same pedals, the angle of the steering wheel
over time is what is sought, as cubic B-splines 0.2 s apart, added to what the driver's hands did.
No more is asked of the hands than of the driver's: 1000 deg/s, and 5 % more at the most.

At each speed above the driver's highest one runs a fixed budget at the most:

1. linear programs about runs, from the driver's own steering and from the best at the speed below;
2. the same from four random changes of the best, which lead out of a local optimum;
3. an evolution strategy that adapts its covariances and knows no slopes (Hansen 2016).

Speeds rise by 1.5 %, to the next km/h, until two one after another have no way through. A search of
its own begins with a slow run along the line and never sees what the driver found: how fast linear
programs come without the driver, each speed from the one below.

    python benchmarks/lane_change_limits.py sedan suv

Takes some six minutes of the processor a vehicle. Without names: the sedan.
"""

from __future__ import annotations

import math
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

import axletree as at
from axletree.analysis.clearance_search import Passage, widest_passage
from axletree.analysis.drive import DriveStart, states_as_inputs
from axletree.analysis.practice import CORRECTION, QUICKEST_HANDS
from axletree.analysis.procedures import lane_change_speed
from axletree.analysis.procedures.proving_ground import KMH, ProvingGround
from axletree.core.arrays import FloatArray
from axletree.core.errors import SimulationError
from axletree.expr import Beyond, Table
from axletree.runs.follow_path import FollowPath, time_at
from axletree.simulation.simulate import simulate
from axletree.simulation.trajectory import Trajectory
from axletree.system.edit import with_smooth_forces
from axletree.system.system import System

PROCEDURES = {"iso-3888-1": at.DoubleLaneChange, "iso-3888-2": at.ObstacleAvoidance}
HANDS = ("steering", "steering_rate", "steering_acceleration")
APART, GRID, RECORDED = 0.2, 4e-2, 1e-2  # s, of splines, of the table of steering, of records
BEFORE, AFTER = 1.0, 0.5  # s before the first cone and after the finish
ASIDE = 1.0  # m off the path behind the last cone
HASTE = 1.05  # of what hands can do, as the procedure allows
ENOUGH = 1e-3  # m of clearance, with which a search is content
TRUSTS = (0.3, 1.0)  # rad of steering, that linear programs change at first
CHANGES = (0.2, 0.2, 0.4, 0.4)  # rad, random changes of the best
STRATEGY = 300, 0.1  # runs, and rad
RISE, FAILURES = 1.015, 2
SLOW, MOST_BEYOND = 0.88, 20.0  # of the driver's highest speed, where that search begins; km/h

Steering = tuple[FloatArray, FloatArray]  # angles [rad] and rates [rad/s] over ``Course.times``


class Course:
    """One speed: runs that are steered by a table from shortly before the first cone on."""

    def __init__(
        self, system: System, manoeuvre: FollowPath, start: DriveStart, driven: Trajectory
    ) -> None:
        from scipy.interpolate import BSpline

        self.system, self.manoeuvre, self.start, self.runs = system, manoeuvre, start, 0
        self.driven = driven
        places = [cone.x for cone in manoeuvre.path.cones()]
        way = np.maximum.accumulate(driven[manoeuvre.place[4]])
        first, last = np.interp([min(places), max(places)], way, driven.time)
        begin = int(np.searchsorted(driven.time, max(first - BEFORE, 0.0)))
        self.begin = float(driven.time[begin])
        states = [quantity.name for quantity in system.states]
        self.initial = {name: float(driven[name][begin]) for name in states}
        done = time_at(manoeuvre.path.finish, driven.time, driven[manoeuvre.place[4]])
        end = float(driven.time[-1]) if math.isnan(done) else done + AFTER
        self.span = 0.1 * math.ceil(10.0 * (end - self.begin))
        self.times = self.begin + np.arange(0.0, self.span + 0.5 * GRID, GRID)
        needed = dict.fromkeys([*manoeuvre.place, *manoeuvre.needed_outputs])
        self.outputs = [name for name in needed if name not in states]
        self.count = math.ceil((last - self.begin) / APART)
        knots = self.begin + APART * np.arange(self.count + 4.0)  # nothing is added at the begin
        splines = BSpline(knots, np.eye(self.count), 3, extrapolate=False)
        self.angles = np.nan_to_num(splines(self.times))
        self.rates = np.nan_to_num(splines.derivative()(self.times))
        self.behind = np.arange(max(places), manoeuvre.path.finish, 1.0)  # m

    def steering_of(self, driven: Trajectory) -> Steering:
        names = (f"{self.manoeuvre.driver}.{word}" for word in HANDS[:2])
        angle, rate = (np.interp(self.times, driven.time, driven[name]) for name in names)
        return angle, rate

    def changed(self, steering: Steering, numbers: FloatArray) -> Steering:
        return steering[0] + self.angles @ numbers, steering[1] + self.rates @ numbers

    def drive(self, steering: Steering) -> Trajectory | None:
        self.runs += 1
        table = Table.hermite(self.times.tolist(), *map(np.ndarray.tolist, steering),
                              Beyond.VALUE_HELD)  # fmt: skip
        inputs = {name: one for name, one in self.start.inputs.items() if name != CORRECTION}
        inputs[f"{self.manoeuvre.driver}.{HANDS[0]}"] = table
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return simulate(
                    self.system, self.span, start=self.begin, step=5e-3, method="subdivided-rk45",
                    initial=self.initial, inputs=inputs, parameters=self.start.parameters,
                    outputs=self.outputs, record_interval=RECORDED, watch=False,
                )  # fmt: skip
        except SimulationError:
            return None

    def passage(self, steering: Steering) -> Passage | None:
        run = self.drive(steering)
        if run is None:
            return None
        near = self.manoeuvre.cone_clearance(self.manoeuvre.swept(run))
        offset, way = (run[name] for name in self.manoeuvre.place[3:])
        aside = np.abs(np.interp(self.behind, np.maximum.accumulate(way), offset))
        clearances = np.concatenate([*near.values(), ASIDE - aside])
        if not np.isfinite(clearances).all():
            return None
        return Passage(clearances, steering[1] / (HASTE * QUICKEST_HANDS))

    def by_programs(self, steering: Steering, trust: float) -> tuple[float, Steering]:
        def drive(numbers: FloatArray) -> Passage | None:
            return self.passage(self.changed(steering, numbers))

        numbers, found = widest_passage(drive, self.count, trust, ENOUGH)
        return worth(found), self.changed(steering, numbers)

    def by_evolution(self, steering: Steering) -> tuple[float, Steering]:
        def lacks(numbers: FloatArray) -> float:
            return -max(worth(self.passage(self.changed(steering, numbers))), -10.0)

        numbers, lack = evolve(lacks, self.count, *STRATEGY)
        return -lack, self.changed(steering, numbers)


def worth(found: Passage | None) -> float:
    """[m] of clearance, less for hands that are too quick."""
    return -math.inf if found is None else found.worth


def evolve(
    lacks: Callable[[FloatArray], float], n: int, budget: int, size: float
) -> tuple[FloatArray, float]:
    """The best of ``n`` numbers about 0 by (mu/mu_w, lambda)-CMA-ES with its usual constants."""
    rng, count = np.random.default_rng(0), 4 + int(3 * math.log(n))
    half = count // 2
    weights = math.log(half + 0.5) - np.log(np.arange(1, half + 1))
    weights /= weights.sum()
    mass = 1.0 / float(weights @ weights)
    c_path, c_size = (4 + mass / n) / (n + 4 + 2 * mass / n), (mass + 2) / (n + mass + 5)
    c_one = 2 / ((n + 1.3) ** 2 + mass)
    c_all = min(1 - c_one, 2 * (mass - 2 + 1 / mass) / ((n + 2) ** 2 + mass))
    damping = 1 + 2 * max(0.0, math.sqrt((mass - 1) / (n + 1)) - 1) + c_size
    usual = math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))
    mean, spread, path, size_path = np.zeros(n), np.eye(n), np.zeros(n), np.zeros(n)
    best, least, used = mean, lacks(mean), 1
    while used + count <= budget and least > -ENOUGH:
        squares, axes = np.linalg.eigh(spread)
        lengths = np.sqrt(np.maximum(squares, 1e-20))
        steps = (rng.standard_normal((count, n)) * lengths) @ axes.T
        values = np.array([lacks(mean + size * one) for one in steps])
        used, order = used + count, np.argsort(values)
        if values[order[0]] < least:
            best, least = mean + size * steps[order[0]], float(values[order[0]])
        chosen = steps[order[:half]]
        step = weights @ chosen
        mean = mean + size * step
        white = axes @ ((axes.T @ step) / lengths)
        size_path = (1 - c_size) * size_path + math.sqrt(c_size * (2 - c_size) * mass) * white
        path = (1 - c_path) * path + math.sqrt(c_path * (2 - c_path) * mass) * step
        spread = ((1 - c_one - c_all) * spread + c_one * np.outer(path, path)
                  + c_all * (chosen.T * weights) @ chosen)  # fmt: skip
        size *= math.exp(c_size / damping * (float(np.linalg.norm(size_path)) / usual - 1))
    return best, least


def optimised(course: Course, starts: list[Steering]) -> tuple[float, Steering]:
    """The most clearance [m] of all searches at a speed, which end as soon as one passes."""
    best = max((worth(course.passage(one)), k) for k, one in enumerate(starts))
    found = best[0], starts[best[1]]
    rng = np.random.default_rng(0)
    searches: list[Callable[[], tuple[float, Steering]]] = [
        lambda one=one, trust=trust: course.by_programs(one, trust)  # type: ignore[misc]
        for one in starts
        for trust in TRUSTS
    ]
    searches += [
        lambda change=change: course.by_programs(  # type: ignore[misc]
            course.changed(found[1], change * rng.standard_normal(course.count)), TRUSTS[0]
        )
        for change in CHANGES
    ]
    searches.append(lambda: course.by_evolution(found[1]))
    for search in searches:
        if found[0] >= 0.0:
            break
        found = max(found, search(), key=lambda one: one[0])
    return found


class Comparison:
    """The driver of the procedure, and the optimisation above the speed that he comes to."""

    def __init__(self, vehicle: str, name: str) -> None:
        model = at.read_model(vehicle)
        ground, procedure = ProvingGround(model), PROCEDURES[name]()
        self.known = ground.known(name, FollowPath)
        system = ground.system(self.known)
        begun = time.process_time()
        self.search = lane_change_speed._Search(ground, self.known, system)
        self.search.scan(procedure.first / KMH, procedure.resolution / KMH)
        self.driver_took = time.process_time() - begun
        self.system = with_smooth_forces(system)
        self.free = states_as_inputs(self.system, self.known.driver, HANDS)
        self.highest = max(speed for speed, one in self.search.attempts.items() if one.passed)
        self.findings = {one.name: one.value for one in self.search.findings}

    def course(self, speed: float, driven: Trajectory) -> Course:
        start = self.search.starts.get(speed) or self.search.start(speed)
        return Course(self.free, replace(self.known, speed=speed * KMH), start, driven)

    def above(self) -> tuple[float, float, int]:
        """The highest speed [km/h] that the optimisation passes, the best clearance [m] at the next
        one, and how many runs it took."""
        best, runs, failed, lacked = self.highest, 0, 0, math.nan
        before, speed = None, self.highest
        while failed < FAILURES:
            speed = math.ceil(RISE * speed) if speed > self.highest else self.highest + 1.0
            if not self.search.begins(speed):
                break
            driven = self.search.attempt(speed).run
            course = self.course(speed, driven)
            starts = [course.steering_of(driven)]
            if before is not None:
                starts.append(scaled(before, course, speed))
            clearance, steering = optimised(course, starts)
            runs, before = runs + course.runs, (course.times, steering, speed)
            print(f"    {speed:.0f} km/h: {1e3 * clearance:.1f} mm, {course.runs} runs", flush=True)
            if clearance >= 0.0:
                best, failed = speed, 0
            else:
                failed += 1
                lacked = clearance if failed == 1 else lacked
        return best, lacked, runs

    def without_the_driver(self) -> float:
        """The highest speed [km/h] that linear programs alone come to, which never see what the
        driver found: from a slow run along the line on, each speed from the one below."""
        best, before, speed = math.nan, None, math.floor(SLOW * self.highest)
        while speed <= self.highest + MOST_BEYOND and self.search.begins(speed):
            course = self.course(speed, self.along_the_line(speed))
            starts = [course.steering_of(course.driven)]
            if before is not None:
                starts.append(scaled(before, course, speed))
            clearance, steering = max(
                (course.by_programs(one, trust) for one in starts for trust in TRUSTS),
                key=lambda one: one[0],
            )
            print(f"    alone at {speed:.0f} km/h: {1e3 * clearance:.1f} mm", flush=True)
            if clearance < 0.0:
                break
            best, before = speed, (course.times, steering, speed)
            speed = math.ceil(RISE * speed)
        return best

    def along_the_line(self, speed: float) -> Trajectory:
        start = self.search.starts.get(speed) or self.search.start(speed)
        once = replace(self.known, speed=speed * KMH, practice=0)
        return self.search.ground.drive(once, "line", system=self.system, start=start)


def scaled(before: tuple[FloatArray, Steering, float], course: Course, speed: float) -> Steering:
    """The steering of another speed [km/h], along the same way."""
    times, (angle, rate), other = before
    there = course.times * speed / other
    return np.interp(there, times, angle), np.interp(there, times, rate) * speed / other


def measure(vehicle: str, name: str) -> str:
    begun = time.process_time()
    found = Comparison(vehicle, name)
    best, lacked, runs = found.above()
    alone = found.without_the_driver()
    more = 100.0 * (best / found.highest - 1.0)
    cells = [Path(vehicle).stem, name, f"{found.highest:.0f}", f"{best:.0f}", f"{more:.1f}"]
    cells += [f"{1e3 * lacked:.0f}", f"{runs}", f"{alone:.0f}"]
    cells += [f"{found.findings.get(one, math.nan):.0f}" for one in ("bound_speed", "grip_share")]
    took = time.process_time() - begun
    return " | ".join([*cells, f"{found.driver_took:.0f}", f"{took - found.driver_took:.0f}"])


if __name__ == "__main__":
    print("vehicle | course | driver [km/h] | optimised [km/h] | more [%] | clearance at the next "
          "speed [mm] | runs | without the driver [km/h] | "
          "bound [km/h] | grip [%] | CPU of the driver's search [s] | "
          "of the optimisation [s]")  # fmt: skip
    for one in sys.argv[1:] or ["sedan"]:
        for course in PROCEDURES:
            print(measure(one, course), flush=True)
