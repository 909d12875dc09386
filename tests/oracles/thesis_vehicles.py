"""The car and the skidder of Morency 2007, from the positions of their bodies alone.

Kane's equations by automatic differentiation: each body has a position, axes and an angular
velocity that are written down along the ground's axes; velocities, partial velocities and
rates of momenta are derivatives that CasADi forms, and the accelerations follow from one dense
system. Tyres, slip lag and the Magic Formula stand in the order of the thesis, without guards:
at no speed, load or slip they divide by zero. Numbers of equations and tables are those of the
thesis, as corrected where a printed one cannot be (3.28, 3.32, 3.33, 3.36). Nothing of what it
is an oracle for is used.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

Array = np.ndarray
GRAVITY = 9.80665
UP = ca.DM([0.0, 0.0, 1.0])
LEFT = ca.DM([0.0, 1.0, 0.0])
CORNERS = ("front_left", "front_right", "rear_left", "rear_right")
CHASSIS_SPEEDS = [f"chassis.{name}" for name in ("vx", "vy", "vz", "wx", "wy", "wz")]
CHASSIS_PLACES = [f"chassis.{name}" for name in ("x", "y", "z", "yaw", "pitch", "roll")]


@dataclass(frozen=True)
class Body:
    """Axes are those in which the inertia is constant: of a wheel, those of its carrier."""

    mass: float
    inertia: Sequence[Sequence[float]]
    position: Any  # of the centre of mass
    axes: Any  # R, to the ground's
    angular_velocity: Any
    force: Any = 0.0  # beside gravity
    torque: Any = 0.0


@dataclass(frozen=True)
class Coordinates:
    """Those of a vehicle; ``given`` is an angle that is prescribed, with its rates."""

    q: Any
    p: Any
    q_rates: Any
    given: Any  # angle, rate, acceleration

    def rate(self, value: Any) -> Any:
        """Of what does not depend on speeds."""
        moving, moves = ca.vertcat(self.q, self.given[0]), ca.vertcat(self.q_rates, self.given[1])
        return ca.jtimes(value, moving, moves)

    def bias(self, value: Any) -> Any:
        """The rate of what depends on speeds as if these did not change."""
        moving = ca.vertcat(self.q, self.given[:2])
        return ca.jtimes(value, moving, ca.vertcat(self.q_rates, self.given[1:]))


def accelerations(bodies: Sequence[Body], c: Coordinates, applied: Any) -> Any:
    """The rates of speeds; ``applied`` is what acts on each speed beside forces on bodies."""
    mass, force = ca.SX.zeros(c.p.numel(), c.p.numel()), applied
    for body in bodies:
        v, w = c.rate(body.position), body.angular_velocity
        momentum = body.axes @ ca.DM(body.inertia) @ body.axes.T @ w
        along, about = ca.jacobian(v, c.p), ca.jacobian(w, c.p)
        mass += body.mass * along.T @ along + about.T @ ca.jacobian(momentum, c.p)
        force += along.T @ (body.force - body.mass * (GRAVITY * UP + c.bias(v)))
        force += about.T @ (body.torque - c.bias(momentum))
    D, LT, order = ca.ldl(mass)
    return ca.ldl_solve(force, D, LT, order)


def turned(axis: int, angle: Any) -> Any:
    """R about the axis of this number, from turned axes to those before."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R = ca.SX.eye(3)
    R[i, i], R[i, j], R[j, i], R[j, j] = ca.cos(angle), -ca.sin(angle), ca.sin(angle), ca.cos(angle)
    return R


def euler_rates(angles: Any, w: Any) -> Any:
    """Of yaw, pitch and roll, R = Rz Ry Rx, from the angular velocity in body axes."""
    _, pitch, roll = ca.vertsplit(angles)
    level = w[1] * ca.sin(roll) + w[2] * ca.cos(roll)
    nose = w[1] * ca.cos(roll) - w[2] * ca.sin(roll)
    return ca.vertcat(level / ca.cos(pitch), nose, w[0] + level * ca.tan(pitch))


