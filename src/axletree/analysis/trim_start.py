"""Where the search for a steady motion starts: at the model's start, at the speeds asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from axletree.analysis.rolling_guess import rolling_guess
from axletree.analysis.trim_search import TrimError
from axletree.core.quantity import Role
from axletree.simulation.problem import Problem, Tolerances, state_problem
from axletree.system.system import System

Values = Mapping[str, float | str]


@dataclass(frozen=True)
class TrimStart:
    """The start of a system's model, for given inputs and parameters."""

    system: System
    levels: Values
    parameters: Values
    time: float  # s

    def at(self, hold: Values) -> Problem:
        """Held states as given, the others near the start of the model.

        All speeds change in the proportion in which those held do, so that wheels which roll
        at the start still roll; where the model stands, wheels are set rolling. Constraints
        hold but for what the speeds that are held take them off: there may be no motion with
        these until coordinates change, too.
        """
        bare = replace(self.system, source=None)  # whose states are not brought into line
        given = self._problem(bare, hold)
        if given.tables or given.system is not bare:
            raise TrimError("in a steady motion an input is a number, not a function of time")
        speeds = {q.name: k for k, q in enumerate(self.system.states) if q.role is Role.SPEED}
        held = [speeds[name] for name in hold if name in speeds]
        share = self._share(given, held)
        scaled = tuple(
            replace(q, default=share * q.default) if q.name in speeds else q
            for q in self.system.states
        )
        coordinates = {name: value for name, value in hold.items() if name not in speeds}
        problem = self._problem(replace(self.system, states=scaled), coordinates)
        problem.states[held] = given.states[held]
        problem = replace(problem, system=self.system)
        if problem.states[held].any() and not any(q.default for q in scaled if q.name in speeds):
            problem = replace(problem, states=rolling_guess(self.system, problem, held))
        return problem

    def easier(self, hold: Values) -> Problem | None:
        """With speeds in m/s as given and what else is held as at the start: straight ahead.

        None where that is no other motion, or none at all.
        """
        units = {q.name: q.unit for q in self.system.states if q.role is Role.SPEED}
        ahead = {name: value for name, value in hold.items() if units.get(name) == "m/s"}
        if len(ahead) == len(hold):
            return None
        problem, target = self.at(ahead), self.at(hold)
        index = {q.name: k for k, q in enumerate(self.system.states)}
        moves = any(problem.states[index[name]] for name in ahead)
        differs = any(problem.states[index[name]] != target.states[index[name]] for name in hold)
        return problem if moves and differs else None

    def _problem(self, system: System, initial: Values) -> Problem:
        return state_problem(
            system, initial=initial, inputs=self.levels, parameters=self.parameters, outputs=(),
            start=self.time, duration=1.0, step=None, record_interval=None,
            tolerances=Tolerances(),
        )  # fmt: skip

    def _share(self, given: Problem, held: list[int]) -> float:
        """The held speeds beside those of the model's start; 1 where it stands."""
        own = [self.system.states[k].default for k in held]
        square = sum(speed * speed for speed in own)
        return float(given.states[held] @ own) / square if square else 1.0
