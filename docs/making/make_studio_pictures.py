"""Photographs a studio: ``python docs/making/make_studio_pictures.py [folder]``.

Needs Chromium. The car is that of the tutorial "Tune a car by looking"; its runs are made here.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from page_photograph import browser, photograph

from axletree.studio.server import StudioServer
from axletree.studio.studio import Studio

SIZE = (1360, 820)  # pixels
CAR = "my-pushrod-formula-student.yaml"
BAR = ["vehicle", "axles", "rear", "suspension", "anti_roll_bar", "stiffness"]
ASKED = {"name": CAR, "manoeuvre": "iso-4138-ramp"}


def make_pictures(folder: Path) -> list[Path]:
    """All pictures, written into the folder."""
    browser()  # before anything takes its time
    with tempfile.TemporaryDirectory() as project, StudioServer(Path(project)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        studio, address = server.studio, server.access.address
        studio.create({"name": CAR, "base": "pushrod-formula-student"})
        studio.inspect({"name": CAR})
        made = [photograph(address, folder / "studio.png", SIZE, CAR)]
        _run_both(studio)
        made.append(photograph(address, folder / "studio-runs.png", SIZE, f"{CAR}&text&runs"))
        server.shutdown()
    return made


def _run_both(studio: Studio) -> None:
    """As it is, and with a stiffer bar at the rear; compared."""
    change = {"path": ["vehicle", "fidelity"], "value": "full"}
    _set(studio, change)
    first = studio.run({**ASKED, "label": "as built"})
    _set(studio, {"path": BAR, "value": "300 N*m/rad"})
    second = studio.run({**ASKED, "label": "stiff rear bar"})
    jobs = [first["number"], second["number"]]
    _wait(studio)
    studio.compare({"jobs": jobs})
    _wait(studio)


def _set(studio: Studio, change: dict[str, Any]) -> None:
    studio.set({**studio.open({"name": CAR}), "changes": [change]})


def _wait(studio: Studio) -> None:
    while any(job["state"] in ("waiting", "running") for job in studio.jobs.listed()):
        time.sleep(0.2)
    for job in studio.jobs.listed():
        assert job["state"] == "done", job["log"]


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for path in make_pictures(target):
        print(path)
