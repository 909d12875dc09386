"""Hard ground under a tyre, as a soil law."""

from __future__ import annotations

import math

import numpy as np
import pytest

import axletree as at
from axletree.catalogue import TYRES
from axletree.core.errors import ModelError
from axletree.core.registry import load
from axletree.expr import evaluate, symbol, symbols_of
from axletree.wheel.contract import Contact
from axletree.wheel.soils.contract import WheelInSoil

STIFFNESS = 2e5
FIALA = at.Paved(at.Fiala(**at.Fiala.example), STIFFNESS)
MAGIC = at.Paved(at.MagicFormula62(**at.MagicFormula62.example), STIFFNESS)


@pytest.mark.parametrize("law", [FIALA, MAGIC])
@pytest.mark.parametrize("slip", [-0.3, -0.05, 0.0, 0.04, 0.5])
@pytest.mark.parametrize("angle", [-0.1, 0.0, 0.05])
def test_forces_are_those_of_the_tyre(law: at.Paved, slip: float, angle: float) -> None:
    kappa = slip / (1.0 - slip) if slip > 0.0 else slip
    contact = Contact(3000.0, kappa, angle, 0.03, (1.0 - max(slip, 0.0)) * 20.0, 20.0 / 0.35)
    expected = law.tyre(contact)
    wheel = WheelInSoil(0.35, 0.2, slip, angle, inclination=0.03, speed=20.0)
    found = law(3000.0, wheel)
    assert found.gross_traction == pytest.approx(expected.Fx, rel=1e-8)
    assert found.lateral_force == pytest.approx(expected.Fy, rel=1e-9, abs=1e-6)
    assert found.aligning_moment == pytest.approx(expected.Mz, rel=1e-9, abs=1e-9)
    assert found.overturning_moment == pytest.approx(expected.Mx, rel=1e-9, abs=1e-9)
    assert found.rolling_moment == pytest.approx(-expected.My, rel=1e-9)
    assert found.torque == pytest.approx(0.35 * expected.Fx - expected.My, rel=1e-8)


def test_it_gives_like_a_spring() -> None:
    found = FIALA(3000.0, WheelInSoil(0.35, 0.2))
    assert found.sinkage == pytest.approx(3000.0 / STIFFNESS)
    assert found.stored_energy == pytest.approx(0.5 * STIFFNESS * found.sinkage**2)
    assert FIALA.at_sinkage(-0.01, WheelInSoil(0.35, 0.2), FIALA.numbers).normal_force == 0.0


def test_a_tyre_for_the_other_side_is_a_mirror_image() -> None:
    mirrored = at.Paved(MAGIC.tyre, STIFFNESS, mirrored=True)
    one = MAGIC(3000.0, WheelInSoil(0.35, 0.2, 0.02, 0.03, inclination=0.05))
    other = mirrored(3000.0, WheelInSoil(0.35, 0.2, 0.02, -0.03, inclination=-0.05))
    assert other.gross_traction == pytest.approx(one.gross_traction, rel=1e-12)
    for name in ("lateral_force", "aligning_moment", "overturning_moment"):
        assert getattr(other, name) == pytest.approx(-getattr(one, name), rel=1e-12), name


def test_floats_arrays_and_expressions_agree() -> None:
    slips = np.array([-0.2, 0.0, 0.1])
    arrays = MAGIC.grip_under_load(3000.0, WheelInSoil(0.35, 0.2, slips, 0.02), MAGIC.numbers)
    slip = symbol("slip")
    written = MAGIC.grip_under_load(3000.0, WheelInSoil(0.35, 0.2, slip, 0.02), MAGIC.numbers)
    for k, value in enumerate(slips):
        single = MAGIC.grip_under_load(3000.0, WheelInSoil(0.35, 0.2, value, 0.02), MAGIC.numbers)
        for name in ("thrust", "thrust_slope", "side_stiffness", "greatest_thrust"):
            (found,) = evaluate([getattr(written, name)], {slip: value})
            expected = getattr(single, name)
            assert found == pytest.approx(expected, rel=1e-12), name
            assert np.broadcast_to(getattr(arrays, name), 3)[k] == pytest.approx(expected), name


def tyre_laws() -> list[str]:
    """All but those that hold the wheel, and that which stands for C text to come."""
    return [n for n in TYRES if not load("law", n, TYRES).holds and n != "external"]


