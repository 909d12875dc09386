"""Sections 2.1 to 2.5 of Lot and Massaro 2017: frames, bodies, forces and constraints.

In the letters of the paper: x forward, y to the right, z down, SI units. f_z and j_z lead down
from C and T to the hitch; heights h are positive above the road.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import sympy

from axletree.language import (
    Assembly,
    Body,
    Constraint,
    Equation,
    Force,
    Frame,
    MovingBase,
    Point,
    Small,
    World,
    inertia,
    parameters,
    rate,
    rotation_x,
    rotation_y,
    rotation_z,
    spherical,
    translation,
    variables,
)
from axletree.language.variables import Scalar

# The car: speeds of the base, motion of the chassis, steering angle.
v, r = variables("v r")
z, phi, mu = variables("z phi mu")
delta, X_2 = variables("delta X_2")
Y_R1, Y_L1, Y_R2, Y_L2 = variables("Y_R1 Y_L1 Y_R2 Y_L2")
V_z, Omega_mu, Omega_phi = variables("V_z Omega_mu Omega_phi")

# The trailer: place of its centre T, yaw to the car, pitch, tyre and hitch forces.
x_t, y_t, z_t, alpha, beta = variables("x_t y_t z_t alpha beta")
V_xt, V_yt, V_zt, Omega_alpha, Omega_beta = variables("V_xt V_yt V_zt Omega_alpha Omega_beta")
Y_R3, Y_L3, N_R3, N_L3 = variables("Y_R3 Y_L3 N_R3 N_L3")
N_3, H_x, H_y, H_z = variables("N_3 H_x H_y H_z")

u, g, F_D = parameters("u g F_D")
m_u, h_u, I_uzz = parameters("m_u h_u I_uzz")
m_c, h_c, I_cxx, I_cyy, I_czz, I_cxz = parameters("m_c h_c I_cxx I_cyy I_czz I_cxz")
a_1, a_2, b_1, b_2 = parameters("a_1 a_2 b_1 b_2")
k_1, k_2, c_1, c_2 = parameters("k_1 k_2 c_1 c_2")
m_t, h_t, I_txx, I_tyy, I_tzz = parameters("m_t h_t I_txx I_tyy I_tzz")
a_3, b_3, r_3 = parameters("a_3 b_3 r_3")
f_x, f_z, j_x, j_z = parameters("f_x f_z j_x j_z")

# Eq. (12): all other rates that are small follow from these.
SMALL_DISPLACEMENTS = (z, phi, mu, beta)
SMALL_VELOCITIES = (v, rate(alpha))
SMALL_ACCELERATIONS = (rate(r),)


@dataclass(frozen=True)
class Mechanics:
    """The car and its trailer; ``linearise_last`` as in ``World``."""

    linearise_last: bool = False

    @cached_property
    def world(self) -> World:
        """The base T_0 is under the car, on the road, and goes with it."""
        return World(
            gravity=(0, 0, g),
            moving=MovingBase(velocity=(u, v, 0), angular_velocity=(0, 0, r)),
            small=Small(SMALL_DISPLACEMENTS, SMALL_VELOCITIES, SMALL_ACCELERATIONS),
            linearise_last=self.linearise_last,
        )

    @property
    def T_0(self) -> Frame:
        return self.world.base

    @cached_property
    def T_C(self) -> Frame:
        """Eq. (9): the chassis."""
        return self.T_0.moved("C", translation(z=z - h_c), rotation_y(mu), rotation_x(phi))

    @cached_property
    def T_T(self) -> Frame:
        """Eq. (13): the trailer."""
        place = translation(x_t, y_t, z_t)
        return self.T_0.moved("T", place, rotation_z(alpha), rotation_y(beta))

    @cached_property
    def T_delta(self) -> Frame:
        """Eq. (14): the steered wheels."""
        return self.T_0.moved("delta", rotation_z(delta))

    @cached_property
    def T_alpha(self) -> Frame:
        """Eq. (15): on the road under the trailer."""
        return self.T_0.moved("alpha", translation(x_t, y_t), rotation_z(alpha))

    @cached_property
    def unsprung(self) -> Body:
        frame = self.T_0.moved("U", translation(z=-h_u))
        return Body("unsprung", frame, m_u, inertia(0, 0, I_uzz))

    @cached_property
    def chassis(self) -> Body:
        return Body("chassis", self.T_C, m_c, inertia(I_cxx, I_cyy, I_czz, xz=I_cxz))

    @cached_property
    def trailer_body(self) -> Body:
        return Body("trailer", self.T_T, m_t, inertia(I_txx, I_tyy, I_tzz))

    @cached_property
    def car_tyres(self) -> tuple[TyreForce, ...]:
        """R1, L1, R2, L2."""
        front = self.T_delta, self.unsprung
        rear = self.T_0, self.unsprung
        point = self.T_0.point
        N = self.car_load
        return (
            TyreForce("R1", "1", front[0], point(a_1, b_1), front[1], Y_R1, N(a_1, b_1)),
            TyreForce("L1", "1", front[0], point(a_1, -b_1), front[1], Y_L1, N(a_1, -b_1)),
            TyreForce("R2", "2", rear[0], point(-a_2, b_2), rear[1], Y_R2, N(-a_2, b_2), X_2 / 2),
            TyreForce("L2", "2", rear[0], point(-a_2, -b_2), rear[1], Y_L2, N(-a_2, -b_2), X_2 / 2),
        )

    def car_load(self, x: Scalar, y: Scalar) -> sympy.Expr:
        """Eq. (30): the static load, and what a spring and a damper upright at (x, y) add."""
        front = x == a_1
        k, c, other = (k_1, c_1, a_2) if front else (k_2, c_2, a_1)
        down = self.T_C.point(x, y, h_c).in_frame(self.T_0).xyz[2]
        static = other / (2 * (a_1 + a_2)) * (m_c + m_u) * g
        return static + k * down + c * rate(down)

    @cached_property
    def trailer_tyres(self) -> tuple[TyreForce, ...]:
        """R3, L3."""
        point = self.T_T.point
        right, left = point(-a_3 - r_3 * beta, b_3, h_t), point(-a_3 - r_3 * beta, -b_3, h_t)
        wheel, body = self.T_alpha, self.trailer_body
        return (
            TyreForce("R3", "3", wheel, right, body, Y_R3, N_R3),
            TyreForce("L3", "3", wheel, left, body, Y_L3, N_L3),
        )

    @cached_property
    def drag(self) -> Force:
        return Force("drag", self.T_0.vector(-F_D), self.T_C.origin, self.chassis)

    @cached_property
    def bounce(self) -> Constraint:
        """Eq. (17): the trailer's axle is a radius above the road; with N_3 = N_R3 + N_L3."""
        axle = self.T_T.point(-a_3, 0, h_t - r_3).in_frame(self.T_0)
        return Constraint("bounce", self.world, [axle.exact[2] + r_3], [N_3])

    @cached_property
    def hitch(self) -> Constraint:
        """Eq. (18)."""
        on_car = self.chassis, self.T_C.point(-f_x, 0, f_z, "H_C")
        on_trailer = self.trailer_body, self.T_T.point(j_x, 0, j_z, "H_T")
        return spherical("hitch", on_car, on_trailer, (H_x, H_y, H_z))

    @cached_property
    def car(self) -> Assembly:
        loads = (self.drag, *(tyre.force for tyre in self.car_tyres))
        return Assembly("car", (self.unsprung, self.chassis), loads, (self.hitch,))

    @cached_property
    def trailer(self) -> Assembly:
        loads = tuple(tyre.force for tyre in self.trailer_tyres)
        return Assembly("trailer", (self.trailer_body,), loads, (self.hitch,))


