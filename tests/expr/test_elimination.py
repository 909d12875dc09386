"""The order of elimination: what it costs beside forward accumulation and fixed rules."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axletree.expr import (
    Expr,
    atan,
    cos,
    count_operations,
    directional_derivative,
    jacobian,
    ldl,
    sin,
    symbol,
)
from axletree.expr.derivatives import Edges, cheapest_order


def pendulum(links: int) -> tuple[list[Expr], list[Expr]]:
    """Accelerations of a chain of unit links, mass matrix factorised; states q and p."""
    q = [symbol(f"q{k}") for k in range(links)]
    p = [symbol(f"p{k}") for k in range(links)]
    mass, rhs = {}, [(k - links) * sin(q[k]) for k in range(links)]
    for i in range(links):
        mass[i, i] = symbol(f"m{i}")
        for j in range(i):
            factor = symbol(f"m{i}")
            mass[i, j] = factor * cos(q[i] - q[j])
            rhs[i] = rhs[i] - factor * sin(q[i] - q[j]) * p[j] * p[j]
            rhs[j] = rhs[j] + factor * sin(q[i] - q[j]) * p[i] * p[i]
    return ldl(mass, links).solve(rhs), q + p


def slip_curves(wheels: int) -> tuple[list[Expr], list[Expr]]:
    """Magic Formula curves, all of whose slips come from three states."""
    states = [symbol(name) for name in ("u", "v", "r")]
    u, v, r = states
    forces = []
    for k in range(wheels):
        slip = atan((v + (k - 1.5) * r) / u)
        b, c, d, e = (symbol(f"{name}{k}") for name in "bcde")
        forces.append(d * sin(c * atan(b * slip - e * (b * slip - atan(b * slip)))))
    total = sum(forces[1:], start=forces[0])
    return [total, total * u - forces[0] * v, forces[1] * cos(v)], states


@pytest.mark.parametrize(("expressions", "variables"), [pendulum(5), slip_curves(4)])
def test_fewer_operations_than_forward_accumulation(
    expressions: list[Expr], variables: list[Expr]
) -> None:
    entries = count_operations(jacobian(expressions, variables).values())
    columns = [directional_derivative(expressions, {variable: 1.0}) for variable in variables]
    forward = count_operations(itertools.chain(*columns))
    assert entries.additions <= forward.additions
    assert entries.total < forward.total


@st.composite
def graphs(draw: st.DrawFn) -> tuple[Edges, dict[int, int]]:
    """Random layered graphs: vertices 0, 1 are variables, the last two expressions."""
    size = draw(st.integers(5, 9))
    edges = {
        target: {
            source: False
            for source in range(min(target, size - 2))
            if draw(st.booleans()) or source == target - 1
        }
        for target in range(2, size)
    }
    return edges, {vertex: vertex for vertex in range(2, size - 2)}


def products(edges: Edges, order: tuple[int, ...]) -> int:
    """Products and sums of an elimination, counted over pairs of sets."""
    present = {(source, target) for target, sources in edges.items() for source in sources}
    total = 0
    for vertex in order:
        sources = {s for s, t in present if t == vertex}
        targets = {t for s, t in present if s == vertex}
        joined = set(itertools.product(sources, targets))
        total += len(joined) + len(joined & present)
        present = {(s, t) for s, t in present | joined if vertex not in (s, t)}
    return total


@given(graphs())
@settings(max_examples=50)
def test_the_order_is_close_to_the_best_of_all(drawn: tuple[Edges, dict[int, int]]) -> None:
    edges, rank = drawn
    order = cheapest_order(edges, rank)
    assert sorted(order) == sorted(rank)
    costs = [products(edges, tried) for tried in itertools.permutations(rank)]
    assert products(edges, tuple(order)) <= 1.3 * min(costs)
    assert products(edges, tuple(order)) <= products(edges, tuple(sorted(rank)))
