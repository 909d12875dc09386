"""Writes docs/reference/step-watch.md: which runs are told to have too large a step, and which are.

    python docs/making/make_step_watch.py [--processes N] [MODEL | MODEL/MANOEUVRE ...]

Every model's own run and its manoeuvres are run with the step that they propose and with larger
ones, and held against a run of a much smaller step. An error above 5 % of a signal's range has to
be told, one below 1 % must not be. Exit code 1 says that a run breaks this rule.

What is found is kept by run in docs/reference/step-watch.json, and the page is written of all that
is there: some models, named on the command line, replace their own runs and leave the others. Runs
that the watch as it is has judged already are not done again, so that a call goes on where the last
one was stopped. The runs that others are held against are kept in out/step-watch, and serve a
watch that has changed.

Vehicles by body and axles are alike: without names, all manoeuvres of the sedan are run and a
choice of those of the others. A model that is named is run with all of them.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import sys
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

import axletree as at
from axletree import catalogue
from axletree.analysis.drive import drive_start, proposed_step, recorded_names
from axletree.code.lowering import lower
from axletree.code.printers.c import print_unit
from axletree.simulation import step_watch
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.problem import state_problem
from axletree.simulation.simulate import form_for, load_integrator
from axletree.simulation.step_watch import Trials, judged_signals, signal_errors
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "reference" / "step-watch.md"
FOUND = PAGE.with_suffix(".json")  # by run
EXACT = ROOT / "out" / "step-watch" / "exact"  # runs that others are held against
LARGE, SMALL = 0.05, 0.01  # of a signal's range: what has to be told, and what must not be
MULTIPLES = (1, 5, 20)  # of the step that a model proposes
SMALLER = {1: 16, 4: 8}  # that step over the step of the run that others are held against, by order
TIGHT = 1e-8  # tolerances of that run by a method that divides its steps
ORDER_1 = "semi-implicit-euler"
FALLBACK_STEP = 1e-3  # s
OWN = "its own run"
TOLD = "is too large"  # in the note of a run
# Vehicles whose runs are a choice, unless they are named, and the choice: braking to rest, a step
# of the steering, a lane change and a slalom by a driver, a rough road, a blow to a trailer.
ALIKE = (
    "car-with-caravan", "car-with-tail-heavy-caravan", "compact-car", "formula-student",
    "sports-car", "suv", "tractor-semitrailer", "truck-4x2", "van",
)  # fmt: skip
CHOICE = (OWN, "braking", "step-steer", "iso-3888-1", "slalom", "iso-8608-d", "trailer-pulse")
# Models on which no number of the watch was chosen but that from which on it doubts.
HELD_OUT = (*ALIKE, "car-on-soil", "off-road-truck", "rover", "soil-track")
HEAD = """\
# Steps that are too large

`make step-watch` writes this page. It runs every model of the package and its manoeuvres with the
step that they propose and with 5 and 20 times that, and once by `semi-implicit-euler` with the
proposed step; models that propose `subdivided-rk45` with this, and by `semi-implicit-euler` with
1 ms and 5 ms. Each run is held against one of a much smaller step: an eighth
of the proposed one by `rk4`, a sixteenth for steps that are solved for set-valued forces, and
tolerances of 1e-8 with `subdivided-rk45`. The error of a run is that of its worst signal, state or
output: the largest deviation that lasts for two records, over its range.
[The watch](../theory/integrators.md#a-step-that-is-too-large) has to warn of errors above 5 % (a
run without a word is *missed*), and must not warn of those below 1 % (a warning is *false*); in
between it may do either. Runs that stop with an error message are not counted. *Second runs* are
those of which samples were in doubt, so that one or more runs with other steps decided. Every run,
with its worst signals, is in [a table](step-watch.json).

