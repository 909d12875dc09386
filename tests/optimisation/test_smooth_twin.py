"""Rounded corners, and a car beside a centre line."""

from __future__ import annotations

import numpy as np
import pytest

import axletree as at
from axletree.expr import (
    Table,
    absolute,
    interpolate,
    maximum,
    minimum,
    outline,
    sign,
    symbol,
    where,
)
from axletree.optimisation.dynamics import dynamics
from axletree.optimisation.lap_time.car_on_track import (
    BEND,
    BODY_HEADING,
    BRAKE_PEDAL,
    LEFT_WIDTH,
    OFFSET,
    RIGHT_WIDTH,
    THROTTLE_PEDAL,
    VX,
    VY,
    car_on_track,
)
from axletree.optimisation.lap_time.equations_lap import equations_lap
from axletree.optimisation.lap_time.quasi_steady import quasi_steady_lap
from axletree.optimisation.smooth_twin import FRACTION, corner_count, smooth_twin
from axletree.system.system import System

X = symbol("x")


def angular() -> System:
    """Corners of every kind, of forces and of slips, and one within a function."""
    law = {"force": 1e4 * minimum(absolute(X), 0.1) * sign(X)}
    (called,) = outline("law", law, {X: 0.01 * symbol("v")}).values()
    v = symbol("v")
    rate = where(v < 3.0, called, 2.0 * called) + maximum(v, 1.0)
    return dynamics("angular", {"v [m/s]": rate})


def test_a_twin_becomes_the_system_as_its_corners_get_sharp() -> None:
    system = angular()
    twin = smooth_twin(system, {"v": np.linspace(-20.0, 20.0, 41)})
    assert corner_count(system) == 5
    assert corner_count(twin) == 0
    for v in (-11.0, -4.0, 2.5, 3.5, 11.0):
        true = system.rhs({"v": v})["v"]
        off = [abs(twin.rhs({"v": v}, parameters={FRACTION: e})["v"] - true)
               for e in (0.02, 0.002, 1e-7)]  # fmt: skip
        assert off[2] < 1e-3
        assert off[2] <= off[1] <= off[0] + 1e-9


def test_corners_are_rounded_by_the_magnitude_of_their_operands() -> None:
    """One of newtons and one of radians, both to 1 % at the same fraction."""
    for scale in (1e-3, 1.0, 1e4):
        system = dynamics("one", {"v": absolute(scale * symbol("v"))})
        twin = smooth_twin(system, {"v": np.linspace(-1.0, 1.0, 21)})
        assert twin.rhs({"v": 0.0}, parameters={FRACTION: 0.01})["v"] == pytest.approx(
            0.009 * scale, rel=0.1
        )


def ring() -> at.Track:
    turn = np.linspace(0.0, 2.0 * np.pi, 48, endpoint=False)
    points = 40.0 * np.column_stack([np.cos(turn), np.sin(turn)])
    return at.Track.through("ring", points, 4.0, 4.0, smoothing=0.0, spacing=5.0)


@pytest.mark.slow
def test_a_twin_is_finite_where_no_car_would_ever_be() -> None:
    """Trial points of a solver: backwards at 1000 km/h, wheels that spin against it, no load."""
    model = at.read_model("formula-student", {"vehicle": {"fidelity": "two-track"}})
    twin = smooth_twin(model.formulate(), {VX: np.linspace(5.0, 40.0, 20)})
    found = twin.functions("f")
    random = np.random.default_rng(11)
    wide = {"m/s": 300.0, "rad/s": 3000.0, "N": 1e6, "m": 10.0, "rad": 50.0}
    reach = np.array([wide.get(q.unit, 1.0) for q in twin.states])
    sizes = 10.0 ** random.uniform(-6.0, 0.0, (3000, len(reach)))
    x = reach * sizes * random.choice([-1.0, 1.0], sizes.shape)
    u = random.uniform(-1.0, 1.0, (3000, len(found.inputs)))
    for fraction in (0.1, 0.002):
        rates = found.with_parameters({FRACTION: fraction}).f(x, u)
        assert np.all(np.isfinite(rates)), found.rows[int(np.argmin(np.isfinite(rates).all(0)))]


