"""The trajectory: what a run recorded, as named columns with units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from axletree.core.arguments import check_arguments
from axletree.core.errors import SimulationError
from axletree.core.problems import shown
from axletree.core.registry import few_names, unknown_name
from axletree.core.units import to_si, units_in
from axletree.flow import TrajectoryFlow
from axletree.metrics.findings import Finding, finding_in_words
from axletree.model.manoeuvre import Manoeuvre
from axletree.model.model import Model
from axletree.simulation.recording import StepError, StepResidual

_STRETCHES = 100  # of a run, each with its extremes where records are left out
_ROUNDING = 1e-12  # of an instant
_MOST_NAMED = 4  # columns of a kind, where a run is shown in a few lines


class UnknownColumnError(SimulationError, KeyError):
    """A column that the trajectory does not have."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, eq=False)
class RunOrigin:
    """What a run was made of, which its report shows beside the records."""

    model: Model
    manoeuvre: Manoeuvre | None  # at the angle that was found for it; None: the model's own run
    inputs: Mapping[str, Any]
    parameters: Mapping[str, float]  # that are not the model's own


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory(TrajectoryFlow):
    """Columns over time; ``run["pin.angle"]`` is an array as long as ``run.time``.

    Example:
    >>> import axletree as at
    >>> run = at.read_model("pendulum").formulate().simulate(1.0, step=0.1)
    >>> run.names[:2], run.units["pin.rate"], run["pin.angle"].shape
    (('pin.rate', 'pin.angle'), 'rad/s', (11,))
    >>> print(f"{run['pin.angle', 'deg'][0]:.2f} deg")
    17.19 deg
    """

    system: str  # name of the system
    time: NDArray[np.float64]  # s
    columns: Mapping[str, NDArray[np.float64]]  # states first, then outputs
    units: Mapping[str, str]
    states: tuple[str, ...]  # which of the columns are states
    method: str = ""
    complete: bool = True  # False: interrupted, or stopped by a failure
    note: str = ""  # why it is not complete, or is not to be relied on
    elapsed: float = field(default=0.0, compare=False)  # s that the integration took; 0: not known
    steps: int = field(default=0, compare=False)  # that were taken; 0: not counted
    caveat: str = ""  # which recorded reactions the motion does not determine
    residual: StepResidual | None = field(
        default=None, compare=False
    )  # of set-valued forces, if any
    step_error: StepError | None = field(
        default=None, compare=False
    )  # of a step of one length, if it was looked at
    findings: tuple[Finding, ...] = ()  # of a manoeuvre that was driven to its end
    time_name: str = "time"
    origin: RunOrigin | None = field(default=None, compare=False)  # of a run that a model drove

    def __getitem__(self, name: str | tuple[str, str]) -> NDArray[np.float64]:
        """A column in its SI unit, or in another: ``run["pin.rate", "rpm"]``."""
        texts = name if isinstance(name, tuple) and len(name) == 2 else (name,)
        if not all(isinstance(text, str) for text in texts):
            raise UnknownColumnError(
                f"{shown(name)} is no name of a column; expected one, as run['time'], or one and a "
                "unit, as run['pin.rate', 'rpm']"
            )
        if isinstance(name, tuple):
            if name[1] in self:
                raise UnknownColumnError(
                    f"{name[1]!r} is a column, where a unit is expected: one column at a time, as "
                    f'run["{name[0]}"] or run["{name[0]}", "{self.units.get(name[0], "1")}"]'
                )
            column, own = self[name[0]], {self.time_name: "s", **self.units}.get(name[0], "1")
            return units_in(name[1], own) * column
        if name == self.time_name:
            return self.time
        if name not in self.columns:
            message = str(unknown_name("column", name, self.columns, f"the run of {self.system!r}"))
            raise UnknownColumnError(
                f"{message}. Outputs that were not chosen for the run are not recorded."
            )
        return self.columns[name]

    def __contains__(self, name: object) -> bool:
        return name in self.columns or name == self.time_name

    def __len__(self) -> int:
        """The number of records."""
        return len(self.time)

    @property
    def names(self) -> tuple[str, ...]:
        """Of all columns: states first, then outputs."""
        return tuple(self.columns)

    def between(self, first: float | str, last: float | str) -> Trajectory:
        """The records from one instant to another, both included [s].

        Example:
        >>> import axletree as at
        >>> run = at.read_model("pendulum").formulate().simulate(1.0, step=0.1)
        >>> run.between("200 ms", "0.5 s").time.round(1).tolist()  # s
        [0.2, 0.3, 0.4, 0.5]
        """
        begin, end = (to_si(instant, expected="s") for instant in (first, last))
        rounding = _ROUNDING * max(abs(begin), abs(end))
        kept = (self.time >= begin - rounding) & (self.time <= end + rounding)
        if not kept.any():
            raise SimulationError(
                f"the run of {self.system!r} has no records from {begin:g} s to {end:g} s; "
                f"{self._span_in_words}"
            )
        columns = {name: column[kept] for name, column in self.columns.items()}
        return replace(self, time=self.time[kept], columns=columns, findings=())

    def at(self, instant: float | str) -> dict[str, float]:
        """The value of every column at an instant [s], by straight lines between records.

        Example:
        >>> import axletree as at
        >>> run = at.read_model("pendulum").formulate().simulate(1.0, step=0.1)
        >>> before, after = run["pin.angle", "deg"][2:4]
        >>> print(f"{before:.2f}, {57.29578 * run.at('250 ms')['pin.angle']:.2f}, {after:.2f} deg")
        12.43, 9.78, 7.12 deg
        """
        time = to_si(instant, expected="s")
        if not (len(self.time) and self.time[0] <= time <= self.time[-1]):
            raise SimulationError(
                f"the run of {self.system!r} has no record around {time:g} s; {self._span_in_words}"
            )
        return {name: float(np.interp(time, self.time, self[name])) for name in self.names}

    @property
    def _span_in_words(self) -> str:
        if not len(self.time):
            return "it has no records at all"
        return f"its records go from {self.time[0]:g} s to {self.time[-1]:g} s"

    def __repr__(self) -> str:
        """What it is and what it has, in a few lines."""
        outputs = [name for name in self.columns if name not in self.states]
        lines = [
            f"Trajectory of {self.system!r}{f' by {self.method}' if self.method else ''}: "
            f"{len(self)} records; {self._span_in_words}",
            f"  {len(self.states)} states: {few_names(self.states, _MOST_NAMED)}",
            f"  {len(outputs)} outputs: {few_names(outputs, _MOST_NAMED)}",
        ]
        if self.findings:
            found = [f"{one.description} {finding_in_words(one, 4)}" for one in self.findings]
            lines.append(f"  {len(found)} findings: {few_names(found, _MOST_NAMED)}")
        said = self.note or self.caveat
        return "\n".join(lines + ([f"  note: {said}"] if said else []))

    @property
    def final_state(self) -> dict[str, float]:
        """The states of the last record, as ``initial`` takes them: to go on from there."""
        if not len(self.time):
            raise SimulationError(f"the run of {self.system!r} has no records")
        return {name: float(self.columns[name][-1]) for name in self.states}

    def to_pandas(self) -> Any:
        """A DataFrame with the columns' names and the time as its index.

        Example:
        >>> import axletree as at
        >>> run = at.read_model("pendulum").formulate().simulate(1.0, step=0.1)
        >>> run.to_pandas().shape
        (11, 37)
        """
        from axletree.simulation.formats.contract import to_pandas

        return to_pandas(self)

    def to_xarray(self) -> Any:
        """A Dataset over time, each variable with its unit.

        Example:
        >>> import axletree as at
        >>> run = at.read_model("pendulum").formulate().simulate(1.0, step=0.1)
        >>> run.to_xarray()["pin.angle"].attrs["units"]
        'rad'
        """
        from axletree.simulation.formats.contract import to_xarray

        return to_xarray(self)

    def to_csv(self, path: str | Path) -> Path:
        """Text: a header with names and units, one line for each record, exact numbers.

        Example:
        >>> import axletree as at
        >>> run = at.read_model("pendulum").formulate().simulate(1.0, step=0.1, outputs=[])
        >>> run.to_csv("run.csv").read_text().splitlines()[0]
        'time [s],pin.rate [rad/s],pin.angle [rad]'
        """
        check_arguments(Trajectory.to_csv, locals())
        return self.write("csv", path)

    def to_npz(self, path: str | Path) -> Path:
        """A compressed NumPy archive, which ``Trajectory.read`` reads back in full.

        Example:
        >>> import axletree as at
        >>> run = at.read_model("pendulum").formulate().simulate(1.0, step=0.1)
        >>> len(type(run).read(run.to_npz("run.npz")))
        11
        """
        check_arguments(Trajectory.to_npz, locals())
        return self.write("npz", path)

    def to_mat(self, path: str | Path) -> Path:
        """A MATLAB file: struct ``run`` with time, data, names, units.

        Example:
        >>> import axletree as at
        >>> run = at.read_model("pendulum").formulate().simulate(1.0, step=0.1)
        >>> run.to_mat("run.mat").read_bytes()[:10]
        b'MATLAB 5.0'
        """
        check_arguments(Trajectory.to_mat, locals())
        return self.write("mat", path)

    def write(self, kind: str, path: str | Path) -> Path:
        """A file of a kind that `axletree list trajectory-files` names: csv, mdf4, parquet...

        Example:
        >>> import axletree as at
        >>> run = at.read_model("pendulum").formulate().simulate(1.0, step=0.1)
        >>> len(run.write("csv", "run.csv").read_text().splitlines())  # a heading and 11 records
        12
        """
        check_arguments(Trajectory.write, locals())
        from axletree.simulation.formats.contract import write_trajectory

        return write_trajectory(self, kind, Path(path))

    @staticmethod
    def read(path: str | Path) -> Trajectory:
        """What ``write`` or one of its short forms wrote, by the ending of the file's name.

        Example:
        >>> import axletree as at
        >>> run = at.read_model("pendulum").formulate().simulate(1.0, step=0.1)
        >>> copy = type(run).read(run.to_npz("run.npz"))
        >>> bool((copy["pin.angle"] == run["pin.angle"]).all())
        True
        """
        check_arguments(Trajectory.read, locals())
        from axletree.simulation.formats.contract import read_trajectory

        return read_trajectory(Path(path))


