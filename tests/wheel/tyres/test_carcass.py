"""A tread on its carcass: the law where it rolls steadily, a relaxation length, no energy of its
own, and at rest a spring within friction."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from mechanisms.laws import LAWS_OF_FORCES
from mechanisms.tyre import Wheel, all_told, told, tyre_with

import axletree as at
from axletree.catalogue import TYRES
from axletree.core.errors import ModelError
from axletree.core.registry import load
from axletree.wheel import carcass
from axletree.wheel.bound_law import SecantForces
from axletree.wheel.carcass import TreadAnswer
from axletree.wheel.contract import Contact, TyreLaw
from axletree.wheel.slip import Rolling

# Laws are asked at all loads, also beyond their range, of which they warn.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Calspan. its load is above AOmega"),
    pytest.mark.filterwarnings("ignore:MagicFormula.*its slip times the tangent"),
]

CARCASS = at.Carcass(longitudinal_stiffness=4e5, lateral_stiffness=1.5e5)
LOAD = 4000.0
LAWS = {
    word: kind(**kind.example)
    for word in sorted(LAWS_OF_FORCES)
    if (kind := load("tyre", word, TYRES)).takes_slip and kind.example
}
BRUSH = at.Brush(**at.Brush.example)


def answered(law: TyreLaw, moving: Rolling, states: tuple[float, float]) -> TreadAnswer:
    """Of numbers."""
    rim = CARCASS.slip(moving, states, CARCASS.numbers)
    speed = moving.rolling_speed_P
    contact = Contact(
        moving.normal_load, rim.longitudinal, rim.angle, moving.inclination, speed, speed / 0.3
    )
    secants = SecantForces(
        law(contact), law(replace(contact, longitudinal_slip=0.0)),
        law(replace(contact, slip_angle=0.0)),
    )  # fmt: skip
    return CARCASS.answer(moving, secants, states, CARCASS.numbers)


def rolling(forward: float, sliding: float, lateral: float, force: float = LOAD) -> Rolling:
    return Rolling(sliding, lateral, forward, forward, force, 0.0)  # type: ignore[arg-type]


@pytest.mark.parametrize("word", LAWS)
@pytest.mark.parametrize("forward", [20.0, -8.0])
def test_a_deflection_that_stays_is_the_law_s_force(word: str, forward: float) -> None:
    """Forces and moments, and slips that are those of the rim."""
    law, moving = LAWS[word], rolling(forward, -0.3, 0.4)
    rim = CARCASS.slip(moving, (), CARCASS.numbers)
    force = law(Contact(LOAD, rim.longitudinal, rim.angle, 0.0, forward, forward / 0.3))
    states = force.Fx / CARCASS.longitudinal_stiffness, force.Fy / CARCASS.lateral_stiffness
    found = answered(law, moving, states)
    assert found.slip.rates == pytest.approx((0.0, 0.0), abs=1e-12)
    expected = [force.Fx, force.Fy, force.Mx, force.My, force.Mz]
    assert list(vars(found.forces).values()) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert (found.slip.longitudinal, found.slip.angle) == pytest.approx(
        (rim.longitudinal, rim.angle), rel=1e-9
    )


@pytest.mark.parametrize("forward", [5.0, 30.0, -10.0])
def test_the_force_of_small_slip_follows_over_the_relaxation_length(forward: float) -> None:
    """A sine of side slip, answered as 1 / (1 + i w sigma / v) to the first order in w."""
    tyre = tyre_with(law=BRUSH, slip=CARCASS)
    small, height = 1e-5 * abs(forward), 0.32 - LOAD / 200e3
    drifting = Wheel((forward, small, 0.0), forward / height, height)
    gain = told(tyre, replace(drifting, states=(0.0, 0.0)))
    # dF/dt = k du/dt + d d2u/dt2, so that F follows slip by (1 + i w d/k) / (1 + i w (d + g)/k).
    rate = gain["rate2"]
    steady = BRUSH(Contact(LOAD, 0.0, math.atan(small / abs(forward)), 0.0, forward)).Fy
    slow = steady / CARCASS.lateral_stiffness / rate  # s, (d + g) / k
    stiffness = -steady * abs(forward) / small  # N/rad
    length = stiffness / CARCASS.lateral_stiffness
    assert slow - CARCASS.springback == pytest.approx(length / abs(forward), rel=1e-6)


UNSHIFTED = ("brush", "fiala", "tmeasy", "linear", "calspan")


@pytest.mark.parametrize("word", UNSHIFTED)
def test_it_makes_no_energy(word: str) -> None:
    """F V and what the springs gain are never positive in sum: at rest, in reverse, locked,
    spinning, in the air and under any load, whatever the deflection."""
    law, draws = LAWS[word], np.random.default_rng(5)
    for _ in range(400):
        forward = draws.choice([0.0, 1e-9, 1e-3, 0.05, 2.0, 30.0]) * draws.choice([-1.0, 1.0])
        sliding, lateral = draws.choice([0.0, 1e-8, 1e-3, 0.1, 5.0], 2) * draws.normal(size=2)
        force = draws.choice([0.0, 1.0, 500.0, 4000.0, 15000.0])
        states = tuple(draws.normal(size=2) * draws.choice([1e-6, 1e-3, 0.02]))
        found = answered(law, rolling(forward, sliding, lateral, force), states)
        F, rates = found.forces, found.slip.rates
        gained = (
            CARCASS.longitudinal_stiffness * states[0] * rates[0]
            + CARCASS.lateral_stiffness * states[1] * rates[1]
        )
        power = F.Fx * sliding + F.Fy * lateral + gained
        scale = abs(F.Fx * sliding) + abs(F.Fy * lateral) + abs(gained)
        assert power <= 1e-9 * scale, (forward, sliding, lateral, force, states)


SHIFTED = ("magic-formula-5.2", "magic-formula-6.1", "magic-formula-6.2")


@pytest.mark.parametrize("word", SHIFTED)
def test_a_force_without_slip_gains_no_more_than_its_square_over_the_slope(word: str) -> None:
    """F_0^2 / (4 g) in each direction; where the secant is no slope, F_0 times the sliding of the
    tread; nothing at rest, where F_0 has faded."""
    law, draws = LAWS[word], np.random.default_rng(7)
    k = np.array([CARCASS.longitudinal_stiffness, CARCASS.lateral_stiffness])
    most = 0.0
    for _ in range(400):
        forward = draws.choice([0.0, 1e-3, 0.05, 2.0, 30.0]) * draws.choice([-1.0, 1.0])
        speeds = draws.choice([0.0, 1e-8, 1e-3, 0.1, 5.0], 2) * draws.normal(size=2)
        states = draws.normal(size=2) * draws.choice([1e-6, 1e-3, 0.02])
        load = draws.choice([0.0, 1.0, 500.0, 4000.0, 15000.0])
        moving = rolling(forward, *speeds, load)
        found, rates = answered(law, moving, tuple(states)), np.zeros(2)
        rates += found.slip.rates
        F = np.array([found.forces.Fx, found.forces.Fy])
        power, scale = F @ speeds + (k * states) @ rates, np.abs(F) @ np.abs(speeds)
        scale += np.abs(k * states) @ np.abs(rates)
        rim = CARCASS.slip(moving, (), CARCASS.numbers)
        at_rim = Contact(load, rim.longitudinal, rim.angle, 0.0, forward, forward / 0.3)
        now = law(at_rim)
        free = [
            law(replace(at_rim, longitudinal_slip=0.0)).Fx,
            law(replace(at_rim, slip_angle=0.0)).Fy,
        ]
        F0 = min(abs(forward) / 0.1, 1.0) * np.array(free)  # at least as much as what has faded
        least = max(abs(forward), math.sqrt(abs(speeds[0] * speeds[1])), 1e-8)
        kept = np.where(np.abs(speeds) > 1e-6 * least, speeds, 1e-6 * least)
        g = (np.array(free) - [now.Fx, now.Fy]) / kept
        slope = F0**2 / (4.0 * np.where(g > 0.0, g, 1.0))
        bound = float(np.where(g > 0.0, slope, np.abs(F0 * (speeds + rates))).sum())
        assert power <= bound * (1.0 + 1e-9) + 1e-9 * scale, (forward, speeds, load, states)
        most = max(most, power / max(abs(forward), 1.0))
    assert 0.01 < most < 1.0  # N: there is some, and less than rolling resists


@pytest.mark.parametrize("word", ["brush", "tmeasy", *SHIFTED])
@pytest.mark.parametrize("degrees", [5.0, 30.0, 45.0, 60.0, 85.0])
@pytest.mark.parametrize("forward", [0.0, 1e-3, -0.05])
def test_friction_of_a_wheel_that_slides_is_against_it(
    word: str, degrees: float, forward: float
) -> None:
    """Whether it rolls a little or not; each way has a friction of its own."""
    angle = math.radians(degrees)
    moving = rolling(forward, 2.0 * math.cos(angle), 2.0 * math.sin(angle))
    rim = CARCASS.slip(moving, (), CARCASS.numbers)
    force = LAWS[word](Contact(LOAD, rim.longitudinal, rim.angle, 0.0, forward, forward / 0.3))
    assert math.degrees(math.atan2(-force.Fy, -force.Fx)) == pytest.approx(degrees, abs=11.0)
    assert 0.6 * LOAD < math.hypot(force.Fx, force.Fy) < 1.2 * LOAD


def slid(speed: float, distance: float, states: tuple[float, float]) -> list[TreadAnswer]:
    """A locked wheel is pushed forward, in small steps."""
    found, (x, y), step = [], states, 1e-5
    for _ in range(round(distance / step)):
        one = answered(BRUSH, rolling(speed, speed, 0.0), (x, y))
        x += one.slip.rates[0] * step / abs(speed)
        y += one.slip.rates[1] * step / abs(speed)
        found.append(one)
    return found


@pytest.mark.parametrize("speed", [1e-6, 1e-2, -1.0])
def test_at_rest_it_is_a_spring_that_friction_limits(speed: float) -> None:
    """However slowly it is pushed, and the energy stays below that of the friction."""
    found, limit = slid(speed, 0.06, (0.0, 0.0)), BRUSH.friction_x * LOAD
    forces = np.array([one.forces.Fx for one in found]) * -math.copysign(1.0, speed)
    # It sticks up to the limit, and slides at it.
    x = 1e-5 * np.arange(len(forces))
    damping = CARCASS.springback * CARCASS.longitudinal_stiffness * abs(speed)
    expected = np.minimum(CARCASS.longitudinal_stiffness * x, limit)
    assert np.all(np.abs(forces - expected) < 0.01 * limit + damping)
    assert forces.max() <= limit * (1.0 + 1e-9)
    most = 0.5 * limit**2 / CARCASS.longitudinal_stiffness
    assert max(float(one.energy) for one in found) <= most * (1.0 + 1e-9)


def test_a_force_that_holds_does_not_creep() -> None:
    """Under a twentieth of the load the rim moves by less than 10 micrometres a day."""
    state = 0.05 * LOAD / CARCASS.longitudinal_stiffness
    still = answered(BRUSH, rolling(0.0, 0.0, 0.0), (state, 0.0))
    assert abs(still.slip.rates[0]) * 86400.0 < 1e-5
    assert still.forces.Fx == pytest.approx(0.05 * LOAD, rel=1e-9)


def test_in_the_air_the_tread_springs_back() -> None:
    found = answered(BRUSH, rolling(10.0, 3.0, -2.0, 0.0), (0.01, -0.005))
    assert found.slip.rates == pytest.approx(
        (-0.01 / CARCASS.springback, 0.005 / CARCASS.springback), rel=1e-12
    )
    assert list(vars(found.forces).values()) == pytest.approx([0.0] * 5, abs=1e-9)


@pytest.mark.parametrize("word", LAWS)
def test_everything_is_finite(word: str) -> None:
    """At rest, in the air, locked, flying backwards; as equations, too."""
    tyre = tyre_with(law=LAWS[word], slip=CARCASS)
    wheels = [
        Wheel((forward, lateral, 0.0), rate, height, states=states)
        for forward in (0.0, 1e-12, -3.0, 40.0)
        for lateral in (0.0, -1e-12, 2.0)
        for rate in (0.0, 1e-12, 100.0)
        for height in (0.29, 0.32, 0.4)
        for states in ((0.0, 0.0), (0.02, -0.01))
    ]
    for name, values in all_told(tyre, wheels).items():
        assert np.isfinite(values).all(), name


def test_a_wheel_that_goes_by_velocities_has_none() -> None:
    with pytest.raises(ModelError, match="feels no lag"):
        tyre_with(law=at.ComposedFriction(at.DryFriction()), slip=CARCASS)


def test_a_load_below_friction_does_not_drift_as_it_swings() -> None:
    """A mass on a locked wheel, under loads along and across that swing by half: it stays where it
    is, but for free swings that die away. By Dahl's law it goes on by 1.9 mm with every swing."""
    mass, step = 400.0, 1e-3
    k = np.array([CARCASS.longitudinal_stiffness, CARCASS.lateral_stiffness])
    load = np.array([-0.15, 0.1]) * LOAD
    x, v, u, places = np.zeros(2), np.zeros(2), -load / k, []
    for n in range(2000):
        swing = 1.0 + 0.5 * math.sin(2.0 * math.pi * 5.0 * n * step)
        found = answered(BRUSH, rolling(v[0], v[0], v[1]), tuple(u))
        v = v + step * (np.array([found.forces.Fx, found.forces.Fy]) + swing * load) / mass
        u, x = u + step * np.array(found.slip.rates), x + step * v
        places.append(x)
    swings = np.array(places).reshape(-1, 200, 2)
    assert np.ptp(swings[-1], axis=0).min() > 1e-3  # m
    assert np.abs(swings[-5:].mean(axis=1)).max() < 2e-4


