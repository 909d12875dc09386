"""Variables, which depend on time, and parameters, which do not: SymPy's, by their names.

And ``LanguageError``: what is said when something written in the language has no meaning.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy
from sympy.core.function import AppliedUndef
from sympy.physics.mechanics import dynamicsymbols

from axletree.core.errors import AxletreeError


class LanguageError(AxletreeError):
    """Frames, points, bodies or equations that do not go together.

    Example:
    >>> from axletree.language import LanguageError, World
    >>> try:
    ...     World().base.moved("arm", 3)
    ... except LanguageError as error:
    ...     print(error)
    frame 'arm', motion 1 needs transformations, such as translation(x=1) or rotation_z(psi), not 3
    """


def described(thing: Any) -> str:
    """A thing in a message where something with a frame is expected."""
    listed = isinstance(thing, tuple | list | sympy.MatrixBase)
    return f"{thing} (of no frame)" if listed else repr(thing)


TIME = dynamicsymbols._t  # SymPy's own symbol for time, which has no public name

Scalar = Any  # a SymPy expression or a number


def variables(names: str) -> tuple[sympy.Expr, ...]:
    """Functions of time, from names between blanks or commas: ``x, y = variables("x y")``.

    Example:
    >>> from axletree.language import rate, variables, written
    >>> x, y = variables("x y")
    >>> written(rate(x * y))
    "x*y' + y*x'"
    """
    found = dynamicsymbols(_names(names), real=True)
    return tuple(found) if isinstance(found, Iterable) else (found,)


def variable(name: str) -> sympy.Expr:
    """One function of time.

    Example:
    >>> from axletree.language import TIME, variable
    >>> variable("x").diff(TIME)
    Derivative(x(t), t)
    """
    return sympy.Function(name, real=True)(TIME)


def parameters(names: str) -> tuple[sympy.Symbol, ...]:
    """Constants, from names between blanks or commas.

    Example:
    >>> from axletree.language import TIME, parameters
    >>> m, g = parameters("m g")
    >>> (m * g).diff(TIME)
    0
    """
    return tuple(sympy.symbols(_names(names), real=True, seq=True))


def _names(names: str) -> str:
    if not isinstance(names, str) or not names.strip(" ,"):
        raise LanguageError(f"names are a text with blanks between them, 'x y', not {names!r}")
    return names


def scalar(value: object, what: str) -> sympy.Expr:
    """An expression or a number. A text is none: it would be a symbol that nothing else knows."""
    try:
        found = None if isinstance(value, str) else sympy.sympify(value)
    except sympy.SympifyError:
        found = None
    if not isinstance(found, sympy.Expr) or found.is_Matrix:
        raise LanguageError(
            f"{what} is {value!r}; expected a number, or an expression of variables and parameters"
        )
    return found


def rate(expression: Scalar, order: int = 1) -> sympy.Expr:
    """The derivative by time, as often as ``order`` says: ``rate(phi)``, ``rate(z, 2)``.

    Example:
    >>> from axletree.language import rate, variable, written
    >>> x = variable("x")  # m
    >>> written(rate(x**2)), written(rate(x, 2))  # m^2/s, m/s^2
    ("2*x*x'", "x''")
    """
    return scalar(expression, "what a rate is asked of").diff(TIME, order)


def is_variable(expression: object) -> bool:
    """Whether this is a function of time by itself: not its rate, not a sum of such."""
    return isinstance(expression, AppliedUndef) and expression.args == (TIME,)


def is_rate(expression: object, order: int | None = None) -> bool:
    """Whether this is a derivative of a variable by time, of this order or of any."""
    if not isinstance(expression, sympy.Derivative) or not is_variable(expression.expr):
        return False
    return order is None or expression.derivative_count == order
