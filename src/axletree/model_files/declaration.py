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
from axletree.core.files import package_table
from axletree.core.problems import Problems
from axletree.core.yaml_document import Entry
from axletree.model.model import Model

# Keys of the file and what they hold.
_KEYS: dict[str, dict[str, str]] = package_table("axletree.model_files", "keys.toml")
TOP_LEVEL, RUN_TIMES, PLOT = _KEYS["top_level"], _KEYS["run_times"], _KEYS["plot"]
RUN = RUN_TIMES | _KEYS["run"]


@dataclass(frozen=True)
class FileSection:
    """A key at the top of a model file."""

    summary: str
    kind: type[Part]  # whose fields stand under the key
    read: Callable[[Model, Entry, Path | None, Problems], None]
