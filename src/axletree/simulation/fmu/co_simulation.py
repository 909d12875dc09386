"""A stepper and FMUs side by side: values are exchanged at a fixed interval, and recorded.

At a communication point every part reads what the others give there, and then all go one
interval on by themselves, with their inputs held: the parallel scheme of Kübler and Schiehlen 2000
(Two methods of simulator coupling). It is of first order in the interval, whatever the methods of
the parts are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from axletree.core.arguments import check_arguments
from axletree.core.errors import AxletreeError
from axletree.core.registry import refuse_unknown
from axletree.core.units import to_si
from axletree.simulation.fmu.archive import FmuError
from axletree.simulation.fmu.fmu import Fmu
from axletree.simulation.simulate import StoppedRunError
from axletree.simulation.stepper.stepper import Stepper
from axletree.simulation.trajectory import Trajectory


def co_simulate(
    vehicle: Stepper,
    fmus: Sequence[Fmu],
    *,
    duration: float | str,
    interval: float | str,
    record: Sequence[str] = (),
) -> Trajectory:
    """Run a stepper with FMUs for a duration [s], and exchange values each interval [s].

    Every FMU says itself what it ``reads`` and ``sets``. Recorded are the quantities of ``record``
    of the stepper, what FMUs read and set, and all outputs of FMUs under their names. Where one of
    them fails, ``StoppedRunError`` has the records until then.

    Example:
    >>> import axletree as at
    >>> car, here = at.read_model("bicycle-car"), ["x86_64-linux"]
    >>> file = at.write_fmu(car, "twin.fmu", outputs=["front_tyre.Fy"], platforms=here)
    >>> vehicle = car.stepper(step="1 ms", outputs=[])
    >>> with at.Fmu(file, reads={"steer.angle": "steer.angle"}) as twin:
    ...     run = at.co_simulate(vehicle, [twin], duration="0.1 s", interval="10 ms")
    >>> run.names, len(run)
    (('steer.angle', 'twin.front_tyre.Fy'), 11)
    """
    check_arguments(co_simulate, locals())
    over = to_si(interval, expected="s")
    count = round(to_si(duration, expected="s") / over) if over > 0.0 else 0
    if count < 1 or abs(count * over - to_si(duration, expected="s")) > 1e-6 * over:
        raise FmuError(
            f"{duration!r} is no whole number of intervals of {interval!r}; expected both "
            "positive, the one a multiple of the other"
        )
    links = _links(vehicle, fmus)
    columns = _Columns(vehicle, fmus, record)
    try:
        for link in links:
            link.read()
        for fmu in fmus:
            fmu.begin(vehicle.time)
        columns.keep(vehicle.time)
        for _ in range(count):
            for link in links:
                link.read()
            for link in links:
                link.set()
            for fmu in fmus:
                fmu.advance(over)
            vehicle.advance(over)
            columns.keep(vehicle.time)
    except KeyboardInterrupt:
        return columns.trajectory("interrupted from the keyboard")
    except AxletreeError as error:
        run = columns.trajectory(str(error))
        raise StoppedRunError(f"{vehicle.name}: {error}", run) from None
    return columns.trajectory("")


@dataclass(frozen=True)
class _Link:
    """A stepper and an FMU, with what goes to and fro: pairs of names, and a factor of units."""

    vehicle: Stepper
    fmu: Fmu
    reads: tuple[tuple[str, str, float], ...]
    sets: tuple[tuple[str, str, float], ...]

    def read(self) -> None:
        for own, name, factor in self.reads:
            self.fmu[own] = self.vehicle[name] * factor

    def set(self) -> None:
        for name, own, factor in self.sets:
            self.vehicle[name] = self.fmu[own] / factor


def _links(vehicle: Stepper, fmus: Sequence[Fmu]) -> list[_Link]:
    where = f"the stepper of {vehicle.name!r}"
    units, moved, found = vehicle.units, dict[str, str](), []
    names = [fmu.name for fmu in fmus]
    for fmu in fmus:
        if names.count(fmu.name) > 1:
            raise FmuError(f"two FMUs have the name {fmu.name!r}; give each a name of its own")
        refuse_unknown("quantity", fmu.reads.values(), vehicle.readable_names, where)
        refuse_unknown("input", fmu.sets, vehicle.input_names, where)
        for name in fmu.sets:
            if name in moved:
                raise FmuError(f"{name!r} is set by {moved[name]!r} and by {fmu.name!r}")
            moved[name] = fmu.name
        reads = [(a, b, fmu.unit_factor(a, b, units[b])) for a, b in fmu.reads.items()]
        sets = [(a, b, fmu.unit_factor(b, a, units[a])) for a, b in fmu.sets.items()]
        found.append(_Link(vehicle, fmu, tuple(reads), tuple(sets)))
    return found


class _Columns:
    """What is recorded of a stepper and of FMUs."""

    def __init__(self, vehicle: Stepper, fmus: Sequence[Fmu], record: Sequence[str]) -> None:
        refuse_unknown(
            "quantity", record, vehicle.readable_names, f"the stepper of {vehicle.name!r}"
        )
        connected = [name for fmu in fmus for name in (*fmu.reads.values(), *fmu.sets)]
        self.own = list(dict.fromkeys([*record, *connected]))
        self.vehicle, self.fmus = vehicle, fmus
        self.rows: list[list[float]] = []

    def keep(self, time: float) -> None:
        given = [fmu[name] for fmu in self.fmus for name in fmu.outputs]
        self.rows.append([time, *(self.vehicle[name] for name in self.own), *given])

    def trajectory(self, note: str) -> Trajectory:
        own = self.vehicle.units
        units = {name: own[name] for name in self.own}
        units |= {f"{f.name}.{name}": f.units[name] or "1" for f in self.fmus for name in f.outputs}
        rows = np.array(self.rows).reshape(len(self.rows), 1 + len(units))
        return Trajectory(
            system=self.vehicle.name,
            time=rows[:, 0],
            columns={name: rows[:, 1 + k] for k, name in enumerate(units)},
            units=units,
            states=(),
            method=self.vehicle.prepared.method.name,
            complete=not note,
            note=note,
        )
