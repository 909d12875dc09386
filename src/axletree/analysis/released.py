"""A component released: its states are given instead of following from its equations."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from axletree.core.errors import SimulationError
from axletree.core.quantity import Quantity, Role
from axletree.system.system import System


@lru_cache(maxsize=8)
def released(system: System, component: str) -> System:
    """The system with the states of a component as inputs after all others.

    Where others follow them as motions, they come with their rates, as other inputs do. Kept,
    because steady motions of one system are solved for many times.
    """
    source, prefix = system.source, f"{component}."
    moved = [q for q in system.states if q.name.startswith(prefix)]
    if source is None or not moved:
        raise SimulationError(
            f"{system.name} has no driver called {component!r} who follows a path; read its model "
            "with what the manoeuvre changes: read_model(file, manoeuvre.changes)"
        )
    rates = {rate.name: name.name for name, rate in source.signal_rates.items() if rate.is_symbol}
    inputs = (*system.inputs, *(_as_input(q, rates.get(q.name, "")) for q in moved))
    kept = [k for k, q in enumerate(system.states) if q not in moved]
    internal = tuple(s for s in source.internal if s.quantity.name not in {q.name for q in moved})
    projection = system.projection
    return replace(
        system,
        states=tuple(system.states[k] for k in kept),
        derivatives=tuple(system.derivatives[k] for k in kept),
        inputs=inputs,
        projection=None if projection is None else tuple(projection[k] for k in kept),
        source=replace(source, internal=internal, inputs=inputs, opened=None),
        opened=None,
    )


def _as_input(quantity: Quantity, derivative_of: str) -> Quantity:
    return replace(quantity, role=Role.INPUT, derivative_of=derivative_of)
