"""How far a vehicle goes until it stands, after ISO 21994."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.analysis.metrics.low_side import (
    LEAVES,
    edge_of_low_side,
    leaves_low_side,
    low_side_problems,
    low_side_wheels,
)
from axletree.analysis.metrics.vehicle_signals import (
    BRAKE,
    FORWARD_SPEED,
    HEADING,
    LATERAL_SPEED,
    Y,
    at,
    falls_to,
    sets_in,
    way,
)
from axletree.library.grid import Rows
from axletree.model.manoeuvres.diagram import (
    Diagram,
    Trace,
    by_name,
    level,
    over_time,
    point,
    span,
)
from axletree.model.manoeuvres.findings import Columns, Finding
from axletree.model.manoeuvres.metric import Metric

STANDS = 0.1  # m/s; from there a vehicle goes on for a millimetre
UPPER, LOWER = 0.8, 0.1  # of the first speed, between which deceleration is fully developed
SPIN = 0.5 * math.pi  # rad of the heading, beyond which a vehicle spins
SPUN = " (it spins)"


@dataclass(frozen=True)
class Stopping(Metric):
    """From the beginning of the pedal's way.

    Mean fully developed deceleration is (v_b^2 - v_e^2) / (2 (s_e - s_b)) between 80 % and 10 % of
    the first speed (UN Regulation 13-H, annex 3). A vehicle that turns by more than 90 deg spins
    instead of stopping, and neither this nor distance and time are told of it; nor where one of the
    wheels on a ``low_side`` leaves it before the vehicle stands, for it then stops on other ground.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import Trajectory
    >>> time = np.linspace(0.0, 6.0, 6001)  # s
    >>> columns = {name: 0.0 * time for name in at.Stopping.needs}
    >>> columns["driver.brake"] = np.where(time > 1.0, 1.0, 0.0)
    >>> columns["vehicle.forward_speed"] = np.clip(20.0 - 8.0 * (time - 1.0), 0.0, 20.0)  # m/s
    >>> found = at.Stopping().findings(Trajectory("car", time, columns, {}, ()))
    >>> [f"{one.value:.1f} {one.unit}" for one in found[:4]]  # 20^2 / (2 * 8) m
    ['20.0 m/s', '25.0 m', '2.5 s', '8.0 m/s^2']
    """

    summary: ClassVar[str] = "stopping distance and mean fully developed deceleration"
    needs: ClassVar[tuple[str, ...]] = (BRAKE, FORWARD_SPEED, LATERAL_SPEED, HEADING, Y)

    low_side: Rows | None = low_side_wheels()
    edge: float = edge_of_low_side()

    def problems(self) -> list[str]:
        return low_side_problems(self.low_side)

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        begin = sets_in(run.time, run[BRAKE])
        if math.isnan(begin):
            return ()
        speed, s = np.hypot(run[FORWARD_SPEED], run[LATERAL_SPEED]), way(run)
        first = at(run, speed, begin)
        stop = falls_to(run.time, speed, STANDS)
        upper, lower = (falls_to(run.time, speed, share * first) for share in (UPPER, LOWER))
        covered = at(run, s, lower) - at(run, s, upper)
        mean = first * first * (UPPER**2 - LOWER**2) / (2.0 * covered) if covered else math.nan
        turned = float(np.max(np.abs(np.unwrap(run[HEADING]) - run[HEADING][0])))
        told = (
            ("stopping_distance", at(run, s, stop) - at(run, s, begin), "m", "stopping distance"),
            ("stopping_time", stop - begin, "s", "stopping time"),
            ("mean_fully_developed_deceleration", mean, "m/s^2",
             "mean fully developed deceleration"),
        )  # fmt: skip
        why = self._fails(run, turned, stop)
        return (
            Finding("first_speed", first, "m/s", "speed at the beginning"),
            *(
                Finding(name, math.nan if why else value, unit, text + why)
                for name, value, unit, text in told
            ),
            Finding("greatest_turn", math.degrees(turned), "deg", "greatest change of the heading"),
        )

    def _fails(self, run: Columns, turned: float, stop: float) -> str:
        """Why it does not stop where it should, in words; empty if it does."""
        if turned > SPIN:
            return SPUN
        left = leaves_low_side(run, self.low_side, self.edge)
        return LEAVES if left <= stop else ""

    def diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found = by_name(self.findings(run))
        if not found:
            return ()
        begin = sets_in(run.time, run[BRAKE])
        speed, s = np.hypot(run[FORWARD_SPEED], run[LATERAL_SPEED]), way(run)
        first, gone = at(run, speed, begin), s - at(run, s, begin)
        ends = [at(run, gone, falls_to(run.time, speed, share * first)) for share in (UPPER, LOWER)]
        v, end = 3.6 * first, begin + found["stopping_time"].value
        of_way = (
            point(ends[0], UPPER * v, f"{100.0 * UPPER:g} % of the first speed"),
            point(ends[1], LOWER * v, f"{100.0 * LOWER:g} % of the first speed"),
            span(ends[0], ends[1], 0.45 * v, found["mean_fully_developed_deceleration"]),
            span(0.0, found["stopping_distance"].value, 0.0, found["stopping_distance"]),
        )
        of_time = (
            point(begin, v, found["first_speed"]),
            span(begin, end, 0.0, found["stopping_time"]),
        )
        turned = np.degrees(np.unwrap(run[HEADING]) - run[HEADING][0])
        most = int(np.argmax(np.abs(turned)))
        turns = [point(float(run.time[most]), float(turned[most]), found["greatest_turn"])]
        if abs(turned[most]) > 0.5 * math.degrees(SPIN):
            limit = math.copysign(math.degrees(SPIN), turned[most])
            turns.append(level(begin, limit, "beyond: it spins"))
        braked = run.time >= begin
        trace = Trace("", gone[braked], 3.6 * speed[braked])
        return (
            Diagram("Speed over the way since braking began", "way [m]", "[km/h]", (trace,),
                    of_way),
            over_time("Speed", "km/h", run.time, {"": 3.6 * speed}, of_time),
            over_time("Change of the heading in the whole run", "deg", run.time, {"": turned},
                      turns),
        )  # fmt: skip