Of vehicles by body and axles, which are alike, the sedan has all its manoeuvres, and the others
have their own run, braking, a step of the steering, ISO 3888-1, a slalom, a road of class D and a
blow to a trailer; a model that is named on the command line has all. *Held out* are models on
which no number of the watch was chosen but one: vehicles other than the sedan, and `car-on-soil`,
`off-road-truck`, `rover` and `soil-track`. With second runs from estimates of 3 % on, two of their
runs were missed, a step of the steering of `car-with-tail-heavy-caravan` (5.1 %, estimated 2.5 %)
and the run of `rover` with steps of 25 ms (9.8 %, estimated 2.5 %); since then it is 2 %.
"""


TABLE = """\
| model | runs | above 5 % | missed | below 1 % | false | second runs |
| --- | --- | --- | --- | --- | --- | --- |"""


@dataclass(frozen=True)
class Case:
    """A run with a step, what is wrong with it, and what was said of it."""

    model: str
    run: str
    method: str
    step: float  # [s]
    proposed: bool  # whether it is the step of the model
    state_error: float  # of the worst state, over its range
    state: str
    output_error: float  # of the worst output, likewise
    output: str
    told: bool
    checked: bool  # whether a second run decided
    further: float  # steps of second runs over those of the run
    estimate: float  # of the worst signal, that the run tells
    signal: str
    sampled: float | None = None  # what samples alone estimate; None: not kept

    @property
    def error(self) -> float:
        return max(self.state_error, self.output_error)

    @property
    def missed(self) -> bool:
        return self.error > LARGE and not self.told

    @property
    def false(self) -> bool:
        return self.error < SMALL and self.told

    def __str__(self) -> str:
        verdict = "missed" if self.missed else "false alarm" if self.false else "right"
        said = "told" if self.told else "checked" if self.checked else "silent"
        return (
            f"{self.model}, {self.run}: {self.method} at {self.step:g} s, {self.state} off by "
            f"{100.0 * self.state_error:.3g} %, {self.output or 'no output'} by "
            f"{100.0 * self.output_error:.3g} %, estimated {self.signal} by "
            f"{100.0 * self.estimate:.3g} %, {said}: {verdict}"
        )


Settings = Mapping[str, Any]


@dataclass(frozen=True)
class OneRun:
    """A model's own run or manoeuvre."""

    model: str
    title: str

    def __str__(self) -> str:
        return f"{self.model}/{self.title}"

    def cases(self) -> Iterator[Case]:
        model = at.read_model(self.model)
        if self.title == OWN:
            system, span = formulated(model), model.run.duration
            settings = {"inputs": model.run.inputs, "outputs": model.run.outputs}
        else:
            changes = model.manoeuvre(self.title).changes
            model = at.read_model(self.model, changes) if changes else model
            manoeuvre, system = model.manoeuvre(self.title), formulated(model)
            try:
                start = drive_start(system, manoeuvre, {})
            except at.AxletreeError:
                return  # a vehicle that is too slow for it
            outputs = model.run.outputs if manoeuvre.outputs is None else manoeuvre.outputs
            settings = {
                "inputs": start.inputs, "initial": start.initial, "parameters": start.parameters,
                "outputs": recorded_names(system, manoeuvre, outputs),
            }  # fmt: skip
            span = manoeuvre.span
        yield from cases_of_run(self.model, self.title, model, system, span, settings)


def runs_of(name: str) -> list[OneRun]:
    model = at.read_model(name)
    own = [OWN] if model.run.duration is not None else []
    return [OneRun(name, title) for title in (*own, *model.manoeuvres)]


def chosen_runs(name: str) -> list[OneRun]:
    """Those of a model that is not named."""
    return [run for run in runs_of(name) if name not in ALIKE or run.title in CHOICE]


def cases_of(name: str) -> Iterator[Case]:
    """All runs of a model."""
    for run in runs_of(name):
        yield from run.cases()


def formulated(model: at.Model) -> System:
    return model.formulate(form=form_for(model.run.method or "rk4"))


