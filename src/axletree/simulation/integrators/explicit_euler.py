"""Explicit Euler: x(t + h) = x(t) + h f(t, x(t))."""

from __future__ import annotations

from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.python_loop import PythonLoop

_C_STEP = """\
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


def _step(loop: PythonLoop, t: float, h: float, x: list[float]) -> list[float]:
    xdot = loop.slope(t, x)
    return [a + h * b for a, b in zip(x, xdot, strict=True)]


METHOD = FixedStep(
    name="explicit-euler",
    description="Order 1, one evaluation in a step; unstable for undamped oscillations.",
    order=1,
    c_step=_C_STEP,
    python_step=_step,
)
