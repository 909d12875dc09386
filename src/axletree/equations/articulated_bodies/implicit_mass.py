"""The recursion of a linearly implicit step: M + sum J^T Z J factorised, link by link.

Z is what resists the rates of stiff loads (``stiff_loads``), as a mass resists accelerations.
With u the acceleration of a link, six numbers in its axes, mass and resistance are quadratic in u:
links have blocks W of their own, and blocks with every link that a load ties them to. From the
leaves to the root a link c gives up its freedoms. With u_c = X u_P + s a, for a motion a of the
joint per unit of the rate s and the parent P, the rate that makes the form least is

    s = (e - a . p - sum_n U_n . u_n) / D,  U_n = W_nc a,  D = a . U_c

where e is the effort along a, p the load that links beyond have passed on, and the sum is over
all links n that c is tied to, itself included (there u_c stands for X u_P). It leaves

    W_nm - U_n U_m^T / D,  p_n + U_n (e - a . p) / D

and X carries the rows of c over to P. Without Z this is the articulated-body recursion
(``recursion``). The work grows with the number of links, and of the ties that each has to links
outside of its branch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from axletree.core.errors import FormulationError
from axletree.equations.articulated_bodies.recursion import (
    NO_MOTION,
    ParentStep,
    coordinate_axis,
    freedoms_of,
    no_inertia_along,
    parent_step,
)
from axletree.equations.articulated_bodies.spatial import (
    SpatialInertia,
    SpatialVector,
    spatial_dot,
    spatial_inertia,
    spatial_sum,
)
from axletree.equations.articulated_bodies.stiff_loads import (
    ExprRows,
    LinkRows,
    Resistance,
    matrix_product,
    matrix_sum,
    matrix_times,
    symmetric_product,
    transposed,
)
from axletree.equations.inertia import NO_INERTIA, LinkInertia
from axletree.equations.kinematics import Kinematics
from axletree.expr import Expr
from axletree.expr.expression import ZERO


class ImplicitMass:
    """Of a mechanism whose trees are one: solved for any efforts along the speeds."""

    def __init__(
        self,
        k: Kinematics,
        inertias: Sequence[LinkInertia],
        resistances: Iterable[Resistance],
        g: Expr,
    ) -> None:
        self._k = k
        forms = _LinkForms()
        for link, body in enumerate(inertias):
            if link and body is not NO_INERTIA:
                R_CX = k.rotation(link, k.linear_axes[link])
                forms.add(link, link, spatial_inertia(body, R_CX).rows)
        for resistance in resistances:
            forms.add_resistance(resistance.rows, resistance.beside_mass(g))
        children = [s.connection.child for s in reversed(k.slidings)]
        self._links = tuple(_eliminated(k, link, forms) for link in children)

    def solve(
        self, efforts: Sequence[Expr], loads: Mapping[int, SpatialVector] | None = None
    ) -> tuple[list[Expr], list[SpatialVector]]:
        """Rates of the speeds, and the motions of all links that go with them.

        ``loads`` act on links, beside the efforts along the speeds: moments and forces at origins.
        """
        count = self._k.links.count
        carried, motion = [NO_MOTION] * count, [NO_MOTION] * count
        for place, load in (loads or {}).items():
            carried[place] = tuple(-e for e in load)
        surplus: dict[int, Expr] = {}
        rates = list(efforts)
        for link in self._links:
            link.take_in(efforts, carried, surplus)
        for link in reversed(self._links):
            link.let_out(surplus, motion, rates)
        return rates, motion


class _LinkForms:
    """The blocks W of the quadratic form, each with its transpose."""

    def __init__(self) -> None:
        self.of: dict[int, dict[int, ExprRows]] = {}

    def add(self, a: int, b: int, block: ExprRows) -> None:
        """To the block of links a and b, and to its transpose where they differ."""
        self._add(a, b, block)
        if a != b:
            self._add(b, a, transposed(block))

    def _add(self, a: int, b: int, block: ExprRows) -> None:
        row = self.of.setdefault(a, {})
        row[b] = matrix_sum(row[b], block) if b in row else block

    def add_resistance(self, of_links: LinkRows, Z: ExprRows) -> None:
        """J_a^T Z J_b, for all links but the ground, which does not accelerate."""
        rows = {link: J for link, J in of_links.items() if link}
        for b, J_b in rows.items():
            resisted = matrix_product(Z, J_b)
            for a, J_a in rows.items():
                if a == b:
                    self.add(a, a, symmetric_product(transposed(J_a), resisted))
                elif a < b:
                    self.add(a, b, matrix_product(transposed(J_a), resisted))

    def take(self, link: int) -> dict[int, ExprRows]:
        """The rows of a link, which then is in no other row."""
        own = self.of.pop(link, {})
        for other in own:
            if other != link:
                del self.of[other][link]
        return own


@dataclass(frozen=True)
class _TiedFreedom:
    """One eliminated speed of a link."""

    index: int  # among all speeds
    along: SpatialVector  # a
    tied: Mapping[int, SpatialVector]  # U_n, of links that are eliminated later
    own: SpatialVector  # U_c
    inverse: Expr  # 1 / D


@dataclass(frozen=True)
class _EliminatedLink:
    step: ParentStep
    freedoms: tuple[_TiedFreedom, ...]

    def take_in(
        self, efforts: Sequence[Expr], carried: list[SpatialVector], surplus: dict[int, Expr]
    ) -> None:
        load = carried[self.step.link]
        for f in self.freedoms:
            surplus[f.index] = efforts[f.index] - spatial_dot(f.along, load)
            share = surplus[f.index] * f.inverse
            for link, tied in f.tied.items():
                carried[link] = spatial_sum(carried[link], tuple(u * share for u in tied))
            passed = [p + u * share for p, u in zip(load, f.own, strict=True)]
            axis = coordinate_axis(f.along)
            if axis is not None:  # a . U share = e - a . p
                passed[axis] = efforts[f.index] / f.along[axis]
            load = tuple(passed)
        if self.step.parent:
            for link, passed_on in self.step.load_to_parents(load):
                carried[link] = spatial_sum(carried[link], passed_on)

    def let_out(
        self, surplus: Mapping[int, Expr], motion: list[SpatialVector], rates: list[Expr]
    ) -> None:
        u = motion[self.step.parent]
        u = self.step.motion_to_child(u, u)
        for f in reversed(self.freedoms):
            resisted = sum((spatial_dot(t, motion[n]) for n, t in f.tied.items()), ZERO)
            axis, left = coordinate_axis(f.along), surplus[f.index] - resisted
            if axis is None:
                rate = (left - spatial_dot(f.own, u)) * f.inverse
                u = spatial_sum(u, tuple(a * rate for a in f.along))
            else:  # a . U / D = 1
                others = tuple(ZERO if i == axis else e for i, e in enumerate(f.own))
                total = (left - spatial_dot(others, u)) * f.inverse
                rate = total - u[axis] / f.along[axis]
                u = tuple(total * f.along[axis] if i == axis else e for i, e in enumerate(u))
            rates[f.index] = rate
        motion[self.step.link] = u


def _eliminated(k: Kinematics, link: int, forms: _LinkForms) -> _EliminatedLink:
    own, freedoms, step = forms.take(link), [], parent_step(k, link)
    for index, along in freedoms_of(k, link):
        responses = {n: _along(block, along) for n, block in own.items()}
        own_response = responses.pop(link, NO_MOTION)
        pivot = spatial_dot(along, own_response)
        if pivot.is_zero:
            raise FormulationError(no_inertia_along(k, index))
        f = _TiedFreedom(index, along, responses, own_response, 1.0 / pivot)
        freedoms.append(f)
        own = _without(f, link, own, forms)
    if step.parent:
        _pass_on(step, own, forms)
    return _EliminatedLink(step, tuple(freedoms))


def _without(
    f: _TiedFreedom, link: int, own: Mapping[int, ExprRows], forms: _LinkForms
) -> dict[int, ExprRows]:
    """W - U U^T / D; along a coordinate axis exactly nothing is left in the rows of the link."""
    axis = coordinate_axis(f.along)
    found: dict[int, ExprRows] = {}
    scaled = {n: tuple(u * f.inverse for u in tied) for n, tied in f.tied.items()}
    scaled[link] = tuple(u * f.inverse for u in f.own)
    for n, block in own.items():
        less = _outer(f.own, scaled[n], symmetric=n == link)
        left = [list(_difference(row, gone)) for row, gone in zip(block, less, strict=True)]
        if axis is not None:
            left[axis] = [ZERO] * 6
            for row in left if n == link else ():
                row[axis] = ZERO
        found[n] = tuple(tuple(row) for row in left)
    for n, tied in f.tied.items():
        for m in f.tied:
            if m <= n:
                less = _outer(tied, scaled[m], symmetric=n == m)
                forms.add(n, m, tuple(tuple(-e for e in row) for row in less))
    return found


def _pass_on(step: ParentStep, own: Mapping[int, ExprRows], forms: _LinkForms) -> None:
    """The rows of a link to its parent."""
    for n, block in own.items():
        if n == step.link:
            forms.add(step.parent, step.parent, step.inertia_to_parent(SpatialInertia(block)).rows)
            continue
        columns = [dict(step.load_to_parents(column)) for column in transposed(block)]
        moved = transposed([column[step.parent] for column in columns])
        if n == step.parent:
            forms.add(n, n, matrix_sum(moved, transposed(moved)))
        else:
            forms.add(step.parent, n, moved)


def _along(block: ExprRows, along: SpatialVector) -> SpatialVector:
    """The transpose of a block times a vector."""
    return matrix_times(transposed(block), along)


def _difference(a: SpatialVector, b: SpatialVector) -> SpatialVector:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def _outer(a: SpatialVector, b: SpatialVector, *, symmetric: bool) -> ExprRows:
    size = range(len(a))
    if symmetric:  # b is in proportion to a
        return tuple(tuple(a[max(i, j)] * b[min(i, j)] for j in size) for i in size)
    return tuple(tuple(x * y for y in b) for x in a)
