"""Laps with slopes, banking and vertical curvature: closed forms, energy, invariance."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import pytest
from optimisation.lap_samples import given_envelope

import axletree as at
from axletree.core.errors import ModelError
from axletree.model.model import STANDARD_GRAVITY as G
from axletree.optimisation.lap_time.envelope import CarEnvelope
from axletree.optimisation.lap_time.free_line import free_line_lap
from axletree.optimisation.lap_time.quasi_steady import quasi_steady_lap
from axletree.optimisation.lap_time.road_loads import RELIEF_INPUTS, RoadLoads
from axletree.reports.lap_sections import lap_sections
from axletree.vehicles.performance_limits import OwnPace, PerformanceLimits

RADIUS, COUNT, FRICTION, POWER = 60.0, 120, 0.9, 60.0
TURN = np.linspace(0.0, 2.0 * np.pi, COUNT, endpoint=False)
CIRCLE = RADIUS * np.column_stack([np.cos(TURN), np.sin(TURN)])


class Coulomb(OwnPace):
    """Friction times what presses the car onto the road, and 60 W/kg."""

    @cached_property
    def limits(self) -> PerformanceLimits:
        speeds = np.array([5.0, 20.0, 40.0])
        grip, shares = np.full(3, FRICTION * G * self.weight), np.full(3, np.sqrt(0.51))
        driving = np.minimum(POWER / speeds, grip)
        return PerformanceLimits(speeds, grip, driving, grip, shares, shares)


@pytest.fixture(scope="module")
def envelope() -> CarEnvelope:
    vehicle = at.read_model("van").described["vehicle"]
    return CarEnvelope("car", Coulomb(share=1.0, top=120.0, vehicle=vehicle), 1.9)


def through(
    points: np.ndarray, closed: bool = True, banking: float = 0.0, **more: float
) -> at.Track:
    settings = {"left": 5.0, "right": 5.0, "smoothing": 0.0, "spacing": 4.0, **more}
    return at.Track.through("track", points, closed=closed, banking=banking, **settings)


@pytest.mark.parametrize("banking", [-0.4, -0.15, 0.1])
def test_the_speed_on_a_banked_circle(envelope: CarEnvelope, banking: float) -> None:
    """v^2 = r g (tan b + mu) / (1 - mu tan b), b being lower on the inside."""
    lap = quasi_steady_lap(envelope, through(CIRCLE, banking=banking), "centre-line")
    tan = np.tan(-banking)
    expected = np.sqrt(RADIUS * G * (tan + FRICTION) / (1.0 - FRICTION * tan))
    assert lap["speed"] == pytest.approx(expected, rel=2e-3)
    # The load is the weight and the centripetal force, along the normal.
    normal = np.cos(banking) + expected**2 / (RADIUS * G) * np.sin(-banking)
    assert lap["load_factor"] == pytest.approx(normal, rel=5e-3)


def road(height: np.ndarray, length: float, **more: float) -> at.Track:
    x = np.linspace(0.0, length, len(height))
    return through(np.column_stack([x, 0.0 * x, height]), closed=False, **more)


def test_the_speed_over_a_crest(envelope: CarEnvelope) -> None:
    """A fifth of the weight is left where v^2 / r = 0.8 g cos(slope)."""
    radius = 80.0
    x = np.linspace(-20.0, 20.0, 41)
    track = road(np.sqrt(radius**2 - x * x), 40.0, spacing=1.0)
    lap = quasi_steady_lap(envelope, track, "centre-line")
    top = len(lap["speed"]) // 2
    assert lap["load_factor"].min() >= 0.2 - 1e-6
    assert lap["speed"][top] <= np.sqrt(0.8 * G * radius) * 1.001
    assert track.relief is not None
    most = np.max(lap["speed"] ** 2 / (radius * G * (np.cos(track.relief.slope) - 0.2)))
    assert most == pytest.approx(1.0, rel=5e-3)


def test_the_load_in_a_dip_is_that_of_its_radius(envelope: CarEnvelope) -> None:
    x = np.linspace(-20.0, 20.0, 41)
    radius = 100.0
    track = road(-np.sqrt(radius**2 - x * x), 40.0, spacing=1.0)
    lap = quasi_steady_lap(envelope, track, "centre-line")
    k = len(lap["speed"]) // 2
    assert lap["load_factor"][k] == pytest.approx(
        1.0 + lap["speed"][k] ** 2 / (radius * G), rel=1e-3
    )


def test_climbing_at_the_power_of_the_car(envelope: CarEnvelope) -> None:
    """On a long hill g v sin(slope) is the power by mass."""
    slope = 0.3
    x = np.linspace(0.0, 3000.0, 301)
    lap = quasi_steady_lap(envelope, road(np.tan(slope) * x, 3000.0, spacing=10.0), "centre-line")
    assert lap["speed"][-1] == pytest.approx(POWER / (G * np.sin(slope)), rel=1e-3)
    assert lap["throttle"][-2] == pytest.approx(1.0, abs=1e-3)


def test_a_hill_that_is_too_steep_is_named(envelope: CarEnvelope) -> None:
    x = np.linspace(0.0, 400.0, 101)
    with pytest.raises(ModelError, match=r"at .* m the car does not climb a slope of 57\.\d deg"):
        quasi_steady_lap(envelope, road(np.tan(1.0) * x, 400.0), "centre-line")
    with pytest.raises(ModelError, match="slides down below .* check the banking"):
        quasi_steady_lap(envelope, through(CIRCLE, banking=-0.8), "centre-line")


def test_without_heights_in_effect_a_lap_is_the_flat_one() -> None:
    """A ring with heights that are all the same takes the other branch of the equations."""
    own = given_envelope()
    flat = quasi_steady_lap(own, through(CIRCLE), "centre-line")
    level = quasi_steady_lap(
        own, through(np.column_stack([CIRCLE, 0.0 * TURN + 7.0])), "centre-line"
    )
    assert level.time == pytest.approx(flat.time, rel=1e-4)
    assert level["height"] == pytest.approx(7.0)


def test_the_page_of_a_lap_has_heights_and_loads() -> None:
    own = given_envelope()
    titles = []
    for points in (CIRCLE, np.column_stack([CIRCLE, np.cos(TURN)])):
        lap = quasi_steady_lap(own, through(points), "centre-line")
        titles.append([panel.title for panel in lap_sections([lap], own)[1].panels])
    flat, hilly = titles
    assert hilly == [*flat, "Height", "Load on the road"]


def test_what_slopes_ask_for_is_the_gain_of_potential_energy() -> None:
    """Along any line on a ribbon that twists, along = g dz / dl: the energy stays.

    The heights are those of the surface itself, not those that the loads are derived from.
    """
    x = np.linspace(0.0, 300.0, 151)
    bank = 0.25 * np.sin(x / 40.0)
    points = np.column_stack([x, 30.0 * np.sin(x / 60.0), 6.0 * np.cos(x / 50.0)])
    track = at.Track.through("road", points, 9.0, 9.0, banking=bank, closed=False, smoothing=0.0,
                             spacing=0.5)  # fmt: skip
    s = track.station
    n = 4.0 * np.sin(s / 25.0)
    slope_n = 4.0 / 25.0 * np.cos(s / 25.0)
    xi = np.arctan(slope_n / (1.0 - n * track.curvature))
    relief = {name: track.at(name, s) for name in RELIEF_INPUTS}
    loads = RoadLoads.at(relief, n, xi, track.curvature)
    stretch = (1.0 - n * track.curvature) / np.cos(xi)  # dl / ds
    rise = np.gradient(track.heights(s, n), s)
    inside = slice(10, -10)
    assert np.asarray(loads.along)[inside] == pytest.approx((G * rise / stretch)[inside], abs=2e-3)


def test_the_load_beside_the_line_is_that_of_the_surface() -> None:
    """A straight road that twists: along y = n its height n tan(phi) is curved by n phi''."""
    x = np.linspace(0.0, 300.0, 151)
    phi = 0.05 * np.sin(x / 30.0)
    track = at.Track.through("road", np.column_stack([x, 0.0 * x, 0.0 * x]), 9.0, 9.0, banking=phi,
                             closed=False, smoothing=0.0, spacing=1.0)  # fmt: skip
    s, n = track.station, 5.0
    relief = {name: track.at(name, s) for name in RELIEF_INPUTS}
    loads = RoadLoads.at(relief, n, 0.0, track.curvature)
    expected = -n * 0.05 / 30.0**2 * np.sin(s / 30.0)
    inside = slice(10, -10)
    assert np.asarray(loads.normal_by_square)[inside] == pytest.approx(expected[inside], abs=2e-6)


def test_the_quickest_line_on_a_banked_ring(envelope: CarEnvelope) -> None:
    """On a cone the inside is the shorter way; its speed is that of its own radius."""
    pytest.importorskip("casadi")
    banking, half = -0.2, 5.0 - 0.5 * 1.9
    track = through(CIRCLE, banking=banking)
    start = quasi_steady_lap(envelope, track, "centre-line")
    lap = free_line_lap(envelope, track, start)
    radius = RADIUS - half * np.cos(banking)
    tan = np.tan(-banking)
    speed = np.sqrt(radius * G * (tan + FRICTION) / (1.0 - FRICTION * tan))
    assert lap["offset"] == pytest.approx(half, abs=0.05)
    assert lap.time == pytest.approx(2.0 * np.pi * radius / speed, rel=2e-3)


def test_a_lap_around_a_tilted_plane(envelope: CarEnvelope) -> None:
    """What a tilt of 6 % costs is the same on a given line and on a free one without room.

    The two find it by different equations: passes forwards and backwards, and a transcription.
    """
    pytest.importorskip("casadi")
    plan = np.column_stack([3.0 * CIRCLE[:, 0], CIRCLE[:, 1]])
    costs = []
    for rise in (0.0, 0.06):
        track = through(
            np.column_stack([plan, rise * plan[:, 0]]), left=0.96, right=0.96, spacing=6.0
        )
        given = quasi_steady_lap(envelope, track, "centre-line")
        free = free_line_lap(envelope, track, given)
        costs.append((given.time, free.time))
    level, tilted = costs
    assert tilted[0] - level[0] > 0.1
    assert tilted[1] - level[1] == pytest.approx(tilted[0] - level[0], rel=0.05)
