"""One tyre in three axis systems and on both sides: by hand, and by what a mirror shows."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from axletree.core.errors import ModelError
from axletree.wheel.axis_systems import MIRROR, AxisSystem, Signs, TyreSide
from axletree.wheel.contract import Contact, Forces
from axletree.wheel.tyres.magic_formula import (
    MagicFormula,
    MagicFormula52,
    MagicFormula61,
    MagicFormula62,
)
from axletree.wheel.tyres.magic_formula_coefficients import converted, makes_a_side

VERSIONS = (MagicFormula52, MagicFormula61, MagicFormula62)
# A tyre with a cornering stiffness, ply steer, conicity, camber thrust and a residual
# moment, written down by hand in each system.
COMMON = {
    "FNOMIN": 4000.0, "UNLOADED_RADIUS": 0.3, "PCY1": 1.3, "PDY1": 1.0, "PKY2": 1.8,
    "PCX1": 1.6, "PDX1": 1.1, "PKX1": 22.0, "QCZ1": 1.1, "QBZ1": 9.0, "QDZ1": 0.1, "LONGVL": 16.7,
}  # fmt: skip
BY_HAND = {
    AxisSystem.ISO: {"PKY1": -20.0, "PHY1": 0.003, "PVY1": 0.02, "PVY3": -0.4, "QDZ6": 0.001},
    # drift, side force and moment count the other way round
    AxisSystem.SAE: {"PKY1": -20.0, "PHY1": -0.003, "PVY1": -0.02, "PVY3": 0.4, "QDZ6": -0.001},
    # side force and moment do
    AxisSystem.ADAPTED_SAE: {
        "PKY1": 20.0, "PHY1": 0.003, "PVY1": -0.02, "PVY3": 0.4, "QDZ6": -0.001,
    },
}  # fmt: skip


def full(kind: type[MagicFormula]) -> MagicFormula:
    """The example of a version with every coefficient at work."""
    random = Random(3)
    values: dict[str, Any] = dict(kind.example)
    for name in kind.coefficient_names():
        if name[0] in "PQRS" and name[-1].isdigit() and not values.get(name):
            values[name] = random.uniform(0.002, 0.02)
    choices = {} if kind is MagicFormula52 else {"turn_slip": True}
    return kind(**{**values, "PKY1": -abs(values["PKY1"])}, **choices)


def contacts(count: int) -> list[Contact]:
    random = Random(5)
    return [
        Contact(
            normal_load=random.uniform(500.0, 8000.0),
            longitudinal_slip=random.uniform(-0.3, 0.3),
            slip_angle=random.uniform(-0.3, 0.3),
            inclination=random.uniform(-0.3, 0.3),
            forward_speed=random.choice((-15.0, 15.0)),
            spin_rate=random.choice((-45.0, 50.0)),
            turn_slip=random.uniform(-0.05, 0.05),
        )
        for _ in range(count)
    ]


def seen(contact: Contact, signs: Signs) -> Contact:
    turned = ("slip_angle", "inclination", "turn_slip")
    return replace(contact, **{n: getattr(contact, n) * signs.get(n, 1.0) for n in turned})


def assert_same(found: Forces, wanted: Forces, signs: Signs) -> None:
    for name, scale in (("Fx", 1e3), ("Fy", 1e3), ("Mx", 30.0), ("Mz", 30.0)):
        turned = signs.get(name, 1.0) * getattr(found, name)
        assert turned == pytest.approx(getattr(wanted, name), abs=1e-8 * scale), name


@pytest.mark.parametrize("system", AxisSystem)
def test_a_tyre_written_by_hand_in_three_systems_is_one_tyre(system: AxisSystem) -> None:
    reference = MagicFormula52(**COMMON, **BY_HAND[AxisSystem.ISO])
    made = MagicFormula52.from_coefficients({**COMMON, **BY_HAND[system]}, axes=system)
    assert made.numbers == reference.numbers
    to_the_left = made(Contact(4000.0, 0.0, 0.05, forward_speed=20.0, spin_rate=60.0))
    assert to_the_left.Fy < -2000.0
    assert to_the_left.Mz > 0.0


@pytest.mark.parametrize("kind", VERSIONS)
@pytest.mark.parametrize("system", [AxisSystem.SAE, AxisSystem.ADAPTED_SAE])
def test_converted_coefficients_give_converted_forces(
    kind: type[MagicFormula], system: AxisSystem
) -> None:
    """The formula itself, evaluated in the other axes."""
    law, signs = full(kind), system.signs
    p = converted(law.numbers, signs)
    for contact in contacts(50):
        assert_same(law.forces(seen(contact, signs), p), law(contact), signs)


@pytest.mark.parametrize("kind", VERSIONS)
def test_the_coefficients_that_make_a_side_are_those_that_a_mirror_turns(
    kind: type[MagicFormula],
) -> None:
    law = full(kind)
    mirrored = {
        name: -value if makes_a_side(name) else value for name, value in law.numbers.items()
    }
    for contact in contacts(50):
        assert_same(law.forces(seen(contact, MIRROR), mirrored), law(contact), MIRROR)


@pytest.mark.parametrize("kind", VERSIONS)
def test_a_symmetric_tyre_sees_no_difference_in_a_mirror(kind: type[MagicFormula]) -> None:
    law = replace(full(kind), side=TyreSide.LEFT)
    alike = law.symmetric()
    assert alike.side is TyreSide.EITHER
    for contact in contacts(50):
        assert_same(alike(seen(contact, MIRROR)), alike(contact), MIRROR)
    straight = alike(Contact(4000.0, 0.0, 0.0, forward_speed=15.0, spin_rate=50.0))
    assert (straight.Fy, straight.Mx, straight.Mz) == (0.0, 0.0, 0.0)
    assert law(Contact(4000.0, 0.0, 0.0, forward_speed=15.0, spin_rate=50.0)).Fy != 0.0


def test_the_range_of_slip_angles_turns_with_them() -> None:
    ends = {"ALPMIN": -0.2, "ALPMAX": 0.3}
    assert converted(ends, AxisSystem.SAE.signs) == {"ALPMIN": -0.3, "ALPMAX": 0.2}
    assert converted(ends, AxisSystem.ADAPTED_SAE.signs) == ends


def test_coefficients_in_the_wrong_axes_are_refused() -> None:
    wrong = {**COMMON, **BY_HAND[AxisSystem.ADAPTED_SAE]}
    with pytest.raises(ModelError, match=r"PKY1: 20 would drive .* axes: adapted-sae"):
        MagicFormula52.from_coefficients(wrong)


def test_the_sign_of_each_system_from_a_turn_of_its_axes() -> None:
    """SAE axes are ISO axes turned by half a turn about x: y and z change sign."""
    turn = {"Fx": 1.0, "Fy": -1.0, "Fz": -1.0, "Mx": 1.0, "My": -1.0, "Mz": -1.0}
    signs = AxisSystem.SAE.signs
    assert {name: signs.get(name, 1.0) for name in turn} == turn
    # tan(alpha) = Vy/Vx in both; the lean is about x.
    assert signs["slip_angle"] == -1.0
    assert "inclination" not in signs
