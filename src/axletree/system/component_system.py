"""A component of a system alone: its states and outputs, and the motion of others as inputs.

A tyre, a driver or a powertrain leaves so for the chassis of another tool. What a component answers
is a function of its motion, and so holds for whoever moves it; what depends on accelerations or on
reactions of the system around it does not, and is left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from axletree.core.errors import FormulationError
from axletree.core.registry import few_names, unknown_name
from axletree.expr import Expr
from axletree.expr.quantity import Quantities, Quantity, Role
from axletree.expr.traversal import dependencies
from axletree.system.edit import with_smooth_forces
from axletree.system.start import Start
from axletree.system.system import Definition, System, component_output


def component_system(system: System, component: str) -> System:
    """The component alone; states of others that it depends on are inputs, at their start values.

    Example:
    >>> import axletree as at
    >>> from axletree.system.component_system import component_system
    >>> tyre = component_system(at.read_model("bicycle-car").formulate(), "front_tyre")
    >>> [state.name for state in tyre.states]
    ['front_tyre.q1', 'front_tyre.q2']
    >>> [one.name for one in tyre.inputs][-4:]
    ['front_axle.rate', 'chassis.x', 'chassis.y', 'chassis.angle']
    """
    smooth = with_smooth_forces(system)
    outputs = _outputs(smooth, component)
    states, rates = _states(smooth, component)
    known = {q.symbol for q in (smooth.time, *smooth.states, *smooth.inputs, *smooth.parameters)}
    on_outputs = dependencies([d.expression for d in outputs])
    kept = [d for d, on in zip(outputs, on_outputs, strict=True) if on <= known]
    on_rates = dependencies(rates)
    strays = sorted({e.name for on in on_rates for e in on - known})
    if strays:
        raise FormulationError(
            f"{component} is no component alone: its states depend on accelerations or reactions "
            f"of the system around it ({few_names(strays)})"
        )
    used = {e for on in (*on_outputs, *on_rates) if on <= known for e in on}
    own = {q.symbol for q in states}
    moved = [
        replace(q, role=Role.INPUT)
        for q in smooth.states
        if q.symbol in used and q.symbol not in own
    ]
    return System(
        name=f"{system.name}_{component}",
        time=system.time,
        states=Quantities(states),
        inputs=Quantities((*_with_bases(smooth.inputs, used), *moved)),
        parameters=Quantities(q for q in smooth.parameters if q.symbol in used),
        derivatives=tuple(rates),
        outputs=tuple(kept),
        intermediates=(),
        projection=None,
        start=Start(frozenset(q.name for q in states)),
    )


def _outputs(system: System, component: str) -> list[Definition]:
    answers = {} if system.source is None else {a.component: a for a in system.source.answers}
    if component not in answers:
        raise unknown_name("component", component, answers, f"system {system.name!r}")
    response = answers[component].response
    found = [
        component_output(component, one, one.expression)
        for one in (*response.intermediates, *response.outputs)
    ]
    return list({d.quantity.name: d for d in found}.values())


def _states(system: System, component: str) -> tuple[list[Quantity], list[Expr]]:
    assert system.source is not None
    own = [
        one for one in system.source.internal if one.quantity.name.rpartition(".")[0] == component
    ]
    by_name = {q.name: q for q in system.states}  # with first values that were found
    return [by_name.get(one.quantity.name, one.quantity) for one in own], [one.rate for one in own]


def _with_bases(inputs: Iterable[Quantity], used: set[Expr]) -> list[Quantity]:
    """Inputs that are used, and those whose rates are."""
    names = {q.name: q for q in inputs}
    wanted = set()
    for q in names.values():
        if q.symbol in used:
            wanted.add(q.name)
            while q.derivative_of:
                q = names[q.derivative_of]
                wanted.add(q.name)
    return [q for name, q in names.items() if name in wanted]
