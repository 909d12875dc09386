"""How quickly a vehicle gains speed, and what holds it back when it coasts (road load, ISO
10521-1).

Braking: stopping distance (ISO 21994), how it disturbs a turn (ISO 7975),
and braking on split friction (ISO 14512).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from axletree.components.fields import Rows, fixed_number, grid
from axletree.metrics.contract import Metric
from axletree.metrics.findings import (
    Column,
    Columns,
    Diagram,
    Finding,
    Trace,
    first_record,
    level,
    moment,
    over_time,
    peak_point,
    point,
    point_at,
    span,
)
from axletree.metrics.vehicle_signals import (
    BRAKE,
    FORWARD_SPEED,
    HEADING,
    LATERAL_SPEED,
    SIDESLIP,
    THROTTLE,
    YAW_RATE,
    X,
    Y,
    at,
    falls_to,
    ground_speed,
    mean_slope,
    over,
    reaches,
    sets_in,
    way,
)

# Whether wheels that begin on the slippery side of a road stay there.

_LEAVES = " (leaves the low side)"


def low_side_wheels() -> Any:
    """A field with the positions of the wheels."""
    return grid(
        "m", "positions x, y of wheels on the low side: ahead of the centre of mass, and left",
        default=None,
    )  # fmt: skip


def edge_of_low_side() -> Any:
    """A field for the edge of the low-friction side, a line along the x axis of the ground."""
    return fixed_number("m", "y of the edge of that side", default=0.0)


def low_side_problems(wheels: Rows | None) -> list[str]:
    """What is wrong with the positions, in words."""
    if not wheels or len(wheels[0]) == 2:
        return []
    return [f"low_side: expected rows x, y, got rows of {len(wheels[0])} numbers"]


def leaves_low_side(run: Columns, wheels: Rows | None, edge: float) -> float:
    """The first time [s] at which one of the wheels is beyond the line; nan if none ever is."""
    cosine, sine = np.cos(run[HEADING]), np.sin(run[HEADING])
    times = []
    for ahead, left in wheels or ():
        y = run[Y] + ahead * sine + left * cosine - edge
        times.append(reaches(run.time, -y * math.copysign(1.0, y[0]), 0.0))
    return min((time for time in times if not math.isnan(time)), default=math.nan)


STANDS = 0.1  # m/s; from there a vehicle goes on for a millimetre
UPPER, LOWER = 0.8, 0.1  # of the first speed, between which deceleration is fully developed
SPIN = 0.5 * math.pi  # rad of the heading, beyond which a vehicle spins
SPUN = " (vehicle spins)"
_ROUNDING = 1e-6  # rad; a car that is alike on both sides turns by 1e-9 rad, of rounded numbers


@dataclass(frozen=True)
class Stopping(Metric):
    """From the onset of braking.

    Mean fully developed deceleration is (v_b^2 - v_e^2) / (2 (s_e - s_b)) between 80 % and 10 % of
    the first speed (UN Regulation 13-H, annex 3). A vehicle that turns by more than 90 deg spins
    instead of stopping: this, the distance and the time are then nan. So they are where one of the
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
    ['72.0 km/h', '25.0 m', '2.5 s', '8.0 m/s^2']
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
        speed, s = ground_speed(run), way(run)
        first = at(run, speed, begin)
        stop = falls_to(run.time, speed, STANDS)
        upper, lower = (falls_to(run.time, speed, share * first) for share in (UPPER, LOWER))
        covered = at(run, s, lower) - at(run, s, upper)
        mean = first * first * (UPPER**2 - LOWER**2) / (2.0 * covered) if covered else math.nan
        turned = float(np.max(np.abs(_turned(run))))
        measured = (
            ("stopping_distance", at(run, s, stop) - at(run, s, begin), "m", "stopping distance"),
            ("stopping_time", stop - begin, "s", "stopping time"),
            ("mean_fully_developed_deceleration", mean, "m/s^2",
             "mean fully developed deceleration"),
        )  # fmt: skip
        why = self._fails(run, turned, stop)
        return (
            Finding("first_speed", 3.6 * first, "km/h", "initial speed"),
            *(Finding(name, math.nan if why else value, unit, text + why)
              for name, value, unit, text in measured),
            Finding("maximum_heading_change", math.degrees(turned), "deg",
                    "maximum heading change"),
        )  # fmt: skip

    def _fails(self, run: Columns, turned: float, stop: float) -> str:
        """Why it does not stop where it should, in words; empty if it does."""
        if turned > SPIN:
            return SPUN
        left = leaves_low_side(run, self.low_side, self.edge)
        return _LEAVES if left <= stop else ""

    def _drawn(self, run: Columns, found: Mapping[str, Finding]) -> tuple[Diagram, ...]:
        begin = sets_in(run.time, run[BRAKE])
        speed, s = ground_speed(run), way(run)
        first, gone = at(run, speed, begin), s - at(run, s, begin)
        ends = [at(run, gone, falls_to(run.time, speed, share * first)) for share in (UPPER, LOWER)]
        v, end = 3.6 * first, begin + found["stopping_time"].value
        over_distance = (
            point(ends[0], UPPER * v, f"{100.0 * UPPER:g} % of the initial speed"),
            point(ends[1], LOWER * v, f"{100.0 * LOWER:g} % of the initial speed"),
            span(ends[0], ends[1], 0.45 * v, found["mean_fully_developed_deceleration"]),
            span(0.0, found["stopping_distance"].value, 0.0, found["stopping_distance"]),
        )
        over_run = (
            point(begin, v, found["first_speed"]),
            span(begin, end, 0.0, found["stopping_time"]),
        )
        turned = np.degrees(_turned(run))
        turns = [peak_point(run.time, turned, found["maximum_heading_change"])]
        if abs(turns[0].y) > 0.5 * math.degrees(SPIN):
            limit = math.copysign(math.degrees(SPIN), turns[0].y)
            turns.append(level(begin, limit, "beyond: vehicle spins"))
        braked = run.time >= begin
        trace = Trace("", gone[braked], 3.6 * speed[braked])
        return (
            Diagram("Speed over distance since braking began", "distance [m]", "[km/h]", (trace,),
                    over_distance),
            over_time("Speed", "km/h", run.time, {"": 3.6 * speed}, over_run),
            over_time("Heading change in the whole run", "deg", run.time, {"": turned}, turns),
        )  # fmt: skip


