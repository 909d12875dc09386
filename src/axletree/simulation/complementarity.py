"""Steps solved for set-valued forces, on velocity level (Peiret et al., eqs. 1 to 3 and 8).

    p(t + h) = p(t) + h pdot(t, p(t), z(t), force)
    z(t + h) = z(t) + h zdot(t, p(t + h), z(t), force)

The forces are constant over a step and solve a mixed linear complementarity problem: each is
between its bounds and holds the velocity of its row at the end of the step, or is at a bound.
What is held is at rest exactly, and stays. A system without such forces is integrated by
semi-implicit Euler's method, which this is then.

A step, in C and the same in Python:

1. ``rows`` are evaluated at the beginning of the step.
2. A contact whose gap would close within the step bounces: its velocity at the end is at least
   ``restitution`` times that of approach (Newton). Without restitution, and where the approach
   is no faster than what one step gives to it, the gap closes no further than to zero. Where
   bodies have sunk into one another they are held from sinking on, and not driven apart.
3. The complementarity problem gives the forces. Where bounds depend on forces, as those of
   friction on the normal force, they are found anew from these and the problem is solved again,
   until they no longer change: friction and normal force are those of the same step.
4. A speed of which less than ``REST`` is left of what the largest force could make of it is
   rounding, and becomes zero: what is held is at rest and stays where it is.
5. All other states move with the new speeds and the forces.
"""

from __future__ import annotations

from collections.abc import Iterable
from ctypes import CDLL
from dataclasses import replace
from functools import lru_cache, partial
from typing import Final

import numpy as np

from axletree.code.lowering import Extra
from axletree.core.arrays import FloatArray
from axletree.equations.set_valued_forces import LAW_COLUMNS
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.integrators import SEMI_IMPLICIT_EULER
from axletree.simulation.mlcp.c_code import mlcp_text
from axletree.simulation.mlcp.methods import Pivoting, ProjectedSweeps
from axletree.simulation.mlcp.problem import ComplementarityProblem, Outcome
from axletree.simulation.python_loop import PythonLoop, StepFunction
from axletree.simulation.recording import FURTHER, LEFT, POOR, POORLY, WHEN, WORST
from axletree.system.forms.set_valued import StepRows


def complementarity_method(name: str, description: str, solver: ComplementaritySolver) -> FixedStep:
    """The method; on systems without set-valued forces it is semi-implicit Euler's."""

    @lru_cache(maxsize=8)
    def for_rows(rows: StepRows) -> FixedStep:
        """One method for the rows of a system, so that its code is compiled once."""
        return FixedStep(
            name=name,
            description=description,
            order=1,
            c_step=c_step_text(rows, solver),
            python_step=solved_python_step(rows, solver),
            extras=(Extra.LATER_RATES, Extra.ROWS),
            room=partial(room_for, rows, solver),
        )

    return FixedStep(
        name=name,
        description=description,
        order=1,
        c_step=SEMI_IMPLICIT_EULER.c_step,
        python_step=SEMI_IMPLICIT_EULER.python_step,
        extras=SEMI_IMPLICIT_EULER.extras,
        for_rows=for_rows,
    )


ComplementaritySolver = Pivoting | ProjectedSweeps

_PLACES: Final = {"LEFT": LEFT, "WORST": WORST, "WHEN": WHEN, "POORLY": POORLY}  # of the report
REST: Final = 1e-12  # of what forces could make of a speed: less than that is left by rounding

_SOLVE: Final = """\
/* Solve for the forces within these bounds, from where they are; 0 when that is done. */
static int axl_forces(
    const double *matrix, const double *offset, const double *lower, const double *upper,
    double *force, double *report, double *work)
{
    int *places = (int *)(work + axl_mlcp_CALL_doubles(NR)), i;
    for (i = 0; i < NR; ++i) {
        force[i] = fmin(fmax(force[i], lower[i]), upper[i]);
    }
    SOLVE_CALL
    return report[0] != 0.0;
}
"""
_PIVOT: Final = """\
{
        const axl_mlcp_limits limits = {TOLERANCE, RANK, AGREEMENT, MOST};
        double weights[NR];
        int steps, attempt;
        report[0] = 1.0;
        for (attempt = 0; report[0] != 0.0 && attempt < 2; ++attempt) {
            for (i = 0; i < NR; ++i) {
                weights[i] = 1.0;
                if (attempt) { /* without what rounding leaves of a start that is far off */
                    force[i] = fmin(fmax(0.0, lower[i]), upper[i]);
                }
            }
            report[0] = axl_mlcp_pivot(
                NR, matrix, offset, lower, upper, weights, &limits, force, report + 1, &steps,
                work, places);
        }
        report[LEFT] = work[0];
    }"""
