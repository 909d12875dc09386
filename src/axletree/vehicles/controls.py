"""What of a vehicle controllers may command, beside the driver: the actuators that it has for them.

Each group adds components, whose inputs controllers set. With nothing set a vehicle with them
drives as one without.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from axletree.components.actuators import (
    AntiRollActuator,
    BrakeModulator,
    DriveModulator,
    MotorCommand,
    SteeringActuator,
    SuspensionActuator,
)
from axletree.components.contract import Component
from axletree.components.fields import Part, fixed_number, flag, positive
from axletree.components.frames import Frame
from axletree.components.loads import JointTorque
from axletree.components.signals import Input, TimeFunction
from axletree.components.steering_wheel import (
    ArmSteeringWheel,
    FreeSteeringWheel,
    LinearSteeringWheel,
    RackSteeringWheel,
)
from axletree.expr import Expr, Value, as_expr, directional_derivative, symbol
from axletree.model.model import Model
from axletree.vehicles.pieces import Steering
from axletree.vehicles.suspensions import SIDES, AxlePlace

STEERING_ACTUATOR = "steering_actuator"
HAND: Expr = symbol("driver.steering")  # [rad], of the steering wheel


@dataclass(frozen=True)
class Controls(Part):
    """Actuators for controllers, by groups.

    - ``brakes``: of each wheel with a brake ``front_left_modulator.share`` and ``.torque``: the
      brake has share times (the driver's torque plus this torque), and never less than nothing.
      Brakes by ``torque_per_pressure`` have a ``.pressure``, too, whose torque is added likewise.
    - ``drive``: of each driven axle ``rear_drive_modulator.share``, of the driver's throttle.
    - ``gears``: of each drive with several gears ``rear_drive.selected``, the number of the gear
      that is held; 0: gears change by the speed.
    - ``motors``: of each wheel ``front_left_motor.torque``, forward if positive, beside the drive;
      where traction motors drive the wheels it is asked of these, and where one drives an axle it
      is ``front_motor.torque``, of both wheels.
    - ``steering``: ``steering_actuator.command``, an angle added to that of the steering wheel.
    - ``steering_torque``: ``driver.steering_torque`` in place of the angle, which follows from it,
      of a steering wheel with this inertia and damping. Where the steering has a column that is
      rigid, one of this stiffness and damping is in its place; but in a linear model.
    - ``suspension``: of each wheel ``front_left_actuator.force`` and ``.damping``, and of each axle
      ``front_anti_roll.moment``.

    Example:
    >>> import axletree as at
    >>> controls = {"brakes": True, "drive": True}
    >>> car = at.read_model("sedan", {"vehicle": {"controls": controls}})
    >>> [q.name for q in car.formulate().inputs if "rear_right_modulator" in q.name][1:]
    ['rear_right_modulator.torque', 'rear_right_modulator.pressure']
    """

    summary: ClassVar[str] = "actuators for controllers"

    brakes: bool = flag("whether each brake has a modulator", default=False)
    drive: bool = flag("whether each drive has a modulator of its throttle", default=False)
    gears: bool = flag("whether a gear may be held, in place of one by the speed", default=False)
    motors: bool = flag("whether each wheel has a motor beside the drive", default=False)
    steering: bool = flag("whether an angle is added to the steering wheel's", default=False)
    steering_torque: bool = flag(
        "whether the steering wheel is turned by a torque, in place of an angle", default=False
    )
    wheel_inertia: float = fixed_number(
        "kg*m^2", "of a steering wheel that is turned by a torque", default=0.04, lower=0.0,
        above=True,
    )  # fmt: skip
    wheel_damping: float = fixed_number("N*m*s/rad", "likewise", default=0.6, lower=0.0)
    column_stiffness: float = positive(
        "N*m/rad",
        "of a column that the steering has as rigid, where a torque turns it",
        default=1146.0,
    )
    column_damping: float = fixed_number("N*m*s/rad", "likewise", default=2.0, lower=0.0)
    suspension: bool = flag(
        "whether each wheel has a force and a damping, each axle an anti-roll moment", default=False
    )
    anti_lock: bool = flag(
        "whether brakes with a slip_limit keep this ideal limit; no: wheels may lock, as for a "
        "controller that is an anti-lock system itself", default=True,
    )  # fmt: skip

    @property
    def groups(self) -> tuple[str, ...]:
        """Those that it has.

        Example:
        >>> from axletree.vehicles.controls import Controls
        >>> Controls(brakes=True, steering=True).groups
        ('brakes', 'steering')
        """
        return tuple(name for name in GROUPS if getattr(self, name))

    def brake_torque(
        self, model: Model, wheel: str, asked: Expr, gain: float | None = None
    ) -> Expr:
        """Of the brake of a wheel, ``front_left``, by what the driver asks for [N m].

        Brakes by pressure have a ``gain`` [N m/Pa], and a pressure as an input, too.

        Example:
        >>> import axletree as at
        >>> from axletree.expr import symbol
        >>> from axletree.vehicles.controls import Controls
        >>> stand = at.Model("stand")
        >>> print(Controls(brakes=True).brake_torque(stand, "left", 900.0 * symbol("driver.brake")))
        left_modulator.share*max(left_modulator.torque + 900*driver.brake, 0)
        """
        if not self.brakes:
            return asked
        name = f"{wheel}_modulator"
        modulator = BrakeModulator(name)
        if gain is not None:
            modulator = BrakeModulator(name, pressure=Input(), gain=gain)
        return as_expr(model.add(modulator).torque_at_brake(asked))

    def throttle(self, model: Model, axle: str) -> Expr:
        """That the drive of an axle has.

        Example:
        >>> import axletree as at
        >>> from axletree.vehicles.controls import Controls
        >>> print(Controls(drive=True).throttle(at.Model("stand"), "rear"))
        driver.throttle*rear_drive_modulator.share
        """
        driver = symbol("driver.throttle")
        if not self.drive:
            return driver
        modulator = model.add(DriveModulator(f"{axle}_drive_modulator"))
        return driver * symbol(f"{modulator.name}.share")

    def motor_torque(self, model: Model, word: str) -> Expr:
        """That a controller asks of the traction motor of an axle or of a wheel [N m].

        Example:
        >>> import axletree as at
        >>> from axletree.vehicles.controls import Controls
        >>> print(Controls(motors=True).motor_torque(at.Model("stand"), "rear"))
        rear_motor.torque
        """
        return symbol(f"{model.add(MotorCommand(f'{word}_motor')).name}.torque")

    def add_motors(self, model: Model, axle: str, wheels: Mapping[str, Component]) -> None:
        """To the wheels of an axle, by the joints that they turn on.

        Example:
        >>> import axletree as at
        >>> from axletree.vehicles.controls import Controls
        >>> stand = at.Model("stand")
        >>> wheel = stand.add(at.RigidBody("wheel", 20.0, (0.7, 1.2, 0.7))).main_frame  # kg, kg m^2
        >>> hub = stand.add(at.Revolute("hub", stand.ground.main_frame, wheel, axis=(0, 1, 0)))
        >>> Controls(motors=True).add_motors(stand, "rear", {"left": hub})
        >>> [q.name for q in stand["rear_left_motor"].inputs()]
        ['rear_left_motor.torque']
        """
        for side, turns in wheels.items() if self.motors else ():
            model.add(JointTorque(f"{axle}_{side}_motor", turns))

    def add_suspension(self, model: Model, at: AxlePlace, hubs: Mapping[str, Frame]) -> None:
        """Between the body and the hubs of an axle, by side.

        Example:
        >>> import axletree as at
        >>> car = at.read_model("sedan", {"vehicle": {"controls": {"suspension": True}}})
        >>> print(car["front_left_actuator"].roll_force.expression)  # N, of a track of 1.57 m
        0.6369426751592356*front_anti_roll.moment
        """
        if not self.suspension:
            return
        bar = model.add(AntiRollActuator(f"{at.name}_anti_roll"))
        for side, sign in SIDES.items():
            name = f"{at.name}_{side}_actuator"
            tail = at.body.point(at.x, sign * 0.5 * at.track, at.z, name)
            share = TimeFunction(sign / at.track * symbol(f"{bar.name}.moment"))
            model.add(SuspensionActuator(name, tail, hubs[side], roll_force=share))

    def add_steering(self, model: Model) -> None:
        """The actuator that the steering of every axle follows.

        Example:
        >>> import axletree as at
        >>> from axletree.vehicles.controls import Controls
        >>> stand = at.Model("stand")
        >>> Controls(steering=True).add_steering(stand)
        >>> [one.name for one in stand.components]
        ['steering_actuator']
        """
        if self.steering:
            model.add(SteeringActuator(STEERING_ACTUATOR))

    def column_of(self, steering: Steering) -> Steering:
        """A steering as it is turned: by a torque, its column is none that is rigid.

        Example:
        >>> from axletree.vehicles.controls import Controls
        >>> from axletree.vehicles.pieces import Steering
        >>> rigid = Steering(ratio=15.0)
        >>> [Controls(steering_torque=on).column_of(rigid).column_stiffness for on in (True, False)]
        [1146.0, None]
        """
        if not self.steering_torque:
            return steering
        return steering.with_column(self.column_stiffness, self.column_damping)

    def add_geared_wheel(
        self, model: Model, steering: Steering, joint: Component, pinion: Value
    ) -> None:
        """A steering wheel that torques turn, on what moves a rack or a pitman arm; the pinion's
        angle follows the steering wheel's.

        Example:
        >>> import axletree as at
        >>> controls = {"steering_torque": True}
        >>> car = at.read_model("double-wishbone-sports-car", {"vehicle": {"controls": controls}})
        >>> type(car["driver"]).__name__
        'RackSteeringWheel'
        """
        assert steering.column_stiffness is not None
        assert steering.travel is not None
        angle = as_expr(pinion)
        (slope,) = directional_derivative([angle], {HAND: 1.0})
        kind = RackSteeringWheel if steering.rack is not None else ArmSteeringWheel
        wheel = kind(
            "driver", joint, steering.travel, steering.column_stiffness,
            angle=TimeFunction(angle), angle_slope=TimeFunction(as_expr(slope)),
            bar_damping=steering.column_damping, friction=steering.column_friction,
            inertia=self.wheel_inertia, damping=self.wheel_damping,
        )  # fmt: skip
        model.add(wheel)

    def add_linear_wheel(
        self, model: Model, ground: Frame, axle: Frame, stiffness: float, trail: float, share: float
    ) -> None:
        """The same of a linear model, on the axle that it steers by a share of its angle; the trail
        [m] is that of kingpin and tyre.

        Example:
        >>> import axletree as at
        >>> given = {"fidelity": "linear", "controls": {"steering_torque": True}}
        >>> car = at.read_model("sedan", {"vehicle": given})
        >>> print(f"{1.0 / car['driver'].share:.0f}")
        15
        """
        wheel = LinearSteeringWheel(
            "driver", ground, axle, stiffness, trail, share,
            inertia=self.wheel_inertia, damping=self.wheel_damping,
        )  # fmt: skip
        model.add(wheel)

    def add_steering_wheel(
        self,
        model: Model,
        steering: Steering,
        kingpins: Sequence[Component],
        angles: Sequence[Value],
    ) -> None:
        """One that torques turn, with what the kingpins are turned to, left and right.

        Each kingpin has half of the column's stiffness at the wheels (``Steering``).

        Example:
        >>> import axletree as at
        >>> controls = {"steering_torque": True}
        >>> car = at.read_model("suv", {"vehicle": {"controls": controls}})
        >>> print(f"{car['driver'].stiffness:.0f} N m/rad")  # 16^2 2.5 / 2 N m/deg
        18335 N m/rad
        """
        assert steering.column_stiffness is not None
        half, turned = 0.5 * steering.pinion_ratio**2, [as_expr(one) for one in angles]
        left, right = kingpins
        signals = [*turned, *directional_derivative(turned, {HAND: 1.0})]
        names = ("left_angle", "right_angle", "left_slope", "right_slope")
        wheel = FreeSteeringWheel(
            "driver", left, right, half * steering.column_stiffness,
            kingpin_damping=half * steering.column_damping, inertia=self.wheel_inertia,
            damping=self.wheel_damping,
            **{name: TimeFunction(one) for name, one in zip(names, signals, strict=True)},
        )  # fmt: skip
        model.add(wheel)

    @property
    def hand_angle(self) -> Expr:
        """Of the steering wheel [rad], with what an actuator adds."""
        return HAND + symbol(f"{STEERING_ACTUATOR}.angle") if self.steering else HAND

    def lacking(self, *, planar: bool, linear: bool, has: Mapping[str, bool]) -> Iterable[str]:
        """What a vehicle has not that is to be commanded; ``has`` by groups that depend on it.

        Example:
        >>> from axletree.vehicles.controls import Controls
        >>> list(Controls(drive=True).lacking(planar=False, linear=False, has={"drive": False}))
        ['controls: drive: no axle of the vehicle has one; leave it out']
        """
        for group in self.groups:
            if not has.get(group, True):
                one = "a drive with several gears" if group == "gears" else "one"
                yield f"controls: {group}: no axle of the vehicle has {one}; leave it out"
            elif linear and group not in ("steering", "steering_torque"):
                yield f"controls: {group}: a linear model has none; take another fidelity"
            elif planar and group == "suspension":
                yield "controls: suspension: in the plane there is none; take 14-dof or full"


GROUPS = ("brakes", "drive", "gears", "motors", "steering", "steering_torque", "suspension")
