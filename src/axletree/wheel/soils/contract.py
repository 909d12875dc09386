"""The contract of soil laws: from a wheel in soil to forces.

1. A law is a part; its formulas are written once with the functions of ``expr`` and answer
   in kind to floats, arrays and expressions. ``p`` holds its parameters by name.
2. The wheel travels forward, or stands: x forward, y left, z up. In reverse all is seen in a
   mirror; ``wheel_motion`` has it.
3. Slip is that of Peiret et al., eqs. (5, 6): from 0 to 1 when driven, from -1, locked, to 0 when
   braked or towed, and taken as -1 or 1 beyond. A positive slip angle means a drift to the left.
4. Nothing is singular: in the air, without load, without slip, locked and spinning on the spot the
   answer is finite.

In equations the grip of a law is a call: wheels of one kind are calls of one function. They are
evaluated side by side, and what needs parameters alone is prepared once.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from axletree.components.fields import Parameters, Part
from axletree.core.errors import ModelError
from axletree.expr import Expr, Value, as_expr, maximum, minimum, outline, symbols_of, tan, where
from axletree.expr.evaluation import Evaluator
from axletree.wheel.bound_law import Placeholders, function_name
from axletree.wheel.wheel import GroundPatch

NOMINAL_SPEED = 10.0  # m/s, of a wheel of which none is told
LARGEST_RATIO = 1e6  # of travel to rolling; a locked wheel counts as one that rolls this slowly


@dataclass(frozen=True)
class WheelInSoil:
    """A wheel and how it moves through the soil.

    Radius and width are in m, slips in 1, slip angle and inclination in rad, x and y, where it is
    on the ground, in m, the speed in m/s.

    Example:
    >>> import axletree as at
    >>> from axletree.wheel.soils.contract import WheelInSoil
    >>> wheel = WheelInSoil(radius=0.4, width=0.25, slip=0.2)  # m, m, 1
    >>> print(f"{at.WongReece('dry-sand-lll')(4000.0, wheel).sinkage * 1e3:.0f} mm")  # under 4 kN
    105 mm
    """

    radius: Value  # r [m]
    width: Value  # b [m]
    slip: Value = 0.0  # i [1], see the contract
    slip_angle: Value = 0.0  # alpha [rad]
    lateral_slip: Value | None = None  # v_y / |v_max| [1]; None: that of the slip angle
    x: Value = 0.0  # [m], place on the ground, where soils differ
    y: Value = 0.0  # [m]
    inclination: Value = 0.0  # gamma [rad], to the right
    speed: Value = NOMINAL_SPEED  # |v_max| [m/s], of laws that know one

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            _refuse_faulty(f"wheel, {name}", value)
        for name in ("radius", "width"):
            value = getattr(self, name)
            if isinstance(value, _NUMBERS) and np.any(np.asarray(value) <= 0.0):
                raise ModelError(f"wheel, {name}: {value} m is not allowed, it must be above 0")

    @property
    def clipped_slip(self) -> Value:
        """The slip [1] within -1 and 1, as laws take it."""
        return maximum(minimum(self.slip, 1.0), -1.0)

    @property
    def slip_across(self) -> Value:
        """The lateral slip: speed to the left over the greater of travel and rolling."""
        if self.lateral_slip is not None:
            return self.lateral_slip
        return (1.0 - maximum(self.clipped_slip, 0.0)) * tan(self.slip_angle)


class SoilLaw(Part, ABC):
    """A relation between the state of a wheel in soil and forces.

    Example:
    >>> import axletree as at
    >>> from axletree.wheel.soils.contract import WheelInSoil
    >>> field = at.WismerLuth(cone_index="700 kPa")
    >>> forces = field(15e3, WheelInSoil(radius=0.7, width=0.45, slip=0.15))  # N, m, m, 1
    >>> print(f"{forces.gross_traction:.0f} N")
    8254 N
    """

    @property
    def knows_sinkage(self) -> bool:
        """Whether it has forces at a sinkage, beside those under a load."""
        return False

    def __call__(self, load: Value, wheel: WheelInSoil) -> SoilForces:
        """The forces under a load [N], with the law's own numbers."""
        _refuse_faulty("load", load)
        return self.under_load(load, wheel, self.numbers)

    @abstractmethod
    def under_load(self, load: Value, wheel: WheelInSoil, p: Parameters) -> SoilForces:
        """Steady travel under a load [N], parameters by name.

        Example:
        >>> import axletree as at
        >>> from axletree.wheel.soils.contract import WheelInSoil
        >>> field, spins = at.WismerLuth("700 kPa"), WheelInSoil(0.7, 0.45, slip=0.15)  # m, m, 1
        >>> numbers = field.numbers, {**field.numbers, "cone_index": 1.4e6}  # Pa
        >>> [f"{field.under_load(15e3, spins, p).gross_traction:.0f} N" for p in numbers]
        ['8254 N', '10452 N']
        """

    def at_sinkage(self, sinkage: Value, wheel: WheelInSoil, p: Parameters) -> SoilForces:
        """The forces at a sinkage [m], of a law that knows one.

        Example:
        >>> import axletree as at
        >>> from axletree.wheel.soils.contract import WheelInSoil
        >>> sand, wheel = at.WongReece("dry-sand-lll"), WheelInSoil(radius=0.4, width=0.25)  # m
        >>> forces = (sand.at_sinkage(depth, wheel, sand.numbers) for depth in (0.05, 0.1))  # m
        >>> [f"{one.compaction_resistance:.0f} N" for one in forces]
        ['294 N', '1254 N']
        """
        raise ModelError(f"{type(self).__name__} knows no sinkage; ask for forces under a load")

    def ground_patches(self, p: Parameters) -> Sequence[GroundPatch]:
        """Rectangles of other laws, of a law that has some.

        Example:
        >>> import axletree as at
        >>> spot = at.SoilPatch(at.WismerLuth("300 kPa"), length=4.0, width=3.0, x=10.0)  # m
        >>> ground = at.SoilMap(at.WismerLuth("2 MPa"), (spot,))
        >>> [(p.label, p.x, p.length) for p in ground.ground_patches(ground.numbers)]  # m
        [('WismerLuth', 10.0, 4.0)]
        """
        return ()

    def compared_by(self, load: Value, wheel: WheelInSoil, p: Parameters) -> Mapping[str, Value]:
        """Numbers [1] that wheels under a load [N] are compared by, of laws that have any.

        Example:
        >>> import axletree as at
        >>> from axletree.wheel.soils.contract import WheelInSoil
        >>> field = at.WismerLuth(cone_index="700 kPa")
        >>> found = field.compared_by(15e3, WheelInSoil(0.7, width=0.45), field.numbers)  # N, m
        >>> {name: round(value, 2) for name, value in found.items()}
        {'wheel_numeric': 29.4, 'clay_number': 11.33}
        """
        return {}

    @abstractmethod
    def grip_under_load(self, load: Value, wheel: WheelInSoil, p: Parameters) -> SoilGrip:
        """What a step of a wheel under a load [N] is solved with.

        Example:
        >>> import axletree as at
        >>> from axletree.wheel.soils.contract import WheelInSoil
        >>> field = at.WismerLuth(cone_index="700 kPa")
        >>> grip = field.grip_under_load(15e3, WheelInSoil(0.7, 0.45, slip=0.15), field.numbers)
        >>> print(f"thrust {grip.thrust:.0f} N, at most {grip.greatest_thrust:.0f} N")
        thrust 8254 N, at most 11248 N
        """

    def grip_at_sinkage(self, sinkage: Value, wheel: WheelInSoil, p: Parameters) -> SoilGrip:
        """The same at a sinkage [m], of a law that knows one.

        Example:
        >>> import axletree as at
        >>> from axletree.wheel.soils.contract import WheelInSoil
        >>> sand = at.WongReece("dry-sand-lll")
        >>> grip = sand.grip_at_sinkage(0.1, WheelInSoil(0.4, 0.25, slip=0.2), sand.numbers)
        >>> print(f"{grip.thrust:.0f} N beyond {grip.rolling_thrust:.0f} N without slip")
        386 N beyond 1142 N without slip
        """
        raise ModelError(f"{type(self).__name__} knows no sinkage; ask for forces under a load")


