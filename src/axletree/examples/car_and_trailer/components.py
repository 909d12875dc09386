"""The car with trailer of Lot and Massaro 2017 from components, for comparison.

Nothing is taken as small here: the equations are those of finite angles. The coordinates are
the paper's: ``base`` has the speeds u, v, r of T_0 (``vx``, ``vy``, ``wz``), ``suspension`` has z,
mu and phi, and ``place`` is the trailer in T_0 (``x``, ``y``, ``z``, ``yaw`` for alpha, ``pitch``
for beta). There is no air drag, as in table 1.

Axles, with tyres that lag, and what guides the car are components of one's own: x forward, y to
the right, z down, as in the paper; the road is the xy plane of its frame.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from axletree.components.bodies import RigidBody
from axletree.components.contract import (
    Component,
    Instant,
    Load,
    NamedOutput,
    Response,
    VelocityConstraint,
    reaction_symbol,
)
from axletree.components.edges import Basis, RotationLaw, TranslationLaw, Variable
from axletree.components.fields import parameter
from axletree.components.frames import GROUND, Frame, frame
from axletree.components.joints import Free, Joint, Spherical
from axletree.components.motion_laws import XYZ, AboutAxes, AlongAxes, Speeds
from axletree.components.signals import Constant, Input, Signal, signal
from axletree.examples.car_and_trailer.data import CAR_PARAMETERS
from axletree.expr import Expr, atan, cos, sin
from axletree.expr.expression import ZERO
from axletree.expr.vectors import UNIT, Vector
from axletree.model.model import Model

_Values = Mapping[str, float]  # of the paper's letters

TABLE_1: Final[_Values] = {name: value for name, (value, _, _) in CAR_PARAMETERS.items()}


def car(p: _Values = TABLE_1, hitch_load: float = 0.0) -> Model:
    """The car alone, level where ``hitch_load`` [N] weighs on its hitch.

    Its input is ``front.steer``.
    """
    return _hull(p, hitch_load).model


def car_with_trailer(p: _Values = TABLE_1, hitch_load: float = 0.0) -> Model:
    """The car as above, and the trailer on its hitch."""
    hull = _hull(p, hitch_load)
    model = hull.model
    model.name = "car_with_trailer"
    trailer = model.add(RigidBody("trailer", p["m_t"], (p["I_txx"], p["I_tyy"], p["I_tzz"])))
    T_0, T_T = hull.unsprung.main_frame, trailer.main_frame
    model.add(Free("place", T_0, T_T, speeds=Speeds.DERIVATIVES))
    on_car = hull.chassis.point(-p["f_x"], 0.0, p["f_z"], "hitch")
    on_trailer = trailer.point(p["j_x"], 0.0, p["j_z"], "hitch")
    model.add(Spherical("hitch", on_car, on_trailer))
    axle = trailer.point(-p["a_3"], 0.0, p["h_t"] - p["r_3"], "axle")
    model.add(RigidAxle("axle", GROUND, p["b_3"], **_tyre(p, "3"), axle=axle, radius=p["r_3"]))
    model.start |= {"place.x": -p["f_x"] - p["j_x"], "place.z": -p["h_t"]}
    model.tree = ("base", "suspension", "place")
    return model


@dataclass(frozen=True)
class _Hull:
    """A model with the bodies of the car; the unsprung one's main frame is T_0, on the road."""

    model: Model
    unsprung: RigidBody
    chassis: RigidBody


def _hull(p: _Values, hitch_load: float) -> _Hull:
    model = Model("car", gravity=(0.0, 0.0, p["g"]))
    # The unsprung body never rolls or pitches, so that of its inertia I_uzz alone counts.
    upright = (p["I_uzz"] / 2, p["I_uzz"] / 2, p["I_uzz"])
    centre = (0.0, 0.0, -p["h_u"])
    unsprung = model.add(RigidBody("unsprung", p["m_u"], upright, centre_of_mass=centre))
    inertia = (p["I_cxx"], p["I_cyy"], p["I_czz"], 0.0, -p["I_cxz"], 0.0)
    chassis = model.add(RigidBody("chassis", p["m_c"], inertia))
    T_0, T_C = unsprung.main_frame, chassis.main_frame
    model.add(Free("base", GROUND, T_0))
    model.add(CarSuspension("suspension", unsprung.point(0.0, 0.0, -p["h_c"], "above"), T_C))
    model.add(UprightGuide("guide", GROUND, T_0, T_C))
    driven = unsprung.point(-p["a_2"], 0.0, 0.0, "rear")
    model.add(ConstantSpeed("drive", GROUND, driven, p["u"]))
    hull = _Hull(model, unsprung, chassis)
    w = p["a_1"] + p["a_2"]
    _add_axle(hull, p, "1", p["a_1"], hitch_load * (p["a_2"] - p["f_x"]) / w)
    _add_axle(hull, p, "2", -p["a_2"], hitch_load * (p["a_1"] + p["f_x"]) / w)
    model.start = {"base.vx": p["u"]}
    model.tree = ("base", "suspension")
    return hull


