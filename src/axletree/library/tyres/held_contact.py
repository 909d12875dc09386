"""The contact of an ideal wheel: what does not move there is held by reactions.

In ISO axes the contact point lies at (0, a, -h) from the wheel's centre; ``cross_section``
has a and h. A unit force along e there is a force e at the centre, a moment r_P x e, and the
torque u . (r_P x e) on the axle. What it does work on is the velocity of the wheel's material
point at the contact along e, so that each reaction and its velocity are dual by construction.
Along the normal that velocity is the rate of the gap under the wheel's lowest point. ``patch``
explains the symbols.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from axletree.core.expr import Expr
from axletree.core.expr.expression import ZERO
from axletree.core.vectors import Vector
from axletree.library.contract import (
    Computed,
    Held,
    Instant,
    JointLoad,
    Load,
    RelativeMotion,
    Response,
)
from axletree.library.edge import Basis, Variable
from axletree.library.frame import Frame
from axletree.library.tyres.contract import TyreLaw
from axletree.library.tyres.patch import Patch
from axletree.library.tyres.recorded import contact_frame
from axletree.library.tyres.rolling_radius import LoadedRadius, RollingRadius
from axletree.library.tyres.slip import KinematicSlip, Slip

FX = Variable("Fx", "N", "longitudinal force on the tyre, ISO axes: holds its slip at zero")
FY = Variable("Fy", "N", "lateral force on the tyre, ISO axes: holds its side slip at zero")
FZ = Variable("Fz", "N", "normal force on the tyre, negative where it has to pull")


@dataclass(frozen=True)
class HeldWheel:
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


def held_problems(law: TyreLaw, slip: Slip, rolling_radius: RollingRadius) -> list[str]:
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


def held_response(wheel: HeldWheel, rigid_radius: Expr, normal_load: Expr | None) -> Response:
    """Slip is held, and without a ``normal_load`` [N] the height of the wheel is, too.

    Then the radius is ``rigid_radius`` [m]; under a load it is the loaded one.
    """
    patch = wheel.patch
    radius = rigid_radius if normal_load is None else patch.loaded_radius
    reach = patch.reach(radius)
    aside, below = reach.left(patch.lean), reach.below(patch.lean)
    x, y, n = patch.x_C, patch.y_C, patch.n_C
    held = [
        _held(wheel, FX, x, -(n * aside + y * below)),
        _held(wheel, FY, y, x * below),
    ]
    if normal_load is None:
        held.append(_held(wheel, FZ, n, x * aside, patch.height - below))
        return Response(held=tuple(held), outputs=tuple(_told(wheel, radius, ZERO)))
    moment = x * (aside * normal_load)
    load = Load(wheel.road, wheel.carrier, n * normal_load, moment, Basis.HEAD)
    Fz = Computed(FZ.suffix, FZ.unit, "normal force on the tyre", normal_load)
    told = _told(wheel, radius, load.power(wheel.motion))
    return Response(loads=(load,), held=tuple(held), outputs=(Fz, *told))


def standing(patch: Patch) -> Patch:
    """The patch of a wheel without deflection, wherever its centre is: on the ground."""
    wheel, unloaded = patch.wheel, patch.wheel.unloaded_radius
    below = patch.reach(unloaded).below(patch.lean)
    lateral_speed = wheel.velocity.dot(patch.y_C) + below * patch.lean_rate
    return replace(patch, height=below, loaded_radius=unloaded, lateral_speed=lateral_speed)


def held_height(wheel: HeldWheel, centre: Expr, steps: int) -> Held:
    """The lowest point of a wheel that stands; ``centre`` [m] is where its own is.

    Forces of a law that slips depend on this reaction, which is found in ``steps``.
    """
    patch = wheel.patch
    found = _held(wheel, FZ, patch.n_C, patch.x_C * patch.offset, centre - patch.height)
    return replace(found, steps=steps)


def held_slips(wheel: HeldWheel, law: TyreLaw) -> Iterator[Held]:
    """What a law holds of a wheel on which it has other effects too."""
    patch = wheel.patch
    if law.holds_longitudinal:
        aside = patch.reach(patch.loaded_radius).left(patch.lean)
        yield _held(wheel, FX, patch.x_C, -(patch.n_C * aside + patch.y_C * patch.height))
    if law.holds_lateral:
        yield _held(wheel, FY, patch.y_C, patch.x_C * patch.height)


def _held(
    wheel: HeldWheel,
    reaction: Variable,
    direction: Vector,
    moment: Vector,
    position: Expr | None = None,
) -> Held:
    """``moment`` [m] is that of a unit force along the direction about the wheel's centre."""
    v, w = wheel.motion.velocity_head, wheel.motion.angular_velocity_head
    torque = wheel.axis.dot(moment)
    rate = wheel.now.travels[0].rate
    return Held(
        reaction=reaction,
        velocity=v.dot(direction) + w.dot(moment) + torque * rate,
        loads=(Load(wheel.road, wheel.carrier, direction, moment, Basis.HEAD),),
        joint_loads=(JointLoad(wheel.axle, torque),),
        position=position,
    )


def _told(wheel: HeldWheel, radius: Expr, power: Expr) -> Iterator[Computed]:
    """``power`` is that of the normal force by deflection; reactions have none."""
    patch, tilt = wheel.patch, "gamma, of the wheel plane to the normal"
    yield Computed("inclination", "rad", tilt, patch.inclination)
    yield Computed("loaded_radius", "m", "R_l, unloaded less deflection", radius)
    yield Computed("spin_rate", "rad/s", "Omega, about the axis of symmetry", patch.spin_rate)
    yield Computed("VCx", "m/s", "forward speed of the centre", patch.centre_speed)
    yield Computed("power", "W", "power of the tyre", power)
    yield from contact_frame(patch, radius, wheel.motion)
