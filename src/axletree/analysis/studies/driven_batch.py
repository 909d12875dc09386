"""``Model.batch``: many vehicles through a manoeuvre, each from a steady start of its own.

What a manoeuvre finds before its run, the angle of the steering wheel at which it comes to its
level and what its driver knows of the vehicle, is that of the model, the same for all members; the
steady motion in which each of them begins is its own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from axletree.analysis.drive import (
    PROPOSED_STEP,
    DriveStart,
    begin_drive,
    drive_start,
    first_given,
    recorded_names,
    warn_of_loads,
    with_manoeuvre,
)
from axletree.analysis.steady.member_starts import (
    MemberStarts,
    SteadyStart,
    member_starts,
)
from axletree.analysis.steady.problem import forward_speed
from axletree.analysis.steady_start import fixed_cost_method
from axletree.analysis.studies.member_findings import run_for_findings
from axletree.code.printers.lanes.lane_text import LaneNumber
from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError, SimulationError
from axletree.core.progress import Progress
from axletree.core.units import to_si
from axletree.model.manoeuvre import TILTED, Manoeuvre
from axletree.model.model import Model
from axletree.simulation.batch.batch import batch, equal_steps, members_of, named, refuse_digits
from axletree.simulation.batch.batch_result import Batch
from axletree.simulation.batch.crossings import GivenEvents, read_crossings, with_crossed
from axletree.simulation.batch.distributions import Sampling
from axletree.simulation.batch.lane_code import lane_code
from axletree.simulation.batch.lane_run import LaneSettings, in_range, run_members
from axletree.simulation.batch.members import SPEED, GivenColumns, Members, MemberValues
from axletree.simulation.batch.part_batches import join_batches
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.problem import Problem, SettingsError, state_problem
from axletree.simulation.simulate import Integrator, form_for
from axletree.system.formulation import formulate
from axletree.system.system import System

_OF_ALL: Final = (
    "explicit-euler",
    "semi-implicit-euler",
    "rk4",
    "ros2",
    "row3",
    "row4",
    "complementarity-sweeps",
)


def drive_batch(
    model: Model,
    parameters: MemberValues = None,
    manoeuvre: str | Manoeuvre | Sequence[str | Manoeuvre] | None = None,
    *,
    inputs: MemberValues = None,
    initial: MemberValues = None,
    speed: MemberValues = None,
    duration: float | str | None = None,
    step: float | str | None = None,
    method: str | Integrator | None = None,
    members: int | None = None,
    sampling: str = "random",
    seed: int | None = None,
    outputs: Sequence[str] | None = None,
    findings: Sequence[str] = (),
    events: GivenEvents = (),
    record: Sequence[int] = (),
    record_interval: float | str | None = None,
    number: str = "double",
    threads: int | None = None,
) -> Batch:
    """Drive many members of a model, each with values of its own, side by side on all cores.

    Parameters
    ----------
    parameters, inputs, initial: by name a column with a value for each member, a distribution such
        as ``at.Normal(1500, 50)``, or a value for all; a table of data is such a mapping. Names are
        those of the equations (``model.formulate().parameters``). Steady motions are with the
        inputs of each member; inputs that the manoeuvre moves are refused.
    manoeuvre: a name of the model's manoeuvres, or one; each member begins in a steady motion of
        its own. A column of them has one for each member, with road, speed and course of its own:
        members of equal manoeuvres run together. Without one the model makes its own run, from its
        own initial condition.
    speed: m/s, at which the manoeuvre begins, for all or as a column or a distribution, where
        nothing else of the manoeuvre follows from it. ``duration`` [s] is that of a run without
        a manoeuvre.
    findings: names of what the manoeuvre finds, such as ``"yaw_rate_overshoot"``, of which the
        table has columns; the runs that they are found of are dropped.
    step, method: of 1 ms and rk4, row4 where there are bushings, and complementarity-sweeps where
        the model's own run solves for forces, unless it proposes steps that are the same for all.
    members, sampling, seed, outputs, events, record, record_interval, number, threads: as for
        ``System.batch``; outputs are by default those of the manoeuvre or the model.

    ``found.manoeuvre`` is what all members drove; an angle at which it comes to its level is the
    model's, and so is what a driver knows of the vehicle. Runs that are recorded have findings.
    A member without a steady start, or whose states are no longer finite, is in ``failures`` with
    time and cause, and disturbs no other.

    Example:
    >>> import axletree as at
    >>> car = at.read_model("bicycle-car")
    >>> masses = {"body.mass": at.Uniform("1200 kg", "1800 kg")}
    >>> found = car.batch(masses, "step-steer", members=16, seed=1, outputs=["chassis.rate"])
    >>> bool((found["chassis.rate.final"] > 0.0).all()), found.failures
    (True, {})
    """
    check_arguments(drive_batch, locals())
    kind, shares = named(LaneNumber, number, "number"), named(Sampling, sampling, "sampling")
    if manoeuvre is None:
        if findings:
            raise SettingsError("findings are those of a manoeuvre; name one, too")
        return _own_batch(
            model, first_given(method, batch_method(model)), parameters=parameters, inputs=inputs,
            initial=initial, step=step, duration=duration, members=members, sampling=sampling,
            seed=seed, outputs=outputs, events=events, record=record, number=number,
            record_interval=record_interval, threads=threads, speed=speed,
        )  # fmt: skip
    if duration is not None:
        raise SettingsError(
            f"duration is {duration!r}, and a manoeuvre has one of its own; leave it out, or give "
            "a manoeuvre that lasts longer or shorter"
        )
    settings: dict[str, Any] = {
        "step": step, "method": method, "record_interval": record_interval,
    }  # fmt: skip
    given = parameters, initial, inputs, members, shares, seed, speed
    wanted: dict[str, Any] = {
        "outputs": outputs, "findings": findings, "events": events, "number": kind,
        "threads": threads,
    }  # fmt: skip
    if not isinstance(manoeuvre, str | Manoeuvre):
        return _by_manoeuvres(model, list(manoeuvre), settings, given, record, wanted)
    prepared = prepare_drive(model, manoeuvre, **settings)
    warn_of_loads(prepared.model, parameters if parameters is not None else ())
    refuse_digits(prepared.method, kind)
    found = members_of(prepared.system, *given)
    return prepared.drive(found, speed=speed, record=record, **wanted)


def _by_manoeuvres(
    model: Model,
    manoeuvres: Sequence[str | Manoeuvre],
    settings: Mapping[str, Any],
    given: Sequence[Any],
    record: Sequence[int],
    wanted: Mapping[str, Any],
) -> Batch:
    """Members with a manoeuvre each: those of equal ones are a batch, all of them one table."""
    parameters, initial, inputs, count, shares, seed, speed = given
    size = len(manoeuvres)
    if not size:
        raise SettingsError("manoeuvre is an empty column; expected a manoeuvre for each member")
    if count is not None and count != size:
        raise SettingsError(f"manoeuvre has {size} values, and members is {count}")
    in_range(record, size)
    parts, driven = [], dict[int, Manoeuvre]()
    whole: Members | None = None
    known: list[PreparedDrive] = []
    for one, rows in _equal_ones(manoeuvres):
        prepared = _prepared_beside(known, model, one, settings)
        refuse_digits(prepared.method, wanted["number"])
        if whole is None:
            whole = members_of(
                prepared.system, parameters, initial, inputs, size, shares, seed, speed
            )
        warn_of_loads(prepared.model, {**whole.parameters.common, **whole.parameters.columns})
        own = _checked_part(prepared.system, whole, rows)
        kept = [k for k, row in enumerate(rows.tolist()) if row in record]
        part = prepared.drive(own, speed=speed, record=kept, **wanted)
        assert part.manoeuvre is not None, "it was driven"
        driven |= dict.fromkeys(rows.tolist(), part.manoeuvre)
        parts.append((rows, part))
        if not part.complete:
            break
    joined = join_batches(parts, size)
    return replace(joined, manoeuvre=None, manoeuvres=dict(sorted(driven.items())))


def _equal_ones(manoeuvres: Sequence[str | Manoeuvre]) -> list[tuple[str | Manoeuvre, np.ndarray]]:
    """Each manoeuvre once, with the members that drive it."""
    wrong = [one for one in manoeuvres if not isinstance(one, str | Manoeuvre)]
    if wrong:
        raise SettingsError(
            f"manoeuvre has {wrong[0]!r} in it; expected names of manoeuvres, or manoeuvres"
        )
    found: dict[str, list[tuple[str | Manoeuvre, list[int]]]] = {}
    for k, one in enumerate(manoeuvres):
        alike = found.setdefault(repr(one), [])
        same = next((rows for other, rows in alike if _are_equal(one, other)), None)
        if same is None:
            alike.append((one, [k]))
        else:
            same.append(k)
    return [(one, np.array(rows)) for alike in found.values() for one, rows in alike]


def _are_equal(one: object, other: object) -> bool:
    """Of what holds arrays, such as a measured road, only if it is the same object."""
    if one is other:
        return True
    try:
        return bool(one == other)
    except ValueError:  # the truth of an array
        return False


def _prepared_beside(
    known: list[PreparedDrive],
    model: Model,
    manoeuvre: str | Manoeuvre,
    settings: Mapping[str, Any],
) -> PreparedDrive:
    """With the equations of one before where it changes nothing else of the model."""
    wanted = model.manoeuvre(manoeuvre) if isinstance(manoeuvre, str) else manoeuvre
    for one in known:
        alike = one.manoeuvre.changed_parameters == wanted.changed_parameters
        if alike and _are_equal(one.manoeuvre.changes, wanted.changes):
            return replace(one, manoeuvre=wanted, starts={})
    known.append(prepare_drive(model, wanted, **settings))
    return known[-1]


def _checked_part(system: System, whole: Members, rows: np.ndarray) -> Members:
    """Some of the members, whose names and values this system knows, too."""
    own = whole.part(rows)
    return members_of(
        system,
        {**own.parameters.common, **own.parameters.columns},
        {**own.initial.common, **own.initial.columns},
        {**own.inputs.common, **own.inputs.columns, **own.courses},
        len(rows), Sampling.RANDOM, None, own.speeds,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class PreparedDrive:
    """A model with its equations for a manoeuvre, which many batches have in common."""

    model: Model  # with what the manoeuvre changes
    manoeuvre: Manoeuvre
    system: System
    method: FixedStep
    step: float | str
    interval: float | str | None
    starts: dict[Any, DriveStart] = field(default_factory=dict)  # of the model, once found

    def drive(
        self,
        members: Members,
        *,
        speed: MemberValues = None,
        outputs: Sequence[str] | None = None,
        findings: Sequence[str] = (),
        events: GivenEvents = (),
        record: Sequence[int] = (),
        number: LaneNumber = LaneNumber.DOUBLE,
        threads: int | None = None,
    ) -> Batch:
        """The members, who are of this system; ``speed`` is that of all, unless they have one."""
        wanted, system = _with_inputs(self.manoeuvre, members), self.system
        if speed is not None and members.speeds is None:
            wanted = replace(wanted, speed=to_si(speed, expected="m/s"))
        asked = first_given(outputs, wanted.outputs, self.model.run.outputs, ())
        is_chosen = outputs is not None and not record and not findings
        names = tuple(asked) if is_chosen else recorded_names(system, wanted, asked)
        crossings = read_crossings(events, system)
        start = self._start(wanted, members)
        _refuse_speeds(start.manoeuvre, members)
        problem = state_problem(
            system, initial={**start.initial, **members.initial.common}, inputs=start.inputs,
            parameters=start.parameters, outputs=with_crossed(names, crossings),
            duration=wanted.span, step=self.step,
            record_interval=self.interval,
        )  # fmt: skip
        settings = LaneSettings(
            self.method, tuple(dict.fromkeys(names)), number, tuple(record), threads, crossings
        )
        states, own, lost = _starts(system, problem, start, members, settings)
        if findings:
            done = run_for_findings(
                problem, own, states, settings, lost, start.manoeuvre, tuple(findings)
            )
        else:
            done = run_members(problem, own, states, settings, lost)
        runs = {
            k: replace(one, findings=start.manoeuvre.findings(one)) if one.complete else one
            for k, one in done.runs.items()
        }
        done = replace(done, manoeuvre=start.manoeuvre, runs=runs)
        if members.speeds is None:
            return done
        columns = {SPEED.name: members.speeds, **done.columns}
        return replace(done, columns=columns, units={SPEED.name: SPEED.unit, **done.units})

    def _start(self, wanted: Manoeuvre, members: Members) -> DriveStart:
        """The model's own; kept where nothing but columns of parameters differs."""
        common = members.parameters.common
        needed = recorded_names(self.system, wanted, ())
        if wanted.inputs is not self.manoeuvre.inputs:
            return drive_start(self.system, wanted, common, needed)
        key = wanted.speed, tuple(sorted(common.items()))
        if key not in self.starts:
            self.starts[key] = drive_start(self.system, wanted, common, needed)
        return self.starts[key]


