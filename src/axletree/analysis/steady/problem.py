"""The problem of a steady motion: what is given, what is to be found, and where the search starts.

Given are values of states, inputs, outputs, parameters and expressions, and of a vehicle its
speed, lateral acceleration and radius (``path_quantities``); to be found beside the states are
inputs and parameters, alone or several with one level. A state that is given is held, any other
value is a target with an equation of its own. The search starts at the model's start, at the
speeds asked for, with wheels that roll.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from axletree.analysis.steady.rolling import Values, rolling_guess
from axletree.core.errors import ExpressionError, SimulationError, TrimError
from axletree.core.registry import refuse_unknown, unknown_name
from axletree.core.units import UnitError, to_si
from axletree.expr import Expr, evaluate, parse_expression, sqrt, symbol, symbols_of
from axletree.expr.quantity import Quantities, Quantity, Role
from axletree.metrics.vehicle_signals import THROTTLE
from axletree.runs.standard_manoeuvres import FORWARD
from axletree.simulation.problem import Problem, state_problem
from axletree.system.start import NOTHING_OUTSIDE
from axletree.system.system import System

if TYPE_CHECKING:
    from axletree.analysis.steady.result import Trim


_NUMBER = re.compile(r"^\s*[-+]?[\d.]+(?:[eE][-+]?\d+)?")  # what stands before a unit


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


def read_given(system: System, given: Values) -> GivenValues:
    """Names in the order states, inputs, parameters, outputs; any other text is an expression."""
    known = known_quantities(system)
    inputs = {q.name for q in system.inputs}
    parameters = {q.name for q in system.parameters}
    targets, levels, constants = [], {}, {}
    for name, value in given.items():
        quantity = known[name][0] if name in known else None
        if name in inputs:
            try:
                levels[name] = in_si(name, value, quantity)
            except (TrimError, TypeError) as error:
                raise TrimError(
                    f"{error}; in a steady motion an input is a number, not a function of time"
                ) from None
            continue
        number = in_si(name, value, quantity)
        if name in parameters:
            constants[name] = number
        else:
            expression = expression_of(system, name)
            targets.append(Target(name, expression, quantity.unit if quantity else "", number))
    return GivenValues(tuple(targets), levels, constants)


def known_quantities(system: System) -> dict[str, tuple[Quantity, Expr]]:
    """Everything that has a name in a system, with its expression."""
    found = dict(path_quantities(system))
    found |= {d.quantity.name: (d.quantity, d.expression) for d in system.outputs}
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
        raise TrimError(f"{text!r} is no expression of {system.name}: {error}") from None


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
        raise TrimError(f"{name}: {error}") from None


def found_groups(
    system: System, find: Sequence[str | Sequence[str]], given: GivenValues
) -> tuple[tuple[Expr, ...], ...]:
    """Symbols of inputs and parameters, those of one list sharing a level."""
    if isinstance(find, str):
        raise TrimError(f"find is a list of names; write [{find!r}]")
    known = {q.name: q.symbol for q in system.parameters}
    known |= {q.name: q.symbol for q in system.inputs if not q.derivative_of}
    groups = []
    for entry in find:
        if isinstance(entry, str) or not isinstance(entry, Iterable):
            entry = [entry]
        names = list(entry)
        if not names:
            raise TrimError(
                "find holds an empty list; expected names of inputs or parameters that share a "
                "level"
            )
        refuse_unknown("input or parameter", names, known, f"system {system.name!r}")
        for name in names:
            if name in given.inputs or name in given.parameters:
                raise TrimError(f"{name!r} is given and is to be found; choose one")
        groups.append(tuple(known[name] for name in names))
    return tuple(groups)


MOST_NAMED = 4  # names in a message


@dataclass(frozen=True, eq=False)
class SteadyProblem:
    """What is asked of a system."""

    system: System
    given: GivenValues
    found: tuple[tuple[Expr, ...], ...]  # inputs and parameters; each group has one level
    time: float  # [s]
    near: Mapping[str, float] | None = None  # first guesses
    at_rest: bool = False  # whether all speeds are to be 0

    @cached_property
    def held(self) -> dict[int, int]:
        """States that are given, by their index: the targets that say so."""
        index = {q.symbol: k for k, q in enumerate(self.system.states)}
        targets = enumerate(self.given.targets)
        return {index[t.expression]: j for j, t in targets if t.expression in index}

    @property
    def sought(self) -> list[Expr]:
        """Symbols of all inputs and parameters that are found."""
        return [symbol for group in self.found for symbol in group]

    @cached_property
    def rows(self) -> list[int]:
        """Targets that are no states: each is an equation."""
        held = set(self.held.values())
        return [j for j in range(len(self.given.targets)) if j not in held]

    @cached_property
    def speeds(self) -> list[int]:
        """Indices of the states that are speeds."""
        return [k for k, q in enumerate(self.system.states) if q.role is Role.SPEED]

    @property
    def held_values(self) -> dict[str, float]:
        states, targets = self.system.states, self.given.targets
        return {states[k].name: targets[j].value for k, j in self.held.items()}

    @property
    def moves(self) -> bool:
        """Whether a speed that is held is another than 0."""
        values = (self.given.targets[j].value for k, j in self.held.items() if k in self.speeds)
        return any(values)

    def may_coast(self, settled: Collection[int]) -> bool:
        """Whether speeds may fall: it moves, and more states are held than inputs are found.

        A vehicle that is asked for by its path may where nothing but its steering is found.
        """
        count = len(set(self.held) & set(settled)) + len(self.rows)
        if len(self.found) >= count:
            return False
        if not self.rows:
            return self.moves
        own = path_quantities(self.system)
        on_path = all(self.given.targets[j].name in own for j in self.rows)
        driven = len(self.found) > 1 or any(s.name == THROTTLE for s in self.sought)
        return on_path and not driven and any(self._ahead.values())

    @property
    def rests(self) -> bool:
        """Whether all speeds are to be 0: it is said, or one is held and none at another value."""
        held = any(k in self.speeds for k in self.held)
        return self.at_rest or (held and self.may_rest)

    @property
    def may_rest(self) -> bool:
        """Whether nothing that is given or guessed says that the system moves."""
        if self.moves:
            return False
        speeds = {self.system.states[k] for k in self.speeds}
        seen = symbols_of([self.given.targets[j].expression for j in self.rows])
        if any(q.symbol in seen for q in speeds):
            return False
        return not any((self.near or {}).get(q.name) for q in speeds)

    @property
    def start(self) -> ModelStart:
        return ModelStart(self.system, self.given.inputs, self.given.parameters, self.time)

    def guess(self) -> Problem:
        """Where the search starts, in numbers: near the model's start, or as it was given."""
        held = self.held_values
        problem = self.start.at({**self._ahead, **held} if self.near is None else {})
        places = {q.name: (k, problem.states) for k, q in enumerate(self.system.states)}
        for quantities, numbers in (
            (self.system.inputs, problem.inputs),
            (self.system.parameters, problem.parameters),
        ):
            places |= {q.name: (k, numbers) for k, q in enumerate(quantities)}
        for name, value in {**(self.near or {}), **held}.items():
            k, numbers = places[name]
            numbers[k] = value
        return problem

    @property
    def _ahead(self) -> dict[str, float]:
        """The speed of a turn, straight ahead."""
        values = {target.name: target.value for target in self.given.targets}
        if not path_quantities(self.system):
            return {}
        speed = values.get("speed", values.get("vehicle.forward_speed"))
        if speed is None and {"lateral_acceleration", "radius"} <= values.keys():  # a = V^2 / R
            speed = abs(values["lateral_acceleration"] * values["radius"]) ** 0.5
        return {} if speed is None else {forward_state_of(self.system): speed}


