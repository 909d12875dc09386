"""Every block of every page is tested: by its language it is run, compared or read.

Here are those in C, Fortran and MATLAB, and the calls of ``make``, ``pip`` and ``python``.
"""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from docs.page_blocks import PAGES, ROOT, Block, blocks_of, calls_in, calls_in_prose, text_of
from mechanisms.shipped_run import shipped_system
from scipy.io import loadmat

import axletree as at
from axletree.analysis.steady_start import steady_start
from axletree.export.c_project import write_c_project
from axletree.export.fortran import write_fortran
from axletree.export.matlab import write_matlab
from axletree.export.realtime.packets import OWN_OUTPUTS, Channels, PacketKind
from axletree.export.realtime.runner import build_runner, write_runner
from axletree.export.wasm import write_wasm

EXPORTS, REAL_TIME = "docs/how-to/exports.md", "docs/how-to/real-time.md"
RESULTS, GENERATED = "docs/how-to/results.md", "docs/theory/generated-code.md"
CONTROLLERS, IDENTIFICATION = "docs/how-to/controllers.md", "docs/how-to/identification.md"
OWN_CAR, CLIENTS = "docs/tutorials/own-car.md", "docs/how-to/real-time-clients.md"
HERE = {
    "c": (REAL_TIME, GENERATED, CLIENTS, CONTROLLERS, IDENTIFICATION), "fortran": (EXPORTS,),
    "matlab": (EXPORTS, RESULTS, CLIENTS), "js": (EXPORTS,),
}  # fmt: skip
MASS = 8000.0  # kg, which the page on exports gives the front body of the skidder
EXPORTED = {"run", "FC=ifx"}  # of the Makefile of an exported project
OCTAVE, FORTRAN, C, NODE = map(shutil.which, ("octave-cli", "gfortran", "cc", "node"))


def is_tested(page: str, block: Block) -> bool:
    """Whether some test has it."""
    with_python = page.startswith("docs/") or page == "README.md"
    match block.language:
        case "sh":  # test_page_commands.py, and below
            return True
        case "python":  # test_pages.py, ../test_readme.py, ../test_extensions.py
            return with_python or page == "CONTRIBUTING.md"
        case "yaml":  # test_page_models.py, test_surfaces_page.py, ../test_readme.py
            return with_python
        case "text":  # with what it is shown by
            return block.shown_by in ("python", "sh") or page == OWN_CAR
        case "pycon" | "":  # docstrings and signatures: test_made_pages.py, ../test_docstrings.py
            return "`make reference`" in text_of(page)
        case language:
            return page in HERE.get(language, ())


@pytest.mark.parametrize("page", PAGES)
def test_every_block_is_tested(page: str) -> None:
    assert [block for block in blocks_of(page) if not is_tested(page, block)] == []


def test_a_block_that_nothing_tests_is_found() -> None:
    assert not is_tested("docs/index.md", Block("json", "{}"))
    assert not is_tested("docs/index.md", Block("", "axletree list"))
    assert not is_tested("docs/index.md", Block("text", "42", shown_by="yaml"))
    assert not is_tested("CONTRIBUTING.md", Block("yaml", "name: car"))


@pytest.mark.skipif(C is None, reason="no C compiler")
def test_the_function_of_c_commands_what_it_says(tmp_path: Path) -> None:
    (tmp_path / "mine.c").write_text(block_in(CONTROLLERS, "c"))
    own = at.CController(str(tmp_path / "mine.c"), "mine")
    assert (tuple(own.reads), tuple(own.sets)) == (("vehicle.forward_speed",), ("driver.throttle",))
    own.reset()
    found = [own.update(0.0, {"vehicle.forward_speed": v})["driver.throttle"] for v in (20.0, 30.0)]
    assert found == [0.3, 0.0]


@pytest.mark.skipif(C is None, reason="no C compiler")
def test_the_filter_in_c_sees_the_sideslip(tmp_path: Path) -> None:
    """Of a car that is measured to go straight on: none."""
    watch = at.KalmanFilter(
        at.read_model("bicycle-car").formulate(), {"chassis.rate": 0.01, "chassis.vx": 0.1}
    )
    folder = at.write_kalman_filter(watch, tmp_path)
    text = block_in(IDENTIFICATION, "c").replace("static model_filter f;", "")
    (folder / "main.c").write_text(
        "#include <math.h>\n#include <stdio.h>\n"
        '#include "filter.h"\nstatic model_filter f;\n'
        "int main(void) { double sideslip = 1.0; const double u[4] = {0}, m[2] = {0.0, 20.0};\n"
        f'{text} printf("%g", sideslip); return 0; }}\n'
    )
    subprocess.run(["make"], cwd=folder, check=True, capture_output=True)
    done = subprocess.run(["./example"], cwd=folder, check=True, capture_output=True, text=True)
    assert abs(float(done.stdout)) < 1e-12