def _with_inputs(manoeuvre: Manoeuvre, members: Members) -> Manoeuvre:
    """With those of all members, and the first one's of those that differ."""
    first = {name: given[0] for name, given in _own_inputs(members).items()}
    given = {**members.inputs.common, **first}
    return replace(manoeuvre, inputs={**manoeuvre.inputs, **given}) if given else manoeuvre


def prepare_drive(
    model: Model,
    manoeuvre: str | Manoeuvre,
    *,
    step: float | str | None = None,
    method: str | Integrator | None = None,
    record_interval: float | str | None = None,
) -> PreparedDrive:
    """Read again with what the manoeuvre changes, and formulated.

    Example:
    >>> import axletree as at
    >>> from axletree.analysis.studies.driven_batch import prepare_drive
    >>> prepare_drive(at.read_model("bicycle-car"), "step-steer").step  # s
    0.001
    """
    run, chosen = model.run, first_given(method, batch_method(model))
    usual_step = first_given(step, run.step if chosen == run.method else None, PROPOSED_STEP)
    driven, wanted = with_manoeuvre(model, manoeuvre)
    assert isinstance(driven, Model), "a model with changes is a model"
    system = formulate(driven, form=form_for(chosen))
    interval = first_given(record_interval, run.record_interval)
    return PreparedDrive(driven, wanted, system, equal_steps(system, chosen), usual_step, interval)


