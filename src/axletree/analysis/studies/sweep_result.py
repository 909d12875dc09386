"""What a sweep found: a row for each point, with its values, its findings or its failure; and its
folder.

The folder has an index of what the results depend on, and a file for each point. A point's file
bears a digest of its values, whatever the grid: a grid that is refined keeps the points that it
had. Files are written whole or not at all, so that a sweep may end at any time.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from axletree.analysis.studies.sweep_plan import SweepPoint, point_fingerprint
from axletree.analysis.studies.sweep_point import PointOutcome
from axletree.analysis.studies.variations import SweepError, Variation
from axletree.core.files import write_text
from axletree.core.registry import unknown_name
from axletree.metrics.findings import Finding, new_name, read_finding


@dataclass(frozen=True)
class SweepRow:
    """A point of the grid; its outcome is None if the sweep was interrupted before it."""

    point: SweepPoint
    outcome: PointOutcome | None

    def finding(self, name: str) -> float:
        found = self.outcome.findings if self.outcome else ()
        return next((one.value for one in found if one.name == name), math.nan)


@dataclass(frozen=True)
class Sweep:
    """Findings by parameters, in the order of the grid; ``found["body.mass"]`` is a column.

    Example:
    >>> import axletree as at
    >>> found = at.sweep("pendulum", {"rod.mass": "1,2 kg"}, duration=0.1, workers=1)
    >>> found.complete, found.failures, found.headings[0]
    (True, {}, 'rod.mass [kg]')
    """

    model: str
    manoeuvre: str  # "": the model's own run
    variations: tuple[Variation, ...]
    rows: tuple[SweepRow, ...]
    reused: int = 0  # points that were known before

    @property
    def complete(self) -> bool:
        """Whether every point was run; some may have failed."""
        return all(row.outcome is not None for row in self.rows)

    @property
    def failures(self) -> dict[str, str]:
        """By the values of a point, in words, why it failed."""
        outcomes = ((row.point.in_words, row.outcome) for row in self.rows)
        return {words: one.failure for words, one in outcomes if one is not None and one.failure}

    @property
    def findings(self) -> tuple[Finding, ...]:
        """One of each name, for its unit and description."""
        found: dict[str, Finding] = {}
        for row in self.rows:
            for one in row.outcome.findings if row.outcome else ():
                found.setdefault(one.name, one)
        return tuple(found.values())

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A parameter or a finding over the points; nan where there is none."""
        if any(one.name == name for one in self.variations):
            return np.array([row.point.values[name] for row in self.rows])
        known = [one.name for one in self.findings]
        if name not in known:
            names = [*(one.name for one in self.variations), *known]
            raise unknown_name("column", name, names, "the sweep", new_name(name))
        return np.array([row.finding(name) for row in self.rows])

    @property
    def headings(self) -> tuple[str, ...]:
        """Names with units, of the parameters and of the findings."""
        columns = [(one.name, one.unit) for one in self.variations]
        columns += [(one.name, one.unit) for one in self.findings]
        return tuple(f"{name} [{unit}]" if unit else name for name, unit in columns)

    def to_csv(self, path: str | Path) -> Path:
        """A line for each point with exact numbers; ``failure`` is empty where there is none.

        Example:
        >>> import axletree as at
        >>> found = at.sweep("pendulum", {"rod.mass": "1,2 kg"}, duration=0.1, workers=1)
        >>> len(found.to_csv("masses.csv").read_text().splitlines())  # a heading and two points
        3
        """
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([*self.headings, "failure"])
        names = [one.name for one in self.findings]
        for row in self.rows:
            numbers = [row.finding(name) for name in names]
            cells = ["" if math.isnan(number) else repr(number) for number in numbers]
            writer.writerow([*row.point.values.values(), *cells, _failure(row)])
        write_text(path, stream.getvalue())
        return Path(path)

    def to_json(self, path: str | Path) -> Path:
        """The same with units and descriptions.

        Example:
        >>> import json
        >>> import axletree as at
        >>> found = at.sweep("pendulum", {"rod.mass": "1,2 kg"}, duration=0.1, workers=1)
        >>> json.loads(found.to_json("masses.json").read_text())["parameters"]
        [{'name': 'rod.mass', 'unit': 'kg', 'values': [1.0, 2.0]}]
        """
        content = {
            "model": self.model,
            "manoeuvre": self.manoeuvre,
            "parameters": [
                {"name": one.name, "unit": one.unit, "values": one.values}
                for one in self.variations
            ],
            "findings": [
                {"name": one.name, "unit": one.unit, "description": one.description}
                for one in self.findings
            ],
            "points": [self._content(row) for row in self.rows],
        }
        write_text(path, json.dumps(content, indent=1, allow_nan=False) + "\n")
        return Path(path)

    def _content(self, row: SweepRow) -> dict[str, Any]:
        return {
            "values": dict(row.point.values),
            "findings": {one.name: number_as_json(row.finding(one.name)) for one in self.findings},
            "failure": _failure(row),
            "remarks": list(row.outcome.remarks) if row.outcome else [],
        }


