"""What a run needs before it can begin, kept by what it follows from: a second run begins at once.

The equations of a model and the steady state in which a manoeuvre begins follow from the files that
the model is read from, from options, and from the program itself. Where all of these are as they
were, both are read from the cache. A model in Python, or one with functions in C, is prepared each
time.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from axletree.analysis.drive import drive_start, level_by_share
from axletree.components.loads import SpeedKeeper
from axletree.core.cache import key_of, read_entry, write_entry
from axletree.equations.equations import Equations
from axletree.equations.tree import TreeChoice
from axletree.model.manoeuvre import Manoeuvre
from axletree.model.model import Model
from axletree.model_files.included_files import SUFFIXES
from axletree.simulation.control.controllers import ControlLoop
from axletree.system.forms.contract import Form
from axletree.system.stored_system import stored_system, system_of_store
from axletree.system.system import System
from axletree.vehicles.vehicle import Vehicle


def description_key(source: str, files: Sequence[Path], *further: object) -> str | None:
    """Of a model that was read from its source and these files; None if it cannot be known."""
    if source.rpartition(":")[0].endswith(".py"):
        return None
    own = [Path(source)] if source.endswith(SUFFIXES) else []
    try:
        contents = [(str(path), hashlib.sha256(path.read_bytes()).hexdigest())
                    for path in (*own, *files)]  # fmt: skip
    except OSError:
        return None
    return key_of("model", source, contents, *further)


def unusual_values(model: Model, key: str | None) -> list[str]:
    """Implausible values of a vehicle's data sheet, looked for now or on an earlier day."""
    vehicle = model.described.get("vehicle")
    if not isinstance(vehicle, Vehicle):
        return []
    name = None if key is None else key_of("unusual", key)
    known: list[str] | None = None if name is None else read_entry(name)
    if known is not None:
        return known
    from axletree.vehicles.data_sheet import data_sheet

    found = list(data_sheet(vehicle).warnings)
    if name is not None:
        write_entry(name, found)
    return found


def prepared_system(model: Model, tree: TreeChoice, form: Form | None, key: str | None) -> System:
    """The system of a model, formulated now or on an earlier day."""
    if key is None:
        return model.formulate(tree=tree, form=form)
    name = key_of("system", key, tree, form)
    stored = read_entry(name)
    if stored is not None:
        return system_of_store(stored, tuple(model), lambda: _source(model, tree))
    with _heard() as cautions:
        system = model.formulate(tree=tree, form=form)
    content = None if cautions else stored_system(system)
    if content is not None:
        write_entry(name, content)
    return system


@contextmanager
def _heard() -> Iterator[list[warnings.WarningMessage]]:
    """The warnings that are given meanwhile: what warns is done again each time."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            yield told
        finally:
            given = list(told)
    for one in given:
        warnings.warn(one.message, stacklevel=4)


def _source(model: Model, tree: TreeChoice) -> Equations:
    from axletree.equations.derivation import derive_equations

    return derive_equations(model, model.tree if tree is None else tree)


@dataclass(frozen=True)
class PreparedStart:
    """How a manoeuvre begins: for ``simulate``, and in words."""

    words: str
    initial: Mapping[str, Any]
    inputs: Mapping[str, Any]
    parameters: Mapping[str, Any]
    manoeuvre: Manoeuvre  # at the angle that its aim asks for, if it has one


def prepared_start(
    model: Model,
    system: System,
    manoeuvre: Manoeuvre,
    parameters: Mapping[str, float],
    outputs: Sequence[str],
    key: str | None,
    controllers: Sequence[ControlLoop] = (),
) -> PreparedStart:
    """The steady state in which a manoeuvre begins, solved for now or on an earlier day.

    ``outputs`` are those that the run records. With ``controllers``, which may be any program, what
    a driver learns is found anew.
    """
    key = None if controllers else key
    stored = None if key is None else read_entry(key)
    if stored is None:
        with _heard() as cautions:
            stored = _solved(model, system, manoeuvre, parameters, outputs, controllers)
        if key is not None and not cautions:
            write_entry(key, stored)
    share = manoeuvre.drive_share()
    levels = {name: level_by_share(share, level) for name, level in stored["levels"].items()}
    driven: Any = manoeuvre
    if stored["angle"] is not None:
        driven = replace(driven, angle=stored["angle"])
    learnt = {name: tuple(map(np.array, course)) for name, course in stored["learnt"].items()}
    inputs = {**levels, **manoeuvre.signals, **driven.signals, **learnt}
    return PreparedStart(stored["words"], stored["initial"], inputs, stored["parameters"], driven)


def _solved(
    model: Model,
    system: System,
    manoeuvre: Manoeuvre,
    parameters: Mapping[str, float],
    outputs: Sequence[str],
    controllers: Sequence[ControlLoop],
) -> dict[str, Any]:
    from axletree.cli.steady import trim_in_words

    start = drive_start(system, manoeuvre, parameters, outputs, controllers)
    kept = any(isinstance(component, SpeedKeeper) for component in model)
    found, own = start.trim, {quantity.name for quantity in system.inputs}
    aimed: Any = start.manoeuvre
    levels = {name: float(found.inputs[name]) for name in found.found if name in own}
    known = {*levels, *manoeuvre.signals, *aimed.signals}
    return {
        "words": trim_in_words(system, found, is_kept=kept),
        "levels": levels,
        # What a driver learnt by practice: times and values.
        "learnt": {name: [one.tolist() for one in course]
                   for name, course in start.inputs.items() if name not in known},
        "initial": {name: _plain(value) for name, value in start.initial.items()},
        "parameters": {name: _plain(value) for name, value in start.parameters.items()},
        "angle": None if manoeuvre.aim is None else float(aimed.angle),
    }  # fmt: skip


def _plain(value: Any) -> Any:
    return value if isinstance(value, str) else float(value)
