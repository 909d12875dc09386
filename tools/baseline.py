"""The baseline: what every shipped model gives, recorded, so that a rebuild can be held to it.

    python tools/baseline.py record [MODEL ...] [--only PART]
    python tools/baseline.py compare [MODEL ...] [--only PART] [--exact | --tolerance 1e-9]

``record`` writes ``tools/baseline/MODEL.json`` for every model of the catalogue, and
``surface.json`` and ``schema.json`` for the package; ``compare`` measures anew and says what
differs, with exit code 1 if anything does. Parts of a model are

- operations: counts of the right-hand side by block, of constants and of the projection;
- exports: a digest of every file that is printed as C, MATLAB and Fortran;
- rates: the start, and derivatives of all states at seeded random states near it;
- runs: the model's own run and two manoeuvres: a digest and samples of every column, findings.

``--exact``, the default, asks for the same bits. With ``--tolerance`` counts of operations may
fall but not rise, rates agree to 1e-13 of the largest one at the same state, the start, columns
(of their largest value) and findings (of their value, or of 1) agree to the tolerance, and
printed text, which ``record --only exports`` records anew, is not compared beyond the names of
its files. Names of ``at.*``, of the command line, of the catalogue and of the schema are
compared as they are in both.

What differs on purpose is listed in ``tools/baseline/on-purpose.txt``, a line for each:
``PATTERN  # reason``, where the pattern is one of a shell and is held against
``MODEL/PART/...`` as differences are printed; a star stands for slashes, too. A bracket in a
name is written as a question mark.

Bits are those of one machine and compiler: ``surface.json`` says which, and ``compare`` says so
where they are others. Every model is measured in a process of its own. Compiled code is kept
between calls ($AXLETREE_CACHE, or a folder for temporary files), by the text that it is made of.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import inspect
import json
import os
import platform
import random
import re
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from fnmatch import fnmatchcase
from functools import partial
from importlib import import_module
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import typer
from typer.testing import CliRunner

import axletree as at
from axletree import catalogue

COMMAND_LINE = "axletree.cli.app:app"
COMPILER = "axletree.code.backends.c:find_compiler"

FOLDER = Path(__file__).parent / "baseline"
ON_PURPOSE = FOLDER / "on-purpose.txt"
SURFACE, SCHEMA = "surface", "schema"  # what is recorded beside the models
PARTS = ("operations", "exports", "rates", "runs")
PRINTED = ("c", "matlab", "fortran")  # of the exports
COUNTED = ("total", "constants", "projection")  # counts that may not rise
RATES_TOLERANCE = 1e-13
SAMPLES = 5  # instants of a run
STATES = 3  # at which rates are recorded
NEARNESS = 1e-3  # of random states, times 1 + |start|
# Of the states, given at random until constraints allow it; the others follow from them.
SHARES = (1.0, *3 * (0.5,), *3 * (0.25,), *3 * (0.12,), *6 * (0.01,))
LEVEL = 0.1  # of random inputs about their defaults, times 1 + |default|
OWN = "own"  # the name of a model's own run
FALLBACK_METHOD, FALLBACK_STEP = "rk4", 1e-3  # as `axletree run` has them
SET_VALUED = ("complementarity", "complementarity-sweeps")  # methods with a form of their own
# Manoeuvres that are recorded, two for each model that has them: the first of these.
PREFERRED = (
    "step-steer", "braking", "steer-pulse", "lean-pulse", "coasting", "sine-steer",
    "drawbar-pull", "side-force", "slope-stop", "slope-start",
)  # fmt: skip
# Runs of which the first part alone is recorded [s]: they take long, or rounding grows in them.
SHORTENED = {"double-pendulum": 5.0, "dropped-tyre": 10.0}
# The dearest first, so that no worker is left with them at the end.
DEAREST = ("off-road-truck", "rover", "car-on-soil", "soil-track", "tractor-semitrailer")
SHOWN = 12  # differences of one model that are printed

Record = dict[str, Any]


# --- what is measured -------------------------------------------------------------------------


def loaded(place: str) -> Any:
    """The object of ``"module:attribute"``."""
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)


def digest(content: bytes) -> str:
    """Enough of a hash to tell by."""
    return hashlib.sha256(content).hexdigest()[:16]


def tried(measure: Callable[[], Record]) -> Record:
    """What is measured, or the error that it ends with, which is as much a result."""
    try:
        return measure()
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def measured(model: str, parts: Sequence[str], recorded: Record) -> Record:
    """The parts of one model's record; rates are taken at recorded states, if there are some."""
    warnings.simplefilter("ignore")
    gc.set_threshold(100_000, 20, 20)  # expressions live long: no need to look for cycles often
    if model == SURFACE:
        return surface()
    if model == SCHEMA:
        return schema()
    described = at.read_model(model)
    system = described.formulate()
    ways: dict[str, Callable[[], Record]] = {
        "operations": lambda: operations(system),
        "exports": lambda: exports(system),
        "rates": lambda: rates(model, system, recorded.get("rates", {})),
        "runs": lambda: runs(model, described, system),
    }
    return {part: tried(ways[part]) for part in parts}


