"""The runs that ``axletree compare`` compares: read from folders, or made from models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from axletree.analysis.sweep.plan import RunSettings, manoeuvre_of, read_for
from axletree.analysis.sweep.point import METHOD, STEP
from axletree.cli.source import vehicle_changes
from axletree.pipeline import Model, System
from axletree.report.comparison import VEHICLE, Compared, ComparisonError, read_result


@dataclass(frozen=True)
class ModelRuns:
    """How models are run."""

    manoeuvre: str | None
    speed: str | None
    fidelities: tuple[str, ...]  # none: as the file says
    quantities: tuple[str, ...]  # that are asked for, beside what findings are made of


def compared_runs(subjects: Sequence[str], wanted: ModelRuns) -> list[Compared]:
    """A run for each folder, and for each fidelity of each model; all have labels of their own."""
    pairs = [_labelled(subject) for subject in subjects]
    folders = [source for _, source in pairs if Path(source).is_dir()]
    if len(folders) == len(pairs) and (wanted.manoeuvre or wanted.speed or wanted.fidelities):
        raise ComparisonError(
            "folders have been run already; -m, --speed and --model are of models"
        )
    short = dict(zip(folders, short_names(folders), strict=True))
    runs: list[Compared] = []
    for label, source in pairs:
        path = Path(source)
        if "/" in source and not path.suffix and not path.exists():
            raise ComparisonError(f"there is no folder {source!r}; `axletree run` writes them")
        if source in short:
            runs.append(read_result(Path(source), label or short[source]))
        else:
            runs += _of_model(source, label or Path(source).stem, wanted)
    if len(pairs) == 1 and wanted.fidelities:
        runs = [replace(r, label=f) for r, f in zip(runs, wanted.fidelities, strict=True)]
    twice = {one.label for one in runs if [r.label for r in runs].count(one.label) > 1}
    if twice:
        raise ComparisonError(
            f"two runs are called {' and '.join(sorted(twice))}; name them: LABEL=A LABEL=B"
        )
    return runs


def _labelled(subject: str) -> tuple[str, str]:
    """``LABEL=A``, unless that is the name of something that is there."""
    label, equals, source = subject.partition("=")
    if not equals or Path(subject).exists():
        return "", subject
    return label.strip(), source.strip()


def short_names(folders: Sequence[str]) -> list[str]:
    """Paths without the parts at both ends that all of them share."""
    parts = [Path(folder).resolve().parts for folder in folders]
    if len(folders) < 2 or len(set(parts)) < 2:
        return [Path(folder).name or str(folder) for folder in folders]
    first, last = _shared(parts), _shared([one[::-1] for one in parts])
    cut = [one[first : len(one) - last] for one in parts]
    return ["/".join(c) if c else "/".join(p[first - 1 :]) for c, p in zip(cut, parts, strict=True)]


def _shared(parts: Sequence[Sequence[str]]) -> int:
    """How many parts are the same, from the first on."""
    count = 0
    while count < min(map(len, parts)) and len({one[count] for one in parts}) == 1:
        count += 1
    return count


def _of_model(source: str, label: str, wanted: ModelRuns) -> Iterator[Compared]:
    for fidelity in wanted.fidelities or ("",):
        changes = vehicle_changes(fidelity) or None
        model = read_for(source, Model, wanted.manoeuvre, changes)
        system, given = model.formulate(), model.run
        manoeuvre = manoeuvre_of(model, wanted.manoeuvre, RunSettings(speed=wanted.speed))
        name = f"{label} {fidelity}".rstrip()
        method = given.method or METHOD
        if manoeuvre is None:
            if given.duration is None:
                raise ComparisonError(f"{source} proposes no run; name a manoeuvre by -m")
            run = system.simulate(
                given.duration, step=given.step, method=method, inputs=given.inputs,
                outputs=_recorded(system, given.outputs, wanted.quantities),
                record_interval=given.record_interval,
            )  # fmt: skip
            yield Compared(name, run)
            continue
        proposed = given.outputs if manoeuvre.outputs is None else manoeuvre.outputs
        run = system.drive(
            manoeuvre, step=given.step or STEP, method=method,
            outputs=_recorded(system, proposed, wanted.quantities),
            record_interval=given.record_interval,
        )  # fmt: skip
        yield Compared(name, run, manoeuvre.findings(run))


def _recorded(
    system: System, proposed: Sequence[str] | None, chosen: Sequence[str]
) -> list[str] | None:
    """What is compared and what is proposed; of a vehicle that proposes nothing, its motion."""
    known = [d.quantity.name for d in system.outputs] + [q.name for q in system.inputs]
    asked = [name for name in known if any(fnmatchcase(name, p) for p in chosen or VEHICLE)]
    if proposed is None and not asked:
        return None
    return list(dict.fromkeys([*(proposed or ()), *asked]))
