"""Mass of links: combined inertia, inertial loads, kinetic energy and momenta."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from axletree.core.expr import Expr
from axletree.core.expr.expression import ZERO
from axletree.core.vectors import IDENTITY, NULL, NULL_MATRIX, Matrix, Vector, outer, rotated_symmetric
from axletree.formulation.kinematics import Accelerations, Kinematics
from axletree.formulation.links import Links, Place
from axletree.formulation.loads import LinkLoads
from axletree.formulation.steps import centripetal
from axletree.library.contract import Inertia


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


def combine(links: Links, inertias: Sequence[Inertia]) -> tuple[LinkInertia, ...]:
    """The inertia of every link, from all the masses fixed to it."""
    total = [NO_INERTIA] * links.count
    for inertia in inertias:
        place = links.places[inertia.frame.name]
        if place.link:
            total[place.link] = total[place.link] + _on_link(inertia, place)
    return tuple(total)


def _on_link(inertia: Inertia, place: Place) -> LinkInertia:
    centre = place.r_LF_L + place.R_LF @ inertia.centre
    steiner = (IDENTITY.scaled(centre.dot(centre)) - outer(centre, centre)).scaled(inertia.mass)
    tensor = rotated_symmetric(place.R_LF, inertia.tensor) + steiner
    return LinkInertia(inertia.mass, centre * inertia.mass, tensor)


def inertial_loads(
    k: Kinematics, inertias: Sequence[LinkInertia], a: Accelerations, *, with_bias: bool
) -> LinkLoads:
    """d'Alembert loads at the origins: minus the rates of momentum (table 4.1, T1 and R1)."""
    loads = LinkLoads.none(k)
    for link, body in enumerate(inertias):
        if body is NO_INERTIA:
            continue
        angular, linear, w = a.angular[link], a.linear[link], k.angular_velocity[link]
        swept = angular.cross(body.moment)
        moment = body.tensor @ angular + body.moment.cross(k.to_own(link, linear))
        if with_bias:
            swept = swept + centripetal(w, body.moment)
            moment = moment + gyroscopic(w, body.tensor)
        force = linear * body.mass + k.to_linear(link, swept)
        loads.forces[link], loads.moments[link] = -force, -moment
    return loads


def gyroscopic(w: Vector, tensor: Matrix) -> Vector:
    """w x (J w); equal diagonal elements cancel before they are multiplied."""
    wx, wy, wz = w
    if any(not tensor[i][j].is_zero for i in range(3) for j in range(i)):
        return w.cross(tensor @ w)
    xx, yy, zz = tensor[0][0], tensor[1][1], tensor[2][2]
    return Vector(((zz - yy) * (wy * wz), (xx - zz) * (wx * wz), (yy - xx) * (wx * wy)))


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
