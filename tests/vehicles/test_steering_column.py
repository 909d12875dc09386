"""Universal joints against rotation matrices, gears in closed form, rear axles that steer."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

import axletree as at
from axletree.core.errors import ModelError
from axletree.vehicles.pieces import Steering
from axletree.vehicles.steering_column import SteeringColumn
from axletree.vehicles.units import turning_place
from axletree.vehicles.vehicle import Vehicle

CAR = "double-wishbone-sports-car"
BENT = {
    "wheel": (-0.47, 0.38, 0.93), "upper_joint": (-0.16, 0.38, 0.8),
    "lower_joint": (-0.04, 0.3, 0.42), "gear": (-0.11, 0.24, 0.26),
}  # fmt: skip


def by_forks(column: SteeringColumn, hand: float) -> float:
    """The angle of the pinion with forks as vectors: those of a joint stay at right angles."""
    points = np.array([column.wheel, column.upper_joint, column.lower_joint, column.gear])
    shafts = np.diff(points, axis=0)
    shafts /= np.linalg.norm(shafts, axis=1)[:, None]

    def turned(axis: Any, angle: float, fork: Any) -> Any:
        return Rotation.from_rotvec(angle * axis).apply(fork)

    def follow(driving: Any, axis: Any, start: Any, near: float) -> float:
        """The angle of a shaft from its start, with its fork across the driving one."""
        f = lambda angle: float(driving @ turned(axis, angle, start))  # noqa: E731
        return float(brentq(f, near - 0.8, near + 0.8, xtol=1e-14))

    # Straight ahead: the driving fork turned from the plane of both shafts, the driven one across.
    normal = np.cross(shafts[0], shafts[1])
    in_plane = np.cross(normal, shafts[0])
    fork = turned(shafts[0], column.fork_angle, in_plane / np.linalg.norm(in_plane))
    driven = np.cross(shafts[1], fork)
    driven /= np.linalg.norm(driven)
    next_fork = turned(shafts[1], column.phase, driven)
    last = np.cross(shafts[2], next_fork)
    last /= np.linalg.norm(last)
    middle = follow(turned(shafts[0], hand, fork), shafts[1], driven, hand)
    return follow(turned(shafts[1], middle, next_fork), shafts[2], last, middle)


@pytest.mark.parametrize(("fork", "phase"), [(0.0, 0.0), (0.7, 0.4), (-1.2, 2.0)])
def test_the_angle_is_that_of_forks_at_right_angles(fork: float, phase: float) -> None:
    column = SteeringColumn(**BENT, fork_angle=fork, phase=phase)
    for hand in np.linspace(-9.0, 9.0, 13).tolist():
        assert column.pinion_angle(hand) == pytest.approx(by_forks(column, hand), abs=1e-10)
        slope = (column.pinion_angle(hand + 1e-5) - column.pinion_angle(hand - 1e-5)) / 2e-5
        assert column.slope(hand) == pytest.approx(slope, rel=1e-8)
        assert column.hand_angle(column.pinion_angle(hand)) == pytest.approx(hand, abs=1e-11)


def test_one_joint_fluctuates_by_its_cosine() -> None:
    """From 1 / cos beta to cos beta: 2 (1 - cos^2) / (1 + cos^2) of the mean."""
    beta = math.radians(25.0)
    x, z = math.sin(beta), -math.cos(beta)
    points = {"lower_joint": (x, 0, z), "gear": (2.0 * x, 0, 2.0 * z)}
    bent = SteeringColumn(wheel=(0, 0, 1), upper_joint=(0, 0, 0), **points)
    c = math.cos(beta) ** 2
    assert bent.fluctuation == pytest.approx(2.0 * (1.0 - c) / (1.0 + c), rel=1e-6)
    assert bent.slope(0.0) == pytest.approx(1.0 / math.cos(beta), rel=1e-12)


@pytest.mark.parametrize("fork", [0.0, 0.5])
def test_two_joints_in_phase_cancel_and_a_quarter_off_they_add(fork: float) -> None:
    """Both angles in one plane and alike; off by a quarter the ratio goes to 1 / cos^2."""
    beta = math.radians(30.0)
    x, z = math.sin(beta), 0.5 - math.cos(beta)
    points = {"wheel": (0, 0, 1), "upper_joint": (0, 0, 0.5), "lower_joint": (x, 0, z)}
    straight = SteeringColumn(**points, gear=(x, 0, z - 1.0), fork_angle=fork)
    assert straight.fluctuation < 1e-12
    off = SteeringColumn(**points, gear=(x, 0, z - 1.0), phase=0.5 * math.pi, fork_angle=0.0)
    assert off.slope(0.0) == pytest.approx(1.0 / math.cos(beta) ** 2, rel=1e-12)


def gear(**given: Any) -> tuple[Any, dict[str, float]]:
    """A rack of 3 kg on a gear of 50 mm a turn with the wheel at 0.1 rad; what it tells at rest."""
    model = at.Model(gravity=(0, 0, 0))
    way = model.add(at.Prismatic("way", model.ground, model.add(at.RigidBody("rack", 3.0))))
    cart = model.add(at.RigidBody("cart", 100.0))
    model.add(at.Prismatic("road", model.ground, cart))
    usual = {"angle": 0.1, "hand": 0.1, "hand_ratio": 1.1, "ratio": 0.008, "stiffness": 100.0}
    model.add(at.RackSteeringGear("gear", way, model.ground, cart, **{**usual, **given}))
    system = model.formulate()
    names = [f"gear.{word}" for word in ("bar_torque", "assist_torque", "hand_torque", "force")]
    return system, {"names": names}  # type: ignore[dict-item]


EPS = at.Curve((0.0, 2.0, 6.0), (0.0, 4.0, 40.0), "linear").both_ways()  # N m


def told(system: Any, names: Any, **state: float) -> list[float]:
    return list(system.outputs_at(system.state(state), names).values())


def test_a_gear_adds_assist_over_torque_and_speed() -> None:
    """100 N m/rad by 0.04 rad are 4 N m, and 22 N m of assist, at 20 m/s a half of that."""
    share = at.Curve((0.0, 40.0), (1.0, 0.0), "linear")  # over m/s
    system, names = gear(assist=EPS, share=share)
    at_rest = told(system, **names, **{"way.position": 0.06 * 0.008})
    assert at_rest == pytest.approx([4.0, 22.0, 4.4, 26.0 / 0.008], rel=1e-12)
    fast = told(system, **names, **{"way.position": 0.06 * 0.008, "road.speed": 20.0})
    assert fast == pytest.approx([4.0, 11.0, 4.4, 15.0 / 0.008], rel=1e-12)
    back = told(system, **names, **{"way.position": 0.14 * 0.008})
    assert back == pytest.approx([-4.0, -22.0, -4.4, -26.0 / 0.008], rel=1e-12)
    most = told(system, **names, **{"way.position": -0.1 * 0.008})  # 20 N m: beyond the curve
    assert most[1] == pytest.approx(40.0)


def test_a_gear_rubs() -> None:
    system, names = gear(friction=200.0, damping=0.0)
    moving = told(system, **names, **{"way.position": 0.1 * 0.008, "way.speed": 0.1})
    assert moving[3] == pytest.approx(-200.0)
    slow = told(system, **names, **{"way.position": 0.1 * 0.008, "way.speed": -5e-4})
    assert slow[3] == pytest.approx(50.0)  # a quarter of what it is at 2 mm/s


def rear_steered(share: float) -> Vehicle:
    """The rear axle follows by a rack of its own."""
    points = {"tie_rod_inner": ["-135 mm", "335 mm", "248 mm"]}
    rear = {"steering": {"rack": "58 mm/rev", "share": share}}
    found = at.read_model(CAR, {"vehicle": {"axles": {"rear": rear}}}).described["vehicle"]
    assert isinstance(found, Vehicle), points
    return found


def test_a_rear_axle_steers_against_the_front_one() -> None:
    """By its share; wheels then meet between the axles, and with a share ahead of the rear one."""
    against, alike = rear_steered(-0.2), rear_steered(0.2)
    front, rear = (against.axles[name].steering for name in ("front", "rear"))
    assert front is not None
    assert rear is not None
    assert rear.ratio < 0.0 < front.ratio
    same = alike.axles["rear"].steering
    assert same is not None
    assert same.ratio == pytest.approx(-rear.ratio)
    x_f, x_r = (against.axles[name].position for name in ("front", "rear"))
    place = turning_place(against.axles.values())
    assert (x_f - place) / (x_r - place) == pytest.approx(rear.ratio / front.ratio)
    assert x_r < place < x_f
    assert turning_place(alike.axles.values()) < x_r


MISTAKES = [
    ({"rack": 0.01, "assist": [[0, 0], [5, 20]]}, "assist: needs a column_stiffness"),
    ({"ratio": 15.0, "rack_friction": 100.0}, "rack_friction: of a rack or pitman arm"),
    ({"gear_ratio": 15, "column_stiffness": 9, "rack_friction": 100}, "there is a gear_ratio"),
    ({"rack": 0.01, "column_stiffness": 9.0, "assist": [[1, 0], [5, 20]]}, "from torque 0"),
    ({"rack": 0.01, "assist_over_speed": [[0, 1], [5, 0]]}, "assist_over_speed: of an assist"),
    ({"rack": 0.01, "share": 0.0}, "share: an axle with a share of 0 is not steered"),
    ({"rack": 0.01, "column": {**BENT, "upper_joint": BENT["wheel"]}}, "are one point"),
    ({"rack": 0.01, "column": {**BENT, "gear": (-0.1, 0.38, 0.9)}}, "universal joints go to"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "words"), MISTAKES, ids=[words for _, words in MISTAKES])
def test_mistakes_are_told(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ModelError) as caught:
        Steering(**given)
    assert words in str(caught.value)


def test_kingpins_share_a_column_and_its_assist() -> None:
    """Of models by curves: both together have the moment of one bar and one assist at the pinion,
    through the ratio, where both wheels stay behind alike."""
    car = at.read_model("five-link-sedan", {"vehicle": {"fidelity": "two-track"}})
    steering = car.described["vehicle"].axles["front"].steering
    system, hand, speed, behind = car.formulate(), 0.4, 25.0, 0.002  # rad, m/s, rad
    angle = hand / steering.ratio
    sides = ("left", "right")
    words = ("bar_torque", "assist_torque", "force")
    names = [f"front_{side}_steer.{word}" for word in words for side in sides]
    kingpins = {f"front_{side}_kingpin.angle": angle - behind for side in sides}
    assert type(car["front_left_steer"]) is at.ArmSteeringGear
    state = system.state({"chassis.vx": speed, **kingpins})
    found = system.outputs_at(state, names, inputs={"driver.steering": hand})
    bar, assist, moment = (found[names[2 * k]] + found[names[2 * k + 1]] for k in range(3))
    twist = steering.pinion_ratio * behind  # in the mean: Ackermann turns them apart
    assert bar == pytest.approx(steering.column_stiffness * twist, rel=1e-3)
    share = float(steering.assist_over_speed.table.evaluate(speed))
    one = [share * float(steering.assist.both_ways().table.evaluate(x)) for x in (bar, -bar)]
    assert assist == pytest.approx(one[0], rel=2e-3)
    assert one[1] == pytest.approx(-one[0])
    assert moment == pytest.approx(steering.pinion_ratio * (bar + assist), rel=1e-9)


def test_a_straight_column_changes_no_ratio() -> None:
    """Joints whose shafts turn faster straight ahead wind the bar by more."""
    column = SteeringColumn(**BENT)  # type: ignore[arg-type]
    steering = Steering(rack="50 mm/rev", column=column, column_stiffness=100.0)
    known = steering.with_geometry(0.008, 15.0, 0.0, 0.0)
    assert known.pinion_ratio == pytest.approx(15.0 * column.slope(0.0))
    assert known.stiffness_at_rest(20.0) == 100.0


@pytest.mark.slow
def test_a_sedan_holds_a_turn_with_its_assist() -> None:
    """At rest in a turn the rack carries what bar and assist put on it, and hands turn the bar
    through the joints of the column; without assist they take all of it."""
    column = {**BENT, "fork_angle": 0.6}
    changes = {"vehicle": {"axles": {"front": {"steering": {"column": column}}}}}
    car = at.read_model("five-link-sedan", changes)
    turn = at.trim(car, speed="80 km/h", lateral_acceleration=4.0)
    steering = car.described["vehicle"].axles["front"].steering
    T, A = turn["front_steer.bar_torque"], turn["front_steer.assist_torque"]
    assert turn["front_steer.force"] == pytest.approx((T + A) / steering.travel, rel=1e-6)
    slope = steering.column.slope(turn["driver.steering"])
    assert turn["front_steer.hand_torque"] == pytest.approx(T * slope, rel=1e-6)
    curve, share = steering.assist, steering.assist_over_speed
    speed = 80.0 / 3.6
    wanted = np.sign(T) * float(curve.table.evaluate(abs(T))) * float(share.table.evaluate(speed))
    # The speed ahead is less than that along the path.
    assert abs(A - wanted) < 2e-3 * abs(wanted)
    assert 1.0 < abs(T) < 6.0
