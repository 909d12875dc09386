"""The package's vehicles by body and axles: nothing unusual, and what their files say of them."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest
from mechanisms.shipped_run import LIKE_THE_COMPACT_CAR

import axletree as at
from axletree.catalogue import MODELS
from axletree.core.yaml_document import resource
from axletree.expr import evaluate, number, symbol
from axletree.vehicles.data_sheet import data_sheet
from axletree.vehicles.statics import wheel_loads
from axletree.vehicles.units import Axle
from axletree.vehicles.vehicle import Vehicle

VEHICLES = ("compact-car", *LIKE_THE_COMPACT_CAR, "car-with-caravan", "tractor-semitrailer")
# Mass [t] and power [kW] as the files say them, and the share of the weight in front [%] and the
# height of the centre of mass over half the track that vehicles of the class have.
EXPECTED = {
    "compact-car": (1.2, 75, (55, 65), (0.6, 0.8)),
    "sedan": (1.6, 145, (48, 56), (0.6, 0.75)),
    "automatic-sedan": (1.6, 145, (48, 56), (0.6, 0.75)),
    "sports-car": (1.4, 280, (38, 48), (0.5, 0.65)),
    "suv": (2.0, 140, (50, 58), (0.75, 0.95)),
    "van": (2.5, 100, (45, 60), (0.8, 1.0)),
    "truck-4x2": (11.0, 190, (30, 45), (1.0, 1.4)),
    "formula-student": (0.3, 80, (44, 52), (0.45, 0.6)),
    "car-with-caravan": (1.6, 145, (45, 52), (0.6, 0.75)),
    "tractor-semitrailer": (7.4, 340, (33, 42), (0.8, 1.1)),
}


def described(name: str) -> Vehicle:
    vehicle = at.read_model(name).described["vehicle"]
    assert isinstance(vehicle, Vehicle)
    return vehicle


def text_of(name: str) -> str:
    return resource(MODELS[name]).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", VEHICLES)
def test_nothing_of_it_is_unusual(name: str) -> None:
    mass, _, share, height = EXPECTED[name]
    vehicle = described(name)
    sheet = data_sheet(vehicle)
    assert sheet.warnings == ()
    assert sheet["mass"] == pytest.approx(1000.0 * mass, rel=0.03)
    assert share[0] < sheet["front share of the weight"] < share[1]
    over = sheet["height of the centre of mass"] / (0.5 * vehicle.axles["front"].track)
    assert height[0] < over < height[1]
    assert -0.1 < sheet["understeer gradient"] < 2.0


def test_the_sheet_has_the_understeer_gradient_of_steady_turns() -> None:
    """Of the sedan on two tracks, of which air and drive take some hundredths."""
    page = Path(__file__).parents[2] / "docs" / "how-to" / "vehicle-analyses.md"
    told = re.search(r"^understeer_gradient: (\S+) deg/\(m/s\^2\)$", page.read_text(), re.M)
    assert told is not None
    sheet = data_sheet(described("sedan"))
    assert sheet["understeer gradient"] == pytest.approx(9.80665 * float(told[1]), rel=0.06)
    assert 0.15 < sheet["understeer gradient of the tyres"] < 0.25


@pytest.mark.parametrize("name", VEHICLES)
def test_its_file_says_where_numbers_are_from_and_what_power_it_has(name: str) -> None:
    _, power, *_ = EXPECTED[name]
    assert "# All numbers are generic" in text_of(name)
    assert re.search(rf"\b{power} kW\b", text_of(name).replace("\n# ", " "))
    drives = [axle.drive for axle in described(name).axles.values() if axle.drive is not None]
    source = drives[0].source
    assert source is not None
    found = [
        float(evaluate([source.torque(number(1.0), number(w), source.numbers)], {})[0]) * w
        for w in range(10, 900, 2)
    ]
    assert max(found) == pytest.approx(1000.0 * power, rel=0.04)
    assert sum(drive.share for drive in drives) == pytest.approx(1.0)


@pytest.mark.parametrize("name", VEHICLES)
def test_full_brakes_lock_the_front_wheels_first(name: str) -> None:
    """Torque over what the tyres take at a deceleration of 0.6 g, of front and rear."""
    vehicle = described(name)
    lean = 0.6 * data_sheet(vehicle)["height of the centre of mass"] / vehicle.wheelbase
    use = {}
    loads = wheel_loads(vehicle)
    for axle, own in vehicle.axles.items():
        assert own.brakes is not None
        values = {"driver.brake": 1.0, "driver.brake_pressure": 0.0}
        torque = float(
            evaluate([own.brakes.at_wheel()], {symbol(k): v for k, v in values.items()})[0]
        )
        moved = 0.5 * vehicle.mass * 9.80665 * lean * math.copysign(1.0, own.position)
        use[axle] = torque / (own.wheel.radius * (loads[axle] + moved))
    assert use["front"] > use["rear"]
    assert use["front"] > 1.0


def test_the_truck_stands_on_what_the_levers_say() -> None:
    """With its cargo, on springs that are set without it."""
    system = at.read_model("truck-4x2").formulate()
    start = system.trim({"chassis.vx": 10.0}).states
    run = system.simulate(2e-3, step=1e-3, method="rk4", initial=start)
    for axle, load in wheel_loads(described("truck-4x2")).items():
        assert run[f"{axle}_left_tyre.Fz"][0] == pytest.approx(load, rel=2e-2)
    driven = system.trim({"chassis.vx": 27.78}, find=["driver.throttle"])
    assert 0.4 < driven.inputs["driver.throttle"] < 0.8
    cargo = 4500.0 * 9.80665 * (1.89 + 1.9) / 4.5
    assert start["rear_heave.position"] == pytest.approx(0.5 * cargo / 500e3, rel=0.03)


def test_trailers_of_the_package_are_as_their_files_say() -> None:
    train = data_sheet(described("tractor-semitrailer"))
    assert train["mass with trailers"] == pytest.approx(40e3, rel=3e-3)
    tonne = 9.80665e3
    assert 2.0 * train["rear wheel load"] < 11.5 * tonne
    axles = ("first", "second", "third")
    assert 2.0 * sum(train[f"semitrailer_{name} wheel load"] for name in axles) < 24.0 * tonne
    caravan = data_sheet(described("car-with-caravan"))
    assert caravan["caravan hitch load"] == pytest.approx(75.0 * 9.80665, rel=1e-2)
    assert caravan["caravan mass"] == pytest.approx(1400.0, rel=1e-2)
    (unusual,) = data_sheet(described("car-with-tail-heavy-caravan")).warnings
    assert unusual.startswith("caravan share of the weight on the hitch is 0.3")


# A racing car is none of them, and a tractor is made to brake with its semitrailer.
ROAD_VEHICLES = ("compact-car", "sedan", "sports-car", "suv", "van", "truck-4x2")


def brake_force(axle: Axle, pedal: float) -> float:
    """Of both wheels of an axle [N]."""
    brakes = axle.brakes
    assert brakes is not None
    if brakes.torque is not None:
        return 2.0 * pedal * brakes.torque / axle.wheel.radius
    pressure, knee = pedal * brakes.pedal_pressure, brakes.knee_pressure
    if knee is not None and pressure > knee:
        pressure = knee + brakes.knee_slope * (pressure - knee)
    assert brakes.torque_per_pressure is not None
    return 2.0 * pressure * brakes.torque_per_pressure / axle.wheel.radius


@pytest.mark.parametrize("name", ROAD_VEHICLES)
def test_front_wheels_lock_before_rear_wheels(name: str) -> None:
    """Utilised adhesion as UN Regulation 13-H, annex 5, has it, from masses, places and heights.

    It is T1 / (P1 + z P h / E) in front and T2 / (P2 - z P h / E) behind, with brake forces T,
    axle loads P1 and P2 and the deceleration z in g. Where z is from 0.15 to 0.8, that of the rear
    axle has to be the lower one.
    """
    vehicle = described(name)
    front, rear = vehicle.axles["front"], vehicle.axles["rear"]
    parts = [(vehicle.body.mass, 0.0, vehicle.body.centre_height)]
    parts += [(one.mass, one.position[0], one.position[2]) for one in vehicle.loads.values()]
    parts += [(one.unsprung_mass, one.position, one.wheel.radius) for one in (front, rear)]
    M, x, h = np.array(parts).T
    P, E = 9.80665 * M.sum(), front.position - rear.position
    P2 = P * (front.position - M @ x / M.sum()) / E
    shift = P * (M @ h / M.sum()) / E
    pedals = np.linspace(0.01, 1.0, 200)
    T1, T2 = (np.array([brake_force(one, pedal) for pedal in pedals]) for one in (front, rear))
    z = (T1 + T2) / P
    asked = (z > 0.15) & (z < 0.8)
    assert z.max() > 0.8
    utilised = T1 / (P - P2 + z * shift), T2 / (P2 - z * shift)
    assert (utilised[1] < utilised[0])[asked].all()
