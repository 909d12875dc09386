"""The line of least curvature within a track, whatever the car: wide, smooth, and quick to find.

Over the distance s along the centre line, with offset n, heading error xi and curvature k of the
line,

    n' = (1 - n c) tan xi,   xi' = k (1 - n c) / cos xi - c,   k' = its rate,

the integral of k^2 along the line is smallest (Braghin et al. 2008; Heilmeier et al. 2019 have it
as a quadratic problem of points).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.expr import cos, sin, symbol
from axletree.optimisation.dynamics import dynamics
from axletree.optimisation.guess import Guess
from axletree.optimisation.ipopt import Ipopt
from axletree.optimisation.lap_time.track import Track
from axletree.optimisation.optimise import optimal_control
from axletree.optimisation.problem import OptimalControlProblem, Range
from axletree.system.system import System

_EDGE_MARGIN: Final = 1e-3  # m
_SHARPEST_TURN: Final = float(np.radians(60.0))  # of the line to the centre line


@dataclass(frozen=True)
class RacingLine:
    """A line over the stations of a track."""

    offset: FloatArray  # m to the left
    heading_error: FloatArray  # rad
    curvature: FloatArray  # 1/m


@lru_cache(maxsize=1)
def _line() -> System:
    n, xi, k, c = (symbol(name) for name in ("offset", "heading_error", "bend", "curvature"))
    stretch = (1.0 - n * c) / cos(xi)
    rates = {
        "offset [m]": stretch * sin(xi),
        "heading_error [rad]": k * stretch - c,
        "bend [1/m]": symbol("bend_rate"),
    }
    outputs = {
        "bending [1/m^2]": (k * k) * stretch,
        "room_left [m]": symbol("left") - n, "room_right [m]": symbol("right") + n,
    }  # fmt: skip
    controls = ["bend_rate [1/m^2]", "curvature [1/m]", "left [m]", "right [m]"]
    return dynamics("line", rates, controls, {}, outputs)


def line_of_least_curvature(track: Track, car_width: float) -> RacingLine:
    """With half of the car's width to either edge.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.optimisation.lap_time.line_of_least_curvature import line_of_least_curvature
    >>> track = at.read_track("lindenring")
    >>> line = line_of_least_curvature(track, car_width=1.8)
    >>> sharpest = [1.0 / np.abs(one.curvature).max() for one in (track, line)]
    >>> print("from {:.1f} m to {:.1f} m in the tightest curve".format(*sharpest))
    from 25.5 m to 30.1 m in the tightest curve
    """
    track.refuse_width(car_width)
    closed, half = track.closed, 0.5 * car_width
    room = Range(half + _EDGE_MARGIN, nominal=5.0)
    problem = OptimalControlProblem(
        system=_line(),
        states={
            "offset": Range(-50.0, 50.0, periodic=closed, nominal=3.0),
            "heading_error": Range(
                -_SHARPEST_TURN, _SHARPEST_TURN, periodic=closed, nominal=0.2
            ),
            "bend": Range(-0.3, 0.3, periodic=closed, nominal=0.02),
        },
        controls={"bend_rate": Range(-0.02, 0.02, periodic=closed, nominal=1e-3)},
        given={
            "curvature": lambda s: track.at("curvature", s),
            "left": lambda s: track.at("left", s),
            "right": lambda s: track.at("right", s),
        },
        path={"room_left": room, "room_right": room},
        length=track.length,
        integral={"bending": 100.0},
        along="distance",
        along_unit="m",
    )  # fmt: skip
    start: Guess = {"offset": 0.0, "heading_error": 0.0, "bend": lambda s: track.at("curvature", s)}
    found = optimal_control(
        problem, rule="trapezoidal", mesh=track.station, start=start,
        settings=Ipopt(tolerance=1e-7),
    )  # fmt: skip
    s = track.station
    return RacingLine(*(found.at(name, s) for name in ("offset", "heading_error", "bend")))
