"""Speed, lateral acceleration and radius of a path, by which steady motions are asked for.

With the velocity (u, v) of the vehicle over the ground and its yaw rate r the speed is
V = sqrt(u^2 + v^2), the lateral acceleration V r, towards the centre of the path, and the radius
V / r; both are positive to the left. In a steady turn a = V^2 / R.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from axletree.core.errors import SimulationError
from axletree.expr import Expr, sqrt
from axletree.expr.quantity import Quantity, Role
from axletree.runs.standard_manoeuvres import FORWARD
from axletree.system.system import System

SPEED = Quantity("speed", "m/s", "over the ground", Role.OUTPUT)
LATERAL = Quantity(
    "lateral_acceleration", "m/s^2", "towards the centre of the path, to the left", Role.OUTPUT
)
RADIUS = Quantity("radius", "m", "of the path, positive to the left", Role.OUTPUT)

# u, v and r: what a vehicle measures, and the speeds of a body that moves in the plane
_SOURCES = (
    ("vehicle.forward_speed", "vehicle.lateral_speed", "vehicle.yaw_rate"),
    ("chassis.vx", "chassis.vy", "chassis.rate"),
)


@lru_cache(maxsize=8)
def path_quantities(system: System) -> Mapping[str, tuple[Quantity, Expr]]:
    """The three quantities with their expressions; none of a system that is no vehicle."""
    known = {d.quantity.name: d.expression for d in system.outputs}
    known |= {q.name: q.symbol for q in system.states}
    for names in _SOURCES:
        if all(name in known for name in (*names, FORWARD)):
            u, v, r = (known[name] for name in names)
            V = sqrt(u * u + v * v)
            return {q.name: (q, e) for q, e in ((SPEED, V), (LATERAL, V * r), (RADIUS, V / r))}
    return {}


def forward_speed(system: System) -> str:
    """The name of the state in m/s that is greatest at the model's start."""
    speeds = [q for q in system.states if q.role is Role.SPEED and q.unit == "m/s"]
    fastest = max(speeds, key=lambda quantity: abs(quantity.default), default=None)
    if fastest is None or not fastest.default:
        names = ", ".join(quantity.name for quantity in speeds) or "none"
        raise SimulationError(
            f"{system.name} starts without a speed, so that nothing says which state is its "
            f"speed; name it, or give it a first value. Its speeds in m/s: {names}"
        )
    return fastest.name


def forward_state_of(system: System) -> str:
    """The state that is the forward speed: that of a vehicle, or the fastest at the start."""
    names = {q.name for q in system.states}
    return FORWARD if FORWARD in names else forward_speed(system)
