"""How near a vehicle is to tipping over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.model.manoeuvres.diagram import Diagram, Mark, by_name, level, over_time, point
from axletree.model.manoeuvres.findings import Column, Columns, Finding, first_record
from axletree.model.manoeuvres.metric import Metric, several_named

SIDES = ("left", "right")


@dataclass(frozen=True)
class Rollover(Metric):
    """By the loads of the wheels of axles that roll together.

    The load transfer ratio is |sum of (left - right)| / sum of (left + right); at 1 all wheels of a
    side are off the ground.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import Trajectory
    >>> left, right = np.array([4e3, 1e3]), np.array([4e3, 7e3])  # N
    >>> loads = {"rear_left_tyre.Fz": left, "rear_right_tyre.Fz": right}
    >>> run = Trajectory("car", np.array([0.0, 1.0]), loads, {}, ())
    >>> [one.in_words for one in at.Rollover(axles=["rear"]).findings(run)]  # 6000 / 8000, 1/4, 0
    ['0.75', '25 %', '0']
    """

    summary: ClassVar[str] = "load transfer ratio and wheels that lift"
    needs: ClassVar[tuple[str, ...]] = ()

    axles: tuple[str, ...] = several_named("axles by their names in the model")

    @property
    def reads(self) -> tuple[str, ...]:
        return tuple(f"{axle}_{side}_tyre.Fz" for axle in self.axles for side in SIDES)

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        loads = np.array([run[name] for name in self.reads])
        moved = _moved(loads)
        standing = np.maximum(loads[:, :1], np.finfo(float).tiny)
        least = float(np.min(loads / standing))
        lifted = int(np.sum(np.any(loads <= 0.0, axis=1)))
        return (
            Finding("load_transfer_ratio", float(np.max(moved)), "1",
                    "greatest load transfer ratio"),
            Finding("least_wheel_load", 100.0 * least, "%",
                    "least load of a wheel over that at the beginning"),
            Finding("wheels_lifted", float(lifted), "1", "number of wheels that left the ground"),
        )  # fmt: skip

    def diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found = by_name(self.findings(run))
        loads = np.array([run[name] for name in self.reads])
        moved = _moved(loads)
        top = int(np.argmax(moved))
        share = 100.0 * loads / np.maximum(loads[:, :1], np.finfo(float).tiny)
        wheel, least = np.unravel_index(int(np.argmin(share)), share.shape)
        names = [name.removesuffix("_tyre.Fz").replace("_", " ") for name in self.reads]
        marks = [point(float(run.time[top]), float(moved[top]), found["load_transfer_ratio"])]
        if moved[top] > 0.5:
            marks.append(level(0.7 * float(run.time[-1]), 1.0, "a side is off the ground"))
        low = point(float(run.time[least]), float(share[wheel, least]), found["least_wheel_load"])
        off = level(0.3 * float(run.time[-1]), 0.0, found["wheels_lifted"])
        courses = dict(zip(names, share, strict=True))
        lifts = _lifts(run.time, courses)
        return (
            over_time("Load transfer ratio", "1", run.time, {"": moved}, marks),
            over_time("Wheel loads over those at the beginning", "%", run.time, courses,
                      [low, off, *lifts]),
        )  # fmt: skip


def _lifts(time: Column, courses: dict[str, Column]) -> list[Mark]:
    """Where each wheel first leaves the ground."""
    first = {name: first_record(course <= 0.0) for name, course in courses.items()}
    return [
        point(float(time[k]), float(courses[name][k]), f"{name} lifts")
        for name, k in first.items()
        if k is not None
    ]


def _moved(loads: Column) -> Column:
    """The load transfer ratio [1]."""
    left, right = loads[::2], loads[1::2]
    difference, total = (left - right).sum(axis=0), (left + right).sum(axis=0)
    return np.asarray(np.abs(difference) / np.maximum(total, np.finfo(float).tiny))
