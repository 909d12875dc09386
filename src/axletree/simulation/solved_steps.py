"""Methods that solve each step for set-valued forces, with a solver of one's choice."""

from __future__ import annotations

from functools import lru_cache, partial

from axletree.code.lower import Extra
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.integrators import semi_implicit_euler
from axletree.simulation.set_valued_step import Solver, room_for, step_text
from axletree.simulation.set_valued_twin import step_of
from axletree.system.step_rows import StepRows


def solved_steps(name: str, description: str, solver: Solver) -> FixedStep:
    """The method; on systems without set-valued forces it is semi-implicit Euler's."""

    @lru_cache(maxsize=8)
    def for_rows(rows: StepRows) -> FixedStep:
        """One method for the rows of a system, so that its code is compiled once."""
        return FixedStep(
            name=name,
            description=description,
            order=1,
            c_step=step_text(rows, solver),
            python_step=step_of(rows, solver),
            extras=(Extra.LATER_RATES, Extra.ROWS),
            room=partial(room_for, rows, solver),
        )

    return FixedStep(
        name=name,
        description=description,
        order=1,
        c_step=semi_implicit_euler.METHOD.c_step,
        python_step=semi_implicit_euler.METHOD.python_step,
        extras=semi_implicit_euler.METHOD.extras,
        for_rows=for_rows,
    )
