"""The contact of a disc or torus with a planar road. Equation numbers are those of Morency 2007.

Everything is resolved in the carrier's axes, which do not spin with the wheel. In them the
wheel's axis is fixed, so that the ISO axes follow from the road's normal alone. Four
identities keep them and the velocities of the contact point short; u is the wheel's axis,
n the road's normal, n' its part in the wheel plane, r_P the contact point from the wheel's
centre, R_l the loaded radius:

    u_y = cos(gamma) u - tan(gamma) n'
    (w x r_P) . u_x = -R_l (w . u)
    (w x r_P) . u_y = R_l cos(gamma) (w . u_x)
    w . u - Omega = tan(gamma) / cos(gamma) (w . n')

A torus is a ring of circles of the crown radius r_c: it touches where the ring is lowest, r_c
under it along n, so that r_P = -(R_l - r_c) n'/|n'| - r_c n. A disc is one without crown.
Both are deflected in the wheel plane: the ring comes nearer to the centre.
"""

from __future__ import annotations

from dataclasses import dataclass

from axletree.core.expr import Expr, asin, maximum, sqrt
from axletree.core.expr.expression import ZERO
from axletree.core.vectors import Vector
from axletree.library.contract import RelativeMotion

SLOWEST_TURN = 0.5  # m/s


@dataclass(frozen=True)
class Patch:
    """Where a tyre meets the road and how it moves there; vectors in carrier components."""

    x_C: Vector  # ISO axes: forward,
    y_C: Vector  # left,
    n_C: Vector  # up, the road's normal
    sin_inclination: Expr
    cos_inclination: Expr
    height: Expr  # [m], of the wheel's centre above the road
    loaded_radius: Expr  # R_l [m], of the deflected tyre: the unloaded less the deflection
    crown_radius: Expr  # r_c [m], of the cross-section; 0 for a disc
    climb: Expr  # [m/s], of the centre along the normal
    centre_speed: Expr  # V_Cx [m/s] (3.6)
    lateral_speed: Expr  # V_Py [m/s], of the contact point
    turning: Expr  # w . u [rad/s], the spin of the wheel and what its carrier adds
    swivelling: Expr  # w . u - Omega [rad/s], what of it is not spin
    yaw_rate: Expr  # [rad/s], at which the forward direction turns about the normal

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
    def offset(self) -> Expr:
        """[m], of the contact point to the left of the centre."""
        return (self.loaded_radius - self.crown_radius) * self.sin_inclination

    def sliding_speed(self, radius: Expr) -> Expr:
        """V_Ex [m/s] of the wheel's point at this radius of the crown (3.18)."""
        of_ring = (radius - self.crown_radius) * self.turning
        of_crown = self.crown_radius * (self.spin_rate * self.cos_inclination)
        return self.centre_speed - of_ring - of_crown

    def rolling_speed(self, radius: Expr) -> Expr:
        """V*_Ex [m/s] of that point on the geometric wheel, which does not spin (3.19)."""
        return self.centre_speed - (radius - self.crown_radius) * self.swivelling

    def turn_slip(self, forward_speed: Expr) -> Expr:
        """phi_t [1/m], the yaw rate over the speed of the contact point (Pacejka 2012, eq. 4.75).

        With z up it is positive to the left. Below SLOWEST_TURN the speed counts as that, so
        that a wheel which turns on the spot has a finite one.
        """
        squared = forward_speed * forward_speed + self.lateral_speed * self.lateral_speed
        curvature: Expr = self.yaw_rate / sqrt(maximum(squared, SLOWEST_TURN * SLOWEST_TURN))
        return curvature


def find_patch(motion: RelativeMotion, axis: Vector, rate: Expr, crown: Expr = ZERO) -> Patch:
    """From the motion of the carrier in the road, the wheel's axis and its rate in the carrier."""
    n = motion.R_tail_head.T.column(2)  # (3.1), the road's z in carrier components
    sine = axis.dot(n)
    # |u x n|, not sqrt(1 - sin^2): exact, and never the root of a negative number.
    forward = axis.cross(n)
    cosine = sqrt(forward.dot(forward))
    secant = 1.0 / cosine
    x = forward * secant  # (3.2)
    tangent = sine * secant
    in_plane = n - axis * sine
    y = axis * cosine - in_plane * tangent  # (3.3)
    w, v = motion.angular_velocity_head, motion.velocity_head
    height = motion.displacement[2]
    return Patch(
        x_C=x,
        y_C=y,
        n_C=n,
        sin_inclination=sine,
        cos_inclination=cosine,
        height=height,
        loaded_radius=(height - crown) * secant + crown,
        crown_radius=crown,
        climb=v.dot(n),
        centre_speed=v.dot(x),
        lateral_speed=v.dot(y) + height * w.dot(x),
        turning=w.dot(axis) + rate,
        swivelling=w.dot(in_plane) * (tangent * secant),
        yaw_rate=w.dot(in_plane) * (secant * secant),
    )
