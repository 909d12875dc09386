"""Differentials: between the half shafts of a driven axle, and as a coupling of three joints.

Every one gives both half shafts the same torque, and some more to the slower one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.contract import Component, Coupling
from axletree.components.edges import Variable
from axletree.components.fields import Part, parameter
from axletree.components.joints import turn_of, turning_joint
from axletree.expr import ZERO, Expr, Value, maximum, number


class AxleDifferential(Part, ABC):
    """Between the two half shafts of a driven axle.

    Example:
    >>> from dataclasses import dataclass
    >>> from axletree.expr import absolute
    >>> from axletree.components.differentials import AxleDifferential
    >>> from axletree.components.fields import parameter
    >>> @dataclass(frozen=True)
    ... class TorqueSensing(AxleDifferential):
    ...     bias: float = parameter("1", "torque of the slower wheel over the other's", lower=1.0)
    ...
    ...     def capacity(self, torque, p):
    ...         return 0.5 * absolute(torque) * (p["bias"] - 1.0) / (p["bias"] + 1.0)
    >>> gears = TorqueSensing(bias=3.0)
    >>> float(gears.capacity(800.0, gears.numbers))  # N m: one wheel has 600, the other 200
    200.0
    """

    locked: ClassVar[bool] = False  # whether both half shafts turn as one, a constraint

    @abstractmethod
    def capacity(self, torque: Expr, p: Any) -> Expr:
        """What friction passes at most from the faster half shaft to the slower one [N m], from
        the torque [N m] on the axle; ``p`` has the parameters by name.

        Example:
        >>> from axletree.components.differentials import LimitedSlipDifferential
        >>> plates = LimitedSlipDifferential(coast_locking=0.1)
        >>> [float(plates.capacity(torque, plates.numbers)) for torque in (500.0, -500.0)]
        [0.0, 50.0]
        """


@dataclass(frozen=True)
class OpenDifferential(AxleDifferential):
    """Equal torques, whatever the wheels do.

    Example:
    >>> from axletree.components.differentials import OpenDifferential
    >>> float(OpenDifferential().capacity(1000.0, {}))  # N m, from one half shaft to the other
    0.0
    """

    summary: ClassVar[str] = "equal torques on both half shafts"

    def capacity(self, torque: Expr, p: Any) -> Expr:
        return ZERO


@dataclass(frozen=True)
class LockedDifferential(AxleDifferential):
    """Both half shafts turn as one, as on the rear axle of a kart.

    Example:
    >>> from axletree.components.differentials import LockedDifferential
    >>> LockedDifferential().locked  # both half shafts turn as one
    True
    """

    summary: ClassVar[str] = "both half shafts turn as one"
    locked: ClassVar[bool] = True

    def capacity(self, torque: Expr, p: Any) -> Expr:
        return ZERO


@dataclass(frozen=True)
class LimitedSlipDifferential(AxleDifferential):
    """Plates pass up to ``preload + locking |torque|`` from the faster half shaft to the slower.

    The slower wheel then has twice that more than the faster one. ``locking`` is ``drive_locking``
    or ``coast_locking``, by the direction of the torque on the axle: half of what is called the
    locking value, which compares the torques of both wheels with their sum.

    Example:
    >>> from axletree.components.differentials import LimitedSlipDifferential
    >>> plates = LimitedSlipDifferential("50 N*m", drive_locking=0.2)
    >>> float(plates.capacity(1000.0, plates.numbers))  # N m: 50 + 0.2 * 1000
    250.0
    """

    summary: ClassVar[str] = "plates pass torque from the faster half shaft to the slower"

    preload: float = parameter("N*m", "passed without torque on the axle", default=0.0, lower=0.0)
    drive_locking: float = parameter(
        "1", "passed by torque that drives", default=0.0, lower=0.0, upper=0.5
    )
    coast_locking: float = parameter(
        "1", "passed by torque that brakes", default=0.0, lower=0.0, upper=0.5
    )

    def problems(self) -> list[str]:
        if self.preload or self.drive_locking or self.coast_locking:
            return []
        return [
            "without preload, drive_locking and coast_locking it is open; give one of them, or "
            "the differential as open"
        ]

    def capacity(self, torque: Expr, p: Any) -> Value:
        by_torque = p["drive_locking"] * maximum(torque, 0.0)
        return p["preload"] + by_torque + p["coast_locking"] * maximum(-torque, 0.0)


DIFFERENTIAL_TORQUE = Variable(
    "torque", "N*m", "torque on the head of the drive joint about its axis"
)


@dataclass(frozen=True, eq=False)
class Differential(Component):
    """An open differential: ``drive = ratio * (left + right) / 2``.

    Without masses of its own, it passes equal torques to left and right.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> bodies = [model.add(at.RigidBody(k, 1.0, (1, 1, 1))) for k in ("shaft", "left", "right")]
    >>> joints = [model.add(at.Revolute(f"{b.name}_joint", model.ground, b)) for b in bodies]
    >>> final = model.add(at.Differential("final", *joints, ratio=4.0))
    >>> state = model.formulate().state({"left_joint.rate": 9.0, "right_joint.rate": 11.0})
    >>> print(f"{state['shaft_joint.rate']:.1f} rad/s")
    40.0 rad/s
    """

    summary: ClassVar[str] = "one turning joint drives the mean of two others"

    drive: Component = turning_joint("joint of the propeller shaft")
    left: Component = turning_joint("joint of the left half shaft")
    right: Component = turning_joint("joint of the right half shaft")
    ratio: float = parameter("1", "turns of the drive per mean turn of the half shafts")

    def problems(self) -> list[str]:
        found = []
        if self.ratio == 0.0:
            found.append("ratio must not be zero: the drive would be locked")
        if len({self.drive.name, self.left.name, self.right.name}) < 3:
            found.append("drive, left and right must be three different joints")
        return found

    def couplings(self) -> tuple[Coupling, ...]:
        drive, left, right = (turn_of(j)[0].name for j in (self.drive, self.left, self.right))
        half = -0.5 * self.symbol("ratio")
        return (Coupling(((drive, number(1.0)), (left, half), (right, half)), DIFFERENTIAL_TORQUE),)
