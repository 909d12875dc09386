"""What a studio can do, by the names that its page asks for: each takes JSON and gives JSON.

Texts are open here and not in windows: several windows see the same one. Whatever takes long is a
job, or is worked on in a process beside this one.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from axletree.analysis.studies.sweep_plan import read_swept_values
from axletree.core.registry import section
from axletree.core.yaml_document import resource, text_of
from axletree.model_files.schema import model_schema
from axletree.studio.document import Document
from axletree.studio.graph_view import graph_view
from axletree.studio.inspection import inspect_text
from axletree.studio.jobs import Jobs, JobState
from axletree.studio.mechanism_picture import mechanism_picture
from axletree.studio.project import Project, StudioError
from axletree.studio.worker import Worker
from axletree.studio.yaml_edits import with_value, without_key

StudioRequest = Mapping[str, Any]
_WORD: Final = re.compile(r"\w[\w .,:/*^%+()-]{0,199}")  # of an option; never an option
_PLACE: Final = re.compile(r"[A-Za-z][\w.-]{0,199}")
_NO_LABEL: Final = re.compile(r"^\W+|[^\w .,:/*^%+()-]+")  # of a name of a file
_MOST_OPEN: Final = 50
_MOST_CHANGES: Final = 200
_DEEPEST: Final = 12


@cache
def _known_schema() -> dict[str, Any]:
    return model_schema()


@dataclass(frozen=True)
class _Inspected:
    """What a text was found to describe, with the files beside it as they were then."""

    text: str
    found: dict[str, Any]
    changed: tuple[int | None, ...] = ()


def _changed(folder: Path, seen: _Inspected) -> tuple[int | None, ...]:
    """When the files that a text names were changed [ns]; of one with problems never the same, for
    a file that is not there may come."""
    if seen.found["problems"]:
        return (time.monotonic_ns(),)
    return tuple(_changed_at(folder / name) for name in seen.found["files"])


def _changed_at(path: Path) -> int | None:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return None


class Studio:
    """A project with its open texts and its jobs.

    Example:
    >>> from pathlib import Path
    >>> from axletree.studio.studio import Studio
    >>> studio = Studio(Path("."))
    >>> studio.create({"name": "car.yaml", "base": "sedan"})["revision"]
    1
    >>> heavier = {"path": ["vehicle", "body", "mass"], "value": "1.5 t"}
    >>> print(studio.set({"name": "car.yaml", "revision": 1, "changes": [heavier]})["text"])
    description: a sedan of one's own
    base: sedan
    vehicle:
      body:
        mass: 1.5 t
    <BLANKLINE>
    >>> studio.close()
    """

    def __init__(self, folder: Path) -> None:
        """``folder`` is that of the project, outside of which it touches no file."""
        self.project = Project(folder)
        self.jobs = Jobs(folder)
        self._documents: dict[str, Document] = {}
        self._lock = threading.RLock()
        self._looking = threading.Lock()
        self._worker = Worker()
        self._seen: dict[str, _Inspected] = {}  # by file

    def close(self) -> None:
        """End all processes."""
        self.jobs.close()
        self._worker.close()

    # -- what can be asked ---------------------------------------------------------------
    def state(self, _: StudioRequest) -> dict[str, Any]:
        """All that changes by itself or by other windows."""
        with self._lock:
            opened = {name: one.revision for name, one in self._documents.items()}
            unsaved = [name for name, one in self._documents.items() if not one.is_saved]
        return {
            "project": self.project.name,
            "files": self.project.files(),
            "open": opened,
            "unsaved": unsaved,
            "jobs": self.jobs.listed(),
        }

    def catalogue(self, _: StudioRequest) -> dict[str, Any]:
        """Models of the package."""
        return {"models": list(section("MODELS"))}

    def schema(self, _: StudioRequest) -> dict[str, Any]:
        """Of model files."""
        return _known_schema()

    def inspect(self, given: StudioRequest) -> dict[str, Any]:
        """What the text of a file describes, as it is now."""
        with self._looking:  # two windows ask for the same, which is found once
            with self._lock:
                one = self._document(given)
                text, revision = one.text, one.revision
                known = self._seen.get(one.name)
            beside = self.project.path(one.name).parent
            if known is None or known.text != text or known.changed != _changed(beside, known):
                found = self._worker.ask(inspect_text, text, one.name, str(self.project.folder))
                known = _Inspected(text, found)
                known = self._seen[one.name] = replace(known, changed=_changed(beside, known))
        return {"name": one.name, "revision": revision, **known.found}

    def graph(self, given: StudioRequest) -> dict[str, Any]:
        """The linear graph of the file's model, with its tree."""
        return self._seen_as(graph_view, given)

    def mechanism(self, given: StudioRequest) -> dict[str, Any]:
        """The picture of a model that is no vehicle by body and axles."""
        return self._seen_as(mechanism_picture, given)

    # -- files ---------------------------------------------------------------------------
    def open(self, given: StudioRequest) -> dict[str, Any]:
        """A file of the project; one that is open already is as all windows see it."""
        name = str(given.get("name", ""))
        with self._lock:
            if name not in self._documents:
                text = self.project.read(name)
                self._take(Document(name, text, text))
            return self._documents[name].as_json()

    def create(self, given: StudioRequest) -> dict[str, Any]:
        """A new text, based on a model of the package or a copy of it; no file is written yet."""
        name, base = str(given.get("name", "")), given.get("base")
        path = self.project.model_path(name)
        models = section("MODELS")
        if base not in models:
            raise StudioError(f"there is no model {base!r} in the catalogue")
        if given.get("copy"):
            text = text_of(resource(models[str(base)]), str(base))
        else:
            text = f"description: a {str(base).replace('-', ' ')} of one's own\nbase: {base}\n"
        with self._lock:
            if path.exists() or name in self._documents:
                raise StudioError(f"{name} is there already; open it, or choose another name")
            self._take(Document(name, text, None))
            return self._documents[name].as_json()

    def save(self, given: StudioRequest) -> dict[str, Any]:
        """Write the text into its file, unless that was changed by something else."""
        with self._lock:
            one = self._document(given)
            one.check(given.get("revision"))
            there = self.project.read_if_there(one.name)
            if there != one.saved and not given.get("overwrite"):
                raise StudioError(
                    f"{one.name} was changed on the disk by another program; reload it, or save "
                    "again to replace what is there"
                )
            self.project.write(one.name, one.text)
            one.saved = one.text
            return one.as_json()

    def reload(self, given: StudioRequest) -> dict[str, Any]:
        """The text as it is on the disk, which can be undone."""
        with self._lock:
            one = self._document(given)
            text = self.project.read(one.name)
            one.change(given.get("revision"), text)
            one.saved = text
            return one.as_json()

    # -- changes -------------------------------------------------------------------------
    def edit(self, given: StudioRequest) -> dict[str, Any]:
        """Another text."""
        text = given.get("text")
        if not isinstance(text, str):
            raise StudioError("expected a text")
        with self._lock:
            one = self._document(given)
            one.change(given.get("revision"), text)
            return one.as_json()

    def set(self, given: StudioRequest) -> dict[str, Any]:
        """Other values at places of the text, or none; what stands around them stays."""
        changes = given.get("changes")
        if not isinstance(changes, list) or not 0 < len(changes) <= _MOST_CHANGES:
            raise StudioError("expected a list of changes")
        with self._lock:
            one = self._document(given)
            one.check(given.get("revision"))
            text = one.text
            for change in changes:
                path = _path(change.get("path") if isinstance(change, dict) else None)
                if change.get("remove"):
                    text = without_key(text, path)
                else:
                    text = with_value(text, path, _checked_value(change.get("value")))
            one.change(one.revision, text)
            return one.as_json()

    def undo(self, given: StudioRequest) -> dict[str, Any]:
        with self._lock:
            one = self._document(given)
            one.undo(given.get("revision"))
            return one.as_json()

    def redo(self, given: StudioRequest) -> dict[str, Any]:
        with self._lock:
            one = self._document(given)
            one.redo(given.get("revision"))
            return one.as_json()

    # -- jobs ----------------------------------------------------------------------------
    def run(self, given: StudioRequest) -> dict[str, Any]:
        """Run the text as it is now, by a manoeuvre or as it proposes."""
        options = _options(given, ("speed", "duration", "fidelity"))
        return self._start(given, "run", ["run"], options, [])

    def sweep(self, given: StudioRequest) -> dict[str, Any]:
        """Run it over values of a number."""
        parameter, values = _place(given.get("parameter")), _word("values", given.get("values"))
        options = [f"--parameter={parameter}={values}", *_options(given, ("speed", "fidelity"))]
        if manoeuvre := given.get("manoeuvre"):
            options.append(f"--manoeuvre={_place(manoeuvre)}")
        unit = read_swept_values(parameter, values).unit
        about = {
            **given, "manoeuvre": None, "values": values, "unit": unit,
            "in_si": not self._is_place(given, parameter),
        }  # fmt: skip
        return self._start(about, "sweep", ["sweep"], options, [parameter])

    def _is_place(self, given: StudioRequest, name: str) -> bool:
        """Whether a name of a sweep is a place in the file, whose numbers stay in their unit."""
        seen = self.inspect(given)
        is_parameter = name in seen.get("parameters", ())
        return not is_parameter and name.partition(".")[0] in (seen["values"] or {})

    def live(self, given: StudioRequest) -> dict[str, Any]:
        """A page in which it is driven."""
        return self._start({**given, "manoeuvre": None}, "live", ["live"], [], [])

    def compare(self, given: StudioRequest) -> dict[str, Any]:
        """Lay runs over one another."""
        numbers = given.get("jobs")
        if not isinstance(numbers, list) or not 2 <= len(numbers) <= 8:
            raise StudioError("choose two to eight runs to compare")
        runs = [self.jobs[number] for number in numbers]
        for one in runs:
            if one.kind != "run" or one.state is not JobState.DONE:
                raise StudioError(f"{one.title} is no run that has come to its end")
        folder = self.jobs.new_folder("compare")
        subjects = [
            f"{one.about['label'].replace('=', ' ')}={self._relative(one.results)}" for one in runs
        ]
        command = ["compare", *subjects, f"--out={self._relative(folder / 'results')}"]
        title = " and ".join(one.about["label"] for one in runs)
        return self.jobs.add("compare", title, command, {"label": title}, folder).as_json()

    def cancel(self, given: StudioRequest) -> dict[str, Any]:
        job = self.jobs[given.get("job")]
        job.stop()
        return job.as_json()

    def result(self, number: str, name: str) -> Path:
        """A file that a job has left; nothing else."""
        job = self.jobs[int(number) if number.isdecimal() else None]
        found, own = (job.results / name).resolve(), job.folder.parent.resolve() / job.folder.name
        if not found.is_relative_to(own / job.results.name) or not found.is_file():
            raise StudioError(f"job {number} has no {name!r}")
        return found

    # -- within --------------------------------------------------------------------------
    def _seen_as(
        self, view: Callable[[str, str, str], dict[str, Any]], given: StudioRequest
    ) -> dict[str, Any]:
        """What a view makes of the text as it is now, in the process beside this one."""
        with self._lock:
            one = self._document(given)
            text, revision = one.text, one.revision
        found = self._worker.ask(view, text, one.name, str(self.project.folder))
        return {"revision": revision, **found}

    def _take(self, one: Document) -> None:
        if len(self._documents) >= _MOST_OPEN:
            saved = [name for name, other in self._documents.items() if other.is_saved]
            if not saved:
                raise StudioError(f"{_MOST_OPEN} files are open and not saved; save some of them")
            del self._documents[saved[0]]
        self._documents[one.name] = one

    def _document(self, given: StudioRequest) -> Document:
        name = given.get("name")
        if not isinstance(name, str) or name not in self._documents:
            raise StudioError(f"{name!r} is not open")
        return self._documents[name]

    def _start(
        self,
        given: StudioRequest,
        kind: str,
        command: list[str],
        options: list[str],
        words: list[str],
    ) -> dict[str, Any]:
        """A job on a copy of the text, with the files that it names beside it."""
        seen = self.inspect(given)
        if seen["problems"]:
            raise StudioError(f"{seen['name']} has problems; mend them first")
        with self._lock:
            text, revision = self._document(given).text, self._document(given).revision
        manoeuvre = given.get("manoeuvre") or None
        if manoeuvre is not None and manoeuvre not in seen["manoeuvres"]:
            raise StudioError(f"{seen['name']} has no manoeuvre {manoeuvre!r}")
        stem = Path(seen["name"]).stem
        own_label = " ".join(_NO_LABEL.sub(" ", f"{stem[:60]} {revision}").split())
        label = _word("label", given.get("label") or own_label)
        name = "-".join([stem, *([manoeuvre] if manoeuvre else []), *words])
        folder = self.jobs.new_folder(re.sub(r"[^\w.-]", "-", name)[:80])
        model = self._copied(seen, text, folder / "model")
        results = folder / "results"
        out = results / "report.html" if kind == "live" else results
        results.mkdir()
        given_words = [*command, self._relative(model), *([manoeuvre] if manoeuvre else [])]
        said = [*given_words, *options, f"--out={self._relative(out)}"]
        about = {"label": label, "file": seen["name"], "revision": revision, "manoeuvre": manoeuvre}
        if kind == "sweep":
            about |= {key: given[key] for key in ("values", "unit", "in_si")}
        title = ", ".join([label, *([manoeuvre] if manoeuvre else []), *words])
        return self.jobs.add(kind, title, said, about, folder).as_json()

    def _copied(self, seen: StudioRequest, text: str, folder: Path) -> Path:
        own = self.project.model_path(seen["name"])
        made = folder / own.name
        folder.mkdir()
        for name in seen["files"]:
            source, target = own.parent / name, folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
        made.write_text(text, encoding="utf-8", newline="")
        return made

    def _relative(self, path: Path) -> str:
        return path.relative_to(self.project.folder).as_posix()