def operations(system: Any) -> Record:
    """Every count, by its name."""
    counts = system.operations
    told = {
        name: asdict(value) for name, value in vars(counts).items() if hasattr(value, "__dict__")
    }
    told["total"] = asdict(counts.total)
    calls = {f"{k} {one.name}": [one.calls, asdict(one.each)] for k, one in enumerate(counts.calls)}
    return {**told, "calls": calls, "assignments": counts.assignments}


def exports(system: Any) -> Record:
    """A digest of every printed file."""

    def printed(kind: str) -> Record:
        with tempfile.TemporaryDirectory() as folder:
            loaded(catalogue.EXPORTS[kind])(system, Path(folder))
            files = sorted(path for path in Path(folder).rglob("*") if path.is_file())
            return {path.relative_to(folder).as_posix(): text_digest(path) for path in files}

    return {kind: tried(partial(printed, kind)) for kind in PRINTED}


def text_digest(path: Path) -> str:
    """Of a file without the version of the package."""
    return digest(path.read_bytes().replace(at.__version__.encode(), b"VERSION"))


def rates(model: str, system: Any, recorded: Record) -> Record:
    """The start, random states near it with random inputs, and the rates there."""
    start = system.state()
    told: Record = {"names": list(start), "start": list(start.values())}
    for k in range(STATES):
        key = f"state {k}"
        if key in recorded:
            given = {name: recorded[key][name] for name in ("states", "inputs")}
            state = dict(zip(recorded["names"], given["states"], strict=True))
        else:
            state, inputs = near_start(random.Random(f"{model} {k}"), system, start)
            given = {"states": list(state.values()), "inputs": inputs}
        found = tried(partial(system.rhs, state, inputs=given["inputs"]))
        told[key] = {**given, **(found if "error" in found else {"rates": list(found.values())})}
    return told


def near_start(
    chance: random.Random, system: Any, start: dict[str, float]
) -> tuple[dict[str, float], dict[str, float]]:
    """Random states and inputs; where constraints refuse them, few states and no inputs."""

    def shifted(value: float, by: float) -> float:
        return value + by * (1.0 + abs(value)) * chance.uniform(-1.0, 1.0)

    states = {name: shifted(value, NEARNESS) for name, value in start.items()}
    inputs = {q.name: shifted(q.default, LEVEL) for q in system.inputs}
    for share in SHARES:
        try:
            if share < 1.0:
                names = chance.sample(list(states), max(1, round(share * len(states))))
                states_there, inputs = system.state({name: states[name] for name in names}), {}
            else:
                states_there = states
            system.rhs(states_there, inputs=inputs)
            return states_there, inputs
        except at.AxletreeError:
            continue
    return start, {}


def runs(model: str, described: Any, system: Any) -> Record:
    """The model's own run and its manoeuvres, by name."""
    given = described.run
    settings = {
        "step": given.step or FALLBACK_STEP,
        "method": given.method or FALLBACK_METHOD,
        "record_interval": given.record_interval,
    }
    if settings["method"] in SET_VALUED:
        system = described.formulate(form="set-valued")

    def own() -> Record:
        span = min(given.duration, SHORTENED.get(model, given.duration))
        run = system.simulate(span, inputs=given.inputs, outputs=given.outputs, **settings)
        return {"span": [span, "of", given.duration], **trajectory(run)}

    def driven(name: str) -> Record:
        manoeuvre = described.manoeuvres[name]
        run = system.drive(manoeuvre, outputs=given.outputs or (), **settings)
        findings = {f.name: [f.value, f.unit, f.description] for f in manoeuvre.findings(run)}
        return {"findings": findings, **trajectory(run)}

    told = {OWN: tried(own)}
    for name in chosen_manoeuvres(described):
        told[name] = tried(partial(driven, name))
    return told


