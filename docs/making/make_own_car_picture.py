"""Draws the picture of the page on one's own car."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = Path(__file__).parent.parent / "tutorials" / "own-car.md"
DRIVE = ("run", "car.yaml", "iso-7401-step", "--speed", "80km/h", "--out", "results")
NAME = "own-car.png"


def described() -> str:
    """The file that the page shows."""
    found = re.search(r"^```yaml\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert found is not None
    return found[1]


def make_pictures(folder: Path) -> list[Path]:
    """All pictures, written into the folder."""
    with tempfile.TemporaryDirectory() as place:
        Path(place, "car.yaml").write_text(described(), encoding="utf-8")
        subprocess.run(
            [sys.executable, "-m", "axletree", *DRIVE, "--pictures"], cwd=place, check=True
        )
        return [Path(shutil.copy(Path(place, "results", "plots.png"), folder / NAME))]


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for path in make_pictures(target):
        print(path)
