"""Values that make no component are refused with a sentence that says why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from axletree.components.bodies import BodyOfRevolution, RigidBody
from axletree.components.differentials import Differential
from axletree.components.drivers import TranslationDriver
from axletree.components.electrical import Capacitor, DCMachine, ElectricalGround, Resistor
from axletree.components.frames import Frame
from axletree.components.gears import GearPair, RackAndPinion
from axletree.components.joints import Free, Revolute, Rod, Spherical, Universal, Weld
from axletree.components.loads import JointTorque
from axletree.components.springs import Bushing, SpringDamper, TabulatedSpringDamper
from axletree.core.errors import ModelError

A, B = Frame("a", ""), Frame("b", "")
HINGE, OTHER = Revolute("hinge", A, B), Revolute("other", A, B)
BALL = Spherical("ball", A, B)
NAN, INFINITE = float("nan"), float("inf")


def rod(**values: Any) -> RigidBody:
    return RigidBody("rod", **({"mass": 1.0} | values))


def hinge(**values: Any) -> Revolute:
    return Revolute("hinge", **({"tail": A, "head": B} | values))


MISTAKES: dict[str, tuple[Callable[[], Any], str]] = {
    "negative mass": (lambda: rod(mass=-1), r"rod\.mass: -1 kg is not allowed.* greater than 0"),
    "no mass": (lambda: rod(mass=0), r"rod\.mass: 0 kg is not allowed"),
    "NaN mass": (lambda: rod(mass=NAN), r"rod\.mass: nan is not a finite number"),
    "infinite mass": (lambda: rod(mass=INFINITE), "inf is not a finite number"),
    "mass true": (lambda: rod(mass=True), "True is no quantity: expected a number"),
    "length for a mass": (lambda: rod(mass="3 m"), r"'3 m' is a length \(m\), but a mass"),
    "unknown unit": (lambda: rod(mass="3 kgs"), "unknown unit 'kgs'.*did you mean kg"),
    "text for a mass": (lambda: rod(mass="heavy"), "'heavy' is no quantity"),
    "triangle inequality": (
        lambda: rod(inertia=(1, 1, 3)), r"\(1, 1, 3\) kg m\^2 violate the triangle inequality"),
    "negative inertia": (lambda: rod(inertia=(1, 1, -1)), "must not be negative"),
    "products too large": (lambda: rod(inertia=(1, 1, 1, 2, 0, 0)), "must not be negative"),
    "four inertias": (lambda: rod(inertia=(1, 1, 1, 0)), "expected 3 or 6 inertias.*got 4"),
    "inertia about a far frame": (
        lambda: rod(inertia=(1, 1, 1), inertia_frame="end", frames_at={"end": (0, 0, 2)}),
        "must not be negative"),
    "inertia about no frame": (
        lambda: rod(inertia_frame="tip"), "inertia_frame 'tip' is not among frames_at"),
    "two coordinates": (lambda: rod(centre_of_mass=(1, 2)), "expected three numbers.*got 2"),
    "text for a vector": (lambda: rod(centre_of_mass="1 2 3"), "expected three numbers"),
    "a digit first": (lambda: RigidBody("1rod", mass=1), "'1rod' is not a valid name; use letters"),
    "a dot in a name": (lambda: RigidBody("rod.a", mass=1), "not a valid name"),
    "unknown orientation": (
        lambda: rod(orientation="123"), "'123' is not one of 321, 312, 313, quaternion"),
    "frames as a list": (lambda: rod(frames_at=[1, 2]), "expected frames as a mapping"),
    "frame with a space": (lambda: rod(frames_at={"a b": (0, 0, 0)}), "'a b' is not a valid"),
    "frame called as a parameter": (
        lambda: rod(frames_at={"centre_of_mass": (0, 0, 1)}), "cannot name a frame"),
    "frame with a wrong key": (
        lambda: rod(frames_at={"end": {"place": (0, 0, 0)}}), "unknown key 'place'; expected"),
    "turn about w": (
        lambda: rod(frames_at={"end": {"turn": [["w", 1]]}}), "about x, y or z, got 'w'"),
    "turn that is a number": (lambda: rod(frames_at={"end": {"turn": 5}}), "expected turns as"),
    "turn without an angle": (lambda: Weld("weld", A, B, turn=[["x"]]), "as \\[axis, angle\\]"),
    "unknown frame": (lambda: rod().frame("tip"), "rod has no frame called 'tip'"),
    "two frames of one name": (
        lambda: rod(frames_at={"end": (0, 0, 1)}).point(0, 0, 2, "end"), "both called 'end'"),
    "disc too thin": (
        lambda: BodyOfRevolution("disc", mass=1, axial_inertia=3, transverse_inertia=1),
        "axial_inertia 3 exceeds twice transverse_inertia 1"),
    "disc about a slant": (
        lambda: BodyOfRevolution("disc", 1, 1, 1, (1, 1, 0)), "is not a coordinate axis"),
    "zero axis": (lambda: hinge(axis=(0, 0, 0)), r"hinge\.axis: .*a zero axis has no direction"),
    "unknown axis": (lambda: hinge(axis="w"), "axis 'w' is not known; expected x, y, z, -x"),
    "axis of two": (lambda: hinge(axis=(1, 0)), "expected an axis.*got 2 numbers"),
    "NaN axis": (lambda: hinge(axis=(1, 0, NAN)), "nan is not a finite number"),
    "text for a frame": (lambda: hinge(head="tip"), r"hinge\.head: expected a frame, got 'tip'"),
    "one body": (lambda: hinge(head=Frame("a", "end")), "a and a.end, two frames of one body"),
    "universal axes": (
        lambda: Universal("u", A, B, "x", (1, 1, 0)), "must be normal to one another"),
    "unknown speeds": (
        lambda: Free("f", A, B, speeds="ground"), "'ground' is not one of derivatives, body"),
    "rod of no length": (lambda: Rod("r", A, B, length=0), "must be greater than 0"),
    "driven ball": (
        lambda: JointTorque("t", BALL), "ball has no single freedom; expected one angle"),
    "joint by name": (
        lambda: TranslationDriver("d", "slide"), "expected a joint with one position.*'slide'"),
    "a hinge does not slide": (
        lambda: TranslationDriver("d", HINGE), "hinge has no single freedom; expected one pos"),
    "spring of nothing": (lambda: SpringDamper("s", A, B), "are all zero"),
    "negative stiffness": (
        lambda: SpringDamper("s", A, B, stiffness=-1), "-1 N/m is not allowed.* at least 0"),
    "unknown side": (
        lambda: SpringDamper("s", A, B, stiffness=1, side="left"), "one of both, above, below"),
    "bump stop that pulls": (
        lambda: SpringDamper("s", A, B, stiffness=1, preload=2, side="below"), "can only push"),
    "rope that pushes": (
        lambda: SpringDamper("s", A, B, stiffness=1, preload=-2, side="above"), "can only pull"),
    "unsorted table": (
        lambda: TabulatedSpringDamper("s", A, B, [[0, 1], [2, 3], [1, 4]]),
        r"x\[1\] = 2 is followed by x\[2\] = 1; sort the points"),
    "points of three": (
        lambda: TabulatedSpringDamper("s", A, B, [[0, 1], [2, 3, 4]]), "point 2 has 3 numbers"),
    "number for a table": (
        lambda: TabulatedSpringDamper("s", A, B, 5), "expected points as"),
    "table with a wrong key": (
        lambda: TabulatedSpringDamper("s", A, B, {"x": [0, 1], "z": [0, 1]}), "unknown key 'z'"),
    "no table": (
        lambda: TabulatedSpringDamper("s", A, B), "neither force_at_length nor force_at_speed"),
    "unsymmetric bushing": (
        lambda: Bushing("b", A, B, stiffness=[[1, 2, 0], [3, 4, 0], [0, 0, 1]]), "be symmetric"),
    "indefinite bushing": (
        lambda: Bushing("b", A, B, damping=[[1, 2, 0], [2, 1, 0], [0, 0, 1]]),
        "the six by six damping has a negative eigenvalue"),
    "coupling without stiffness": (
        lambda: Bushing("b", A, B, stiffness=(1, 1, 1), coupling_stiffness=(1, 0, 0)),
        "the six by six stiffness has a negative eigenvalue"),
    "two diagonals": (
        lambda: Bushing("b", A, B, stiffness=[1, 2]), "expected 3 diagonal elements or 3 rows"),
    "row of two": (
        lambda: Bushing("b", A, B, stiffness=[[1, 2], [2, 1], [0, 0]]), "a row of 3 numbers"),
    "resistor on itself": (lambda: Resistor("r", "p", "p", 5), "the same terminal, p"),
    "no resistance": (lambda: Resistor("r", "p", "n", 0), r"r\.resistance: 0 Ohm is not allowed"),
    "number for a terminal": (lambda: Resistor("r", 5, "n", 1), r"r\.positive: 5 is not a valid"),
    "inductance for a capacitance": (
        lambda: Capacitor("c", "p", "n", "3 mH"), "an inductance.*but a capacitance"),
    "grounded ground": (lambda: ElectricalGround("g", "ground"), "is the ground already"),
    "machine without torque": (
        lambda: DCMachine("m", HINGE, "p", "n", 0, 1), "torque_constant must not be zero"),
    "machine on itself": (lambda: DCMachine("m", HINGE, "p", "p", 1, 1), "the same terminal, p"),
    "no ratio": (lambda: GearPair("g", HINGE, OTHER, 0), "ratio must not be zero"),
    "gear on itself": (lambda: GearPair("g", HINGE, HINGE, 2), "are both hinge"),
    "no radius": (
        lambda: RackAndPinion("r", HINGE, hinge_and_slide(), 0), "radius must not be zero"),
    "two of three": (
        lambda: Differential("d", HINGE, OTHER, OTHER, 3), "three different joints"),
}  # fmt: skip


def hinge_and_slide() -> Any:
    from axletree.components.joints import Cylindrical

    return Cylindrical("sleeve", A, B)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_explained(mistake: str) -> None:
    make, message = MISTAKES[mistake]
    with pytest.raises(ModelError, match=message):
        make()


def test_all_problems_are_told_at_once() -> None:
    with pytest.raises(ModelError) as caught:
        rod(mass=-1, centre_of_mass=(NAN, 0, 0), orientation="no")
    assert len(caught.value.problems) == 3
    assert str(caught.value).startswith("3 problems:\n  1. rod.")