def _options(given: StudioRequest, names: Sequence[str]) -> list[str]:
    words = {"fidelity": "model"}
    return [
        f"--{words.get(name, name)}={_word(name, given[name])}"
        for name in names if given.get(name) not in (None, "")
    ]  # fmt: skip


def _word(name: str, value: object) -> str:
    """A value of an option, as a person types it."""
    text = str(value).strip()
    if not isinstance(value, str | int | float) or not _WORD.fullmatch(text):
        raise StudioError(f"{name}: {text[:60]!r} cannot be taken; use letters, digits and units")
    return text


def _place(value: object) -> str:
    if not isinstance(value, str) or not _PLACE.fullmatch(value):
        raise StudioError(f"{str(value)[:60]!r} is no name of a number")
    return value


def _path(value: object) -> list[str | int]:
    if not isinstance(value, list) or not 0 < len(value) <= _DEEPEST:
        raise StudioError("expected the keys that lead to a value")
    if not all(isinstance(key, str | int) and not isinstance(key, bool) for key in value):
        raise StudioError("keys are words, or places in lists")
    return value


def _checked_value(value: Any, depth: int = 0) -> Any:
    if depth > _DEEPEST:
        raise StudioError("the value is nested too deep")
    if isinstance(value, dict):
        return {str(key): _checked_value(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_checked_value(inner, depth + 1) for inner in value]
    return value
