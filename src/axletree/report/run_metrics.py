"""What a manoeuvre came to: a table for people, and a file that says how to get it again."""

from __future__ import annotations

import hashlib
import json
import math
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from axletree.core.errors import ModelError
from axletree.core.files import replaced, write_text
from axletree.model.manoeuvres.contract import Manoeuvre
from axletree.model.manoeuvres.findings import Finding
from axletree.model.write import written_part

METRICS = "metrics.json"
COPIES = "model"  # folder of the copied files


def findings_table(findings: Sequence[Finding]) -> str:
    """A line for each finding, values below one another."""
    width = max(len(found.description) for found in findings)
    return "\n".join(f"{found.description:<{width}}  {found.in_words}" for found in findings)


def write_metrics(
    folder: Path,
    findings: Sequence[Finding],
    *,
    model: str,
    files: Mapping[str, bytes],
    manoeuvre: tuple[str, Manoeuvre],
    settings: Mapping[str, Any],
    version: str,
) -> Path:
    """Write ``metrics.json`` and copies of the model's files into a folder.

    The same files, settings and versions give the same bytes. Values are in the units that stand
    beside them; what a run does not tell is null.
    """
    for name, content in files.items():
        with replaced(folder / COPIES / name) as stream:
            stream.write(content)
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    versions = {"axletree": version, "numpy": np.__version__}
    whole = {
        "model": {"name": model, "sha256": hashes},
        "manoeuvre": {"name": manoeuvre[0], **_written(manoeuvre[1])},
        "settings": dict(settings),
        "versions": {**versions, "python": platform.python_version()},
        "metrics": {found.name: _row(found) for found in findings},
    }
    path = folder / METRICS
    write_text(path, json.dumps(whole, indent=2, allow_nan=False, default=str) + "\n")
    return path


def _written(manoeuvre: Manoeuvre) -> dict[str, Any]:
    """As a model file writes it; inputs that a file cannot say are named alone."""
    try:
        return written_part(manoeuvre, "manoeuvre", "MANOEUVRES")
    except ModelError:
        return {"class": type(manoeuvre).__name__, "inputs": list(manoeuvre.signals)}


def _row(found: Finding) -> dict[str, Any]:
    value = found.value if math.isfinite(found.value) else None
    return {"value": value, "unit": found.unit, "description": found.description}