def stopped(torque: float) -> np.ndarray:
    """Where 400 kg are on a wheel that brakes from 1 m/s [m], its brake on a mount."""
    h, mass, inertia, radius, stiffness, damping = 1e-3, 400.0, 1.0, 0.3, 6e4, 300.0
    x, V, rate, deflection, wound = 0.0, 1.0, 1.0 / radius, 0.0, 0.0
    path = []
    for _ in range(1000):
        found = answered(BRUSH, rolling(V, V - rate * radius, 0.0), (deflection, 0.0))
        brake = min(max(stiffness * wound + damping * rate, -torque), torque)
        deflection += h * float(found.slip.rates[0])
        wound += h * (brake - stiffness * wound) / damping
        V += h * float(found.forces.Fx) / mass
        rate -= h * (brake + float(found.forces.Fx) * radius) / inertia
        x += h * V
        path.append(x)
    return np.array(path)


@pytest.mark.parametrize(
    ("torque", "by_length", "by_breakaway"), [(600.0, 0.5e-3, 0.1e-3), (2500.0, 3e-3, 2e-3)]
)
def test_stops_hardly_depend_on_what_is_chosen(
    torque: float, by_length: float, by_breakaway: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rolling and locked: over a factor of five of the contact, and of four of the breakaway."""
    expected = stopped(torque)
    assert expected.max() > 0.05
    for name, values, off in (
        ("_SHORTEST_RELAXATION", (0.02, 0.1), by_length),
        ("_BREAKAWAY", (0.25, 1.0), by_breakaway),
    ):
        own = getattr(carcass, name)
        for value in values:
            monkeypatch.setattr(carcass, name, value)
            assert np.max(np.abs(stopped(torque) - expected)) < off, (name, value)
        monkeypatch.setattr(carcass, name, own)