# A tyre on top of the language: an object of one's own, as section 3.3 builds it.
#
# In eq. (31) B is the stiffness and C the shape factor, so the force is sin(C atan(B slip)).


@dataclass(frozen=True, eq=False)
class TyreForce:
    """A lateral force that follows slip and load after the way of its relaxation length."""

    name: str  # "R1"
    axle: str  # "1": the index of its parameters
    wheel: Frame  # x along the wheel, z down
    contact: Point
    body: Body  # that it carries
    Y: sympy.Expr  # [N], lateral force, a state
    N: Scalar  # [N], load
    X: Scalar = 0  # [N], driving force

    @property
    def force(self) -> Force:
        """(X, Y, -N) on the body."""
        vector = self.wheel.vector(self.X, self.Y, -self.N)
        return Force(f"tyre {self.name}", vector, self.contact, self.body)

    @property
    def velocity(self) -> tuple[sympy.Expr, sympy.Expr]:
        """V_Cx, V_Cy [m/s] of the contact point along the wheel and across, eq. (33)."""
        V_x, V_y, _ = self.contact.velocity().in_frame(self.wheel)
        return V_x, V_y

    @property
    def slip(self) -> sympy.Expr:
        """lambda [rad], eq. (32)."""
        V_x, V_y = self.velocity
        return -sympy.atan(V_y / V_x)

    @property
    def steady_force(self) -> sympy.Expr:
        """Y_0 [N], eq. (31)."""
        B, C, D, load, N_0 = self._parameters("B C D load N0")
        shape = D * sympy.sin(C * sympy.atan(B * self.slip))
        return shape * (1 + load * (1 - self.N / N_0)) * self.N

    @property
    def relaxation(self) -> Equation:
        """Eq. (35)."""
        (sigma,) = self._parameters("sigma")
        V_x, _ = self.velocity
        left, right = sigma * rate(self.Y), V_x * (self.steady_force - self.Y)
        return Equation(f"tyre {self.name}, relaxation", left, right)

    def _parameters(self, names: str) -> tuple[sympy.Symbol, ...]:
        return parameters(" ".join(f"{name}_{self.axle}" for name in names.split()))
