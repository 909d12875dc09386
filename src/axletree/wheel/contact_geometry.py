"""The contact of a wheel with a plane: patch, cross-sections, and shapes of tyres.

Disc, toroid, and a tyre with a tread and edges (Andres 2009, section 3.6.4).
"""

from __future__ import annotations

import enum
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.contract import RangeLimit
from axletree.components.fields import Parameters, Part, chosen, parameter, positive
from axletree.expr import NULL, ZERO, Expr, Value, Vector, absolute, asin, maximum, minimum, sqrt

# The contact of a wheel with a plane. Equation numbers are those of Morency 2007.
#
# Everything is resolved in the carrier's axes, which do not spin with the wheel. In them the
# wheel's axis is fixed, so that the ISO axes follow from the road's normal alone. Four
# identities keep them and the velocities of the contact point short; u is the wheel's axis,
# n the road's normal, n' its part in the wheel plane, r_P the contact point from the wheel's
# centre, R_l the loaded radius:
#
#     u_y = cos(gamma) u - tan(gamma) n'
#     (w x r_P) . u_x = -R_l (w . u)
#     (w x r_P) . u_y = R_l cos(gamma) (w . u_x)
#     w . u - Omega = tan(gamma) / cos(gamma) (w . n')
#
# ``cross_section`` has the place of the contact point for every shape.

SLOWEST_TURN = 0.5  # m/s
_GREATEST_LEAN = math.radians(85.0)  # of a wheel that stands on its lowest point


@dataclass(frozen=True)
class WheelOnPlane:
    """A wheel above a plane of the road; vectors in carrier components."""

    normal: Vector
    height: Expr  # [m], of the wheel's centre above the plane
    velocity: Vector  # [m/s], of the centre in the road
    angular_velocity: Vector  # [rad/s], of the carrier in the road
    axis: Vector  # of the wheel, to the left
    rate: Expr  # [rad/s], of the axle
    unloaded_radius: Expr  # [m]
    gravity: Vector = NULL  # [m/s^2], where parts with mass of their own feel it


