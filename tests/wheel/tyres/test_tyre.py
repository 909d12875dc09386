"""The tyre as a whole: its shape, its side, and what it tells the law."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mechanisms.tyre import RADIUS, STIFFNESS, Wheel, respond, told, tyre_with
from scipy.spatial.transform import Rotation

import axletree as at
from axletree.core.errors import ModelError
from axletree.expr import count_operations, symbols_of
from axletree.wheel.axis_systems import TyreSide
from axletree.wheel.contract import Contact
from axletree.wheel.tyre import Tyre

FIALA = at.Fiala(**at.Fiala.example)
MF52 = at.MagicFormula52(**at.MagicFormula52.example)
MF62 = at.MagicFormula62(**at.MagicFormula62.example)
LENGTHS = {"PTX1": 2.3, "PTX2": 1.4, "PTX3": 0.5, "PTY1": 2.1, "PTY2": 2.0}
TOROID = at.Toroid(crown_radius=0.1)
UP = np.array([0.0, 0.0, 1.0])
LEANING = Wheel(
    (12.0, 0.5, -0.1), 45.0, 0.29, Rotation.from_euler("ZX", (0.3, 0.4)).as_matrix(),
    (0.2, 0.1, 0.5), (0.03, 0.02),
)  # fmt: skip
MIRROR = np.diag([1.0, -1.0, 1.0])


def in_mirror(wheel: Wheel) -> Wheel:
    """The wheel as a mirror along its xz plane shows it; angular velocities are axial."""
    return replace(
        wheel,
        velocity=tuple(MIRROR @ wheel.velocity),
        turn=MIRROR @ wheel.turn @ MIRROR,
        angular_velocity=tuple(-MIRROR @ wheel.angular_velocity),
        states=(wheel.states[0], -wheel.states[1]),
    )


# -- shape ------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [at.PlanarDisc(), TOROID])
def test_loads_at_the_centre_are_those_of_the_contact_point(shape: Any) -> None:
    """Moments and power from the place of the contact point, found by hand."""
    tyre, R = tyre_with(law=MF52, contact=shape), LEANING.turn
    found = told(tyre, LEANING)
    u, crown = R[:, 1], shape.numbers.get("crown_radius", 0.0)
    x = np.cross(u, UP) / np.linalg.norm(np.cross(u, UP))
    y, in_plane = np.cross(UP, x), (UP - u * u[2]) / math.sqrt(1.0 - u[2] ** 2)
    r = -(found["loaded_radius"] - crown) * in_plane - crown * UP
    assert r[2] == pytest.approx(-LEANING.height)
    F = found["Fx"] * x + found["Fy"] * y + found["Fz"] * UP
    M = found["Mx"] * x + found["My"] * y + found["Mz"] * UP
    assert found["Fz"] == pytest.approx(STIFFNESS * (RADIUS - found["loaded_radius"]))
    assert R @ [found[f"force.{axis}"] for axis in "xyz"] == pytest.approx(F)
    assert R @ [found[f"moment.{axis}"] for axis in "xyz"] == pytest.approx(M + np.cross(r, F))
    assert found["torque"] == pytest.approx((M + np.cross(r, F)) @ u)
    w = np.array(LEANING.angular_velocity) + LEANING.rate * u
    power = F @ (np.array(LEANING.velocity) + np.cross(w, r)) + M @ w
    assert found["power"] == pytest.approx(power)


def test_a_leaning_torus_carries_more_than_a_disc_at_one_height() -> None:
    disc, torus = (told(tyre_with(law=MF52, contact=c), LEANING) for c in ("disc", TOROID))
    gained = (1.0 - math.cos(disc["inclination"])) / math.cos(disc["inclination"]) * 0.1
    assert torus["Fz"] - disc["Fz"] == pytest.approx(STIFFNESS * gained)


def test_a_crown_larger_than_the_wheel_is_refused() -> None:
    with pytest.raises(ModelError, match="crown_radius of the contact must be less than"):
        tyre_with(law=FIALA, contact=at.Toroid(crown_radius=RADIUS))


# -- sides ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("of_law", "of_tyre", "switch", "mirrored"),
    [
        ("either", "either", False, False),
        ("either", "left", False, False),
        ("left", "either", False, False),
        ("left", "left", False, False),
        ("left", "right", False, True),
        ("right", "left", False, True),
        ("either", "right", True, True),
        ("right", "either", True, True),
    ],
)
def test_the_rule_of_sides(of_law: str, of_tyre: str, switch: bool, mirrored: bool) -> None:
    tyre = tyre_with(law=replace(MF52, side=of_law), side=of_tyre, mirrored=switch)
    plain = tyre_with(law=MF52)
    seen = told(plain, in_mirror(LEANING) if mirrored else LEANING)
    found = told(tyre, LEANING)
    sign = -1.0 if mirrored else 1.0
    for name in ("Fy", "Mx", "Mz"):
        assert found[name] == pytest.approx(sign * seen[name])
    for name in ("Fx", "My", "Fz"):
        assert found[name] == pytest.approx(seen[name])


def test_what_the_sides_tell_is_not_told_twice() -> None:
    with pytest.raises(ModelError, match="the sides of tyre and law tell what mirrored would"):
        tyre_with(law=replace(MF52, side=TyreSide.LEFT), side="right", mirrored=True)


@pytest.mark.parametrize("shape", ["disc", TOROID])
def test_a_mirrored_tyre_in_a_mirrored_world_is_the_tyre(shape: Any) -> None:
    law = replace(MF62, turn_slip=True)
    slip = at.ConstantLag(longitudinal_length=0.2, lateral_length=0.5)
    one = told(tyre_with(law=law, contact=shape, slip=slip), LEANING)
    other = told(tyre_with(law=law, contact=shape, slip=slip, mirrored=True), in_mirror(LEANING))
    turned = {"Fy", "Mx", "Mz", "inclination", "slip_angle", "turn_slip", "VPy", "rate2"}
    turned |= {"force.y", "moment.x", "moment.z", "contact_point.y", "forward.y", "normal.y"}
    for name, value in one.items():
        assert other[name] == pytest.approx(-value if name in turned else value), name


# -- turn slip and pressure -------------------------------------------------------------


def test_turn_slip_is_the_curvature_of_the_path() -> None:
    """On a circle of 20 m to the left, forwards and backwards."""
    tyre = tyre_with(law=FIALA)
    for speed in (8.0, -8.0):
        wheel = Wheel((speed, 0.0, 0.0), angular_velocity=(0.0, 0.0, abs(speed) / 20.0))
        assert told(tyre, wheel)["turn_slip"] == pytest.approx(1.0 / 20.0)
    drifting = Wheel((3.0, 4.0, 0.0), angular_velocity=(0.0, 0.0, 1.0))
    assert told(tyre, drifting)["turn_slip"] == pytest.approx(1.0 / 5.0)


def test_turn_slip_counts_the_turning_of_the_forward_direction() -> None:
    """Of a leaning wheel, whose carrier rolls, pitches and yaws: by finite differences."""
    step, w = 1e-6, np.array(LEANING.angular_velocity)

    def heading(time: float) -> float:
        u = (Rotation.from_rotvec(w * time).as_matrix() @ LEANING.turn)[:, 1]
        x = np.cross(u, UP)
        return math.atan2(x[1], x[0])

    yaw_rate = (heading(step) - heading(-step)) / (2.0 * step)
    found = told(tyre_with(law=FIALA), LEANING)
    rolling_speed = found["VEx"] + found["spin_rate"] * found["effective_radius"]
    speed = math.hypot(rolling_speed, found["VPy"])
    assert found["turn_slip"] == pytest.approx(yaw_rate / speed, rel=1e-6)


def test_a_wheel_that_turns_on_the_spot_has_a_finite_turn_slip_and_is_held_back() -> None:
    law = replace(MF62, turn_slip=True)
    found = told(tyre_with(law=law), Wheel(angular_velocity=(0.0, 0.0, 0.5)))
    assert found["turn_slip"] == pytest.approx(0.5 / 0.5)
    assert found["Mz"] < -1.0


def test_the_law_is_told_turn_slip_and_pressure() -> None:
    law = replace(MF62, turn_slip=True)
    tyre = tyre_with(law=law, inflation_pressure="1.8 bar")
    wheel = Wheel((15.0, 0.3, 0.0), 49.0, angular_velocity=(0.0, 0.0, 0.6))
    found = told(tyre, wheel)
    contact = Contact(
        normal_load=found["Fz"],
        longitudinal_slip=found["slip"],
        slip_angle=found["slip_angle"],
        forward_speed=15.0,
        spin_rate=49.0,
        turn_slip=found["turn_slip"],
        inflation_pressure=1.8e5,
    )
    assert found["Fy"] == pytest.approx(law(contact).Fy)
    assert found["Mz"] == pytest.approx(law(contact).Mz)
    for other in (replace(contact, turn_slip=0.0), replace(contact, inflation_pressure=None)):
        assert found["Fy"] != pytest.approx(law(other).Fy, rel=1e-4)


def test_laws_that_do_not_ask_do_not_pay() -> None:
    """Whatever the law is not told of is not computed, and has no parameter."""
    tyre = tyre_with(law=FIALA)
    assert "tyre.inflation_pressure" not in {q.name for q in tyre.parameters()}
    found = respond(tyre)
    loads = [*found.loads[0].force, *found.loads[0].moment, found.joint_loads[0].effort]
    with_turning = [
        *loads,
        next(c for c in found.intermediates if c.suffix == "turn_slip").expression,
    ]
    assert count_operations(with_turning).divisions == count_operations(loads).divisions + 1
    pressed = tyre_with(law=MF62, inflation_pressure=2e5)
    assert "tyre.inflation_pressure" in {
        s.name for s in symbols_of(respond(pressed).loads[0].force)
    }


def test_a_pressure_that_would_do_nothing_is_refused() -> None:
    with pytest.raises(ModelError, match="inflation_pressure has no effect on the law, Fiala"):
        tyre_with(law=FIALA, inflation_pressure=2e5)
    with pytest.raises(ModelError, match=r"tyre.inflation_pressure: 0 Pa is not allowed"):
        tyre_with(law=MF62, inflation_pressure=0.0)


# -- lag by the law ---------------------------------------------------------------------


@pytest.mark.parametrize("law", [replace(MF52, **LENGTHS), MF62])
def test_slip_lags_by_the_lengths_of_the_law(law: at.TyreLaw) -> None:
    """From no slip the rates are the sliding speeds over the lengths (3.22, 3.23)."""
    tyre = tyre_with(law=law, slip="law-lag")
    found = told(tyre, replace(LEANING, states=(0.0, 0.0)))
    lengths = law.relaxation_lengths(
        Contact(found["Fz"], 0.0, 0.0, found["inclination"], forward_speed=12.0), law.numbers
    )
    assert 0.05 < lengths.longitudinal < 2.0
    assert -found["VEx"] / found["rate1"] == pytest.approx(lengths.longitudinal)
    assert found["VPy"] / found["rate2"] == pytest.approx(lengths.lateral)


def test_pressure_changes_the_lengths() -> None:
    soft, hard = (
        told(tyre_with(law=MF62, slip="law-lag", inflation_pressure=p), Wheel((10.0, 1.0, 0.0)))
        for p in (1.6e5, 2.8e5)
    )
    assert soft["rate2"] != pytest.approx(hard["rate2"], rel=1e-3)


def test_in_the_air_the_lengths_of_the_law_do_not_vanish() -> None:
    wheel = Wheel((10.0, 1.0, 0.0), 20.0, RADIUS + 0.1)
    found = told(tyre_with(law=MF62, slip="law-lag"), wheel)
    assert found["rate2"] == pytest.approx(1.0 / 0.02)


@pytest.mark.parametrize("law", [FIALA, MF52, at.LinearTyre(5e4, 5e4)])
def test_a_law_without_lengths_is_refused(law: at.TyreLaw) -> None:
    kind = type(law).__name__
    with pytest.raises(ModelError, match=f"this {kind} has none; give them with constant-lag"):
        tyre_with(law=law, slip=at.LawLag())


# -- files ------------------------------------------------------------------------------


def test_shape_side_and_pressure_survive_a_file(tmp_path: Path) -> None:
    model = at.Model("rig")
    cart = model.add(at.RigidBody("cart", 100.0, (1, 1, 1)))
    wheel = model.add(at.BodyOfRevolution("wheel", 20.0, 1.2, 0.7, axis="y"))
    axle = model.add(at.Revolute("axle", cart, wheel, axis="y"))
    law = replace(MF62, side=TyreSide.RIGHT, turn_slip=True)
    model.add(
        at.Tyre(
            "tyre", axle, model.ground, unloaded_radius=0.3, law=law, slip="law-lag", side="left",
            normal_force=at.LinearNormalForce(stiffness=2e5), contact=TOROID,
            inflation_pressure="2.2 bar",
        )
    )  # fmt: skip
    at.write_model(model, tmp_path / "rig.yaml")
    read = at.read_model(tmp_path / "rig.yaml")["tyre"]
    assert isinstance(read, Tyre)
    assert (read.law, read.slip, read.contact) == (law, at.LawLag(), TOROID)
    assert (read.side, read.inflation_pressure) == (TyreSide.LEFT, 2.2e5)
    assert read.parameters() == model["tyre"].parameters()