def _turned(run: Columns) -> Column:
    """The heading [rad] since the first record; 0 where all of it is rounding."""
    turned = np.asarray(np.unwrap(run[HEADING]) - run[HEADING][0])
    return np.zeros_like(turned) if np.all(np.abs(turned) < _ROUNDING) else turned


BEFORE = 0.5  # s before braking, over which the turn is steady
_SLOWEST = 0.25  # of the first speed; below it sideslip says little
_WIDEST = 1.5  # of the first radius, up to which radii are drawn


@dataclass(frozen=True)
class TurnBraking(Metric):
    """A given time after the onset of braking, against a turn of the initial radius at that speed.

    A ratio of yaw rates above 1 turns in, below 1 it runs wide.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import Trajectory
    >>> time = np.linspace(0.0, 4.0, 4001)  # s
    >>> columns = {name: 0.0 * time for name in at.TurnBraking.needs}
    >>> columns["driver.brake"] = np.where(time > 2.0, 1.0, 0.0)
    >>> columns["vehicle.forward_speed"] = np.clip(20.0 - 5.0 * (time - 2.0), 0.0, 20.0)  # m/s
    >>> columns["vehicle.yaw_rate"] = columns["vehicle.forward_speed"] / 100.0  # stays on a circle
    >>> found = at.TurnBraking().findings(Trajectory("car", time, columns, {}, ()))
    >>> [f"{one.value:.2f} {one.unit}" for one in found[:4]]
    ['4.00 m/s^2', '100.00 m', '5.00 m/s^2', '1.00 1']
    """

    summary: ClassVar[str] = "yaw rate and sideslip after braking in a turn"
    needs: ClassVar[tuple[str, ...]] = (BRAKE, FORWARD_SPEED, YAW_RATE, SIDESLIP)

    after: float = fixed_number("s", "time after the onset of braking", default=1.0, lower=0.0,
                                above=True)  # fmt: skip

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        begin = sets_in(run.time, run[BRAKE])
        if math.isnan(begin):
            return ()
        steady = over(run, begin - BEFORE, begin)
        speed, yaw, slip = run[FORWARD_SPEED], run[YAW_RATE], run[SIDESLIP]
        v, r, beta = (float(np.mean(values[steady])) for values in (speed, yaw, slip))
        if not r:
            return ()
        then = at(run, speed, begin + self.after)
        ratio = at(run, yaw, begin + self.after) * v / (r * then) if then else math.nan
        braked = (run.time >= begin) & (speed > _SLOWEST * v)
        change = float(np.max(np.abs(slip[braked] - beta)))
        lost = (at(run, speed, begin) - then) / self.after
        return (
            Finding("first_lateral_acceleration", r * v, "m/s^2",
                    "lateral acceleration of the turn"),
            Finding("first_radius", v / r, "m", "radius of the turn"),
            Finding("mean_deceleration", lost, "m/s^2",
                    f"mean deceleration over the first {self.after:g} s"),
            Finding("yaw_rate_ratio", ratio, "1",
                    f"yaw rate after {self.after:g} s over that of the initial radius"),
            Finding("sideslip_change", math.degrees(change), "deg",
                    "maximum change of sideslip angle"),
        )  # fmt: skip

    def _drawn(self, run: Columns, found: Mapping[str, Finding]) -> tuple[Diagram, ...]:
        begin = sets_in(run.time, run[BRAKE])
        steady, then = over(run, begin - BEFORE, begin), begin + self.after
        speed, yaw, slip = run[FORWARD_SPEED], np.degrees(run[YAW_RATE]), np.degrees(run[SIDESLIP])
        v, r, beta = (float(np.mean(values[steady])) for values in (speed, yaw, slip))
        braked = (run.time >= begin) & (speed > _SLOWEST * v)
        change = slip - beta
        most = int(np.argmax(np.where(braked, np.abs(change), -1.0)))
        still = Trace("turn of the initial radius", run.time, r * speed / v, is_guide=True)
        marks = [moment(begin, 0.3 * r, "onset of braking"),
                 point(then, at(run, yaw, then), found["yaw_rate_ratio"])]  # fmt: skip
        chord = mean_slope(run, speed, begin, then, "mean")
        lost = [point(chord.x[1], chord.y[1], found["mean_deceleration"])]
        slips = [point_at(run.time, change, most, found["sideslip_change"])]
        around, fast = (begin - self.after, then + self.after), float(run.time[braked][-1])
        return (
            *_first_turn(run, found, begin),
            over_time("Yaw rate", "deg/s", run.time, {"run": yaw}, marks, [still]),
            over_time("Forward speed", "m/s", run.time, {"run": speed}, lost, [chord], around),
            over_time("Change of sideslip angle", "deg", run.time, {"": change}, slips,
                      within=(-math.inf, fast)),
        )  # fmt: skip


