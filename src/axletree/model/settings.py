"""What a model file says beside its components: first values, tree and run."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from axletree.core.errors import AxletreeError, ModelError
from axletree.core.registry import section, unknown_name
from axletree.core.units import to_si
from axletree.library.component_signals import signal_value
from axletree.library.edge import ELECTRICAL, MECHANICAL
from axletree.library.signal import Constant
from axletree.model.declaration import RUN, RUN_TIMES
from axletree.model.document import Entry
from axletree.model.model import Model
from axletree.model.problems import Place, Problems, shown
from axletree.model.run import Run
from axletree.model.start import units_of_states, unknown_start

DOMAINS = tuple(domain.name for domain in (*MECHANICAL, ELECTRICAL))
WHOLE_MODEL = ("energy", "momentum")  # first words of outputs that belong to no component


def read_settings(model: Model, top: Mapping[str, Entry], problems: Problems) -> None:
    """Fill in ``start``, ``tree`` and ``run`` of a model whose components are complete."""
    if "start" in top:
        model.start = read_values(model, top["start"], ("start",), problems)
    if "tree" in top:
        model.tree = _tree(model, top["tree"], problems)
    if "run" in top:
        model.run = _run(model, top["run"], problems)


def _mapping(entry: Entry, place: Place, what: str, problems: Problems) -> dict[str, Entry]:
    if isinstance(entry.content, dict):
        return entry.content
    problems.add(entry.line, place, f"expected {what}, got {shown(entry.plain)}")
    return {}


def _words(entry: Entry, place: Place, what: str, problems: Problems) -> list[tuple[str, int]]:
    """A list of texts with their lines."""
    parts = entry.content if isinstance(entry.content, list) else [Entry(None, entry.line)]
    if all(isinstance(part.content, str) for part in parts):
        return [(part.content, part.line) for part in parts]
    problems.add(entry.line, place, f"expected a list of {what}, got {shown(entry.plain)}")
    return []


# -- start ------------------------------------------------------------------------------


def read_values(model: Model, entry: Entry, place: Place, problems: Problems) -> dict[str, float]:
    """Values of states by name, in SI units."""
    units = units_of_states(model)
    found = {}
    for name, value in _mapping(entry, place, "values by name", problems).items():
        if name not in units:
            problems.add(value.line, (*place, name), unknown_start(name, units))
            continue
        try:
            found[name] = to_si(value.plain, expected=units[name])
        except AxletreeError as error:
            problems.add(value.line, (*place, name), str(error))
    return found


# -- tree -------------------------------------------------------------------------------


def _tree(
    model: Model, entry: Entry, problems: Problems
) -> tuple[str, ...] | dict[str, tuple[str, ...]]:
    if not isinstance(entry.content, dict):
        return _components(model, entry, ("tree",), problems)
    found = {}
    for domain, listed in entry.content.items():
        if domain not in DOMAINS:
            text = str(unknown_name("domain", domain, DOMAINS, "a tree"))
            problems.add(listed.line, ("tree", domain), text)
        found[domain] = _components(model, listed, ("tree", domain), problems)
    return found


def _components(model: Model, entry: Entry, place: Place, problems: Problems) -> tuple[str, ...]:
    words = _words(entry, place, "component names", problems)
    names = [component.name for component in model]
    for word, line in words:
        if word not in names:
            problems.add(line, place, str(unknown_name("component", word, names, "this model")))
    return tuple(word for word, _ in words)


# -- run --------------------------------------------------------------------------------


def _run(model: Model, entry: Entry, problems: Problems) -> Run:
    readers: dict[str, Callable[[Model, Entry, Place, Problems], Any]] = {
        "method": _method, "outputs": read_outputs, "inputs": read_inputs,
    }  # fmt: skip
    values: dict[str, Any] = {}
    for key, value in _mapping(entry, ("run",), "a mapping", problems).items():
        if key not in RUN:
            problems.add(value.line, ("run", key), str(unknown_name("key", key, RUN, "a run")))
        elif key in RUN_TIMES:
            values[key] = _duration(key, value, problems)
        else:
            values[key] = readers[key](model, value, ("run", key), problems)
    return dataclasses.replace(model.run, **values)


def _duration(key: str, entry: Entry, problems: Problems) -> float | None:
    try:
        seconds = to_si(entry.plain, expected="s")
    except AxletreeError as error:
        problems.add(entry.line, ("run", key), str(error))
        return None
    if seconds <= 0.0:
        text = f"{seconds:g} s is not allowed, it must be greater than 0"
        problems.add(entry.line, ("run", key), text)
    return seconds


def _method(model: Model, entry: Entry, place: Place, problems: Problems) -> str:
    word = str(entry.plain)[:100]
    methods = section("INTEGRATORS")
    if word not in methods:
        text = str(unknown_name("method", word, methods, "the catalogue"))
        problems.add(entry.line, place, text)
    return word


def read_outputs(model: Model, entry: Entry, place: Place, problems: Problems) -> tuple[str, ...]:
    """Names of outputs, of components that there are."""
    words = _words(entry, place, "names of outputs", problems)
    owners = [*(component.name for component in model), *WHOLE_MODEL]
    for word, line in words:
        owner, dot, _ = word[:200].partition(".")
        if not dot:
            problems.add(line, place, f"expected outputs as component.quantity, got {shown(word)}")
        elif owner not in owners:
            text = str(unknown_name("owner", owner, owners, f"the output {shown(word)}"))
            problems.add(line, place, text)
    return tuple(word for word, _ in words)


def units_of_inputs(model: Model) -> dict[str, str]:
    """The unit of every signal that is left open, by name."""
    quantities = [q for component in model for q in component.inputs()]
    return {q.name: q.unit for q in quantities if not q.derivative_of}


def units_of_followed(model: Model) -> dict[str, str]:
    """The unit of all that signals may follow, by name: inputs, and what a driver has in hand."""
    quantities = [q for component in model for q in component.followed()]
    return {q.name: q.unit for q in quantities if not q.derivative_of}


def read_inputs(model: Model, entry: Entry, place: Place, problems: Problems) -> dict[str, Any]:
    """Signals of inputs by name: numbers in SI units, or expressions of time.

    What a driver has in hand is left out: a file may be read with a driver and without.
    """
    open_inputs = units_of_inputs(model)
    in_hand = units_of_followed(model).keys() - open_inputs.keys()
    found = {}
    for name, value in _mapping(entry, place, "inputs by name", problems).items():
        if name in in_hand:
            continue
        if name not in open_inputs:
            text = str(unknown_name("input", name, open_inputs, "this model"))
            problems.add(value.line, (*place, name), text)
            continue
        owner, _, field = name.partition(".")
        try:
            # The component with this signal in the place of the input checks and makes it.
            closed = dataclasses.replace(model[owner], **{field: value.plain})
        except ModelError as error:
            text = "; ".join(error.problems).removeprefix(f"{name}: ")
            problems.add(value.line, (*place, name), text)
            continue
        given = getattr(closed, field)
        found[name] = given.value if isinstance(given, Constant) else signal_value(closed, field)
    return found
