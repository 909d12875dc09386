"""Draws the pictures of results: ``python docs/making/make_report_pictures.py [folder]``.

Needs Chromium, which opens the report that is made here and takes its picture.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import axletree as at
from axletree.report.diagram_panels import diagram_panels
from axletree.report.html import write_report
from axletree.report.picture_file import write_figure
from axletree.simulation.panel_plot import draw_panels

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = (
    "--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--hide-scrollbars", "--window-size=1100,1290", "--virtual-time-budget=5000",
)  # fmt: skip
CAR, STEP = "sedan", "iso-7401-step"


def make_pictures(folder: Path, fidelity: str = "full") -> list[Path]:
    """All pictures, written into the folder; those of a simpler model are quick."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        raise SystemExit("no Chromium on the PATH; the pictures stay as they are")
    model = at.read_model(CAR, {"vehicle": {"fidelity": fidelity}})
    system, step = model.formulate(), model.manoeuvres[STEP]
    run = system.drive(step, method="subdivided-rk45", record_interval="10 ms")
    marked = draw_panels(diagram_panels(step.diagrams(run)))
    with tempfile.TemporaryDirectory() as place:
        title = f"{CAR}: {STEP}"
        page = write_report(system, model, run, place, title=title, manoeuvre=step)
        taken = _photograph(browser, page, folder / "report.png")
    return [taken, write_figure(marked, folder / "metrics-on-curves.png")]


def _photograph(browser: str, page: Path, picture: Path) -> Path:
    with tempfile.TemporaryDirectory() as profile:
        given = [f"--user-data-dir={profile}", f"--screenshot={picture}", page.resolve().as_uri()]
        subprocess.run(
            [browser, *OPTIONS, *given], check=True, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
    return picture


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for made in make_pictures(target):
        print(made)
