"""A system as a solver needs it: inputs that are rates of one another joined, cyclic states left
out.

The steering of a driver is three inputs, angle, rate and acceleration, which a solver would take
for independent. Here all but the highest are states. A state that nothing depends on, as the place
of a car on a flat road and the turned angles of its wheels, is a cyclic one (Goldstein 1980,
section 2.6): left out, it makes no equation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from axletree.core.registry import refuse_unknown
from axletree.expr import Expr, dependencies
from axletree.expr.quantity import Quantities, Quantity, Role
from axletree.system.edit import with_smooth_forces
from axletree.system.start import Start
from axletree.system.system import System


def with_chained_inputs(system: System) -> System:
    """Of inputs that are rates of one another, the highest that is used is an input, or the first
    rate where none is, and the others are states.

    Example:
    >>> import axletree as at
    >>> from axletree.optimisation.reduction import with_chained_inputs, without_cyclic_states
    >>> car = without_cyclic_states(at.read_model("bicycle-car").formulate(), [])
    >>> car = with_chained_inputs(car)
    >>> car.states[-1].name, car.inputs[0].name
    ('steer.angle_rate', 'steer.angle_acceleration')
    """
    rates = {q.derivative_of: q for q in system.inputs if q.derivative_of}
    used = set().union(*dependencies(_all(system)))
    chosen: list[Quantity] = []
    states: list[Quantity] = []
    for q in system.inputs:
        if q.derivative_of:
            continue
        chain = [q]
        while chain[-1].name in rates:
            chain.append(rates[chain[-1].name])
        while len(chain) > 2 and chain[-1].symbol not in used:
            chain.pop()
        states += chain[:-1]
        chosen.append(chain[-1])
    derivatives = {q.name: rates[q.name].symbol for q in states}
    return replace(
        system,
        states=Quantities(
            [*system.states, *(replace(q, role=Role.STATE, derivative_of="") for q in states)]
        ),
        inputs=Quantities(replace(q, derivative_of="") for q in chosen),
        derivatives=(*system.derivatives, *derivatives.values()),
        projection=None,
        source=None,
        edits=(),
        start=Start(frozenset([*(q.name for q in system.states), *derivatives])),
    )


def without_cyclic_states(system: System, outputs: Iterable[str]) -> System:
    """Of states and outputs, those that are left when these outputs are asked for.

    A name of a state among them keeps this state.

    Example:
    >>> import axletree as at
    >>> from axletree.optimisation.reduction import without_cyclic_states
    >>> car = without_cyclic_states(at.read_model("bicycle-car").formulate(), [])
    >>> "chassis.x" in car.states, "chassis.vx" in car.states
    (False, True)
    """
    asked = set(outputs)
    kept_states = {q for q in system.states if q.name in asked}
    kept_outputs = asked - {q.name for q in kept_states}
    refuse_unknown("output", kept_outputs, [d.quantity.name for d in system.outputs], system.name)
    smooth = with_smooth_forces(system)
    defined = tuple(d for d in smooth.outputs if d.quantity.name in kept_outputs)
    on_outputs = set().union(*dependencies([d.expression for d in defined]), set())
    by_state = dict(zip(smooth.states, dependencies(smooth.derivatives), strict=True))
    kept = {q for q in smooth.states if q.symbol in on_outputs or q.role is Role.SPEED}
    kept |= kept_states
    while True:
        used = set().union(*(by_state[q] for q in kept), on_outputs)
        more = {q for q in smooth.states if q.symbol in used} - kept
        if not more:
            break
        kept |= more
    states = [(q, rate) for q, rate in zip(smooth.states, smooth.derivatives, strict=True)
              if q in kept]  # fmt: skip
    return replace(
        smooth,
        states=Quantities(q for q, _ in states),
        derivatives=tuple(rate for _, rate in states),
        outputs=defined,
        intermediates=(),
        projection=None,
        source=None,
        edits=(),
        start=Start(frozenset(q.name for q, _ in states)),
    )


def _all(system: System) -> list[Expr]:
    return [*system.derivatives, *(d.expression for d in system.outputs)]