def chosen_manoeuvres(described: Any) -> list[str]:
    """Two that need no other road than the model has, or as many as there are."""
    known = [name for name, one in described.manoeuvres.items() if not one.changes]
    return [*(n for n in PREFERRED if n in known), *(n for n in known if n not in PREFERRED)][:2]


def trajectory(run: Any) -> Record:
    """Of every column a digest of all its bits, its largest size, and its values at instants."""
    instants = np.linspace(0, len(run) - 1, SAMPLES).round().astype(int)

    def told(values: Any) -> list[str | float]:
        column = np.ascontiguousarray(values, dtype="<f8")
        size = float(np.max(np.abs(column)))
        return [digest(column.tobytes()), size, *column[instants].tolist()]

    columns = {f"{name} [{run.units[name]}]": told(run[name]) for name in run.names}
    return {
        "records": len(run), "method": run.method, "complete": run.complete, "note": run.note,
        "steps": run.steps, "time": told(run.time), "columns": columns,
    }  # fmt: skip


# --- what the package is called by ------------------------------------------------------------


def surface() -> Record:
    """Names and signatures of ``at.*``, of the command line and of the catalogue."""
    model = at.read_model("pendulum")
    system = model.formulate()
    run = system.simulate(0.01, step=1e-3)
    methods = {
        f"{title}.{name}": signature(getattr(type(one), name))
        for title, one in (("Model", model), ("System", system), ("Trajectory", run))
        for name in dir(type(one))
        if not name.startswith("_")
    }
    sections = {title: list(getattr(catalogue, title)) for title in catalogue.SECTIONS}
    command = typer.main.get_command(loaded(COMMAND_LINE))
    return {
        "machine": machine(),
        "names": {name: signature(getattr(at, name)) for name in sorted(at.__all__)},
        "methods": methods,
        "catalogue": sections,
        "command line": dict(commands("axletree", command)),
    }


def signature(one: Any) -> str:
    """How it is called, without the places of modules and objects."""
    if isinstance(one, staticmethod | classmethod):
        one = one.__func__
    if not callable(one):
        return type(one).__name__
    try:
        text = str(inspect.signature(one))
    except (TypeError, ValueError):
        text = "(?)"
    return plain(f"{'class' if inspect.isclass(one) else 'function'}{text}")


def plain(text: str) -> str:
    """Without modules of the package, and without addresses."""
    return re.sub(r" at 0x[0-9a-f]+", "", re.sub(r"\b_?axletree(\.\w+)*\.(?=\w)", "", text))


def commands(path: str, command: Any) -> Iterator[tuple[str, list[str]]]:
    """Every command with its parameters, and those below it."""
    yield path, [parameter(one) for one in command.params]
    for name in sorted(getattr(command, "commands", ())):
        yield from commands(f"{path} {name}", command.get_command(None, name))


def parameter(one: Any) -> str:
    """Names, type and default of a parameter of a command."""
    told = getattr(one, "type_descriptor", None)  # of new versions of Typer
    kind = one.type.name if told is None else getattr(told, "annotation", told)
    words = ["/".join([*one.opts, *one.secondary_opts])]
    words.append(kind.__name__ if inspect.isclass(kind) and str(kind)[-1] != "]" else str(kind))
    words += [word for word in ("required", "multiple", "is_flag") if getattr(one, word, False)]
    return plain(f"{' '.join(words)}, metavar {one.metavar!r}, default {one.default!r}")


def schema() -> Record:
    """The JSON schema of model files, as the command prints it."""
    result = CliRunner().invoke(loaded(COMMAND_LINE), ["schema"])
    told: Record = json.loads(result.stdout)
    return {"digest": digest(result.stdout.encode()), "schema": told}


def machine() -> dict[str, str]:
    """What bits depend on beside the package."""
    compiler = loaded(COMPILER)()
    return {
        "compiler": "none" if compiler is None else compiler.version,
        "flags": "" if compiler is None else " ".join(compiler.flags),
        "processor": "" if compiler is None else digest(str(compiler.processor).encode()),
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "scipy", "sympy", "typer")},
    }


