"""A drive along a path, by a driver who is part of the equations.

Its findings are how far the vehicle is off the path, how near it and its trailers come to what
bounds their way, and when it comes to stations of it; its diagrams mark each of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from axletree.components.fields import fixed_number, named_pieces, parameter, part, piece, structure
from axletree.ground.path_driver import Pace, time_along
from axletree.ground.paths import Cone, Footprint, Path, Swept, lane_clearance, least_clearance
from axletree.metrics.contract import OUTPUT_NAMES
from axletree.metrics.findings import (
    YES_NO,
    Column,
    Columns,
    Diagram,
    Finding,
    Mark,
    Trace,
    by_name,
    first_record,
    level,
    peak_point,
    point,
    yes_no,
)
from axletree.metrics.verdict import Comparison, Criterion
from axletree.model.manoeuvre import DrivenSignal, Manoeuvre

_DRIVER = "driver"
_PLACE = (
    "vehicle.x", "vehicle.y", "vehicle.heading", f"{_DRIVER}.offset", f"{_DRIVER}.station"
)  # fmt: skip
WHERE = ("x", "y", "heading")
LATE = 1.5  # times of what is planned, after which a run ends that loses speed on its way
PACED = 1.1  # likewise where a pace plans all speeds
SPAN_STEP = 0.1  # s; runs are whole numbers of steps


@dataclass(frozen=True, kw_only=True)
class FollowPath(Manoeuvre):
    """A vehicle is led along a path, and passes the cones of the path or does not.

    It keeps its speed, or that which a ``pace`` allows, where it begins with the speed at most. The
    model has to be read with the driver who knows the path: ``changes`` says how.

    Example:
    >>> import axletree as at
    >>> lap = at.FollowPath(speed="72 km/h", path=at.StraightPath(length=200.0))  # m
    >>> lap.planned, lap.own_parameters()  # s, m/s
    (10.0, {'driver.speed': 20.0})
    """

    summary: ClassVar[str] = "along a path, by a driver in the equations"
    driver: ClassVar[str] = _DRIVER

    path: Path = part("PATHS", "line to follow")
    pace: Pace | None = piece(
        Pace, "limits by which speeds along the path are chosen; left out: one speed", default=None
    )
    practice: float = fixed_number(
        "1", "runs in which the driver practises before", default=0, lower=0.0, whole=True
    )
    duration: float = parameter(
        "s", "length of the run; 0: what the path takes at the speed", default=0.0, lower=0.0
    )
    width: float = parameter("m", "width of the vehicle", default=1.8, lower=0.0)
    ahead: float = parameter(
        "m", "from the centre of the body's mass to the front end", default=2.0, lower=0.0
    )
    behind: float = parameter("m", "from there to the rear end", default=2.2, lower=0.0)
    towed: Mapping[str, Footprint] = named_pieces(
        Footprint, "what trailers cover, by names of components that tell x, y and heading",
        default=dict,
    )  # fmt: skip
    place: tuple[str, ...] = structure(
        OUTPUT_NAMES,
        "outputs for x, y, heading of the body, offset from the path and way along it",
        tuple, _PLACE,
    )  # fmt: skip

    def own_signals(self) -> dict[str, DrivenSignal]:
        return {}

    def own_parameters(self) -> dict[str, float]:
        return {f"{_DRIVER}.speed": self._kept}

    @property
    def _kept(self) -> float:
        """The most that the driver goes [m/s]."""
        return self.speed if self.pace is None else self.pace.top

    @property
    def changes(self) -> dict[str, Any]:
        changed = super().changes.get("vehicle", {})
        driver = {"path": self.path, "speed": self._kept}
        if self.pace is not None:
            driver["pace"] = self.pace
        return {"vehicle": {**changed, "driver": driver}}

    @property
    def span(self) -> float:
        if self.duration:
            return self.duration
        late = 1.0 if self.pace is None else PACED
        takes = (late if self.path.release is None else LATE) * self.planned
        return SPAN_STEP * math.ceil(takes / SPAN_STEP)

    @property
    def planned(self) -> float:
        """The time [s] to the finish at the speeds of the pace."""
        return float(self._plan[0][-1])

    @cached_property
    def _plan(self) -> tuple[Column, Column]:
        """Times [s] and ways along the path [m] at the speeds of the pace, up to the finish."""
        line, finish = self.path.line, self.path.finish
        if self.pace is None:
            return np.array([0.0, finish / self.speed]), np.array([0.0, finish])
        times = time_along(line.station, self.pace.speeds(line.station, line.curvature))
        before = line.station < finish
        last = float(np.interp(finish, line.station, times))
        return np.append(times[before], last), np.append(line.station[before], finish)

    def first_states(self, levels: Mapping[str, float]) -> dict[str, float]:
        """The driver's foot as it keeps the speed."""
        found = {f"{_DRIVER}.{name}": levels[f"{_DRIVER}.{name}"] for name in ("throttle", "brake")}
        return {**found, f"{_DRIVER}.effort": found[f"{_DRIVER}.throttle"]}

    def problems(self) -> list[str]:
        found = [] if self.speed else ["a path is followed at a speed above 0"]
        if len(self.place) != len(_PLACE):
            found.append(f"place: expected {len(_PLACE)} names, such as {', '.join(_PLACE)}")
        return [*super().problems(), *found]

    @property
    def needed_outputs(self) -> tuple[str, ...]:
        towed = (f"{name}.{word}" for name in self.towed for word in WHERE)
        return tuple(dict.fromkeys([*super().needed_outputs, *towed]))

    def swept(self, run: Columns) -> dict[str, Swept]:
        """What the vehicle and its trailers cover up to the finish, by name.

        Example:
        >>> import numpy as np
        >>> import axletree as at
        >>> from axletree.simulation.trajectory import Trajectory
        >>> ways, rest = np.array([0.0, 30.0, 60.0]), np.zeros(3)  # m
        >>> lap = at.FollowPath(speed=20.0, path=at.StraightPath(length=30.0), width=1.6)
        >>> columns = dict(zip(lap.place, (ways, rest, rest, rest, ways)))
        >>> swept = lap.swept(Trajectory("car", ways / 20.0, columns, {}, ()))
        >>> swept["vehicle"].corners[:, 0].tolist()  # x, y [m] of its front left corner
        [[2.0, 0.8], [32.0, 0.8]]
        """
        before = records_up_to(self.path.finish, run[self.place[4]])
        first = self.place[0].partition(".")[0]
        own = Footprint(self.width, self.ahead, self.behind)
        places = {first: (own, self.place[:3])}
        places |= {
            name: (box, tuple(f"{name}.{word}" for word in WHERE))
            for name, box in self.towed.items()
        }
        return {
            name: Swept(box, *(run[column][before] for column in columns))
            for name, (box, columns) in places.items()
        }

    def own_findings(self, run: Columns) -> tuple[Finding, ...]:
        before = records_up_to(self.path.finish, run[self.place[4]])
        offset, station = (run[name][before] for name in self.place[3:])
        most, said = float(np.abs(offset).max()), "maximum path deviation"
        found = [Finding("maximum_path_deviation", most, "m", said)]
        if self.pace is not None:
            lap = time_at(self.path.finish, run.time, run[self.place[4]]) - float(run.time[0])
            found += [
                Finding("lap_time", lap, "s", "lap time"),
                Finding("planned_time", self.planned, "s", "lap time of the speed profile"),
            ]
        swept = self.swept(run)
        return (*found, *self._of_lane(self._in_lane(station, swept)), *self._of_cones(swept))

    @property
    def tested(self) -> str:
        """The path, with the speed."""
        return f"{self.path.summary}, from {3.6 * self.speed:.4g} km/h"

    @property
    def own_criteria(self) -> tuple[Criterion, ...]:
        """No cone is hit (ISO 3888-1 and -2), or the lane is kept where it has no cones."""
        if self.path.cones():
            return (Criterion("cones_hit", "cones hit or missed", Comparison.AT_MOST, 0.0, "1",
                              self.path.standard),)  # fmt: skip
        if self.path.half_width(np.zeros(1)) is None:
            return ()
        return (Criterion("passed", "stays within the lane", Comparison.AT_LEAST, 1.0, YES_NO),)

    def own_diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        before = records_up_to(self.path.finish, run[self.place[4]])
        offset, station = (run[name][before] for name in self.place[3:])
        found, swept = by_name(self.own_findings(run)), self.swept(run)
        drawn = [offset_diagram(station, offset, found["maximum_path_deviation"])]
        if self.pace is not None:
            driven = run.time[before] - run.time[0], station
            drawn.append(pace_diagram(driven, self._plan, found))
        lane = self._in_lane(station, swept)
        if lane:
            listed = by_name(self._of_lane(lane))
            drawn.append(lane_diagram(station, lane, self._widths(), listed))
        if self.path.cones():
            near, listed = self.cone_clearance(swept), by_name(self._of_cones(swept))
            drawn.append(cone_diagram(self.path.cones(), near, self._widths(), listed))
        return tuple(drawn)

    def _in_lane(self, station: Column, swept: Mapping[str, Swept]) -> dict[str, Column]:
        """How far [m] each unit is within the lane; of a path without one, nothing."""
        if self.path.half_width(station) is None:
            return {}
        return {name: lane_clearance(self.path, station, one) for name, one in swept.items()}

    def _of_lane(self, near: Mapping[str, Column]) -> tuple[Finding, ...]:
        if not near:
            return ()
        least = {name: float(values.min()) for name, values in near.items()}
        return (
            *clearances(least, self._widths(), "minimum lane clearance"),
            yes_no("passed", min(least.values()) >= 0.0, "stays within the lane"),
        )

    def cone_clearance(self, swept: Mapping[str, Swept]) -> dict[str, Column]:
        """Of the vehicle and each trailer, how near [m] its sides came to each cone; nan where it
        did not pass.

        Example:
        >>> import numpy as np
        >>> import axletree as at
        >>> from axletree.ground.paths import Footprint, Swept
        >>> slalom = at.FollowPath(speed=10.0, path=at.SlalomPath(cone_count=1, entry=50.0))
        >>> passes = Swept(Footprint(1.8, 2.0, 2.0), np.array([49.0]), np.array([1.3]), np.zeros(1))
        >>> slalom.cone_clearance({"vehicle": passes})["vehicle"].round(3).tolist()  # 1.3 - 0.9
        [0.4]
        """
        return {name: least_clearance(self.path.cones(), one) for name, one in swept.items()}

    def _of_cones(self, swept: Mapping[str, Swept]) -> tuple[Finding, ...]:
        if not self.path.cones():
            return ()
        near = self.cone_clearance(swept)
        missed = [~(one >= 0.0) for one in near.values()]  # where one was not reached, too
        least = {name: _least(one) for name, one in near.items()}
        hit = int(np.logical_or.reduce(missed).sum())
        return (
            *clearances(least, self._widths(), "minimum cone clearance, negative if hit"),
            Finding("cones_hit", hit, "1", "cones hit or missed"),
            yes_no("passed", not hit, "passes between all cones"),
        )

    def _widths(self) -> dict[str, float]:
        """Of the vehicle and its trailers [m], by name."""
        first = self.place[0].partition(".")[0]
        return {first: self.width, **{name: box.width for name, box in self.towed.items()}}


