"""What may stand in a model file, by what the components declare about their fields.

A ``FileSection`` is a key at the top of a file that a later stage reads and makes components of,
such as ``vehicle``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, dataclass
from pathlib import Path
from typing import Any

from axletree.components.fields import FieldKind, kind_of
from axletree.components.parts import Part
from axletree.model.model import Model
from axletree.model.yaml.document import Entry
from axletree.model.yaml.problems import Problems

# Keys of the file and what they hold.
TOP_LEVEL = {
    "name": "name of the model; that of the file if left out",
    "description": "one sentence about the model",
    "gravity": "gravity in the axes of the ground [m/s^2]",
    "ground": "named frames of the ground",
    "base": "model whose keys hold where this file has none: one of the package, or a file",
    "vehicle": "a vehicle by its body and axles, which makes components",
    "components": "the components by name",
    "start": "approximate first values of coordinates, speeds and states by name",
    "tree": "components whose variables are the modelling variables, for all domains or by domain",
    "run": "the run that is made where nothing else is asked for",
    "manoeuvres": "manoeuvres by name: each starts in a steady motion and drives inputs",
    "plots": "plots of a report by title: quantities, or a mapping of y, x and unit",
}
RUN_TIMES = {
    "duration": "length of the run [s]",
    "step": "length of a step [s]",
    "record_interval": "time between two records [s]",
}
RUN = RUN_TIMES | {
    "method": "method of integration, a name of the catalogue",
    "outputs": "names of the outputs to record",
    "inputs": "inputs by name: numbers, expressions of t or tables",
}
FRAME_WORD, COMPONENT_WORD = "frame", "component"  # kinds of field that refer to others

_KEYS = {"frames_at": "frames"}  # fields that have another name in the file


@dataclass(frozen=True)
class Declared:
    """One field of a component, as the file knows it."""

    key: str  # in the file
    field: str  # of the class
    kind: FieldKind
    default: Any  # MISSING where the field is required

    @property
    def required(self) -> bool:
        return self.default is MISSING

    @property
    def is_reference(self) -> bool:
        return self.kind.word in (FRAME_WORD, COMPONENT_WORD)


def declared_fields(component_class: Any) -> dict[str, Declared]:
    """The fields of a component's class by their keys, required ones first."""
    found = []
    for item in dataclasses.fields(component_class):
        kind = kind_of(item)
        if kind is None or not item.init:
            continue
        default = item.default if item.default_factory is MISSING else item.default_factory()
        found.append(Declared(_KEYS.get(item.name, item.name), item.name, kind, default))
    return {item.key: item for item in sorted(found, key=lambda item: not item.required)}


@dataclass(frozen=True)
class FileSection:
    """A key at the top of a model file."""

    summary: str
    kind: type[Part]  # whose fields stand under the key
    read: Callable[[Model, Entry, Path | None, Problems], None]
