"""The fixed-step loop in C: inputs, steps, projection, records, and the watch for NaN.

Time is the start plus a whole number of steps, never a sum of steps, so that the way in
which a run is cut into chunks changes no bit of it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from axletree.code.backends.runnable import Runnable
from axletree.code.program import Program
from axletree.core.arrays import FloatArray
from axletree.expr.quantity import Role
from axletree.simulation.euler_angles import C_WATCH, angle_places, euler_angles_of
from axletree.simulation.problem import Problem
from axletree.simulation.recording import RecordBuffer, StepPlan, empty_report

# The fields of the structure, once for C and once for ctypes.
_NUMBERS: Final = ("start", "h", "relative", "absolute")
_COUNTS: Final = ("step", "last", "every", "records", "tables", "turns")
_ARRAYS: Final = ("x", "previous", "u", "time", "states", "outputs", "report", "work")
_CONSTANT_ARRAYS: Final = ("c", "table_data")
_PLACES: Final = ("table_places", "turn_places")


class _Run(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_double) for name in _NUMBERS),
        *((name, ctypes.c_int64) for name in _COUNTS),
        *((name, ctypes.c_void_p) for name in (*_ARRAYS, *_CONSTANT_ARRAYS, *_PLACES)),
    ]


_STRUCTURE: Final = "\n".join(
    [
        "typedef struct {",
        f"    double {', '.join(_NUMBERS)};",
        f"    int64_t {', '.join(_COUNTS)};",
        *(f"    double *{name};" for name in _ARRAYS),
        *(f"    const double *{name};" for name in _CONSTANT_ARRAYS),
        *(f"    const int64_t *{name};" for name in _PLACES),
        "} axl_run;",
    ]
)

_INPUTS: Final = """\
static void axl_inputs(const axl_run *run, double t)
{
    int64_t k;
    for (k = 0; k < run->tables; ++k) {
        const int64_t *place = run->table_places + 4 * k; /* input, points, width, start */
        const double *data = run->table_data + place[3];
        const int n = (int)place[1];
        run->u[place[0]] = axl_lookup(t, n, (int)place[2], data, data + n);
    }
}
"""
_SLOPE: Final = """\
static void axl_slope(const axl_run *run, double t, const double *x, double *xdot)
{
    axl_inputs(run, t);
    model_rhs(t, x, run->u, run->c, xdot);
}
"""
_SPEED_RATES: Final = """\
static void axl_speed_rates(const axl_run *run, double t, const double *x, double *pdot)
{
    axl_inputs(run, t);
    model_speed_rates(t, x, run->u, run->c, pdot);
}
"""
_PROJECT: Final = """\
static void axl_project(const axl_run *run, double t, double *x)
{
    double moved[NX_ARRAY];
    axl_inputs(run, t);
    model_project(t, x, run->u, run->c, moved);
    memcpy(x, moved, NX * sizeof(double));
}
"""
_ADVANCE: Final = """\
static int axl_all_finite(const double *values, int count)
{
    double sum[4] = {0.0, 0.0, 0.0, 0.0}; /* four sums wait for each other less than one */
    int i, k;
    for (i = 0; i + 4 <= count; i += 4) {
        for (k = 0; k < 4; ++k) {
            sum[k] += values[i + k] - values[i + k]; /* 0, or NaN where a value is not finite */
        }
    }
    for (; i < count; ++i) {
        sum[0] += values[i] - values[i];
    }
    return sum[0] + sum[1] + sum[2] + sum[3] == 0.0;
}

static int axl_record(axl_run *run)
{
    const double t = run->start + run->h * (double)run->step;
    double *y = run->outputs + run->records * NY;
    run->time[run->records] = t;
    memcpy(run->states + run->records * NX, run->x, NX * sizeof(double));
    axl_inputs(run, t);
    model_outputs(t, run->x, run->u, run->c, y);
    if (!axl_all_finite(y, NY)) {
        return 2;
    }
    run->records += 1;
    return 0;
}

/* Up to `count` further steps: 0 when done, 1 for a state that is not finite, 2 for an output,
   3 for a lost orientation, 4 for a step that was not solved. */
int axl_advance(axl_run *run, int64_t count)
{
    const int64_t end = count < run->last - run->step ? run->step + count : run->last;
    if (run->records == 0) {
        BEFORE_RECORDS
        if (axl_record(run) != 0) {
            return 2;
        }
    }
    while (run->step < end) {
        const double t = run->start + run->h * (double)run->step;
        memcpy(run->previous, run->x, NX * sizeof(double));
        axl_step(run, t, run->h, run->x);
        IF_UNSOLVED
        AFTER_STEP
        if (!axl_all_finite(run->x, NX)) {
            return 1;
        }
        if (axl_lost(run)) {
            return 3;
        }
        run->step += 1;
        if ((run->step % run->every == 0 || run->step == run->last) && axl_record(run) != 0) {
            return 2;
        }
    }
    return 0;
}
"""

_UNSOLVED: Final = """\
        if (run->report[0] != 0.0) {
            return 4;
        }
