"""Composed friction in models: files, names of parameters, runs that come to rest."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from model_files.schema_check import validator
from ruamel.yaml import YAML

import axletree as at
from axletree.core.errors import ModelError
from axletree.expr import evaluate
from axletree.wheel.axis_systems import MIRROR
from axletree.wheel.bound_law import BoundLaw
from axletree.wheel.tyres.law_files import read_tyre_law, write_tyre_law

RADIUS, HEIGHT, STIFFNESS = 0.355, 0.34, 304e3
LOAD = STIFFNESS * (RADIUS - HEIGHT)
CART, WHEEL, SPIN = 400.0, 28.0, 1.56  # kg, kg, kg m^2

FILE = """
name: cart
components:
  cart: {type: rigid-body, mass: 400 kg, inertia: [1, 1, 1]}
  rail: {type: prismatic, tail: ground, head: cart, axis: x}
  wheel:
    {type: body-of-revolution, mass: 28 kg, axial_inertia: 1.56, transverse_inertia: 0.78, axis: y}
  axle: {type: revolute, tail: cart, head: wheel, axis: y}
  tyre:
    type: tyre
    joint: axle
    road: ground
    unloaded_radius: 355 mm
    normal_force: {type: linear, stiffness: 304 kN/m}
    law:
      type: composed
      slip: {type: combined, longitudinal_peak_friction: 1.1, tolerance: 20 cm/s}
      rolling_resistance: {type: constant, coefficient: 0.02}
      camber: simple-speed
      load_influence: {type: quadratic, nominal_load: 4 kN}
"""


def cart(law: object) -> at.Model:
    """A wheel under a cart on a straight track, 15 mm pressed into the road."""
    model = at.Model("rig")
    body = model.add(at.RigidBody("cart", CART, (1.0, 1.0, 1.0)))
    model.add(at.Prismatic("track", model.ground.point(0, 0, HEIGHT), body, axis="x"))
    return _with_wheel(model, body, law)


def _with_wheel(model: at.Model, body: at.RigidBody, law: object) -> at.Model:
    wheel = model.add(at.BodyOfRevolution("wheel", WHEEL, SPIN, 0.78, axis="y"))
    axle = model.add(at.Revolute("axle", body, wheel, axis="y"))
    force = at.LinearNormalForce(stiffness=STIFFNESS)
    model.add(
        at.Tyre("tyre", axle, model.ground, unloaded_radius=RADIUS, normal_force=force, law=law)
    )
    return model


# -- files --------------------------------------------------------------------------------


def test_a_model_file_composes_friction(tmp_path: Path) -> None:
    path = tmp_path / "cart.yaml"
    path.write_text(FILE)
    model = at.read_model(path)
    law = model["tyre"].law
    assert law.slip == at.CombinedFriction(longitudinal_peak_friction=1.1, tolerance=0.2)
    assert law.rolling_resistance == at.ConstantRollingResistance(0.02)
    assert law.camber == at.SimpleCamberSpeed()
    assert law.bore_torque == at.NoBoreTorque()
    at.write_model(model, tmp_path / "again.yaml")
    again = at.read_model(tmp_path / "again.yaml")
    assert again["tyre"].law == law
    written = (tmp_path / "again.yaml").read_text()
    assert "bore_torque" not in written
    assert "lateral_peak_friction" not in written


def test_its_parameters_are_named_by_their_place(tmp_path: Path) -> None:
    path = tmp_path / "cart.yaml"
    path.write_text(FILE)
    system = at.read_model(path).formulate()
    values = {q.name: q.default for q in system.parameters}
    assert values["tyre.law.slip.longitudinal_peak_friction"] == 1.1
    assert values["tyre.law.load_influence.nominal_load"] == 4000.0
    assert values["tyre.law.rolling_resistance.coefficient"] == 0.02


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("slip: {type: combined, toleranse: 1}", "toleranse"),
        ("slip: {type: combined, tolerance: 1 s}", "tolerance"),
        ("slip: sticky", "sticky"),
        ("camber: simple-speed", "slip"),
    ],
)
def test_mistakes_are_told_with_their_place(tmp_path: Path, wrong: str, said: str) -> None:
    start = FILE.index("      slip:")
    path = tmp_path / "cart.yaml"
    path.write_text(f"{FILE[:start]}      {wrong}\n")
    with pytest.raises(ModelError, match=said) as caught:
        at.read_model(path)
    assert "cart.yaml" in str(caught.value)
    assert "tyre" in str(caught.value)


def test_the_schema_knows_effects() -> None:
    content = YAML(typ="safe").load(FILE)
    assert validator().is_valid(content)
    content["components"]["tyre"]["law"]["slip"]["toleranse"] = 1.0
    assert not validator().is_valid(content)


def test_a_law_has_a_file_of_its_own(tmp_path: Path) -> None:
    law = at.AdvancedFriction(slip={"type": "rill", "steepness": 4.0}, bore_torque="none")
    write_tyre_law(law, tmp_path / "law.yaml")
    assert read_tyre_law(tmp_path / "law.yaml") == law


# -- runs ---------------------------------------------------------------------------------


def test_a_run_may_change_an_effect() -> None:
    system = cart(at.DryRollingFriction()).formulate()
    start = {"track.speed": 5.0, "axle.rate": 5.0 / HEIGHT}
    name = "tyre.law.rolling_resistance.coefficient"
    lost = []
    for coefficient in (0.01, 0.02):
        run = system.simulate(1.0, step=1e-3, initial=start, parameters={name: coefficient})
        lost.append(5.0 - run["track.speed"][-1])
    assert lost[1] == pytest.approx(2.0 * lost[0], rel=1e-2)


def test_a_cart_coasts_as_rolling_resistance_says() -> None:
    """Without slip: (m + I / h^2) v' = -f_R Fz r / h, with h the loaded radius."""
    run = cart(at.DryRollingFriction()).formulate().simulate(
        4.0, step=1e-3, initial={"track.speed": 5.0, "axle.rate": 5.0 / HEIGHT}
    )  # fmt: skip
    mass = CART + WHEEL + SPIN / HEIGHT**2
    expected = 5.0 - 4.0 * 0.01 * LOAD * RADIUS / HEIGHT / mass
    assert run["track.speed"][-1] == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("slip", ["dry", "rill", "combined"])
