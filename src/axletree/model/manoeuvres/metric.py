"""Metrics: what the run of any manoeuvre is measured for, by the names that vehicles share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from axletree.library.part import Part
from axletree.model.manoeuvres.findings import Columns, Finding


class Metric(Part, ABC):
    """A frozen dataclass with the numbers that it needs of the vehicle, and none of the run."""

    needs: ClassVar[tuple[str, ...]]  # columns that it reads

    @abstractmethod
    def findings(self, run: Columns) -> tuple[Finding, ...]:
        """What a run comes to; nan where it does not tell."""
