"""Constraints of every kind, inputs with rates, and subsystems cut off."""

from __future__ import annotations

import numpy as np
import pytest
import sympy

from axletree.expr import evaluate, symbol
from axletree.language.state_space import state_space
from axletree.language.variables import TIME, parameters, rate, variables
from axletree.system.forms.projected import Projected

LENGTH, GRAVITY = 1.5, 9.81


def test_an_input_whose_rate_occurs_brings_it_along() -> None:
    x, track = variables("x track")
    c, k = parameters("c k")
    equation = sympy.Eq(rate(x, 2), k * (track - x) + c * (rate(track) - rate(x)))
    space = state_space("base_excited", [equation], [x], [track], {c: 0.4, k: 9.0})
    system = space.system()
    assert [(q.name, q.derivative_of) for q in system.inputs] == [
        ("track", ""),
        ("track_rate", "track"),
    ]
    run = system.simulate(40.0, step=1e-3, inputs={"track": "sin(2*t)"})
    late = run.time > 30.0
    amplitude = abs((9.0 + 0.4j * 2.0) / (9.0 - 4.0 + 0.4j * 2.0))
    assert run.columns["x"][late].max() == pytest.approx(amplitude, rel=1e-3)


def test_a_driven_pivot_is_a_constraint_that_holds_an_input() -> None:
    x, y, pull, lift = variables("x y pull lift")
    g, L = parameters("g L")
    equations = [
        sympy.Eq(rate(x, 2), -pull * x / L),
        sympy.Eq(rate(y, 2), -g - pull * (y - lift) / L),
    ]
    rod = (x**2 + (y - lift) ** 2 - L**2) / (2 * L)
    space = state_space(
        "lifted", equations, [x, y], [lift], {g: GRAVITY, L: LENGTH}, algebraic=[pull],
        constraints=[rod], start={y: -LENGTH},
    )  # fmt: skip
    system = space.system(Projected())
    assert [q.name for q in system.inputs] == ["lift", "lift_rate", "lift_acceleration"]
    run = system.simulate(3.0, step=1e-3, inputs={"lift": "0.5*t^2"}, outputs=["pull", "lift"])
    # Straight up with 1 m/s^2: the rod carries weight and inertia, and nothing swings.
    assert run.columns["pull"] == pytest.approx(GRAVITY + 1.0, rel=1e-9)
    assert run.columns["y"] == pytest.approx(0.5 * run.time**2 - LENGTH, abs=1e-9)


def test_a_constraint_may_hold_time_itself() -> None:
    x, push = variables("x push")
    space = state_space(
        "driven", [rate(x, 2) - push], [x], algebraic=[push], constraints=[x - sympy.sin(3 * TIME)]
    )
    run = space.system().simulate(2.0, step=1e-3)
    assert run.columns["x"] == pytest.approx(np.sin(3 * run.time), abs=1e-9)
    assert run.columns["push"] == pytest.approx(-9 * np.sin(3 * run.time), abs=1e-7)
    assert run.columns["V_x"][0] == 3.0


def test_what_follows_from_a_reaction_may_depend_on_it_in_any_way() -> None:
    # A force that lags behind the square root of a reaction, as of a tyre behind its load.
    x, load, lag = variables("x load lag")
    weight = parameters("W")[0]
    equations = [
        sympy.Eq(rate(x, 2), weight - load),
        sympy.Eq(rate(lag), sympy.sqrt(load) - lag),
    ]
    space = state_space(
        "resting", equations, [x, lag], parameters={weight: 9.0}, algebraic=[load], constraints=[x]
    )
    assert space.system().rhs({"x": 0.0, "V_x": 0.0, "lag": 1.0})["lag"] == pytest.approx(2.0)