@pytest.mark.parametrize("speed", [3.0, -3.0])
def test_a_locked_wheel_comes_to_roll_and_to_rest(slip: str, speed: float) -> None:
    """From sliding through rolling to standing, and never the other way; energy only falls."""
    law = at.ComposedFriction(slip, rolling_resistance={"type": "constant", "coefficient": 0.1})
    run = cart(law).formulate().simulate(
        10.0, step=1e-4, record_interval=0.01, outputs=["tyre.power", "energy.total"],
        initial={"track.speed": speed, "axle.rate": 0.0},
    )  # fmt: skip
    travelled = run["track.speed"] / np.sign(speed)
    assert np.all(run["tyre.power"] <= 1e-9)
    assert np.all(np.diff(run["energy.total"]) <= 1e-6)
    assert run["axle.rate"][20] * HEIGHT == pytest.approx(run["track.speed"][20], rel=0.1)
    assert travelled[-1] < 1e-2
    assert travelled.min() > -1e-6
    assert abs(run["axle.rate"][-1]) < 0.03


def test_side_slip_that_is_held_has_a_reaction() -> None:
    """A cart that turns while it rolls: Fy = m v w, with the mass over the wheel."""
    model = at.Model("rig")
    body = model.add(at.RigidBody("cart", CART, (5.0, 5.0, 8.0)))
    model.add(at.Planar("plane", model.ground.point(0, 0, HEIGHT), body, normal="z"))
    law = at.ComposedFriction("dry-longitudinal")
    system = _with_wheel(model, body, law).formulate()
    assert system.degrees_of_freedom == 3  # along, turning, spin
    run = system.simulate(
        1.0, step=1e-3, outputs=["tyre.Fy", "tyre.VPy", "tyre.Fx"],
        initial={"plane.vx": 4.0, "plane.vy": 0.0, "plane.rate": 0.5, "axle.rate": 4.0 / HEIGHT},
    )  # fmt: skip
    assert np.abs(run["tyre.VPy"]).max() < 1e-9
    np.testing.assert_allclose(run["tyre.Fy"], (CART + WHEEL) * 4.0 * 0.5, rtol=1e-3)
    np.testing.assert_allclose(run["tyre.Fx"], 0.0, atol=1.0)


def test_lag_of_slip_is_refused() -> None:
    lag = at.ConstantLag(longitudinal_length=0.3, lateral_length=0.6)
    tyre = cart(at.DryRollingFriction())["tyre"]
    with pytest.raises(ModelError, match="feels no lag"):
        dataclasses.replace(tyre, slip=lag)


def test_a_mirrored_composition_is_the_same() -> None:
    """Its effects know no side."""
    tyre = cart(at.AdvancedFriction())["tyre"]
    contact = at.Contact(
        3000.0, 0.0, 0.0, 0.2, 5.0, lateral_speed=0.1, sliding_speed=0.05, rolling_speed=4.95,
        bore_rate=0.3, patch_length=0.1, patch_width=0.05,
    )  # fmt: skip
    plain, mirrored = (
        BoundLaw(tyre.law, signs, tyre.numbers_of("law"), None).forces(contact)
        for signs in ({}, MIRROR)
    )
    values = {q.symbol: q.default for q in tyre.parameters()}
    for name in ("Fx", "Fy", "Mx", "My", "Mz"):
        one, other = evaluate([getattr(plain, name), getattr(mirrored, name)], values)
        assert one == pytest.approx(other, rel=1e-12, abs=1e-12)
        assert one != 0.0
