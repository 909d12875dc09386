"""Columns by name with a unit each, a row for each car, and the forms in which others take them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import SimulationError
from axletree.core.files import write_text
from axletree.core.registry import unknown_name
from axletree.core.text_table import TextTable
from axletree.core.units import units_in

SHOWN_ROWS = 20  # of a table in a notebook


@dataclass(frozen=True, eq=False, repr=False)
class ValueTable(ABC):
    """A row for each car, in SI units."""

    columns: Mapping[str, FloatArray]
    units: Mapping[str, str]

    @property
    @abstractmethod
    def finished(self) -> np.ndarray:
        """Which rows have all their values."""

    @property
    @abstractmethod
    def title(self) -> str:
        """Over the table, as a notebook shows it."""

    def __len__(self) -> int:
        return len(self.finished)

    def __getitem__(self, name: str | tuple[str, str]) -> FloatArray:
        """A column in its SI unit, or in another: ``found["chassis.rate.maximum", "deg/s"]``."""
        wanted, unit = name if isinstance(name, tuple) else (name, None)
        if wanted not in self.columns:
            message = str(unknown_name("column", wanted, self.columns, self.place))
            raise SimulationError(f"{message}; {self.advice}")
        column = self.columns[wanted]
        return column if unit is None else units_in(unit, self.units[wanted]) * column

    place = "the table"  # in messages of columns that are not there, with what to do
    advice = "columns are what differs, and what was found"

    def _repr_html_(self) -> str:
        """The first rows, as a notebook shows them."""
        headings = tuple(f"{name} [{self.units[name]}]" for name in self.columns)
        rows = tuple(
            (str(k), *(f"{column[k]:.5g}" for column in self.columns.values()))
            for k in range(min(len(self), SHOWN_ROWS))
        )
        return TextTable(self.title, ("member", *headings), rows).html()

    def percentiles(self, name: str, shares: Sequence[float] = (5.0, 50.0, 95.0)) -> FloatArray:
        """The values of a column below which these percentages of the finished members lie.

        Members of which the run does not show the value are left out.

        Example:
        >>> import axletree as at
        >>> import numpy as np
        >>> pendulum = at.read_model("pendulum").formulate()
        >>> masses = {"rod.mass": np.linspace(1.0, 2.0, 11)}  # kg
        >>> found = pendulum.batch("0.1 s", step="1 ms", parameters=masses)
        >>> found.percentiles("rod.mass", [0, 50]).round(2).tolist()
        [1.0, 1.5]
        """
        values = self[name][self.finished]
        known = values[~np.isnan(values)]
        if not len(known):
            return np.full(len(shares), np.nan)
        found: FloatArray = np.percentile(known, shares)
        return found

    def to_numpy(self) -> Any:
        """A structured array: a record for each member, a field for each column.

        Example:
        >>> import axletree as at
        >>> import numpy as np
        >>> pendulum = at.read_model("pendulum").formulate()
        >>> masses = {"rod.mass": np.array([1.0, 2.0])}  # kg
        >>> found = pendulum.batch("0.1 s", step="1 ms", parameters=masses).to_numpy()
        >>> found["rod.mass"].tolist(), len(found[0])
        ([1.0, 2.0], 11)
        """
        found = np.empty(len(self), dtype=[(name, np.float64) for name in self.columns])
        for name, column in self.columns.items():
            found[name] = column
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
        return xarray.Dataset(variables, coords={"member": np.arange(len(self))})

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
