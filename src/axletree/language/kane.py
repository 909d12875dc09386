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

from axletree.language.expressions import Equation, folded
from axletree.language.lagrange import balance, checked_coordinates, partial_motion, refuse_small
from axletree.language.newton import spin_rate
from axletree.language.transformations import axial
from axletree.language.variables import TIME, LanguageError, is_rate, is_variable, rate

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
        return own.combined(assembly.name, kane(assembly, own.coordinates, ()))
    if constraints:
        raise LanguageError(
            "combinations of rates are held beside speeds of one's own: give these as "
            "{u_1: rate(q_1), ...}"
        )
    chosen = checked_coordinates(assembly, speeds)
    refuse_small(assembly, chosen, "Kane's equation")
    return tuple(balance(assembly, "Kane", q, _inertia(assembly, q)) for q in chosen)


def _inertia(assembly: Assembly, q: sympy.Expr) -> sympy.Expr:
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

    def combined(self, name: str, equations: Sequence[Equation]) -> tuple[Equation, ...]:
        """Kane's equations for the speeds, from those for the rates of the coordinates.

        A speed moves each coordinate by the slope of its rate, so partial velocities, and with
        them inertia and loads, add up with these slopes.

        Example:
        >>> from axletree.language import Equation, GeneralisedSpeeds, parameters, rate, variables
        >>> (m, I, R), (x, turn, w) = parameters("m I R"), variables("x turn w")
        >>> rolls = GeneralisedSpeeds.of({w: rate(turn)}, constraints=[rate(x) - R * rate(turn)])
        >>> rows = [Equation("turn", I * rate(turn, 2), 30), Equation("x", m * rate(x, 2), 0)]
        >>> print(*rolls.combined("wheel", rows))  # N m; the rows as rolls.coordinates are
        (I + R**2*m)*w' = 30
        """
        found = []
        for u in self.definitions:
            slopes = [value.diff(u) for value in self.rates]
            pairs = list(zip(slopes, equations, strict=True))
            left = sympy.Add(*(slope * e.left for slope, e in pairs))
            right = sympy.Add(*(slope * e.right for slope, e in pairs))
            sides = self._in_speeds(left), self._in_speeds(right)
            found.append(Equation(f"{name}, Kane, {u.func}", *sides))
        return tuple(found)

    def _in_speeds(self, expression: sympy.Expr) -> sympy.Expr:
        first = {rate(q): value for q, value in self._pairs()}
        second = {rate(q, 2): value.diff(TIME).xreplace(first) for q, value in self._pairs()}
        return folded(expression.xreplace(second).xreplace(first))

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
    if folded(matrix.det()) == 0:
        raise LanguageError(
            "the speeds and what is held do not determine the rates of the coordinates: some of "
            "them say the same"
        )
    return tuple(sympy.simplify(value) for value in matrix.LUsolve(right))