def _first_turn(
    run: Columns, found: Mapping[str, Finding], begin: float
) -> tuple[Diagram, Diagram]:
    """Lateral acceleration and radius of the motion, until its speed is small."""
    speed, yaw = run[FORWARD_SPEED], run[YAW_RATE]
    side, radius = found["first_lateral_acceleration"], found["first_radius"]
    turns = (np.abs(yaw) * _WIDEST * abs(radius.value) > speed) & (speed > _SLOWEST * speed[0])
    straight = np.cumsum(~turns)  # records so far that are too straight for a radius
    kept = turns & (straight == straight[run.time <= begin][-1])
    sides = [span(begin - BEFORE, begin, side.value, side), moment(begin, 0.0, "onset of braking")]
    radii = [span(begin - BEFORE, begin, radius.value, radius)]
    circle = {"": speed[kept] / yaw[kept]}
    return (
        over_time("Yaw rate times speed", "m/s^2", run.time, {"": yaw * speed}, sides),
        over_time("Radius (speed / yaw rate)", "m", run.time[kept], circle, radii),
    )


@dataclass(frozen=True)
class SplitBraking(Metric):
    """Over a given time from the onset of braking, with the steering wheel fixed.

    Lateral displacement is measured from the initial line of travel, positive to the left, as yaw
    is. With wheels on a ``low_side``, the time at which the first of them leaves it is found, too.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import Trajectory
    >>> time = np.linspace(0.0, 3.0, 3001)  # s
    >>> columns = {name: 0.0 * time for name in at.SplitBraking.needs}
    >>> columns["driver.brake"] = np.where(time > 1.0, 1.0, 0.0)
    >>> columns["vehicle.forward_speed"] = np.clip(20.0 - 5.0 * (time - 1.0), 0.0, 20.0)  # m/s
    >>> columns["vehicle.y"] = 0.4 * np.maximum(time - 1.0, 0.0) ** 2  # m
    >>> found = at.SplitBraking().findings(Trajectory("car", time, columns, {}, ()))
    >>> [f"{one.value:.2f} {one.unit}" for one in (found[0], found[-1])]
    ['5.00 m/s^2', '0.40 m']
    """

    summary: ClassVar[str] = (
        "deceleration, yaw and lateral displacement of braking on split friction"
    )
    needs: ClassVar[tuple[str, ...]] = (
        BRAKE, FORWARD_SPEED, LATERAL_SPEED, YAW_RATE, HEADING, X, Y,
    )  # fmt: skip

    after: float = fixed_number("s", "time after the onset of braking", default=1.0, lower=0.0,
                                above=True)  # fmt: skip

    low_side: Rows | None = low_side_wheels()
    edge: float = edge_of_low_side()

    def problems(self) -> list[str]:
        return low_side_problems(self.low_side)

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        begin = sets_in(run.time, run[BRAKE])
        if math.isnan(begin):
            return ()
        end, meanwhile = begin + self.after, over(run, begin, begin + self.after)
        speed = ground_speed(run)
        lost = (at(run, speed, begin) - at(run, speed, end)) / self.after
        yaw = run[YAW_RATE]
        peak = float(yaw[meanwhile][np.argmax(np.abs(yaw[meanwhile]))])
        turned, aside = self._displaced(run, begin)
        word = f"within {self.after:g} s"
        return (
            Finding("mean_deceleration", lost, "m/s^2", f"mean deceleration {word}"),
            Finding("yaw_rate", math.degrees(at(run, yaw, end)), "deg/s",
                    f"yaw rate after {self.after:g} s"),
            Finding("peak_yaw_rate", math.degrees(peak), "deg/s", f"peak yaw rate {word}"),
            Finding("heading_change", math.degrees(at(run, turned, end)), "deg",
                    f"heading change {word}"),
            Finding("lateral_displacement", at(run, aside, end), "m",
                    f"lateral displacement {word}"),
            *self._leaves(run, begin),
        )  # fmt: skip

    def _displaced(self, run: Columns, begin: float) -> tuple[Column, Column]:
        """Heading [rad] and way to the left of it [m] since a time [s]."""
        heading = np.unwrap(run[HEADING])
        first = at(run, heading, begin)
        aside = math.cos(first) * run[Y] - math.sin(first) * run[X]
        return heading - first, aside - at(run, aside, begin)

    def _leaves(self, run: Columns, begin: float) -> tuple[Finding, ...]:
        if self.low_side is None:
            return ()
        left = leaves_low_side(run, self.low_side, self.edge) - begin
        text = "time from the onset of braking until a wheel leaves the low side"
        return (Finding("time_on_low_side", left, "s", text),)

    def _drawn(self, run: Columns, found: Mapping[str, Finding]) -> tuple[Diagram, ...]:
        begin = sets_in(run.time, run[BRAKE])
        end, shown = begin + self.after, (begin - 0.3, begin + 1.5 * self.after)
        speed, meanwhile = ground_speed(run), over(run, begin, end)
        chord = mean_slope(run, speed, begin, end, "mean")
        lost = [point(chord.x[1], chord.y[1], found["mean_deceleration"])]
        turned, aside = self._displaced(run, begin)
        yaw, turned = np.degrees(run[YAW_RATE]), np.degrees(turned)
        yaws = [
            moment(begin, 0.0, "onset of braking"),
            point(end, at(run, yaw, end), found["yaw_rate"]),
            peak_point(run.time[meanwhile], yaw[meanwhile], found["peak_yaw_rate"]),
        ]
        turns = [point(end, at(run, turned, end), found["heading_change"])]
        offsets = [point(end, at(run, aside, end), found["lateral_displacement"])]
        offset_shown = shown
        if "time_on_low_side" in found:
            left = begin + found["time_on_low_side"].value
            offsets.append(span(begin, left, at(run, aside, left), found["time_on_low_side"]))
            offset_shown = shown[0], max(shown[1], left)
        return (
            over_time("Speed", "m/s", run.time, {"run": speed}, lost, [chord], shown),
            over_time("Yaw rate", "deg/s", run.time, {"": yaw}, yaws, within=shown),
            over_time("Heading change", "deg", run.time, {"": turned}, turns, within=shown),
            over_time("Lateral displacement", "m", run.time, {"": aside}, offsets,
                      within=offset_shown),
        )  # fmt: skip


