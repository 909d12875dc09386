"""What the studio does with texts and jobs, asked as its page asks."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from axletree.analysis.kinematics_and_compliance.suspension_design import suspension_curves
from axletree.core.progress import PROGRESS_FILE, Progress, note_progress
from axletree.model_files.read import read_model
from axletree.model_files.schema import model_schema
from axletree.studio.document import Document, StaleRevisionError
from axletree.studio.graph_view import graph_view
from axletree.studio.inspection import inspect_text
from axletree.studio.mechanism_picture import mechanism_picture
from axletree.studio.project import Project, StudioError
from axletree.studio.studio import Studio
from axletree.studio.vehicle_picture import vehicle_picture
from axletree.studio.worker import Worker
from axletree.vehicles.vehicle import Vehicle

SWING = """\
base: pendulum  # of the package
components:
  rod: {mass: 2 kg}
"""


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    (tmp_path / "swing.yaml").write_text(SWING)
    made = Studio(tmp_path)
    yield made
    made.close()


def finished(studio: Studio, number: int) -> dict[str, Any]:
    end = time.monotonic() + 300
    while time.monotonic() < end:
        job = studio.jobs[number].as_json()
        if job["state"] not in ("waiting", "running"):
            return job
        time.sleep(0.05)
    raise TimeoutError


def test_undo_goes_back_to_each_text_and_redo_forward_again() -> None:
    one = Document("car.yaml", "0", "0")
    for k in range(1, 5):
        one.change(one.revision, str(k))
    one.undo(one.revision)
    one.undo(one.revision)
    assert one.text == "2"
    one.redo(one.revision)
    assert (one.text, one.revision) == ("3", 8)
    one.change(one.revision, "other")
    with pytest.raises(StudioError, match="nothing was undone"):
        one.redo(one.revision)
    with pytest.raises(StaleRevisionError, match="another window"):
        one.undo(3)


def test_a_file_is_edited_saved_and_opened_again(studio: Studio, tmp_path: Path) -> None:
    made = studio.open({"name": "swing.yaml"})
    change = {"path": ["components", "rod", "mass"], "value": "3 kg"}
    made = studio.set({**made, "changes": [change]})
    assert not made["saved"]
    assert (tmp_path / "swing.yaml").read_text() == SWING
    made = studio.save(made)
    assert made["saved"]
    assert (tmp_path / "swing.yaml").read_text() == SWING.replace("2 kg", "3 kg")
    again = Studio(tmp_path)
    assert again.open({"name": "swing.yaml"})["text"] == SWING.replace("2 kg", "3 kg")
    again.close()


def test_another_program_s_changes_are_not_overwritten(studio: Studio, tmp_path: Path) -> None:
    made = studio.open({"name": "swing.yaml"})
    made = studio.edit({**made, "text": SWING + "# mine\n"})
    (tmp_path / "swing.yaml").write_text(SWING + "# theirs\n")
    with pytest.raises(StudioError, match="another program"):
        studio.save(made)
    assert "theirs" in (tmp_path / "swing.yaml").read_text()
    reloaded = studio.reload(made)
    assert "theirs" in reloaded["text"]
    back = studio.undo(reloaded)
    assert "mine" in back["text"]
    assert studio.save({**back, "overwrite": True})["saved"]
    assert "mine" in (tmp_path / "swing.yaml").read_text()


def test_problems_have_lines_and_places(studio: Studio) -> None:
    studio.create({"name": "car.yaml", "base": "sedan"})
    text = "base: sedan\nvehicle:\n  body: {mass: -3 kg}\n  axels: {}\n"
    studio.edit({"name": "car.yaml", "revision": 1, "text": text})
    found = studio.inspect({"name": "car.yaml"})
    assert [one["line"] for one in found["problems"]] == [2, 3] or all(
        one["line"] for one in found["problems"]
    )
    said = " ".join(one["text"] for one in found["problems"])
    assert "mass" in said
    assert "axels" in said
    assert found["values"]["vehicle"]["axles"]["front"]["track"]  # of the base
    assert "axles" not in found["own"]["vehicle"]


def _mass(studio: Studio) -> list[str]:
    found = studio.inspect({"name": "car.yaml"})
    return [row["value"] for row in found.get("sheet", []) if row["name"] == "mass"]


def test_files_that_a_text_is_based_on_are_read_again(studio: Studio, tmp_path: Path) -> None:
    """Their changes are no changes of the text."""
    (tmp_path / "car.yaml").write_text("base: light.yaml\n")
    studio.open({"name": "car.yaml"})
    assert studio.inspect({"name": "car.yaml"})["problems"]  # of a file that is not there
    base = tmp_path / "light.yaml"
    base.write_text("base: sedan\n")
    assert _mass(studio) == ["1602"]
    base.write_text("base: sedan\nvehicle: {body: {mass: 1520 kg}}\n")
    assert _mass(studio) == ["1702"]
    base.write_text("base: sedan\nvehicle: {body: {mass: -3 kg}}\n")
    assert studio.inspect({"name": "car.yaml"})["problems"]


def test_names_of_files_are_typed_for_a_shell(studio: Studio, tmp_path: Path) -> None:
    """What the page shows is pasted; signs that a label cannot have are left out of it."""
    name = "swing & $(touch made); 'x'.yaml"
    (tmp_path / name).write_text(SWING)
    studio.open({"name": name})
    job = studio.run({"name": name, "duration": "0.1 s"})
    assert finished(studio, job["number"])["state"] == "done"
    assert shlex.split(job["command"])[2].endswith(f"/model/{name}")
    assert job["label"] == "swing (touch made) x 1"
    assert not list(tmp_path.rglob("made"))


def test_a_run_is_made_of_the_text_as_it_is_and_leaves_what_a_command_leaves(
    studio: Studio, tmp_path: Path
) -> None:
    made = studio.open({"name": "swing.yaml"})
    studio.edit({**made, "text": SWING.replace("2 kg", "5 kg")})
    job = studio.run({"name": "swing.yaml", "duration": "0.2 s", "label": "heavy rod"})
    done = finished(studio, job["number"])
    assert done["state"] == "done", done["log"]
    assert done["report"]
    assert done["command"].startswith("axletree run out/studio/001-swing/model/swing.yaml")
    model = tmp_path / done["folder"] / "model" / "swing.yaml"
    assert "5 kg" in model.read_text()
    assert "5 kg" not in (tmp_path / "swing.yaml").read_text()
    assert studio.result("1", "report.html").is_file()
    later = Studio(tmp_path)  # lists what was run before
    (listed,) = later.jobs.listed()
    assert {**listed, "progress": done["progress"]} == done
    later.close()
    for name in ("../log.txt", "../../../../swing.yaml", "/etc/passwd", "", "."):
        with pytest.raises(StudioError):
            studio.result("1", name)
    results = studio.jobs[1].results
    results.rename(tmp_path / "elsewhere")
    results.symlink_to(tmp_path / "elsewhere")  # as in a folder that somebody else has made
    with pytest.raises(StudioError):
        studio.result("1", "report.html")


@pytest.mark.slow
def test_runs_are_compared(studio: Studio) -> None:
    made = studio.open({"name": "swing.yaml"})
    one = studio.run({"name": "swing.yaml", "duration": "0.2 s"})
    made = studio.edit({**made, "text": SWING.replace("2 kg", "5 kg")})
    two = studio.run({"name": "swing.yaml", "duration": "0.2 s"})
    for job in (one, two):
        assert finished(studio, job["number"])["state"] == "done"
    both = studio.compare({"jobs": [one["number"], two["number"]]})
    done = finished(studio, both["number"])
    assert done["state"] == "done", done["log"]
    assert done["report"]
    with pytest.raises(StudioError, match="two to eight"):
        studio.compare({"jobs": [1]})
    with pytest.raises(StudioError, match="no run"):
        studio.compare({"jobs": [one["number"], both["number"]]})


def test_a_sweep_s_points_come_one_by_one(studio: Studio) -> None:
    studio.open({"name": "swing.yaml"})
    given = {"name": "swing.yaml", "parameter": "components.rod.mass", "values": "1:3:3"}
    job = studio.sweep(given)
    done = finished(studio, job["number"])
    assert done["state"] == "done", done["log"]
    assert [one["values"]["components.rod.mass"] for one in done["points"]] == [1, 2, 3]
    assert all(one["findings"] for one in done["points"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("parameter", "values", "unit", "shown"),
    [
        ("components.rod.mass", "500 g:1 kg:2", "kg", [0.5, 1]),  # a place in the file
        ("rod.mass", "1000 g:2000g:2", "g", [1000, 2000]),  # a parameter, which runs in SI units
        ("rod.mass", "1,2", "", [1, 2]),
    ],
)
def test_points_of_a_sweep_are_in_the_unit_that_is_shown(
    studio: Studio, parameter: str, values: str, unit: str, shown: list[float]
) -> None:
    studio.open({"name": "swing.yaml"})
    given = {"name": "swing.yaml", "parameter": parameter, "values": values}
    done = finished(studio, studio.sweep(given)["number"])
    assert done["state"] == "done", done["log"]
    assert done["unit"] == unit
    assert [one["values"][parameter] for one in done["points"]] == pytest.approx(shown)


@pytest.mark.slow
def test_a_job_that_is_cancelled_or_killed_ends_alone(studio: Studio) -> None:
    studio.open({"name": "swing.yaml"})
    long = studio.run({"name": "swing.yaml", "duration": "100000 s"})
    waiting = studio.run({"name": "swing.yaml", "duration": "0.1 s"})
    job = studio.jobs[long["number"]]
    while job.process is None:
        time.sleep(0.02)
    studio.cancel({"job": long["number"]})
    assert finished(studio, long["number"])["state"] == "cancelled"
    assert finished(studio, waiting["number"])["state"] == "done"
    killed = studio.run({"name": "swing.yaml", "duration": "100000 s"})
    job = studio.jobs[killed["number"]]
    while job.process is None:
        time.sleep(0.02)
    os.kill(job.process.pid, signal.SIGKILL)
    assert finished(studio, killed["number"])["state"] == "failed"
    assert studio.inspect({"name": "swing.yaml"})["problems"] == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a compiler that fails is /bin/false")
def test_a_compiler_that_fails_and_a_run_that_diverges_say_so(
    studio: Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The studio goes on after both."""
    studio.open({"name": "swing.yaml"})
    with monkeypatch.context() as broken:
        broken.setenv("AXLETREE_CC", "/bin/false")
        broken.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        failed = finished(studio, studio.run({"name": "swing.yaml"})["number"])
    assert failed["state"] == "failed"
    assert "the C compiler '/bin/false' failed" in failed["log"]
    made = studio.create({"name": "stiff.yaml", "base": "quarter-car"})
    run = "run: {duration: 1000 s, step: 0.5 s, method: explicit-euler, record_interval: 0.5 s}"
    studio.edit({**made, "text": f"base: quarter-car\n{run}\n"})
    diverged = finished(studio, studio.run({"name": "stiff.yaml"})["number"])
    assert diverged["state"] == "failed", diverged
    assert "t = " in diverged["log"]
    assert finished(studio, studio.run({"name": "swing.yaml"})["number"])["state"] == "done"


