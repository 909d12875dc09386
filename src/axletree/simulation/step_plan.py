"""Steps of one length: how many a run takes, and which of them it records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from axletree.simulation.problem import Problem, SettingsError

_NEAR: Final = 1e-6  # of a step: what a whole number of steps may be off by


@dataclass(frozen=True)
class StepPlan:
    """The steps of a run; its start, every so many steps and its end are recorded."""

    length: float  # [s]
    count: int
    every: int  # steps between two records

    @property
    def records(self) -> int:
        return self.count // self.every + 1 + (self.count % self.every > 0)


def plan_steps(problem: Problem, method: str) -> StepPlan:
    """The plan that the settings of a run make; those that make none are an error."""
    if problem.step is None:
        raise SettingsError([f"the method {method!r} needs a step in seconds, such as step=1e-3"])
    step = problem.step
    count = round(problem.duration / step)
    if count < 1 or abs(problem.duration / step - count) > _NEAR:
        whole = max(count, 1)
        raise SettingsError(
            [
                f"duration {problem.duration:g} s is not a whole number of steps of {step:g} s; "
                f"try duration={whole * step:g} or step={problem.duration / whole:.9g}"
            ]
        )
    interval = step if problem.record_interval is None else problem.record_interval
    every = round(interval / step)
    if every < 1 or abs(interval / step - every) > _NEAR * every:
        raise SettingsError(
            [
                f"record_interval {interval:g} s is not a whole number of steps of {step:g} s; "
                f"try record_interval={max(every, 1) * step:g}"
            ]
        )
    return StepPlan(step, count, every)
