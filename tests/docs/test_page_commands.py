"""Every command that a page shows does what the page says, as it stands there.

The commands of a page run in one folder, in their order, with the files of the page. What several
pages show is run once. What a page shows below a command is what the command prints.
"""

from __future__ import annotations

import json
import re
import runpy
import shlex
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from docs.page_blocks import PAGES, ROOT, blocks_of, prose_of, text_of
from docs.page_commands import (
    HISTORY,
    MISTAKES,
    UNTIL_ENDED,
    Words,
    expanded,
    is_whole,
    mentioned,
    parse,
    paths_in,
    remarked_paths,
    steps_of,
)
from docs.page_files import OWN_CAR, file_text, write_files
from typer.testing import CliRunner

from axletree.catalogue import MODELS
from axletree.cli.app import EXIT_USER_ERROR, app
from axletree.export.fmu.binaries import this_platform
from axletree.simulation.trajectory import Trajectory

FIRST_DRIVE = "docs/tutorials/first-drive.md"
RUN = [page for page in PAGES if steps_of(page)]
READ_FIRST = {"README.md"}
# Take long. They run with more options here; `make commands` runs them as they stand.
LONG = {
    "realtime sedan --speed 80km/h --duration 10s": "--duration 1s --port 0",
    "realtime sedan --speed 80km/h --duration 2s --priority 50": "--port 0",
    "live sedan": "--model single-track",
    "cycle electric-car ece-urban": "--model single-track --step 2ms",
    "cycle electric-car ece-urban --model single-track": "--step 2ms",
    "cycle electric-car nedc --model single-track": "--step 2ms",
    "cycle electric-car ece-extra-urban --charge 6% --model single-track": "--step 2ms",
    "export wasm sedan folder": "--model single-track",
    # For all platforms ziglang makes four libraries of C first; tests/export has those.
    "export fmu bicycle-car car.fmu": f"--platform {this_platform()}",
    'g-g sports-car --speed "60 km/h:200 km/h:5"': "--directions 3 --model two-track",
    "bench-tyre belted-advanced": "--bench flat-track",
    "sensitivity sedan -p vehicle.body.mass -p vehicle.axles.front.position"
    " -p vehicle.axles.front.track": "--model two-track",
}
SHORTENED = {tuple(shlex.split(line)): shlex.split(more) for line, more in LONG.items()}
# Take long, and no option shortens them: `make commands` runs them, and parts of them these tests.
ELSEWHERE = {
    ("bench", "thesis"): "tests/cli/test_bench.py",  # with light measurements
    ("run", "off-road-truck"): "tests/references/test_off_road_truck.py",  # in Python
    (
        "identify", "sedan", "drive.mf4", "--channels", "map.yaml", "-p", "body.inertia.zz", "-p",
        "vehicle.axles.front.tyre.law.dFy0_1",
    ): "tests/analysis/identification/test_identify.py",  # of drives that tests make
    (
        "identify", "sedan", "a.csv", "b.csv", "--hold-back", "c.csv", "--model", "single-track",
        "-p", "body.inertia.zz=1500:4000",
    ): "tests/analysis/identification/test_identify.py",
    ("tyre", "axles", "sedan", "ramp.csv", "--trail", "front=25mm"):
        "tests/analysis/identification/test_axles.py",
    ("tyre", "fit", "out/sedan/axles/rear.csv", "--law", "fiala"):
        "tests/analysis/identification/test_axles.py",
}  # fmt: skip
# Shown for what they warn of.
WARNED = {
    (
        "sweep", "compact-car", "-p", "vehicle.axles.front.suspension.damping=1,3 kN*s/m", "-m",
        "step-steer", "--model", "two-track",
    ): "has no effect on the two-track model of compact-car in step-steer",
    (
        "cycle", "electric-car", "ece-extra-urban", "--charge", "6%", "--model", "single-track",
    ): "the battery is empty",
}  # fmt: skip
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
TIMED = "times faster than real time"  # on the machine of the page
FILE = re.compile(r"[\w./-]+\.(?:csv|gif|html|json|mat|npz|png|svg|tex|tir|yaml)\b")


