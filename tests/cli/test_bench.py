"""``bench thesis`` with measurements that take no time."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from axletree.cli import thesis as bench
from axletree.cli.app import EXIT_USER_ERROR, app
from axletree.code.system_operations import CalledCount, Operations
from axletree.expr import OperationCount
from axletree.thesis.code_measure import DriveTime, MeasuredCode
from axletree.thesis.stages import MeasuredStage, Stage

NOTHING = OperationCount()


def code(states: int, additions: int, left: tuple[str, ...] = ()) -> MeasuredCode:
    return MeasuredCode(
        states=states,
        operations=Operations(
            intermediate_variables=OperationCount(additions, 471, 6, 20),
            external_calls=OperationCount(20, 48, 16, 24),
            system_equations=NOTHING,
            constants=NOTHING,
            projection=NOTHING,
            calls=(CalledCount("lag", ("angle", "rate1"), 4, OperationCount(5, 12, 4, 6)),),
            assignments=363,
        ),
        generation=1.25,
        drives={
            "sine-steer": DriveTime(0.009, 0.03, True),
            "braking": DriveTime(0.010, 0.04, False),
        },
        left=left,
    )


def light_stages() -> Iterator[Stage]:
    def work(measured: MeasuredStage) -> None:
        measured.laws["fiala"] = OperationCount(5, 24, 4, 16)
        measured.code["car", "cotree"] = code(36, 369)
        measured.code["car", "combine"] = code(36, 1277, ("front_left_tyre.VPy",))
        measured.code["car", "tree"] = code(68, 2424)

    yield Stage("everything", work)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "stages", light_stages)


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["bench", "thesis", *arguments])


def test_both_stand_beside_each_other() -> None:
    result = invoke()
    assert result.exit_code == 0, result.output
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert "V*_Ex 446 1208 11 2949 | 446 1208 11 2957 differs" in lines
    assert "none Morency 2007 1293 1773 24 61 1470 13.5 0.45 0.48 - -" in lines
    assert "36 states axletree 369 471 6 20 363 1.25 0.0090 0.0100* 0.0300 0.0400" in lines
    assert "measured/printed 0.285 0.266 0.250 0.328 0.247 0.093 0.020 0.021" in lines
    assert "fiala 16 33 5 11 | 5 24 4 16" in lines
    assert "tree Morency 2007 5644 9611 37 95 - - 0.65* 0.65* - -" in lines
    assert "combine: out of time, left as they were: front_left_tyre.VPy." in lines
    assert [line for line in lines if line.startswith("none: 389 additions, 519 mult")]
    assert "1111 times as fast as real time" in result.stdout


def test_tables_are_written_as_markdown_and_as_csv(tmp_path: Path) -> None:
    assert invoke("--out", str(tmp_path / "thesis.md")).exit_code == 0
    text = (tmp_path / "thesis.md").read_text(encoding="utf-8")
    assert text.count("### Table 5.") == 6
    assert "| none | Morency 2007 | 1293 |" in text
    assert invoke("--out", str(tmp_path / "thesis.csv")).exit_code == 0
    with (tmp_path / "thesis.csv").open(encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.reader(stream) if row]
    assert ["fiala", "16", "33", "5", "11", "|", "5", "24", "4", "16"] in rows


def test_a_file_of_another_kind_is_refused_before_anything_is_measured(tmp_path: Path) -> None:
    result = invoke("--out", str(tmp_path / "thesis.pdf"))
    assert result.exit_code == EXIT_USER_ERROR
    assert "expected a file that ends in .md or .csv" in result.output
    assert "Table" not in result.output
