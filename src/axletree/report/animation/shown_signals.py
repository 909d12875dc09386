"""The numbers beside the picture: what a vehicle's sensors tell, or what a model plots."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from axletree.core.plotted_unit import plotted_unit
from axletree.core.unit_text import printed_unit
from axletree.model.model import Model
from axletree.report.animation.courses import Courses
from axletree.report.animation.scene import ShownSignal
from axletree.report.animation.wheel_actors import ShownWheel

MOST = 6
KILO = 1e3  # N, of the greatest force, from which on they are told in kN
OF_VEHICLE = (
    "forward_speed", "lateral_acceleration", "yaw_rate", "sideslip", "roll", "pitch",
)  # fmt: skip


def shown_signals(
    model: Model, courses: Courses, wheels: Sequence[ShownWheel]
) -> tuple[ShownSignal, ...]:
    """Of the whole, then of each wheel: how hard the ground pushes, how deep it has sunk."""
    units = _units(courses)
    names = _names(model, courses, units)
    values = courses.values(names) if names else {}
    found = [_signal(name, values[name], units[name]) for name in names]
    sizes = {w.component.name: np.linalg.norm(w.force.vector, axis=1) for w in wheels if w.force}
    greatest = max((float(size.max()) for size in sizes.values()), default=0.0)
    unit, newtons = ("kN", 1e3) if greatest >= KILO else ("N", 1.0)
    for wheel in wheels:
        if wheel.force is not None:
            size = sizes[wheel.component.name] / newtons
            found.append(ShownSignal("force", unit, size, *_owner(wheel)))
        if wheel.rut is not None:
            found.append(ShownSignal("sinkage", "mm", 1e3 * wheel.rut.sinkage, *_owner(wheel)))
    return tuple(found)


def _owner(wheel: ShownWheel) -> tuple[str, str]:
    return wheel.component.name, wheel.actor.colour


def _units(courses: Courses) -> dict[str, str]:
    system = courses.system
    computed = (d.quantity for d in (*system.outputs, *system.intermediates))
    own = {q.name: q.unit for q in (*system.states, *computed)}
    return own | dict(courses.run.units)


def _names(model: Model, courses: Courses, units: dict[str, str]) -> list[str]:
    sensed = [f"vehicle.{word}" for word in OF_VEHICLE if courses.has(f"vehicle.{word}")]
    if sensed:
        return sensed
    plotted = [(plot.matches(sorted(units)) or [""])[0] for plot in model.plots]
    known = [name for name in dict.fromkeys(plotted) if name and courses.has(name)]
    if known:
        return known[:MOST]
    states = [q.name for q in courses.system.states if not q.derivative_of]
    angles = [name for name in states if not name.endswith(("rate", "speed"))]
    return (angles or states)[:MOST]


def _signal(name: str, values: np.ndarray, unit: str) -> ShownSignal:
    values = np.nan_to_num(np.asarray(values, dtype=float))
    shown, factor = plotted_unit(unit, float(np.abs(values).max(initial=0.0)))
    shown = "" if shown == "1" else printed_unit(shown.replace("deg", "°"))
    label = name.removeprefix("vehicle.").replace("_", " ").replace(".", " ")
    return ShownSignal(label, shown, values * factor)
