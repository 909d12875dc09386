"""``read_tyre_data``: measured slip and forces of a tyre from a CSV file.

The first line names the columns, with units in brackets where they are not SI:
``S, alpha [deg], Fz [kN], gamma [deg], Fx, Fy, Mz``. Signs are those of the axis system that
is asked for, and are converted to ISO 8855; a column ``normal_load`` instead of ``Fz`` is
positive in all of them. What is not given among S, alpha and gamma is 0; at least one of Fx,
Fy and Mz has to be there, and a cell of theirs may be empty.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from axletree.core.errors import AxletreeError
from axletree.core.problems import Problems, shown
from axletree.core.units import parse_unit
from axletree.core.yaml_document import text_of
from axletree.wheel.axis_systems import AxisSystem

LARGEST_DATA_FILE = 64 * 1024 * 1024  # bytes
MOST_DATA_PROBLEMS = 20

DATA_INPUTS = {
    "normal_load": ("N", ("fz", "normal_load")),
    "longitudinal_slip": ("1", ("s", "kappa", "longitudinal_slip")),
    "slip_angle": ("rad", ("alpha", "slip_angle")),
    "inclination": ("rad", ("gamma", "camber", "inclination")),
}
DATA_OUTPUTS = {"Fx": ("N", ("fx",)), "Fy": ("N", ("fy",)), "Mz": ("N*m", ("mz",))}
_COLUMNS = {**DATA_INPUTS, **DATA_OUTPUTS}
_HEAD = re.compile(r"\s*\"?\s*([A-Za-z_]+)\s*(?:[\[(]\s*([^\])]*?)\s*[\])])?\s*\"?\s*")


@dataclass(frozen=True, eq=False)
class TyreData:
    """Measured points of a tyre, arrays of one length; SI units, ISO W axes."""

    normal_load: np.ndarray  # [N]
    longitudinal_slip: np.ndarray  # [1]
    slip_angle: np.ndarray  # [rad]
    inclination: np.ndarray  # [rad]
    forces: Mapping[str, np.ndarray]  # Fx [N], Fy [N], Mz [N m]; NaN where not measured

    def __len__(self) -> int:
        return len(self.normal_load)


def read_tyre_data(path: str | Path, *, axes: AxisSystem = AxisSystem.ISO) -> TyreData:
    """Read a CSV file; every problem of it is named with its line, in one ModelError."""
    problems = Problems(str(path))
    lines = list(_lines(text_of(Path(path), str(path), LARGEST_DATA_FILE)))
    if not lines:
        problems.stop(0, (), "the file is empty; expected a line that names the columns")
    (number, head), rows = lines[0], lines[1:]
    separator = max(",;\t", key=head.count)
    factors = _columns(number, head.split(separator), axes, problems)
    table = _numbers(rows, separator, factors, problems)
    problems.raise_any()
    if not table:
        problems.stop(0, (), "the file has no rows of numbers below the names of its columns")
    columns = dict(
        zip([name for name, _ in factors if name], zip(*table, strict=True), strict=True)
    )
    return _data(columns, len(table), problems)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Numbered lines, without empty ones and comments."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line.rstrip("\r")


def _columns(
    line: int, heads: list[str], axes: AxisSystem, problems: Problems
) -> list[tuple[str, float]]:
    """The name of each column, empty for one that is not needed, and its factor to SI and ISO."""
    found: list[tuple[str, float]] = []
    for head in heads:
        match = _HEAD.fullmatch(head)
        word, unit = (match[1].lower(), match[2]) if match else ("", None)
        name = next((name for name, (_, words) in _COLUMNS.items() if word in words), "")
        if name and name in [other for other, _ in found]:
            problems.add(line, (), f"the column {shown(head.strip())} is given twice")
        sign = axes.signs.get("Fz" if word == "fz" else name, 1.0)
        found.append((name, sign * _factor(line, name, unit, problems) if name else 1.0))
    names = {name for name, _ in found}
    if "normal_load" not in names:
        problems.add(line, (), f"there is no column Fz; the columns are {_listed(heads)}")
    if not names & {"longitudinal_slip", "slip_angle"}:
        problems.add(line, (), "there is neither a column S nor a column alpha: nothing slips")
    if not names & set(DATA_OUTPUTS):
        problems.add(line, (), "there is none of the columns Fx, Fy and Mz: nothing to fit to")
    problems.raise_any()
    return found


def _factor(line: int, name: str, unit: str | None, problems: Problems) -> float:
    expected = _COLUMNS[name][0]
    if not unit or unit == "-":
        return 1.0
    try:
        given = parse_unit(unit)
    except AxletreeError as error:
        problems.add(line, (name,), str(error))
        return 1.0
    if given.dimension != parse_unit(expected).dimension:
        problems.add(line, (name,), f"[{unit}] is no unit of it; expected for example [{expected}]")
    return float(given.factor)


def _numbers(
    rows: list[tuple[int, str]],
    separator: str,
    columns: list[tuple[str, float]],
    problems: Problems,
) -> list[list[float]]:
    table: list[list[float]] = []
    wrong = 0
    for line, text in rows:
        cells = text.split(separator)
        values: list[float] = []
        if len(cells) != len(columns):
            complaint = f"{len(cells)} values for {len(columns)} columns"
        else:
            values, complaint = _row(cells, columns)
        if complaint:
            problems.add(line, (), complaint)
            wrong += 1
            if wrong >= MOST_DATA_PROBLEMS:
                problems.stop(line, (), "more lines may be wrong; reading stopped here")
        table.append(values)
    return table


def _row(cells: list[str], columns: list[tuple[str, float]]) -> tuple[list[float], str]:
    """The numbers in SI units, and what is wrong with them, or nothing."""
    values = []
    for cell, (name, factor) in zip(cells, columns, strict=True):
        if not name:
            continue
        if name in DATA_OUTPUTS and not cell.strip():
            values.append(math.nan)
            continue
        try:
            value = float(cell) * factor + 0.0  # no negative zero
        except ValueError:
            hint = "; a decimal point is expected, no comma" if "," in cell else ""
            return [], f"{shown(cell.strip())} in column {name} is no number{hint}"
        if not math.isfinite(value):
            return [], f"{shown(cell.strip())} in column {name} is not finite"
        if name == "normal_load" and value < 0.0:
            return [], _wrong_load(value, factor)
        values.append(value)
    return values, ""


def _wrong_load(load: float, factor: float) -> str:
    if factor < 0.0:
        return f"Fz = {-load:g} N is positive; in the SAE axes asked for, a load is negative"
    return f"Fz = {load:g} N is negative; expected ISO axes, in which the load is up"


def _data(columns: dict[str, tuple[float, ...]], length: int, problems: Problems) -> TyreData:
    arrays = {name: np.array(values, dtype=float) for name, values in columns.items()}
    forces = {name: arrays[name] for name in DATA_OUTPUTS if name in arrays}
    for name, values in forces.items():
        if np.isnan(values).all():
            problems.stop(0, (), f"the column {name} has no values; leave it out")
    inputs = {name: arrays.get(name, np.zeros(length)) for name in DATA_INPUTS}
    return TyreData(**inputs, forces=forces)


def _listed(heads: list[str]) -> str:
    return ", ".join(shown(head.strip()) for head in heads[:20])
