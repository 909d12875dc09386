"""What every export does: start from states that fit together, fill templates, write a folder.

What does not depend on the model stands in the folder ``templates``, in its own language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from axletree.code.identifiers import comment_text
from axletree.code.program import Program
from axletree.core.errors import AxletreeError
from axletree.core.files import whole_folder, write_text
from axletree.expr.quantity import Quantities
from axletree.simulation.instant import state
from axletree.system.start import Start
from axletree.system.system import System

if TYPE_CHECKING:
    from jinja2 import Environment


def with_assembled_start(system: System) -> System:
    """The same system, with hints of first values replaced by the values found from them."""
    first = state(system)
    states = Quantities(replace(one, default=first[one.name]) for one in system.states)
    return replace(system, states=states, start=Start(frozenset(first)))


def write_files(folder: str | Path, texts: Mapping[str, str], what: str) -> Path:
    """Write texts by the names of their files, all or none; others of the folder are left alone."""
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise AxletreeError(f"{target} is a file; expected a folder to write {what} into")
    with whole_folder(target) as made:
        for name, text in texts.items():
            write_text(made / name, text)
    return target


def fill(template: str, **values: object) -> str:
    """The text of a file of the folder ``templates``."""
    return _templates().get_template(template).render(values)


@cache
def _templates() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("axletree.export"), autoescape=False, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip


def column_labels(program: Program) -> list[str]:
    """Names of the columns time, states and outputs, each but the first after a comma."""
    labels = ["time [s]", *(f"{q.name} [{q.unit}]" for q in (*program.states, *program.outputs))]
    texts = [comment_text(label).replace(",", ";") for label in labels]
    return [texts[0], *(f",{text}" for text in texts[1:])]
