"""Reads the equations of a printed LaTeX document and evaluates them.

It knows what the writer may use and nothing else; braces and environments must match.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

GREEK = "sigma|xi|eta|zeta|chi|theta|psi|phi|alpha|beta|delta|mu|Omega|omega|Phi|nu|kappa|gamma"
FUNCTIONS: dict[str, Callable[..., float]] = {
    **{n: getattr(math, n) for n in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp")},
    "ln": math.log,
    "arcsin": math.asin,
    "arccos": math.acos,
    "arctan": math.atan,
    "operatorname{atan2}": math.atan2,
    "operatorname{sign}": lambda v: float(np.sign(v)),
    "min": min,
    "max": max,
}


def check_document(text: str) -> None:
    """Braces, dollars, environments and pairs of brackets match; nothing is outside of ASCII
    but what the fonts have."""
    assert text.startswith("\\documentclass")
    assert text.endswith("\\end{document}\n")
    plain = re.sub(r"\\[{}$&#%_]", "", text)
    depth = 0
    for letter in plain:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        assert depth >= 0
    assert depth == 0
    assert plain.count("$") % 2 == 0
    assert all(ord(letter) < 0x100 for letter in text)
    assert not re.search(r"[#%]", plain.replace("{#1}", ""))
    stack: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+\*?)\}", text):
        if kind == "begin":
            stack.append(name)
        else:
            assert stack.pop() == name
    assert not stack
    for line in text.splitlines():
        assert line.count(r"\left") - line.count(r"\leftarrow") == line.count(r"\right")


def equations(text: str, title: str, level: str = "subsection") -> list[tuple[str, str]]:
    """Left and right sides of a section, rows joined."""
    parts = re.split(rf"\\{level}\*\{{{re.escape(title)}\}}\n", text)
    assert len(parts) == 2, f"{len(parts) - 1} sections are called {title}"
    section = re.split(r"\\(?:sub)?section\*|\\end\{document\}", parts[1])[0]
    found: list[tuple[str, str]] = []
    for body in re.findall(r"\\begin\{align\*\}\n(.*?)\n\\end\{align\*\}", section, re.S):
        waiting = ""
        for row in body.split(" \\\\\n"):
            left, sign, right = row.partition("&=")
            if sign:
                assert not waiting
                found.append((left.strip(), right.strip()))
                continue
            left, _, right = row.partition("&")
            right = right.replace(r"\quad", "", 1).strip() if not left.strip() else right
            if right.startswith(r"\qquad ="):
                found.append((waiting, right.removeprefix(r"\qquad =").replace("{}", "").strip()))
                waiting = ""
            elif found and found[-1][0] and not row.startswith(" & "):
                found[-1] = (found[-1][0], f"{found[-1][1]} {right.replace('{}', '')}")
            else:
                waiting = f"{waiting} {right}".strip()
    return found


@dataclass
class Expression:
    """Evaluates one side of an equation, by recursive descent over its text."""

    text: str
    values: Mapping[str, float]
    functions: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    place: int = 0

    def value(self) -> float:
        result = self._sum()
        assert self._rest() == "", f"{self._rest()!r} is left of {self.text!r}"
        return result

    def _rest(self) -> str:
        while self.text[self.place : self.place + 1] == " ":
            self.place += 1
        return self.text[self.place :]

    def _taken(self, token: str) -> bool:
        if not self._rest().startswith(token):
            return False
        self.place += len(token)
        return True

    def _need(self, token: str) -> None:
        assert self._taken(token), f"{token!r} is missing in {self._rest()[:60]!r}"

    def _sum(self) -> float:
        value = -self._product() if self._taken("-") else self._product()
        while True:
            if self._taken("+"):
                value += self._product()
            elif self._taken("-"):
                value -= self._product()
            else:
                return value

    def _product(self) -> float:
        value = self._power()
        while self._taken(r"\,") or self._taken(r"\cdot"):
            value *= self._power()
        return value

    def _power(self) -> float:
        base = self._atom()
        return base ** self._braced() if self._taken("^") else base

    def _braced(self) -> float:
        self._need("{")
        value = self._sum()
        self._need("}")
        return value

    def _atom(self) -> float:
        if number := re.match(r"\d+(\.\d+)?", self._rest()):
            self.place += number.end()
            return float(number[0])
        if self._taken(r"\frac"):
            above = self._braced()
            return above / self._braced()
        if self._taken(r"\sqrt"):
            inside = self._braced()
            return math.sqrt(inside) if inside >= 0.0 else math.nan
        for opening, closing in ((r"\left(", r"\right)"), (r"\left|", r"\right|")):
            if self._taken(opening):
                value = self._sum()
                self._need(closing)
                return abs(value) if "|" in opening else value
        if self._taken(r"\left["):
            truth = self._condition()
            self._need(r"\right]")
            return float(truth)
        if self._taken(r"\begin{cases}"):
            return self._cases()
        return self._named()

    def _cases(self) -> float:
        if_true = self._sum()
        self._need(r"& \text{if }")
        condition = self._condition()
        self._need(r"\\")
        if_false = self._sum()
        self._need(r"& \text{otherwise} \end{cases}")
        return if_true if condition else if_false

    def _condition(self) -> bool:
        value = self._comparison()
        while True:
            if self._taken(r"\lor"):
                value = self._comparison() or value
            elif self._taken(r"\land"):
                value = self._comparison() and value
            else:
                return value

    def _comparison(self) -> bool:
        left = self._sum()
        if self._taken("<"):
            return left < self._sum()
        if self._taken(r"\le "):
            return left <= self._sum()
        self._need(r"\ne")
        return left != self._sum()

    def _named(self) -> float:
        for name in (*FUNCTIONS, *self.functions):
            head = name if name in self.functions else f"\\{name}"
            rest = self._rest()
            if rest.startswith((f"{head}\\left(", f"{head}^{{")) and name not in self.values:
                self.place += len(head)
                exponent = self._braced() if self._taken("^") else 1.0
                return float(self._arguments(name) ** exponent)
        symbol = read_symbol(self._rest())
        assert symbol in self.values, f"{symbol!r} in {self.text!r} has no value"
        self.place += len(symbol)
        return self.values[symbol]

    def _arguments(self, name: str) -> float:
        self._need(r"\left(")
        arguments = [self._sum()]
        while self._taken(","):
            arguments.append(self._sum())
        self._need(r"\right)")
        return float({**FUNCTIONS, **self.functions}[name](*arguments))


def read_symbol(text: str) -> str:
    """The symbol that a text begins with: a letter, and what stands below it."""
    style = r"\\(?:d?dot|mathrm|text|mathcal)(?=\{)"
    symbol = rf"(?:\\frac\{{d\}}\{{dt\}} )?(?:{style}|\\(?:{GREEK})(?![A-Za-z])|[A-Za-z])"
    found = re.match(symbol, text)
    assert found is not None, f"no symbol begins {text[:40]!r}"
    end = found.end()
    if text[end : end + 1] == "{":
        end = _closing(text, end)
    if text[end : end + 2] == "_{":
        end = _closing(text, end + 1)
    return text[:end]


def _closing(text: str, start: int) -> int:
    """Behind the brace that closes the one at ``start``."""
    depth = 0
    for k in range(start, len(text)):
        escaped = text[k - 1] == "\\"
        depth += 0 if escaped else {"{": 1, "}": -1}.get(text[k], 0)
        if depth == 0:
            return k + 1
    raise AssertionError(f"a brace is not closed in {text!r}")


def split_list(text: str) -> list[str]:
    """The entries of (a, b_{1,2}, c), commas within braces and brackets apart."""
    entries, depth, entry = [], 0, ""
    for letter in text.strip():
        depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0 and not entry.endswith("\\"):
            entries.append(entry.strip())
            entry = ""
        else:
            entry += letter
    return [*entries, entry.strip()]
