"""The soil wheel: a wheel on soft ground that drives, brakes, drifts and stays parked.

Numbers of equations are those of Peiret et al.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from axletree.components.contract import (
    Component,
    Instant,
    NamedOutput,
    RangeLimit,
    Response,
    SetValued,
    reaction_symbol,
)
from axletree.components.fields import fixed_number, part, positive
from axletree.components.frames import Frame, frame
from axletree.components.joints import turning_joint
from axletree.expr import Expr, Value, absolute, as_expr, asin, atan2, maximum, minimum, sign, where
from axletree.expr.expression import ONE, ZERO
from axletree.expr.vectors import Vector
from axletree.ground.surfaces import Flat, Surface
from axletree.wheel.contact_geometry import PlanarDisc
from axletree.wheel.ground_plane import GroundUnderWheel, wheel_on_plane
from axletree.wheel.soils.contract import SoilGrip, SoilLaw, WheelInSoil, called_grip
from axletree.wheel.soils.set_valued_forces import (
    DRY,
    ELASTIC,
    LEAST_FORCE,
    NORMAL,
    PLASTIC,
    THRUST,
    VISCOUS,
    Carrying,
    DissipativeTraction,
    Smoothed,
    SoilPush,
    SoilRows,
    TractionScheme,
    pushing,
)
from axletree.wheel.soils.supports import Bearing, OwnSupport, SoilSupport, SunkWheel, sunk_wheel
from axletree.wheel.soils.wheel_motion import SoilRolling
from axletree.wheel.wheel import GroundPatch, Wheel, WheelOutputs


@dataclass(frozen=True, eq=False)
class SoilWheel(Wheel):
    """A wheel on soft ground over the xy plane of a road frame, on the axle that carries it.

    The axle's tail is the carrier, its head the wheel, and its axis points to the left where the
    wheel shall roll forward at a positive rate. The wheel may lean and drift; the road may move.

    All forces are set-valued: with a method that solves for them ("complementarity") a wheel that
    stands is held, up to its thrust in full slip, its resistance and its side strength (a box),
    and rests. Stiff ground is stable at any step. For all other methods slip fades below
    ``lowest_speed`` (7), and a wheel under load creeps; a run in which it does for a second says
    so.

    Example:
    >>> import axletree as at
    >>> from axletree.wheel.soils.contract import WheelInSoil
    >>> wheel = at.read_model("soil-bin")["soil"]
    >>> slips = WheelInSoil(wheel.radius, wheel.width, slip=0.2)  # m, m, 1
    >>> print(f"{wheel.law(4000.0, slips).drawbar_pull:.0f} N under 4000 N")
    604 N under 4000 N
    """

    summary: ClassVar[str] = "wheel on soft ground: drives, brakes, drifts, stays parked"
    outputs: ClassVar[WheelOutputs] = WheelOutputs(
        "normal_force", "drawbar_pull", ("lateral_force", "side_force"), sinkage="sinkage"
    )
    is_soft_ground: ClassVar[bool] = True

    joint: Component = turning_joint("axle that the wheel turns on, from carrier to wheel")
    road: Frame = frame("frame over whose xy plane the ground lies, z up")
    radius: float = positive("m", "radius of the wheel, r")
    width: float = positive("m", "width of the wheel, b")
    law: SoilLaw = part("SOIL_LAWS", "forces over slip, under a load or at a sinkage")
    normal_force: SoilSupport = part(
        "SOIL_SUPPORTS", "force over sinkage, or a given load", default=OwnSupport
    )
    scheme: TractionScheme = part(
        "TRACTION_SCHEMES", "how thrust is solved for over a step", default=DissipativeTraction
    )
    surface: Surface = part("SURFACES", "shape of the ground where nobody has driven", default=Flat)
    lowest_speed: float = positive(
        "m/s", "speed below which slip fades, in the normal force and in smoothed forces",
        default=0.05,
    )  # fmt: skip
    contact_steps: int = fixed_number(
        "1", "steps of the search for the lowest point on curved ground", default=3, lower=1,
        whole=True,
    )  # fmt: skip

    def problems(self) -> list[str]:
        kinds: dict[str, tuple[object, type]] = {
            "law": (self.law, SoilLaw),
            "normal_force": (self.normal_force, SoilSupport),
            "scheme": (self.scheme, TractionScheme),
        }
        wrong = [
            f"{name}: expected a {kind.__name__}, got a {type(held).__name__}"
            for name, (held, kind) in kinds.items()
            if not isinstance(held, kind)
        ]
        return wrong or self._mismatch()

    def _mismatch(self) -> list[str]:
        if self.law.knows_sinkage or not self.normal_force.is_of_law:
            return []
        return [
            f"normal_force: {type(self.law).__name__} knows no sinkage, so what carries the wheel "
            "has to be told; give one such as {type: linear, stiffness: 100 kN/m}, or "
            "{type: underneath, law: {type: wong-reece, soil: dry-sand-lll}}"
        ]

    def drawn_radius(self, values: Mapping[str, float]) -> float:
        return self.value("radius", values, self.radius)

    def drawn_width(self, values: Mapping[str, float]) -> float:
        return self.value("width", values, self.width)

    def patches(self, values: Mapping[str, float]) -> Sequence[GroundPatch]:
        return self.law.ground_patches(self.values_of("law", values))

    def respond(self, now: Instant) -> Response:
        at = self._rolling(now)
        slow, axle = self.symbol("lowest_speed"), self.measured_joints()[0]
        soft_wheel, direction = at.fading_wheel(slow)
        bearing, load = self._carried(at, soft_wheel)
        grip, soft = (self._grip(at, wheel, load) for wheel in (at.wheel, soft_wheel))
        carrying = Carrying(at, bearing, axle, soft, slow)
        smoothed, share = Smoothed(soft, direction, slow), carrying.share(self.name)
        rows = SoilRows(self.road, self.carrier, axle, at, grip, smoothed, carrying, share)
        given = load if self.normal_force.is_given else None
        # Those along the ground go by the load.
        forces = [] if given is not None else list(carrying.rows(rows.upward()))
        forces += rows.along(self.scheme)
        pushes = list(rows.push())
        loads = [load for load, _ in pushes]
        if given is not None:
            loads.append(rows.upward(given))
        told = SoilOutputs(
            at, grip, given, carrying, share, self._reactions(forces), forces, rows.pushed,
            self._compared(at, load),
        )  # fmt: skip
        return Response(
            loads=tuple(loads),
            joint_loads=tuple(torque for _, torque in pushes),
            set_valued=tuple(forces),
            outputs=tuple(told.outputs()),
            limits=(
                RangeLimit(
                    at.sinkage - at.radius,
                    "its centre is below the ground; start it higher",
                    bars_start=True,
                ),
                RangeLimit(
                    at.sinkage - at.radius,
                    "it sinks in by more than its radius: the soil does not carry it; take a "
                    "firmer soil, a wider wheel or a smaller load",
                ),
                at.patch.lean_limit(),
            ),
        )

    def _reactions(self, forces: Sequence[SetValued]) -> dict[str, Expr]:
        reactions = (force.reaction for force in forces)
        return {one.suffix: reaction_symbol(self.name, one) for one in reactions}

    def _rolling(self, now: Instant) -> SoilRolling:
        motion, axis = now.motions[0], Vector(self.axis)
        radius, disc = self.symbol("radius"), PlanarDisc()
        ground = GroundUnderWheel(
            self.surface, self.numbers_of("surface"), disc, {}, radius, self.contact_steps
        )
        place = ground.under(motion, axis)
        on_plane = wheel_on_plane(motion, place, axis, now.travels[0].rate, radius)
        patch = disc.patch(on_plane, {})
        level = isinstance(self.surface, Flat)
        rise = ZERO if level else (motion.R_tail_head @ patch.x_C)[2]
        width, turned = self.symbol("width"), motion.R_tail_head.T
        return SoilRolling(patch, place, radius, width, rise, turned)

    def _carried(self, at: SoilRolling, wheel: WheelInSoil) -> tuple[Bearing, Expr | None]:
        """How the soil carries, and the load [N] where that is known before the forces.

        By the slip that fades: near rest slip may be anything from one step to the next, and a
        push that went by it would shake the vehicle.
        """
        own = self.numbers_of("normal_force")
        if self.normal_force.is_of_law:
            found = self._grip(at, wheel, None).forces
            bearing = self.normal_force.bearing(sunk_wheel(at.sinkage, wheel, found), own)
            return bearing, None
        bearing = self.normal_force.bearing(SunkWheel(at.sinkage, wheel), own)
        if self.normal_force.is_given:
            return bearing, as_expr(bearing.force)
        return bearing, pushing(at, bearing.force, bearing.damping)

    def _grip(self, at: SoilRolling, wheel: WheelInSoil, load: Expr | None) -> SoilGrip:
        """What the soil has for the wheel at its sinkage, or under a load [N]."""
        sinkage, numbers = at.sinkage if load is None else None, self.numbers_of("law")
        return called_grip(self.law, wheel, numbers, sinkage=sinkage, load=load)

    def _compared(self, at: SoilRolling, load: Expr | None) -> Mapping[str, Expr]:
        if load is None:
            return {}
        return self.law.compared_by(load, at.wheel, self.numbers_of("law"))


LEAST_POWER = 1e-9  # W, of a divisor
COMPARED = {
    "wheel_numeric": "C_n = c_i b D / W",
    "clay_number": "number of the Waterways Experiment Station for clay",
}
SLOW = 0.05  # m/s, of a wheel that may be held


@dataclass(frozen=True)
class SoilOutputs:
    """The forces of a step or, for methods without steps of that kind, the smoothed ones."""

    at: SoilRolling
    grip: SoilGrip
    load: Expr | None  # [N], where it is no reaction
    carrying: Carrying
    share: Expr  # [1], of the law's forces
    reactions: Mapping[str, Expr]  # by suffix
    forces: Sequence[SetValued]
    pushed: SoilPush
    compared: Mapping[str, Expr]  # numbers [1] by the cone index

    def outputs(self) -> Iterator[NamedOutput]:
        """Speeds and slip, forces, and where the wheel is in the soil."""
        yield from self._motion()
        yield from self._forces()
        yield from self._place()

    def _reaction(self, suffix: str) -> Expr:
        return self.reactions.get(suffix, ZERO)

    @property
    def _load(self) -> Value:
        if self.load is not None:
            return self.load
        return self._plastic_load + self._reaction(ELASTIC.suffix)

    @property
    def _plastic_load(self) -> Value:
        if PLASTIC.suffix not in self.reactions:
            return ZERO
        return self._reaction(PLASTIC.suffix) * self.carrying.plastic_load

    def _motion(self) -> Iterator[NamedOutput]:
        at = self.at
        yield NamedOutput("forward_speed", "m/s", "speed of the wheel's centre, v_x", at.travel)
        yield NamedOutput("rolling_speed", "m/s", "speed of the rim, omega r", at.rolling)
        yield NamedOutput("lateral_speed", "m/s", "speed of the lowest point to the left", at.drift)
        text = "slip, positive when driven; 0 at rest"
        yield NamedOutput("slip", "1", text, at.signed_slip)
        angle = where(at.at_rest, ZERO, atan2(at.drift, absolute(at.travel)))
        yield NamedOutput("slip_angle", "rad", "of the drift to the left", angle)

    def _forces(self) -> Iterator[NamedOutput]:
        thrust = sum((self._reaction(v.suffix) for v in (THRUST, DRY, VISCOUS)), ZERO)
        net = self._reaction("net_resistance")
        net = net + self.carrying.backward * self._plastic_load
        # Near rest that part of the thrust of rolling which goes with the resistance there is.
        taken = net / maximum(as_expr(self.grip.net_resistance), LEAST_FORCE)
        part = maximum(minimum(taken, 1.0), -1.0)
        moves = absolute(self.at.travel) > SLOW
        # A share of 0 is that of a step before the soil began.
        share = where(self._reaction(PLASTIC.suffix) > 0.0, self.share, ONE)
        rolling = self.grip.rolling_thrust * where(moves, sign(self.at.travel) * share, part)
        thrust = thrust + self.pushed.forward
        pull = thrust - net
        turned = self.at.radius * (thrust - self.pushed.forward) - self.pushed.torque
        torque = turned + self._reaction("rolling_moment")
        about = self.carrying.against_rolling * self._plastic_load
        torque = torque + about * self.at.radius
        driven = torque * self.at.turning
        given = where(driven > LEAST_POWER, driven, 1.0)
        pulled = maximum(pull * self.at.travel, 0.0)
        efficiency = where(driven > LEAST_POWER, pulled / given, ZERO)
        text = "gross traction F_t, forward on the wheel"
        yield NamedOutput("traction", "N", text, thrust + rolling)
        yield NamedOutput("resistance", "N", "motion resistance F_c, backward", net + rolling)
        yield NamedOutput("drawbar_pull", "N", "F_t - F_c, forward on the wheel", pull)
        yield NamedOutput("torque", "N*m", "moment of the soil about the axle, backward", torque)
        text = "power of the drawbar pull over that of the torque; 0 unless it drives"
        yield NamedOutput("tractive_efficiency", "1", text, efficiency)
        if "normal_force" not in self.reactions:
            yield NamedOutput("normal_force", "N", NORMAL.description, self._load)
        yield from self._pushes()

    def _pushes(self) -> Iterator[NamedOutput]:
        pushed = self.pushed
        side = self._reaction("side_force") + pushed.left
        found = (
            ("edge_force", "N", "forward at the centre, where soils differ", pushed.ahead),
            ("aligning_moment", "N*m", "about the normal of the ground", pushed.aligning),
            ("overturning_moment", "N*m", "about the forward direction", pushed.overturning),
        )
        if not pushed.left.is_zero:
            text = "side force, and what pushes without drift"
            yield NamedOutput("lateral_force", "N", text, side)
        for suffix, unit, text, value in found:
            if not value.is_zero:
                yield NamedOutput(suffix, unit, text, value)

    def _place(self) -> Iterator[NamedOutput]:
        forces = self.grip.forces
        by_law = not as_expr(forces.sinkage).is_zero
        sinkage = forces.sinkage if by_law else self.at.sinkage
        yield NamedOutput("sinkage", "m", "depth of the wheel's lowest point", sinkage)
        slope = asin(maximum(minimum(self.at.rise, 1.0), -1.0))
        yield NamedOutput("slope", "rad", "slope of the ground ahead, uphill if positive", slope)
        if by_law:
            yield NamedOutput("entry_angle", "rad", "theta_1, ahead", forces.entry_angle)
            yield NamedOutput("exit_angle", "rad", "theta_2, negative behind", forces.exit_angle)
        if not as_expr(self.grip.mobility_number).is_zero:
            text = "number that the ratios go by"
            yield NamedOutput("mobility_number", "1", text, self.grip.mobility_number)
        for suffix, value in self.compared.items():
            yield NamedOutput(suffix, "1", COMPARED[suffix], value)
        work = sum((self._reaction(f.reaction.suffix) * f.velocity for f in self.forces), ZERO)
        if self.load is not None:
            work = work + self.load * self.at.climb
        work = work + self.pushed.power
        yield NamedOutput("power", "W", "power of the soil on the wheel", work)