def batch_method(model: Model) -> str:
    """The method of the model's own run, if all members can take its steps, else one of fixed cost.

    Example:
    >>> import axletree as at
    >>> from axletree.analysis.studies.driven_batch import batch_method
    >>> bushed = at.read_model("five-link-sedan", {"vehicle": {"fidelity": "bushings"}})
    >>> batch_method(at.read_model("sedan")), batch_method(bushed)
    ('rk4', 'row4')
    """
    own = model.run.method
    return own if own in _OF_ALL else fixed_cost_method(model)


def _own_batch(model: Model, method: str | Integrator, **settings: Any) -> Batch:
    """Of the run that a model proposes where no manoeuvre is asked for."""
    proposed, duration = model.run, settings.pop("duration")
    if settings.pop("speed") is not None:
        raise SimulationError(f"{model.name} is to run at a speed; name a manoeuvre, too")
    span = proposed.duration if duration is None else duration
    if span is None:
        drives = ", ".join(model.manoeuvres) or "none"
        raise SimulationError(
            f"{model.name} proposes no duration of a run of its own; give one, or name one of its "
            f"manoeuvres ({drives})"
        )
    outputs = settings.pop("outputs")
    own_step = proposed.step if method == proposed.method else None
    settings["step"] = first_given(settings["step"], own_step, PROPOSED_STEP)
    interval = settings["record_interval"]
    settings["record_interval"] = first_given(interval, proposed.record_interval)
    system = formulate(model, form=form_for(method))
    inputs = {**proposed.inputs, **dict(settings.pop("inputs") or {})}
    return batch(
        system, span, method=method, inputs=inputs,
        outputs=proposed.outputs or None if outputs is None else outputs, **settings,
    )  # fmt: skip


