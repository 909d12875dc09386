"""What a vehicle holds over speed, as a pace along a path asks for it: a coarse g-g diagram.

At each of a few speeds the maximum lateral acceleration, driving and braking alone, and what is
left of these in a turn; each on the branch of turns from straight ahead, without turns of other
sideslips, which a driver does not look for.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from axletree.analysis.handling.limits import GREATEST, WHOLE_STEP, limit_on_branch
from axletree.analysis.handling.turn_bounds import TurnBounds
from axletree.analysis.steady.turning import FREE_TURN, TurnCourse, Turning, turning_of
from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.errors import TrimError
from axletree.expr.quantity import Quantities
from axletree.model.model import Model
from axletree.system.system import System
from axletree.vehicles.performance_limits import COARSE, TURN_SHARE, PerformanceLimits
from axletree.vehicles.wheel_loads import WHEEL_LOADS

SLOWEST = 5.0  # m/s, below which limits are those at this speed
_HELD_EASILY = 0.7  # of the speed that the drive just holds, up to which turns are looked at
_NEAR_TOP = 0.5  # m/s, to which the speed is found that the drive just holds
_AT_REST = re.compile(rf"(^|_|\.){WHEEL_LOADS}\.(standing|shifted)\.")
_STEPS = 5  # to the turn at a share of the lateral acceleration


def performance_limits(
    model: Model | Turning, top: float, speed_count: int = COARSE, weight: float = 1.0
) -> PerformanceLimits:
    """Up to a speed ``top`` [m/s], or the one that the drive just holds; at so many speeds.

    Near that one a steady turn is limited by the throttle alone, and tells nothing of grip: from
    0.7 of it on, lateral acceleration and braking are those of there. ``weight`` is the share of
    its weight by which the vehicle is pressed onto the ground: less over a crest, more in a dip.

    Example:
    >>> import axletree as at
    >>> sedan = at.read_model("sedan", {"vehicle": {"fidelity": "two-track"}})
    >>> limits = sedan.performance_limits(40.0)
    >>> print(", ".join(f"{own:.1f}" for own in limits.at(25.0)), "m/s^2")
    9.2, 2.7, 10.4 m/s^2
    """
    check_arguments(performance_limits, locals())
    turning = turning_of(model)
    if weight != 1.0:
        turning = _pressed(turning, weight)
    fastest = _fastest(turning, top)
    speeds = np.geomspace(min(SLOWEST, 0.5 * fastest), _HELD_EASILY * fastest, speed_count)
    rows = [_at_speed(turning, speed) for speed in speeds.tolist()]
    lateral, _, *others = rows[-1]
    held = {"path.speed": fastest, "path.lateral": 0.0, **FREE_TURN}
    driving = _along(turning, held, turning.straight(fastest), 1.0)
    rows.append((lateral, driving, *others))
    return PerformanceLimits(np.append(speeds, fastest), *np.array(rows).T)


def _pressed(turning: Turning, weight: float) -> Turning:
    """With loads at rest that are this share of those on level ground."""
    own = turning.of
    if not any(_AT_REST.search(q.name) for q in own.rows.parameters):
        raise TrimError(
            f"{own.system.name}: loads of its wheels stay as they stand, so that a crest or a dip "
            "does not change them; take a model with load transfer, such as two-track"
        )

    def pressed(system: System) -> System:
        parameters = Quantities(
            replace(q, default=weight * q.default) if _AT_REST.search(q.name) else q
            for q in system.parameters
        )
        return replace(system, parameters=parameters)

    made = replace(own, system=pressed(own.system), rows=pressed(own.rows))
    return Turning(made, turning.outputs)


def _effort(turning: Turning, speed: float) -> float:
    """That keeps a speed straight ahead; more than 1 where nothing does."""
    try:
        return float(turning.straight(speed)[turning.effort])
    except TrimError:
        return np.inf


def _fastest(turning: Turning, top: float) -> float:
    """The speed [m/s] that the drive just holds, or the top."""
    if _effort(turning, top) <= 1.0:
        return top
    low, high = 0.0, top
    while high - low > _NEAR_TOP:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _effort(turning, middle) <= 1.0 else (low, middle)
    if not low:
        raise TrimError(f"{turning.of.system.name} holds no speed: its drive gives too little")
    return low


def _at_speed(turning: Turning, speed: float) -> tuple[float, ...]:
    """Lateral acceleration, driving and braking [m/s^2], and shares of these left in a turn."""
    straight = turning.straight(speed)
    held = {"path.speed": speed, "path.lateral": 0.0, **FREE_TURN}
    aside = TurnCourse.line(held, {"path.lateral": 1.0})
    lateral = limit_on_branch(
        TurnBounds(turning, np.inf), aside, straight, 0.0, GREATEST, WHOLE_STEP
    ).s
    alone = [_along(turning, held, straight, sign) for sign in (1.0, -1.0)]
    turn = _turn(turning, aside, straight, TURN_SHARE * lateral)
    held = {**held, "path.lateral": TURN_SHARE * lateral}
    left = [_along(turning, held, turn, sign) for sign in (1.0, -1.0)]
    shares = (one / most if most else 0.0 for one, most in zip(left, alone, strict=True))
    return (lateral, *alone, *shares)


def _along(turning: Turning, held: dict[str, float], start: FloatArray, sign: float) -> float:
    """The maximum acceleration along the path, forwards or backwards [m/s^2]."""
    course = TurnCourse.line(held, {"path.acceleration": sign})
    return limit_on_branch(TurnBounds(turning, np.inf), course, start, 0.0, GREATEST, WHOLE_STEP).s


def _turn(turning: Turning, aside: TurnCourse, straight: FloatArray, last: float) -> FloatArray:
    """The steady turn at a lateral acceleration [m/s^2], below the maximum."""
    before = turn = straight
    for s in np.linspace(0.0, last, _STEPS)[1:].tolist():
        found = turning.solve(aside, turn + (turn - before), s)
        if found is None:
            raise TrimError(
                f"{turning.of.system.name} has no steady turn at {s:.3g} m/s^2, below its limit"
            )
        before, turn = turn, found
    return turn
