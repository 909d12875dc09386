"""What every export does: start from states that fit together, and write files into a folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from axletree.core.errors import AxletreeError
from axletree.core.files import write_text
from axletree.simulation.instant import state
from axletree.system.system import System


def with_assembled_start(system: System) -> System:
    """The same system, with hints of first values replaced by the values found from them."""
    first = state(system)
    states = tuple(replace(quantity, default=first[quantity.name]) for quantity in system.states)
    return replace(system, states=states)


def write_files(folder: str | Path, texts: Mapping[str, str], what: str) -> Path:
    """Write texts by the names of their files; other files of the folder are left alone."""
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise AxletreeError(f"{target} is a file; expected a folder to write {what} into")
    for name, text in texts.items():
        write_text(target / name, text)
    return target