@pytest.mark.parametrize("field", ["label", "speed", "duration"])
def test_options_are_values_and_never_options(studio: Studio, field: str) -> None:
    studio.open({"name": "swing.yaml"})
    for word in ("--out=/tmp", "-x", "$(id)", "a;b", "a\nb", "`id`", "x" * 300, ["1"], {"a": 1}):
        with pytest.raises(StudioError):
            studio.run({"name": "swing.yaml", field: word})
    with pytest.raises(StudioError):
        studio.sweep({"name": "swing.yaml", "parameter": "--out", "values": "1:2:2"})
    assert studio.jobs.listed() == []


def test_a_worker_is_replaced_when_it_hangs_or_dies() -> None:
    worker = Worker(patience=20.0)
    with pytest.raises(StudioError, match="ended"):
        worker.ask(os._exit, 3)
    with pytest.raises(StudioError, match="ZeroDivisionError"):
        worker.ask(divmod, 1, 0)
    worker._patience = 0.2
    with pytest.raises(StudioError, match="given up"):
        worker.ask(time.sleep, 60)
    worker._patience = 60.0
    assert worker.ask(divmod, 7, 2) == (3, 1)
    worker.close()


def test_hard_points_stand_where_the_file_has_them() -> None:
    car = read_model("pushrod-formula-student").described["vehicle"]
    assert isinstance(car, Vehicle)
    found = vehicle_picture(car, "car")
    places = {".".join(one["path"]): one for one in found["points"]}
    outer = places["vehicle.axles.rear.suspension.points.tie_rod_outer"]
    assert outer["position"] == pytest.approx([-0.744 - 0.08, 0.545, 0.156])
    assert outer["forward"] == pytest.approx(-0.744)
    assert "vehicle.axles.front.suspension.anti_roll_bar.bearing" in places
    wheels = [one for one in found["scene"]["actors"] if one["name"].endswith(("_left", "_right"))]
    assert len(wheels) == 4