_NUMBERS = (float, int, np.ndarray, np.generic)


def _refuse_faulty(name: str, value: Value) -> None:
    """Numbers that are none; expressions are left alone."""
    if isinstance(value, _NUMBERS) and not np.all(np.isfinite(value)):
        raise ModelError(f"{name}: {value} is not finite; expected numbers")


def tractive_efficiency(forces: SoilForces, wheel: WheelInSoil) -> Value:
    """Power of the drawbar pull over that of the torque [1], of a driven wheel; else 0.

    (1 - i) (F_t - F_c) r / T; negative where the wheel has to be pushed, too.

    Example:
    >>> import axletree as at
    >>> from axletree.wheel.soils.contract import WheelInSoil, tractive_efficiency
    >>> wheel = WheelInSoil(radius=0.7, width=0.45, slip=0.15)  # m, m, 1
    >>> forces = at.WismerLuth(cone_index="700 kPa")(15e3, wheel)  # N
    >>> print(f"{tractive_efficiency(forces, wheel):.2f}")
    0.73
    """
    slip = wheel.clipped_slip
    driven = forces.torque > 0.0
    torque = where(driven, forces.torque, 1.0)
    ratio = forces.drawbar_pull * wheel.radius / torque
    return where(driven, ratio * (1.0 - maximum(slip, 0.0)), 0.0)