# Starts: those of all members at once where the model begins with speeds that stand still, and by a
# search for each where it does not, or where the many do not come there.


def _starts(
    system: System, problem: Problem, start: DriveStart, members: Members, settings: LaneSettings
) -> tuple[FloatArray | None, Members, dict[int, str]]:
    """First states in rows, the members with the levels that were found, and who has no start."""
    own = {q.name for q in system.inputs}
    levels = tuple(name for name in start.trim.found if name in own)
    if members.parameters.columns or _first_inputs(members) or members.speeds is not None:
        starts, lost = _solved(system, problem, start, members, settings, levels)
    else:
        starts, lost = _as_the_model(problem, start, members.count, levels), {}
    states, places = starts.states, {q.name: k for k, q in enumerate(system.states)}
    for name, column in members.initial.columns.items():
        states[:, places[name]] = column
    for name in members.initial.common:
        states[:, places[name]] = problem.states[places[name]]
    shared = manoeuvre_levels(start, levels)
    found = {n: c for n, c in zip(levels, starts.levels.T, strict=True) if n not in shared}
    given = GivenColumns(members.inputs.common, {**found, **members.inputs.columns})
    return states, replace(members, inputs=given), lost


def _own_inputs(members: Members) -> dict[str, list[Any]]:
    """Levels, and courses as pairs of times and values, of each member."""
    levels = {name: column.tolist() for name, column in members.inputs.columns.items()}
    courses = {
        name: [(times, one) for one in values] for name, (times, values) in members.courses.items()
    }
    return {**levels, **courses}


