"""The tyre: what acts between a wheel and the ground.

Numbers of equations, tables and sections are those of Morency 2007.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import Expr
from axletree.library.contract import Component, Inertia, Instant, Response
from axletree.library.edge import ROTATION, TRANSLATION, Edge, Variable
from axletree.library.fields import choice, fixed_number, flag, optional_parameter, parameter
from axletree.library.frame import Frame, frame
from axletree.library.joint_reference import turn_of, turning_joint
from axletree.library.load_edges import LOAD_RANK
from axletree.library.motion.free import Orientation, Speeds, free_rotation, free_translation
from axletree.library.motion.translation import Axis
from axletree.library.part import part
from axletree.library.surfaces.contract import Surface
from axletree.library.surfaces.flat import Flat
from axletree.library.tyres.at_instant import WITH_STATES, TyreAtInstant
from axletree.library.tyres.belts.contract import Belt
from axletree.library.tyres.belts.rigid import RigidBelt
from axletree.library.tyres.compatibility import part_cautions, part_problems
from axletree.library.tyres.contact_dynamics import ContactDynamics, NoContactDynamics
from axletree.library.tyres.contact_geometry import ContactGeometry, PlanarDisc
from axletree.library.tyres.contract import TyreLaw
from axletree.library.tyres.lever import Lever, RigidLever
from axletree.library.tyres.normal_force import NormalForce
from axletree.library.tyres.rim import NoRim, Rim
from axletree.library.tyres.rolling_radius import LoadedRadius, RollingRadius
from axletree.library.tyres.side import Side
from axletree.library.tyres.slip import KinematicSlip, Slip


@dataclass(frozen=True, eq=False)
class Tyre(Component):
    """A tyre on the wheel that an axle carries, on the ground over the xy plane of a road frame.

    The axle's tail is the carrier, its head the wheel, and its axis points to the left
    where the wheel shall roll forward at a positive rate. The tyre sees the carrier and
    the rate of the axle, never the spin angle. The road may move.

    Example:
    >>> import axletree as at
    >>> car = at.read_model("quarter-car")
    >>> car["tyre"].unloaded_radius, car["tyre"].normal_force.stiffness  # m, N/m
    (0.31, 180000.0)
    >>> print(f"{car.formulate().steady_state()['tyre.Fz']:.2f} N")  # carries 340 kg
    3334.26 N
    """

    summary: ClassVar[str] = "tyre on flat or curved ground: contact, slip, forces and moments"

    name: str
    joint: Component = turning_joint("axle that the wheel turns on, from carrier to wheel")
    road: Frame = frame("frame over whose xy plane the ground lies, z up")
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
    surface: Surface = part("SURFACES", "shape of the ground and its friction", default=Flat)
    contact_steps: int = fixed_number(
        "1", "steps of the search for the contact point on curved ground", default=3, lower=1,
        whole=True,
    )  # fmt: skip
    load_steps: int = fixed_number(
        "1", "steps of the search for the normal force where the height is held and the law slips",
        default=4, lower=1, whole=True,
    )  # fmt: skip
    rim: Rim = part("RIMS", "mass that the wheel has beside its body", default=NoRim)
    belt: Belt = part("BELTS", "how the tread is carried by the rim", default=RigidBelt)
    contact_dynamics: ContactDynamics = part(
        "CONTACT_DYNAMICS", "what lies between road and tread", default=NoContactDynamics
    )
    lever: Lever = part("LEVERS", "where forces act on the wheel", default=RigidLever)

    def problems(self) -> list[str]:
        return part_problems(self)

    def cautions(self) -> list[str]:
        return list(part_cautions(self))

    @property
    def axis(self) -> Axis:
        """The wheel's axis, in carrier and wheel components."""
        return turn_of(self.joint)[1]

    @property
    def axle(self) -> Edge:
        """The edge that turns."""
        return turn_of(self.joint)[0]

    @property
    def carrier(self) -> Frame:
        """The frame that carries the wheel and does not spin with it."""
        return self._frame(self.axle.tail)

    def _frame(self, name: str) -> Frame:
        return next(frame for frame in self.joint.frames() if frame.name == name)

    def frames(self) -> tuple[Frame, ...]:
        return (self.road, self.carrier)

    def numbers_of(self, field: str) -> dict[str, Expr]:
        """The symbols of a part's parameters, by name.

        Example:
        >>> import axletree as at
        >>> print(at.read_model("quarter-car")["tyre"].numbers_of("normal_force")["stiffness"])
        tyre.normal_force.stiffness
        """
        return {name: self.symbol(f"{field}.{name}") for name in getattr(self, field).numbers}

    def edges(self) -> tuple[Edge, ...]:
        """T1 and R1 from the road to the wheel (section 4.2).

        In the tree they bring six coordinates of the wheel; the angles 321 would be singular
        after a quarter turn of it, 312 are singular where it lies flat.
        """
        road, wheel = self.road.name, self.axle.head
        sliding = free_translation(Speeds.DERIVATIVES)
        turning = free_rotation(Orientation.EULER_312, Speeds.BODY)
        force, moment = "F = F(r, v, w, t)", "M = M(r, v, w, t)"
        return (
            Edge(self.name, "T1", TRANSLATION, road, wheel, sliding, LOAD_RANK, force),
            Edge(self.name, "R1", ROTATION, road, wheel, turning, LOAD_RANK, moment),
        )

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.road, self.carrier),)

    def measured_joints(self) -> tuple[str, ...]:
        return (self.axle.name,)

    def inertias(self) -> tuple[Inertia, ...]:
        index = max(range(3), key=lambda k: abs(self.axis[k]))
        return self.rim.inertias(self._frame(self.axle.head), index, self.numbers_of("rim"))

    def states(self) -> tuple[Variable, ...]:
        return tuple(v for field in WITH_STATES for v in getattr(self, field).states())

    @property
    def feels_gravity(self) -> bool:
        return bool(self.belt.states() or self.contact_dynamics.states())

    def respond(self, now: Instant) -> Response:
        return TyreAtInstant(self, now).response()
