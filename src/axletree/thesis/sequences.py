"""What a component's values cost: written out in full, as a sequence, and in shared code.

Written out in full, every operation counts wherever it stands, down to states and inputs
(complete substitution, Morency 2007, section 4.5.3). In a sequence, values that come
before stand in later ones by name (section 4.5.4). Shared code computes each operation
once, whoever needs it. What depends on parameters alone is free: it is computed once.

A tyre's intermediate variables as Morency 2007 (table 4.3) writes them, and their cost.

There every vector is resolved in the road's axes, parameters are numbers, and expressions
are SymPy's, which like Maple's combine equal factors as they are formed. A variable is
written twice: in the variables of the model alone, by complete substitution (table 4.4),
and in the names of variables before it, as a computational sequence (table 4.5). Vectors
count with all their components. The generated code takes a shorter way (``tyres.patch``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from typing import Any

import numpy as np

from axletree.code.lowering import lower
from axletree.components.joints import turn_of
from axletree.core.registry import unknown_name
from axletree.equations.equations import Equations
from axletree.equations.relative_motion import relative_motion
from axletree.equations.travels import Travels
from axletree.expr import Expr, OperationCount, inlined, number, symbol, to_sympy, topological_order
from axletree.expr.node import ONE_NODE, Node
from axletree.expr.quantity import Quantity
from axletree.expr.traversal import dependent_nodes
from axletree.expr.vectors import Vector
from axletree.system.system import Definition, System
from axletree.wheel.tyre import Tyre

Components = list[Any]  # of a vector in the road's axes, or one scalar
Naming = Callable[[str, Components], Components]


@dataclass(frozen=True)
class WrittenVariable:
    """One intermediate variable, and what it costs to write it in either way."""

    name: str
    left: tuple[str, ...]  # the variables that stand in it by name, in a sequence
    substituted: OperationCount
    sequence: OperationCount


def contact_sequence(equations: Equations, tyre: Tyre) -> tuple[WrittenVariable, ...]:
    """The intermediate variables of a tyre in the order in which they are computed."""
    variables = _variables(equations)
    names = _Names()
    full = written_variables(equations, tyre)
    short = _write(tyre, _wheel_motion(equations, tyre), names.replace)
    costs = {
        name: (written_cost(full[name], variables), written_cost(short[name], variables))
        for name in full
    }
    return tuple(WrittenVariable(name, names.among(short[name]), *costs[name]) for name in full)


def written_variables(equations: Equations, tyre: Tyre) -> dict[str, Components]:
    """The variables in those of the model alone, SymPy, by their names in table 4.3."""
    return _write(tyre, _wheel_motion(equations, tyre), lambda name, values: values)


@dataclass
class _Names:
    """Symbols that stand for variables known by then."""

    owner: dict[Any, str] = field(default_factory=dict)

    def replace(self, name: str, values: Components) -> Components:
        import sympy

        symbols = [sympy.Dummy(f"{name}{k}", real=True) for k in range(len(values))]
        self.owner.update(dict.fromkeys(symbols, name))
        return symbols

    def among(self, expressions: Components) -> tuple[str, ...]:
        import sympy

        found = {s for e in expressions for s in sympy.sympify(e).free_symbols}
        return tuple(dict.fromkeys(name for s, name in self.owner.items() if s in found))


@dataclass(frozen=True)
class _Wheel:
    """The motion of a wheel in its road, road components, SymPy."""

    position: Components  # [m], of the centre
    velocity: Components  # [m/s]
    turning: Components  # [rad/s], the spin included
    axis: Components  # of symmetry


def _write(tyre: Tyre, wheel: _Wheel, named: Naming) -> dict[str, Components]:
    """The formulas of table 4.3; ``named`` says what later ones see of a variable."""
    import sympy
    from sympy import Abs, asin, atan, cos, sin

    found: dict[str, Components] = {}

    def define(name: str, *values: Any) -> Components:
        found[name] = [sympy.sympify(value) for value in values]
        return named(name, found[name])

    v, w, u = wheel.velocity, wheel.turning, wheel.axis
    define("r_Q/C", *(-x for x in wheel.position))
    uz = [0, 0, 1]
    found["u_z"] = [sympy.Integer(x) for x in uz]  # substituted everywhere: it is only numbers
    forward = _cross(u, uz)
    # The length was found in floating point: its reciprocal is a power -0.5, and its square -1.0.
    scale = _dot(forward, forward) ** sympy.Float(-0.5)
    ux = define("u_x", *(x * scale for x in forward))  # (3.2)
    uy = define("u_y", *_cross(uz, found["u_x"]))  # (3.3)
    (gamma,) = define("gamma", asin(_dot(_cross(uy, u), ux)))  # (3.5)
    (Rl,) = define("R_l", wheel.position[2] / cos(gamma, evaluate=False))
    define("F_z", _normal_force(tyre, Rl, v[2]))  # (3.4)
    rP = define("r_P/C", *(Rl * sin(gamma) * y for y in uy[:2]), -Rl * cos(gamma))
    (Reff,) = define("R_eff", _rolling_radius(tyre, Rl))  # (3.13)
    rE = define("r_E/C", *(Reff / Rl * x for x in rP))
    (Omega,) = define("Omega", (_dot(w, u) - w[2] * sin(gamma)) / cos(gamma) ** 2)  # (3.11)
    (VCx,), (VCy,) = define("V_Cx", _dot(v, ux)), define("V_Cy", _dot(v, uy))  # (3.6)
    (VPx,) = define("V_Px", VCx + _dot(_cross(w, rP), ux))
    (VPy,) = define("V_Py", VCy + _dot(_cross(w, rP), uy))
    (VEx,) = define("V_Ex", VCx + _dot(_cross(w, rE), ux))  # (3.18)
    (rolling_P,) = define("V*_Px", VPx + Omega * Rl)
    (rolling_E,) = define("V*_Ex", VEx + Omega * Reff)  # (3.19)
    define("S", -VEx / Abs(rolling_E, evaluate=False))  # (3.20)
    define("alpha", atan(VPy / Abs(rolling_P, evaluate=False)))  # (3.21)
    return found


def _dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _cross(a: Sequence[Any], b: Sequence[Any]) -> Components:
    return [a[k - 2] * b[k - 1] - a[k - 1] * b[k - 2] for k in range(3)]


def _normal_force(tyre: Tyre, loaded_radius: Any, climb: Any) -> Any:
    import sympy

    if tyre.normal_force.holds:
        return sympy.Symbol(f"{tyre.name}.Fz")  # a reaction
    radius, rate = symbol("loaded_radius"), symbol("climb")
    support = tyre.normal_force.support(
        tyre.unloaded_radius - radius, -rate, (), dict(tyre.normal_force.numbers)
    )
    found = to_sympy([support.force], {radius: loaded_radius, rate: climb})[0]
    # The graph may hold max(f, 0) as -min(-f, 0), which has one sign more to write.
    return found.replace(sympy.Min, lambda *values: -sympy.Max(*(-value for value in values)))


def _rolling_radius(tyre: Tyre, loaded_radius: Any) -> Any:
    radius = symbol("loaded_radius")
    numbers = dict(tyre.rolling_radius.numbers)
    found = tyre.rolling_radius.radius(number(tyre.unloaded_radius), radius, numbers)
    return to_sympy([found], {radius: loaded_radius})[0]


# -- motion -----------------------------------------------------------------------------


def _wheel_motion(equations: Equations, tyre: Tyre) -> _Wheel:
    """By the path through that frame at the wheel's centre from which it is shortest."""
    numbers = _numbers(equations)
    candidates = [
        _Wheel(*(to_sympy(list(vector), numbers) for vector in vectors))
        for vectors in _paths(equations, tyre)
    ]
    variables = _variables(equations)

    def cost(wheel: _Wheel) -> int:
        return written_cost([*wheel.velocity, *wheel.turning], variables).total

    return min(candidates, key=cost)


