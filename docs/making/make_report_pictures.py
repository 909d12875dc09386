"""Draws the pictures of results: ``python docs/making/make_report_pictures.py [folder]``.

Needs Chromium, which opens the report that is made here and takes its picture.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from page_photograph import browser, photograph

import axletree as at
from axletree.model.manoeuvre import Manoeuvre
from axletree.plot.figure_files import write_figure
from axletree.plot.model_plots import diagram_panels
from axletree.plot.panels import draw_panels
from axletree.reports.run_report import write_report

SIZE = (1100, 1290)  # pixels
CAR, STEP = "sedan", "iso-7401-step"


def make_pictures(folder: Path) -> list[Path]:
    """All pictures, written into the folder."""
    browser()  # before anything takes its time
    model = at.read_model(CAR)
    system, step = model.formulate(), model.manoeuvres[STEP]
    run = system.drive(step, method="subdivided-rk45", record_interval="10 ms")
    with tempfile.TemporaryDirectory() as place:
        title = f"{CAR}: {STEP}"
        page = write_report(system, model, run, place, title=title, manoeuvre=step)
        return pictures_of(page, step, run, folder)


def pictures_of(page: Path, step: Manoeuvre, run: at.Trajectory, folder: Path) -> list[Path]:
    """Of a report and the manoeuvre that it tells of."""
    marked = draw_panels(diagram_panels(step.diagrams(run)))
    return [
        photograph(page, folder / "report.png", SIZE),
        write_figure(marked, folder / "metrics-on-curves.png"),
    ]


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for made in make_pictures(target):
        print(made)
