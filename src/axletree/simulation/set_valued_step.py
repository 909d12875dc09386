"""A step with set-valued forces in C: accelerations, complementarity problem, new speeds.

See ``set_valued_twin`` for the same in Python, and ``StepRows`` for what is evaluated.
"""

from __future__ import annotations

from collections.abc import Iterable
from ctypes import CDLL
from typing import Final

from axletree.simulation.mlcp.compiled import mlcp_text
from axletree.simulation.mlcp.method import Pivoting, Projected
from axletree.simulation.set_valued_bounds import (
    FIRST_BOUNDS,
    FOLLOWING,
    IN_PASSES,
    PASSES,
    SETTLED,
)
from axletree.simulation.step_report import FURTHER, LEFT, POOR, POORLY, WHEN, WORST
from axletree.system.step_rows import StepRows

Solver = Pivoting | Projected

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


def step_text(rows: StepRows, solver: Solver) -> str:
    """C99 that defines ``axl_step`` for these rows, the solver included."""
    m = len(rows.reactions)
    sizes = {
        "NR": m,
        "NROWS": len(rows.values),
        "NF": len(rows.following),
        "NFOLLOWED": len(rows.followed),
        "PASSES": PASSES[type(solver)],
        "FIXED": int(isinstance(solver, Projected)),
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


def _solve_text(rows: StepRows, solver: Solver) -> str:
    call = _call(rows, solver)
    text = _SOLVE.replace("CALL_doubles", f"{call}_doubles")
    given: dict[str, float]
    if isinstance(solver, Projected):
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


def _call(rows: StepRows, solver: Solver) -> str:
    """Of the functions of the solver in C."""
    if isinstance(solver, Projected):
        return "iterate"
    return "pivot" if rows.symmetric else "lemke"


def room_for(rows: StepRows, solver: Solver, library: CDLL) -> int:
    """Numbers of work that a step needs: rows, problem, and what the solver asks for."""
    m, call = len(rows.reactions), _call(rows, solver)
    doubles = int(getattr(library, f"axl_mlcp_{call}_doubles")(m))
    places = int(getattr(library, f"axl_mlcp_{call}_ints")(m))
    return len(rows.values) + m * m + 3 * m + doubles + places  # an int is no longer than a double


def _table(name: str, values: Iterable[int]) -> str:
    items = [str(int(value)) for value in values]
    return f"static const int {name}[{len(items)}] = {{{', '.join(items)}}};\n"
