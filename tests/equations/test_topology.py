"""Incidence, cutset and circuit matrices over random graphs: the identities they must satisfy."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from axletree.components.edges import ELECTRICAL, Edge, NetworkLaw, NetworkRole
from axletree.equations.graph import ROOT, LinearGraph
from axletree.equations.tree import Tree, select_trees

ROLES = tuple(NetworkRole)


@st.composite
def connected_graphs(draw: st.DrawFn, most_nodes: int = 9, most_extra: int = 8) -> LinearGraph:
    """Every node hangs on one before it; some more edges, parallel ones and either way."""
    count = draw(st.integers(2, most_nodes))
    nodes = [ROOT, *(f"n{k}" for k in range(1, count))]
    pairs = [(draw(st.integers(0, k - 1)), k) for k in range(1, count)]
    anywhere = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1))
    more = draw(st.lists(anywhere.filter(lambda ends: ends[0] != ends[1]), max_size=most_extra))
    edges = []
    for a, b in draw(st.permutations(pairs + more)):
        if draw(st.booleans()):
            a, b = b, a
        law = NetworkLaw(draw(st.sampled_from(ROLES)))
        name = f"part{len(edges)}"
        edges.append(Edge(name, "E1", ELECTRICAL, nodes[a], nodes[b], law))
    return LinearGraph(tuple(edges))


def tree_of(graph: LinearGraph) -> Tree:
    return select_trees(graph)[ELECTRICAL]


def incidence_columns(graph: LinearGraph, edges: list[Edge]) -> np.ndarray:
    order = {edge: k for k, edge in enumerate(graph.edges_of(ELECTRICAL))}
    columns = [order[edge] for edge in edges]
    return graph.incidence(ELECTRICAL)[:, columns]


@given(connected_graphs())
def test_every_edge_leaves_one_node_and_enters_another(graph: LinearGraph) -> None:
    incidence = graph.incidence(ELECTRICAL)
    assert incidence.shape == (len(graph.nodes_of(ELECTRICAL)), len(graph.edges))
    assert not incidence.sum(axis=0).any()
    assert (np.abs(incidence).sum(axis=0) == 2).all()
    for column, edge in enumerate(graph.edges):
        assert incidence[graph.nodes_of(ELECTRICAL).index(edge.tail), column] == 1


@given(connected_graphs())
def test_a_tree_spans_and_its_chords_are_the_rest(graph: LinearGraph) -> None:
    tree = tree_of(graph)
    branches = [branch.edge for branch in tree.branches]
    assert len(branches) == len(graph.nodes_of(ELECTRICAL)) - 1
    assert np.linalg.matrix_rank(incidence_columns(graph, branches)) == len(branches)
    assert sorted(e.name for e in (*branches, *tree.chords)) == sorted(e.name for e in graph.edges)


@given(connected_graphs())
def test_cutsets_are_minus_the_transposed_circuits(graph: LinearGraph) -> None:
    tree = tree_of(graph)
    assert (tree.cutset_matrix() == -tree.circuit_matrix().T).all()


@given(connected_graphs())
def test_a_circuit_with_its_chord_is_orthogonal_to_the_incidence(graph: LinearGraph) -> None:
    tree = tree_of(graph)
    whole = incidence_columns(graph, [*(b.edge for b in tree.branches), *tree.chords])
    circuits = np.hstack([tree.circuit_matrix(), np.eye(len(tree.chords), dtype=int)])
    assert not (whole @ circuits.T).any()


@given(connected_graphs(), st.randoms(use_true_random=False))
def test_differences_of_potentials_satisfy_the_branch_transformation(graph, random) -> None:
    tree = tree_of(graph)
    potentials = np.array([random.uniform(-1, 1) for _ in graph.nodes_of(ELECTRICAL)])
    branches = incidence_columns(graph, [b.edge for b in tree.branches]).T @ potentials
    chords = incidence_columns(graph, list(tree.chords)).T @ potentials
    np.testing.assert_allclose(-tree.circuit_matrix() @ branches, chords, atol=1e-14)


@given(connected_graphs(), st.randoms(use_true_random=False))
def test_the_chord_transformation_balances_every_node(graph, random) -> None:
    tree = tree_of(graph)
    chords = np.array([random.uniform(-1, 1) for _ in tree.chords])
    flows = np.concatenate([-tree.cutset_matrix() @ chords, chords])
    whole = incidence_columns(graph, [*(b.edge for b in tree.branches), *tree.chords])
    np.testing.assert_allclose(whole @ flows, 0.0, atol=1e-13)


@given(connected_graphs(most_nodes=5, most_extra=3))
@settings(max_examples=40)
def test_the_default_tree_has_the_least_dimension_of_all(graph: LinearGraph) -> None:
    tree = tree_of(graph)
    size = len(tree.branches)
    dimensions = []
    for candidate in itertools.combinations(graph.edges, size):
        if np.linalg.matrix_rank(incidence_columns(graph, list(candidate))) == size:
            dimensions.append(sum(edge.law.dimension for edge in candidate))
    assert sum(branch.edge.law.dimension for branch in tree.branches) == min(dimensions)


@given(connected_graphs())
def test_branches_lead_from_the_root_to_every_node(graph: LinearGraph) -> None:
    tree = tree_of(graph)
    for node in graph.nodes_of(ELECTRICAL):
        path = tree.path_to_root(node)
        ends = [(branch.child, branch.parent) for branch in path]
        assert [a for a, _ in ends] == [node, *(b for _, b in ends[:-1])][: len(ends)]
        assert (ends[-1][1] if ends else node) == ROOT
        for branch in path:
            walked = (branch.edge.tail, branch.edge.head)
            assert walked == (
                (branch.parent, branch.child) if branch.forward else (branch.child, branch.parent)
            )
