"""Keys of a model file: what stands at its top, and in the run that it proposes.

A ``FileSection`` is a key at the top of a file that a later stage reads and makes components of,
such as ``vehicle``. What stands under a component is what its class declares
(``components.file_entries``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from axletree.components.fields import Part
from axletree.core.problems import Problems
from axletree.core.yaml_document import Entry
from axletree.model.model import Model

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


@dataclass(frozen=True)
class FileSection:
    """A key at the top of a model file."""

    summary: str
    kind: type[Part]  # whose fields stand under the key
    read: Callable[[Model, Entry, Path | None, Problems], None]
