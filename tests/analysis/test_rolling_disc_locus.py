"""Eigenvalues of a rolling disc by hand, along its speed, through the one where it falls."""

from __future__ import annotations

import numpy as np
import pytest
import sympy

from axletree.language import (
    Assembly,
    Body,
    Constraint,
    World,
    inertia,
    parameters,
    rotation_x,
    rotation_y,
    rotation_z,
    state_space,
    translation,
    variables,
)


def test_an_upright_disc_falls_below_its_speed() -> None:
    """lambda^2 = 4/5 (g/R - 3 theta'^2) of a thin disc (Neimark and Fufaev 1972, chapter 2)."""
    x, y, z, psi, phi, theta = coordinates = variables("x y z psi phi theta")
    m, R, g = parameters("m R g")
    world = World(gravity=(0, 0, -g))
    lean = world.base.moved("lean", translation(x, y, z), rotation_z(psi), rotation_x(phi))
    tensor = inertia(m * R**2 / 4, m * R**2 / 2, m * R**2 / 4)
    disc = Body("disc", lean.moved("disc", rotation_y(theta)), m, tensor)
    slip = disc.centre.velocity() + disc.frame.angular_velocity().cross(lean.vector(z=-R))
    rows = [*slip.xyz[:2], z - R * sympy.cos(phi)]
    contact = Constraint("contact", world, rows, variables("F_x F_y F_z"))
    equations = Assembly("disc", [disc], [], [contact]).lagrange(coordinates)
    values = {m: 2.0, R: 0.3, g: 9.81}
    system = state_space(
        "disc", equations, coordinates, (), values, constraints=[contact], start={z: 0.3}
    ).system()
    speeds = np.linspace(2.0, 5.0, 5)  # falls below 3.30 rad/s
    locus = system.root_locus("V_theta", speeds, {"phi": 0.0, "V_psi": 0.0})
    for speed, roots in zip(speeds, locus.eigenvalues, strict=True):
        root = np.sqrt(complex(0.8 * (9.81 / 0.3 - 3.0 * speed**2)))
        for sign in (1.0, -1.0):
            assert np.abs(roots - sign * root).min() < 1e-9
    assert list(locus.is_stable) == [False, False, True, True, True]
    (critical,) = locus.critical
    assert critical.value == pytest.approx(np.sqrt(9.81 / 0.3 / 3.0), rel=1e-9)
    assert not critical.unstable_above
    assert critical.leaves_axis
    assert critical.in_words.startswith("the frequency of an undamped oscillation falls to zero")
