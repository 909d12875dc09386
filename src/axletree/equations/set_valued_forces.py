"""Set-valued forces: as loads in the equations, and as rows that a step is solved for.

For ordinary integrators every such force is what its smooth law makes of the state. In the
set-valued form it is an unknown, a symbol in the equations: what it is over a step follows from
the rows (Peiret et al., eqs. 1, 2 and 8).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from axletree.components.contract import (
    JointLoad,
    Load,
    NamedOutput,
    Response,
    SetValued,
    reaction_symbol,
)
from axletree.expr import Expr, substitute, symbols_of
from axletree.expr.quantity import Quantity
from axletree.expr.vectors import Vector

# Fields of a force by which a step is solved for it, with the velocity.
LAW_COLUMNS = (
    "lower", "upper", "compliance", "offset", "position", "restitution", "stiffness", "damping",
    "preload",
)  # fmt: skip
Change = Callable[[Sequence[Expr]], Sequence[Expr]]


@dataclass(frozen=True)
class SetValuedRow:
    """A force of a component, and the row A of its velocity: velocity = A . p + drift.

    ``bias`` is the rate of a contact's velocity when speeds are constant, 0 of all other rows.
    """

    reaction: Quantity  # the unknown force
    force: SetValued
    jacobian: Mapping[int, Expr]  # A, by index of the speed
    bias: Expr

    @property
    def law(self) -> dict[str, Expr]:
        """What the solution of a step needs to know beside A, by the fields; None is left out."""
        found = {name: getattr(self.force, name) for name in ("velocity", *LAW_COLUMNS)}
        return {name: value for name, value in found.items() if value is not None}

    def changed(self, change: Change) -> SetValuedRow:
        """The same row, its law in other expressions."""
        law = {**self.law, "smooth": self.force.smooth}
        new = dict(zip(law, change(list(law.values())), strict=True))
        return replace(self, force=replace(self.force, **new))  # type: ignore[arg-type]


def loads_follow(component: str, response: Response) -> bool:
    """Whether loads depend on set-valued forces of their component beside being these."""
    own = {reaction_symbol(component, force.reaction) for force in response.set_valued}
    return bool(own) and not own.isdisjoint(symbols_of(response.efforts))


def as_loads(component: str, response: Response, *, set_valued: bool) -> Response:
    """The response with its set-valued forces among its loads and outputs.

    The forces are symbols where they stay ``set_valued``, else what is smooth.
    """
    if not response.set_valued:
        return response
    symbols = [reaction_symbol(component, force.reaction) for force in response.set_valued]
    loads, joint_loads = list(response.loads), list(response.joint_loads)
    suffixes = {c.suffix for c in (*response.outputs, *response.intermediates)}
    outputs = list(response.outputs)
    for force, value in zip(response.set_valued, symbols, strict=True):
        loads += [
            replace(load, force=load.force * value, moment=load.moment * value)
            for load in force.loads
        ]
        joint_loads += [JointLoad(load.joint, load.effort * value) for load in force.joint_loads]
        if force.reaction.suffix not in suffixes:
            v = force.reaction
            outputs.append(NamedOutput(v.suffix, v.unit, v.description, value))
    whole = replace(
        response, loads=tuple(loads), joint_loads=tuple(joint_loads), outputs=tuple(outputs)
    )
    return whole if set_valued else _smooth(whole, symbols)


def _smooth(response: Response, symbols: Sequence[Expr]) -> Response:
    """With smooth forces in the place of their symbols; a later one may depend on those before."""
    values: dict[Expr, Expr] = {}
    for symbol, force in zip(symbols, response.set_valued, strict=True):
        (values[symbol],) = substitute([force.smooth], values)
    stored = sum((f.smooth_energy for f in response.set_valued), response.potential_energy)
    return with_values(replace(response, potential_energy=stored), values)


def with_values(response: Response, values: Mapping[Expr, Expr]) -> Response:
    """The response with values in the place of the symbols of forces."""

    def known(expressions: Sequence[Expr]) -> list[Expr]:
        return substitute(expressions, values)

    def loaded(load: Load) -> Load:
        force, moment = Vector(known(load.force)), Vector(known(load.moment))
        return replace(load, force=force, moment=moment)

    def computed(outputs: Sequence[NamedOutput]) -> tuple[NamedOutput, ...]:
        found = known([c.expression for c in outputs])
        return tuple(replace(c, expression=e) for c, e in zip(outputs, found, strict=True))

    efforts = known([load.effort for load in response.joint_loads])
    excesses = known([limit.excess for limit in response.limits])
    pairs = zip(response.joint_loads, efforts, strict=True)
    (energy,) = known([response.potential_energy])
    return replace(
        response,
        loads=tuple(loaded(load) for load in response.loads),
        joint_loads=tuple(replace(load, effort=effort) for load, effort in pairs),
        rates=tuple(known(response.rates)),
        potential_energy=energy,
        limits=tuple(
            replace(limit, excess=excess)
            for limit, excess in zip(response.limits, excesses, strict=True)
        ),
        intermediates=computed(response.intermediates),
        outputs=computed(response.outputs),
    )