# --- comparison -------------------------------------------------------------------------------


def leaves(tree: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """What is recorded, each with its path; an empty mapping is a leaf, too."""
    if not isinstance(tree, Mapping) or not tree:
        yield path, tree
        return
    for key, value in tree.items():
        yield from leaves(value, (*path, key))


def agree(path: tuple[str, ...], old: Any, new: Any, tolerance: float | None) -> bool:
    """Whether two leaves of the same path are the same, or as good as that."""
    if repr(old) == repr(new) or path[0] == "machine":
        return True
    if tolerance is None or path[0] not in PARTS or type(old) is not type(new):
        return False
    if path[0] == "operations":
        return path[1] not in (*COUNTED, "error") or bool(new <= old)
    if path[0] == "exports":
        return "error" not in path
    if path[0] == "rates" and path[-1] in ("rates", "start"):
        largest = max(map(abs, old), default=0.0)
        allowed = RATES_TOLERANCE if path[-1] == "rates" else tolerance
        return near(old, new, allowed * largest)
    if path[0] != "runs" or len(path) < 3:
        return False
    if path[2] in ("columns", "time"):
        return near(old[1:], new[1:], tolerance * old[1])
    if path[2] == "findings" and old:
        return bool(
            near(old[:1], new[:1], tolerance * max(abs(old[0]), 1.0)) and old[1:] == new[1:]
        )
    return path[2] in ("steps", "note")


def near(old: Sequence[float], new: Sequence[float], allowed: float) -> bool:
    """Whether numbers are no further apart than allowed; what is not a number stays so."""
    return len(old) == len(new) and all(
        repr(a) == repr(b) or abs(a - b) <= allowed for a, b in zip(old, new, strict=True)
    )


def differences(old: Record, new: Record, tolerance: float | None) -> dict[tuple[str, ...], str]:
    """What differs, in words, by its path."""
    before, after = (
        {p: v for p, v in leaves(r) if tolerance is None or p[:2] != ("operations", "calls")}
        for r in (old, new)
    )
    found = {path: f"is gone: {short(before[path])}" for path in before if path not in after}
    found |= {path: f"is new: {short(after[path])}" for path in after if path not in before}
    for path in before:
        if path in after and not agree(path, before[path], after[path], tolerance):
            found[path] = f"{short(before[path])} -> {short(after[path])}"
    if tolerance is None and not found and list(before) != list(after):
        found[("order",)] = "the same, in another order"
    return found


def short(value: Any) -> str:
    """A value on a line."""
    text = repr(value)
    return text if len(text) <= 90 else f"{text[:87]}..."


def on_purpose() -> dict[str, str]:
    """Reasons by pattern."""
    if not ON_PURPOSE.is_file():
        return {}
    lines = (line.partition("#") for line in ON_PURPOSE.read_text("utf-8").splitlines())
    return {head.strip(): reason.strip() for head, _, reason in lines if head.strip()}


# --- the program ------------------------------------------------------------------------------


def written(value: Any, depth: int = 0) -> str:
    """JSON with a line for each leaf, so that differences of files can be read."""
    if not isinstance(value, dict) or not value:
        return json.dumps(value, ensure_ascii=False)
    pad = " " * (depth + 1)
    rows = (f"{pad}{json.dumps(key)}: {written(one, depth + 1)}" for key, one in value.items())
    return "{\n" + ",\n".join(rows) + "\n" + " " * depth + "}"


def read_record(model: str) -> Record:
    """What is recorded of a model, or nothing."""
    path = FOLDER / f"{model}.json"
    found: Record = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return found


def all_measured(
    models: Sequence[str], parts: Sequence[str], old: Mapping[str, Record], workers: int
) -> Iterator[tuple[str, Record, float]]:
    """Every model as it is done, with the seconds since the start."""
    begin = time.monotonic()
    ordered = sorted(models, key=lambda m: DEAREST.index(m) if m in DEAREST else len(DEAREST))
    with ProcessPoolExecutor(workers, get_context("spawn"), max_tasks_per_child=1) as pool:
        jobs = {pool.submit(measured, model, parts, old[model]): model for model in ordered}
        for job in as_completed(jobs):
            try:
                found = job.result()
            except Exception as error:  # of a model that cannot be read at all
                found = {"error": f"{type(error).__name__}: {error}"}
            yield jobs[job], found, time.monotonic() - begin


def record(models: Sequence[str], parts: Sequence[str], workers: int) -> int:
    """Write records; parts that were not asked for stay as they are."""
    FOLDER.mkdir(exist_ok=True)
    old = {model: read_record(model) for model in models}
    for model, found, seconds in all_measured(models, parts, dict.fromkeys(models, {}), workers):
        if model not in (SURFACE, SCHEMA):
            merged = {**old[model], **found}
            found = {part: merged[part] for part in (*PARTS, "error") if part in merged}
        (FOLDER / f"{model}.json").write_text(f"{written(found)}\n", "utf-8")
        errors = ["/".join(path[:-1]) for path, _ in leaves(found) if path and path[-1] == "error"]
        told = f"  errors recorded: {', '.join(errors)}" if errors else ""
        print(f"{seconds:6.0f} s  {model:<28} recorded{told}", flush=True)
    return 0


def compare(
    models: Sequence[str], parts: Sequence[str], workers: int, tolerance: float | None
) -> int:
    """Measure anew, tell what differs, and return the exit code."""
    listed, used, bad = on_purpose(), set[str](), dict[str, list[str]]()
    old = {model: read_record(model) for model in models}
    for model, new, seconds in all_measured(models, parts, old, workers):
        is_model = model not in (SURFACE, SCHEMA)
        before = {p: v for p, v in old[model].items() if not is_model or p in (*parts, "error")}
        if not is_model and before.get("machine") != new.get("machine"):
            print(f"other bits may be due to another machine: {new.get('machine')}")
        wrong, meant = list[str](), 0
        for path, words in differences(before, new, tolerance).items():
            place = "/".join((model, *path))
            pattern = next((one for one in listed if fnmatchcase(place, one)), None)
            if pattern is None:
                wrong.append(f"{place}: {words}")
            else:
                used.add(pattern)
                meant += 1
        told = f"{len(wrong)} differ" if wrong else "same"
        told += f", {meant} on purpose" if meant else ""
        told = told if before else "not recorded"
        count = sum(1 for _ in leaves(new))
        print(f"{seconds:6.0f} s  {model:<28} {count:5d} quantities  {told}", flush=True)
        if wrong:
            bad[model] = wrong
    for model, wrong in bad.items():
        print("", *wrong[:SHOWN], sep="\n")
        if len(wrong) > SHOWN:
            print(f"... and {len(wrong) - SHOWN} more of {model}")
    for pattern in sorted(set(listed) - used):
        print(f"listed as on purpose, but nothing here differs there: {pattern}")
    how = "bit for bit" if tolerance is None else f"to {tolerance:g}"
    print(f"\n{len(models) - len(bad)} of {len(models)} agree {how}", end="")
    print(f"; these do not: {', '.join(sorted(bad))}" if bad else "")
    return 1 if bad else 0


def main() -> int:
    """Read the command line."""
    known = [*catalogue.MODELS, SURFACE, SCHEMA]
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("command", choices=("record", "compare"))
    parser.add_argument("models", nargs="*", metavar="MODEL", help=f"also {SURFACE}, {SCHEMA}")
    parser.add_argument("--only", action="append", choices=PARTS, help="a part; repeatable")
    parser.add_argument("--workers", type=int, default=2)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--exact", action="store_true", help="bit for bit, the default")
    how.add_argument("--tolerance", type=float, default=None)
    given = parser.parse_intermixed_args()
    unknown = [model for model in given.models if model not in known]
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}; known: {', '.join(known)}")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    cache = Path(tempfile.gettempdir()) / "axletree-baseline"
    os.environ.setdefault("AXLETREE_CACHE", str(cache))
    recorded = (
        {path.stem for path in FOLDER.glob("*.json")} if given.command == "compare" else set()
    )
    # What is recorded and no longer shipped is compared, too: it is an error, and says so.
    models = given.models or [*known, *sorted(recorded - set(known))]
    parts = [part for part in PARTS if part in (given.only or PARTS)]
    if given.command == "record":
        return record(models, parts, given.workers)
    return compare(models, parts, given.workers, given.tolerance)


if __name__ == "__main__":
    sys.exit(main())