def pose(
    system: System,
    given: Values,
    find: Sequence[str | Sequence[str]] = (),
    start: Values | Trim | None = None,
    time: float = 0.0,
    *,
    at_rest: bool = False,
) -> SteadyProblem:
    """What is asked for, read and checked."""
    read = read_given(system, given)
    found = found_groups(system, find, read)
    near = _near(system, start, found)
    problem = SteadyProblem(system, read, found, time, near, at_rest)
    if at_rest and problem.moves:
        raise TrimError(f"{system.name} is to rest, and a speed other than 0 is given; choose one")
    return problem


def _near(
    system: System, start: Values | Trim | None, found: Sequence[Sequence[Expr]]
) -> dict[str, float] | None:
    """First guesses of states and of what is found."""
    if start is None:
        return None
    sought = {s for group in found for s in group}
    known = {q.name: q for q in system.states}
    known |= {q.name: q for q in (*system.inputs, *system.parameters) if q.symbol in sought}
    values: Values
    if isinstance(start, Mapping):
        values = start
    else:
        everything = {**start.states, **start.inputs, **start.parameters}
        values = {name: x for name, x in everything.items() if name in known}
    kind = "state, or input or parameter that is to be found,"
    refuse_unknown(kind, values, known, f"system {system.name!r}")
    return {name: in_si(name, value, known[name]) for name, value in values.items()}