def thinned_records(run: Trajectory, names: Iterable[str], most: int) -> NDArray[np.int_]:
    """Which records show a long run: ``most``, evenly, and extremes of recorded columns.

    Of each column among the names that is recorded, the smallest and the largest value within
    every hundredth of the run, so that no peak is lost, however short it is; for names that are
    not recorded, those of the states that they follow from, within every twentieth.

    Example:
    >>> import numpy as np
    >>> from axletree.simulation.trajectory import Trajectory, thinned_records
    >>> time = np.linspace(0.0, 10.0, 100_001)  # s
    >>> force = np.where(time == time[33_333], 11e3, 0.0)  # N, for one record
    >>> run = Trajectory("tyre", time, {"tyre.Fz": force}, {"tyre.Fz": "N"}, ())
    >>> shown = thinned_records(run, ["tyre.Fz"], most=1000)
    >>> len(shown) < 1300, float(run["tyre.Fz"][shown].max())  # N
    (True, 11000.0)
    """
    if len(run) <= most:
        return np.arange(len(run))
    evenly = np.linspace(0, len(run) - 1, most).astype(int)
    return np.unique(np.concatenate([evenly, *peaks_of(run, names, _STRETCHES)]))


def peaks_of(run: Trajectory, names: Iterable[str], stretches: int) -> list[NDArray[np.int_]]:
    """Where the named columns are extreme within each of so many stretches.

    Where some are not recorded, also where states are within a fifth as many: what is computed
    again from the states has its peaks near theirs.

    Example:
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import peaks_of
    >>> run = at.read_model("pendulum").formulate().simulate(1.0, step=0.1, outputs=[])
    >>> len(peaks_of(run, ["pin.angle"], 5)), len(peaks_of(run, ["energy.total"], 5))
    (1, 2)
    """
    wanted = list(names)
    found = [peak_records(run[name], stretches) for name in wanted if name in run]
    if len(found) < len(wanted):
        fewer = max(1, stretches // 5)
        found += [peak_records(run[name], fewer) for name in run.states if name in run]
    return found


def peak_records(column: NDArray[np.float64], stretches: int) -> NDArray[np.int_]:
    """Where a column is smallest and largest within each of so many stretches of equal length.

    Example:
    >>> import numpy as np
    >>> from axletree.simulation.trajectory import peak_records
    >>> peak_records(np.array([0.0, 5.0, 1.0, 2.0, -3.0, 2.0]), 2).tolist()
    [0, 1, 4, 3]
    """
    edges = np.unique(np.linspace(0, len(column), stretches + 1).astype(int))
    ends = [(begin, column[begin:end]) for begin, end in pairwise(edges)]
    found = [begin + k for begin, part in ends for k in (part.argmin(), part.argmax())]
    return np.array(found, dtype=int)