def _first_inputs(members: Members) -> dict[str, list[Any]]:
    """Those that do not begin alike, so that the steady motions do not."""
    found = _own_inputs(members)
    alike = [
        name
        for name, (times, values) in members.courses.items()
        if np.ptp([np.interp(0.0, times, one) for one in values]) == 0.0
    ]
    return {name: given for name, given in found.items() if name not in alike}


def _beginnings(given: list[Any]) -> FloatArray:
    """The first values of an input, of levels or of courses."""
    return np.array([
        np.interp(0.0, *one) if isinstance(one, tuple) else float(one) for one in given
    ])  # fmt: skip


def manoeuvre_levels(start: DriveStart, levels: Collection[str]) -> set[str]:
    """Levels that follow a course from the steady one on, which is that of the model."""
    return {name for name in levels if not isinstance(start.inputs[name], float | int)}


def _as_the_model(
    problem: Problem, start: DriveStart, count: int, levels: Sequence[str]
) -> MemberStarts:
    """All members where the model begins, as if each were still to be found."""
    own = [float(start.trim.inputs[name]) for name in levels]
    found = np.zeros(count, dtype=bool)
    return MemberStarts(np.tile(problem.states, (count, 1)), np.tile(own, (count, 1)), found)


def _solved(
    system: System,
    problem: Problem,
    start: DriveStart,
    members: Members,
    settings: LaneSettings,
    levels: Sequence[str],
) -> tuple[MemberStarts, dict[int, str]]:
    """The steady motion of each member, and why some have none."""
    columns, count = members.parameters.columns, members.count
    inputs = _first_inputs(members)
    starts = _as_the_model(problem, start, count, levels)
    steady = _steady_start(problem, start, levels)
    if steady is not None:
        code = lane_code(problem.system, settings.method, (), LaneNumber.DOUBLE)
        index = {q.name: k for k, q in enumerate(problem.system.parameters)}
        own = [(index[name], column) for name, column in columns.items()]
        places = {q.name: k for k, q in enumerate(system.inputs)}
        begun = [(places[name], _beginnings(given)) for name, given in inputs.items()]
        near = None if members.speeds is None else _at_speeds(system, start, members.speeds, starts)
        starts = member_starts(code, steady, count, own, begun, near) or starts
    lost: dict[int, str] = {}
    rest = np.flatnonzero(~starts.found).tolist()
    names = [q.name for q in system.states]
    with Progress(len(rest), "finding steady starts", "members") as progress:
        for done, k in enumerate(rest, start=1):
            try:
                one = _own_start(
                    system, start, {n: float(c[k]) for n, c in columns.items()},
                    {n: given[k] for n, given in inputs.items()},
                    start.manoeuvre.speed if members.speeds is None else float(members.speeds[k]),
                )  # fmt: skip
            except AxletreeError as error:
                lost[k] = f"it has no steady start: {error}"
            else:
                starts.states[k] = [
                    float(one.initial.get(n, x))
                    for n, x in zip(names, starts.states[k], strict=True)
                ]
                starts.levels[k] = [float(one.trim.inputs[name]) for name in levels]
            progress.show(done)
    return starts, lost


