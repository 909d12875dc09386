"""``batch``: many vehicles of one system at once, on all cores; out comes a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from axletree.code.lowering import Extra
from axletree.code.printers.lanes.lane_text import LaneNumber
from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.errors import SimulationError
from axletree.core.problems import shown
from axletree.expr import symbols_of
from axletree.simulation.batch.batch_result import Batch
from axletree.simulation.batch.crossings import GivenEvents, read_crossings, with_crossed
from axletree.simulation.batch.distributions import Sampling
from axletree.simulation.batch.lane_run import LaneSettings, run_members
from axletree.simulation.batch.members import SPEED, Members, MemberValues, read_members
from axletree.simulation.checks import check_start_orientation
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.problem import Problem, SettingsError, state_problem, wrong_parameters
from axletree.simulation.simulate import Integrator, check_form, load_integrator, refuse_laws
from axletree.system.system import System

_KNOWN_EXTRAS: Final = {
    Extra.SPLIT_RATES, Extra.IMPLICIT_STAGES, Extra.LATER_RATES, Extra.ROWS
}  # fmt: skip


def batch(
    system: System,
    duration: float | str,
    *,
    step: float | str,
    parameters: MemberValues = None,
    initial: MemberValues = None,
    inputs: MemberValues = None,
    members: int | None = None,
    sampling: str = "random",
    seed: int | None = None,
    method: str | Integrator = "rk4",
    outputs: Sequence[str] | None = None,
    events: GivenEvents = (),
    record: Sequence[int] = (),
    record_interval: float | str | None = None,
    start: float | str = 0.0,
    number: str = "double",
    threads: int | None = None,
) -> Batch:
    """Integrate many members of a system, each with values of its own, side by side.

    Parameters
    ----------
    duration, step, method, start: as for ``simulate``, in s; methods whose steps are the same for
        all members: explicit-euler, semi-implicit-euler, rk4, of stiff models ros2, row3, row4, and
        for set-valued forces complementarity-sweeps.
    parameters, initial, inputs: by name a value for all members, as ``simulate`` takes it, or a
        column with a value for each of them, or a distribution such as ``at.Normal(1500, 50)``. A
        table of data, such as a DataFrame of pandas, is such a mapping. An input may also be a
        pair of times [s] and values in rows, one for each member.
    members: how many there are, where no column says it.
    sampling, seed: how distributions are drawn: ``random``, ``latin-hypercube`` or ``sobol``.
    outputs: names of states, outputs, intermediate variables and inputs of which the table has
        minimum, maximum, mean, RMS and final value; the states by default.
    events: levels that are crossed, such as ``"chassis.vx < 10 km/h"``, or such texts by labels of
        your own. The table has the first time of each, ``....time``, nan where it does not happen,
        and how often it happens, ``....count``; between instants that are recorded.
    record: members whose whole run is kept, by number; ``found.run(3)`` is a trajectory.
    record_interval: s between the instants that are recorded, and of which minimum, maximum, mean
        and RMS are; by default every step.
    number: ``double``, or ``float``, which is twice as fast and has seven digits.
    threads: by default one for each core.

    A member whose states are no longer finite, or whose orientation is lost, is marked with time
    and cause in ``failures``; its values are those until then. Results equal those of single runs
    but for rounding.

    Example:
    >>> import axletree as at
    >>> import numpy as np
    >>> pendulum = at.read_model("pendulum").formulate()
    >>> angles = np.radians([10.0, 20.0, 30.0])
    >>> found = pendulum.batch("1 s", step="1 ms", initial={"pin.angle": angles})
    >>> found["pin.angle.minimum", "deg"].round(2).tolist()  # deg: it swings over to the other side
    [-10.0, -20.0, -30.0]
    """
    check_arguments(batch, locals())
    chosen = equal_steps(system, method)
    kind, shares = named(LaneNumber, number, "number"), named(Sampling, sampling, "sampling")
    found = members_of(system, parameters, initial, inputs, members, shares, seed)
    names = [q.name for q in system.states] if outputs is None else list(outputs)
    crossings = read_crossings(events, system)
    problem = first_problem(
        system, found, outputs=with_crossed(names, crossings), start=start, duration=duration,
        step=step, record_interval=record_interval,
    )  # fmt: skip
    check_start_orientation(problem.system, problem.states)
    refuse_digits(chosen, kind)
    settings = LaneSettings(chosen, tuple(dict.fromkeys(names)), kind, record, threads, crossings)
    return run_members(problem, found, _first_states(system, problem, found), settings)


def equal_steps(system: System, method: str | Integrator) -> FixedStep:
    """The method, if lanes take its steps; what they do not take is said."""
    chosen = load_integrator(method)
    refuse_laws(system)
    check_form(system, chosen)
    if isinstance(chosen, FixedStep) and chosen.for_rows and system.rows is not None:
        chosen = chosen.for_rows(system.rows)
    if (
        not isinstance(chosen, FixedStep)
        or not (chosen.lines or chosen.fixed_cost)
        or not set(chosen.extras) <= _KNOWN_EXTRAS
    ):
        raise SimulationError(
            f"a batch takes steps that are the same for all members, and those of "
            f"{chosen.name!r} are not; take explicit-euler, semi-implicit-euler or rk4, where "
            "springs are stiff row4, or for set-valued forces complementarity-sweeps"
        )
    return chosen


def refuse_digits(method: FixedStep, number: LaneNumber) -> None:
    """What is at rest is told from what moves by its last digits."""
    if method.solves and number is LaneNumber.FLOAT:
        raise SettingsError(
            f"steps of {method.name!r} hold what is at rest, for which seven digits are too few; "
            "take number='double'"
        )


def named(kind: Any, name: str, word: str) -> Any:
    """The member of an enumeration with this value; ``word`` is what is asked for."""
    names = [one.value for one in kind]
    if name not in names:
        raise SettingsError(f"{word} is {name!r}; expected {' or '.join(map(repr, names))}")
    return kind(name)


def members_of(
    system: System,
    parameters: MemberValues,
    initial: MemberValues,
    inputs: MemberValues,
    count: int | None,
    sampling: Sampling,
    seed: int | None,
    speed: MemberValues = None,
) -> Members:
    """The members of a batch of a system, checked; ``speed`` is that at which they begin."""
    kinds = {
        "parameters": (_as_mapping("parameters", parameters), system.parameters),
        "initial": (_as_mapping("initial", initial), system.states),
        "inputs": (_as_mapping("inputs", inputs), system.inputs),
        "speed": ({} if speed is None else {SPEED.name: speed}, (SPEED,)),
    }
    found = read_members(kinds, count, sampling, seed, system.name)
    _check_members(system, found)
    return found


def first_problem(system: System, members: Members, **settings: Any) -> Problem:
    """That of the first member, which stands for all in what they have in common."""
    first = {
        kind: {name: float(column[0]) for name, column in given.columns.items()}
        for kind, given in (
            ("initial", members.initial),
            ("inputs", members.inputs),
            ("parameters", members.parameters),
        )
    }
    courses = {name: (times, values[0]) for name, (times, values) in members.courses.items()}
    return state_problem(
        system,
        initial={**members.initial.common, **first["initial"]},
        inputs={**members.inputs.common, **first["inputs"], **courses},
        parameters={**members.parameters.common, **first["parameters"]},
        **settings,
    )


def _as_mapping(kind: str, given: MemberValues) -> dict[str, Any]:
    """Of a mapping or a table of data: columns by name."""
    if given is None:
        return {}
    if not hasattr(given, "items"):
        raise SettingsError(
            f"{kind} is {shown(given)}; expected values by name, or a table with a column for each"
        )
    return {str(name): column for name, column in given.items()}


def _check_members(system: System, members: Members) -> None:
    """What components say of members with extreme values; single values are checked of all."""
    columns = members.parameters.columns
    extremes = {int(f(column)) for column in columns.values() for f in (np.argmin, np.argmax)}
    problems: dict[str, int] = {}
    for k in sorted(extremes):
        values = {name: float(column[k]) for name, column in columns.items()}
        for problem in wrong_parameters(system, values):
            problems.setdefault(problem, k)
    if problems:
        raise SettingsError(*(f"member {k}: {text}" for text, k in problems.items()))


def _first_states(system: System, problem: Problem, members: Members) -> FloatArray | None:
    """A row for each member, where first values follow from what differs; None: all are common."""
    if not _start_follows(system, members):
        return None
    common = {**members.parameters.common, **members.initial.common}
    names = {q.name for q in system.parameters}
    rows = []
    for k in range(members.count):
        own = {name: float(c[k]) for name, c in members.parameters.columns.items()}
        first = {name: float(c[k]) for name, c in members.initial.columns.items()}
        levels = {name: float(c[k]) for name, c in members.inputs.columns.items()}
        parameters = {n: v for n, v in common.items() if n in names} | own
        found = state_problem(
            system, initial={**members.initial.common, **first}, parameters=parameters,
            inputs={**members.inputs.common, **levels}, start=problem.start,
        )  # fmt: skip
        rows.append(found.states)
    return np.array(rows)


def _start_follows(system: System, members: Members) -> bool:
    """Whether first values that nobody gives depend on what differs from member to member."""
    equations = system.source
    if equations is None:
        return bool(system.constraints)
    varied = {*members.parameters.columns, *members.initial.columns, *members.inputs.columns}
    if not equations.states_are_free:
        return bool(varied)
    starts = [e for s in equations.internal for e in (s.start, s.usual_start) if e is not None]
    return any(symbol.name in varied for symbol in symbols_of(starts))
