"""Bodies of revolution that spin about their own axis: their angle leaves the equations.

The axes of such a link stay with its carrier (the geometric wheel of Morency 2007): its
inertia is the same in them, and nothing else hangs on the spinning part.
"""

from __future__ import annotations

from collections.abc import Mapping

from axletree.core.vectors import UNIT
from axletree.formulation.closure import closing_branches
from axletree.formulation.links import Connection, Links
from axletree.graph.tree import Tree
from axletree.library.contract import Inertia
from axletree.library.edge import Domain, Edge, MotionLaw
from axletree.model.model import Model


def spinning_links(model: Model, links: Links, trees: Mapping[Domain, Tree]) -> frozenset[int]:
    """Links whose rotation matrix may be left out."""
    touched = _touched(model, links, trees)
    inertias: dict[int, list[Inertia]] = {}
    for component in model:
        for inertia in component.inertias():
            inertias.setdefault(links.places[inertia.frame.name].link, []).append(inertia)
    return frozenset(
        c.child
        for c in links.rotations
        if c.child not in touched and _spins(c, links, inertias.get(c.child, []))
    )


def _touched(model: Model, links: Links, trees: Mapping[Domain, Tree]) -> set[int]:
    """Links whose orientation something else sees: connections, closures, measurements."""
    seen = {c.parent for c in (*links.translations, *links.rotations)}
    for tree in trees.values():
        for edge in filter(_closes, (*closing_branches(tree), *tree.chords)):
            seen |= {links.places[edge.tail].link, links.places[edge.head].link}
    for component in model:
        for tail, head in component.measures():
            seen |= {links.places[tail.name].link, links.places[head.name].link}
    return seen


def _closes(edge: Edge) -> bool:
    return isinstance(edge.law, MotionLaw) and bool(edge.law.reactions) and not edge.is_arm


def _spins(c: Connection, links: Links, inertias: list[Inertia]) -> bool:
    axis = c.edge.law.freedom if isinstance(c.edge.law, MotionLaw) else None
    if axis is None or not c.forward:
        return False
    along = c.head.R_LF @ axis
    if not any(along in (unit, -unit) for unit in UNIT):
        return False
    origin = {t.child: t for t in links.translations}[c.child]
    if origin.parent != c.parent or not (origin.forward and origin.head.r_LF_L.is_zero):
        return False
    for inertia in inertias:
        place = links.places[inertia.frame.name]
        if inertia.axis_of_revolution is None:
            return False
        own = place.R_LF @ UNIT[inertia.axis_of_revolution]
        on_axis = (place.r_LF_L + place.R_LF @ inertia.centre).cross(along).is_zero
        if not (on_axis and own in (along, -along)):
            return False
    return bool(inertias)
