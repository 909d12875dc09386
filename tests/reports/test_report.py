"""One call for the pages of runs."""

from __future__ import annotations

from pathlib import Path

import pytest

import axletree as at
from axletree.analysis.studies.comparison import ComparisonError
from axletree.core.arguments import ArgumentError


def test_a_run_has_the_page_that_its_own_method_writes(tmp_path: Path) -> None:
    run = at.read_model("pendulum").drive()
    by_method, by_call = run.report(tmp_path / "a"), at.report(run, tmp_path / "b")
    assert by_call == tmp_path / "b" / "report.html"
    assert _title(by_call) == _title(by_method)


def test_runs_by_label_lie_over_one_another(tmp_path: Path) -> None:
    system = at.read_model("pendulum").formulate()
    runs = {f"{h} s": system.simulate(1.0, step=h, watch=False) for h in (0.1, 0.01)}
    page = at.report(runs, tmp_path)
    assert page == tmp_path / "report.html"
    assert _title(page) == "Comparison: 0.1 s and 0.01 s"


def test_what_is_no_run_is_refused_by_its_label(tmp_path: Path) -> None:
    run = at.read_model("pendulum").drive()
    with pytest.raises(ArgumentError, match="runs is 3"):
        at.report(3, tmp_path)  # type: ignore[arg-type]
    with pytest.raises(ComparisonError, match="'b' is 4"):
        at.report({"a": run, "b": 4}, tmp_path)  # type: ignore[dict-item]
    with pytest.raises(ComparisonError, match="one run alone"):
        at.report({"a": run}, tmp_path)
    with pytest.raises(ComparisonError, match="pictures are of one run"):
        at.report({"a": run, "b": run}, tmp_path, pictures=True)
    assert not list(tmp_path.iterdir())


def _title(page: Path) -> str:
    return page.read_text().partition("<title>")[2].partition("</title>")[0]
