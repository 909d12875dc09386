"""Tableaus satisfy the conditions of their order, and every language has their steps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from printed.expression import Expression

from axletree.code.printers.steps import (
    FORTRAN_STEPS,
    MATLAB_STEPS,
    VectorLanguage,
    c_step,
    python_step,
    weighted_sum,
)
from axletree.code.step_rules import (
    CLASSICAL,
    DORMAND_PRINCE,
    FORWARD_EULER,
    SEMI_IMPLICIT,
    Move,
    Rates,
    StepLine,
    Tableau,
    runge_kutta,
    unit_fraction,
    weighted_slopes,
)

TABLEAUS = {
    "explicit Euler": (FORWARD_EULER, 1),
    "classical": (CLASSICAL, 4),
    "Dormand and Prince": (DORMAND_PRINCE, 5),
}
Vector = list[Fraction]


def trees(order: int) -> list[tuple]:
    """Rooted trees of so many vertices, each the sorted tuple of the trees at its root."""
    if order == 1:
        return [()]
    found: set[tuple] = set()
    for forest in forests(order - 1, order - 1):
        found.add(tuple(sorted(forest)))
    return sorted(found)


def forests(vertices: int, largest: int) -> list[list[tuple]]:
    if vertices == 0:
        return [[]]
    return [
        [tree, *rest]
        for size in range(1, min(vertices, largest) + 1)
        for tree in trees(size)
        for rest in forests(vertices - size, size)
    ]


def vertices(tree: tuple) -> int:
    return 1 + sum(vertices(branch) for branch in tree)


def density(tree: tuple) -> int:
    """The product of the numbers of vertices of all subtrees (Butcher 2016, section 301)."""
    product = vertices(tree)
    for branch in tree:
        product *= density(branch)
    return product


def stage_weights(tableau: Tableau, tree: tuple) -> Vector:
    """Of every stage: the product over the branches of sum_j a_ij times what j has."""
    found = [Fraction(1)] * tableau.stages
    for branch in tree:
        below = stage_weights(tableau, branch)
        for i in range(tableau.stages):
            row = tableau.row(i, tableau.stages)
            found[i] *= sum((a * b for a, b in zip(row, below, strict=True)), Fraction(0))
    return found


def satisfies(tableau: Tableau, weights: tuple[Fraction, ...], order: int) -> bool:
    """Whether b . Phi(tree) = 1 / density(tree) for all trees of this order."""
    return all(
        sum(b * w for b, w in zip(weights, stage_weights(tableau, tree), strict=True))
        == Fraction(1, density(tree))
        for tree in trees(order)
    )


def test_there_are_as_many_trees_as_is_known() -> None:
    assert [len(trees(order)) for order in range(1, 7)] == [1, 1, 2, 4, 9, 20]


@pytest.mark.parametrize("name", TABLEAUS)
def test_nodes_are_the_sums_of_their_rows(name: str) -> None:
    tableau, _ = TABLEAUS[name]
    assert tableau.nodes == tuple(sum(row, Fraction(0)) for row in tableau.rows)
    assert all(len(row) <= stage for stage, row in enumerate(tableau.rows)), "explicit"


@pytest.mark.parametrize("name", TABLEAUS)
def test_the_conditions_hold_up_to_the_order_and_no_further(name: str) -> None:
    tableau, order = TABLEAUS[name]
    for each in range(1, order + 1):
        assert satisfies(tableau, tableau.weights, each), each
    assert not satisfies(tableau, tableau.weights, order + 1)


def test_the_embedded_solution_is_of_order_four() -> None:
    assert [satisfies(DORMAND_PRINCE, DORMAND_PRINCE.embedded, n) for n in range(1, 6)] == [
        *[True] * 4,
        False,
    ]
    assert DORMAND_PRINCE.has_last_stage_at_end
    assert sum(DORMAND_PRINCE.error) == 0


def test_fractions_are_written_as_whole_multiples_where_that_is_possible() -> None:
    assert unit_fraction(CLASSICAL.weights) == Fraction(1, 6)
    assert unit_fraction((Fraction(3, 40), Fraction(9, 40))) is None
    assert CLASSICAL.has_whole_multiples
    assert not DORMAND_PRINCE.has_whole_multiples
    factor, text = weighted_sum(weighted_slopes(CLASSICAL.weights), str)
    assert f"{factor} * ({text})" == "h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4)"
    three_eighths = (Fraction(-1, 3), Fraction(1))
    assert weighted_sum(weighted_slopes(three_eighths), str) == ("h / 3.0", "-k1 + 3.0 * k2")


class _Loop:
    """xdot = f(t, x) for the steps of Python."""

    speeds = 0

    def call(self, routine: str, t: float, x: list[float]) -> list[float]:
        assert routine == "rhs"
        return [np.cos(t) * x[1], -x[0] + t]


def by_hand(tableau: Tableau, t: float, h: float, x: list[float]) -> np.ndarray:
    """A step as the definition has it."""
    slopes: list[np.ndarray] = []
    for stage, node in enumerate(tableau.nodes):
        row = tableau.row(stage, tableau.stages)
        moved = x + h * sum((float(a) * k for a, k in zip(row, slopes, strict=False)), np.zeros(2))
        slopes.append(np.array(_Loop().call("rhs", t + float(node) * h, list(moved))))
    return x + h * sum(float(b) * k for b, k in zip(tableau.weights, slopes, strict=True))


@pytest.mark.parametrize("name", TABLEAUS)
def test_every_language_takes_the_step_of_the_definition(name: str) -> None:
    """C does so in the tests of integrators, which run it."""
    tableau, _ = TABLEAUS[name]
    lines = runge_kutta(tableau)
    t, h, x = 0.3, 0.1, [0.7, -0.4]
    expected = by_hand(tableau, t, h, x)
    assert python_step(lines)(_Loop(), t, h, x) == pytest.approx(expected, rel=1e-14)
    for language in (MATLAB_STEPS, FORTRAN_STEPS):
        found = run_statements(language, lines, {"t": t, "h": h, "x": np.array(x)})
        assert found == pytest.approx(expected, rel=1e-14)


def run_statements(
    language: VectorLanguage, lines: Sequence[StepLine], given: dict[str, Any]
) -> np.ndarray:
    variables = dict(given)
    for text in language.statements(lines):
        call = re.fullmatch(r"(?:(\w+) = model_|call )rhs\((.*), (\w+), u, c(?:, (\w+))?\);?", text)
        if call is not None:
            result, at, of = call[1] or call[4], call[2], call[3]
            time = Expression(at, variables, {}, fortran=language is FORTRAN_STEPS).value()
            variables[result] = np.array(_Loop().call("rhs", float(time), list(variables[of])))
        else:
            result, _, value = text.rstrip(";").partition(" = ")
            fortran = language is FORTRAN_STEPS
            variables[result] = Expression(value, variables, {}, fortran=fortran).value()
    return np.asarray(variables["x"])


@pytest.mark.parametrize("name", TABLEAUS)
def test_all_languages_have_the_same_lines(name: str) -> None:
    """But for the marks of numbers and the calls."""
    lines = runge_kutta(TABLEAUS[name][0])
    moves = sum(isinstance(line, Move) for line in lines)
    assert sum(isinstance(line, Rates) for line in lines) == TABLEAUS[name][0].stages
    matlab = [s.rstrip(";") for s in MATLAB_STEPS.statements(lines) if "model_" not in s]
    fortran = [s.replace("_dp", "") for s in FORTRAN_STEPS.statements(lines) if "call" not in s]
    written = " ".join(c_step(lines).replace("[i]", "").split())
    written = re.sub(r"AXL_N\((.*?)\)", r"\1", written)
    assert len(matlab) == moves
    assert matlab == fortran
    assert all(f"{text};" in written for text in matlab)
    texts = (MATLAB_STEPS.text(lines), FORTRAN_STEPS.text(lines), c_step(lines))
    assert max(len(line) for text in texts for line in text.splitlines()) <= 100


def test_the_rule_of_semi_implicit_euler_is_the_same_in_all_languages() -> None:
    """Speeds first, then the rest with what both share behind the rates of the speeds."""
    assert list(MATLAB_STEPS.statements(SEMI_IMPLICIT)) == [
        "pdot = model_speed_rates(t, x, u, c);",
        "x(1:n) = x(1:n) + h * pdot(1:n);",
        "zdot = model_other_rates(t, x, u, c, pdot(n + 1:end));",
        "x(n + 1:end) = x(n + 1:end) + h * zdot;",
    ]
    assert list(FORTRAN_STEPS.statements(SEMI_IMPLICIT)) == [
        "call speed_rates(t, x, u, c, pdot)",
        "x(1:n) = x(1:n) + h * pdot(1:n)",
        "call other_rates(t, x, u, c, pdot(n + 1:), zdot)",
        "x(n + 1:) = x(n + 1:) + h * zdot",
    ]
