"""The wheel guide: a suspension by what it does to a wheel over its travel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import Expr, interpolate
from axletree.core.expr.expression import ZERO
from axletree.library.curve import Curve, curve
from axletree.library.edge import RotationLaw, TranslationLaw, Variable
from axletree.library.fields import parameter
from axletree.library.joints.joint import Joint
from axletree.library.motion.guided import AlongPath, Function, TurnsOnPath

TRAVEL = Variable("travel", "m", "of the head along z of the tail, up in bump")
SPEED = Variable("speed", "m/s", "rate of the travel")


@dataclass(frozen=True, eq=False)
class WheelGuide(Joint):
    """One freedom, the vertical travel; track, wheelbase, toe, camber and caster change with it.

    The tail is on the body where the wheel's centre is at travel zero, the head on the wheel
    carrier; axes are x forward, y left, z up for wheels of both sides. Angles turn the carrier
    about z (toe), then x (camber), then y (caster), each by its static value and its curve. A
    spring along the travel has wheel rates.

    Example:
    >>> import axletree as at
    >>> model = at.Model(gravity=(0, 0, 0))
    >>> hub = model.add(at.RigidBody("hub", mass=30.0, inertia=(1, 1, 1)))
    >>> wider = at.Curve((-0.1, 0.1), (0.02, -0.02), "linear")  # m over m of travel
    >>> guide = model.add(at.WheelGuide("guide", model.ground, hub, left=wider))
    >>> bumped = model.formulate().steady_state({"guide.travel": "50 mm"})
    >>> print(f"{bumped['hub.position.y']:.3f} m, {bumped['hub.position.z']:.3f} m")
    -0.010 m, 0.050 m
    """

    summary: ClassVar[str] = "suspension by curves over its vertical travel"

    static_toe: float = parameter(
        "rad", "turn about z at any travel, left if positive", default=0.0
    )
    static_camber: float = parameter(
        "rad", "turn about x at any travel: the wheel's top to the right if positive", default=0.0
    )
    left: Curve | None = curve("m", "m", "way to the left over travel", default=None)
    forward: Curve | None = curve("m", "m", "way forward over travel", default=None)
    toe: Curve | None = curve("m", "rad", "turn about z over travel", default=None)
    camber: Curve | None = curve("m", "rad", "turn about x over travel", default=None)
    caster: Curve | None = curve("m", "rad", "turn about y over travel", default=None)

    def translation(self) -> TranslationLaw:
        return AlongPath((TRAVEL,), (SPEED,), _function(self.forward), _function(self.left))

    def rotation(self) -> RotationLaw:
        return TurnsOnPath(
            _function(self.toe, self.symbol("static_toe")),
            _function(self.camber, self.symbol("static_camber")),
            _function(self.caster),
        )


def _function(points: Curve | None, static: Expr = ZERO) -> Function:
    if points is None:
        return lambda travel: static
    return lambda travel: static + interpolate(points.table, travel)
