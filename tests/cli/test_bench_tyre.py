"""``axletree bench-tyre``: files that it leaves, what it refuses, and its messages."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from reports.chart_reader import chart_panels
from typer.testing import CliRunner, Result

from axletree.cli import tyre
from axletree.cli.app import app
from axletree.code.backends.c import find_compiler
from axletree.simulation.trajectory import Trajectory


def invoked(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["bench-tyre", *arguments])


def test_a_bench_leaves_a_table_a_page_and_a_picture_if_asked(tmp_path: Path) -> None:
    asked = ("slim-advanced", "--bench", "bore-torque", "--out", str(tmp_path))
    assert invoked(*asked, "--no-report").exit_code == 0
    assert [p.name for p in tmp_path.iterdir()] == ["bore-torque.csv"]
    result = invoked(*asked, "--pictures")
    assert result.exit_code == 0, result.output
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "benches.html", "bore-torque.csv", "bore-torque.png",
    ]  # fmt: skip
    assert (tmp_path / "bore-torque.png").read_bytes().startswith(b"\x89PNG")
    run = Trajectory.read(tmp_path / "bore-torque.csv")
    assert run["tyre.Mz"].max() > 1.0
    page = (tmp_path / "benches.html").read_text(encoding="utf-8")
    assert "advanced-friction" in page
    (moment,) = chart_panels(page)["Moment about the normal"]["curves"]
    np.testing.assert_allclose(moment["y"], run["tyre.Mz"], rtol=1e-5, atol=1e-3)


@pytest.mark.filterwarnings("default")
def test_a_warning_that_is_a_note_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, said = tyre.run_bench, "the step of 0.0001 s is too large"

    def warned(*given: Any, **named: Any) -> Any:
        found = own(*given, **named)
        warnings.warn(f"bore-torque: {said}", stacklevel=1)
        warnings.warn("a law is beyond its range", stacklevel=1)
        return [
            replace(one, runs={name: replace(run, note=said) for name, run in one.runs.items()})
            for one in found
        ]

    monkeypatch.setattr(tyre, "run_bench", warned)
    result = invoked("slim-advanced", "--bench", "bore-torque", "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert result.output.count(said) == 1
    assert result.output.count("a law is beyond its range") == 1
    page = (tmp_path / "benches.html").read_text(encoding="utf-8")
    assert said in page
    assert "not complete" not in page


def test_what_a_tyre_cannot_do_is_told_and_the_rest_is_done(tmp_path: Path) -> None:
    names = ("slip-lateral", "rolling-resistance")
    asked = [word for name in names for word in ("--bench", name)]
    result = invoked("belted-ideal", *asked, "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert (
        "not applicable to this tyre: the bench makes tyres slip, and this one cannot"
        in result.output
    )
    assert not list(tmp_path.glob("slip-lateral*"))
    assert list(tmp_path.glob("rolling-resistance*.csv"))
    assert "Not applicable to this tyre" in (tmp_path / "benches.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "text",
    [
        "like: slim-slipping\nnormal_force: {stiffness: 5e5}\n",
        "unloaded_radius: 0.3\nnormal_force: {type: linear, stiffness: 2e5}\nlaw: fiala.yaml\n",
        "type: composed\nslip: dry\n",
    ],
)
def test_tyres_and_laws_of_files(tmp_path: Path, text: str) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(text)
    out = tmp_path / "out"
    result = invoked(str(file), "--bench", "bore-torque", "--out", str(out))
    if "fiala.yaml" in text:
        assert "fiala.yaml" in result.output
        assert not (out / "bore-torque.csv").exists()
    else:
        assert result.exit_code == 0, result.output
        assert (out / "bore-torque.csv").exists()


@pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")
def test_a_law_in_c_is_given_with_the_command(tmp_path: Path) -> None:
    """A side force in proportion to load and slip angle, once by the law, once by its inputs."""
    law, source = tmp_path / "mine.yaml", tmp_path / "law.c"
    law.write_text("{type: external, function: my_law, inputs: [normal_load, slip_angle]}\n")
    source.write_text(
        "void my_law(const double *input, double *output)\n"
        "{ int i; for (i = 0; i < 5; ++i) output[i] = 0.0;\n"
        "  output[1] = -5.0 * input[0] * input[1]; }\n"
    )
    asked = (str(law), "--bench", "slip-lateral", "--out", str(tmp_path / "out"))
    missing = invoked(*asked)
    assert missing.exit_code != 0
    assert "--function my_law=FILE" in missing.stderr
    result = invoked(*asked, "--function", f"my_law={source}")
    assert result.exit_code == 0, result.output
    tables = list((tmp_path / "out").glob("slip-lateral*.csv"))
    assert tables
    for run in map(Trajectory.read, tables):
        expected = -5.0 * run["tyre.Fz"] * run["tyre.slip_angle"]
        assert np.abs(expected).max() > 100.0
        assert run["tyre.Fy"] == pytest.approx(expected, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("slim-idle",), "did you mean 'slim-ideal'"),
        (("fialla",), "did you mean 'fiala'"),
        (("nothing-like-it",), "or give a file .yaml or .yml or .tir"),
        (("slim-ideal", "--bench", "flat-trak"), "did you mean 'flat-track'"),
        (("none.yaml",), "no such file"),
        (("external", "--function", "my_law"), "for example --function my_law=my_law.c"),
        (("slim-ideal", "--function", "law=law.c"), "unknown function 'law'"),
    ],
)
def test_mistakes_end_with_a_message(arguments: tuple[str, ...], said: str) -> None:
    result = invoked(*arguments)
    assert result.exit_code == 2
    assert said in result.stderr
