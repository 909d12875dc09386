"""A, B and A^-1 B in SymPy, for people; what runs is solved in expressions of its own."""

from __future__ import annotations

from collections.abc import Sequence

import sympy

from axletree.language.equation import Equation
from axletree.language.errors import LanguageError
from axletree.language.variables import is_variable, rate
from axletree.system.triangular import blocks, match


def matrices(
    equations: Sequence[Equation], x: Sequence[sympy.Expr]
) -> tuple[sympy.ImmutableMatrix, sympy.ImmutableMatrix]:
    """A and B of A x' = B."""
    plain = {rate(item): sympy.Dummy(f"rate_{k}") for k, item in enumerate(x)}
    column = {dummy: j for j, dummy in enumerate(plain.values())}
    A, B = sympy.zeros(len(equations), len(x)), sympy.zeros(len(equations), 1)
    for i, equation in enumerate(equations):
        residual = equation.residual.xreplace(plain)
        present = residual.atoms(sympy.Dummy) & set(column)
        for dummy in present:
            A[i, column[dummy]] = residual.diff(dummy)
        rest = residual.xreplace(dict.fromkeys(present, sympy.Integer(0)))
        B[i] = rest if is_zero_by_itself(equation, bool(present)) else -rest
    return sympy.ImmutableMatrix(A), sympy.ImmutableMatrix(B)


def is_zero_by_itself(equation: Equation, has_rates: bool) -> bool:
    """Whether a row of B is what stands on the left, as of a constraint, phi = 0.

    Of other equations B has what stands on the right, less what is left of the left.
    """
    return not has_rates and equation.right == 0


def solved_rates(
    name: str, A: sympy.ImmutableMatrix, B: sympy.ImmutableMatrix, x: Sequence[sympy.Expr]
) -> sympy.ImmutableMatrix:
    """x' = A^-1 B (Lot and Massaro 2017, eq. 40), block by block."""
    incidence = [[j for j in range(A.cols) if A[i, j] != 0] for i in range(A.rows)]
    matching = match(incidence, range(A.cols))
    if matching.unmatched_unknowns or matching.unmatched_equations:
        lacking = ", ".join(str(x[j].func) for j in matching.unmatched_unknowns)
        raise LanguageError(
            f"{name}: A is singular, so that it has no inverse: {lacking or 'no variable'} has no "
            "equation with its rate. Algebraic variables and constraints are solved by "
            "system(), which differentiates the constraints"
        )
    found: dict[int, sympy.Expr] = {}
    for block in blocks(incidence, matching.unknown_of):
        rows, columns = list(block.equations), list(block.unknowns)
        known = [j for j in found if any(A[i, j] != 0 for i in rows)]
        right = B.extract(rows, [0])
        if known:
            values = sympy.Matrix([found[j] for j in known])
            right = right - A.extract(rows, known) * values
        inner = A.extract(rows, columns)
        if _vanishes(inner):
            names = ", ".join(str(x[j].func) for j in columns)
            raise LanguageError(
                f"{name}: A is singular: its rows for the rates of {names} depend on one another"
            )
        solution = inner.LUsolve(right) if len(rows) > 1 else right / inner[0, 0]
        found |= dict(zip(columns, solution, strict=True))
    return sympy.ImmutableMatrix([found[j] for j in range(A.cols)])


def _vanishes(matrix: sympy.Matrix) -> bool:
    """Whether the determinant is 0 where all that occurs has arbitrary values."""
    items = sorted(matrix.atoms(sympy.Symbol, sympy.Function), key=str)
    outer = [item for item in items if isinstance(item, sympy.Symbol) or is_variable(item)]
    values = {item: sympy.Rational(k * k + 7, 11) for k, item in enumerate(outer, start=1)}
    return bool(abs(sympy.N(matrix.xreplace(values).det(), 30)) < 1e-20)