@dataclass(frozen=True)
class Patch:
    """Where a tyre meets the road and how it moves there; vectors in carrier components."""

    wheel: WheelOnPlane
    section: CrossSection
    lean: Lean
    x_C: Vector  # ISO axes: forward,
    y_C: Vector  # left,
    n_C: Vector  # up, the road's normal
    height: Expr  # [m], of the wheel's centre above the road
    loaded_radius: Expr  # R_l [m], of the deflected tyre: the unloaded less the deflection
    climb: Expr  # [m/s], of the centre along the normal
    centre_speed: Expr  # V_Cx [m/s] (3.6)
    lateral_speed: Expr  # V_Py [m/s], of the contact point
    turning: Expr  # w . u [rad/s], the spin of the wheel and what its carrier adds
    swivelling: Expr  # w . u - Omega [rad/s], what of it is not spin
    upright_rate: Expr  # w . q [rad/s], about the direction in the wheel plane that goes up
    lean_rate: Expr  # w . u_x [rad/s], at which the inclination grows
    yaw_rate: Expr  # [rad/s], at which the forward direction turns about the normal

    def lean_limit(self, *, is_harmless: bool = False) -> RangeLimit:
        """Of a wheel that stands on its lowest point."""
        return RangeLimit(
            absolute(self.sin_inclination) - math.sin(_GREATEST_LEAN),
            f"the wheel leans by more than {math.degrees(_GREATEST_LEAN):.0f} degrees, and one "
            "that lies flat has no lowest point on the road; stop the run before it falls",
            is_harmless=is_harmless,
        )

    @property
    def sin_inclination(self) -> Expr:
        return self.lean.sine

    @property
    def cos_inclination(self) -> Expr:
        return self.lean.cosine

    @property
    def up_C(self) -> Vector:
        """q, the direction in the wheel plane that goes up."""
        return (self.n_C - self.wheel.axis * self.lean.sine) * self.lean.secant

    @property
    def gravity_along(self) -> tuple[Expr, Expr]:
        """Gravity [m/s^2] along the plane, forward and to the left."""
        return self.wheel.gravity.dot(self.x_C), self.wheel.gravity.dot(self.y_C)

    @property
    def yawing(self) -> Vector:
        """What a moment along the yaw is to the carrier: w . yawing is the yaw rate."""
        return self.up_C * self.lean.secant

    @property
    def spinning(self) -> Vector:
        """The same for Omega, beside the rate of the axle."""
        return self.wheel.axis - self.up_C * (self.lean.sine * self.lean.secant)

    @property
    def spin_rate(self) -> Expr:
        """Omega [rad/s] (3.11)."""
        return self.turning - self.swivelling

    @property
    def bore_rate(self) -> Expr:
        """[rad/s], of the wheel about the normal: its yaw, and what of a leaning one's spin is."""
        return self.yaw_rate + self.sin_inclination * self.spin_rate

    @property
    def inclination(self) -> Value:
        """gamma [rad] (3.5)."""
        return asin(self.sin_inclination)

    @property
    def deflection(self) -> Expr:
        """[m], negative in the air."""
        return self.wheel.unloaded_radius - self.loaded_radius

    @property
    def deflection_rate(self) -> Expr:
        """[m/s]; a ring that comes nearer to the centre goes by the centre's climb alone."""
        if not self.section.moves_with_lean:
            return -self.climb
        return -(self.climb + self.offset * self.lean_rate)

    @property
    def offset(self) -> Expr:
        """[m], of the contact point to the left of the centre."""
        return self.reach(self.loaded_radius).left(self.lean)

    def reach(self, radius: Expr) -> Reach:
        """The contact point of a tyre deflected to this radius [m]."""
        return self.section.reach(radius, self.lean)

    def sliding_speed(self, radius: Expr) -> Expr:
        """V_Ex [m/s] of the wheel's point at this radius of the crown (3.18)."""
        r = self.reach(radius)
        of_ring = r.ring * self.turning - r.aside * self.upright_rate
        of_lift = r.lift * (self.spin_rate * self.cos_inclination)
        return self.centre_speed - of_ring + of_lift

    def rolling_speed(self, radius: Expr) -> Expr:
        """V*_Ex [m/s] of that point on the geometric wheel, which does not spin (3.19)."""
        r = self.reach(radius)
        return self.centre_speed - r.ring * self.swivelling + r.aside * self.upright_rate

    def turn_slip(self, forward_speed: Expr) -> Value:
        """phi_t [1/m], the yaw rate over the speed of the contact point (Pacejka 2012, eq. 4.75).

        With z up it is positive to the left. Below SLOWEST_TURN the speed counts as that, so
        that a wheel which turns on the spot has a finite one.
        """
        squared = forward_speed * forward_speed + self.lateral_speed * self.lateral_speed
        return self.yaw_rate / sqrt(maximum(squared, SLOWEST_TURN * SLOWEST_TURN))


def find_patch(wheel: WheelOnPlane, section: CrossSection) -> Patch:
    """Where a wheel of this cross-section meets the plane."""
    n, axis, v, w = wheel.normal, wheel.axis, wheel.velocity, wheel.angular_velocity
    sine = axis.dot(n)
    # |u x n|, not sqrt(1 - sin^2): exact, and never the root of a negative number.
    forward = axis.cross(n)
    cosine = sqrt(forward.dot(forward))
    secant = 1.0 / cosine
    x = forward * secant  # (3.2)
    tangent = sine * secant
    in_plane = n - axis * sine
    y = axis * cosine - in_plane * tangent  # (3.3)
    lean = Lean(sine, cosine, secant)
    return Patch(
        wheel=wheel,
        section=section,
        lean=lean,
        x_C=x,
        y_C=y,
        n_C=n,
        height=wheel.height,
        loaded_radius=section.loaded_radius(wheel.height, lean),
        climb=v.dot(n),
        centre_speed=v.dot(x),
        lateral_speed=v.dot(y) + wheel.height * w.dot(x),
        turning=w.dot(axis) + wheel.rate,
        swivelling=w.dot(in_plane) * (tangent * secant),
        upright_rate=w.dot(in_plane) * secant,
        lean_rate=w.dot(x),
        yaw_rate=w.dot(in_plane) * (secant * secant),
    )


