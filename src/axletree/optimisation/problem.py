"""What is asked: ranges of states, controls and parameters, constraints, ends and cost.

The problem, over an independent variable s from 0 to its length: find controls u(s), states x(s)
and parameters p that minimise

    integral of weighted outputs + weighted outputs at the end + weight of the length
        + sum over controls of rate_weight * integral of (du/ds)^2

with x' = f(x, u, p), everything within its range (Betts 2010, section 4.1).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError, ModelError
from axletree.core.registry import unknown_name
from axletree.core.units import to_si
from axletree.expr.quantity import Quantity
from axletree.system.system import System

RangeNumber = float | str  # SI, or a text with a unit
End = RangeNumber | tuple[RangeNumber, RangeNumber] | None  # a value, a range, or free
GivenCurve = float | Callable[[FloatArray], FloatArray]  # a constant, or a function of s


@dataclass(frozen=True)
class Range:
    """Where a quantity may go; numbers are SI, texts carry units.

    ``initial`` and ``final`` are values or pairs at the ends. ``nominal`` is a magnitude that it
    is scaled by, which follows from bounds where these are known. Of controls, ``rate`` is the
    maximum of |du/ds|, and ``rate_weight`` a weight of its square in the cost. ``periodic``: the
    same at both ends.

    Example:
    >>> from axletree.optimisation.problem import Range
    >>> Range("0 km/h", "90 km/h", initial="36 km/h").upper
    '90 km/h'
    """

    lower: RangeNumber = -math.inf
    upper: RangeNumber = math.inf
    initial: End = None
    final: End = None
    nominal: RangeNumber | None = None
    rate: RangeNumber | None = None
    rate_weight: float = 0.0
    periodic: bool = False


_FREE = Range()


@dataclass(frozen=True)
class RangeBounds:
    """A range in SI numbers."""

    lower: float
    upper: float
    initial: tuple[float, float] | None
    final: tuple[float, float] | None
    nominal: float | None
    rate: float | None
    rate_weight: float
    periodic: bool

    @property
    def scale(self) -> float | None:
        """A magnitude of the quantity; None where nothing says one."""
        if self.nominal is not None:
            return self.nominal
        if math.isfinite(self.upper - self.lower) and self.upper > self.lower:
            return 0.5 * (self.upper - self.lower)
        known = [abs(one) for one in (self.lower, self.upper) if math.isfinite(one) and one]
        return max(known, default=None)


@dataclass(frozen=True, kw_only=True)
class OptimalControlProblem:
    """A system, what may be chosen, what must hold, and what is to be smallest.

    ``controls`` are inputs of the system that are chosen, ``given`` those that are known over s.
    ``path`` bounds outputs everywhere, ``beginning`` and ``end`` at the ends. ``length`` is that of
    s, a number or a ``Range``: a length that is free is chosen, too, and ``length_weight`` is its
    weight in the cost. ``integral`` and ``final`` are weights of outputs. A system may depend on
    time only by what is given.

    Example:
    >>> from axletree.expr import symbol
    >>> from axletree.optimisation.dynamics import dynamics
    >>> from axletree.optimisation.problem import OptimalControlProblem, Range
    >>> cart = dynamics("cart", {"x [m]": symbol("v"), "v [m/s]": symbol("a")}, ["a [m/s^2]"])
    >>> problem = OptimalControlProblem(
    ...     system=cart,
    ...     states={"x": Range(initial=0, final="1 m"), "v": Range(initial=0, final=0)},
    ...     controls={"a": Range(-1, 1)},
    ...     length=Range(0.1, 10),
    ...     length_weight=1.0,
    ... )
    >>> problem.is_length_free
    True
    """

    system: System
    states: Mapping[str, Range] = field(default_factory=dict)
    controls: Mapping[str, Range] = field(default_factory=dict)
    parameters: Mapping[str, Range] = field(default_factory=dict)
    given: Mapping[str, GivenCurve] = field(default_factory=dict)
    path: Mapping[str, Range] = field(default_factory=dict)
    beginning: Mapping[str, Range] = field(default_factory=dict)
    end: Mapping[str, Range] = field(default_factory=dict)
    length: float | Range = 1.0
    length_weight: float = 0.0
    integral: Mapping[str, float] = field(default_factory=dict)
    final: Mapping[str, float] = field(default_factory=dict)
    values: Mapping[str, RangeNumber] = field(
        default_factory=dict
    )  # of parameters that are not chosen
    told: Sequence[str] = ()  # further outputs that the solution has
    along: str = "time"
    along_unit: str = "s"

    def __post_init__(self) -> None:
        problems: list[str] = []
        system = self.system
        outputs = {d.quantity.name: d.quantity for d in system.outputs}
        for kind, given, known in (
            ("state", self.states, {q.name: q for q in system.states}),
            ("input", self.controls, {q.name: q for q in system.inputs}),
            ("input", self.given, {q.name: q for q in system.inputs}),
            ("parameter", self.parameters, {q.name: q for q in system.parameters}),
            ("parameter", self.values, {q.name: q for q in system.parameters}),
            ("output", self.path, outputs), ("output", self.beginning, outputs),
            ("output", self.end, outputs), ("output", self.integral, outputs),
            ("output", self.final, outputs), ("output", dict.fromkeys(self.told), outputs),
        ):  # fmt: skip
            for name, value in given.items():
                if name not in known:
                    problems.append(str(unknown_name(kind, name, known, repr(system.name))))
                elif isinstance(value, Range):
                    _bounds(value, known[name], problems)
        problems += self._uncontrolled()
        if isinstance(self.length, Range):
            _bounds(self.length, self._length_quantity, problems, least=0.0)
        elif not (math.isfinite(self.length) and self.length > 0.0):
            problems.append(f"the length of {self.along} is {self.length:g}; it must be above 0")
        if not (self.length_weight or self.integral or self.final or self._has_rate_weight):
            problems.append(
                "nothing is to be smallest: give integral, final, length_weight, or a rate_weight"
            )
        if isinstance(self.length, Range) and self._has_rate_weight:
            problems.append(
                "rate_weight needs a length that is known; make the control a state, its rate the "
                "control, and the square of this an output that is integrated"
            )
        if problems:
            raise ModelError(problems)

    def _uncontrolled(self) -> list[str]:
        both = sorted(set(self.controls) & set(self.given))
        found = [f"{name} is both chosen and given; leave one of them out" for name in both]
        both = sorted(set(self.parameters) & set(self.values))
        return found + [f"{name} is chosen and has a value; leave one out" for name in both]

    @property
    def _has_rate_weight(self) -> bool:
        return any(one.rate_weight for one in self.controls.values())

    @property
    def _length_quantity(self) -> Quantity:
        unit, place = self.along_unit, f"length of {self.along}"
        return Quantity(LENGTH, unit, place, self.system.time.role)

    @property
    def is_length_free(self) -> bool:
        """Whether the length of the independent variable is chosen."""
        return isinstance(self.length, Range)

    def bounds(self, kind: str, name: str) -> RangeBounds:
        """The range of a quantity in SI numbers; ``kind`` is the name of the field.

        Example:
        >>> from axletree.optimisation.reference_lap import reference_problem
        >>> print(f"{reference_problem().bounds('states', 'u').upper:.2f} m/s")  # 380 km/h
        105.56 m/s
        """
        system = self.system
        if kind == "length":
            assert isinstance(self.length, Range)
            return _bounds(self.length, self._length_quantity, [], least=0.0)
        known: Any = {
            "states": system.states, "controls": system.inputs, "parameters": system.parameters,
        }.get(kind)  # fmt: skip
        if known is None:
            quantity = next(d.quantity for d in system.outputs if d.quantity.name == name)
        else:
            quantity = known[name]
        return _bounds(getattr(self, kind).get(name, _FREE), quantity, [])


LENGTH = "problem.length"  # the parameter by which rates are multiplied where it is chosen


def _bounds(
    given: Range, quantity: Quantity, problems: list[str], least: float = -math.inf
) -> RangeBounds:
    found: dict[str, Any] = {}
    for one in fields(Range):
        value = getattr(given, one.name)
        if one.name in ("rate_weight", "periodic") or value is None:
            found[one.name] = value
            continue
        pair = value if isinstance(value, tuple) else (value,)
        try:
            numbers = tuple(
                part
                if isinstance(part, float) and math.isinf(part)
                else to_si(part, quantity.unit)
                if one.name != "rate"
                else float(part)
                for part in pair
            )
        except (AxletreeError, TypeError, ValueError) as error:
            problems.append(f"{quantity.name}: {one.name}: {error}")
            numbers = (math.nan,) * len(pair)
        found[one.name] = numbers if isinstance(value, tuple) else numbers[0]
    for end in ("initial", "final"):
        value = found[end]
        if value is not None and not isinstance(value, tuple):
            found[end] = (value, value)
    own = RangeBounds(**{**found, "lower": max(found["lower"], least)})
    problems += _contradictions(own, quantity)
    return own


def _contradictions(own: RangeBounds, quantity: Quantity) -> list[str]:
    """Ranges that are empty, ends outside of them, scales that are none."""
    found, name, unit = [], quantity.name, quantity.unit
    ends = {"initial": own.initial, "final": own.final}
    for what, pair in {"range": (own.lower, own.upper), **ends}.items():
        if pair is not None and pair[0] > pair[1]:
            found.append(
                f"{name}: its {what} goes from {pair[0]:g} to {pair[1]:g} {unit}; the lower bound "
                "comes first"
            )
    for what, pair in ends.items():
        if pair is not None and (pair[1] < own.lower or pair[0] > own.upper):
            found.append(
                f"{name}: {what} value {pair[0]:g} {unit} is outside of its range, "
                f"{own.lower:g} to {own.upper:g}"
            )
    for what, value in (("nominal", own.nominal), ("rate", own.rate)):
        if value is not None and not value > 0.0:
            found.append(f"{name}: {what} is {value:g}; it must be above 0")
    if own.rate_weight < 0.0:
        found.append(f"{name}: rate_weight is {own.rate_weight:g}, below 0")
    return found


def given_values(given: GivenCurve, s: FloatArray) -> FloatArray:
    """Of something known over s, at places."""
    if callable(given):
        return np.broadcast_to(np.asarray(given(s), dtype=float), s.shape)
    return np.full(s.shape, float(given))
