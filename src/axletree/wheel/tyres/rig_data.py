"""``read_rig_data``: files of tyre test rigs, as laboratories give them, to measured points.

Such a file is one record of a whole test: columns ET, V, N, SA, IA, SL, SR, RL, RE, P, FX, FY, FZ,
MX, MZ, TSTC and others, with a row of units below the names (or a struct ``channel`` in a MATLAB
file), many sweeps of slip at levels of load, inclination, pressure and speed, and what lies between
them. Of that, points are taken

1. after the warm-up: from the time on at which the tread temperature has come most of the way to
   its median, or from a time that is given;
2. at levels: values around which many records lie, of load, inclination, pressure and speed each;
   what lies between levels is a transition;
3. in sweeps: stretches at one set of levels in which slip angle or slip goes some way. What stands
   (conditioning, spring rates) is left out.

SL is the slip by the effective radius, which is zero at free rolling, and is taken where it is
there; SR, by the loaded radius, is what a rig is controlled by. Signs are converted to ISO 8855
here and by ``axis_systems`` alone; the system is given, or told by the signs of the data.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.column_files import (
    UNIT_SPELLINGS,
    FileColumn,
    read_column_text,
    read_matlab_columns,
)
from axletree.core.errors import AxletreeError, ModelError
from axletree.core.problems import Problems
from axletree.core.text_table import TextTable
from axletree.core.units import LARGEST_VALUE, to_si, units_in
from axletree.wheel.axis_systems import AxisSystem
from axletree.wheel.tyres.tyre_data import TyreData

# Quantity: SI unit, and the names of its column in order of preference.
RIG_COLUMNS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "time": ("s", ("ET", "TIME")),
    "speed": ("m/s", ("V",)),
    "slip_angle": ("rad", ("SA",)),
    "inclination": ("rad", ("IA",)),
    "longitudinal_slip": ("1", ("SL", "SR")),
    "pressure": ("Pa", ("P",)),
    "Fx": ("N", ("FX",)),
    "Fy": ("N", ("FY",)),
    "Fz": ("N", ("FZ",)),
    "Mz": ("N*m", ("MZ",)),
}
_TEMPERATURES: Final = ("TSTC", "TSTI", "TSTO")  # of the tread: centre, inside, outside
_RIG_UNITS: Final = {**UNIT_SPELLINGS, "lb": "lbf", "lbs": "lbf", "-": "1", "none": "1"}
_FORCES: Final = ("Fx", "Fy", "Mz")
_LEAST_SHARE: Final = 0.02  # of the records, that make a level
_LEAST_RECORDS: Final = 10  # of a sweep
_WARM: Final = 0.8  # of the way from the first temperature to the median
# Half the width of a level: of the largest value, or by itself.
_OF_LOAD, _OF_PRESSURE, _OF_SPEED = 0.08, 0.05, 0.05
_OF_INCLINATION: Final = math.radians(0.5)
_LEAST_SWEEP: Final = {"slip_angle": math.radians(2.0), "longitudinal_slip": 0.03}
_LONGEST_BREAK: Final = 20  # records of noise beyond a level that do not end a sweep
MOST_POINTS: Final = 4000  # of all sweeps; beyond it every second, third ... one is taken


@dataclass(frozen=True)
class RigSweep:
    """A sweep of slip at one set of levels; SI units, ISO axes."""

    load: float  # [N]
    inclination: float  # [rad]
    pressure: float  # [Pa]; NaN: not measured
    speed: float  # [m/s]; NaN: not measured
    swept: str  # slip_angle or longitudinal_slip
    lowest: float  # of what is swept
    highest: float
    records: int


@dataclass(frozen=True, eq=False)
class RigData:
    """What was taken of a file of a rig.

    Example:
    >>> import numpy as np
    >>> from pathlib import Path
    >>> from axletree.wheel.tyres.rig_data import read_rig_data
    >>> angles = np.linspace(-8.0, 8.0, 201)
    >>> rows = [f"{a}\\t0\\t-2000\\t{-400.0 * a}" for a in angles]  # load and Fy as in SAE J670e
    >>> head = ["SA\\tIA\\tFZ\\tFY", "deg\\tdeg\\tN\\tN"]
    >>> written = Path("rig.dat").write_text("\\n".join(head + rows))
    >>> found = read_rig_data("rig.dat")
    >>> found.axes.value, len(found.data), found.sweeps[0].load  # N
    ('sae', 201, 2000.0)
    """

    data: TyreData
    sweeps: tuple[RigSweep, ...]
    axes: AxisSystem
    notes: tuple[str, ...]

    def table(self) -> TextTable:
        """The sweeps by their levels."""
        groups: dict[tuple[float, ...], list[RigSweep]] = {}
        for one in self.sweeps:
            levels = one.load, one.inclination, _shown(one.pressure), _shown(one.speed)
            groups.setdefault((*levels, float(one.swept == "slip_angle")), []).append(one)
        rows = []
        for key in sorted(groups):
            found = groups[key]
            low, high = min(s.lowest for s in found), max(s.highest for s in found)
            angle = bool(key[4])
            scale, unit = (math.degrees(1.0), "deg") if angle else (1.0, "")
            rows.append((
                f"{key[0]:.0f} N", f"{math.degrees(key[1]):.1f} deg",
                "" if key[2] < 0.0 else f"{key[2] / 1e3:.0f} kPa",
                "" if key[3] < 0.0 else f"{3.6 * key[3]:.0f} km/h",
                "slip angle" if angle else "slip",
                f"{scale * low:.3g} to {scale * high:.3g} {unit}".rstrip(),
                str(len(found)), str(sum(s.records for s in found)),
            ))  # fmt: skip
        heads = ("load", "inclination", "pressure", "speed", "swept:", "from:", "sweeps", "records")
        return TextTable("Sweeps that are fitted", heads, tuple(rows), self.notes)


def _shown(value: float) -> float:
    return -1.0 if math.isnan(value) else value


def rig_columns(path: str | Path) -> tuple[FileColumn, ...] | None:
    """The columns of a file of a rig; None for a file that has not their names.

    Example:
    >>> from pathlib import Path
    >>> from axletree.wheel.tyres.rig_data import rig_columns
    >>> written = Path("plain.csv").write_text("alpha,Fz,Fy\\n0.1,2000,-900\\n")
    >>> rig_columns("plain.csv") is None
    True
    """
    file = Path(path)
    if file.suffix.lower() == ".mat":
        return read_matlab_columns(file)
    try:
        columns = read_column_text(file)
    except ModelError:
        if file.is_file() and _are_rig_names(_first_words(file)):
            raise
        return None  # what is wrong with another file is said by its own reader
    return columns if _are_rig_names([one.name for one in columns]) else None


def _are_rig_names(names: Sequence[str]) -> bool:
    words = {name.upper() for name in names}
    return "FZ" in words and bool(words & {"SA", "SL", "SR"})


def _first_words(file: Path) -> list[str]:
    with file.open("rb") as stream:
        return re.findall(r"\w+", stream.read(4000).decode("cp1252", errors="replace"))


def read_rig_data(
    path: str | Path,
    *,
    axes: AxisSystem | None = None,
    pressure: float | str | None = None,
    warm_up: float | str | None = None,
    columns: Sequence[FileColumn] | None = None,
) -> RigData:
    """Read a rig's file; ``axes`` of its signs are told by the data where they are not given.

    ``pressure`` [Pa] takes the sweeps at the level next to it alone; ``warm_up`` [s] is the time
    that is left out at the start, in place of what the temperature tells.
    """
    found = rig_columns(path) if columns is None else columns
    if found is None:
        raise ModelError(f"{path}: there are no columns of a rig: FZ, and SA, SL or SR")
    return _Rig(str(path), found).data(
        axes,
        None if pressure is None else to_si(pressure, expected="Pa"),
        None if warm_up is None else to_si(warm_up, expected="s"),
    )


class _Rig:
    """The columns of a rig's file in SI units, in axes of their own."""

    def __init__(self, file: str, columns: Sequence[FileColumn]) -> None:
        self._file, self._notes = file, list[str]()
        given = {one.name.upper(): one for one in columns}
        problems = Problems(file)
        self._values: dict[str, FloatArray] = {}
        for name, (unit, words) in RIG_COLUMNS.items():
            word = next((word for word in words if word in given), None)
            if word is None:
                continue
            try:
                self._values[name] = _converted(given[word], unit)
            except AxletreeError as error:
                problems.add(0, (word,), error)
        self._taken = {n: next(w for w in RIG_COLUMNS[n][1] if w in given) for n in self._values}
        self._temperature = next((given[w].values for w in _TEMPERATURES if w in given), None)
        self._check(given, problems)

    def _check(self, given: Mapping[str, FileColumn], problems: Problems) -> None:
        if "Fz" not in self._values and "FZ" not in given:
            problems.add(0, (), f"there is no column FZ; the columns are {', '.join(given)}")
        if not {"slip_angle", "longitudinal_slip"} & set(self._values):
            problems.add(0, (), "there is no column SA, SL or SR: nothing slips")
        if not set(_FORCES) & set(self._values):
            problems.add(0, (), "there is none of the columns FX, FY and MZ: nothing to fit to")
        problems.raise_any()
        lengths = {len(values) for values in self._values.values()}
        if len(lengths) > 1:
            problems.stop(0, (), f"columns have different lengths: {sorted(lengths)}")

    def data(
        self, axes: AxisSystem | None, pressure: float | None, warm_up: float | None
    ) -> RigData:
        chosen = axes or self._told_axes()
        said = "as given" if axes is not None else "told by the signs of FZ and FY"
        self._notes.append(f"signs: {chosen.value} axes, {said}; converted to ISO 8855")
        iso = {n: chosen.signs.get(n, 1.0) * values for n, values in self._values.items()}
        names = [f"{self._taken[n]} as {n.replace('_', ' ')}" for n in self._values]
        self._notes.append(f"columns: {', '.join(names)}")
        count = len(iso["Fz"])
        usable = np.isfinite(np.column_stack(list(iso.values()))).all(axis=1)
        usable &= ~self._warming(warm_up, count)
        levels = self._levels(iso, usable, pressure)
        sweeps, kept = self._sweeps(iso, levels)
        if not sweeps:
            raise ModelError(
                f"{self._file}: no sweep was found: slip goes nowhere by {_LEAST_WORDS} at one "
                "level of load, inclination, pressure and speed; is it a rig's file, and are its "
                "units right?"
            )
        dropped = count - len(kept)
        self._notes.append(
            f"{len(kept)} of {count} records are in {len(sweeps)} sweeps; {dropped} are warm-up, "
            "transitions or stand"
        )
        every = math.ceil(len(kept) / MOST_POINTS)
        if every > 1:
            kept = kept[::every]
            self._notes.append(f"one of {every} records is fitted, {len(kept)} in all")
        return RigData(_points(iso, kept), tuple(sweeps), chosen, tuple(self._notes))

    def _told_axes(self) -> AxisSystem:
        load = float(np.nanmedian(self._values["Fz"]))
        slope = 0.0
        if {"slip_angle", "Fy"} <= set(self._values):
            angle, side = self._values["slip_angle"], self._values["Fy"]
            known = np.isfinite(angle) & np.isfinite(side)
            slope = float(np.sum(angle[known] * side[known]))
        if load < 0.0 and slope > 0.0:
            raise ModelError(
                f"{self._file}: FZ is negative, as in SAE axes, but FY has the sign of SA, as in "
                "none of them; state the signs by --axes, or turn the column round that differs"
            )
        if load < 0.0:
            return AxisSystem.SAE
        return AxisSystem.ADAPTED_SAE if slope > 0.0 else AxisSystem.ISO

    def _warming(self, given: float | None, count: int) -> np.ndarray:
        """Which records are before the tyre is warm."""
        early = np.zeros(count, dtype=bool)
        time = self._values.get("time")
        if given is not None:
            if given and time is None:
                raise ModelError(f"{self._file}: there is no column ET to take a warm-up off")
            if given and time is not None:
                early = time < time[0] + given
                self._notes.append(f"warm-up: the first {given:g} s, as given")
            return early
        if self._temperature is None:
            return early
        known = self._temperature[np.isfinite(self._temperature)]
        if not len(known):
            return early
        first, median = float(known[0]), float(np.median(known))
        warm = np.flatnonzero(self._temperature >= first + _WARM * (median - first))
        if median > first and warm.size and warm[0]:
            early[: warm[0]] = True
            until = "" if time is None else f" at {time[warm[0]] - time[0]:.3g} s"
            self._notes.append(
                f"warm-up: until the tread has come {100.0 * _WARM:g} % of the way to its median "
                f"temperature{until}, {int(warm[0])} records"
            )
        return early

    def _levels(
        self, iso: Mapping[str, FloatArray], usable: np.ndarray, pressure: float | None
    ) -> dict[str, tuple[FloatArray, np.ndarray]]:
        """Levels of each quantity, and the level of each record; -1 between them."""
        widths = {
            "Fz": _OF_LOAD * _large(iso["Fz"][usable]),
            "inclination": _OF_INCLINATION,
        }
        for name, share in (("pressure", _OF_PRESSURE), ("speed", _OF_SPEED)):
            if name in iso:
                widths[name] = share * _large(iso[name][usable])
        found = {}
        for name, width in widths.items():
            if name in iso:
                found[name] = _clusters(iso[name], usable, width)
        if pressure is not None:
            if "pressure" not in found:
                raise ModelError(f"{self._file}: there is no column P to choose a pressure by")
            places, number = found["pressure"]
            near = int(np.argmin(np.abs(places - pressure))) if len(places) else -1
            if near < 0 or abs(places[near] - pressure) > widths["pressure"]:
                there = ", ".join(f"{p / 1e3:.0f} kPa" for p in places)
                raise ModelError(
                    f"{self._file}: no level of pressure is near {pressure / 1e3:.0f} kPa; there "
                    f"are {there or 'none'}"
                )
            found["pressure"] = places, np.where(number == near, number, -1)
        elif "pressure" in found and len(found["pressure"][0]) > 1:
            said = ", ".join(f"{p / 1e3:.0f} kPa" for p in found["pressure"][0])
            self._notes.append(
                f"sweeps at {said} are fitted together; --pressure takes those of one level"
            )
        return found

    def _sweeps(
        self, iso: Mapping[str, FloatArray], levels: Mapping[str, tuple[FloatArray, np.ndarray]]
    ) -> tuple[list[RigSweep], np.ndarray]:
        numbers = np.column_stack([number for _, number in levels.values()])
        inside = np.asarray((numbers >= 0).all(axis=1))
        kept: list[np.ndarray] = []
        found: list[RigSweep] = []
        for records in _stretches(numbers, inside):
            swept = _swept(iso, records)
            if swept is None or len(records) < _LEAST_RECORDS:
                continue
            at = {
                name: float(places[number[records[0]]]) for name, (places, number) in levels.items()
            }
            values = iso[swept][records]
            found.append(RigSweep(
                at["Fz"], at.get("inclination", 0.0), at.get("pressure", math.nan),
                at.get("speed", math.nan), swept, float(values.min()), float(values.max()),
                len(records),
            ))  # fmt: skip
            kept.append(records)
        return found, np.concatenate(kept) if kept else np.empty(0, dtype=int)


