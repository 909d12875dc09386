"""The rolling constraint of an ideal wheel: what does not move at the contact is kept by reactions.

In ISO axes the contact point lies at (0, a, -h) from the wheel's centre; ``CrossSection`` has a and
h. A unit force along e there is a force e at the centre, a moment r_P x e, and the torque u . (r_P
x e) on the axle. What it does work on is the velocity of the wheel's material point at the contact
along e, so that each reaction and its velocity are dual by construction. Along the normal that
velocity is the rate of the gap under the wheel's lowest point. ``contact_geometry`` explains the
symbols.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from axletree.components.edges import Basis, Variable
from axletree.components.exchange import (
    Instant,
    JointLoad,
    Load,
    NamedOutput,
    RelativeMotion,
    Response,
    VelocityConstraint,
)
from axletree.components.frames import Frame
from axletree.expr import Expr
from axletree.expr.expression import ZERO
from axletree.expr.vectors import Vector
from axletree.wheel.contact_geometry import Patch
from axletree.wheel.contract import TyreLaw
from axletree.wheel.outputs import contact_frame
from axletree.wheel.rolling_radii import LoadedRadius, RollingRadius
from axletree.wheel.slip import KinematicSlip, Slip

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
    held = [
        _constraint(wheel, FX, x, -(n * aside + y * below)),
        _constraint(wheel, FY, y, x * below),
    ]
    if normal_load is None:
        held.append(_constraint(wheel, FZ, n, x * aside, patch.height - below))
        return Response(held=tuple(held), outputs=tuple(_outputs(wheel, radius, ZERO)))
    moment = x * (aside * normal_load)
    load = Load(wheel.road, wheel.carrier, n * normal_load, moment, Basis.HEAD)
    Fz = NamedOutput(FZ.suffix, FZ.unit, "normal force on the tyre", normal_load)
    told = _outputs(wheel, radius, load.power(wheel.motion))
    return Response(loads=(load,), held=tuple(held), outputs=(Fz, *told))


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
