"""Maps of engines: torque over speed with fuel and without."""

from __future__ import annotations

from axletree.core.expr import Beyond, Expr, interpolate
from axletree.library.curve import Curve, table_through


def held(points: Curve, speed: Expr) -> Expr:
    """The torque [N m] of a curve at a speed [rad/s]; beyond its ends that of the ends."""
    return interpolate(table_through(points.x, points.y, points.kind, Beyond.VALUE_HELD), speed)


def map_problems(full_load: Curve, drag: Curve | None, below: str) -> list[str]:
    """What keeps curves from being those of an engine; ``below`` says what the first speed is."""
    found = []
    for name, points in (("full_load", full_load), ("drag", drag)):
        if points is not None and min(points.y) < 0.0:
            found.append(f"{name} has a torque of {min(points.y):g} N m; expected none below 0")
    if full_load.x[0] <= 0.0:
        found.append(
            f"full_load begins at {full_load.x[0]:g} rad/s; expected a first speed above 0, below "
            f"which {below}"
        )
    return found
