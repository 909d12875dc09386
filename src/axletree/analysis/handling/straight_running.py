"""Vehicles that run straight: what keeps the speed, small deviations, and the modes against speed,
named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from axletree.analysis.linear.mode_shapes import NamedMode, named_modes
from axletree.analysis.steady.problem import forward_state_of
from axletree.analysis.steady.result import Trim
from axletree.analysis.steady.root_locus import (
    CriticalValue,
    RootLocus,
    SteadyFamily,
    follow_family,
    monotonic_values,
)
from axletree.analysis.steady.trim import trim
from axletree.components.bodies import RigidBody
from axletree.components.joints import Joint
from axletree.components.loads import LoadDriver
from axletree.components.signals import Constant, Input, TimeFunction
from axletree.core.arguments import check_arguments
from axletree.core.errors import AxletreeError
from axletree.core.progress import Progress
from axletree.core.registry import few_names
from axletree.core.units import to_si
from axletree.expr import maximum, symbol, symbols_of
from axletree.metrics.vehicle_signals import THROTTLE
from axletree.model.model import Model
from axletree.model_files.read import model_of
from axletree.system.formulation import formulate
from axletree.system.system import System

TOW = "tow"
_BEYOND = 1e4  # N for a whole throttle beyond 1; the unit in which what is missing is counted


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

    def at(self, speed: float) -> Trim:
        """The motion at a speed [m/s]."""
        given = {self.forward: speed}
        return trim(self.system, given, [self.keeper], start=self._kept([speed]))

    def locus(self, speeds: Sequence[float] | np.ndarray) -> RootLocus:
        """Eigenvalues along speeds [m/s], which rise or fall."""
        falling = sorted(monotonic_values(self.forward, speeds).tolist(), reverse=True)
        start, given = self._kept(falling), {self.forward: falling[0]}
        family = SteadyFamily(self.system, self.forward, given, [self.keeper], start, 0.0)
        with Progress(float(len(falling)), "finding", "steady motions") as progress:
            for k, speed in enumerate(falling):
                # From above the top speed a search comes down to any throttle. One that begins with
                # a throttle below 1 may end at an engine's cut-off, where it makes no difference.
                family.at(speed)
                progress.show(k + 1.0)
        return follow_family(family, speeds)

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
    own = formulate(model)
    if any(q.name.startswith("driver.") for q in own.states):
        raise StraightRunningError(
            f"{model.name} has a driver who follows a path; leave out its `driver`"
        )
    forward = forward_state_of(own)
    throttle = next((q.symbol for q in own.inputs if q.name == THROTTLE), None)
    drives = throttle is not None and throttle in symbols_of(own.derivatives)
    system = formulate(model.extended(_tow(model, forward, drives)))
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
    lacks = TimeFunction(_BEYOND * maximum(symbol(THROTTLE) - 1.0, 0.0))
    none = Constant(0.0)
    return LoadDriver(
        TOW, model.ground.main_frame, head, Fx=lacks if drives else Input(),
        Fy=none, Fz=none, Mx=none, My=none, Mz=none,
    )  # fmt: skip


_MOST_NAMED = 7  # points of a locus at which modes are named


@dataclass(frozen=True)
class CriticalSpeed:
    """A speed [m/s] at which a mode becomes stable or unstable."""

    speed: float
    name: str  # of the mode
    where: CriticalValue

    @property
    def in_words(self) -> str:
        side = "above" if self.where.unstable_above else "below"
        kind = f"oscillatory at {self.where.eigenvalue.imag / (2.0 * np.pi):.3g} Hz"
        kind = kind if self.where.swings else "non-oscillatory"
        return f"{self.name}: unstable {side} {3.6 * self.speed:.5g} km/h, {kind}"


@dataclass(frozen=True)
class VehicleLocus:
    """A root locus along the speed, and the name of the mode in each of its columns.

    Example:
    >>> import axletree as at
    >>> sedan = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    >>> found = at.vehicle_locus(sedan, [10.0, "144 km/h"])  # m/s
    >>> found.locus.eigenvalues.shape, found.names  # two speeds, three modes
    ((2, 3), ('yaw-sideslip', 'yaw-sideslip', 'speed'))
    """

    locus: RootLocus
    names: tuple[str, ...]
    critical: tuple[CriticalSpeed, ...]

    def __repr__(self) -> str:
        first, last = (3.6 * float(self.locus.values[k]) for k in (0, -1))
        named = few_names(dict.fromkeys(self.names), 6)
        lines = [f"Modes of {self.locus.system} from {first:.4g} km/h to {last:.4g} km/h: {named}"]
        lines += [f"  {one.in_words}" for one in self.critical]
        return "\n".join(lines)


def vehicle_modes(model: Model | str | Path, speed: float | str) -> tuple[NamedMode, ...]:
    """Of a vehicle that runs straight at a speed [m/s or with its unit], the fastest growing first.

    Example:
    >>> import axletree as at
    >>> sedan = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    >>> [mode.name for mode in at.vehicle_modes(sedan, 20.0)]  # m/s
    ['speed', 'yaw-sideslip']
    """
    check_arguments(vehicle_modes, locals())
    return named_modes(straight_running(model_of(model)).at(to_si(speed, "m/s")).linearisation)


def vehicle_locus(
    model: Model | str | Path, speeds: Sequence[float | str] | np.ndarray
) -> VehicleLocus:
    """Along speeds [m/s or with their units] that rise or fall.

    A mode that changes its kind has the name that it has most often; at a critical
    speed it has the one of the nearest point.

    Example:
    >>> import axletree as at
    >>> sedan = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    >>> found = at.vehicle_locus(sedan, [10.0, "144 km/h"])  # m/s
    >>> found.critical, bool(found.locus.is_stable.all())  # it understeers
    ((), True)
    """
    check_arguments(vehicle_locus, locals())
    locus = straight_running(model_of(model)).locus([to_si(speed, "m/s") for speed in speeds])
    count = len(locus.values)
    places = np.unique(np.linspace(0, count - 1, min(count, _MOST_NAMED)).round().astype(int))
    seen = [_names_at(locus, int(k)) for k in places]
    names = [Counter(column).most_common(1)[0][0] for column in zip(*seen, strict=True)]
    critical = []
    for where in locus.critical:
        nearest = int(np.argmin(np.abs(locus.values - where.value)))
        critical.append(CriticalSpeed(where.value, _names_at(locus, nearest)[where.branch], where))
    return VehicleLocus(locus, tuple(names), tuple(critical))


def _names_at(locus: RootLocus, k: int) -> list[str]:
    """Names of the columns at a point, by their eigenvalues there."""
    modes = named_modes(locus.points[k].linearise(keep=locus.states))
    values = np.array([mode.eigenvalue for mode in modes])
    upper = locus.eigenvalues[k].real + 1j * np.abs(locus.eigenvalues[k].imag)
    return [modes[int(np.argmin(np.abs(values - value)))].name for value in upper]
