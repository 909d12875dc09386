"""A tyre at an instant: the chain of its parts, from the motion of the wheel to loads.

The ground gives a plane, the contact a patch on it; the belt and the contact point may move by
themselves. From their patch come normal force, slip and the law's forces, and the way back to
the rim is through the contact point, the lever and the belt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from axletree.components.edges import Basis
from axletree.components.exchange import (
    Instant,
    JointLoad,
    Load,
    NamedOutput,
    Response,
    VelocityConstraint,
    reaction_symbol,
)
from axletree.expr import Expr, maximum
from axletree.expr.vectors import Vector
from axletree.wheel.axis_systems import MIRROR, Signs, TyreSide
from axletree.wheel.bound_law import BoundLaw, called_slip
from axletree.wheel.contact_geometry import Patch, WheelOnPlane
from axletree.wheel.contract import Contact
from axletree.wheel.ground_plane import GroundPoint, GroundUnderWheel, wheel_on_plane
from axletree.wheel.normal_forces import Support
from axletree.wheel.outputs import contact_frame, force_outputs, intermediates, stored_energies
from axletree.wheel.rolling_constraint import (
    FZ,
    ConstrainedWheel,
    constrained_response,
    height_constraint,
    patch_without_deflection,
    slip_constraints,
)
from axletree.wheel.slip import Rolling, SlipState

if TYPE_CHECKING:
    from axletree.wheel.tyre import Tyre

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
            return self._held(rim)
        rim, held = self._met(rim)
        states = self._states
        belt = self.tyre.belt.carry(rim, states["belt"], self.tyre.numbers_of("belt"))
        values = self.tyre.numbers_of("contact_dynamics")
        patch = self.tyre.contact_dynamics.move(belt, states["contact_dynamics"], values)
        support = self._support(belt, states["normal_force"])
        effective = self._effective_radius(patch)
        rolling = self._rolling(patch, effective, support.force)
        slip = called_slip(self.tyre.slip, rolling, states["slip"], self.tyre.numbers_of("slip"))
        contact = replace(
            self._contact_state(rolling, slip, patch), friction=ground.friction(place)
        )
        forces = self._law.forces(contact)
        moved = self.tyre.contact_dynamics.answer(belt, forces, states["contact_dynamics"], values)
        levered = self.tyre.lever.loads(belt, support.load, moved.forces) + moved.beside
        answer = self.tyre.belt.answer(rim, levered, states["belt"], self.tyre.numbers_of("belt"))
        loads, energies = answer.loads, {"belt": answer.energy, "contact": moved.energy}
        at_centre = Load(self.tyre.road, self.tyre.carrier, loads.force, loads.moment, Basis.HEAD)
        power = at_centre.power(self.now.motions[0]) + loads.torque * self.now.travels[0].rate
        reactions = [one.reaction.suffix for one in held]
        return Response(
            loads=(at_centre,),
            joint_loads=(JointLoad(self.tyre.axle.name, loads.torque),),
            rates=(*slip.rates, *support.rates, *answer.rates, *moved.rates),
            held=held,
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
        return GroundUnderWheel(
            self.tyre.surface,
            self.tyre.numbers_of("surface"),
            self.tyre.contact,
            self.tyre.numbers_of("contact"),
            self.tyre.symbol("unloaded_radius"),
            self.tyre.contact_steps,
        )

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

    def _effective_radius(self, patch: Patch) -> Expr:
        values = self.tyre.numbers_of("rolling_radius")
        found: Expr = self.tyre.rolling_radius.radius(
            self.tyre.symbol("unloaded_radius"), patch.loaded_radius, values
        )
        return found

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
        return ConstrainedWheel(
            self.tyre.road,
            self.tyre.carrier,
            self.tyre.axle.name,
            Vector(self.tyre.axis),
            self.now,
            patch,
        )

    def _met(self, patch: Patch) -> tuple[Patch, tuple[VelocityConstraint, ...]]:
        """The rim's patch, and what is held there beside the forces of a law."""
        if not self.tyre.normal_force.holds:
            return patch, tuple(slip_constraints(self._wheel(patch), self.tyre.law))
        met = patch_without_deflection(patch)
        wheel = self._wheel(met)
        height = height_constraint(wheel, patch.height, self.tyre.load_steps)
        return met, (*slip_constraints(wheel, self.tyre.law), height)

    def _held(self, patch: Patch) -> Response:
        wheel, unloaded = self._wheel(patch), self.tyre.symbol("unloaded_radius")
        if self.tyre.normal_force.holds:
            return constrained_response(wheel, unloaded, None)
        support = self._support(patch, self._states["normal_force"])
        return replace(constrained_response(wheel, unloaded, support.force), rates=support.rates)

    @property
    def _law(self) -> BoundLaw:
        return BoundLaw(self.tyre.law, self._signs, self.tyre.numbers_of("law"), self._pressure)

    def _contact_state(self, rolling: Rolling, slip: SlipState, patch: Patch) -> Contact:
        radius, shape = self.tyre.symbol("unloaded_radius"), self.tyre.numbers_of("contact")
        length, width = self.tyre.contact.size(patch.deflection, radius, shape)
        return Contact(
            normal_load=rolling.normal_load,
            longitudinal_slip=slip.longitudinal,
            slip_angle=slip.angle,
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
