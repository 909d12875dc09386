"""``identify``: which parameters a measured drive tells, by maximum likelihood.

Measured values are those of the model with its true parameters plus white noise, whose deviation
is given or found with the parameters. The most likely parameters make the sum of squared
residuals over deviations least (Ljung 1999, section 7.4), found by multiple shooting
(``gauss_newton``). Stretches begin at states of a Kalman filter where a run from the start
parameters leaves the measurement: so a start from which a car spins is no hindrance.
"""

from __future__ import annotations

import enum
import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from axletree.analysis.identification.evidence import (
    coloured_covariance,
    cramer_rao,
    undetermined,
    whiteness,
)
from axletree.analysis.identification.gauss_newton import (
    CLOSED_GAP,
    DESCENT,
    JOINED,
    LEAST_PENALTY,
    LOOSE_JOINING,
    SHORTEST_SHARE,
    MultipleShooting,
    Reduced,
    ShootingStage,
    bounded_step,
    is_settled,
)
from axletree.analysis.identification.identification import (
    FittedRecord,
    FoundUnknown,
    Identification,
)
from axletree.analysis.identification.kalman_filters import KalmanFilter
from axletree.analysis.identification.records import (
    MeasuredDrive,
    Record,
    drive_instant,
    make_record,
    planned_drive,
    refuse_constraints,
)
from axletree.analysis.identification.sensor_model import SensorModel, needed_outputs
from axletree.analysis.identification.shooting import Shooting, StretchGrid
from axletree.analysis.identification.unknowns import (
    Bounds,
    IdentificationError,
    ParameterMap,
    SoughtValue,
    find_unknowns,
)
from axletree.analysis.linear.stable_step import stable_step
from axletree.analysis.measurements.measurement import Measurement, read_measurement
from axletree.analysis.measurements.replay import ReplayedDrive
from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.progress import Progress
from axletree.core.registry import few_names, refuse_unknown
from axletree.core.units import UnitError, to_si
from axletree.model.model import Model
from axletree.model_files.read import model_of
from axletree.simulation.system_functions import functions
from axletree.system.edit import with_smooth_forces
from axletree.system.formulation import formulate
from axletree.system.system import System

_STRETCH: Final = 0.5  # s
_STEP: Final = 5e-3  # s
_STABLE: Final = 0.4  # of the longest stable step: so much do modes of a drive differ
_MOST_STEPS: Final = 60  # of the method of Gauss and Newton, with one noise
_FEW_STEPS: Final = 15  # likewise, while states join loosely
_MOST_NOISES: Final = 8  # times the noise is found anew
_SAME_NOISE: Final = 0.01  # share by which it changes in the last
_FAR: Final = 0.5  # of a channel's own deviation: a run that is so far off is no start
_HUBER: Final = 1.345  # deviations from which on a residual counts less (Huber 1981)
_FIRST_NOISE: Final = 2e-3  # of a channel's deviation, at least, before it is known
_GAINED: Final = 1e-2  # of half the sum of squares: less is far within what noise makes of it
_MATTERS: Final = {"m": 1e-3, "rad": 1e-3, "m/s": 1e-2, "rad/s": 1e-2}  # of states that rest
_MATTERS_ELSE: Final = 1e-2
_EXACT: Final = 1e-3  # of the noise: residuals below it are of rounding
_FINEST: Final = 1e-4  # of a channel's deviation: steps and splines are not finer
_WANDER: Final = 0.5  # of a state's size in a second, of the filter that starts stretches

Measured = Measurement | str | Path


class Loss(enum.Enum):
    """What residuals count.

    Example:
    >>> import axletree as at
    >>> [loss.value for loss in at.Loss]
    ['squares', 'huber']
    """

    SQUARES = "squares"
    HUBER = "huber"  # squares, but for outliers, which count by their size


