"""What a sweep shows while it runs."""

from __future__ import annotations

import sys

import pytest
from rich.progress import TimeRemainingColumn

from axletree.analysis.studies.workers import PointBar


def test_the_bar_tells_points_failures_and_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with PointBar(known=3, total=10) as bar:
        bar.show(4, 1)
        assert bar._bar is not None
        (task,) = bar._bar.tasks
        assert task.description == "7 of 10 points, 1 failed"
        assert (task.completed, task.total) == (4, 7)  # the time of known points is not counted
        assert any(isinstance(column, TimeRemainingColumn) for column in bar._bar.columns)


def test_a_file_gets_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False, raising=False)
    with PointBar(known=0, total=10) as bar:
        bar.show(4, 1)
        assert bar._bar is None
