"""Wheels that go from one ground to another."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import trapezoid

import axletree as at
from axletree.system.system import System
from axletree.wheel.soils.contract import SoilLaw, WheelInSoil
from axletree.wheel.tyres.tyre_file import new_tyre_file, write_tyre_file

RADIUS, WIDTH, MASS = 0.35, 0.2, 250.0
TYRE = at.Fiala(**{**at.Fiala.example, "peak_friction": 1.0, "sliding_friction": 0.8})
HARD, SAND = at.Paved(TYRE, 2e5), at.WongReece("lete-sand-wong", order=6)
THERE_AND_BACK = at.Border(HARD, at.Border(SAND, HARD, x=5.5), x=4.0)


@cache
def quarter(law: SoilLaw) -> System:
    model = at.Model("quarter", gravity=(0.0, 0.0, -9.81))
    sled = model.add(at.MasslessBody("sled"))
    body = model.add(at.RigidBody("body", MASS - 1.0, (5.0, 5.0, 5.0)))
    model.add(at.Prismatic("way", model.ground, sled, axis="x"))
    model.add(at.Prismatic("lift", sled, body, axis="z"))
    wheel = model.add(at.BodyOfRevolution("wheel", 1.0, 2.0, 1.0, axis="y"))
    axle = model.add(at.Revolute("axle", body, wheel, axis="y"))
    model.add(at.JointTorque("drive", axle))
    model.add(at.SoilWheel("soil", axle, model.ground, RADIUS, WIDTH, law))
    return model.formulate(form="set-valued")


def rolled(
    law: SoilLaw, step: float, torque: float = 0.0, speed: float = 5.0, sinkage: float = 0.01226
) -> at.Trajectory:
    first = {"way.speed": speed, "axle.rate": speed / RADIUS, "lift.position": RADIUS - sinkage}
    return quarter(law).simulate(
        2.5, step=step, method="complementarity", initial=first, inputs={"drive.torque": torque},
        watch=False,
    )  # fmt: skip


def stored(found: at.Trajectory, law: SoilLaw) -> np.ndarray:
    """[J], at the sinkage and place of every instant."""
    wheel = WheelInSoil(
        RADIUS, WIDTH, found["soil.slip"], lateral_slip=0.0, x=found["way.position"]
    )
    return law.at_sinkage(found["soil.sinkage"], wheel, law.numbers).stored_energy


@pytest.mark.parametrize("step", [1e-3, 5e-3])
def test_a_wheel_coasts_from_the_road_through_sand_and_back(step: float) -> None:
    found = rolled(THERE_AND_BACK, step)
    x, load = found["way.position"], found["soil.normal_force"]
    assert x[-1] > 9.0
    assert 0.7 * MASS * 9.81 < load.min() < load.max() < 1.3 * MASS * 9.81
    energy = found["energy.kinetic"] + found["energy.potential"] + stored(found, THERE_AND_BACK)
    assert (np.diff(energy) < 0.0).all()
    for name in ("normal_force", "drawbar_pull", "resistance", "sinkage"):
        course = found[f"soil.{name}"]
        jump = np.abs(np.diff(course)).max() / np.ptp(course)
        assert jump < 0.15 * step / 1e-3, name
    pushes = found["soil.edge_force"][(x > 3.85) & (x < 5.65)]
    assert pushes.min() < 0.0 < pushes.max()
    assert not found["soil.edge_force"][(x < 3.85) | (x > 5.65)].any()


@pytest.mark.parametrize(("law", "place"), [(HARD, 3.0), (SAND, 4.8), (HARD, 9.0)])
def test_before_and_after_it_goes_on_as_by_one_law(law: SoilLaw, place: float) -> None:
    """From the state that a driven wheel has there, with all forces of the next steps."""
    found = rolled(THERE_AND_BACK, 5e-3, torque=60.0)
    k = int(np.searchsorted(found["way.position"], place))
    names = ("way.position", "way.speed", "lift.position", "lift.speed", "axle.rate")
    first = {name: found[name][k] for name in names}
    one, other = (
        quarter(own).simulate(
            0.015,
            step=5e-3,
            method="complementarity",
            initial=first,
            inputs={"drive.torque": 60.0},
            watch=False,
        )  # fmt: skip
        for own in (law, THERE_AND_BACK)
    )
    for name in ("traction", "resistance", "normal_force", "torque", "slip", "sinkage"):
        assert other[f"soil.{name}"] == pytest.approx(one[f"soil.{name}"], rel=1e-9), name


def test_climbing_out_of_a_rut_takes_what_falling_in_gave() -> None:
    """And more: what has become heat on the way down is not given back."""
    found = rolled(THERE_AND_BACK, 1e-3, speed=4.0)
    x = found["way.position"]
    edge, speed = found["soil.edge_force"], found["way.speed"]
    into, out = ((x > a) & (x < a + 0.3) for a in (3.85, 5.35))
    works = [trapezoid((edge * speed)[part], found.time[part]) for part in (into, out)]
    assert works[1] < 0.0
    assert sum(works) < 0.0


def test_left_wheels_on_a_soft_spot_and_right_ones_beside_it() -> None:
    spot = at.SoilPatch(at.WongReece("dry-sand-lll", order=6), length=2.0, width=1.0, x=3.0, y=0.8)
    law = at.SoilMap(HARD, [spot])
    model = at.Model("axle", gravity=(0.0, 0.0, -9.81))
    body = model.add(at.RigidBody("body", 2.0 * MASS - 2.0, (60.0, 60.0, 60.0)))
    model.add(at.Free("place", model.ground, body))
    for side, y in (("left", 0.8), ("right", -0.8)):
        hub = model.add(at.MasslessBody(f"{side}_hub"))
        model.add(at.Weld(f"{side}_arm", body, hub, offset=(0.0, y, 0.0)))
        wheel = model.add(at.BodyOfRevolution(f"{side}_wheel", 1.0, 2.0, 1.0, axis="y"))
        axle = model.add(at.Revolute(f"{side}_axle", hub, wheel, axis="y"))
        model.add(at.SoilWheel(side, axle, model.ground, RADIUS, WIDTH, law))
    first = {"place.vx": 4.0, "place.z": RADIUS - 0.01226}
    first |= {f"{side}_axle.rate": 4.0 / RADIUS for side in ("left", "right")}
    found = model.formulate(form="set-valued").simulate(
        0.7, step=5e-3, method="complementarity", initial=first, watch=False
    )
    inside = found["place.x"] > 2.3
    assert found["left.sinkage"][inside].max() > 0.03
    assert found["right.sinkage"].max() < 0.02
    assert found["left.resistance"][inside].max() > 100.0
    assert not found["right.resistance"].any()
    assert found["place.yaw"][-1] > 0.001
    assert found["place.roll"][-1] < -0.01


MODEL = """
name: rig
components:
  sled: {type: massless-body}
  body: {type: rigid-body, mass: 249 kg, inertia: [5, 5, 5]}
  way: {type: prismatic, tail: ground, head: sled, axis: x}
  lift: {type: prismatic, tail: sled, head: body, axis: z}
  wheel: {type: body-of-revolution, mass: 1, axial_inertia: 2, transverse_inertia: 1, axis: y}
  axle: {type: revolute, tail: body, head: wheel, axis: y}
  soil:
    type: soil-wheel
    joint: axle
    road: ground
    radius: 0.35 m
    width: 0.2 m
    law:
      type: soil-map
      ground: {type: paved, stiffness: 200 kN/m, tyre: {type: property-file, file: tyre.tir}}
      patches:
        - type: rectangle
          law: {type: wong-reece, soil: lete-sand-wong, passes: 2, order: 6}
          x: 5 m
          length: 2 m
          width: 1 m
