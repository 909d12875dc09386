"""The contract of metrics: what the run of any manoeuvre is measured for,
by the names that vehicles share.

Fields of metrics and manoeuvres may hold names of outputs that findings are made of; what they
name is recorded. The metrics themselves stand beside it.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from axletree.components.fields import Part, checked_name, part_fields, structure
from axletree.core.errors import ModelError
from axletree.metrics.findings import Columns, Diagram, Finding, by_name
from axletree.metrics.verdict import Criterion


class Metric(Part, ABC):
    """A frozen dataclass with the numbers that it needs of the vehicle, and none of the run.

    Example:
    >>> from dataclasses import dataclass
    >>> import numpy as np
    >>> from axletree.metrics.findings import Finding
    >>> from axletree.metrics.contract import Metric
    >>> from axletree.simulation.trajectory import Trajectory
    >>> @dataclass(frozen=True)
    ... class TopSpeed(Metric):
    ...     needs = ("body.speed",)
    ...
    ...     def findings(self, run):
    ...         return (Finding("top_speed", max(run["body.speed"]), "m/s", "maximum speed"),)
    >>> run = Trajectory("car", np.arange(2.0), {"body.speed": np.array([20.0, 24.5])}, {}, ())
    >>> TopSpeed().findings(run)[0].in_words
    '24.5 m/s'
    """

    needs: ClassVar[tuple[str, ...]] = ()  # columns that it reads of every vehicle
    key: ClassVar[tuple[str, ...]] = ()  # findings that matter most, if not the first

    @property
    def reads(self) -> tuple[str, ...]:
        """Columns that it reads: those, and what its fields name."""
        return (*self.needs, *named_outputs(self))

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """The limits that a standard sets to its findings.

        Example:
        >>> import axletree as at
        >>> [limit.in_words for limit in at.DwellStability().criteria]
        ['at most 35 %', 'at most 20 %', 'at least 1.83 m']
        """
        return ()

    @abstractmethod
    def findings(self, run: Columns) -> tuple[Finding, ...]:
        """The findings of a run; nan where it does not show them.

        Example:
        >>> import numpy as np
        >>> import axletree as at
        >>> from axletree.simulation.trajectory import Trajectory
        >>> run = Trajectory("car", np.arange(2.0), {"strut.way": np.array([-0.03, 0.05])}, {}, ())
        >>> (found,) = at.WheelLoads(travels=["strut.way"]).findings(run)
        >>> found.name, found.in_words
        ('suspension_travel', '80 mm')
        """

    def of_runs(
        self, runs: Columns, names: Collection[str]
    ) -> Mapping[str, NDArray[np.float64]] | None:
        """The values of findings by name of many runs, whose columns have a row for each of them.

        None where each run is looked at by itself, by ``findings``. ``names`` are those that are
        wanted; others may be left out.

        Example:
        >>> import numpy as np
        >>> import axletree as at
        >>> from axletree.simulation.trajectory import Trajectory
        >>> time = np.linspace(0.0, 20.0, 2001)  # s
        >>> columns = {name: np.zeros((2, 2001)) for name in at.RideComfort.needs}
        >>> columns["vehicle.vertical_speed"] = np.outer([1.0, 2.0], np.sin(31.4 * time))  # m/s
        >>> runs, name = Trajectory("cars", time, columns, {}, ()), "weighted_vertical_acceleration"
        >>> felt = at.RideComfort().of_runs(runs, [name])[name]
        >>> print(f"{felt[1] / felt[0]:.3f}")
        2.000
        """
        return None

    def diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        """The curves that findings are read from, each finding marked at its place.

        Example:
        >>> import numpy as np
        >>> import axletree as at
        >>> from axletree.simulation.trajectory import Trajectory
        >>> run = Trajectory("car", np.arange(2.0), {"strut.way": np.array([-0.03, 0.05])}, {}, ())
        >>> (drawn,) = at.WheelLoads(travels=["strut.way"]).diagrams(run)
        >>> drawn.y_label, drawn.marks[0].x, drawn.marks[0].y  # s, mm
        ('[mm]', 1.0, 50.0)
        """
        found = by_name(self.findings(run))
        return self._drawn(run, found) if found else ()

    def _drawn(self, run: Columns, found: Mapping[str, Finding]) -> tuple[Diagram, ...]:
        """Those of a run that shows something, with its findings by name."""
        return ()


def model_name(description: str, *, default: Any = dataclasses.MISSING) -> Any:
    """A field with a name of the model, such as that of a trailer."""
    return structure("name", description, checked_name, default)


def model_names(description: str) -> Any:
    """A field with names of the model, at least one, such as those of axles."""
    return structure("names", description, _checked_model_names)


def _checked_model_names(value: Any) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, list | tuple) or not value:
        raise ModelError(f"expected a list of names, got {value!r}")
    return tuple(checked_name(name) for name in value)


OUTPUT_NAMES = "output names"  # the word of these fields


def output_names(unit: str, description: str) -> Any:
    """A field with names of outputs that findings are made of; none by default."""
    return structure(OUTPUT_NAMES, description, checked_names, (), unit)


def named_outputs(part: Part) -> tuple[str, ...]:
    """The names in such fields of a part."""
    fields = [name for name, kind in part_fields(part) if kind.word == OUTPUT_NAMES]
    return tuple(name for field in fields for name in getattr(part, field))


def checked_names(value: Any) -> tuple[str, ...]:
    """A name or several, each once."""
    names = (value,) if isinstance(value, str) else value
    if not isinstance(names, tuple | list) or not all(isinstance(name, str) for name in names):
        raise ModelError(f"expected a name or a list of names, got {value!r}")
    if len(set(names)) < len(names):
        raise ModelError(f"a name stands twice in {', '.join(names)}")
    return tuple(names)
