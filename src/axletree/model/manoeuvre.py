"""The contract of manoeuvres: where a drive begins, what its inputs do, how long it takes, what is
recorded.

1. A manoeuvre is a frozen dataclass whose fields are declared as those of components are. It
   knows inputs, states and outputs by their names and nothing else of the vehicle.
2. It begins in a steady motion, which is solved for the vehicle that drives it: at ``speed`` in
   the state ``forward``, rolling free or driven by inputs of one level, or standing. A vehicle
   that set-valued forces hold comes to rest with all inputs at their first values. Where an
   input of the manoeuvre is at the speed, inputs are given for times before the start, too.
3. ``own_signals`` are its inputs as functions of time; ``drive_share`` is what goes on of the
   level that keeps the speed.
   A manoeuvre with a ``driver`` is for models that have this component.
4. A slope is one of the whole ground: gravity is tilted about the y axis of the ground. A ``road``
   is under the wheels of a vehicle that is read with the manoeuvre's ``changes``.
5. ``findings`` are the numbers that it is driven for: its own, and those of its metrics;
   ``verdict`` holds them against the limits of a standard, where it has any.

The manoeuvres themselves are in ``runs``.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import MISSING, dataclass
from typing import Any, ClassVar

from axletree.components.fields import Part, parameter, part, parts, positive, structure
from axletree.core.errors import ModelError
from axletree.expr import Expr, Table
from axletree.ground.surfaces import Surface
from axletree.metrics.contract import Metric, checked_names, named_outputs
from axletree.metrics.findings import Columns, Diagram, Finding
from axletree.metrics.verdict import Criterion, Verdict, judge


def checked_state(value: Any) -> str:
    if isinstance(value, str):
        return value
    raise ModelError(f"expected the name of a state, got {value!r}")


def checked_mapping(value: Any) -> dict[str, Any]:
    if isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
        return dict(value)
    raise ModelError(f"expected values by name, got {value!r}")


INPUTS, STATE, OUTPUTS = "inputs", "state", "outputs"  # words of fields that name quantities
SIGNALS, VALUES = "signals", "values"  # ... and of those that give something to them
PARAMETERS = "parameters"

TILTED = ("gravity.x", "gravity.z")  # parameters that a slope changes
_STEEPEST = math.radians(89.0)

DrivenSignal = float | Expr | Table


def driven_inputs(unit: str, description: str, *, default: Any = MISSING) -> Any:
    """A field with names of inputs of one unit, or of any for the unit "1"."""
    return structure(INPUTS, description, checked_names, default, unit)


def forward_state(description: str = "state that is the speed") -> Any:
    """A field with the name of the state that is the speed, which has to be given."""
    return structure(STATE, description, checked_state, unit="m/s")


@dataclass(frozen=True)
class Aim:
    """A mean lateral acceleration [m/s^2] from one time to another [s], by the field ``angle``."""

    level: float
    first: float
    last: float


@dataclass(frozen=True, kw_only=True)
class Manoeuvre(Part, ABC):
    """What all manoeuvres have."""

    prescribes_speed: ClassVar[bool] = False  # whether an input of its own is at the speed
    driver: ClassVar[str] = ""  # a component that drives, whose states are given at the start

    speed: float = parameter("m/s", "speed at the start; 0: it stands", lower=0.0)
    forward: str = structure(
        STATE, "state that is the speed; left out: the fastest of the model's start",
        checked_state, "", "m/s",
    )  # fmt: skip
    driven_by: tuple[str, ...] = driven_inputs(
        "1", "inputs whose common level keeps the speed; left out: it coasts", default=()
    )
    initial: Mapping[str, float] = structure(
        VALUES, "states that begin with another value than in the steady motion",
        checked_mapping, dict,
    )  # fmt: skip
    inputs: Mapping[str, Any] = structure(
        SIGNALS, "further inputs: numbers, expressions of t or tables", checked_mapping, dict
    )
    slope: float = parameter(
        "rad", "slope of the whole ground, uphill along its x axis if positive", default=0.0,
        lower=-_STEEPEST, upper=_STEEPEST,
    )  # fmt: skip
    road: Surface | None = part(
        "SURFACES", "shape and friction of the ground; left out: those of the vehicle", default=None
    )
    parameters: Mapping[str, float] = structure(
        PARAMETERS, "parameters with another value than the model's", checked_mapping, dict
    )
    duration: float = positive("s", "length of the run", default=10.0)
    outputs: tuple[str, ...] | None = structure(
        OUTPUTS, "names of the outputs to record; left out: those of the model's run",
        checked_names, None,
    )  # fmt: skip
    metrics: tuple[Metric, ...] = parts(
        "METRICS", "what the run is measured for, by outputs that vehicles have", default=()
    )

    @abstractmethod
    def own_signals(self) -> dict[str, DrivenSignal]:
        """What this kind of manoeuvre makes of its inputs, as functions of time, in SI units.

        Example:
        >>> import axletree as at
        >>> fields = {"carriages": ["carriage.position"], "wheels": [], "radius": 0.4}  # m
        >>> print(at.SlipSweep(speed="2 m/s", **fields).own_signals()["carriage.position"])  # m
        2*time
        """

    def own_parameters(self) -> dict[str, float]:
        """Parameters that this kind of manoeuvre sets, in SI units; ``parameters`` come first.

        Example:
        >>> import axletree as at
        >>> at.FollowPath(speed="90 km/h", path=at.StraightPath(length=200.0)).own_parameters()
        {'driver.speed': 25.0}
        """
        return {}

    def first_states(self, levels: Mapping[str, float]) -> dict[str, float]:
        """States of its ``driver`` at the start, from the levels that keep the speed.

        Example:
        >>> import axletree as at
        >>> lap = at.FollowPath(speed="90 km/h", path=at.StraightPath(length=200.0))
        >>> lap.first_states({"driver.throttle": 0.1, "driver.brake": 0.0})["driver.effort"]
        0.1
        """
        return {}

    def held_states(self) -> dict[str, float]:
        """States of its ``driver`` that it knows beforehand, in which the steady motion is found.

        Example:
        >>> import axletree as at
        >>> at.FollowPath(speed="90 km/h", path=at.StraightPath(length=200.0)).held_states()
        {}
        """
        return {}

    @property
    def changes(self) -> dict[str, Any]:
        """What has to be changed in a file of a model that drives it, for ``read_model``."""
        return {} if self.road is None else {"vehicle": {"road": self.road}}

    @property
    def aim(self) -> Aim | None:
        """The lateral acceleration that a run has to come to; None: whatever it comes to."""
        return None

    @property
    def span(self) -> float:
        """Length of the run [s]."""
        return self.duration

    def drive_share(self) -> Table | None:
        """The share of the level of ``driven_by`` over time [s]; None: all of it, all the time.

        Example:
        >>> import axletree as at
        >>> stop = at.SlopeStop(speed=5.0, forward="chassis.vx", pedals=["driver.brake"], rise=1.0)
        >>> [float(stop.drive_share().evaluate(time)) for time in (0.0, 1.5, 3.0)]
        [1.0, 0.5, 0.0]
        """
        return None

    def own_findings(self, run: Columns) -> tuple[Finding, ...]:
        """What this kind of manoeuvre finds in its run.

        Example:
        >>> import numpy as np
        >>> import axletree as at
        >>> from axletree.simulation.trajectory import Trajectory
        >>> speed = {"chassis.vx": np.array([2.0, 0.5, 1.5])}  # m/s, at 0, 1 and 2 s
        >>> run = Trajectory("car", np.arange(3.0), speed, {}, ())
        >>> at.SoftSpot(speed=2.0, forward="chassis.vx").own_findings(run)[0].in_words
        '0.5 m/s'
        """
        return ()

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        """What a run of this manoeuvre comes to.

        Example:
        >>> import numpy as np
        >>> import axletree as at
        >>> from axletree.simulation.trajectory import Trajectory
        >>> run = Trajectory("car", np.arange(2.0), {"tyre.Fz": np.array([3e3, 5e3])}, {}, ())  # N
        >>> coasts = at.Coasting(speed=20.0, metrics=(at.WheelLoads(loads=["tyre.Fz"]),))
        >>> [f"{found.description} {found.in_words}" for found in coasts.findings(run)]
        ['tyre: dynamic load coefficient 25 %', 'tyre: minimum load over the mean 75 %']
        """
        measured = (found for metric in self.metrics for found in metric.findings(run))
        return (*self.own_findings(run), *measured)

    @property
    def tested(self) -> str:
        """What it is, with its speed.

        Example:
        >>> import axletree as at
        >>> at.Coasting(speed="90 km/h").tested
        'coasting, with further inputs if given, from 90 km/h'
        """
        return f"{self.summary}, from {3.6 * self.speed:.4g} km/h"

    @property
    def own_criteria(self) -> tuple[Criterion, ...]:
        """The limits of this kind of manoeuvre to its own findings.

        Example:
        >>> import axletree as at
        >>> slalom = at.FollowPath(speed=10.0, path=at.SlalomPath(cone_count=1, entry=50.0))
        >>> [f"{one.description}: {one.in_words}" for one in slalom.own_criteria]
        ['cones hit or missed: at most 0']
        """
        return ()

    def verdict(self, findings: Sequence[Finding], tested: str = "") -> Verdict:
        """What the findings of a run come to by all criteria; ``tested`` is what is said of it.

        Example:
        >>> import axletree as at
        >>> slalom = at.FollowPath(speed=10.0, path=at.SlalomPath(cone_count=1, entry=50.0))
        >>> slalom.verdict([]).outcome.value  # of a run that shows nothing
        'undecided'
        """
        limits = [one for metric in self.metrics for one in metric.criteria]
        key = [name for metric in self.metrics for name in metric.key]
        return judge(tested or self.tested, [*self.own_criteria, *limits], findings, key)

    def own_diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        """The curves that this kind of manoeuvre reads its findings from.

        Example:
        >>> import numpy as np
        >>> import axletree as at
        >>> from axletree.simulation.trajectory import Trajectory
        >>> run = Trajectory("car", np.arange(3.0), {"vx": np.array([2.0, 0.5, 1.5])}, {}, ())
        >>> (drawn,) = at.SoftSpot(speed=2.0, forward="vx").own_diagrams(run)
        >>> drawn.title, drawn.x_label, drawn.marks[0].x, drawn.marks[0].y  # s, m/s
        ('Forward speed', 'time [s]', 1.0, 0.5)
        """
        return ()

    def diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        """The curves that findings are read from, each finding marked at its place.

        Example:
        >>> import numpy as np
        >>> import axletree as at
        >>> from axletree.simulation.trajectory import Trajectory
        >>> run = Trajectory("car", np.arange(2.0), {"tyre.Fz": np.array([3e3, 5e3])}, {}, ())  # N
        >>> coasts = at.Coasting(speed=20.0, metrics=(at.WheelLoads(loads=["tyre.Fz"]),))
        >>> [drawn.title for drawn in coasts.diagrams(run)]
        ['Tyre']
        """
        drawn = (one for metric in self.metrics for one in metric.diagrams(run))
        return (*self.own_diagrams(run), *drawn)

    @property
    def needed_outputs(self) -> tuple[str, ...]:
        """The outputs that findings are made of."""
        measured = [name for metric in self.metrics for name in metric.reads]
        return tuple(dict.fromkeys([*named_outputs(self), *measured]))

    @property
    def changed_parameters(self) -> frozenset[str]:
        """Parameters that are not the model's own, which stay in the equations where they are 0."""
        return frozenset({*self.parameters, *(TILTED if self.slope else ())})

    @property
    def signals(self) -> dict[str, Any]:
        """All inputs that are not left at their level."""
        return {**self.own_signals(), **self.inputs}

    def _driven_names(self) -> Collection[str]:
        """The inputs that it moves, without their courses."""
        return self.own_signals()

    def problems(self) -> list[str]:
        own = self._driven_names()
        twice = [name for name in self.inputs if name in own]
        twice += [name for name in self.driven_by if name in own or name in self.inputs]
        return [f"two signals are given for the input {name}" for name in twice]