@dataclass(frozen=True)
class Vehicle:
    """What gives the rates of states, all by name."""

    states: tuple[str, ...]
    inputs: tuple[str, ...]  # the angle that is prescribed with its rates, brake torques
    function: Any

    def rates(self, state: Mapping[str, float], given: Mapping[str, float]) -> dict[str, float]:
        x = [state[name] for name in self.states]
        found = self.function(x, [given.get(name, 0.0) for name in self.inputs])
        return dict(zip(self.states, np.array(found).ravel(), strict=True))

    def run(
        self, state: Mapping[str, float], given: Callable[[float], Array], duration: float,
        step: float,
    ) -> dict[str, Array]:  # fmt: skip
        """By the classic Runge-Kutta method; the first record is the start."""
        x, u = ca.MX.sym("x", len(self.states)), [ca.MX.sym("u", len(self.inputs)) for _ in "abc"]
        k1 = self.function(x, u[0])
        k2 = self.function(x + step / 2 * k1, u[1])
        k3 = self.function(x + step / 2 * k2, u[1])
        k4 = self.function(x + step * k3, u[2])
        once = ca.Function("once", [x, *u], [x + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)])
        count = round(duration / step)
        halves = np.array([given(k * step / 2) for k in range(2 * count + 1)]).T
        start = np.array([state[name] for name in self.states])
        columns = halves[:, 0:-1:2], halves[:, 1::2], halves[:, 2::2]
        found = np.hstack([start[:, None], np.array(once.mapaccum(count)(start, *columns))])
        return dict(zip(self.states, found, strict=True))


# Tyres (sections 3.1 to 3.3).


@dataclass(frozen=True)
class Tyre:
    """Of a wheel at its centre, along the ground's axes; the road is the plane z = 0."""

    position: Any
    velocity: Any
    axis: Any  # u, to the left
    angular_velocity: Any
    unloaded_radius: float

    @property
    def x(self) -> Any:
        across = ca.cross(self.axis, UP)
        return across / ca.norm_2(across)

    @property
    def y(self) -> Any:
        return ca.cross(UP, self.x)

    @property
    def radius(self) -> Any:
        """R_l."""
        return self.position[2] / ca.cos(self.inclination)

    @property
    def arm(self) -> Any:
        """r_P."""
        g = self.inclination
        return self.radius * (ca.sin(g) * self.y - ca.cos(g) * UP)

    @property
    def spin(self) -> Any:
        """Omega (3.9)."""
        w, sine = self.angular_velocity, self.axis[2]
        return (ca.dot(w, self.axis) - w[2] * sine) / (1 - sine**2)

    @property
    def inclination(self) -> Any:
        return ca.asin(self.axis[2])

    def load(self, stiffness: float, damping: float) -> Any:
        """Of a tyre that touches (3.4)."""
        return stiffness * (self.unloaded_radius - self.radius) - damping * self.velocity[2]

    def sliding(self, radius: Any) -> tuple[Any, Any]:
        """Velocities along x and y of the point of the wheel on the way to P (3.14 to 3.17)."""
        at = self.velocity + ca.cross(self.angular_velocity, self.arm * (radius / self.radius))
        return ca.dot(at, self.x), ca.dot(at, self.y)

    def wrench(self, Fz: Any, Fx: Any, Fy: Any, My: Any, Mz: Any) -> tuple[Any, Any]:
        """Force and torque on the wheel at its centre (3.41)."""
        force = Fx * self.x + Fy * self.y + Fz * UP
        return force, ca.cross(self.arm, force) + My * self.y + Mz * UP


def magic_curve(B: Any, C: Any, E: Any, x: Any) -> Any:
    """The angle whose sine or cosine is taken."""
    return C * ca.atan(B * x - E * (B * x - ca.atan(B * x)))