def identify(
    model: Model | str | Path,
    measured: Measured | Sequence[Measured],
    parameters: Sequence[str] | Mapping[str, Bounds | None],
    *,
    channels: Sequence[str] | Mapping[str, float | str | None] | None = None,
    columns: str | Path | Mapping[str, Any] | None = None,
    start: Mapping[str, float | str] | None = None,
    inputs: Mapping[str, float | str] | None = None,
    validate: Measured | Sequence[Measured] = (),
    by: ReplayedDrive | None = None,
    loss: Loss = Loss.SQUARES,
    stretch: float | str = _STRETCH,
    step: float | str | None = None,
    interval: float | str | None = None,
) -> Identification:
    """Find parameters of a model from measured drives, with limits and what the data leave open.

    Parameters
    ----------
    measured: one or several records, read by ``read_measurement`` with ``columns`` as its channel
        file. Vehicles are driven by the measured steering wheel, and by measured pedals or the
        measured speed (``by``); other models by their measured inputs.
    parameters: names, or bounds by name (None: a tenth and ten times the start): a parameter of
        the equations ("body.mass"), a place of the model's file
        ("vehicle.axles.front.tyre.law.dFy0_1"), or "channel:offset", ":scale", ":delay", and of
        accelerometers ":ahead" [m] and ":turn" [rad].
    channels: names of the measured quantities that are fitted, or their noise (standard
        deviations, None where it is to be found); left out: all that the model has and that do
        not drive it.
    start: values to start from; left out: those of the model.
    inputs: levels of inputs that are not measured.
    validate: records that are held back, over which free runs are held.
    stretch, step: length [s] of a stretch and the longest step in it, left out one that is stable;
        interval: [s] between samples, of which fewer may do.

    Example:
    >>> import axletree as at
    >>> swing = at.read_model("pendulum")
    >>> run = swing.formulate().simulate("4 s", step="1 ms", record_interval="20 ms")
    >>> noise = {"pin.angle": 1e-3}  # rad
    >>> found = at.identify(swing, run.to_csv("swing.csv"), ["gravity.z"], channels=noise)
    >>> print(f"{found['gravity.z']:.3f} m/s^2")
    -9.807 m/s^2
    """
    check_arguments(identify, locals())
    model = model_of(model)
    records = _read(measured, columns, "measured")
    held_back = _read(validate, columns, "validate", at_least=0)
    drives = [planned_drive(model, one, by, inputs or {}) for one in records]
    if len({type(one.manoeuvre) for one in drives}) > 1:
        raise IdentificationError(
            "some records drive the vehicle by pedals, others by their speed; say which (by, "
            "--by) for all of them"
        )
    changes = drives[0].changes
    driven = model.with_changes(changes) if changes else model
    system = with_smooth_forces(formulate(driven))
    refuse_constraints(system)
    noise = _channels(system, records, channels)
    units = _units(system)
    unknowns = find_unknowns(
        parameters, start or {}, driven, system, {name: units[name] for name in noise}
    )
    fit = _Fit(driven, system, unknowns, noise, loss)
    found = fit.of_drives(
        drives,
        to_si(stretch, expected="s"),
        None if step is None else to_si(step, expected="s"),
        None if interval is None else to_si(interval, expected="s"),
    )
    return found.validated(model, held_back, by) if held_back else found


def _read(
    given: Measured | Sequence[Measured],
    columns: str | Path | Mapping[str, Any] | None,
    word: str,
    at_least: int = 1,
) -> list[Measurement]:
    several = [given] if isinstance(given, Measurement | str | Path) else list(given)
    if len(several) < at_least:
        raise IdentificationError(f"{word}: no measurement is given")
    return [
        one if isinstance(one, Measurement) else read_measurement(one, columns) for one in several
    ]


def _units(system: System) -> dict[str, str]:
    outputs = {one.quantity.name: one.quantity.unit for one in system.outputs}
    return outputs | {q.name: q.unit for q in system.states}