def _least(values: Column) -> float:
    """Of those that are known; nan if none is."""
    known = values[np.isfinite(values)]
    return float(known.min()) if known.size else math.nan


def records_up_to(finish: float, station: Column) -> slice:
    """The records before a station [m] and the first one from there on."""
    done = first_record(station >= finish)
    return slice(0, len(station) if done is None else done + 1)


def time_at(finish: float, time: Column, station: Column) -> float:
    """The time [s] at which a station [m] is reached; nan if it is not."""
    done = first_record(station >= finish)
    if done is None:
        return math.nan
    k = max(done, 1)
    return float(np.interp(finish, station[k - 1 : k + 1], time[k - 1 : k + 1]))


_CLEARANCE = "clearance"
LEFT_THE_LANE = " (left the lane)"


def clearances(
    least: Mapping[str, float], widths: Mapping[str, float], text: str
) -> tuple[Finding, ...]:
    """Those [m] of the whole and, in a train, of each unit, by the names of units.

    A unit that is farther out than it is wide has left the lane as a whole: its clearance, and that
    of the train, is then unknown.
    """
    left = {name: value < -widths[name] for name, value in least.items()}
    known = [value for value in least.values() if not math.isnan(value)]
    whole = _clearance_finding(_CLEARANCE, min(known, default=math.nan), any(left.values()), text)
    if len(least) == 1:
        return (whole,)
    units = [
        (f"{name}_{_CLEARANCE}", value, left[name], f"minimum clearance of the {name}")
        for name, value in least.items()
    ]
    return (whole, *(_clearance_finding(*unit) for unit in units))


