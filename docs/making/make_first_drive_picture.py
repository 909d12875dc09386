"""Draws the picture of the page on a first drive."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = Path(__file__).parent.parent / "tutorials" / "first-drive.md"
NAME = "first-drive.png"


def described() -> str:
    """The file that the page shows."""
    found = re.search(r"^```yaml\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert found is not None
    return found[1]


def comparison() -> list[str]:
    """The command by which the page compares."""
    found = re.search(r"^axletree (compare .*)$", PAGE.read_text(encoding="utf-8"), re.M)
    assert found is not None
    return shlex.split(found[1])


def make_pictures(folder: Path) -> list[Path]:
    """All pictures, written into the folder."""
    with tempfile.TemporaryDirectory() as place:
        Path(place, "laden.yaml").write_text(described(), encoding="utf-8")
        subprocess.run([sys.executable, "-m", "axletree", *comparison(), "--pictures"],
                       cwd=place, check=True)  # fmt: skip
        made = Path(place, "out", "compare", "comparison.png")
        return [Path(shutil.copy(made, folder / NAME))]


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for path in make_pictures(target):
        print(path)
