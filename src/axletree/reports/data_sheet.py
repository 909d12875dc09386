"""The data sheet of a model, as a check shows it, and of what was run: masses, centre, loads."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from axletree.components.contract import Inertia
from axletree.core.arguments import check_arguments
from axletree.core.registry import unknown_name
from axletree.expr import Expr, evaluate
from axletree.model.model import Model
from axletree.model_files.read import read_model
from axletree.plot.mechanism import pose_names
from axletree.simulation.instant import state
from axletree.system.edit import with_smooth_forces
from axletree.system.formulation import formulate
from axletree.system.system import System
from axletree.vehicles.data_sheet import DataSheet, SheetRow, data_sheet
from axletree.vehicles.vehicle import Vehicle
from axletree.wheel.wheel import wheels_of

_WIDEST = 100  # characters of a line
_ROUNDING = 1e-12  # of the farthest body's place: what is less is where sides cancel


@dataclass(frozen=True)
class CheckedModel:
    """A model that was read without a problem, and its numbers.

    Example:
    >>> import axletree as at
    >>> checked = at.check("pendulum")
    >>> checked.bodies, checked["mass"]  # kg
    (1, 1.0)
    """

    name: str
    components: int
    bodies: int
    sheet: DataSheet
    manoeuvres: tuple[str, ...]

    def __getitem__(self, name: str) -> float:
        """A number of the data sheet."""
        known = [row.name for row in self.sheet.rows]
        if name not in known:
            raise unknown_name("number", name, known, f"the data sheet of {self.name}")
        return self.sheet[name]

    def __repr__(self) -> str:
        """As ``axletree check`` prints it."""
        bodies = f"{self.bodies} {'body' if self.bodies == 1 else 'bodies'}"
        lines = [f"{self.name}: {self.components} components, {bodies}"]
        width = max((len(row.name) for row in self.sheet.rows), default=0)
        for row in self.sheet.rows:
            unit = "" if row.unit == "1" else row.unit
            lines.append(f"  {row.name:<{width}}  {row.in_words:>10} {unit}".rstrip())
        lines += [f"  unusual: {text}" for text in self.sheet.warnings]
        if self.manoeuvres:
            listed = f"manoeuvres: {', '.join(self.manoeuvres)}"
            lines.append(
                textwrap.fill(listed, _WIDEST, subsequent_indent="  ", break_on_hyphens=False)
            )
        return "\n".join(lines)


def check(model: Model | str | Path) -> CheckedModel:
    """Read a model, if it is a name or a file, and give its data sheet; its problems are raised.

    Example:
    >>> import axletree as at
    >>> checked = at.check("sedan")
    >>> print(f"{checked['front wheel load']:.0f} N, {len(checked.sheet.warnings)} unusual numbers")
    4067 N, 0 unusual numbers
    """
    check_arguments(check, locals())
    described = model if isinstance(model, Model) else read_model(model)
    vehicle = described.described.get("vehicle")
    if isinstance(vehicle, Vehicle):
        sheet = data_sheet(vehicle)
    else:
        sheet = DataSheet(mechanism_sheet(described, formulate(described)), ())
    bodies = sum(len(list(component.inertias())) for component in described)
    return CheckedModel(
        described.name, len(described.components), bodies, sheet, tuple(described.manoeuvres)
    )


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
