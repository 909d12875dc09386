"""Implicit systems solved in blocks: loops, orders, and what cannot be solved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from axletree.core.errors import FormulationError, InitialValueError
from axletree.expr import Expr, cos, directional_derivative, evaluate, exp, sin, sqrt, symbol
from axletree.expr.quantity import Quantity, Role
from axletree.system.forms.projected import Projected
from axletree.system.index_reduction import explicit_system
from axletree.system.system import Definition, ImplicitSystem, System, rate_symbol
from axletree.system.system import System as PlainSystem

TIME = Quantity("time", "s", "time", Role.TIME)
Entries = Mapping[tuple[int, int], Expr | float]


def implicit(
    variables: str,
    matrix: Entries,
    right: Sequence[Expr | float],
    inputs: str = "",
    parameters: Mapping[str, float] | None = None,
    **rest: object,
) -> ImplicitSystem:
    values = parameters or {}
    return ImplicitSystem(
        name="plant",
        time=TIME,
        variables=tuple(Quantity(n, "1", n, Role.STATE) for n in variables.split()),
        inputs=tuple(Quantity(n, "1", n, Role.INPUT) for n in inputs.split()),
        parameters=tuple(Quantity(n, "1", n, Role.PARAMETER, v) for n, v in values.items()),
        matrix={place: symbol("x") * 0.0 + entry for place, entry in matrix.items()},
        rates=tuple(symbol("x") * 0.0 + entry for entry in right),
        outputs=rest.pop("outputs", ()),  # type: ignore[arg-type]
        equation_names=tuple(f"row {k}" for k in range(len(right))),
        **rest,  # type: ignore[arg-type]
    )


def values(system: PlainSystem, **numbers: float) -> dict[str, float]:
    """Rates and outputs by name."""
    given = {symbol(name): value for name, value in numbers.items()}
    given |= {q.symbol: q.default for q in system.parameters}
    names = [q.name for q in system.states] + [d.quantity.name for d in system.outputs]
    expressions = [*system.derivatives, *(d.expression for d in system.outputs)]
    return dict(zip(names, evaluate(expressions, given), strict=True))


x, y, z, w = (symbol(name) for name in "xyzw")


def test_a_linear_loop_of_algebraic_variables_is_solved_at_once() -> None:
    # x' = y; 2 y + z = x, y - 3 z = cos(x)
    plant = implicit("x y z", {(0, 0): 1.0}, [y, x - 2.0 * y - z, cos(x) - y + 3.0 * z])
    found = values(explicit_system(plant), x=0.7)
    y_, z_ = np.linalg.solve([[2.0, 1.0], [1.0, -3.0]], [0.7, np.cos(0.7)])
    assert found == pytest.approx({"x": y_, "y": y_, "z": z_})


def test_what_an_earlier_block_gives_may_occur_in_any_way() -> None:
    # z is found by itself; y depends on it through a sine, and x' on both.
    plant = implicit("x y z", {(0, 0): 1.0}, [y * z, sin(z) + z**3 - y, 2.0 * x - z])
    found = values(explicit_system(plant), x=0.4)
    assert found["z"] == pytest.approx(0.8)
    assert found["x"] == pytest.approx((np.sin(0.8) + 0.8**3) * 0.8)


def test_a_coupled_matrix_is_inverted() -> None:
    random = np.random.default_rng(3)
    A, b = random.normal(size=(6, 6)), random.normal(size=6)
    entries = {(i, j): symbol(f"a{i}{j}") for i in range(6) for j in range(6)}
    numbers = {f"a{i}{j}": float(A[i, j]) for i in range(6) for j in range(6)}
    names = [f"x{k}" for k in range(6)]
    plant = implicit(" ".join(names), entries, b.tolist(), parameters=numbers)
    found = values(explicit_system(plant), **dict.fromkeys(names, 0.0))
    assert [found[name] for name in names] == pytest.approx(np.linalg.solve(A, b), rel=1e-10)


def test_a_matrix_without_safe_pivots_is_solved_with_exchanges() -> None:
    # A rotation by x: each entry vanishes somewhere, the matrix is regular everywhere.
    turned = {(0, 0): 1.0, (1, 1): cos(x), (1, 2): -sin(x), (2, 1): sin(x), (2, 2): cos(x)}
    system = explicit_system(implicit("x y z", turned, [1.0, 3.0, -2.0]))
    for angle in (0.0, np.pi / 2, 2.0, np.pi):
        found = values(system, x=angle)
        wanted = np.linalg.solve(
            [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]], [3.0, -2.0]
        )
        assert [found["y"], found["z"]] == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("case", range(6))
def test_constrained_motion_is_that_of_the_full_matrix(case: int) -> None:
    """M(q) a + C^T f = b, C a = -C' v with random sparse M and constraints, against numpy."""
    random = np.random.default_rng(case)
    n, rows = 6, 2
    q, v, f = ([symbol(f"{letter}{k}") for k in range(n)] for letter in "qvf")
    link = np.triu(random.random((n, n)) < 0.3, 1)
    weights = random.uniform(2.0, 4.0, size=n)
    M = {(i, i): weights[i] + 0.0 * q[0] for i in range(n)}
    for i, j in zip(*np.nonzero(link), strict=True):
        M[int(i), int(j)] = M[int(j), int(i)] = 0.3 * cos(q[int(i)] - q[int(j)])
    held = [sum((q[k] * q[k] * float(c) for k, c in enumerate(random.normal(size=n))), q[r])
            for r in range(rows)]  # fmt: skip
    C = [[held_slope(row, q[k]) for k in range(n)] for row in held]
    load = random.normal(size=n)
    right = [*v]
    for i in range(n):
        right.append(load[i] - sum((C[r][i] * f[r] for r in range(rows)), 0.0 * q[0]))
    matrix: dict[tuple[int, int], Expr | float] = {(k, k): 1.0 for k in range(n)}
    matrix |= {(n + i, n + j): entry for (i, j), entry in M.items()}
    names = " ".join(e.name for e in (*q, *v, *f[:rows]))
    system = explicit_system(implicit(names, matrix, [*right, *held]), Projected())
    at = {e: float(x) for e, x in zip((*q, *v), random.normal(size=2 * n), strict=True)}
    found = values(system, **{e.name: x for e, x in at.items()})
    K = np.zeros((n + rows, n + rows))
    for (i, j), entry in M.items():
        K[i, j] = evaluate([entry], at)[0]
    slopes = np.array([evaluate(row, at) for row in C])
    K[:n, n:], K[n:, :n] = slopes.T, slopes
    bend = [2.0 * sum(curvature(row, q[k], at) * at[v[k]] ** 2 for k in range(n)) for row in held]
    wanted = np.linalg.solve(K, [*load, *(-np.array(bend))])
    names_found = [e.name for e in (*v, *f[:rows])]
    assert [found[name] for name in names_found] == pytest.approx(wanted, rel=1e-9, abs=1e-9)


