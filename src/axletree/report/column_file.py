"""Columns of numbers as a CSV file, units in the heading."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from axletree.core.files import write_text


def write_columns(path: Path, columns: Mapping[str, np.ndarray], units: Mapping[str, str]) -> Path:
    """One row for each place of the columns, which are of one length; written whole or not."""
    stream = io.StringIO()
    rows = csv.writer(stream, lineterminator="\n")
    rows.writerow([_heading(name, units.get(name, "")) for name in columns])
    for row in zip(*columns.values(), strict=True):
        rows.writerow([repr(float(value)) for value in row])
    write_text(path, stream.getvalue())
    return path


def _heading(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit and unit != "1" else name
