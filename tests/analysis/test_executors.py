"""Who works through tasks: a process that dies loses its own alone, here and on a cluster."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import axletree as at
from axletree.analysis.studies.machines import DaskMachines, executor_of
from axletree.analysis.studies.sweep import PointWork
from axletree.analysis.studies.sweep_plan import RunSettings, make_plan, model_fingerprint
from axletree.analysis.studies.workers import LocalProcesses, LostTask
from axletree.core.errors import AxletreeError
from axletree.model_files.carried_model import CarriedModel, carried, read_carried

GRID = {"rod.mass": "1:2:6", "start.pin.angle": "10,20 deg"}
SHORT: dict[str, Any] = {"duration": 0.2, "outputs": ["energy.total", "pin.angle"]}
forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def deadly(task: int) -> int:
    if task == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return task


@forks
def test_a_process_takes_its_task_with_it_and_no_other() -> None:
    found = {
        one.task: one.result for one in LocalProcesses(2).work_through(range(6), deadly) if one
    }
    assert [k for k, result in found.items() if isinstance(result, LostTask)] == [1]
    assert sorted(k for k, result in found.items() if result == k) == [0, 2, 3, 4, 5]


@forks
def test_a_pool_of_the_standard_library_takes_them_all() -> None:
    """Why ``workers`` has pipes of its own: after the death of one process nothing is done."""
    with (
        warnings.catch_warnings(),
        ProcessPoolExecutor(1, mp_context=get_context("fork")) as pool,
    ):
        warnings.simplefilter("ignore", DeprecationWarning)
        futures = [pool.submit(deadly, k) for k in range(6)]
        lost = [
            k for k, one in enumerate(futures) if isinstance(one.exception(), BrokenProcessPool)
        ]
    assert set(lost) >= {1, 2, 3, 4, 5}


# -- models as data -----------------------------------------------------------------------------
def test_a_model_is_read_from_its_files_alone(tmp_path: Path) -> None:
    (tmp_path / "rod.yaml").write_text("base: pendulum\nstart: {pin.angle: 0.1}\n")
    own = tmp_path / "own.yaml"
    own.write_text("base: rod.yaml\ncomponents: {rod: {mass: 2 kg}}\n")
    model = carried(str(own))
    assert isinstance(model, CarriedModel)
    assert list(model.files) == ["own.yaml", "rod.yaml"]
    for file in tmp_path.iterdir():
        file.unlink()
    read = read_carried(model, {"start": {"pin.rate": 1.0}})
    assert (read["rod"].mass, read.start["pin.angle"], read.name) == (2.0, 0.1, "own")
    assert carried("pendulum") == "pendulum"
    assert carried(model) is model
    other = CarriedModel(model.source, {**model.files, "rod.yaml": b"base: pendulum\n"})
    assert (other == model, hash(other) == hash(model)) == (False, False)


def test_files_of_a_model_lead_nowhere_else() -> None:
    for name in ("../own.yaml", "/own.yaml"):
        with pytest.raises(AxletreeError, match="no file of a model"):
            CarriedModel("own.yaml", {name: b"base: pendulum"}).unpacked()


def test_a_program_of_python_travels_too(tmp_path: Path) -> None:
    file = tmp_path / "swing.py"
    file.write_text("import axletree as at\nswing = at.read_model('pendulum')\n")
    model = carried(f"{file}:swing")
    file.unlink()
    assert read_carried(model).name == "pendulum"


def test_files_of_libraries_are_laid_beside_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library, own = tmp_path / "library", tmp_path / "own"
    for folder in (library, own):
        folder.mkdir()
    (library / "rod.yaml").write_text("base: pendulum\n")
    (own / "swing.yaml").write_text("base: rod.yaml\n")
    monkeypatch.setenv("AXLETREE_PATH", str(library))
    model = carried(str(own / "swing.yaml"))
    monkeypatch.delenv("AXLETREE_PATH")
    (library / "rod.yaml").unlink()
    assert read_carried(model).name == "swing"


# -- a cluster ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"workers": 0}, "0 workers: expected 1 to 256"),
        ({"workers": 2, "client": "tcp://127.0.0.1:1"}, "leave out either of them"),
        ({"client": 8786}, "address of its scheduler, such as tcp"),
        ({"client": "nowhere"}, "no scheduler answers at nowhere"),
    ],
)
def test_mistakes_are_told(given: dict[str, Any], says: str) -> None:
    if "client" in given and "workers" not in given:
        pytest.importorskip("distributed")
    with pytest.raises(AxletreeError, match=says):
        executor_of(**{"workers": None, "client": None, **given})


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Two workers with nannies, on this machine."""
    distributed = pytest.importorskip("distributed")
    import dask
    from cloudpickle import register_pickle_by_value

    register_pickle_by_value(sys.modules[__name__])
    quiet = {"distributed.scheduler.allowed-failures": 1, "logging.distributed": "critical"}
    with (
        dask.config.set(quiet),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        with (
            distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0",
                host="127.0.0.1", silence_logs=50,
            ) as cluster,
            distributed.Client(cluster, set_as_default=False) as one,
        ):  # fmt: skip
            yield one


