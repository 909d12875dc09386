"""Brakes: a torque against the turning of a joint, whichever way it turns.

The slip-limited brake gives way before its wheel locks, the select-low brake before either wheel of
its axle does.

Where a method does not solve for set-valued forces, a brake with a stiffness k is an elastic mount
in series with a slider: the mount is wound up by an angle z and passes kz + d dz/dt, and the slider
takes no more than the torque T. At the rate w of the joint both together are, with d = k times the
springback,

    torque on the joint = -F,   F = min(max(kz + d w, -T), T),   dz/dt = (F - kz) / d.     (1)

1. Below T the slider sticks, dz/dt is w, and the joint is held by a spring and a damper: it comes
   to rest under any load below T and stays there, without the drift of bristles under loads that
   swing (Dahl 1968; Canudas de Wit et al. 1995): the deflection is elastic up to the bound, the
   elastoplastic friction of Dupont, Hayward, Armstrong and Altpeter 2002 (IEEE Transactions on
   Automatic Control 47, 787 to 792) with the breakaway deflection at the bound itself.
2. Of what the joint puts in, F w = F (w - dz/dt) + F dz/dt, the slider takes the first part: where
   F is bounded by T, kz + d w is above T = kz + d dz/dt, so that w - dz/dt has the sign of F. The
   second is stored in the mount, k z^2 / 2, or taken by its damper. So a brake makes no energy,
   however T changes.
3. Released, T = 0, the mount unwinds in the time d / k.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from axletree.components.contract import (
    Component,
    Instant,
    JointLoad,
    NamedOutput,
    Response,
    creep_limit,
    dry_friction,
    reaction_symbol,
)
from axletree.components.edges import Edge, Variable
from axletree.components.fields import field_of, positive
from axletree.components.frames import Frame, frame
from axletree.components.joints import OnJoints, turning_joint
from axletree.components.signals import Signal, signal
from axletree.expr import ONE, Expr, Value, maximum, minimum

_FRICTION = Variable("friction", "N*m", "torque on the head about the axis")
SPRINGBACK = 0.005  # s
_LONGEST_SLIDE = 5.0  # s; of a vehicle with locked wheels, whose creep is nothing beside its slip
_CREEPS = (
    f"it does not hold its joint but lets it creep for {_LONGEST_SLIDE:g} s or more, slower than "
    "slow_rate, where the torque of smooth methods is in proportion to the rate; give it a "
    "stiffness, or take method='complementarity'"
)
_WIND_UP = Variable("wind_up", "rad", "angle by which the mount of the brake is wound up")


@dataclass(frozen=True, eq=False)
class FrictionBrake(OnJoints):
    """A brake that takes up to ``torque`` and never drives: it can hold a wheel locked.

    The torque is set-valued: a method that solves for such forces ("complementarity") holds the
    joint at rest. For all other methods a brake with a ``stiffness`` holds it, too: it winds up
    under the load, has that angle as a state and swings back when it is released. No step should
    be much longer than ``springback`` or than the inertia of the joint over stiffness times
    springback. Without a stiffness the torque is in proportion to the rate below ``slow_rate``,
    and a joint that is held against a load below ``torque`` creeps at less than that; a run in
    which it does so for 5 s says so.

    Example:
    >>> import axletree as at
    >>> model = at.read_model("pendulum", {"gravity": [0, 0, 0]})
    >>> brake = model.add(at.FrictionBrake("brake", model["pin"], torque="5 N*m"))
    >>> rates = model.formulate().rhs({"pin.angle": 0.0, "pin.rate": 2.0})
    >>> print(f"{rates['pin.rate']:.3f} rad/s^2")  # -5 / 0.333
    -15.015 rad/s^2
    """

    summary: ClassVar[str] = "a brake about the axis of a turning joint; locks, and never drives"

    joint: Component = turning_joint("joint that is braked")
    torque: Signal = signal("N*m", "maximum torque of the brake, not negative")
    slow_rate: float = positive(
        "rad/s",
        "rate below which the torque is in proportion to it; without effect where there is a "
        "stiffness, as in vehicles, or where a method solves for the torque",
        default=0.5,
    )  # fmt: skip
    stiffness: float | None = positive(
        "N*m/rad", "of its mount, by which methods that solve no set-valued forces hold a joint",
        default=None,
    )  # fmt: skip
    springback: float = positive(
        "s", "time in which the mount unwinds: its damping over its stiffness", default=SPRINGBACK
    )

    def states(self) -> tuple[Variable, ...]:
        return _wound_up(self)

    def respond(self, now: Instant) -> Response:
        return _braked(self, now, self.signal("torque"))


def _wound_up(brake: FrictionBrake | SlipLimitedBrake) -> tuple[Variable, ...]:
    return () if brake.stiffness is None else (_WIND_UP,)


def _braked(
    brake: FrictionBrake | SlipLimitedBrake, now: Instant, torque: Expr, *outputs: NamedOutput
) -> Response:
    """Dry friction about the axle of the first joint, up to a torque [N m]."""
    taken, rate = reaction_symbol(brake.name, _FRICTION), now.travels[0].rate
    on_head = JointLoad(brake.measured_joints()[0], ONE)
    friction = dry_friction(_FRICTION, rate, torque, brake.symbol("slow_rate"), on_head)
    rates: tuple[Expr, ...] = ()
    if brake.stiffness is None:
        slow = brake.symbol("slow_rate")
        creeps = (  # one way or the other: what swings does not
            creep_limit(way, slow, _CREEPS, holds=torque, lasts=_LONGEST_SLIDE)
            for way in (rate, -rate)
        )
        friction = replace(friction, smooth_limits=tuple(creeps))
    else:
        k, springback, (z,) = brake.symbol("stiffness"), brake.symbol("springback"), now.states
        held = minimum(maximum(k * (z + springback * rate), -torque), torque)
        friction = replace(friction, smooth=-held, smooth_energy=0.5 * k * (z * z))
        rates = ((-taken / k - z) / springback,)  # (1)
    moment = NamedOutput(_FRICTION.suffix, _FRICTION.unit, _FRICTION.description, taken)
    text = "power of the brake, negative but for what its mount gives back"
    power = NamedOutput("power", "W", text, taken * rate)
    all_outputs = (*brake.signal_outputs(), *outputs, moment, power)
    return Response(set_valued=(friction,), rates=rates, outputs=all_outputs)


@dataclass(frozen=True, eq=False)
class SlipLimitedBrake(OnJoints):
    """A friction brake whose torque falls as its wheel slips: an ideal anti-lock system.

    With the speed v of the hub along its x axis and the rate w of the wheel, the slip is
    ``(v - radius w) / max(v, low_speed)``. The torque is whole up to ``slip_limit`` and none from
    ``slip_limit + slip_range`` on, without delay and without pulses. Below ``low_speed`` slip is
    small by this definition, and the brake can lock the wheel and hold it.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> hub, wheel = (model.add(at.RigidBody(name, 9.0, (1, 1, 1))) for name in ("hub", "wheel"))
    >>> way = model.add(at.Prismatic("way", model.ground, hub))
    >>> axle = model.add(at.Revolute("axle", hub, wheel, axis="y"))
    >>> place = {"ground": model.ground, "hub": hub, "radius": 0.3, "slip_limit": 0.1}
    >>> brake = model.add(at.SlipLimitedBrake("brake", axle, torque="900 N*m", **place))
    >>> system = model.formulate()
    >>> rates = system.rhs(system.state({"way.speed": 30.0, "axle.rate": 85.0}))  # a slip of 0.15
    >>> print(f"{rates['axle.rate']:.1f} rad/s^2")  # half the torque is left
    -450.0 rad/s^2
    """

    summary: ClassVar[str] = "a brake with an anti-lock limit on the slip of its wheel"

    joint: Component = turning_joint("joint that is braked")
    ground: Frame = frame("frame that the hub moves over")
    hub: Frame = frame("frame that carries the wheel, x forward")
    radius: float = positive("m", "rolling radius of the wheel")
    slip_limit: float = positive("1", "slip from which on the torque falls", upper=1.0)
    torque: Signal = signal("N*m", "maximum torque of the brake, not negative")
    slip_range: float = positive("1", "range of slip over which the torque falls", default=0.1)
    low_speed: float = positive("m/s", "speed below which slip is as if at this speed", default=3.0)
    slow_rate: float = field_of(FrictionBrake, "slow_rate")
    stiffness: float | None = field_of(FrictionBrake, "stiffness")
    springback: float = field_of(FrictionBrake, "springback")

    def states(self) -> tuple[Variable, ...]:
        return _wound_up(self)

    def edges(self) -> tuple[Edge, ...]:
        return ()

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.ground, self.hub),)

    def respond(self, now: Instant) -> Response:
        over = (self._governing_slip(now) - self.symbol("slip_limit")) / self.symbol("slip_range")
        torque = self.signal("torque") * maximum(minimum(ONE - over, 1.0), 0.0)
        slip = NamedOutput("slip", "1", "slip of the braked wheel", self._slip(now, 0))
        text = "maximum torque that the slip allows"
        limited = NamedOutput("limited_torque", "N*m", text, torque)
        return _braked(self, now, torque, slip, limited)

    def _governing_slip(self, now: Instant) -> Value:
        """The slip that the torque falls with."""
        return self._slip(now, 0)

    def _slip(self, now: Instant, wheel: int) -> Value:
        """That of a wheel, by its place among hubs and joints that are measured."""
        speed, rate = now.motions[wheel].velocity_head[0], now.travels[wheel].rate
        return (speed - self.symbol("radius") * rate) / maximum(speed, self.symbol("low_speed"))


@dataclass(frozen=True, eq=False, kw_only=True)
class SelectLowBrake(SlipLimitedBrake):
    """A slip-limited brake whose torque falls with the greater slip of two wheels of an axle.

    With one on each of them both have the torque that the wheel with less grip can take: where one
    side is slippery, the other brakes no more than it does, and keeps its grip for side forces.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> hub = model.add(at.RigidBody("hub", 9.0, (1, 1, 1)))
    >>> way = model.add(at.Prismatic("way", model.ground, hub))
    >>> wheels = [model.add(at.RigidBody(name, 9.0, (1, 1, 1))) for name in ("left", "right")]
    >>> axles = [model.add(at.Revolute(f"{w.name}_axle", hub, w, axis="y")) for w in wheels]
    >>> given = {"ground": model.ground, "radius": 0.3, "slip_limit": 0.1, "torque": "900 N*m"}
    >>> low = at.SelectLowBrake("low", axles[0], hub=hub, other=axles[1], other_hub=hub, **given)
    >>> system = model.extended(low).formulate()
    >>> state = {"way.speed": 30.0, "left_axle.rate": 100.0, "right_axle.rate": 85.0}
    >>> rates = system.rhs(system.state(state))  # the other wheel slips by 0.15
    >>> print(f"{rates['left_axle.rate']:.1f} rad/s^2")
    -450.0 rad/s^2
    """

    summary: ClassVar[str] = "select-low brakes of an axle: an anti-lock limit on the larger slip"

    other: Component = turning_joint("joint of the other wheel of the axle, of the same radius")
    other_hub: Frame = frame("frame that carries the other wheel, x forward")

    def problems(self) -> list[str]:
        same = self.other is self.joint
        return [f"joint and other are both {self.joint.name}"] if same else []

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return (*super().measures(), (self.ground, self.other_hub))

    def _governing_slip(self, now: Instant) -> Value:
        return maximum(self._slip(now, 0), self._slip(now, 1))
