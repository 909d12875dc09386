"""Curves of a drive along a path, each finding marked at its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from axletree.library.paths.contract import Cone
from axletree.model.manoeuvres.diagram import Diagram, Mark, Trace, level, point
from axletree.model.manoeuvres.findings import Column, Finding
from axletree.model.manoeuvres.path_clearances import CLEARANCE

STATION = "way along the path [m]"
APART = 1.5  # times the usual distance of cones on one side: a curve is broken there
SIDES = {1.0: "cones on the left", -1.0: "cones on the right"}


def offset_diagram(station: Column, offset: Column, farthest: Finding) -> Diagram:
    """The distance from the path [m], positive to the left."""
    top = int(np.argmax(np.abs(offset)))
    mark = point(float(station[top]), float(offset[top]), farthest)
    trace = (Trace("", station, offset),)
    return Diagram("Distance from the path", STATION, "to the left [m]", trace, (mark,))


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
    traces = (Trace("run", *driven), Trace("at the speeds of the pace", *planned, is_guide=True))
    return Diagram("Way along the path", "time [s]", "[m]", traces, marks)


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
    marks = (*_least(traces, tuple(near), found), *_limit(traces, found))
    return Diagram("Distance within the lane", STATION, "[m]", traces, marks)


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
        for side, words in SIDES.items():
            here = (sides == side) & (values >= -widths[unit])
            label = f"{unit}, {words}" if len(near) > 1 else words
            traces.append(Trace(label, x[here], values[here]))
            units.append(unit)
    marks = (*_least(traces, units, found), *_limit(traces, found))
    shown = tuple(_broken(trace) for trace in traces)
    return Diagram("Distance from cones", "place of the cone, x [m]", "[m]", shown, marks)


def _broken(trace: Trace) -> Trace:
    """With no number where its cones are farther apart than usual: nothing is told there."""
    gaps = np.diff(trace.x)
    usual = float(np.median(gaps)) if len(gaps) else 0.0
    ends = np.flatnonzero(gaps > APART * usual) + 1
    x, y = np.insert(trace.x, ends, trace.x[ends]), np.insert(trace.y, ends, np.nan)
    return replace(trace, x=x, y=y)


def _least(
    traces: Sequence[Trace], units: Sequence[str], found: Mapping[str, Finding]
) -> list[Mark]:
    """The places of the least distances: of all, and of each unit that is told of."""
    lowest: dict[str, tuple[float, float]] = {}
    for trace, unit in zip(traces, units, strict=True):
        for name in (CLEARANCE, f"{unit}_{CLEARANCE}"):
            if len(trace.x):
                k = int(np.argmin(trace.y))
                place = float(trace.x[k]), float(trace.y[k])
                lowest[name] = min(lowest.get(name, place), place, key=lambda one: one[1])
    return [point(*place, found[name]) for name, place in lowest.items() if name in found]


def _limit(traces: Sequence[Trace], found: Mapping[str, Finding]) -> list[Mark]:
    """The distance of 0, by which it passes or does not."""
    x = [value for trace in traces for value in trace.x] or [0.0]
    place = float(min(x) + 0.3 * (max(x) - min(x)))
    return [level(place, 0.0, found[name]) for name in ("cones", "passed") if name in found]
