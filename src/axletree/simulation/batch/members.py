"""What differs from member to member: columns of values, checked, in SI units.

Everything that is given by name is a number or a text for all members, a column of as many numbers
or texts as there are members, or a distribution that a column is drawn from. All mistakes are found
before one error names them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.registry import few_names, unknown_name
from axletree.core.units import UnitError, to_si
from axletree.expr.quantity import Quantity, Role
from axletree.simulation.batch.distributions import DrawnValue, Sampling, drawn
from axletree.simulation.problem import SettingsError

MemberValues = Any  # a mapping by name, or a table such as a DataFrame of pandas; or None
SPEED: Final = Quantity(
    "speed", "m/s", "speed at which a member begins", Role.PARAMETER, lower=0.0, above=True
)
_SHOWN: Final = 3  # members that a message names


@dataclass
class GivenColumns:
    """Values of one kind by name: those of all members, and columns of those that differ."""

    common: dict[str, Any] = field(default_factory=dict)
    columns: dict[str, FloatArray] = field(default_factory=dict)  # SI units


@dataclass(frozen=True)
class Members:
    """How many there are, and what each of them has of its own."""

    count: int
    parameters: GivenColumns
    initial: GivenColumns
    inputs: GivenColumns  # levels
    courses: Mapping[str, tuple[FloatArray, FloatArray]]  # times, and [member, time] values
    speeds: FloatArray | None = None  # m/s, at which members begin, where they differ

    def part(self, rows: np.ndarray) -> Members:
        """Some of them, by their numbers."""

        def of(given: GivenColumns) -> GivenColumns:
            return GivenColumns(given.common, {n: c[rows] for n, c in given.columns.items()})

        return Members(
            len(rows), of(self.parameters), of(self.initial), of(self.inputs),
            {name: (times, values[rows]) for name, (times, values) in self.courses.items()},
            None if self.speeds is None else self.speeds[rows],
        )  # fmt: skip


def read_members(
    kinds: Mapping[str, tuple[Mapping[str, Any], Iterable[Quantity]]],
    count: int | None,
    sampling: Sampling,
    seed: int | None,
    system: str,
) -> Members:
    """The members of a batch, from what is given of ``parameters``, ``initial`` and ``inputs``, and
    of a ``speed`` where they begin at one."""
    problems: list[str] = []
    courses = _courses(kinds["inputs"][0], problems)
    plain = {
        kind: {name: value for name, value in given.items() if name not in courses}
        for kind, (given, _) in kinds.items()
    }
    lengths = {name: len(v) for values in plain.values() for name, v in values.items() if _many(v)}
    lengths |= {name: len(values) for name, (_, values) in courses.items()}
    whole = _agreed(lengths, count, problems)
    if problems:
        raise SettingsError(*problems)
    found = {kind: GivenColumns() for kind in kinds}
    sources: dict[str, tuple[DrawnValue, str]] = {}
    for kind, (_, quantities) in kinds.items():
        known = {q.name: q for q in quantities}
        for name, value in plain[kind].items():
            if isinstance(value, DrawnValue) and name in known:
                sources[name] = value, known[name].unit
    columns = drawn(sources, whole, sampling, seed)
    for kind, (_, quantities) in kinds.items():
        known = {q.name: q for q in quantities}
        for name, value in plain[kind].items():
            if not _many(value) and not isinstance(value, DrawnValue):
                found[kind].common[name] = value
            elif name not in known:
                problems.append(
                    str(unknown_name(kind.removesuffix("s"), name, known, f"system {system!r}"))
                )
            elif name in columns:
                found[kind].columns[name] = columns[name]
            else:
                column = _column(name, value, known[name].unit, problems)
                found[kind].columns |= {} if column is None else {name: column}
        _check_bounds(kind, found[kind].columns, known, problems)
    if problems:
        raise SettingsError(*problems)
    speeds = found["speed"].columns.get(SPEED.name) if "speed" in found else None
    return Members(whole, found["parameters"], found["initial"], found["inputs"], courses, speeds)


def _many(value: Any) -> bool:
    """Whether a value is a column; an array of one number and a table over time are none."""
    if isinstance(value, str | DrawnValue | tuple) or not hasattr(value, "__len__"):
        return False
    return np.ndim(value) == 1


def _courses(
    inputs: Mapping[str, Any], problems: list[str]
) -> dict[str, tuple[FloatArray, FloatArray]]:
    """Inputs over time that differ: times, and values with a row for each member."""
    found = {}
    for name, value in inputs.items():
        if isinstance(value, tuple) and len(value) == 2 and np.ndim(value[1]) == 2:
            try:
                times, values = (np.asarray(one, dtype=float) for one in value)
            except (TypeError, ValueError) as error:
                problems.append(f"input {name!r}: {error}; expected numbers in s, and in SI units")
                continue
            if times.ndim != 1 or values.shape[1] != len(times) or not (np.diff(times) > 0.0).all():
                problems.append(
                    f"input {name!r} has {values.shape[1]} values for each member at "
                    f"{times.size} times; expected rising times [s], and a value for each"
                )
            elif not np.isfinite(values).all():
                problems.append(f"input {name!r} has values that are not finite")
            found[name] = times, values
    return found


def _agreed(lengths: Mapping[str, int], count: int | None, problems: list[str]) -> int:
    """The number of members: that of every column."""
    found = {*lengths.values()} | (set() if count is None else {count})
    if len(found) > 1:
        told = [f"{name} has {size} values" for name, size in lengths.items()]
        told += [] if count is None else [f"members is {count}"]
        problems.append(f"columns of a batch are equally long, and {', '.join(told)}")
    elif not found:
        problems.append(
            "nothing differs from member to member; give a column of values, or distributions "
            "and members=1000"
        )
    size = found.pop() if found else 0
    if not problems and size < 1:
        problems.append(f"a batch of {size} members; expected at least 1")
    return size


def _column(name: str, values: Sequence[Any], unit: str, problems: list[str]) -> FloatArray | None:
    try:
        if any(isinstance(value, str) for value in values):
            return np.array([to_si(value, unit) for value in values], dtype=float)
        return np.array(values, dtype=float)
    except (UnitError, TypeError, ValueError) as error:
        problems.append(f"{name}: {error}; expected numbers in {unit}, or texts with a unit")
        return None


def _check_bounds(
    kind: str,
    columns: Mapping[str, FloatArray],
    known: Mapping[str, Quantity],
    problems: list[str],
) -> None:
    for name, values in columns.items():
        quantity = known[name]
        is_inside = np.isfinite(values)
        expected = f"finite numbers in {quantity.unit}"
        if kind != "inputs":
            above = values > quantity.lower if quantity.above else values >= quantity.lower
            is_inside &= above & (values <= quantity.upper)
            if np.isfinite([quantity.lower, quantity.upper]).any():
                word = "above" if quantity.above else "from"
                expected = f"values {word} {quantity.lower:g} to {quantity.upper:g} {quantity.unit}"
        if not is_inside.all():
            wrong = np.flatnonzero(~is_inside)
            shown = few_names([f"{values[k]:g} (member {k})" for k in wrong[:_SHOWN]], _SHOWN)
            more = f" and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
            problems.append(f"{name} is {shown}{more}; expected {expected}")