@pytest.mark.slow
@pytest.mark.shipped_flags  # as workers compile
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_finds_what_this_machine_finds(client: Any, tmp_path: Path) -> None:
    """Byte for byte, of a model whose files the workers are sent; and it goes on from a folder."""
    own = tmp_path / "own.yaml"
    own.write_text("base: pendulum\ncomponents: {rod: {mass: 1.5 kg}}\n")
    here = at.sweep(own, GRID, **SHORT, workers=2)
    there = at.sweep(own, GRID, **SHORT, client=client, folder=tmp_path / "out")
    assert not there.failures
    files = [one.to_json(tmp_path / name) for one, name in ((here, "a.json"), (there, "b.json"))]
    assert files[0].read_bytes() == files[1].read_bytes()
    again = at.sweep(own, GRID, **SHORT, client=client.scheduler.address, folder=tmp_path / "out")
    assert again.reused == len(again.rows)
    drawn = {"rod.mass": "normal(2, 0.1 kg)"}
    asked = {"members": 8, "duration": 0.05, "of": ["energy.total.final"]}
    lanes = [at.monte_carlo(own, drawn, **asked, client=one) for one in (None, client)]
    assert lanes[0].to_numpy().tolist() == lanes[1].to_numpy().tolist()
    assert lanes[0].way.startswith("side by side") or "no C compiler" in lanes[0].way


@forks
@pytest.mark.slow
def test_speeds_of_a_g_g_diagram_are_those_of_one_process() -> None:
    """Bit for bit, a speed that the drive does not hold among them; what fails is told."""
    car = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    speeds, found = ["60 km/h", "400 km/h", "90 km/h"], []
    for workers in (1, 2):
        diagram = at.g_g_diagram(car, speeds, directions=3, workers=workers)
        found.append(
            [(e.along.tobytes(), e.lateral.tobytes(), e.limits) for e in diagram.envelopes]
        )
        assert diagram.too_fast == pytest.approx([400.0 / 3.6])
    assert found[0] == found[1]
    assert len(found[0]) == 2


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_worker_killed_amid_a_chunk_changes_nothing(client: Any) -> None:
    """Both have chunks on their way when the first result comes, and one of them is killed."""
    plan = make_plan(
        "pendulum", model_fingerprint("pendulum"), None, GRID,
        RunSettings(duration=0.2, outputs=("energy.total",)), {},
    )  # fmt: skip
    tasks = list(enumerate(plan.points()))
    killed, found = [], {}
    for done in DaskMachines(client).work_through(tasks, PointWork(plan)):
        if done is not None:
            found[done.task[0]] = done.result
            if not killed:
                busy = [w for w, own in client.processing().items() if own]
                killed = [*client.run(os.getpid, workers=busy[:1]).values()]
                os.kill(killed[0], signal.SIGKILL)
    assert killed
    alone = LocalProcesses(1).work_through(tasks, PointWork(plan))
    assert {one.task[0]: one.result for one in alone if one} == found


@pytest.mark.long  # a worker begins again after every one that it ends
@pytest.mark.filterwarnings("ignore")
def test_a_task_that_kills_every_worker_is_lost_alone(client: Any) -> None:
    crew = DaskMachines(client).work_through(range(8), deadly)
    found = {one.task: one.result for one in crew if one}
    assert [k for k, one in found.items() if isinstance(one, LostTask)] == [1]
    assert "each time that it was tried" in found[1].reason
    assert sorted(k for k, one in found.items() if one == k) == [0, 2, 3, 4, 5, 6, 7]
