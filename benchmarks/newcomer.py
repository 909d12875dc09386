"""The way of a newcomer from a clean clone, with times: ``python benchmarks/newcomer.py``.

A clone and a virtual environment are made in a folder that is removed, Axletree is installed, and
the commands of docs/tutorials/own-car.md are run as they stand there, code compiled anew.
The exit code is 1
where one fails, or where the first result takes longer than it should.
"""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
LONGEST = 30.0  # s from the installation to the first result


def timed(words: str, command: list[str], folder: Path, environment: dict[str, str]) -> float:
    begin, before = time.perf_counter(), sum(os.times()[2:4])
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    taken, busy = time.perf_counter() - begin, sum(os.times()[2:4]) - before
    print(f"{taken:7.1f} s, {busy:5.1f} s of the processor  {words}", flush=True)
    if done.returncode:
        sys.exit(f"failed: {done.stdout}{done.stderr}")
    return taken


def walk(place: Path) -> float:
    """Take the whole way in a folder; seconds from the installation to the first result."""
    environment = {**os.environ, "AXLETREE_CACHE": str(place / "cache"), "MPLBACKEND": "agg"}
    environment.pop("PYTHONPATH", None)
    clone, home = place / "axletree", place / "cars"
    timed("git clone", ["git", "clone", "-q", str(ROOT), str(clone)], place, environment)
    timed("venv", [sys.executable, "-m", "venv", str(place / "venv")], place, environment)
    pip = [str(place / "venv" / "bin" / "pip"), "install", "--quiet", "."]
    timed("pip install .", pip, clone, environment)
    home.mkdir()
    maker = runpy.run_path(str(clone / "docs" / "making" / "make_own_car_picture.py"))
    (home / "car.yaml").write_text(maker["described"](), encoding="utf-8")
    page = (clone / "docs" / "tutorials" / "own-car.md").read_text(encoding="utf-8")
    program, first = str(place / "venv" / "bin" / "axletree"), None
    spent = 0.0
    for line in re.findall(r"^axletree (\S.*)$", page, re.M):
        spent += timed(f"axletree {line}", [program, *line.split()], home, environment)
        if first is None and line.startswith("run"):
            first = spent
    assert first is not None
    return first


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        seconds = walk(Path(folder))
    print(f"first result {seconds:.1f} s after the installation; at most {LONGEST:g} s")
    sys.exit(seconds > LONGEST)
