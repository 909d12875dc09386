"""The g-g diagram against forces of tyres that are tried all over, and against its own shape."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from agreement import Agrees
from analysis.plain_car import bicycle_of, loads_and_heights, plain_model
from numpy.typing import NDArray
from scipy.optimize import brentq, minimize

import axletree as at
from axletree.analysis.handling import limits as limits_module
from axletree.analysis.handling import turn_bounds
from axletree.analysis.handling.g_g_diagram import Envelope, GGDiagram, g_g_diagram
from axletree.analysis.handling.limits import DirectionSearch, dent_depths
from axletree.analysis.handling.turn_bounds import TurnBounds
from axletree.analysis.handling.turn_branch import Ending
from axletree.analysis.steady.turning import FREE_TURN, TurnCourse, turning_of
from axletree.plot.cornering import plot_g_g
from axletree.vehicles.vehicle import Vehicle

Vector = NDArray[np.float64]
SPEED = 25.0  # m/s
MU, STIFFNESS = 0.9, 16.0  # friction; force over load and slip
TREAD = STIFFNESS * 4000.0 / (2.0 * 0.06**2)  # N/m^2
BRUSH = {
    "type": "brush", "half_length": 0.06, "nominal_load": 4000.0, "tread_stiffness_x": TREAD,
    "tread_stiffness_y": TREAD, "friction_x": MU, "friction_y": MU, "rolling_resistance": 0.0,
}  # fmt: skip
ANGLES = np.radians([67.5, 90.0, 112.5, 157.5])


def balance(vehicle: Vehicle, angle: float) -> Callable[[Vector], Vector]:
    """What vanishes in a turn of (size of acceleration, sideslip, steer, four rim speeds / V).

    Forces and yaw moment of a car on four brushes under loads at rest, without aligning moments;
    torques that are alike to left and right, with those of brakes 2 to 1 from front to rear.
    """
    loads, heights = loads_and_heights(vehicle)
    car = bicycle_of(vehicle, 1.0, 1.0)
    x, y = np.array([car.a, car.a, -car.b, -car.b]), 0.75 * np.array([1.0, -1.0, 1.0, -1.0])
    Fz = np.repeat([loads["front"], loads["rear"]], 2)
    inertia = 2000.0 + 70.0 * (1.1**2 + 1.4**2 + 2.0 * 0.75**2) - car.m * car.shift**2

    def left(q: Vector) -> Vector:
        along, aside = q[0] * np.cos(angle), q[0] * np.sin(angle)
        r, growth = aside / SPEED, along / SPEED
        u, v = SPEED * np.cos(q[1]) - r * y, SPEED * np.sin(q[1]) + r * (x + car.shift)
        c, s = np.cos(q[2] * (x > 0.0)), np.sin(q[2] * (x > 0.0))
        sliding = np.array([c * u + s * v - SPEED * q[3:], c * v - s * u])
        size = np.hypot(*sliding)
        psi = np.minimum(STIFFNESS * size / (SPEED * q[3:]) / (3.0 * MU), 1.0)
        F = -sliding / size * MU * Fz * (3.0 * psi - 3.0 * psi**2 + psi**3)
        X, Y = c * F[0] - s * F[1], s * F[0] + c * F[1]
        ahead = along * np.cos(q[1]) - aside * np.sin(q[1]) - r * r * car.shift
        across = along * np.sin(q[1]) + aside * np.cos(q[1]) + growth * r * car.shift
        front, rear = F[0, 0] * heights["front"], F[0, 2] * heights["rear"]
        return np.array([
            X.sum() - car.m * ahead, Y.sum() - car.m * across,
            (x * Y - y * X).sum() - inertia * growth * r, F[0, 0] - F[0, 1], F[0, 2] - F[0, 3],
            front - 2.0 * rear if angle > np.pi / 2.0 else front,
        ]) / 1e4  # fmt: skip

    return left


def tried(vehicle: Vehicle, angle: float) -> float:
    """The greatest size from starts at random."""
    left, chance, best = balance(vehicle, angle), np.random.default_rng(1), 0.0
    for _ in range(12):
        start = [7.0, chance.uniform(-0.3, 0.05), chance.uniform(-0.2, 0.3),
                 *chance.uniform(0.8, 1.05, 4)]  # fmt: skip
        found = minimize(
            lambda q: -0.1 * q[0], start, method="SLSQP", options={"maxiter": 200, "ftol": 1e-12},
            bounds=[(0.0, 12.0), (-0.43, 0.43), (-1.0, 1.0), *[(0.05, 1.6)] * 4],
            constraints={"type": "eq", "fun": left},
        )  # fmt: skip
        if np.abs(left(found.x)).max() < 1e-6:
            best = max(best, float(found.x[0]))
    return best


@pytest.mark.slow
@pytest.mark.validation("vehicles")
def test_rays_end_at_the_greatest_of_all_balances(tmp_path: Path, agrees: Agrees) -> None:
    """Also at the last, a true dent: between its neighbours brakes would have to be shared anew."""
    axle = {"tyre": {"law": BRUSH}, "wheel": {"spin_inertia": 1e-6}}
    changes = {"vehicle": {"fidelity": "two-track-static", "axles": {"front": axle, "rear": axle}}}
    turning = turning_of(plain_model(tmp_path, changes))
    (one,) = g_g_diagram(turning, [SPEED], directions=9).envelopes
    sizes = np.hypot(one.along, one.lateral)
    for angle in ANGLES:
        k = round(angle / (np.pi / 8.0))
        agrees(
            f"g-g diagram at {np.degrees(angle):g}°: greatest acceleration", sizes[k],
            tried(turning.of.vehicle, angle), rel=3e-3, unit="m/s²",
            source="All balances of four brushes, tried by SLSQP",
        )  # fmt: skip
    assert one.axles[1] == "rear"
    assert one.axles[7] == "front"


@pytest.mark.long
def test_the_envelope_has_no_false_dents() -> None:
    """Where front brakes give way, the acceleration first falls and then grows beyond."""
    model = at.read_model("sports-car", {"vehicle": {"fidelity": "two-track-static"}})
    (one,) = g_g_diagram(turning_of(model), ["100 km/h"], directions=13).envelopes
    assert dent_depths(one.along, one.lateral).max() < 0.01
    assert not one.dents
    assert Ending.LOST not in one.endings
    assert one.limits[0] == "full throttle"
    steady, greatest, along = one.findings[2:]
    assert steady.value == pytest.approx(11.80, abs=0.01)
    assert greatest.value > steady.value or along.value == pytest.approx(0.0, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "speed", "degrees", "greatest"),
    [
        ("van", 40.0, [0.0, 15.0, 30.0, 90.0], [0.28, 0.29, 0.32, 8.0]),  # towed: 13.4 at 15 deg
        ("sedan", 25.0, [135.0, 150.0, 165.0, 180.0], [9.7, 9.3, 9.6, 10.4]),  # 15.8 at 165 deg
    ],
)
def test_no_limit_is_towed(
    name: str, speed: float, degrees: list[float], greatest: list[float]
) -> None:
    """What pedals do not give comes from a restraint, whose force is no performance."""
    turning = turning_of(at.read_model(name, {"vehicle": {"fidelity": "two-track"}}))
    search = DirectionSearch(TurnBounds(turning), speed, np.radians(degrees), around=False)
    limits = search.limits(turning.straight(speed), lambda: None)
    assert all(abs(one.turn[turning.effort]) <= 1.0 + 2e-6 for one in limits)
    assert all(one.s <= most for one, most in zip(limits, greatest, strict=True))


@pytest.mark.slow
def test_dents_of_the_search_are_filled() -> None:
    """Beside turns with little steering, of 11.6 m/s^2 at 150 and 165 deg, there are others, whose
    front wheels are turned by 35 and 39 deg and brake by their side forces."""
    model = at.read_model("formula-student", {"vehicle": {"fidelity": "two-track"}})
    turning, degrees = turning_of(model), [105.0, 120.0, 135.0, 150.0, 165.0]
    bounds = TurnBounds(turning)
    search = DirectionSearch(bounds, 10.0, np.radians(degrees), around=False)
    limits = search.limits(turning.straight(10.0), lambda: None)
    assert all(bounds.hold(one.turn) for one in limits)
    sizes = [one.s for one in limits]
    assert sizes == pytest.approx([14.758, 14.309, 13.837, 13.734, 14.071], rel=1e-3)


@pytest.mark.slow
def test_no_limit_has_a_locked_axle_and_the_work_is_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Straight ahead the rear wheels lock before the front ones give their most."""
    turning = turning_of(at.read_model("formula-student", {"vehicle": {"fidelity": "two-track"}}))
    ascents = count(1)
    own = limits_module.ascent

    def counted(*given: Any) -> Any:
        next(ascents)
        return own(*given)

    monkeypatch.setattr(limits_module, "ascent", counted)
    bounds, degrees = TurnBounds(turning), [135.0, 150.0, 165.0, 180.0]
    search = DirectionSearch(bounds, 20.0, np.radians(degrees), around=False)
    found = search.limits(turning.straight(20.0), lambda: None)
    rims = [k for k, name in enumerate(turning.names) if name.endswith("_axle.rate")]
    radius = 0.23  # m
    for one in found:
        assert one.turn[rims].reshape(2, 2).max(axis=1).min() * radius > 0.5 * 20.0
    assert [one.s for one in found] == pytest.approx([16.709, 16.558, 16.942, 14.239], rel=1e-3)
    # Three directions that turn, from 60 starts each; of at most two dents 40 starts more; and some
    # tens from neighbours: that many of at most 100 iterations each.
    assert next(ascents) < 400