def _paths(equations: Equations, tyre: Tyre) -> list[tuple[Vector, Vector, Vector, Vector]]:
    """Position, velocity, angular velocity and axis of the wheel, seen from its road.

    The velocities of branches are added in the axes of a frame on the way, which does not
    move relative to the centre, and then turned into those of the road.
    """
    k = equations.dynamics.kinematics
    places = k.links.places
    edge, axis = turn_of(tyre.joint)
    carrier = edge.tail
    road = places[tyre.road.name]
    seen = relative_motion(k, road, places[carrier])
    spin = Vector(axis) * Travels(k, equations.graph)[edge.name].as_seen.rate
    found = []
    for name in places:
        motion = relative_motion(k, road, places[name])
        if name != carrier and motion.displacement != seen.displacement:
            continue
        beyond = relative_motion(k, places[name], places[carrier])
        turning = motion.angular_velocity_head + beyond.angular_velocity
        total = motion.R_tail_head @ (turning + beyond.R_tail_head @ spin)
        axis_Q = seen.R_tail_head @ Vector(axis)
        found.append((seen.displacement, motion.velocity, total, axis_Q))
    return found


def _numbers(equations: Equations) -> dict[Expr, Any]:
    """Parameters by their values; whole ones are exact, so that 1 x is x."""
    import sympy

    values = {q.symbol: q.default for q in equations.parameters}
    return {
        e: sympy.Integer(int(x)) if x.is_integer() else sympy.Float(x) for e, x in values.items()
    }