@pytest.mark.parametrize("name", tyre_laws())
def test_every_law_of_tyres_has_a_grip(name: str) -> None:
    kind = load("law", name, TYRES)
    law = at.Paved(kind(**kind.example), STIFFNESS)
    slips = np.array([-1.0, -0.3, -0.02, 0.0, 0.02, 0.3, 1.0])
    for across in (0.0, 0.2, -5.0):
        wheel = WheelInSoil(0.35, 0.2, slips, lateral_slip=across)
        grip = law.grip_under_load(3000.0, wheel, law.numbers)
        assert all(np.all(np.isfinite(value)) for value in grip.flat().values())
        assert np.all(grip.thrust_slope * np.abs(slips) <= grip.thrust * (1.0 + 1e-9) + 1e-9)
        assert np.all(grip.greatest_thrust >= grip.thrust)


def test_an_external_law_has_a_slope_by_differences() -> None:
    law = at.Paved(at.ExternalLaw(**at.ExternalLaw.example), STIFFNESS)
    slip = symbol("slip")
    grip = law.grip_under_load(symbol("load"), WheelInSoil(0.35, 0.2, slip), law.numbers)
    assert slip in symbols_of([grip.thrust_slope])


def test_laws_that_hold_the_wheel_are_refused() -> None:
    with pytest.raises(ModelError, match="NoSlip holds the wheel in place of forces over slip"):
        at.Paved(at.NoSlip(), STIFFNESS)


# -- beside the tyre -------------------------------------------------------------------------
LAWS = {"fiala": FIALA.tyre, "magic-formula": MAGIC.tyre}
OUTPUTS = {
    "drawbar_pull": "Fx",
    "lateral_force": "Fy",
    "normal_force": "Fz",
    "aligning_moment": "Mz",
    "overturning_moment": "Mx",
}


def rig(name: str, *, paved: bool) -> at.Model:
    """Both roll at the radius without load, and are pressed in along the road's normal."""
    model = at.Model("rig", gravity=(0.0, 0.0, -9.81))
    body = model.add(at.RigidBody("body", 250.0, (5.0, 5.0, 5.0)))
    model.add(at.Free("place", model.ground, body))
    wheel = model.add(at.BodyOfRevolution("wheel", 1.0, 2.0, 1.0, axis="y"))
    axle = model.add(at.Revolute("axle", body, wheel, axis="y"))
    law = LAWS[name]
    if paved:
        ground, support = at.Paved(law, STIFFNESS), at.OwnSupport(0.0)
        model.add(at.SoilWheel("tyre", axle, model.ground, 0.35, 0.2, ground, support))
    else:
        spring, disc = at.LinearNormalForce(STIFFNESS), at.PlanarDisc(deflects="normal")
        others = {"rolling_radius": "unloaded", "contact": disc}
        model.add(at.Tyre("tyre", axle, model.ground, 0.35, spring, law, **others))
    return model


@pytest.mark.parametrize("name", LAWS)
def test_it_is_the_tyre_component(name: str) -> None:
    """Forces at one motion; a push or a moment of the tyre is the same load in both."""
    soft, hard = (rig(name, paved=paved).formulate() for paved in (True, False))
    for slip, drift, lean in ((-0.1, 0.3, 0.0), (0.05, -0.5, 0.0), (0.02, 0.2, 0.1)):
        first = {
            "place.z": 0.35 * math.cos(lean) - 0.012,
            "place.roll": lean,
            "place.vx": 12.0,
            "place.vy": drift * math.cos(lean),
            "place.vz": -drift * math.sin(lean),
            "axle.rate": 12.0 * (1.0 + slip) / 0.35,
        }
        found, expected = (
            system.simulate(1e-9, step=1e-9, initial=first, method="rk4") for system in (soft, hard)
        )
        for own, other in OUTPUTS.items():
            if f"tyre.{own}" in found.names:
                value = expected[f"tyre.{other}"][0]
                assert found[f"tyre.{own}"][0] == pytest.approx(value, rel=1e-6, abs=1e-3), own
        rolling = found["tyre.rolling_moment"][0]
        assert rolling == pytest.approx(-expected["tyre.My"][0], rel=1e-6)
        torque = 0.35 * expected["tyre.Fx"][0] - expected["tyre.My"][0]
        turned = expected["tyre.Mz"][0] * math.sin(lean)
        assert found["tyre.torque"][0] == pytest.approx(torque - turned, rel=1e-6)
