"""Aggregates: links that a local loop ties together, one unit of the articulated-body recursion.

The links of a loop, between the link where it leaves the rest of the mechanism and the loop's end,
move together (constraint embedding: Jain 2009; Jain 2011; Chignoli et al. 2023). Inside
an aggregate the dependent speeds follow from the independent ones,

    p_d = G p_i + ...        dp_d/dt = G dp_i/dt + gamma

and outside it the recursion goes on as if nothing had happened: what the aggregate leaves of its
inertia on its base is six by six, like that of any other link.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from axletree.core.errors import FormulationError
from axletree.equations.articulated_bodies.recursion import (
    NO_MOTION,
    LoadPassage,
    RecursionPlan,
    RecursionUnit,
    freedoms_of,
    no_inertia_along,
    parent_step,
    step_from,
)
from axletree.equations.articulated_bodies.spatial import (
    SpatialInertia,
    SpatialVector,
    spatial_dot,
    spatial_sum,
)
from axletree.equations.kinematics import Kinematics
from axletree.equations.relative_motion import links_up_to
from axletree.expr import Expr, ldl
from axletree.expr.expression import ONE, ZERO
from axletree.expr.factorisation import Factorisation


@dataclass(frozen=True)
class Aggregate:
    """Links that constraints tie together."""

    base: int  # the link that they hang on
    links: tuple[int, ...]  # from the base outwards
    speeds: tuple[int, ...]  # of the connections into them
    constraints: tuple[int, ...]  # by their places among all


def find_aggregates(k: Kinematics, rows: Sequence[Mapping[int, Expr]]) -> list[Aggregate]:
    """The smallest sets of links that contain the loops, from the rows of C.

    Rows that share a link belong together, and so do those between which a link stands. A link that
    is carried by one link and turned by another ties both, with a row or without.
    """
    entered = {
        index: c.child
        for c in (*k.links.translations, *k.links.rotations)
        for index in c.speed_indices
    }
    sets = [_Tied({entered[j] for j in row}, {i}) for i, row in enumerate(rows)]
    sets += [_Tied({c.child}, set()) for c in k.links.rotations if len(_parents(k, c.child)) > 1]
    merged: list[_Tied] = []
    for one in sets:
        merged = _joined(k, merged, one)
    found = []
    for one in merged:
        base = _base(k, one.links)
        links = tuple(_outwards(k, one.links))
        speeds = tuple(sorted(j for j, link in entered.items() if link in one.links))
        found.append(Aggregate(base, links, speeds, tuple(sorted(one.rows))))
    return found


@dataclass(frozen=True)
class _Tied:
    links: set[int]
    rows: set[int]


def _joined(k: Kinematics, sets: Iterable[_Tied], new: _Tied) -> list[_Tied]:
    """With a further set, which takes in those that it meets."""
    kept = list(sets)
    one = _Tied(_with_links_between(k, new.links), new.rows)
    while met := next((other for other in kept if other.links & one.links), None):
        kept.remove(met)
        one = _Tied(_with_links_between(k, one.links | met.links), one.rows | met.rows)
    return [*kept, one]


def _with_links_between(k: Kinematics, links: set[int]) -> set[int]:
    """And those on the ways to the nearest link that carries all of them."""
    found = links_up_to(k, _base(k, links), links)
    assert found is not None, "the base carries them"
    return found


def _base(k: Kinematics, links: set[int]) -> int:
    """The nearest link beside these that carries all of them in both trees."""
    above = k.ancestors(min(links))
    return next(a for a in above if a not in links and links_up_to(k, a, links) is not None)


def _outwards(k: Kinematics, links: set[int]) -> list[int]:
    """In an order in which each follows those that it hangs on in either tree."""
    found: list[int] = []
    left = sorted(links)
    while left:
        ready = [link for link in left if _parents(k, link).isdisjoint(left)]
        if not ready:
            names = {place.link: name for name, place in reversed([*k.links.places.items()])}
            raise FormulationError(
                f"{', '.join(names[link] for link in left)} carry one another in one tree and turn "
                "one another in the other; take one tree for both"
            )
        found += ready
        left = [link for link in left if link not in ready]
    return found


def _parents(k: Kinematics, link: int) -> set[int]:
    """In the rotation and in the translation tree."""
    return {step[link].connection.parent for step in (k.turning_of, k.sliding_of)}


@dataclass(frozen=True)
class AggregatePlan(RecursionPlan):
    """An aggregate with its speeds told apart; all by their places among the speeds."""

    aggregate: Aggregate
    independent: tuple[int, ...]
    transfer: Mapping[tuple[int, int], Expr]  # G, by dependent and independent speed
    gamma: Mapping[int, Expr]  # rates of dependent speeds where those of the others are 0

    @property
    def links(self) -> tuple[int, ...]:  # type: ignore[override]
        return self.aggregate.links

    def share(self, speed: int, independent: int) -> Expr:
        """How fast a speed goes where an independent one is 1 and the others are 0."""
        if speed in self.gamma:
            return self.transfer.get((speed, independent), ZERO)
        return ONE if speed == independent else ZERO

    def eliminated(self, k: Kinematics, articulated: Sequence[SpatialInertia]) -> RecursionUnit:
        return AggregateUnit(self, k, {link: articulated[link] for link in self.links})


class AggregateUnit(RecursionUnit):
    """An aggregate with its freedoms eliminated."""

    def __init__(
        self, plan: AggregatePlan, k: Kinematics, inertias: Mapping[int, SpatialInertia]
    ) -> None:
        self.base = plan.aggregate.base
        self._plan, self._inertias = plan, inertias
        self._steps = {link: parent_step(k, link) for link in plan.links}
        self._at_base = {link: step_from(k, self.base, link) for link in plan.links}
        self._freedoms = {link: freedoms_of(k, link) for link in plan.links}
        self._responses = [self._response(i) for i in plan.independent]
        matrix = {
            (row, column): self._along(i, response.carried)
            for row, i in enumerate(plan.independent)
            for column, response in enumerate(self._responses[: row + 1])
        }
        for row, i in enumerate(plan.independent):
            if matrix[row, row].is_zero:
                raise FormulationError(no_inertia_along(k, i))
        self._factors: Factorisation = ldl(matrix, len(plan.independent))

    def _response(self, independent: int) -> _Response:
        """The loads that move the aggregate where one independent speed changes by 1."""
        motion: dict[int, SpatialVector] = {}
        for link, step in self._steps.items():
            moved = step.motion_to_child(*(motion.get(a, NO_MOTION) for a in step.parents))
            for speed, along in self._freedoms[link]:
                share = self._plan.share(speed, independent)
                moved = spatial_sum(moved, tuple(share * x for x in along))
            motion[link] = moved
        loads = {link: self._inertias[link].times(moved) for link, moved in motion.items()}
        return _Response(*self._accumulated(loads))

    def _accumulated(
        self, loads: Mapping[int, SpatialVector]
    ) -> tuple[dict[int, SpatialVector], SpatialVector]:
        """What each link carries with all beyond it in the aggregate, and what the base does."""
        carried, at_base = dict(loads), NO_MOTION
        for link, step in reversed(self._steps.items()):
            for parent, passed in step.load_to_parents(carried[link]):
                if parent in carried:
                    carried[parent] = spatial_sum(carried[parent], passed)
                elif self.base:
                    at_base = spatial_sum(at_base, passed)
        return carried, at_base

    def _along(self, independent: int, carried: Mapping[int, SpatialVector]) -> Expr:
        """Loads that links carry, projected on an independent speed."""
        total = ZERO
        for link, freedoms in self._freedoms.items():
            for speed, along in freedoms:
                share = self._plan.share(speed, independent)
                if not share.is_zero:
                    total = total + share * spatial_dot(along, carried[link])
        return total

    @cached_property
    def _composite(self) -> SpatialInertia:
        """The inertia at the base with all speeds of the aggregate kept.

        From each link at once: a tensor that were passed on would be turned at every link.
        """
        first, *others = (
            self._at_base[link].inertia_to_parent(i) for link, i in self._inertias.items()
        )
        return sum(others, first)

    def inertia_at_base(self) -> SpatialInertia:
        """I - H D^-1 H^T, symmetric."""
        solved = [self._factors.solve([r.at_base[i] for r in self._responses]) for i in range(6)]
        rows = [list(row) for row in self._composite.rows]
        for i in range(6):
            for j in range(i + 1):
                less = sum(
                    (r.at_base[i] * x for r, x in zip(self._responses, solved[j], strict=True)),
                    ZERO,
                )
                rows[i][j] = rows[j][i] = rows[i][j] - less
        return SpatialInertia(tuple(tuple(row) for row in rows))

    def _bias_motion(self, passage: LoadPassage) -> dict[int, SpatialVector]:
        """Accelerations that the base and the independent speeds do not have a part in."""
        ground = NO_MOTION if self.base else passage.bias_of(0)  # which is known
        motion: dict[int, SpatialVector] = {}
        for link, step in self._steps.items():
            moved = step.motion_to_child(*(motion.get(a, ground) for a in step.parents))
            moved = spatial_sum(moved, passage.bias_of(link))
            for speed, along in self._freedoms[link]:
                gamma = self._plan.gamma.get(speed, ZERO)
                moved = spatial_sum(moved, tuple(gamma * x for x in along))
            motion[link] = moved
        return motion

    def take_in(self, passage: LoadPassage) -> None:
        loads = {link: passage.carried[link] for link in self._steps}
        if passage.bias is not None:
            for link, motion in self._bias_motion(passage).items():
                loads[link] = spatial_sum(loads[link], self._inertias[link].times(motion))
        carried, at_base = self._accumulated(loads)
        surplus = []
        for i in self._plan.independent:
            efforts = (
                self._plan.share(speed, i) * passage.effort(speed)
                for freedoms in self._freedoms.values()
                for speed, _ in freedoms
            )
            surplus.append(sum(efforts, ZERO) - self._along(i, carried))
        for i, entry in zip(self._plan.independent, surplus, strict=True):
            passage.surplus[i] = entry
        if self.base:
            for response, share in zip(self._responses, self._factors.solve(surplus), strict=True):
                at_base = spatial_sum(at_base, tuple(share * x for x in response.at_base))
            passage.carried[self.base] = spatial_sum(passage.carried[self.base], at_base)

    def let_out(self, passage: LoadPassage) -> None:
        plan, at = self._plan, passage.motion[self.base]
        lacking = [passage.surplus[i] for i in plan.independent]
        if self.base:
            responses = zip(lacking, self._responses, strict=True)
            lacking = [x - spatial_dot(r.at_base, at) for x, r in responses]
        solved = dict(zip(plan.independent, self._factors.solve(lacking), strict=True))
        passage.rates |= solved
        for speed, gamma in plan.gamma.items():
            terms = (plan.share(speed, i) * rate for i, rate in solved.items())
            own = ZERO if passage.bias is None else gamma
            passage.rates[speed] = sum(terms, own)
        for link, step in self._steps.items():
            moved = step.motion_to_child(*(passage.motion[a] for a in step.parents))
            moved = spatial_sum(moved, passage.bias_of(link))
            for speed, along in self._freedoms[link]:
                rate = passage.rates[speed]
                moved = spatial_sum(moved, tuple(rate * x for x in along))
            passage.motion[link] = moved


@dataclass(frozen=True)
class _Response:
    """Loads that a unit change of an independent speed takes."""

    carried: Mapping[int, SpatialVector]  # by each link with all beyond it
    at_base: SpatialVector
