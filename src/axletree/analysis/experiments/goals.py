"""Goals of an optimisation: what is made small, and what is kept within limits, as expressions of
findings.

``yaw_rate_overshoot``, ``ride:weighted_rms + 0.1*step:yaw_rate_response_time`` and
``vehicle.roll.final/vehicle.lateral_acceleration.final`` are goals; ``step:tb_factor <= 0.3`` is a
constraint, whose limit may have a unit where one finding stands alone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from axletree.analysis.studies.sweep_plan import SweepError
from axletree.core.arrays import FloatArray
from axletree.core.errors import ExpressionError
from axletree.core.units import UnitError, to_si
from axletree.expr import Expr, evaluate, jacobian, parse_expression, symbol
from axletree.metrics.findings import Finding

_NAME: Final = re.compile(r"(?<![\w.])(?:[A-Za-z][\w-]*:)?[A-Za-z_]\w*(?:\.\w+)*(?![\w.])")
_CONSTRAINT: Final = re.compile(r"(.+?)(<=|>=|<|>)(.+)")
_CONSTANTS: Final = ("pi",)


@dataclass(frozen=True)
class DesignGoal:
    """An expression of findings that is made small, or large with ``sign`` -1."""

    text: str
    names: tuple[str, ...]  # of the findings
    expression: Expr  # of the symbols g0, g1, ... of these
    sign: float = 1.0
    unit: str = "1"

    def values(self, columns: Mapping[str, FloatArray]) -> FloatArray:
        """Of every car; nan where a finding is."""
        given = {_symbol(k): np.asarray(columns[n], float) for k, n in enumerate(self.names)}
        count = len(columns[self.names[0]])
        try:
            found = np.broadcast_to(_evaluated(self.expression, given), count).astype(float)
        except ExpressionError:  # of some car it is no number
            rows = ({name: column[k] for name, column in given.items()} for k in range(count))
            found = np.array([_number(self.expression, row) for row in rows])
        return np.where(np.isfinite(found), found, np.nan)

    def slopes(self, at: Mapping[str, float]) -> dict[str, float]:
        """By finding."""
        given = {_symbol(k): float(at[name]) for k, name in enumerate(self.names)}
        entries = jacobian([self.expression], list(given))
        return {
            name: float(_evaluated(entries[0, k], given)) if (0, k) in entries else 0.0
            for k, name in enumerate(self.names)
        }


@dataclass(frozen=True)
class DesignLimit:
    """A goal that is to be at most ``bound``, or at least, by the sign of the goal."""

    goal: DesignGoal
    bound: float
    text: str

    def excess(self, columns: Mapping[str, FloatArray]) -> FloatArray:
        """How far every car is on the wrong side, in parts of the bound; at most 0 if it is not."""
        apart = self.goal.sign * (self.goal.values(columns) - self.bound)
        return apart / (abs(self.bound) or 1.0)


def _symbol(k: int) -> Expr:
    return symbol(f"g{k}")


def _evaluated(expression: Expr, given: Mapping[Expr, Any]) -> Any:
    return evaluate([expression], given)[0]


def _number(expression: Expr, given: Mapping[Expr, float]) -> float:
    try:
        return float(_evaluated(expression, given))
    except ExpressionError:
        return math.nan


def read_goal(text: str, sign: float = 1.0) -> DesignGoal:
    """A goal from its text; names are looked up later."""
    names: list[str] = []

    def numbered(match: re.Match[str]) -> str:
        name = match[0]
        after = text[match.end() :].lstrip()
        if after.startswith("(") or name in _CONSTANTS:
            return name
        if name not in names:
            names.append(name)
        return f"g{names.index(name)}"

    plain = _NAME.sub(numbered, text)
    if not names:
        raise SweepError(f"{text!r} names no finding; expected one, or an expression of some")
    try:
        known = {f"g{k}": _symbol(k) for k in range(len(names))}
        expression = parse_expression(plain, known)
    except ExpressionError as error:
        raise SweepError(f"{text!r} is no expression of findings: {error}") from None
    return DesignGoal(text.strip(), tuple(names), expression, sign)


def read_limit(text: str) -> tuple[DesignGoal, str]:
    """A constraint as its goal, with the sign of its side, and the text of its bound."""
    match = _CONSTRAINT.fullmatch(text)
    if match is None or match[2] in ("<", ">"):
        raise SweepError(
            f"{text!r} is no constraint; expected FINDING <= VALUE or FINDING >= VALUE, such as "
            "'yaw_rate_overshoot <= 10 %'"
        )
    return read_goal(match[1], 1.0 if match[2] == "<=" else -1.0), match[3].strip()


def with_finding_unit(goal: DesignGoal, findings: Sequence[Finding]) -> DesignGoal:
    """The unit of a goal that is one finding alone."""
    units = {one.name: one.unit for one in findings}
    is_alone = len(goal.names) == 1 and goal.text.lstrip("- ") == goal.names[0]
    return replace(goal, unit=units[goal.names[0]]) if is_alone else goal


def limit_of(goal: DesignGoal, bound: str) -> DesignLimit:
    """A goal with its unit, and the bound as a number of that."""
    sign = "<=" if goal.sign > 0.0 else ">="
    try:
        value = to_si(bound, goal.unit)
    except UnitError as error:
        raise SweepError(f"{goal.text} {sign} {bound}: {error}") from None
    if not math.isfinite(value):
        raise SweepError(f"{goal.text} {sign} {bound}: expected a finite number")
    return DesignLimit(goal, value, f"{goal.text} {sign} {bound}")
