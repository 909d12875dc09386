"""From a system to a program: cones, constants, routines."""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from axletree.code.derivatives import MatrixEntries, SystemDerivatives, by_column
from axletree.code.identifiers import identifiers
from axletree.code.implicit_stages import ImplicitStages
from axletree.code.program import CallGroup, Program, Routine, SparseRoutine
from axletree.code.schedule import (
    StatementOrder,
    group_of,
    groups_of_routines,
    in_turn,
    planned_nodes,
    prepared_arguments,
    schedule,
)
from axletree.core.errors import FormulationError
from axletree.core.registry import refuse_unknown, unknown_name
from axletree.expr import CalledFunction, Expr, jacobian, topological_order
from axletree.expr.node import ONE_NODE, Node
from axletree.expr.quantity import Quantity, Role
from axletree.system.system import Definition, System

ARGUMENTS = ("t", "x", "u", "c")


class Extra(enum.Enum):
    """Routines that cost time to derive and compile, and are lowered where they are asked for."""

    JACOBIAN = "d xdot / d x"
    INPUT_JACOBIAN = "d xdot / d u"
    LATER_RATES = "the rates of all states but the speeds"
    SPLIT_RATES = "the rates of the speeds, and those of all other states from what they share"
    ROWS = "what a step with set-valued forces is solved from"
    FULL_JACOBIAN = "d (xdot, y) / d (x, u)"
    PARAMETER_JACOBIAN = "d (xdot, y) / d p"
    DIRECTIONAL = "d (xdot, y) along a direction dz of (x, u, p)"
    ADJOINT = "d / d (x, u, p) of the sum of (xdot, y) with weights w"
    IMPLICIT_STAGES = "the stages of a linearly implicit step"
    HESSIAN = "second derivatives by (x, u, p) of the sum of (xdot, y) with weights w"


_DERIVATIVES: Final = {  # of rates and outputs, by the word that they are asked for by
    "jacobian": (Extra.FULL_JACOBIAN,),
    "hessian": (Extra.HESSIAN,),
    "directional": (Extra.DIRECTIONAL,),
    "adjoint": (Extra.ADJOINT,),
}
DERIVATIVES: Final = tuple(_DERIVATIVES)


def derivative_extras(
    names: Iterable[str], by_parameters: Collection[str] | None = ()
) -> list[Extra]:
    """What a program is lowered with to have derivatives by these names.

    Example:
    >>> from axletree.code.lowering import derivative_extras
    >>> [extra.name for extra in derivative_extras(["jacobian"], by_parameters=["body.mass"])]
    ['FULL_JACOBIAN', 'PARAMETER_JACOBIAN']
    """
    asked = list(dict.fromkeys(names))
    refuse_unknown("derivative", asked, DERIVATIVES, "the derivatives of a system")
    extras = [extra for name in asked for extra in _DERIVATIVES[name]]
    if "jacobian" in asked and (by_parameters is None or by_parameters):
        extras.append(Extra.PARAMETER_JACOBIAN)
    return extras