# The cross-section of a tyre: where it touches a plane that it leans on.
#
# From the wheel's centre the contact point is
#
#     r_P = -ring q - aside u + lift n
#
# with u the wheel's axis, n the plane's normal and q the direction in the wheel plane that goes
# up; n = cos(gamma) q + sin(gamma) u. A tyre of radius R has a crown that is an arc of radius
# r_c about a ring of radius R - r_c. On a plane it rests on the point of the arc whose outward
# normal is -n, or on the edge of the tread where the arc does not reach so far:
#
#     beta = gamma, kept within +-asin(half width / r_c)
#     r_P = -(R - r_c + r_c cos(beta)) q - r_c sin(beta) u


@dataclass(frozen=True)
class Lean:
    """The inclination gamma of a wheel to a plane's normal."""

    sine: Expr
    cosine: Expr
    secant: Expr


@dataclass(frozen=True)
class Reach:
    """The contact point from the wheel's centre [m], see above."""

    ring: Expr
    aside: Expr
    lift: Expr

    def left(self, lean: Lean) -> Expr:
        """How far it lies to the left of the centre [m], in the plane."""
        return self.ring * lean.sine - self.aside * lean.cosine

    def below(self, lean: Lean) -> Expr:
        """How far it lies below the centre [m], along the normal."""
        return self.ring * lean.cosine + self.aside * lean.sine - self.lift


class CrossSection(ABC):
    """A cross-section, and how it is deflected."""

    moves_with_lean = False  # whether the deflection's rate takes a lean that changes into account

    @abstractmethod
    def loaded_radius(self, height: Expr, lean: Lean) -> Expr:
        """R_l [m], the unloaded radius less the deflection, at a height of the centre [m]."""

    @abstractmethod
    def reach(self, radius: Expr, lean: Lean) -> Reach:
        """The contact point of a tyre deflected to this radius [m]."""


@dataclass(frozen=True)
class RoundSection(CrossSection):
    """A whole circle, or a point: a torus or a disc. The ring comes nearer to the centre."""

    crown: Expr = ZERO  # r_c [m]

    def loaded_radius(self, height: Expr, lean: Lean) -> Expr:
        return (height - self.crown) * lean.secant + self.crown

    def reach(self, radius: Expr, lean: Lean) -> Reach:
        return Reach(radius - self.crown, ZERO, -self.crown)


@dataclass(frozen=True)
class EdgedSection(CrossSection):
    """An arc that ends at the edges of the tread. The ring comes nearer to the centre."""

    crown: Expr  # r_c [m]
    edge: Expr  # sine of the inclination from which on it stands on an edge

    def loaded_radius(self, height: Expr, lean: Lean) -> Expr:
        sine, cosine = self._touching(lean)
        below = self.crown * (cosine * lean.cosine + sine * lean.sine)
        return (height - below) * lean.secant + self.crown

    def reach(self, radius: Expr, lean: Lean) -> Reach:
        sine, cosine = self._touching(lean)
        return Reach(radius - self.crown + self.crown * cosine, self.crown * sine, ZERO)

    def _touching(self, lean: Lean) -> tuple[Expr, Expr]:
        """Sine and cosine of beta."""
        sine = maximum(minimum(lean.sine, self.edge), -self.edge)
        return sine, sqrt(1.0 - sine * sine)


@dataclass(frozen=True)
class PressedSection(CrossSection):
    """A cross-section that keeps its shape and is pressed into the plane, along the normal."""

    shape: CrossSection
    unloaded: Expr  # R [m]

    moves_with_lean = True

    def loaded_radius(self, height: Expr, lean: Lean) -> Expr:
        return self.unloaded - (self.shape.reach(self.unloaded, lean).below(lean) - height)

    def reach(self, radius: Expr, lean: Lean) -> Reach:
        free = self.shape.reach(self.unloaded, lean)
        return Reach(free.ring, free.aside, free.lift + (self.unloaded - radius))


LEAST_AREA = 1e-12  # m^2, of length times length: the root of 0 has no slope


