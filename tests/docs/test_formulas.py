"""Formulas of pages: LaTeX becomes the MathML that browsers show as LaTeX would."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
from docutils.utils.math import MathError

MAKING = Path(__file__).parent.parent.parent / "docs" / "making"
mathml = runpy.run_path(str(MAKING / "mathml_tree.py"))["mathml"]


def shown(text: str) -> str:
    """The elements in the formula, without the room between them."""
    inside = re.sub(r"\s*\n\s*", "", mathml(text, as_block=False))
    return inside.partition(">")[2].removesuffix("</math>")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\frac{a}{2}", "<mfrac><mi>a</mi><mn>2</mn></mfrac>"),
        (  # the index goes with the letter and its hat
            r"\hat{u}_x",
            '<msub><mover accent="true"><mi>u</mi><mo stretchy="false">ˆ</mo></mover>'
            "<mi>x</mi></msub>",
        ),
        (r"\boldsymbol{\omega} + a", "<mi>𝛚</mi><mo>+</mo><mi>a</mi>"),
        ("f''", '<msup class="primes"><mi>f</mi><mo>′′</mo></msup>'),
        (
            r"a \cos b",
            '<mi>a</mi><mspace width="0.1667em" /><mi>cos</mi><mo>\u2061</mo>'
            '<mspace width="0.1667em" /><mi>b</mi>',
        ),
        (
            r"\cos(b)",
            '<mi>cos</mi><mo>\u2061</mo><mo stretchy="false">(</mo><mi>b</mi>'
            '<mo stretchy="false">)</mo>',
        ),
        ("a/b", '<mi>a</mi><mo stretchy="false" lspace="0" rspace="0">/</mo><mi>b</mi>'),
    ],
)
def test_a_formula(text: str, expected: str) -> None:
    assert shown(text) == expected


def test_lines_are_aligned() -> None:
    made = mathml(r"\begin{align*} a &= b \\ c &= d \end{align*}", as_block=True)
    assert made.count("<mtr>") == 2
    assert 'display="block"' in made


@pytest.mark.parametrize("text", [r"\wheel", r"\frac{a}", r"\begin{array}{c}a\end{array}"])
def test_what_cannot_be_read_is_said(text: str) -> None:
    with pytest.raises((MathError, IndexError, TypeError)):
        mathml(text, as_block=False)