def _add_axle(hull: _Hull, p: _Values, index: str, x: float, extra: float) -> None:
    """At x [m] before C; its springs bear ``extra`` [N] at rest beside the car."""
    name = "front" if index == "1" else "rear"
    other, b = p["a_2"] if index == "1" else p["a_1"], p[f"b_{index}"]
    share = other / (2 * (p["a_1"] + p["a_2"]))  # of a wheel, eq. (30)
    axle = SprungAxle(
        name, GROUND, b, **_tyre(p, index),
        carrier=hull.unsprung.point(x, 0.0, 0.0),
        right=hull.chassis.point(x, b, 0.0, f"{name}_right"),
        left=hull.chassis.point(x, -b, 0.0, f"{name}_left"),
        height=p["h_c"], stiffness=p[f"k_{index}"], damping=p[f"c_{index}"],
        sprung_load=share * p["m_c"] * p["g"] + extra / 2,
        unsprung_load=share * p["m_u"] * p["g"],
        steer=Input() if index == "1" else Constant(0.0),
    )  # fmt: skip
    hull.model.add(axle)


def _tyre(p: _Values, index: str) -> dict[str, float]:
    letters = {
        "relaxation_length": "sigma", "stiffness_factor": "B", "shape_factor": "C",
        "peak_factor": "D", "load_factor": "load", "nominal_load": "N0",
    }  # fmt: skip
    return {name: p[f"{letter}_{index}"] for name, letter in letters.items()}


FORCES = (
    Variable("Y_R", "N", "lateral force of the right tyre, to the right"),
    Variable("Y_L", "N", "lateral force of the left tyre, to the right"),
)
LOAD = Variable("N", "N", "load of both tyres")
TIPPING = Variable("M", "N*m", "moment of the loads about the direction of travel")
_SIDES = (1.0, -1.0)  # right, left: the sign of y
_UP = -UNIT[2]


@dataclass(frozen=True, eq=False)
class TyredAxle(Component):
    """Two tyres whose lateral forces Y_R, Y_L follow slip and load (eqs. 31, 32, 35)."""

    name: str
    road: Frame = frame("frame whose xy plane is the road, z down")
    half_track: float = parameter("m", "half the distance of the wheels", above=True, lower=0.0)
    relaxation_length: float = parameter("m", "relaxation length", lower=0.0, above=True)
    stiffness_factor: float = parameter("1", "B of eq. (31)")
    shape_factor: float = parameter("1", "C of eq. (31)")
    peak_factor: float = parameter("1", "D of eq. (31)")
    load_factor: float = parameter("1", "load dependency, alpha of eq. (31)")
    nominal_load: float = parameter("N", "N_0 of eq. (31)", lower=0.0, above=True)

    def states(self) -> tuple[Variable, ...]:
        return FORCES

    def growth(self, Y: Expr, N: Expr, V_x: Expr, V_y: Expr) -> Expr:
        """dY/dt [N/s], from the load [N] and the velocity along the wheel and across [m/s]."""
        B, C, D = (self.symbol(f"{name}_factor") for name in ("stiffness", "shape", "peak"))
        slip = -atan(V_y / V_x)  # (32)
        by_load = (1.0 + self.symbol("load_factor") * (1.0 - N / self.symbol("nominal_load"))) * N
        steady = D * sin(C * atan(B * slip)) * by_load  # (31)
        rate: Expr = V_x * (steady - Y) / self.symbol("relaxation_length")  # (35)
        return rate