_LEMKE: Final = """\
report[0] = axl_mlcp_lemke(
        NR, matrix, offset, lower, upper, MOST, force, &i, work, places);
    report[LEFT] = work[0];"""
_ITERATE: Final = """\
axl_mlcp_iterate(
        NR, matrix, offset, lower, upper, SWEEPS, SUBSPACE, RELAXATION, force, work, places);
    report[LEFT] = axl_mlcp_residual(NR, matrix, offset, lower, upper, force);"""
_STEP: Final = """\
static void axl_step(const axl_run *run, double t, double h, double *x)
{
    double *r = run->work, *matrix = r + NROWS, *offset = matrix + NR * NR;
    double *lower = offset + NR, *upper = lower + NR, *work = upper + NR;
    double *force = run->u + NU - NR, zdot[NX_ARRAY], largest = 0.0;
    const double *free = r, *columns = free + NP, *coupling = columns + NR * NP;
    const double *velocity = coupling + NR * NR, *push = velocity + NR, *law = push + NR;
    const double *compliance = law + 2 * NR, *given = law + 3 * NR;
    const double *gap = law + 4 * NR, *restitution = law + 5 * NR;
    const double *stiffness = law + 6 * NR, *damping = law + 7 * NR, *preload = law + 8 * NR;
    int i, j;
    axl_inputs(run, t);
    model_rows(t, x, run->u, run->c, r);
    for (i = 0; i < NR; ++i) {
        const double freely = velocity[i] + h * push[i], approach = -velocity[i];
        const double hard = h * stiffness[i] + damping[i], soft = hard > 0.0 ? 1.0 / hard : 0.0;
        double wanted = given[i] + soft * preload[i];
        if (axl_contact[i]) {
            const int meets = approach > fmax(-h * push[i], 0.0) && gap[i] + h * freely <= 0.0
                              && restitution[i] > 0.0;
            wanted += meets ? restitution[i] * approach : -fmax(gap[i], 0.0) / h;
        }
        offset[i] = freely - wanted;
        for (j = 0; j < NR; ++j) {
            matrix[i * NR + j] = h * coupling[i * NR + j] + (i == j ? compliance[i] + soft : 0.0);
        }
    }
    axl_first_bounds(law, lower, upper);
    if (!axl_finite(r, NROWS)) {
        x[0] = NAN; /* whose cause is looked for in the states */
        return;
    }
    SOLVE
    if (run->report[LEFT] > run->report[WORST]) {
        run->report[WORST] = run->report[LEFT];
        run->report[WHEN] = t;
    }
    run->report[POORLY] += run->report[LEFT] > POOR ? 1.0 : 0.0;
    for (j = 0; j < NR; ++j) { /* in roots of energies, whatever the units of the forces */
        largest = fmax(largest, fabs(force[j]) * sqrt(fmax(matrix[j * NR + j], 0.0)));
    }
    for (i = 0; i < NP; ++i) {
        double sum = x[i] + h * free[i], size = fabs(x[i]) + fabs(h * free[i]);
        for (j = 0; j < NR; ++j) {
            const double moves = h * columns[j * NP + i], own = matrix[j * NR + j];
            sum += moves * force[j];
            size += own > 0.0 ? fabs(moves) * largest / sqrt(own) : 0.0;
        }
        x[i] = fabs(sum) > REST * size ? sum : 0.0;
    }
    model_later_rates(t, x, run->u, run->c, zdot);
    for (i = NP; i < NX; ++i) {
        x[i] += h * zdot[i - NP];
    }
}
"""
_FINITE: Final = """\
static int axl_finite(const double *values, int count)
{
    double sum = 0.0;
    int i;
    for (i = 0; i < count; ++i) {
        sum += values[i] - values[i];
    }
    return sum == 0.0;
}
"""
_ONCE: Final = """\
    if (axl_forces(matrix, offset, lower, upper, force, run->report, work)) {
        return;
    }
"""


