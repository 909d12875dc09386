"""A tyre at an instant: the chain of its parts, from the motion of the wheel to loads.

The ground gives a plane, the contact a patch on it; the belt and the contact point may move by
themselves. From their patch come normal force, slip and the law's forces, and the way back to
the rim is through the contact point, the lever and the belt. An ideal wheel has the rolling
constraint in the place of forces.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from axletree.components.contract import (
    Instant,
    JointLoad,
    Load,
    NamedOutput,
    RangeLimit,
    RelativeMotion,
    Response,
    VelocityConstraint,
    reaction_symbol,
)
from axletree.components.edges import Basis, Variable
from axletree.components.frames import Frame
from axletree.expr import ZERO, Expr, Value, Vector, maximum
from axletree.wheel.axis_systems import MIRROR, Signs, TyreSide
from axletree.wheel.bound_law import BoundLaw, called_slip
from axletree.wheel.carcass import Carcass, TreadAnswer, carried_tread
from axletree.wheel.contact_geometry import Patch, WheelOnPlane
from axletree.wheel.contract import Contact, Forces, TyreLaw
from axletree.wheel.ground_plane import GroundPoint, GroundUnderWheel, wheel_on_plane
from axletree.wheel.normal_forces import Support
from axletree.wheel.slip import KinematicSlip, LoadedRadius, Rolling, RollingRadius, Slip, SlipState

if TYPE_CHECKING:
    from axletree.wheel.tyre import Tyre

_DEEPEST = 0.5  # share of the radius: side walls are less high

WITH_STATES = ("slip", "normal_force", "belt", "contact_dynamics")  # fields, in this order


@dataclass(frozen=True)
class TyreEvaluation:
    """A tyre, and what holds at an instant."""

    tyre: Tyre
    now: Instant

    def response(self) -> Response:
        ground = self._ground
        place = ground.under(self.now.motions[0], Vector(self.tyre.axis))
        rim = self.tyre.contact.patch(self._wheel_on(place), self.tyre.numbers_of("contact"))
        if self.tyre.law.holds:
            return self._without_slip(rim)
        rim, constraints = self._met(rim)
        states = self._states
        belt = self.tyre.belt.carry(rim, states["belt"], self.tyre.numbers_of("belt"))
        values = self.tyre.numbers_of("contact_dynamics")
        patch = self.tyre.contact_dynamics.move(belt, states["contact_dynamics"], values)
        support = self._support(belt, states["normal_force"])
        effective = self._effective_radius(patch)
        rolling = self._rolling(patch, effective, support.force)
        tread = self._tread(rolling, patch, ground.friction(place), states["slip"])
        slip, forces = tread.slip, tread.forces
        moved = self.tyre.contact_dynamics.answer(belt, forces, states["contact_dynamics"], values)
        levered = self.tyre.lever.loads(belt, support.load, moved.forces) + moved.beside
        answer = self.tyre.belt.answer(rim, levered, states["belt"], self.tyre.numbers_of("belt"))
        loads, energies = answer.loads, {"belt": answer.energy, "contact": moved.energy}
        energies |= {"carcass": tread.energy}
        at_centre = Load(self.tyre.road, self.tyre.carrier, loads.force, loads.moment, Basis.HEAD)
        power = at_centre.power(self.now.motions[0]) + loads.torque * self.now.travels[0].rate
        reactions = [one.reaction.suffix for one in constraints]
        return Response(
            loads=(at_centre,),
            joint_loads=(JointLoad(self.tyre.axle.name, loads.torque),),
            rates=(*slip.rates, *support.rates, *answer.rates, *moved.rates),
            starts=(
                *(None,) * len((*slip.rates, *support.rates)),
                *answer.starts,
                *moved.starts,
            ),
            potential_energy=tread.energy,
            limits=(
                *self._limits(rim),
                *self._law.limits(self._asked(rolling, patch, slip)),
                *self.tyre.slip.limits(rolling, states["slip"]),
            ),
            constraints=constraints,
            intermediates=tuple(intermediates(patch, effective, rolling, slip, reactions)),
            outputs=(
                *force_outputs(forces, reactions),
                *stored_energies(energies),
                NamedOutput("power", "W", "power of the tyre", power),
                *contact_frame(patch, patch.loaded_radius, self.now.motions[0]),
            ),
        )

    @property
    def _states(self) -> dict[str, Sequence[Expr]]:
        """The states of each part that has some."""
        found, first = {}, 0
        for field in WITH_STATES:
            last = first + len(getattr(self.tyre, field).states())
            found[field], first = self.now.states[first:last], last
        return found

    @property
    def _ground(self) -> GroundUnderWheel:
        tyre, numbers = self.tyre, self.tyre.numbers_of
        shape = tyre.contact, numbers("contact"), tyre.symbol("unloaded_radius")
        return GroundUnderWheel(tyre.surface, numbers("surface"), *shape, tyre.contact_steps)

    def _wheel_on(self, place: GroundPoint) -> WheelOnPlane:
        radius, rate = self.tyre.symbol("unloaded_radius"), self.now.travels[0].rate
        wheel = wheel_on_plane(self.now.motions[0], place, Vector(self.tyre.axis), rate, radius)
        return replace(wheel, gravity=self.now.gravity[0]) if self.now.gravity else wheel

    def _support(self, patch: Patch, states: Sequence[Expr]) -> Support:
        if self.tyre.normal_force.holds:  # and pulls where the wheel would lift off
            reaction = maximum(reaction_symbol(self.tyre.name, FZ), 0.0)
            return Support(reaction, is_reaction=True)
        values = self.tyre.numbers_of("normal_force")
        return self.tyre.normal_force.support(
            patch.deflection, patch.deflection_rate, states, values
        )

    def _effective_radius(self, patch: Patch) -> Value:
        values = self.tyre.numbers_of("rolling_radius")
        return self.tyre.rolling_radius.radius(
            self.tyre.symbol("unloaded_radius"), patch.loaded_radius, values
        )

    def _rolling(self, patch: Patch, effective: Expr, load: Expr) -> Rolling:
        rolling = Rolling(
            sliding_speed=patch.sliding_speed(effective),
            lateral_speed=patch.lateral_speed,
            rolling_speed_E=patch.rolling_speed(effective),
            rolling_speed_P=patch.rolling_speed(patch.loaded_radius),
            normal_load=load,
            inclination=patch.inclination,
        )
        return self._law.with_lengths(rolling) if self.tyre.slip.takes_lengths else rolling

    def _wheel(self, patch: Patch) -> ConstrainedWheel:
        road, carrier, axle = self.tyre.road, self.tyre.carrier, self.tyre.axle.name
        return ConstrainedWheel(road, carrier, axle, Vector(self.tyre.axis), self.now, patch)

    def _met(self, patch: Patch) -> tuple[Patch, tuple[VelocityConstraint, ...]]:
        """The rim's patch, and what is held there beside the forces of a law."""
        if not self.tyre.normal_force.holds:
            return patch, tuple(slip_constraints(self._wheel(patch), self.tyre.law))
        met = patch_without_deflection(patch)
        wheel = self._wheel(met)
        height = height_constraint(wheel, patch.height, self.tyre.load_steps)
        return met, (*slip_constraints(wheel, self.tyre.law), height)

    def _without_slip(self, patch: Patch) -> Response:
        wheel, unloaded = self._wheel(patch), self.tyre.symbol("unloaded_radius")
        limits = tuple(self._limits(patch))
        if self.tyre.normal_force.holds:
            return replace(constrained_response(wheel, unloaded, None), limits=limits)
        support = self._support(patch, self._states["normal_force"])
        found = constrained_response(wheel, unloaded, support.force)
        return replace(found, rates=support.rates, limits=limits)

    def _limits(self, rim: Patch) -> Iterator[RangeLimit]:
        """Of the geometry: a wheel that stands, above the ground."""
        # A disc may spin almost flat.
        yield rim.lean_limit(is_harmless=self.tyre.normal_force.holds)
        if self.tyre.normal_force.holds:
            return
        radius = self.tyre.symbol("unloaded_radius")
        yield RangeLimit(
            rim.deflection - radius,
            "its centre is below the road; start it higher",
            bars_start=True,
        )
        yield RangeLimit(
            rim.deflection - _DEEPEST * radius,
            f"it is pressed in by more than {_DEEPEST:g} of its radius, where its rim would be on "
            "the road, which no law of tyres knows; look at its stiffness, its load and its start",
        )

    @property
    def _law(self) -> BoundLaw:
        return BoundLaw(self.tyre.law, self._signs, self.tyre.numbers_of("law"), self._pressure)

    def _tread(
        self, rolling: Rolling, patch: Patch, friction: Value, states: Sequence[Expr]
    ) -> TreadAnswer:
        """Slip and forces: those of the law at the slip of the tread."""
        own, numbers, law = self.tyre.slip, self.tyre.numbers_of("slip"), self._law
        contact = replace(self._contact_state(rolling, patch), friction=friction)
        if isinstance(own, Carcass):
            return carried_tread(own, law.secants, rolling, contact, states, numbers)
        slip = called_slip(own, rolling, states, numbers)
        moving = replace(contact, longitudinal_slip=slip.longitudinal, slip_angle=slip.angle)
        return TreadAnswer(slip, law.forces(moving), ZERO)

    def _asked(self, rolling: Rolling, patch: Patch, slip: SlipState) -> Contact:
        """What its law has to answer; a carcass keeps slips within the range of all laws."""
        contact = self._contact_state(rolling, patch)
        if isinstance(self.tyre.slip, Carcass):
            return contact
        return replace(contact, longitudinal_slip=slip.longitudinal, slip_angle=slip.angle)

    def _contact_state(self, rolling: Rolling, patch: Patch) -> Contact:
        """All but the slip."""
        radius, shape = self.tyre.symbol("unloaded_radius"), self.tyre.numbers_of("contact")
        length, width = self.tyre.contact.size(patch.deflection, radius, shape)
        return Contact(
            normal_load=rolling.normal_load,
            longitudinal_slip=ZERO,
            slip_angle=ZERO,
            inclination=rolling.inclination,
            forward_speed=rolling.rolling_speed_P,
            spin_rate=patch.spin_rate,
            turn_slip=patch.turn_slip(rolling.rolling_speed_P),
            sliding_speed=rolling.sliding_speed,
            lateral_speed=rolling.lateral_speed,
            rolling_speed=rolling.rolling_speed_E - rolling.sliding_speed,
            bore_rate=patch.bore_rate,
            radius=radius,
            deflection=patch.deflection,
            patch_length=length,
            patch_width=width,
        )

    @property
    def _signs(self) -> Signs:
        """The one rule of sides: a law of the other side sees the world in a mirror."""
        sides = {self.tyre.side, self.tyre.law.side}
        return MIRROR if self.tyre.mirrored or sides == {TyreSide.LEFT, TyreSide.RIGHT} else {}

    @property
    def _pressure(self) -> Expr | None:
        given = self.tyre.inflation_pressure is not None
        return self.tyre.symbol("inflation_pressure") if given else None


