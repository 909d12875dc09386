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
