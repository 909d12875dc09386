"""Vehicles that run straight at a speed: what keeps it, and small deviations from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from axletree.analysis.drive import forward_speed
from axletree.analysis.root_locus import RootLocus, root_locus
from axletree.analysis.steady_motion import SteadyState
from axletree.analysis.steady_state import steady_state
from axletree.analysis.trim import trim
from axletree.core.errors import AxletreeError
from axletree.core.expr import symbols_of
from axletree.formulation.formulate import formulate
from axletree.library.bodies import RigidBody
from axletree.library.drivers.load_driver import LoadDriver
from axletree.library.joints.joint import Joint
from axletree.library.signal import Constant
from axletree.model.model import Model
from axletree.model.start import check_start
from axletree.system.assemble import assemble
from axletree.system.forms.projected import Projected
from axletree.system.system import System

FORWARD, THROTTLE, TOW = "chassis.vx", "driver.throttle", "tow"


class StraightRunningError(AxletreeError):
    """A model that does not run straight by itself."""


@dataclass(frozen=True, eq=False)
class StraightRunning:
    """A vehicle that can be towed.

    Its throttle keeps the speed, and where it has none, or none that does, a force on the body
    along its x axis, at the origin of its frame.
    """

    system: System
    forward: str  # state that is the speed
    drives: bool  # whether it has a throttle

    def at(self, speed: float) -> SteadyState:
        """The motion at a speed [m/s]."""
        keeper, start = self._kept([speed])
        return steady_state(self.system, {self.forward: speed}, [keeper], start=start)

    def locus(self, speeds: Sequence[float] | np.ndarray) -> RootLocus:
        """Eigenvalues along speeds [m/s], which rise or fall."""
        keeper, start = self._kept([float(speeds[-1]), float(speeds[0])])
        return root_locus(self.system, self.forward, speeds, {}, [keeper], start=start)

    def _kept(self, speeds: Sequence[float]) -> tuple[str, dict[str, float]]:
        """What keeps all speeds, with the motion at the last of them to begin with."""
        slow = [speed for speed in speeds if not speed > 0.0]
        if slow:
            raise StraightRunningError(f"expected a speed above 0 m/s, got {slow[0]:g}")
        error: AxletreeError | None = None
        for keeper in (*((THROTTLE,) if self.drives else ()), f"{TOW}.Fx"):
            try:
                found = [trim(self.system, {self.forward: v}, find=[keeper]) for v in speeds][-1]
            except AxletreeError as failed:
                error = failed
            else:
                return keeper, {**found.states, keeper: found.inputs[keeper]}
        raise StraightRunningError(f"{self.system.name} does not run straight: {error}")


def straight_running(model: Model) -> StraightRunning:
    """Of a vehicle, or of another model whose start has a speed; the model is left as it is."""
    own = _formed(model)
    if any(q.name.startswith("driver.") for q in own.states):
        raise StraightRunningError(
            f"{model.name} has a driver who follows a path; leave out its `driver`"
        )
    names = {q.name for q in own.states}
    forward = FORWARD if FORWARD in names else forward_speed(own)
    system = _formed(model.extended(_tow(model, forward)))
    throttle = next((q.symbol for q in system.inputs if q.name == THROTTLE), None)
    drives = throttle is not None and throttle in symbols_of(system.derivatives)
    return StraightRunning(system, forward, drives)


def _tow(model: Model, forward: str) -> LoadDriver:
    """A force along x of what has the speed: a body by itself, or one on a joint."""
    moves = model[forward.partition(".")[0]]
    if isinstance(moves, Joint):
        head = moves.head
    elif isinstance(moves, RigidBody):
        head = moves.main_frame
    else:
        raise StraightRunningError(f"{forward} is no speed of a body; nothing can be towed by it")
    none = Constant(0.0)
    return LoadDriver(
        TOW, model.ground.main_frame, head, Fy=none, Fz=none, Mx=none, My=none, Mz=none
    )


def _formed(model: Model) -> System:
    check_start(model)
    return assemble(formulate(model, model.tree), Projected(), model.start)