def _variables(equations: Equations) -> dict[Any, int]:
    """What changes in time; a speed or input that is a derivative is written as one."""
    import sympy

    plain = set(equations.coordinate_rates)
    states = (*equations.speeds, *equations.coordinates, *(s.quantity for s in equations.internal))
    weights = {q.name: 2 if q.symbol in plain else 1 for q in states}
    weights |= {q.name: 2 if q.derivative_of else 1 for q in equations.inputs}
    return {sympy.Symbol(name): weight for name, weight in weights.items()}


# What an expression costs where it is written out: every operation where it stands.
#
# The rules are those of Maple's ``codegen:-cost``, as the tables of Morency 2007 show them:
#
# 1. n terms are n - 1 additions; a minus before a whole expression is one more;
# 2. n factors are n - 1 multiplications, and so is an n-th power; a reciprocal is a division
#    in place of a multiplication; any other power is two functions, a logarithm and an
#    exponential, and one multiplication between them;
# 3. a function is one function. A variable x(t) is one, too, and its derivative is two.
#
# Additions count subtractions. The maximum that keeps a normal force from pulling is free.

FREE_FUNCTIONS = ("Max",)


def written_cost(expressions: Iterable[Any], variables: Mapping[Any, int]) -> OperationCount:
    """The operations of SymPy expressions; ``variables`` are symbols with the functions that
    each is counted as. Other symbols are names of values known by then, and free."""
    known: dict[Any, OperationCount] = {
        variable: OperationCount(functions=count) for variable, count in variables.items()
    }
    return sum((_alone(e, known) for e in expressions), OperationCount())


def _alone(expression: Any, known: dict[Any, OperationCount]) -> OperationCount:
    """Of an expression that is not a term of a sum, which would take up its sign."""
    count = _cost(expression, known)
    if expression.is_Mul and expression.args[0] == -1:
        count += OperationCount(additions=1)
    return count


def _cost(expression: Any, known: dict[Any, OperationCount]) -> OperationCount:
    if expression not in known:
        known[expression] = _operation(expression, known)
    return known[expression]


def _operation(expression: Any, known: dict[Any, OperationCount]) -> OperationCount:
    if not expression.args:
        return OperationCount()
    if expression.is_Add:
        terms = (_cost(term, known) for term in expression.args)
        return sum(terms, OperationCount(additions=len(expression.args) - 1))
    if expression.is_Mul:
        return _product(expression.args, known)
    if expression.is_Pow:
        return _product((expression,), known)
    own = OperationCount(functions=int(type(expression).__name__ not in FREE_FUNCTIONS))
    return sum((_alone(argument, known) for argument in expression.args), own)


def _product(factors: Iterable[Any], known: dict[Any, OperationCount]) -> OperationCount:
    count = OperationCount()
    above = below = 0
    for factor in factors:
        if factor == -1:
            continue
        base, exponent = (factor.base, factor.exp) if factor.is_Pow else (factor, None)
        count += _alone(base, known)
        if exponent is None:
            above += 1
        elif exponent.is_Integer:
            power = int(exponent)
            count += OperationCount(multiplications=abs(power) - 1)
            above, below = above + (power > 0), below + (power < 0)
        else:
            count += OperationCount(multiplications=1, functions=2)
            above += 1
    return count + OperationCount(multiplications=max(above - 1, 0), divisions=below)


FREE_OPERATIONS = frozenset({"one", "symbol", "output"})


@dataclass(frozen=True)
class SequenceCount:
    """One value of a component."""

    quantity: Quantity
    left: tuple[str, ...]  # the component's values that stand in it by name
    substituted: OperationCount
    sequence: OperationCount
    shared: OperationCount  # beyond what the values before it have computed


