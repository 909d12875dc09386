"""Semi-implicit Euler: speeds first, then coordinates with the new speeds.

    p(t + h) = p(t) + h pdot(t, p(t), q(t))
    q(t + h) = q(t) + h qdot(t, p(t + h), q(t))

Internal states of components (role STATE) are advanced with the speeds, explicitly. For a
conservative system the method is symplectic: the energy error stays bounded.
"""

from __future__ import annotations

from axletree.code.lower import Extra
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.python_loop import PythonLoop

_C_STEP = """\
static void axl_step(const axl_run *run, double t, double h, double *x)
{
    double xdot[NX_ARRAY], q[NQ_ARRAY], qdot[NQ_ARRAY];
    int i;
    for (i = 0; i < NQ; ++i) {
        q[i] = x[axl_coordinates[i]];
    }
    axl_slope(run, t, x, xdot);
    for (i = 0; i < NX; ++i) {
        x[i] += h * xdot[i];
    }
    for (i = 0; i < NQ; ++i) {
        x[axl_coordinates[i]] = q[i];
    }
    model_coordinate_rates(t, x, run->u, run->c, qdot);
    for (i = 0; i < NQ; ++i) {
        x[axl_coordinates[i]] = q[i] + h * qdot[i];
    }
}
"""


def _step(loop: PythonLoop, t: float, h: float, x: list[float]) -> list[float]:
    xdot = loop.slope(t, x)
    new = [a + h * b for a, b in zip(x, xdot, strict=True)]
    for k in loop.coordinates:
        new[k] = x[k]
    for k, rate in zip(loop.coordinates, loop.rates(t, new), strict=True):
        new[k] = x[k] + h * rate
    return new


METHOD = FixedStep(
    name="semi-implicit-euler",
    description="Order 1, one evaluation in a step; keeps the energy of undamped oscillations.",
    order=1,
    c_step=_C_STEP,
    python_step=_step,
    extras=(Extra.COORDINATE_RATES,),
)