"""
_BEFORE_RECORDS: Final = f"""\
        memcpy(run->previous, run->x, NX * sizeof(double)); /* the step is solved, not taken */
        axl_step(run, run->start, run->h, run->previous);
{_UNSOLVED}"""


def loop_text(program: Program, step_text: str, *, solves: bool = False) -> list[str]:
    """The C text of the loop; ``step_text`` defines ``axl_step`` (see ``FixedStep``)."""
    sizes = {
        "NX": len(program.states),
        "NX_ARRAY": max(len(program.states), 1),
        "NY": len(program.outputs),
        "NU": len(program.inputs),
        "NP": sum(q.role is Role.SPEED for q in program.states),
        "NS_ARRAY": 1 if program.speed_rates is None else max(program.speed_rates.size, 1),
    }
    head = ["#include <stdint.h>\n#include <string.h>\n"]
    head.append(f"enum {{ {', '.join(f'{name} = {size}' for name, size in sizes.items())} }};\n")
    projected = program.project is not None
    after = "axl_project(run, run->start + run->h * (double)(run->step + 1), run->x);"
    advance = _ADVANCE.replace("        AFTER_STEP\n", f"        {after}\n" if projected else "")
    advance = advance.replace("        IF_UNSOLVED\n", _UNSOLVED if solves else "")
    advance = advance.replace("        BEFORE_RECORDS\n", _BEFORE_RECORDS if solves else "")
    project = [_PROJECT] if projected else []
    slope = [_SLOPE] if "axl_slope" in step_text else []
    slope += [_SPEED_RATES] if program.speed_rates is not None else []
    return [*head, _STRUCTURE, _INPUTS, *slope, *project, step_text, C_WATCH, advance]


class CLoop:
    """A run of compiled code: state and records in arrays that C fills."""

    def __init__(
        self,
        model: Runnable,
        problem: Problem,
        plan: StepPlan,
        rows: RecordBuffer,
        room: Callable[[ctypes.CDLL], int] | None = None,
    ) -> None:
        """``room`` says how many numbers of work a step needs."""
        assert model.library is not None
        self._advance = model.library.axl_advance
        self._advance.argtypes = [ctypes.c_void_p, ctypes.c_int64]
        self._advance.restype = ctypes.c_int
        data, places = _flat_tables(problem)
        turns = euler_angles_of(problem.system)
        self.x = problem.states.copy()
        self.previous = self.x.copy()
        self.report = empty_report(len(problem.inputs))
        arrays = {
            "x": self.x,
            "previous": self.previous,
            "u": problem.inputs.copy(),
            "time": rows.time,
            "states": rows.states,
            "outputs": rows.outputs,
            "report": self.report,
            "work": np.zeros(1 if room is None else room(model.library)),
            "c": model.constants(problem.parameters),
            "table_data": data,
            "table_places": places,
            "turn_places": angle_places(turns),
        }
        self._arrays = arrays  # C holds their addresses
        self._run = _Run(
            start=problem.start,
            h=plan.length,
            relative=problem.tolerances.relative,
            absolute=problem.tolerances.absolute,
            last=plan.count,
            every=plan.every,
            tables=len(problem.tables),
            turns=len(turns),
            **{name: array.ctypes.data for name, array in arrays.items()},
        )

    @property
    def step(self) -> int:
        """Steps done."""
        return int(self._run.step)

    @property
    def records(self) -> int:
        return int(self._run.records)

    def advance(self, count: int) -> int:
        """Up to ``count`` steps: 0, or what went wrong, as ``axl_advance`` counts it."""
        return int(self._advance(ctypes.byref(self._run), count))


def _flat_tables(problem: Problem) -> tuple[FloatArray, np.ndarray]:
    """All breakpoints and coefficients in one array, and where each table starts in it."""
    data: list[Sequence[float]] = []
    places: list[tuple[int, int, int, int]] = []
    size = 0
    for signal in problem.tables:
        table = signal.table
        width = len(table.coefficients[0])
        places.append((signal.index, len(table.breakpoints), width, size))
        flat = [*table.breakpoints, *(value for row in table.coefficients for value in row)]
        data.append(flat)
        size += len(flat)
    return np.concatenate([*map(np.array, data), [0.0]]), np.array(places or [(0,) * 4], np.int64)
