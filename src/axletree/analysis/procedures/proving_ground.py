"""A proving ground: a vehicle that drives one run after another, its equations put together once.

A procedure of dozens of runs costs little more than their integration: runs that begin alike share
their steady state, and those on one course share a system.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from axletree.analysis.drive import (
    PROPOSED_METHOD,
    PROPOSED_STEP,
    DriveStart,
    drive_start,
    recorded_names,
)
from axletree.core.errors import ModelError
from axletree.ground.paths import Path
from axletree.metrics.findings import Finding
from axletree.model.manoeuvre import Manoeuvre
from axletree.model.model import Model
from axletree.runs.follow_path import FollowPath
from axletree.simulation.control.controllers import ControlLoop
from axletree.simulation.control.reference_loops import (
    GivenController,
    follower_names,
    follower_words,
    loops_of,
)
from axletree.simulation.simulate import (
    FailedControllerError,
    StoppedRunError,
    form_for,
    simulate,
)
from axletree.simulation.trajectory import Trajectory
from axletree.system.formulation import formulate
from axletree.system.system import System
from axletree.vehicles.vehicle import Vehicle

_M = TypeVar("_M", bound=Manoeuvre)


KMH = 1.0 / 3.6  # m/s
BOTH_SIDES = {"left": 1.0, "right": -1.0}  # signs of steering


def _silent(_: str) -> None:
    """Nobody watches."""


@dataclass
class ProvingGround:
    """Drives manoeuvres of a model by the step and method that the model proposes.

    ``tell`` is called with a few words before each run. A run that does not come to its end, as
    that of a vehicle that tips over, is handed back as far as it came, with ``complete`` False and
    the reason in ``note``; it has no findings. One that a controller stops judges no vehicle: its
    ``FailedControllerError`` leaves the procedure, with the records of that run.
    """

    model: Model
    tell: Callable[[str], None] = _silent
    controllers: tuple[GivenController, ...] = ()  # in every run that has what they need
    notes: dict[str, None] = field(default_factory=dict)  # of runs, each once, in their order
    _system: System | None = None
    _loops: list[tuple[Path | None, tuple[ControlLoop, ...]]] = field(default_factory=list)

    @property
    def vehicle(self) -> Vehicle:
        found = self.model.described.get("vehicle")
        if not isinstance(found, Vehicle):
            raise ModelError(
                f"{self.model.name} is not described as a vehicle, as procedures need it; "
                "expected a model with a section `vehicle`, such as sedan"
            )
        return found

    def manoeuvre(self, name: str) -> Manoeuvre:
        return self.model.manoeuvres[name]

    def known(self, name: str, kind: type[_M]) -> _M:
        """The manoeuvre of this name, of the kind that a vehicle proposes by it."""
        found = self.manoeuvre(name)
        if not isinstance(found, kind):
            raise ModelError(
                f"the manoeuvre {name} of {self.model.name} is of the kind {type(found).__name__}; "
                f"a procedure needs it as {kind.__name__}, as vehicles propose it: give yours "
                "another name"
            )
        return found

    def system(self, manoeuvre: Manoeuvre) -> System:
        """What drives a manoeuvre, with the road and the driver that it asks for."""
        form = form_for(self._method)
        if manoeuvre.changes:
            return formulate(self.model.with_changes(manoeuvre.changes), form=form)
        if self._system is None:
            self._system = formulate(self.model, form=form)
        return self._system

    def loops(self, manoeuvre: Manoeuvre) -> tuple[ControlLoop, ...]:
        """The controllers of a run: those that follow a path follow that of the manoeuvre.

        Where it has none, the steering wheel turns as the procedure says, and a note tells so.
        """
        path = manoeuvre.path if isinstance(manoeuvre, FollowPath) else None
        known = [loops for of, loops in self._loops if of == path]
        if known:
            return known[0]
        followers = () if path is not None else follower_words(self.controllers)
        for word in followers:
            self.notes[
                f"{word} steers where a path is followed; in other runs the steering wheel turns "
                "as the procedure says"
            ] = None
        given = [one for one in self.controllers if one not in followers]
        changes = {} if path is None else manoeuvre.changes
        model = self.model.with_changes(changes) if changes and given else self.model
        self._loops.append((path, loops_of(model, given)))
        return self._loops[-1][1]

    def followers(self) -> tuple[str, ...]:
        """The controllers that steer along the paths of its manoeuvres."""
        return follower_names(self.controllers)

    def start(self, manoeuvre: Manoeuvre, system: System | None = None) -> DriveStart:
        """The steady state that a manoeuvre begins in, for runs that share it."""
        return drive_start(
            system or self.system(manoeuvre), manoeuvre, {}, controllers=self.loops(manoeuvre)
        )

    def drive(
        self,
        manoeuvre: Manoeuvre,
        words: str,
        *,
        system: System | None = None,
        start: DriveStart | None = None,
        outputs: tuple[str, ...] = (),
    ) -> Trajectory:
        """A run with its findings; ``outputs`` are recorded beside those that they are made of.

        With a ``start`` the manoeuvre is one that begins in that steady state, and has no level
        that an angle is sought for.
        """
        self.tell(words)
        loops = self.loops(manoeuvre)
        driven = system or self.system(manoeuvre)
        proposed, states = self.model.run, {quantity.name for quantity in driven.states}
        outputs = tuple(name for name in outputs if name not in states)
        if start is None:
            start = self.start(manoeuvre, driven)
            manoeuvre = start.manoeuvre
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what they say stands in the note of the run
                run = simulate(
                    driven, manoeuvre.span, step=proposed.step or PROPOSED_STEP,
                    method=self._method, initial=start.initial,
                    inputs={**start.inputs, **manoeuvre.signals}, parameters=start.parameters,
                    outputs=recorded_names(driven, manoeuvre, outputs),
                    record_interval=proposed.record_interval, controllers=loops,
                )  # fmt: skip
        except FailedControllerError as failed:
            raise FailedControllerError(f"{words}: {failed}", failed.trajectory) from None
        except StoppedRunError as stopped:
            self.notes[f"{words}: {stopped}"] = None
            return replace(stopped.trajectory, complete=False, note=str(stopped))
        if not run.complete:
            raise KeyboardInterrupt
        if run.note:
            self.notes[f"{words}: {run.note}"] = None
        return replace(run, findings=manoeuvre.findings(run))

    @property
    def _method(self) -> str:
        return self.model.run.method or PROPOSED_METHOD


_SPAN_STEP = 0.1  # s; runs are whole numbers of steps


def whole_span(duration: float) -> float:
    """A duration [s], up to the next tenth of a second, which steps divide.

    Example:
    >>> from axletree.analysis.procedures.proving_ground import whole_span
    >>> whole_span(4.41)
    4.5
    """
    return round(_SPAN_STEP * math.ceil(duration / _SPAN_STEP - 1e-9), 9)


def found_value(findings: tuple[Finding, ...], name: str) -> float:
    """Of the finding of this name; nan if there is none.

    Example:
    >>> from axletree.analysis.procedures.proving_ground import found_value
    >>> from axletree.metrics.findings import Finding
    >>> found_value((Finding("gain", 0.2, "1/s", "yaw rate gain"),), "gain")
    0.2
    """
    return next((one.value for one in findings if one.name == name), float("nan"))
