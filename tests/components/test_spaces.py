"""Terminal equations and spaces of edges, per derivative level."""

from __future__ import annotations

import pytest

import axletree as at
from axletree.catalogue import COMPONENTS
from axletree.components.edges import MotionLaw, NetworkLaw, NetworkRole
from axletree.core.registry import load


def revolute() -> at.Revolute:
    body = at.RigidBody("body", mass=1.0)
    return at.Revolute("pin", at.Model().ground, body, axis="z")


def test_the_revolute_joint_is_that_of_tables_2_2_and_2_3() -> None:
    """Morency 2007: translation null and three forces, one angle and two moments."""
    translation, rotation = revolute().edges()
    assert translation.law.terminal_equations() == ("r = 0", "v = 0", "a = 0")
    for space in translation.law.spaces():
        assert space.across == ()
        assert space.through == ("x of the tail", "y of the tail", "z of the tail")
    assert rotation.law.terminal_equations()[0] == "theta = angle u1"
    for space in rotation.law.spaces():
        assert space.across == ("z of the tail",)
        assert space.through == ("x of the tail", "y of the tail")


def test_spaces_of_a_free_joint_differ_between_position_and_velocity() -> None:
    """Positions along the ground's axes, speeds along the body's (Morency 2007, 2.4.5)."""
    body = at.RigidBody("body", mass=1.0)
    translation, rotation = at.Free("joint", at.Model().ground, body).edges()
    position, velocity = translation.law.spaces()
    assert position.across == ("x of the tail", "y of the tail", "z of the tail")
    assert velocity.across == ("x of the head", "y of the head", "z of the head")
    assert rotation.law.spaces()[1].across == velocity.across
    assert velocity.through == ()


@pytest.mark.parametrize("axes", [(), ("x",), ("x", "y")])
def test_across_and_through_space_of_a_joint_fill_three_dimensions(axes: tuple[str, ...]) -> None:
    body, ground = at.RigidBody("body", mass=1.0), at.Model().ground
    joint = {
        0: at.Revolute("j", ground, body),
        1: at.PointOnLine("j", ground, body, axis=(1, 2, 3)),
        2: at.PointOnPlane("j", ground, body, normal=(1, 2, 3)),
    }[len(axes)]
    for space in joint.edges()[0].law.spaces():
        assert len(space.across) == len(axes)
        assert len(space.across) + len(space.through) == 3


def test_a_source_gives_its_across_variable_and_leaves_its_through_variable() -> None:
    (edge,) = at.VoltageSource("source", "a", "ground").edges()
    assert isinstance(edge.law, NetworkLaw)
    assert edge.law.role is NetworkRole.ACROSS_SOURCE
    space, _ = edge.law.spaces()
    assert (space.across, space.through) == ((), ("1",))


def test_every_motion_law_of_the_catalogue_has_as_many_speeds_as_its_space_has_directions() -> None:
    seen = set()
    body, ground = at.RigidBody("body", mass=1.0), at.Model().ground
    joints = ("revolute", "prismatic", "cylindrical", "universal", "spherical", "planar", "free")
    for word in joints:
        joint = load("component", word, COMPONENTS)("joint", ground, body)
        for edge in joint.edges():
            assert isinstance(edge.law, MotionLaw)
            _, velocity = edge.law.spaces()
            assert len(velocity.across) == edge.law.dimension
            seen.add(type(edge.law).__name__)
    assert {"AlongAxes", "AboutAxes", "WithHeadSpeeds", "EulerWithHeadSpeeds"} <= seen


def test_edges_whose_through_variable_is_given_say_so() -> None:
    """A body's d'Alembert loads (Morency 2007, table 4.1), and the load of a spring."""
    body = at.RigidBody("body", mass=1.0)
    own = [edge.terminal_equations() for edge in body.edges()]
    assert own == [("F = -m a + m g",), ("M = -J dw/dt - w x J w",)]
    spring = at.SpringDamper("spring", at.Model().ground, body, stiffness=1.0, free_length=1.0)
    assert [edge.terminal_equations() for edge in spring.edges()] == [("F = F(r, v, t)",)]
    assert at.MasslessBody("knuckle").edges()[0].terminal_equations() == ("F = 0",)