_LEAST_WORDS: Final = "2 degrees, or 0.03,"


def _converted(column: FileColumn, unit: str) -> FloatArray:
    given = _RIG_UNITS.get(column.unit, column.unit)
    if not given and unit != "1":
        raise ModelError(f"no unit is stated; write one below its name, for example {unit}")
    sizes = np.abs(column.values[np.isfinite(column.values)])
    if len(sizes) and sizes.max() > LARGEST_VALUE:
        raise ModelError(f"a value of {sizes.max():g} is beyond computing")
    return column.values / units_in(given or "1", unit)


def _large(values: FloatArray) -> float:
    """What nearly all sizes are below: single records beyond do not count."""
    return float(np.quantile(np.abs(values), 0.98)) if len(values) else 0.0


def _clusters(
    values: FloatArray, usable: np.ndarray, width: float
) -> tuple[FloatArray, np.ndarray]:
    """The places that most records lie around, within a width to either side, one after another."""
    number = np.full(len(values), -1)
    left = np.flatnonzero(usable)
    least = max(_LEAST_RECORDS, _LEAST_SHARE * len(left))
    places: list[float] = []
    while len(left) >= least:
        ordered = np.sort(values[left])
        ends = np.searchsorted(ordered, ordered + 2.0 * width, side="right")
        crowd = ends - np.arange(len(ordered))
        k = int(np.argmax(crowd))
        if crowd[k] < least:
            break
        place = float(np.median(ordered[k : ends[k]]))
        mine = np.abs(values[left] - place) <= width * (1.0 + 1e-9)
        if not mine.any():
            break
        number[left[mine]] = len(places)
        places.append(place)
        # What lies next to a level belongs to its edge, and is no level of its own.
        left = left[np.abs(values[left] - place) > 2.0 * width]
    return np.array(places), number


