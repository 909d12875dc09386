"""A plot that a model proposes: which quantities its report shows together, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True)
class Plot:
    """One set of axes of a report."""

    title: str
    y: tuple[str, ...]  # names of quantities or patterns of names
    x: str = ""  # name of a quantity; empty for time
    unit: str = ""  # of y; empty for SI units, with angles in degrees

    def matches(self, names: Sequence[str]) -> list[str]:
        """The names that y stands for, in the order of y; a pattern's in the order of names."""
        found = [name for pattern in self.y for name in names if fnmatchcase(name, pattern)]
        return list(dict.fromkeys(found))

    def unmatched(self, names: Sequence[str]) -> list[str]:
        """Names and patterns that stand for none of these."""
        asked = (*self.y, self.x) if self.x else self.y
        return [wanted for wanted in asked if not any(fnmatchcase(n, wanted) for n in names)]
