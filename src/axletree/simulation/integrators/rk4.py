"""The classical Runge-Kutta method of order 4 (Kutta 1901)."""

from __future__ import annotations

from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.python_loop import PythonLoop

_C_STEP = """\
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


def _step(loop: PythonLoop, t: float, h: float, x: list[float]) -> list[float]:
    half = 0.5 * h
    k1 = loop.slope(t, x)
    k2 = loop.slope(t + half, _moved(x, half, k1))
    k3 = loop.slope(t + half, _moved(x, half, k2))
    k4 = loop.slope(t + h, _moved(x, h, k3))
    slopes = zip(x, k1, k2, k3, k4, strict=True)
    return [a + h / 6.0 * (b + 2.0 * (c + d) + e) for a, b, c, d, e in slopes]


def _moved(x: list[float], h: float, slope: list[float]) -> list[float]:
    return [a + h * b for a, b in zip(x, slope, strict=True)]


METHOD = FixedStep(
    name="rk4",
    description="Order 4, four evaluations in a step; the usual choice.",
    order=4,
    c_step=_C_STEP,
    python_step=_step,
)
