"""Work in the background: commands of ``axletree`` in processes of their own.

A run, a comparison and a sweep are what the command line does, and leave what it leaves; a page
shows the command. They begin one after the other, tell how far they are, and can be stopped.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from axletree.core.files import read_json, write_text
from axletree.core.progress import PROGRESS_FILE
from axletree.core.units import parse_unit
from axletree.studio.project import RESULTS_FOLDER, StudioError

FOLDER: Final = f"{RESULTS_FOLDER}/studio"  # of results, in the project's folder
_REPORT: Final = "report.html"
_AT_ONCE: Final = max(1, (os.cpu_count() or 2) // 2)
_MOST_JOBS: Final = 500
_MOST_WAITING: Final = 40
_ENDING: Final = 5.0  # s, until a process that does not end is killed
_NOTE: Final = "job.json"  # in the folder of a job that is over
_ABOUT: Final = ("label", "file", "revision", "manoeuvre", "values", "unit", "in_si")  # of pages
_LONGEST_LOG: Final = 4000  # characters that are shown
_OWN: Final = "axletree: "  # what a command says of an error begins with


class JobState(Enum):
    """How far a job is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_over(self) -> bool:
        return self not in (JobState.WAITING, JobState.RUNNING)


@dataclass
class Job:
    """A command, where it runs, and what it has come to."""

    number: int
    kind: str
    title: str
    command: tuple[str, ...]  # after ``axletree``
    folder: Path  # of its results
    state: JobState = JobState.WAITING
    about: Mapping[str, Any] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None
    _shown: dict[str, Any] | None = None  # of a job whose process is gone

    @property
    def results(self) -> Path:
        return self.folder / "results"

    @property
    def _log(self) -> Path:
        return self.folder / "log.txt"

    def as_json(self) -> dict[str, Any]:
        """What a page shows of it."""
        if self._shown is not None:
            return self._shown
        is_gone = self.process is None or self.process.poll() is not None
        shown = {
            "number": self.number,
            "kind": self.kind,
            "title": self.title,
            "command": _typed(["axletree", *self.command]),
            "folder": f"{FOLDER}/{self.folder.name}",
            "state": self.state.value,
            "progress": _read(self.folder / "progress.json"),
            "report": (self.results / _REPORT).is_file() and self.state is JobState.DONE,
            "metrics": (_read(self.results / "metrics.json") or {}).get("metrics", {}),
            "points": self._points() if self.kind == "sweep" else [],
            "log": self._shown_log(),
            **self.about,
        }
        if self.state.is_over and is_gone:
            self._shown = shown
        return shown

    def _points(self) -> list[Any]:
        """Of a sweep, as far as it is."""
        found = (_read(file) for file in (self.results / "points").glob("*.json"))
        points = [
            {
                "values": {name: self._shown_value(v) for name, v in one["values"].items()},
                "failure": one["failure"],
                "findings": {row["name"]: row for row in one["findings"]},
            }
            for one in found if one
        ]  # fmt: skip
        return sorted(points, key=lambda point: [_order(v) for v in point["values"].values()])

    def _shown_value(self, value: Any) -> Any:
        """Of what a sweep varies, in the unit in which it was given."""
        unit = self.about.get("unit")
        if not (unit and self.about.get("in_si") and isinstance(value, int | float)):
            return value
        return float(Fraction(value) / parse_unit(unit).factor)

    def _shown_log(self) -> str:
        """Of a job that failed the message; of others what they said last."""
        try:
            text = self._log.read_text(encoding="utf-8", errors="replace")[-_LONGEST_LOG:]
        except OSError:
            return ""
        if self.state is JobState.FAILED and _OWN in text:
            return text[text.rindex(_OWN) + len(_OWN) :].strip()
        return text.strip()

    def run(self, top: Path) -> None:
        """In the project's folder, to its end."""
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "axletree", *self.command], cwd=top, stdout=log,
                stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True,
                env={**os.environ, PROGRESS_FILE: str((self.folder / "progress.json").resolve())},
            )  # fmt: skip
        if self.state is JobState.CANCELLED:  # between start and now
            self.stop()
        code = self.process.wait()
        if self.state is JobState.RUNNING:
            self.state = JobState.FAILED if code else JobState.DONE

    def note(self) -> None:
        """Leave what it was in its folder, for a later session."""
        known = {"kind": self.kind, "title": self.title, "state": self.state.value}
        whole = {**known, "command": list(self.command), "about": dict(self.about)}
        with suppress(OSError):
            write_text(self.folder / _NOTE, json.dumps(whole, indent=1) + "\n")

    def stop(self) -> None:
        """End it and the processes that it has started."""
        process, is_over = self.process, self.state.is_over
        if not is_over:
            self.state = JobState.CANCELLED
        if process is None or process.poll() is not None:
            return
        _signal(process, signal.SIGTERM)
        try:
            process.wait(_ENDING)
        except subprocess.TimeoutExpired:
            _signal(process, getattr(signal, "SIGKILL", signal.SIGTERM))


