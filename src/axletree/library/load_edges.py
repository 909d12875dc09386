"""Edges of components that exert loads: the across space is whole, the through given.

Such an edge belongs in the cotree. Chosen into the tree it brings indirect coordinates:
the motion between two frames that no joint need join (Morency 2007, section 2.1.3).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from axletree.library.edge import ROTATION, Domain, Edge, MotionLaw
from axletree.library.motion.free import Orientation, Speeds, free_rotation, free_translation

LOAD_RANK = 2  # among edges of equal dimension these enter the tree last


def load_edges(component: Any, domains: Sequence[Domain]) -> tuple[Edge, ...]:
    """An edge per measured pair of frames and domain, and one along each measured joint."""
    between = [
        (domain, tail.name, head.name) for tail, head in component.measures() for domain in domains
    ]
    wanted = set(component.measured_joints())
    wanted |= {name for coupling in component.couplings() for name, _ in coupling.terms}
    joined = (edge for other in component.references() for edge in other.edges())
    between += [(e.domain, e.tail, e.head) for e in joined if e.name in wanted]
    return tuple(_numbered(component.name, between))


def _numbered(component: str, between: Iterable[tuple[Domain, str, str]]) -> Iterable[Edge]:
    count: dict[Domain, int] = {}
    for domain, tail, head in between:
        k = count[domain] = count.get(domain, 0) + 1
        law = _free_law(domain, "" if k == 1 else str(k))
        given = "M = M(theta, w, t)" if domain is ROTATION else "F = F(r, v, t)"
        yield Edge(component, f"{domain.prefix}{k}", domain, tail, head, law, LOAD_RANK, given)


def _free_law(domain: Domain, number: str) -> MotionLaw:
    """Six freedoms; the variables of a component's further edges carry a number."""
    if domain is ROTATION:
        law: Any = free_rotation(Orientation.EULER_321, Speeds.BODY)
    else:
        law = free_translation(Speeds.DERIVATIVES)
    coordinates = tuple(replace(v, suffix=v.suffix + number) for v in law.coordinates)
    speeds = tuple(replace(v, suffix=v.suffix + number) for v in law.speeds)
    free: MotionLaw = replace(law, coordinates=coordinates, speeds=speeds)
    return free