@pytest.mark.parametrize(
    "name", ["sedan", "tractor-semitrailer", "car-with-caravan", "leaf-spring-pickup", "van"]
)
def test_vehicles_of_all_kinds_have_a_picture(name: str) -> None:
    found = inspect_text(f"base: {name}\n", "car.yaml", ".")
    assert found["problems"] == []
    assert found["picture"]["scene"]["actors"]
    assert found["sheet"]


def test_curves_are_those_of_the_suspension() -> None:
    """As ``axletree suspension curves`` has them; curves of a file as they are given."""
    text = "base: double-wishbone-sports-car\n"
    found = {one["title"]: one for one in inspect_text(text, "car.yaml", ".")["curves"]}
    curves = suspension_curves("double-wishbone-sports-car", "front")
    line = found["change of camber [deg]"]["lines"][0]
    assert line["name"] == "front"
    assert line["x"] == pytest.approx((1e3 * curves.travel).tolist())  # mm
    assert line["y"] == pytest.approx(np.degrees(curves.camber).tolist())
    sedan = {one["title"]: one for one in inspect_text("base: sedan\n", "c.yaml", ".")["curves"]}
    vehicle = read_model("sedan").described["vehicle"]
    assert isinstance(vehicle, Vehicle)
    given = vehicle.axles["front"].suspension.camber
    shown = sedan["change of camber [deg]"]["lines"][0]
    assert np.interp(1e3 * given.x[0], shown["x"], shown["y"]) == pytest.approx(
        np.degrees(given.y[0])
    )


