"""Sections of a model file that later stages read: they make components."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from axletree.library.part import Part
from axletree.model.document import Entry
from axletree.model.model import Model
from axletree.model.problems import Problems


@dataclass(frozen=True)
class FileSection:
    """A key at the top of a model file."""

    summary: str
    kind: type[Part]  # whose fields stand under the key
    read: Callable[[Model, Entry, Path | None, Problems], None]
