"""Mass of links: combined inertia, inertial loads, kinetic energy and momenta."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from axletree.components.contract import Inertia
from axletree.equations.kinematics import Accelerations, Kinematics, centripetal
from axletree.equations.links import LinkFrame, Links
from axletree.equations.loads import LinkLoads
from axletree.expr import Expr
from axletree.expr.expression import ZERO
from axletree.expr.vectors import (
    IDENTITY,
    NULL,
    NULL_MATRIX,
    Matrix,
    Vector,
    outer,
    rotated_symmetric,
)


@dataclass(frozen=True)
class LinkInertia:
    """Mass, first moment and tensor about the link's origin, link axes."""

    mass: Expr  # [kg]
    moment: Vector  # [kg m], mass times the centre's position
    tensor: Matrix  # [kg m^2]

    def __add__(self, other: LinkInertia) -> LinkInertia:
        return LinkInertia(
            self.mass + other.mass, self.moment + other.moment, self.tensor + other.tensor
        )


NO_INERTIA = LinkInertia(ZERO, NULL, NULL_MATRIX)


def link_inertias(links: Links, inertias: Sequence[Inertia]) -> tuple[LinkInertia, ...]:
    """The inertia of every link, from all the masses fixed to it."""
    total = [NO_INERTIA] * links.count
    for inertia in inertias:
        place = links.places[inertia.frame.name]
        if place.link:
            total[place.link] = total[place.link] + _on_link(inertia, place)
    return tuple(total)


def _on_link(inertia: Inertia, place: LinkFrame) -> LinkInertia:
    centre = place.r_LF_L + place.R_LF @ inertia.centre
    steiner = (IDENTITY.scaled(centre.dot(centre)) - outer(centre, centre)).scaled(inertia.mass)
    tensor = rotated_symmetric(place.R_LF, inertia.tensor) + steiner
    return LinkInertia(inertia.mass, centre * inertia.mass, tensor)


def inertial_loads(
    k: Kinematics, inertias: Sequence[LinkInertia], a: Accelerations, *, with_bias: bool
) -> LinkLoads:
    """d'Alembert loads at the origins: minus the rates of momentum.

    Morency 2007, table 4.1, edges T1 and R1.
    """
    loads = LinkLoads.none(k)
    for link, body in enumerate(inertias):
        if body is NO_INERTIA:
            continue
        angular, linear, w = a.angular[link], a.linear[link], k.angular_velocity[link]
        swept = angular.cross(body.moment)
        moment = body.tensor @ angular + body.moment.cross(k.to_own(link, linear))
        if with_bias:
            # The centre of a spinning body is on its axis: only the turning of the axes moves it.
            w_axes = k.axes_velocity(link)
            swept = swept + centripetal(w_axes, body.moment)
            moment = moment + inertia_moment(w_axes, w, body.tensor)
        force = linear * body.mass + k.to_linear(link, swept)
        loads.forces[link], loads.moments[link] = -force, -moment
    return loads


def inertia_moment(w_axes: Vector, w: Vector, tensor: Matrix) -> Vector:
    """w_axes x (J w): the rate of the angular momentum that the turning of the axes brings."""
    if w_axes != w:
        return _gyroscopic_of_spin(w_axes, w - w_axes, tensor)
    found = []
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        # By products of w, which all links that turn together share.
        skewed = (w[j] * w[j] - w[k] * w[k]) * tensor[j][k]
        mixed = (w[i] * w[j]) * tensor[i][k] - (w[i] * w[k]) * tensor[i][j]
        found.append((w[j] * w[k]) * (tensor[k][k] - tensor[j][j]) + skewed + mixed)
    return Vector(found)


def _gyroscopic_of_spin(w: Vector, spin: Vector, tensor: Matrix) -> Vector:
    """w x (J (w + spin)) of a body of revolution that spins about its axis in the axes w."""
    axis = next(i for i, rate in enumerate(spin) if not rate.is_zero)
    j, k = (axis + 1) % 3, (axis + 2) % 3
    axial, transverse = tensor[axis][axis], tensor[j][j]
    surplus = w[axis] * (axial - transverse) + spin[axis] * axial
    found = [ZERO, ZERO, ZERO]
    found[j], found[k] = w[k] * surplus, -(w[j] * surplus)
    return Vector(found)


def kinetic_energy(k: Kinematics, inertias: Sequence[LinkInertia]) -> Expr:
    """Of the whole model, seen from the ground [J]."""
    total = ZERO
    for link, body in enumerate(inertias):
        if body is not NO_INERTIA:
            v, w = k.velocity[link], k.angular_velocity[link]
            swept = k.to_linear(link, w.cross(body.moment))
            spin = w.dot(body.tensor @ w) * 0.5 + v.dot(swept)
            total = total + v.dot(v) * body.mass * 0.5 + spin
    return total


def momentum_of(k: Kinematics, inertias: Sequence[LinkInertia], link: int) -> tuple[Vector, Vector]:
    """Linear momentum and angular momentum about the link's origin, link axes."""
    body, w = inertias[link], k.angular_velocity[link]
    v = k.to_own(link, k.velocity[link])
    return v * body.mass + w.cross(body.moment), body.tensor @ w + body.moment.cross(v)