def _tyre_load(side: str, load: Expr) -> NamedOutput:
    return NamedOutput(f"N_{side}", "N", "load of a tyre", load)


@dataclass(frozen=True, eq=False)
class SprungAxle(TyredAxle):
    """Steered wheels on a carrier that stays upright, and the chassis' springs above them.

    Wheels do not give: what a spring bears goes straight to the road, and N is that with the
    wheel's share of the carrier's weight (eq. 30).
    """

    summary: ClassVar[str] = "two steered tyres and the springs above them"

    carrier: Frame = frame("frame of the unsprung body, on the road between the wheels")
    right: Frame = frame("point of the chassis above the right wheel")
    left: Frame = frame("point of the chassis above the left wheel")
    height: float = parameter("m", "of those two points at rest")
    stiffness: float = parameter("N/m", "of one spring", lower=0.0)
    damping: float = parameter("N*s/m", "of one damper", lower=0.0)
    sprung_load: float = parameter("N", "what one spring bears at rest")
    unsprung_load: float = parameter("N", "weight of the carrier on one wheel")
    steer: Signal = signal("rad", "angle of the wheels, clockwise seen from above", default=0.0)

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return tuple((self.road, head) for head in (self.carrier, self.right, self.left))

    def respond(self, now: Instant) -> Response:
        delta, b = self.signal("steer"), self.symbol("half_track")
        c, s = cos(delta), sin(delta)
        carrier, *tops = now.motions
        u, v, _ = carrier.velocity_head
        r = carrier.angular_velocity_head[2]
        loads, rates, outputs = [], [], []
        for side, top, point, Y in zip(
            _SIDES, tops, (self.right, self.left), now.states, strict=True
        ):
            spring = self._spring(top.displacement[2], top.velocity[2])
            N = spring + self.symbol("unsprung_load")
            ahead = u - side * b * r
            rates.append(self.growth(Y, N, ahead * c + v * s, v * c - ahead * s))  # (33)
            force, moment = Vector((-s * Y, c * Y, ZERO)), Vector((ZERO, ZERO, side * b * s * Y))
            loads.append(Load(self.road, self.carrier, force, moment, Basis.HEAD))
            loads.append(Load(self.road, point, _UP * spring))
            outputs.append(_tyre_load("R" if side > 0 else "L", N))
        return Response(loads=tuple(loads), rates=tuple(rates), outputs=tuple(outputs))

    def _spring(self, z: Expr, rate: Expr) -> Expr:
        """What a spring and its damper push up with [N], the point above at z [m]."""
        load, k, c = (self.symbol(name) for name in ("sprung_load", "stiffness", "damping"))
        return load + k * (z + self.symbol("height")) + c * rate


@dataclass(frozen=True, eq=False)
class RigidAxle(TyredAxle):
    """Wheels without springs: they hold the middle of the axle at its height, and it level.

    The sum of the loads does the one, their difference the other, and the tyres' forces follow
    these reactions.
    """

    summary: ClassVar[str] = "two tyres that hold an axle at its height, and level"

    axle: Frame = frame("frame in the middle of the axle, y to the right")
    radius: float = parameter("m", "rolling radius of the wheels", lower=0.0, above=True)

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.road, self.axle),)

    def respond(self, now: Instant) -> Response:
        motion, R, b = now.motions[0], self.symbol("radius"), self.symbol("half_track")
        v, w = motion.velocity, motion.angular_velocity
        y = motion.R_tail_head.column(1)
        x = y.cross(UNIT[2])  # y is level, so this is the direction of travel
        N, M = (reaction_symbol(self.name, reaction) for reaction in (LOAD, TIPPING))
        tyres = {"R": (N - M / b) * 0.5, "L": (N + M / b) * 0.5}
        rates = [
            self.growth(Y, load, v.dot(x) - side * b * w[2], v.dot(y))
            for side, load, Y in zip(_SIDES, tyres.values(), now.states, strict=True)
        ]
        Y = now.states[0] + now.states[1]
        up, roll = Load(self.road, self.axle, _UP), Load(self.road, self.axle, moment=x)
        below = -R - motion.displacement[2]
        # Rates follow the reactions, loads do not: one step of Newton's finds them.
        height = VelocityConstraint(LOAD, -v[2], (up,), position=below, steps=1)
        level = VelocityConstraint(TIPPING, w.dot(x), (roll,), position=y[2], steps=1)
        return Response(
            # The forces act on the road, below the axle by the radius.
            loads=(Load(self.road, self.axle, y * Y, x * (-R * Y)),),
            constraints=(height, level),
            rates=tuple(rates),
            outputs=tuple(_tyre_load(side, load) for side, load in tyres.items()),
        )


