"""The tyre: what acts between a wheel and a planar road.

Numbers of equations, tables and sections are those of Morency 2007.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from axletree.core.expr import Expr
from axletree.core.vectors import Vector
from axletree.library.contract import Component, Computed, Instant, JointLoad, Load, Response
from axletree.library.edge import ROTATION, TRANSLATION, Basis, Edge, Variable
from axletree.library.fields import choice, flag, optional_parameter, parameter
from axletree.library.frame import Frame, frame
from axletree.library.joint_reference import turn_of, turning_joint
from axletree.library.load_edges import LOAD_RANK
from axletree.library.motion.free import Orientation, Speeds, free_rotation, free_translation
from axletree.library.part import Part, part
from axletree.library.tyres.axis_system import MIRROR, Signs, with_signs
from axletree.library.tyres.calls import called_forces, called_lengths, called_slip
from axletree.library.tyres.contact_geometry import ContactGeometry, PlanarDisc, Toroid
from axletree.library.tyres.contract import Contact, Forces, TyreLaw, knows_pressure
from axletree.library.tyres.held_contact import (
    HeldWheel,
    held_problems,
    held_response,
    held_side_slip,
)
from axletree.library.tyres.normal_force import NormalForce
from axletree.library.tyres.patch import Patch
from axletree.library.tyres.recorded import intermediates, outputs
from axletree.library.tyres.rolling_radius import LoadedRadius, RollingRadius
from axletree.library.tyres.side import Side
from axletree.library.tyres.slip import KinematicSlip, Rolling, Slip, SlipState


@dataclass(frozen=True, eq=False)
class Tyre(Component):
    """A tyre on the wheel that an axle carries, on the xy plane of a road frame.

    The axle's tail is the carrier, its head the wheel, and its axis points to the left
    where the wheel shall roll forward at a positive rate. The tyre sees the carrier and
    the rate of the axle, never the spin angle. The road may move.
    """

    summary: ClassVar[str] = "tyre on a planar road: contact, slip, forces and moments"

    name: str
    joint: Component = turning_joint("axle that the wheel turns on, from carrier to wheel")
    road: Frame = frame("frame whose xy plane is the road, z up")
    unloaded_radius: float = parameter("m", "radius without load", lower=0.0, above=True)
    normal_force: NormalForce = part("NORMAL_FORCES", "force over deflection")
    law: TyreLaw = part("TYRES", "forces over slip")
    slip: Slip = part("SLIPS", "slip from velocities", default=KinematicSlip)
    rolling_radius: RollingRadius = part(
        "ROLLING_RADII", "method for the effective rolling radius", default=LoadedRadius
    )
    mirrored: bool = flag("whether the law is that of a tyre for the other side", default=False)
    contact: ContactGeometry = part(
        "CONTACTS", "shape by which the tyre meets the road", default=PlanarDisc
    )
    side: Side = choice(Side, "side of the vehicle that the tyre is on", default=Side.EITHER)
    inflation_pressure: float | None = optional_parameter(
        "Pa", "inflation pressure, for laws that know one; the law's own by default", lower=0.0,
        above=True,
    )  # fmt: skip

    def problems(self) -> list[str]:
        law = type(self.law).__name__
        found = held_problems(self.normal_force, self.law, self.slip, self.rolling_radius)
        if self.mirrored and Side.EITHER not in (self.side, self.law.side):
            found.append("the sides of tyre and law tell what mirrored would; leave it out")
        if self.slip.takes_lengths and not self.law.has_relaxation_lengths:
            found.append(
                f"slip takes the relaxation lengths of the law, but this {law} has none; "
                "give them with constant-lag or stretched-string"
            )
        if self.slip.states() and not self.law.takes_slip:
            found.append(
                f"the law, {law}, goes by velocities and feels no lag of slip; leave slip out"
            )
        if self.inflation_pressure is not None and not knows_pressure(self.law):
            found.append(f"inflation_pressure has no effect on the law, {law}; leave it out")
        if isinstance(self.contact, Toroid) and self.contact.crown_radius >= self.unloaded_radius:
            found.append("the crown_radius of the contact must be less than the unloaded_radius")
        return found

    @property
    def _signs(self) -> Signs:
        """The one rule of sides: a law of the other side sees the world in a mirror."""
        sides = {self.side, self.law.side}
        return MIRROR if self.mirrored or sides == {Side.LEFT, Side.RIGHT} else {}

    @property
    def _pressure(self) -> Expr | None:
        given = self.inflation_pressure is not None
        return self.symbol("inflation_pressure") if given else None

    @property
    def _axle(self) -> tuple[str, str, Vector]:
        """The edge that turns, the frame of its carrier, and its axis."""
        edge, axis = turn_of(self.joint)
        return edge.name, edge.tail, Vector(axis)

    @property
    def _carrier(self) -> Frame:
        name = self._axle[1]
        return next(frame for frame in self.joint.frames() if frame.name == name)

    def frames(self) -> tuple[Frame, ...]:
        return (self.road, self._carrier)

    def edges(self) -> tuple[Edge, ...]:
        """T1 and R1 from the road to the wheel (section 4.2).

        In the tree they bring six coordinates of the wheel; the angles 321 would be singular
        after a quarter turn of it, 312 are singular where it lies flat.
        """
        road, wheel = self.road.name, turn_of(self.joint)[0].head
        sliding = free_translation(Speeds.DERIVATIVES)
        turning = free_rotation(Orientation.EULER_312, Speeds.BODY)
        force, moment = "F = F(r, v, w, t)", "M = M(r, v, w, t)"
        return (
            Edge(self.name, "T1", TRANSLATION, road, wheel, sliding, LOAD_RANK, force),
            Edge(self.name, "R1", ROTATION, road, wheel, turning, LOAD_RANK, moment),
        )

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.road, self._carrier),)

    def measured_joints(self) -> tuple[str, ...]:
        return (self._axle[0],)

    def states(self) -> tuple[Variable, ...]:
        return self.slip.states()

    def respond(self, now: Instant) -> Response:
        shape = self._symbols("contact", self.contact)
        patch = self.contact.patch(now.motions[0], self._axle[2], now.travels[0].rate, shape)
        if self.law.holds:
            return self._held(now, patch)
        unloaded = self.symbol("unloaded_radius")
        effective = self.rolling_radius.radius(
            unloaded, patch.loaded_radius, self._symbols("rolling_radius", self.rolling_radius)
        )
        deflection = unloaded - patch.loaded_radius
        values = self._symbols("normal_force", self.normal_force)
        load = self.normal_force.force(deflection, -patch.climb, values)
        rolling = self._with_lengths(Rolling(
            sliding_speed=patch.sliding_speed(effective),
            lateral_speed=patch.lateral_speed,
            rolling_speed_E=patch.rolling_speed(effective),
            rolling_speed_P=patch.rolling_speed(patch.loaded_radius),
            normal_load=load,
            inclination=patch.inclination,
        ))  # fmt: skip
        slip = called_slip(self.slip, rolling, now.states, self._symbols("slip", self.slip))
        forces = self._forces(self._contact_state(rolling, slip, patch))
        force, moment, torque = _at_centre(patch, load, forces)
        at_centre = Load(self.road, self._carrier, force, moment, Basis.HEAD)
        power = at_centre.power(now.motions[0]) + torque * now.travels[0].rate
        held = (held_side_slip(self._wheel(now, patch)),) if self.law.holds_lateral else ()
        told = outputs(forces, [one.reaction.suffix for one in held])
        return Response(
            loads=(at_centre,),
            joint_loads=(JointLoad(self._axle[0], torque),),
            rates=slip.rates,
            held=held,
            intermediates=tuple(intermediates(patch, effective, rolling, slip)),
            outputs=(*told, Computed("power", "W", "power of the tyre", power)),
        )

    def _wheel(self, now: Instant, patch: Patch) -> HeldWheel:
        edge, _, axis = self._axle
        return HeldWheel(self.road, self._carrier, edge, axis, now, patch)

    def _held(self, now: Instant, patch: Patch) -> Response:
        unloaded, load = self.symbol("unloaded_radius"), None
        if not self.normal_force.holds:
            values = self._symbols("normal_force", self.normal_force)
            load = self.normal_force.force(unloaded - patch.loaded_radius, -patch.climb, values)
        return held_response(self._wheel(now, patch), unloaded, load)

    def _symbols(self, field: str, held: Part) -> dict[str, Expr]:
        return {name: self.symbol(f"{field}.{name}") for name in held.numbers}

    def _contact_state(self, rolling: Rolling, slip: SlipState, patch: Patch) -> Contact:
        return Contact(
            normal_load=rolling.normal_load,
            longitudinal_slip=slip.longitudinal,
            slip_angle=slip.angle,
            inclination=rolling.inclination,
            forward_speed=rolling.rolling_speed_P,
            spin_rate=patch.spin_rate,
            turn_slip=patch.turn_slip(rolling.rolling_speed_P),
            inflation_pressure=self._pressure,
            sliding_speed=rolling.sliding_speed,
            lateral_speed=rolling.lateral_speed,
            rolling_speed=rolling.rolling_speed_E - rolling.sliding_speed,
            bore_rate=patch.bore_rate,
            radius=self.symbol("unloaded_radius"),
            deflection=self.symbol("unloaded_radius") - patch.loaded_radius,
        )

    def _forces(self, contact: Contact) -> Forces:
        """The law's answer; what the law does not ask for costs nothing."""
        known = with_signs(contact, self._signs)
        answer = called_forces(self.law, known, self._symbols("law", self.law))
        return with_signs(answer, self._signs)

    def _with_lengths(self, rolling: Rolling) -> Rolling:
        """With the law's relaxation lengths, if the slip takes them."""
        if not self.slip.takes_lengths:
            return rolling
        contact = Contact(
            normal_load=rolling.normal_load,
            longitudinal_slip=0.0,
            slip_angle=0.0,
            inclination=rolling.inclination,
            forward_speed=rolling.rolling_speed_P,
            inflation_pressure=self._pressure,
        )
        known = with_signs(contact, self._signs)
        found = called_lengths(self.law, known, self._symbols("law", self.law))
        return replace(
            rolling, longitudinal_length=found.longitudinal, lateral_length=found.lateral
        )


def _at_centre(patch: Patch, Fz: Expr, f: Forces) -> tuple[Vector, Vector, Expr]:
    """Force and moment at the wheel's centre in carrier axes, and the torque about its axis.

    The contact point lies beside and below it, at (0, offset, -height) in ISO axes (3.41).
    """
    aside, height = patch.offset, patch.height
    M = Vector((f.Mx + aside * Fz + height * f.Fy, f.My - height * f.Fx, f.Mz - aside * f.Fx))
    force = patch.x_C * f.Fx + patch.y_C * f.Fy + patch.n_C * Fz
    moment = patch.x_C * M[0] + patch.y_C * M[1] + patch.n_C * M[2]
    torque = M[1] * patch.cos_inclination + M[2] * patch.sin_inclination
    return force, moment, torque