def _with_usual_stores(problem: Problem) -> Problem:
    """Stores that the motion suggests a value for, such as the gear that is in use, have it."""
    system = problem.system
    internal = () if system.source is None else system.source.internal
    usual = {s.quantity.name: s.usual_start for s in internal
             if s.quantity.is_store and s.usual_start is not None}  # fmt: skip
    if not usual:
        return problem
    values = {system.time.symbol: problem.start}
    for quantities, numbers in (
        (system.parameters, problem.parameters),
        (system.inputs, problem.inputs),
        (system.states, problem.states),
    ):
        values |= {q.symbol: float(x) for q, x in zip(quantities, numbers, strict=True)}
    states = problem.states.copy()
    for k, quantity in enumerate(system.states):
        if quantity.name in usual and quantity.name not in system.start.given:
            (states[k],) = evaluate([usual[quantity.name]], values)
    return replace(problem, states=states)


@dataclass(frozen=True)
class ModelStart:
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
        given = self.numbers(bare, hold)
        speeds = {q.name: k for k, q in enumerate(self.system.states) if q.role is Role.SPEED}
        held = [speeds[name] for name in hold if name in speeds]
        share = self._share(given, held)
        scaled = Quantities(
            replace(q, default=share * q.default) if q.name in speeds else q
            for q in self.system.states
        )
        coordinates = {name: value for name, value in hold.items() if name not in speeds}
        # Defaults are solved for what the model gives outside of the tree, which is not scaled.
        first = replace(self.system.start, outside=NOTHING_OUTSIDE)
        problem = self.numbers(replace(self.system, states=scaled, start=first), coordinates)
        problem.states[held] = given.states[held]
        problem = replace(problem, system=self.system)
        if problem.states[held].any() and not any(q.default for q in scaled if q.name in speeds):
            problem = replace(problem, states=rolling_guess(self.system, problem, held))
        return _with_usual_stores(problem)

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

    def numbers(self, system: System, initial: Values) -> Problem:
        return state_problem(
            system,
            initial=initial,
            inputs=self.levels,
            parameters=self.parameters,
            start=self.time,
        )

    def _share(self, given: Problem, held: list[int]) -> float:
        """The held speeds beside those of the model's start; 1 where it stands."""
        own = [self.system.states[k].default for k in held]
        square = sum(speed * speed for speed in own)
        return float(given.states[held] @ own) / square if square else 1.0


# Speed, lateral acceleration and radius of a path, by which steady motions are asked for.
#
# With the velocity (u, v) of the vehicle over the ground and its yaw rate r the speed is
# V = sqrt(u^2 + v^2), the lateral acceleration V r, towards the centre of the path, and the radius
# V / r; both are positive to the left. In a steady turn a = V^2 / R.

PATH_SPEED = Quantity("speed", "m/s", "over the ground", Role.OUTPUT)
PATH_LATERAL = Quantity(
    "lateral_acceleration", "m/s^2", "towards the centre of the path, to the left", Role.OUTPUT
)
PATH_RADIUS = Quantity("radius", "m", "of the path, positive to the left", Role.OUTPUT)

# u, v and r: what a vehicle measures, and the speeds of a body that moves in the plane
_SOURCES = (
    ("vehicle.forward_speed", "vehicle.lateral_speed", "vehicle.yaw_rate"),
    ("chassis.vx", "chassis.vy", "chassis.rate"),
)


@lru_cache(maxsize=8)
def path_quantities(system: System) -> Mapping[str, tuple[Quantity, Expr]]:
    """The three quantities with their expressions; none of a system that is no vehicle."""
    known = {d.quantity.name: d.expression for d in system.outputs}
    known |= {q.name: q.symbol for q in system.states}
    for names in _SOURCES:
        if all(name in known for name in (*names, FORWARD)):
            u, v, r = (known[name] for name in names)
            V = sqrt(u * u + v * v)
            own = (PATH_SPEED, V), (PATH_LATERAL, V * r), (PATH_RADIUS, V / r)
            return {q.name: (q, e) for q, e in own}
    return {}


def forward_speed(system: System) -> str:
    """The name of the state in m/s that is greatest at the model's start."""
    speeds = [q for q in system.states if q.role is Role.SPEED and q.unit == "m/s"]
    fastest = max(speeds, key=lambda quantity: abs(quantity.default), default=None)
    if fastest is None or not fastest.default:
        names = ", ".join(quantity.name for quantity in speeds) or "none"
        raise SimulationError(
            f"{system.name} starts without a speed, so that nothing says which state is its "
            f"speed; name it, or give it a first value. Its speeds in m/s: {names}"
        )
    return fastest.name


def forward_state_of(system: System) -> str:
    """The state that is the forward speed: that of a vehicle, or the fastest at the start."""
    names = {q.name for q in system.states}
    return FORWARD if FORWARD in names else forward_speed(system)