def c_step_text(rows: StepRows, solver: ComplementaritySolver) -> str:
    """C99 that defines ``axl_step`` for these rows, the solver included."""
    m = len(rows.reactions)
    sizes = {
        "NR": m,
        "NROWS": len(rows.values),
        "NF": len(rows.following),
        "NFOLLOWED": len(rows.followed),
        "PASSES": BOUND_PASSES[type(solver)],
        "FIXED": int(isinstance(solver, ProjectedSweeps)),
        **{name: f"NU + {1 + FURTHER + place}" for name, place in _PLACES.items()},
    }
    step = _STEP.replace("    SOLVE\n", IN_PASSES if rows.following else _ONCE)
    following = []
    if rows.following:
        tables = ("axl_following", rows.following), ("axl_followed", rows.followed)
        following = [*(_table(*table) for table in tables), FOLLOWING]
    parts = [
        mlcp_text(),
        f"enum {{ {', '.join(f'{name} = {size}' for name, size in sizes.items())} }};\n",
        _table("axl_bounded_below", rows.bounded_below),
        _table("axl_bounded_above", rows.bounded_above),
        _table("axl_contact", rows.contacts),
        _FINITE,
        _solve_text(rows, solver),
        FIRST_BOUNDS,
        *(text.replace("SETTLED", repr(SETTLED)) for text in following),
        step.replace("REST", repr(REST)).replace("POOR ", f"{POOR!r} "),
    ]
    return "\n".join(parts)


def _solve_text(rows: StepRows, solver: ComplementaritySolver) -> str:
    call = _call(rows, solver)
    text = _SOLVE.replace("CALL_doubles", f"{call}_doubles")
    given: dict[str, float]
    if isinstance(solver, ProjectedSweeps):
        text = text.replace("SOLVE_CALL", _ITERATE)
        given = {"SWEEPS": solver.sweeps, "SUBSPACE": solver.subspace_steps}
        given |= {"RELAXATION": solver.relaxation}
    else:
        text = text.replace("SOLVE_CALL", _PIVOT if call == "pivot" else _LEMKE)
        limits = solver.limits
        given = {"TOLERANCE": limits.tolerance, "RANK": limits.rank}
        given |= {"AGREEMENT": limits.agreement, "MOST": limits.most(len(rows.reactions))}
    for word, value in given.items():
        text = text.replace(word, repr(value))
    return text


def _call(rows: StepRows, solver: ComplementaritySolver) -> str:
    """Of the functions of the solver in C."""
    if isinstance(solver, ProjectedSweeps):
        return "iterate"
    return "pivot" if rows.symmetric else "lemke"


def room_for(rows: StepRows, solver: ComplementaritySolver, library: CDLL) -> int:
    """Numbers of work that a step needs: rows, problem, and what the solver asks for."""
    m, call = len(rows.reactions), _call(rows, solver)
    doubles = int(getattr(library, f"axl_mlcp_{call}_doubles")(m))
    places = int(getattr(library, f"axl_mlcp_{call}_ints")(m))
    return len(rows.values) + m * m + 3 * m + doubles + places  # an int is no longer than a double


def _table(name: str, values: Iterable[int]) -> str:
    items = [str(int(value)) for value in values]
    return f"static const int {name}[{len(items)}] = {{{', '.join(items)}}};\n"


# Bounds of set-valued forces in C, and the passes in which those that depend on forces settle.

# At most, in which bounds that depend on forces find their values; exactly so many of sweeps, which
# go on in the next step and have one cost.
BOUND_PASSES: Final = {Pivoting: 40, ProjectedSweeps: 2}
SETTLED: Final = 1e-10  # change of such bounds over the largest, below which they have

