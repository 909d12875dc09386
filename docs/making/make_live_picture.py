"""Photographs a live page: ``python docs/making/make_live_picture.py [folder]``.

Needs Chromium, and ziglang for the page that is made here.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from page_photograph import browser, photograph

import axletree as at

SIZE = (1280, 760)  # pixels
BEGINNING = "t=5&throttle=0.55&steering=1.4&theme=light&camera=chase"


def make_pictures(folder: Path) -> list[Path]:
    """All pictures, written into the folder."""
    browser()  # before anything takes its time
    with tempfile.TemporaryDirectory() as pages:
        page = at.live(at.read_model("sedan")).save(Path(pages) / "sedan.html")
        return [photograph(page, folder / "live-sedan.png", SIZE, BEGINNING)]


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for path in make_pictures(target):
        print(path)
