"""``Model.batch``: many vehicles through a manoeuvre, each from a steady start of its own.

What a manoeuvre finds before its run, the angle of the steering wheel at which it comes to its
level and what its driver knows of the vehicle, is that of the model, the same for all members; the
steady motion in which each of them begins is its own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
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
from axletree.simulation.batch.distributions import Sampling
from axletree.simulation.batch.lane_code import lane_code
from axletree.simulation.batch.lane_run import LaneSettings, run_members
from axletree.simulation.batch.members import SPEED, GivenColumns, Members, MemberValues
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
    manoeuvre: str | Manoeuvre | None = None,
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
        its own. Without one the model makes its own run, from its own initial condition.
    speed: m/s, at which the manoeuvre begins, for all or as a column or a distribution, where
        nothing else of the manoeuvre follows from it. ``duration`` [s] is that of a run without
        a manoeuvre.
    step, method: of 1 ms and rk4, row4 where there are bushings, and complementarity-sweeps where
        the model's own run solves for forces, unless it proposes steps that are the same for all.
    members, sampling, seed, outputs, record, record_interval, number, threads: as for
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
    run = model.run
    chosen = first_given(method, batch_method(model))
    kind, shares = named(LaneNumber, number, "number"), named(Sampling, sampling, "sampling")
    usual_step = first_given(step, run.step if chosen == run.method else None, PROPOSED_STEP)
    interval = first_given(record_interval, run.record_interval)
    if manoeuvre is None:
        return _own_batch(
            model, chosen, parameters=parameters, inputs=inputs, initial=initial, step=usual_step,
            duration=duration, members=members, sampling=sampling, seed=seed, outputs=outputs,
            record=record, record_interval=interval, number=number,
            threads=threads, speed=speed,
        )  # fmt: skip
    if duration is not None:
        raise SettingsError(
            f"duration is {duration!r}, and a manoeuvre has one of its own; leave it out, or give "
            "a manoeuvre that lasts longer or shorter"
        )
    driven, wanted = with_manoeuvre(model, manoeuvre)
    assert isinstance(driven, Model), "a model with changes is a model"
    warn_of_loads(driven, parameters if parameters is not None else ())
    system = formulate(driven, form=form_for(chosen))
    method_of_all = equal_steps(system, chosen)
    refuse_digits(method_of_all, kind)
    found = members_of(system, parameters, initial, inputs, members, shares, seed, speed)
    first = {name: given[0] for name, given in _own_inputs(found).items()}
    wanted = replace(wanted, inputs={**wanted.inputs, **found.inputs.common, **first})
    if speed is not None and found.speeds is None:
        wanted = replace(wanted, speed=to_si(speed, expected="m/s"))
    asked = first_given(outputs, wanted.outputs, run.outputs, ())
    is_chosen = outputs is not None and not record  # findings of runs need outputs of their own
    names = tuple(asked) if is_chosen else recorded_names(system, wanted, asked)
    start = drive_start(system, wanted, found.parameters.common, recorded_names(system, wanted, ()))
    _refuse_speeds(start.manoeuvre, found)
    problem = state_problem(
        system, initial={**start.initial, **found.initial.common}, inputs=start.inputs,
        parameters=start.parameters, outputs=names, duration=wanted.span, step=usual_step,
        record_interval=interval,
    )  # fmt: skip
    settings = LaneSettings(
        method_of_all, tuple(dict.fromkeys(names)), kind, tuple(record), threads
    )
    states, own, lost = _starts(system, problem, start, found, settings)
    done = run_members(problem, own, states, settings, lost)
    runs = {
        k: replace(one, findings=start.manoeuvre.findings(one)) if one.complete else one
        for k, one in done.runs.items()
    }
    done = replace(done, manoeuvre=start.manoeuvre, runs=runs)
    if found.speeds is None:
        return done
    columns = {SPEED.name: found.speeds, **done.columns}
    return replace(done, columns=columns, units={SPEED.name: SPEED.unit, **done.units})


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
    steady = None if inputs else _steady_start(problem, start, levels)
    if steady is not None:
        code = lane_code(problem.system, settings.method, (), LaneNumber.DOUBLE)
        index = {q.name: k for k, q in enumerate(problem.system.parameters)}
        own = [(index[name], column) for name, column in columns.items()]
        near = None if members.speeds is None else _at_speeds(system, start, members.speeds, starts)
        starts = member_starts(code, steady, count, own, near) or starts
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