def earlier_job(folder: Path) -> Job | None:
    """What ``Job.note`` left in a folder; None where that is something else."""
    number, noted = folder.name.partition("-")[0], _read(folder / _NOTE) or {}
    kind, title, command = noted.get("kind"), noted.get("title"), noted.get("command")
    about = noted.get("about")
    state = next((one for one in JobState if one.value == noted.get("state")), JobState.WAITING)
    if not (number.isdecimal() and state.is_over and isinstance(about, dict)):
        return None
    if not (isinstance(kind, str) and isinstance(title, str) and isinstance(command, list)):
        return None
    said = {key: about[key] for key in _ABOUT if isinstance(about.get(key, []), str | int | None)}
    words = tuple(map(str, command))
    return Job(int(number), kind, title, words, folder, state, {"label": title, **said})


def _signal(process: subprocess.Popen[bytes], which: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.terminate()
        else:
            os.killpg(process.pid, which)


def _typed(command: Sequence[str]) -> str:
    """As one types it in a shell, whatever signs names of files have."""
    return subprocess.list2cmdline(command) if sys.platform == "win32" else shlex.join(command)


def _order(value: Any) -> tuple[int, Any]:
    return (0, value) if isinstance(value, int | float) else (1, str(value))


def _read(path: Path) -> dict[str, Any] | None:
    """A file of JSON, which may not be there yet."""
    try:
        found = read_json(path)
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


class Jobs:
    """All jobs of a project, the latest last."""

    def __init__(self, top: Path) -> None:
        self._top = top
        self._jobs = {job.number: job for job in _earlier(top)}
        self._lock = threading.Lock()
        self._slots = threading.Semaphore(_AT_ONCE)

    def add(
        self, kind: str, title: str, command: Sequence[str], about: Mapping[str, Any], folder: Path
    ) -> Job:
        """Begin a job, as soon as others let it; its folder is that of ``new_folder``."""
        with self._lock:
            if sum(not job.state.is_over for job in self._jobs.values()) >= _MOST_WAITING:
                shutil.rmtree(folder, ignore_errors=True)
                raise StudioError(f"{_MOST_WAITING} jobs are waiting; let some of them end")
            number = int(folder.name.partition("-")[0])
            job = Job(number, kind, title, tuple(command), folder, about=about)
            self._jobs[number] = job
            for old in [n for n, one in self._jobs.items() if one.state.is_over][:-_MOST_JOBS]:
                del self._jobs[old]  # from the list; its results stay
        threading.Thread(target=self._work, args=(job,), daemon=True).start()
        return job

    def new_folder(self, name: str) -> Path:
        """The next one by number."""
        kept = self._top / FOLDER
        with self._lock:
            kept.mkdir(parents=True, exist_ok=True)
            used = [
                int(n) for n in (p.name.partition("-")[0] for p in kept.iterdir()) if n.isdecimal()
            ]
            made = kept / f"{max(used, default=0) + 1:03d}-{name}"
            made.mkdir()
        return made

    def __getitem__(self, number: object) -> Job:
        with self._lock:
            job = self._jobs.get(number) if isinstance(number, int) else None
        if job is None:
            raise StudioError(f"there is no job {number!r}")
        return job

    def listed(self) -> list[dict[str, Any]]:
        with self._lock:
            jobs = list(self._jobs.values())
        return [job.as_json() for job in jobs]

    def close(self) -> None:
        """Stop whatever is not over."""
        with self._lock:
            jobs = list(self._jobs.values())
        for job in jobs:
            job.stop()

    def _work(self, job: Job) -> None:
        with self._slots:
            with self._lock:
                if job.state is not JobState.WAITING:
                    return
                job.state = JobState.RUNNING
            try:
                job.run(self._top)
                job.note()
            except OSError as error:
                job.state = JobState.FAILED
                with suppress(OSError):
                    (job.folder / "log.txt").write_text(f"{_OWN}{error}\n", encoding="utf-8")


def _earlier(top: Path) -> list[Job]:
    """Of sessions before this one, as far as their folders are there."""
    try:
        folders = sorted(path for path in (top / FOLDER).iterdir() if path.is_dir())
    except OSError:
        return []
    found = (earlier_job(folder) for folder in folders[-_MOST_JOBS:])
    return [job for job in found if job is not None]