def pac2002(c: Mapping[str, float], Fz: Any, k: Any, a: Any, g: Any) -> tuple[Any, ...]:
    """Fx, Fy, My and Mz of a tyre that rolls forwards (section 3.6, Adams PAC2002)."""
    R0, Fz0 = c["UNLOADED_RADIUS"], c["FNOMIN"]
    f = (Fz - Fz0) / Fz0
    mux = (c["PDX1"] + c["PDX2"] * f) * (1 - c["PDX3"] * g**2)
    Kx = Fz * (c["PKX1"] + c["PKX2"] * f) * ca.exp(c["PKX3"] * f)
    kx = k + c["PHX1"] + c["PHX2"] * f
    Ex = (c["PEX1"] + c["PEX2"] * f + c["PEX3"] * f**2) * (1 - c["PEX4"] * ca.sign(kx))
    Fx0 = mux * Fz * ca.sin(magic_curve(Kx / (c["PCX1"] * mux * Fz), c["PCX1"], ca.fmin(Ex, 1), kx))
    Fx0 += Fz * (c["PVX1"] + c["PVX2"] * f)

    muy = (c["PDY1"] + c["PDY2"] * f) * (1 - c["PDY3"] * g**2)
    Ky = (
        c["PKY1"] * Fz0 * ca.sin(2 * ca.atan(Fz / (c["PKY2"] * Fz0))) * (1 - c["PKY3"] * ca.fabs(g))
    )
    SHy = c["PHY1"] + c["PHY2"] * f + c["PHY3"] * g
    SVy = Fz * (c["PVY1"] + c["PVY2"] * f + (c["PVY3"] + c["PVY4"] * f) * g)
    ay = a + SHy
    Ey = (c["PEY1"] + c["PEY2"] * f) * (1 - (c["PEY3"] + c["PEY4"] * g) * ca.sign(ay))
    Fy0 = muy * Fz * ca.sin(magic_curve(Ky / (c["PCY1"] * muy * Fz), c["PCY1"], ca.fmin(Ey, 1), ay))
    Fy0 += SVy

    def weight(B: Any, C: Any, E: Any, x: Any, shift: Any) -> Any:
        left = ca.cos(magic_curve(B, C, ca.fmin(E, 1), x + shift))
        return left / ca.cos(magic_curve(B, C, ca.fmin(E, 1), shift))

    Bx = c["RBX1"] * ca.cos(ca.atan(c["RBX2"] * k))
    Fx = Fx0 * weight(Bx, c["RCX1"], c["REX1"] + c["REX2"] * f, a, c["RHX1"])
    By = c["RBY1"] * ca.cos(ca.atan(c["RBY2"] * (a - c["RBY3"])))
    at_trail = Fy0 * weight(By, c["RCY1"], c["REY1"] + c["REY2"] * f, k, c["RHY1"] + c["RHY2"] * f)
    DVyk = muy * Fz * (c["RVY1"] + c["RVY2"] * f + c["RVY3"] * g) * ca.cos(ca.atan(c["RVY4"] * a))
    Fy = at_trail + DVyk * ca.sin(c["RVY5"] * ca.atan(c["RVY6"] * k))

    at = a + c["QHZ1"] + c["QHZ2"] * f + (c["QHZ3"] + c["QHZ4"] * f) * g
    Bt = (c["QBZ1"] + c["QBZ2"] * f + c["QBZ3"] * f**2) * (
        1 + c["QBZ4"] * g + c["QBZ5"] * ca.fabs(g)
    )
    Dt = Fz * (c["QDZ1"] + c["QDZ2"] * f) * (1 + c["QDZ3"] * g + c["QDZ4"] * g**2) * R0 / Fz0
    Et = 1 + (c["QEZ4"] + c["QEZ5"] * g) * 2 / math.pi * ca.atan(Bt * c["QCZ1"] * at)
    Et = ca.fmin((c["QEZ1"] + c["QEZ2"] * f + c["QEZ3"] * f**2) * Et, 1)
    trail_angle, residual_angle = (
        ca.atan(ca.sqrt(ca.tan(v) ** 2 + (Kx / Ky * k) ** 2)) for v in (at, a + SHy + SVy / Ky)
    )
    trail = Dt * ca.cos(magic_curve(Bt, c["QCZ1"], Et, trail_angle)) * ca.cos(a)
    Dr = Fz * (c["QDZ6"] + c["QDZ7"] * f + (c["QDZ8"] + c["QDZ9"] * f) * g) * R0 * ca.cos(a)
    residual = Dr * ca.cos(ca.atan(c["QBZ9"] * residual_angle))
    arm = (c["SSZ1"] + c["SSZ2"] * Fy / Fz0 + (c["SSZ3"] + c["SSZ4"] * f) * g) * R0
    return Fx, Fy, -R0 * Fz * c["QSY1"], -trail * at_trail + residual + arm * Fx


