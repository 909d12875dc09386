"""What a batch found: a table with a row for each member, and the runs that were recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import SimulationError
from axletree.core.files import write_text
from axletree.core.registry import few_names, unknown_name
from axletree.core.text_table import TextTable
from axletree.core.units import units_in
from axletree.model.manoeuvre import Manoeuvre
from axletree.simulation.trajectory import Trajectory

REDUCTIONS: Final = ("minimum", "maximum", "mean", "rms", "final")
_SHOWN: Final = 20  # rows of a table in a notebook
_MOST_NAMED: Final = 4


@dataclass(frozen=True)
class MemberFailure:
    """When a member of a batch failed, and why."""

    time: float  # s
    cause: str


@dataclass(frozen=True, eq=False, repr=False)
class Batch:
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
    columns: Mapping[str, FloatArray]
    units: Mapping[str, str]
    failures: Mapping[int, MemberFailure]
    runs: Mapping[int, Trajectory] = field(repr=False)  # of members that were recorded
    complete: bool = True  # False: interrupted from the keyboard
    elapsed: float = 0.0  # s that the steps of all members took
    work: float = 0.0  # s of the processor, in all threads together
    steps: int = 0  # of all members together
    lanes: int = 1  # vehicles side by side in a core
    manoeuvre: Manoeuvre | None = None  # that all members drove, at the angle found for the model

    def __getitem__(self, name: str | tuple[str, str]) -> FloatArray:
        """A column in its SI unit, or in another: ``found["chassis.rate.maximum", "deg/s"]``."""
        wanted, unit = name if isinstance(name, tuple) else (name, None)
        if wanted not in self.columns:
            message = str(unknown_name("column", wanted, self.columns, "the batch"))
            raise SimulationError(
                f"{message}; columns are what differs, and the minimum, maximum, mean, rms and "
                "final value of what outputs= names"
            )
        column = self.columns[wanted]
        return column if unit is None else units_in(unit, self.units[wanted]) * column

    def __len__(self) -> int:
        return self.members

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

    def _repr_html_(self) -> str:
        """The first rows, as a notebook shows them."""
        headings = tuple(f"{name} [{self.units[name]}]" for name in self.columns)
        rows = tuple(
            (str(k), *(f"{column[k]:.5g}" for column in self.columns.values()))
            for k in range(min(self.members, _SHOWN))
        )
        return TextTable(f"Batch of {self.system}", ("member", *headings), rows).html()

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

    def percentiles(self, name: str, shares: Sequence[float] = (5.0, 50.0, 95.0)) -> FloatArray:
        """The values of a column below which these percentages of the finished members lie.

        Example:
        >>> import axletree as at
        >>> import numpy as np
        >>> pendulum = at.read_model("pendulum").formulate()
        >>> masses = {"rod.mass": np.linspace(1.0, 2.0, 11)}  # kg
        >>> found = pendulum.batch("0.1 s", step="1 ms", parameters=masses)
        >>> found.percentiles("rod.mass", [0, 50]).round(2).tolist()
        [1.0, 1.5]
        """
        found: FloatArray = np.percentile(self[name][self.finished], shares)
        return found

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each member; its ``attrs`` have the units.

        Example:
        >>> import axletree as at
        >>> import numpy as np
        >>> pendulum = at.read_model("pendulum").formulate()
        >>> masses = {"rod.mass": np.array([1.0, 2.0])}  # kg
        >>> pendulum.batch("0.1 s", step="1 ms", parameters=masses).to_pandas().shape
        (2, 11)
        """
        try:
            import pandas
        except ImportError:
            raise SimulationError("tables of pandas need it: axletree[pandas]") from None
        frame = pandas.DataFrame(dict(self.columns))
        frame.index.name = "member"
        frame.attrs["units"] = {name: self.units[name] for name in self.columns}
        return frame

    def to_xarray(self) -> Any:
        """A Dataset over the members, each variable with its unit.

        Example:
        >>> import axletree as at
        >>> import numpy as np
        >>> pendulum = at.read_model("pendulum").formulate()
        >>> masses = {"rod.mass": np.array([1.0, 2.0])}  # kg
        >>> found = pendulum.batch("0.1 s", step="1 ms", parameters=masses).to_xarray()
        >>> found["rod.mass"].attrs["units"]
        'kg'
        """
        try:
            import xarray
        except ImportError:
            raise SimulationError("datasets of xarray need it: axletree[xarray]") from None
        variables = {
            name: ("member", column, {"units": self.units[name]})
            for name, column in self.columns.items()
        }
        return xarray.Dataset(variables, coords={"member": np.arange(self.members)})

    def to_parquet(self, path: str | Path) -> Path:
        """A Parquet file of the table, with units in the metadata of its columns.

        Example:
        >>> import axletree as at
        >>> import numpy as np
        >>> pendulum = at.read_model("pendulum").formulate()
        >>> masses = {"rod.mass": np.array([1.0, 2.0])}  # kg
        >>> pendulum.batch("0.1 s", step="1 ms", parameters=masses).to_parquet("found.parquet").name
        'found.parquet'
        """
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError:
            raise SimulationError("Parquet files need pyarrow: axletree[parquet]") from None
        fields = [
            pyarrow.field(name, pyarrow.float64(), metadata={"unit": self.units[name]})
            for name in self.columns
        ]
        content = pyarrow.table(list(self.columns.values()), schema=pyarrow.schema(fields))
        parquet.write_table(content, str(path))
        return Path(path)

    def to_csv(self, path: str | Path) -> Path:
        """A file of comma-separated values, with names and units in its first line.

        Example:
        >>> import axletree as at
        >>> import numpy as np
        >>> pendulum = at.read_model("pendulum").formulate()
        >>> masses = {"rod.mass": np.array([1.0, 2.0])}  # kg
        >>> found = pendulum.batch("0.1 s", step="1 ms", parameters=masses)
        >>> found.to_csv("found.csv").read_text().splitlines()[0][:25]
        'member,rod.mass [kg],pin.'
        """
        heads = ["member", *(f"{name} [{self.units[name]}]" for name in self.columns)]
        rows = np.column_stack(list(self.columns.values()))
        lines = [f"{k},{','.join(map(repr, row))}" for k, row in enumerate(rows.tolist())]
        write_text(path, "\n".join([",".join(heads), *lines, ""]))
        return Path(path)
