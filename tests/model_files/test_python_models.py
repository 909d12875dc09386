"""Mistakes in models that are built in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.core.errors import AxletreeError, ModelError


def pendulum() -> Any:
    model = at.Model("pendulum")
    rod = model.add(at.RigidBody("rod", mass=1.0, inertia=(1, 1, 1)))
    model.add(at.Revolute("pin", model.ground, rod.point(0, 0, 0.5), axis="y"))
    return model


def stranger() -> Any:
    return at.RigidBody("stranger", mass=1.0)


MISTAKES: dict[str, tuple[Callable[[Any], Any], str]] = {
    "the same name twice": (
        lambda m: m.add(at.RigidBody("rod", mass=1)), "the name 'rod' is taken by another"),
    "the name ground": (lambda m: m.add(at.RigidBody("ground", mass=1)), "'ground' belongs to"),
    "a class for a component": (lambda m: m.add(at.RigidBody), "expected a component, got <class"),
    "a body that was not added": (
        lambda m: m.add(at.Revolute("hinge", m.ground, stranger())),
        "hinge is joined to stranger, but 'stranger' is not in the model; add the body first"),
    "a joint that was not added": (
        lambda m: m.add(at.JointTorque("t", at.Revolute("hinge", m.ground, stranger()))),
        "t names hinge, which is not in the model; add it first"),
    "an unknown component": (lambda m: m["rode"], r"no component 'rode' \(did you mean 'rod'\?\)"),
    "a joint on one body": (
        lambda m: m.add(at.Revolute("hinge", m["rod"], m["rod"].point(1, 0, 0))),
        "hinge: joins rod and rod.point2, two frames of one body"),
    "a name with a space": (lambda m: at.Model("my model"), "'my model' is not a valid name"),
    "gravity of two": (lambda m: at.Model(gravity=(0, 1)), "three accelerations"),
    "a tree of a word": (lambda m: m.formulate(tree="pin"), r"tree is 'pin'; .*; write \['pin'\]"),
    "a tree of nothing known": (
        lambda m: m.formulate(tree=["pim"]), "the tree names 'pim', which is no component"),
    "a tree of an unknown domain": (
        lambda m: m.formulate(tree={"hydraulic": ["pin"]}), "the model has no 'hydraulic' domain"),
    "a tree with a loop": (lambda m: m.formulate(tree=["pin", "rod"]), "has a loop: .*pin"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_it_is_refused_with_its_reason(name: str) -> None:
    mistake, message = MISTAKES[name]
    with pytest.raises(AxletreeError, match=message):
        mistake(pendulum())


def test_all_problems_of_a_component_are_reported_at_once() -> None:
    with pytest.raises(ModelError) as caught:
        at.RigidBody("2", mass=-1, inertia=(1, 2), centre_of_mass=5)
    assert len(caught.value.problems) == 4


def test_the_tree_of_the_model_is_the_default_of_its_equations() -> None:
    model = pendulum()
    model.tree = ["rod"]
    assert [q.name for q in model.formulate().states][6] == "rod.x"
    assert [q.name for q in model.formulate(tree=["pin"]).states] == ["pin.rate", "pin.angle"]


def test_first_values_that_nothing_can_take_are_refused() -> None:
    model = pendulum()
    model.start = {"pn.angle": 0.1, "pin.angel": 0.1}
    with pytest.raises(ModelError) as caught:
        model.formulate()
    assert len(caught.value.problems) == 2
    for name, text in zip(model.start, caught.value.problems, strict=True):
        start = f"start.{name}: unknown coordinate, speed or state {name!r} in this model"
        assert text.startswith(f"{start}; did you mean 'pin.angle'")


def test_first_values_of_what_is_outside_the_tree_are_solved_for() -> None:
    model = pendulum()
    model.start = {"rod.x": -0.3}
    (angle,) = (q.default for q in model.formulate().states if q.name == "pin.angle")
    assert 0.5 * np.sin(angle) == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("name", "meant"), [("initial", "start"), ("gravty", "gravity"), ("plot", "plots")]
)
def test_only_what_a_model_has_can_be_set(name: str, meant: str) -> None:
    with pytest.raises(at.AxletreeError, match=f"unknown attribute '{name}'.*{meant!r}"):
        setattr(at.Model(), name, {})
