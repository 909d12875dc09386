"""What tasks know of their vehicles, against geometry and physics of its own."""

from __future__ import annotations

import math
from typing import Any

import gymnasium
import numpy as np
import pytest

import axletree.gym  # noqa: F401 - registers them
from axletree.ground.race_track import ready_track
from axletree.gym.contract import Motion
from axletree.gym.emergency_avoidance import OBSTACLE, EmergencyAvoidance
from axletree.gym.environments import DrivingEnv
from axletree.gym.episodes import OUT_OF_TIME
from axletree.gym.lines import EVERY_ROW, LineArray, wrapped
from axletree.gym.off_road import OffRoad


def environment(name: str, **settings: Any) -> DrivingEnv:
    env = gymnasium.make(f"axletree/{name}-v0", **settings).unwrapped
    assert isinstance(env, DrivingEnv)
    return env


def test_a_place_beside_a_circle_is_found() -> None:
    """A lane of constant curvature is a circle: offsets are distances from it."""
    radius, count = 50.0, 40
    lines = LineArray(count, 201, 0.5)
    station, offset = np.linspace(2.0, 90.0, count), np.linspace(-3.0, 3.0, count)
    for row in range(count):
        lines.bend(row, np.full(201, 1.0 / radius), 1.75)
        lines.begin(row, station[row] - 0.5)  # as long ago as a control step
    turn = station / radius
    x = (radius - offset) * np.sin(turn)
    y = radius - (radius - offset) * np.cos(turn)
    found = lines.locate(EVERY_ROW, x, y)
    sag = 0.5**2 / (8.0 * radius)  # m, of chords between stations
    assert np.abs(found.offset - offset).max() < 2.0 * sag
    assert np.abs(found.station - station).max() < 2e-3
    assert found.heading == pytest.approx(turn, abs=1e-4)
    assert np.all(found.curvature == 1.0 / radius)
    again = lines.locate(EVERY_ROW, x, y)  # what is left after a second look is of chords
    chords = station[-1] * (0.5 / radius) ** 2 / 24.0  # shorter than the arc
    assert np.abs(again.station - station).max() < chords


def test_a_closed_track_has_no_seam() -> None:
    path = ready_track("lindenring")
    half_width = path.half_width(path.line.station)
    assert half_width is not None
    stations = round(path.finish)
    track = LineArray(1, stations, path.finish / stations, shared=True, closed=True)
    track.follow(0, path.line, half_width)
    assert track.length == pytest.approx(path.finish)
    before, after = (track.place(0, track.length + way, 0.0) for way in (-0.01, 0.01))
    assert math.dist(before[:2], after[:2]) == pytest.approx(0.02, rel=0.02)
    assert wrapped(np.array([after[2] - before[2]]))[0] == pytest.approx(0.0, abs=1e-3)
    there = np.interp(700.0, path.line.station, path.line.x)
    assert track.place(0, 700.0, 0.0)[0] == pytest.approx(there, abs=0.02)


def test_outlines_that_touch_are_found() -> None:
    """Against points of both outlines, one of which lies within the other if they touch."""
    count = 400
    task = EmergencyAvoidance(count)
    random = np.random.default_rng(4)
    task.motion[:, 0] = random.uniform(-5.0, 9.0, count)
    task.motion[:, 1] = random.uniform(-4.0, 4.0, count)
    task.motion[:, 2] = random.uniform(-1.0, 1.0, count)
    task.look(EVERY_ROW)
    front, rear, width = task.driven.footprint
    length, across = OBSTACLE
    car = outline(-rear, front, -0.5 * width, 0.5 * width)
    obstacle = outline(0.0, length, -0.5 * across, 0.5 * across)
    touching = 0
    for row, (x, y, heading) in enumerate(task.motion[:, :3].tolist()):
        c, s = math.cos(heading), math.sin(heading)
        turn = np.array([[c, s], [-s, c]])
        placed = car @ turn + (x, y)
        touches = within(obstacle, placed) or within(car, (obstacle - (x, y)) @ turn.T)
        assert touches == (not task._apart[row]), (x, y, heading)
        assert task._corners[row] == pytest.approx([placed[:, 1].min(), placed[:, 1].max()])
        touching += touches
    assert 100 < touching < 300


def within(rectangle: np.ndarray, points: np.ndarray) -> bool:
    """Whether any of the points lies in a rectangle along the axes."""
    low, high = rectangle.min(axis=0), rectangle.max(axis=0)
    return bool(np.any(np.all((points >= low) & (points <= high), axis=1)))