def _channels(
    system: System,
    records: Sequence[Measurement],
    given: Sequence[str] | Mapping[str, float | str | None] | None,
) -> dict[str, float | None]:
    """What is fitted, and its noise where it is given."""
    units = _units(system)
    if given is None:
        inputs = {q.name for q in system.inputs}
        found = [n for n in records[0].names if n in units and n not in inputs]
        if not found:
            raise IdentificationError(
                f"{records[0].source} has no channel that {system.name} computes: "
                f"{few_names(records[0].names, 8)}; a channel file says which column is which"
            )
        moving = [n for n in found if any(np.ptp(one[n]) for one in records if n in one)]
        return dict.fromkeys(moving or found)  # of nothing that moves it is told that it does not
    listed = dict(given) if isinstance(given, Mapping) else dict.fromkeys(given)
    refuse_unknown("quantity", listed, units, f"{system.name}, of its outputs and states")
    noise: dict[str, float | None] = {}
    for name, value in listed.items():
        try:
            noise[name] = None if value is None else to_si(value, expected=units[name])
        except UnitError as error:
            raise IdentificationError(f"noise of {name}: {error}") from None
        size = noise[name]
        if size is not None and not (math.isfinite(size) and size > 0.0):
            raise IdentificationError(f"noise of {name} is {value!r}; expected more than 0")
    return noise


