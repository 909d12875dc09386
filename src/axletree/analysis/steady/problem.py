"""The problem of a steady motion: what is known, what is to be found, and where the search starts.

Known are values of states, inputs, outputs, parameters and expressions; to be found beside the
states are inputs and parameters, alone or several with one level. The search starts at the
model's start, at the speeds asked for, with wheels that roll.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from axletree.analysis.steady.rolling_start import rolling_guess
from axletree.core.errors import AxletreeError, ExpressionError
from axletree.core.registry import unknown_name
from axletree.core.units import UnitError, to_si
from axletree.expr import Expr, parse_expression, symbol
from axletree.expr.quantity import Quantity, Role
from axletree.simulation.problem import Problem, Tolerances, state_problem
from axletree.system.system import System

Values = Mapping[str, float | str]

_NUMBER = re.compile(r"^\s*[-+]?[\d.]+(?:[eE][-+]?\d+)?")  # what stands before a unit


class SteadyStateError(AxletreeError):
    """No steady motion was found, or what is asked for makes no sense."""


@dataclass(frozen=True)
class Target:
    """A value that a function of the state is to have; the value is a symbol of its own."""

    name: str  # as it was given: a name, or the text of an expression
    expression: Expr
    unit: str  # "" of an expression
    value: float  # SI

    @property
    def symbol(self) -> Expr:
        return symbol(f"given {self.name}")

    @property
    def row(self) -> Expr:
        """What vanishes: a quotient is given by its parts, for running straight has no radius."""
        factor, node = self.expression.coefficient, self.expression.node
        if node.operation == "inv":
            return factor - self.symbol * node.operands[0]
        if node.operation == "mul":
            for below, above in (node.operands, node.operands[::-1]):
                if below.node.operation == "inv":
                    factor *= below.coefficient
                    return above * factor - self.symbol * below.node.operands[0]
        return self.expression - self.symbol


@dataclass(frozen=True)
class GivenValues:
    """What was given, by what becomes of it; all values in SI units."""

    targets: tuple[Target, ...]  # states, outputs and expressions: equations
    inputs: Mapping[str, float]
    parameters: Mapping[str, float]

    @property
    def values(self) -> dict[str, float]:
        targets = {target.name: target.value for target in self.targets}
        return {**targets, **self.inputs, **self.parameters}


def read_given(system: System, given: Values) -> GivenValues:
    """Names in the order states, inputs, parameters, outputs; any other text is an expression."""
    known = known_quantities(system)
    inputs = {q.name for q in system.inputs}
    parameters = {q.name for q in system.parameters}
    targets, levels, constants = [], {}, {}
    for name, value in given.items():
        quantity = known[name][0] if name in known else None
        number = in_si(name, value, quantity)
        if name in inputs:
            levels[name] = number
        elif name in parameters:
            constants[name] = number
        else:
            expression = expression_of(system, name)
            targets.append(Target(name, expression, quantity.unit if quantity else "", number))
    return GivenValues(tuple(targets), levels, constants)


def known_quantities(system: System) -> dict[str, tuple[Quantity, Expr]]:
    """Everything that has a name in a system, with its expression."""
    found = {d.quantity.name: (d.quantity, d.expression) for d in system.outputs}
    for q in (*system.parameters, *system.inputs, *system.states):
        found[q.name] = q, q.symbol
    return found


def expression_of(system: System, text: str) -> Expr:
    """Of a name, or of a text such as ``chassis.vx*chassis.wz``."""
    known = known_quantities(system)
    if text in known:
        return known[text][1]
    if all(letter.isalnum() or letter in "._" for letter in text):
        raise unknown_name("quantity", text, known, f"system {system.name!r}")
    try:
        return parse_expression(text, {name: e for name, (_, e) in known.items()})
    except ExpressionError as error:
        raise SteadyStateError(f"{text!r} is no expression of {system.name}: {error}") from None


def in_si(name: str, value: float | str, quantity: Quantity | None) -> float:
    """In the unit of a quantity; an expression takes any unit that a text carries."""
    expected = "1"
    if quantity is not None:
        expected = quantity.unit
    elif isinstance(value, str):
        expected = _NUMBER.sub("", value).strip() or "1"
    try:
        return to_si(value, expected=expected)
    except UnitError as error:
        raise SteadyStateError(f"{name}: {error}") from None


Thing = TypeVar("Thing")


def found_groups(
    find: Sequence[str | Sequence[str]],
    kind: str,
    known: Mapping[str, Thing],
    given: Collection[str],
    where: str,
    error: type[AxletreeError],
) -> list[list[Thing]]:
    """Each entry of ``find`` as a list of what is known by its names; these share a level."""
    if isinstance(find, str):
        raise error(f"find is a list of names; write [{find!r}]")
    groups = []
    for entry in find:
        names = [entry] if isinstance(entry, str) else list(entry)
        if not names:
            raise error(f"find holds an empty list; expected names of {kind}s that share a level")
        for name in names:
            if name not in known:
                raise unknown_name(kind, name, known, where)
            if name in given:
                raise error(f"the {kind} {name!r} is given and is to be found; choose one")
        groups.append([known[name] for name in names])
    return groups


MOST_NAMED = 4  # names in a message


class TrimError(AxletreeError):
    """No steady motion was found, or what is asked for leaves it open."""


@dataclass(frozen=True)
class TrimStart:
    """The start of a system's model, for given inputs and parameters."""

    system: System
    levels: Values
    parameters: Values
    time: float  # s

    def at(self, hold: Values) -> Problem:
        """Held states as given, the others near the start of the model.

        All speeds change in the proportion in which those held do, so that wheels which roll
        at the start still roll; where the model stands, wheels are set rolling. Constraints
        hold but for what the speeds that are held take them off: there may be no motion with
        these until coordinates change, too.
        """
        bare = replace(self.system, source=None)  # whose states are not brought into line
        given = self._problem(bare, hold)
        if given.tables or given.system is not bare:
            raise TrimError("in a steady motion an input is a number, not a function of time")
        speeds = {q.name: k for k, q in enumerate(self.system.states) if q.role is Role.SPEED}
        held = [speeds[name] for name in hold if name in speeds]
        share = self._share(given, held)
        scaled = tuple(
            replace(q, default=share * q.default) if q.name in speeds else q
            for q in self.system.states
        )
        coordinates = {name: value for name, value in hold.items() if name not in speeds}
        problem = self._problem(replace(self.system, states=scaled), coordinates)
        problem.states[held] = given.states[held]
        problem = replace(problem, system=self.system)
        if problem.states[held].any() and not any(q.default for q in scaled if q.name in speeds):
            problem = replace(problem, states=rolling_guess(self.system, problem, held))
        return problem

    def easier(self, hold: Values) -> Problem | None:
        """With speeds in m/s as given and what else is held as at the start: straight ahead.

        None where that is no other motion, or none at all.
        """
        units = {q.name: q.unit for q in self.system.states if q.role is Role.SPEED}
        ahead = {name: value for name, value in hold.items() if units.get(name) == "m/s"}
        if len(ahead) == len(hold):
            return None
        problem, target = self.at(ahead), self.at(hold)
        index = {q.name: k for k, q in enumerate(self.system.states)}
        moves = any(problem.states[index[name]] for name in ahead)
        differs = any(problem.states[index[name]] != target.states[index[name]] for name in hold)
        return problem if moves and differs else None

    def _problem(self, system: System, initial: Values) -> Problem:
        return state_problem(
            system, initial=initial, inputs=self.levels, parameters=self.parameters, outputs=(),
            start=self.time, duration=1.0, step=None, record_interval=None,
            tolerances=Tolerances(),
        )  # fmt: skip

    def _share(self, given: Problem, held: list[int]) -> float:
        """The held speeds beside those of the model's start; 1 where it stands."""
        own = [self.system.states[k].default for k in held]
        square = sum(speed * speed for speed in own)
        return float(given.states[held] @ own) / square if square else 1.0