def test_kinematics_may_be_equations_of_their_own() -> None:
    # The rod pendulum in speeds along and across a direction that turns with the mass.
    x, y, along, across, pull = variables("x y along across pull")
    g, L = parameters("g L")
    c, s = x / L, y / L
    turn = across / L
    equations = [
        sympy.Eq(rate(x), along * c - across * s),
        sympy.Eq(rate(y), along * s + across * c),
        sympy.Eq(rate(along) - across * turn, -g * s - pull),
        sympy.Eq(rate(across) + along * turn, -g * c),
    ]
    space = state_space(
        "turning", equations, [x, y, along, across], parameters={g: GRAVITY, L: LENGTH},
        algebraic=[pull], constraints=[(x**2 + y**2 - L**2) / (2 * L)],
    )  # fmt: skip
    system = space.system(Projected())
    state = {"x": 0.9, "y": -1.2, "along": 0.0, "across": 2.0}
    rates = system.rhs(state)
    assert rates["along"] == pytest.approx(0.0, abs=1e-12)
    assert rates["across"] == pytest.approx(-GRAVITY * 0.6)
    run = system.simulate(5.0, step=1e-3, initial=state)
    energy = run.columns["across"] ** 2 / 2 + GRAVITY * run.columns["y"]
    assert np.ptp(energy) < 1e-8
    modes = system.linearise({"x": 0.0, "y": -LENGTH}).eigenvalues
    assert modes == pytest.approx(np.array([1j, -1j]) * np.sqrt(GRAVITY / LENGTH))


def test_a_skate_on_a_slope_goes_down_in_cycloids() -> None:
    x, y, psi, side = variables("x y psi side")
    g, omega = parameters("g omega")
    equations = [
        sympy.Eq(rate(x, 2), g - side * sympy.sin(psi)),
        sympy.Eq(rate(y, 2), side * sympy.cos(psi)),
        sympy.Eq(rate(psi), omega),
    ]
    blade = rate(x) * sympy.sin(psi) - rate(y) * sympy.cos(psi)
    space = state_space(
        "skate", equations, [x, y, psi], parameters={g: 2.0, omega: 1.5}, algebraic=[side],
        constraints=[blade],
    )  # fmt: skip
    run = space.system().simulate(6.0, step=1e-3)
    phase = 1.5 * run.time  # Neimark and Fufaev 1972: it never gets farther down than this
    assert run.columns["x"] == pytest.approx(2.0 / (2 * 1.5**2) * np.sin(phase) ** 2, abs=1e-8)
    across = 2.0 / (2 * 1.5**2) * (phase - 0.5 * np.sin(2 * phase))
    assert run.columns["y"] == pytest.approx(across, abs=1e-8)


def test_what_is_cut_off_leaves_the_rest_as_it_is_by_itself() -> None:
    x, y, force = variables("x y force")
    k, m = parameters("k m")
    first = sympy.Eq(m * rate(x, 2), -k * x + force)
    second = sympy.Eq(m * rate(y, 2), -force)
    whole = state_space(
        "coupled", [first, second], [x, y], parameters={k: 4.0, m: 1.0}, algebraic=[force],
        constraints=[x - y], outputs={"double": 2 * x + force, "gone": rate(y)},
    )  # fmt: skip
    assert whole.system().linearise().eigenvalues == pytest.approx(
        np.array([1j, -1j]) * np.sqrt(2.0)
    )
    alone = whole.without(y, force)
    assert [str(item.func) for item in alone.x] == ["x", "V_x"]
    assert alone.outputs == {"double": 2 * x}
    assert alone.system().linearise().eigenvalues == pytest.approx(np.array([2j, -2j]))
    named = variables("total")[0]
    more = state_space(
        "named", [first, second, named - 2 * force], [x, y], parameters={k: 4.0, m: 1.0},
        algebraic=[force, named], constraints=[x - y],
    ).without(y, force, named)  # fmt: skip
    assert len(more.equations) == 2
    switched = state_space(
        "switched", [first], [x], parameters={k: 4.0, m: 1.0}, switched_off={force: 0}
    )
    assert switched.system().rhs({"x": 1.0, "V_x": 0.0}) == {"x": 0.0, "V_x": -4.0}