@dataclass
class _Fit:
    """A model, what is sought in it, and the noise of its channels."""

    model: Model
    system: System
    unknowns: tuple[SoughtValue, ...]
    given_noise: Mapping[str, float | None]
    loss: Loss

    def __post_init__(self) -> None:
        self.channels = tuple(self.given_noise)
        self.outputs = tuple(dict.fromkeys([*self.channels, *needed_outputs(self.unknowns)]))
        self.map = ParameterMap(self.unknowns, self.model, self.system)
        states = {q.name for q in self.system.states}
        rows = [name for name in self.outputs if name not in states]
        self.functions = functions(
            self.system, "f", "jacobian", outputs=rows, by_parameters=self.map.names
        )
        others = len(self.functions.states) + len(self.functions.inputs)
        self.map.names = self.functions.columns[others:]  # in the order that they have there
        self.lower = np.array([one.lower for one in self.unknowns])
        self.upper = np.array([one.upper for one in self.unknowns])
        self.sizes = np.array([one.size for one in self.unknowns])

    def of_drives(
        self,
        drives: Sequence[MeasuredDrive],
        stretch: float,
        step: float | None,
        interval: float | None,
    ) -> Identification:
        """The fit to all records."""
        if not stretch > 0.0 or (step is not None and not step > 0.0):
            raise IdentificationError("stretches and steps last longer than 0 s")
        records, grids = [], []
        for drive in drives:
            step = step or self._stable_step(drive)
            spacing = interval or drive.measurement.interval
            steps = max(math.ceil(spacing / step - 1e-9), 1)
            record = make_record(drive, self.system, self.channels, steps, interval)
            length = min(max(round(stretch / record.interval), 2), len(record.time))
            records.append(record)
            grids.append(StretchGrid(len(record.time), length, steps, record.interval))
        self.records, self.grids = records, grids
        found = np.array([one.start for one in self.unknowns])
        noise = self._first_noise()
        sensors = SensorModel(self.unknowns, self.channels, self.outputs)
        begun = [self._first_states(k, found, noise) for k in range(len(records))]
        starts = [states for states, _ in begun]
        sizes = self._state_sizes(starts)
        shooting = Shooting(self.functions, self.outputs)
        first = [states[0] for states in starts]
        problem = MultipleShooting(shooting, records, grids, sensors, sizes, first)
        far = any(is_far for _, is_far in begun)
        return _Search(self, problem, noise, far).result(found, starts)

    def _stable_step(self, drive: MeasuredDrive) -> float:
        """[s], at the first state."""
        states, inputs = drive_instant(drive, self.system)
        bound = stable_step(self.system, "rk4", states, inputs=inputs).step
        return min(_STEP, _STABLE * bound) if bound > 0.0 else _STEP

    def p(self, found: FloatArray) -> FloatArray:
        """The parameters that move, in the order of the functions."""
        values = self.map.values(found)
        return np.array([values[name] for name in self.map.names])

    def _first_noise(self) -> FloatArray:
        """As given, or by second differences, in which white noise has 6 times its variance and a
        motion that is sampled often hardly any."""
        bends = np.vstack([np.diff(one.measured, 2, axis=0) for one in self.records])
        spread = np.max([one.measured.std(axis=0) for one in self.records], axis=0)
        guessed = np.maximum(np.median(np.abs(bends), axis=0) / (0.6745 * math.sqrt(6.0)),
                             _FIRST_NOISE * spread)  # fmt: skip
        given = self.given_noise.values()
        return np.array([g if n is None else n for g, n in zip(guessed, given, strict=True)])

    def _state_sizes(self, starts: Sequence[FloatArray]) -> FloatArray:
        """Of each state over the records, and at least what matters of its unit."""
        spread = np.vstack(starts)
        sizes = np.maximum(spread.std(axis=0), 0.1 * np.abs(spread).max(axis=0))
        least = [_MATTERS.get(q.unit, _MATTERS_ELSE) for q in self.system.states]
        return np.asarray(np.maximum(sizes, least))

    def _first_states(
        self, k: int, found: FloatArray, noise: FloatArray
    ) -> tuple[FloatArray, bool]:
        """Of all stretches: a run with the start parameters, or a filter's where that is far."""
        record, grid = self.records[k], self.grids[k]
        states = self._run(record, grid, self.p(found))
        is_far = states is None or self._is_far(record, states, found)
        if states is None or is_far:
            states = self._filtered(record, grid, found, noise)
        return states[:: grid.length][: grid.count], is_far

    def _run(self, record: Record, grid: StretchGrid, p: FloatArray) -> FloatArray | None:
        """States at all samples, of one run; None where it does not stay finite."""
        n, f, h = len(record.initial), self.functions.f, grid.step
        states = np.empty((grid.samples, n))
        x = states[0] = record.initial
        with np.errstate(all="ignore"):
            for sample in range(1, grid.samples):
                for step in range(grid.steps):
                    at = 2 * ((sample - 1) * grid.steps + step)
                    u = record.inputs[at : at + 3]
                    k1 = f(x, u[0], p)[:n]
                    k2 = f(x + 0.5 * h * k1, u[1], p)[:n]
                    k3 = f(x + 0.5 * h * k2, u[1], p)[:n]
                    k4 = f(x + h * k3, u[2], p)[:n]
                    x = x + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
                states[sample] = x
                if not np.isfinite(x).all():
                    return None
        return states

    def _is_far(self, record: Record, states: FloatArray, found: FloatArray) -> bool:
        every = 2 * self.grids[0].steps
        values = self.functions.f(states, record.inputs[::every][: len(states)], self.p(found))
        names = self.functions.states
        for c, name in enumerate(self.channels):
            run = (
                states[:, names.index(name)]
                if name in names
                else values[:, self.functions.rows.index(name, len(names))]
            )
            off, measured = run - record.measured[:, c], record.measured[:, c]
            # By both: outliers move the one, and long rests make the other small.
            near = [by(off) <= _FAR * by(measured) for by in (np.std, _spread)]
            if not any(near):
                return True
        return False

    def _filtered(
        self, record: Record, grid: StretchGrid, found: FloatArray, noise: FloatArray
    ) -> FloatArray:
        """States at all samples by an extended Kalman filter with the start parameters."""
        names, n = self.functions.states, len(record.initial)
        own = {q.name: q.default for q in self.system.parameters} | self.map.values(found)
        system = replace(
            self.system,
            parameters=type(self.system.parameters)(
                [replace(q, default=own[q.name]) for q in self.system.parameters]
            ),
        )
        sizes = np.maximum(np.abs(record.initial), 0.1)
        wander = dict(zip(names, (_WANDER * sizes).tolist(), strict=True))
        watch = KalmanFilter(
            system, dict(zip(self.channels, noise.tolist(), strict=True)), process_noise=wander,
            deviations=dict(zip(names, (0.1 * sizes).tolist(), strict=True)), step=grid.step,
        )  # fmt: skip
        watch.mean = np.concatenate([record.initial, watch.mean[n:]])
        every = 2 * grid.steps
        inputs = {name: record.inputs[::every, k] for k, name in enumerate(self.functions.inputs)}
        measured = dict(zip(self.channels, record.measured.T, strict=True))
        with np.errstate(all="ignore"):
            return watch.run(record.time, measured, inputs).means[:, :n]


