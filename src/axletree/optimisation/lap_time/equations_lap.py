"""Line, speed, steering and pedals in the least time, by the equations of the car.

The lap within the envelope is the start. Corners of the laws are rounded over 5 % of their
magnitudes at first, then over less and less, each time from the lap before; what the last step
changed is told. The answer is run again, piece by piece, by the integrator of the package with the
laws as they are, and how far it comes from the answer is told, too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from axletree.model.model import Model
from axletree.optimisation.ipopt import Ipopt
from axletree.optimisation.lap_time.car_on_track import (
    BEND,
    BODY_HEADING,
    BODY_YAW_RATE,
    BRAKE_PEDAL,
    LEFT_WIDTH,
    OFFSET,
    RIGHT_WIDTH,
    ROOM_LEFT,
    ROOM_RIGHT,
    SLOWNESS,
    STEERING_WHEEL,
    THROTTLE_PEDAL,
    VX,
    VY,
    CarOnTrack,
    car_on_track,
)
from axletree.optimisation.lap_time.drive_on_track import BEST_GEAR
from axletree.optimisation.lap_time.envelope import CarEnvelope
from axletree.optimisation.lap_time.result import TimedLap, columns_of
from axletree.optimisation.lap_time.track import Track
from axletree.optimisation.optimise import optimal_control
from axletree.optimisation.problem import OptimalControlProblem, Range
from axletree.optimisation.rules import CollocationRule
from axletree.optimisation.smooth_twin import FRACTION
from axletree.optimisation.solution import OptimalSolution

NODE_STEP: Final = 5.0  # m, about, between nodes
FRACTIONS: Final = (0.05, 0.01, 0.002)  # of magnitudes, over which corners are rounded
TRUE: Final = 1e-7  # likewise, for runs
_ABOVE_TOP: Final = 1.02  # of the top speed of the envelope
_PACE: Final = 0.7  # of the speeds of the lap that it starts from
_PIECE, _RUN_STEP = 10.0, 0.01  # m


def equations_lap(
    model: Model,
    fidelity: str,
    envelope: CarEnvelope,
    track: Track,
    start: TimedLap,
    *,
    step: float = NODE_STEP,
    fractions: tuple[float, ...] = FRACTIONS,
    with_sensitivities: bool = False,
) -> TimedLap:
    """From a lap within the envelope."""
    track.refuse_width(envelope.width)
    car = car_on_track(model, fidelity, start)
    problem = _problem(car, envelope, track, fractions[0])
    mesh = max(round(track.length / step), 20)
    settings = Ipopt(tolerance=1e-6, most_iterations=600)
    found = optimal_control(
        problem, rule="radau-2", mesh=mesh, start=car.guess(start, _PACE), settings=settings
    )
    before = found
    for fraction in fractions[1:]:
        values = {**problem.values, FRACTION: fraction}
        problem = replace(problem, values=values)
        before, found = (
            found,
            optimal_control(problem, rule="radau-2", mesh=mesh, start=found, settings=settings),
        )
    geared = [q.name for q in car.system.parameters if q.name.endswith(f".{BEST_GEAR}")]
    best = found
    if geared:
        values = {**problem.values, **dict.fromkeys(geared, 0.0)}
        problem = replace(problem, values=values)
        found = optimal_control(problem, rule="radau-2", mesh=mesh, start=best, settings=settings)
    lap = _lap(car, track, found, fidelity)
    notes = (
        *lap.notes,
        *_of_gears(best, found),
        f"corners are rounded over {fractions[-1]:g} of their magnitudes; with {fractions[-2]:g} "
        f"the lap takes {_time(before) - _time(best):+.3f} s"
        if len(fractions) > 1
        else f"corners are rounded over {fractions[-1]:g} of their magnitudes",
        _run_again(found),
    )
    lap = replace(lap, notes=notes)
    if with_sensitivities:
        own = {q.name: q.default for q in car.system.parameters if not _is_tied(q.name)}
        slopes = found.sensitivities(own)
        said = (
            "sensitivities are at the loads that wheels have in this plane model: those to masses "
            "and positions are of inertia and levers alone"
        )
        lap = replace(lap, sensitivities=slopes, parameters=own, notes=(*lap.notes, said))
    return lap


def _of_gears(best: OptimalSolution, found: OptimalSolution) -> tuple[str, ...]:
    if best is found:
        return ()
    return (
        "gears change as the box of the car has them; with the best gear at each "
        f"speed the lap takes {_time(best) - _time(found):+.3f} s",
    )


def _is_tied(name: str) -> bool:
    """Whether it holds the loads of wheels in a plane model, by heights and tyre stiffness: with a
    change of it alone the car would hang in the air, or sink into the ground."""
    return (
        name == FRACTION
        or name.endswith(f".{BEST_GEAR}")
        or name.startswith("ground.")
        or name.endswith((".z", ".unloaded_radius", ".vertical_stiffness"))
        or ".normal_force." in name
    )


def _problem(
    car: CarOnTrack, envelope: CarEnvelope, track: Track, fraction: float
) -> OptimalControlProblem:
    room = Range(0.5 * envelope.width, nominal=5.0)
    return OptimalControlProblem(
        system=car.system,
        states=car.state_ranges(track.closed, _ABOVE_TOP * envelope.top),
        controls=car.control_ranges(track.closed),
        given={
            BEND: lambda s: track.at("curvature", s),
            LEFT_WIDTH: lambda s: track.at("left", s),
            RIGHT_WIDTH: lambda s: track.at("right", s),
        },
        path={ROOM_LEFT: room, ROOM_RIGHT: room, **car.path_ranges},
        length=track.length,
        integral={SLOWNESS: 1.0},
        values={FRACTION: fraction},
        along="distance",
        along_unit="m",
    )


def _times(found: OptimalSolution) -> np.ndarray:
    rule = found.transcription.rule
    assert isinstance(rule, CollocationRule)
    return rule.integrated(found.nodes, found[SLOWNESS])


def _time(found: OptimalSolution) -> float:
    return float(_times(found)[-1])


def _lap(car: CarOnTrack, track: Track, found: OptimalSolution, fidelity: str) -> TimedLap:
    s, time = found.places, _times(found)
    vx, vy = found[VX], found[VY]  # along and across the centre line
    speed, course = np.hypot(vx, vy), np.arctan2(vy, vx)
    bend = (np.gradient(course, s) + track.at("curvature", s)) / (
        (1.0 - found[OFFSET] * track.at("curvature", s)) / np.cos(course)
    )
    given = {
        "time": time, "speed": speed, "heading_error": found[BODY_HEADING], "curvature": bend,
        "lateral_acceleration": speed**2 * bend,
        "acceleration": np.gradient(speed, s) / found[SLOWNESS],
        "throttle": found[THROTTLE_PEDAL], "brake": found[BRAKE_PEDAL],
        "steering": found[STEERING_WHEEL],
        "yaw_rate": found[BODY_YAW_RATE],
    }  # fmt: skip
    weights = found.cost - float(time[-1])
    note = (
        f"{len(found.nodes) - 1} intervals, {found.answer.iterations} iterations in the last step; "
        f"weights of pedals cost {weights:.3f} s beside the time"
    )
    return TimedLap(car.name, fidelity, track, columns_of(track, s, found[OFFSET], given), (note,))


def _run_again(found: OptimalSolution) -> str:
    """How far runs with the laws as they are come from the answer, over short pieces of the lap."""
    count = max(round(found.length / _PIECE), 1)
    ends = np.linspace(0.0, found.length, count + 1)
    names = (VX, OFFSET, BODY_HEADING)
    off = np.zeros((count, len(names)))
    for k, (first, last) in enumerate(zip(ends[:-1], ends[1:], strict=True)):
        run = found.simulate(float(first), float(last), _RUN_STEP, {FRACTION: TRUE}, watch=False)
        for j, name in enumerate(names):
            off[k, j] = abs(float(run[name][-1] - found.at(name, np.array([last]))[0]))
    middle, most = np.median(off, axis=0), off.max(axis=0)
    return (
        f"run again by rk4 with the laws as they are, from {count} places: after "
        f"{found.length / count:.0f} m {middle[0]:.3f} m/s, {middle[1]:.3f} m and "
        f"{np.degrees(middle[2]):.2f} deg from it in the median, {most[0]:.2f} m/s, "
        f"{most[1]:.2f} m and {np.degrees(most[2]):.1f} deg at most"
    )