def _failure(row: SweepRow) -> str:
    return "not run yet" if row.outcome is None else row.outcome.failure


INDEX, _POINTS = "sweep.json", "points"
DEPENDS_ON = {
    "model": "the model, or a file that it names",
    "changes": "the changes of the model",
    "manoeuvre": "the manoeuvre",
    "settings": "the settings of the run",
    "versions": "versions of Python, Axletree or numerical packages",
}


@dataclass(frozen=True)
class SweepFolder:
    """Results on disk."""

    path: Path

    def begin(self, fingerprint: Mapping[str, Any], *, restart: bool) -> None:
        """Refuse results of something else, or throw them away; write the index."""
        index = self.path / INDEX
        if restart:
            for file in self._files():
                file.unlink()
        elif index.exists():
            known = self._known(index)
            other = [
                words for key, words in DEPENDS_ON.items() if known.get(key) != fingerprint[key]
            ]
            if other and self._files():
                raise SweepError(
                    f"{self.path} has results of another sweep: {' and '.join(other)} changed "
                    "since. They are not mixed: give another folder (--out), or begin again "
                    "(--restart), which removes them"
                )
        elif self._files():
            raise SweepError(
                f"{self.path / _POINTS} has results without {INDEX}; give another folder"
            )
        write_text(index, json.dumps(fingerprint, indent=1) + "\n")

    def _files(self) -> list[Path]:
        return sorted((self.path / _POINTS).glob("*.json"))

    def _known(self, index: Path) -> dict[str, Any]:
        try:
            found = json.loads(index.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise SweepError(f"{index} cannot be read: {error}; give another folder") from None
        return found if isinstance(found, dict) else {}

    def write(self, values: Mapping[str, float | str], outcome: PointOutcome) -> None:
        content = {
            "values": dict(values),
            "findings": [finding_as_json(one) for one in outcome.findings],
            "failure": outcome.failure,
            "remarks": outcome.remarks,
        }
        write_text(self._file(values), json.dumps(content, indent=1, allow_nan=False) + "\n")

    def read(self, values: Mapping[str, float | str]) -> PointOutcome | None:
        """The outcome of a point that was run before and did not fail."""
        try:
            content = json.loads(self._file(values).read_text(encoding="utf-8"))
            if content["values"] != dict(values) or content["failure"]:
                return None
            findings = tuple(finding_from_json(one) for one in content["findings"])
            return PointOutcome(findings, remarks=tuple(content["remarks"]))
        except (OSError, ValueError, KeyError, TypeError):  # not there, or changed by hand
            return None

    def _file(self, values: Mapping[str, float | str]) -> Path:
        return self.path / _POINTS / f"{point_fingerprint(values)}.json"


def finding_as_json(finding: Finding) -> dict[str, Any]:
    return {
        "name": finding.name,
        "value": number_as_json(finding.value),
        "unit": finding.unit,
        "description": finding.description,
    }


def finding_from_json(content: Mapping[str, Any]) -> Finding:
    value = math.nan if content["value"] is None else float(content["value"])
    return read_finding(content["name"], value, content["unit"], content["description"])


def number_as_json(value: float) -> float | str | None:
    """None for nan, a text for what is infinite: JSON has neither."""
    if math.isnan(value):
        return None
    return value if math.isfinite(value) else str(value)
