"""What cannot be made a state space is told by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

from axletree.core.errors import AxletreeError
from axletree.language import (
    POINT_MASS,
    TIME,
    Assembly,
    Body,
    LanguageError,
    Small,
    World,
    parameters,
    rate,
    rotation_y,
    state_space,
    translation,
    variables,
)

x, y, z, u = variables("x y z u")
k, m = parameters("k m")
SPRING = sympy.Eq(m * rate(x, 2), -k * x + u)
VALUES = {k: 1.0, m: 1.0}


def said(
    equations: Sequence[Any] = (SPRING,),
    states: Sequence[sympy.Expr] = (x,),
    inputs: Sequence[sympy.Expr] = (u,),
    values: Mapping[Any, Any] = VALUES,
    **rest: Any,
) -> str:
    with pytest.raises(AxletreeError) as error:
        state_space("plant", equations, states, inputs, values, **rest).system()
    return str(error.value)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"equations": ["x = 1"]}, ["'x = 1' is no equation", "sympy.Eq"]),
        ({"states": [rate(x)]}, ["Derivative(x(t), t) stands under states", "variables('x y')"]),
        ({"states": x}, ["states are given as a list, [x(t)]"]),
        ({"equations": SPRING}, ["equations are given as a list"]),
        ({"constraints": x}, ["constraints are given as a list, [x(t)]"]),
        ({"values": {k: None, m: 1}}, ["parameter k is None; expected a number"]),
        ({"equations": [rate(dynamicsymbols("x")) - u]}, ["x(t) in the equations is another"]),
        ({"inputs": [k]}, ["k stands under inputs", "no variable"]),
        ({"states": [x, x]}, ["x(t) stands more than once under states"]),
        ({"inputs": []}, ["hold u(t), which is neither a state", "switch it off"]),
        ({"states": [x, u]}, ["u(t) is a state and an input"]),
        ({"algebraic": [y], "equations": [SPRING, rate(y) - x]}, ["rates of y(t)", "states"]),
        ({"values": {k: 1.0}}, ["no value is given for m", "(value, unit, sentence)"]),
        ({"values": {k: (1, "1", "a", "b"), m: 1}}, ["parameter k is given as", "value"]),
        ({"values": {k: ("3 kg", "N/m"), m: 1}}, ["3 kg"]),
        ({"velocities": {z: "w"}}, ["velocities names z(t)", "not among the states"]),
        ({"units": {z: "m"}}, ["units names z", "it has x, V_x, u"]),
        ({"start": {"w": 1.0}}, ["start names w"]),
        ({"small": {z: 0.1}}, ["small names z"]),
        ({"outputs": {"power": z * x}}, ["the output 'power' holds z(t)"]),
        ({"outputs": {"jerk": rate(x, 3)}}, ["'jerk' holds the derivative of order 3 of x(t)"]),
        ({"units": {x: "furlong"}}, ["furlong"]),
        ({"equations": [SPRING, rate(y, 3) - x], "states": [x, y]}, ["order 3 of y(t)"]),
        ({"equations": [rate(x) - rate(u, 3)]}, ["order 3 of the input u(t)"]),
        ({"equations": [rate(x) ** 2 - u]}, ["'equation 1' cannot be written as A(x) x' = B"]),
        ({"equations": [sympy.sin(rate(x)) - u]}, ["within a function"]),
        ({"equations": [sympy.Derivative(sympy.Function("f")(x), x) - u]}, ["'equation 1' holds"]),
        ({"equations": [SPRING, SPRING]}, ["(equation 1, equation 2) determine only 1 unknown"]),
        ({"states": [x, y], "equations": [SPRING]}, ["2 equations for 3", "leaves open y"]),
        ({"constraints": [x - 1]}, ["constraint 1 holds variables whose rates all follow"]),
        ({"equations": [rate(x) - sympy.Function("strange")(x)]}, ["strange"]),
    ],
)  # fmt: skip
def test_a_sentence_names_what_is_wrong(changes: Mapping[str, Any], words: Sequence[str]) -> None:
    sentence = said(**changes)
    for word in words:
        assert word in sentence


def test_a_name_for_two_things_is_refused() -> None:
    same = sympy.Symbol("x", real=True)
    assert "x stands for more than one" in said([rate(x) - same], inputs=[], values={same: 1.0})


def test_a_variable_named_as_time_is_refused() -> None:
    (time,) = variables("time")
    assert "time stands for more than one" in said([rate(time) - 1], [time], [])


def test_time_itself_may_occur() -> None:
    system = state_space("clock", [rate(x) - TIME**2], [x]).system()
    assert system.rhs({"x": 0.0}, time=3.0) == {"x": 9.0}


def test_a_singular_matrix_has_no_inverse_in_sympy() -> None:
    space = state_space("plant", [rate(x) - y, y - 2 * x], [x], algebraic=[y])
    with pytest.raises(AxletreeError, match="y has no equation with its rate"):
        space.explicit()
    twice = state_space("plant", [rate(x) + rate(y) - 1, 2 * rate(x) + 2 * rate(y)], [x, y])
    with pytest.raises(AxletreeError, match="rates of x, y depend on one another"):
        twice.explicit()


def test_only_variables_of_the_model_can_be_cut_off() -> None:
    space = state_space("plant", [SPRING], [x], [u], VALUES)
    with pytest.raises(AxletreeError, match=r"has no variable z\(t\); it has x, V_x"):
        space.without(z)


def test_equations_in_lists_and_matrices_are_numbered_through() -> None:
    rows = sympy.Matrix([rate(x) - y, rate(y) + x])
    space = state_space("plant", [rows, [rate(z) - 1]], [x, y, z])
    assert [e.name for e in space.equations] == ["equation 1", "equation 2", "equation 3"]


def test_a_constraint_brings_its_multipliers_and_its_name() -> None:
    class Rod:
        name = "rod"
        equations = (x - y, z - 1)
        multipliers = variables("pull push")

    pull, push = Rod.multipliers
    equations = [rate(x, 2) - pull, rate(y, 2) + pull, rate(z, 2) - push]
    space = state_space("plant", equations, [x, y, z], constraints=[Rod()])
    assert space.algebraic == (pull, push)
    assert [c.source for c in space.system().constraints] == ["rod, row 1", "rod, row 2"]


def test_a_small_variable_with_a_large_start_is_named() -> None:
    space = state_space("plant", [SPRING], [x], [u], VALUES, units={x: "m"}, small={x: 0.2})
    assert space.system().simulate(0.1, step=0.01, initial={"x": 0.1}).complete
    with pytest.raises(AxletreeError, match="x was declared small, up to 0.2 m, and starts at 3"):
        space.system().simulate(0.1, step=0.01, initial={"x": 3.0})


def test_small_displacements_of_a_world_are_known_from_its_equations() -> None:
    """A pendulum to the first order starts at 0.9 rad, and not at 2; other bounds may be given."""
    (g,) = parameters("g")
    world = World(gravity=(0, 0, -g), small=Small(displacements=(x,)))
    arm = world.base.moved("arm", rotation_y(x), translation(z=-1))
    pendulum = Assembly("pendulum", [Body("bob", arm, m, POINT_MASS)])
    equation = pendulum.euler(world.base.origin)[1]
    values, settings = {g: 9.81, m: 2.0}, {"duration": 0.1, "step": 0.01}
    system = state_space("pendulum", [equation], [x], parameters=values).system()
    assert system.simulate(initial={"x": 0.9}, **settings).complete
    with pytest.raises(AxletreeError, match="x was declared small, up to 1 .* starts at 2"):
        system.simulate(initial={"x": 2.0}, **settings)
    wide = state_space("pendulum", [equation], [x], parameters=values, small={x: 3.0}).system()
    assert wide.simulate(initial={"x": 2.0}, **settings).complete


def test_a_small_variable_that_grows_in_a_run_is_named() -> None:
    space = state_space("plant", [SPRING], [x], [u], VALUES, units={x: "m"}, small={x: 0.2})
    with pytest.warns(UserWarning, match="from t = 0.65 s on x is larger than the 0.2 m"):
        run = space.system().simulate(1.0, step=0.01, inputs={"u": 1.0})  # 1 - cos(t)
    assert "goes up to 0.46" in run.note


def test_a_small_parameter_has_a_bound() -> None:
    """A pendulum whose pivot stands a little aside of where its angle is measured from."""
    x, (m, g, offset) = variables("x")[0], parameters("m g offset")
    world = World(gravity=(0, 0, -g), small=Small((x,), parameters=(offset,)))
    frame = world.base.moved("bob", rotation_y(x + offset), translation(z=-1))
    body = Body("bob", frame, m, POINT_MASS)
    equation = Assembly("pendulum", [body]).euler(world.base.origin)[1]
    values = {m: 2.0, g: 10.0, offset: (0.1, "rad", "angle of the pivot")}
    system = state_space("pendulum", [equation], [x], parameters=values).system()
    assert system.rhs({"x": 0.2, "V_x": 0.0})["V_x"] == pytest.approx(-3.0, rel=1e-12)
    with pytest.raises(AxletreeError, match="'offset' is 4.0 rad; expected a value between -1 and"):
        system.rhs({"x": 0.2, "V_x": 0.0}, parameters={"offset": 4.0})
    narrow = state_space("pendulum", [equation], [x], parameters=values, small={offset: 0.05})
    with pytest.raises(LanguageError, match="offset was declared small, up to 0.05 rad, and is 0."):
        narrow.system()
