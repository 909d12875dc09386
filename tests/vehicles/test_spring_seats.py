"""Ride height and corner weights by spring seats: balances of forces, and vehicles at rest."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.core.errors import ModelError
from axletree.vehicles.linkages.curves.forces import forces_at_wheels, spring_pushes
from axletree.vehicles.statics import (
    design_loads,
    mass_height,
    shifted_loads,
    spring_travels,
    sprung_loads,
    wheel_loads,
)
from axletree.vehicles.suspensions import Independent, SolidAxle
from axletree.vehicles.vehicle import Vehicle

DRIVER = {"mass": "80 kg", "position": ["0.2 m", "0.37 m", "0.5 m"]}


def described(name: str, **vehicle: Any) -> Vehicle:
    found = at.read_model(name, {"vehicle": vehicle}).described["vehicle"]
    assert isinstance(found, Vehicle)
    return found


def test_a_bar_takes_part_of_what_lifts_one_side() -> None:
    strut = Independent("25 kN/m", mass="20 kg", anti_roll="8 kN/m")
    left, right = strut.seat_forces(1.6, (-0.01, 0.0), (100.0, 0.0))
    assert (left, right) == pytest.approx((100.0 + 250.0 + 80.0, -80.0))


def test_springs_of_a_beam_stand_closer_than_its_wheels() -> None:
    """By virtual work: heave and roll of the beam are its freedoms."""
    beam = SolidAxle("200 kN/m", spring_track="1 m", mass="300 kg", roll_inertia=150.0)
    track, lean = 1.8, 0.01  # m, rad
    up = 0.5 * track * lean
    left, right = beam.seat_forces(track, (-up, up), (0.0, 0.0))
    assert 0.5 * track * (left - right) == pytest.approx(beam.roll_rate(track) * lean)
    assert left + right == pytest.approx(0.0)


@pytest.mark.parametrize("name", ["double-wishbone-sports-car", "leaf-spring-pickup"])
def test_links_rest_where_they_are_asked_to(name: str) -> None:
    """At travels of both wheels, further pushes of the springs are in balance there."""
    axle = described(name).axles["rear"]
    linked: Any = axle.suspension
    travels, loads = (0.012, -0.004), (150.0, -90.0)
    at_design = linked.seat_forces(axle.track, travels, loads)
    pushes = spring_pushes(linked.kinematics, at_design)
    there = linked.kinematics.at(np.array([[*travels, 0.0]]))
    forces = forces_at_wheels(linked.kinematics, linked.carried, there)[0]
    for coil in linked.kinematics.linkage.coils:
        if coil.name in pushes:
            rate = there.length_rate((coil.first, coil.second), coil.ends)[0, :2]
            forces = forces - pushes[coil.name] * rate
    design = forces_at_wheels(linked.kinematics, linked.carried, linked.kinematics.design)[0]
    assert forces == pytest.approx(design + np.array(loads), rel=1e-9)


@pytest.mark.parametrize("name", ["sedan", "double-wishbone-sports-car", "beam-axle-truck"])
def test_corner_weights_of_the_sheet(name: str) -> None:
    """The load beside the middle stays on its side, and the diagonal has its share."""
    car = described(
        name, loads={"driver": DRIVER}, spring_seats={"with_loads": True, "cross_weight": "52 %"}
    )
    mean, shifted = wheel_loads(car), shifted_loads(car)
    whole = 2.0 * sum(mean.values())
    left = {k: mean[k] - shifted[k] for k in mean}
    diagonal = left["front"] + mean["rear"] + shifted["rear"]
    assert diagonal / whole == pytest.approx(0.52, abs=2e-4)
    moment = sum(-shifted[k] * car.axles[k].track for k in mean)
    assert moment == pytest.approx(80.0 * 9.80665 * 0.37, rel=0.02)
    travels, laden, empty = spring_travels(car), sprung_loads(car), design_loads(car)
    for k in mean:  # with its loads it stands as it is drawn without: tyres alone sink in
        sunk = 0.5 * (laden[k] - empty[k]) / car.axles[k].tyre.stiffness
        assert travels[k] == pytest.approx(-sunk, rel=0.03, abs=2e-5)


def test_without_seats_a_vehicle_stands_at_design() -> None:
    car = described("sedan")
    assert set(car.seat_forces.values()) == {(0.0, 0.0)}
    lower = described("sedan", axles={"front": {"ride_height": "-15 mm"}})
    assert spring_travels(lower)["front"] == pytest.approx(0.015)
    assert mass_height(lower, "") == mass_height(car, "")  # as it is designed


@pytest.mark.slow
def test_a_sedan_on_its_wheels() -> None:
    """Rolling slowly: level and at its height with the driver in it, and lower where it is set."""
    given = {
        "loads": {"driver": DRIVER},
        "spring_seats": {"with_loads": True, "cross_weight": "52 %"},
    }
    found = []
    for height in ("0 mm", "-10 mm"):
        axles = {k: {"ride_height": height} for k in ("front", "rear")}
        car = at.read_model("sedan", {"vehicle": {**given, "axles": axles}})
        turn = at.trim(car, speed="3 km/h")
        loads = {
            (axle, side): turn[f"{axle}_{side}_tyre.Fz"]
            for axle in ("front", "rear")
            for side in ("left", "right")
        }
        diagonal = loads["front", "left"] + loads["rear", "right"]
        assert diagonal / sum(loads.values()) == pytest.approx(0.52, abs=1e-4)
        assert np.degrees(turn["chassis.roll"]) == pytest.approx(0.0, abs=2e-3)
        found.append(turn["chassis.z"])
    assert found[0] - found[1] == pytest.approx(0.01, rel=0.01)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"spring_seats": {"cross_weight": "90 %"}}, "cross_weight"),
        ({"axles": {"front": {"ride_height": "-15"}}}, "ride_height"),
    ],
)
def test_mistakes_are_told(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ModelError, match=words):
        described("sedan", **given)
