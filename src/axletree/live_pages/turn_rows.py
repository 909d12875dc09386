"""The steady turns of a vehicle as rows that a page solves for, from straight on to the limit.

A point of a curve is asked for by its distance along it: c s + d a / g = target, with the angle s
of the steering wheel and the acceleration a to the centre of the path. So the curve is followed
where either of them turns back.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from axletree.analysis.steady.turning import (
    ALONG,
    KEEPING,
    MEASURED,
    MOMENT,
    TURN_STEERING,
    turning_system,
)
from axletree.core.errors import TrimError
from axletree.expr import Expr
from axletree.expr.quantity import Quantities, Quantity, Role
from axletree.model.model import STANDARD_GRAVITY, Model
from axletree.system.system import Definition, System

_SPEED: Final = Quantity("speed", "m/s", "over the ground", Role.INPUT)
_TARGET: Final = Quantity("target", "1", "where the turn is along the curve", Role.INPUT)
_BY_STEERING: Final = Quantity("by_steering", "1/rad", "weight of the steering wheel", Role.INPUT)
_BY_LATERAL: Final = Quantity("by_lateral", "1", "weight of the acceleration in g", Role.INPUT)
_SHOWN: Final = ("vehicle.roll",)


def turn_rows(model: Model) -> System | None:
    """Of a vehicle by body and axles that is steered and driven; None of others.

    Example:
    >>> import axletree as at
    >>> from axletree.live_pages.turn_rows import turn_rows
    >>> rows = turn_rows(at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}}))
    >>> [q.name for q in rows.inputs], len(rows.derivatives) - len(rows.states)
    (['speed', 'target', 'by_steering', 'by_lateral'], 0)
    """
    try:
        turning = turning_system(model)
    except TrimError:
        return None
    rows = turning.rows
    moving, measured = rows.derivatives[: -len(MEASURED)], rows.derivatives[-len(MEASURED) :]
    speed, lateral, sideslip = measured
    on_curve = (
        _BY_STEERING.symbol * TURN_STEERING.symbol
        + _BY_LATERAL.symbol * lateral / STANDARD_GRAVITY - _TARGET.symbol
    )  # fmt: skip
    asked: list[Expr] = [speed - _SPEED.symbol, on_curve, MOMENT.symbol, ALONG.symbol]
    known = {d.quantity.name: d for d in rows.outputs}
    shown = [known[name] for name in _SHOWN if name in known]
    found = zip(MEASURED[1:], (lateral, sideslip), strict=True)
    return replace(
        rows, derivatives=(*moving, *asked), outputs=(*(Definition(*one) for one in found), *shown),
        inputs=Quantities((_SPEED, _TARGET, _BY_STEERING, _BY_LATERAL)),
    )  # fmt: skip


KEPT: Final = tuple(q.name for q in KEEPING)  # unknowns that are no states of the vehicle
