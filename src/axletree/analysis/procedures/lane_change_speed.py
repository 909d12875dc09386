"""The highest speed at which a vehicle passes a double lane change (ISO 3888-1 and -2)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from axletree.analysis.drive import DriveStart
from axletree.analysis.practice import (
    CORRECTION,
    QUICKEST_HANDS,
    STEERING_RATE,
    Course,
    haste,
    practise,
)
from axletree.analysis.procedures.contract import (
    Evaluation,
    Procedure,
    ProcedureStage,
    StageRow,
    condition,
)
from axletree.analysis.procedures.proving_ground import KMH, ProvingGround, found_value
from axletree.components.fields import field_of
from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError, SimulationError
from axletree.ground.lane_changes import LaneChangePath
from axletree.metrics.findings import Diagram, Finding, Trace, level, point, yes_no
from axletree.metrics.vehicle_signals import ADDED_RATE, LATERAL, lateral_acceleration
from axletree.runs.follow_path import FollowPath, records_up_to
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

_COARSE = 5.0  # km/h, of the first search
_BEYOND = 2  # speeds of it that fail one after another before it ends
_FAR_OUT = -0.5  # m of clearance, below which nothing is drawn
_HASTE = 0.05  # of what hands can do, that a search may leave
_SLOWEST, _FASTEST = 10.0, 250.0  # km/h
_PRACTISES = (
    "a driver who practises looks for the line on which the vehicle clears the cones, with hands "
    f"that turn the wheel by {math.degrees(QUICKEST_HANDS):.4g} deg/s at most; a run that needs "
    f"{100.0 * _HASTE:g} % more does not pass"
)


@dataclass(frozen=True, eq=False)
class Attempt:
    """A run at a speed, with what the driver learnt for it; nothing where a controller steers."""

    speed: float  # [km/h]
    run: Trajectory
    learnt: FloatArray | None
    built_on: float | None  # speed of what was learnt before [km/h]

    @property
    def passed(self) -> bool:
        """Between all cones, by hands that are no quicker than a driver's; a controller has its
        actuator in their place."""
        is_through = self.run.complete and found_value(self.run.findings, "passed") == 1.0
        return is_through and (self.learnt is None or haste(self.run) < _HASTE)

    @property
    def clearance(self) -> float:
        """[m]; nan if it left the lane, or did not come to the end."""
        return found_value(self.run.findings, "clearance")


@dataclass(frozen=True)
class LaneChangeSpeed(Procedure):
    """A search for the highest entry speed without a cone hit.

    Speed rises by 5 km/h until two runs one after another fail, and goes down from a first one that
    fails; then the last that passes and the next that fails are halved to ``resolution``, and what
    fails is tried again with what was learnt just below it. All speeds that were driven above the
    highest that passes have failed. At each speed the driver practises, and begins with what was
    learnt at the next lower one. A speed that the drive cannot keep ends the search.

    Beside the speed stands a bound by the lanes: what they allow to anything of the vehicle's
    outline at the greatest lateral acceleration that it showed, however quickly it turns in. It
    tells how much of the speed is left to lags of tyres and body and to the time that turning in
    takes; a vehicle that shows more lateral acceleration in other runs has a higher one.
    """

    manoeuvre: ClassVar[str] = ""
    path: ClassVar[str] = "the lanes"

    first: float = condition("m/s", "speed of the first run", 80.0 * KMH)
    resolution: float = condition("m/s", "between a speed that passes and one that fails", KMH)

    def carry_out(self, ground: ProvingGround) -> Evaluation:
        known = ground.known(self.manoeuvre, FollowPath)
        search = _Search(ground, known, ground.system(known))
        search.scan(self.first / KMH, self.resolution / KMH)
        tried, best, failed = search.tried, search.best, search.failed
        title = f"Entry speeds of {self.standard}"
        rows = tuple(StageRow(f"{one.speed:.4g} km/h", _row(one)) for one in tried)
        drawn = [_over_speed(tried, best, failed)]
        for word, one in (("highest speed that passes", best), ("next speed, which fails", failed)):
            if one is not None:
                drawn.append(_top_view(known, one, f"{one.speed:.4g} km/h: {word}"))
        by = " and ".join(ground.followers())
        steered = f"steered by {by}" if by else _PRACTISES
        words = f"{steered}; speeds by steps of 5 km/h, then by halving"
        stage = ProcedureStage(title, words, rows, search.findings, tuple(drawn))
        return Evaluation((stage,), key=("highest_speed", "bound_share", "grip_share", "clearance"))


@dataclass(frozen=True)
class DoubleLaneChange(LaneChangeSpeed):
    """The highest entry speed through the lanes of ISO 3888-1, at constant speed.

    Example:
    >>> import axletree as at
    >>> at.DoubleLaneChange(first="80 km/h").standard
    'ISO 3888-1'
    """

    summary: ClassVar[str] = "highest speed through the double lane change, by search"
    standard: ClassVar[str] = "ISO 3888-1"
    manoeuvre: ClassVar[str] = "iso-3888-1"


@dataclass(frozen=True)
class ObstacleAvoidance(LaneChangeSpeed):
    """The highest entry speed through the lanes of ISO 3888-2, pedals released 2 m within them.

    Example:
    >>> import axletree as at
    >>> at.ObstacleAvoidance(first="50 km/h").standard
    'ISO 3888-2'
    """

    summary: ClassVar[str] = "highest entry speed through the obstacle avoidance, by search"
    standard: ClassVar[str] = "ISO 3888-2"
    manoeuvre: ClassVar[str] = "iso-3888-2"

    first: float = field_of(LaneChangeSpeed, "first", default=50.0 * KMH)


@dataclass(frozen=True, eq=False)
class _Search:
    """All attempts, by speed [km/h]; each speed is driven once."""

    ground: ProvingGround
    manoeuvre: FollowPath
    system: System
    attempts: dict[float, Attempt] = field(default_factory=dict)
    starts: dict[float, DriveStart | None] = field(default_factory=dict)

    def scan(self, first: float, resolution: float) -> None:
        """[km/h]"""
        speed, failed = first, 0
        while failed < _BEYOND and speed <= _FASTEST and self.begins(speed):
            failed = 0 if self.attempt(speed).passed else failed + 1
            speed += _COARSE
        speed = first
        while not self._passed and speed - _COARSE >= _SLOWEST:
            speed -= _COARSE
            if self.begins(speed):
                self.attempt(speed)
        if not self.attempts:
            self.start(first)  # says why
        if not self._passed:
            return
        low = max(self._passed)
        high = min((speed for speed in self.attempts if speed > low), default=low)
        while high - low > 1.001 * resolution:
            steps = round((high - low) / resolution)
            middle = low + resolution * max(steps // 2, 1) if steps > 1 else 0.5 * (low + high)
            low, high = (middle, high) if self.attempt(middle).passed else (low, middle)
        # What fails from a much lower speed on may pass from the next one on.
        while low + resolution <= _FASTEST and self.begins(low + resolution):
            if not self.attempt(low + resolution).passed:
                break
            low += resolution

    @property
    def tried(self) -> list[Attempt]:
        """By their speeds."""
        return [self.attempts[speed] for speed in sorted(self.attempts)]

    @property
    def best(self) -> Attempt | None:
        """The fastest that passes."""
        return next((one for one in reversed(self.tried) if one.passed), None)

    @property
    def failed(self) -> Attempt | None:
        """The next one, which does not."""
        best = self.best
        return next((one for one in self.tried if best is None or one.speed > best.speed), None)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The highest speed, and what limits it."""
        return _findings(self.ground, self.manoeuvre, self.tried, self.best, self.failed)

    @property
    def _passed(self) -> list[float]:
        return [speed for speed, one in self.attempts.items() if one.passed]

    def begins(self, speed: float) -> bool:
        """Whether there is a steady motion to begin with; if not, a note of the result says so."""
        if speed not in self.starts:
            try:
                self.starts[speed] = self.start(speed)
            except SimulationError as error:
                self.starts[speed] = None
                self.ground.notes[f"{speed:.4g} km/h: {error}"] = None
        return self.starts[speed] is not None

    def start(self, speed: float) -> DriveStart:
        once = replace(self.manoeuvre, speed=speed * KMH, practice=0)
        return self.ground.start(once, self.system)

    def attempt(self, speed: float) -> Attempt:
        """Driven once, and once more where it failed and more was learnt below since."""
        below = max((known for known in self.attempts if known < speed), default=None)
        known = self.attempts.get(speed)
        if known is None or (not known.passed and known.built_on != below):
            self.attempts[speed] = self._driven(speed, below)
        return self.attempts[speed]

    def _driven(self, speed: float, below: float | None) -> Attempt:
        once = replace(self.manoeuvre, speed=speed * KMH)
        start = self.starts.get(speed) or self.start(speed)
        if self.ground.followers():  # who learn nothing
            return self.attempts.get(speed) or Attempt(
                speed, self._run(once, speed, start), None, below
            )
        before = None if below is None else self.attempts[below].learnt
        course = Course(start.initial, start.inputs, start.parameters)
        self.ground.tell(f"{speed:.4g} km/h, practice")
        found = practise(self.system, once, course, before, self.ground.loops(once))
        begun = replace(start, inputs={**start.inputs, CORRECTION: found.signal})
        return Attempt(speed, self._run(once, speed, begun), found.learnt, below)

    def _run(self, once: FollowPath, speed: float, start: DriveStart) -> Trajectory:
        words = f"{speed:.4g} km/h"
        return self.ground.drive(once, words, system=self.system, start=start, outputs=LATERAL)