def fiala(stiffness: float, width: float, Fz: Any, S: Any, a: Any) -> tuple[Any, ...]:
    """Fx, Fy, My and Mz with a friction coefficient of 1, no rolling resistance (3.29 to 3.36)."""
    critical = Fz / (2 * stiffness)
    slides = ca.sign(S) * (Fz - Fz**2 / (4 * ca.fabs(S) * stiffness))
    Fx = ca.if_else(ca.fabs(S) < critical, stiffness * S, slides)
    H = ca.fmax(1 - stiffness * ca.fabs(ca.tan(a)) / (3 * Fz), 0)
    return Fx, -Fz * (1 - H**3) * ca.sign(a), 0, Fz * width * (1 - H) * H**3 * ca.sign(a)


# The car (section 5.3, appendix A.1).

STRUTS = {"front": (48289.0, 3075.0, 0.674), "rear": (30518.0, 2331.0, 0.72)}  # k, c, l0
HUBS = ((1.353, 0.76), (1.353, -0.76), (-1.487, 0.795), (-1.487, -0.795))
STRING = {"PTX1": 2.3657, "PTX2": 1.4112, "PTX3": 0.56626, "PTY1": 2.1439, "PTY2": 1.9829}


def car(law: Mapping[str, float]) -> Vehicle:
    """``law`` has the coefficients of table A.4 by their names in property files."""
    struts = [f"{corner}_strut" for corner in CORNERS]
    slips = [f"{corner}_tyre.{name}" for corner in CORNERS for name in ("q1", "q2")]
    speeds = [*CHASSIS_SPEEDS, *(f"{s}.speed" for s in struts)]
    speeds += [f"{corner}_axle.rate" for corner in CORNERS]
    places = [*CHASSIS_PLACES, *(f"{s}.position" for s in struts)]
    q, p = ca.SX.sym("q", len(places)), ca.SX.sym("p", len(speeds))
    slip, given = ca.SX.sym("slip", len(slips)), ca.SX.sym("given", 7)
    R = turned(2, q[3]) @ turned(1, q[4]) @ turned(0, q[5])
    c = Coordinates(q, p, ca.vertcat(R @ p[:3], euler_rates(q[3:6], p[3:6]), p[6:10]), given[:3])
    inertia = [[330.0, 0.0, 110.0], [0.0, 1925.0, 0.0], [110.0, 0.0, 1925.0]]
    bodies = [Body(2077.0, inertia, q[:3], R, R @ p[3:6])]
    applied, rates = ca.SX.zeros(len(speeds)), []
    for k, (corner, hub) in enumerate(zip(CORNERS, HUBS, strict=True)):
        position = q[:3] + R @ ca.vertcat(*hub, -q[6 + k])
        stiffness, damping, free = STRUTS[corner.partition("_")[0]]
        applied[6 + k] = stiffness * (free - q[6 + k]) - damping * p[6 + k]
        applied[10 + k] = given[3 + k]
        bodies.append(Body(10.0, np.diag([1.0, 0.5, 1.0]), position, R, R @ p[3:6]))
        axes, turning = R, R @ p[3:6]
        if corner.startswith("front"):
            axes, turning = R @ turned(2, given[0]), turning + given[1] * R[:, 2]
        spin = turning + p[10 + k] * axes[:, 1]
        tyre = Tyre(position, c.rate(position), axes[:, 1], spin, 0.355)
        wrench, lag = car_tyre(tyre, law, slip[2 * k], slip[2 * k + 1])
        wheel = np.diag([0.78, 1.56, 0.78])
        bodies.append(Body(28.0, wheel, position, axes, spin, *wrench))
        rates += lag
    found = ca.vertcat(accelerations(bodies, c, applied), c.q_rates, *rates)
    names = ("steer.angle", "steer.angle_rate", "steer.angle_acceleration")
    inputs = (*names, *(f"{corner}_brake.torque" for corner in CORNERS))
    function = ca.Function("car", [ca.vertcat(p, q, slip), given], [ca.cse(found)])
    return Vehicle((*speeds, *places, *slips), inputs, function)


