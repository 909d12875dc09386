"""Kane's equations: inertia and loads on partial velocities, in generalised speeds u_r = sum of
Y_rs q_s' + Z_r.

Kane and Levinson 1985, sections 2.12 to 2.14. Combinations of rates that are held at zero, such
as the slip of a wheel that rolls, leave fewer speeds than coordinates, and no reactions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sympy

from axletree.language.expressions import (
    Equation,
    compact,
    folded,
    not_linear,
    truncated,
    vanishes,
)
from axletree.language.lagrange import balance, checked_coordinates, partial_motion, refuse_small
from axletree.language.newton import own_spin_rate, spin_rate
from axletree.language.transformations import axial, dotted
from axletree.language.variables import TIME, LanguageError, is_rate, is_variable, rate
from axletree.language.world import MOST_TERMS_SHOWN, Small

if TYPE_CHECKING:
    from axletree.language.assembly import Assembly


def kane(
    assembly: Assembly,
    speeds: Sequence[sympy.Expr] | Mapping[sympy.Expr, sympy.Expr],
    constraints: Sequence[sympy.Expr],
) -> tuple[Equation, ...]:
    """-F*_r = F_r for each speed."""
    if isinstance(speeds, Mapping):
        own = GeneralisedSpeeds.of(speeds, constraints)
        rows = kane(assembly, own.coordinates, ())
        return own.combined(assembly.name, rows, assembly.world.small)
    if constraints:
        raise LanguageError(
            "combinations of rates are held beside speeds of one's own: give these as "
            "{u_1: rate(q_1), ...}"
        )
    chosen = checked_coordinates(assembly, speeds)
    refuse_small(assembly, chosen, "Kane's equation")
    inertia = _exact_inertia if assembly.world.exact else _inertia
    sides = zip(chosen, inertia(assembly, chosen), strict=True)
    return tuple(balance(assembly, "Kane", q, side) for q, side in sides)


def _exact_inertia(assembly: Assembly, coordinates: Sequence[sympy.Expr]) -> list[sympy.Expr]:
    """In the axes of each body."""
    terms: dict[sympy.Expr, list[sympy.Expr]] = {q: [] for q in coordinates}
    for body in assembly.bodies:
        force = tuple(body.mass * x for x in body.frame.own_motion().a)
        torque = own_spin_rate(body)
        for q in coordinates:
            turning, sliding = body.frame.partial_velocities(q)
            terms[q].append(dotted(force, sliding) + dotted(torque, turning))
    return [sympy.Add(*terms[q]) for q in coordinates]


def _inertia(assembly: Assembly, coordinates: Sequence[sympy.Expr]) -> list[sympy.Expr]:
    """In the axes of the base, of frames to the first order in what is small."""
    return [_inertia_of(assembly, q) for q in coordinates]


def _inertia_of(assembly: Assembly, q: sympy.Expr) -> sympy.Expr:
    terms = []
    for body in assembly.bodies:
        slope = partial_motion(body.frame, q)
        partial_turning = axial(body.frame.R.T * slope[:3, :3])
        linear = body.centre.acceleration().exact * body.mass
        angular = spin_rate(body).exact
        terms.append((linear.T * slope[:3, 3])[0] + (angular.T * partial_turning)[0])
    return sympy.Add(*terms)


@dataclass(frozen=True)
class GeneralisedSpeeds:
    """Speeds by what they are of rates of coordinates, and what is held at zero.

    Example:
    >>> from axletree.language import GeneralisedSpeeds, parameters, rate, variables
    >>> (R,), (x, turn, w) = parameters("R"), variables("x turn w")  # m; m, rad, rad/s
    >>> rolls = GeneralisedSpeeds.of({w: rate(turn)}, constraints=[rate(x) - R * rate(turn)])
    >>> print(*rolls.kinematics(), sep=", ")  # rad/s, m/s
    turn' = w, x' = R*w
    """

    definitions: Mapping[sympy.Expr, sympy.Expr]
    constraints: tuple[sympy.Expr, ...]
    coordinates: tuple[sympy.Expr, ...]
    rates: tuple[sympy.Expr, ...]  # of the coordinates, in terms of the speeds

    @classmethod
    def of(
        cls,
        definitions: Mapping[sympy.Expr, sympy.Expr],
        constraints: Sequence[sympy.Expr],
    ) -> GeneralisedSpeeds:
        """Speeds {u: combination of rates}, and combinations that are zero.

        Example:
        >>> from axletree.language import GeneralisedSpeeds, rate, variables
        >>> x, y, u = variables("x y u")  # m, m, m/s
        >>> GeneralisedSpeeds.of({u: rate(x) + rate(y)}, constraints=[rate(x) - rate(y)]).rates
        (u(t)/2, u(t)/2)
        """
        rows = {u: sympy.sympify(e) for u, e in definitions.items()}
        zero = tuple(sympy.sympify(e) for e in constraints)
        strange = [str(u) for u in rows if not is_variable(u)]
        if strange:
            raise LanguageError(
                f"{', '.join(strange)} is no variable that could be a speed; make speeds by "
                "variables('u_1 u_2') and say what each is: {u_1: rate(q_1)}"
            )
        places = [a for e in (*rows.values(), *zero) for a in e.atoms(sympy.Derivative)]
        rates = sorted({a for a in places if is_rate(a, 1)}, key=str)
        for row in (*rows.values(), *zero):
            curved = not_linear(row, places)
            if curved is not None:
                raise LanguageError(
                    f"{row} holds {curved} to another power than 1; speeds and what is held at "
                    "zero are combinations of rates to the power 1"
                )
        if len(rates) != len(rows) + len(zero):
            raise LanguageError(
                f"{len(rows)} speeds and {len(zero)} combinations that are held do not determine "
                f"the rates of {len(rates)} coordinates, {', '.join(str(a.expr) for a in rates)}; "
                "there must be as many"
            )
        return cls(rows, zero, tuple(a.expr for a in rates), _solved(rows, zero, rates))

    def kinematics(self) -> tuple[Equation, ...]:
        """q' = ..., one for each coordinate.

        Example:
        >>> from axletree.language import GeneralisedSpeeds, rate, variables
        >>> left, right, mean, gap = variables("left right mean gap")  # wheels: rad; rad/s
        >>> cage = {mean: (rate(left) + rate(right)) / 2, gap: rate(left) - rate(right)}
        >>> print(*GeneralisedSpeeds.of(cage, constraints=[]).kinematics(), sep=", ")
        left' = gap/2 + mean, right' = -gap/2 + mean
        """
        pairs = self._pairs()
        return tuple(Equation(f"kinematics, {q.func}", rate(q), value) for q, value in pairs)

    def combined(
        self, name: str, equations: Sequence[Equation], small: Small | None = None
    ) -> tuple[Equation, ...]:
        """Kane's equations for the speeds, from those for the rates of the coordinates.

        A speed moves each coordinate by the slope of its rate, so partial velocities, and with
        them inertia and loads, add up with these slopes. ``small`` is what products are left out
        of: the equations have it so already, and speeds that vanish with it are small, too.

        Example:
        >>> from axletree.language import Equation, GeneralisedSpeeds, parameters, rate, variables
        >>> (m, I, R), (x, turn, w) = parameters("m I R"), variables("x turn w")
        >>> rolls = GeneralisedSpeeds.of({w: rate(turn)}, constraints=[rate(x) - R * rate(turn)])
        >>> rows = [Equation("turn", I * rate(turn, 2), 30), Equation("x", m * rate(x, 2), 0)]
        >>> print(*rolls.combined("wheel", rows))  # N m; the rows as rolls.coordinates are
        (I + R**2*m)*w' = 30
        """
        found = []
        sigma = self._small_speeds(small or Small())
        bounded = frozenset().union(*(e.small for e in equations))
        for u in self.definitions:
            slopes = [
                truncated(value.diff(u), sigma) if sigma else value.diff(u) for value in self.rates
            ]
            pairs = list(zip(slopes, equations, strict=True))
            left = sympy.Add(*(slope * e.left for slope, e in pairs))
            right = sympy.Add(*(slope * e.right for slope, e in pairs))
            left, right = self._in_speeds(left), self._in_speeds(right)
            if sigma:
                left, right = truncated(left, sigma), truncated(right, sigma)
            found.append(Equation(f"{name}, Kane, {u.func}", left, right, bounded))
        return tuple(found)

    def _small_speeds(self, small: Small) -> tuple[sympy.Expr, ...]:
        """What is small without rates of the coordinates: speeds stand for these.

        A speed is small if its definition vanishes where all that is small does, and its rate
        if that of the definition does.
        """
        nothing = dict.fromkeys(small.all, sympy.Integer(0))
        sigma = dict.fromkeys(small.all)
        for u, definition in self.definitions.items():
            for own, value in ((u, definition), (rate(u), rate(definition))):
                if folded(value.xreplace(nothing)) == 0:
                    sigma[own] = None
        return tuple(sigma) if small.all else ()

    def _in_speeds(self, expression: sympy.Expr) -> sympy.Expr:
        first = {rate(q): value for q, value in self._pairs()}
        second = {rate(q, 2): value.diff(TIME).xreplace(first) for q, value in self._pairs()}
        return compact(expression.xreplace(second).xreplace(first), MOST_TERMS_SHOWN)

    def _pairs(self) -> list[tuple[sympy.Expr, sympy.Expr]]:
        return list(zip(self.coordinates, self.rates, strict=True))


def _solved(
    rows: Mapping[sympy.Expr, sympy.Expr],
    constraints: Sequence[sympy.Expr],
    rates: Sequence[sympy.Expr],
) -> tuple[sympy.Expr, ...]:
    """The rates, from definitions that are linear in them."""
    stand_ins = {a: sympy.Dummy(str(a)) for a in rates}
    lines = [(e - u).xreplace(stand_ins) for u, e in rows.items()]
    lines += [e.xreplace(stand_ins) for e in constraints]
    matrix, right = sympy.linear_eq_to_matrix(lines, list(stand_ins.values()))
    if vanishes(matrix.det(method="berkowitz")):
        raise LanguageError(
            "the speeds and what is held do not determine the rates of the coordinates: some of "
            "them say the same"
        )
    return tuple(_shortest(value) for value in matrix.LUsolve(right))


def _shortest(value: sympy.Expr) -> sympy.Expr:
    """Simplified, unless it is so long that this would take for ever."""
    return sympy.simplify(value) if sympy.count_ops(value) <= MOST_SIMPLIFIED else value


MOST_SIMPLIFIED = 400  # operations
