"""A model in real time: the project in C of a runner, its program, and what it found."""

from __future__ import annotations

import json
import re
import subprocess
import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from axletree.code.backends.c import OPTIMISE, find_compiler
from axletree.code.lowering import Extra
from axletree.core.errors import CompilerError, SimulationError
from axletree.export.c_project import model_files
from axletree.export.folder import fill, with_assembled_start, write_files
from axletree.export.realtime.packets import OWN_OUTPUTS, PACKET_VERSION, RUNNER_PORT
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.stepper.step_program import StartPoint, StepProgram, step_program
from axletree.system.system import System

LARGEST_PACKET = 60_000  # bytes; UDP has 65,507
LONGEST_PERIOD = 10.0  # s
LONGEST_SILENCE = 1e6  # s
USUAL_SPIN = 30e-6  # s


def write_runner(
    system: System,
    folder: str | Path,
    *,
    method: str | FixedStep | None = None,
    starts: Sequence[StartPoint] = (),
    outputs: Sequence[str] | None = None,
    extras: Collection[Extra] = (),
    by_parameters: Collection[str] | None = (),
) -> Path:
    """Write a runner: ``runner.c``, ``runner.h``, the model, ``layout.json`` and ``Makefile``.

    It steps the model by the clock, takes inputs and gives outputs over UDP or shared memory. All
    states are given, and ``outputs``, by default all. ``make`` builds it on a machine with Linux;
    nothing else is needed there. The other arguments are those of ``write_c_project``.

    Example:
    >>> import axletree as at
    >>> from axletree.export.realtime.runner import write_runner
    >>> folder = write_runner(at.read_model("pendulum").formulate(), "runner")
    >>> sorted(file.name for file in folder.iterdir())
    ['Makefile', 'layout.json', 'model.c', 'model.h', 'runner.c', 'runner.h']
    """
    assembled = with_assembled_start(system)
    prepared = step_program(
        assembled, method, outputs=outputs, extras=extras, by_parameters=by_parameters,
        starts=starts,
    )  # fmt: skip
    return write_files(folder, runner_project(prepared), "the runner")


def runner_project(prepared: StepProgram) -> dict[str, str]:
    """The texts of the files, by name."""
    files, program = model_files(prepared), prepared.program
    layout = json.loads(files["layout.json"])
    inputs = [program.inputs[one.places[0]].name for one in prepared.shaped]
    outputs = [q.name for q in (*program.states, *program.outputs)]
    key = zlib.crc32(json.dumps([layout["name"], inputs, outputs]).encode())
    layout["channels"] = {
        "version": PACKET_VERSION, "key": key, "port": RUNNER_PORT,
        "inputs": inputs, "own": list(OWN_OUTPUTS), "outputs": outputs,
    }  # fmt: skip
    sizes = len(OWN_OUTPUTS) + len(outputs)
    if 8 * sizes > LARGEST_PACKET:
        raise SimulationError(
            f"{prepared.system.name} has {sizes} outputs, more than one packet takes; choose some "
            "of them by outputs=[...]"
        )
    header = fill(
        "runner.h.jinja", key=key, version=PACKET_VERSION, port=RUNNER_PORT, outputs=sizes,
        places=[one.places[0] for one in prepared.shaped], values=max(sizes, len(inputs)),
        bounds=prepared.input_bounds,
        spin=USUAL_SPIN,
    )  # fmt: skip
    return {
        **files,
        "runner.c": fill("runner.c"),
        "runner.h": header,
        "layout.json": json.dumps(layout, indent=1) + "\n",
        "Makefile": fill("runner.mk"),
    }


def build_runner(folder: str | Path) -> Path:
    """Compile the runner of a folder for the processor at hand; returns the program.

    Example:
    >>> import axletree as at
    >>> from axletree.export.realtime.runner import build_runner, write_runner
    >>> folder = write_runner(at.read_model("pendulum").formulate(), "runner", outputs=[])
    >>> build_runner(folder).name
    'runner'
    """
    compiler = find_compiler()
    if compiler is None:
        raise CompilerError("a runner needs a C compiler; see `axletree doctor`")
    machine = [flag for flag in compiler.flags if flag.startswith("-m")]
    command = [
        *compiler.command, "-std=gnu99", *OPTIMISE, *machine, "-DAXL_NO_ALLOCATION",
        "-o", "runner", "runner.c", "model.c", "-lm", "-lrt",
    ]  # fmt: skip
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        raise CompilerError(f"the runner does not compile: {done.stderr or done.stdout}")
    return Path(folder) / "runner"


