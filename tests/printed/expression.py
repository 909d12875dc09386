"""A strict reader of the MATLAB and Fortran that the printers write, for machines without either.

It knows assignments, calls of the files or procedures beside it, and nothing else: what it does
not know is an error. Lines are those of the rules of each language, brackets must match, and
every name must be defined before it is used.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.\d*|\d+)(?:e[+-]?\d+)?(?P<kind>_dp)?)(?![\w.])"
    r"|(?P<name>[a-z]\w*)|(?P<sign>\*\*|<=|~=|/=|[-+*/^()<,:;=\[\]]))",
    re.I,
)


def _real(value: complex) -> float:
    return value.real if value.imag == 0.0 else math.nan


def _root(v: float) -> float:
    return math.sqrt(v) if v >= 0.0 else math.nan


def _power(a: float, b: float) -> float:
    return float(np.float64(a) ** np.float64(b))


def _least(a: float, b: float) -> float:
    return math.nan if math.isnan(a + b) else min(a, b)


def _most(a: float, b: float) -> float:
    return math.nan if math.isnan(a + b) else max(a, b)


ELEMENTARY: dict[str, Callable[..., Any]] = {
    **{n: getattr(math, n) for n in ("exp", "sin", "cos", "tan", "atan", "sinh", "cosh", "tanh")},
    **{n: getattr(math, n) for n in ("log", "asin", "acos", "atan2")},
    "abs": abs,
    "sqrt": _root,
    "axl_min": _least,
    "axl_max": _most,
}
MATLAB_FUNCTIONS = {
    **ELEMENTARY,
    "sign": lambda v: float(np.sign(v)),
    "axl_real": _real,
    "axl_where": lambda condition, a, b: a if condition else b,
    "double": float,
    "zeros": lambda rows, columns: np.full(int(rows * columns), math.nan),
}
FORTRAN_FUNCTIONS = {
    **ELEMENTARY,
    "axl_sign": lambda v: float(np.sign(v)),
    "axl_power": _power,
    "merge": lambda a, b, condition: a if condition else b,
}


@dataclass
class Expression:
    """Evaluates the text of one expression, by recursive descent."""

    text: str
    variables: Mapping[str, Any]
    functions: Mapping[str, Callable[..., Any]]
    fortran: bool
    position: int = 0
    tokens: list[tuple[str, str]] = field(default_factory=list)

    def value(self) -> Any:
        self.tokens = list(self._tokens())
        value = self._comparison()
        assert self._peek() == "", f"{self.text!r}: {self._peek()!r} is left over"
        return value

    def _tokens(self) -> Iterator[tuple[str, str]]:
        place, text = 0, self.text.rstrip()
        while place < len(text):
            found = TOKEN.match(text, place)
            assert found is not None, f"{self.text!r} cannot be read from {text[place:][:20]!r}"
            place = found.end()
            kind = found.lastgroup if found["number"] is None else "number"
            yield str(kind), found[0].strip()

    def _peek(self) -> str:
        return self.tokens[self.position][1] if self.position < len(self.tokens) else ""

    def _next(self, expected: str = "") -> tuple[str, str]:
        assert self.position < len(self.tokens), f"{self.text!r} ends too early"
        kind, token = self.tokens[self.position]
        assert not expected or token == expected, f"{self.text!r}: {token!r}, not {expected!r}"
        self.position += 1
        return kind, token

    def _comparison(self) -> Any:
        left = self._sum()
        operation = self._peek()
        if operation not in ("<", "<=", "/=" if self.fortran else "~="):
            return left
        self._next()
        right = self._sum()
        return {"<": left < right, "<=": left <= right}.get(operation, left != right)

    def _sum(self) -> Any:
        value = -self._product() if self._taken("-") else self._product()
        while self._peek() in ("+", "-"):
            value = value + self._product() if self._taken("+") else self._minus(value)
        return value

    def _minus(self, value: Any) -> Any:
        self._next("-")
        return value - self._product()

    def _product(self) -> Any:
        value = self._power()
        while self._peek() in ("*", "/"):
            if self._taken("*"):
                value = value * self._power()
            else:
                self._next("/")
                value = float(np.float64(value) / self._power())
        return value

    def _power(self) -> Any:
        base = self._atom()
        if not self.fortran and self._taken("^"):
            return _power(base, self._atom())
        return base

    def _taken(self, token: str) -> bool:
        if self._peek() != token:
            return False
        self._next()
        return True

    def _atom(self) -> Any:
        kind, token = self._next()
        if token == "(":
            value = self._comparison()
            self._next(")")
            return value
        if token == "[":
            assert not self.fortran
            return self._column()
        if kind == "number":
            return self._number(token)
        assert kind == "name", f"{self.text!r}: an operator {token!r} where a value should be"
        return self._named(token.lower() if self.fortran else token)

    def _number(self, token: str) -> float:
        if self.fortran and not token.isdigit():
            assert token.endswith("_dp"), f"{token} has the precision of a single"
        return float(token.removesuffix("_dp")) if not token.isdigit() else int(token)

    def _column(self) -> np.ndarray:
        values = [self._comparison()]
        while self._taken(";"):
            values.append(self._comparison())
        self._next("]")
        return np.array(values, dtype=float)

    def _named(self, name: str) -> Any:
        if name in self.variables:
            value = self.variables[name]
            if self._peek() != "(" or np.ndim(value) == 0:
                return value
            return self._entry(value)
        assert name in self.functions, f"{self.text!r}: {name!r} is not defined"
        self._next("(")
        arguments = [self._comparison()]
        while self._taken(","):
            arguments.append(self._comparison())
        self._next(")")
        return self.functions[name](*arguments)

    def _entry(self, array: np.ndarray) -> Any:
        """One entry, or first:stride:last of MATLAB, first:last:stride of Fortran."""
        self._next("(")
        bounds = [self._comparison()]
        while self._taken(":"):
            bounds.append(self._comparison())
        self._next(")")
        if len(bounds) == 1:
            assert 1 <= bounds[0] <= len(array), f"{self.text!r}: outside of {len(array)} entries"
            return float(array[bounds[0] - 1])
        first, last, stride = bounds if self.fortran else (bounds[0], bounds[2], bounds[1])
        assert 1 <= first <= last <= len(array)
        return array[first - 1 : last : stride]


def statements(text: str, comment: str, mark: str, width: int, most: int) -> list[str]:
    """The statements, continued lines joined; comments are left out."""
    found: list[str] = []
    waiting, count = "", 0
    for line in text.splitlines():
        assert len(line) <= width, f"{len(line)} characters: {line}"
        plain = line.partition(comment)[0].rstrip()
        if not plain:
            continue
        if plain.endswith(mark):
            waiting, count = waiting + plain.removesuffix(mark), count + 1
            assert count <= most, f"more than {most} lines go on: {line}"
            continue
        found.append(re.sub(r"\s+", " ", waiting + plain).strip())
        waiting, count = "", 0
    assert not waiting, "the last line goes on"
    return found


def check_name(name: str, reserved: Sequence[str]) -> None:
    assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,62}", name), f"{name!r} is no name"
    assert name not in reserved, f"{name!r} belongs to the language"


def table(breaks: Sequence[float], rows: Sequence[float]) -> Callable[[float], float]:
    """By the definition of a table, in NumPy's words."""
    width = len(rows) // (len(breaks) + 1)

    def value(v: float) -> float:
        row = int(np.searchsorted(breaks, v, side="right"))
        along = v - breaks[max(row - 1, 0)]
        return float(np.polyval(rows[row * width : (row + 1) * width][::-1], along))

    return value


def solver(size: int, columns: int) -> Callable[[np.ndarray], np.ndarray]:
    def solved(given: np.ndarray) -> np.ndarray:
        matrix = np.reshape(given[: size**2], (size, size))
        right = np.reshape(given[size**2 :], (columns, size)).T
        return np.linalg.solve(matrix, right).T.ravel()

    return solved
