"""Ready-made joints: their multipliers are the forces of Newton's equations."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sympy
from oracles.symbolic_equality import same

from axletree.language import (
    POINT_MASS,
    Assembly,
    Body,
    Constraint,
    LanguageError,
    Mount,
    MovingBase,
    Small,
    World,
    cylindrical,
    inertia,
    parameters,
    planar,
    prismatic,
    rate,
    revolute,
    rod,
    rotation_x,
    rotation_y,
    rotation_z,
    spherical,
    translation,
    variables,
)
from axletree.language.lagrange import generalised_force

PLACES = variables("x_1 y_1 z_1 x_2 y_2 z_2")
TURNS = variables("psi_1 phi_1 psi_2 phi_2 theta_1 theta_2")
x, y, theta = variables("x y theta")
m, g, C, L, a, b = parameters("m g C L a b")
EQUATIONS = {spherical: 3, rod: 1, revolute: 5, cylindrical: 4, prismatic: 5, planar: 3}


def bodies(world: World, turns: int) -> tuple[Body, Body]:
    """Two free bodies; with two turns each, or with all three."""
    found = []
    for k in (0, 1):
        psi, phi, pitch = TURNS[2 * k], TURNS[2 * k + 1], TURNS[4 + k]
        motions = [translation(*PLACES[3 * k : 3 * k + 3]), rotation_z(psi), rotation_x(phi)]
        motions += [rotation_y(pitch)] if turns == 3 else []
        frame = world.base.moved(f"body {k + 1}", *motions)
        found.append(Body(f"body {k + 1}", frame, m, inertia(C, C, C)))
    return found[0], found[1]


def joined(kind: Callable[..., Constraint], first: Body, second: Body) -> Constraint:
    """On the first body at (a, 0, 0), on the second at (0, b, 0); a rod of length L."""
    places = first.frame.point(a), second.frame.point(y=b)
    if kind is rod:
        return rod("joint", (first, places[0]), (second, places[1]), L)
    if kind is spherical:
        return spherical("joint", (first, places[0]), (second, places[1]))
    mounts = [
        Mount(first, first.frame.moved("mount 1", translation(a))),
        Mount(second, second.frame.moved("mount 2", translation(y=b))),
    ]
    return kind("joint", *mounts, axis="x")


LONGEST = {revolute, cylindrical, prismatic}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "kind",
    [pytest.param(k, marks=[pytest.mark.slow] if k in LONGEST else []) for k in EQUATIONS],
    ids=lambda kind: kind.__name__,
)
def test_multipliers_do_the_work_of_the_loads(kind: Callable[..., Constraint]) -> None:
    """Eq. (26): -multiplier * slope, against the virtual work of the loads on each body."""
    first, second = bodies(World(), turns=2)
    joint = joined(kind, first, second)
    assert len(joint.equations) == len(joint.multipliers) == EQUATIONS[kind]
    whole = Assembly("both", [first, second], constraints=[joint])
    by_loads = Assembly("both", [first, second], loads=joint.loads)
    parts = [Assembly(body.name, [body], constraints=[joint]) for body in (first, second)]
    own = (*PLACES[:3], *TURNS[:2]), (*PLACES[3:], *TURNS[2:4])
    for part, coordinates in zip(parts, own, strict=True):
        for q in coordinates:
            multiplied = generalised_force(whole, q)
            assert same(multiplied, generalised_force(by_loads, q))
            assert same(multiplied, generalised_force(part, q))
    assert [e.right for e in whole.newton()] == [0, 0, 0]
    forces = [sympy.Matrix([e.right for e in part.newton()]) for part in parts]
    assert same(forces[0], -forces[1])
    assert forces[0].has(*joint.multipliers)


@pytest.mark.parametrize("kind", EQUATIONS, ids=lambda kind: kind.__name__)
def test_degrees_of_freedom_by_the_rank_of_the_jacobian(kind: Callable[..., Constraint]) -> None:
    """Of twelve freedoms of two bodies, where they are joined and everything else is small."""
    world = World(small=Small((*PLACES, *TURNS)))
    frame = world.base.moved("apart", translation(a, -b))
    motions = [translation(*PLACES[:3]), rotation_z(TURNS[0]), rotation_x(TURNS[1])]
    first = Body("1", world.base.moved("1", *motions, rotation_y(TURNS[4])), m, inertia(C, C, C))
    motions = [translation(*PLACES[3:]), rotation_z(TURNS[2]), rotation_x(TURNS[3])]
    start = frame if kind is not rod else frame.moved("far", translation(z=L))
    second = Body("2", start.moved("2", *motions, rotation_y(TURNS[5])), m, inertia(C, C, C))
    joint = joined(kind, first, second)
    phi = sympy.Matrix(joint.equations)
    everything = (*PLACES, *TURNS)
    assert same(phi.xreplace(dict.fromkeys(everything, sympy.Integer(0))), sympy.zeros(len(phi), 1))
    J = phi.jacobian(everything).subs({a: 0.7, b: 0.4, L: 1.3})
    assert J.rank() == EQUATIONS[kind]


def test_lagrange_with_multipliers_has_the_motion_of_a_pendulum() -> None:
    """A free plate in the plane, held by a pin to the ground: theta'' as in any textbook."""
    world = World(gravity=(0, -g, 0))
    frame = world.base.moved("plate", translation(x, y), rotation_z(theta))
    plate = Body("plate", frame, m, inertia(0, 0, C))
    F_x, F_y, F_z = variables("F_x F_y F_z")
    pin = spherical("pin", (plate, frame.point(y=L)), (None, world.base.origin), (F_x, F_y, F_z))
    assembly = Assembly("plate", [plate], constraints=[pin])
    equations = [e.residual for e in assembly.lagrange([x, y, theta])]
    equations += [rate(e, 2) for e in pin.equations[:2]]
    unknown = [*(rate(q, 2) for q in (x, y, theta)), F_x, F_y]
    (solved,) = sympy.solve(equations, unknown, dict=True)
    assert same(solved[rate(theta, 2)], -m * g * L * sympy.sin(theta) / (C + m * L**2))


def test_the_first_and_the_second_body_of_a_joint_to_the_ground() -> None:
    """A rod that a mass hangs on: its tension is the weight, from whichever end one looks."""
    world = World(gravity=(0, 0, -g))
    (S,) = variables("S")
    bob = Body("bob", world.base.moved("bob", translation(x, 0, -L)), m, POINT_MASS)
    ends = (bob, bob.centre), (None, world.base.origin)
    for pair in (ends, ends[::-1]):
        assembly = Assembly("bob", [bob], constraints=[rod("wire", *pair, L, [S])])
        up = assembly.newton()[2]
        assert up.says_the_same_as(0, S - m * g)
        assert assembly.newton()[0].says_the_same_as(m * rate(x, 2), -S * x / L)
        assert assembly.lagrange([x])[0].says_the_same_as(m * rate(x, 2), -S * x / L)


@pytest.mark.parametrize("kind", [revolute, cylindrical, prismatic, planar])
def test_mounts_on_the_ground(kind: Callable[..., Constraint]) -> None:
    body, _ = bodies(World(), turns=2)
    here, ground = Mount(body, body.frame), Mount(None, body.frame.world.base)
    for mounts in ((here, ground), (ground, here)):
        joint = kind("joint", *mounts)
        assert all(load.on is body and load.reaction_on is None for load in joint.loads)
        held = Assembly("held", [body], constraints=[joint])
        pairs = list(zip(joint.equations, joint.multipliers, strict=True))
        for q in (*PLACES[:3], *TURNS[:2]):
            assert same(generalised_force(held, q), -sum(n * e.diff(q) for e, n in pairs))


def test_a_joint_to_a_base_that_moves_carries_what_it_holds() -> None:
    v, r = variables("v r")
    world = World(moving=MovingBase((0, v, 0), (0, 0, r)))
    frame = world.base.moved("load", translation(x, y), rotation_z(theta))
    load = Body("load", frame, m, inertia(0, 0, C))
    hook = spherical("hook", (load, frame.point(a)), (None, world.base.point(b)))
    assembly = Assembly("load", [load], constraints=[hook])
    newton = (assembly.newton()[1], assembly.euler(world.base.origin)[2])
    for equation, expected in zip(assembly.lagrange([v, r]), newton, strict=True):
        assert expected.right != 0
        assert same(equation.residual, expected.residual)


def test_joints_name_their_multipliers() -> None:
    first, second = bodies(World(), turns=2)
    assert [str(s.func) for s in joined(revolute, first, second).multipliers] == [
        "joint_F1", "joint_F2", "joint_F3", "joint_M4", "joint_M5",
    ]  # fmt: skip
    assert [str(s.func) for s in joined(rod, first, second).multipliers] == ["joint_tension"]


def test_mistakes_in_joints() -> None:
    world = World()
    first, second = bodies(world, turns=2)
    ends = (first, first.centre), (second, second.centre)
    with pytest.raises(LanguageError, match=r"joint 'hook' has 3 equations.*2 were given"):
        spherical("hook", *ends, multipliers=variables("F_x F_y"))
    with pytest.raises(LanguageError, match=r"axis of joint 'hinge' is 'x', 'y' or 'z', not 'xy'"):
        revolute("hinge", Mount(first, first.frame), Mount(second, second.frame), axis="xy")
    with pytest.raises(LanguageError, match=r"joint 'hinge' holds Mount\(body, frame\), not"):
        revolute("hinge", first, second)  # type: ignore[arg-type]
    with pytest.raises(LanguageError, match=r"joint 'hook' holds a body and a point of it, not"):
        spherical("hook", first, second)  # type: ignore[arg-type]
    with pytest.raises(LanguageError, match=r"joint 'hook' holds no body"):
        spherical("hook", (None, first.centre), (None, second.centre))
    with pytest.raises(LanguageError, match=r"length of rod 'wire' is 0 m"):
        rod("wire", *ends, length=0)
    stranger, _ = bodies(World(), turns=2)
    with pytest.raises(LanguageError, match=r"different worlds"):
        spherical("hook", ends[0], (stranger, stranger.centre))
