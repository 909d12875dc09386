"""Photographs the page on animations: ``python docs/making/make_animation_pictures.py [folder]``.

Needs Chromium, which opens the pages that are made here and takes their pictures.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from page_photograph import browser, photograph

import axletree as at
from axletree.analysis.drive import drive_start
from axletree.simulation.recomputed_outputs import RunFacts
from axletree.simulation.simulate import form_for

SIZE = (1040, 660)  # pixels
# A model, a manoeuvre or its own run, and where its page begins.
PAGES = {
    "animation-sedan": ("sedan", "step-steer", "t=2.5&theme=light"),
    "animation-rover": ("rover", None, "t=40&theme=dark"),
    "animation-motorcycle-jump": ("motorcycle-jump", None, "t=11.05&theme=light"),
}


def make_pictures(folder: Path) -> list[Path]:
    """All pictures, written into the folder."""
    browser()  # before anything takes its time
    made = []
    with tempfile.TemporaryDirectory() as pages:
        for name, (model, manoeuvre, beginning) in PAGES.items():
            page = _page(Path(pages) / f"{name}.html", model, manoeuvre)
            made.append(photograph(page, folder / f"{name}.png", SIZE, beginning))
    return made


def _page(path: Path, name: str, manoeuvre: str | None) -> Path:
    model = at.read_model(name)
    own = model.run
    settings = {"step": own.step, "method": own.method or "rk4"}
    system = model.formulate(form=form_for(own.method or "rk4"))
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


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for made in make_pictures(target):
        print(made)