@pytest.mark.parametrize("page", [page for page in PAGES if page != HISTORY and mentioned(page)])
def test_the_commands_of_a_page_are_understood(page: str) -> None:
    """Words and options, also of those that are not whole, and models of the package."""
    for words in mentioned(page):
        model = parse(words).get("model") if is_whole(words) else None
        if isinstance(model, str) and re.fullmatch("[a-z-]+", model):
            assert model in MODELS, words


def marks(page: str) -> pytest.MarkDecorator:
    return pytest.mark.slow if page in READ_FIRST else pytest.mark.pages


@pytest.mark.parametrize("page", [pytest.param(page, marks=marks(page)) for page in RUN])
def test_the_commands_of_a_page_do_what_it_says(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for step in steps_of(page):
        printed = "".join(said(page, words) for words in step.commands)
        assert_shown(step.shown, printed)
    assert [path for path in paths_in(prose_of(page)) if not Path(path).exists()] == []
    for holds in MORE.get(page, ()):
        holds()


def said(page: str, words: Words) -> str:
    """What a command prints; it does not fail, and leaves what it says that it leaves."""
    write_files(page, words)
    if words in ELSEWHERE or words in UNTIL_ENDED:
        return ""
    with warnings.catch_warnings():
        if words in WARNED:
            warnings.simplefilter("always")
        result = CliRunner().invoke(app, [*expanded(words), *SHORTENED.get(words, ())])
    assert WARNED.get(words, "") in result.stderr, words
    if words in MISTAKES:
        assert (result.exit_code, MISTAKES[words] in result.stderr) == (EXIT_USER_ERROR, True)
        return ""
    assert result.exit_code == 0, (words, result.output, result.exception)
    assert result.stdout, words
    assert [path for path in announced(result.stdout) if not path.exists()] == [], words
    assert [path for path in remarked_paths(words) if not Path(path).exists()] == [], words
    return result.stdout


def announced(printed: str) -> Iterator[Path]:
    """Files of lines such as ``report: out/...`` and ``folder: Makefile, main.c``."""
    for label, told in re.findall(r"^([\w./-]+): +(.+)$", printed, re.MULTILINE):
        if Path(label).is_dir():
            yield from (Path(label, name) for name in told.split(", "))
        else:
            yield from map(Path, FILE.findall(told))


def assert_shown(shown: str, printed: str) -> None:
    """The lines that are shown come in their order; dots stand for lines that are left out."""
    lines = iter(printed.splitlines())
    for line in shown.splitlines():
        if line.strip() != "...":
            assert any(alike(line, other) for other in lines), (line, printed)


def alike(shown: str, printed: str) -> bool:
    """The same words, and the same numbers but for their last digits."""
    if NUMBER.sub("#", shown).split() != NUMBER.sub("#", printed).split():
        return False
    told, found = (np.array(NUMBER.findall(line), float) for line in (shown, printed))
    return TIMED in shown or np.allclose(told, found, rtol=1e-3, atol=1e-9)


def listed_files(page: str) -> set[str]:
    """The first column of its table of files, without rows that hold for some runs only."""
    table = text_of(page).partition("| file | |\n|---|---|\n")[2].partition("\n\n")[0]
    rows = [row.split("|")[1:3] for row in table.splitlines()]
    assert len(rows) > 3
    always = [names for names, words in rows if not re.match(" (of a manoeuvre|with `--)", words)]
    return {name for names in always for name in re.findall(r"`([\w./]+)`", names)}


def metrics(folder: str) -> dict[str, dict[str, float]]:
    told = json.loads(Path(folder, "metrics.json").read_text(encoding="utf-8"))["metrics"]
    assert isinstance(told, dict)
    return told


def a_run_leaves_what_is_listed() -> None:
    names = listed_files("docs/how-to/results.md")
    assert [name for name in names if not Path("out/sedan/iso-7401-step", name).exists()] == []


def own_car_is_measured_as_it_says() -> None:
    """Files of the run against one another, and what else the page leaves."""
    folder = Path("out/car/iso-7401-step")
    assert (folder / "model" / "car.yaml").read_bytes() == Path("car.yaml").read_bytes()
    run = Trajectory.read(folder / "run.npz")
    rate, wheel = run["vehicle.yaw_rate"], run["driver.steering"]
    told = metrics(str(folder))["yaw_rate_gain"]["value"]
    assert told == pytest.approx(np.mean(rate[run.time >= 5.0]) / wheel[-1], rel=1e-3)
    report = (folder / "report.html").read_text(encoding="utf-8")
    assert f'<td>steady-state yaw rate gain</td><td class="number">{told:.4g}</td>' in report
    table = Path("out/car/sweep-step-steer-single-track/table.csv").read_text().splitlines()
    assert len(table) == 1 + 5
    assert Path("car.png").read_bytes().startswith(b"\x89PNG")


def the_mistake_of_the_page_is_told() -> None:
    """A field of another name in the line that the page tells; its list of fields is cut off."""
    (shown,) = (b.text for b in blocks_of(OWN_CAR) if (b.language, b.shown_by) == ("text", ""))
    wrong = Path("car.yaml").read_text(encoding="utf-8").replace("static_camber", "camber_angle")
    Path("car.yaml").write_text(wrong, encoding="utf-8")
    result = CliRunner().invoke(app, ["check", "car.yaml"])
    assert result.exit_code == EXIT_USER_ERROR
    assert " ".join(shown.split()).removesuffix(", ...") in " ".join(result.stderr.split())


def the_critical_speed_is_that_of_the_page() -> None:
    page = prose_of("docs/how-to/critical-speed.md")
    found = metrics("out/car-with-tail-heavy-caravan/modes")["critical_speed_1"]["value"] / 3.6
    assert f"{found:.2f} m/s, which is {3.6 * found:.1f} km/h" in " ".join(page.split())


def a_sweep_leaves_what_is_listed() -> None:
    names = listed_files("docs/how-to/sweeps.md")
    folder = Path("out/bicycle-car/sweep-step-steer")
    assert [name for name in names if not (folder / name).exists()] == []


MORE: dict[str, tuple[Callable[[], None], ...]] = {  # what else pages say of what commands leave
    FIRST_DRIVE: (a_run_leaves_what_is_listed,),
    OWN_CAR: (own_car_is_measured_as_it_says, the_mistake_of_the_page_is_told),
    "docs/how-to/critical-speed.md": (the_critical_speed_is_that_of_the_page,),
    "docs/how-to/sweeps.md": (a_sweep_leaves_what_is_listed,),
}


@pytest.mark.parametrize(
    ("page", "file", "program"),
    [
        (FIRST_DRIVE, "laden.yaml", "make_first_drive_picture.py"),
        (OWN_CAR, "car.yaml", "make_own_car_picture.py"),
    ],
)
def test_pictures_are_drawn_by_what_the_page_shows(page: str, file: str, program: str) -> None:
    maker = runpy.run_path(str(ROOT / "docs" / "making" / program))
    assert maker["described"]() == file_text(page, file)
    drawn = maker["comparison"]() if "comparison" in maker else maker["DRIVE"][:-2]  # --out
    assert tuple(drawn) in mentioned(page)


def test_the_exceptions_are_shown() -> None:
    shown = {words for page in PAGES for words in mentioned(page)}
    assert {*SHORTENED, *ELSEWHERE, *MISTAKES, *UNTIL_ENDED} <= shown
    assert all((ROOT / tests).is_file() for tests in ELSEWHERE.values())


def test_a_command_that_is_not_understood_is_found() -> None:
    with pytest.raises(KeyError):
        parse(("drive", "sedan"))
    with pytest.raises(Exception, match="No such option"):
        is_whole(("run", "sedan", "--velocity", "20"))
    assert not is_whole(("run", "--audit"))


def test_numbers_that_are_not_printed_are_found() -> None:
    assert_shown("speed  20 m/s\n...\nway 3.1416 m\n", "speed 20.001 m/s\nx\ny\nway 3.1415 m\n")
    for wrong in ("speed 21 m/s", "speed 20 km/h", "way 3.1415 m\nspeed 20 m/s"):
        with pytest.raises(AssertionError):
            assert_shown(wrong, "speed 20 m/s\nway 3.1415 m\n")