def test_mechanisms_are_drawn_as_they_start() -> None:
    found = mechanism_picture("base: four-bar\n", "four.yaml", ".")
    assert [actor["name"] for actor in found["scene"]["actors"]] == ["crank", "coupler", "rocker"]
    with pytest.raises(StudioError, match="has no picture here"):
        mechanism_picture("base: rover\n", "rover.yaml", ".")


@pytest.mark.parametrize(
    "text", ["", "[]", "3", '{"kind": 1}', '{"state": "running"}', "{", "[" * 100_000]
)
def test_folders_of_others_are_no_jobs(text: str, tmp_path: Path) -> None:
    folder = tmp_path / "out" / "studio" / "007-car"
    folder.mkdir(parents=True)
    (folder / "job.json").write_text(text)
    (folder.parent / "notes.txt").write_text("mine")
    (folder.parent / "²-no-number").mkdir()
    made = Studio(tmp_path)
    assert made.jobs.listed() == []
    assert made.jobs.new_folder("car").name == "008-car"
    made.close()


def test_another_tree_is_chosen_by_exchanging_edges() -> None:
    text = "base: four-bar\n"
    found = graph_view(text, "four.yaml", ".")
    domain = next(one for one in found["domains"] if one["name"] == "rotation")
    chord = next(e for e in domain["edges"] if not e["branch"] and e["circuit"])
    leaving = chord["circuit"][0]
    tree = [name for name in domain["tree"] if name != leaving] + [chord["component"]]
    again = graph_view(f"{text}tree: {{rotation: [{', '.join(tree)}]}}\n", "four.yaml", ".")
    other = next(one for one in again["domains"] if one["name"] == "rotation")
    assert again["chosen"]
    assert set(other["tree"]) == set(tree)
    branches = {edge["component"] for edge in other["edges"] if edge["branch"]}
    assert chord["component"] in branches


def test_the_project_lists_models_and_not_results(tmp_path: Path) -> None:
    for name in ("a.yaml", "sub/b.yml", "out/studio/1/c.yaml", ".git/d.yaml", "notes.txt"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(SWING)
    assert Project(tmp_path).files() == ["a.yaml", "sub/b.yml"]


def test_progress_goes_to_a_file_for_whoever_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "progress.json"
    monkeypatch.setenv(PROGRESS_FILE, str(file))
    with Progress(4.0) as progress:
        progress.show(1.0)
    assert '"done": 1.0' in file.read_text()
    monkeypatch.setenv(PROGRESS_FILE, str(tmp_path / "gone" / "progress.json"))
    note_progress("compiling")  # a folder that is not there ends nothing


def test_the_schema_has_limits_of_plain_numbers() -> None:
    body = model_schema()["properties"]["vehicle"]["properties"]["body"]["properties"]
    assert body["mass"]["exclusiveMinimum"] == 0.0
    assert "[kg]" in body["mass"]["description"]


def test_the_tutorial_s_numbers_are_those_of_the_data_sheet() -> None:
    """A higher roll centre by lower bearings, less roll by a stiffer bar."""
    car = "base: pushrod-formula-student\nvehicle:\n  fidelity: full\n"
    front, rear = "[110 mm, 250 mm, 265 mm]", "[-130 mm, 250 mm, 269 mm]"
    points = f"{{upper_arm_front: {front}, upper_arm_rear: {rear}}}"
    low = f"  axles: {{front: {{suspension: {{points: {points}}}}}}}\n"
    stiff = "  axles: {rear: {suspension: {anti_roll_bar: {stiffness: 300 N*m/rad}}}}\n"
    sheets = [
        {row["name"]: float(row["value"]) for row in inspect_text(text, "car.yaml", ".")["sheet"]}
        for text in (car, car + low, car + stiff)
    ]
    heights = [sheet["front roll centre height"] for sheet in sheets]
    assert heights == pytest.approx([27.5, 39.9, 27.5], abs=0.1)  # mm
    gradients = [sheet["roll gradient"] for sheet in sheets]
    assert gradients == pytest.approx([1.00, 0.99, 0.90], abs=0.005)  # deg/g
