"""Velocity-level stepping with set-valued forces (Peiret et al., eqs. 1 to 3 and 8).

    p(t + h) = p(t) + h pdot(t, p(t), z(t), force)
    z(t + h) = z(t) + h zdot(t, p(t + h), z(t), force)

The forces are constant over a step and solve a mixed linear complementarity problem: each is
between its bounds and holds the velocity of its row at the end of the step, or is at a bound.
What is held is at rest exactly, and stays. A system without such forces is integrated by
semi-implicit Euler's method, which this is then.
"""

from __future__ import annotations

from axletree.simulation.mlcp.method import Pivoting
from axletree.simulation.solved_steps import solved_steps

METHOD = solved_steps(
    "complementarity",
    "Order 1; brakes, clutches, dry friction and contacts as set-valued forces that hold what is "
    "at rest; solved exactly, by pivoting.",
    Pivoting(),
)
