"""Semi-implicit Euler: speeds first, then all other states with the new speeds.

    p(t + h) = p(t) + h pdot(t, p(t), z(t))
    z(t + h) = z(t) + h zdot(t, p(t + h), z(t))

z holds coordinates and the internal states of components. For a conservative mechanism the
method is symplectic: the energy error stays bounded. A lag that a speed drives, and that in
turn drives the speed, such as the slip of a tyre and the spin of its wheel, is an
oscillation too, and stays stable at steps at which explicit Euler's method is not.
"""

from __future__ import annotations

from axletree.code.lower import Extra
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.python_loop import PythonLoop

_C_STEP = """\
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


def _step(loop: PythonLoop, t: float, h: float, x: list[float]) -> list[float]:
    speeds = x[: loop.speeds]
    new = [p + h * rate for p, rate in zip(speeds, loop.slope(t, x), strict=False)]
    later = loop.rates(t, [*new, *x[loop.speeds :]])
    return new + [z + h * rate for z, rate in zip(x[loop.speeds :], later, strict=True)]


METHOD = FixedStep(
    name="semi-implicit-euler",
    description="Order 1, one evaluation in a step; keeps the energy of undamped oscillations.",
    order=1,
    c_step=_C_STEP,
    python_step=_step,
    extras=(Extra.LATER_RATES,),
)
