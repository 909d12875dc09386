"""The models of the package: they read, formulate and run, and are what they say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mechanisms.shipped_run import models, models_in_stages, shipped_system

import axletree as at
from axletree import catalogue
from axletree.model.model import Model

FOLDER = Path(at.__file__).parent / "data" / "models"
# By hand: 6 per body, less the constraints that are independent, less what is prescribed.
FREEDOMS = {
    "pendulum": 1,
    "double-pendulum": 2,
    "slider-crank": 1,
    "four-bar": 1,
    "six-bar": 1,
    "andrews-squeezer": 1,
    "bricard": 1,
    "lagrange-top": 3,
    "gyroscope": 3,
    "rlc-circuit": 0,
    "motor-driven-slider-crank": 1,
    "car": 14,
    "car-multibody": 14,
    "compact-car": 16,
    "double-wishbone-sports-car": 14,
    "macpherson-compact-car": 15,
    "five-link-sedan": 15,
    "pushrod-formula-student": 14,
    "leaf-spring-pickup": 15,
    "beam-axle-truck": 14,
    "skidder": 10,
    "quarter-car": 3,
    "quarter-vehicle-on-soil": 2,
    "soil-bin": 1,
    "soil-track": 3,
    "car-on-soil": 14,
    "skidder-on-soil": 10,
    "rover": 15,
    "off-road-truck": 41,
    "four-post": 7,
    "bicycle-car": 5,
    "three-wheeler": 12,
    "whipple-bicycle": 3,
    "bicycles-geometry": 6,
    "bicycles-friction": 18,
    "bicycle-wheelie": 9,
    "motorcycle": 11,
    "motorcycle-jump": 11,
    "drifting-car": 10,
    "dropped-tyre": 6,
    "rolling-tyre": 6,
    "brake-bench": 0,
    "hydraulic-skidder": 11,
    "crane": 7,
}
CONSERVATIVE = ["pendulum", "double-pendulum", "slider-crank", "four-bar", "six-bar", "bricard"]


def test_every_file_is_in_the_catalogue() -> None:
    listed = {entry.removeprefix("axletree.data.models:") for entry in catalogue.MODELS.values()}
    assert listed == {path.name for path in FOLDER.iterdir()}
    assert set(FREEDOMS) == set(models())


@pytest.mark.parametrize("name", models_in_stages(models()))
def test_it_has_the_freedoms_of_the_mechanism(name: str) -> None:
    model = at.read_model(name)
    assert model.description.endswith(".")
    system = shipped_system(name)
    assert system.degrees_of_freedom == FREEDOMS[name]
    known = {q.name for q in (*system.states, *(d.quantity for d in system.outputs))}
    assert set(model.run.outputs or ()) <= known


@pytest.mark.parametrize("name", [*CONSERVATIVE, "lagrange-top"])
def test_energy_is_conserved_in_its_own_run(name: str) -> None:
    model = at.read_model(name)
    run = model.run
    trajectory = shipped_system(name).simulate(
        1.0, step=run.step, method=run.method, outputs=["energy.total", "energy.kinetic"]
    )
    energy, kinetic = trajectory["energy.total"], trajectory["energy.kinetic"]
    assert kinetic.max() > 0.1  # it moves
    assert energy.max() - energy.min() < 1e-5 * kinetic.max()


def test_the_start_is_one_that_the_mechanism_can_take() -> None:
    for name in ("slider-crank", "four-bar", "six-bar", "motor-driven-slider-crank"):
        model = at.read_model(name)
        system = shipped_system(name)
        trajectory = system.simulate(model.run.step, step=model.run.step, outputs=[])
        for quantity in system.states:
            assert trajectory[quantity.name][0] == pytest.approx(quantity.default, abs=1e-3)


def test_the_squeezer_ends_where_the_test_set_says() -> None:
    model = at.read_model("andrews-squeezer")
    run = shipped_system("andrews-squeezer").simulate(0.03, step=model.run.step, outputs=[])
    # Mazzia and Magherini 2008, II-6: at 0.03 s
    assert run["beta.angle"][-1] == pytest.approx(0.1581077119629904e2, rel=1e-5)
    assert run["theta.angle"][-1] == pytest.approx(-0.1575637105984298e2, rel=1e-5)
    assert run["epsilon.angle"][-1] == pytest.approx(0.1048080741042263e1, rel=1e-5)


def test_the_press_turns_against_its_die_and_its_powers_balance() -> None:
    model = at.read_model("motor-driven-slider-crank")
    powers = [f"{name}.power" for name in ("motor", "friction", "die")]
    outputs = [*powers, "energy.total", "die.force", "ram.position.x"]
    system = shipped_system("motor-driven-slider-crank")
    run = system.simulate(2.0, step=model.run.step, outputs=outputs)
    assert run["shaft.rate"][run.time > 1.0].min() > 20.0
    x = run["ram.position.x"]
    assert x.max() == pytest.approx(0.15 + 0.05, abs=1e-4)
    assert x.min() == pytest.approx(0.15 - 0.05, abs=1e-4)
    assert run["die.force"].max() == 0.0  # it never pulls
    assert run["die.force"].min() == pytest.approx(-40e3 * 0.015, rel=0.05)
    # Work of motor, friction and die, by the trapezium rule, is what the bodies have gained.
    stored_in_die = 0.5 * 40e3 * np.maximum(x - 0.185, 0.0) ** 2
    of_bodies = run["energy.total"] - stored_in_die
    power = sum(run[name] for name in powers)
    work = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(run.time))])
    throughput = np.sum(np.abs(run["motor.power"])) * model.run.step
    assert np.abs(of_bodies - of_bodies[0] - work).max() < 5e-4 * throughput


def pendulum() -> Model:
    model = at.Model("pendulum")
    rod = model.add(at.RigidBody("rod", mass=1.0, inertia=(0.083, 0.083, 0.0)))
    model.add(at.Revolute("pin", model.ground, rod.point(0, 0, 0.5, "top"), axis="y"))
    return model


def slider_crank() -> Model:
    model = at.Model("slider_crank")
    crank = model.add(at.RigidBody("crank", 2.0, (0.001, 0.007, 0.007)))
    rod = model.add(at.RigidBody("rod", 1.0, (0.001, 0.031, 0.031)))
    slider = model.add(at.RigidBody("slider", 1.5, (0.002, 0.002, 0.002)))
    model.add(at.Revolute("shaft", model.ground, crank.point(-0.1, 0, 0, "shaft"), axis="y"))
    pin, big_end = crank.point(0.1, 0, 0, "pin"), rod.point(-0.3, 0, 0, "big_end")
    model.add(at.Revolute("crank_pin", pin, big_end, axis="y"))
    model.add(at.Revolute("gudgeon_pin", rod.point(0.3, 0, 0, "small_end"), slider, axis="y"))
    model.add(at.Prismatic("guide", model.ground, slider, axis="x"))
    return model


def gyroscope() -> Model:
    model = at.Model("gyroscope")
    outer = model.add(at.RigidBody("outer", 0.4, (3e-3, 2e-3, 2e-3)))
    inner = model.add(at.RigidBody("inner", 0.3, (1.5e-3, 1e-3, 1e-3)))
    rotor = model.add(at.BodyOfRevolution("rotor", 1.0, 2e-3, 1.1e-3, axis="y"))
    model.add(at.Revolute("pivot", model.ground, outer, axis="z"))
    trunnion = model.add(at.Revolute("trunnion", outer, inner, axis="x"))
    model.add(at.Revolute("spin", inner, rotor, axis="y"))
    model.add(at.JointTorque("push", trunnion))
    return model


def rlc_circuit() -> Model:
    model = at.Model("rlc_circuit")
    model.add(at.VoltageSource("source", "a", "ground"))
    model.add(at.Resistor("resistor", "a", "b", 10.0))
    model.add(at.Inductor("inductor", "b", "c", 0.05))
    model.add(at.Capacitor("capacitor", "c", "ground", 20e-6))
    return model


@pytest.mark.parametrize(
    ("name", "by_hand"),
    [
        ("pendulum", pendulum),
        ("slider-crank", slider_crank),
        ("gyroscope", gyroscope),
        ("rlc-circuit", rlc_circuit),
    ],
)
def test_yaml_and_python_give_the_same_equations(name: str, by_hand: Any) -> None:
    read, made = at.read_model(name), by_hand()
    made.start = read.start
    a, b = shipped_system(name), made.formulate()
    assert a.derivatives == b.derivatives
    assert (a.states, a.inputs) == (b.states, b.inputs)
    assert sorted(a.parameters, key=lambda q: q.name) == sorted(b.parameters, key=lambda q: q.name)
