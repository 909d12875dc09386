"""Draws the picture of the page on soils: ``python docs/make_soil_pictures.py [dir]``."""

from __future__ import annotations

import sys
from pathlib import Path

from axletree.library.soils.contract import Wheel
from axletree.library.soils.wong_reece import WongReece
from axletree.report.picture_file import write_figure
from axletree.report.soil_plot import plot_soil


def make_pictures(folder: Path) -> list[Path]:
    """All pictures, written into the folder."""
    figure = plot_soil(WongReece("lete-sand-wong"), Wheel(radius=0.4, width=0.25), load=4000.0)
    return [write_figure(figure, folder / "wheel-in-sand.png")]


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "pictures"
    for path in make_pictures(target):
        print(path)
