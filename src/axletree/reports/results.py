"""Results as files: what a manoeuvre came to with its recipe, and columns as CSV."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from axletree.code.backends.c import find_compiler
from axletree.components.file_entries import LONGEST_EXPRESSION, written_part
from axletree.core.errors import ModelError
from axletree.core.files import read_json, whole_file, write_text
from axletree.expr import Expr
from axletree.expr.text import to_text
from axletree.metrics.findings import Finding, finding_in_words
from axletree.metrics.verdict import VERDICT_DIGITS, Verdict
from axletree.model.manoeuvre import Manoeuvre

METRICS_FILE = "metrics.json"
COPIES = "model"  # folder of the copied files


def findings_table(findings: Sequence[Finding]) -> str:
    """A line for each finding, values below one another; `metrics.json` has all their digits.

    Example:
    >>> from axletree.metrics.findings import Finding
    >>> from axletree.reports.results import findings_table
    >>> print(findings_table([Finding("gain", 0.374493, "1/s", "yaw rate gain")]))
    yaw rate gain  0.3745 1/s
    """
    width = max(len(found.description) for found in findings)
    return "\n".join(
        f"{one.description:<{width}}  {finding_in_words(one, VERDICT_DIGITS)}" for one in findings
    )


@dataclass(frozen=True)
class RunRecipe:
    """What a run follows from."""

    model: str
    files: Mapping[str, bytes]  # of the model, by name
    manoeuvre: tuple[str, Manoeuvre] | None  # with its name; None: the model's own run
    settings: Mapping[str, Any]
    inputs: Mapping[str, Any]  # as given to ``simulate``
    version: str  # of Axletree

    def content(self) -> dict[str, Any]:
        """As JSON has it; the realisation of a random road is among the manoeuvre's fields."""
        hashes = {name: _sha256(content) for name, content in self.files.items()}
        manoeuvre = None
        if self.manoeuvre is not None:
            manoeuvre = {"name": self.manoeuvre[0], **_written(self.manoeuvre[1])}
        return {
            "model": {"name": self.model, "sha256": hashes},
            "manoeuvre": manoeuvre,
            "settings": dict(self.settings),
            "inputs": {name: input_as_json(signal) for name, signal in self.inputs.items()},
            "versions": {"axletree": self.version, **versions()},
        }

    @property
    def sha256(self) -> str:
        """Of all of its content."""
        return _sha256(_json(self.content()).encode())


def write_metrics(
    folder: Path,
    findings: Sequence[Finding],
    recipe: RunRecipe,
    *,
    complete: bool,
    verdict: Verdict | None = None,
) -> Path:
    """Write ``metrics.json`` and copies of the model's files into a folder.

    The same files, settings and versions give the same bytes, and ``sha256`` is that of all of
    these. Values are in the units that stand beside them; what a run does not show is null.
    """
    for name, text in recipe.files.items():
        with whole_file(folder / COPIES / name) as stream:
            stream.write(text)
    whole = {
        "sha256": recipe.sha256,
        **recipe.content(),
        "complete": complete,
        **({} if verdict is None else {"verdict": verdict.content()}),
        "metrics": {found.name: _row(found) for found in findings},
    }
    path = folder / METRICS_FILE
    write_text(path, _json(whole))
    return path


def read_recipe(folder: Path) -> dict[str, Any]:
    """What ``metrics.json`` of a folder says that its run follows from."""
    path = folder / METRICS_FILE
    try:
        content = read_json(path)
        parts = content["model"]["sha256"], content["settings"]["parameters"], content["inputs"]
        if not all(isinstance(part, dict) for part in (*parts, content["manoeuvre"] or {})):
            raise TypeError("a table was expected where something else stands")
        file = Path(next(iter(content["model"]["sha256"])))
    except (OSError, ValueError, KeyError, TypeError, StopIteration) as error:
        reason = f"{type(error).__name__}: {error}"
        raise ModelError(
            f"{path} does not say what its run follows from ({reason}); expected the file as "
            "`axletree run` wrote it; try: run the model again"
        ) from None
    if file.is_absolute() or ".." in file.parts:
        raise ModelError(f"{path} names a model outside of its folder: {file}")
    return dict(content)


def copied_files(folder: Path) -> list[str]:
    """The copies that ``metrics.json`` of a folder lists, by their paths from there."""
    try:
        content = read_json(folder / METRICS_FILE)
        names = [Path(COPIES, name) for name in content["model"]["sha256"]]
    except (OSError, ValueError, KeyError, TypeError):
        return []  # none, or not written by a run
    return [str(name) for name in names if name.parts[0] == COPIES and ".." not in name.parts]


def _json(content: Mapping[str, Any]) -> str:
    return json.dumps(content, indent=2, allow_nan=False, default=str) + "\n"


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def versions() -> dict[str, str]:
    """Of all that makes numbers: the same source by another compiler may round otherwise."""
    compiler = find_compiler()
    return {
        "numpy": np.__version__,
        "scipy": version("scipy"),
        "python": platform.python_version(),
        "compiler": "none" if compiler is None else compiler.version,
        "machine": platform.machine(),
    }


def input_as_json(signal: Any) -> float | str:
    """A number, an expression of time, or the hash of a table."""
    if isinstance(signal, str | float | int):
        return signal
    if isinstance(signal, Expr):
        return to_text(signal, LONGEST_EXPRESSION)
    return f"table, sha256 {_sha256(repr(signal).encode())}"


def _written(manoeuvre: Manoeuvre) -> dict[str, Any]:
    """As a model file writes it, with defaults; inputs that a file cannot say are named alone."""
    try:
        return written_part(manoeuvre, "manoeuvre", "MANOEUVRES", defaults=True)
    except ModelError:
        return {"class": type(manoeuvre).__name__, "inputs": list(manoeuvre.signals)}


def _row(found: Finding) -> dict[str, Any]:
    value = found.value if math.isfinite(found.value) else None
    return {"value": value, "unit": found.unit, "description": found.description}


def write_columns(path: Path, columns: Mapping[str, np.ndarray], units: Mapping[str, str]) -> Path:
    """One row for each place of the columns, which are of one length; written whole or not."""
    stream = io.StringIO()
    rows = csv.writer(stream, lineterminator="\n")
    shown = {name: unit for name, unit in units.items() if unit not in ("", "1")}
    rows.writerow([f"{name} [{shown[name]}]" if name in shown else name for name in columns])
    for row in zip(*columns.values(), strict=True):
        rows.writerow([repr(float(value)) for value in row])
    write_text(path, stream.getvalue())
    return path
