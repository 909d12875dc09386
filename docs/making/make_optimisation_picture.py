"""Draws the picture of the page on optimisation: the springs, dampers and bars of the sedan.

The study is that of ``benchmarks/bench_optimise.py``; with a folder it goes on from there.

    python docs/making/make_optimisation_picture.py [folder of pictures [cars [folder]]]

A million cars, as on the page, take a quarter of an hour of the processor.
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import axletree as at
from axletree.plot.experiments import front_panels
from axletree.plot.figure_files import write_figure
from axletree.plot.panels import draw_panels

ROOT = Path(__file__).parent.parent.parent
CARS, POPULATION = 1_000_000, 4000


def study(cars: int, population: int, **settings: Any) -> at.Optimum:
    """So many cars of the benchmark's study."""
    given: Mapping[str, Any] = runpy.run_path(str(ROOT / "benchmarks" / "bench_optimise.py"))
    return at.optimise(
        "sedan", given["BOUNDS"], given["MANOEUVRES"], of=given["GOALS"], cars=cars,
        population=population, changes={"vehicle": {"fidelity": "14-dof"}},
        **{**given["RUNS"], **settings},
    )  # fmt: skip


def make_pictures(
    folder: Path, cars: int = CARS, population: int = POPULATION, **settings: Any
) -> list[Path]:
    """The picture, written into the folder; of fewer cars it is quick."""
    found = study(cars, population, **settings)
    print(found)
    return [write_figure(draw_panels(front_panels(found)), folder / "optimum-sedan.png")]


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "pictures"
    more = {"folder": sys.argv[3]} if len(sys.argv) > 3 else {}
    for path in make_pictures(target, int(sys.argv[2]) if len(sys.argv) > 2 else CARS, **more):
        print(path)
