"""Every component asked for its loads, states and outputs, scalar domains solved in between.

Of scalar domains, such as circuits, these are currents and voltages of every edge, and the rates of
their states; in hydraulics flows and pressures. The tree takes given voltages first, then
capacitors, resistors, inductors and given currents (a normal tree), so that capacitors in the tree
and inductors in the cotree are the states. The cutset equations of tree resistors are solved
symbolically; what is left are the cutset equations of capacitors and the circuit equations of
inductors. Edges of a through law, such as orifices, come between resistors and inductors: they
belong in the cotree, and their across variables have to follow from states alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from axletree.components.contract import (
    Component,
    Instant,
    NamedOutput,
    NetworkTerms,
    RelativeMotion,
    Response,
    reaction_symbol,
)
from axletree.components.edges import MECHANICAL, Domain, Edge, NetworkLaw, NetworkRole, Variable
from axletree.components.signals import followed_inputs
from axletree.core.errors import FormulationError
from axletree.equations.kinematics import Kinematics
from axletree.equations.links import quantity_of
from axletree.equations.loads import LinkLoads, link_loads
from axletree.equations.relative_motion import relative_motion
from axletree.equations.set_valued_forces import as_loads, loads_follow
from axletree.equations.travels import InternalState, Travels
from axletree.equations.tree import Tree
from axletree.expr import Expr, ldl, symbols_of
from axletree.expr.expression import ZERO
from axletree.expr.quantity import Quantity, Role
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

    Loads that depend on reactions ``follow``; ``needed_reactions`` are the symbols of the
    reactions that something depends on. Set-valued forces are symbols where they stay
    ``set_valued``.
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
        self.needed_reactions: list[Expr] = []
        self.loads_follow = False  # the set-valued forces of their components
        self.internal: list[InternalState] = []
        self.answers: list[ComponentResponse] = []
        observed = {component.name: self._observed(component) for component in model}
        networks = self._networks(model, trees, observed)
        _check_followed(model, networks)
        for component in model:
            now = _with_network(component, observed[component.name], networks)
            response = _with_tied_states(component, component.respond(now), now, networks)
            self.loads_follow |= loads_follow(component.name, response)
            response = as_loads(component.name, response, set_valued=set_valued)
            self._take(component, now, response)

    def _observed(self, component: Component) -> Instant:
        """Motions, travels and states of a component, before networks are solved."""
        motions = [self._motion(tail.name, head.name) for tail, head in component.measures()]
        travels = [self._travels[name].as_seen for name in component.measured_joints()]
        states = [q.symbol for q in _state_quantities(component)]
        felt = component.measures() if component.feels_gravity else ()
        heads = (self._k.links.places[head.name] for _, head in felt)
        k = self._k
        gravity = [head.R_LF.T @ (k.rotation(head.link, 0) @ k.gravity) for head in heads]
        return Instant(motions, travels, states, gravity)

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
        asked = {component.name: component for component in model}

        def terms(
            name: str, across: Mapping[str, Expr], through: Mapping[str, Expr]
        ) -> NetworkTerms:
            now = replace(observed[name], across=across, through=through)
            return asked[name].network_terms(now)

        networks = [solve_network(tree, given, terms) for tree in scalar]
        for network in networks:
            for quantity, rate in zip(network.states, network.rates, strict=True):
                self.internal.append(InternalState(quantity, rate))
        return networks

    def _take(self, component: Component, now: Instant, response: Response) -> None:
        power, stored = _network_energy(component, now)
        own = {reaction_symbol(component.name, one.reaction) for one in response.constraints}
        self.needed_reactions += [e for e in symbols_of(response.expressions) if e in own]
        for load in response.loads:
            ends, force, moment = (load.tail.name, load.head.name), load.force, load.moment
            loads = link_loads(self._k, ends, force, moment, load.basis)
            self._sum_of((*force, *moment), own).add(loads)
            power = power + load.power(self._motion(*ends))
        for joint_load in response.joint_loads:
            travel = self._travels[joint_load.joint]
            summed = self._sum_of([joint_load.effort], own)
            summed.add(travel.loads.scaled(joint_load.effort))
            power = power + joint_load.effort * travel.rate
        starts = response.starts or (None,) * len(response.rates)
        states = zip(_state_quantities(component), response.rates, starts, strict=True)
        self.internal += [InternalState(q, rate, usual_start=usual) for q, rate, usual in states]
        stored = stored + response.potential_energy + response.internal_energy
        self.answers.append(ComponentResponse(component.name, response, power, stored))

    def _sum_of(self, load: Sequence[Expr], own: Set[Expr]) -> LinkLoads:
        """Where a load belongs, with ``own`` the reactions of its component."""
        follows = own and not own.isdisjoint(symbols_of(load))
        return self.following if follows else self.applied


def _state_quantities(component: Component) -> list[Quantity]:
    return [quantity_of(component.name, v, Role.STATE) for v in component.states()]


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


def _check_followed(model: Model, networks: Sequence[Network]) -> None:
    """Signals follow states; a storage that is tied to another one has none of its own."""
    states = {quantity.name for network in networks for quantity in network.states}
    known = {f"{c.name}.{state.suffix}" for c in model for _, state in _edges_with_states(c)}
    for component in model:
        for name in known.intersection(followed_inputs(component)) - states:
            raise FormulationError(
                f"{component.name} follows {name}, which is not a state: another storage has the "
                f"same; follow that one, of {', '.join(sorted(states))}"
            )


def _with_tied_states(
    component: Component, response: Response, now: Instant, networks: Sequence[Network]
) -> Response:
    """With outputs for what another tree would make states: storages that others are tied to."""
    states = {quantity.name for network in networks for quantity in network.states}
    tied = tuple(
        NamedOutput(state.suffix, state.unit, state.description, value)
        for edge, state in _edges_with_states(component)
        if f"{component.name}.{state.suffix}" not in states
        for value in [_state_value(edge, now)]
    )
    return replace(response, outputs=(*response.outputs, *tied)) if tied else response


def _edges_with_states(component: Component) -> Iterator[tuple[Edge, Variable]]:
    for edge in component.edges():
        if isinstance(edge.law, NetworkLaw) and edge.law.state is not None:
            yield edge, edge.law.state


def _state_value(edge: Edge, now: Instant) -> Expr:
    is_across = _role(edge) is NetworkRole.ACROSS_STORAGE
    return now.across[edge.label] if is_across else now.through[edge.label]


@dataclass(frozen=True)
class Network:
    """A solved scalar domain; variables by edge name."""

    states: tuple[Quantity, ...]
    rates: tuple[Expr, ...]
    across: Mapping[str, Expr]
    through: Mapping[str, Expr]


# The terms of a component by its name, from the across and through variables of its edges that are
# known, by label.
AskTerms = Callable[[str, Mapping[str, Expr], Mapping[str, Expr]], NetworkTerms]


def solve_network(tree: Tree, given_across: Mapping[str, Expr], terms: AskTerms) -> Network:
    """``given_across`` holds the across variables that motions fix, by edge name."""
    _check_normal(tree)
    solver = _Solver(tree, given_across)
    solver.ask(terms)
    solver.solve_resistors()
    return solver.solve_storages()


def network_law(edge: Edge) -> NetworkLaw:
    assert isinstance(edge.law, NetworkLaw)
    return edge.law


def _role(edge: Edge) -> NetworkRole:
    return network_law(edge).role


def _check_normal(tree: Tree) -> None:
    """Loops of given voltages and cutsets of given currents have no solution."""
    circuits, domain = tree.circuit_matrix(), tree.domain
    across = domain.across[0]
    for row, chord in enumerate(tree.chords):
        loop = [b.edge for b, s in zip(tree.branches, circuits[row], strict=True) if s]
        names = ", ".join(dict.fromkeys([chord.component, *(e.component for e in loop)]))
        if _role(chord) is NetworkRole.ACROSS_SOURCE:
            raise FormulationError(
                f"the {across} of {chord.component} is given, but so is that of the loop it closes "
                f"({names}); put a {domain.resistor} into the loop"
            )
        tied = any(not _has_rate(e) for e in loop)
        if _role(chord) is NetworkRole.ACROSS_STORAGE and tied:
            raise FormulationError(
                f"the {domain.capacitor} {chord.component} closes a loop with {names}: its "
                f"{across} is not free; put a {domain.resistor} in series, or choose it into the "
                "tree"
            )
        if _role(chord) is NetworkRole.THROUGH_LAW:
            _check_across(tree, chord, loop)
    for branch in tree.branches:
        _check_cutset(tree, branch.edge)


def _has_rate(edge: Edge) -> bool:
    """Whether the rate of its across variable is known: of a storage, or of what never changes."""
    law = network_law(edge)
    return law.role is NetworkRole.ACROSS_STORAGE or law.is_constant


def _check_across(tree: Tree, edge: Edge, loop: Sequence[Edge]) -> None:
    """An edge of a through law has an across variable that states and sources give."""
    known = (NetworkRole.ACROSS_SOURCE, NetworkRole.ACROSS_STORAGE)
    open_edges = [e for e in loop if _role(e) not in known]
    if open_edges:
        children = {branch.edge: branch.child for branch in tree.branches}
        raise FormulationError(_no_state_there(tree, edge, [children[e] for e in open_edges]))


def _no_state_there(tree: Tree, edge: Edge, nodes: Sequence[str]) -> str:
    domain, at = tree.domain, ", ".join(dict.fromkeys(nodes))
    return (
        f"the {domain.through} of {edge.component} is a function of {domain.across[0]}, and that "
        f"at {at} is not a state: put a {domain.capacitor} there"
    )


def _check_cutset(tree: Tree, edge: Edge) -> None:
    if _role(edge) is NetworkRole.THROUGH_LAW:
        (child,) = (branch.child for branch in tree.branches if branch.edge is edge)
        raise FormulationError(_no_state_there(tree, edge, [child]))
    if _role(edge) not in (NetworkRole.THROUGH_STORAGE, NetworkRole.THROUGH_SOURCE):
        return
    row = [b.edge for b in tree.branches].index(edge)
    cut = [c for c, s in zip(tree.chords, tree.cutset_matrix()[row], strict=True) if s]
    domain = tree.domain
    names = ", ".join(dict.fromkeys(e.component for e in cut)) or "nothing else"
    if _role(edge) is NetworkRole.THROUGH_SOURCE:
        raise FormulationError(
            f"the {domain.through} of {edge.component} is given, but it has no way to flow: its "
            f"cut holds {names}; close the circuit or put a {domain.resistor} in parallel"
        )
    if any(_role(c) is not NetworkRole.THROUGH_STORAGE for c in cut):
        raise FormulationError(
            f"the {domain.inductor} {edge.component} is cut off by {names}: its {domain.through} "
            f"is not free; put a {domain.resistor} in parallel, or choose it into the cotree"
        )


class _Solver:
    def __init__(self, tree: Tree, given_across: Mapping[str, Expr]) -> None:
        self.branches = [branch.edge for branch in tree.branches]
        self.chords = list(tree.chords)
        self.A = tree.cutset_matrix()
        self.B = tree.circuit_matrix()
        self.across: dict[Edge, Expr] = {}
        self.through: dict[Edge, Expr] = {}
        self.states: dict[Edge, Quantity] = {}
        self.capacities: dict[Edge, Expr] = {}
        self.losses: dict[Edge, Expr] = {}
        for edge in self._of(self.branches, NetworkRole.ACROSS_SOURCE):
            self.across[edge] = given_across.get(edge.name, network_law(edge).value)
        for edge in self._of(self.branches, NetworkRole.ACROSS_STORAGE):
            self.across[edge] = self._state(edge)
        for edge in self._of(self.chords, NetworkRole.THROUGH_SOURCE):
            self.through[edge] = network_law(edge).value
        for edge in self._of(self.chords, NetworkRole.THROUGH_STORAGE):
            self.through[edge] = self._state(edge)

    def _state(self, edge: Edge) -> Expr:
        variable = network_law(edge).state
        assert variable is not None
        self.states[edge] = quantity_of(edge.component, variable, Role.STATE)
        return self.states[edge].symbol

    def ask(self, terms: AskTerms) -> None:
        """What components know of their edges, from the variables that states fix."""
        across, through = self._known_across(), self._known_through()
        edges = [*self.branches, *self.chords]
        for name in dict.fromkeys(edge.component for edge in edges):
            own = {edge.label: edge for edge in edges if edge.component == name}
            seen = (
                {label: known[edge] for label, edge in own.items() if edge in known}
                for known in (across, through)
            )
            found = terms(name, *seen)
            for label, edge in own.items():
                if label in found.throughs:
                    self.through[edge] = found.throughs[label]
                self.capacities[edge] = found.capacities.get(label, network_law(edge).coefficient)
                self.losses[edge] = found.losses.get(label, ZERO)

    def _known_across(self) -> dict[Edge, Expr]:
        """Of branches, and of chords that close a loop of such branches."""
        found = dict(self.across)
        for chord, signs in zip(self.chords, self.B, strict=True):
            if all(b in self.across for b, s in zip(self.branches, signs, strict=True) if s):
                found[chord] = self._chord_across(chord)
        return found

    def _known_through(self) -> dict[Edge, Expr]:
        """Of chords, and of storages in the tree that they are tied to."""
        found = dict(self.through)
        for edge in self._of(self.branches, NetworkRole.THROUGH_STORAGE):
            found[edge] = self._branch_through(edge)
        return found

    def solve_resistors(self) -> None:
        """(1/R_tree + A 1/R_chord A^T) v = -A i: the voltages of tree resistors."""
        inner = self._of(self.branches, NetworkRole.DISSIPATION)
        outer = self._of(self.chords, NetworkRole.DISSIPATION)
        conductance = {e: 1.0 / network_law(e).coefficient for e in (*inner, *outer)}
        currents = [self._known_current(r, outer, conductance) for r in inner]
        self.across |= self._balanced(inner, outer, conductance, currents)
        self.through |= {e: self.across[e] * conductance[e] for e in inner}
        for edge in outer:
            self.across[edge] = self._chord_across(edge)
            self.through[edge] = self.across[edge] * conductance[edge]

    def _balanced(
        self,
        own: Sequence[Edge],
        tied: Sequence[Edge],
        weight: Mapping[Edge, Expr],
        right: Sequence[Expr],
    ) -> dict[Edge, Expr]:
        """x of (W_own + A W_tied A^T) x = right: a loop or a cut ties some edges to others."""
        matrix: dict[tuple[int, int], Expr] = {}
        for i, r in enumerate(own):
            for j, s in enumerate(own[: i + 1]):
                shared = (weight[c] * float(self._a(r, c) * self._a(s, c)) for c in tied)
                matrix[i, j] = sum(shared, ZERO) + (weight[r] if r is s else ZERO)
        return dict(zip(own, ldl(matrix, len(own)).solve(right), strict=True))

    def _known_current(
        self, r: Edge, outer: Sequence[Edge], conductance: Mapping[Edge, Expr]
    ) -> Expr:
        """-A i over chords, tree resistors taken as shorted."""
        total = ZERO
        for c in self.chords:
            sign = float(self._a(r, c))
            if c in self.through:
                total = total - self.through[c] * sign
            elif c in outer and sign:
                total = total - self._chord_across(c) * conductance[c] * sign
        return total

    def _chord_across(self, chord: Edge) -> Expr:
        """v = -B v_branches over the branches known so far (Morency 2007, eq. 2.27)."""
        return _minus_sum(self.branches, self.B[self.chords.index(chord)], self.across)

    def solve_storages(self) -> Network:
        """Rates of capacitor voltages and inductor currents; then everything else."""
        own = self._of(self.branches, NetworkRole.ACROSS_STORAGE)
        tied = self._of(self.chords, NetworkRole.ACROSS_STORAGE)
        rate_v = self._storage_rates(own, tied, self._branch_through)
        for edge in tied:
            self.across[edge] = self._chord_across(edge)
            row = self.B[self.chords.index(edge)]
            rate = _minus_sum(self.branches, row, rate_v)
            self.through[edge] = rate * self.capacities[edge]
        own = self._of(self.chords, NetworkRole.THROUGH_STORAGE)
        tied = self._of(self.branches, NetworkRole.THROUGH_STORAGE)
        self.across |= {edge: self.losses[edge] for edge in tied}  # and what their rates take
        rate_i = self._storage_rates(own, tied, lambda e: self._chord_across(e) - self.losses[e])
        for edge in tied:
            row = self.A[self.branches.index(edge)]
            rate = _minus_sum(self.chords, row, rate_i)
            self.across[edge] = rate * self.capacities[edge] + self.losses[edge]
        for edge in self.chords:
            self.across.setdefault(edge, self._chord_across(edge))
        for edge in self.branches:
            self.through.setdefault(edge, self._branch_through(edge))
        rates = rate_v | rate_i
        return Network(
            states=tuple(self.states.values()),
            rates=tuple(rates[edge] for edge in self.states),
            across={edge.name: value for edge, value in self.across.items()},
            through={edge.name: value for edge, value in self.through.items()},
        )

    def _branch_through(self, branch: Edge) -> Expr:
        """i = -A i_chords over the chords known so far (Morency 2007, eq. 2.25)."""
        return _minus_sum(self.chords, self.A[self.branches.index(branch)], self.through)

    def _storage_rates(
        self, own: Sequence[Edge], tied: Sequence[Edge], drive: Callable[[Edge], Expr]
    ) -> dict[Edge, Expr]:
        """(C_own + A C_tied A^T) dx/dt = drive."""
        weight = {edge: self.capacities[edge] for edge in (*own, *tied)}
        return self._balanced(own, tied, weight, [drive(edge) for edge in own])

    def _a(self, one: Edge, other: Edge) -> int:
        """The sign of a chord in the cut of a branch, whichever of the two is named first."""
        branch, chord = (one, other) if one in self.branches else (other, one)
        return int(self.A[self.branches.index(branch), self.chords.index(chord)])

    def _of(self, edges: Sequence[Edge], role: NetworkRole) -> list[Edge]:
        return [edge for edge in edges if _role(edge) is role]


def _minus_sum(edges: Sequence[Edge], signs: Sequence[int], values: Mapping[Edge, Expr]) -> Expr:
    """Minus the signed sum of the values that are known."""
    pairs = zip(edges, signs, strict=True)
    return sum((-(values[e] * float(sign)) for e, sign in pairs if sign and e in values), ZERO)
