"""What a model file says beside its components: first values, tree, form, run, manoeuvres, plots.

What a manoeuvre names must be in the model. Plots stand under ``plots``, by title: a quantity, a
list of them, or a mapping

    Path in the plane: {x: chassis.x, y: chassis.y}
    Roll angle: {y: chassis.roll, unit: deg}
    Lateral forces: "*_tyre.Fy"

``*`` stands for any characters of a name.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence, Set
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from axletree.components.edges import DOMAINS, Domain
from axletree.components.file_entries import Declared
from axletree.components.signals import Constant, signal_value
from axletree.core.errors import ModelError
from axletree.core.problems import KeyPath, Problems, shown
from axletree.core.registry import section_names, unknown_name
from axletree.core.units import parse_unit, to_si
from axletree.core.yaml_document import Entry
from axletree.metrics.contract import OUTPUT_NAMES
from axletree.model.manoeuvre import INPUTS, OUTPUTS, PARAMETERS, SIGNALS, STATE, VALUES, Manoeuvre
from axletree.model.model import (
    Model,
    Plot,
    Run,
    units_of_start,
    units_of_states,
    unknown_start_text,
)
from axletree.model_files.declaration import PLOT, RUN, RUN_TIMES
from axletree.model_files.drafts import MANOEUVRE_GROUP, Draft, add_within, read_drafts
from axletree.runs.follow_path import FollowPath
from axletree.vehicles.performance_limits import own_pace
from axletree.vehicles.vehicle import Vehicle

_DOMAINS_BY_NAME = {domain.name: domain for domain in DOMAINS}
WHOLE_MODEL = ("energy", "momentum")  # first words of outputs that belong to no component


def read_settings(model: Model, top: Mapping[str, Entry], problems: Problems) -> None:
    """Fill in what stands under ``start``, ``tree``, ``form`` and ``run``; the components of the
    model are complete."""
    if "start" in top:
        units = units_of_start(model)
        model.start = _values_in(units, top["start"], ("start",), problems)
    if "tree" in top:
        model.tree = _tree(model, top["tree"], problems)
    if "form" in top:
        model.form = _form(top["form"], problems)
    if "run" in top:
        model.run = _run(model, top["run"], problems)


def _mapping(entry: Entry, place: KeyPath, what: str, problems: Problems) -> dict[str, Entry]:
    if isinstance(entry.content, dict):
        return entry.content
    problems.add(entry.line, place, f"expected {what}, got {shown(entry.plain)}")
    return {}


def _words(entry: Entry, place: KeyPath, what: str, problems: Problems) -> list[tuple[str, int]]:
    """A list of texts with their lines."""
    parts = entry.content if isinstance(entry.content, list) else [Entry(None, entry.line)]
    if all(isinstance(part.content, str) for part in parts):
        return [(part.content, part.line) for part in parts]
    problems.add(entry.line, place, f"expected a list of {what}, got {shown(entry.plain)}")
    return []


# -- start ------------------------------------------------------------------------------


def read_values(model: Model, entry: Entry, place: KeyPath, problems: Problems) -> dict[str, float]:
    """Values of states by name, in SI units."""
    return _values_in(units_of_states(model), entry, place, problems)


def _values_in(
    units: Mapping[str, str], entry: Entry, place: KeyPath, problems: Problems
) -> dict[str, float]:
    found = {}
    for name, value in _mapping(entry, place, "values by name", problems).items():
        if name not in units:
            problems.add(value.line, (*place, name), unknown_start_text(name, units))
            continue
        with problems.gathered(value.line, (*place, name)):
            found[name] = to_si(value.plain, expected=units[name])
    return found


# -- tree -------------------------------------------------------------------------------


def _tree(
    model: Model, entry: Entry, problems: Problems
) -> tuple[str, ...] | dict[str, tuple[str, ...]]:
    if not isinstance(entry.content, dict):
        return _components(model, entry, ("tree",), problems, list(_DOMAINS_BY_NAME.values()))
    found = {}
    for domain, listed in entry.content.items():
        if domain not in _DOMAINS_BY_NAME:
            unknown = unknown_name("domain", domain, _DOMAINS_BY_NAME, "a tree")
            problems.add(listed.line, ("tree", domain), unknown)
        wanted = (
            [_DOMAINS_BY_NAME[domain]]
            if domain in _DOMAINS_BY_NAME
            else list(_DOMAINS_BY_NAME.values())
        )
        found[domain] = _components(model, listed, ("tree", domain), problems, wanted)
    return found


def _components(
    model: Model, entry: Entry, place: KeyPath, problems: Problems, domains: Sequence[Domain]
) -> tuple[str, ...]:
    words = _words(entry, place, "component names", problems)
    names = [component.name for component in model]
    joined = [c.name for c in model if any(edge.domain in domains for edge in c.edges())]
    for word, line in words:
        if word not in names:
            problems.add(line, place, unknown_name("component", word, joined, "this model"))
    return tuple(word for word, _ in words)


def _form(entry: Entry, problems: Problems) -> str | None:
    names = section_names("FORMS")
    if isinstance(entry.content, str) and entry.content in names:
        return entry.content
    if isinstance(entry.content, str):
        told = str(unknown_name("form", entry.content, names, "the catalogue"))
    else:
        told = f"expected the name of a form, got {shown(entry.plain)}; known: {', '.join(names)}"
    problems.add(entry.line, ("form",), told)
    return None


_UNDIVIDED = 1e-3  # s, at most, of a step in place of one that was proposed for another method


# -- run --------------------------------------------------------------------------------


def _run(model: Model, entry: Entry, problems: Problems) -> Run:
    readers: dict[str, Callable[[Model, Entry, KeyPath, Problems], Any]] = {
        "method": _method, "outputs": read_outputs, "inputs": read_inputs,
    }  # fmt: skip
    values: dict[str, Any] = {}
    for key, value in _mapping(entry, ("run",), "a mapping", problems).items():
        if key not in RUN:
            problems.add(value.line, ("run", key), unknown_name("key", key, RUN, "a run"))
        elif key in RUN_TIMES:
            values[key] = _duration(key, value, problems)
        else:
            values[key] = readers[key](model, value, ("run", key), problems)
    if values.get("method", model.run.method) != model.run.method and model.run.step is not None:
        values.setdefault("step", min(model.run.step, _UNDIVIDED))
    return dataclasses.replace(model.run, **values)


def _duration(key: str, entry: Entry, problems: Problems) -> float | None:
    with problems.gathered(entry.line, ("run", key)):
        seconds = to_si(entry.plain, expected="s")
        if seconds <= 0.0:
            raise ModelError(f"{seconds:g} s is not allowed, it must be greater than 0")
        return seconds
    return None


def _method(model: Model, entry: Entry, place: KeyPath, problems: Problems) -> str:
    word = str(entry.plain)[:100]
    methods = section_names("INTEGRATORS")
    if word not in methods:
        problems.add(entry.line, place, unknown_name("method", word, methods, "the catalogue"))
    return word


def read_outputs(model: Model, entry: Entry, place: KeyPath, problems: Problems) -> tuple[str, ...]:
    """Names of outputs, of components that there are."""
    words = _words(entry, place, "names of outputs", problems)
    owners = [*(component.name for component in model), *WHOLE_MODEL]
    for word, line in words:
        owner, dot, _ = word[:200].partition(".")
        if not dot:
            problems.add(line, place, f"expected outputs as component.quantity, got {shown(word)}")
        elif owner not in owners:
            unknown = unknown_name("owner", owner, owners, f"the output {shown(word)}")
            problems.add(line, place, unknown)
    return tuple(word for word, _ in words)


def units_of_inputs(model: Model) -> dict[str, str]:
    """The unit of every signal that is left open, by name."""
    quantities = [q for component in model for q in component.inputs()]
    return {q.name: q.unit for q in quantities if not q.derivative_of}


def units_of_followed(model: Model) -> dict[str, str]:
    """The unit of all that signals may follow, by name: inputs, and what a driver has in hand."""
    quantities = [q for component in model for q in component.followed()]
    return {q.name: q.unit for q in quantities if not q.derivative_of}


def read_inputs(model: Model, entry: Entry, place: KeyPath, problems: Problems) -> dict[str, Any]:
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
            unknown = unknown_name("input", name, open_inputs, "this model")
            problems.add(value.line, (*place, name), unknown)
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


def read_manoeuvres(
    model: Model, entry: Entry, unbuilt: Set[str], problems: Problems, folder: Path | None
) -> dict[str, Manoeuvre]:
    """The manoeuvres by name; ``unbuilt`` components have problems of their own.

    ``folder`` is where files that they name are looked for.
    """
    drafts = read_drafts(entry, folder, problems, MANOEUVRE_GROUP)
    made = {name: _manoeuvre(model, draft, unbuilt, problems) for name, draft in drafts.items()}
    return {name: found for name, found in made.items() if found is not None}


def _manoeuvre(
    model: Model, draft: Draft | None, unbuilt: Set[str], problems: Problems
) -> Manoeuvre | None:
    if draft is None or not draft.sound:
        return None
    values: dict[str, Any] = {}
    for item, entry in draft.given():
        at = _Setting(model, item, entry, (*draft.place, item.key), unbuilt, problems)
        values[item.field] = _BY_WORD.get(item.kind.word, _plain)(at)
    try:
        made: Manoeuvre = draft.component_class(**values)
    except ModelError as error:
        for text in error.problems:
            own = text.removeprefix(f"{draft.component_class.__name__}, ")
            add_within(draft.entry, draft.place, own, problems)
        return None
    return _of_vehicle(model, made, draft, problems)


def _of_vehicle(
    model: Model, made: Manoeuvre, draft: Draft, problems: Problems
) -> Manoeuvre | None:
    """With the pace of the vehicle that the file describes, where one asks for a share of it."""
    if not isinstance(made, FollowPath) or made.pace is None or not made.pace.share:
        return made
    vehicle = model.described.get("vehicle")
    if isinstance(vehicle, Vehicle):
        return dataclasses.replace(made, pace=own_pace(made.pace, vehicle))
    text = "a share is of what a described vehicle holds, and there is no section `vehicle`; "
    add_within(draft.entry, draft.place, f"pace: {text}give limits in m/s^2", problems)
    return None


@dataclasses.dataclass(frozen=True)
class _Setting:
    """A field of a manoeuvre as the file writes it."""

    model: Model
    item: Declared
    entry: Entry
    place: KeyPath
    unbuilt: Set[str]
    problems: Problems

    def add(self, problem: object) -> None:
        self.problems.add(self.entry.line, self.place, problem)

    def is_unbuilt(self, name: str) -> bool:
        """Whether the component of a quantity has problems of its own."""
        return name.partition(".")[0] in self.unbuilt

    def read(self, reader: Callable[[Model, Entry, KeyPath, Problems], Any]) -> Any:
        return reader(self.model, self.entry, self.place, self.problems)


def _plain(at: _Setting) -> Any:
    return at.entry.plain


def _driven(at: _Setting) -> tuple[str, ...]:
    units, unit = units_of_followed(at.model), at.item.kind.unit
    names: tuple[str, ...] = at.item.kind.check(at.entry.plain)
    for name in names:
        if at.is_unbuilt(name):
            continue
        if name not in units:
            fitting = [one for one, own in units.items() if unit in ("1", own)]
            at.add(unknown_name("input", name, fitting, "this model"))
        elif unit not in ("1", units[name]):
            at.add(
                f"{name} is in {units[name]} and cannot follow what is in {unit}; "
                "give its course under 'inputs', for example in a manoeuvre of type coasting"
            )
    return names


def _state(at: _Setting) -> str:
    name, units, unit = str(at.entry.plain), units_of_states(at.model), at.item.kind.unit
    if not at.is_unbuilt(name):
        if name not in units:
            fitting = {one: own for one, own in units.items() if own == unit}
            at.add(unknown_start_text(name, fitting))
        elif units[name] != unit:
            at.add(f"{name} is in {units[name]}; expected a speed in {unit}")
    return name


def _parameters(at: _Setting) -> dict[str, float]:
    units = {q.name: q.unit for q in (*at.model.gravity_quantities, *at.model.parameters)}
    found = {}
    for name, value in at.entry.content.items():
        with at.problems.gathered(value.line, (*at.place, name)):
            if at.is_unbuilt(name):
                continue
            if name not in units:
                raise unknown_name("parameter", name, units, "this model")
            found[name] = to_si(value.plain, expected=units[name])
    return found


_BY_WORD: dict[str, Callable[[_Setting], Any]] = {
    INPUTS: _driven,
    STATE: _state,
    PARAMETERS: _parameters,
    VALUES: lambda at: at.read(read_values),
    SIGNALS: lambda at: at.read(read_inputs),
    OUTPUTS: lambda at: at.read(read_outputs),
    OUTPUT_NAMES: lambda at: at.read(read_outputs),
}


def read_plots(
    model: Model, entry: Entry, unbuilt: Set[str], problems: Problems
) -> tuple[Plot, ...]:
    """The plots of a file, in its order; ``unbuilt`` are components that have problems already."""
    if not isinstance(entry.content, dict):
        text = f"expected plots by title, got {shown(entry.plain)}"
        problems.add(entry.line, ("plots",), text)
        return ()
    owners = [*(component.name for component in model), *sorted(unbuilt), *WHOLE_MODEL]
    return tuple(_plot(owners, title, given, problems) for title, given in entry.content.items())


def _plot(owners: Sequence[str], title: str, entry: Entry, problems: Problems) -> Plot:
    place = ("plots", title)
    given = entry.content if isinstance(entry.content, dict) else {"y": entry}
    for key in given:
        if key not in PLOT:
            unknown = unknown_name("key", key, PLOT, "a plot")
            problems.add(given[key].line, (*place, key), unknown)
    if "y" not in given:
        problems.add(entry.line, place, f"the key 'y' is missing: {PLOT['y']}")
    y = _names(owners, given, "y", place, problems)
    x = _names(owners, given, "x", place, problems)
    if len(x) > 1 or any("*" in name for name in x):
        problems.add(given["x"].line, (*place, "x"), "expected one quantity")
    return Plot(title, y, x[0] if x else "", _unit(given, place, problems))


def _names(
    owners: Sequence[str], given: Mapping[str, Entry], key: str, place: KeyPath, problems: Problems
) -> tuple[str, ...]:
    if key not in given:
        return ()
    entry = given[key]
    parts = entry.content if isinstance(entry.content, list) else [entry]
    found = []
    for part in parts:
        problem = _wrong_name(owners, part.content)
        if problem:
            problems.add(part.line, (*place, key), problem)
        else:
            found.append(str(part.content))
    return tuple(found)


def _wrong_name(owners: Sequence[str], name: Any) -> str:
    if not isinstance(name, str) or "." not in name:
        return f"expected a quantity as component.quantity, got {shown(name)}"
    owner = name.partition(".")[0]
    if any(fnmatchcase(known, owner) for known in owners):
        return ""
    return str(unknown_name("owner", owner[:100], owners, f"the quantity {shown(name)}"))


def _unit(given: Mapping[str, Entry], place: KeyPath, problems: Problems) -> str:
    if "unit" not in given:
        return ""
    text = str(given["unit"].plain)
    with problems.gathered(given["unit"].line, (*place, "unit")):
        parse_unit(text)
    return text


def written_plots(plots: Sequence[Plot]) -> dict[str, Any]:
    """As ``read_plots`` reads them."""
    content: dict[str, Any] = {}
    for plot in plots:
        y: Any = plot.y[0] if len(plot.y) == 1 else list(plot.y)
        more = {key: value for key, value in (("x", plot.x), ("unit", plot.unit)) if value}
        content[plot.title] = {"y": y, **more} if more else y
    return content


def plots_schema() -> dict[str, Any]:
    """The JSON schema of ``plots``."""
    one: dict[str, Any] = {"type": "string"}
    names = {"oneOf": [one, {"type": "array", "items": one}]}
    values = {"y": names, "x": one, "unit": one}
    described = {key: values[key] | {"description": text} for key, text in PLOT.items()}
    full = {
        "type": "object", "properties": described, "additionalProperties": False,
        "required": ["y"],
    }  # fmt: skip
    return {"type": "object", "additionalProperties": {"oneOf": [*names["oneOf"], full]}}