def _row(one: Attempt) -> tuple[Finding, ...]:
    deviation = found_value(one.run.findings, "maximum_path_deviation")
    return (
        yes_no("passed", one.passed, "passed"),
        Finding("clearance", one.clearance, "m", "minimum cone clearance"),
        Finding("cones_hit", found_value(one.run.findings, "cones_hit"), "1", "cones hit"),
        Finding("maximum_path_deviation", deviation, "m", "path deviation"),
        Finding("peak_lateral_acceleration", _peak(one.run), "m/s^2", "peak lateral acceleration"),
        Finding("peak_steering_rate", math.degrees(_fastest(one.run)), "deg/s",
                "peak steering wheel rate"),
    )  # fmt: skip


def _peak(run: Trajectory) -> float:
    return float(np.max(np.abs(lateral_acceleration(run))))


def _fastest(run: Trajectory) -> float:
    """[rad/s], with what an actuator adds."""
    rate = run[STEERING_RATE]
    return float(np.max(np.abs(rate + run[ADDED_RATE] if ADDED_RATE in run else rate)))


def _findings(
    ground: ProvingGround,
    known: FollowPath,
    tried: list[Attempt],
    best: Attempt | None,
    failed: Attempt | None,
) -> tuple[Finding, ...]:
    highest = math.nan if best is None else best.speed
    found = [
        Finding("highest_speed", highest, "km/h", "highest entry speed that passes"),
        Finding("clearance", math.nan if best is None else best.clearance, "m",
                "minimum cone clearance there"),
    ]  # fmt: skip
    if best is not None:
        steady, peaks = _grip(ground, best.speed * KMH), [_peak(one.run) for one in tried]
        grip = float(np.nanmax([steady, *peaks]))  # steady turns of some trains are not found
        bound = _bound(known, best, grip)
        found += [
            Finding("bound_speed", bound, "km/h",
                    "bound by the lanes at the greatest lateral acceleration shown"),
            Finding("bound_share", 100.0 * highest / bound, "%", "highest speed over the bound"),
        ]  # fmt: skip
    if failed is None:
        return tuple(found)
    share = 100.0 * _peak(failed.run) / _grip(ground, failed.speed * KMH)
    return (
        *found,
        Finding("failing_speed", failed.speed, "km/h", "next speed driven, which fails"),
        Finding("grip_share", share, "%",
                "peak lateral acceleration there over the maximum of a steady turn"),
    )  # fmt: skip


