"""Steady motions that were found: values by name, and small deviations from them.

``Trim`` is the result of ``trim``, ``SteadyState`` that of ``steady_state``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from axletree.analysis.linear.jacobians import Values
from axletree.analysis.linear.linearisation import Linearisation
from axletree.analysis.linear.linearise import UNSEEN, linearise_at
from axletree.analysis.linear.modes import Mode
from axletree.analysis.linear.pencil import Pencil, pencil_at, solve_pencil
from axletree.analysis.linear.tangent import LinearisationError
from axletree.analysis.steady.equations import SteadyEquations, SteadyPoint
from axletree.analysis.steady.problem import GivenValues, expression_of
from axletree.analysis.steady.yaw_symmetry import symmetry_of
from axletree.expr import Expr, evaluate
from axletree.expr.quantity import Role
from axletree.simulation.checks import excess_at_records
from axletree.system.system import System


@dataclass(frozen=True)
class Trim:
    """A steady motion; all values in SI units, by name.

    Example:
    >>> import axletree as at
    >>> coasts = at.read_model("bicycle-car").formulate().trim({"chassis.vx": "20 m/s"})
    >>> coasts.held, coasts.drifting[:2]
    (('chassis.vx',), ('chassis.x', 'chassis.y'))
    >>> coasts.rates["chassis.x"]  # m/s
    20.0
    """

    system: str
    states: Mapping[str, float]
    inputs: Mapping[str, float]  # those given and those found; rates of motions are 0
    rates: Mapping[str, float]  # of all states: accelerations, and how coordinates drift
    decay: float  # [1/s]: every speed p changes by decay * p; 0 unless it coasts
    residual: float  # the largest of what should vanish, in the unit of its rate
    held: tuple[str, ...]  # states
    found: tuple[str, ...]  # inputs
    drifting: tuple[str, ...]  # coordinates that nothing depends on, as they were at the start
    open: tuple[str, ...]  # states that the conditions leave open, near to the start


@dataclass(frozen=True)
class FoundPoint:
    """A steady motion in numbers, and what its conditions leave open of the unknowns."""

    point: SteadyPoint
    residual: float
    open: tuple[int, ...]


@dataclass(frozen=True)
class SteadyState:
    """A steady motion; all values in SI units, by name.

    ``steady["front_tyre.Fy"]`` has the value of any state, input, parameter or output, and of
    expressions such as ``steady["chassis.vx*chassis.wz"]``.

    Example:
    >>> import axletree as at
    >>> steady = at.read_model("quarter-car").formulate().steady_state()
    >>> print(f"{steady['tyre.Fz - spring.force']:.2f} N")  # the weight of 40 kg
    392.27 N
    >>> [round(mode.frequency, 2) for mode in steady.modes if mode.swings]  # Hz: body, wheel
    [1.16, 10.79]
    """

    system: System = field(repr=False)
    states: Mapping[str, float]
    inputs: Mapping[str, float]
    parameters: Mapping[str, float] = field(repr=False)
    rates: Mapping[str, float]  # of all states: how coordinates drift, and vectors turn
    given: Mapping[str, float]
    found: tuple[str, ...]  # inputs and parameters
    yaw_rate: float | None  # [rad/s] at which states turn with the whole; None where none does
    residual: float  # the largest of what should vanish, in the unit of its rate
    drifting: tuple[str, ...]  # coordinates that nothing depends on, as they were at the start
    open: tuple[str, ...]  # what the conditions leave open, near to the start
    time: float = 0.0  # [s]

    def __getitem__(self, name: str) -> float:
        return float(evaluate([expression_of(self.system, name)], self.values)[0])

    @cached_property
    def values(self) -> dict[Expr, float]:
        """Numbers for every symbol of the system."""
        known = {**self.states, **self.inputs, **self.parameters}
        quantities = (*self.system.states, *self.system.inputs, *self.system.parameters)
        values = {q.symbol: known.get(q.name, 0.0) for q in quantities}
        return {self.system.time.symbol: self.time, **values}

    def linearise(self, outputs: Sequence[str] = (), keep: Sequence[str] = ()) -> Linearisation:
        """Small deviations in axes that move along; what drifts is left out.

        ``keep`` names states that shall be among the independent ones, if they do not drift.

        Example:
        >>> import axletree as at
        >>> steady = at.read_model("quarter-car").formulate().steady_state()
        >>> linear = steady.linearise(outputs=["tyre.Fz"])
        >>> linear.matrix_table("D")["tyre.Fz"]["road.position"]  # N/m: the tyre's stiffness
        180000.0
        """
        return linearise_steady(
            self.system, self.values, self.yaw_rate, outputs, self.drifting, keep
        )

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


def as_state(equations: SteadyEquations, found: FoundPoint, given: GivenValues) -> SteadyState:
    system, point = equations.system, found.point
    names = [q.name for q in system.states]
    rates = evaluate(system.derivatives, equations.values(point))
    levels = dict(zip((q.name for q in system.inputs), point.inputs.tolist(), strict=True))
    constants = zip((q.name for q in system.parameters), point.parameters.tolist(), strict=True)
    parameters = dict(constants)
    targets = zip((t.name for t in equations.targets), point.targets.tolist(), strict=True)
    known = {**levels, **parameters}
    unknown = [names[k] for k in equations.free]
    unknown += [", ".join(symbol.name for symbol in group) for group in equations.found]
    unknown += ["yaw rate", "along"]
    return SteadyState(
        system=system,
        states=dict(zip(names, point.states.tolist(), strict=True)),
        inputs={q.name: levels[q.name] for q in system.inputs if not q.derivative_of},
        parameters=parameters,
        rates=dict(zip(names, rates, strict=True)),
        given={**dict(targets), **{n: known[n] for n in (*given.inputs, *given.parameters)}},
        found=tuple(symbol.name for group in equations.found for symbol in group),
        yaw_rate=None if equations.symmetry is None else point.yaw_rate,
        residual=found.residual,
        drifting=tuple(names[k] for k in equations.conditions.drifting),
        open=tuple(unknown[k] for k in found.open if k not in _heading(equations, point)),
        time=equations.problem.start,
    )


def _heading(equations: SteadyEquations, point: SteadyPoint) -> set[int]:
    """Unknowns that change with the heading, which is anyone's choice."""
    if equations.symmetry is None:
        return set()
    turned = equations.symmetry.generator(equations.values(point)).field[equations.free]
    return set(np.flatnonzero(turned).tolist())