def _stretches(numbers: np.ndarray, inside: np.ndarray) -> list[np.ndarray]:
    """Records in a row that lie at one set of levels, short breaks left out."""
    records = np.flatnonzero(inside)
    if not len(records):
        return []
    same = (numbers[records[1:]] == numbers[records[:-1]]).all(axis=1)
    ends = np.flatnonzero(~same | (np.diff(records) > _LONGEST_BREAK)) + 1
    return list(np.split(records, ends))


def _swept(iso: Mapping[str, FloatArray], records: np.ndarray) -> str | None:
    """What goes farthest on its way in these records, of what goes far enough."""
    ways = {
        name: float(np.ptp(iso[name][records])) / least
        for name, least in _LEAST_SWEEP.items()
        if name in iso
    }
    farthest = max(ways, key=lambda name: ways[name])
    return farthest if ways[farthest] >= 1.0 else None


def _points(iso: Mapping[str, FloatArray], kept: np.ndarray) -> TyreData:
    none = np.zeros(len(kept))
    inputs = {
        name: iso[name][kept] if name in iso else none
        for name in ("longitudinal_slip", "slip_angle", "inclination")
    }
    forces = {name: iso[name][kept] for name in _FORCES if name in iso}
    return TyreData(normal_load=iso["Fz"][kept], **inputs, forces=forces)
