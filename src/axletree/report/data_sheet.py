"""The data sheet of what was run: of any mechanism its mass, centre of mass and what its wheels
carry at the start; of a vehicle its own sheet; and the part of a report that shows them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from axletree.components.exchange import Inertia
from axletree.core.units import printed_unit
from axletree.expr import Expr, evaluate
from axletree.model.model import Model
from axletree.report import page
from axletree.simulation.instant import state
from axletree.system.system import System
from axletree.vehicles.data_sheet import SheetRow, data_sheet
from axletree.vehicles.vehicle import Vehicle
from axletree.wheel.wheel import wheels_of

ROUNDING = 1e-12  # of the farthest body's place: what is less is where sides cancel


def mechanism_sheet(model: Model, system: System) -> tuple[SheetRow, ...]:
    """Of the model as it starts: it may be on the move, and lean."""
    values = _values_at_start(system)
    return (*_of_masses(model, system, values), *_of_wheels(model, system, values))


def _values_at_start(system: System) -> dict[Expr, float]:
    states = state(system)
    values = {system.time.symbol: 0.0}
    values |= {q.symbol: q.default for q in (*system.parameters, *system.inputs)}
    return values | {q.symbol: states[q.name] for q in system.states}


def _of_masses(model: Model, system: System, values: dict[Expr, float]) -> Iterator[SheetRow]:
    found = [inertia for component in model for inertia in component.inertias()]
    masses = [_mass(inertia, system) for inertia in found]
    total = sum(masses)
    if not total:
        return
    yield SheetRow("mass", total, "kg")
    yield SheetRow("weight", total * float(np.linalg.norm(model.gravity)), "N")
    places = [_centre(inertia, system, values) for inertia in found]
    known = [place for place in places if place is not None]
    if len(known) == len(places):
        centre = np.array(masses) @ np.array(known) / total
        centre[np.abs(centre) < ROUNDING * np.abs(known).max()] = 0.0
        for word, value in zip("xyz", centre, strict=True):
            yield SheetRow(f"{word} of the centre of mass", float(value), "m")


def _known(system: System) -> dict[Expr, float]:
    return {q.symbol: q.default for q in system.parameters}


def _mass(inertia: Inertia, system: System) -> float:
    return float(evaluate([inertia.mass], _known(system))[0])


def _centre(inertia: Inertia, system: System, values: dict[Expr, float]) -> np.ndarray | None:
    """Of a body, in ground axes [m]; None for one whose place is not told."""
    outputs = {d.quantity.name: d.expression for d in system.outputs}
    frame = inertia.frame
    names = [f"{frame.body}.position.{axis}" for axis in "xyz"]
    names += [f"{frame.body}.rotation.{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)]
    if not set(names) <= outputs.keys():
        return None
    told = np.array(evaluate([outputs[name] for name in names], values), dtype=float)
    offset = np.array(evaluate(list(inertia.centre), values), dtype=float)
    in_body = np.array(frame.position) + np.array(frame.turn) @ offset
    return np.asarray(told[:3] + told[3:].reshape(3, 3) @ in_body)


def _of_wheels(model: Model, system: System, values: dict[Expr, float]) -> Iterator[SheetRow]:
    told = {d.quantity.name: d.expression for d in (*system.intermediates, *system.outputs)}
    for wheel in wheels_of(model):
        name = f"{wheel.name}.{wheel.outputs.load}"
        if name in told:
            load = float(evaluate([told[name]], values)[0])
            words = wheel.name.replace("_", " ")
            yield SheetRow(f"load of {words} at the start", load, "N")


FEW = 8  # rows that stay in one column


def sheet_section(model: Model, system: System) -> str:
    """What ``axletree check`` prints; of a vehicle also what of it is unusual."""
    vehicle = model.described.get("vehicle")
    if not isinstance(vehicle, Vehicle):
        return _table(mechanism_sheet(model, system))
    sheet = data_sheet(vehicle)
    return _table(sheet.rows) + "".join(page.notice(f"Unusual: {text}") for text in sheet.warnings)


def _table(rows: tuple[SheetRow, ...]) -> str:
    told = [(row.name.replace("_", " "), _in_words(row.value), _unit(row)) for row in rows]
    half = -(-len(told) // 2) if len(told) > FEW else len(told)
    return page.in_columns(*(page.table(("", "", ""), part) for part in (told[:half], told[half:])))


def _unit(row: SheetRow) -> str:
    return "" if row.unit == "1" else printed_unit(row.unit)


def _in_words(value: float) -> str:
    """Four digits, and no exponent of what people write in full, such as 74960 N/rad."""
    return f"{float(f'{value:.4g}'):.7g}"
