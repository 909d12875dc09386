"""A thousand changed files for all readers; `make fuzz` tries a hundred times as many."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from fuzz.fuzzing import changed_file, laid_out, shares, try_file
from fuzz.readers import READERS

FILES = shares(1000)
DEAR = (
    "parts of a model",
    "vehicle",
    "vehicle by hard points",
    "equations of a vehicle",
    "MDF",
)  # in the slow stage
IN_STAGES = [pytest.param(name, marks=pytest.mark.slow if name in DEAR else ()) for name in READERS]


@pytest.mark.parametrize("name", IN_STAGES)
def test_files_that_are_not_changed_are_read(name: str, tmp_path: Path) -> None:
    """Otherwise changed ones would be refused for other reasons than their changes."""
    reader = READERS[name]
    for content in reader.originals():
        numbers = reader.read(laid_out(reader, content, tmp_path))
        assert np.isfinite(np.asarray(numbers, dtype=float)).all()


@pytest.mark.parametrize("name", IN_STAGES)
def test_a_changed_file_is_read_or_refused_in_words(name: str, tmp_path: Path) -> None:
    for number in range(FILES[name]):
        try_file(name, number, tmp_path)


@pytest.mark.parametrize("name", [name for name in READERS if name not in DEAR])
def test_the_same_number_makes_the_same_file(name: str) -> None:
    assert changed_file(name, 1) == changed_file(name, 1)
    assert len({changed_file(name, number) for number in range(10)}) > 5