def test_velocities_stand_where_they_are_listed() -> None:
    z, w = variables("z w")
    space = state_space("falling", [rate(z, 2) - 9.0], [w, z], velocities={z: w})
    assert [q.name for q in space.system().states] == ["w", "z"]
    assert space.system().rhs({"w": 3.0, "z": 1.0}) == {"w": 9.0, "z": 3.0}


def test_capacitors_in_parallel_share_their_voltage() -> None:
    v1, v2, current, source = variables("v1 v2 current source")
    C1, C2, R = parameters("C1 C2 R")
    equations = [
        sympy.Eq(C1 * rate(v1), (source - v1) / R - current),
        sympy.Eq(C2 * rate(v2), current),
    ]
    space = state_space(
        "capacitors", equations, [v1, v2], [source], {C1: 1.0, C2: 2.0, R: 4.0},
        algebraic=[current], constraints=[v1 - v2],
    )  # fmt: skip
    system = space.system()
    assert system.linearise().eigenvalues == pytest.approx([-1.0 / 12.0])
    run = system.simulate(24.0, step=0.01, inputs={"source": 5.0})
    wanted = 5.0 * (1.0 - np.exp(-run.time / 12.0))
    assert run.columns["v1"] == pytest.approx(wanted, abs=1e-8)
    assert run.columns["v2"] == pytest.approx(wanted, abs=1e-8)


def test_a_constraint_on_tracked_places_holds_speeds() -> None:
    # A disc on a line: its place is tracked from the speeds of a moving base.
    u, omega, x, theta, friction = variables("u omega x theta friction")
    m, inertia, R, force = parameters("m I R F")
    equations = [
        sympy.Eq(m * rate(u), force + friction),
        sympy.Eq(inertia * rate(omega), -R * friction),
        sympy.Eq(rate(x), u),
        sympy.Eq(rate(theta), omega),
    ]
    values = {m: 2.0, inertia: 0.1, R: 0.5, force: 3.0}
    space = state_space(
        "disc", equations, [u, omega, x, theta], parameters=values,
        algebraic=[friction], constraints=[rate(x) - R * rate(theta)],
    )  # fmt: skip
    system = space.system()
    rates = system.rhs({"u": 1.0, "omega": 2.0, "x": 0.0, "theta": 0.0})
    assert rates["u"] == pytest.approx(3.0 / (2.0 + 0.1 / 0.5**2))
    assert system.linearise({"u": 1.0}).drifting == ("x", "theta")


def test_an_input_may_be_switched_off() -> None:
    x, push = variables("x push")
    space = state_space("plain", [rate(x) - push + x], [x], [push], switched_off={push: 2})
    assert space.u == ()
    assert space.system().rhs({"x": 0.5}) == {"x": 1.5}


def test_a_coordinate_that_is_switched_off_stands_still() -> None:
    x, y = variables("x y")
    c, k = parameters("c k")
    equation = sympy.Eq(rate(x, 2) + rate(y, 2), k * (y - x) + c * (rate(y) - rate(x)))
    space = state_space(
        "held", [equation], [x, y], parameters={c: 2.0, k: 3.0}, switched_off={y: 5}
    )
    (V_x,) = variables("V_x")
    assert space.x == (x, V_x)
    assert space.explicit() == sympy.ImmutableMatrix([V_x, k * (5 - x) - c * V_x])


def test_rows_of_what_runs_have_the_signs_of_those_that_are_read() -> None:
    x, pull = variables("x pull")
    equation = sympy.Eq(rate(x, 2), pull)
    space = state_space("held", [equation], [x], algebraic=[pull], constraints=[x - 2])
    assert list(space.B) == [*variables("V_x pull"), x - 2]
    values = {symbol("x"): 0.5, symbol("V_x"): 0.3, symbol("pull"): 0.7}
    assert evaluate(space.implicit().rates, values) == [0.3, 0.7, -1.5]
