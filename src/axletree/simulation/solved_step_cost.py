"""What a step costs that is solved by projected sweeps: every operation of its C, which are always
the same ones.

Comparisons, choices between two numbers, absolute values and roots are functions. The counts follow
``c/complementarity.c``, ``c/short_levers.c``, ``mlcp/projected.c`` and ``mlcp/solve.c`` loop by
loop; the tests hold them against these files, run with numbers that count.
"""

from __future__ import annotations

from axletree.code.program import Program
from axletree.expr import OperationCount
from axletree.expr.quantity import Role
from axletree.simulation.fixed_step import StepCost
from axletree.system.forms.set_valued import StepRows

_ROTATIONS = 10  # sweeps of Jacobi's rotations, see short_levers.c


def sweeps_cost(rows: StepRows, program: Program, sweeps: int, passes: int) -> StepCost:
    """Of a step with so many sweeps in each of so many passes, in which bounds follow forces.

    Example:
    >>> import axletree as at
    >>> from axletree.simulation.solved_step_cost import sweeps_cost
    >>> from axletree.simulation.stepper.step_program import step_program
    >>> system = at.read_model("quarter-vehicle-on-soil").formulate(form="set-valued")
    >>> program = step_program(system, "complementarity-sweeps", outputs=[]).program
    >>> print(sweeps_cost(system.rows, program, sweeps=30, passes=1).operations)
    822 additions, 755 multiplications, 142 divisions, 1898 functions
    """
    m = len(rows.reactions)
    speeds = sum(q.role is Role.SPEED for q in program.states)
    others = len(program.states) - speeds
    routines = [program.rows, program.later_rates]
    total = sum((r.operations for r in routines if r is not None), OperationCount())
    if rows.symmetric and rows.springs:
        total += _levers(rows, speeds)
    total += _problem(m, sum(rows.contacts))
    total += passes * _solution(m, sweeps)
    if rows.following:
        bounds = program.bounds.operations if program.bounds is not None else OperationCount()
        total += passes * bounds + _following(rows, passes)
    total += _motion(m, speeds) + OperationCount(others, others)
    return StepCost(total, inputs=1)


def _problem(m: int, contacts: int) -> OperationCount:
    """``axl_problem``."""
    rows = m * OperationCount(6, 3 + m, 1, 4)
    return rows + contacts * OperationCount(2, 3, 1, 8)


def _solution(m: int, sweeps: int) -> OperationCount:
    """``axl_forces``: forces within bounds, sweeps, and the residual."""
    sweep = OperationCount(m + 2, m + 1, 1, 14)
    residual = OperationCount(2 * m + 2, 2 * m + 2, 1, m + 15)
    return (
        OperationCount(functions=4 * m)
        + (sweeps * m) * sweep
        + m * residual
        + OperationCount(divisions=1, functions=3)
    )


def _following(rows: StepRows, passes: int) -> OperationCount:
    """``axl_follow`` before the first pass and after each, ``axl_settled``."""
    sides = sum(rows.bounded_below[row] + rows.bounded_above[row] for row in rows.following)
    followed = OperationCount(functions=len(rows.followed))
    settled = sides * OperationCount(1, 0, 0, 9) + OperationCount(0, 0, 1, 6)
    return (1 + passes) * followed + passes * settled


def _motion(m: int, speeds: int) -> OperationCount:
    """The speeds at the end of the step, and what its report keeps."""
    reach = m * OperationCount(0, 1, 1, 10)
    moved = speeds * OperationCount(2 + 2 * m, 3 + 4 * m, 0, 5 + m)
    return OperationCount(1, 0, 0, 6) + reach + moved


def _levers(rows: StepRows, speeds: int) -> OperationCount:
    """``short_levers.c``: which rows hold and which springs carry, then what is left to these."""
    m, s = len(rows.reactions), len(rows.springs)
    g = sum(a and b for a, b in zip(rows.bounded_below, rows.bounded_above, strict=True))
    mobility = OperationCount(2 * s, s, 1, 2)
    chosen = m * OperationCount(3, 4, 0, 11) + OperationCount(0, g, 0, 1)
    redundant = OperationCount(2 * s, 2 * s * s + s + 1, 0, 4 * (s - 1) + 1) + _eigen(s)
    taken = ((2 + speeds + 2 * m) * g * s) * OperationCount(1, 1)
    return (
        chosen + 2 * mobility + redundant + OperationCount(0, 1, 0, 2)
        + _reactions(g, s) + _stiffness(g, s) + _eigen(s) + s * _seen(m, g, s) + taken
    )  # fmt: skip


def _eigen(s: int) -> OperationCount:
    """``axl_lever_eigen`` of s springs."""
    rotation = OperationCount(4 + 6 * s, 4 + 12 * s, 3, 9)
    return (_ROTATIONS * s * (s - 1) // 2) * rotation


def _reactions(g: int, s: int) -> OperationCount:
    """``axl_levers_react``: the factor of g rows that may hold, and a solution for each spring."""
    products = (g - 1) * g * (g + 1) // 6
    factor = OperationCount(g + products, 2 * g * g + products, g * (g - 1) // 2, 3 * g)
    return factor + s * OperationCount(g * (g - 1), 2 * g + g * (g - 1), 2 * g)


def _stiffness(g: int, s: int) -> OperationCount:
    """What springs have of one another, in ``axl_levers_find``."""
    return (s * (s + 1) // 2) * OperationCount(g, g + 2, 1)


def _seen(m: int, g: int, s: int) -> OperationCount:
    """``axl_levers_seen`` of a motion, and its part of the shares."""
    sums = 2 * g * s + m * (s + g) + s
    return OperationCount(sums, sums + 2 + g, g, 1 + 2 * g)