def _clearance_finding(name: str, value: float, left: bool, text: str) -> Finding:
    return Finding(name, math.nan if left else value, "m", text + LEFT_THE_LANE * left)


STATION = "distance along the path [m]"
_APART = 1.5  # times the usual distance of cones on one side: a curve is broken there
LANE_SIDES = {1.0: "cones on the left", -1.0: "cones on the right"}


def offset_diagram(station: Column, offset: Column, farthest: Finding) -> Diagram:
    """The distance from the path [m], positive to the left."""
    mark = peak_point(station, offset, farthest)
    trace = (Trace("", station, offset),)
    return Diagram("Path deviation", STATION, "to the left [m]", trace, (mark,))


def pace_diagram(
    driven: tuple[Column, Column], planned: tuple[Column, Column], found: Mapping[str, Finding]
) -> Diagram:
    """Ways along the path [m] over times since the beginning [s]; the planned one ends at the
    finish."""
    finish = float(planned[1][-1])
    marks = (
        level(0.1 * float(planned[0][-1]), finish, "finish"),
        *(point(found[name].value, finish, found[name]) for name in ("lap_time", "planned_time")),
    )
    traces = (Trace("run", *driven), Trace("speed profile", *planned, is_guide=True))
    return Diagram("Distance along the path", "time [s]", "[m]", traces, marks)


