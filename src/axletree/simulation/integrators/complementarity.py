"""Velocity-level stepping with set-valued forces (Peiret et al., eqs. 1 to 3 and 8).

    p(t + h) = p(t) + h pdot(t, p(t), z(t), force)
    z(t + h) = z(t) + h zdot(t, p(t + h), z(t), force)

The forces are constant over a step and solve a mixed linear complementarity problem: each is
between its bounds and holds the velocity of its row at the end of the step, or is at a bound.
What is held is at rest exactly, and stays. A system without such forces is integrated by
semi-implicit Euler's method, which this is then.
"""

from __future__ import annotations

from functools import lru_cache, partial

from axletree.code.lower import Extra
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.integrators import semi_implicit_euler
from axletree.simulation.set_valued_step import room_for, step_text
from axletree.simulation.set_valued_twin import step_of
from axletree.system.step_rows import StepRows

_NAME = "complementarity"
_DESCRIPTION = (
    "Order 1; dry friction, brakes, clutches and contacts as set-valued forces, which hold what "
    "is at rest; one complementarity problem in a step."
)


@lru_cache(maxsize=8)
def _for_rows(rows: StepRows) -> FixedStep:
    """One method for the rows of a system, so that its code is compiled once."""
    return FixedStep(
        name=_NAME,
        description=_DESCRIPTION,
        order=1,
        c_step=step_text(rows),
        python_step=step_of(rows),
        extras=(Extra.LATER_RATES, Extra.ROWS),
        room=partial(room_for, rows),
    )


METHOD = FixedStep(
    name=_NAME,
    description=_DESCRIPTION,
    order=1,
    c_step=semi_implicit_euler.METHOD.c_step,
    python_step=semi_implicit_euler.METHOD.python_step,
    extras=semi_implicit_euler.METHOD.extras,
    for_rows=_for_rows,
)
