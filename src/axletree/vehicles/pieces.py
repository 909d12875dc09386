"""Pieces of a vehicle's description. Axes are x forward, y left, z up (ISO 8855).

Body, wheel, tyre, steering, load and air; the soft ground under its wheels; a driver who follows
a path.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Self

from axletree.components.bodies import inertia_matrix, inertia_problems, revolution_problems
from axletree.components.fields import (
    Part,
    field_of,
    inertia_parameter,
    parameter,
    part,
    piece,
    positive,
    vector_parameter,
)
from axletree.components.signals import Curve, curve
from axletree.ground.path_driver import Pace
from axletree.ground.paths import Path
from axletree.vehicles.steering_column import SteeringColumn
from axletree.wheel.carcass import Carcass
from axletree.wheel.contract import TyreLaw
from axletree.wheel.slip import KinematicSlip, Slip
from axletree.wheel.soils.contract import SoilLaw
from axletree.wheel.soils.set_valued_forces import TractionScheme
from axletree.wheel.soils.soil_wheel import SoilWheel
from axletree.wheel.soils.supports import SoilSupport


@dataclass(frozen=True)
class VehicleBody(Part):
    """The sprung mass, in the position that the vehicle is designed for.

    Example:
    >>> from axletree.vehicles.pieces import VehicleBody
    >>> body = VehicleBody("1.4 t", (500.0, 2300.0, 2500.0), centre_height="55 cm")  # kg m^2
    >>> body.mass, body.centre_height  # kg, m
    (1400.0, 0.55)
    """

    summary: ClassVar[str] = "the sprung mass"

    mass: float = positive("kg", "sprung mass")
    inertia: tuple[float, ...] = inertia_parameter("about the centre of mass")
    centre_height: float = positive("m", "height of the centre of mass above the ground")
    width: float | None = positive(
        "m", "between cones; left out: 0.3 m more than the widest track", default=None
    )

    def problems(self) -> list[str]:
        return [f"inertia: {text}" for text in inertia_problems(inertia_matrix(self.inertia))]


@dataclass(frozen=True)
class VehicleWheel(Part):
    """A wheel with its tyre and what turns with it.

    Example:
    >>> from axletree.vehicles.pieces import VehicleWheel
    >>> wheel = VehicleWheel("20 kg", spin_inertia=1.2, transverse_inertia=0.7, radius="32 cm")
    >>> round(wheel.spin_inertia / wheel.radius**2, 2)  # kg that it adds to a car that accelerates
    11.72
    """

    summary: ClassVar[str] = "what turns about the axle"

    mass: float = positive("kg", "mass of wheel and tyre")
    spin_inertia: float = positive("kg*m^2", "about the axle")
    transverse_inertia: float = positive("kg*m^2", "about a diameter")
    radius: float = positive("m", "radius without load")
    width: float | None = positive(
        "m", "width of what touches the ground; needed on soft ground", default=None
    )

    def problems(self) -> list[str]:
        return revolution_problems(self, "spin_inertia")


# Stiffnesses of a carcass over the vertical one, as those that the Magic Formula has by default
# (data/tyres/magic-formula.csv: 300, 100 and 200 kN/m).
LONGITUDINAL_SHARE = 1.5
LATERAL_SHARE = 0.5


@dataclass(frozen=True)
class VehicleTyre(Part):
    """A tyre: how it deflects, and its law.

    Example:
    >>> import axletree as at
    >>> from axletree.vehicles.pieces import VehicleTyre
    >>> tyre = VehicleTyre("200 kN/m", at.LinearTyre(slip_stiffness=9e4, cornering_stiffness=7e4))
    >>> 4000.0 / tyre.stiffness  # m that it is pressed in by 4000 N
    0.02
    """

    summary: ClassVar[str] = "vertical stiffness and law of a tyre"

    stiffness: float = positive("N/m", "vertical stiffness")
    law: TyreLaw = part("TYRES", "forces over slip")
    damping: float = parameter("N*s/m", "vertical damping", default=200.0, lower=0.0)
    slip: Slip | None = part(
        "SLIPS", "slip from velocities; left out: that of a carcass, by the vertical stiffness",
        default=None,
    )  # fmt: skip

    @property
    def relaxed_slip(self) -> Slip:
        """The slip that is given, or that of a carcass for laws that take one.

        Example:
        >>> import axletree as at
        >>> from axletree.vehicles.pieces import VehicleTyre
        >>> law = at.LinearTyre(slip_stiffness=9e4, cornering_stiffness=7e4)
        >>> VehicleTyre("200 kN/m", law).relaxed_slip.lateral_stiffness  # N/m
        100000.0
        """
        if self.slip is not None:
            return self.slip
        if self.law.holds or not self.law.takes_slip:
            return KinematicSlip()
        return Carcass(LONGITUDINAL_SHARE * self.stiffness, LATERAL_SHARE * self.stiffness)


_USUAL_RATIO = 16.0


@dataclass(frozen=True)
class Steering(Part):
    """Wheels that follow the steering wheel.

    With a ``column_stiffness`` there is a spring between it and the wheels. Each kingpin then has
    half of its stiffness at the wheels, ratio^2 column_stiffness: the mean of both angles stays
    behind as one column between them would have it.

    With a ``rack`` the tie rods of a suspension by hard points turn the wheels: ratio, Ackermann's
    share and trail follow from its points, and the rack moves to the side that steers to the left.
    Models with links then have joints of the column, assist and friction; others have the ratio
    straight ahead, the stiffness of the column and the assist.

    Example:
    >>> from axletree.vehicles.pieces import Steering
    >>> steering = Steering(ratio=15.0, trail="20 mm", column_stiffness="40 N*m/rad")
    >>> steering.ratio**2 * steering.column_stiffness  # N m/rad, at the wheels
    9000.0
    """

    summary: ClassVar[str] = "ratio, geometry and compliance of a steering"

    ratio: float = parameter(
        "1", "steering wheel angle over road wheel angle; left out: 16, or that of the rack",
        default=None,
    )  # fmt: skip
    ackermann: float = parameter(
        "1", "0: both wheels are parallel; 1: they turn about one point of the other axle",
        default=0.0,
    )  # fmt: skip
    trail: float = parameter("m", "of the kingpin ahead of the wheel's centre", default=0.0)
    column_stiffness: float | None = positive(
        "N*m/rad", "of column and torsion bar, at the steering wheel; rigid without it",
        default=None,
    )  # fmt: skip
    column_damping: float = parameter(
        "N*m*s/rad", "likewise; only with a column_stiffness", default=0.0, lower=0.0
    )
    rack: float | None = positive(
        "m/rad", "travel of the rack over the angle of the steering wheel, such as 50 mm/rev; of "
        "suspensions by hard points", default=None,
    )  # fmt: skip
    gear_ratio: float | None = positive(
        "1", "steering wheel angle over that of the pitman arm, of hard points with a pitman arm "
        "in place of a rack", default=None,
    )  # fmt: skip
    column: SteeringColumn | None = piece(
        SteeringColumn, "joints of the column, of a rack or a pitman arm; left out: one shaft",
        default=None,
    )  # fmt: skip
    assist: Curve | None = curve(
        "N*m", "N*m", "of electric or hydraulic power steering: torque at the pinion over that of "
        "the torsion bar, which is the column_stiffness; from 0 upward", default=None,
    )  # fmt: skip
    assist_over_speed: Curve | None = curve(
        "m/s", "1", "share of this assist over the speed", default=None
    )
    rack_friction: float = parameter(
        "N", "of the rack; with a column_stiffness", default=0.0, lower=0.0
    )
    arm_friction: float = parameter(
        "N*m", "of the pitman arm's shaft; with a column_stiffness", default=0.0, lower=0.0
    )
    column_friction: float = parameter(
        "N*m", "at the steering wheel; with a column_stiffness", default=0.0, lower=0.0
    )
    share: float = parameter(
        "1", "of the steering wheel's angle that this axle follows; negative: against it, as rear "
        "axles may be steered", default=1.0,
    )  # fmt: skip
    # [m/rad, or 1] rack or pitman arm, with the sign that steers to the left
    travel: float | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.ratio is None and not self.is_linked:
            object.__setattr__(self, "ratio", _USUAL_RATIO)

    @property
    def is_linked(self) -> bool:
        """Whether a rack or a pitman arm steers."""
        return self.rack is not None or self.gear_ratio is not None

    def with_geometry(self, travel: float, ratio: float, ackermann: float, trail: float) -> Self:
        """With what the linkage of its axle makes of its rack or pitman arm.

        Example:
        >>> from axletree.vehicles.pieces import Steering
        >>> rack = Steering(rack="50 mm/rev")
        >>> rack.with_geometry(travel=-0.008, ratio=15.5, ackermann=0.3, trail=0.03).ratio
        15.5
        """
        other = copy.copy(self)
        found = {"travel": travel, "ratio": ratio, "ackermann": ackermann, "trail": trail}
        for name, value in found.items():
            object.__setattr__(other, name, value)
        return other

    def with_column(self, stiffness: float, damping: float) -> Self:
        """With a column [N m/rad, N m s/rad] in the place of one that is rigid.

        Example:
        >>> from axletree.vehicles.pieces import Steering
        >>> Steering(ratio=15.0).with_column(1100.0, 2.0).column_stiffness  # N m/rad
        1100.0
        """
        if self.column_stiffness is not None:
            return self
        other = copy.copy(self)
        object.__setattr__(other, "column_stiffness", stiffness)
        object.__setattr__(other, "column_damping", damping)
        return other

    def problems(self) -> list[str]:
        found = ["ratio must not be zero"] if self.ratio == 0.0 else []
        if self.rack is not None and self.gear_ratio is not None:
            found.append("give either rack or gear_ratio, that of a pitman arm")
        if self.is_linked:
            given = {"ratio": self.ratio, "ackermann": self.ackermann, "trail": self.trail}
            found += [
                f"{name}: of a rack or pitman arm it follows from the hard points; leave it out"
                for name, value in given.items()
                if value
            ]
        found += self._problems_of_gear()
        if self.column_damping and self.column_stiffness is None:
            found.append("column_damping needs a column_stiffness; without it the column is rigid")
        return found

    def _problems_of_gear(self) -> Iterator[str]:
        """What only a rack or a pitman arm has, and what a torsion bar is needed for."""
        on_bar = ("assist", "rack_friction", "arm_friction", "column_friction")
        for name in ("column", *on_bar):
            if getattr(self, name) and not self.is_linked:
                yield f"{name}: of a rack or pitman arm, which comes with hard points"
        for name in on_bar:
            if getattr(self, name) and self.is_linked and self.column_stiffness is None:
                yield f"{name}: needs a column_stiffness, that of the torsion bar"
        for name, other in (("rack_friction", "gear_ratio"), ("arm_friction", "rack")):
            if getattr(self, name) and getattr(self, other) is not None:
                yield f"{name}: there is a {other}; leave it out"
        if self.assist_over_speed is not None and self.assist is None:
            yield "assist_over_speed: of an assist; give one, or leave it out"
        if self.assist is not None and (self.assist.x[0] != 0.0 or self.assist.y[0] != 0.0):
            yield "assist: expected points from torque 0 with no assist upward"
        if self.share == 0.0:
            yield "share: an axle with a share of 0 is not steered; leave its steering out"
        if self.share != 1.0 and not self.is_linked:
            yield "share: of a rack or pitman arm; without one the ratio says it, negative: against"

    @property
    def straight_ahead(self) -> float:
        """Angle of the pinion by that of the steering wheel there."""
        return 1.0 if self.column is None else float(self.column.slope(0.0))

    @property
    def pinion_ratio(self) -> float:
        """Angle of the pinion by that of the road wheels, straight ahead."""
        return self.ratio * self.share * self.straight_ahead

    def stiffness_at_rest(self, speed: float) -> float | None:
        """Of the column with what its assist adds to it at little torque, at the pinion [N m/rad],
        by the speed [m/s].

        Example:
        >>> from axletree.vehicles.pieces import Steering
        >>> eps = [[0.0, 0.0], [2.0, 3.0]]  # N m
        >>> Steering(rack="50 mm/rev", column_stiffness=100.0, assist=eps).stiffness_at_rest(20.0)
        250.0
        """
        if self.column_stiffness is None or self.assist is None:
            return self.column_stiffness
        slope = float(self.assist.both_ways().table.derivative().evaluate(0.0))
        return self.column_stiffness * (1.0 + self.assist_share(speed) * slope)

    def assist_share(self, speed: float) -> float:
        """Of the assist, at a speed [m/s].

        Example:
        >>> from axletree.vehicles.pieces import Steering
        >>> Steering(ratio=15.0).assist_share(speed=20.0)
        1.0
        """
        over_speed = self.assist_over_speed
        return 1.0 if over_speed is None else float(over_speed.table.evaluate(speed))


@dataclass(frozen=True)
class Payload(Part):
    """A passenger or luggage: a point mass fixed in the body.

    The vehicle is described without its loads, and they make it sink on its springs.

    Example:
    >>> from axletree.vehicles.pieces import Payload
    >>> Payload("75 kg", position=("0.2 m", "-0.4 m", "0.6 m")).position  # m: right-hand seat
    (0.2, -0.4, 0.6)
    """

    summary: ClassVar[str] = "a point mass fixed in the body"

    mass: float = positive("kg", "mass")
    position: tuple[float, ...] = vector_parameter(
        "m", "ahead of the body's centre of mass, left of it, and above the ground"
    )


@dataclass(frozen=True)
class Air(Part):
    """Forces of the air, at the ground below the middle between first and last axle.

    On a trailer they act below the centre of mass of its body, lifts half of its wheelbase ahead of
    that place and behind it.

    Example:
    >>> from axletree.vehicles.pieces import Air
    >>> air = Air(area="2.2 m^2", drag=0.3)
    >>> print(f"{1.225 / 2 * 30.0**2 * air.area * air.drag:.0f} N at 30 m/s")
    364 N at 30 m/s
    """

    summary: ClassVar[str] = "area and coefficients of the air's forces"

    area: float = positive("m^2", "frontal area")
    drag: float = parameter("1", "C_D", lower=0.0)
    front_lift: float = parameter("1", "lift at the first axle, upward if positive", default=0.0)
    rear_lift: float = parameter("1", "lift at the last axle, upward if positive", default=0.0)
    side: float = parameter("1/rad", "side force by angle of the wind, away from it", default=0.0)
    yaw_moment: float = parameter(
        "1/rad", "about z by that angle, by the wheelbase; nose away from the wind if positive",
        default=0.0,
    )  # fmt: skip


@dataclass(frozen=True)
class SoftGround(Part):
    """Soil in place of a road: wheels are soil wheels, and their tyres' laws are not used.

    A wheel rolls as if rigid where its law knows a sinkage, as Wong and Reece's does. Under laws
    that know none, as those by the cone index, it gives way like its tyre.

    Example:
    >>> import axletree as at
    >>> from axletree.vehicles.pieces import SoftGround
    >>> SoftGround(at.WismerLuth("300 kPa")).law.cone_index  # Pa
    300000.0
    """

    summary: ClassVar[str] = "soft ground under the wheels"

    law: SoilLaw = part("SOIL_LAWS", "forces over slip, under a load or at a sinkage")
    normal_force: SoilSupport | None = part(
        "SOIL_SUPPORTS",
        "what carries a wheel; left out: the law itself, or the stiffness of the tyre",
        default=None,
    )
    scheme: TractionScheme = field_of(SoilWheel, "scheme")


@dataclass(frozen=True)
class Driver(Part):
    """Takes the place of the inputs for steering wheel and pedals, or of those for pedals alone.

    Example:
    >>> import axletree as at
    >>> from axletree.vehicles.pieces import Driver
    >>> Driver(at.StraightPath(), speed="90 km/h").speed  # m/s
    25.0
    """

    summary: ClassVar[str] = "a driver who follows a path and keeps a speed"

    path: Path | None = part(
        "PATHS", "line to follow; left out: the steering wheel is an input, and the pedals follow "
        "the input driver.speed", default=None,
    )  # fmt: skip
    speed: float = positive("m/s", "speed to keep", default=80.0 / 3.6)
    pace: Pace | None = piece(
        Pace, "limits by which speeds along the path are chosen, up to the speed", default=None
    )
    look_ahead: float = positive("s", "preview time to the target point", default=1.0)

    def problems(self) -> list[str]:
        if self.path is None and self.pace is not None:
            return ["pace: speeds are chosen along a path; give one, or leave the pace out"]
        return []