def cases_of_run(
    name: str, title: str, model: at.Model, system: System, span: float, settings: Settings
) -> Iterator[Case]:
    proposed = model.run.step or FALLBACK_STEP
    interval = model.run.record_interval or proposed
    method: Any = load_integrator(model.run.method or "rk4")
    exact = exact_run(system, span, method, proposed, {**settings, "record_interval": interval})
    if exact is None:
        return
    for chosen, multiple in trials_of(method, system):
        step = multiple * (proposed_step(model.run, chosen) or FALLBACK_STEP)
        between = max(interval, step)  # records
        if not all(map(is_whole, (span / step, between / step, between / interval))):
            continue
        given = {**settings, "step": step, "method": chosen, "record_interval": between}
        count = RunCount()
        with count:
            run = simulated(system, span, given, watch=True)
        if run is None:
            continue
        every = round(between / interval)
        errors = errors_of(system, run, exact, every)
        states, outputs = (
            max(
                ((e, n) for n, e in errors.items() if (n in run.states) == among), default=(0.0, "")
            )
            for among in (True, False)
        )
        found = run.step_error
        yield Case(
            name, title, chosen, step, chosen == method.name and multiple == 1, *states, *outputs,
            TOLD in run.note, count.runs > 1, count.steps / run.steps - 1.0, found.share,
            found.signal, count.sampled,
        )  # fmt: skip


def trials_of(method: Any, system: System) -> list[tuple[str, int]]:
    """Methods and multiples of the proposed step that a model is run with."""
    if system.rows is not None:
        return [(method.name, multiple) for multiple in MULTIPLES]
    if method.subdivides:
        return [(method.name, 1), (ORDER_1, 1), (ORDER_1, 5)]
    of_order_1 = [(ORDER_1, 1)] if method.name != ORDER_1 else []
    return [(method.name, multiple) for multiple in MULTIPLES] + of_order_1


def exact_run(
    system: System, span: float, method: Any, proposed: float, settings: Settings
) -> Trajectory | None:
    """The run that others are held against, or None if it stops; it is kept by what it is of."""
    if system.rows is not None:
        finest = {"method": method.name, "step": proposed / SMALLER[1]}
    elif method.subdivides:
        tight = {"relative_tolerance": TIGHT, "absolute_tolerance": TIGHT}
        finest = {"method": method.name, "step": min(proposed, FALLBACK_STEP), **tight}
    else:
        finest = {"method": "rk4", "step": proposed / SMALLER[4]}
    file = EXACT / f"{digest(system, span, {**settings, **finest})}.npz"
    if file.is_file():
        return Trajectory.read(file)
    run = simulated(system, span, {**settings, **finest})
    if run is not None:
        EXACT.mkdir(parents=True, exist_ok=True)
        run.to_npz(file)
    return run


