"""A stepper and FMUs side by side: values are exchanged at a fixed interval, and recorded.

At a communication point every part reads what the others give there, and then all go one
interval on by themselves, with their inputs held (parallel or Jacobi scheme: Kübler and Schiehlen
2000, section 3; of first order in the interval, whatever the methods of the parts).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

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
    >>> from axletree.export.fmu.write import write_fmu
    >>> circuit, here = at.read_model("rlc-circuit"), ["x86_64-linux"]
    >>> file = write_fmu(circuit, "rlc.fmu", outputs=["capacitor.current"], platforms=here)
    >>> motor = at.read_model("pendulum").formulate().stepper(step="1 ms")
    >>> with at.Fmu(file, reads={"source.voltage": "pin.rate"}) as circuit:
    ...     run = at.co_simulate(motor, [circuit], duration="0.1 s", interval="10 ms")
    >>> run.names, len(run)
    (('pin.rate', 'rlc.capacitor.current'), 11)
    """
    over = to_si(interval, expected="s")
    count = round(to_si(duration, expected="s") / over) if over > 0.0 else 0
    if count < 1 or abs(count * over - to_si(duration, expected="s")) > 1e-6 * over:
        raise FmuError(
            f"{duration!r} is no whole number of intervals of {interval!r}; expected both "
            "positive, the one a multiple of the other"
        )
    _check_connections(vehicle, fmus)
    columns = _Columns(vehicle, fmus, record)
    failure: AxletreeError | None = None
    try:
        _begin(vehicle, fmus)
        columns.keep(vehicle.time)
        for _ in range(count):
            _exchange(vehicle, fmus)
            for fmu in fmus:
                fmu.advance(over)
            vehicle.advance(over)
            columns.keep(vehicle.time)
    except AxletreeError as error:
        failure = error
    run = columns.trajectory("" if failure is None else str(failure))
    if failure is not None:
        raise StoppedRunError(f"{vehicle.name}: {failure}", run) from None
    return run


def _check_connections(vehicle: Stepper, fmus: Sequence[Fmu]) -> None:
    where = f"the stepper of {vehicle.name!r}"
    moved: dict[str, str] = {}
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


def _begin(vehicle: Stepper, fmus: Sequence[Fmu]) -> None:
    """FMUs are initialised with what they read at the start."""
    for fmu in fmus:
        for own, read in fmu.reads.items():
            fmu[own] = vehicle[read]
        fmu.begin(vehicle.time)


def _exchange(vehicle: Stepper, fmus: Sequence[Fmu]) -> None:
    for fmu in fmus:
        for own, read in fmu.reads.items():
            fmu[own] = vehicle[read]
    for fmu in fmus:
        for name, given in fmu.sets.items():
            vehicle[name] = fmu[given]


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
        units |= {f"{f.name}.{name}": f.units[name] for f in self.fmus for name in f.outputs}
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
