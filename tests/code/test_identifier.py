"""Model names as identifiers: safe, readable, all different."""

from __future__ import annotations

import keyword
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axletree.code.identifiers import comment_text, identifier, identifiers


def test_dots_become_underscores() -> None:
    assert identifier("front_left.slip_angle") == "front_left_slip_angle"


@pytest.mark.parametrize("name", ["x", "sin", "double", "y1", "lambda", "axl_min", "v3", "", "3d"])
def test_reserved_and_impossible_names_are_changed(name: str) -> None:
    text = identifier(name)
    assert text != name
    assert re.fullmatch(r"[A-Za-z]\w*", text)


@given(st.lists(st.text(max_size=80), max_size=8))
def test_identifiers_are_valid_and_different(names: list[str]) -> None:
    result = identifiers(names, taken=["a", "b"])
    assert set(result) == set(names)
    assert len(set(result.values()) | {"a", "b"}) == len(result) + 2
    for text in result.values():
        assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", text)
        assert not keyword.iskeyword(text)


@given(st.text())
def test_comment_text_cannot_end_a_comment_or_a_string(text: str) -> None:
    safe = comment_text(text)
    assert safe.isascii()
    assert not set(safe) & {"\\", '"', "\n", "?"}
    beside = f"/{safe}/"
    assert "*/" not in beside
    assert "/*" not in beside


def test_comment_text_leaves_units_as_they_are() -> None:
    assert comment_text("N*m*s/rad") == "N*m*s/rad"