def car_tyre(tyre: Tyre, law: Mapping[str, float], q1: Any, q2: Any) -> tuple[Any, list[Any]]:
    """Force and torque on the wheel, and the rates of its slips (3.12, 3.22 to 3.28)."""
    Fz, g, R0, Fz0 = tyre.load(304e3, 500.0), tyre.inclination, 0.344, 4850.0
    nominal, deflection = 5900.0 / 304e3, tyre.unloaded_radius - tyre.radius
    sunk = 0.24 * ca.atan(8.0 * deflection / nominal) + 0.01 * deflection / nominal
    effective = tyre.unloaded_radius - nominal * sunk
    f, s = (Fz - Fz0) / Fz0, STRING
    along = Fz * (s["PTX1"] + s["PTX2"] * f) * ca.exp(s["PTX3"] * f) * R0 / Fz0
    across = (
        s["PTY1"] * ca.sin(2 * ca.atan(Fz / (s["PTY2"] * Fz0))) * (1 + 0.90729 * ca.fabs(g)) * R0
    )
    VEx, (VPx, VPy) = tyre.sliding(effective)[0], tyre.sliding(tyre.radius)
    lag = [
        -(VEx + q1 * ca.fabs(VEx + tyre.spin * effective)) / along,
        (VPy - q2 * ca.fabs(VPx + tyre.spin * tyre.radius)) / across,
    ]
    return tyre.wrench(Fz, *pac2002(law, Fz, q1, ca.atan(q2), g)), lag


# The skidder (section 5.4, appendix A.2).


def skidder() -> Vehicle:
    speeds = [*CHASSIS_SPEEDS, *(f"{corner}_axle.rate" for corner in CORNERS)]
    q, p, given = ca.SX.sym("q", 6), ca.SX.sym("p", len(speeds)), ca.SX.sym("given", 7)
    front = turned(2, q[3]) @ turned(1, q[4]) @ turned(0, q[5])
    rear = front @ turned(2, -given[0])
    c = Coordinates(q, p, ca.vertcat(front @ p[:3], euler_rates(q[3:6], p[3:6])), given[:3])
    joint = q[:3] + front @ ca.DM([-1.227, 0.0, -0.3861])
    behind = joint - rear @ ca.DM([1.227, 0.0, -0.3861])
    w = front @ p[3:6]
    w_rear = w - given[1] * front[:, 2]
    cube = 7280.0 * np.eye(3)
    bodies = [Body(7280.0, cube, q[:3], front, w), Body(7280.0, cube, behind, rear, w_rear)]
    for k, corner in enumerate(CORNERS):
        ahead, left = corner.startswith("front"), corner.endswith("left")
        axes, turning, origin = (front, w, q[:3]) if ahead else (rear, w_rear, behind)
        hub = ca.DM([0.5 if ahead else -0.5, 1.2275 if left else -1.2275, -0.5461])
        position, spin = origin + axes @ hub, turning + p[6 + k] * axes[:, 1]
        tyre = Tyre(position, c.rate(position), axes[:, 1], spin, 0.94)
        Fz, (VPx, VPy) = tyre.load(500e3, 5e3), tyre.sliding(tyre.radius)
        rolling = ca.fabs(VPx + tyre.spin * tyre.radius)
        stiffness = 153890.0 if ahead else 238220.0
        forces = fiala(stiffness, 0.775, Fz, -VPx / rolling, ca.atan(VPy / rolling))
        wheel, wrench = np.diag([112.5, 225.0, 112.5]), tyre.wrench(Fz, *forces)
        bodies.append(Body(557.0, wheel, position, axes, spin, *wrench))
    applied = ca.vertcat(ca.SX.zeros(6), given[3:])
    found = ca.vertcat(accelerations(bodies, c, applied), c.q_rates)
    names = [f"articulation.angle{rate}" for rate in ("", "_rate", "_acceleration")]
    inputs = (*names, *(f"{corner}_brake.torque" for corner in CORNERS))
    function = ca.Function("skidder", [ca.vertcat(p, q), given], [ca.cse(found)])
    return Vehicle((*speeds, *CHASSIS_PLACES), inputs, function)
