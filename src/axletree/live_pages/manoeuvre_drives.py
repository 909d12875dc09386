"""Manoeuvres that a live page shows: what their drivers do with wheel and pedals, over time.

A manoeuvre is driven here, by its signals or by the driver who follows its path; the page sets
the same values before its own steps, and a person may take over. Steps and filters of inputs
differ, so that the page's drive stays near to the run and is not the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from axletree.analysis.drive import begin_drive, first_levels, with_manoeuvre
from axletree.core.progress import doing
from axletree.live_pages.live_controls import KEYED
from axletree.model.model import Model
from axletree.runs.follow_path import FollowPath
from axletree.simulation.problem import SettingsError
from axletree.simulation.stepper.step_program import StartPoint
from axletree.system.formulation import formulate
from axletree.system.system import System
from axletree.wheel.wheel import wheels_of

_GAP: Final = 0.01  # s, between values that are set
_LAG: Final = 0.01  # s, of the filter that a stepper's steering goes through: twice its 5 ms
_LONGEST: Final = 120.0  # s


@dataclass(frozen=True)
class ManoeuvreDrive:
    """How a manoeuvre begins, and what is set while it goes on."""

    name: str
    start: StartPoint
    orders: tuple[tuple[float, str, float], ...]  # time [s], input, value in SI units
    span: float  # s
    course: str  # of the path that it follows, "" for none


def manoeuvre_drives(
    model: Model, system: System, names: Sequence[str], parameters: Mapping[str, float | str]
) -> list[ManoeuvreDrive]:
    """Of manoeuvres of a vehicle by body and axles, with these parameters."""
    return [_drive(model, system, name, parameters) for name in names]


def _drive(
    model: Model, system: System, name: str, parameters: Mapping[str, float | str]
) -> ManoeuvreDrive:
    changed, manoeuvre = with_manoeuvre(model, name)
    assert isinstance(changed, Model)
    driven = formulate(changed)
    if missing := _not_shown(model, system, changed, driven):
        raise SettingsError(
            f"the manoeuvre {name!r} cannot be shown in a live page: {missing}; leave it out"
        )
    with doing(f"driving {name}"):
        run = changed.drive(manoeuvre, parameters=dict(parameters))
    begun = begin_drive(driven, manoeuvre, parameters)
    levels = first_levels(driven, begun.inputs)
    time = np.arange(0.0, min(float(run.time[-1]), _LONGEST) + 0.5 * _GAP, _GAP)
    keyed = [word for word in KEYED if word in {q.name for q in system.inputs}]
    courses = {}
    for word in keyed:
        if word in run:
            late = _LAG if word.endswith("steering") else 0.0
            courses[word] = np.interp(time + late, run.time, run[word])
        elif word in levels:
            courses[word] = np.full(len(time), levels[word])
    inputs = [
        0.0 if q.derivative_of else
        float(courses[q.name][0]) if q.name in courses else levels.get(q.name, q.default)
        for q in system.inputs
    ]  # fmt: skip
    states = np.array([run[q.name][0] for q in system.states], dtype=float)
    start = StartPoint(name, f"beginning of the manoeuvre {name}", states, np.array(inputs))
    return ManoeuvreDrive(
        name, start, tuple(_orders(time, courses)), float(time[-1]),
        name if isinstance(manoeuvre, FollowPath) else "",
    )  # fmt: skip


def _orders(time: np.ndarray, courses: Mapping[str, np.ndarray]) -> list[tuple[float, str, float]]:
    """Values that change, in the order of time."""
    found = []
    for k, t in enumerate(time.tolist()):
        for name, course in courses.items():
            if k == 0 or course[k] != course[k - 1]:
                found.append((t, name, float(course[k])))
    return found


def _not_shown(model: Model, system: System, changed: Model, driven: System) -> str:
    """Why the page's model is not the one that is driven; "" if it is, but for the driver."""
    known = {q.name for q in driven.states}
    if other := [q.name for q in system.states if q.name not in known]:
        return f"it has no {other[0]}"
    own = {wheel.name: wheel for wheel in wheels_of(model)}
    for wheel in wheels_of(changed):
        if wheel.name not in own or wheel.road.body != own[wheel.name].road.body:
            return f"{wheel.name} stands on something else"
        if wheel.surface != own[wheel.name].surface:
            return "it has another ground"
    return ""