_X, _Y, _Z = XYZ

DRIVE = Variable("X", "N", "driving force, forward")
SUPPORT = Variable("F_z", "N", "force of the road on the body, down")
_ROLLING = Variable("M_x", "N*m", "moment that keeps the body from rolling")
PITCHING = Variable("M_y", "N*m", "moment that keeps the body from pitching")


@dataclass(frozen=True, eq=False)
class CarSuspension(Joint):
    """The chassis moves down by z in the unsprung body, pitches by mu and rolls by phi (eq. 9)."""

    summary: ClassVar[str] = "bounce, pitch and roll"

    def translation(self) -> TranslationLaw:
        bounce = Variable("z", "m", "way of the head down")
        return AlongAxes((_Z,), (bounce,), (Variable("V_z", "m/s", "rate of z"),))

    def rotation(self) -> RotationLaw:
        mu, phi = ("mu", "rad", "pitch, nose up"), ("phi", "rad", "roll to the right")
        pitching = ("Omega_mu", "rad/s", "rate of the pitch")
        rolling = ("Omega_phi", "rad/s", "rate of the roll")
        angles, rates = (Variable(*mu), Variable(*phi)), (Variable(*pitching), Variable(*rolling))
        return AboutAxes((_Y, _X), angles, rates)


@dataclass(frozen=True, eq=False)
class UprightGuide(Component):
    """An unsprung body stays upright on the road, by moments that the chassis gives.

    Under rigid wheels the road would take these moments by loads of its own. In the paper loads
    are those of the springs (eq. 30), and Euler's equation is that of the whole car: whatever
    turns the unsprung body (tyre forces on the road, the chassis' push at its own height) has to
    be borne by the chassis. So its moments M_x, M_y are those that hold the body upright, reversed.
    """

    summary: ClassVar[str] = "holds a body upright on the road, by moments of another"

    name: str
    road: Frame = frame("frame whose xy plane is the road, z down")
    body: Frame = frame("frame of the body, on the road")
    chassis: Frame = frame("frame of what gives the moments")

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.road, self.body), (self.road, self.chassis))

    def respond(self, now: Instant) -> Response:
        motion = now.motions[0]
        x, y = motion.R_tail_head.column(0), motion.R_tail_head.column(1)
        along, across = y.cross(UNIT[2]), UNIT[2].cross(x)  # level, and x and y where both are
        w = motion.angular_velocity
        M_x, M_y = (reaction_symbol(self.name, reaction) for reaction in (_ROLLING, PITCHING))
        down = Load(self.road, self.body, Vector(_Z))
        roll, pitch = (Load(self.road, self.body, moment=axis) for axis in (along, across))
        given = Load(self.road, self.chassis, moment=-(along * M_x + across * M_y))
        # What depends on these reactions does so linearly: one step of Newton's finds them.
        return Response(
            loads=(given,),
            constraints=(
                VelocityConstraint(
                    SUPPORT, motion.velocity[2], (down,), position=motion.displacement[2]
                ),
                VelocityConstraint(_ROLLING, w.dot(along), (roll,), position=y[2], steps=1),
                VelocityConstraint(PITCHING, w.dot(across), (pitch,), position=-x[2], steps=1),
            ),
        )


@dataclass(frozen=True, eq=False)
class ConstantSpeed(Component):
    """A driving force holds the forward speed of a frame."""

    summary: ClassVar[str] = "forward speed held by a driving force"

    name: str
    road: Frame = frame("frame that the speed is measured in")
    head: Frame = frame("frame where the force acts, x forward")
    speed: float = parameter("m/s", "forward speed, u", lower=0.0, above=True)

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.road, self.head),)

    def respond(self, now: Instant) -> Response:
        forward = now.motions[0].velocity_head[0] - self.symbol("speed")
        force = Load(self.road, self.head, Vector(_X), basis=Basis.HEAD)
        return Response(constraints=(VelocityConstraint(DRIVE, forward, (force,)),))
