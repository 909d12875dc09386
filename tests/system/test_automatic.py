"""Which form a model is solved in where nobody says so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from mechanisms.double_wishbone_car import double_wishbone_car

import axletree as at
from axletree.core.errors import AxletreeError, ModelError
from axletree.model_files.read import read_model
from axletree.model_files.write import write_model

CORNER = ["front_left"]


def corner() -> Any:
    return double_wishbone_car(CORNER, tyres=False)


def test_a_suspension_is_embedded() -> None:
    found = corner().formulate()
    embedded = corner().formulate(form="embedded")
    assert found.dependent == embedded.dependent != ()
    assert found.operations.total == embedded.operations.total
    projected = corner().formulate(form="projected").operations
    assert found.operations.total.total < 0.5 * projected.total.total


def parallelogram_on_a_cart(angle: float, *, sprung: bool = True) -> Any:
    """Two bars of 0.5 m and a coupler of 1 m; at 0 all are in line, a dead centre."""
    model = at.Model("cart")
    cart = model.add(at.RigidBody("cart", 10.0, (1.0, 1.0, 1.0)))
    bars = [model.add(at.RigidBody(name, 1.0, (0.1, 0.1, 0.1))) for name in "abc"]
    a, b, c = bars
    model.add(at.Prismatic("way", model.ground, cart, axis="x"))
    model.add(at.Revolute("A", cart, a, axis="y"))
    model.add(at.Revolute("B", a.point(0.5, 0, 0), b, axis="y"))
    model.add(at.Revolute("C", cart.point(1, 0, 0), c, axis="y"))
    model.add(at.Revolute("D", b.point(1, 0, 0), c.point(0.5, 0, 0), axis="y"))
    if sprung:
        model.add(at.RotationalSpringDamper("spring", model["A"], stiffness=100.0, damping=1.0))
    model.start = {"A.angle": angle, "B.angle": -angle, "C.angle": angle}
    return model


@pytest.mark.parametrize(("angle", "embedded"), [(-1.5, True), (0.0, False)])
def test_a_loop_that_starts_in_a_dead_centre_is_not(angle: float, embedded: bool) -> None:
    found = parallelogram_on_a_cart(angle).formulate()
    assert (len(found.dependent) == 2) is embedded


def coupled_arms(*, sprung: bool = True) -> Any:
    """Four arms on a cart whose angles sum up to zero, as the halves of leaf springs do."""
    model = at.Model("leaves")
    cart = model.add(at.RigidBody("cart", 10.0, (1.0, 1.0, 1.0)))
    model.add(at.Free("place", model.ground, cart))
    arms = [model.add(at.RigidBody(name, 1.0, (0.1, 0.1, 0.1))) for name in "abcd"]
    pins = [
        model.add(at.Revolute(f"pin_{arm.name}", cart.point(k, 0, 0), arm.point(-0.5, 0, 0), "y"))
        for k, arm in enumerate(arms)
    ]
    for pin in pins if sprung else ():
        model.add(at.RotationalSpringDamper(f"{pin.name}_spring", pin, stiffness=50.0))
    model.add(at.AngleSum("wind_up", *pins, second_factor=0.5))
    return model


def test_couplings_of_sprung_joints_are_embedded() -> None:
    found, projected = coupled_arms().formulate(), coupled_arms().formulate(form="projected")
    assert len(found.dependent) == 1
    first = {"pin_a.angle": 0.3, "pin_b.angle": -0.4, "pin_c.angle": 0.2, "pin_a.rate": 2.0,
             "pin_b.rate": 1.0, "pin_c.rate": -1.5, "place.wx": 0.7, "place.wy": -0.3}  # fmt: skip
    state = projected.state(first)
    expected, given = projected.rhs(state), found.rhs(state)
    for name, rate in expected.items():
        assert given[name] == pytest.approx(rate, rel=1e-10, abs=1e-10), name
    (reaction,) = (c.reaction.name for c in projected.constraints)
    assert found.outputs_at(state, [reaction])[reaction] == pytest.approx(
        projected.outputs_at(state, [reaction])[reaction], rel=1e-10
    )
    assert abs(projected.outputs_at(state, [reaction])[reaction]) > 0.1
    assert coupled_arms(sprung=False).formulate().dependent == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["leaf-spring-pickup", "beam-axle-truck"])
def test_axles_on_leaf_springs_are_embedded(name: str) -> None:
    system = at.read_model(name).formulate()
    assert len(system.dependent) == len(system.constraints) > 15
    assert system.operations.main_code.multiplications < 7_000
    assert system.operations.projection.multiplications < 3_000


def test_a_loop_that_no_spring_holds_is_not() -> None:
    """Its crank may turn round, through the dead centres of any choice."""
    assert parallelogram_on_a_cart(-1.5, sprung=False).formulate().dependent == ()


@pytest.mark.parametrize("name", ["four-bar", "slider-crank", "andrews-squeezer", "rover"])
def test_machines_on_the_ground_and_gears_stay_projected(name: str) -> None:
    found = at.read_model(name).formulate()
    assert found.dependent == ()
    assert found.operations == at.read_model(name).formulate(form="projected").operations


def test_what_a_model_proposes_is_taken_unless_another_form_is_given(tmp_path: Path) -> None:
    model = at.read_model("four-bar")
    model.form = "partition"
    assert model.formulate().dependent
    assert model.formulate(form="projected").dependent == ()
    file = tmp_path / "four-bar.yaml"
    write_model(model, file)
    assert read_model(file).form == "partition"
    assert model.extended(at.JointTorque("motor", model["a"])).form == "partition"


def test_a_form_that_there_is_not() -> None:
    model = corner()
    with pytest.raises(ModelError, match=re.escape("model.form is 3; expected the name of a form")):
        model.form = 3
    model.form = "embeded"
    with pytest.raises(AxletreeError, match="embeded.*did you mean 'embedded'"):
        model.formulate()