def held_slope(row: Expr, variable: Expr) -> Expr:
    return directional_derivative([row], {variable: 1.0})[0]


def curvature(row: Expr, variable: Expr, at: Mapping[Expr, float]) -> float:
    """Half of the second derivative of what has at most squares in it."""
    return float(evaluate([held_slope(held_slope(row, variable), variable)], at)[0]) / 2.0


def test_a_matrix_that_has_no_value_everywhere_is_looked_at_where_it_has() -> None:
    plant = implicit("x", {(0, 0): sqrt(1.0 - x * x)}, [1.0])
    assert values(explicit_system(plant), x=0.6) == pytest.approx({"x": 1.25})


def test_outputs_may_hold_rates_and_algebraic_variables() -> None:
    state = Quantity("x", "1", "x", Role.STATE)
    shown = Definition(Quantity("sum", "1", "sum", Role.OUTPUT), rate_symbol(state) + 2.0 * y)
    plant = implicit("x y", {(0, 0): 2.0}, [y, 3.0 * x - y], outputs=(shown,))
    assert values(explicit_system(plant), x=1.0) == pytest.approx({"x": 1.5, "y": 3.0, "sum": 7.5})


def test_a_projection_is_the_least_change() -> None:
    # A point held on a circle in position and speed.
    p, q, f = symbol("p"), symbol("q"), symbol("f")
    matrix = {(0, 0): 1.0, (1, 1): 1.0, (2, 2): 1.0, (3, 3): 1.0}
    right = [p, q, -f * x, -f * y, (x * x + y * y - 1.0) * 0.5]
    system = explicit_system(implicit("x y p q f", matrix, right), Projected(newton_steps=3))
    assert system.projection is not None
    at = {x: 1.1, y: 0.2, p: 0.4, q: 1.0}
    moved = np.array(evaluate(system.projection, at))
    assert np.hypot(*moved[:2]) == pytest.approx(1.0, abs=1e-7)
    assert moved[:2] @ moved[2:] == pytest.approx(0.0, abs=1e-14)
    place, change = moved[:2], moved[2:] - [0.4, 1.0]
    assert np.linalg.det([place, [1.1, 0.2]]) == pytest.approx(0.0, abs=1e-14)  # straight inwards
    assert np.linalg.det([change, place]) == pytest.approx(0.0, abs=1e-14)


# -- refusals --------------------------------------------------------------------------


def refused(plant: ImplicitSystem, *words: str) -> None:
    with pytest.raises(FormulationError) as error:
        explicit_system(plant)
    for word in words:
        assert word in str(error.value)


def test_a_loop_that_is_not_linear_names_equations_and_unknowns() -> None:
    plant = implicit("x y z", {(0, 0): 1.0}, [y, exp(y) + z - x, y - z])
    refused(plant, "row 1", "not linear in y, z", "relaxation")


def test_too_few_equations_name_what_is_open() -> None:
    refused(
        implicit("x y z", {(0, 0): 1.0}, [y + z]), "1 equations for 3", "2 equations", "x', y, z"
    )


