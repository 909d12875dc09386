"""Every slip with every law, as a whole tyre: standstill, reverse, locked, in the air."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator

import numpy as np
import pytest
from mechanisms.laws import LAWS_OF_FORCES
from mechanisms.tyre import RADIUS, Wheel, all_told, told, tyre_with
from scipy.spatial.transform import Rotation

import axletree as at
from axletree.catalogue import SLIPS, TYRES
from axletree.core.registry import load
from axletree.wheel.carcass import Carcass
from axletree.wheel.contract import TyreLaw
from axletree.wheel.slip import Slip
from axletree.wheel.tyre import Tyre

# Numbers for the slips that have no defaults; the string's are those of Morency 2007, table A.6.
NUMBERS = {
    "carcass": {"longitudinal_stiffness": 4e5, "lateral_stiffness": 1.5e5},
    "constant-lag": {"longitudinal_length": 0.2, "lateral_length": 0.5},
    "stretched-string": {
        "Fz0": 4850, "R0": 0.344, "PTx1": 2.3657, "PTx2": 1.4112, "PTx3": 0.56626,
        "PTy1": 2.1439, "PTy2": 1.9829, "PKy3": -0.90729,
    },
}  # fmt: skip
ROLLING_RADIUS = 0.3
FORCES = ("Fx", "Fy", "Mx", "My", "Mz")


LAWS = LAWS_OF_FORCES


def made_law(word: str) -> TyreLaw:
    kind = load("tyre law", word, TYRES)
    law: TyreLaw = kind(**kind.example)
    return law


def pairs() -> Iterator[tuple[str, str]]:
    """Every slip with every law that it goes with."""
    for slip in SLIPS:
        kind = load("slip", slip, SLIPS)
        for word in LAWS:
            law = made_law(word)
            follows = law.takes_slip or slip == "kinematic"
            if follows and (law.has_relaxation_lengths or not kind.takes_lengths):
                yield slip, word


PAIRS = sorted(pairs())


@functools.cache
def made(slip: str, law: str) -> Tyre:
    kind: Slip = load("slip", slip, SLIPS)(**NUMBERS.get(slip, {}))
    return tyre_with(law=made_law(law), slip=kind)


@pytest.fixture(params=PAIRS, ids="-".join)
def tyre(request: pytest.FixtureRequest) -> Tyre:
    return made(*request.param)


def settled(tyre: Tyre, velocity: tuple[float, float, float], rate: float) -> Wheel:
    """A wheel with states at which slip is that of the definition."""
    vx, vy, _ = velocity
    states = (rate * ROLLING_RADIUS - vx) / abs(vx), vy / abs(vx)
    if isinstance(tyre.slip, Carcass):
        load = 200e3 * (RADIUS - ROLLING_RADIUS)
        force = tyre.law(at.Contact(load, states[0], math.atan(states[1]), 0.0, vx, rate))
        own = tyre.slip
        states = force.Fx / own.longitudinal_stiffness, force.Fy / own.lateral_stiffness
    return Wheel(velocity, rate, ROLLING_RADIUS, states=states)


def finite(found: dict[str, float]) -> bool:
    return all(math.isfinite(value) for value in found.values())


def passes_through_origin(tyre: Tyre) -> bool:
    forces = tyre.law(at.Contact(4000.0, 0.0, 0.0, forward_speed=10.0, spin_rate=30.0))
    return bool(forces.Fy == 0.0)


def test_lag_by_the_law_goes_with_the_magic_formula() -> None:
    assert [law for slip, law in PAIRS if slip == "law-lag"] == [
        "magic-formula-6.1",
        "magic-formula-6.2",
    ]
    by_slip = [word for word in LAWS if made_law(word).takes_slip]
    assert len(PAIRS) == len(LAWS) + 3 * len(by_slip) + 2
    assert set(LAWS) - set(by_slip) == {"composed", "dry-rolling-friction", "advanced-friction"}


def test_everything_is_finite(tyre: Tyre) -> None:
    """Speeds and rates of either sign and zero, leaning, deep in the road and high above it."""
    turns = [np.eye(3), Rotation.from_euler("ZX", (1.0, 0.4)).as_matrix()]
    wheels = [
        Wheel((vx, vy, climb), rate, height, turn, spun, states)
        for vx in (-20.0, 0.0, 1e-9, 0.3, 30.0)
        for rate in (-60.0, 0.0, 70.0)
        for height, vy in ((0.01, 0.0), (0.3, 2.0), (RADIUS, 0.0), (1.0, -1.0))
        for climb in (-2.0, 0.0, 2.0)
        for turn in turns
        for spun in ((0.0, 0.0, 0.0), (0.1, -0.2, 0.3))
        for states in ((0.0, 0.0), (-5.0, 20.0))
    ]
    found = all_told(tyre, wheels)
    for name, values in found.items():
        assert np.isfinite(values).all(), name
    assert (found["Fz"] >= 0.0).all()
    assert not np.signbit(found["Fz"]).any()
    assert (found["Fz"] > 0.0).any()


def test_in_the_air_nothing_acts(tyre: Tyre) -> None:
    for climb in (-3.0, 0.0, 3.0):
        found = told(tyre, Wheel((10.0, 1.0, climb), 20.0, RADIUS + 0.05, states=(0.2, 0.1)))
        assert found["Fz"] == 0.0
        assert [found[name] for name in FORCES] == [0.0] * 5
        assert found["torque"] == found["force.x"] == found["force.z"] == found["power"] == 0.0
        assert finite(found)


@pytest.mark.parametrize("direction", [1.0, -1.0])
def test_a_locked_wheel_is_dragged_against_its_motion(tyre: Tyre, direction: float) -> None:
    found = told(tyre, settled(tyre, (10.0 * direction, 0.0, 0.0), 0.0))
    assert found["slip"] == pytest.approx(-direction)
    assert found["Fx"] * direction <= 0.0
    assert found["power"] <= 0.0
    pulls = tyre.law(at.Contact(4000.0, -1.0, 0.0, forward_speed=10.0)).Fx != 0.0
    if pulls:
        assert found["Fx"] * direction < -500.0
        assert found["torque"] * direction > 0.0  # the road would turn it on


@pytest.mark.parametrize("direction", [1.0, -1.0])
def test_drift_is_opposed_in_both_directions(tyre: Tyre, direction: float) -> None:
    for drift in (-1.0, 1.0):
        speed = 10.0 * direction
        found = told(tyre, settled(tyre, (speed, drift, 0.0), speed / ROLLING_RADIUS))
        assert found["slip_angle"] == pytest.approx(math.atan(drift / 10.0))
        assert found["Fy"] * drift < -500.0
        assert found["slip"] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(("slip", "law"), [pair for pair in PAIRS if pair[0] != "kinematic"])
def test_lag_rests_where_slip_is_that_of_its_definition(slip: str, law: str) -> None:
    for speed in (15.0, -15.0):
        tyre = made(slip, law)
        found = told(tyre, settled(tyre, (speed, 0.4, 0.0), 1.1 * speed / ROLLING_RADIUS))
        assert (found["rate1"], found["rate2"]) == pytest.approx((0.0, 0.0), abs=1e-9)


def test_at_a_standstill_nothing_pushes_and_a_push_is_opposed(tyre: Tyre) -> None:
    still = told(tyre, Wheel())
    assert still["Fz"] == pytest.approx(200e3 * 0.02)
    if passes_through_origin(tyre):
        assert (still["Fx"], still["Fy"], still["Mz"]) == pytest.approx((0.0, 0.0, 0.0), abs=1e-24)
    slips = still["My"], still["slip"], still["slip_angle"]
    assert slips == pytest.approx((0.0, 0.0, 0.0), abs=1e-24)
    pushed = told(tyre, Wheel((0.0, 0.02, 0.0)))
    if isinstance(tyre.slip, Carcass):
        assert pushed["rate2"] == pytest.approx(-0.02, rel=0.02)  # the tread stays
        assert pushed["Fy"] - still["Fy"] == pytest.approx(-0.02 * 0.005 * 1.5e5, rel=0.02)
        assert told(tyre, Wheel(states=(0.0, -0.002)))["Fy"] == pytest.approx(-300.0, rel=1e-6)
    elif tyre.states():
        assert pushed["rate2"] > 0.0  # a force that builds up
        assert pushed["Fy"] == pytest.approx(still["Fy"])
        leaning = told(tyre, Wheel(states=(0.0, 0.05)))
        assert leaning["Fy"] - still["Fy"] < -100.0
    else:
        assert pushed["Fy"] - still["Fy"] < -10.0


def test_an_axle_that_is_turned_at_a_standstill_drives(tyre: Tyre) -> None:
    driven = told(tyre, Wheel(rate=0.1))
    if isinstance(tyre.slip, Carcass):
        pulls = tyre.law(at.Contact(4000.0, 0.1, 0.0, forward_speed=10.0)).Fx > 0.0
        assert (driven["rate1"] > 0.0) == (driven["Fx"] > 0.0) == pulls
    elif tyre.states():
        assert driven["rate1"] > 0.0
    else:
        assert driven["slip"] > 0.0
        assert driven["Fx"] >= 0.0