def speed_ratio(slip: Value) -> Value:
    """Travel over rolling, v / (omega r) [1]: 1 - i when driven, 1 / (1 + i) when braked."""
    return (1.0 - maximum(slip, 0.0)) * greatest_ratio(slip)


def greatest_ratio(slip: Value) -> Value:
    """The greater of travel and rolling over rolling [1]."""
    return 1.0 / maximum(1.0 + minimum(slip, 0.0), 1.0 / LARGEST_RATIO)


@dataclass(frozen=True, kw_only=True)
class SoilForces:
    """What the soil exerts on a wheel that travels forward, and where."""

    sinkage: Value = 0.0  # z [m]; of laws that know none, 0
    entry_angle: Value = 0.0  # theta_1 [rad], ahead of the lowest point
    peak_angle: Value = 0.0  # theta_m [rad], of the greatest pressure
    exit_angle: Value = 0.0  # theta_2 [rad], negative behind the lowest point
    normal_force: Value  # F_n [N], upward
    gross_traction: Value  # F_t [N], forward
    compaction_resistance: Value = 0.0  # F_c [N], backward
    rolling_moment: Value = 0.0  # T_rr [N m], against the rotation
    lateral_force: Value  # F_y [N], to the left
    torque: Value  # T [N m], that the wheel needs to turn steadily
    aligning_moment: Value = 0.0  # M_z [N m], about the normal
    overturning_moment: Value = 0.0  # M_x [N m], about the forward direction
    plastic_force: Value = 0.0  # [N], part of F_n that a wheel which rises does not get back
    touch_stiffness: Value = 0.0  # [N/m], that meets a wheel from the air
    stored_energy: Value = 0.0  # U [J], that it takes to sink in so far

    @property
    def drawbar_pull(self) -> Value:
        """F_t - F_c [N], what is left to pull with."""
        return self.gross_traction - self.compaction_resistance


# What soil has to offer a wheel over a step: forces at its slip, their slopes and their limits.
#
# Set-valued forces take these apart so that each does work against one velocity and never drives:
#
# 1. Thrust beyond that of rolling, F_t - B, against the sliding v_t = v_x - omega r. B is what
# shear
#    makes of a wheel that rolls without slip, whose rim moves forward in the soil all the same.
# 2. What is left of the resistance, F_c - B, against the travel v_x.
# 3. The moment of rolling without slip, r B and its own rolling moment, against the turning omega.
# 4. The side force against the drift v_y.
#
# Together they are the law's forces. What T_rr is more than without slip goes with the thrust.
#
# Tyres push without any slip, too, and turn about the normal and the way ahead. These act on no
# velocity of their own and are loads that fade at rest.