FIRST_BOUNDS: Final = """\
static void axl_first_bounds(const double *law, double *lower, double *upper)
{
    int i;
    for (i = 0; i < NR; ++i) {
        lower[i] = axl_bounded_below[i] ? law[i] : -HUGE_VAL;
        upper[i] = axl_bounded_above[i] ? law[NR + i] : HUGE_VAL;
    }
}
"""
FOLLOWING: Final = """\
/* Forces that bounds depend on; 1 if they are what they were. */
static int axl_follow(const double *force, double *before)
{
    int k, same = 1;
    for (k = 0; k < NFOLLOWED; ++k) {
        same = same && force[axl_followed[k]] == before[k];
        before[k] = force[axl_followed[k]];
    }
    return same;
}

/* Bounds for the forces as they are now; 1 if they are what they were for those before. */
static int axl_settled(
    const axl_run *run, double t, const double *x, double *before, double *lower, double *upper)
{
    double b[2 * NF], change = 0.0, largest = 0.0;
    int k, side;
    if (axl_follow(run->u + NU - NR, before) && !FIXED) {
        return 1;
    }
    model_bounds(t, x, run->u, run->c, b);
    for (side = 0; side < 2; ++side) {
        for (k = 0; k < NF; ++k) {
            const int i = axl_following[k];
            double *bound = (side ? upper : lower) + i;
            const double now = b[side * NF + k];
            if (side ? axl_bounded_above[i] : axl_bounded_below[i]) {
                change = fmax(change, fabs(now - *bound));
                largest = fmax(largest, fmax(fabs(now), fabs(*bound)));
                *bound = now;
            }
        }
    }
    if (change <= SETTLED * largest) {
        return !FIXED;
    }
    run->report[LEFT] = fmax(run->report[LEFT], change / largest); /* unless another pass follows */
    return 0;
}
"""
IN_PASSES: Final = """\
    double before[NFOLLOWED] = {0.0};
    axl_follow(force, before);
    for (i = 0; i < PASSES; ++i) {
        if (axl_forces(matrix, offset, lower, upper, force, run->report, work)) {
            return;
        }
        if (axl_settled(run, t, x, before, lower, upper)) {
            break;
        }
    }
"""

GOOD = (Outcome.SOLVED, Outcome.APPROXIMATE)


class _Evaluated:
    """The values of rows as arrays."""

    def __init__(self, values: list[float], speeds: int, m: int) -> None:
        flat = np.array(values)
        sizes = [speeds, m * speeds, m * m, m, m, *([m] * len(LAW_COLUMNS))]
        parts = np.split(flat, np.cumsum(sizes)[:-1])
        self.finite = bool(np.isfinite(flat).all())
        self.free, self.velocity, self.push = parts[0], parts[3], parts[4]
        self.columns = parts[1].reshape(m, speeds)
        self.coupling = parts[2].reshape(m, m)
        self.law = dict(zip(LAW_COLUMNS, parts[5:], strict=True))

    def matrix(self, h: float) -> FloatArray:
        return np.asarray(h * self.coupling + np.diag(self.law["compliance"] + self.soft(h)))

    def soft(self, h: float) -> FloatArray:
        """What springs give at the end of the step, velocity per force."""
        hard = h * self.law["stiffness"] + self.law["damping"]
        return np.asarray(np.divide(1.0, hard, out=np.zeros(len(hard)), where=hard > 0.0))

    def offset(self, h: float, contacts: tuple[bool, ...]) -> FloatArray:
        """What w is without forces."""
        freely, approach = self.velocity + h * self.push, -self.velocity
        gap, restitution = self.law["position"], self.law["restitution"]
        meets = (approach > np.maximum(-h * self.push, 0.0)) & (gap + h * freely <= 0.0)
        meets &= restitution > 0.0
        of_contact = np.where(meets, restitution * approach, -np.maximum(gap, 0.0) / h)
        wanted = self.law["offset"] + self.soft(h) * self.law["preload"]
        return np.asarray(freely - (wanted + np.where(contacts, of_contact, 0.0)))

    def moved(self, speeds: FloatArray, h: float, force: FloatArray) -> FloatArray:
        """The speeds at the end of the step."""
        moves = h * self.columns
        total = speeds + h * self.free + (moves * force[:, None]).sum(axis=0)
        root = np.sqrt(np.maximum(np.diagonal(self.matrix(h)), 0.0))
        largest = np.max(np.abs(force) * root)  # in roots of energies, whatever the units
        reach = np.divide(largest, root, out=np.zeros(len(root)), where=root > 0.0)
        size = np.abs(speeds) + np.abs(h * self.free) + np.abs(moves).T @ reach
        return np.asarray(np.where(np.abs(total) > REST * size, total, 0.0))