def test_a_table_of_straight_lines_becomes_a_cubic_through_its_points() -> None:
    table = Table.linear([0.0, 1.0, 2.0, 4.0], [0.0, 1.0, 1.5, 1.5])
    twin = smooth_twin(dynamics("curve", {"v": interpolate(table, symbol("v"))}), {})
    for v, value in ((1.0, 1.0), (2.0, 1.5), (1e-9, 0.0)):
        assert twin.rhs({"v": v})["v"] == pytest.approx(value, abs=1e-6)
    slopes = [(twin.rhs({"v": 1.0 + e})["v"] - 1.0) / e for e in (-1e-6, 1e-6)]
    assert slopes[0] == pytest.approx(slopes[1], rel=1e-4)


@pytest.mark.slow
def test_a_car_beside_a_line_is_the_car_on_the_ground() -> None:
    """On a curve the rates by distance are those of the same car at the same place, as it is
    formulated; with its brakes off, and with corners as sharp as they are."""
    model = at.read_model("formula-student")
    track = ring()
    flat = np.zeros(len(track.station))
    columns = {"speed": flat + 14.0, "curvature": track.curvature, "time": track.station / 14.0}
    lap = at.TimedLap("car", "given", track, columns)
    car = car_on_track(model, "single-track", lap)
    c, n, xi, line = 0.02, 1.5, 0.1, 0.7  # of the centre line: curvature and heading
    ground = at.read_model(
        "formula-student", {"vehicle": {"fidelity": "single-track", "controls": {"motors": True}}}
    ).formulate()
    along, across, rate = 14.0, 1.0, 0.4
    spins = {f"{a}_{b}_axle.rate": 63.0 for a in ("front", "rear") for b in ("left", "right")}
    cos, sin = np.cos(line), np.sin(line)
    there = {q.name: q.default for q in ground.states} | {
        VX: along * cos - across * sin, VY: along * sin + across * cos, BODY_HEADING: line + xi,
        "chassis.rate": rate,
            **spins,
    }  # fmt: skip
    inputs = {THROTTLE_PEDAL: 0.4, "driver.steering": 0.3}
    true = ground.rhs(there, inputs=inputs)
    rest = {q.name: q.default for q in car.system.states}
    here = rest | {VX: along, VY: across, BODY_HEADING: xi, OFFSET: n, "chassis.rate": rate,
            **spins,
            "driver.steering": 0.3}  # fmt: skip
    given = {THROTTLE_PEDAL: 0.4, BRAKE_PEDAL: 0.0, BEND: c, LEFT_WIDTH: 4.0, RIGHT_WIDTH: 4.0}
    found = car.system.rhs(here, inputs=given, parameters={FRACTION: 1e-9})
    speed = along / (1.0 - n * c)  # along the centre line
    assert found[OFFSET] * speed == pytest.approx(across, rel=1e-9)
    assert found[BODY_HEADING] * speed == pytest.approx(rate - c * speed, rel=1e-9)
    pushed = true[VX] * cos + true[VY] * sin + c * speed * across
    aside = true[VY] * cos - true[VX] * sin - c * speed * along
    assert found[VX] * speed == pytest.approx(pushed, rel=1e-5)
    assert found[VY] * speed == pytest.approx(aside, rel=1e-5)
    for name in ("chassis.rate", "rear_left_axle.rate", "front_right_tyre.carcass_y"):
        assert found[name] * speed == pytest.approx(true[name], rel=1e-4), name


@pytest.mark.long
def test_a_ring_by_the_equations_is_driven_as_fast_as_steadily() -> None:
    """Steady turns of the single-track model limit what its equations drive on a ring."""
    pytest.importorskip("casadi")
    from axletree.optimisation.lap_time.envelope import envelope_of

    model = at.read_model("formula-student", {"vehicle": {"fidelity": "single-track"}})
    track = ring()
    envelope = envelope_of(model)
    start = quasi_steady_lap(envelope, track, "centre-line")
    found = equations_lap(model, "single-track", envelope, track, start, fractions=(0.02, 0.002))
    inside = 40.0 - found["offset"]
    steady = np.sqrt(envelope.pace.limits.at(float(found["speed"].mean()))[0] * inside)
    assert found["speed"].mean() == pytest.approx(steady.mean(), rel=0.02)
    assert found["offset"].mean() == pytest.approx(4.0 - 0.5 * envelope.width, abs=0.05)