def _at_speeds(
    system: System, start: DriveStart, speeds: FloatArray, model: MemberStarts
) -> FloatArray | None:
    """States in rows, between those of the model at the lowest and at the highest speed; None where
    it has no steady motion there."""
    ends, rows = (float(np.min(speeds)), float(np.max(speeds))), []
    for speed in ends:
        try:
            begun = _own_start(system, start, {}, {}, speed).initial
        except AxletreeError:
            return None
        names = zip(system.states, model.states[0], strict=True)
        rows.append([float(begun.get(q.name, x)) for q, x in names])
    share = (speeds - ends[0]) / max(ends[1] - ends[0], np.finfo(float).tiny)
    return np.outer(1.0 - share, rows[0]) + np.outer(share, rows[1])


def _refuse_speeds(manoeuvre: Manoeuvre, members: Members) -> None:
    """Where more than the first speed follows from the speed, which is that of the manoeuvre."""
    if members.speeds is None:
        return
    follows: dict[str, None] = {}
    for speed in {float(np.min(members.speeds)), float(np.max(members.speeds))}:
        other = replace(manoeuvre, speed=speed)
        if other.span != manoeuvre.span:
            follows["its length"] = None
        if other.changes != manoeuvre.changes:
            follows["what it changes of the vehicle"] = None
        for one, own in (
            (other.own_parameters(), manoeuvre.own_parameters()),
            (other.own_signals(), manoeuvre.own_signals()),
        ):
            follows |= dict.fromkeys(name for name in own if one[name] != own[name])
    if follows:
        raise SettingsError(
            f"speed differs from member to member, and of the manoeuvre ({manoeuvre.summary}) more "
            f"follows from it: {', '.join(follows)}; run a batch for each speed"
        )


def _steady_start(problem: Problem, start: DriveStart, levels: Sequence[str]) -> SteadyStart | None:
    """The model's, for members to be found from; None where starts are those of a mechanism."""
    system = problem.system
    if system.constraints or system.rows is not None or manoeuvre_levels(start, levels):
        return None
    wanted = start.manoeuvre
    given = {*wanted.initial, *wanted.first_states(start.trim.inputs)}
    if wanted.speed and not wanted.prescribes_speed:
        given.add(wanted.forward or forward_speed(system))
    values = values_at_start(problem)
    return SteadyStart(
        problem.start, problem.states, values, problem.parameters,
        tuple(k for k, q in enumerate(system.states) if q.name in given),
        tuple(k for k, q in enumerate(system.inputs) if q.name in levels),
    )  # fmt: skip


def values_at_start(problem: Problem) -> FloatArray:
    """The inputs at the beginning of a run, those of tables too."""
    values = problem.inputs.copy()
    for signal in problem.tables:
        values[signal.index] = signal.table.evaluate(problem.start)
    return values


def _own_start(
    system: System,
    start: DriveStart,
    own: Mapping[str, float],
    inputs: Mapping[str, Any],
    speed: float,
) -> DriveStart:
    """By a search; the driver knows of the vehicle what it knows of the model."""
    known = {name: x for name, x in start.parameters.items() if name not in TILTED}
    wanted = replace(start.manoeuvre, inputs={**start.manoeuvre.inputs, **inputs}, speed=speed)
    return begin_drive(system, wanted, {**known, **own})