def test_too_many_equations_name_the_unknowns_that_they_share() -> None:
    plant = implicit("x y z", {(0, 0): 1.0}, [x, 2.0 * y - x, y + x])
    refused(plant, "2 equations (row 1, row 2) determine only 1 unknown (y)", "leave out 1")


def test_a_constraint_without_a_force_is_named() -> None:
    plant = implicit("x y", {(0, 0): 1.0, (1, 1): 1.0}, [y, x, x + y])
    refused(plant, "row 2 holds variables whose rates all follow", "force")


def test_more_constraints_than_forces() -> None:
    plant = implicit("x y z", {(0, 0): 1.0, (1, 1): 1.0}, [z, -z, x + y, x - y])
    refused(plant, "row 2, row 3 hold places or speeds", "only 1 of", "leave out")


def test_a_constraint_that_no_force_sees_to() -> None:
    # z pushes y, and the constraint is on x, which goes its own way.
    plant = implicit("x y z", {(0, 0): 1.0, (1, 1): 1.0}, [1.0, z, x - 2.0])
    refused(plant, "nothing sees to the constraint 'row 2'", "y', z")


def test_an_equation_that_says_nothing() -> None:
    refused(implicit("x", {(0, 0): 1.0}, [x, 3.0]), "row 1 says nothing", "-3 = 0")


def test_dependent_constraints_are_named() -> None:
    # The second constraint is twice the first.
    plant = implicit(
        "x y z w", {(0, 0): 1.0, (1, 1): 1.0}, [z + 2.0 * w, 2.0 * w + z, x + y, 2.0 * x + 2.0 * y]
    )
    refused(plant, "row 2, row 3", "say the same twice")


def test_a_parameter_that_is_zero_leaves_no_inertia() -> None:
    plant = implicit("x", {(0, 0): symbol("m")}, [1.0], parameters={"m": 0.0})
    refused(plant, "row 0 does not determine x'", "parameters that are 0")


def test_coefficients_without_a_value() -> None:
    plant = implicit("x", {(0, 0): 1.0 / symbol("m")}, [1.0], parameters={"m": 0.0})
    refused(plant, "no finite value at the start")


def test_unknowns_that_have_no_equation_of_their_own_though_the_count_is_right() -> None:
    # Both constraints bear on x alone; y is open.
    plant = implicit("x y z w", {(0, 0): 1.0, (1, 1): 1.0}, [z, w, x - 1.0, x * x - 1.0])
    refused(plant, "(row 2, row 3) determine only", "nothing determines y', w")


def test_a_third_derivative_of_an_input_is_refused() -> None:
    # x' = u' stands already; the constraint on the rate needs u''' in its second derivative.
    rate = Quantity("u_rate", "1", "rate", Role.INPUT, derivative_of="u")
    second = Quantity("u_acceleration", "1", "second", Role.INPUT, derivative_of="u_rate")
    plant = implicit("x y", {(0, 0): 1.0}, [y, x - symbol("u_acceleration")], inputs="u")
    plant = ImplicitSystem(**{**vars(plant), "inputs": (*plant.inputs, rate, second)})
    refused(plant, "third derivative of an input", "u_acceleration")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rates": (x,)}, "B has 1 entries, and 2 equations"),
        ({"matrix": {(0, 5): x}}, "A has an entry at (0, 5)"),
        ({"inputs": (Quantity("x", "1", "x", Role.INPUT),)}, "x stands for more than one"),
    ],
)
def test_an_implicit_system_that_does_not_fit(change: dict[str, object], words: str) -> None:
    plant = implicit("x y", {(0, 0): 1.0}, [y, x - y])
    with pytest.raises(FormulationError) as error:
        ImplicitSystem(**{**vars(plant), **change})
    assert words in str(error.value)


def circle() -> System:
    p, q, f = symbol("p"), symbol("q"), symbol("f")
    matrix = {(0, 0): 1.0, (1, 1): 1.0, (2, 2): 1.0, (3, 3): 1.0}
    right = [p, q, -f * x, -f * y, (x * x + y * y - 1.0) * 0.5]
    plant = implicit("x y p q f", matrix, right, small={"p": 0.5})
    return System(**vars(explicit_system(plant)))


def test_states_that_are_not_given_follow() -> None:
    found = circle().state({"x": 0.6, "q": 0.3})
    assert abs(found["y"]) == pytest.approx(0.8, abs=1e-9)
    assert found["x"] * found["p"] + found["y"] * found["q"] == pytest.approx(0.0, abs=1e-9)


def test_states_that_contradict_a_constraint_are_refused() -> None:
    with pytest.raises(InitialValueError, match="row 4 is off by 0.22"):
        circle().state({"x": 1.2, "y": 0.0})
    with pytest.raises(InitialValueError, match="the rate of row 4 is off by 0.3"):
        circle().state({"x": 1.0, "y": 0.0, "p": 0.3, "q": 0.0})


def test_a_small_variable_with_a_large_start_is_refused() -> None:
    with pytest.raises(InitialValueError, match="p was declared small, up to 0.5"):
        circle().state({"x": 0.0, "y": 1.0, "p": 2.0})