def digest(system: System, span: float, settings: Settings) -> str:
    """Of the equations and all numbers of a run."""
    given = {
        k: settings[k] for k in ("initial", "inputs", "parameters", "outputs") if k in settings
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        problem = state_problem(system, **given)
    rest = {k: v for k, v in settings.items() if k not in given}
    tables = [(t.index, t.table.breakpoints, t.table.coefficients) for t in problem.tables]
    numbers = [array.tolist() for array in (problem.states, problem.inputs, problem.parameters)]
    text = print_unit(lower(problem.system, problem.outputs))
    whole = repr((text, numbers, tables, span, sorted(rest.items())))
    return hashlib.sha256(whole.encode()).hexdigest()[:24]


def errors_of(system: System, run: Trajectory, exact: Trajectory, every: int) -> dict[str, float]:
    """Of all columns that are judged, over their ranges."""
    names = judged_signals(system, run.names)
    count = min(len(run), 1 + (len(exact) - 1) // every)
    return signal_errors(
        {name: run[name][:count] for name in names},
        {name: exact[name][::every][:count] for name in names},
        run.units,
    )


class RunCount:
    """How often a fixed-step method integrates within a block, in how many steps, and what samples
    of steps estimate.

    Without the search for a step that holds, which comes after the verdict and takes most of the
    time of a run that is told.
    """

    def __init__(self) -> None:
        self.runs = self.steps = 0
        self.sampled: float | None = None

    def __enter__(self) -> None:
        self._integrate, self._proposal = FixedStep.integrate, Trials.proposal
        self._sample = step_watch.sampled_error

        def sampled(*given: Any) -> Any:
            found = self._sample(*given)
            self.sampled = found.share
            return found

        def counted(method: FixedStep, problem: Any, chunk: int | None = None) -> Any:
            recording = self._integrate(method, problem, chunk)
            if method.for_rows is None or problem.system.rows is None:
                self.runs, self.steps = self.runs + 1, self.steps + recording.steps
            return recording

        FixedStep.integrate = counted  # type: ignore[method-assign]
        Trials.proposal = lambda *_: "no other was tried"  # type: ignore[method-assign]
        step_watch.sampled_error = sampled

    def __exit__(self, *_: object) -> None:
        FixedStep.integrate = self._integrate  # type: ignore[method-assign]
        Trials.proposal = self._proposal  # type: ignore[method-assign]
        step_watch.sampled_error = self._sample


def is_whole(ratio: float) -> bool:
    return abs(ratio - round(ratio)) < 1e-6 and round(ratio) > 0


def simulated(
    system: System, span: float, settings: Settings, *, watch: bool = False
) -> Trajectory | None:
    """The run, or None if it stops."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return system.simulate(span, watch=watch, **settings)
        except at.AxletreeError:
            return None


@dataclass(frozen=True)
class Findings:
    """Of one run, with all steps that it was done with, and the watch that judged it."""

    watch: str
    cases: tuple[Case, ...]


def collect(run: OneRun) -> Findings:
    begin, found = time.perf_counter(), []
    for case in run.cases():
        found.append(case)
        print(case, flush=True)
    print(f"{run}: {time.perf_counter() - begin:.0f} s", flush=True)
    return Findings(watch_digest(), tuple(found))


def collected(runs: Sequence[OneRun], processes: int) -> Iterator[tuple[OneRun, Findings]]:
    if processes == 1:
        yield from ((run, collect(run)) for run in runs)
        return
    with ProcessPoolExecutor(max_workers=processes) as pool:
        yield from zip(runs, pool.map(collect, runs), strict=True)


def watch_digest() -> str:
    """Of the statements of the watch, without its comments and docstrings."""
    tree = ast.parse(Path(step_watch.__file__).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(
            node
        ):
            node.body = node.body[1:]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()[:8]


def read_findings(file: Path) -> dict[str, Findings]:
    """By model and run."""
    if not file.is_file():
        return {}
    text = json.loads(file.read_text(encoding="utf-8"))
    names = text["columns"]
    return {
        title: Findings(watch, tuple(Case(**dict(zip(names, row, strict=True))) for row in rows))
        for title, (watch, rows) in text["runs"].items()
    }


def write_findings(file: Path, found: Mapping[str, Findings]) -> None:
    """One run in a line, in order, with numbers of four digits."""
    names = [field.name for field in fields(Case)]
    lines = []
    for title in ordered(found):
        rows = [[short(value) for value in astuple(case)] for case in found[title].cases]
        lines.append(f"{json.dumps(title)}: {json.dumps([found[title].watch, rows])}")
    runs = ",\n".join(lines)
    whole = f'{{"columns": {json.dumps(names)},\n"runs": {{\n{runs}\n}}}}\n'
    made = file.with_suffix(".new")
    made.write_text(whole, encoding="utf-8")
    made.replace(file)


def short(value: Any) -> Any:
    return float(f"{value:.4g}") if isinstance(value, float) else value


def cases_in(found: Mapping[str, Findings]) -> list[Case]:
    return [case for title in ordered(found) for case in found[title].cases]


def ordered(titles: Iterable[str]) -> list[str]:
    """By model, and then by run."""
    return sorted(titles, key=lambda title: title.partition("/"))


def page(found: Mapping[str, Findings]) -> str:
    """Counts by model, and every run that breaks the rule."""
    cases = cases_in(found)
    run = list(dict.fromkeys(case.model for case in cases))
    proposed = [case for case in cases if case.proposed]
    lines = [HEAD, *without(found), TABLE]
    lines += [row(f"`{name}`", [case for case in cases if case.model == name]) for name in run]
    lines += [
        row("held out", [case for case in cases if case.model in HELD_OUT]), row("all", cases),
        "", cost(cases), "", "With the proposed steps alone:", "", TABLE, row("all", proposed),
        "", cost(proposed),
    ]  # fmt: skip
    told = [case for case in proposed if case.told]
    if told:
        lines += ["", "Told, with the proposed step:", ""]
        lines += [f"- {case}" for case in told]
    broken = [case for case in cases if case.missed or case.false]
    lines += ["", "Runs that break the rule:" if broken else "No run breaks the rule.", ""]
    lines += [f"- {case}" for case in broken]
    lines += ["", *by_samples_alone(cases)] if broken else by_samples_alone(cases)
    return "\n".join(lines).rstrip() + "\n"


THRESHOLDS = (0.01, 0.02, 0.04, 0.08, 0.15, 0.3)  # of a range


def by_samples_alone(cases: Sequence[Case]) -> list[str]:
    """What of the rule would hold if estimates from samples decided, for thresholds of them."""
    known = [(case.sampled, case.error) for case in cases if case.sampled is not None]
    large = [estimate for estimate, error in known if error > LARGE]
    small = [estimate for estimate, error in known if error < SMALL]
    if not (large and small):
        return []
    lines = [
        "## By samples alone", "",
        f"What samples of steps estimate without second runs is kept of {len(known)} of these "
        f"runs, of {len(large)} with errors above 5 % and {len(small)} below 1 %. Estimates of the "
        f"former come down to {100.0 * min(large):.2g} %, those of the latter up to "
        f"{100.0 * max(small):.2g} %: these overlap, and no threshold tells them apart. If an "
        "estimate above a threshold were told, there would be", "",
        "| told above | missed | false |", "| --- | --- | --- |",
    ]  # fmt: skip
    for threshold in THRESHOLDS:
        missed = sum(estimate <= threshold for estimate in large)
        false = sum(estimate > threshold for estimate in small)
        lines.append(f"| {100.0 * threshold:g} % | {missed} | {false} |")
    return lines


def cost(cases: Sequence[Case]) -> str:
    """What second runs of those that are not told take."""
    silent = [case for case in cases if not case.told]
    further = sorted(case.further for case in silent if case.checked)
    if not further:
        return f"None of the {len(silent)} runs without a warning had a second run."
    small = sum(case.checked for case in silent if case.error < SMALL)
    middle, mean = further[len(further) // 2], sum(further) / len(silent)
    return (
        f"Of the {len(silent)} runs without a warning, {len(further)} had a second run, "
        f"{small} of them with errors below 1 %. Second runs took {100.0 * middle:.0f} % of the "
        f"steps of a run in the median, and {100.0 * mean:.0f} % in the mean over all runs without "
        "a warning."
    )


def without(found: Mapping[str, Findings]) -> list[str]:
    """What a page of some runs lacks, and what is of another watch."""
    done = {title.partition("/")[0] for title in found}
    left = [f"`{name}`" for name in sorted(catalogue.MODELS) if name not in done]
    said = [f"Not run for this page: {', '.join(left)}."] if left else []
    for name in sorted(done):
        runs = chosen_runs(name)
        lacking = [run.title for run in runs if str(run) not in found]
        if lacking:
            said.append(f"Not run of `{name}`: {', '.join(lacking)}.")
    watch = watch_digest()
    others = sum(one.watch != watch for one in found.values())
    if others:
        said.append(f"{others} of the {len(found)} runs were judged by an earlier watch.")
    return [" ".join(said) + "\n"] if said else []


def row(title: str, cases: Iterable[Case]) -> str:
    listed = list(cases)
    large = [case for case in listed if case.error > LARGE]
    small = [case for case in listed if case.error < SMALL]
    numbers = (
        len(listed), len(large), sum(case.missed for case in large), len(small),
        sum(case.false for case in small), sum(case.checked for case in listed),
    )  # fmt: skip
    return f"| {title} | " + " | ".join(map(str, numbers)) + " |"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description="which steps are told to be too large")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("names", nargs="*", metavar="MODEL or MODEL/MANOEUVRE")
    given = parser.parse_args(arguments)
    named = [name.partition("/") for name in given.names]
    runs = [run for model, _, title in named for run in runs_of(model) if title in ("", run.title)]
    if not given.names:
        runs = [run for name in sorted(catalogue.MODELS) for run in chosen_runs(name)]
    found, watch = read_findings(FOUND), watch_digest()
    open_runs = [r for r in runs if str(r) not in found or found[str(r)].watch != watch]
    for run, one in collected(open_runs, given.processes):
        found[str(run)] = one
        write_findings(FOUND, found)
    write_findings(FOUND, found)
    PAGE.write_text(page(found), encoding="utf-8")
    return int(any(case.missed or case.false for case in cases_in(found)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