@dataclass(frozen=True)
class RunnerSettings:
    """How a runner is to run, as the head of ``runner.c`` says.

    Example:
    >>> from axletree.export.realtime.runner import RunnerSettings
    >>> RunnerSettings().step, RunnerSettings().port  # s
    (0.001, 5005)
    """

    step: float = 1e-3  # s, of a step and of a period
    parts: int = 1
    start: int = 0  # index of a start of the layout
    periods: int = 0  # 0: until it is stopped
    every: int = 1  # periods between outputs
    port: int = RUNNER_PORT
    bind: str = "127.0.0.1"
    memory: str = ""  # name of shared memory, such as "/sedan", in place of UDP
    lockstep: bool = False
    spin: float = USUAL_SPIN  # s, that it waits awake for each period
    silence: float = 0.0  # s without a packet after which it ends; 0: never
    priority: int = 0  # of SCHED_FIFO; 0: as other programs
    cpu: int = -1
    attached: bool = False  # whether it ends with the program that starts it
    report: str = ""  # file

    def __post_init__(self) -> None:
        whole = {
            "parts": (1, None), "start": (0, None), "periods": (0, None), "every": (1, None),
            "port": (0, 65535), "priority": (0, 99), "cpu": (-1, None),
        }  # fmt: skip
        problems = []
        if not (isinstance(self.step, float | int) and 0.0 < self.step <= LONGEST_PERIOD):
            problems.append(
                f"step is {self.step!r} s; expected more than 0 and at most {LONGEST_PERIOD:g} s"
            )
        for name, longest in (("spin", LONGEST_PERIOD), ("silence", LONGEST_SILENCE)):
            value = getattr(self, name)
            if not (isinstance(value, float | int) and 0.0 <= value <= longest):
                problems.append(f"{name} is {value!r} s; expected from 0 to {longest:g} s")
        for name, (least, most) in whole.items():
            value = getattr(self, name)
            if not isinstance(value, int) or value < least or (most is not None and value > most):
                end = f"from {least} to {most}" if most is not None else f"of {least} or more"
                problems.append(f"{name} is {value!r}; expected a whole number {end}")
        if self.lockstep and self.memory:
            problems.append("lockstep waits for packets of UDP, which memory takes the place of")
        if self.memory and not re.fullmatch(r"/[^/]{1,250}", self.memory):
            problems.append(f"memory is {self.memory!r}; expected a name such as '/sedan'")
        if problems:
            raise SimulationError(f"a runner cannot run like this: {'; '.join(problems)}")

    def words(self) -> list[str]:
        """The arguments of the program.

        Example:
        >>> from axletree.export.realtime.runner import RunnerSettings
        >>> RunnerSettings(step=2e-3, port=0, lockstep=True).words()
        ['--step', '0.002', '--port', '0', '--lockstep']
        """
        plain = RunnerSettings()
        chosen: list[str] = []
        for name in ("step", "parts", "start", "periods", "every", "port", "bind", "memory",
                     "spin", "silence", "priority", "cpu", "report"):  # fmt: skip
            value = getattr(self, name)
            if value != getattr(plain, name):
                chosen += [f"--{name}", str(value)]
        flags = [f"--{name}" for name in ("lockstep", "attached") if getattr(self, name)]
        return [*chosen, *flags]


@dataclass(frozen=True)
class StepTimes:
    """[ns]; percentiles are upper ends of bins of 3 %."""

    median: float
    p99_9: float
    worst: float


@dataclass(frozen=True)
class RunnerReport:
    """What a runner found of its own run.

    Example:
    >>> from axletree.export.realtime.runner import RunnerReport, StepTimes
    >>> times = StepTimes(median=1400.0, p99_9=3000.0, worst=4200.0)  # ns
    >>> RunnerReport(2000, 0, 5, 0, 0, 0, 2.0, times, times).step.worst  # ns
    4200.0
    """

    periods: int
    overruns: int  # periods that ended after the next was to begin
    packets: int  # that were taken
    refused: int
    page_faults: int  # after the start
    status: int  # of the last step, a code of model.h
    time: float  # s, of the model
    step: StepTimes  # that a step took to compute, with its outputs
    late: StepTimes  # by which periods began after their time

    @classmethod
    def read(cls, path: str | Path) -> RunnerReport:
        """From the file of ``--report``.

        Example:
        >>> from pathlib import Path
        >>> from axletree.export.realtime.runner import RunnerReport
        >>> times = '{"median": 1400, "p99_9": 3000, "worst": 4200}'
        >>> counts = '"periods": 9, "overruns": 0, "packets": 1, "refused": 0, "page_faults": 0'
        >>> text = f'{{{counts}, "status": 0, "time": 1, "step_ns": {times}, "late_ns": {times}}}'
        >>> _ = Path("report.json").write_text(text)
        >>> RunnerReport.read("report.json").periods
        9
        """
        found: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
        step, late = (StepTimes(**found.pop(name)) for name in ("step_ns", "late_ns"))
        return cls(**found, step=step, late=late)