# The named outputs of a tyre: block 1, forces and moments, and where it meets the ground.
#
# Numbers of tables are those of Morency 2007.


def intermediates(
    patch: Patch, effective: Any, rolling: Rolling, slip: SlipState, reactions: Collection[str] = ()
) -> Iterator[NamedOutput]:
    """Block 1 (table 4.3), but for a normal force that is a reaction."""
    yield NamedOutput(
        "inclination", "rad", "gamma, of the wheel plane to the normal", rolling.inclination
    )
    yield NamedOutput("loaded_radius", "m", "R_l, unloaded less deflection", patch.loaded_radius)
    if "Fz" not in reactions:
        yield NamedOutput("Fz", "N", "normal force on the tyre", rolling.normal_load)
    yield NamedOutput("effective_radius", "m", "R_eff, of free rolling", effective)
    yield NamedOutput("spin_rate", "rad/s", "Omega, about the axis of symmetry", patch.spin_rate)
    yield NamedOutput("VCx", "m/s", "forward speed of the centre", patch.centre_speed)
    yield NamedOutput("VEx", "m/s", "sliding speed at the effective radius", rolling.sliding_speed)
    yield NamedOutput("VPy", "m/s", "lateral speed of the contact point", rolling.lateral_speed)
    at_contact = patch.sliding_speed(patch.loaded_radius)
    yield NamedOutput("VPx", "m/s", "sliding speed at the loaded radius", at_contact)
    yield NamedOutput("VEx_star", "m/s", "V*_Ex, VEx without the spin", rolling.rolling_speed_E)
    yield NamedOutput("VPx_star", "m/s", "V*_Px, VPx without the spin", rolling.rolling_speed_P)
    yield NamedOutput("slip", "1", "S, longitudinal slip", slip.longitudinal)
    yield NamedOutput("slip_angle", "rad", "alpha, slip angle", slip.angle)
    turn_slip = patch.turn_slip(rolling.rolling_speed_P)
    yield NamedOutput("turn_slip", "1/m", "phi_t, curvature of the path", turn_slip)


