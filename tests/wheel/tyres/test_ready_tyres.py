"""Every ready-made tyre rolls, slips, brakes, rests, flies and lands, on flat and uneven ground.

The wheel hangs on a hub of 30 kg that can go along, across and up, and has a brake that
resists the turning of the axle. What is asked of all of them is known beforehand: weights,
momentum, energy that only falls.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest
from agreement import Agrees

import axletree as at
from axletree import catalogue
from axletree.core.errors import ModelError
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

NAMES = list(catalogue.READY_TYRES)
IDEAL = [name for name in NAMES if name.endswith("ideal")]
ELASTIC = [name for name in NAMES if name not in IDEAL]
FLAT_ONLY = ["slim-dynamic", "belted-longitudinal-lateral", "belted-quad"]
HUB, RIM = 30.0, 6.0  # kg
WEIGHT = (HUB + RIM) * 9.80665  # N
WAVES = {"type": "sine", "amplitude": 0.04, "wavelength": 2.0}
FLAT = "flat"
OUTPUTS = ("tyre.Fz", "energy.total", "tyre.belt_energy", "tyre.contact_energy")


@cache
def rig(name: str, ground: str = FLAT) -> System:
    model = at.Model("rig")
    sledge, cradle = model.add(at.MasslessBody("sledge")), model.add(at.MasslessBody("cradle"))
    hub = model.add(at.RigidBody("hub", HUB, (1.0, 1.0, 1.0)))
    wheel = model.add(at.MasslessBody("wheel"))
    model.add(at.Prismatic("track", model.ground, sledge, axis="x"))
    model.add(at.Prismatic("cross", sledge, cradle, axis="y"))
    model.add(at.Prismatic("lift", cradle, hub, axis="z"))
    axle = model.add(at.Revolute("axle", hub, wheel, axis="y"))
    model.add(at.RotationalSpringDamper("brake", axle, stiffness=0.0, damping=60.0))
    surface: Any = FLAT if ground == FLAT else WAVES
    model.add(at.Tyre("tyre", axle, model.ground, **at.ready_tyre(name, surface=surface)))
    model.start = {"lift.position": 0.3}
    return model.formulate()


def run(
    system: System, name: str, duration: float, initial: Mapping[str, float], brake: float = 0.0
) -> Trajectory:
    told = [d.quantity.name for d in (*system.intermediates, *system.outputs)]
    moves = name in ("slim-dynamic", "circular-dynamic", *FLAT_ONLY)
    found = system.simulate(
        duration,
        step=2e-5 if moves else 1e-4,
        initial=initial,
        parameters={"brake.damping": brake},
        outputs=[output for output in OUTPUTS if output in told],
        record_interval=0.005,
    )
    assert all(np.isfinite(found[column]).all() for column in found.names)
    return found


def energy_of(found: Trajectory) -> np.ndarray:
    """Of the bodies, and what belt and contact point store [J]."""
    stored = [found[name] for name in OUTPUTS[1:] if name in found]
    return np.asarray(np.sum(stored, axis=0))


def moving(name: str, word: str) -> float:
    """A number of the belt or of the contact point; 0 where it does not move."""
    fields = at.ready_tyre(name)
    parts = (fields.get("belt", {}), fields.get("contact_dynamics", {}))
    return float(sum(part.get(word, 0.0) for part in parts))


def rolling_mass(name: str) -> float:
    """What has to be slowed, with what turns counted at the radius [kg]."""
    turning = 0.25 + moving(name, "inertia")
    along = HUB + RIM + moving(name, "mass")
    return along + turning / float(at.ready_tyre(name)["unloaded_radius"]) ** 2


def weight(name: str) -> float:
    """What stands on the road [N]: of belts, those that move up and down."""
    ring = moving(name, "mass") if name == "belted-quad" else 0.0
    return WEIGHT + ring * 9.80665


def settled(name: str) -> Trajectory:
    """A wheel that was put on the ground and left alone."""
    return run(rig(name), name, 2.0, rig(name).trim(wheels=at.RollingWheels()).states)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.validation("tyres")
def test_it_rolls(name: str, agrees: Agrees) -> None:
    """Rolling resistance of 1.0 to 1.04 % of the weight is all that slows it."""
    system = rig(name)
    depth = 0.0 if name in IDEAL else weight(name) / 1e6
    start = system.trim({"track.speed": 5.0}, wheels=at.RollingWheels(deflection=depth))
    found = run(system, name, 1.0, start.states)
    lost = 5.0 - found["track.speed"][-1]
    expected = 0.0 if name in IDEAL else 0.0102 * weight(name) / rolling_mass(name)
    agrees(
        "ready-made tyres that roll for 1 s: loss of speed", lost, expected, rel=0.05, abs=1e-9,
        unit="m/s", case=name,
        source="Closed form, rolling resistance of Andres 2009 over mass",
    )  # fmt: skip
    assert np.abs(found["cross.position"]).max() < 1e-12


@pytest.mark.parametrize("name", ELASTIC)
def test_it_slips_until_it_rolls(name: str) -> None:
    """From a locked wheel that slides askew: friction of 0.5 to 1.3 of the weight."""
    system = rig(name)
    given = {"track.speed": 4.0, "cross.speed": 1.0, "axle.rate": 0.0}
    found = run(system, name, 1.5, system.trim(given, wheels=at.RollingWheels()).states)
    energy = energy_of(found)
    assert energy[-1] < energy[0] - 0.3 * HUB
    radius = at.ready_tyre(name)["unloaded_radius"]
    assert found["axle.rate"][-1] * radius == pytest.approx(found["track.speed"][-1], rel=0.01)
    assert abs(found["cross.speed"][-1]) < 0.02
    early = found.time <= 0.05
    slowing = (4.0 - found["track.speed"][early][-1]) / (0.05 * 9.81)
    assert 0.3 < slowing < 1.3


@pytest.mark.parametrize("name", NAMES)
def test_it_brakes_to_standstill_and_stays(name: str) -> None:
    system = rig(name)
    found = run(
        system, name, 2.5, system.trim({"track.speed": 4.0}, wheels=at.RollingWheels()).states, 60.0
    )
    speed = found["track.speed"]
    assert np.abs(speed[found.time > 2.0]).max() < 1e-4
    late = found["track.position"][found.time > 2.0]
    assert np.ptp(late) < 1e-4
    distance = found["track.position"][-1]
    # No shorter than friction of 1.3 allows, no longer than half the weight would need.
    shortest = 0.0 if name in IDEAL else 4.0**2 / (2.0 * 1.3 * 9.81)
    assert shortest < distance < 4.0**2 / (2.0 * 0.5 * 9.81)


@pytest.mark.parametrize("name", NAMES)
def test_it_lies_at_rest(name: str) -> None:
    before = settled(name)
    found = run(rig(name), name, 1.0, before.final_state)
    for joint in ("track.position", "cross.position", "lift.position", "axle.angle"):
        if joint in found:
            assert np.ptp(found[joint]) < 1e-6
    if name not in IDEAL:
        assert found["tyre.Fz"][-1] == pytest.approx(weight(name), rel=1e-3)


@pytest.mark.parametrize("name", ELASTIC)
@pytest.mark.validation("tyres")
def test_it_lifts_and_lands(name: str, agrees: Agrees) -> None:
    """Thrown up from the ground while it rolls; energy never grows."""
    system = rig(name)
    start = dict(
        system.trim({"track.speed": 3.0, "cross.speed": 0.0}, wheels=at.RollingWheels()).states
    )
    start |= {name: 1.0 for name in ("lift.speed", "tyre.belt_vz") if name in start}
    found = run(system, name, 2.5, start)
    flight = (found.time > 0.05) & (found.time < 0.18)
    assert np.abs(found["tyre.Fz"][flight]).max() == 0.0
    height = found["lift.position"] - start["lift.position"]
    agrees(
        "ready-made tyres thrown up at 1 m/s: height", height.max(), 1.0 / (2.0 * 9.80665),
        rel=0.03, unit="m", case=name, source="Closed form, ballistic",
    )  # fmt: skip
    energy = energy_of(found)
    assert energy.max() < energy[0] * (1.0 + 1e-6)
    assert found["tyre.Fz"].max() > 3.0 * WEIGHT
    assert found["tyre.Fz"][-1] == pytest.approx(weight(name), rel=0.02)
    assert 2.0 < found["track.speed"][-1] < 3.0


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", [name for name in NAMES if name not in FLAT_ONLY])
def test_it_rolls_over_waves_and_stops_there(name: str) -> None:
    system = rig(name, "waves")
    there = {"track.position": 0.0, "track.speed": 3.0}  # on the steepest slope
    start = system.trim(there, wheels=at.RollingWheels()).states
    assert start["lift.speed"] == pytest.approx(3.0 * 0.04 * np.pi, rel=0.05)
    found = run(system, name, 1.5, start)
    assert found["track.position"][-1] > 3.0
    energy = energy_of(found)
    assert energy.max() < energy[0] * (1.0 + 1e-6) + 1e-6
    height = found["lift.position"]
    assert np.ptp(height) == pytest.approx(0.08, rel=0.2)
    braked = run(system, name, 2.0, found.final_state, 60.0)
    # On the steepest slope it creeps at what brake and friction let through, and no faster.
    slope, radius = 0.04 * np.pi, at.ready_tyre(name)["unloaded_radius"]
    creeping = WEIGHT * slope * radius**2 / 60.0 + 0.5 * slope * 0.4
    assert np.abs(braked["track.speed"][-50:]).max() < 1.1 * creeping


@pytest.mark.parametrize("name", FLAT_ONLY)
def test_parts_that_need_flat_ground_say_so(name: str) -> None:
    with pytest.raises(ModelError, match="take a flat surface"):
        rig(name, "waves")


# A half turn about the normal turns what is along and about x and y, and the spin; a wheel looks
# as before.
TURNED = {"vx": -1, "vy": -1, "vz": 1, "wx": -1, "wy": -1, "wz": 1}


@pytest.mark.parametrize("name", ELASTIC)
def test_in_reverse_it_is_as_turned_by_half_a_turn(name: str) -> None:
    """Leaning, drifting, yawing and slipping, forward and in reverse: all accelerations."""
    model = at.Model("rig")
    hub = model.add(at.RigidBody("hub", HUB, (1.0, 1.0, 1.0)))
    wheel = model.add(at.MasslessBody("wheel"))
    model.add(at.Free("flight", model.ground, hub))
    axle = model.add(at.Revolute("axle", hub, wheel, axis="y"))
    tyre = model.add(at.Tyre("tyre", axle, model.ground, **at.ready_tyre(name)))
    system, radius = model.formulate(), tyre.unloaded_radius
    ahead = {
        "flight.z": 0.98 * radius, "flight.vx": 6.0, "flight.vy": 0.3, "flight.vz": -0.1,
        "flight.wz": 0.4, "flight.roll": 0.03, "axle.rate": 5.0 / radius,
    }  # fmt: skip
    same = ("flight.z", "flight.vz", "flight.wz")
    back = {word: value if word in same else -value for word, value in ahead.items()}
    one, other = (system.rhs(system.state(state)) for state in (ahead, back))
    largest = max(abs(one[f"flight.{word}"]) for word in TURNED)
    assert largest > 1.0
    for word, sign in (*((f"flight.{k}", s) for k, s in TURNED.items()), ("axle.rate", -1)):
        assert other[word] == pytest.approx(sign * one[word], abs=1e-9 * largest), word
    assert abs(one["flight.wz"]) > 1e-6 * largest