def block_in(page: str, language: str) -> str:
    (text,) = (block.text for block in blocks_of(page) if block.language == language)
    return text


@pytest.mark.skipif(OCTAVE is None, reason="no octave-cli")
def test_the_matlab_of_an_export_runs_as_simulate_does(tmp_path: Path) -> None:
    """With a ``plot`` that prints what it is to draw."""
    system = shipped_system("skidder")
    folder = write_matlab(system, tmp_path, outputs=["front_left_tyre.Fz"])
    rows = octave(folder, block_in(EXPORTS, "matlab"))
    run = system.simulate(5.0, step=1e-3, parameters={"front_body.mass": MASS})
    expected = np.interp(rows[:, 0], run.time, run["chassis.vx"])
    assert rows[-1, 0] == 5.0
    np.testing.assert_allclose(rows[:, 1], expected, rtol=2e-3)


def octave(folder: Path, code: str) -> np.ndarray:
    stubs = {"plot": "disp([varargin{1:2}])", "xlabel": "", "ylabel": "assert(ischar(varargin{1}))"}
    for name, does in stubs.items():
        (folder / f"{name}.m").write_text(f"function {name}(varargin)\n  {does}\nend\n")
    (folder / "page.m").write_text(f"warning off\nformat long\n{code}")
    command = [str(OCTAVE), "--norc", "--no-history", "page.m"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return np.array([line.split() for line in done.stdout.splitlines() if line], float)


def test_the_matlab_of_results_reads_a_run(tmp_path: Path) -> None:
    """By SciPy, and by Octave where it is."""
    run = shipped_system("pendulum").simulate(1.0, step=1e-2)
    code = block_in(RESULTS, "matlab").replace("vehicle.yaw_rate", "pin.rate")
    run.to_mat(tmp_path / "run.mat")
    read = loadmat(tmp_path / "run.mat", simplify_cells=True)["run"]
    assert set(re.findall(r"run\.(\w+)(?!\w|')", code)) - {"mat"} <= read.keys()
    assert read["data"][:, list(read["names"]).index("pin.rate")] == pytest.approx(run["pin.rate"])
    if OCTAVE is None:
        pytest.skip("the file is as the page says; there is no octave-cli to run its lines")
    rows = octave(tmp_path, code)
    np.testing.assert_allclose(rows, np.column_stack([run.time, run["pin.rate"]]), atol=1e-4)


@pytest.mark.skipif(FORTRAN is None, reason="no gfortran")
def test_the_fortran_of_an_export_gives_the_rates(tmp_path: Path) -> None:
    system = shipped_system("skidder")
    folder = write_fortran(system, tmp_path, outputs=[])
    code = f"program page\n{block_in(EXPORTS, 'fortran')}print '(es25.17)', xdot\nend program\n"
    (folder / "page.f90").write_text(code)
    build = [str(FORTRAN), "-std=f2003", "-o", "page", "model.f90", "page.f90"]
    subprocess.run(build, cwd=folder, check=True, capture_output=True)
    done = subprocess.run(["./page"], cwd=folder, check=True, capture_output=True, text=True)
    expected = system.rhs(system.state(), parameters={"front_body.mass": MASS})
    found = np.array(done.stdout.split(), float)
    np.testing.assert_allclose(found, list(expected.values()), rtol=1e-9, atol=1e-9)


@pytest.mark.skipif(C is None, reason="no cc")
def test_the_c_of_a_period_compiles_with_an_export(tmp_path: Path) -> None:
    """What is the simulator's own is declared, the rest comes from the exported project."""
    folder = write_c_project(shipped_system("bicycle-car"), tmp_path, outputs=["front_tyre.Fy"])
    (folder / "task.c").write_text(
        '#include "model.h"\ndouble steering(void);\nvoid wait_for_next_period(void);\n'
        "void task(void);\nvoid task(void)\n{\n    axl_real force;\n    int code = 0;\n"
        f"{block_in(REAL_TIME, 'c')}    (void)code;\n}}\n"
    )
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]
    command = [str(C), *flags, "-c", "task.c"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(C is None or sys.platform != "linux", reason="no cc, or not Linux")
def test_the_client_in_c_drives_a_runner(tmp_path: Path) -> None:
    """A program of its own against the runner, as far as a stepper goes by itself."""
    system = shipped_system("bicycle-car")
    folder = write_runner(system, tmp_path, outputs=[])
    build_runner(folder)
    (folder / "client.c").write_text(block_in(CLIENTS, "c"))
    flags = ["-Wall", "-Wextra", "-Werror"]
    done = subprocess.run([str(C), *flags, "-o", "client", "client.c", "-lm"], cwd=folder)
    assert done.returncode == 0
    command = ["./runner", "--lockstep", "--port", "0"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as runner:
        assert runner.stdout is not None
        port = runner.stdout.readline().strip().rpartition(":")[2]
        try:
            said = subprocess.run(
                ["./client", port], cwd=folder, capture_output=True, text=True, timeout=120.0
            )
            assert runner.wait(120.0) == 0
        finally:
            runner.terminate()
    s = system.stepper(step=1e-3, outputs=[])
    s["steer.angle"] = 0.02
    s.advance("0.5 s")
    assert said.stdout == f"0.5 s, chassis.vx = {s['chassis.vx']:g}\n"


@pytest.mark.skipif(OCTAVE is None, reason="no octave-cli")
def test_the_client_in_matlab_packs_and_unpacks(tmp_path: Path) -> None:
    """With a port that keeps what is written and reads a packet of Python's."""
    names = ("vehicle.yaw_rate", "vehicle.x")
    channels = Channels(7, ("driver.brake", "driver.steering"), names, ("own",), {})
    state = channels.packet(PacketKind.STATE, [0.5, 0.0, 0.0, 1.0, 0.125, 3.0], 4)
    layout = {"version": 1, "key": 7, "port": 5005, "inputs": list(channels.inputs),
              "own": list(OWN_OUTPUTS), "outputs": list(names)}  # fmt: skip
    folder = tmp_path / "out" / "sedan" / "realtime"
    folder.mkdir(parents=True)
    (folder / "layout.json").write_text(json.dumps({"channels": layout}))
    (tmp_path / "udpport.m").write_text("function p = udpport(varargin)\np = 0;\nend\n")
    (tmp_path / "write.m").write_text(
        "function write(p, bytes, varargin)\nprintf('%d ', bytes);\nprintf('\\n');\nend\n"
    )
    (tmp_path / "read.m").write_text(
        f"function a = read(varargin)\na.Data = [{' '.join(map(str, state))}];\nend\n"
    )
    code = f"1;\n{block_in(CLIENTS, 'matlab')}printf('%.17g\\n', yaw_rate);\n"
    (tmp_path / "client.m").write_text(code)
    done = subprocess.run(
        [str(OCTAVE), "--quiet", "client.m"], cwd=tmp_path, capture_output=True, text=True
    )
    sent, rate = done.stdout.splitlines()
    assert bytes(map(int, sent.split())) == channels.packet(PacketKind.SET, [math.nan, 0.1], 1)
    assert float(rate) == 0.125


def test_the_c_of_lanes_is_that_of_the_car(tmp_path: Path) -> None:
    """Dots stand for lines that are left out."""
    folder = write_c_project(shipped_system("car"), tmp_path, outputs=[])
    lines = [line.strip() for line in (folder / "model.c").read_text().splitlines()]
    code = "\n".join(lines)
    shown = "\n".join(line.strip() for line in block_in(GENERATED, "c").splitlines())
    pieces = [piece.strip() for piece in shown.split("...") if piece.strip()]
    assert len(pieces) == 2
    assert re.search(".*?".join(map(re.escape, pieces)), code, re.DOTALL) is not None


@pytest.mark.parametrize("page", PAGES)
def test_other_programs_are_called_as_they_can_be(page: str) -> None:
    """Targets of ``make``, what ``pip`` installs, and programs and tests that ``python`` runs."""
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    of_blocks = [call for b in blocks_of(page) if b.language == "sh" for call in calls_in(b)]
    for program, *words in (*of_blocks, *calls_in_prose(page)):
        if program == "make":
            assert set(words) <= targets | (EXPORTED if page == EXPORTS else set()), words
        elif program == "pip":
            verb, (package, _, extra) = words[0], words[1].rstrip("]").partition("[")
            assert (verb, package in (".", "axletree")) == ("install", True), words
            assert not extra or extra in extras, words
        elif program == "python":
            files = [word for word in words if word.endswith(".py")]
            modules = [word for word in words if word.startswith("axletree.")]
            assert files or modules, words
            assert all((ROOT / file).is_file() for file in files), words
            assert all(find_spec(module) is not None for module in modules), words


@pytest.mark.skipif(find_spec("ziglang") is None, reason="ziglang (extra cc) is not installed")
@pytest.mark.skipif(NODE is None, reason="Node is not installed")
def test_the_javascript_of_the_page_on_exports(tmp_path: Path) -> None:
    assert NODE is not None
    car = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}}).formulate()
    start = steady_start(car, {"speed": "80km/h"})
    folder = write_wasm(car, tmp_path, starts=[start], outputs=["vehicle.yaw_rate"])
    command = [NODE, "-e", block_in(EXPORTS, "js")]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    with car.stepper(step="1 ms", start={"speed": "80 km/h"}) as own:
        own["driver.steering"] = 0.5
        own.advance("1 s")
        assert done.stdout == f"1 s, {own['vehicle.yaw_rate']:.3f} rad/s\n", done.stderr
