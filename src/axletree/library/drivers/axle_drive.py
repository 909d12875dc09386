"""The drive of an axle: engine or motor, gears, final drive and differential."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import Expr, maximum, minimum, number
from axletree.core.expr.expression import ONE, ZERO
from axletree.library.contract import (
    Component,
    Computed,
    Coupling,
    Instant,
    JointLoad,
    Response,
    SetValued,
)
from axletree.library.differentials.contract import AxleDifferential
from axletree.library.differentials.open_differential import OpenDifferential
from axletree.library.edge import Variable
from axletree.library.exchange import reaction_symbol
from axletree.library.fields import parameter
from axletree.library.gearing import (
    cruise_rate,
    final_drive,
    gear_efficiency,
    gear_ratios,
    shift_rate,
    torque_share,
)
from axletree.library.joint_reference import turn_of, turning_joint
from axletree.library.part import part
from axletree.library.power_sources.contract import PowerSource, within_one
from axletree.library.signal import Signal, signal

FRICTION = Variable("friction", "N*m", "torque that the differential passes on to the left wheel")
LOCK = Variable("lock", "N*m", "torque of the locked differential on the left wheel")


@dataclass(frozen=True, eq=False)
class AxleDrive(Component):
    """Turns two wheels by a source of power, without inertia of its own.

    1. The source turns at ``speed = gear * final_drive * (left + right) / 2``, and the axle gets
       ``share * gear * final_drive`` times its torque; of torque that drives, times
       ``efficiency``.
    2. The highest gear is used of which the one below would turn the source at ``shift_rate`` or
       more; at ``cruise_rate`` with the pedal released, in proportion between. About that rate,
       ``shift_range`` of it wide, the ratio goes over from one gear to the next while the clutch
       slips: torque is continuous over speed and throttle, so that no gear is left and taken again
       and again. A drive with one gear needs no ``shift_rate``. The clutch passes on
       ``1 - clutch`` of the torque.
    3. Each wheel gets half. The differential passes more to the slower wheel: as set-valued
       friction, which for methods that do not solve for it is in proportion to the difference of
       the rates below ``slow_rate``; a locked one is a constraint.

    Example:
    >>> import axletree as at
    >>> from axletree.library.power_sources.constant_torque import ConstantTorque
    >>> model = at.Model()
    >>> wheels = [model.add(at.RigidBody(name, 10.0, (1, 1, 1))) for name in ("left", "right")]
    >>> axles = [model.add(at.Revolute(f"{w.name}_axle", model.ground, w)) for w in wheels]
    >>> drive = model.add(at.AxleDrive("drive", *axles, ConstantTorque(100.0), final_drive=3.0))
    >>> system = model.formulate()
    >>> rates = system.rhs(system.state(), inputs={"drive.throttle": 1.0})
    >>> print(f"{rates['left_axle.rate']:.1f} rad/s^2")  # half of 3 * 100 N m, on 1 kg m^2
    150.0 rad/s^2
    """

    summary: ClassVar[str] = "engine or motor, gears and differential between two wheels"

    name: str
    left: Component = turning_joint("joint of the left wheel")
    right: Component = turning_joint("joint of the right wheel")
    source: PowerSource = part("POWER_SOURCES", "engine or motor")
    differential: AxleDifferential = part(
        "DIFFERENTIALS", "between the half shafts", default=OpenDifferential
    )
    throttle: Signal = signal("1", "throttle from 0, closed, to 1")
    gears: tuple[float, ...] = gear_ratios()
    shift_rate: float = shift_rate()
    final_drive: float = final_drive()
    share: float = torque_share()
    efficiency: float = gear_efficiency()
    cruise_rate: float | None = cruise_rate()
    shift_range: float = parameter(
        "1", "range of speed, of that at which gears change, over which one takes over from the "
        "other", default=0.04, lower=0.0, above=True,
    )  # fmt: skip
    clutch: Signal = signal("1", "position of the clutch pedal, from 0 to 1: nothing is passed on")
    slow_rate: float = parameter(
        "rad/s", "difference of rates below which friction is in proportion to it", default=1.0,
        lower=0.0, above=True,
    )  # fmt: skip

    def problems(self) -> list[str]:
        found = []
        if self.left is self.right:
            found.append(f"left and right are both {self.left.name}")
        if len(self.gears) > 1 and not self.shift_rate:
            found.append(f"{len(self.gears)} gears need a shift_rate, at which they are changed")
        return found

    def measured_joints(self) -> tuple[str, ...]:
        return turn_of(self.left)[0].name, turn_of(self.right)[0].name

    def couplings(self) -> tuple[Coupling, ...]:
        if not self.differential.locked:
            return ()
        left, right = self.measured_joints()
        return (Coupling(((left, ONE), (right, -ONE)), LOCK),)

    def respond(self, now: Instant) -> Response:
        left, right = (travel.rate for travel in now.travels)
        wheels = 0.5 * (left + right)
        gear = self._gear(wheels)
        speed = gear * self.symbol("final_drive") * wheels
        torque = self._on_axle(self.signal("throttle"), gear, speed)
        friction = self._friction(torque, left - right)
        both = tuple(JointLoad(joint, 0.5 * torque) for joint in self.measured_joints())
        power = torque * wheels
        if friction:
            power = power + reaction_symbol(self.name, FRICTION) * (left - right)
        return Response(
            joint_loads=both,
            set_valued=friction,
            outputs=(
                *self.signal_outputs(),
                Computed("torque", "N*m", "torque on the axle, of both wheels together", torque),
                Computed("speed", "rad/s", "speed of the source; its clutch may slip", speed),
                Computed("gear", "1", "ratio of the gear in use", gear),
                Computed("power", "W", "power on the wheels", power),
            ),
        )

    def _gear(self, wheels: Expr) -> Expr:
        used = number(self.gears[0])
        if len(self.gears) == 1:
            return used
        rate = self.symbol("shift_rate")
        if self.cruise_rate is not None:
            pedal = within_one(self.signal("throttle"))
            rate = self.symbol("cruise_rate") * (ONE - pedal) + rate * pedal
        turns = self.symbol("final_drive") * wheels / rate
        for ratio, higher in zip(self.gears, self.gears[1:], strict=False):
            taken = within_one((ratio * turns - 1.0) / self.symbol("shift_range") + 0.5)
            used = used + (higher - ratio) * taken
        return used

    def _on_axle(self, throttle: Expr, gear: Expr, speed: Expr) -> Expr:
        source = self.source.torque(throttle, speed, self._numbers_of("source"))
        source = self.symbol("efficiency") * maximum(source, 0.0) + minimum(source, 0.0)
        source = source * (ONE - within_one(self.signal("clutch")))
        on_axle: Expr = self.symbol("share") * self.symbol("final_drive") * gear * source
        return on_axle

    def _friction(self, torque: Expr, apart: Expr) -> tuple[SetValued, ...]:
        capacity = self.differential.capacity(torque, self._numbers_of("differential"))
        if capacity == ZERO:
            return ()
        part_of = maximum(minimum(apart / self.symbol("slow_rate"), 1.0), -1.0)
        left, right = self.measured_joints()
        passed = SetValued(
            FRICTION,
            velocity=apart,
            lower=-capacity,
            upper=capacity,
            smooth=-capacity * part_of,
            joint_loads=(JointLoad(left, ONE), JointLoad(right, -ONE)),
        )
        return (passed,)

    def _numbers_of(self, field: str) -> dict[str, Expr]:
        return {name: self.symbol(f"{field}.{name}") for name in getattr(self, field).numbers}
