"""The data sheet of what was run: its mass, centre of mass and initial wheel loads."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from axletree.components.contract import Inertia
from axletree.expr import Expr, evaluate
from axletree.model.model import Model
from axletree.plot.mechanism import pose_names
from axletree.simulation.instant import state
from axletree.system.edit import with_smooth_forces
from axletree.system.system import System
from axletree.vehicles.data_sheet import SheetRow
from axletree.wheel.wheel import wheels_of

_ROUNDING = 1e-12  # of the farthest body's place: what is less is where sides cancel


def mechanism_sheet(model: Model, system: System) -> tuple[SheetRow, ...]:
    """Of the model as it starts: it may be on the move, and lean."""
    system = with_smooth_forces(system)
    values = _values_at_start(system)
    return (*_of_masses(model, system, values), *_of_wheels(model, system, values))


def _values_at_start(system: System) -> dict[Expr, float]:
    states = state(system)
    values = {system.time.symbol: 0.0}
    values |= {q.symbol: q.default for q in (*system.parameters, *system.inputs)}
    return values | {q.symbol: states[q.name] for q in system.states}


def _of_masses(model: Model, system: System, values: dict[Expr, float]) -> Iterator[SheetRow]:
    found = [inertia for component in model for inertia in component.inertias()]
    known = {q.symbol: q.default for q in system.parameters}
    masses = [float(evaluate([inertia.mass], known)[0]) for inertia in found]
    total = sum(masses)
    if not total:
        return
    yield SheetRow("mass", total, "kg")
    yield SheetRow("weight", total * float(np.linalg.norm(model.gravity)), "N")
    places = [_centre(inertia, system, values) for inertia in found]
    shown = [place for place in places if place is not None]
    if len(shown) == len(places):
        centre = np.array(masses) @ np.array(shown) / total
        centre[np.abs(centre) < _ROUNDING * np.abs(shown).max()] = 0.0
        for word, value in zip("xyz", centre, strict=True):
            yield SheetRow(f"{word} of the centre of mass", float(value), "m")


def _centre(inertia: Inertia, system: System, values: dict[Expr, float]) -> np.ndarray | None:
    """Of a body, in ground axes [m]; None for one whose position is no output."""
    outputs = {d.quantity.name: d.expression for d in system.outputs}
    frame = inertia.frame
    names = pose_names(frame.body)
    if not set(names) <= outputs.keys():
        return None
    pose = np.array(evaluate([outputs[name] for name in names], values), dtype=float)
    offset = np.array(evaluate(list(inertia.centre), values), dtype=float)
    in_body = np.array(frame.position) + np.array(frame.turn) @ offset
    return np.asarray(pose[:3] + pose[3:].reshape(3, 3) @ in_body)


def _of_wheels(model: Model, system: System, values: dict[Expr, float]) -> Iterator[SheetRow]:
    known = {d.quantity.name: d.expression for d in (*system.intermediates, *system.outputs)}
    for wheel in wheels_of(model):
        name = f"{wheel.name}.{wheel.outputs.load}"
        if name in known:
            load = float(evaluate([known[name]], values)[0])
            yield SheetRow(f"initial load of {wheel.name.replace('_', ' ')}", load, "N")
