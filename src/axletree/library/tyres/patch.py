"""The contact of a wheel with a plane. Equation numbers are those of Morency 2007.

Everything is resolved in the carrier's axes, which do not spin with the wheel. In them the
wheel's axis is fixed, so that the ISO axes follow from the road's normal alone. Four
identities keep them and the velocities of the contact point short; u is the wheel's axis,
n the road's normal, n' its part in the wheel plane, r_P the contact point from the wheel's
centre, R_l the loaded radius:

    u_y = cos(gamma) u - tan(gamma) n'
    (w x r_P) . u_x = -R_l (w . u)
    (w x r_P) . u_y = R_l cos(gamma) (w . u_x)
    w . u - Omega = tan(gamma) / cos(gamma) (w . n')

``cross_section`` has the place of the contact point for every shape.
"""

from __future__ import annotations

from dataclasses import dataclass

from axletree.core.expr import Expr, asin, maximum, sqrt
from axletree.core.vectors import NULL, Vector
from axletree.library.tyres.cross_section import CrossSection, Lean, Reach

SLOWEST_TURN = 0.5  # m/s


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
    def inclination(self) -> Expr:
        """gamma [rad] (3.5)."""
        angle: Expr = asin(self.sin_inclination)
        return angle

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

    def turn_slip(self, forward_speed: Expr) -> Expr:
        """phi_t [1/m], the yaw rate over the speed of the contact point (Pacejka 2012, eq. 4.75).

        With z up it is positive to the left. Below SLOWEST_TURN the speed counts as that, so
        that a wheel which turns on the spot has a finite one.
        """
        squared = forward_speed * forward_speed + self.lateral_speed * self.lateral_speed
        curvature: Expr = self.yaw_rate / sqrt(maximum(squared, SLOWEST_TURN * SLOWEST_TURN))
        return curvature


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
