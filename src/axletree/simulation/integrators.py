"""Integrators with steps of one length: what each does in a step, in C and in Python.

Each is an object of the catalogue: ``EXPLICIT_EULER``, ``SEMI_IMPLICIT_EULER``, ``RK4`` and
``SUBDIVIDED_RK45``. Steps with set-valued forces are in ``complementarity``, methods with error
control in ``solvers``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from axletree.code.lowering import Extra
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.python_loop import PythonLoop

# Explicit Euler: x(t + h) = x(t) + h f(t, x(t)).

_EXPLICIT_EULER_C = """\
static void axl_step(const axl_run *run, double t, double h, double *x)
{
    double xdot[NX_ARRAY];
    int i;
    axl_slope(run, t, x, xdot);
    for (i = 0; i < NX; ++i) {
        x[i] += h * xdot[i];
    }
}
"""


def _explicit_euler_step(loop: PythonLoop, t: float, h: float, x: list[float]) -> list[float]:
    xdot = loop.slope(t, x)
    return [a + h * b for a, b in zip(x, xdot, strict=True)]


EXPLICIT_EULER = FixedStep(
    name="explicit-euler",
    description="Order 1, one evaluation in a step; unstable for undamped oscillations.",
    order=1,
    c_step=_EXPLICIT_EULER_C,
    python_step=_explicit_euler_step,
)

# Semi-implicit Euler: speeds first, then all other states with the new speeds.
#
#     p(t + h) = p(t) + h pdot(t, p(t), z(t))
#     z(t + h) = z(t) + h zdot(t, p(t + h), z(t))
#
# z holds coordinates and the internal states of components. For a conservative mechanism the
# method is symplectic: the energy error stays bounded. A lag that a speed drives, and that in
# turn drives the speed, such as the slip of a tyre and the spin of its wheel, is an
# oscillation too, and stays stable at steps at which explicit Euler's method is not.

_SEMI_IMPLICIT_EULER_C = """\
static void axl_step(const axl_run *run, double t, double h, double *x)
{
    double xdot[NX_ARRAY];
    int i;
    axl_slope(run, t, x, xdot);
    for (i = 0; i < NP; ++i) {
        x[i] += h * xdot[i];
    }
    model_later_rates(t, x, run->u, run->c, xdot);
    for (i = NP; i < NX; ++i) {
        x[i] += h * xdot[i - NP];
    }
}
"""


def _semi_implicit_euler_step(loop: PythonLoop, t: float, h: float, x: list[float]) -> list[float]:
    speeds = x[: loop.speeds]
    new = [p + h * rate for p, rate in zip(speeds, loop.slope(t, x), strict=False)]
    later = loop.rates(t, [*new, *x[loop.speeds :]])
    return new + [z + h * rate for z, rate in zip(x[loop.speeds :], later, strict=True)]


SEMI_IMPLICIT_EULER = FixedStep(
    name="semi-implicit-euler",
    description="Order 1, one evaluation in a step; keeps the energy of undamped oscillations.",
    order=1,
    c_step=_SEMI_IMPLICIT_EULER_C,
    python_step=_semi_implicit_euler_step,
    extras=(Extra.LATER_RATES,),
)

# The classical Runge-Kutta method of order 4 (Kutta 1901).

_RK4_C = """\
static void axl_step(const axl_run *run, double t, double h, double *x)
{
    const double half = 0.5 * h;
    double k1[NX_ARRAY], k2[NX_ARRAY], k3[NX_ARRAY], k4[NX_ARRAY], z[NX_ARRAY];
    int i;
    axl_slope(run, t, x, k1);
    for (i = 0; i < NX; ++i) {
        z[i] = x[i] + half * k1[i];
    }
    axl_slope(run, t + half, z, k2);
    for (i = 0; i < NX; ++i) {
        z[i] = x[i] + half * k2[i];
    }
    axl_slope(run, t + half, z, k3);
    for (i = 0; i < NX; ++i) {
        z[i] = x[i] + h * k3[i];
    }
    axl_slope(run, t + h, z, k4);
    for (i = 0; i < NX; ++i) {
        x[i] += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
    }
}
"""


def _rk4_step(loop: PythonLoop, t: float, h: float, x: list[float]) -> list[float]:
    half = 0.5 * h
    k1 = loop.slope(t, x)
    k2 = loop.slope(t + half, _moved(x, half, k1))
    k3 = loop.slope(t + half, _moved(x, half, k2))
    k4 = loop.slope(t + h, _moved(x, h, k3))
    slopes = zip(x, k1, k2, k3, k4, strict=True)
    return [a + h / 6.0 * (b + 2.0 * (c + d) + e) for a, b, c, d, e in slopes]


def _moved(x: list[float], h: float, slope: list[float]) -> list[float]:
    return [a + h * b for a, b in zip(x, slope, strict=True)]


RK4 = FixedStep(
    name="rk4",
    description="Order 4, four evaluations in a step; the usual choice.",
    order=4,
    c_step=_RK4_C,
    python_step=_rk4_step,
)

# Runge-Kutta of order 5 with an error estimate of order 4 (Dormand and Prince 1980) in steps
# of one length, parts of which are halved until each meets the tolerances.
#
# Blows, corners of forces and switches of inputs are stepped over in parts as short as they
# need, down to 2^-10 of a step, while records stay at whole steps. A part that cannot be halved
# any more is taken as it is: a force that jumps has no error estimate that ends.

SMALLEST_PARTS: Final = 1 << 10  # of the shortest parts make a step
HALVINGS: Final = 4  # at most, from one try to the next
SMALL_ERROR: Final = 1.0 / 64.0  # twice this part would still be within: 2^5, and a factor of 2
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
        f"enum {{ AXL_WHOLE = {SMALLEST_PARTS}, AXL_HALVINGS = {HALVINGS} }};",
        f"static const double axl_small = {SMALL_ERROR!r}, axl_gain = {GAIN!r};",
        "static const double axl_weights[6][6] = {",
        ",\n".join(f"    {_row(row)}" for row in _WEIGHTS),
        "};",
        f"static const double axl_places[6] = {_row(_PLACES)};",
        f"static const double axl_differences[7] = {_row(_ERROR)};",
    ]
)

_SUBDIVIDED_RK45_C: Final = """
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


def _rk45_part(
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


def _subdivided_rk45_step(loop: PythonLoop, t: float, h: float, x: list[float]) -> list[float]:
    done, size = 0, SMALLEST_PARTS
    slope = loop.slope(t, x)
    while done < SMALLEST_PARTS:
        y, end_slope, worst = _rk45_part(
            loop, t + h * (done / SMALLEST_PARTS), h * (size / SMALLEST_PARTS), x, slope
        )
        if not worst <= 1.0 and size > 1:
            for _ in range(HALVINGS):
                if worst <= 1.0 or size == 1:
                    break
                size //= 2
                worst *= GAIN
            continue
        x, slope, done = y, end_slope, done + size
        if worst <= SMALL_ERROR and done % (2 * size) == 0:
            size *= 2
    return x


SUBDIVIDED_RK45 = FixedStep(
    name="subdivided-rk45",
    description="Order 5, parts of steps halved until they meet the tolerances; blows, switches.",
    order=5,
    c_step=_C_COEFFICIENTS + _SUBDIVIDED_RK45_C,
    python_step=_subdivided_rk45_step,
    subdivides=True,
)
