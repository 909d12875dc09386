"""A car of Axletree inside JAX: compiled rates as a function that JAX differentiates and maps.

It needs JAX beside Axletree (``pip install jax``) and is no part of the tests. Reverse mode calls
``adjoint``, so that the gradient of a whole run costs some evaluations of the rates for each
step, however many inputs there are. Run it by ``python docs/examples/derivatives_in_jax.py``.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

import axletree as at

jax.config.update("jax_enable_x64", True)

car = at.read_model("bicycle-car").formulate().functions("f", "adjoint")
STATES, INPUTS = len(car.states), len(car.inputs)
STEP, STEPS = 0.005, 200  # s


def called(function, size, *arguments):
    """NumPy code inside JAX; points of a map arrive as rows, which the functions take."""
    shape = jax.ShapeDtypeStruct((size,), jnp.float64)
    arrays = jax.pure_callback(
        lambda *given: function(*(np.asarray(one) for one in given)),
        shape,
        *arguments,
        vmap_method="broadcast_all",
    )
    return arrays


@jax.custom_vjp
def rates(x, u):
    """The rates of the states [SI units]."""
    return called(car.f, len(car.rows), x, u)


def forward(x, u):
    return rates(x, u), (x, u)


def backward(kept, weights):
    slopes = called(car.adjoint, len(car.columns), *kept, weights)
    return slopes[:STATES], slopes[STATES : STATES + INPUTS]


rates.defvjp(forward, backward)


def lateral_displacement(angles):
    """[m], after steering angles [rad], one for each step, by the classical Runge-Kutta method."""

    def step(x, angle):
        u = jnp.zeros(INPUTS).at[car.inputs.index("steer.angle")].set(angle)
        a = rates(x, u)
        b = rates(x + STEP / 2 * a, u)
        c = rates(x + STEP / 2 * b, u)
        d = rates(x + STEP * c, u)
        return x + STEP / 6 * (a + 2 * b + 2 * c + d), None

    x, _ = jax.lax.scan(step, jnp.asarray(car.point({"chassis.vx": 20.0})[0]), angles)
    return x[car.states.index("chassis.y")]


if __name__ == "__main__":
    angles = jnp.full(STEPS, 0.01)
    gradient = jax.grad(lateral_displacement)(angles)
    spacing = 1e-6
    ahead, behind = (
        lateral_displacement(angles.at[20].add(side * spacing)) for side in (1.0, -1.0)
    )
    print(f"lateral displacement after 1 s: {lateral_displacement(angles):.4f} m")
    print(f"by the angle of step 20: {gradient[20]:.8f} m/rad exact, ", end="")
    print(f"{(ahead - behind) / (2 * spacing):.8f} m/rad by differences")
    several = jax.vmap(lateral_displacement)(jnp.outer(jnp.array([0.5, 1.0, 2.0]), angles))
    print("with half, one and two times the angle:", ", ".join(f"{y:.4f} m" for y in several))
