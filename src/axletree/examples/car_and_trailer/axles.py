"""Components of one's own: the axles of Lot and Massaro 2017, with tyres that lag.

x forward, y to the right, z down, as in the paper; the road is the xy plane of its frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import Expr, atan, cos, sin
from axletree.core.expr.expression import ZERO
from axletree.core.vectors import UNIT, Vector
from axletree.library.contract import Component, Computed, Held, Instant, Load, Response
from axletree.library.edge import Basis, Variable
from axletree.library.exchange import reaction_symbol
from axletree.library.fields import parameter
from axletree.library.frame import Frame, frame
from axletree.library.signal import Signal, signal

FORCES = (
    Variable("Y_R", "N", "lateral force of the right tyre, to the right"),
    Variable("Y_L", "N", "lateral force of the left tyre, to the right"),
)
LOAD = Variable("N", "N", "load of both tyres")
TIPPING = Variable("M", "N*m", "moment of the loads about the direction of travel")
SIDES = (1.0, -1.0)  # right, left: the sign of y
UP = -UNIT[2]


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
        loads, rates, told = [], [], []
        for side, top, point, Y in zip(
            SIDES, tops, (self.right, self.left), now.states, strict=True
        ):
            spring = self._spring(top.displacement[2], top.velocity[2])
            N = spring + self.symbol("unsprung_load")
            ahead = u - side * b * r
            rates.append(self.growth(Y, N, ahead * c + v * s, v * c - ahead * s))  # (33)
            force, moment = Vector((-s * Y, c * Y, ZERO)), Vector((ZERO, ZERO, side * b * s * Y))
            loads.append(Load(self.road, self.carrier, force, moment, Basis.HEAD))
            loads.append(Load(self.road, point, UP * spring))
            told.append(Computed(f"N_{'R' if side > 0 else 'L'}", "N", "load of a tyre", N))
        return Response(loads=tuple(loads), rates=tuple(rates), outputs=tuple(told))

    def _spring(self, z: Expr, rate: Expr) -> Expr:
        """What a spring and its damper push up with [N], the point above at z [m]."""
        down = z + self.symbol("height")
        return (
            self.symbol("sprung_load")
            + self.symbol("stiffness") * down
            + self.symbol("damping") * rate
        )


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
            for side, load, Y in zip(SIDES, tyres.values(), now.states, strict=True)
        ]
        Y = now.states[0] + now.states[1]
        up, roll = Load(self.road, self.axle, UP), Load(self.road, self.axle, moment=x)
        below = -R - motion.displacement[2]
        # Rates follow the reactions, loads do not: one step of Newton's finds them.
        height = Held(LOAD, -v[2], (up,), position=below, steps=1)
        level = Held(TIPPING, w.dot(x), (roll,), position=y[2], steps=1)
        return Response(
            # The forces act on the road, below the axle by the radius.
            loads=(Load(self.road, self.axle, y * Y, x * (-R * Y)),),
            held=(height, level),
            rates=tuple(rates),
            outputs=tuple(Computed(f"N_{k}", "N", "load of a tyre", e) for k, e in tyres.items()),
        )
