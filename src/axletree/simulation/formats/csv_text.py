"""Tables as text that every program reads."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import IO, Any

import numpy as np

from axletree.simulation.formats.contract import (
    TrajectoryFormat,
    trajectory_from_table,
    trajectory_table,
)
from axletree.simulation.trajectory import Trajectory

ROWS_AT_ONCE = 1000  # so that a long run is not in memory twice


def _write(run: Trajectory, stream: IO[bytes]) -> None:
    header = [f"{run.time_name} [s]", *(f"{name} [{run.units[name]}]" for name in run.columns)]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(header)
    stream.write(text.getvalue().encode())
    rows = trajectory_table(run)
    for first in range(0, len(rows), ROWS_AT_ONCE):
        stream.write(_lines(rows[first : first + ROWS_AT_ONCE]).encode())


def _lines(rows: np.ndarray) -> str:
    """Numbers need no quotes. To write them takes most of the time, and many columns are alike:
    a reaction here is one there, so each is written once."""
    written: dict[bytes, list[str]] = {}
    columns = []
    for column in rows.T:
        key = column.tobytes()
        if key not in written:
            # repr is the shortest text that reads back as the same number.
            written[key] = [repr(value) for value in column.tolist()]
        columns.append(written[key])
    return "".join(f"{','.join(row)}\n" for row in zip(*columns, strict=True))


def _read(path: Path) -> Trajectory:
    with path.open(encoding="utf-8", newline="") as stream:
        rows = csv.reader(stream)
        labels = [re.fullmatch(r"(.+) \[(.*)\]", label) for label in next(rows, [])]
        if not labels or None in labels:
            raise ValueError("its first line is no header of names with units in brackets")
        names = [(match[1], match[2]) for match in labels if match is not None]
        data = np.array([_numbers(row, len(names), rows.line_num) for row in rows])
    # A table of text does not say which of its columns are states.
    told: dict[str, Any] = {
        "system": path.stem,
        "time_name": names[0][0],
        "units": dict(names[1:]),
        "states": [],
    }
    return trajectory_from_table(data.reshape(-1, len(names)), json.dumps(told))


def _numbers(row: list[str], count: int, line: int) -> list[float]:
    if len(row) != count:
        raise ValueError(f"line {line} has {len(row)} numbers, its header has {count} names")
    return [float(value) for value in row]


CSV = TrajectoryFormat(
    "CSV", ".csv", "A table as text, with names and units in its first line.", _write, _read
)
