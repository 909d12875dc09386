"""The watch over Euler angles while steps are taken.

Where the first and the last of three axes come in line, the rates of their angles have no
bound. A motion that comes near such a place turns these angles by up to half a turn within
a few steps; a motion exactly through it goes on as if nothing were there. A step that does
neither has lost the orientation, and nothing in the numbers shows it later.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from axletree.core.quantity import Quantity
from axletree.simulation.failure import Failure
from axletree.system.singular import NEAR, Turns

Values = Sequence[float] | np.ndarray

MOST_PER_STEP: Final = 0.5  # rad that the first angle may turn in a step near such a place
MOST_ACROSS: Final = 1e-4  # rad likewise in a step that passes it: there a motion is in a plane

_OTHER_ANGLES: Final = (
    "give it another orientation, such as 'quaternion', which has no such place, or take much "
    "smaller steps"
)

C_WATCH: Final = f"""\
/* Whether a step has lost an orientation where two axes are in line. */
static int axl_lost(const axl_run *run)
{{
    int64_t k;
    for (k = 0; k < run->turns; ++k) {{
        const int64_t *place = run->turn_places + 3 * k; /* first, middle, repeated */
        const double turned = fabs(run->x[place[0]] - run->previous[place[0]]);
        const double middle = run->x[place[1]], shift = place[2] ? 0.0 : 0.5;
        if (turned > {MOST_ACROSS!r} && floor(middle / {math.pi!r} + shift)
                != floor(run->previous[place[1]] / {math.pi!r} + shift)) {{
            return 1;
        }}
        if (turned > {MOST_PER_STEP!r}
            && fabs(place[2] ? sin(middle) : cos(middle)) < {NEAR!r}) {{
            return 1;
        }}
    }}
    return 0;
}}
"""


def turn_places(turns: Sequence[Turns]) -> np.ndarray:
    """What the watch in C looks at: places of first and middle angle, whether axes repeat."""
    rows = [(three.first, three.middle, int(three.gimbal.repeated)) for three in turns]
    return np.array(rows or [(0, 0, 0)], np.int64)


def lost(turns: Sequence[Turns], before: Values, after: Values) -> Turns | None:
    """The first three angles whose orientation a step has lost; as in C."""
    return next((three for three in turns if _is_lost(three, before, after)), None)


def _is_lost(three: Turns, before: Values, after: Values) -> bool:
    turned = abs(after[three.first] - before[three.first])
    middle, shift = after[three.middle], 0.0 if three.gimbal.repeated else 0.5
    here, there = (math.floor(x / math.pi + shift) for x in (middle, before[three.middle]))
    if turned > MOST_ACROSS and here != there:
        return True
    return bool(turned > MOST_PER_STEP and abs(three.gimbal.apart(middle)) < NEAR)


def lost_orientation(
    turns: Sequence[Turns], states: Sequence[Quantity], before: Values, after: Values, t: float
) -> Failure:
    """The failure of a step to t after which orientation is lost."""
    three = lost(turns, before, after)
    assert three is not None
    turned = after[three.first] - before[three.first]
    return Failure(
        f"at t = {t:.9g} s {states[three.first].name!r} turned by {turned:.3g} rad in one step, "
        f"near where it is not defined: {three.sentence(after)}",
        _OTHER_ANGLES,
    )


def with_cause(failure: Failure, turns: Sequence[Turns], last: Values) -> Failure:
    """The failure with its likely cause, where the last good states were near such a place."""
    near = [three for three in turns if three.is_locked(last, NEAR)]
    if not near:
        return failure
    place = near[0].sentence(last)
    return Failure(f"{failure.message}, near where {place}", _OTHER_ANGLES)
