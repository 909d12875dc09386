"""What a tyre says about its motion, for the start of a run."""

from __future__ import annotations

from dataclasses import dataclass

from axletree.core.expr import Expr, directional_derivative
from axletree.formulation.equations import Answer, Equations
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
        axle_speeds=_axle_speeds(equations, answer),
        states=tuple(state for state in own if state.startswith(f"{name}.")),
    )


def _axle_speeds(equations: Equations, answer: Answer) -> tuple[str, ...]:
    held = [load for one in answer.response.held for load in one.joint_loads]
    axles = {load.joint for load in (*answer.response.joint_loads, *held)}
    links = equations.dynamics.kinematics.links
    return tuple(q.name for c in links.rotations if c.edge.name in axles for q in c.speeds)
