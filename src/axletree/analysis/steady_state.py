"""Steady motions under given values: speed and radius given, steer and drive found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from axletree.analysis.implicit_pencil import pencil_at
from axletree.analysis.linearise import Linearisation
from axletree.analysis.modes import Mode
from axletree.analysis.pencil import Pencil, solve_pencil
from axletree.analysis.steady_equations import SteadyEquations, SteadyPoint
from axletree.analysis.steady_given import (
    Given,
    SteadyStateError,
    Values,
    expression_of,
    in_si,
    known_quantities,
    read_given,
)
from axletree.analysis.steady_linear import linearise_steady
from axletree.analysis.steady_search import Found, SteadySearch
from axletree.core.expr import Expr, evaluate
from axletree.core.registry import unknown_name
from axletree.simulation.problem import Problem, Tolerances, state_problem
from axletree.system.system import System


@dataclass(frozen=True)
class SteadyState:
    """A steady motion; all values in SI units, by name.

    ``steady["front_tyre.Fy"]`` has the value of any state, input, parameter or output, and of
    expressions such as ``steady["chassis.vx*chassis.wz"]``.
    """

    system: System = field(repr=False)
    states: Mapping[str, float]
    inputs: Mapping[str, float]
    parameters: Mapping[str, float] = field(repr=False)
    rates: Mapping[str, float]  # of all states: how coordinates drift, and vectors turn
    given: Mapping[str, float]
    found: tuple[str, ...]  # inputs
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

    def linearise(self, outputs: Sequence[str] = ()) -> Linearisation:
        """Small deviations in axes that move along; what drifts is left out."""
        return linearise_steady(self.system, self.values, self.yaw_rate, outputs)

    @cached_property
    def linearisation(self) -> Linearisation:
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


def steady_state(
    system: System,
    given: Values | None = None,
    find: Sequence[str | Sequence[str]] = (),
    *,
    start: Values | SteadyState | None = None,
    time: float = 0.0,
) -> SteadyState:
    """The steady motion near the start of the model; texts may carry units.

    Parameters
    ----------
    given: values of states, inputs, parameters and outputs, and of expressions of these such
        as ``"chassis.vx/chassis.wz"``. Inputs that are neither given nor found are 0.
    find: inputs whose levels are found; names within a sequence of their own share one level.
    start: first guesses of states and of inputs that are found, or a steady motion nearby.
    time: s, where the equations depend on it.

    Vehicles turn at a constant rate: states that turn with the whole, such as a velocity along
    the axes of the ground, do so at the yaw rate. Raises ``SteadyStateError`` with the
    conditions that are not met and the closest motion that was reached.
    """
    search, guess, read = prepare(system, given or {}, find, start, time)
    return as_state(search.equations, search.solve(guess), read)


def prepare(
    system: System,
    given: Values,
    find: Sequence[str | Sequence[str]],
    start: Values | SteadyState | None,
    time: float,
    along: str | None = None,
) -> tuple[SteadySearch, SteadyPoint, Given]:
    """Equations, a first guess, and what was given as numbers."""
    read = read_given(system, given)
    groups = _groups(system, find, read)
    own = _problem(system, read, {}, time)
    states = {q.name for q in system.states}
    direct = {t.name: t.value for t in read.targets if t.name in states}
    problem = _problem(system, read, direct, time) if start is None else own
    _apply(system, problem, start)
    for name, value in direct.items():
        problem.states[[q.name for q in system.states].index(name)] = value
    equations = SteadyEquations(system, problem, read.targets, groups, _along(system, read, along))
    return SteadySearch(equations, own.states), equations.guess, read


def as_state(equations: SteadyEquations, found: Found, given: Given) -> SteadyState:
    system, point = equations.system, found.point
    names = [q.name for q in system.states]
    rates = evaluate(system.derivatives, equations.values(point))
    levels = dict(zip((q.name for q in system.inputs), point.inputs.tolist(), strict=True))
    constants = zip((q.name for q in system.parameters), point.parameters.tolist(), strict=True)
    parameters = dict(constants)
    targets = zip((t.name for t in equations.targets), point.targets.tolist(), strict=True)
    known = {**levels, **parameters}
    unknown = [names[k] for k in equations.free]
    unknown += [", ".join(system.inputs[k].name for k in group) for group in equations.found]
    unknown += ["yaw rate", "along"]
    return SteadyState(
        system=system,
        states=dict(zip(names, point.states.tolist(), strict=True)),
        inputs={q.name: levels[q.name] for q in system.inputs if not q.derivative_of},
        parameters=parameters,
        rates=dict(zip(names, rates, strict=True)),
        given={**dict(targets), **{n: known[n] for n in (*given.inputs, *given.parameters)}},
        found=tuple(system.inputs[k].name for group in equations.found for k in group),
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


def _along(system: System, given: Given, name: str | None) -> Expr | None:
    """The symbol whose value is followed: of a target, an input or a parameter."""
    if name is None:
        return None
    known = {target.name: target.symbol for target in given.targets}
    known |= {q.name: q.symbol for q in (*system.inputs, *system.parameters)}
    if name not in known:
        if name in known_quantities(system):
            raise SteadyStateError(
                f"{name!r} is followed without a first value; give it one in given"
            )
        raise unknown_name("given value, input or parameter", name, known, system.name)
    return known[name]


def _groups(system: System, find: Sequence[str | Sequence[str]], given: Given) -> list[list[int]]:
    index = {q.name: k for k, q in enumerate(system.inputs) if not q.derivative_of}
    groups = []
    for entry in find:
        names = [entry] if isinstance(entry, str) else list(entry)
        for name in names:
            if name not in index:
                raise unknown_name("input", name, index, f"system {system.name!r}")
            if name in given.inputs:
                raise SteadyStateError(f"the input {name!r} is given and is to be found")
        if not names:
            raise SteadyStateError("find holds an empty list; expected names of inputs")
        groups.append([index[name] for name in names])
    return groups


def _problem(system: System, given: Given, direct: Mapping[str, float], time: float) -> Problem:
    return state_problem(
        system, initial=direct, inputs=given.inputs, parameters=given.parameters, outputs=(),
        start=time, duration=1.0, step=None, record_interval=None, tolerances=Tolerances(),
    )  # fmt: skip


def _apply(system: System, problem: Problem, start: Values | SteadyState | None) -> None:
    """First guesses, into the numbers of a problem that nobody else has."""
    if start is None:
        return
    values = (
        {**start.states, **{n: start.inputs[n] for n in start.found}}
        if isinstance(start, SteadyState)
        else dict(start)
    )
    known = {q.name: (q, k, problem.states) for k, q in enumerate(system.states)}
    known |= {q.name: (q, k, problem.inputs) for k, q in enumerate(system.inputs)}
    for name, value in values.items():
        if name not in known:
            raise unknown_name("state or input", name, known, f"system {system.name!r}")
        quantity, k, numbers = known[name]
        numbers[k] = in_si(name, value, quantity)