def force_outputs(f: Forces, reactions: Collection[str] = ()) -> Iterator[NamedOutput]:
    """Forces and moments, but for those that are reactions."""
    texts = {
        "Fx": ("N", "longitudinal force on the tyre, ISO axes"),
        "Fy": ("N", "lateral force on the tyre, ISO axes"),
        "Mx": ("N*m", "overturning moment on the tyre, ISO axes"),
        "My": ("N*m", "rolling resistance moment on the tyre, ISO axes"),
        "Mz": ("N*m", "aligning moment on the tyre, ISO axes"),
    }
    computed = {name: texts[name] for name in texts if name not in reactions}
    for name, (unit, text) in computed.items():
        yield NamedOutput(name, unit, text, getattr(f, name))


def contact_frame(patch: Patch, radius: Expr, motion: RelativeMotion) -> Iterator[NamedOutput]:
    """Where the tyre meets the ground and along which axes, in the axes of the road.

    In the air it is the place on the ground where the tyre would come down.
    """
    R, reach = motion.R_tail_head, patch.reach(radius)
    aside, below = reach.left(patch.lean), reach.below(patch.lean)
    point = motion.displacement + R @ (patch.y_C * aside - patch.n_C * below)
    for word, unit, text, vector in (
        ("contact_point", "m", "point of contact with the ground", point),
        ("forward", "1", "direction of Fx", R @ patch.x_C),
        ("normal", "1", "direction of Fz, the ground's normal", R @ patch.n_C),
    ):
        for axis, component in zip("xyz", vector, strict=True):
            yield NamedOutput(f"{word}.{axis}", unit, f"{axis} of the {text}, road axes", component)