def _bound(known: FollowPath, best: Attempt, grip: float) -> float:
    """The entry speed [km/h] of a line of the least curvature at a lateral acceleration [m/s^2],
    if it lost speed as the run does; nan for a path without lanes."""
    if not isinstance(known.path, LaneChangePath):
        return math.nan
    x, y = (best.run[name] for name in known.place[:2])
    time = best.run.time
    speeds = np.hypot(np.gradient(x, time), np.gradient(y, time))
    return math.sqrt(grip / known.path.least_curvature(x, speeds)) / KMH


def _grip(ground: ProvingGround, speed: float) -> float:
    """The maximum lateral acceleration of a steady turn [m/s^2]; nan where none is found."""
    try:
        return ground.model.performance_limits(speed).at(speed)[0]
    except AxletreeError:
        return math.nan


def _over_speed(tried: list[Attempt], best: Attempt | None, failed: Attempt | None) -> Diagram:
    x = np.array([one.speed for one in tried])
    y = np.array([one.clearance for one in tried])
    near = np.isfinite(y) & (y > _FAR_OUT)
    marks = [level(float(x[0]), 0.0, "cone hit below")]
    for words, one in (("highest that passes", best), ("next, which fails", failed)):
        if one is not None and math.isfinite(one.clearance) and one.clearance > _FAR_OUT:
            marks.append(point(one.speed, one.clearance, words))
    traces = (Trace("", x[near], y[near]),)
    return Diagram("Cone clearance", "entry speed [km/h]", "[m]", traces, tuple(marks))


def _top_view(manoeuvre: FollowPath, one: Attempt, title: str) -> Diagram:
    """The line that is followed, the sides of the vehicle, and boundaries of lanes."""
    before = records_up_to(manoeuvre.path.finish, one.run[manoeuvre.place[4]])
    x, y = (one.run[name][before] for name in manoeuvre.place[:2])
    if not len(x):
        return Diagram(title, "[m]", "to the left [m]", ())
    points = manoeuvre.path.points()
    corners = next(iter(manoeuvre.swept(one.run).values())).corners
    traces = [
        Trace("line", points[:, 0], points[:, 1], is_guide=True),
        Trace("centre of mass", x, y),
    ]
    names = ("front left", "front right", "rear left", "rear right")
    for k in range(min(corners.shape[1], 4)):
        traces.append(Trace(names[k], corners[:, k, 0], corners[:, k, 1]))
    for k, boundary in enumerate(manoeuvre.path.boundaries()):
        traces.append(Trace("cones" if k == 0 else "", boundary[:, 0], boundary[:, 1], True))
    return Diagram(title, "along the course [m]", "to the left [m]", tuple(traces))
