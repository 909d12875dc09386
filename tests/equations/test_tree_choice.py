"""Trees of mechanical models: the default, lists, lists per domain, and what is refused."""

from __future__ import annotations

import re
from typing import Any

import pytest

import axletree as at
from axletree.components.edges import (
    ELECTRICAL,
    ROTATION,
    TRANSLATION,
    Edge,
    NetworkLaw,
    NetworkRole,
)
from axletree.core.errors import GraphError
from axletree.equations.graph import LinearGraph, build_graph
from axletree.equations.tree import select_trees


def slider_crank() -> Any:
    model = at.Model("slider_crank")
    crank = model.add(at.RigidBody("crank", 1.0, (0.1, 0.1, 0.1)))
    rod = model.add(at.RigidBody("rod", 1.0, (0.1, 0.1, 0.1)))
    slider = model.add(at.RigidBody("slider", 1.0, (0.1, 0.1, 0.1)))
    model.add(at.Revolute("a", model.ground, crank.point(-0.5, 0, 0), axis="y"))
    model.add(at.Revolute("b", crank.point(0.5, 0, 0), rod.point(-1, 0, 0), axis="y"))
    model.add(at.Revolute("c", rod.point(1, 0, 0), slider, axis="y"))
    model.add(at.Prismatic("g", model.ground, slider, axis="x"))
    return model


def branches(model: Any, domain: Any, tree: Any = None) -> set[str]:
    """The components in the tree, rigid arms left out."""
    chosen = select_trees(build_graph(model), tree)[domain]
    return {
        b.edge.component for b in chosen.branches if not b.edge.head.startswith(f"{b.edge.tail}.")
    }


def test_the_default_tree_takes_joints_of_least_dimension() -> None:
    model = slider_crank()
    assert branches(model, TRANSLATION) == {"a", "b", "c"}  # no translation at all
    assert branches(model, ROTATION) == {"g", "a", "b"}  # the slide does not turn


def test_a_list_chooses_for_both_mechanical_domains() -> None:
    for domain in (TRANSLATION, ROTATION):
        assert branches(slider_crank(), domain, ["crank", "rod", "g"]) == {"crank", "rod", "g"}


def test_lists_per_domain_may_differ() -> None:
    choice = {"translation": ["crank", "rod", "slider"], "rotation": ["a", "b", "c"]}
    model = slider_crank()
    assert branches(model, TRANSLATION, choice) == {"crank", "rod", "slider"}
    assert branches(model, ROTATION, choice) == {"a", "b", "c"}


def test_a_domain_that_is_not_listed_gets_its_default() -> None:
    model = slider_crank()
    choice = {"translation": ["crank", "rod", "slider"]}
    assert branches(model, ROTATION, choice) == branches(model, ROTATION)


def test_joints_enter_before_bodies_and_loads_of_equal_dimension() -> None:
    model = at.Model("balls")
    body = model.add(at.RigidBody("body", 1.0, (0.1, 0.1, 0.1)))
    model.add(at.SpringDamper("spring", model.ground, body, stiffness=1.0))
    model.add(at.Free("joint", model.ground, body))
    assert branches(model, TRANSLATION) == branches(model, ROTATION) == {"joint"}
    assert branches(model, TRANSLATION, {"translation": ["spring"]}) == {"spring"}


def test_a_prescribed_motion_enters_before_its_joint() -> None:
    model = slider_crank()
    model.add(at.RotationDriver("motor", model["a"]))
    assert "motor" in branches(model, ROTATION)
    assert "a" not in branches(model, ROTATION)


def test_rigid_arms_are_always_in_the_tree() -> None:
    model = slider_crank()
    for domain in (TRANSLATION, ROTATION):
        chosen = select_trees(build_graph(model), ["crank", "rod", "slider"])[domain]
        arms = {b.edge.head for b in chosen.branches if "." in b.edge.head}
        assert {"crank.point1", "crank.point2", "rod.point1", "rod.point2"} <= arms


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (["a", "b", "c", "g"], "translation domain has a loop: g - a - b - c; leave one"),
        (["a", "crank", "b", "c"], "translation domain has a loop: crank - a; leave one"),
        (["a", "b"], "translation domain does not reach slider; add one of: slider, c, g"),
        (["crank", "c"], "rod.point2, slider; add one of: rod, slider, b, g"),
        (["crank", "rot"], "the tree names 'rot', which is no component of the model"),
        ({"heat": ["a"]}, "the model has no 'heat' domain; it has translation, rotation"),
        ({"rotation": ["a", "b", "c", "g"]}, "the tree of the rotation domain has a loop"),
        ("crank", "the tree is a list of component names, got the word 'crank'"),
    ],
)  # fmt: skip
def test_what_is_no_tree_is_refused_with_its_reason(tree: Any, message: str) -> None:
    with pytest.raises(GraphError, match=re.escape(message)):
        select_trees(build_graph(slider_crank()), tree)


def test_a_body_that_is_welded_to_one_in_the_tree_cannot_be_chosen() -> None:
    model = slider_crank()
    weld = at.Weld("weld", model["slider"].point(0, 0, 1), model["rod"].point(0, 0, 1))
    model.add(weld)
    with pytest.raises(GraphError, match=re.escape("has a loop: rod - slider - weld; leave one")):
        select_trees(build_graph(model), ["crank", "slider", "rod"])


def test_a_node_that_nothing_joins_to_the_ground_is_named() -> None:
    law = NetworkLaw(NetworkRole.DISSIPATION)
    graph = LinearGraph((Edge("lonely", "E1", ELECTRICAL, "a", "b", law),))
    with pytest.raises(GraphError, match="does not reach a, b; nothing connects it; add a ground"):
        select_trees(graph)
