"""Steps with set-valued forces at a cost that is known before: a fixed number of sweeps.

The steps are those of ``complementarity``. Forces start from those of the step before, so that
what rests comes nearer to the solution with every step; until then it creeps a little.
"""

from __future__ import annotations

from axletree.simulation.mlcp.method import Projected
from axletree.simulation.solved_steps import solved_steps

METHOD = solved_steps(
    "complementarity-sweeps",
    "As complementarity, solved nearly and at a fixed cost, by 30 projected sweeps, for real time.",
    Projected(sweeps=30),
)