"""


def test_a_model_file_has_maps_and_property_files(tmp_path: Path) -> None:
    law = at.MagicFormula62(**at.MagicFormula62.example)
    numbers = dict(law.numbers)
    sections = {
        "MODEL": {"FITTYP": 62.0},
        "VERTICAL": {"FNOMIN": numbers.pop("FNOMIN")},
        "PARAMETER": numbers,
    }
    write_tyre_file(new_tyre_file("tyre.tir", sections), tmp_path / "tyre.tir")
    (tmp_path / "rig.yaml").write_text(MODEL)
    model = at.read_model(tmp_path / "rig.yaml")
    soil = model["soil"]
    assert soil.law.ground.tyre == law
    assert soil.law.patches[0].law.passes == 2
    first = {"way.speed": 6.0, "axle.rate": 6.0 / 0.35, "lift.position": 0.338}
    found = model.formulate(form="set-valued").simulate(
        1.0, step=5e-3, method="complementarity", initial=first, watch=False
    )
    x = found["way.position"]
    assert not found["soil.resistance"][x < 3.8].any()
    assert found["soil.resistance"][(x > 4.5) & (x < 5.5)].min() > 50.0
    at.write_model(model, tmp_path / "again.yaml")
    assert at.read_model(tmp_path / "again.yaml")["soil"].law == soil.law
