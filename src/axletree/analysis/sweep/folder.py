"""The folder of a sweep: an index of what the results depend on, and a file for each point.

A point's file bears a digest of its values, whatever the grid: a grid that is refined keeps the
points that it had. Files are written whole or not at all, so that a sweep may end at any time.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from axletree.analysis.sweep.finding_json import finding_as_json, finding_from_json
from axletree.analysis.sweep.fingerprint import of_point
from axletree.analysis.sweep.point import Outcome
from axletree.analysis.sweep.values import SweepError
from axletree.core.files import write_text

INDEX, POINTS = "sweep.json", "points"
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
                f"{self.path / POINTS} has results without {INDEX}; give another folder"
            )
        write_text(index, json.dumps(fingerprint, indent=1) + "\n")

    def _files(self) -> list[Path]:
        return sorted((self.path / POINTS).glob("*.json"))

    def _known(self, index: Path) -> dict[str, Any]:
        try:
            found = json.loads(index.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise SweepError(f"{index} cannot be read: {error}; give another folder") from None
        return found if isinstance(found, dict) else {}

    def write(self, values: Mapping[str, float | str], outcome: Outcome) -> None:
        content = {
            "values": dict(values),
            "findings": [finding_as_json(one) for one in outcome.findings],
            "failure": outcome.failure,
            "remarks": outcome.remarks,
        }
        write_text(self._file(values), json.dumps(content, indent=1, allow_nan=False) + "\n")

    def read(self, values: Mapping[str, float | str]) -> Outcome | None:
        """The outcome of a point that was run before and did not fail."""
        try:
            content = json.loads(self._file(values).read_text(encoding="utf-8"))
            if content["values"] != dict(values) or content["failure"]:
                return None
            findings = tuple(finding_from_json(one) for one in content["findings"])
            return Outcome(findings, remarks=tuple(content["remarks"]))
        except (OSError, ValueError, KeyError, TypeError):  # not there, or changed by hand
            return None

    def _file(self, values: Mapping[str, float | str]) -> Path:
        return self.path / POINTS / f"{of_point(values)}.json"
