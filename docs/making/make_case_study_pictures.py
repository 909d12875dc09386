"""Draws the pictures of the page on equations of one's own."""

from __future__ import annotations

import sys
from pathlib import Path

from axletree.examples.car_and_trailer import results as figures
from axletree.plot.figure_files import write_figure

PICTURES = {
    "car-trailer-ramp.png": figures.figure_3,
    "car-trailer-loads.png": figures.figure_5,
    "car-trailer-ratio.png": figures.figure_6,
    "car-trailer-eigenvalues.png": figures.figure_7,
}


def make_pictures(folder: Path) -> list[Path]:
    """All pictures, written into the folder."""
    return [write_figure(draw(), folder / name) for name, draw in PICTURES.items()]


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for path in make_pictures(target):
        print(path)