class FormulaStudentStop:
    """Straight braking of the Formula Student car at 20 m/s in closed form, by its file.

    Wheels of each axle are alike. Loads are those of a body that has sunk under its driver onto
    springs and tyres, of lift, and of deceleration a [m/s^2], wheels that slow down included.
    """

    g, V, radius, inertia, rolling = 9.80665, 20.0, 0.23, 0.17, 0.02
    front, rear = 0.806, -0.744  # m
    parts = np.array([(185.0, 0.0, 0.3), (70.0, 0.05, 0.33), (22.0, front, 0.0), (23.0, rear, 0.0)])
    air = 0.5 * 1.225 * 1.1 * V**2  # N
    motor = 20.0 * 3.6 / 2.0  # N m, of each rear wheel

    def __init__(self) -> None:
        m, x, h = self.parts.T
        base, self.mass = self.front - self.rear, m.sum()
        lever = np.array([m @ x / m.sum() - self.rear, self.front - m @ x / m.sum()]) / base
        standing = 0.5 * self.mass * self.g * lever
        driver = 0.5 * 70.0 * self.g * np.array([0.05 - self.rear, self.front - 0.05]) / base
        sunk = driver * (1.0 / np.array([28e3, 30e3]) + 1.0 / 100e3)
        self.r = self.radius - standing / 100e3
        slope = (sunk[0] - sunk[1]) / base
        heights = [h[0] - sunk[1] + slope * self.rear, h[1] - sunk[1] - slope * (0.05 - self.rear)]
        moment = m @ [*heights, *self.r] + 2.0 * self.inertia * np.sum(1.0 / self.r)
        self._standing = standing + 0.5 * np.array([1.1, 1.5]) * self.air
        self._shift = 0.5 * moment / base

    def loads(self, a: float) -> Vector:
        return self._standing + np.array([1.0, -1.0]) * self._shift * a

    def largest(self, load: float, first: float, second: float) -> float:
        """Of TMeasy under a load [N], from its forces at one and two nominal loads."""
        q = load / 700.0
        return q * (2.0 * first - 0.5 * second - (first - 0.5 * second) * q)

    def front_force(self, a: float, pedal: float) -> float:
        slowed = self.inertia * a / self.r[0] / 1.02  # at a slip of 2 %
        return (330.0 * pedal - slowed) / self.r[0] + self.rolling * self.loads(a)[0]

    def lacks(self, a: float, rear: float, pedal: float) -> float:
        return 2.0 * (self.front_force(a, pedal) + rear) + 1.2 * self.air - self.mass * a

    def saturated(self, a: float) -> float:
        """0 of the deceleration with the rear tyres at their maximum, at a slip of 10 %."""
        load, r = self.loads(a)[1], self.r[1]
        rear = self.largest(load, 1090.0, 2050.0)
        slowed = self.inertia * a / r / 1.1
        return self.lacks(a, rear, (r * (rear - self.rolling * load) + slowed - self.motor) / 210.0)

    def locked(self, a: float) -> float:
        """0 of the one with the rear wheels locked and the pedal down."""
        return self.lacks(a, self.largest(self.loads(a)[1], 945.0, 1730.0), 1.0)


