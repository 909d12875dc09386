"""What a batch found: a table with a row for each member, and the runs that were recorded."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import SimulationError
from axletree.core.registry import few_names
from axletree.core.value_table import ValueTable
from axletree.model.manoeuvre import Manoeuvre
from axletree.simulation.trajectory import Trajectory

REDUCTIONS: Final = ("minimum", "maximum", "mean", "rms", "final")
_MOST_NAMED: Final = 4


@dataclass(frozen=True)
class MemberFailure:
    """When a member of a batch failed, and why."""

    time: float  # s
    cause: str


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Batch(ValueTable):
    """A row for each member: what it had of its own, and what its run came to.

    Of each quantity there are ``minimum``, ``maximum``, ``mean``, ``rms`` and ``final``, over the
    instants that were recorded.

    Example:
    >>> import axletree as at
    >>> pendulum = at.read_model("pendulum").formulate()
    >>> masses = at.Uniform("1 kg", "3 kg")
    >>> settings = {"members": 100, "seed": 1, "outputs": ["energy.total"], "record": [7]}
    >>> found = pendulum.batch("0.5 s", step="1 ms", parameters={"rod.mass": masses}, **settings)
    >>> found["rod.mass"].shape, found.units["energy.total.final"], found.failures
    ((100,), 'J', {})
    >>> bool(abs(found.run(7)["energy.total"][-1] - found["energy.total.final"][7]) < 1e-12)
    True
    """

    system: str
    members: int
    failures: Mapping[int, MemberFailure]
    runs: Mapping[int, Trajectory] = field(repr=False)  # of members that were recorded
    complete: bool = True  # False: interrupted from the keyboard
    elapsed: float = 0.0  # s that the steps of all members took
    work: float = 0.0  # s of the processor, in all threads together
    steps: int = 0  # of all members together
    lanes: int = 1  # vehicles side by side in a core
    manoeuvre: Manoeuvre | None = None  # that all members drove, at the angle found for the model
    manoeuvres: Mapping[int, Manoeuvre] = field(default_factory=dict)  # by member, if they differ

    place = "the batch"
    advice = (
        "columns are what differs, and the minimum, maximum, mean, rms and final value of what "
        "outputs= names"
    )

    @property
    def title(self) -> str:
        return f"Batch of {self.system}"

    def __repr__(self) -> str:
        """What it is, in a few lines."""
        lines = [
            f"Batch of {self.members} members of {self.system!r}"
            f"{'' if self.complete else ', interrupted'}: {self.steps} steps in "
            f"{self.elapsed:.3g} s ({self.rate:.3g} steps/s, {self.lanes} lanes)",
            f"  {len(self.columns)} columns: {few_names(self.columns, _MOST_NAMED)}",
        ]
        if self.failures:
            k, first = next(iter(self.failures.items()))
            lines.append(
                f"  {len(self.failures)} members failed, member {k} at {first.time:g} s: "
                f"{first.cause}"
            )
        return "\n".join(lines)

    def with_columns(
        self, columns: Mapping[str, FloatArray], units: Mapping[str, str], kept: Collection[int]
    ) -> Batch:
        """With further columns, and of the runs those of some members.

        Example:
        >>> import axletree as at
        >>> import numpy as np
        >>> system = at.read_model("pendulum").formulate()
        >>> found = system.batch(0.1, parameters={"rod.mass": [1.0, 2.0]}, step=1e-2)
        >>> more = found.with_columns({"number": np.array([7.0, 8.0])}, {"number": "1"}, ())
        >>> more["number"].tolist()
        [7.0, 8.0]
        """
        return replace(
            self, columns={**self.columns, **columns}, units={**self.units, **units},
            runs={k: run for k, run in self.runs.items() if k in kept},
        )  # fmt: skip

    @property
    def rate(self) -> float:
        """Steps of vehicles in a second."""
        return self.steps / self.elapsed if self.elapsed > 0.0 else 0.0

    @property
    def finished(self) -> np.ndarray:
        """Which members came to the end of the run."""
        found = np.ones(self.members, dtype=bool)
        found[list(self.failures)] = False
        if not self.complete:
            ends = [v for name, v in self.columns.items() if name.endswith(".final")]
            found &= ~np.isnan(ends[0]) if ends else True
        return found

    def run(self, member: int) -> Trajectory:
        """The whole run of a member that was recorded.

        Example:
        >>> import axletree as at
        >>> pendulum = at.read_model("pendulum").formulate()
        >>> masses = {"rod.mass": [1.0, 2.0]}  # kg
        >>> found = pendulum.batch("0.1 s", step="1 ms", parameters=masses, record=[1])
        >>> float(found.run(1).time[-1])  # s
        0.1
        """
        if member not in self.runs:
            known = few_names(map(str, self.runs), _MOST_NAMED) or "none"
            raise SimulationError(
                f"the run of member {member} was not recorded (recorded: {known}); name it in "
                f"record=[{member}]"
            )
        return self.runs[member]
