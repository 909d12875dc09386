"""What is to hold where a run with wheels starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from axletree.core.expr import Expr, directional_derivative, substitute, symbols_of
from axletree.formulation.equations import Answer, Equations
from axletree.system.misfit import measured_travels
from axletree.system.system import System


@dataclass(frozen=True)
class Condition:
    """Something that is to vanish."""

    name: str
    lack: Expr


@dataclass(frozen=True)
class TyreAtStart:
    """A tyre's expressions over the states."""

    name: str
    deflection: Expr  # [m]
    deflection_rate: Expr  # [m/s]
    slip: Expr | None  # [1], None for a tyre that cannot slip
    sliding_speed: Expr | None  # [m/s], at the effective radius; likewise
    axle_speeds: tuple[str, ...]  # names of states; none where the tree has not the axle
    states: tuple[str, ...]  # names of its own


def tyres_at_start(system: System) -> list[TyreAtStart]:
    """The tyres of a system, in the order of its model."""
    equations = system.source
    if equations is None:
        return []
    return [
        _tyre(equations, answer)
        for answer in equations.answers
        if {"loaded_radius", "spin_rate"} <= _told(answer).keys()
    ]


def _told(answer: Answer) -> dict[str, Expr]:
    response = answer.response
    return {c.suffix: c.expression for c in (*response.intermediates, *response.outputs)}


def _tyre(equations: Equations, answer: Answer) -> TyreAtStart:
    name, told = answer.component, _told(answer)
    radius = next(q.symbol for q in equations.parameters if q.name == f"{name}.unloaded_radius")
    deflection = radius - told["loaded_radius"]
    rates = dict(
        zip((q.symbol for q in equations.coordinates), equations.coordinate_rates, strict=True)
    )
    rates |= {state.quantity.symbol: state.rate for state in equations.internal}
    rates |= dict(equations.signal_rates)
    own = (state.quantity.name for state in equations.internal)
    return TyreAtStart(
        name=name,
        deflection=deflection,
        deflection_rate=directional_derivative([deflection], rates)[0],
        slip=told.get("slip"),
        sliding_speed=told.get("VEx"),
        axle_speeds=_axle_speeds(equations, answer),
        states=tuple(state for state in own if state.startswith(f"{name}.")),
    )


def _axle_speeds(equations: Equations, answer: Answer) -> tuple[str, ...]:
    held = [load for one in answer.response.held for load in one.joint_loads]
    axles = {load.joint for load in (*answer.response.joint_loads, *held)}
    links = equations.dynamics.kinematics.links
    return tuple(q.name for c in links.rotations if c.edge.name in axles for q in c.speeds)


def position_conditions(
    system: System, tyres: Sequence[TyreAtStart], depths: Mapping[str, float]
) -> list[Condition]:
    """Of coordinates: constraints hold, and tyres are deflected by ``depths`` [m]."""
    equations = system.source
    travels = measured_travels(equations) if equations is not None else {}
    closed = substitute([c.position for c in system.constraints], travels)
    found = [Condition(c.reaction.name, e) for c, e in zip(system.constraints, closed, strict=True)]
    found += [Condition(f"{t.name}, deflection", t.deflection - depths[t.name]) for t in tyres]
    return _of_states(system, found)


def motion_conditions(
    system: System,
    tyres: Sequence[TyreAtStart],
    slips: Mapping[str, float],
    kept: set[str],
    *,
    with_ground: bool,
) -> list[Condition]:
    """Of speeds and states of tyres: slips as asked for, and nothing that changes within."""
    found = [Condition(f"rate of {c.reaction.name}", c.velocity) for c in system.constraints]
    rates = dict(zip((q.name for q in system.states), system.derivatives, strict=True))
    for tyre in tyres:
        if tyre.slip is not None and tyre.name in slips:
            found.append(Condition(f"{tyre.name}, slip", tyre.slip - slips[tyre.name]))
        if with_ground:
            found.append(Condition(f"{tyre.name}, rate of deflection", tyre.deflection_rate))
        found += [
            Condition(f"rate of {name}", rates[name]) for name in tyre.states if name not in kept
        ]
    return _of_states(system, found)


def _of_states(system: System, conditions: Sequence[Condition]) -> list[Condition]:
    """Those that states have a part in: of a plane vehicle the height is none."""
    states = {quantity.symbol for quantity in system.states}
    return [c for c in conditions if states.intersection(symbols_of([c.lack]))]
