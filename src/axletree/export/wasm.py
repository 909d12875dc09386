"""A system as WebAssembly: the stepper as a module without imports, its layout, a class for it.

The module is that of ``stepper.h`` by clang of the ziglang package; it runs wherever WebAssembly
does and can reach nothing there but its own memory.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from axletree.code.printers.c import DEFAULTS
from axletree.core.arguments import check_arguments
from axletree.core.errors import CompilerError
from axletree.core.files import temporary_files, whole_folder, write_text
from axletree.core.progress import doing
from axletree.export.fmu.binaries import has_ziglang
from axletree.export.folder import fill, with_assembled_start
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.stepper.c_interface import stepper_header, stepper_unit
from axletree.simulation.stepper.layout import stepper_layout
from axletree.simulation.stepper.step_program import StartPoint, StepProgram, step_program
from axletree.system.system import System

# -O2 as for the C that runs here; no contraction of a*b + c, so that results are those of C but
# for the rounding of library functions. Nothing of the C library that talks to a system is used.
# Vectors of 128 bits, which engines have, hold two lanes; numbers are the same without them.
_FLAGS: Final = (
    "-target", "wasm32-wasi", "-mexec-model=reactor", "-std=c99", "-O2", "-fno-math-errno",
    "-fno-trapping-math", "-ffp-contract=off", "-msimd128", "-Wl,--strip-all",
    "-Wl,-z,stack-size=1048576",
)  # fmt: skip
_FUNCTIONS: Final = (
    "abi", "bytes", "create", "destroy", "reset", "place", "set_step", "shape", "set", "get",
    "values", "time", "advance", "save", "restore", "status", "text",
)  # fmt: skip


@dataclass(frozen=True)
class FurtherUnit:
    """C that stands beside the stepper in a module: ``name.h``, ``name.c`` and what is called."""

    name: str
    header: str
    text: str
    functions: tuple[str, ...]


def write_wasm(
    system: System,
    folder: str | Path,
    *,
    method: str | FixedStep | None = None,
    starts: Sequence[StartPoint] = (),
    outputs: Sequence[str] | None = None,
) -> Path:
    """Write ``model.wasm``, ``layout.json``, ``stepper.js`` and ``README.md`` into ``folder``.

    ``stepper.js`` is a class with the verbs of the stepper, by name, for browsers and Node. The
    arguments are those of ``write_c_project``. Needs the extra ``cc``.

    Example:
    >>> import axletree as at
    >>> from axletree.export.wasm import write_wasm
    >>> folder = write_wasm(at.read_model("pendulum").formulate(), "swing")
    >>> sorted(file.name for file in folder.iterdir())
    ['README.md', 'layout.json', 'model.wasm', 'stepper.js']
    """
    check_arguments(write_wasm, locals())
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise CompilerError(f"{target} is a file; expected a folder to write the module into")
    prepared = wasm_program(with_assembled_start(system), method, outputs, starts)
    module = wasm_module(prepared)
    layout = stepper_layout(prepared)
    with whole_folder(target) as made:
        (made / "model.wasm").write_bytes(module)
        write_text(made / "layout.json", json.dumps(layout, indent=1) + "\n")
        write_text(made / "stepper.js", fill("stepper.js"))
        write_text(
            made / "README.md", fill("wasm_README.md.jinja", layout=layout, bytes=len(module))
        )
    return target


def wasm_program(
    system: System,
    method: str | FixedStep | None = None,
    outputs: Sequence[str] | None = None,
    starts: Sequence[StartPoint] = (),
) -> StepProgram:
    """With the functions of the C library: those of a fixed cost take engines longer."""
    return step_program(system, method, outputs=outputs, starts=starts, fixed_cost=False)


def wasm_module(prepared: StepProgram, further: Sequence[FurtherUnit] = ()) -> bytes:
    """The compiled stepper, with what a page computes beside it."""
    if not has_ziglang():
        raise CompilerError(
            "WebAssembly is compiled by ziglang, which is not installed; pip install 'axletree[cc]'"
        )
    header = stepper_header(prepared, more=[f"{DEFAULTS};"])
    unit = f'#include "model.h"\n{stepper_unit(prepared)}'
    exported = [f"-Wl,--export=model_stepper_{name}" for name in _FUNCTIONS]
    exported += ["-Wl,--export=malloc", "-Wl,--export=free"]
    exported += [f"-Wl,--export={name}" for one in further for name in one.functions]
    command = [sys.executable, "-m", "ziglang", "cc", *_FLAGS, *exported, "-o", "model.wasm"]
    with temporary_files(), tempfile.TemporaryDirectory(prefix="axletree-wasm-") as folder:
        (Path(folder) / "model.h").write_text(header, encoding="utf-8")
        (Path(folder) / "model.c").write_text(unit, encoding="utf-8")
        for one in further:
            (Path(folder) / f"{one.name}.h").write_text(one.header, encoding="utf-8")
            (Path(folder) / f"{one.name}.c").write_text(one.text, encoding="utf-8")
        sources = ["model.c", *(f"{one.name}.c" for one in further)]
        with doing("compiling for WebAssembly"):
            done = subprocess.run(
                [*command, *sources], cwd=folder, capture_output=True, text=True,
                errors="replace",
            )  # fmt: skip
        made = Path(folder) / "model.wasm"
        if done.returncode != 0 or not made.is_file():
            lines = (done.stderr or done.stdout).strip().splitlines()[:8]
            shown = "\n".join(f"  {line}" for line in lines)
            raise CompilerError(f"the model is not compiled for WebAssembly:\n{shown}")
        return made.read_bytes()
