"""Runge-Kutta of order 5 with an error estimate of order 4 (Dormand and Prince 1980) in steps
of one length, parts of which are halved until each meets the tolerances.

Blows, corners of forces and switches of inputs are stepped over in parts as short as they
need, down to 2^-10 of a step, while records stay at whole steps. A part that cannot be halved
any more is taken as it is: a force that jumps has no error estimate that ends.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.python_loop import PythonLoop

WHOLE: Final = 1 << 10  # of the shortest parts make a step
HALVINGS: Final = 4  # at most, from one try to the next
SMALL: Final = 1.0 / 64.0  # twice this part would still be within: 2^5, and a factor of 2
GAIN: Final = 1.0 / 32.0  # what halving a part makes of its error, where forces are smooth

# Rows of stages 2 to 7; the last one, at the end of the part, is the solution of order 5.
_WEIGHTS: Final = (
    (1 / 5, 0.0, 0.0, 0.0, 0.0, 0.0),
    (3 / 40, 9 / 40, 0.0, 0.0, 0.0, 0.0),
    (44 / 45, -56 / 15, 32 / 9, 0.0, 0.0, 0.0),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0.0, 0.0),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0.0),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
_PLACES: Final = (1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0)
# The solution of order 5 less that of order 4.
_ERROR: Final = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)


def _row(values: Sequence[float]) -> str:
    return "{" + ", ".join(repr(value) for value in values) + "}"


_C_COEFFICIENTS: Final = "\n".join(
    [
        f"enum {{ AXL_WHOLE = {WHOLE}, AXL_HALVINGS = {HALVINGS} }};",
        f"static const double axl_small = {SMALL!r}, axl_gain = {GAIN!r};",
        "static const double axl_weights[6][6] = {",
        ",\n".join(f"    {_row(row)}" for row in _WEIGHTS),
        "};",
        f"static const double axl_places[6] = {_row(_PLACES)};",
        f"static const double axl_differences[7] = {_row(_ERROR)};",
    ]
)

_C_STEP: Final = """
/* Over h from t, x, k[0] = xdot: y at the end, k[6] = ydot, and the error over what it may be. */
static double axl_part(const axl_run *run, double t, double h, const double *x, double *y,
                       double k[7][NX_ARRAY])
{
    double worst = 0.0;
    int i, j, stage;
    for (stage = 0; stage < 6; ++stage) {
        for (i = 0; i < NX; ++i) {
            double sum = 0.0;
            for (j = 0; j <= stage; ++j) {
                sum += axl_weights[stage][j] * k[j][i];
            }
            y[i] = x[i] + h * sum;
        }
        axl_slope(run, t + axl_places[stage] * h, y, k[stage + 1]);
    }
    for (i = 0; i < NX; ++i) {
        const double before = x[i] < 0.0 ? -x[i] : x[i], after = y[i] < 0.0 ? -y[i] : y[i];
        double sum = 0.0, off;
        for (j = 0; j < 7; ++j) {
            sum += axl_differences[j] * k[j][i];
        }
        off = h * (sum < 0.0 ? -sum : sum)
            / (run->absolute + run->relative * (before > after ? before : after));
        worst = off <= worst ? worst : off; /* NaN stays */
        if (off != off) {
            break;
        }
    }
    return worst;
}

static void axl_step(const axl_run *run, double t, double h, double *x)
{
    double k[7][NX_ARRAY], y[NX_ARRAY];
    int64_t done = 0, size = AXL_WHOLE;
    int halvings;
    axl_slope(run, t, x, k[0]);
    while (done < AXL_WHOLE) {
        const double begin = t + h * ((double)done / AXL_WHOLE);
        double worst = axl_part(run, begin, h * ((double)size / AXL_WHOLE), x, y, k);
        if (!(worst <= 1.0) && size > 1) {
            for (halvings = 0; !(worst <= 1.0) && size > 1 && halvings < AXL_HALVINGS; ++halvings) {
                size /= 2;
                worst *= axl_gain;
            }
            continue;
        }
        memcpy(x, y, NX * sizeof(double));
        memcpy(k[0], k[6], NX * sizeof(double));
        done += size;
        if (worst <= axl_small && done % (2 * size) == 0) {
            size *= 2;
        }
    }
}
"""


def _part(
    loop: PythonLoop, t: float, h: float, x: list[float], first: list[float]
) -> tuple[list[float], list[float], float]:
    """States and their slopes at the end of a part, and the error over what it may be."""
    slopes, y = [first], x
    for weights, place in zip(_WEIGHTS, _PLACES, strict=True):
        y = [a + h * _sum(weights, k) for a, *k in zip(x, *slopes, strict=True)]
        slopes.append(loop.slope(t + place * h, y))
    worst = 0.0
    for before, after, *k in zip(x, y, *slopes, strict=True):
        largest = max(abs(before), abs(after))
        off = (
            h
            * abs(_sum(_ERROR, k))
            / (loop.tolerances.absolute + loop.tolerances.relative * largest)
        )
        if not off <= worst:
            worst = off
        if math.isnan(off):
            break
    return y, slopes[-1], worst


def _sum(weights: Sequence[float], slopes: Sequence[float]) -> float:
    total = 0.0
    for weight, slope in zip(weights, slopes, strict=False):
        total += weight * slope
    return total


def _step(loop: PythonLoop, t: float, h: float, x: list[float]) -> list[float]:
    done, size = 0, WHOLE
    slope = loop.slope(t, x)
    while done < WHOLE:
        y, end_slope, worst = _part(loop, t + h * (done / WHOLE), h * (size / WHOLE), x, slope)
        if not worst <= 1.0 and size > 1:
            for _ in range(HALVINGS):
                if worst <= 1.0 or size == 1:
                    break
                size //= 2
                worst *= GAIN
            continue
        x, slope, done = y, end_slope, done + size
        if worst <= SMALL and done % (2 * size) == 0:
            size *= 2
    return x


METHOD = FixedStep(
    name="subdivided-rk45",
    description="Order 5, parts of steps halved until they meet the tolerances; blows, switches.",
    order=5,
    c_step=_C_COEFFICIENTS + _C_STEP,
    python_step=_step,
    subdivides=True,
)
