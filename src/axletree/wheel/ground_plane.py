"""The plane that a wheel meets on curved ground.

A tyre touches the ground where both have one normal. With r(n) the point of the undeformed
tyre whose outward normal is -n, C the wheel's centre and S(x, y) the ground, whose normal is
n(x, y) along (-dz/dx, -dz/dy, 1), the place x, y is where E = C + r(n) - S has no part along
the ground:

    E_x + dz/dx E_z = 0,    E_y + dz/dy E_z = 0

Newton's method solves this in a fixed number of steps, from the place that is right on flat
ground. The plane through S with the normal n then is to the tyre what a planar road is. While
the ground is less curved than the tyre there is one such place. Everything is resolved in the
road's axes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from axletree.components.contract import RelativeMotion
from axletree.expr import ZERO, Expr, Vector, as_expr, jacobian, maximum, minimum, outline, sqrt
from axletree.ground.surfaces import Flat, Surface
from axletree.wheel.bound_law import Placeholders
from axletree.wheel.contact_geometry import ContactGeometry, Lean, WheelOnPlane

UP = Vector((0.0, 0.0, 1.0))
LEAST_DETERMINANT = (
    0.05  # of Newton's matrix, which is 1 on flat ground and 0 where it fits the tyre
)


@dataclass(frozen=True)
class GroundPoint:
    """A place on the ground, road axes."""

    x: Expr  # [m]
    y: Expr  # [m]
    z: Expr  # [m]
    normal: Vector


ORIGIN = GroundPoint(ZERO, ZERO, ZERO, UP)  # of flat ground


def wheel_on_plane(
    motion: RelativeMotion, place: GroundPoint, axis: Vector, rate: Expr, unloaded_radius: Expr
) -> WheelOnPlane:
    """On the plane through a place, from the motion of the carrier in the road."""
    above = motion.displacement - Vector((place.x, place.y, place.z))
    normal = motion.R_tail_head.T @ place.normal  # Morency 2007, eq. (3.1)
    moves = motion.velocity_head, motion.angular_velocity_head
    return WheelOnPlane(normal, above.dot(place.normal), *moves, axis, rate, unloaded_radius)


@dataclass(frozen=True)
class GroundUnderWheel:
    """A surface under a tyre, and the parameters of both by name."""

    surface: Surface
    surface_numbers: Mapping[str, Expr]
    contact: ContactGeometry
    contact_numbers: Mapping[str, Expr]
    unloaded_radius: Expr  # [m]
    steps: int

    def under(self, motion: RelativeMotion, axis: Vector) -> GroundPoint:
        """Where the wheel meets the ground, from the motion of its carrier in the road."""
        centre, u = motion.displacement, motion.R_tail_head @ axis
        start = centre + self._lowest(UP, u)
        x, y = start[0], start[1]
        if isinstance(self.surface, Flat):
            return GroundPoint(x, y, ZERO, UP)
        for _ in range(self.steps):
            x, y = self._step(x, y, centre, u)
        return self._place(x, y)

    def friction(self, place: GroundPoint) -> Any:
        """The factor on friction [1]."""
        return self.surface.friction(place.x, place.y, self.surface_numbers)

    def _place(self, x: Expr, y: Expr) -> GroundPoint:
        z = as_expr(self.surface.height(x, y, self.surface_numbers))
        along, across = (as_expr(s) for s in self.surface.slopes(x, y, self.surface_numbers))
        steep = Vector((-along, -across, 1.0))
        return GroundPoint(x, y, z, steep * (1.0 / sqrt(steep.dot(steep))))

    def _lowest(self, n: Vector, u: Vector) -> Vector:
        """r(n) of a tyre whose axis is u."""
        sine = u.dot(n)
        forward = u.cross(n)
        cosine = sqrt(forward.dot(forward))
        lean = Lean(sine, cosine, 1.0 / cosine)
        section = self.contact.shape(self.contact_numbers)
        reach = section.reach(self.unloaded_radius, lean)
        q = (n - u * sine) * lean.secant
        return n * reach.lift - q * reach.ring - u * reach.aside

    def _step(self, x: Expr, y: Expr, centre: Vector, u: Vector) -> tuple[Expr, Expr]:
        """One of Newton's steps, as a call: all steps of all tyres are calls of one function."""
        own = Placeholders("contact_step")
        apart = replace(
            self,
            surface_numbers=own.of_all("surface", self.surface_numbers),
            contact_numbers=own.of_all("contact", self.contact_numbers),
            unloaded_radius=own.of("radius", self.unloaded_radius),
        )
        early = list(own.given)
        at = own.variable("x", x), own.variable("y", y)
        wheel = [
            Vector(own.of(f"{word}.{axis}", e) for axis, e in zip("xyz", vector, strict=True))
            for word, vector in (("centre", centre), ("axis", u))
        ]
        found = apart._formula(at[0], at[1], wheel[0], wheel[1])
        answer = outline(own.name, dict(zip("xy", found, strict=True)), own.given, early)
        return answer["x"], answer["y"]

    def _formula(self, x: Expr, y: Expr, centre: Vector, u: Vector) -> Sequence[Expr]:
        """The next place."""
        place = self._place(x, y)
        across = centre + self._lowest(place.normal, u) - Vector((x, y, place.z))
        along, aside = (as_expr(s) for s in self.surface.slopes(x, y, self.surface_numbers))
        wrong = [across[0] + along * across[2], across[1] + aside * across[2]]
        entries = jacobian(wrong, [x, y])
        a, b, c, d = (-entries.get(key, ZERO) for key in ((0, 0), (0, 1), (1, 0), (1, 1)))
        inverse = 1.0 / maximum(a * d - b * c, LEAST_DETERMINANT)
        steps = (d * wrong[0] - b * wrong[1]) * inverse, (a * wrong[1] - c * wrong[0]) * inverse
        # No further than the tyre reaches, where the ground is too curved for one place.
        reach = self.unloaded_radius
        return [
            old + maximum(minimum(step, reach), -reach)
            for old, step in zip((x, y), steps, strict=True)
        ]
