"""The linear single-track (bicycle) model in closed form (Riekert and Schunck 1940).

At the forward speed u, with the lateral speed v of the centre of mass and the yaw rate r,

    m (dv/dt + u r) = Y_v v + Y_r r + Y_d d,    J dr/dt = N_v v + N_r r + N_d d

for the steering wheel's angle d. An axle of stiffness C at x ahead of the centre of mass, whose
side force acts its trail n behind it, adds

    Y_v = -C / u,  Y_r = -C x / u,  N_v = -C (x - n) / u,  N_r = -C x (x - n) / u,

and with i the turn of its wheels over that of the steering wheel Y_d = C i and N_d = C (x - n) i.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from axletree.core.errors import AxletreeError
from axletree.vehicles.linear_single_track import LinearSingleTrack, linear_single_track
from axletree.vehicles.vehicle import Vehicle

Row = tuple[float, float, float]


class BicycleModelError(AxletreeError):
    """A speed at which the closed form says nothing."""


@dataclass(frozen=True)
class BicycleModel:
    """What follows from the numbers of a vehicle at a speed, all in SI units.

    Example:
    >>> from axletree.analysis.handling.bicycle_model import BicycleModel
    >>> from axletree.vehicles.linear_single_track import AxleNumbers, LinearSingleTrack
    >>> front, rear = AxleNumbers(1.25, 8e4, 0.0, 1 / 16), AxleNumbers(-1.25, 8e4, 0.0, 0.0)
    >>> numbers = LinearSingleTrack(1500.0, 2500.0, 0.0, {"front": front, "rear": rear})
    >>> print(f"{BicycleModel(numbers, 20.0).yaw_gain:.3f} 1/s")  # neutral: 20 / 2.5 / 16
    0.500 1/s
    """

    numbers: LinearSingleTrack
    speed: float  # [m/s]

    def __post_init__(self) -> None:
        if not (math.isfinite(self.speed) and self.speed > 0.0):
            raise BicycleModelError(f"expected a speed above 0 m/s, got {self.speed:g}")

    @property
    def matrices(self) -> tuple[np.ndarray, np.ndarray]:
        """A and B of d/dt (v, r) = A (v, r) + B d, for the centre of mass."""
        m, J, u = self.numbers.mass, self.numbers.yaw_inertia, self.speed
        (Yv, Yr, Yd), (Nv, Nr, Nd) = self._derivatives
        return np.array([[Yv / m, Yr / m - u], [Nv / J, Nr / J]]), np.array([Yd / m, Nd / J])

    @property
    def _derivatives(self) -> tuple[Row, Row]:
        """Slopes of the side force and of the yaw moment, by v, r and d."""
        u, side, turn = self.speed, np.zeros(3), np.zeros(3)
        for x, stiffness, moment, steer in self._forces():
            by = np.array([-1.0 / u, -x / u, steer])
            side, turn = side + stiffness * by, turn + moment * by
        return (tuple(side.tolist()), tuple(turn.tolist()))  # type: ignore[return-value]

    def _forces(self) -> Iterator[tuple[float, float, float, float]]:
        """Place, side force and yaw moment by slip angle, and turn of wheels; the air's has none.

        Places and moments are those about the centre of mass.
        """
        own, square = self.numbers, self.speed**2
        for axle in own.axles.values():
            x = axle.position - own.centre
            yield x, axle.stiffness, axle.stiffness * (x - axle.trail), axle.steer
        if own.air is not None:
            x, side = own.air.position - own.centre, own.air.side * square
            yield x, side, side * x + own.air.yaw * square, 0.0

    @property
    def natural_frequency(self) -> float:
        """[rad/s], undamped; nan beyond the critical speed."""
        A, _ = self.matrices
        square = float(np.linalg.det(A))
        return math.sqrt(square) if square >= 0.0 else math.nan

    @property
    def damping_ratio(self) -> float:
        """Of the yaw-sideslip mode; nan beyond the critical speed."""
        A, _ = self.matrices
        return float(-np.trace(A)) / (2.0 * self.natural_frequency)

    @property
    def eigenvalues(self) -> np.ndarray:
        """[1/s], the fastest growing first."""
        values = np.linalg.eigvals(self.matrices[0]).astype(complex)
        return values[np.lexsort((-values.imag, -values.real))]

    def transfer(self, s: complex | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Yaw rate [1/s] and lateral acceleration [m/s^2/rad] by the steering wheel, at s [1/s].

        Of the frame in the outputs of other models, which is that of the body without its axles.

        Example:
        >>> import axletree as at
        >>> bicycle = at.bicycle_model(at.read_model("sedan").described["vehicle"], 20.0)  # m/s
        >>> yaw_rate, acceleration = bicycle.transfer(0.0)
        >>> print(f"{acceleration.real / yaw_rate.real:.2f} m/s")  # in a steady turn: the speed
        20.00 m/s
        """
        A, (Bv, Br) = self.matrices
        s = np.asarray(s, dtype=complex)
        below = s * s - np.trace(A) * s + np.linalg.det(A)
        yaw = (Br * (s - A[0, 0]) + A[1, 0] * Bv) / below
        lateral = (Bv * (s - A[1, 1]) + A[0, 1] * Br) / below
        at_frame = lateral - self.numbers.centre * yaw
        return yaw, s * at_frame + self.speed * yaw

    @property
    def yaw_gain(self) -> float:
        """Steady yaw rate by the angle of the steering wheel [1/s]."""
        return float(self.transfer(0.0)[0].real)

    @property
    def acceleration_gain(self) -> float:
        """Steady lateral acceleration by that angle [m/s^2/rad]."""
        return float(self.transfer(0.0)[1].real)

    def response(self, frequencies: Sequence[float] | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of yaw rate and lateral acceleration, complex, at frequencies [Hz].

        Example:
        >>> import axletree as at
        >>> bicycle = at.bicycle_model(at.read_model("sedan").described["vehicle"], 20.0)  # m/s
        >>> yaw_rate, acceleration = bicycle.response([0.01, 1.0])  # Hz
        >>> abs(yaw_rate).round(3).tolist()  # 1/s
        [0.385, 0.349]
        """
        return self.transfer(2j * np.pi * np.asarray(frequencies, dtype=float))


def bicycle_model(vehicle: Vehicle, speed: float) -> BicycleModel:
    """The linear single-track model of a vehicle at a speed [m/s]; what it tows is left out.

    Example:
    >>> import axletree as at
    >>> bicycle = at.bicycle_model(at.read_model("sedan").described["vehicle"], 20.0)  # m/s
    >>> print(f"{bicycle.yaw_gain:.3f} 1/s")  # yaw rate by the angle of the steering wheel
    0.385 1/s
    """
    return BicycleModel(linear_single_track(vehicle), speed)


def critical_speed(vehicle: Vehicle) -> float:
    """The lowest speed [m/s] beyond which a turn grows by itself; infinite where there is none.

    There det(A) = 0, and u^2 m J det(A) is a polynomial of u^2, of second degree with the air.

    Example:
    >>> import axletree as at
    >>> from axletree.analysis.handling.bicycle_model import critical_speed
    >>> sedan = at.read_model("sedan").described["vehicle"]
    >>> print(f"{critical_speed(sedan):.0f} m/s")  # by the air: its tyres understeer
    244 m/s
    """
    own = linear_single_track(vehicle)
    forces = [(a.position, (a.stiffness, 0.0), (-a.stiffness * a.trail, 0.0))
              for a in own.axles.values()]  # fmt: skip
    if own.air is not None:
        forces.append((own.air.position, (0.0, own.air.side), (0.0, own.air.yaw)))
    sums = np.zeros((4, 2))  # -u times Y_v, Y_r, N_v and N_r, of u^2 to the powers 0 and 1
    for position, side, beside in forces:
        x, force = position - own.centre, np.array(side)
        moment = x * force + beside
        sums += [force, x * force, moment, x * moment]
    Yv, Yr, Nv, Nr = (np.polynomial.Polynomial(row) for row in sums)
    square = np.polynomial.Polynomial([0.0, 1.0])
    roots = (Yv * Nr - Yr * Nv - own.mass * square * Nv).trim().roots()
    real = [z.real for z in roots.astype(complex) if not z.imag and z.real > 0.0]
    return math.sqrt(min(real)) if real else math.inf
