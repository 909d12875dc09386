"""Contacts with a plane: a point with dry friction, unilateral, and a ball that rolls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from axletree.components.contract import Component
from axletree.components.edges import TRANSLATION, Domain, Variable
from axletree.components.exchange import (
    Instant,
    Load,
    NamedOutput,
    Response,
    SetValued,
    VelocityConstraint,
    reaction_symbol,
)
from axletree.components.fields import parameter
from axletree.components.frames import Frame, frame
from axletree.expr import ONE, ZERO, Expr, absolute, maximum, sqrt, where
from axletree.expr.vectors import UNIT, Vector

_NORMAL = Variable("normal_force", "N", "force on the point along z of the plane, not negative")
_ALONG = Variable("friction_force", "N", "force on the point along the direction of sliding")
_ACROSS = Variable("side_force", "N", "force on the point across that direction")
_SLIDES = 1e-9  # m/s above which a velocity has a direction
FULL = 1.0 - 1e-12  # of the square of the friction: beyond it rounding alone leaves something
_LEAST = 1e-200  # N^2, against a division by zero


@dataclass(frozen=True, eq=False)
class PointContact(Component):
    """A point of a body touches the xy plane of a frame, which may move, and slides on it.

    Forces are set-valued: a method that solves for them ("complementarity") keeps the point from
    sinking in, lets it bounce by ``restitution`` (Newton's law), and holds it where friction is
    enough: up to ``friction`` times the normal force of the same step, in any direction. Where
    it slides friction is against the sliding at the beginning of the step.

    For all other methods the plane gives, by ``stiffness`` and ``damping``, and friction is in
    proportion to the velocity below ``slow_speed``.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> ball = model.add(at.RigidBody("ball", mass=1.0))
    >>> way = model.add(at.Prismatic("way", model.ground, ball, axis="z"))
    >>> floor = model.add(at.PointContact("floor", ball, model.ground, stiffness="1 kN/mm"))
    >>> rests = model.formulate().trim(start={"way.position": -1e-6})
    >>> print(f"{1e6 * rests['way.position']:.2f} um")  # -1 * 9.80665 / 1e6, smoothed
    -9.81 um
    """

    summary: ClassVar[str] = "a point that touches a plane, bounces, sticks and slides"
    measured_domains: ClassVar[tuple[Domain, ...]] = (TRANSLATION,)

    name: str
    point: Frame = frame("frame whose origin is the point")
    plane: Frame = frame("frame whose xy plane is touched, from the side of its z axis")
    friction: float = parameter("1", "coefficient of dry friction", default=0.0, lower=0.0)
    restitution: float = parameter(
        "1", "speed after an impact over that before", default=0.0, lower=0.0, upper=1.0
    )
    stiffness: float = parameter(
        "N/m", "of the plane, for methods that need one", default=1e6, lower=0.0, above=True
    )
    damping: float = parameter(
        "N*s/m", "of the plane, for methods that need one", default=1e3, lower=0.0
    )
    slow_speed: float = parameter(
        "m/s", "speed below which friction is in proportion to it, for methods that need one",
        default=0.01, lower=0.0, above=True,
    )  # fmt: skip

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.plane, self.point),)

    def respond(self, now: Instant) -> Response:
        motion = now.motions[0]
        v, gap = motion.velocity, motion.displacement[2]
        given = -self.symbol("stiffness") * gap - self.symbol("damping") * v[2]
        normal = SetValued(
            _NORMAL,
            velocity=v[2],
            lower=ZERO,
            upper=None,
            smooth=where(gap < 0.0, maximum(given, 0.0), ZERO),
            loads=(self._unit(UNIT[2]),),
            position=gap,
            restitution=self.symbol("restitution"),
        )
        height = NamedOutput("gap", "m", "height of the point above the plane", gap)
        rubbing = () if self.symbol("friction").is_zero else self._rubbing(v)
        forces = (normal, *rubbing)
        work = sum((reaction_symbol(self.name, f.reaction) * f.velocity for f in forces), ZERO)
        power = NamedOutput("power", "W", "power of the contact on the body and its plane", work)
        return Response(set_valued=forces, outputs=(height, power))

    def _unit(self, direction: Vector) -> Load:
        return Load(self.plane, self.point, direction)

    def _rubbing(self, v: Vector) -> tuple[SetValued, ...]:
        """Along the sliding, and across it, where what slides has nothing left.

        Of a point at rest the axes are those of the plane, and forces that would be beyond the
        circle are cut back to it, in their direction.
        """
        bound = self.symbol("friction") * reaction_symbol(self.name, _NORMAL)
        taken = [reaction_symbol(self.name, reaction) for reaction in (_ALONG, _ACROSS)]
        square = v[0] * v[0] + v[1] * v[1]
        speed = sqrt(maximum(square, _SLIDES**2))  # with a slope at rest, too
        slides = square > _SLIDES**2
        cosine, sine = where(slides, v[0] / speed, ONE), where(slides, v[1] / speed, ZERO)
        along, across = Vector((cosine, sine, ZERO)), Vector((-sine, cosine, ZERO))
        left = maximum(bound - absolute(taken[0]), 0.0)
        resistance = bound / maximum(speed, self.symbol("slow_speed"))
        limits = [where(slides, at, _share(k, taken, bound)) for k, at in enumerate((bound, left))]
        return (
            self._side(_ALONG, along, v, limits[0], resistance),
            self._side(_ACROSS, across, v, limits[1], resistance),
        )

    def _side(
        self, reaction: Variable, direction: Vector, v: Vector, bound: Expr, resistance: Expr
    ) -> SetValued:
        rate = direction.dot(v)
        return SetValued(
            reaction,
            velocity=rate,
            lower=-bound,
            upper=bound,
            smooth=-resistance * rate,
            loads=(self._unit(direction),),
        )


def _share(index: int, forces: Sequence[Expr], bound: Expr) -> Expr:
    """The bound, or where forces reach the circle that part of it in their direction."""
    square = forces[0] * forces[0] + forces[1] * forces[1]
    part = absolute(forces[index]) / sqrt(maximum(square, _LEAST))
    limit: Expr = bound * where(square < FULL * bound * bound, ONE, part)
    return limit


_FX = Variable("Fx", "N", "x component, in the axes of the road, of the force on the ball")
_FY = Variable("Fy", "N", "y component, in the axes of the road, of the force on the ball")
_FZ = Variable("Fz", "N", "normal force on the ball, negative where it has to pull")


@dataclass(frozen=True, eq=False)
class RollingSphere(Component):
    """A sphere around a point of a body rolls on the xy plane of a frame, which may move.

    It may turn about the normal. Its height is held, and the two velocities of its lowest
    point in the plane; forces in the axes of the road are the reactions.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> ball = model.add(at.RigidBody("ball", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    >>> rolls = model.add(at.RollingSphere("rolls", ball, model.ground, radius="0.5 m"))
    >>> model.start = {"ball.z": 0.5}
    >>> state = model.formulate().state({"ball.pitch_rate": 4.0})
    >>> print(f"{state['ball.vx']:.3f} m/s")
    2.000 m/s
    """

    summary: ClassVar[str] = "a ball that rolls on a plane without slip"

    name: str
    centre: Frame = frame("frame whose origin is the centre of the sphere")
    road: Frame = frame("frame whose xy plane is the road, z up")
    radius: float = parameter("m", "radius of the sphere", lower=0.0, above=True)

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.road, self.centre),)

    def respond(self, now: Instant) -> Response:
        motion, R = now.motions[0], self.symbol("radius")
        v, w = motion.velocity, motion.angular_velocity
        along = Load(self.road, self.centre, Vector((1.0, 0.0, 0.0)), Vector((0.0, -R, 0.0)))
        across = Load(self.road, self.centre, Vector((0.0, 1.0, 0.0)), Vector((R, 0.0, 0.0)))
        up = Load(self.road, self.centre, Vector((0.0, 0.0, 1.0)))
        return Response(
            held=(
                VelocityConstraint(_FX, v[0] - R * w[1], (along,)),
                VelocityConstraint(_FY, v[1] + R * w[0], (across,)),
                VelocityConstraint(_FZ, v[2], (up,), position=motion.displacement[2] - R),
            )
        )
