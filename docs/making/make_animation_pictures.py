"""Photographs the page on animations: ``python docs/making/make_animation_pictures.py [folder]``.

Needs Chromium, which opens the pages that are made here and takes their pictures.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import axletree as at
from axletree.analysis.drive import drive_start
from axletree.report.run_facts import RunFacts

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = (
    "--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--hide-scrollbars", "--window-size=1040,660", "--virtual-time-budget=3000",
)  # fmt: skip
# A model, a manoeuvre or its own run, and where its page begins.
PAGES = {
    "animation-sedan": ("sedan", "step-steer", "t=2.5&theme=light"),
    "animation-rover": ("rover", None, "t=40&theme=dark"),
    "animation-motorcycle-jump": ("motorcycle-jump", None, "t=11.05&theme=light"),
}


def make_pictures(folder: Path) -> list[Path]:
    """All pictures, written into the folder."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        raise SystemExit("no Chromium on the PATH; the pictures stay as they are")
    with tempfile.TemporaryDirectory() as pages:
        return [
            _photograph(browser, _page(Path(pages) / f"{name}.html", *given[:2]), given[2], folder)
            for name, given in PAGES.items()
        ]


def _page(path: Path, name: str, manoeuvre: str | None) -> Path:
    model = at.read_model(name)
    system, own = model.formulate(), model.run
    settings = {"step": own.step, "method": own.method or "rk4"}
    if manoeuvre is None:
        assert own.duration is not None
        facts, title = RunFacts(own.inputs), model.name.replace("_", " ")
        run = system.simulate(
            own.duration, inputs=own.inputs, record_interval=own.record_interval, **settings
        )
    else:
        driven, title = model.manoeuvres[manoeuvre], f"{model.name}: {manoeuvre}"
        start = drive_start(system, driven, {})
        facts = RunFacts(start.inputs, start.parameters)
        run = system.drive(driven, record_interval=own.record_interval, **settings)
    return at.animation(model, run, system=system, facts=facts, title=title).save(path)


def _photograph(browser: str, page: Path, beginning: str, folder: Path) -> Path:
    picture = folder / f"{page.stem}.png"
    address = f"{page.resolve().as_uri()}#{beginning}"
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            [browser, *OPTIONS, f"--user-data-dir={profile}", f"--screenshot={picture}", address],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
    return picture


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for made in make_pictures(target):
        print(made)