class Deflection(enum.Enum):
    """In which direction a tyre is deflected."""

    WHEEL_PLANE = "wheel-plane"  # towards the wheel's centre, as in Morency 2007
    NORMAL = "normal"  # along the road's normal, as in Andres 2009: conservative as it leans


@dataclass(frozen=True, kw_only=True)
class ContactGeometry(Part, ABC):
    """A shape of the tyre."""

    deflects: Deflection = chosen(
        Deflection.WHEEL_PLANE, "direction in which the tyre is deflected"
    )

    @abstractmethod
    def shape(self, p: Any) -> CrossSection:
        """The cross-section, from parameters by name; deflected in the wheel plane.

        Example:
        >>> import axletree as at
        >>> at.Toroid(crown_radius=0.06).shape({"crown_radius": 0.05})  # m
        RoundSection(crown=0.05)
        """

    @abstractmethod
    def size(self, deflection: Expr, unloaded_radius: Expr, p: Any) -> tuple[Expr, Expr]:
        """Length and width of the patch [m], from the deflection and the radius [m].

        Example:
        >>> import axletree as at
        >>> from axletree.expr import symbol
        >>> print(at.PlanarDisc().size(symbol("rho"), symbol("R"), {})[0])
        sqrt(max(8*R*rho, 1e-12))
        """

    def drawn_width(self, unloaded_radius: float, p: Parameters) -> float | None:
        """The width of the tyre [m] in a drawing, of a shape that has one; radius [m].

        Example:
        >>> import axletree as at
        >>> torus = at.Toroid(crown_radius="60 mm")
        >>> torus.drawn_width(0.3, torus.numbers), at.PlanarDisc().drawn_width(0.3, {})
        (0.12, None)
        """
        return None

    def radius_problems(self, unloaded_radius: float) -> list[str]:
        """What does not go with a tyre of this radius [m].

        Example:
        >>> import axletree as at
        >>> at.Toroid(crown_radius=0.3).radius_problems(0.25)
        ['the crown_radius of the contact must be less than the unloaded_radius']
        """
        return []

    def _section(self, unloaded_radius: Expr, p: Any) -> CrossSection:
        """The cross-section of a tyre of this radius [m]."""
        shape = self.shape(p)
        pressed = self.deflects is Deflection.NORMAL
        return PressedSection(shape, unloaded_radius) if pressed else shape

    def patch(self, wheel: WheelOnPlane, p: Any) -> Patch:
        """From a wheel on a plane and parameters by name.

        Example:
        >>> import axletree as at
        >>> from axletree.expr.vectors import IDENTITY, NULL
        >>> from axletree.wheel.contact_geometry import WheelOnPlane
        >>> x, y, z = IDENTITY  # forward, left, up
        >>> wheel = WheelOnPlane(z, 0.25, x * 20.0, NULL, y, 60.0, 0.3125)  # m, m/s, rad/s, m
        >>> patch = at.PlanarDisc().patch(wheel, {})
        >>> print(patch.deflection, patch.sliding_speed(0.25))  # m, m/s: 20 - 60 * 0.25
        0.0625 5
        """
        return find_patch(wheel, self._section(wheel.unloaded_radius, p))


@dataclass(frozen=True)
class PlanarDisc(ContactGeometry):
    """A thin disc, as in Morency 2007, section 3.5. Its patch is a line (Andres 2009, eq. 3.65).

    Example:
    >>> import axletree as at
    >>> length, width = at.PlanarDisc().size(0.02, 0.3, {})  # deflection, radius [m]
    >>> print(f"{float(length):.4f} m")  # 2 sqrt(2 * 0.3 * 0.02)
    0.2191 m
    """

    summary: ClassVar[str] = "a thin disc"

    def shape(self, p: Any) -> CrossSection:
        return RoundSection()

    def size(self, deflection: Expr, unloaded_radius: Expr, p: Any) -> tuple[Expr, Expr]:
        return chord(unloaded_radius, deflection), ZERO