def stored_energies(energies: Mapping[str, Expr]) -> Iterator[NamedOutput]:
    """What parts with dynamics of their own store, by the word of the part."""
    for word, energy in energies.items():
        if not energy.is_zero:
            yield NamedOutput(f"{word}_energy", "J", f"energy stored in the {word}", energy)


# The rolling constraint of an ideal wheel: what does not move at the contact is kept by reactions.
#
# In ISO axes the contact point lies at (0, a, -h) from the wheel's centre; ``CrossSection`` has a
# and
# h. A unit force along e there is a force e at the centre, a moment r_P x e, and the torque u .
# (r_P
# x e) on the axle. What it does work on is the velocity of the wheel's material point at the
# contact
# along e, so that each reaction and its velocity are dual by construction. Along the normal that
# velocity is the rate of the gap under the wheel's lowest point. ``contact_geometry`` explains the
# symbols.

FX = Variable("Fx", "N", "longitudinal force on the tyre, ISO axes: holds its slip at zero")
FY = Variable("Fy", "N", "lateral force on the tyre, ISO axes: holds its side slip at zero")
FZ = Variable("Fz", "N", "normal force on the tyre, negative where it has to pull")


@dataclass(frozen=True)
class ConstrainedWheel:
    """A wheel at an instant; vectors in carrier components."""

    road: Frame
    carrier: Frame
    axle: str  # the edge that turns
    axis: Vector  # of the wheel, to the left
    now: Instant  # motion of the carrier in the road, travel of the axle
    patch: Patch

    @property
    def motion(self) -> RelativeMotion:
        return self.now.motions[0]


def constraint_problems(law: TyreLaw, slip: Slip, rolling_radius: RollingRadius) -> list[str]:
    """What does not go together with laws that hold."""
    found, name = [], type(law).__name__
    if law.holds and not isinstance(slip, KinematicSlip):
        found.append(f"the law, {name}, leaves no slip that could lag; leave slip out")
    if (law.holds or law.holds_longitudinal) and not isinstance(rolling_radius, LoadedRadius):
        found.append(
            f"the law, {name}, holds the contact point itself, which rolls at the loaded "
            "radius; leave rolling_radius out"
        )
    return found


