"""The way of a newcomer from a clean clone, with times: ``python benchmarks/newcomer.py``.

A clone and a virtual environment are made in a folder that is removed, Axletree is installed, and
the commands of docs/tutorials/own-car.md are run as they stand there, code compiled anew.
Then a drive of the sedan is
taken cold, with nothing compiled, and warm, with its report and without, and the least processor
times of some drives are printed as rows for the README. The exit code is 1 where a command
fails, or where something takes longer than it should.

``python benchmarks/newcomer.py --drives`` takes the drives alone, by the Axletree that is
installed beside this Python.
"""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
LONGEST = 30.0  # s from the installation to the first result
DRIVE = ("run", "sedan", "iso-7401-step")
# Drives by what is compiled and written, each with the most that it may take [s of the processor].
DRIVES = {
    "warm, without its report": (("--no-report",), 0.8),
    "warm, with its report": ((), 1.5),
    "cold, with its report": ((), 8.0),
}
REPEATED = 5  # times; other programs on the machine make a drive longer, never shorter


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


def busy(program: list[str], options: Sequence[str], folder: Path, cache: Path) -> float:
    """Seconds of the processor of a drive, those of the compiler among them."""
    # As after an installation: what Python compiles of a module it keeps.
    left_out = ("PYTHONDONTWRITEBYTECODE", "AXLETREE_CACHE")
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    environment = {**kept, "AXLETREE_CACHE": str(cache), "PYTHONPYCACHEPREFIX": str(folder / "pyc")}
    before = sum(os.times()[2:4])
    command = [*program, *DRIVE, *options]
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    return sum(os.times()[2:4]) - before


def drives(program: list[str], folder: Path) -> bool:
    """Print rows of the README's table; whether all drives are as quick as they should be."""
    busy(program, (), folder, folder / "first")  # Python compiles its modules, once
    found = {}
    for name, (options, _) in DRIVES.items():
        cold = name.startswith("cold")
        busy(program, options, folder, folder / "warm")
        caches = [folder / (f"cold-{k}" if cold else "warm") for k in range(REPEATED)]
        found[name] = min(busy(program, options, folder, cache) for cache in caches)
    print("\n| a drive of the sedan, `iso-7401-step` | s of the processor | at most |")
    print("|---|---|---|")
    for name, taken in found.items():
        print(f"| {name} | {taken:.2f} | {DRIVES[name][1]:g} |")
    return all(taken <= DRIVES[name][1] for name, taken in found.items())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        if "--drives" in sys.argv[1:]:
            sys.exit(not drives([sys.executable, "-m", "axletree"], place))
        seconds = walk(place)
        print(f"first result {seconds:.1f} s after the installation; at most {LONGEST:g} s")
        quick = drives([str(place / "venv" / "bin" / "axletree")], place)
    sys.exit(seconds > LONGEST or not quick)