@pytest.mark.slow
def test_straight_braking_ends_where_rear_tyres_have_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """14.2 m/s^2; with locked wheels counted, which they are not, 15.5, where the pedal ends."""
    turning = turning_of(at.read_model("formula-student", {"vehicle": {"fidelity": "two-track"}}))
    stop, straight = FormulaStudentStop(), turning.straight(20.0)
    held = {"path.speed": 20.0, "path.lateral": 0.0, **FREE_TURN}
    course = TurnCourse.line(held, {"path.acceleration": -1.0})
    for law, locks, ending in (
        (stop.saturated, 0.5, Ending.GRIP),
        (stop.locked, -0.02, Ending.BRAKE),
    ):
        monkeypatch.setattr(turn_bounds, "_LOCKS", locks)
        one = limits_module.limit_on_branch(TurnBounds(turning), course, straight, 0.0, 60.0, 1.5)
        assert one.ending is ending
        assert one.s == pytest.approx(brentq(law, 5.0, 25.0), rel=1e-3)


@pytest.mark.long
def test_starts_at_random_lead_to_nothing_greater() -> None:
    """The other source: starts at random instead of a grid, without branches and neighbours."""
    turning = turning_of(at.read_model("suv", {"vehicle": {"fidelity": "two-track"}}))
    speed, degrees, chance = 100.0 / 3.6, [130.0, 140.0], np.random.default_rng(3)
    bounds, straight = TurnBounds(turning), turning.straight(100.0 / 3.6)
    search = DirectionSearch(bounds, speed, np.radians(degrees), around=False)
    limits = search.limits(straight, lambda: None)
    for k, degree in enumerate(degrees):
        ahead = np.array([np.cos(np.radians(degree)), np.sin(np.radians(degree))])
        held = {"path.speed": speed, "path.lateral": 0.0, **FREE_TURN}
        course = TurnCourse.line(held, {"path.lateral": ahead[1], "path.acceleration": ahead[0]})
        best = 0.0
        for _ in range(60):
            size, rims = chance.uniform(3.0, 9.0), chance.uniform(0.6, 1.05)
            sideslip, wheels = np.radians(
                [chance.uniform(-25.0, 25.0), chance.uniform(-40.0, 40.0)]
            )
            start = bounds.start(straight, sideslip, wheels, rims, size * ahead)
            one = limits_module.ascent(bounds, course, start, size)
            best = max(best, one.s if one is not None else 0.0)
        assert best == pytest.approx(limits[k].s, rel=2e-3), degree
        assert best < (1.0 + 1e-4) * limits[k].s