@dataclass(frozen=True)
class SpeedGain(Metric):
    """Time and distance from the application of the throttle to a speed.

    They count from the speed at that moment, which their descriptions have.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import Trajectory
    >>> time = np.linspace(0.0, 10.0, 1001)  # s
    >>> columns = {name: 0.0 * time for name in at.SpeedGain.needs}
    >>> columns |= {"driver.throttle": np.sign(time), "vehicle.forward_speed": 4.0 * time}  # m/s
    >>> found = at.SpeedGain(speed="20 m/s").findings(Trajectory("car", time, columns, {}, ()))
    >>> [f"{one.value:.2f} {one.unit}" for one in found[:2]]
    ['5.00 s', '50.00 m']
    """

    summary: ClassVar[str] = "time and distance to a speed"
    needs: ClassVar[tuple[str, ...]] = (THROTTLE, FORWARD_SPEED, LATERAL_SPEED)

    speed: float = fixed_number("m/s", "that is reached", default=100.0 / 3.6, lower=0.0,
                                above=True)  # fmt: skip

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        begin = sets_in(run.time, run[THROTTLE])
        if math.isnan(begin):
            return ()
        speed, s = run[FORWARD_SPEED], way(run)
        end = reaches(run.time, speed, self.speed)
        first = at(run, speed, begin)
        word = f"from {3.6 * first:.0f} km/h to {3.6 * self.speed:g} km/h"
        return (
            Finding("time_to_speed", end - begin, "s", f"time {word}"),
            Finding("distance_to_speed", at(run, s, end) - at(run, s, begin), "m",
                    f"distance {word}"),
            Finding("maximum_acceleration", float(np.max(np.gradient(speed, run.time))), "m/s^2",
                    "maximum acceleration"),
            Finding("final_speed", 3.6 * float(speed[-1]), "km/h", "final speed"),
        )  # fmt: skip

    def _drawn(self, run: Columns, found: Mapping[str, Finding]) -> tuple[Diagram, ...]:
        begin, speed, s = sets_in(run.time, run[THROTTLE]), 3.6 * run[FORWARD_SPEED], way(run)
        gone, then = s - at(run, s, begin), begin + found["time_to_speed"].value
        steepest = int(np.argmax(np.gradient(run[FORWARD_SPEED], run.time)))
        marks = [
            moment(begin, 0.6 * float(speed.max()), "throttle applied"),
            span(begin, then, 3.6 * self.speed, found["time_to_speed"]),
            point_at(run.time, speed, steepest, found["maximum_acceleration"]),
            point_at(run.time, speed, -1, found["final_speed"]),
        ]
        far = found["distance_to_speed"]
        reached = point(far.value, 3.6 * self.speed, far)
        return (
            over_time("Forward speed", "km/h", run.time, {"": speed}, marks),
            Diagram("Forward speed over distance", "distance [m]", "[km/h]",
                    (Trace("", gone, speed),), (reached,)),
        )  # fmt: skip


