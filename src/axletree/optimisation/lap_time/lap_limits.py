"""What a lap may use beside the car's envelope: friction by place, energy, work of the tyres.

Work of the drive is that against the air, slopes and inertia where the wheels push,

    W' = m max(f, 0),   f = V' + g sin(slope) + rho A C_D V^2 / (2 m),

per metre of the line, where max(f, 0) is a control that is no less than f and 0; energy of a
battery or a tank is that work over the efficiency of what is between. Work of the tyres is that of
their sliding, by slips that are forces over stiffness, as for
small slips (Pacejka 2012, section 1.2):

    Q' = (F_x^2 + F_y^2) / C = m^2 (f^2 + a_y^2) / C

with the cornering stiffness C of all wheels at rest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from axletree.components.loads import STANDARD_DENSITY
from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError
from axletree.expr import ZERO, Expr, as_expr, maximum, sqrt
from axletree.ground.friction_maps import FrictionMap
from axletree.optimisation.lap_time.track import Track
from axletree.vehicles.linear_single_track import tyre_slopes
from axletree.vehicles.statics import wheel_loads
from axletree.vehicles.vehicle import Vehicle

GRIPS: Final = (0.2, 0.5, 1.0)  # friction factors at which envelopes are found
_LEAST_GRIP: Final = 0.1
_ACROSS: Final = 1.0  # m, about, between offsets at which friction is known
_BESIDE: Final = 3  # offsets beyond either edge
_OVER_WIDTH: Final = np.linspace(-0.5, 0.5, 9)  # of a car, over which friction is a mean


@dataclass(frozen=True)
class LapLimits:
    """What a lap may use; None where nothing is asked.

    Example:
    >>> from axletree.optimisation.lap_time.lap_limits import LapLimits
    >>> LapLimits(energy=2e6).is_any  # J
    True
    """

    friction: FrictionMap | None = None  # factors over x, y of the track
    energy: float | None = None  # J, of the drive at the wheels, in a lap
    tyre_energy: float | None = None  # J, of the sliding of all tyres, in a lap

    def __post_init__(self) -> None:
        problems = [
            f"{name} is {value:g} J; a lap needs more than 0"
            for name, value in (("energy", self.energy), ("tyre_energy", self.tyre_energy))
            if value is not None and not value > 0.0
        ]
        if problems:
            raise ModelError(problems)

    @property
    def is_any(self) -> bool:
        """Whether anything is asked."""
        return any(one is not None for one in (self.friction, self.energy, self.tyre_energy))


@dataclass(frozen=True)
class LapWork:
    """Of a car, its work by metre of its line.

    Example:
    >>> import axletree as at
    >>> from axletree.optimisation.lap_time.lap_limits import LapWork
    >>> work = LapWork.of(at.read_model("formula-student").described["vehicle"])
    >>> print(f"{work.mass:.0f} kg, {work.drag * 30.0**2:.2f} m/s^2 of drag at 30 m/s")
    300 kg, 2.43 m/s^2 of drag at 30 m/s
    """

    mass: float  # kg
    drag: float  # 1/m, of the deceleration by the square of the speed
    stiffness: float  # N, slip stiffness of all tyres

    @classmethod
    def of(cls, vehicle: Vehicle) -> LapWork:
        """By its masses, air and tyres."""
        air, mass = vehicle.air, vehicle.train_mass
        drag = 0.0 if air is None else 0.5 * STANDARD_DENSITY * air.area * air.drag / mass
        loads = wheel_loads(vehicle)
        stiffness = sum(
            2.0 * tyre_slopes(axle, loads[name]).cornering_stiffness
            for name, axle in vehicle.axles.items()
        )
        return cls(mass, drag, stiffness)

    def push(self, along: Expr, speed: Expr) -> Expr:
        """What the wheels give along the line [m/s^2], by the acceleration with that of slopes."""
        return along + self.drag * speed * speed

    def of_tyres(self, push: Expr, across: Expr) -> Expr:
        """[J/m]"""
        return self.mass * self.mass / self.stiffness * (push * push + across * across)


@dataclass(frozen=True)
class TrackFriction:
    """Friction factors over the distance along a track and the offset from its centre line.

    They are means over the width of the car, at offsets about a metre apart, with cubic splines
    between these (de Boor 1978, chapter 9), which never leave their range.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.optimisation.lap_time.lap_limits import TrackFriction
    >>> turn = np.linspace(0.0, 2.0 * np.pi, 60, endpoint=False)
    >>> points = 100.0 * np.column_stack([np.cos(turn), np.sin(turn)])  # m
    >>> ring = at.Track.through("ring", points, left=4.0, right=4.0)
    >>> wet = TrackFriction(ring, at.UniformFriction(factor=0.6), car_width=1.8)
    >>> [one(np.array([0.0, 10.0])).tolist() for one in wet.given.values()][0]
    [0.6, 0.6]
    """

    track: Track
    friction: FrictionMap
    car_width: float  # m

    @property
    def offsets(self) -> FloatArray:
        """[m], from beyond the right edge to beyond the left one."""
        low, high = -float(self.track.right.max()), float(self.track.left.max())
        inner = np.linspace(low, high, max(round((high - low) / _ACROSS), 4) + 1)
        step = inner[1] - inner[0]
        beyond = step * np.arange(1, _BESIDE + 1)
        return np.concatenate([low - beyond[::-1], inner, high + beyond])

    @property
    def given(self) -> dict[str, Callable[[FloatArray], FloatArray]]:
        """Factors at the offsets over the distance along the track, by the names of inputs."""
        pairs = enumerate(self.offsets.tolist())
        return {f"grip_{k}": partial(self._mean, offset) for k, offset in pairs}

    def _mean(self, offset: float, s: FloatArray) -> FloatArray:
        found = []
        for share in _OVER_WIDTH:
            places = self.track.places(s, np.full(len(s), offset + share * self.car_width))
            factor = self.friction.factor_at(*places, self.friction.numbers)
            found.append(np.broadcast_to(np.asarray(factor, dtype=float), s.shape))
        return np.asarray(np.mean(found, axis=0))

    def factor(self, offset: Expr, given: dict[str, Expr]) -> Expr:
        """At an offset [m], by the inputs."""
        at = self.offsets
        step = float(at[1] - at[0])
        found: Expr = ZERO
        for place, value in zip(at.tolist(), given.values(), strict=True):
            found = found + value * _cubic_b_spline((offset - place) / step)
        return as_expr(maximum(found, _LEAST_GRIP))


def _cubic_b_spline(t: Expr) -> Expr:
    """Of whole numbers as knots, about 0: 2/3 there, 1/6 at 1, 0 from 2 on."""
    away = sqrt(t * t + 1e-12)
    outer, inner = maximum(2.0 - away, 0.0), maximum(1.0 - away, 0.0)
    return as_expr((outer * outer * outer - 4.0 * inner * inner * inner) / 6.0)