def lane_diagram(
    station: Column,
    near: Mapping[str, Column],
    widths: Mapping[str, float],
    found: Mapping[str, Finding],
) -> Diagram:
    """How far [m] each unit is within its lane, where it is not beside it as a whole."""
    several, beside = len(near) > 1, {name: near[name] < -widths[name] for name in near}
    traces = tuple(
        Trace(name if several else "", station[~beside[name]], values[~beside[name]])
        for name, values in near.items()
    )
    marks = (*_least_mark(traces, tuple(near), found), *_limit(traces, found))
    return Diagram("Lane clearance", STATION, "[m]", traces, marks)


def cone_diagram(
    cones: Sequence[Cone],
    near: Mapping[str, Column],
    widths: Mapping[str, float],
    found: Mapping[str, Finding],
) -> Diagram:
    """How near [m] the sides of each unit come to cones, of those that it passes or hits."""
    x, sides = np.array([cone.x for cone in cones]), np.array([cone.side for cone in cones])
    traces, units = [], []
    for unit, values in near.items():
        for side, words in LANE_SIDES.items():
            here = (sides == side) & (values >= -widths[unit])
            label = f"{unit}, {words}" if len(near) > 1 else words
            traces.append(Trace(label, x[here], values[here]))
            units.append(unit)
    marks = (*_least_mark(traces, units, found), *_limit(traces, found))
    shown = tuple(_broken(trace) for trace in traces)
    return Diagram("Cone clearance", "position of the cone, x [m]", "[m]", shown, marks)


def _broken(trace: Trace) -> Trace:
    """With no number where its cones are farther apart than usual: nothing is known there."""
    gaps = np.diff(trace.x)
    usual = float(np.median(gaps)) if len(gaps) else 0.0
    ends = np.flatnonzero(gaps > _APART * usual) + 1
    x, y = np.insert(trace.x, ends, trace.x[ends]), np.insert(trace.y, ends, np.nan)
    return replace(trace, x=x, y=y)


def _least_mark(
    traces: Sequence[Trace], units: Sequence[str], found: Mapping[str, Finding]
) -> list[Mark]:
    """The positions of the minimum clearances: of all, and of each unit that is listed."""
    lowest: dict[str, tuple[float, float]] = {}
    for trace, unit in zip(traces, units, strict=True):
        for name in (_CLEARANCE, f"{unit}_{_CLEARANCE}"):
            if len(trace.x):
                k = int(np.argmin(trace.y))
                place = float(trace.x[k]), float(trace.y[k])
                lowest[name] = min(lowest.get(name, place), place, key=lambda one: one[1])
    return [point(*place, found[name]) for name, place in lowest.items() if name in found]


def _limit(traces: Sequence[Trace], found: Mapping[str, Finding]) -> list[Mark]:
    """The distance of 0, by which it passes or does not."""
    x = [value for trace in traces for value in trace.x] or [0.0]
    place = float(min(x) + 0.3 * (max(x) - min(x)))
    return [level(place, 0.0, found[name]) for name in ("cones_hit", "passed") if name in found]
