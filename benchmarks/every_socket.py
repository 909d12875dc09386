"""Every shipped model as a component, each by one command, in a process of its own.

    python benchmarks/every_socket.py [--only c,fmu,realtime] [--without MODEL,...] [WORD ...]

Words choose models whose names have them. Of each model

- ``axletree export c``: the project compiles without a warning, its states after 20 steps of 1 ms
  are those of ``model.stepper()``, and 20 steps after random inputs execute how many instructions
  (valgrind); the operations that are printed for a step beside them;
- ``axletree export fmu``, in turn of FMI 2 and 3: FMPy validates it without a message and takes ten
  communication steps of co-simulation, as ``at.Fmu`` does of model exchange;
- ``axletree realtime``: 100 periods without a failed step.

Seconds are those of the processor, of all that is done for a socket and, with its compilers, of the
command alone. What fails is listed with its message; the exit code is then 1.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

import axletree as at
from axletree.code.backends.c import OPTIMISE, find_compiler
from axletree.core.registry import section

CLIENT = Path(__file__).parent.parent / "tests/export/stepper_client.c"
STEPS = 20
LONGEST = 900.0  # s, of a command


class FailedError(Exception):
    """What went wrong with a socket."""


def command(*words: object, folder: Path) -> str:
    """What a command prints; its message is that of the error."""
    texts = [str(word) for word in words]
    try:
        done = subprocess.run(
            texts, cwd=folder, capture_output=True, text=True, check=False, timeout=LONGEST
        )
    except subprocess.TimeoutExpired:
        raise FailedError(f"{' '.join(texts[:6])}: no end within {LONGEST:g} s") from None
    if done.returncode != 0:
        raise FailedError(f"{' '.join(texts[:6])}: {(done.stdout + done.stderr).strip()[-600:]}")
    return done.stdout + done.stderr


class Commands:
    """What the commands of a socket took of the processor."""

    seconds = 0.0


COMMANDS = Commands()


def processor_seconds() -> float:
    """Of this process and of all that it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def axletree(*words: object, folder: Path) -> str:
    begin = processor_seconds()
    told = command(sys.executable, "-m", "axletree", *words, folder=folder)
    COMMANDS.seconds += processor_seconds() - begin
    return told


def as_c(name: str, folder: Path) -> str:
    axletree("export", "c", name, "c", folder=folder)
    compiler = find_compiler()
    assert compiler is not None
    shutil.copy(CLIENT, folder / "c/client.c")
    strict = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", *OPTIMISE]
    command(
        *compiler.command, *strict, "-o", "client", "client.c", "model.c", "-lm",
        folder=folder / "c",
    )  # fmt: skip
    layout = json.loads((folder / "c/layout.json").read_text(encoding="utf-8"))
    words = ("follow", 0, STEPS, -1, 0.0, 0)
    there = [float.fromhex(one) for one in command("./client", *words, folder=folder / "c").split()]
    method = layout["stepper"]["method"]
    s = at.read_model(name).stepper(step=1e-3, outputs=[])
    if s.prepared.method.name != method:
        raise FailedError(f"a stepper takes steps of {s.prepared.method.name}, its C of {method}")
    s.advance(steps=STEPS)
    here = np.array(list(s.states.values()))
    apart = float(np.max(np.abs(np.array(there) - here) / (1e-9 + np.abs(here).max())))
    if not apart < 1e-9:
        raise FailedError(f"the steps of C are {apart:.1e} off those of the stepper")
    counts = instructions(folder / "c")
    printed = layout["stepper"]["operations"]
    total = "none printed" if printed is None else f"{sum(printed.values())} operations"
    spread = f"{min(counts)}" if min(counts) == max(counts) else f"{min(counts)} to {max(counts)}"
    if layout["stepper"]["fixed_cost"] and min(counts) != max(counts):
        raise FailedError(f"steps of {method} take {spread} instructions ({total})")
    return f"{method}: {spread} instructions, {total}"