def component_sequence(system: System, component: str) -> tuple[SequenceCount, ...]:
    """The values that a component computes, in their order: intermediate variables, outputs."""
    values = _values(system, component)
    moving = [q.symbol for q in (system.time, *system.states, *system.inputs)]
    expressions = inlined([value.expression for value in values])
    named: dict[Node, str] = {}
    rows = []
    for k, (value, expression) in enumerate(zip(values, expressions, strict=True)):
        found = nodes_reached(expression, named)
        left = tuple(name for node, name in named.items() if node in found)
        full, sequence = (written_out([expression], moving, known) for known in ((), named))
        shared = _shared(system, values[: k + 1])
        rows.append(SequenceCount(value.quantity, left, full, sequence, shared))
        if expression.node.operands and expression.node not in named:
            named[expression.node] = value.quantity.name.removeprefix(f"{component}.")
    costs = np.array([astuple(row.shared) for row in rows])
    beyond = np.diff(costs, axis=0, prepend=0).tolist()
    pairs = zip(rows, beyond, strict=True)
    return tuple(replace(row, shared=OperationCount(*more)) for row, more in pairs)


def equations_size(system: System) -> int:
    """The operations of M, b, Phi, C and dq/dt when they are written out, parameters included."""
    source = system.source
    if source is None:
        return 0
    expressions = [
        *source.dynamics.mass.values(),
        *source.dynamics.forcing,
        *source.coordinate_rates,
        *(state.rate for state in source.internal),
        *(e for c in system.constraints for e in (c.position, *c.jacobian.values())),
    ]
    reactions = (c.reaction for c in system.constraints)
    quantities = (system.time, *system.states, *system.inputs, *reactions, *system.parameters)
    return written_out(inlined(expressions), [q.symbol for q in quantities]).total


def written_out(
    expressions: Iterable[Expr], moving: Collection[Expr], named: Collection[Node] = ()
) -> OperationCount:
    """Operations of the expressions, each where it stands; ``named`` nodes are free unless
    they are the expressions themselves. ``moving`` symbols are not parameters."""
    expressions = list(expressions)
    roots = {e.node for e in expressions}
    order = topological_order(expressions)
    costly = dependent_nodes(order, moving)
    cost: dict[Node, OperationCount] = {}
    for node in order:
        free = node not in costly or (node in named and node not in roots)
        cost[node] = OperationCount() if free else _node_cost(node, cost, costly)
    return sum((cost[e.node] + _factor(e, costly) for e in expressions), OperationCount())


def nodes_reached(expression: Expr, named: Collection[Node]) -> set[Node]:
    """The nodes of an expression, without what is below named ones."""
    found: set[Node] = set()
    stack = [expression.node]
    while stack:
        node = stack.pop()
        if node not in found:
            found.add(node)
            if node not in named or node is expression.node:
                stack += [e.node for e in node.operands]
    return found


def _node_cost(
    node: Node, cost: dict[Node, OperationCount], costly: Collection[Node]
) -> OperationCount:
    operands = node.operands
    total = sum((cost[e.node] + _factor(e, costly) for e in operands), OperationCount())
    if node.operation == "add":
        return total + OperationCount(additions=1)
    if node.operation == "inv":
        return total + OperationCount(divisions=1)
    if node.operation == "mul":
        # A product with a reciprocal is a quotient: the division is counted below.
        is_quotient = any(e.node.operation == "inv" and e.node in costly for e in operands)
        return total + OperationCount(multiplications=int(not is_quotient))
    return total + OperationCount(functions=int(node.operation not in FREE_OPERATIONS))


def _factor(operand: Expr, costly: Collection[Node]) -> OperationCount:
    scaled = abs(operand.coefficient) not in (0.0, 1.0)
    scaled = scaled and operand.node is not ONE_NODE and operand.node in costly
    return OperationCount(multiplications=int(scaled))


def _values(system: System, component: str) -> list[Definition]:
    """Intermediate variables first; an output of the same name says nothing new."""
    found: dict[str, Definition] = {}
    for definition in (*system.intermediates, *system.outputs):
        if definition.quantity.name.startswith(f"{component}."):
            found.setdefault(definition.quantity.name, definition)
    if not found:
        definitions = (*system.intermediates, *system.outputs)
        names = dict.fromkeys(d.quantity.name.partition(".")[0] for d in definitions)
        raise unknown_name("component with values of its own", component, names, system.name)
    return list(found.values())


def _shared(system: System, values: Sequence[Definition]) -> OperationCount:
    alone = replace(system, derivatives=(), projection=None)
    routine = lower(alone, [value.quantity.name for value in values]).outputs_routine
    return routine.operations
