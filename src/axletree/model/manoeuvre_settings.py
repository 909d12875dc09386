"""Manoeuvres of a model file: what they name must be in the model."""

from __future__ import annotations

from collections.abc import Callable, Set
from pathlib import Path
from typing import Any

from axletree.core.errors import AxletreeError, ModelError
from axletree.core.registry import unknown_name
from axletree.core.units import to_si
from axletree.model.declaration import Declared
from axletree.model.document import Entry
from axletree.model.draft import MANOEUVRES, Draft, add_within, read_drafts
from axletree.model.manoeuvres.contract import (
    INPUTS,
    OUTPUTS,
    PARAMETERS,
    SIGNALS,
    STATE,
    VALUES,
    Manoeuvre,
)
from axletree.model.manoeuvres.told_outputs import TOLD
from axletree.model.model import Model
from axletree.model.problems import Place, Problems
from axletree.model.settings import read_inputs, read_outputs, read_values, units_of_followed
from axletree.model.start import units_of_states, unknown_start


def read_manoeuvres(
    model: Model, entry: Entry, unbuilt: Set[str], problems: Problems, folder: Path | None
) -> dict[str, Manoeuvre]:
    """The manoeuvres by name; ``unbuilt`` components have problems of their own.

    ``folder`` is where files that they name are looked for.
    """
    drafts = read_drafts(entry, folder, problems, MANOEUVRES)
    made = {name: _manoeuvre(model, draft, unbuilt, problems) for name, draft in drafts.items()}
    return {name: found for name, found in made.items() if found is not None}


def _manoeuvre(
    model: Model, draft: Draft | None, unbuilt: Set[str], problems: Problems
) -> Manoeuvre | None:
    if draft is None or not draft.sound:
        return None
    values: dict[str, Any] = {}
    for item, entry in draft.given():
        read = _BY_WORD.get(item.kind.word)
        place = (*draft.place, item.key)
        values[item.field] = (
            entry.plain if read is None else read(model, item, entry, place, unbuilt, problems)
        )
    try:
        made: Manoeuvre = draft.component_class(**values)
    except ModelError as error:
        for text in error.problems:
            own = text.removeprefix(f"{draft.component_class.__name__}, ")
            add_within(draft.entry, draft.place, own, problems)
        return None
    return made


def _driven(
    model: Model, item: Declared, entry: Entry, place: Place, unbuilt: Set[str], problems: Problems
) -> tuple[str, ...]:
    units = units_of_followed(model)
    names: tuple[str, ...] = item.kind.check(entry.plain)
    for name in names:
        if name.partition(".")[0] in unbuilt:
            continue
        if name not in units:
            text = str(unknown_name("input", name, units, "this model"))
            problems.add(entry.line, place, text)
        elif item.kind.unit not in ("1", units[name]):
            text = (
                f"{name} is in {units[name]} and cannot follow what is in {item.kind.unit}; "
                "give its course under 'inputs', for example in a manoeuvre of type coasting"
            )
            problems.add(entry.line, place, text)
    return names


def _state(
    model: Model, item: Declared, entry: Entry, place: Place, unbuilt: Set[str], problems: Problems
) -> str:
    name, units = str(entry.plain), units_of_states(model)
    if name.partition(".")[0] in unbuilt:
        return name
    if name not in units:
        problems.add(entry.line, place, unknown_start(name, units))
    elif units[name] != item.kind.unit:
        text = f"{name} is in {units[name]}; expected a speed in {item.kind.unit}"
        problems.add(entry.line, place, text)
    return name


def _outputs(
    model: Model, item: Declared, entry: Entry, place: Place, unbuilt: Set[str], problems: Problems
) -> tuple[str, ...]:
    return read_outputs(model, entry, place, problems)


def _parameters(
    model: Model, item: Declared, entry: Entry, place: Place, unbuilt: Set[str], problems: Problems
) -> dict[str, float]:
    units = {q.name: q.unit for q in (*model.gravity_quantities, *model.parameters)}
    found = {}
    for name, value in entry.content.items():
        if name.partition(".")[0] in unbuilt:
            continue
        try:
            if name not in units:
                raise unknown_name("parameter", name, units, "this model")
            found[name] = to_si(value.plain, expected=units[name])
        except AxletreeError as error:
            problems.add(value.line, (*place, name), str(error))
    return found


Reader = Callable[[Model, Declared, Entry, Place, Set[str], Problems], Any]

_BY_WORD: dict[str, Reader] = {
    INPUTS: _driven,
    STATE: _state,
    PARAMETERS: _parameters,
    VALUES: lambda model, _, entry, place, __, problems: read_values(model, entry, place, problems),
    SIGNALS: lambda model, _, entry, place, __, problems: read_inputs(
        model, entry, place, problems
    ),
    OUTPUTS: _outputs,
    TOLD: _outputs,
}
