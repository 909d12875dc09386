"""Friction as a whole: how effects work together, and every effect of the catalogue in it."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import numpy as np
import pytest
from mechanisms.friction import contact_of

import axletree as at
from axletree import catalogue
from axletree.components.fields import kind_of
from axletree.core.errors import ModelError
from axletree.core.registry import load
from axletree.core.units import parse_unit
from axletree.expr import as_expr, evaluate, symbol
from axletree.wheel.contract import Contact, Forces
from axletree.wheel.tyres.composed_friction import (
    AdvancedFriction,
    ComposedFriction,
    DryRollingFriction,
)

SECTIONS = {
    "slip": catalogue.FRICTION_SLIPS,
    "rolling_resistance": catalogue.ROLLING_RESISTANCES,
    "bore_torque": catalogue.BORE_TORQUES,
    "camber": catalogue.CAMBER_EFFECTS,
    "load_influence": catalogue.LOAD_INFLUENCES,
    "overturning_torque": catalogue.OVERTURNING_TORQUES,
    "aligning_torque": catalogue.ALIGNING_TORQUES,
}
EFFECTS = [(field, word) for field, words in SECTIONS.items() for word in words]
HELD = ("no-slip", "dry-longitudinal")  # slips that camber does not go with
SLIPS = [word for word in catalogue.FRICTION_SLIPS if word not in HELD]
ANSWERS = tuple(f.name for f in dataclasses.fields(Forces))
TREAD = ("sliding_speed", "lateral_speed", "rolling_speed", "bore_rate", "inclination")
SIZES = {"patch_length": 0.1, "patch_width": 0.06, "radius": 0.3}


def with_effect(field: str, word: str) -> ComposedFriction:
    """An effect with dry friction, or a slip with all that goes with it."""
    if field == "slip" and word not in HELD:
        return dataclasses.replace(AdvancedFriction(), slip=word)
    return ComposedFriction(**({"slip": "dry"} | {field: word}))


@pytest.fixture(params=EFFECTS, ids="-".join)
def law(request: pytest.FixtureRequest) -> ComposedFriction:
    return with_effect(*request.param)


def states(seed: int = 3, size: int = 20_000) -> dict[str, np.ndarray]:
    """Sliding, rolling, turning and leaning at random, over many sizes, and none of them."""
    random = np.random.default_rng(seed)
    found = {}
    for name in TREAD[:4]:
        sizes = 10.0 ** random.uniform(-9.0, 2.0, size)
        found[name] = random.choice([-1.0, 0.0, 1.0], size) * sizes
    found["inclination"] = random.choice([0.0, 1.0], size) * random.uniform(-1.5, 1.5, size)
    return found


def told(contact: dict[str, Any], load: Any = 3000.0) -> Contact:
    rest = {k: v for k, v in contact.items() if k not in TREAD[:3]}
    return contact_of(*(contact[name] for name in TREAD[:3]), load=load, **SIZES, **rest)


def answers(law: ComposedFriction, contact: Contact, shape: tuple[int, ...]) -> dict[str, Any]:
    forces = law(contact)
    return {name: np.broadcast_to(getattr(forces, name), shape) for name in ANSWERS}


# -- every effect -------------------------------------------------------------------------


@pytest.mark.parametrize(("field", "word"), EFFECTS)
def test_is_declared_in_full(field: str, word: str) -> None:
    kind = load("effect", word, SECTIONS[field])
    assert kind.summary
    assert kind.__doc__
    assert getattr(at, kind.__name__) is kind
    for item in dataclasses.fields(kind):
        declared = kind_of(item)
        assert declared is not None
        parse_unit(declared.unit)
        assert len(declared.description) > 3


def test_is_finite_everywhere(law: ComposedFriction) -> None:
    known = states()
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        for load_ in (0.0, 1e-9, 3000.0, 1e6):
            found = answers(law, told(known, load_), known["bore_rate"].shape)
            assert all(np.isfinite(value).all() for value in found.values())


def test_friction_takes_power(law: ComposedFriction) -> None:
    """Sliding, spinning and boring lose power; camber, trail and righting are left out."""
    plain = dataclasses.replace(
        law, camber="none", aligning_torque="none", overturning_torque="none"
    )
    known = states()
    f = answers(plain, told(known), known["bore_rate"].shape)
    sliding = f["Fx"] * known["sliding_speed"] + f["Fy"] * known["lateral_speed"]
    assert np.all(sliding <= 0.0)
    assert np.all(f["My"] * known["rolling_speed"] <= 0.0)
    assert np.all(f["Mz"] * known["bore_rate"] <= 0.0)


def test_camber_shifts_the_sliding_that_friction_takes_power_from(law: ComposedFriction) -> None:
    """With the speed that camber adds, sliding loses power in every state."""
    known = states()
    contact = told(known)
    p = {name: law.camber.numbers[name] for name in law.camber.numbers}
    added = law.camber.lateral_speed(contact, contact.rolling_speed, p)
    f = answers(law, contact, known["bore_rate"].shape)
    lost = f["Fx"] * known["sliding_speed"] + f["Fy"] * (known["lateral_speed"] + added)
    assert np.all(lost <= 0.0)


def test_rolling_the_other_way_is_the_mirror_image(law: ComposedFriction) -> None:
    """Seen from behind, x and y turn round: Fx, Fy, Mx, My with them, Fz and Mz not."""
    known = states()
    turned = {name: value if name == "bore_rate" else -value for name, value in known.items()}
    shape = known["bore_rate"].shape
    one, other = answers(law, told(known), shape), answers(law, told(turned), shape)
    for name in ANSWERS:
        sign = 1.0 if name == "Mz" else -1.0
        np.testing.assert_allclose(other[name], sign * one[name], rtol=1e-12, atol=1e-12)


def test_arrays_floats_and_expressions_agree(law: ComposedFriction) -> None:
    known = states(seed=5, size=40)
    by_array = answers(law, told(known), (40,))
    inputs = {name: symbol(name) for name in TREAD}
    p = {name: symbol(f"p.{name}") for name in law.numbers}
    forces = law.forces(told(inputs), p)
    values = {inputs[name]: value for name, value in known.items()}
    values |= {p[name]: value for name, value in law.numbers.items()}
    by_graph = evaluate([as_expr(getattr(forces, name)) for name in ANSWERS], values)
    for name, graph in zip(ANSWERS, by_graph, strict=True):
        np.testing.assert_allclose(graph * np.ones(40), by_array[name], rtol=1e-11, atol=1e-11)
    for k in range(40):
        by_float = law(told({name: float(value[k]) for name, value in known.items()}))
        for name in ANSWERS:
            assert getattr(by_float, name) == pytest.approx(by_array[name][k], rel=1e-11, abs=1e-11)


def test_sympy_agrees(law: ComposedFriction) -> None:
    sympy = pytest.importorskip("sympy")
    known = {
        "sliding_speed": -0.2, "lateral_speed": 0.15, "rolling_speed": -4.0, "bore_rate": 0.5,
        "inclination": 0.2,
    }  # fmt: skip
    symbols = {name: sympy.Symbol(name, real=True) for name in TREAD}
    forces, expected = law(told(symbols)), law(told(known))
    values = {symbols[name]: sympy.Float(known[name]) for name in TREAD}
    for name in ANSWERS:
        found = sympy.sympify(getattr(forces, name)).xreplace(values)
        assert float(found) == pytest.approx(getattr(expected, name), rel=1e-9, abs=1e-9)


# -- how they work together ---------------------------------------------------------------


@pytest.mark.parametrize("slip", SLIPS)
def test_surface_and_load_scale_forces_and_bore_torque(slip: str) -> None:
    law = dataclasses.replace(AdvancedFriction(), slip=slip)
    contact = told(dict(zip(TREAD, (0.1, -0.2, 8.0, 0.5, 0.1), strict=True)), load=4500.0)
    dry, wet = law(contact), law(dataclasses.replace(contact, friction=0.4))
    assert (wet.Fx, wet.Fy) == pytest.approx((0.4 * dry.Fx, 0.4 * dry.Fy))
    assert wet.Mz == pytest.approx(0.4 * dry.Mz)
    assert (wet.Mx, wet.My) == (dry.Mx, dry.My)
    linear = dataclasses.replace(law, load_influence="linear")(contact)
    assert dry.Fx == pytest.approx(0.875 * linear.Fx)  # figure 3.23
    ice = law(dataclasses.replace(contact, friction=0.0))
    assert (ice.Fx, ice.Fy, ice.Mz) == (0.0, 0.0, 0.0)


def test_camber_pushes_to_the_side_of_leaning_in_both_directions() -> None:
    for camber, rolling in itertools.product(("simple-speed", "combined-speed"), (5.0, -5.0)):
        law = ComposedFriction(slip="dry", camber=camber)
        to_the_right = law(told(dict(zip(TREAD, (0.0, 0.0, rolling, 0.0, 0.2), strict=True))))
        assert to_the_right.Fy < 0.0
        assert to_the_right.Fx == 0.0


def test_slip_and_forward_speed_stand_for_velocities() -> None:
    """Where only slip is told: S = -V_Ex / |V|, tan(alpha) = V_Py / |V|, Omega R = V - V_Ex."""
    law = AdvancedFriction()
    for speed, S, alpha in ((12.0, 0.05, -0.04), (-7.0, -0.1, 0.02)):
        by_slip = Contact(2000.0, S, alpha, forward_speed=speed)
        sliding, lateral = -S * abs(speed), np.tan(alpha) * abs(speed)
        by_speed = contact_of(sliding, lateral, speed - sliding, 2000.0)
        assert dataclasses.astuple(law(by_slip)) == dataclasses.astuple(law(by_speed))


def test_friction_is_continuous_through_a_stop() -> None:
    """A wheel with side slip and lean that slows down, stops and rolls back."""
    rolling = np.linspace(-0.5, 0.5, 200_001)
    fixed = {"sliding_speed": 0.02, "lateral_speed": 0.05, "bore_rate": 0.3, "inclination": 0.2}
    known = {name: np.full_like(rolling, value) for name, value in fixed.items()}
    for slip in SLIPS:
        law = dataclasses.replace(AdvancedFriction(), slip=slip)
        found = answers(law, told(known | {"rolling_speed": rolling}), rolling.shape)
        for name in ANSWERS:
            assert np.abs(np.diff(found[name])).max() < 1.0, (slip, name)  # of 3000 N


# -- ready combinations -------------------------------------------------------------------


def test_ready_combinations_are_those_of_the_catalogue_of_effects() -> None:
    advanced = ComposedFriction(
        slip="combined",
        rolling_resistance="speed-dependent",
        bore_torque="combined",
        camber={"type": "combined-speed", "gain": 1.0},
        load_influence="quadratic",
        overturning_torque="linear",
        aligning_torque="rill",
    )
    dry = ComposedFriction(slip="dry", rolling_resistance="constant")
    contact = told(dict(zip(TREAD, (0.1, -0.2, 8.0, 0.5, 0.1), strict=True)))
    assert AdvancedFriction()(contact) == advanced(contact)
    assert DryRollingFriction()(contact) == dry(contact)


def test_without_side_slip_there_is_neither_trail_nor_camber() -> None:
    with pytest.raises(ModelError) as caught:
        ComposedFriction(slip="dry-longitudinal", camber="simple-speed", aligning_torque="rill")
    assert len(caught.value.problems) == 2
    assert "camber needs a side slip" in caught.value.problems[0]
    assert ComposedFriction(slip="dry-longitudinal").holds_lateral


def test_problems_of_effects_name_their_place() -> None:
    wrong = {"type": "dry", "adhesion_speed": -1.0, "peak_friction": "a lot"}
    with pytest.raises(ModelError) as caught:
        ComposedFriction(slip=wrong, camber="sideways")
    text = "\n".join(caught.value.problems)
    assert "slip: DryFriction, adhesion_speed" in text
    assert "peak_friction" in text
    assert "camber: unknown part 'sideways'" in text
