"""Axle characteristics from a drive: side forces over slip angles, and a table for tyre fits.

Of a vehicle on two axles that turns slowly or steadily, sums of forces and moments about z have one
solution (Mitschke and Wallentowitz 2014, section "Lineares Einspurmodell"; Milliken and Milliken
1995, section 5.2): with the whole mass m and yaw inertia J, wheelbase L, and the mass centre b
ahead of the rear axle,

    F_front = (m a b + J r') / L,    F_rear = m a - F_front.

The force of an axle acts its pneumatic trail behind it, which b and L are counted with where it is
given: 3 cm move some 2 % of the side force from one axle to the other. The motion of each axle
gives its slip angle, alpha = atan((v + x r) / u) - delta, with its place x ahead of the point whose
speeds are u and v. These are *effective* characteristics: roll steer, compliance of suspension and
steering, and the loss by load transfer are in them, and side forces of the air.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np

from axletree.analysis.identification.unknowns import IdentificationError
from axletree.analysis.measurements.measurement import Measurement, is_even, read_measurement
from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.files import write_text
from axletree.core.registry import refuse_unknown
from axletree.core.units import to_si
from axletree.metrics.vehicle_signals import (
    FORWARD_SPEED,
    LATERAL_ACCELERATION,
    LATERAL_SPEED,
    SIDESLIP,
    STEERING,
    YAW_RATE,
)
from axletree.model.model import STANDARD_GRAVITY, Model
from axletree.vehicles.linear_single_track import LinearSingleTrack, linear_single_track
from axletree.vehicles.vehicle import Vehicle
from axletree.wheel.tyres.tyre_data import TyreData

_SLOWEST: Final = 5.0  # m/s, below which slip angles are lost in the noise of speeds
_FEWEST: Final = 20  # samples
_SMALLEST: Final = 1.0  # m/s^2, which a drive has to reach
_GENTLE: Final = 0.4  # of the largest force: up to there a stiffness is that of small slip
_WINDOW: Final = 0.5  # s, over which a yaw acceleration is the slope of a parabola
_SWIFT: Final = 0.1  # of side forces, that yaw inertia may ask for
_CELLS: Final = 40  # of slip angles, whose means make a table


@dataclass(frozen=True, eq=False)
class AxleCharacteristic:
    """Side forces of an axle over its slip angle, sample by sample; ISO 8855 signs.

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.identification.axles import AxleCharacteristic
    >>> slip = np.linspace(-0.05, 0.05, 41)  # rad
    >>> axle = AxleCharacteristic("rear", 7000.0, slip, -90e3 * (slip - 0.002))
    >>> stiffness, deviation, offset = axle.cornering_stiffness
    >>> f"{stiffness:.0f} N/rad at {offset:.4f} rad"
    '90000 N/rad at 0.0020 rad'
    """

    name: str
    load: float  # N, of both wheels at rest
    slip_angle: FloatArray  # rad
    lateral_force: FloatArray  # N, of both wheels, across them

    @cached_property
    def cornering_stiffness(self) -> tuple[float, float, float]:
        """Of both wheels [N/rad], its standard deviation, and the slip angle [rad] without a force.

        Of gentle turns, by least squares. A sensor that is mounted at an angle, or toe that is not
        the same on both sides, shows in the last.

        Example:
        >>> import numpy as np
        >>> from axletree.analysis.identification.axles import AxleCharacteristic
        >>> slip = np.linspace(0.0, 0.05, 41)  # rad
        >>> found = AxleCharacteristic("front", 8000.0, slip, -80e3 * slip).cornering_stiffness
        >>> round(found[0]), f"{abs(found[2]):.6f}"  # N/rad, rad
        (80000, '0.000000')
        """
        gentle = np.abs(self.lateral_force) <= _GENTLE * np.abs(self.lateral_force).max()
        slip, force = self.slip_angle[gentle], self.lateral_force[gentle]
        A = np.column_stack([slip, np.ones(len(slip))])
        (slope, level), *_ = np.linalg.lstsq(A, force, rcond=None)
        if not slope < 0.0:
            raise IdentificationError(
                f"{self.name}: side forces do not oppose slip angles (slope {slope:g} N/rad); look "
                "at the signs of steering, yaw rate, sideslip and lateral acceleration (ISO 8855: "
                "positive to the left)"
            )
        rest = force - A @ (slope, level)
        variance = rest @ rest / max(len(force) - 2, 1)
        deviation = np.sqrt(variance * np.linalg.inv(A.T @ A)[0, 0])
        return -float(slope), float(deviation), -float(level / slope)

    @property
    def peak_utilisation(self) -> float:
        """The largest side force over the load at rest.

        Example:
        >>> import numpy as np
        >>> from axletree.analysis.identification.axles import AxleCharacteristic
        >>> AxleCharacteristic("rear", 7e3, np.zeros(2), np.array([3.5e3, 0.0])).peak_utilisation
        0.5
        """
        return float(np.abs(self.lateral_force).max() / self.load)

    def tyre_data(self) -> TyreData:
        """Of one wheel, for ``fit_tyre``: means over cells of slip angle, half of load and force.

        Example:
        >>> import numpy as np
        >>> from axletree.analysis.identification.axles import AxleCharacteristic
        >>> slip = np.linspace(-0.05, 0.05, 401)  # rad
        >>> data = AxleCharacteristic("rear", 7000.0, slip, -90e3 * slip).tyre_data()
        >>> len(data), float(data.normal_load[0]), round(float(data.forces["Fy"][0]))  # N
        (40, 3500.0, 2199)
        """
        offset = self.cornering_stiffness[2]
        slip = self.slip_angle - offset
        edges = np.linspace(slip.min(), slip.max(), _CELLS + 1)
        cell = np.clip(np.searchsorted(edges, slip, "right") - 1, 0, _CELLS - 1)
        counts = np.bincount(cell, minlength=_CELLS)
        some = counts > 0
        means = [
            np.bincount(cell, weights=values, minlength=_CELLS)[some] / counts[some]
            for values in (slip, 0.5 * self.lateral_force)
        ]
        zeros = np.zeros(int(some.sum()))
        load = np.full(len(zeros), 0.5 * self.load)
        return TyreData(load, zeros, means[0], zeros, {"Fy": means[1]})

    def write_tyre_data(self, path: str | Path) -> Path:
        """As a table that ``axletree tyre fit`` reads.

        Example:
        >>> import numpy as np
        >>> from axletree.analysis.identification.axles import AxleCharacteristic
        >>> slip = np.linspace(-0.05, 0.05, 401)  # rad
        >>> file = AxleCharacteristic("rear", 7e3, slip, -9e4 * slip).write_tyre_data("rear.csv")
        >>> file.read_text().splitlines()[:2]
        ['alpha [rad],Fz [N],Fy [N]', '-0.048875,3500,2199.375']
        """
        data = self.tyre_data()
        rows = zip(data.slip_angle, data.normal_load, data.forces["Fy"], strict=True)
        lines = [",".join(f"{float(value):.9g}" for value in row) for row in rows]
        write_text(Path(path), "\n".join(["alpha [rad],Fz [N],Fy [N]", *lines, ""]))
        return Path(path)


def axle_characteristics(
    model: Model,
    drive: Measurement | str | Path,
    *,
    trails: Mapping[str, float | str] | None = None,
) -> dict[str, AxleCharacteristic]:
    """Of the two axles of a described vehicle, by name, from a measured drive.

    Measured are the steering wheel, forward speed, yaw rate, lateral acceleration, and sideslip or
    lateral speed, at the mass centre of the body; masses, places and steering ratios are those of
    the vehicle. A slow ramp of the steering or steady turns tell most; where yaw acceleration asks
    for more than a tenth of the side forces, the drive is refused. ``trails`` are pneumatic trails
    of axles, 0 where left out.

    Example:
    >>> import axletree as at
    >>> car = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    >>> run = car.drive("iso-4138-ramp", speed="80 km/h")
    >>> axles = at.axle_characteristics(car, run.to_csv("ramp.csv"))
    >>> {name: f"{axle.cornering_stiffness[0] / 1e3:.0f} kN/rad" for name, axle in axles.items()}
    {'front': '121 kN/rad', 'rear': '145 kN/rad'}
    """
    check_arguments(axle_characteristics, locals())
    vehicle = _vehicle(model)
    refuse_unknown("axle", trails or {}, vehicle.axles, model.name)
    behind = {name: to_si((trails or {}).get(name, 0.0), expected="m") for name in vehicle.axles}
    measured = drive if isinstance(drive, Measurement) else read_measurement(drive)
    if measured.filter is not None:
        measured = measured.filtered(measured.filter)
    if not is_even(measured.time):
        measured = measured.resampled(measured.interval)
    columns = _columns(measured)
    own = linear_single_track(vehicle)
    places = {name: axle.position - behind[name] for name, axle in own.axles.items()}
    forces, loads = _forces(own, places, columns, measured), _loads(own)
    u, r, v = columns[FORWARD_SPEED], columns[YAW_RATE], columns[LATERAL_SPEED]
    found = {}
    for name, axle in vehicle.axles.items():
        ratio = None if axle.steering is None else axle.steering.ratio
        delta = np.zeros(len(u)) if ratio is None else columns[STEERING] / ratio
        slip = np.arctan2(v + axle.position * r, u) - delta
        found[name] = AxleCharacteristic(name, loads[name], slip, forces[name] / np.cos(delta))
    return found


def _vehicle(model: Model) -> Vehicle:
    vehicle = model.described.get("vehicle")
    if not isinstance(vehicle, Vehicle):
        raise IdentificationError(
            f"{model.name} is not described by body and axles (vehicle: ...), which tell its mass, "
            "places and steering ratio"
        )
    if len(vehicle.axles) != 2 or vehicle.trailers:
        raise IdentificationError(
            f"{model.name} has {len(vehicle.axles)} axles and {len(vehicle.trailers)} trailers; "
            "sums of forces and moments tell the side forces of two axles, without trailers"
        )
    return vehicle


def _columns(measured: Measurement) -> dict[str, FloatArray]:
    problems = [
        f"{measured.source} has no {name}; a channel file says which column it is (--channels)"
        for name in (STEERING, FORWARD_SPEED, YAW_RATE, LATERAL_ACCELERATION)
        if name not in measured
    ]
    if SIDESLIP not in measured and LATERAL_SPEED not in measured:
        problems.append(
            f"{measured.source} has neither {SIDESLIP} nor {LATERAL_SPEED}: measure one, or "
            "estimate it, as by at.KalmanFilter"
        )
    if len(measured) < _FEWEST:
        problems.append(
            f"{measured.source} has {len(measured)} samples; expected {_FEWEST} or more"
        )
    if problems:
        raise IdentificationError(problems)
    names = (STEERING, FORWARD_SPEED, YAW_RATE, LATERAL_ACCELERATION)
    found = {name: np.asarray(measured[name], dtype=float) for name in names}
    u, a = found[FORWARD_SPEED], found[LATERAL_ACCELERATION]
    if not u.min() >= _SLOWEST:
        problems.append(
            f"{measured.source}: {FORWARD_SPEED} is {u.min():.3g} m/s at least; expected "
            f"{_SLOWEST:g} m/s or more throughout: cut the drive (--from, --to)"
        )
    if not np.abs(a).max() >= _SMALLEST:
        problems.append(
            f"{measured.source}: {LATERAL_ACCELERATION} reaches {np.abs(a).max():.3g} m/s^2; "
            f"expected {_SMALLEST:g} m/s^2 or more"
        )
    if problems:
        raise IdentificationError(problems)
    side = measured[LATERAL_SPEED] if LATERAL_SPEED in measured else u * np.tan(measured[SIDESLIP])
    return {**found, LATERAL_SPEED: np.asarray(side, dtype=float)}


def _forces(
    own: LinearSingleTrack,
    places: Mapping[str, float],
    columns: Mapping[str, FloatArray],
    measured: Measurement,
) -> dict[str, FloatArray]:
    """Across the body, by axle; ``places`` are where they act [m], ahead of the body's centre."""
    turning = _slope(columns[YAW_RATE], measured.interval)
    side = own.mass * (columns[LATERAL_ACCELERATION] + own.centre * turning)
    moment = own.yaw_inertia * turning
    length = max(places.values()) - min(places.values())
    swift = np.abs(moment).max() / (length * np.abs(side).max())
    if not swift <= _SWIFT:
        raise IdentificationError(
            f"{measured.source}: its yaw acceleration asks for {100.0 * swift:.0f} % of the side "
            f"forces, and {100.0 * _SWIFT:.0f} % are allowed for; tyres lag behind such a "
            "steering: take a slow ramp, or steady turns"
        )
    (front, first), (rear, last) = sorted(places.items(), key=lambda one: -one[1])
    ahead = (side * (own.centre - last) + moment) / (first - last)
    return {front: ahead, rear: side - ahead}


def _slope(values: FloatArray, interval: float) -> FloatArray:
    from scipy.signal import savgol_filter

    window = min(max(int(_WINDOW / interval) // 2 * 2 + 1, 5), (len(values) - 1) // 2 * 2 + 1)
    return np.asarray(savgol_filter(values, window, 2, deriv=1, delta=interval))


def _loads(own: LinearSingleTrack) -> dict[str, float]:
    """Of axles at rest [N]."""
    places = {name: axle.position for name, axle in own.axles.items()}
    (front, first), (rear, last) = sorted(places.items(), key=lambda one: -one[1])
    weight = STANDARD_GRAVITY * own.mass
    ahead = weight * (own.centre - last) / (first - last)
    return {front: ahead, rear: weight - ahead}