def solved_python_step(rows: StepRows, solver: ComplementaritySolver) -> StepFunction:
    """The step function for these rows."""
    m = len(rows.reactions)

    def step(loop: PythonLoop, t: float, h: float, x: list[float]) -> list[float]:
        n = loop.speeds
        now = _Evaluated(loop.called("rows", t, x), n, m)
        if not now.finite:
            return [float("nan"), *x[1:]]
        problem = ComplementarityProblem(
            now.matrix(h),
            now.offset(h, rows.contacts),
            np.where(rows.bounded_below, now.law["lower"], -np.inf),
            np.where(rows.bounded_above, now.law["upper"], np.inf),
        )
        force = _forces(rows, solver, problem, loop, t, x)
        if force is None:
            return x
        speeds = now.moved(np.array(x[:n]), h, force).tolist()
        later = loop.rates(t, [*speeds, *x[n:]])
        return [*speeds, *(z + h * rate for z, rate in zip(x[n:], later, strict=True))]

    return step


def _forces(
    rows: StepRows,
    solver: ComplementaritySolver,
    problem: ComplementarityProblem,
    loop: PythonLoop,
    t: float,
    x: list[float],
) -> FloatArray | None:
    """The forces of a step, which become inputs of the loop; None if they were not found."""
    m = len(rows.reactions)
    lower, upper = problem.lower.copy(), problem.upper.copy()
    for _ in range(BOUND_PASSES[type(solver)] if rows.following else 1):
        bounded = replace(problem, lower=lower, upper=upper)
        found = solver.solve(bounded, bounded.within(np.array(loop.levels[-m:])))
        if found.outcome not in GOOD:  # for what rounding leaves of a start that is far off
            found = solver.solve(bounded)
        loop.levels[-m:] = found.unknowns.tolist()
        if found.outcome not in GOOD:
            loop.report[0] = float(found.outcome.value)
            for row in found.rows:
                loop.report[1 + row] = 1.0
            return None
        left = found.residual
        if rows.following:
            moved = _moved_bounds(rows, loop.called("bounds", t, x), lower, upper)
            if moved <= SETTLED and not isinstance(solver, ProjectedSweeps):
                break
            left = max(left, moved)
    _report_residual(loop, left, t)
    return found.unknowns


def _report_residual(loop: PythonLoop, left: float, t: float) -> None:
    """The residual of a step, and whether it is the greatest so far."""
    loop.report[LEFT] = left
    if left > loop.report[WORST]:
        loop.report[WORST], loop.report[WHEN] = left, t
    loop.report[POORLY] += left > POOR


def _moved_bounds(
    rows: StepRows, bounds: list[float], lower: FloatArray, upper: FloatArray
) -> float:
    """Bounds for the forces as they are now; their change over the largest of them."""
    change = largest = 0.0
    count = len(rows.following)
    for k, row in enumerate(rows.following):
        for present, array, value in (
            (rows.bounded_below, lower, bounds[k]),
            (rows.bounded_above, upper, bounds[count + k]),
        ):
            if present[row]:
                before = float(array[row])
                change = max(change, abs(value - before))
                largest = max(largest, abs(value), abs(before))
                array[row] = value
    return change / largest if change > 0.0 else 0.0


COMPLEMENTARITY = complementarity_method(
    "complementarity",
    "Order 1; brakes, clutches, dry friction and contacts as set-valued forces that hold what is "
    "at rest; solved exactly, by pivoting.",
    Pivoting(),
)

# Steps with set-valued forces at a cost that is known before: a fixed number of sweeps.
#
# The steps are those of ``complementarity``. Forces start from those of the step before, so that
# what rests comes nearer to the solution with every step; until then it creeps a little.

COMPLEMENTARITY_SWEEPS = complementarity_method(
    "complementarity-sweeps",
    "As complementarity, solved nearly and at a fixed cost, by 30 projected sweeps, for real time.",
    ProjectedSweeps(sweeps=30),
)
