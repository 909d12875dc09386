"""The anti-roll bar: a spring between the travels of two joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.contract import Component, Computed, Instant, JointLoad, Response
from axletree.library.fields import parameter
from axletree.library.joint_reference import slide_of, sliding_joint


@dataclass(frozen=True, eq=False)
class AntiRollBar(Component):
    """A force between two wheels of an axle in proportion to the difference of their travels.

    Against the travel of the left one acts ``stiffness * (left - right) + damping * rate``, and the
    opposite on the right one. Where both go together the bar turns freely. An axle of track t that
    rolls by an angle has the roll stiffness ``stiffness * t^2`` of it, beside the springs.

    Example:
    >>> import axletree as at
    >>> model = at.Model(gravity=(0, 0, 0))
    >>> wheels = [model.add(at.RigidBody(k, 20.0)) for k in ("left", "right")]
    >>> ways = [model.add(at.Prismatic(f"{w.name}_way", model.ground, w, axis="z")) for w in wheels]
    >>> bar = model.add(at.AntiRollBar("bar", *ways, stiffness=1e4))  # N/m
    >>> print(model.formulate().derivatives[0])  # of left_way.speed, m/s^2
    (right_way.position - left_way.position)*bar.stiffness/left.mass
    """

    summary: ClassVar[str] = "a spring between the travels of two wheels"

    name: str
    left: Component = sliding_joint("guide of the left wheel")
    right: Component = sliding_joint("guide of the right wheel")
    stiffness: float = parameter("N/m", "force at each wheel by the difference of travels", lower=0)
    damping: float = parameter("N*s/m", "the same by its rate", default=0.0, lower=0.0)

    def measured_joints(self) -> tuple[str, ...]:
        return slide_of(self.left)[0].name, slide_of(self.right)[0].name

    def respond(self, now: Instant) -> Response:
        left, right = now.travels
        twist, rate = left.travel - right.travel, left.rate - right.rate
        force = self.symbol("stiffness") * twist + self.symbol("damping") * rate
        at_left, at_right = self.measured_joints()
        return Response(
            joint_loads=(JointLoad(at_left, -force), JointLoad(at_right, force)),
            potential_energy=0.5 * self.symbol("stiffness") * twist * twist,
            outputs=(
                Computed("force", "N", "force against the travel of the left wheel", force),
                Computed("power", "W", "power delivered to the bodies", -force * rate),
            ),
        )
