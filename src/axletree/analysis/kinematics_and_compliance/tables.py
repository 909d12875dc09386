"""Tables of others: curves of a K&C rig over wheel travel, and lists of hard points.

Names of columns are compared without case, spaces and hyphens; units stand in brackets behind them
or in a row below (``read_column_text``).
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from axletree.components.signals import Curve
from axletree.core.arrays import FloatArray
from axletree.core.column_files import FileColumn, read_column_text
from axletree.core.errors import AxletreeError
from axletree.core.problems import Problems, shown
from axletree.core.registry import few_names
from axletree.core.units import to_si, units_in
from axletree.core.yaml_document import text_of
from axletree.vehicles.linkages.linkage import Point

# Quantities over the travel of both wheels, with the words that others have for them.
_WORDS = {
    "travel": ("travel", "wheel_travel", "travel_left", "bump", "jounce", "z"),
    "toe": ("toe", "toe_left", "toe_angle", "toe_in"),
    "camber": ("camber", "camber_left", "camber_angle", "inclination_angle"),
    "outward": ("outward", "outward_left", "wheel_centre_outward", "wheel_centre_y"),
    "forward": ("forward", "forward_left", "wheel_centre_forward", "wheel_centre_x", "recession"),
    "contact_outward": ("contact_outward", "contact_outward_left", "half_track_change"),
    "track_change": ("track_change", "track"),
    "load": ("load", "load_left", "wheel_load", "vertical_force"),
    "aligning_steer": ("aligning_compliance_steer", "aligning_compliance_steer_left"),
    "lateral_steer": ("lateral_compliance_steer", "lateral_compliance_steer_left"),
    "braking_steer": ("braking_compliance_steer", "braking_compliance_steer_left"),
}  # fmt: skip
_UNITS = {
    "toe": "rad",
    "camber": "rad",
    "load": "N",
    "aligning_steer": "rad/(N*m)",
    "lateral_steer": "rad/N",
    "braking_steer": "rad/N",
}  # metres otherwise
_WRITTEN_UNITS = {  # as people write them
    "m": "mm", "rad": "deg", "N": "N", "rad/(N*m)": "deg/(kN*m)", "rad/N": "deg/kN",
}  # fmt: skip
_COMPLIANCE_UNITS = {
    name: _WRITTEN_UNITS[_UNITS[name]]
    for name in ("aligning_steer", "lateral_steer", "braking_steer")
}
COORDINATES = "xyz"


@dataclass(frozen=True, eq=False)
class RigTable:
    """Curves over the travel of both wheels, in SI units, ascending in travel."""

    travel: FloatArray  # [m]
    curves: Mapping[str, FloatArray]

    def curve(self, name: str) -> Curve | None:
        """The change of a quantity from design, as a suspension takes it; none if it has not."""
        if name not in self.curves:
            return None
        y = self.curves[name]
        change = y - np.interp(0.0, self.travel, y)
        return Curve(tuple(self.travel.tolist()), tuple(change.tolist()))


def read_rig_table(path: str | Path) -> RigTable:
    """A table over wheel travel: toe, camber, track change and what else it has.

    Example:
    >>> from pathlib import Path
    >>> from axletree.analysis.kinematics_and_compliance.tables import read_rig_table
    >>> text = "Wheel travel [mm],Toe [deg]\\n-50,0.2\\n0,0.1\\n50,-0.1\\n"
    >>> table = read_rig_table(Path("toe.csv").write_text(text) and "toe.csv")
    >>> table.travel.tolist(), list(table.curves)  # m
    ([-0.05, 0.0, 0.05], ['toe'])
    """
    path = Path(path)
    problems = Problems(str(path))
    columns = {}
    for column in read_column_text(path):
        name = _known(column.name)
        if name is not None and name not in columns:
            columns[name] = _in_si(column, name, problems)
    problems.raise_any()
    if "travel" not in columns or len(columns) < 2:
        known = [words[0] for words in _WORDS.values()]
        problems.stop(
            1, (), f"expected a column of wheel travel and others of {few_names(known, 9)}"
        )
    travel = columns.pop("travel")
    order = np.argsort(travel)
    if (np.diff(travel[order]) <= 0.0).any() or not np.isfinite(travel).all():
        problems.stop(0, ("travel",), "a value stands twice or is missing; each row is a travel")
    if travel.min() > 0.0 or travel.max() < 0.0:
        problems.stop(0, ("travel",), "it does not contain the design position, travel 0")
    if "track_change" in columns:
        columns.setdefault("contact_outward", 0.5 * columns.pop("track_change"))
    bad = [name for name, values in columns.items() if not np.isfinite(values).all()]
    if bad:
        problems.stop(0, (bad[0],), "a cell has no number")
    return RigTable(travel[order], {name: values[order] for name, values in columns.items()})


def _compliance_lines(table: RigTable) -> list[str]:
    """Those at design; without a spring about the vertical there is nothing that gives, which a
    comment says."""
    found = {
        name: f"{1e3 * np.degrees(np.interp(0.0, table.travel, table.curves[name])):.9g} {unit}"
        for name, unit in _COMPLIANCE_UNITS.items()
        if name in table.curves
    }
    if found and "aligning_steer" not in found:
        said = ", ".join(f"{name} of {text}" for name, text in found.items())
        return [f"# left out, for the table has no aligning_compliance_steer: {said}"]
    if not found:
        return []
    return ["compliance: {" + ", ".join(f"{name}: {text}" for name, text in found.items()) + "}"]


def curves_text(table: RigTable) -> str:
    """Curves and static angles of a suspension of the type independent, as its file has them.

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.kinematics_and_compliance.tables import RigTable, curves_text
    >>> travel = np.array([-0.05, 0.0, 0.05])  # m
    >>> print(curves_text(RigTable(travel, {"toe": np.array([0.002, 0.001, -0.001])})), end="")
    static_toe: 0.0572957795 deg
    toe: {x: [-50 mm, 0 mm, 50 mm], y: [0.0572957795 deg, 0 deg, -0.114591559 deg]}
    """
    curves, lines = table.curves, []
    for name in ("toe", "camber"):
        if name in curves:
            static = np.degrees(np.interp(0.0, table.travel, curves[name]))
            lines.append(f"static_{name}: {static:.9g} deg")
    lines += _compliance_lines(table)
    for name in ("toe", "camber", "outward", "forward"):
        found = table.curve(name)
        if found is None:
            continue
        factor, unit = (np.degrees(1.0), "deg") if name in _UNITS else (1e3, "mm")
        x = ", ".join(f"{1e3 * value:.9g} mm" for value in found.x)
        y = ", ".join(f"{factor * value:.9g} {unit}" for value in found.y)
        lines.append(f"{name}: {{x: [{x}], y: [{y}]}}")
    return "\n".join(lines) + "\n"


def _plain(name: str) -> str:
    return "_".join(name.strip().lower().replace("-", " ").replace("_", " ").split())


def _known(name: str) -> str | None:
    return next((word for word, others in _WORDS.items() if _plain(name) in others), None)


def _in_si(column: FileColumn, name: str, problems: Problems) -> FloatArray:
    unit = _UNITS.get(name, "m")
    if not column.unit:
        other = _WRITTEN_UNITS[unit]
        text = f"it has no unit; write it behind the name, {column.name} [{other}], or below it"
        problems.add(1, (column.name,), text)
        return np.zeros(0)
    try:
        factor = units_in(unit, column.unit)
    except AxletreeError as error:
        problems.add(1, (column.name,), error)
        return np.zeros(0)
    sign = -1.0 if _plain(column.name) == "recession" else 1.0
    return np.asarray(sign * factor * column.values)


def read_hard_points(
    path: str | Path,
    *,
    unit: str = "mm",
    signs: Point = (1.0, 1.0, 1.0),
    origin: Point = (0.0, 0.0, 0.0),
) -> dict[str, Point]:
    """Hard points of the left side by name: a table with name, x, y, z, in a unit that its heads
    may name, ``x [m]``.

    ``signs`` are those of x forward, y left, z up in the table's axes, and ``origin`` is where the
    axle's origin is in them [m], so that a point is signs (p - origin). Rows of the right side are
    left out: a name that begins with ``right`` or ends in it.

    Example:
    >>> from pathlib import Path
    >>> from axletree.analysis.kinematics_and_compliance.tables import read_hard_points
    >>> text = "name,x,y,z\\nWheel Centre,1500,-760,310\\nLower Ball Joint,1492,-710,185\\n"
    >>> made = Path("points.csv").write_text(text)
    >>> read_hard_points("points.csv", signs=(-1, -1, 1), origin=(1.5, 0, 0))["lower_ball_joint"]
    (0.008, 0.71, 0.185)
    """
    path = Path(path)
    problems = Problems(str(path))
    text = text_of(path, str(path))
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if not lines:
        problems.stop(0, (), "the file is empty; expected a table with name, x, y, z")
    dialect = max(";\t,", key=lines[0].count)
    rows = list(csv.reader(lines, delimiter=dialect))
    units = _heads(rows[0], unit, problems)
    found: dict[str, Point] = {}
    for number, row in enumerate(rows[1:], start=2):
        name = _plain(row[0]) if row else ""
        if name.startswith("right") or name.endswith("right"):
            continue
        name = name.removeprefix("left_").removesuffix("_left")
        point = _point(row, units, number, problems)
        if point is not None:
            if name in found:
                problems.add(number, (name,), "it stands twice")
            each = zip(signs, point, origin, strict=True)
            x, y, z = (round(sign * (p - o), 12) + 0.0 for sign, p, o in each)
            found[name] = (x, y, z)
    problems.raise_any()
    if found and all(y < 0.0 for _, y, _ in found.values()):
        problems.stop(
            0, ("y",),
            "all of its points are on the right side, at y < 0; y counts to the left: give signs "
            "of its axes, or the points of the left side",
        )  # fmt: skip
    return found


def _heads(heads: list[str], unit: str, problems: Problems) -> list[str]:
    """Units of x, y, z."""
    words = [head.strip().lower() for head in heads]
    if len(words) < 4 or [word[:1] for word in words[1:4]] != list(COORDINATES):
        problems.stop(1, (), f"found the columns {shown(heads)}; expected name, x, y, z")
    found = []
    for word in words[1:4]:
        _, bracket, rest = word.replace("(", "[").partition("[")
        found.append(rest.strip(" ])") if bracket else unit)
    return found


def _point(row: list[str], units: list[str], line: int, problems: Problems) -> Point | None:
    if len(row) < 4:
        problems.add(line, (), f"found {shown(row)}; expected a name and three coordinates")
        return None
    values = []
    for cell, unit, axis in zip(row[1:4], units, COORDINATES, strict=True):
        try:
            values.append(to_si(f"{float(cell)!r} {unit}", "m"))
        except (ValueError, AxletreeError) as error:
            why = error if isinstance(error, AxletreeError) else f"{shown(cell)} is no number"
            problems.add(line, (row[0].strip(), axis), why)
    if len(values) < 3:
        return None
    x, y, z = values
    return (x, y, z)
