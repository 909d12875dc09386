"""Pieces of LaTeX: atoms, products and sums, with an estimate of how wide they are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

SUM, PRODUCT, ATOM = range(3)  # how tightly a piece holds together
_LARGEST_DENOMINATOR: Final = 12
_SHORT: Final = 7  # characters of a decimal number that is no fraction to people


@dataclass(frozen=True)
class Piece:
    """The LaTeX of an expression."""

    text: str
    width: int  # in characters, about
    level: int = ATOM
    terms: tuple[tuple[float, Piece], ...] = ()  # of a sum
    above: tuple[Piece, ...] = ()  # factors of a product
    below: tuple[Piece, ...] = ()  # its divisors
    head: str = ""  # of a function that takes its power before its argument: sin

    @property
    def bracketed(self) -> str:
        return rf"\left({self.text}\right)"

    def guarded(self, level: int) -> str:
        return self.text if self.level >= level else self.bracketed


def atom(text: str, width: int | None = None, head: str = "") -> Piece:
    return Piece(text, visible(text) if width is None else width, head=head)


def visible(text: str) -> int:
    """How many characters are seen, about."""
    plain = re.sub(r"\\(?:mathrm|text|left|right|dot|ensuremath|operatorname|frac|,)", "", text)
    return len(re.sub(r"[{}_^\s\\&]", "", re.sub(r"\\[A-Za-z]+", "x", plain)))


def number(value: float) -> Piece:
    """A number that is not negative; simple fractions as such."""
    if value.is_integer() and value < 1e7:
        return atom(str(int(value)))
    fraction = Fraction(value).limit_denominator(_LARGEST_DENOMINATOR)
    if float(fraction) == value and (value == 0.5 or len(repr(value)) > _SHORT):
        text = rf"\frac{{{fraction.numerator}}}{{{fraction.denominator}}}"
        return atom(text, len(str(fraction.numerator)) + 1)
    digits, _, exponent = repr(value).partition("e")
    if not exponent:
        return atom(digits)
    tens = f"10^{{{int(exponent)}}}"
    return atom(tens if digits == "1" else rf"{digits} \cdot {tens}")


def scaled(factor: float, piece: Piece) -> Piece:
    """A number times a piece."""
    if factor == 1.0:
        return piece
    if factor == -1.0 and piece.terms:
        return total([(-f, p) for f, p in piece.terms])
    text = _unsigned(abs(factor), piece)
    width = piece.width + (0 if abs(factor) == 1.0 else number(abs(factor)).width + 1)
    sign = "-" if factor < 0.0 else ""
    # A sign in front makes it a sum, as far as brackets go.
    return Piece(f"{sign}{text}", width + len(sign), SUM if sign else PRODUCT)


def _unsigned(factor: float, piece: Piece) -> str:
    if factor == 1.0:
        return piece.guarded(PRODUCT)
    if piece.below and factor.is_integer():
        return product((number(factor), *piece.above), piece.below).text
    return rf"{number(factor).text} \, {piece.guarded(PRODUCT)}"


def total(terms: Sequence[tuple[float, Piece]]) -> Piece:
    """A sum; a term that is added goes first."""
    first = next((k for k, (factor, _) in enumerate(terms) if factor > 0.0), 0)
    ordered = (terms[first], *terms[:first], *terms[first + 1 :])
    texts = [term_text(*ordered[0], leading=True)]
    texts += [term_text(factor, piece) for factor, piece in ordered[1:]]
    width = sum(scaled(abs(factor), piece).width + 3 for factor, piece in ordered)
    return Piece(" ".join(texts), width, SUM, terms=ordered)


def term_text(factor: float, piece: Piece, leading: bool = False) -> str:
    text = _unsigned(abs(factor), piece)
    if leading:
        return text if factor > 0.0 else f"-{text}"
    return f"+ {text}" if factor > 0.0 else f"- {text}"


def product(above: Sequence[Piece], below: Sequence[Piece]) -> Piece:
    """Factors over divisors; equal ones as a power."""
    upper, lower = _powers(above), _powers(below)
    if not lower:
        text = r" \, ".join(piece.guarded(PRODUCT) for piece in upper)
        width = sum(piece.width + 1 for piece in upper)
        return Piece(text, width, PRODUCT, above=tuple(above))
    texts = [_side(side) for side in (upper, lower)]
    width = max(sum(piece.width + 1 for piece in side) for side in (upper, lower))
    text = rf"\frac{{{texts[0]}}}{{{texts[1]}}}"
    return Piece(text, width, PRODUCT, above=tuple(above), below=tuple(below))


def _side(pieces: Sequence[Piece]) -> str:
    if len(pieces) == 1:
        return pieces[0].text
    return r" \, ".join(piece.guarded(PRODUCT) for piece in pieces) or "1"


def _powers(pieces: Sequence[Piece]) -> list[Piece]:
    return [raised(piece, count) for piece, count in Counter(pieces).items()]


def raised(base: Piece, exponent: int | Piece) -> Piece:
    """A power."""
    if exponent == 1:
        return base
    text = exponent.text if isinstance(exponent, Piece) else str(exponent)
    width = base.width + (exponent.width if isinstance(exponent, Piece) else 1)
    if base.head:
        return atom(f"{base.head}^{{{text}}}{base.text.removeprefix(base.head)}", width)
    simple = base.level == ATOM and not base.text.startswith((r"\frac", r"\begin", "10^"))
    return atom(f"{base.text if simple else base.bracketed}^{{{text}}}", width)