def lower(
    system: System,
    outputs: Iterable[str] | None = None,
    extras: Collection[Extra] = (),
    *,
    equal_laws: bool = False,
    order: StatementOrder = StatementOrder.BLOCKS,
    by_parameters: Iterable[str] | None = (),
    differentiated: Iterable[str] | None = None,
    side_by_side: bool = True,
) -> Program:
    """The program of a system.

    ``outputs`` chooses by name what ``outputs_routine`` computes, among the outputs, the
    intermediate variables and the inputs of the system, in this order; None stands for
    all outputs. The forces of the set-valued form are inputs, after all others.

    With ``equal_laws`` calls whose parameters have equal default values, such as the
    tyre laws of four equal wheels, share one set of constants; such a program holds for
    parameters that are equal in the same way, its ``ties``. Values are computed before the calls,
    or by ``order`` where they are needed, which leaves fewer of them to be kept.

    Of the derivatives, those by parameters are by the ones of these names, ``by_parameters``, in
    the order of the system's, or by all of them where this is None. All outputs have derivatives,
    unless those that are ``differentiated`` are named. What could be computed ``side_by_side``,
    such as the laws of four tyres, is computed in turn where the lanes of a machine are vehicles.

    Example:
    >>> import axletree as at
    >>> from axletree.code.lowering import lower
    >>> program = lower(at.read_model("pendulum").formulate(), outputs=[])
    >>> [f"{block.title}: {len(block.statements)}" for block in program.rhs.blocks][-1]
    'system equations: 2'
    """
    chosen = _chosen_outputs(system, outputs)
    rows = chosen if differentiated is None else _named_outputs(chosen, differentiated, system.name)
    formed = SystemDerivatives.of(system, [d.expression for d in rows], by_parameters)
    targets = _Targets(system, [d.expression for d in chosen], formed, extras)
    stages = targets.stages
    of_step = () if stages is None else stages.arguments
    kept = {q.symbol for law in system.sampled for q in law.memory}
    leaves = _leaves(system, targets.order, {*formed.weights, *formed.directions, *of_step, *kept})
    constant = _constant_nodes(targets.order, system)
    values = {q.symbol: q.default for q in system.parameters} if equal_laws else None
    groups = groups_of_routines(targets.lists, constant, values)
    if not side_by_side:
        groups = in_turn(groups)
    prepared = prepared_arguments(groups)
    slots = _constant_slots(targets, constant, group_of(groups))
    known = {**leaves, **{e: f"c[{k}]" for k, e in enumerate(slots, start=len(prepared))}}
    symbols = _identifiers(system, targets.order)
    names = _node_names(system, taken=symbols.values())
    made = _Scheduler(known, names, groups, order, side_by_side)
    split = _split_rates(system, made) if Extra.SPLIT_RATES in extras else (None, None)
    return Program(
        name=system.name,
        states=system.states,
        inputs=(*system.inputs, *system.unknown_forces),
        parameters=system.parameters,
        outputs=tuple(definition.quantity for definition in chosen),
        identifiers=symbols,
        constants=schedule("constants", ("p",), "c", [*prepared, *slots], leaves, names),
        rhs=made.routine("rhs", "xdot", system.derivatives),
        outputs_routine=made.routine("outputs", "y", targets.outputs),
        project=made.optional("project", "xnew", system.projection),
        later_rates=made.optional("later_rates", "zdot", targets.rates),
        speed_rates=split[0],
        other_rates=split[1],
        rows=made.optional("rows", "r", targets.rows),
        bounds=made.optional("bounds", "b", targets.bounds),
        **_derivative_routines(system, formed, targets, made),
        **({} if stages is None else _stage_routines(stages, made)),
        laws=_law_routines(system, made),
        by_parameters=formed.parameters,
        ties=_ties(system, groups),
    )


@dataclass(frozen=True)
class _Scheduler:
    """Makes the routines of a program, all from what is known before they run."""

    known: Mapping[Expr, str]  # where symbols and constants are found
    names: Mapping[Node, str]  # of nodes that people know
    groups: Sequence[CallGroup]
    order: StatementOrder
    side_by_side: bool

    def routine(
        self,
        name: str,
        result: str,
        expressions: Sequence[Expr],
        array: str = "",
        values: Sequence[Expr] = (),
    ) -> Routine:
        """``values`` are given to the routine in a further array."""
        places = {e: f"{array}[{k}]" for k, e in enumerate(values)}
        arguments = (*ARGUMENTS, array) if array else ARGUMENTS
        known = {**self.known, **places}
        return schedule(
            name, arguments, result, expressions, known, self.names, self.groups, self.order,
            side_by_side=self.side_by_side,
        )  # fmt: skip

    def optional(
        self,
        name: str,
        result: str,
        expressions: Sequence[Expr] | None,
        array: str = "",
        values: Sequence[Expr] = (),
    ) -> Routine | None:
        if expressions is None:
            return None
        return self.routine(name, result, expressions, array, values)

    def sparse(
        self,
        name: str,
        entries: MatrixEntries | None,
        shape: tuple[int, int],
        array: str = "",
        values: Sequence[Expr] = (),
    ) -> SparseRoutine | None:
        if entries is None:
            return None
        body = self.routine(name, "j", list(entries.values()), array, values)
        rows, columns = tuple(i for i, _ in entries), tuple(k for _, k in entries)
        return SparseRoutine(body, shape, rows, columns)


def _derivative_routines(
    system: System, formed: SystemDerivatives, targets: _Targets, made: _Scheduler
) -> dict[str, Any]:
    """Those that are asked for, by the fields of a program."""
    rows, width, states = len(formed.rows), len(formed.columns), len(system.states)
    shapes = {
        "jacobian": (states, states),
        "input_jacobian": (states, len(system.inputs)),
        "full_jacobian": (rows, len(formed.variables)),
        "parameter_jacobian": (rows, len(formed.parameters)),
    }
    weights, directions = ("w", formed.weights), ("dz", formed.directions)
    return {
        **{n: made.sparse(n, getattr(targets, n), shape) for n, shape in shapes.items()},
        "directional": made.optional("directional", "df", targets.directional, *directions),
        "adjoint": made.optional("adjoint", "wdf", targets.adjoint, *weights),
        "hessian": made.sparse("hessian", targets.hessian, (width, width), *weights),
    }