@dataclass(frozen=True, kw_only=True)
class SoilGrip:
    """Of a wheel that travels forward: sizes, none negative but those of ``forces`` and pushes."""

    forces: SoilForces  # where they jump with the slip, smoothed
    thrust: Value  # |F_t - B| [N]
    rolling_thrust: Value = 0.0  # B [N], not more than the compaction resistance
    free_moment: Value = 0.0  # T_rr of rolling without slip [N m]
    thrust_slope: Value  # of |F_t - B| against |i| [N]
    greatest_thrust: Value  # of |F_t - B| in full slip, as the wheel slips now [N]
    side_stiffness: Value  # side force over lateral slip [N]
    greatest_side_force: Value  # [N]
    mobility_number: Value = 0.0  # [1], of laws by the cone index
    forward_push: Value = 0.0  # [N], of tyres without slip, either sign; not in the thrust
    side_push: Value = 0.0  # [N], of tyres without drift: conicity, camber; to the left
    edge_x: Value = 0.0  # [N], along x and y of the ground where laws differ: the slope of U
    edge_y: Value = 0.0

    @property
    def net_resistance(self) -> Value:
        """F_c - B [N]."""
        return self.forces.compaction_resistance - self.rolling_thrust

    @property
    def slip_moment(self) -> Value:
        """T_rr beyond that without slip [N m]."""
        return self.forces.rolling_moment - self.free_moment

    def flat(self) -> dict[str, Value]:
        """All values by name; those of the forces as ``forces.name``."""
        inner = {f"forces.{name}": value for name, value in vars(self.forces).items()}
        return inner | {name: value for name, value in vars(self).items() if name != "forces"}


def grip_of(values: dict[str, Value]) -> SoilGrip:
    """The other way round."""
    forces = {name[7:]: value for name, value in values.items() if name.startswith("forces.")}
    own = {name: value for name, value in values.items() if not name.startswith("forces.")}
    return SoilGrip(forces=SoilForces(**forces), **own)


class Formula:
    """Named expressions in symbols; those that are ``early`` are known before the others."""

    def __init__(self, name: str, results: Mapping[str, Expr], early: Iterable[Expr]) -> None:
        self.name, self.results, self.early = name, dict(results), tuple(early)
        self.symbols = tuple(symbols_of(self.results.values()))
        self._evaluated = Evaluator(tuple(self.results.values()))

    def at(self, given: Mapping[Expr, Any]) -> dict[str, Value]:
        """The results at what is given for the symbols: numbers, arrays or expressions."""
        used = {key: given[key] for key in self.symbols}
        if any(isinstance(value, Expr) for value in used.values()):
            return dict(outline(self.name, self.results, used, self.early))
        return dict(zip(self.results, self._evaluated(used), strict=True))


def called_grip(
    law: SoilLaw, wheel: WheelInSoil, p: Parameters, *, sinkage: Expr | None, load: Expr | None
) -> SoilGrip:
    """The grip at a sinkage [m], or under a load [N]."""
    own = Placeholders(f"{function_name(law)}_grip")
    values = {name: own.of(name, value) for name, value in p.items()}
    sizes = {name: own.of(f"wheel.{name}", getattr(wheel, name)) for name in ("radius", "width")}
    early = list(own.given)
    others = [item.name for item in dataclasses.fields(WheelInSoil) if item.name not in sizes]
    moving = {name: own.of(f"wheel.{name}", getattr(wheel, name)) for name in others}
    inside = WheelInSoil(**sizes, **moving)
    if sinkage is not None:
        found = law.grip_at_sinkage(own.of("sinkage", sinkage), inside, values)
    else:
        found = law.grip_under_load(own.of("load", load), inside, values)
    named = {name: as_expr(value) for name, value in found.flat().items()}
    return grip_of(outline(own.name, named, own.given, early))
