"""Cyclic coordinates, and the momenta that stay with them."""

from __future__ import annotations

import pytest
import sympy
from oracles.symbolic_equality import same

from axletree.examples.car_and_trailer.mechanics import Mechanics
from axletree.examples.car_and_trailer.mechanics import alpha as hitch_angle
from axletree.language import (
    POINT_MASS,
    Assembly,
    Body,
    Force,
    LanguageError,
    MovingBase,
    Small,
    World,
    cyclic,
    inertia,
    parameters,
    rate,
    rotation_x,
    rotation_z,
    translation,
    variables,
)

x, y, psi, theta, phi, rho, u, v, r = variables("x y psi theta phi rho u v r")
m, n, g, h, A, C, F, k = parameters("m n g h A C F k")


def top() -> Assembly:
    world = World(gravity=(0, 0, -g))
    frame = world.base.moved("top", rotation_z(psi), rotation_x(theta), rotation_z(phi))
    return Assembly("top", [Body("top", frame.moved("c", translation(z=h)), m, inertia(A, A, C))])


def test_a_top_does_not_see_precession_and_spin() -> None:
    """Goldstein 2002, eqs. (5.53), (5.54): the momenta about the vertical and about the axis."""
    angles = [psi, theta, phi]
    spinning = top()
    equations = spinning.lagrange(angles)
    assert cyclic(equations, angles) == (psi, phi)
    momenta = spinning.conserved_momenta(angles)
    assert list(momenta) == [psi, phi]
    spin = rate(phi) + rate(psi) * sympy.cos(theta)
    assert same(momenta[phi], C * spin)
    about_vertical = (A + m * h**2) * sympy.sin(theta) ** 2 * rate(psi)
    assert same(momenta[psi], about_vertical + C * spin * sympy.cos(theta))
    K = spinning.angular_momentum(spinning.world.base.origin)
    assert same(momenta[psi], K.xyz[2])
    for q, equation in zip(angles, equations, strict=True):
        if q in momenta:
            assert same(rate(momenta[q]), equation.left)
            assert equation.right == 0


def test_a_central_force_keeps_the_angular_momentum() -> None:
    world = World()
    frame = world.base.moved("planet", rotation_z(psi), translation(rho))
    planet = Body("planet", frame, m, POINT_MASS)
    pull = Force("pull", frame.vector(-k / rho**2), planet.centre, planet)
    assembly = Assembly("planet", [planet], [pull])
    assert assembly.conserved_momenta([rho, psi]) == {psi: m * rho**2 * rate(psi)}
    dragged = Assembly("planet", [planet], [pull, Force("drag", frame.vector(y=F), planet.centre,
                                                        planet)])  # fmt: skip
    assert cyclic(dragged.lagrange([rho, psi]), [rho, psi]) == (psi,)
    assert dragged.conserved_momenta([rho, psi]) == {}


def test_a_momentum_that_nothing_acts_on_may_change_all_the_same() -> None:
    """A free point in polar coordinates: rho' changes, since T depends on rho."""
    frame = World().base.moved("stone", rotation_z(psi), translation(rho))
    stone = Assembly("stone", [Body("stone", frame, m, POINT_MASS)])
    assert stone.generalised_force(rho) == 0
    assert list(stone.conserved_momenta([rho, psi])) == [psi]


def test_a_car_does_not_see_its_place_in_the_ground() -> None:
    """The yaw angle matters to its path alone, and where it is to nothing."""
    moving = MovingBase((u, v, 0), (0, 0, r))
    base = World(moving=moving).base
    car = Body("car", base, m, inertia(0, 0, C))
    push = Force("push", base.vector(F, -k * theta), base.point(h), car)
    assembly = Assembly("car", [car], [push])
    equations = (*assembly.newton(), *assembly.euler(base.origin))
    assert cyclic(equations, [x, y, psi, theta]) == (x, y, psi)
    path = moving.path(translation(x, y) * rotation_z(psi))
    assert cyclic((*equations, *path), [x, y, psi, theta]) == (x, y)
    assert cyclic([rate(x) - psi], [x, psi]) == (x,)


def test_the_trailers_yaw_matters_to_the_car_with_trailer() -> None:
    m_ = Mechanics()
    equations = (m_.car + m_.trailer).newton()
    assert cyclic(equations, [hitch_angle, x]) == (x,)


def test_speeds_of_a_base_and_small_places_have_no_such_momentum() -> None:
    world = World(moving=MovingBase((u, v, 0), (0, 0, r)))
    body = Assembly("body", [Body("body", world.base, m, inertia(0, 0, C))])
    with pytest.raises(LanguageError, match=r"v\(t\) is a speed of the base"):
        body.conserved_momenta([v])
    world = World(small=Small((theta,)))
    frame = world.base.moved("A", rotation_x(theta))
    with pytest.raises(LanguageError, match=r"in theta lacks terms"):
        Assembly("body", [Body("body", frame, m, inertia(A, A, C))]).conserved_momenta([theta])