def test_a_point_inside_the_line_between_its_neighbours_is_a_dent() -> None:
    """Of eight points on a circle one is drawn in; the line is at cos 45 deg of the radius."""
    angles = np.radians(45.0) * np.arange(8)
    radii = np.where(np.arange(8) == 3, 6.5, 10.0)
    along, lateral = radii * np.cos(angles), radii * np.sin(angles)
    depth = (10.0 * np.cos(np.radians(45.0)) - 6.5) / 6.5
    assert dent_depths(along, lateral)[3] == pytest.approx(depth)
    one = Envelope(20.0, along, lateral, (Ending.GRIP,) * 8, ("front",) * 8)
    assert one.dents == (3,)
    assert one.dents_in_words == ("dent of 8.8 % at 135 deg: axle saturated: front",)
    (panel,) = plot_g_g(GGDiagram("car", (one,), ())).axes
    (ring,) = (line for line in panel.lines if line.get_label() == "dent")
    assert ring.get_xydata() == pytest.approx(np.array([[lateral[3], along[3]]]) / 9.80665)


def test_lateral_acceleration_between_directions() -> None:
    """Where no direction is straight across, it is that of the line between two."""
    aside = Envelope(20.0, np.array([3.0, 1.0, -1.0, -9.0]), np.array([0.0, 8.0, 9.0, 0.0]), ())
    assert aside.lateral_alone == pytest.approx(8.5)


@pytest.mark.long
def test_limits_hardly_depend_on_what_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Greatest angle of the road wheels, slowest and fastest rims: of the SUV, dent included."""
    turning = turning_of(at.read_model("suv", {"vehicle": {"fidelity": "two-track"}}))
    speed, angles = 100.0 / 3.6, np.radians([110.0, 130.0, 140.0, 150.0])
    straight = turning.straight(speed)

    def sizes(lock: float) -> list[float]:
        search = DirectionSearch(TurnBounds(turning, np.radians(lock)), speed, angles, around=False)
        return [one.s for one in search.limits(straight, lambda: None)]

    expected = sizes(45.0)
    assert sizes(35.0) == pytest.approx(expected, rel=1e-3)
    for slow, fast in ((0.25, 4.0), (0.7, 1.5)):
        monkeypatch.setattr(turn_bounds, "_LOCKS", slow)
        monkeypatch.setattr(turn_bounds, "_SPINS", fast)
        assert sizes(45.0) == pytest.approx(expected, rel=1e-3), (slow, fast)
