"""Draws the compromises of a million sedans, of the page on optimisation, and prints their table.

    python docs/making/make_million_cars_picture.py [FOLDER]

With the folder of a search (`python benchmarks/bench_optimise.py 1000000 4000 FOLDER`) its cars are
read; without one they are driven first, which takes some ten minutes of the processor.
"""

from __future__ import annotations

import runpy
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import axletree as at
from axletree.plot.figure_files import write_figure
from axletree.plot.style import INK, in_style, label_axes, new_figure

HERE = Path(__file__).parent
BENCHMARK = HERE.parent.parent / "benchmarks" / "bench_optimise.py"
NAME = "million-cars.png"
CARS, POPULATION = 1_000_000, 4000
WORDS = (  # of the goals of the benchmark
    "vertical acceleration, RMS [m/s²]",
    "roll over lateral acceleration [rad/(m/s²)]",
    "peak over final yaw rate [-]",
)


def make_pictures(
    folder: Path, cars: int = CARS, population: int = POPULATION, search: str = ""
) -> list[Path]:
    """The picture, written into the folder; ``search`` is where a search was kept."""
    found = runpy.run_path(str(BENCHMARK))["bench_optimise"](cars, population, search)
    print(found.table().text())
    return [write_figure(draw(found), folder / NAME)]


@in_style
def draw(found: at.Optimum) -> Figure:
    """Each pair of goals: how many cars, their edge, the compromise, the model as it is."""
    title = f"{len(found):_} sedans".replace("_", " ") + ": springs, dampers and anti-roll bars"
    figure, panels = new_figure(1, 3, title, (11.5, 4.4))
    columns = [found[goal.text] for goal in found.goals]
    nominal = [found.nominal[goal.text] for goal in found.goals]
    for panel, (k, j) in zip(panels, combinations(range(len(columns)), 2), strict=True):
        x, y = columns[k][found.allowed], columns[j][found.allowed]
        cells = panel.hexbin(x, y, gridsize=60, bins="log", mincnt=1, cmap="Blues")
        order = np.lexsort((y, x))
        least = np.minimum.accumulate(y[order])
        edge = order[np.append(True, least[1:] < least[:-1])]
        panel.plot(x[edge], y[edge], color="#d55e00", drawstyle="steps-post",
                   label="none is better in both")  # fmt: skip
        best = found.best_car
        panel.plot(columns[k][best], columns[j][best], "*", color=INK, markersize=11,
                   label="compromise")  # fmt: skip
        panel.plot(nominal[k], nominal[j], "X", color=INK, markersize=8, label="model as it is")
        label_axes(panel, "", WORDS[k], WORDS[j])
        panel.locator_params(axis="x", nbins=5)
    panels[0].legend(loc="upper right")
    figure.colorbar(cells, ax=panels, pad=0.01, aspect=40, label="cars in a cell [-]")
    return figure


if __name__ == "__main__":
    given = sys.argv[1] if len(sys.argv) > 1 else ""
    for path in make_pictures(HERE.parent / "pictures", search=given):
        print(path)