def constrained_response(
    wheel: ConstrainedWheel, rigid_radius: Expr, normal_load: Expr | None
) -> Response:
    """Slip is held, and without a ``normal_load`` [N] the height of the wheel is, too.

    Then the radius is ``rigid_radius`` [m]; under a load it is the loaded one.
    """
    patch = wheel.patch
    radius = rigid_radius if normal_load is None else patch.loaded_radius
    reach = patch.reach(radius)
    aside, below = reach.left(patch.lean), reach.below(patch.lean)
    x, y, n = patch.x_C, patch.y_C, patch.n_C
    constraints = [
        _constraint(wheel, FX, x, -(n * aside + y * below)),
        _constraint(wheel, FY, y, x * below),
    ]
    if normal_load is None:
        constraints.append(_constraint(wheel, FZ, n, x * aside, patch.height - below))
        return Response(
            constraints=tuple(constraints), outputs=tuple(_outputs(wheel, radius, ZERO))
        )
    moment = x * (aside * normal_load)
    load = Load(wheel.road, wheel.carrier, n * normal_load, moment, Basis.HEAD)
    Fz = NamedOutput(FZ.suffix, FZ.unit, "normal force on the tyre", normal_load)
    outputs = _outputs(wheel, radius, load.power(wheel.motion))
    return Response(loads=(load,), constraints=tuple(constraints), outputs=(Fz, *outputs))


def patch_without_deflection(patch: Patch) -> Patch:
    """The patch of a wheel without deflection, wherever its centre is: on the ground."""
    wheel, unloaded = patch.wheel, patch.wheel.unloaded_radius
    below = patch.reach(unloaded).below(patch.lean)
    lateral_speed = wheel.velocity.dot(patch.y_C) + below * patch.lean_rate
    return replace(patch, height=below, loaded_radius=unloaded, lateral_speed=lateral_speed)


def height_constraint(wheel: ConstrainedWheel, centre: Expr, steps: int) -> VelocityConstraint:
    """The lowest point of a wheel that stands; ``centre`` [m] is where its own is.

    Forces of a law that slips depend on this reaction, which is found in ``steps``.
    """
    patch = wheel.patch
    found = _constraint(wheel, FZ, patch.n_C, patch.x_C * patch.offset, centre - patch.height)
    return replace(found, steps=steps)


def slip_constraints(wheel: ConstrainedWheel, law: TyreLaw) -> Iterator[VelocityConstraint]:
    """What a law holds of a wheel on which it has other effects too."""
    patch = wheel.patch
    if law.holds_longitudinal:
        aside = patch.reach(patch.loaded_radius).left(patch.lean)
        yield _constraint(wheel, FX, patch.x_C, -(patch.n_C * aside + patch.y_C * patch.height))
    if law.holds_lateral:
        yield _constraint(wheel, FY, patch.y_C, patch.x_C * patch.height)


def _constraint(
    wheel: ConstrainedWheel,
    reaction: Variable,
    direction: Vector,
    moment: Vector,
    position: Expr | None = None,
) -> VelocityConstraint:
    """``moment`` [m] is that of a unit force along the direction about the wheel's centre."""
    v, w = wheel.motion.velocity_head, wheel.motion.angular_velocity_head
    torque = wheel.axis.dot(moment)
    rate = wheel.now.travels[0].rate
    return VelocityConstraint(
        reaction=reaction,
        velocity=v.dot(direction) + w.dot(moment) + torque * rate,
        loads=(Load(wheel.road, wheel.carrier, direction, moment, Basis.HEAD),),
        joint_loads=(JointLoad(wheel.axle, torque),),
        position=position,
    )


def _outputs(wheel: ConstrainedWheel, radius: Expr, power: Expr) -> Iterator[NamedOutput]:
    """``power`` is that of the normal force by deflection; reactions have none."""
    patch, tilt = wheel.patch, "gamma, of the wheel plane to the normal"
    yield NamedOutput("inclination", "rad", tilt, patch.inclination)
    yield NamedOutput("loaded_radius", "m", "R_l, unloaded less deflection", radius)
    yield NamedOutput("spin_rate", "rad/s", "Omega, about the axis of symmetry", patch.spin_rate)
    yield NamedOutput("VCx", "m/s", "forward speed of the centre", patch.centre_speed)
    yield NamedOutput("power", "W", "power of the tyre", power)
    yield from contact_frame(patch, radius, wheel.motion)
