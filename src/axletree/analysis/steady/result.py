"""The steady motion that was found: values by name, small deviations, and the way on from it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from axletree.analysis.linear.jacobians import values_of
from axletree.analysis.linear.linearisation import Linearisation
from axletree.analysis.linear.linearise import UNSEEN, linearise_at
from axletree.analysis.linear.modes import Mode
from axletree.analysis.linear.pencil import Pencil, pencil_at, solve_pencil
from axletree.analysis.linear.tangent import LinearisationError
from axletree.analysis.steady.equations import FoundPoint
from axletree.analysis.steady.problem import SteadyProblem, expression_of
from axletree.analysis.steady.rolling import tyres_at_start
from axletree.analysis.steady.yaw_symmetry import symmetry_of
from axletree.core.registry import few_names
from axletree.core.text_table import TextTable
from axletree.core.units import printed_unit
from axletree.expr import Expr, evaluate, symbol
from axletree.expr.quantity import Role
from axletree.simulation.checks import excess_at_records
from axletree.simulation.problem import Problem
from axletree.system.reactions import undetermined_reactions
from axletree.system.system import System

if TYPE_CHECKING:
    from axletree.analysis.steady.continuation import TrimBranch

_ROUNDING = 1e-18  # of a state, that counts as 0


_MOST_NAMED = 4  # values of a kind, where a motion is shown in a few lines


@dataclass(frozen=True, repr=False)
class Trim:
    """A steady motion; all values in SI units, by name.

    ``found["front_tyre.Fy"]`` has the value of any state, input, parameter or output, and of
    expressions such as ``found["chassis.vx*chassis.wz"]``.

    Example:
    >>> import axletree as at
    >>> coasts = at.read_model("bicycle-car").formulate().trim({"chassis.vx": "20 m/s"})
    >>> coasts.held, coasts.drifting[:2]
    (('chassis.vx',), ('chassis.x', 'chassis.y'))
    >>> coasts.rates["chassis.x"]  # m/s
    20.0
    >>> stands = at.trim(at.read_model("quarter-car"))
    >>> print(f"{stands['tyre.Fz - spring.force']:.2f} N")  # the weight of 40 kg
    392.27 N
    >>> [round(mode.frequency, 2) for mode in stands.modes if mode.swings]  # Hz: body, wheel
    [1.16, 10.79]
    """

    problem: SteadyProblem = field(repr=False)  # what was asked for
    states: Mapping[str, float]
    inputs: Mapping[str, float]  # those given and those found; rates of motions are 0
    parameters: Mapping[str, float] = field(repr=False)
    rates: Mapping[str, float]  # of all states: accelerations, and how coordinates drift
    given: Mapping[str, float]
    decay: float  # [1/s]: every speed p changes by decay * p; 0 unless it coasts
    yaw_rate: float | None  # [rad/s] at which states turn with the whole; None where none does
    residual: float  # the largest of what should vanish, in the unit of its rate
    drifting: tuple[str, ...]  # coordinates that nothing depends on, as they were at the start
    open: tuple[str, ...]  # what the conditions leave open, near to the start

    def __repr__(self) -> str:
        """What was given and what was found, in a few lines."""
        system = self.system
        quantities = (*system.states, *system.inputs, *system.parameters)
        units = {q.name: f" {q.unit}" for q in quantities if q.unit != "1"}

        def listed(values: Mapping[str, float]) -> str:
            shown = [f"{n} = {value:.4g}{units.get(n, '')}" for n, value in values.items()]
            return few_names(shown, _MOST_NAMED)

        found = {name: self[name] for name in self.found}
        lines = [
            f"Trim of {system.name!r}, residual {self.residual:.2g}",
            f"  given: {listed(self.given) or 'nothing'}",
            *([f"  found: {listed(found)}"] if found else []),
            f"  {len(self.states)} states: {listed(self.states)}",
        ]
        if abs(self.decay) > _ROUNDING:
            lines.append(f"  coasting: every speed changes by {self.decay:.4g} of itself in 1 s")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """All values, as a notebook shows them."""
        system = self.system
        rows = [
            (q.name, f"{self[q.name]:.6g}", "" if q.unit == "1" else printed_unit(q.unit), kind)
            for kind, quantities in (("state", system.states), ("input", system.inputs))
            for q in quantities
            if q.name in self.states or q.name in self.inputs
        ]
        columns = ("quantity:", "value", "unit:", "kind:")
        return TextTable(f"Trim of {system.name}", columns, tuple(rows)).html()

    @property
    def system(self) -> System:
        """The system that it is a motion of, with smooth laws of set-valued forces."""
        return self.problem.system

    @property
    def time(self) -> float:
        """[s]"""
        return self.problem.time

    @property
    def held(self) -> tuple[str, ...]:
        """States that were given."""
        return tuple(self.problem.held_values)

    @property
    def found(self) -> tuple[str, ...]:
        """Inputs and parameters that were found."""
        return tuple(symbol.name for symbol in self.problem.sought)

    @cached_property
    def slips(self) -> dict[str, float]:
        """Longitudinal slip by tyre; 0 for those that cannot slip."""
        tyres = tyres_at_start(self.system)
        values = evaluate([t.slip for t in tyres if t.slip is not None], self.values)
        slips = iter(values)
        return {t.name: 0.0 if t.slip is None else _cleared(float(next(slips))) for t in tyres}

    def __getitem__(self, name: str) -> float:
        if caveat := undetermined_reactions(self.system, [name]):
            warnings.warn(f"{self.system.name}: {caveat}", stacklevel=2)
        return float(evaluate([expression_of(self.system, name)], self.values)[0])

    @cached_property
    def values(self) -> dict[Expr, float]:
        """Numbers for every symbol of the system."""
        known = {**self.states, **self.inputs, **self.parameters}
        quantities = (*self.system.states, *self.system.inputs, *self.system.parameters)
        values = {q.symbol: known.get(q.name, 0.0) for q in quantities}
        return {self.system.time.symbol: self.time, **values}

    def continued(
        self, along: str, to: float | str, *, step: float | str, points: int = 200
    ) -> TrimBranch:
        """The branch of steady motions from this one on, past folds, until a value is reached.

        Parameters
        ----------
        along: what is followed: a value that was given, an input or a parameter.
        to: its last value, SI. A curve that turns back ends where it comes back to its first
            value.
        step: how far it goes in a step, or about so at most; SI.
        points: after which the curve is left at the latest.

        Warns of variables that were declared small and are larger than that from some point on.

        Example:
        >>> import axletree as at
        >>> pendulum = at.read_model("pendulum")
        >>> motor = pendulum.add(at.JointTorque("motor", pendulum["pin"]))
        >>> branch = at.trim(pendulum).continued("motor.torque", 4.5, step=0.5)
        >>> print(f"{branch['pin.angle'][-1]:.4f} rad")  # asin(4.5 / (1 * 9.80665 * 0.5))
        1.1624 rad
        """
        from axletree.analysis.steady.continuation import follow_branch

        return follow_branch(self, along, to, step, points)

    def linearise(self, outputs: Sequence[str] = (), keep: Sequence[str] = ()) -> Linearisation:
        """Small deviations in axes that move along; what drifts is left out.

        ``keep`` names states that shall be among the independent ones, if they do not drift.

        Example:
        >>> import axletree as at
        >>> stands = at.trim(at.read_model("quarter-car"))
        >>> linear = stands.linearise(outputs=["tyre.Fz"])
        >>> linear.matrix_table("D")["tyre.Fz"]["road.position"]  # N/m: the tyre's stiffness
        180000.0
        """
        return linearise_steady(self, outputs, keep)

    @cached_property
    def linearisation(self) -> Linearisation:
        """``linearise()``, computed once."""
        return self.linearise()

    @cached_property
    def pencil(self) -> Pencil:
        """Generalised eigenvalues of the equations as they were written, A x' = B.

        Constraints are in it as they are, not differentiated and not stabilised, and what
        drifts is, too. Where the system was not written by hand, it is that of dx/dt = A x.
        """
        implicit = self.system.implicit
        if implicit is None:
            linear = self.linearisation
            return solve_pencil(np.eye(len(linear.states)), linear.A, linear.states)
        known = {q.symbol: self[q.name] for q in implicit.variables}
        rates = np.array([self.rates.get(q.name, 0.0) for q in implicit.variables])
        return pencil_at(implicit, {**self.values, **known}, rates)

    @property
    def eigenvalues(self) -> np.ndarray:
        """[1/s], the fastest growing first."""
        return self.linearisation.eigenvalues

    @property
    def modes(self) -> tuple[Mode, ...]:
        """One for each real eigenvalue and each conjugate pair, the fastest growing first."""
        return self.linearisation.modes


def as_trim(found: FoundPoint) -> Trim:
    """Of what a search has found."""
    equations, point = found.equations, found.point
    names = [q.name for q in equations.system.states]
    values = zip(equations.targets, point.targets.tolist(), strict=True)
    targets = tuple(replace(target, value=value) for target, value in values)
    given = replace(equations.problem.given, targets=targets)
    drifting = {names[k] for k in equations.conditions.drifting}
    left = [equations.names[k] for k in found.open]
    problem = replace(equations.problem, given=given)
    made = trim_at(problem, equations.numbers_at(point), found.residual)
    return replace(
        made,
        states={name: _cleared(value) for name, value in made.states.items()},
        decay=point.decay,
        yaw_rate=None if equations.symmetry is None else point.yaw_rate,
        drifting=tuple(names[k] for k in equations.drifting),
        open=tuple(name for name in left if name not in drifting),
    )


def trim_at(problem: SteadyProblem, numbers: Problem, residual: float) -> Trim:
    """Of numbers, without a decay, a yaw rate or anything that drifts."""
    system, values = problem.system, values_of(numbers)
    rates = evaluate(system.derivatives, values)
    given = {target.name: target.value for target in problem.given.targets}
    levels = (*problem.given.inputs, *problem.given.parameters)
    return Trim(
        problem=problem,
        states={q.name: values[q.symbol] for q in system.states},
        inputs={q.name: values[q.symbol] for q in system.inputs if not q.derivative_of},
        parameters={q.name: values[q.symbol] for q in system.parameters},
        rates={q.name: rate for q, rate in zip(system.states, rates, strict=True)},
        given=given | {name: values[symbol(name)] for name in levels},
        decay=0.0,
        yaw_rate=None,
        residual=residual,
        drifting=(),
        open=(),
    )


def _cleared(value: float) -> float:
    """Without what rounding leaves of a zero."""
    return value if abs(value) > _ROUNDING else 0.0


def excursion_of(points: Sequence[Trim], where: Callable[[int], str]) -> str:
    """Which variable that was declared small is not so in these motions; empty if all are."""
    records = np.array([list(point.states.values()) for point in points])
    remark = excess_at_records(points[0].system, records, where)
    return f"{points[0].system.name}: {remark}" if remark else ""


# Small deviations from a steady motion, in axes that move along with it.
#
# Where states turn with the whole, dx/dt = w g(x), deviations seen from axes that turn along
# obey d/dt dx = (df/dx - w dg/dx) dx. A deviation along g is a change of the heading alone, which
# nothing feels: one coordinate that it moves is left out, and the others count at equal heading.


def linearise_steady(trim: Trim, outputs: Sequence[str], keep: Sequence[str]) -> Linearisation:
    """What ``Trim.linearise`` asks for."""
    system, values = trim.system, trim.values
    if trim.yaw_rate is None:
        linear = linearise_at(system, values, keep, outputs)
        return _without(linear, set(trim.drifting) & set(linear.drifting))
    found = symmetry_of(system, values).generator(values)
    index = {q.name: k for k, q in enumerate(system.states)}
    linear = linearise_at(system, values, keep, outputs, -trim.yaw_rate * found.slopes)
    linear = _without(linear, set(trim.drifting) & set(linear.drifting))
    g = found.field[[index[name] for name in linear.states]]
    coordinates = {q.name for q in system.states if q.role is Role.COORDINATE}
    sizes = [abs(x) if n in coordinates else 0.0 for n, x in zip(linear.states, g, strict=True)]
    if not any(sizes):  # at rest the heading itself drifts, and is left out already
        return linear
    heading = int(np.argmax(sizes))
    share = g / g[heading]
    C = linear.C.copy()
    C[:, heading] = linear.C @ share  # 0 where an output is the same whatever the heading
    share[heading] = 0.0
    at_equal_heading = replace(
        linear,
        A=linear.A - np.outer(share, linear.A[heading]),
        B=linear.B - np.outer(share, linear.B[heading]),
        C=C,
    )
    return _without(at_equal_heading, {linear.states[heading]})


def _without(linear: Linearisation, names: set[str]) -> Linearisation:
    """Refuses outputs that would lose what they have of the coordinates."""
    gone = [k for k, name in enumerate(linear.states) if name in names]
    seen = np.abs(linear.C) > UNSEEN * np.abs(linear.C).max(axis=1, initial=0.0, keepdims=True)
    for output, row in zip(linear.outputs, seen, strict=True):
        lost = [linear.states[k] for k in gone if row[k]]
        if lost:
            raise LinearisationError(
                f"the output {output!r} depends on {', '.join(lost)}, which drifts in this motion "
                "and is left out of its linear system; take System.linearise at the motion's "
                "states, which keeps it, or an output that does not depend on it"
            )
    return replace(linear, drifting=tuple(names)).without_drift()