def _spread(values: FloatArray) -> float:
    """About the median, which outliers do not move."""
    return float(np.median(np.abs(values - np.median(values))))


@dataclass
class _Search:
    """Steps of Gauss and Newton until nothing moves, and the noise with them."""

    fit: _Fit
    problem: MultipleShooting
    noise: FloatArray
    loosely: bool  # whether states join bit by bit, from a start that is far off
    steps: int = 0

    def result(self, found: FloatArray, starts: Sequence[FloatArray]) -> Identification:
        weights: list[FloatArray] | None = None
        for joining in LOOSE_JOINING if self.loosely else ():
            with Progress(_MOST_STEPS, "coming near", "steps") as progress:
                stage, _, _ = self._settled(found, starts, None, progress, joining, _FEW_STEPS)
            found, starts, self.steps = stage.found, stage.starts, 0
        with Progress(_MOST_STEPS, "identifying", "steps") as progress:
            for _ in range(_MOST_NOISES):
                stage, reduced, settled = self._settled(found, starts, weights, progress)
                found, starts = stage.found, stage.starts
                if not settled:
                    return self._identification(stage, reduced, weights, settled)
                noise = self._found_noise(stage, weights)
                change = float(np.abs(noise / self.noise - 1.0).max())
                self.noise = noise
                new = self._weights(found, starts)
                same = change <= _SAME_NOISE and self.fit.loss is Loss.SQUARES
                if same or (self.fit.loss is Loss.HUBER and change <= _SAME_NOISE and weights):
                    break
                weights = new
            stage, reduced, settled = self._settled(found, starts, weights, progress)
        return self._identification(stage, reduced, weights, settled)

    def _weights(self, found: FloatArray, starts: Sequence[FloatArray]) -> list[FloatArray] | None:
        """Roots of the weights of residuals that count by their size (Huber 1981, section 7.8)."""
        if self.fit.loss is Loss.SQUARES:
            return None
        stage = self.problem.stage(found, self.fit.p(found), starts, self.noise)
        assert stage is not None
        return [np.sqrt(np.minimum(1.0, _HUBER / np.maximum(np.abs(r), 1e-12)))
                for r in stage.residuals]  # fmt: skip

    def _settled(
        self,
        found: FloatArray,
        starts: Sequence[FloatArray],
        weights: Sequence[FloatArray] | None,
        progress: Progress,
        joining: float = JOINED,
        most: int = _MOST_STEPS,
    ) -> tuple[ShootingStage, list[Reduced], bool]:
        fit, problem = self.fit, self.problem
        stage = problem.stage(found, fit.p(found), starts, self.noise, weights)
        if stage is None:
            raise IdentificationError(
                "from the start values a state is not finite within a stretch: start from other "
                "values, or take shorter stretches"
            )
        penalty, last = LEAST_PENALTY, self.steps + most
        while True:
            slopes = fit.map.slopes(stage.found)
            reduced = problem.reduced(stage, slopes, fit.sizes, self.noise, weights, joining)
            step, linear = bounded_step(reduced, stage.found, fit.lower, fit.upper, fit.sizes)
            if is_settled(step, reduced, stage, joining):
                return stage, reduced, True
            if self.steps >= last:
                return stage, reduced, False
            if stage.jump > 0.0:
                penalty = max(penalty, 2.0 * (linear - stage.squares) / stage.jump)
            merit, share = stage.merit(joining, penalty), 1.0
            fall = merit - linear
            while True:
                moved = problem.moved(stage, reduced, step, share)
                trial_at = np.clip(stage.found + share * fit.sizes * step, fit.lower, fit.upper)
                trial = problem.stage(trial_at, fit.p(trial_at), moved, self.noise, weights)
                self.steps += 1
                if trial is not None and (
                    trial.merit(joining, penalty) <= merit - DESCENT * share * fall
                ):
                    gained, stage = merit - trial.merit(joining, penalty), trial
                    break
                share *= 0.5
                if share < SHORTEST_SHARE:  # no direction leads down any more but for rounding
                    return stage, reduced, stage.largest_gap < CLOSED_GAP
            progress.show(min(self.steps, _MOST_STEPS))
            if gained < _GAINED and stage.largest_gap < CLOSED_GAP:
                slopes = fit.map.slopes(stage.found)
                return stage, problem.reduced(stage, slopes, fit.sizes, self.noise, weights), True

    def _found_noise(
        self, stage: ShootingStage, weights: Sequence[FloatArray] | None
    ) -> FloatArray:
        """Standard deviations of the channels: as given, or of the residuals."""
        plain = [r if weights is None else r / weights[k] for k, r in enumerate(stage.residuals)]
        residuals = np.vstack(plain)
        count = residuals.size
        sought = len(self.fit.unknowns) + len(self.fit.records) * len(self.fit.system.states)
        if weights is None:
            rms = np.sqrt(np.square(residuals).mean(axis=0) * count / max(count - sought, 1))
        else:  # of the middle of the residuals, which outliers do not move
            rms = np.median(np.abs(residuals), axis=0) / 0.6745
        given = self.fit.given_noise.values()
        spread = np.max([one.measured.std(axis=0) for one in self.fit.records], axis=0)
        return np.array([
            max(float(s * r), _FINEST * w) if n is None else n
            for s, r, w, n in zip(self.noise, rms, spread, given, strict=True)
        ])  # fmt: skip

    def _identification(
        self,
        stage: ShootingStage,
        reduced: Sequence[Reduced],
        weights: Sequence[FloatArray] | None,
        settled: bool,
    ) -> Identification:
        fit, found = self.fit, stage.found
        if not settled:
            warnings.warn(
                f"the fit did not settle in {self.steps} steps; values are those of the last one: "
                "try other starts or bounds, or fewer unknowns",
                stacklevel=5,
            )
        slopes = fit.map.slopes(found)
        jacobians = self.problem.eliminated(stage, reduced, slopes, fit.sizes, self.noise, weights)
        J = np.vstack([one.reshape(-1, len(found)) for one in jacobians])
        least = cramer_rao(J, fit.sizes)
        names, units = [one.name for one in fit.unknowns], _units(fit.system)
        records = []
        for k, record in enumerate(fit.records):
            plain = stage.residuals[k] if weights is None else stage.residuals[k] / weights[k]
            tests = tuple(
                whiteness(name, plain[stage.predictions[k].known[:, c], c])
                for c, name in enumerate(fit.channels)
            )
            records.append(FittedRecord(
                record.source, record.time, fit.channels,
                tuple(units[name] for name in fit.channels), record.measured,
                stage.predictions[k].values, plain * self.noise, tests,
            ))  # fmt: skip
        is_white = all(test.is_white for one in records for test in one.whiteness)
        fitted = max(float(np.abs(r).mean()) for r in stage.residuals)
        is_white |= fitted < _EXACT
        covariance = least
        if not is_white:
            coloured = coloured_covariance(jacobians, stage.residuals, least)
            larger = np.maximum(np.diag(coloured), np.diag(least))
            scale = np.sqrt(larger / np.maximum(np.diag(coloured), 1e-300))
            covariance = coloured * np.outer(scale, scale)
        at_bounds = [
            one.name
            for one, x in zip(fit.unknowns, found, strict=True)
            if min(x - one.lower, one.upper - x) <= 1e-9 * one.size
        ]
        values = fit.map.values(found)
        return Identification(
            fit.model.name,
            tuple(
                FoundUnknown(one, float(x), float(math.sqrt(v)))
                for one, x, v in zip(fit.unknowns, found, np.diag(covariance), strict=True)
            ),
            covariance, least,
            dict(zip(fit.channels, self.noise.tolist(), strict=True)),
            tuple(records), values,
            undetermined(
                names, np.array([u.start for u in fit.unknowns]), found, fit.sizes, covariance, J
            ),
            tuple(at_bounds), is_white, settled, self.steps, fit.model,
        )  # fmt: skip
