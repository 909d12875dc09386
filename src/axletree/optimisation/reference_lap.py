"""A lap whose answer is known: a Formula One car of 2014 on the circuit of Catalunya.

The car has three degrees of freedom, the slip of each wheel and the load on it as algebraic
unknowns, a viscous differential and wings (Limebeer, Perantoni and Rao 2014; Perantoni and Limebeer
2014). Its numbers, the track and the lap that tests compare with are those of fastest-lap (MIT
License, Copyright (c) 2021 Juan Manzanero), whose text stands beside the track,
``data/tracks/catalunya-licence.txt``.

Axes are those of that source: x forward, y to the right, z down; yaw, steering and curvature are
positive to the right. Wheels are front left, front right, rear left, rear right.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.yaml_document import resource, text_of
from axletree.expr import Expr, atan, cos, sin, sqrt, symbol, tanh
from axletree.optimisation.dynamics import dynamics
from axletree.optimisation.problem import OptimalControlProblem, Range
from axletree.system.system import System

_TRACK: Final = "axletree.data.tracks:catalunya.csv"
CAR_WHEELS: Final = ("fl", "fr", "rl", "rr")
CAR: Final = {  # limebeer-2014-f1.xml of fastest-lap
    "mass [kg]": 660.0, "yaw_inertia [kg*m^2]": 450.0, "gravity [m/s^2]": 9.81,
    "mass_centre_height [m]": 0.3, "front [m]": 1.8, "rear [m]": -1.6, "half_track [m]": 0.73,
    "wheel_radius [m]": 0.33, "front_brake_share": 0.6, "front_roll_share": 0.5,
    "air_density [kg/m^3]": 1.2, "area [m^2]": 1.5, "drag": 0.9, "downforce": 3.0,
    "pressure_centre [m]": -0.1, "brake_torque [N*m]": 5000.0, "differential [N*m*s/rad]": 10.47,
    "power [W]": 735499.0,
    "load_1 [N]": 2000.0, "load_2 [N]": 6000.0,
    "mu_x_1": 1.75, "mu_x_2": 1.40, "kappa_peak_1": 0.11, "kappa_peak_2": 0.10,
    "mu_y_1": 1.80, "mu_y_2": 1.45,
    "lambda_peak_1 [rad]": float(np.radians(9.0)), "lambda_peak_2 [rad]": float(np.radians(8.0)),
    "shape": 1.9, "mu_floor": 1.0,
}  # fmt: skip
_LOAD_SMOOTHING, _SMOOTHING = 1.0, 1e-5  # N^2; of pedals and frictions
STEER_WEIGHT, _PEDAL_WEIGHT = 50.0, 0.016  # of squared slopes by distance, in s m


@dataclass(frozen=True)
class ReferenceTrack:
    """Catalunya at 500 points; curvature and offsets are positive to the right.

    Example:
    >>> from axletree.optimisation.reference_lap import reference_track
    >>> track = reference_track()
    >>> len(track.station), round(track.length, 6)  # m
    (500, 4634.150108)
    """

    station: FloatArray
    curvature: FloatArray
    left: FloatArray  # m, from the centre line to either edge
    right: FloatArray
    length: float

    def over(self, values: FloatArray, s: FloatArray) -> FloatArray:
        """Values of the points, linear between them, at places of any lap."""
        station = np.append(self.station, self.length)
        return np.asarray(np.interp(np.mod(s, self.length), station, np.append(values, values[0])))


@lru_cache(maxsize=1)
def reference_track() -> ReferenceTrack:
    """The track of the file.

    Example:
    >>> from axletree.optimisation.reference_lap import reference_track
    >>> track = reference_track()
    >>> print(f"{(track.left + track.right).min():.1f} m wide at its narrowest")
    11.5 m wide at its narrowest
    """
    file = resource(_TRACK)
    lines = text_of(file, file.name).splitlines()
    length = next(float(one.split("length_m=")[1].split(";")[0]) for one in lines
                  if "length_m=" in one)  # fmt: skip
    rows = [one for one in lines if one and not one.startswith(("#", "s_m"))]
    table = np.array([[float(cell) for cell in row.split(",")] for row in rows])
    station, _, _, _, curvature, left, right = table.T
    return ReferenceTrack(station, curvature, left, right, length)


def _above_zero(x: Expr, smoothing: float) -> Expr:
    found: Expr = 0.5 * (x + sqrt(x * x + smoothing))
    return found


@lru_cache(maxsize=1)
def reference_car() -> System:
    """The car over the distance along a track; slips, loads, steering and pedal are its inputs.

    Outputs that a motion makes zero: torques of wheels, and the vertical, roll, pitch and roll
    share equations of loads.

    Example:
    >>> from axletree.optimisation.reference_lap import reference_car
    >>> car = reference_car()
    >>> [q.name for q in car.states], len(car.inputs)
    (['u', 'v', 'yaw_rate', 'offset', 'heading_error'], 13)
    """
    names = {title.split(" ")[0]: symbol(title.split(" ")[0]) for title in CAR}
    u, v, r = symbol("u"), symbol("v"), symbol("yaw_rate")
    n, a = symbol("offset"), symbol("heading_error")
    delta, pedal, bend = symbol("steer"), symbol("pedal"), symbol("curvature")
    slips = [symbol(f"slip_{w}") for w in CAR_WHEELS]
    shares = [symbol(f"load_share_{w}") for w in CAR_WHEELS]
    m, g = names["mass"], names["gravity"]
    places = [
        (names["front"], -names["half_track"]), (names["front"], names["half_track"]),
        (names["rear"], -names["half_track"]), (names["rear"], names["half_track"]),
    ]  # fmt: skip
    loads = [_above_zero(-z * (m * g), _LOAD_SMOOTHING) for z in shares]
    wheels = [
        _wheel(names, place, (u, v, r), delta if k < 2 else None, slips[k], loads[k])
        for k, place in enumerate(places)
    ]
    air = 0.5 * names["air_density"] * names["area"]
    speed = sqrt(u * u + v * v)
    drag_x, drag_y = -air * names["drag"] * speed * u, -air * names["drag"] * speed * v
    down = air * names["downforce"] * u * u
    force_x = sum((one.x for one in wheels), drag_x)
    force_y = sum((one.y for one in wheels), drag_y)
    moment = sum((x * one.y - y * one.x for (x, y), one in zip(places, wheels, strict=True)),
                 names["pressure_centre"] * drag_y)  # fmt: skip
    slowness = (1.0 - n * bend) / (u * cos(a) - v * sin(a))  # s/m along the centre line
    torques = _torques(names, pedal, [one.spin for one in wheels])
    height, balance = names["mass_centre_height"], names["front_roll_share"]
    front_transfer, rear_transfer = shares[1] - shares[0], shares[2] - shares[3]
    room = names["half_track"] * cos(a)
    outputs = {
        "slowness [s/m]": slowness,
        **{f"torque_{w} [N*m]": torque - names["wheel_radius"] * one.along
           for w, torque, one in zip(CAR_WHEELS, torques, wheels, strict=True)},
        "vertical [N]": m * g + down - sum(loads[1:], loads[0]),
        "roll [N*m]": -height * force_y
        - sum((y * N for (_, y), N in zip(places[1:], loads[1:], strict=True)),
              places[0][1] * loads[0]),
        "pitch [N*m]": names["pressure_centre"] * down * -1.0 + height * force_x
        + sum((x * N for (x, _), N in zip(places[1:], loads[1:], strict=True)),
              places[0][0] * loads[0]),
        "roll_share": (1.0 - balance) * front_transfer + balance * rear_transfer,
        **{f"lambda_{w}": one.side_slip for w, one in zip(CAR_WHEELS, wheels, strict=True)},
        "room_right [m]": symbol("right") - n - room,
        "room_left [m]": symbol("left") + n - room,
        "ax [m/s^2]": force_x / m,
        "ay [m/s^2]": force_y / m,
    }  # fmt: skip
    rates = {
        "u [m/s]": (force_x / m + v * r) * slowness,
        "v [m/s]": (force_y / m - u * r) * slowness,
        "yaw_rate [rad/s]": moment / names["yaw_inertia"] * slowness,
        "offset [m]": (u * sin(a) + v * cos(a)) * slowness,
        "heading_error [rad]": r * slowness - bend,
    }
    controls = [
        *(f"slip_{w}" for w in CAR_WHEELS), *(f"load_share_{w}" for w in CAR_WHEELS), "steer [rad]",
        "pedal", "curvature [1/m]", "left [m]", "right [m]",
    ]  # fmt: skip
    return dynamics("formula_one_2014", rates, controls, CAR, outputs)


@dataclass(frozen=True)
class _Wheel:
    x: Expr  # force in the axes of the car
    y: Expr
    along: Expr  # force along the wheel
    spin: Expr
    side_slip: Expr


def _wheel(
    names: dict[str, Expr],
    place: tuple[Expr, Expr],
    motion: tuple[Expr, Expr, Expr],
    steer: Expr | None,
    slip: Expr,
    load: Expr,
) -> _Wheel:
    """Its force (Perantoni and Limebeer 2014, appendix; slip as a multiple of its peak)."""
    u, v, r = motion
    x, y = place
    vx, vy = u - r * y, v + r * x
    c, s = (cos(steer), sin(steer)) if steer is not None else (None, None)
    wx = vx if c is None or s is None else c * vx + s * vy
    wy = vy if c is None or s is None else c * vy - s * vx
    part = (load - names["load_1"]) / (names["load_2"] - names["load_1"])

    def over_load(name: str) -> Expr:
        return names[f"{name}_1"] + part * (names[f"{name}_2"] - names[f"{name}_1"])

    def friction(name: str) -> Expr:
        floor = names["mu_floor"]
        return floor + _above_zero(over_load(name) - floor, _SMOOTHING)

    side = -wy / wx / over_load("lambda_peak")
    rho = sqrt(slip * slip + side * side + 1e-12)
    shape = names["shape"]
    scale = 0.5 * np.pi / atan(shape)
    curve = sin(shape * atan(scale * rho)) * load / rho
    along, aside = friction("mu_x") * curve * slip, friction("mu_y") * curve * side
    spin = (1.0 + slip * over_load("kappa_peak")) * wx / names["wheel_radius"]
    if c is None or s is None:
        return _Wheel(along, aside, along, spin, -wy / wx)
    return _Wheel(c * along - s * aside, s * along + c * aside, along, spin, -wy / wx)


def _torques(names: dict[str, Expr], pedal: Expr, spins: list[Expr]) -> list[Expr]:
    brake, throttle = _above_zero(-pedal, _SMOOTHING), _above_zero(pedal, _SMOOTHING)
    front, most = names["front_brake_share"], names["brake_torque"]
    found = [
        -tanh(spin) * most * brake * (front if k < 2 else 1.0 - front)
        for k, spin in enumerate(spins)
    ]
    engine = throttle * names["power"] / (0.5 * (spins[2] + spins[3]))
    locking = names["differential"] * (spins[2] - spins[3])
    found[2] = found[2] + 0.5 * engine - locking
    found[3] = found[3] + 0.5 * engine + locking
    return found


def reference_problem() -> OptimalControlProblem:
    """The lap in the least time, with small weights of the slopes of steering and pedal.

    Example:
    >>> from axletree.optimisation.reference_lap import reference_problem
    >>> reference_problem().controls["steer"].rate_weight  # s m
    50.0
    """
    track = reference_track()
    loads = Range(-3.0, -0.01, periodic=True)
    zero = {"N*m": Range(0.0, 0.0, nominal=1000.0), "N": Range(0.0, 0.0, nominal=6000.0)}
    side = Range(-float(np.radians(9.5)), float(np.radians(9.5)))
    return OptimalControlProblem(
        system=reference_car(),
        states={
            "u": Range("50 km/h", "380 km/h", periodic=True),
            "v": Range("-50 km/h", "50 km/h", periodic=True, nominal=5.0),
            "yaw_rate": Range(-10.0, 10.0, periodic=True, nominal=1.0),
            "offset": Range(-20.0, 20.0, periodic=True, nominal=5.0),
            "heading_error": Range("-45 deg", "45 deg", periodic=True, nominal=0.2),
        },
        controls={
            **{f"slip_{w}": Range(-1.0, 1.0, periodic=True) for w in CAR_WHEELS},
            **{f"load_share_{w}": loads for w in CAR_WHEELS},
            "steer": Range(
                "-20 deg", "20 deg", periodic=True, rate_weight=STEER_WEIGHT, nominal=0.1
            ),
            "pedal": Range(-1.0, 1.0, periodic=True, rate_weight=_PEDAL_WEIGHT),
        },
        given={
            "curvature": lambda s: track.over(track.curvature, s),
            "left": lambda s: track.over(track.left, s),
            "right": lambda s: track.over(track.right, s),
        },
        path={
            **{f"torque_{w}": zero["N*m"] for w in CAR_WHEELS},
            "vertical": zero["N"], "roll": zero["N*m"], "pitch": zero["N*m"],
            "roll_share": Range(0.0, 0.0, nominal=1.0),
            **{f"lambda_{w}": side for w in CAR_WHEELS},
            "room_left": Range(0.0, nominal=5.0), "room_right": Range(0.0, nominal=5.0),
        },
        length=track.length,
        integral={"slowness": 1.0},
        along="distance",
        along_unit="m",
    )  # fmt: skip


def reference_start() -> dict[str, float]:
    """Slowly along the middle of the track, loads at rest.

    Example:
    >>> from axletree.optimisation.reference_lap import reference_start
    >>> round(reference_start()["u"], 2)  # m/s
    13.89
    """
    u = 50.0 / 3.6
    weight = CAR["mass [kg]"] * CAR["gravity [m/s^2]"]
    wings = 0.5 * CAR["air_density [kg/m^3]"] * CAR["area [m^2]"] * CAR["downforce"] * u * u
    load = -0.25 * (weight + wings) / weight
    return {
        "u": u, "v": 0.0, "yaw_rate": 0.0, "offset": 0.0, "heading_error": 0.0,
        **{f"slip_{w}": 0.0 for w in CAR_WHEELS}, **{f"load_share_{w}": load for w in CAR_WHEELS},
        "steer": 0.0, "pedal": 0.01,
    }  # fmt: skip
