"""Where the search for a steady motion starts: at the model's start, at the speeds asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from axletree.analysis.trim_search import TrimError
from axletree.core.quantity import Role
from axletree.simulation.problem import Problem, Tolerances, state_problem
from axletree.system.system import System

Values = Mapping[str, float | str]


def trim_start(
    system: System, hold: Values, levels: Values, parameters: Values, time: float
) -> Problem:
    """Held states as given, the others near the start of the model.

    All speeds change in the proportion in which those held do, so that wheels which roll at
    the start still roll. Constraints hold but for what the speeds that are held take them off:
    there may be no motion with these speeds until coordinates change, too.
    """

    def at_start(system: System, initial: Values) -> Problem:
        return state_problem(
            system, initial=initial, inputs=levels, parameters=parameters, outputs=(), start=time,
            duration=1.0, step=None, record_interval=None, tolerances=Tolerances(),
        )  # fmt: skip

    bare = replace(system, source=None)  # whose states are not brought into line
    given = at_start(bare, hold)
    if given.tables or given.system is not bare:
        raise TrimError("in a steady motion an input is a number, not a function of time")
    speeds = {q.name: k for k, q in enumerate(system.states) if q.role is Role.SPEED}
    held = [speeds[name] for name in hold if name in speeds]
    share = _share(system, given, held)
    scaled = [
        replace(q, default=share * q.default) if q.name in speeds else q for q in system.states
    ]
    coordinates = {name: value for name, value in hold.items() if name not in speeds}
    problem = at_start(replace(system, states=tuple(scaled)), coordinates)
    problem.states[held] = given.states[held]
    return replace(problem, system=system)


def _share(system: System, given: Problem, held: list[int]) -> float:
    """The held speeds beside those of the model's start; 1 where it stands."""
    own = [system.states[k].default for k in held]
    square = sum(speed * speed for speed in own)
    return float(given.states[held] @ own) / square if square else 1.0
