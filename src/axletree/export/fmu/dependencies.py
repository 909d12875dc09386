"""What rates and outputs of an FMU depend on: states, inputs and time, by value reference."""

from __future__ import annotations

from axletree.export.fmu.fmu_model import FmuModel
from axletree.expr import Expr
from axletree.expr.traversal import dependencies


def fmu_dependencies(model: FmuModel) -> dict[int, tuple[int, ...]]:
    """Of every rate and output, by its reference, the references of what it depends on.

    A model whose steps are solved for forces has none: there everything may depend on all.
    """
    if not model.has_exchange:
        return {}
    system, references = model.system, model.references
    expressions = [*system.derivatives, *(d.expression for d in system.outputs)]
    places = _places(model)
    found = [
        tuple(sorted({place for e in one for place in places.get(e, ())}))
        for one in dependencies(expressions)
    ]
    states = len(system.states)
    rates, outputs = references["rates"], references["outputs"]
    by_reference = {rates + k: one for k, one in enumerate(found[:states])}
    by_reference |= {outputs + k: one for k, one in enumerate(found[states:])}
    first, inputs = references["states"], references["inputs"]
    by_reference |= {first + k: (first + k,) for k in range(states)}
    for k, n in enumerate(model.filters):
        if n >= 0:
            value = states + 2 * n
            by_reference[rates + value] = (first + value + 1,)
            by_reference[rates + value + 1] = (first + value, first + value + 1, inputs + k)
    return by_reference


def _places(model: FmuModel) -> dict[Expr, tuple[int, ...]]:
    """Of each symbol what stands behind it in the FMU."""
    system, references = model.system, model.references
    first, inputs = references["states"], references["inputs"]
    found: dict[Expr, tuple[int, ...]] = {
        q.symbol: (first + k,) for k, q in enumerate(system.states)
    }
    found[system.time.symbol] = (0,)
    for k, (one, n) in enumerate(zip(model.prepared.shaped, model.filters, strict=True)):
        value = first + len(system.states) + 2 * n
        through = ((value,), (value + 1,), (value, value + 1, inputs + k))
        held: tuple[tuple[int, ...], ...] = ((inputs + k,), (), ())
        for place, behind in zip(one.places, through if n >= 0 else held, strict=True):
            if place >= 0:
                found[system.inputs[place].symbol] = behind
    return found