class _Targets:
    """The expressions that the routines of a program are asked for."""

    def __init__(
        self,
        system: System,
        outputs: list[Expr],
        formed: SystemDerivatives,
        extras: Collection[Extra],
    ) -> None:
        rates, rows = system.derivatives, system.rows if Extra.ROWS in extras else None
        by_states, by_inputs = Extra.JACOBIAN in extras, Extra.INPUT_JACOBIAN in extras
        self.outputs = outputs
        self.jacobian = _by_quantities(rates, system.states) if by_states else None
        self.input_jacobian = _by_quantities(rates, system.inputs) if by_inputs else None
        self.rates = _rates(system)[1] if Extra.LATER_RATES in extras else None
        self.rows = None if rows is None else rows.values
        self.stages = ImplicitStages.of(system) if Extra.IMPLICIT_STAGES in extras else None
        self.bounds = None if rows is None else rows.bounds or None
        self._add_derivatives(formed, extras)
        matrices = self.jacobian, self.input_jacobian, self.full_jacobian, self.parameter_jacobian
        entries = [(matrix or {}).values() for matrix in (*matrices, self.hessian)]
        staged = () if self.stages is None else self.stages.routines
        lists = (rates, self.outputs, system.projection, *entries, self.rows, self.bounds)
        lists += (self.directional, self.adjoint, *staged)
        lists += tuple(law.expressions for law in system.sampled)
        self.lists = [list(expressions or ()) for expressions in lists]
        self.every = [e for expressions in self.lists for e in expressions]
        self.order = topological_order(self.every)

    def _add_derivatives(self, formed: SystemDerivatives, extras: Collection[Extra]) -> None:
        by_parameters = Extra.PARAMETER_JACOBIAN in extras
        self.full_jacobian = formed.full_jacobian() if Extra.FULL_JACOBIAN in extras else None
        self.parameter_jacobian = formed.parameter_jacobian() if by_parameters else None
        self.directional = formed.directional() if Extra.DIRECTIONAL in extras else None
        self.hessian = formed.hessian() if Extra.HESSIAN in extras else None
        self.adjoint = formed.adjoint() if Extra.ADJOINT in extras else None


def _rates(system: System) -> tuple[list[Expr], list[Expr]]:
    """Those of the speeds, and those of all other states."""
    speeds: list[Expr] = []
    others: list[Expr] = []
    for quantity, rate in zip(system.states, system.derivatives, strict=True):
        (speeds if quantity.role is Role.SPEED else others).append(rate)
    return speeds, others


def _split_rates(system: System, made: _Scheduler) -> tuple[Routine, Routine]:
    """Rates of the speeds, and rates of the other states when the speeds have changed.

    What the second routine needs, does not depend on the speeds and is computed by the first
    one stands after its rates, as the array w of the second: it is computed once.
    """
    speeds, others = _rates(system)
    nodes = topological_order([*speeds, *others])
    changed = {q.symbol.node for q in system.states if q.role is Role.SPEED}
    for node in nodes:
        if any(e.node in changed for e in node.operands):
            changed.add(node)
    known, groups = made.known, made.groups
    first = set(planned_nodes(speeds, known, groups))
    calls = {node for node in first if node.operation == "call"}
    first |= {n for n in nodes if n.operation == "output" and n.operands[0].node in calls}
    ready = {Expr(1.0, n): "w" for n in first if n not in changed and n.operation != "call"}
    by_node = group_of(groups)
    needed: dict[Expr, None] = {}
    for node in planned_nodes(others, {**known, **ready}, groups):
        group = by_node.get(node)
        operands = node.operands if group is None else [node.operands[k] for k in group.passed]
        needed |= dict.fromkeys(Expr(1.0, e.node) for e in operands)
    needed |= dict.fromkeys(Expr(1.0, e.node) for e in others)
    shared = [e for e in needed if e in ready]
    return (
        made.routine("speed_rates", "pdot", [*speeds, *shared]),
        made.routine("other_rates", "zdot", others, "w", shared),
    )


def _stage_routines(stages: ImplicitStages, made: _Scheduler) -> dict[str, Any]:
    known = stages.arguments
    names = "first_stage", "evaluated_stage", "solved_stage"
    return {
        name: made.routine(name, "j", expressions, "w", known)
        for name, expressions in zip(names, stages.routines, strict=True)
    }


def _law_routines(system: System, made: _Scheduler) -> tuple[Routine, ...]:
    """Each with an index, for names of controllers are no identifiers."""
    return tuple(
        made.routine(f"law_{k}", "next", law.expressions, "w", [q.symbol for q in law.memory])
        for k, law in enumerate(system.sampled, start=1)
    )