def outline(rear: float, front: float, right: float, left: float) -> np.ndarray:
    """Points all along a rectangle, 2 mm apart or less."""
    corners = np.array([(rear, right), (front, right), (front, left), (rear, left), (rear, right)])
    shares = np.linspace(0.0, 1.0, 3000)[:, None]
    return np.concatenate(
        [a + shares * (b - a) for a, b in zip(corners[:-1], corners[1:], strict=True)]
    )


def drive(env: DrivingEnv, seed: int, policy: Any) -> dict[str, Any]:
    observation, _ = env.reset(seed=seed)
    names = [one.name for one in env.episodes.task.observed]
    total = 0.0
    while True:
        seen = dict(zip(names, observation.tolist(), strict=True))
        action = np.clip(policy(seen), -1.0, 1.0)
        observation, reward, terminated, truncated, info = env.step(action)
        total += reward
        if terminated or truncated:
            return info | {"return": total, "seen": seen}


def test_braking_stops_in_the_distance_that_grip_allows() -> None:
    """Whether full braking ends before the obstacle: v^2 / (2 mu g), within a tenth."""
    env = environment("EmergencyAvoidance")
    outcomes = set()
    for seed in range(8):
        first, info = env.reset(seed=seed)
        speed, gap = float(first[2]), float(first[7])
        grip = 1.0 * info["factors"]["friction"]  # of the tyres under these loads, about
        needed = speed**2 / (2.0 * 9.81 * grip)
        done = drive(env, seed, lambda seen: [0.0, 1.0])
        if abs(needed / gap - 1.0) > 0.15:
            wanted = "stopped in time" if needed < gap else "hit the obstacle"
            assert done["reason"] == wanted, (needed, gap)
            outcomes.add(wanted)
    assert len(outcomes) == 2


def test_steering_past_the_obstacle_is_possible_where_braking_is_not() -> None:
    """By one lane change, whose course is a sine of steering, and straight on after it."""
    env = environment("EmergencyAvoidance", randomise={"friction": (1.0, 1.0)})

    def around(seen: dict[str, float]) -> list[float]:
        aim = 2.9 if seen["gap"] > -10.0 else 2.6
        far = 0.9 * seen["forward_speed"]
        course = seen["heading"] + seen["lateral_speed"] / seen["forward_speed"]
        bend = 2.0 / far**2 * (aim - seen["offset"] - far * course)
        return [15.0 * (2.85 + 0.0025 * seen["forward_speed"] ** 2) * bend / 3.0, -1.0]

    reasons = [drive(env, seed, around)["reason"] for seed in range(6)]
    assert reasons.count("past the obstacle") >= 4, reasons


def test_a_careful_driver_laps_the_track() -> None:
    env = environment("Lap")

    def careful(seen: dict[str, float]) -> list[float]:
        speed, ahead = seen["forward_speed"], np.array([0.0, 10.0, 20.0, 40.0, 60.0, 90.0])
        bends = np.array([seen[f"curvature_{x:.0f}"] for x in ahead])
        allowed = np.sqrt(4.0 / np.maximum(np.abs(bends), 2e-3) + 2.0 * 3.0 * ahead).min()
        far = max(0.8 * speed, 6.0)
        course = seen["heading_error"] + seen["lateral_speed"] / max(speed, 3.0)
        bend = seen["curvature_10"] - 2.0 / far**2 * (5.0 * seen["offset"] + far * course)
        pedals = np.clip(0.2 * (allowed - speed), -1.0, 0.3)
        return [14.0 * (2.5 + 0.002 * speed**2) * bend / 4.0, pedals]

    done = drive(env, 0, careful)
    assert done["reason"] == "lap done"
    lap = ready_track("lindenring").finish
    assert 50.0 < done["time"] < 90.0
    assert done["return"] == pytest.approx(0.1 * lap, rel=0.05)


def towards_the_goal(seen: dict[str, float]) -> list[float]:
    return [2.0 * seen["bearing"], 0.5]


def test_a_goal_is_reached_and_soft_soil_takes_longer() -> None:
    firm, soft = (
        drive(environment("OffRoad", randomise={"soil": (one, one)}), 3, towards_the_goal)
        for one in (1.2, 0.8)
    )
    assert firm["reason"] == soft["reason"] == "at the goal"
    assert soft["time"] > 1.02 * firm["time"]
    assert soft["return"] < firm["return"]


