"""The tyre: what acts between a wheel and a planar road.

Numbers of equations, tables and sections are those of Morency 2007.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.core.expr import Expr, as_expr
from axletree.core.vectors import Vector
from axletree.library.contract import Component, Computed, Instant, JointLoad, Load, Response
from axletree.library.edge import ROTATION, TRANSLATION, Basis, Edge, Variable
from axletree.library.fields import flag, parameter
from axletree.library.frame import Frame, frame
from axletree.library.joint_reference import turn_of, turning_joint
from axletree.library.load_edges import LOAD_RANK
from axletree.library.motion.free import Orientation, Speeds, free_rotation, free_translation
from axletree.library.part import Part, part
from axletree.library.tyres.contract import Contact, Forces, TyreLaw
from axletree.library.tyres.normal_force import NormalForce
from axletree.library.tyres.patch import Patch, find_patch
from axletree.library.tyres.rolling_radius import LoadedRadius, RollingRadius
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
        patch = find_patch(now.motions[0], self._axle[2], now.travels[0].rate)
        radius = self._symbols("rolling_radius", self.rolling_radius)
        unloaded = self.symbol("unloaded_radius")
        effective = self.rolling_radius.radius(unloaded, patch.loaded_radius, radius)
        deflection = unloaded - patch.loaded_radius
        values = self._symbols("normal_force", self.normal_force)
        load = self.normal_force.force(deflection, -patch.climb, values)
        rolling = Rolling(
            sliding_speed=patch.sliding_speed(effective),
            lateral_speed=patch.lateral_speed,
            rolling_speed_E=patch.rolling_speed(effective),
            rolling_speed_P=patch.rolling_speed(patch.loaded_radius),
            normal_load=load,
            inclination=patch.inclination,
        )
        slip = self.slip.slip(rolling, now.states, self._symbols("slip", self.slip))
        forces = self._forces(rolling, slip, patch)
        force, moment, torque = _at_centre(patch, load, forces)
        at_centre = Load(self.road, self._carrier, force, moment, Basis.HEAD)
        power = at_centre.power(now.motions[0]) + torque * now.travels[0].rate
        return Response(
            loads=(at_centre,),
            joint_loads=(JointLoad(self._axle[0], torque),),
            rates=slip.rates,
            intermediates=tuple(_intermediates(patch, effective, rolling, slip)),
            outputs=(*_outputs(forces), Computed("power", "W", "power of the tyre", power)),
        )

    def _symbols(self, field: str, held: Part) -> dict[str, Expr]:
        return {name: self.symbol(f"{field}.{name}") for name in held.numbers}

    def _forces(self, rolling: Rolling, slip: SlipState, patch: Patch) -> Forces:
        """The law's answer; a mirrored tyre sees the world in a mirror."""
        side = -1.0 if self.mirrored else 1.0
        contact = Contact(
            normal_load=rolling.normal_load,
            longitudinal_slip=slip.longitudinal,
            slip_angle=slip.angle * side,
            inclination=rolling.inclination * side,
            forward_speed=rolling.rolling_speed_P,
            spin_rate=patch.spin_rate,
        )
        f = self.law.forces(contact, self._symbols("law", self.law))
        answer = (f.Fx, f.Fy * side, f.Mx * side, f.My, f.Mz * side)
        return Forces(*(as_expr(value) for value in answer))


def _at_centre(patch: Patch, Fz: Expr, f: Forces) -> tuple[Vector, Vector, Expr]:
    """Force and moment at the wheel's centre in carrier axes, and the torque about its axis.

    The contact point lies at (0, R_l sin(gamma), -R_l cos(gamma)) in ISO axes (3.41).
    """
    aside = patch.loaded_radius * patch.sin_inclination
    M = Vector(
        (f.Mx + aside * Fz + patch.height * f.Fy, f.My - patch.height * f.Fx, f.Mz - aside * f.Fx)
    )
    force = patch.x_C * f.Fx + patch.y_C * f.Fy + patch.n_C * Fz
    moment = patch.x_C * M[0] + patch.y_C * M[1] + patch.n_C * M[2]
    torque = M[1] * patch.cos_inclination + M[2] * patch.sin_inclination
    return force, moment, torque


def _intermediates(
    patch: Patch, effective: Any, rolling: Rolling, slip: SlipState
) -> Iterator[Computed]:
    """Block 1 (table 4.3)."""
    yield Computed(
        "inclination", "rad", "gamma, of the wheel plane to the normal", rolling.inclination
    )
    yield Computed("loaded_radius", "m", "R_l, from centre to contact point", patch.loaded_radius)
    yield Computed("Fz", "N", "normal force on the tyre", rolling.normal_load)
    yield Computed("effective_radius", "m", "R_eff, of free rolling", effective)
    yield Computed("spin_rate", "rad/s", "Omega, about the axis of symmetry", patch.spin_rate)
    yield Computed("VCx", "m/s", "forward speed of the centre", patch.centre_speed)
    yield Computed("VEx", "m/s", "sliding speed at the effective radius", rolling.sliding_speed)
    yield Computed("VPy", "m/s", "lateral speed of the contact point", rolling.lateral_speed)
    yield Computed("slip", "1", "S, longitudinal slip", slip.longitudinal)
    yield Computed("slip_angle", "rad", "alpha, slip angle", slip.angle)


def _outputs(f: Forces) -> Iterator[Computed]:
    texts = {
        "Fx": ("N", "longitudinal force on the tyre, ISO axes"),
        "Fy": ("N", "lateral force on the tyre, ISO axes"),
        "Mx": ("N*m", "overturning moment on the tyre, ISO axes"),
        "My": ("N*m", "rolling resistance moment on the tyre, ISO axes"),
        "Mz": ("N*m", "aligning moment on the tyre, ISO axes"),
    }
    for name, (unit, text) in texts.items():
        yield Computed(name, unit, text, getattr(f, name))
