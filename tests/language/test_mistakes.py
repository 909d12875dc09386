"""Mistakes in models written by hand get a sentence that names the object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sympy

from axletree.language import (
    Assembly,
    Body,
    Constraint,
    Equation,
    Force,
    LanguageError,
    MovingBase,
    Torque,
    World,
    inertia,
    parameters,
    rate,
    rotation,
    rotation_z,
    translation,
    variables,
)

x, y, psi, N = variables("x y psi N")
m, F, C, a = parameters("m F C a")
WORLD, OTHER = World(), World()
BASE = WORLD.base
FRAME = BASE.moved("A", translation(x), rotation_z(psi))
P, Q = FRAME.point(1, name="P"), BASE.point(y=a, name="Q")
BODY = Body("wheel", FRAME, m, inertia(0, 0, C))
SECOND = Body("hub", BASE.moved("B", translation(y=y)), m, inertia(0, 0, C))
STRANGER = Body("stranger", OTHER.base.moved("S", translation(x)), m, inertia(0, 0, C))
VECTOR = FRAME.vector(F)
STRETCHED = sympy.diag(2, 1, 1, 1)
MIRRORED = sympy.diag(1, 1, -1, 1)
SHEARED = sympy.Matrix([[1, a, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
WHOLE = Assembly("whole", [BODY, SECOND])

Mistake = tuple[Callable[[], Any], str]
GEOMETRY: dict[str, Mistake] = {
    "point + point": (lambda: P + Q, r"cannot add Q \(0, a, 0\) in 'base' to P .* in 'A'"),
    "point + tuple": (lambda: P + (1, 2, 3), r"cannot add \(1, 2, 3\) \(of no frame\) to P"),
    "tuple + point": (lambda: (1, 2, 3) + P, r"cannot add \(1, 2, 3\) \(of no frame\) to P"),
    "point - vector": (lambda: P - VECTOR, r"cannot subtract vector .* from P .*point \+ \(-vec"),
    "vector + number": (lambda: VECTOR + 1, r"cannot add vector \(F, 0, 0\) in 'A' and 1;"),
    "vector + tuple": (lambda: VECTOR + (1, 0, 0), r"of no frame"),
    "tuple + vector": (lambda: (1, 0, 0) + VECTOR, r"cannot add .* \(1, 0, 0\) \(of no frame\)"),
    "matrix + vector": (lambda: sympy.ones(3, 1) + VECTOR, r"cannot add vector .*of no frame"),
    "matrix * vector": (lambda: sympy.eye(3) * VECTOR, r"a factor of vector \(F, 0, 0\) in 'A' is"),
    "vector / text": (lambda: VECTOR / "m", r"a divisor of vector \(F, 0, 0\) in 'A' is 'm'"),
    "number * point": (lambda: 2 * P, r"P .* in 'A' cannot be multiplied by 2"),
    "coordinates of a text": (lambda: BASE.point("x", name="R"), r"a coordinate of R is 'x'"),
    "components of a list": (lambda: BASE.vector((1, 2, 3)), r"in frame 'base' is \(1, 2, 3\)"),
    "no frame": (lambda: P.velocity("A"), r"'A' is no frame; frames are world.base"),
    "turning of no frame": (lambda: FRAME.angular_velocity(P), r"P .* in 'A' is no frame"),
    "frame without name": (lambda: BASE.moved(translation(x)), r"a frame has a name"),
    "rate of a text": (lambda: rate("x"), r"what a rate is asked of is 'x'"),
    "rate of a vector": (lambda: rate(VECTOR), r"what a rate is asked of is vector \(F, 0, 0\)"),
    "no names": (lambda: variables(" "), r"names are a text with blanks"),
    "vector * vector": (lambda: VECTOR * VECTOR, r"may be dot or cross"),
    "vector / vector": (lambda: VECTOR / VECTOR, r"cannot be divided by vector"),
    "dot with a point": (lambda: VECTOR.dot(P), r"cannot multiply vector .* and P"),
    "vectors of two worlds": (
        lambda: VECTOR + OTHER.base.vector(1),
        r"vector \(F, 0, 0\) in 'A' and vector \(1, 0, 0\) in 'base' are of different worlds",
    ),
    "points of two worlds": (lambda: P - OTHER.base.origin, r"different worlds"),
    "frame of another world": (lambda: P.in_frame(OTHER.base), r"frame 'A' .* different worlds"),
    "axis": (lambda: rotation("w", psi), r"about 'x', 'y' or 'z', not about 'w'"),
    "3x3 matrix": (lambda: BASE.moved("D", sympy.eye(3)), r"frame 'D', motion 1 needs 4x4.*3, 3"),
    "no matrix": (lambda: BASE.moved("D", psi), r"frame 'D', motion 1 needs transformations"),
    "last row": (lambda: BASE.moved("D", sympy.ones(4)), r"'D', motion 1: the last row .* 0, 0, 0"),
    "stretched": (lambda: BASE.moved("D", STRETCHED), r"'D', motion 1: .* is no rotation"),
    "mirrored": (lambda: BASE.moved("D", MIRRORED), r"'D', motion 1: .*right-handed"),
    "sheared": (
        lambda: BASE.moved("D", translation(a), SHEARED), r"'D', motion 2: .* is no rotation",
    ),
    "gravity": (lambda: World(gravity=(0, 9.81)), r"gravity has 3 components.*\(0, 9.81\)"),
    "gravity along z": (lambda: World(gravity=9.81), r"gravity has 3 components.*it is 9.81"),
    "gravity of another world": (lambda: World(gravity=VECTOR), r"gravity has 3 components"),
    "moving": (lambda: World(moving=(x, 0, 0)), r"takes a MovingBase\(...\) there, not \(x\(t\)"),
    "small": (lambda: World(small=(x,)), r"takes a Small\(...\) there, not \(x\(t\),\)"),
    "base": (lambda: MovingBase(velocity=(1, 2)), r"the velocity of a base has 3 .*\(1, 2\)"),
    "turning base": (lambda: MovingBase(angular_velocity=m), r"the angular_velocity of a base"),
}  # fmt: skip
MECHANICS: dict[str, Mistake] = {
    "no inertia": (lambda: Body("rim", FRAME, m), r"body 'rim' has no inertia.*POINT_MASS"),
    "shape of inertia": (lambda: Body("rim", FRAME, m, sympy.eye(2)), r"inertia of body 'rim'"),
    "inertia of a disc": (lambda: Body("rim", FRAME, m, 3.0), r"inertia of body 'rim' is a .*3.0"),
    "inertia below 0": (lambda: Body("rim", FRAME, m, (1, -2, 1)), r"inertia of body 'rim' is -2"),
    "no mass": (lambda: Body("rim", FRAME, None, inertia(1, 1, 1)), r"mass of body 'rim' is None"),
    "mass that varies": (
        lambda: Body("rim", FRAME, m * x, inertia(1, 1, 1)), r"of body 'rim', m\*x\(t\), varies",
    ),
    "newton in no frame": (lambda: WHOLE.newton(P), r"P .* in 'A' is no frame"),
    "euler in no frame": (lambda: WHOLE.euler(P, "A"), r"'A' is no frame"),
    "sides that are vectors": (
        lambda: Equation("sum", VECTOR, 0), r"the left side of equation 'sum' is vector",
    ),
    "crooked inertia": (
        lambda: Body("rim", FRAME, m, [[1, a, 0], [0, 1, 0], [0, 0, 1]]), r"'rim' is a symmetric",
    ),
    "mass": (lambda: Body("rim", FRAME, -2, inertia(1, 1, 1)), r"mass of body 'rim' is -2 kg"),
    "body on a point": (lambda: Body("rim", P, m, inertia(1, 1, 1)), r"body 'rim' is fixed to a f"),
    "force without frame": (
        lambda: Force("push", (F, 0, 0), P, BODY), r"force 'push' is a vector in a frame.*of no f",
    ),
    "force at no point": (lambda: Force("push", VECTOR, (0, 0, 0), BODY), r"'push' acts at a poi"),
    "force on no body": (lambda: Force("push", VECTOR, P, FRAME), r"'push' acts on a body, not on"),
    "reaction on no body": (lambda: Force("push", VECTOR, P, BODY, FRAME), r"reaction of 'push'"),
    "reaction on the same body": (
        lambda: Force("push", VECTOR, P, BODY, BODY), r"'push' and its reaction .* body, 'wheel'",
    ),
    "reaction at a point of nothing": (
        lambda: Force("push", VECTOR, P, BODY, None, Q), r"reaction of force 'push' .*reaction_on",
    ),
    "force in another world": (
        lambda: Force("push", OTHER.base.vector(F), P, BODY), r"of different worlds",
    ),
    "no other body": (lambda: Force("push", VECTOR, P, BODY).reversed(), r"one body only; react"),
    "torque without frame": (lambda: Torque("motor", (0, 0, F), BODY), r"torque 'motor' is a v"),
    "torque on the same body": (
        lambda: Torque("motor", VECTOR, BODY, BODY), r"'motor' and its reaction .* 'wheel'",
    ),
    "more multipliers than equations": (
        lambda: Constraint("floor", WORLD, [x], [N, y]), r"'floor' has 1 equations and 2 multipli",
    ),
    "constant multiplier": (
        lambda: Constraint("floor", WORLD, [x], [F]), r"the multiplier F of constraint 'floor'",
    ),
    "loads of a constraint": (
        lambda: Constraint("floor", WORLD, [x], [N], [VECTOR]), r"loads of constraint 'floor' are",
    ),
    "one equation": (lambda: Constraint("floor", WORLD, x, [N]), r"'floor' takes lists of equ"),
    "one body": (lambda: Assembly("odd", BODY), r"assembly 'odd' takes lists .*not body 'wheel'$"),
    "one coordinate": (lambda: WHOLE.lagrange(x), r"of assembly 'whole'.* a list, \[x\(t\)\]"),
    "no bodies": (lambda: Assembly("nothing", []), r"assembly 'nothing' has no body"),
    "a body twice": (lambda: Assembly("twice", [BODY, BODY]), r"'twice' has a body twice: wheel"),
    "bodies of two worlds": (
        lambda: Assembly("mixed", [BODY, STRANGER]), r"'mixed' is of different worlds: wheel, str",
    ),
    "a frame among bodies": (lambda: Assembly("odd", [FRAME]), r"frame 'A' is not one of the bod"),
    "a body among loads": (lambda: Assembly("odd", [BODY], [BODY]), r"body 'wheel' is not one of"),
    "lagrange in a parameter": (lambda: WHOLE.lagrange([m]), r"m is no coordinate; .*none here"),
    "lagrange in a sum": (lambda: WHOLE.lagrange([x + y]), r"x\(t\) \+ y\(t\) is no coordinate"),
    "lagrange in a multiplier": (lambda: WHOLE.lagrange([N]), r"nothing of .*'whole'.* N\(t\)"),
    "kane in another's coordinate": (
        lambda: Assembly("hub", [SECOND]).kane([psi]), r"nothing of assembly 'hub' .*psi\(t\)",
    ),
    "newton in another world": (lambda: WHOLE.newton(OTHER.base), r"'whole'.*different worlds"),
}  # fmt: skip


@pytest.mark.parametrize("which", [*GEOMETRY, *MECHANICS])
def test_a_mistake_is_named(which: str) -> None:
    mistake, sentence = (GEOMETRY | MECHANICS)[which]
    with pytest.raises(LanguageError, match=sentence):
        mistake()


def test_motions_that_are_right_pass() -> None:
    """Axes given by numbers, by a rate, and mirrored twice over."""
    turned = sympy.Matrix([[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    assert BASE.moved("D", turned).matrix == turned
    assert BASE.moved("D", rotation_z(x.diff() * a)).matrix[0, 0] == sympy.cos(a * x.diff())
    assert BASE.moved("D", sympy.diag(-1, -1, 1, 1)).matrix[0, 0] == -1


def test_constraints_take_equations_of_sympy() -> None:
    floor = Constraint("floor", WORLD, [sympy.Eq(x, a)], [N])
    assert floor.equations == (x - a,)
    (printed,) = floor.printed
    assert printed.name == "floor, N"
    assert printed.says_the_same_as(x, a)
    again = Constraint("floor", WORLD, [printed], [N])
    assert again.equations == floor.equations