def test_the_strip_is_where_it_is_said_to_be() -> None:
    env = environment("OffRoad")
    seen, _ = env.reset(seed=6)
    task = env.episodes.task
    assert isinstance(task, OffRoad)
    names = [q.name for q in task.driven.program.program.parameters]
    drawn = dict(zip(names, env.episodes.steppers.parameters(0).tolist(), strict=True))
    observed = [one.name for one in task.observed]
    for entry, parameter in (("strip_begin", "x"), ("strip_end", "ahead.x")):
        for wheel in ("front_left", "rear_right"):
            place = drawn[f"{wheel}_soil.law.{parameter}"]
            assert place == pytest.approx(float(seen[observed.index(entry)]), abs=1e-4)


def test_a_wheel_that_stands_on_the_brake_off_road_is_immobilised() -> None:
    env = environment("OffRoad")
    done = drive(env, 0, lambda seen: [0.0, -1.0])
    assert done["reason"] == "immobilised"
    assert done["time"] < 3.0


def test_the_sideslip_of_a_drift_is_that_of_the_vehicle() -> None:
    """By the vehicle's own output, through a slide."""
    env = environment("Drift", randomise={})
    first, _ = env.reset(seed=0)
    steppers, task = env.episodes.steppers, env.episodes.task
    system = task.driven.program.system
    for _ in range(40):
        seen, *_ = env.step(np.array([0.5, 1.0]))
    names = [q.name for q in task.driven.program.program.states]
    states = dict(zip(names, steppers.states(0).tolist(), strict=True))
    own = system.outputs_at(states, outputs=["vehicle.sideslip"])["vehicle.sideslip"]
    assert abs(own) > 0.05
    smooth = 1e-3 / float(seen[2])  # rad: the output is smooth at rest, by 1 mm/s
    assert seen[0] + first[1] == pytest.approx(own, abs=smooth)


def test_shorter_steps_converge_in_the_order_of_the_method() -> None:
    """Semi-implicit Euler is of order 1; a step of 1 ms is right to some millimetres in 1 s."""
    places = []
    for step in ("1 ms", "0.5 ms", "0.25 ms"):
        env = environment("LaneKeeping", step=step, randomise={})
        env.reset(seed=2)
        for k in range(50):
            env.step(np.array([0.2 * math.sin(0.2 * k)]))
        places.append(env.episodes.task.motion[0, :2].copy())
    coarse, middle = (float(np.linalg.norm(one - places[2])) for one in places[:2])
    assert coarse < 0.01  # m, of 25
    assert coarse / middle == pytest.approx(3.0, rel=0.1)  # (1 - 1/4) / (1/2 - 1/4)


def test_a_vehicle_on_its_side_ends_the_episode() -> None:
    env = environment("LaneKeeping")
    env.reset(seed=0)
    task = env.episodes.task
    task.motion[0, Motion.ROLL] = 1.2
    assert task.endings[int(task.ended(EVERY_ROW)[0]) - 1].name == "rolled over"


def test_a_drift_can_be_held() -> None:
    """The front wheels follow the velocity, and what the angle lacks turns them further in."""

    def drifting(seen: dict[str, float]) -> list[float]:
        side = -math.copysign(1.0, seen["wanted_sideslip"])  # 1: to the left
        lacking, yaw_rate = side * seen["sideslip_error"], side * seen["yaw_rate"]
        forward, lateral = max(seen["forward_speed"], 3.0), side * seen["lateral_speed"]
        follow = math.atan2(lateral + 1.4 * yaw_rate, forward)  # 1.4 m to the front axle
        wanted_rate = 8.0 / math.hypot(forward, lateral)  # 8 m/s^2 of lateral acceleration
        further = np.clip(2.0 * lacking - 0.45 * (yaw_rate - wanted_rate), -0.3, 0.3)
        return [side * 14.0 * (follow + further) / 7.0, np.clip(0.5 + 0.6 * lacking, 0.0, 1.0)]

    done = [drive(environment("Drift", horizon="10 s"), seed, drifting) for seed in (1, 6)]
    assert [one["reason"] for one in done] == [OUT_OF_TIME] * 2
    for one in done:
        assert one["return"] > 300.0  # of 500
        assert abs(one["seen"]["wanted_sideslip"]) > 0.3
        assert abs(one["seen"]["sideslip_error"]) < 0.15


def test_full_throttle_and_lock_spins_the_drifting_car() -> None:
    env = environment("Drift")
    done = drive(env, 0, lambda seen: [1.0, 1.0])
    assert done["reason"] in ("spun", "too slow")
    assert done["return"] < 100.0
