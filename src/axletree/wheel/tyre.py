"""The tyre: what acts between a wheel and the ground, and which of its parts do not go together.

Numbers of equations, tables and sections are those of Morency 2007.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from axletree.components.contract import LOAD_RANK, Component, Inertia, Instant, Response
from axletree.components.edges import ROTATION, TRANSLATION, Edge, Variable
from axletree.components.fields import chosen, fixed_number, flag, part, positive
from axletree.components.frames import Frame, frame
from axletree.components.joints import turning_joint
from axletree.components.motion_laws import Orientation, Speeds, free_rotation, free_translation
from axletree.ground.surfaces import Flat, Surface
from axletree.wheel.axis_systems import TyreSide
from axletree.wheel.belts import Belt, NoRim, RigidBelt, Rim
from axletree.wheel.contact_dynamics import ContactDynamics, Lever, NoContactDynamics, RigidLever
from axletree.wheel.contact_geometry import ContactGeometry, PlanarDisc
from axletree.wheel.contract import TyreLaw, knows_pressure
from axletree.wheel.evaluation import WITH_STATES, TyreEvaluation, constraint_problems
from axletree.wheel.normal_forces import NormalForce
from axletree.wheel.slip import KinematicSlip, LoadedRadius, RollingRadius, Slip
from axletree.wheel.wheel import Wheel, WheelOutputs


@dataclass(frozen=True, eq=False)
class Tyre(Wheel):
    """A tyre on the wheel that an axle carries, on the ground over the xy plane of a road frame.

    The axle's tail is the carrier, its head the wheel, and its axis points to the left
    where the wheel shall roll forward at a positive rate. The tyre sees the carrier and
    the rate of the axle, never the spin angle. The road may move.

    Example:
    >>> import axletree as at
    >>> car = at.read_model("quarter-car")
    >>> car["tyre"].unloaded_radius, car["tyre"].normal_force.stiffness  # m, N/m
    (0.31, 180000.0)
    >>> print(f"{car.formulate().trim()['tyre.Fz']:.2f} N")  # carries 340 kg
    3334.26 N
    """

    summary: ClassVar[str] = "tyre on flat or curved ground: contact, slip, forces and moments"
    outputs: ClassVar[WheelOutputs] = WheelOutputs(
        "Fz", "Fx", ("Fy",), contact_point="contact_point", forward_direction="forward",
        normal_direction="normal",
    )  # fmt: skip

    joint: Component = turning_joint("axle that the wheel turns on, from carrier to wheel")
    road: Frame = frame("frame over whose xy plane the ground lies, z up")
    unloaded_radius: float = positive("m", "radius without load")
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
    side: TyreSide = chosen(TyreSide.EITHER, "side of the vehicle that the tyre is on")
    inflation_pressure: float | None = positive(
        "Pa", "inflation pressure, for laws that know one; the law's own by default", default=None
    )
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

    def drawn_radius(self, values: Mapping[str, float]) -> float:
        return self.value("unloaded_radius", values, self.unloaded_radius)

    def drawn_width(self, values: Mapping[str, float]) -> float | None:
        radius, shape = self.drawn_radius(values), self.values_of("contact", values)
        return self.contact.drawn_width(radius, shape)

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

    def inertias(self) -> tuple[Inertia, ...]:
        index = max(range(3), key=lambda k: abs(self.axis[k]))
        return self.rim.inertias(self.rim_frame, index, self.numbers_of("rim"))

    def states(self) -> tuple[Variable, ...]:
        return tuple(v for field in WITH_STATES for v in getattr(self, field).states())

    @property
    def feels_gravity(self) -> bool:
        return bool(self.belt.states() or self.contact_dynamics.states())

    def respond(self, now: Instant) -> Response:
        return TyreEvaluation(self, now).response()


def part_problems(tyre: Tyre) -> list[str]:
    """What is wrong with parts that are right one by one."""
    held = constraint_problems(tyre.law, tyre.slip, tyre.rolling_radius)
    size = tyre.contact.radius_problems(tyre.unloaded_radius)
    return [*held, *_of_law(tyre), *size, *_of_motion(tyre), *_of_ground(tyre)]


def part_cautions(tyre: Tyre) -> Iterator[str]:
    """What a model of these parts cannot show, or what may not be meant."""
    yield from tyre.surface.cautions()
    least = tyre.surface.least_radius
    if least < tyre.unloaded_radius:
        yield (
            f"the ground is curved by a radius of {least:.3g} m, less than that of the tyre, "
            f"{tyre.unloaded_radius:.3g} m: a tyre that meets the ground at one point may then "
            "jump from place to place; take a smoother surface"
        )


def _of_law(tyre: Tyre) -> Iterator[str]:
    law = type(tyre.law).__name__
    if tyre.mirrored and TyreSide.EITHER not in (tyre.side, tyre.law.side):
        yield "the sides of tyre and law tell what mirrored would; leave it out"
    if tyre.slip.takes_lengths and not tyre.law.has_relaxation_lengths:
        yield (
            f"slip takes the relaxation lengths of the law, but this {law} has none; "
            "give them with constant-lag or stretched-string"
        )
    if tyre.slip.states() and not tyre.law.takes_slip:
        told = "goes by velocities and feels no lag of slip; leave slip out, or make it kinematic"
        yield f"the law, {law}, {told}"
    if tyre.inflation_pressure is not None and not knows_pressure(tyre.law):
        yield f"inflation_pressure has no effect on the law, {law}; leave it out"


def _of_motion(tyre: Tyre) -> Iterator[str]:
    moving = {
        field: getattr(tyre, field)
        for field in ("belt", "contact_dynamics")
        if getattr(tyre, field).states()
    }
    for field, one in moving.items():
        name = type(one).__name__
        if tyre.law.holds or tyre.law.holds_lateral:
            yield (
                f"the law, {type(tyre.law).__name__}, holds the wheel at its contact point, "
                f"where the {field}, {name}, would move; leave {field} out"
            )
        if not isinstance(tyre.lever, RigidLever):
            yield f"{field}, {name}, needs the lever to the contact point; leave lever out"
    if tyre.normal_force.holds and tyre.belt.moves_vertically:
        yield (
            f"the belt, {type(tyre.belt).__name__}, moves up and down by itself, so that without "
            "deflection its height would be held, which is a state of the tyre and not a motion "
            "that a constraint can act on; take a normal force with a stiffness"
        )
    if not isinstance(tyre.rim, NoRim) and sorted(abs(c) for c in tyre.axis) != [0.0, 0.0, 1.0]:
        yield "a rim needs an axle along a coordinate axis of the wheel; leave rim out"


def _of_ground(tyre: Tyre) -> Iterator[str]:
    if isinstance(tyre.surface, Flat):
        return
    for field in ("belt", "contact_dynamics"):
        part = getattr(tyre, field)
        if part.needs_flat_ground:
            yield f"{field}, {type(part).__name__}, moves along a plane; take a flat surface"