def instructions(folder: Path) -> list[int]:
    """Of each step after random inputs, with what it calls in libraries."""
    found = []
    for seed in (1, 2):
        command(
            "env", "LD_BIND_NOW=1", "valgrind", "--tool=callgrind",
            "--toggle-collect=model_stepper_advance", "--dump-after=model_stepper_advance",
            "--callgrind-out-file=steps", "./client", "count", seed, STEPS, folder=folder,
        )  # fmt: skip
        for k in range(STEPS):
            text = (folder / f"steps.{k + 1}").read_text()
            found.append(int(re.findall(r"^(?:totals|summary): (\d+)", text, re.MULTILINE)[0]))
    return found


def as_fmu(name: str, folder: Path) -> str:
    from fmpy.validation import validate_fmu

    version = 2 + sum(map(ord, name)) % 2
    file = folder / "it.fmu"
    axletree(
        "export", "fmu", name, file, "--fmi", version, "--platform", "x86_64-linux", folder=folder
    )
    if said := validate_fmu(str(file)):
        raise FailedError(f"FMPy says of FMI {version}: {said[:3]}")
    told = []
    with at.Fmu(file) as first:
        kinds = list(first.description.identifiers)
    for kind in kinds:
        with at.Fmu(file, kind=kind) as fmu:
            fmu.begin()
            for _ in range(10):
                fmu.advance("1 ms")
            values = [fmu[output] for output in fmu.outputs]
        bad = [o for o, v in zip(fmu.outputs, values, strict=True) if not np.isfinite(v)]
        if bad:
            raise FailedError(f"{kind.value} gives no numbers for {bad[:5]}")
        told.append(kind.value)
    with at.Fmu(file) as one, at.Fmu(file, kind=kinds[-1]) as other:
        one.begin()
        other.begin()
        apart = [
            output
            for output in one.outputs
            if abs(one[output] - other[output]) > 1e-9 * (1.0 + abs(one[output]))
        ]
    if apart:
        raise FailedError(f"kinds begin with other values of {apart[:5]}")
    return f"FMI {version}, {len(values)} outputs, {' and '.join(told)}"


def in_real_time(name: str, folder: Path) -> str:
    axletree(
        "realtime", name, "--duration", "0.1 s", "--port", 0, "--out", folder / "runner",
        folder=folder,
    )  # fmt: skip
    report = json.loads((folder / "runner/report.json").read_text(encoding="utf-8"))
    if report["status"] != 0 or report["periods"] != 100:
        raise FailedError(f"after {report['periods']} periods the status is {report['status']}")
    return f"{report['step_ns']['median'] / 1e3:.1f} us a step, {report['overruns']} overruns"


SOCKETS: dict[str, Callable[[str, Path], str]] = {
    "c": as_c, "fmu": as_fmu, "realtime": in_real_time
}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("words", nargs="*", help="of names of models; all of them without any")
    parser.add_argument("--only", default=",".join(SOCKETS), help="sockets, with commas")
    parser.add_argument("--without", default="", help="models that are left out, with commas")
    asked = parser.parse_args()
    failed, left_out = 0, asked.without.split(",")
    for name in sorted(section("MODELS")):
        if name in left_out or (asked.words and not any(word in name for word in asked.words)):
            continue
        for socket in asked.only.split(","):
            begin, COMMANDS.seconds = processor_seconds(), 0.0
            with tempfile.TemporaryDirectory() as folder:
                try:
                    told = SOCKETS[socket](name, Path(folder))
                except (FailedError, at.AxletreeError) as error:
                    failed, told = failed + 1, f"FAILED: {error}"
            taken = processor_seconds() - begin
            print(
                f"{name:32} {socket:9} {taken:6.1f} s, command {COMMANDS.seconds:6.1f} s  {told}",
                flush=True,
            )
    print(f"{failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
