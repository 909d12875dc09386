"""What the watch on steps takes of whole calls: ``python benchmarks/step_watch_of_calls.py``.

Every shipped model is run as users run it, by the command with its report, with the steps that it
proposes: its own run, and its manoeuvres as docs/reference/step-watch.md has them. Of each call the
time of the processor is printed, what of it is integration, what the samples of the watch take and
what its further runs take; then how many calls spend less than 2 % on it. A model, or a model and
a manoeuvre as sedan/step-steer, may be named.

Calls without a compiled library are not counted: each is done twice.
"""

from __future__ import annotations

import json
import os
import runpy
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
SHARE = 0.02  # of the time of a call
LONGEST = 600.0  # s of a call
# The command, with clocks around the integration and the watch.
TIMED = """
import json, sys, time
from axletree.cli.app import app
from axletree.simulation import fixed_step, simulate, step_watch

spent = {"integration": 0.0, "samples": 0.0, "watch": 0.0}
inside = []


def clocked(key, function):
    def call(*arguments, **named):
        begin, before = time.process_time(), list(inside)
        inside.append(key)
        try:
            return function(*arguments, **named)
        finally:
            inside.pop()
            if key != "integration" or not before:
                spent[key] += time.process_time() - begin

    return call


simulate.watched_steps = clocked("watch", simulate.watched_steps)
step_watch.sampled_error = clocked("samples", step_watch.sampled_error)
fixed_step.FixedStep.integrate = clocked("integration", fixed_step.FixedStep.integrate)
try:
    app(sys.argv[2:], standalone_mode=False)
finally:
    with open(sys.argv[1], "w") as stream:
        json.dump(spent, stream)
"""


class Call(NamedTuple):
    """Times of the processor of one call [s]."""

    title: str
    all: float
    integration: float
    samples: float
    watch: float

    @property
    def share(self) -> float:
        return self.watch / (self.all - self.watch)

    def __str__(self) -> str:
        further = self.watch - self.samples
        parts = (self.all, self.integration, self.samples, further)
        times = ", ".join(f"{1e3 * part:.1f}" for part in parts)
        return f"{self.title}: {times} ms, {100.0 * self.share:.2f} % of the call"


def called(model: str, manoeuvre: str, folder: Path) -> Call:
    clocks = folder / "clocks.json"
    words = ["run", model, *([manoeuvre] if manoeuvre else []), "--out", str(folder / "run")]
    command = [sys.executable, "-c", TIMED, str(clocks), *words]
    before = sum(os.times()[2:4])
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, cwd=folder)
    busy = sum(os.times()[2:4]) - before
    if done.returncode:
        raise RuntimeError((done.stdout + done.stderr).strip().splitlines()[-1])
    spent = json.loads(clocks.read_text())
    title = f"{model}, {manoeuvre or 'its own run'}"
    return Call(title, busy, spent["integration"], spent["samples"], spent["watch"])


def cases(names: Sequence[str]) -> list[tuple[str, str]]:
    made = runpy.run_path(str(ROOT / "docs" / "making" / "make_step_watch.py"))
    from axletree.catalogue import MODELS

    found = []
    for name in sorted(MODELS):
        for run in made["chosen_runs"](name):
            title = "" if run.title == made["OWN"] else run.title
            if not names or name in names or f"{name}/{title}" in names:
                found.append((name, title))
    return found


def main(names: Sequence[str]) -> None:
    print("call: all, integration, samples, further runs")
    calls = []
    with tempfile.TemporaryDirectory() as folder:
        for name, title in cases(names):
            try:
                called(name, title, Path(folder))
                found = called(name, title, Path(folder))
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                print(f"{name}, {title or 'its own run'}: not done: {error}")
                continue
            calls.append(found)
            print(found, flush=True)
    shares = sorted(one.share for one in calls)
    below = sum(share < SHARE for share in shares)
    print(f"{below} of {len(calls)} calls below {100.0 * SHARE:g} %; ", end="")
    print(f"median {100.0 * statistics.median(shares):.2f} %, most {100.0 * shares[-1]:.1f} %")
    most = max(one.samples / (one.all - one.watch) for one in calls)
    print(f"samples alone: at most {100.0 * most:.2f} %")


if __name__ == "__main__":
    main(sys.argv[1:])
