"""The plain way to equations of motion, to compare the recursion with.

Every body is projected on every speed in the ground's axes, wheels turn with their spin
angle, and the mass matrix is factorised in the natural order of the speeds.
"""

from __future__ import annotations

from axletree.components.edges import ROTATION, TRANSLATION
from axletree.equations.graph import build_graph
from axletree.equations.inertia import LinkInertia, link_inertias
from axletree.equations.kinematics import Accelerations, Kinematics
from axletree.equations.links import build_links
from axletree.equations.responses import ResponseCollector
from axletree.equations.travels import Travels
from axletree.equations.tree import select_trees
from axletree.expr import Expr, ldl
from axletree.expr.expression import ONE, ZERO
from axletree.expr.vectors import Matrix, Vector
from axletree.model.model import Model


def naive_rates(model: Model) -> list[Expr]:
    """The rates of the speeds of a model without closed loops."""
    graph = build_graph(model)
    trees = select_trees(graph)
    links = build_links(trees[TRANSLATION], trees[ROTATION], [c.name for c in model])
    k = Kinematics(links, model.gravity_vector, spinning=frozenset())
    inertias = link_inertias(links, [i for component in model for i in component.inertias()])
    loads = ResponseCollector(model, k, trees, Travels(k, graph)).applied
    size = len(links.speeds)
    units = [[ONE if i == j else ZERO for i in range(size)] for j in range(size)]
    partials = [k.accelerations(unit, with_bias=False) for unit in units]
    matrix: dict[tuple[int, int], Expr] = {}
    forcing = [loads.efforts.get(i, ZERO) for i in range(size)]
    for link, body in enumerate(inertias[1:], start=1):
        R = k.rotation(0, link)
        spin = R @ k.angular_velocity[link]
        momentum_rates = [_momentum_rate(k, link, body, R, a) for a in partials]
        force, moment = _momentum_rate(k, link, body, R, k.bias)
        tensor, first = R.times(body.tensor).times(R.T), R @ body.moment
        moment = moment + spin.cross(tensor @ spin)
        force = force + spin.cross(spin.cross(first))
        for i in range(size):
            v, w = _moved(k, link, partials[i]), R @ partials[i].angular[link]
            acting = R @ loads.moments[link]
            push = k.rotation(0, k.linear_axes[link]) @ loads.forces[link]
            forcing[i] = forcing[i] + v.dot(push - force) + w.dot(acting - moment)
            for j in range(i + 1):
                f, n = momentum_rates[j]
                entry = v.dot(f) + w.dot(n)
                if not entry.is_zero:
                    matrix[i, j] = matrix.get((i, j), ZERO) + entry
    return ldl(matrix, size, order=list(range(size))).solve(forcing)


def _moved(k: Kinematics, link: int, a: Accelerations) -> Vector:
    return k.rotation(0, k.linear_axes[link]) @ a.linear[link]


def _momentum_rate(
    k: Kinematics, link: int, body: LinkInertia, R: Matrix, a: Accelerations
) -> tuple[Vector, Vector]:
    """Force and moment that accelerations need, about the link's origin, ground axes."""
    linear, angular = _moved(k, link, a), R @ a.angular[link]
    tensor, first = R.times(body.tensor).times(R.T), R @ body.moment
    return linear * body.mass + angular.cross(first), tensor @ angular + first.cross(linear)
