"""Every component asked for its loads, states and outputs, networks solved in between."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from axletree.components.contract import Component
from axletree.components.edges import MECHANICAL, Domain, NetworkLaw
from axletree.components.exchange import Instant, Load, RelativeMotion, Response, reaction_symbol
from axletree.equations.kinematics import Kinematics
from axletree.equations.loads import LinkLoads, PlacedLoad, link_loads
from axletree.equations.networks import Network, solve_network
from axletree.equations.relative_motion import relative_motion
from axletree.equations.set_valued_forces import as_loads, loads_follow
from axletree.equations.travels import InternalState, Travels
from axletree.equations.tree import Tree
from axletree.expr import Expr, symbols_of
from axletree.expr.expression import ZERO
from axletree.expr.quantity import Quantity, Role
from axletree.expr.vectors import Vector
from axletree.model.model import Model

# The equations of a model: M dp/dt + C^T f = b, Phi(q, t) = 0, dq/dt = h.
#
# Morency 2007, eqs. (2.35) to (2.37).


@dataclass(frozen=True)
class ComponentResponse:
    """What a component says of itself, with its share in the balance of energy."""

    component: str
    response: Response
    power: Expr  # [W] that its edges bring into the rest of the model
    stored: Expr  # [J], of its springs, capacitors and inductors


class ResponseCollector:
    """Collected over all components: loads, internal states, responses.

    Loads that depend on reactions ``follow``; ``fed_back`` are the symbols of the reactions that
    something depends on. Set-valued forces are symbols where they stay ``set_valued``.
    """

    def __init__(
        self,
        model: Model,
        k: Kinematics,
        trees: Mapping[Domain, Tree],
        travels: Travels,
        *,
        set_valued: bool = False,
    ) -> None:
        self._k, self._travels = k, travels
        self.applied, self.following = LinkLoads.none(k), LinkLoads.none(k)
        self.fed_back: list[Expr] = []
        self.loads_follow = False  # the set-valued forces of their components
        self.internal: list[InternalState] = []
        self.answers: list[ComponentResponse] = []
        observed = {component.name: self._observed(component) for component in model}
        networks = self._networks(model, trees, observed)
        for component in model:
            now = _with_network(component, observed[component.name], networks)
            response = component.respond(now)
            self.loads_follow |= loads_follow(component.name, response)
            response = as_loads(component.name, response, set_valued=set_valued)
            self._take(component, now, response)

    def _observed(self, component: Component) -> Instant:
        """Motions, travels and states of a component, before networks are solved."""
        motions = [self._motion(tail.name, head.name) for tail, head in component.measures()]
        travels = [self._travels[name].as_seen for name in component.measured_joints()]
        states = [q.symbol for q in _state_quantities(component)]
        heads = [head.name for _, head in component.measures()] if component.feels_gravity else []
        return Instant(motions, travels, states, [self._gravity(head) for head in heads])

    def _gravity(self, head: str) -> Vector:
        """In the components of a frame."""
        place = self._k.links.places[head]
        return place.R_LF.T @ (self._k.rotation(place.link, 0) @ self._k.gravity)

    def _motion(self, tail: str, head: str) -> RelativeMotion:
        places = self._k.links.places
        return relative_motion(self._k, places[tail], places[head])

    def _networks(
        self, model: Model, trees: Mapping[Domain, Tree], observed: Mapping[str, Instant]
    ) -> list[Network]:
        given = {
            f"{component.name}.{label}": value
            for component in model
            for label, value in component.across_sources(observed[component.name]).items()
        }
        scalar = [tree for domain, tree in trees.items() if domain not in MECHANICAL]
        networks = [solve_network(tree, given) for tree in scalar]
        for network in networks:
            for quantity, rate in zip(network.states, network.rates, strict=True):
                self.internal.append(InternalState(quantity, rate))
        return networks

    def _take(self, component: Component, now: Instant, response: Response) -> None:
        power, stored = _network_energy(component, now)
        own = {reaction_symbol(component.name, held.reaction) for held in response.held}
        self.fed_back += [e for e in symbols_of(response.expressions) if e in own]
        for load in response.loads:
            loads, of_load = self._placed(load)
            self._sum_of((*load.force, *load.moment), own).add(loads)
            power = power + of_load
        for joint_load in response.joint_loads:
            travel = self._travels[joint_load.joint]
            summed = self._sum_of([joint_load.effort], own)
            summed.add(travel.loads.scaled(joint_load.effort))
            power = power + joint_load.effort * travel.rate
        pairs = zip(_state_quantities(component), response.rates, strict=True)
        self.internal += [InternalState(quantity, rate) for quantity, rate in pairs]
        stored = stored + response.potential_energy
        self.answers.append(ComponentResponse(component.name, response, power, stored))

    def _sum_of(self, load: Sequence[Expr], own: Set[Expr]) -> LinkLoads:
        """Where a load belongs, with ``own`` the reactions of its component."""
        follows = own and not own.isdisjoint(symbols_of(load))
        return self.following if follows else self.applied

    def _placed(self, load: Load) -> tuple[LinkLoads, Expr]:
        """A load on its links, and its power, which is that of the relative motion."""
        places = self._k.links.places
        tail, head = places[load.tail.name], places[load.head.name]
        motion = relative_motion(self._k, tail, head)
        placed = PlacedLoad(tail, head, load.force, load.moment, load.basis)
        return link_loads(self._k, placed, motion.displacement), load.power(motion)


def _state_quantities(component: Component) -> list[Quantity]:
    return [
        Quantity(f"{component.name}.{v.suffix}", v.unit, v.description, Role.STATE, v.start)
        for v in component.states()
    ]


def _network_energy(component: Component, now: Instant) -> tuple[Expr, Expr]:
    """The power [W] that network edges give to the others, and the energy [J] they store."""
    power, stored = ZERO, ZERO
    for edge in component.edges():
        if isinstance(edge.law, NetworkLaw):
            across, through = now.across[edge.label], now.through[edge.label]
            power = power - across * through
            stored = stored + edge.law.energy(across, through)
    return power, stored


def _with_network(component: Component, seen: Instant, networks: list[Network]) -> Instant:
    prefix = f"{component.name}."
    through = {n: v for network in networks for n, v in network.through.items()}
    across = {n: v for network in networks for n, v in network.across.items()}
    return replace(
        seen,
        through={n.removeprefix(prefix): v for n, v in through.items() if n.startswith(prefix)},
        across={n.removeprefix(prefix): v for n, v in across.items() if n.startswith(prefix)},
    )
