"""The pictures of turns and derivatives, of smaller models and with fewer lines than in docs/."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent.parent / "docs"


@pytest.mark.pages
def test_the_pictures_can_be_made(tmp_path: Path) -> None:
    program = runpy.run_path(str(DOCS / "making" / "make_cornering_pictures.py"))
    written = program["make_pictures"](
        tmp_path, fidelity="single-track", speeds=("80 km/h",), directions=5, lines=5
    )
    assert len(written) == 5
    assert {path.name for path in written} <= {path.name for path in (DOCS / "pictures").iterdir()}
    assert all(path.stat().st_size > 1000 for path in written)
