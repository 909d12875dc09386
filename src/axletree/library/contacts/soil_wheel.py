"""The soil wheel: a wheel on soft ground that drives, brakes, drifts and stays parked.

Numbers of equations are those of Peiret et al.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import Expr, as_expr
from axletree.core.expr.expression import ZERO
from axletree.core.vectors import Vector
from axletree.library.contacts.soil_carrying import Carrying, pushing
from axletree.library.contacts.soil_rolling import SoilRolling
from axletree.library.contacts.soil_rows import Smoothed, SoilRows
from axletree.library.contacts.soil_told import SoilTold
from axletree.library.contract import Component, Instant, Response, SetValued
from axletree.library.exchange import reaction_symbol
from axletree.library.fields import fixed_number, parameter
from axletree.library.frame import Frame, frame
from axletree.library.joint_reference import turn_of, turning_joint
from axletree.library.part import part
from axletree.library.soils.called import called_grip
from axletree.library.soils.contract import SoilLaw, Wheel
from axletree.library.soils.grip import Grip
from axletree.library.soils.stress_support import OwnSupport
from axletree.library.soils.support import Bearing, SoilSupport, Sunk, sunk
from axletree.library.soils.traction_schemes import DissipativeTraction, TractionScheme
from axletree.library.surfaces.contract import Surface
from axletree.library.surfaces.flat import Flat
from axletree.library.tyres.contact_geometry import PlanarDisc
from axletree.library.tyres.ground import Ground, wheel_on_plane


@dataclass(frozen=True, eq=False)
class SoilWheel(Component):
    """A wheel on soft ground over the xy plane of a road frame, on the axle that carries it.

    The axle's tail is the carrier, its head the wheel, and its axis points to the left where the
    wheel shall roll forward at a positive rate. The wheel may lean and drift; the road may move.

    All forces are set-valued: with a method that solves for them ("complementarity") a wheel that
    stands is held, up to its thrust in full slip, its resistance and its side strength (a box),
    and rests. Stiff ground is stable at any step. For all other methods slip fades below
    ``lowest_speed`` (7), and a wheel under load creeps.

    Example:
    >>> import axletree as at
    >>> from axletree.library.soils.contract import Wheel
    >>> wheel = at.read_model("soil-bin")["soil"]
    >>> slips = Wheel(wheel.radius, wheel.width, slip=0.2)  # m, m, 1
    >>> print(f"{wheel.law(4000.0, slips).drawbar_pull:.0f} N under 4000 N")
    604 N under 4000 N
    """

    summary: ClassVar[str] = "wheel on soft ground: drives, brakes, drifts, stays parked"

    name: str
    joint: Component = turning_joint("axle that the wheel turns on, from carrier to wheel")
    road: Frame = frame("frame over whose xy plane the ground lies, z up")
    radius: float = parameter("m", "radius of the wheel, r", lower=0.0, above=True)
    width: float = parameter("m", "width of the wheel, b", lower=0.0, above=True)
    law: SoilLaw = part("SOIL_LAWS", "forces over slip, under a load or at a sinkage")
    normal_force: SoilSupport = part(
        "SOIL_SUPPORTS", "force over sinkage, or a given load", default=OwnSupport
    )
    scheme: TractionScheme = part(
        "TRACTION_SCHEMES", "how thrust is solved for over a step", default=DissipativeTraction
    )
    surface: Surface = part("SURFACES", "shape of the ground where nobody has driven", default=Flat)
    lowest_speed: float = parameter(
        "m/s", "speed below which slip fades, in the normal force and in smoothed forces",
        default=0.05, lower=0.0, above=True,
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

    @property
    def carrier(self) -> Frame:
        """The frame that carries the wheel and does not spin with it."""
        tail = turn_of(self.joint)[0].tail
        return next(frame for frame in self.joint.frames() if frame.name == tail)

    def frames(self) -> tuple[Frame, ...]:
        return (self.road, self.carrier)

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.road, self.carrier),)

    def measured_joints(self) -> tuple[str, ...]:
        return (turn_of(self.joint)[0].name,)

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
        told = SoilTold(
            at, grip, given, carrying, share, self._reactions(forces), forces, rows.pushed,
            self._compared(at, load),
        )  # fmt: skip
        return Response(
            loads=tuple(loads),
            joint_loads=tuple(torque for _, torque in pushes),
            set_valued=tuple(forces),
            outputs=tuple(told.outputs()),
        )

    def _reactions(self, forces: Sequence[SetValued]) -> dict[str, Expr]:
        reactions = (force.reaction for force in forces)
        return {one.suffix: reaction_symbol(self.name, one) for one in reactions}

    def _rolling(self, now: Instant) -> SoilRolling:
        motion, axis = now.motions[0], Vector(turn_of(self.joint)[1])
        radius, disc = self.symbol("radius"), PlanarDisc()
        ground = Ground(
            self.surface, self._numbers_of("surface"), disc, {}, radius, self.contact_steps
        )
        place = ground.under(motion, axis)
        on_plane = wheel_on_plane(motion, place, axis, now.travels[0].rate, radius)
        patch = disc.patch(on_plane, {})
        level = isinstance(self.surface, Flat)
        rise = ZERO if level else (motion.R_tail_head @ patch.x_C)[2]
        width, turned = self.symbol("width"), motion.R_tail_head.T
        return SoilRolling(patch, place, radius, width, rise, turned)

    def _carried(self, at: SoilRolling, wheel: Wheel) -> tuple[Bearing, Expr | None]:
        """How the soil carries, and the load [N] where that is known before the forces.

        By the slip that fades: near rest slip may be anything from one step to the next, and a
        push that went by it would shake the vehicle.
        """
        own = self._numbers_of("normal_force")
        if self.normal_force.is_of_law:
            found = self._grip(at, wheel, None).forces
            bearing = self.normal_force.bearing(sunk(at.sinkage, wheel, found), own)
            return bearing, None
        bearing = self.normal_force.bearing(Sunk(at.sinkage, wheel), own)
        if self.normal_force.is_given:
            return bearing, as_expr(bearing.force)
        return bearing, pushing(at, bearing.force, bearing.damping)

    def _grip(self, at: SoilRolling, wheel: Wheel, load: Expr | None) -> Grip:
        """What the soil has for the wheel at its sinkage, or under a load [N]."""
        sinkage, numbers = at.sinkage if load is None else None, self._numbers_of("law")
        return called_grip(self.law, wheel, numbers, sinkage=sinkage, load=load)

    def _compared(self, at: SoilRolling, load: Expr | None) -> Mapping[str, Expr]:
        if load is None:
            return {}
        return self.law.compared_by(load, at.wheel, self._numbers_of("law"))

    def _numbers_of(self, field: str) -> dict[str, Expr]:
        return {name: self.symbol(f"{field}.{name}") for name in getattr(self, field).numbers}
