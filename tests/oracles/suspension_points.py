"""Where suspensions are, by distances of their bare points: a second way, without links or joints.

Every case is written out by hand. Unknown are the place and rotation vector of what carries the
wheel, and the angles of arms that are needed beside; the equations are distances between points,
points on lines, and the heights that are asked for. SciPy's ``least_squares`` solves them, one
position after another. Nothing of the package is used but the numbers of the points.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
from scipy.optimize import least_squares, root
from scipy.spatial.transform import Rotation

Vector = np.ndarray[Any, np.dtype[np.float64]]
Place = Callable[[Any], Vector]
Equations = Callable[[Vector, Vector], Vector]  # of unknowns and inputs
Y = np.array([0.0, 1.0, 0.0])


def pose(six: Vector) -> Place:
    """Where a point of a body is that was elsewhere at design."""
    turn = Rotation.from_rotvec(six[3:])
    return lambda at: np.asarray(six[:3] + turn.apply(np.asarray(at, dtype=float)))


def about(first: Any, second: Any, angle: float) -> Place:
    """Where a point goes that turns about the line through two points."""
    start, along = np.asarray(first, float), np.subtract(second, first)
    turn = Rotation.from_rotvec(angle * along / np.linalg.norm(along))
    return lambda at: np.asarray(start + turn.apply(np.subtract(at, start)))


def change(first: Vector, second: Vector, design: tuple[Any, Any]) -> float:
    """Of a distance from that at design."""
    return float(np.linalg.norm(first - second) - np.linalg.norm(np.subtract(*design)))


def to_left(point: Any, by: float) -> Vector:
    return np.asarray(point, float) + by * Y


def other_side(points: Any) -> Any:
    """Mirrored, through mappings."""
    if isinstance(points, Mapping):
        return {name: other_side(one) for name, one in points.items()}
    return (points[0], -points[1], points[2])


def rod(p: Mapping[str, Any], end: Place, shift: float = 0.0) -> float:
    return change(end(p["outer"]), to_left(p["inner"], shift), (p["outer"], p["inner"]))


def solve(equations: Equations, unknowns: int, path: Vector) -> Vector:
    """Unknowns along a path of inputs that begins at design."""
    at, found = np.zeros(unknowns), []
    for inputs in path:
        answer = least_squares(
            equations, at, jac="3-point", xtol=3e-16, ftol=3e-16, gtol=3e-16, args=(inputs,)
        )
        left = np.abs(answer.fun).max()
        assert left < 1e-13, f"not solved: {left} at {inputs}"
        at = answer.x
        found.append(at)
    return np.array(found)


# -- independent wheels: inputs are wheel travel and rack travel ----------------------------


def wheel_height(p: Mapping[str, Any], end: Place, travel: float) -> float:
    return float(end(p["wheel_centre"])[2]) - p["wheel_centre"][2] - travel


def lower_arm(p: Mapping[str, Any], end: Place) -> list[float]:
    """Its ball joint keeps its distances from both bearings."""
    ball = p["lower_ball_joint"]
    ends = (p["lower_arm_front"], p["lower_arm_rear"])
    return [change(end(ball), np.asarray(one), (ball, one)) for one in ends]


def tie_rod(p: Mapping[str, Any], end: Place, inner: Any) -> float:
    ends = (p["tie_rod_outer"], p["tie_rod_inner"])
    return change(end(p["tie_rod_outer"]), np.asarray(inner), ends)


def double_wishbone(p: Mapping[str, Any]) -> Equations:
    def equations(x: Vector, u: Vector) -> Vector:
        end, ball = pose(x), p["upper_ball_joint"]
        ends = (p["upper_arm_front"], p["upper_arm_rear"])
        upper = [change(end(ball), np.asarray(one), (ball, one)) for one in ends]
        tie = tie_rod(p, end, to_left(p["tie_rod_inner"], u[1]))
        return np.array([*lower_arm(p, end), *upper, tie, wheel_height(p, end, u[0])])

    return equations


def macpherson(p: Mapping[str, Any]) -> Equations:
    def equations(x: Vector, u: Vector) -> Vector:
        end, top = pose(x), np.asarray(p["strut_top"])
        # The upright's line goes through the top: of three components two say it.
        low, high = end(p["strut_axis_point"]), end(p["strut_top"])
        line = np.cross(high - low, top - low)
        return np.array(
            [
                *lower_arm(p, end), line[0], line[1],
                tie_rod(p, end, to_left(p["tie_rod_inner"], u[1])), wheel_height(p, end, u[0]),
            ]
        )  # fmt: skip

    return equations


def multi_link(p: Mapping[str, Any]) -> Equations:
    def equations(x: Vector, u: Vector) -> Vector:
        end = pose(x)
        shifts = {name: u[1] if name == "toe" else 0.0 for name in p["rods"]}
        rods = [rod(one, end, shifts[name]) for name, one in p["rods"].items()]
        return np.array([*rods, wheel_height(p, end, u[0])])

    return equations


def four_link(p: Mapping[str, Any], inner: Callable[[float], Vector]) -> Equations:
    """``inner`` is where the tie rod begins, by the steering."""

    def equations(x: Vector, u: Vector) -> Vector:
        end = pose(x)
        uppers = [rod(p[name], end) for name in ("front_upper", "rear_upper")]
        tie = tie_rod(p, end, inner(u[1]))
        return np.array([*lower_arm(p, end), *uppers, tie, wheel_height(p, end, u[0])])

    return equations


def integral_link(p: Mapping[str, Any]) -> Equations:
    """The seventh unknown is the angle of the lower arm."""

    def equations(x: Vector, u: Vector) -> Vector:
        end, arm = pose(x[:6]), about(p["lower_arm_front"], p["lower_arm_rear"], x[6])
        link, ball = p["integral_link"], p["lower_ball_joint"]
        between = change(arm(link["inner"]), end(link["outer"]), (link["inner"], link["outer"]))
        return np.array(
            [
                *(end(ball) - arm(ball)), between, rod(p["upper_link"], end),
                tie_rod(p, end, p["tie_rod_inner"]), wheel_height(p, end, u[0]),
            ]
        )  # fmt: skip

    return equations


def track_rod(gear: Mapping[str, Any]) -> Callable[[float], Place]:
    """Where points of the track rod are by the pitman arm's angle.

    The rod turns on the pitman arm about a line along its shaft by an angle, and the idler arm by
    another, so that the idler's end stays on a line of the rod along the shaft.
    """
    shaft = np.subtract(gear["shaft_point"], gear["pitman_shaft"])
    end, idler_end = np.asarray(gear["pitman_end"]), np.asarray(other_side(gear["pitman_end"]))
    pivot, along = (
        np.asarray(other_side(gear["pitman_shaft"])),
        np.asarray(other_side(tuple(shaft))),
    )

    def rod_place(angle: float, own: float) -> Place:
        arm, joint = (
            about(gear["pitman_shaft"], gear["shaft_point"], angle),
            about(end, end + shaft, own),
        )
        return lambda at: arm(joint(at))

    @cache
    def place(angle: float) -> Place:
        def off(two: Vector) -> Vector:
            held = rod_place(angle, two[0])
            line = held(idler_end + shaft) - held(idler_end)
            gap = about(pivot, pivot + along, two[1])(idler_end) - held(idler_end)
            return np.asarray(np.cross(line, gap)[:2])

        found = root(off, np.array([-angle, angle]), tol=1e-14).x
        assert np.abs(off(found)).max() < 1e-13
        return rod_place(angle, found[0])

    return place


# -- axles: inputs are the travels of both wheels, and the pitman arm's angle -----------------


def both_heights(p: Mapping[str, Any], left: Place, right: Place, u: Vector) -> list[float]:
    return [wheel_height(p, left, u[0]), wheel_height(other_side(p), right, u[1])]


def pair(p: Mapping[str, Any], name: str, end: Place) -> list[float]:
    return [rod(one[name], end) for one in (p, other_side(p))]


def four_link_axle(p: Mapping[str, Any]) -> Equations:
    def equations(x: Vector, u: Vector) -> Vector:
        end = pose(x)
        links = [*pair(p, "lower_link", end), *pair(p, "upper_link", end)]
        return np.array([*links, *both_heights(p, end, end, u)])

    return equations


def panhard_axle(p: Mapping[str, Any], rods: Mapping[str, Any]) -> Equations:
    def equations(x: Vector, u: Vector) -> Vector:
        end = pose(x)
        links = [*pair(p, "lower_link", end), rod(rods["upper_link"], end)]
        return np.array([*links, rod(rods["panhard_rod"], end), *both_heights(p, end, end, u)])

    return equations


def watt_axle(p: Mapping[str, Any], rods: Mapping[str, Any]) -> Equations:
    """The seventh unknown is the angle of the rocker on the axle."""
    watt = rods["watt"]

    def equations(x: Vector, u: Vector) -> Vector:
        end = pose(x[:6])
        turned = about(watt["pivot"], np.add(watt["pivot"], (1.0, 0.0, 0.0)), x[6])
        rocker: Place = lambda at: end(turned(at))  # noqa: E731
        links = [*pair(p, "lower_link", end), rod(rods["upper_link"], end)]
        across = [rod(watt[name], rocker) for name in ("left_rod", "right_rod")]
        return np.array([*links, *across, *both_heights(p, end, end, u)])

    return equations


def leaves(p: Mapping[str, Any], end: Place, angles: Vector, share: float) -> list[float]:
    """Of both sides: two eyes by x and z, two shackles, the middle, and the wind-up."""
    found = []
    for k, one in enumerate((p, other_side(p))):
        front = about(one["front_joint"], np.add(one["front_joint"], Y), angles[2 * k])
        rear = about(one["rear_joint"], np.add(one["rear_joint"], Y), angles[2 * k + 1])
        eye = end(front(one["front_eye"])) - np.asarray(one["front_eye"])
        shackle = (one["rear_eye"], one["shackle_on_body"])
        hangs = change(end(rear(one["rear_eye"])), np.asarray(one["shackle_on_body"]), shackle)
        found += [float(eye[0]), float(eye[2]), hangs]
    front_joint, rear_joint = np.asarray(p["front_joint"]), np.asarray(p["rear_joint"])
    middle = 0.5 * (front_joint + rear_joint) * np.array([1.0, 0.0, 1.0])
    found.append(float(end(middle)[1]))
    return [*found, float(angles @ np.array([share, 1.0, share, 1.0]))]


def leaf_spring_axle(p: Mapping[str, Any], share: float) -> Equations:
    def equations(x: Vector, u: Vector) -> Vector:
        end = pose(x[:6])
        return np.array([*leaves(p, end, x[6:], share), *both_heights(p, end, end, u)])

    return equations


def knuckle(s: Mapping[str, Any], end: Place, angle: float, right: bool = False) -> Place:
    ends = [s["kingpin_lower"], s["kingpin_upper"]]
    lower, upper = [other_side(one) for one in ends] if right else ends
    turned = about(lower, upper, angle)
    return lambda at: end(turned(at))


def steered_beam(p: Mapping[str, Any], s: Mapping[str, Any]) -> Equations:
    """Unknowns: the beam, four leaf angles, two knuckle angles."""

    def equations(x: Vector, u: Vector) -> Vector:
        end = pose(x[:6])
        left, right = knuckle(s, end, x[10]), knuckle(s, end, x[11], right=True)
        ties = (s["tie_rod_end"], other_side(s["tie_rod_end"]))
        tie = change(left(ties[0]), right(ties[1]), ties)
        arm = about(s["pitman_shaft"], s["shaft_point"], u[2])
        drags = (s["pitman_end"], s["drag_link_end"])
        drag = change(arm(drags[0]), left(drags[1]), drags)
        heights = both_heights(p, left, right, u)
        return np.array([*leaves(p, end, x[6:10], 1.0), tie, drag, *heights])

    return equations


def twist_beam(p: Mapping[str, Any]) -> Equations:
    """Unknowns: the left half, and the angle of the right half on it about the shear centres.

    The left half has six unknowns, the right half one more; the bearings may slide along y.
    """
    q = other_side(p)

    def equations(x: Vector, u: Vector) -> Vector:
        left, turned = pose(x[:6]), about(q["shear_centre"], p["shear_centre"], x[6])
        right: Place = lambda at: left(turned(at))  # noqa: E731
        pivots = [left(p["pivot"]) - p["pivot"], right(q["pivot"]) - q["pivot"]]
        middle = 0.5 * np.add(p["shear_centre"], q["shear_centre"])
        held = [value for gap in pivots for value in (gap[0], gap[2])]
        return np.array([*held, left(middle)[1], *both_heights(p, left, right, u)])

    return equations
