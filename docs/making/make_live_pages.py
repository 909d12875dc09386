"""Makes the live pages of the site's gallery: ``python docs/making/make_live_pages.py FOLDER``.

Needs ziglang, and some minutes for the rover's soil. ``make live-pages`` calls it; the gallery of
the site lists what is there when the site is built.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

import axletree as at
from axletree.core.errors import ModelWarning

PAGES: dict[str, dict[str, Any]] = {  # by models, each with what its page is made with
    "sedan": {"manoeuvres": ["iso-3888-1", "slalom"], "controllers": ["abs", "tcs", "esc"]},
    "formula-student": {"speeds": ["40 km/h", "60 km/h"], "manoeuvres": ["skid-pad"]},
    "tractor-semitrailer": {"speeds": ["40 km/h", "80 km/h"]},
    "motorcycle": {},
    "whipple-bicycle": {},
    "rover": {},
}


def make_pages(folder: Path, names: list[str]) -> list[Path]:
    """Pages of these models, or of all, written into the folder."""
    made = []
    for name in names or list(PAGES):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ModelWarning)  # on forces that wheels of soil share
            page = at.live(at.read_model(name), **PAGES[name])
        made.append(page.save(folder / f"{name}.html"))
    return made


if __name__ == "__main__":
    for path in make_pages(Path(sys.argv[1]), sys.argv[2:]):
        print(path)
