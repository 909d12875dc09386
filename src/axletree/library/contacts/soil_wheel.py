"""The soil wheel: a wheel on soft ground, with thrust and motion resistance by the cone index.

Numbers of equations are those of Peiret et al.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import (
    Expr,
    absolute,
    directional_derivative,
    maximum,
    minimum,
    sqrt,
    substitute,
    symbol,
    where,
)
from axletree.core.expr.expression import ONE, ZERO
from axletree.core.vectors import UNIT, Vector
from axletree.library.contract import (
    Component,
    Computed,
    Instant,
    JointLoad,
    Load,
    Response,
    SetValued,
)
from axletree.library.edge import Variable
from axletree.library.exchange import reaction_symbol
from axletree.library.fields import parameter
from axletree.library.frame import Frame, frame
from axletree.library.joint_reference import turn_of, turning_joint
from axletree.library.part import part
from axletree.library.soils.cone_index_law import LEAST_LOAD, ConeIndexLaw
from axletree.library.soils.contract import Wheel
from axletree.library.soils.motion import soil_motion
from axletree.library.soils.traction_schemes import (
    DissipativeTraction,
    Thrust,
    ThrustRow,
    TractionScheme,
)
from axletree.library.tyres.normal_force import NormalForce

RESISTANCE = Variable("resistance", "N", "motion resistance F_c, backward on the wheel")
LEAST_SPEED = 1e-200  # m/s, of a divisor: slower than anything that moves


@dataclass(frozen=True)
class _Rolling:
    """How the wheel moves over the ground: velocities [m/s], F_n [N], mobility number [1]."""

    forward: Vector  # unit vector in the road
    travel: Expr  # v_x
    rolling: Expr  # omega r
    load: Expr
    mobility: Expr

    @property
    def sliding(self) -> Expr:
        return self.travel - self.rolling  # v_t

    @property
    def greatest_speed(self) -> Expr:
        speed: Expr = maximum(absolute(self.travel), absolute(self.rolling))  # |v_max|
        return speed

    @property
    def at_rest(self) -> Expr:
        return self.greatest_speed <= LEAST_SPEED

    @property
    def slip(self) -> Expr:
        """|i| from 0 to 1 (5, 6); 0 at rest."""
        ratio = absolute(self.sliding) / maximum(self.greatest_speed, LEAST_SPEED)
        slip: Expr = where(self.at_rest, ZERO, minimum(ratio, 1.0))
        return slip


@dataclass(frozen=True, eq=False)
class SoilWheel(Component):
    """A wheel on soft ground over the xy plane of a road frame, on the axle that carries it.

    The axle's tail is the carrier, its head the wheel, and its axis points to the left where the
    wheel shall roll forward at a positive rate. The wheel stands upright; there is no side force,
    which the cone index does not know.

    Thrust F_t acts at the rim and does work on v_t = v_x - omega r, motion resistance F_c at the
    centre on v_x. Both are set-valued (23), (24): with a method that solves for them
    ("complementarity") a wheel that stands is held by up to mu(1) F_n and gamma(0) F_n, and rests.
    For all other methods slip fades below ``lowest_speed`` (7), and a wheel under load creeps.
    """

    summary: ClassVar[str] = "wheel on soft ground by the cone index: drives, brakes, stays parked"

    name: str
    joint: Component = turning_joint("axle that the wheel turns on, from carrier to wheel")
    road: Frame = frame("frame whose xy plane is the ground, z up")
    radius: float = parameter("m", "radius of the wheel, r", lower=0.0, above=True)
    width: float = parameter("m", "width of the wheel, b", lower=0.0, above=True)
    normal_force: NormalForce = part("SOIL_SUPPORTS", "force over sinkage, or a given load")
    law: ConeIndexLaw = part("CONE_INDEX_LAWS", "thrust and motion resistance by the cone index")
    scheme: TractionScheme = part(
        "TRACTION_SCHEMES", "how thrust is solved for over a step", default=DissipativeTraction
    )
    lowest_speed: float = parameter(
        "m/s", "speed below which slip fades, for methods that need one", default=0.05, lower=0.0,
        above=True,
    )  # fmt: skip

    def problems(self) -> list[str]:
        law: object = self.law
        if isinstance(law, ConeIndexLaw):
            return []
        return [f"law: expected one of the cone index, such as brixius; got {type(law).__name__}"]

    @property
    def carrier(self) -> Frame:
        tail = turn_of(self.joint)[0].tail
        return next(frame for frame in self.joint.frames() if frame.name == tail)

    def frames(self) -> tuple[Frame, ...]:
        return (self.road, self.carrier)

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.road, self.carrier),)

    def measured_joints(self) -> tuple[str, ...]:
        return (turn_of(self.joint)[0].name,)

    def respond(self, now: Instant) -> Response:
        motion, r = now.motions[0], self.symbol("radius")
        axis = motion.R_tail_head @ Vector(turn_of(self.joint)[1])
        level = axis.cross(UNIT[2])
        forward = level * (ONE / sqrt(level.dot(level)))
        sinkage = r - motion.displacement[2]
        support = self.normal_force.support(
            sinkage, -motion.velocity[2], (), self._numbers_of("normal_force")
        )
        turning = axis.dot(motion.angular_velocity) + now.travels[0].rate
        at = _Rolling(
            forward,
            motion.velocity.dot(forward),
            turning * r,
            support.force,
            self.law.mobility_number(
                maximum(support.force, LEAST_LOAD), self._wheel(ZERO), self._numbers_of("law")
            ),
        )
        rows = (*self._thrust(at, axis), self._resistance(at))
        lift = support.force * motion.velocity[2]
        work = sum((self._force(row) * row.velocity for row in rows), lift)
        return Response(
            loads=(Load(self.road, self.carrier, UNIT[2] * support.force),),
            set_valued=rows,
            outputs=(
                *self._told(at, rows),
                Computed("sinkage", "m", "depth of the wheel's lowest point", sinkage),
                Computed("power", "W", "power of the soil on the wheel", work),
            ),
        )

    def _numbers_of(self, field: str) -> dict[str, Expr]:
        return {name: self.symbol(f"{field}.{name}") for name in getattr(self, field).numbers}

    def _wheel(self, slip: Expr) -> Wheel:
        return Wheel(self.symbol("radius"), self.symbol("width"), slip)

    def _force(self, row: SetValued) -> Expr:
        return reaction_symbol(self.name, row.reaction)

    def _thrust(self, at: _Rolling, axis: Vector) -> tuple[SetValued, ...]:
        ratio, slip = self.law.thrust_ratio, symbol(f"{self.name}.slip of the tangent")
        greatest = at.load * ratio(ONE, at.mobility)
        tangent = directional_derivative([ratio(slip, at.mobility)], {slip: 1.0})
        (steepness,) = substitute(tangent, {slip: at.slip})
        known = Thrust(
            at.sliding,
            at.greatest_speed,
            at.at_rest,
            at.slip,
            where(at.at_rest, greatest, at.load * ratio(at.slip, at.mobility)),
            greatest,
            at.load * steepness,
        )
        first, *others = self.scheme.rows(known)
        # At the rim: about the axle the force turns the wheel back, and the carrier not at all.
        r, edge = self.symbol("radius"), self.measured_joints()[0]
        load = Load(self.road, self.carrier, at.forward, axis * -r)
        joint_load = JointLoad(edge, -r)

        def row(own: ThrustRow, smooth: Expr) -> SetValued:
            return SetValued(
                own.reaction,
                velocity=at.sliding,
                lower=-own.bound,
                upper=own.bound,
                smooth=smooth,
                loads=(load,),
                joint_loads=(joint_load,),
                compliance=own.compliance,
                offset=own.offset,
            )

        return (row(first, self._smooth_thrust(at)), *(row(own, ZERO) for own in others))

    def _smooth_thrust(self, at: _Rolling) -> Expr:
        motion = soil_motion(at.rolling, at.travel, ZERO, self.symbol("lowest_speed"))
        forces = self.law.under_load(at.load, self._wheel(motion.slip), self._numbers_of("law"))
        thrust: Expr = motion.direction * forces.gross_traction
        return thrust

    def _resistance(self, at: _Rolling) -> SetValued:
        bound = at.load * self.law.resistance_ratio(at.slip, at.mobility)
        part_of_it = maximum(minimum(at.travel / self.symbol("lowest_speed"), 1.0), -1.0)
        return SetValued(
            RESISTANCE,
            velocity=-at.travel,
            lower=-bound,
            upper=bound,
            smooth=bound * part_of_it,
            loads=(Load(self.road, self.carrier, -at.forward),),
        )

    def _told(self, at: _Rolling, rows: tuple[SetValued, ...]) -> tuple[Computed, ...]:
        *thrust, resistance = (self._force(row) for row in rows)
        traction = sum(thrust, ZERO)
        driven = absolute(at.rolling) >= absolute(at.travel)
        slip = where(driven, at.slip, -at.slip)
        pull = "drawbar pull F_t - F_c, forward on the wheel"
        return (
            Computed("forward_speed", "m/s", "speed of the wheel's centre, v_x", at.travel),
            Computed("rolling_speed", "m/s", "speed of the rim, omega r", at.rolling),
            Computed("slip", "1", "slip, positive when driven; 0 at rest", slip),
            Computed("traction", "N", "gross traction F_t, forward on the wheel", traction),
            Computed("drawbar_pull", "N", pull, traction - resistance),
            Computed("normal_force", "N", "load on the soil, F_n", at.load),
            Computed("mobility_number", "1", "number that the ratios go by", at.mobility),
        )
