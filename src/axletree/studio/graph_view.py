"""The linear graph of a text with its tree, as a page draws it and lets another tree be chosen."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from axletree.components.edges import Domain
from axletree.equations.graph import LinearGraph, build_graph
from axletree.equations.tree import Tree, select_trees
from axletree.model_files.read import ModelText, read_model_text
from axletree.plot.graph import node_depths, node_rows
from axletree.studio.project import StudioError

_MOST_EDGES: Final = 400  # of all domains that a picture still shows


def graph_view(text: str, name: str, folder: str) -> dict[str, Any]:
    """Nodes, branches and chords by domain.

    ``circuit`` of a chord are the components of branches that can leave the tree for it.

    Example:
    >>> from axletree.studio.graph_view import graph_view
    >>> found = graph_view("base: rlc-circuit\\n", "rlc.yaml", ".")
    >>> [edge["component"] for edge in found["domains"][0]["edges"] if not edge["branch"]]
    ['inductor']
    """
    given = ModelText(text, Path(name).name, Path(name).stem, Path(folder, name).parent)
    model = read_model_text(given)
    graph = build_graph(model)
    if len(graph.edges) > _MOST_EDGES:
        raise StudioError(
            f"the graph has {len(graph.edges)} edges, more than the {_MOST_EDGES} that can be seen "
            "at once; `axletree graph` draws it on a larger sheet"
        )
    trees = select_trees(graph, model.tree)
    domains = [_domain(graph, domain, trees[domain]) for domain in graph.domains]
    return {"chosen": model.tree is not None, "domains": domains}


def _domain(graph: LinearGraph, domain: Domain, tree: Tree) -> dict[str, Any]:
    depth, rows = node_depths(tree), node_rows(tree)
    branches = {branch.edge for branch in tree.branches}
    circuits = dict(zip(tree.chords, tree.circuit_matrix(), strict=True))
    edges = []
    for edge in graph.edges_of(domain):
        around = circuits.get(edge)
        through = () if around is None else zip(tree.branches, around, strict=False)
        passed = [b.edge.component for b, sign in through if sign and not b.edge.is_arm]
        edges.append(
            {
                "name": edge.name, "component": edge.component, "tail": edge.tail,
                "head": edge.head, "fixed": edge.is_arm, "branch": edge in branches,
                "circuit": list(dict.fromkeys(passed)),
            }
        )  # fmt: skip
    chosen = [branch.edge.component for branch in tree.branches if not branch.edge.is_arm]
    return {
        "name": domain.name,
        "nodes": [{"name": n, "column": depth[n], "row": -float(rows[n])} for n in depth],
        "edges": edges,
        "tree": list(dict.fromkeys(chosen)),
    }