LEAST_SPAN = 1.0  # m/s, of speeds that a curve is laid through


@dataclass(frozen=True)
class RoadLoad(Metric):
    """The force f0 + f1 v + f2 v^2 that decelerates a mass as the run does, by least squares.

    Records count until the speed first falls below ``slowest``.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import Trajectory
    >>> time = np.linspace(0.0, 100.0, 1001)  # s
    >>> speed = {"vehicle.forward_speed": 30.0 - 0.2 * time}  # m/s: one deceleration
    >>> found = at.RoadLoad(mass=1500.0).findings(Trajectory("car", time, speed, {}, ()))
    >>> print(f"{found[1].value:.1f} {found[1].unit}")
    300.0 N
    """

    summary: ClassVar[str] = "road load of a coast-down, over speed"
    needs: ClassVar[tuple[str, ...]] = (FORWARD_SPEED,)

    mass: float = fixed_number("kg", "effective mass, with the rotating inertia of the wheels",
                               lower=0.0, above=True)  # fmt: skip
    slowest: float = fixed_number("m/s", "down to which records count", default=5.0, lower=0.0)

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        speed = run[FORWARD_SPEED]
        f0 = f1 = f2 = math.nan
        used, force = self._resistance(run)
        if used.size and np.ptp(used) >= LEAST_SPAN:
            f2, f1, f0 = (float(value) for value in np.polyfit(used, force, 2))
        return (
            Finding("final_speed", 3.6 * float(speed[-1]), "km/h", "final speed"),
            Finding("road_load_f0", f0, "N", "road load: constant term"),
            Finding("road_load_f1", f1, "N/(m/s)", "road load: linear term"),
            Finding("road_load_f2", f2, "N/(m/s)^2", "road load: quadratic term"),
        )

    def _resistance(self, run: Columns) -> tuple[Column, Column]:
        """Speeds [m/s] that count, and the forces [N] that decelerate the mass at them."""
        slow = first_record(run[FORWARD_SPEED] < self.slowest)
        used = run[FORWARD_SPEED][:slow]
        rate = np.gradient(used, run.time[:slow]) if used.size > 1 else 0.0 * used
        return used, -self.mass * rate

    def _drawn(self, run: Columns, found: Mapping[str, Finding]) -> tuple[Diagram, ...]:
        f0, f1, f2 = (found[f"road_load_f{k}"] for k in range(3))
        speed = 3.6 * run[FORWARD_SPEED]
        end = point_at(run.time, speed, -1, found["final_speed"])
        course = over_time("Forward speed", "km/h", run.time, {"": speed}, [end])
        if math.isnan(f0.value):
            return (course,)
        used, force = self._resistance(run)
        v = np.linspace(0.0, float(used.max()), 50)
        fitted = f0.value + v * (f1.value + v * f2.value)
        marks = (
            level(0.5 * float(v[-1]), f0.value, f0),
            point_at(v, fitted, 25, f1),
            point_at(v, fitted, 40, f2),
        )
        traces = (Trace("run", used, force), Trace("f0 + f1 v + f2 v^2", v, fitted, is_guide=True))
        return (course, Diagram("Road load", "speed [m/s]", "[N]", traces, marks))
