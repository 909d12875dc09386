"""The examples in the room's docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

from axletree import studio

NAMES = [one.name for one in pkgutil.iter_modules(studio.__path__)]


@pytest.mark.parametrize("name", NAMES)
def test_examples_of_a_module(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = doctest.testmod(importlib.import_module(f"axletree.studio.{name}"))
    assert found.failed == 0
    assert list(tmp_path.iterdir()) == []