def _by_quantities(expressions: Sequence[Expr], variables: Sequence[Quantity]) -> MatrixEntries:
    return by_column(jacobian(expressions, [quantity.symbol for quantity in variables]))


def _chosen_outputs(system: System, names: Iterable[str] | None) -> tuple[Definition, ...]:
    if names is None:
        return system.outputs
    inputs = [Definition(quantity, quantity.symbol) for quantity in system.inputs]
    known = (*system.outputs, *system.intermediates, *inputs)
    return _named_outputs(known, names, system.name)


def _named_outputs(
    known: Iterable[Definition], names: Iterable[str], system: str
) -> tuple[Definition, ...]:
    """Of several of one name the first."""
    by_name: dict[str, Definition] = {}
    for definition in known:
        by_name.setdefault(definition.quantity.name, definition)
    wanted = dict.fromkeys(names)
    for name in wanted:
        if name not in by_name:
            raise unknown_name("output", name, by_name, f"system {system!r}")
    return tuple(by_name[name] for name in wanted)


def _leaves(system: System, order: Sequence[Node], further: Collection[Expr]) -> dict[Expr, str]:
    """Where the symbols of a system are found; the nodes may hold no others but further ones."""
    leaves = {system.time.symbol: "t"}
    inputs = (*system.inputs, *system.unknown_forces)
    for array, quantities in (("x", system.states), ("u", inputs), ("p", system.parameters)):
        leaves.update((q.symbol, f"{array}[{k}]") for k, q in enumerate(quantities))
    symbols = [Expr(1.0, node) for node in order if node.operation == "symbol"]
    strays = sorted(e.name for e in symbols if e not in leaves and e not in further)
    if strays:
        raise FormulationError(
            f"the equations of {system.name!r} hold symbols that are neither time nor states, "
            f"inputs or parameters: {', '.join(strays)}; add them to one of these"
        )
    return leaves


def _constant_nodes(order: Sequence[Node], system: System) -> set[Node]:
    """What depends on parameters alone."""
    constant = {quantity.symbol.node for quantity in system.parameters}
    for node in order:
        if node.operands and all(e.node in constant or e.node is ONE_NODE for e in node.operands):
            constant.add(node)
    return constant


def _constant_slots(
    targets: _Targets, constant: Collection[Node], groups: Mapping[Node, CallGroup]
) -> list[Expr]:
    """What the routines need of the parameters: the largest expressions of these alone.

    A factor stands with the constant that it multiplies: 3 k is computed once, too. What a
    call finds in c has its place already.
    """
    slots: dict[Expr, None] = {}
    for node in targets.order:
        if node in constant:
            continue
        group = groups.get(node)
        operands = node.operands if group is None else [node.operands[k] for k in group.passed]
        slots |= _slots_of(operands, constant)
    return list(slots | _slots_of(targets.every, constant))


def _slots_of(expressions: Iterable[Expr], constant: Collection[Node]) -> dict[Expr, None]:
    return {
        Expr(abs(e.coefficient), e.node): None
        for e in expressions
        if e.node in constant and e.coefficient
    }


def _ties(system: System, groups: Iterable[CallGroup]) -> tuple[tuple[int, int], ...]:
    place = {quantity.symbol: k for k, quantity in enumerate(system.parameters)}
    pairs = dict.fromkeys(pair for group in groups for pair in group.ties or ())
    return tuple((place[a], place[b]) for a, b in pairs)


def _identifiers(system: System, order: Sequence[Node]) -> dict[Expr, str]:
    """Names of the symbols in printed code; those of external functions are taken."""
    functions = [node.data.name for node in order if isinstance(node.data, CalledFunction)]
    quantities = (*system.states, *system.inputs, *system.unknown_forces, *system.parameters)
    texts = identifiers((quantity.name for quantity in quantities), functions)
    return {quantity.symbol: texts[quantity.name] for quantity in quantities}


def _node_names(system: System, taken: Iterable[str]) -> dict[Node, str]:
    """Identifiers of the nodes that people know by a name: intermediate variables, and outputs
    that are results of calls.

    Signs float to the user of a node, so a node may hold minus the named quantity.
    """
    results = (d for d in system.outputs if d.expression.node.operation == "output")
    wanted: dict[str, Node] = {}
    named: set[Node] = set()
    for definition in (*system.intermediates, *results):
        factor, node = definition.expression.coefficient, definition.expression.node
        if abs(factor) == 1.0 and node.operands and node not in named:
            named.add(node)
            sign = "" if factor > 0.0 else "minus_"
            wanted.setdefault(sign + definition.quantity.name, node)
    texts = identifiers(wanted, taken)
    return {node: texts[text] for text, node in wanted.items()}