@dataclass(frozen=True)
class Toroid(ContactGeometry):
    """A torus, as Blundell and Harty 2004 have it: the contact moves over the crown with the lean.

    The unloaded radius is that of the crown's top. A leaning wheel is higher than a disc
    by (1 - cos(gamma)) r_c and rolls on a circle that is smaller by as much. The patch is that
    of Andres 2009, eqs. (3.70, 3.71), its width the chord of the crown and not of the wheel.

    Example:
    >>> import axletree as at
    >>> torus = at.Toroid(crown_radius="60 mm")
    >>> length, width = torus.size(0.01, 0.3, torus.numbers)  # deflection, radius [m]
    >>> print(f"{float(length):.4f} m, {float(width):.4f} m")
    0.1549 m, 0.0693 m
    """

    summary: ClassVar[str] = "a torus: the contact point moves over the crown as the wheel leans"

    crown_radius: float = parameter("m", "radius of the tyre's cross-section, r_c", lower=0.0)

    def drawn_width(self, unloaded_radius: float, p: Parameters) -> float | None:
        return max(2.0 * float(p["crown_radius"]), 0.1 * unloaded_radius)

    def shape(self, p: Any) -> CrossSection:
        return RoundSection(p["crown_radius"])

    def size(self, deflection: Expr, unloaded_radius: Expr, p: Any) -> tuple[Expr, Expr]:
        crown = p["crown_radius"]
        width: Expr = minimum(chord(crown, deflection), 2.0 * crown)
        return chord(unloaded_radius, deflection), width

    def radius_problems(self, unloaded_radius: float) -> list[str]:
        if self.crown_radius < unloaded_radius:
            return []
        return ["the crown_radius of the contact must be less than the unloaded_radius"]


def chord(radius: Expr, depth: Expr) -> Value:
    """Of a circle pressed in by a small depth [m]; almost nothing in the air."""
    return sqrt(maximum(8.0 * radius * depth, LEAST_AREA))


@dataclass(frozen=True, kw_only=True)
class Belted(ContactGeometry):
    """A tread that is an arc across, between two edges that the tyre stands on in a large lean.

    The unloaded radius is that of the crown's top, d + r in (3.82); the edges have the radius
    rRim + height = d + sqrt(r^2 - width^2 / 4). From the inclination asin(width / (2 r)) on the
    tyre stands on an edge (3.73, 3.83), and the contact point passes there without a jump.
    Length and width of the patch are the chords of wheel and tread. As printed, (3.78) and
    (3.79) take another radius and no bound that a tread has.

    Example:
    >>> import axletree as at
    >>> tread = at.Belted(crown_radius="0.3 m", width="0.2 m")
    >>> length, width = tread.size(0.02, 0.3, tread.numbers)  # deflection, radius [m]
    >>> print(f"{float(length):.4f} m, {float(width):.4f} m")
    0.2191 m, 0.2000 m
    """

    summary: ClassVar[str] = "a tread that is an arc across, and edges beside it"

    crown_radius: float = positive("m", "radius of the tread across, r")
    width: float = positive("m", "width of the tread")
    deflects: Deflection = chosen(Deflection.NORMAL, "direction in which the tyre is deflected")

    def problems(self) -> list[str]:
        if self.width <= 2.0 * self.crown_radius:
            return []
        return ["the width of the tread must not exceed twice its crown_radius"]

    def radius_problems(self, unloaded_radius: float) -> list[str]:
        half = 0.5 * self.width
        drop = self.crown_radius - math.sqrt(self.crown_radius**2 - half**2)
        if drop < unloaded_radius:
            return []
        return [
            f"the edges of the tread lie {drop:g} m below its crown, no less than the "
            "unloaded_radius; take a larger crown_radius or a smaller width"
        ]

    def drawn_width(self, unloaded_radius: float, p: Parameters) -> float | None:
        return float(p["width"])

    def shape(self, p: Any) -> CrossSection:
        return EdgedSection(p["crown_radius"], 0.5 * p["width"] / p["crown_radius"])

    def size(self, deflection: Expr, unloaded_radius: Expr, p: Any) -> tuple[Expr, Expr]:
        width: Expr = minimum(chord(p["crown_radius"], deflection), p["width"])
        return chord(unloaded_radius, deflection), width
