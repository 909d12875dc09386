"""Vehicles that run straight at a speed: what keeps it, and small deviations from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from axletree.analysis.drive import forward_speed
from axletree.analysis.root_locus import RootLocus, SteadyFamily, follow, in_order
from axletree.analysis.steady_motion import SteadyState
from axletree.analysis.steady_state import steady_state
from axletree.analysis.trim import trim
from axletree.core.errors import AxletreeError
from axletree.core.expr import maximum, symbol, symbols_of
from axletree.formulation.formulate import formulate
from axletree.library.bodies import RigidBody
from axletree.library.drivers.load_driver import LoadDriver
from axletree.library.joints.joint import Joint
from axletree.library.signal import Constant, Input, TimeFunction
from axletree.model.model import Model
from axletree.model.start import check_start
from axletree.simulation.progress import Progress
from axletree.system.assemble import assemble
from axletree.system.forms.projected import Projected
from axletree.system.system import System

FORWARD, THROTTLE, TOW = "chassis.vx", "driver.throttle", "tow"
BEYOND = 1e4  # N for a whole throttle beyond 1; the unit in which what is missing is counted


class StraightRunningError(AxletreeError):
    """A model that does not run straight by itself."""


@dataclass(frozen=True, eq=False)
class StraightRunning:
    """A vehicle that can be towed, by a force on the body along its x axis, at its origin.

    Its throttle keeps the speed. Above the top speed it is full, and the force is what it lacks:
    a level beyond 1 of the throttle stands for that. So there is one steady motion at a speed,
    whatever other speeds are asked for, and it changes with the speed without a jump. The force
    alone keeps the speed of a vehicle that nothing drives.
    """

    system: System
    forward: str  # state that is the speed
    keeper: str  # input that keeps it

    def at(self, speed: float) -> SteadyState:
        """The motion at a speed [m/s]."""
        given = {self.forward: speed}
        return steady_state(self.system, given, [self.keeper], start=self._kept([speed]))

    def locus(self, speeds: Sequence[float] | np.ndarray) -> RootLocus:
        """Eigenvalues along speeds [m/s], which rise or fall."""
        falling = sorted(in_order(self.forward, speeds).tolist(), reverse=True)
        start, given = self._kept(falling), {self.forward: falling[0]}
        family = SteadyFamily(self.system, self.forward, given, [self.keeper], start, 0.0)
        with Progress(float(len(falling)), "finding", "steady motions") as progress:
            for k, speed in enumerate(falling):
                # From above the top speed a search comes down to any throttle. One that begins with
                # a throttle below 1 may end at an engine's cut-off, where it makes no difference.
                family.at(speed)
                progress.show(k + 1.0)
        return follow(family, speeds)

    def _kept(self, speeds: Sequence[float]) -> dict[str, float]:
        """The motion at the first speed, to begin with."""
        slow = [speed for speed in speeds if not speed > 0.0]
        if slow:
            raise StraightRunningError(f"expected a speed above 0 m/s, got {slow[0]:g}")
        try:
            found = trim(self.system, {self.forward: speeds[0]}, find=[self.keeper])
        except AxletreeError as error:
            raise StraightRunningError(
                f"{self.system.name} does not run straight: {error}"
            ) from None
        return {**found.states, self.keeper: found.inputs[self.keeper]}


def straight_running(model: Model) -> StraightRunning:
    """Of a vehicle, or of another model whose start has a speed; the model is left as it is."""
    own = _formed(model)
    if any(q.name.startswith("driver.") for q in own.states):
        raise StraightRunningError(
            f"{model.name} has a driver who follows a path; leave out its `driver`"
        )
    names = {q.name for q in own.states}
    forward = FORWARD if FORWARD in names else forward_speed(own)
    throttle = next((q.symbol for q in own.inputs if q.name == THROTTLE), None)
    drives = throttle is not None and throttle in symbols_of(own.derivatives)
    system = _formed(model.extended(_tow(model, forward, drives)))
    return StraightRunning(system, forward, THROTTLE if drives else f"{TOW}.Fx")


def _tow(model: Model, forward: str, drives: bool) -> LoadDriver:
    """A force along x of what has the speed: a body by itself, or one on a joint."""
    moves = model[forward.partition(".")[0]]
    if isinstance(moves, Joint):
        head = moves.head
    elif isinstance(moves, RigidBody):
        head = moves.main_frame
    else:
        raise StraightRunningError(f"{forward} is no speed of a body; nothing can be towed by it")
    lacks = TimeFunction(BEYOND * maximum(symbol(THROTTLE) - 1.0, 0.0))
    none = Constant(0.0)
    return LoadDriver(
        TOW, model.ground.main_frame, head, Fx=lacks if drives else Input(),
        Fy=none, Fz=none, Mx=none, My=none, Mz=none,
    )  # fmt: skip


def _formed(model: Model) -> System:
    check_start(model)
    return assemble(formulate(model, model.tree), Projected(), model.start)