def excursion_of(points: Sequence[SteadyState], where: Callable[[int], str]) -> str:
    """Which variable that was declared small is not so in these motions; empty if all are."""
    records = np.array([list(point.states.values()) for point in points])
    remark = excess_at_records(points[0].system, records, where)
    return f"{points[0].system.name}: {remark}" if remark else ""


# Small deviations from a steady motion, in axes that move along with it.
#
# Where states turn with the whole, dx/dt = w g(x), deviations seen from axes that turn along
# obey d/dt dx = (df/dx - w dg/dx) dx. A deviation along g is a change of the heading alone, which
# nothing feels: one coordinate that it moves is left out, and the others count at equal heading.


def linearise_steady(
    system: System,
    values: Values,
    yaw_rate: float | None,
    outputs: Sequence[str],
    drifting: Sequence[str],
    keep: Sequence[str] = (),
) -> Linearisation:
    """At values of all symbols; ``yaw_rate`` [rad/s] is None where no state turns.

    ``drifting`` are coordinates that need not keep their values.
    """
    if yaw_rate is None:
        linear = linearise_at(system, values, keep, outputs)
        return _without(linear, set(drifting) & set(linear.drifting))
    found = symmetry_of(system, values).generator(values)
    index = {q.name: k for k, q in enumerate(system.states)}
    linear = linearise_at(system, values, keep, outputs, -yaw_rate * found.slopes)
    linear = _without(linear, set(drifting) & set(linear.drifting))
    g = found.field[[index[name] for name in linear.states]]
    coordinates = {q.name for q in system.states if q.role is Role.COORDINATE}
    sizes = [abs(x) if n in coordinates else 0.0 for n, x in zip(linear.states, g, strict=True)]
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
