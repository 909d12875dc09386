"""A stepper as C99: the interface that programs of other languages know a model by.

``stepper.h`` says what each function does, for those who never see Python. The text has no
globals, allocates nothing after a stepper is created, and is the same for every model but for
its tables and its routines.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final

from axletree.code.printers.c import (
    CNumber,
    c_definitions,
    c_number,
    defaults_text,
    print_header,
    print_unit,
)
from axletree.code.printers.dialect import packaged_text
from axletree.simulation.checks import angle_places
from axletree.simulation.loops import EVALUATION, step_numbers
from axletree.simulation.recording import FURTHER
from axletree.simulation.stepper.step_program import StepProgram
from axletree.system.sampled_laws import Rule

ABI: Final = 1002  # of stepper.h: thousands change with what is there, ones with what is added
_HEADER: Final = packaged_text(__package__, "stepper.h")
_FUNCTIONS: Final = packaged_text(__package__, "stepper.c")
_INCLUDED: Final = "#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n"


def stepper_header(
    prepared: StepProgram,
    prefix: str = "model",
    more: Sequence[str] = (),
    number: CNumber | None = None,
) -> str:
    """The header of a model with its stepper; ``more`` is text that follows."""
    text = _HEADER.replace("ABI,", f"{ABI},", 1).replace("START_COUNT", str(len(prepared.starts)))
    return print_header(
        prepared.program, prefix, more=["", _named(text.rstrip(), prefix), *more], number=number
    )


def stepper_unit(
    prepared: StepProgram,
    prefix: str = "model",
    more: Sequence[str] = (),
    number: CNumber | None = None,
) -> str:
    """The C source of a model with its stepper, which follows its header."""
    program, method = prepared.program, prepared.method
    numbers = step_numbers(program, method.c_step, solves=method.solves) | {
        "NPARAMETERS": len(program.parameters),
        "NCONSTANTS": program.constants.size,
        "NSHAPED": len(prepared.shaped),
        "NSTARTS": len(prepared.starts),
        "NREPORT": 1 + len(program.inputs) + FURTHER if method.solves else 0,
        "FORCES": prepared.forces,
        "TURNS": len(prepared.turns),
        "LOOKS_ALWAYS": int(prepared.fixed_cost),
        "RELATIVE": c_number(method.tolerances.relative),
        "ABSOLUTE": c_number(method.tolerances.absolute),
        **_law_numbers(prepared),
    }
    functions = _FUNCTIONS.replace("\nEVALUATION\n", f"\n{EVALUATION}\n")
    texts = [
        _INCLUDED,
        defaults_text(program),
        c_definitions(numbers),
        *_tables(prepared),
        *_law_texts(prepared),
        functions,
        method.c_step,
    ]
    body = "\n".join(texts)
    digest = hashlib.sha256(print_unit(program, more=[body], number=number).encode()).hexdigest()
    known = f"#define DIGEST UINT64_C(0x{digest[:16]})\n#define axl_step_work model_step_work\n"
    return print_unit(
        program, prefix, more=[_named(known + body, prefix), *more], number=number,
        fixed_cost=prepared.fixed_cost,
    )  # fmt: skip


def _tables(prepared: StepProgram) -> list[str]:
    """C has no arrays without entries: where there is nothing stands one row that nobody reads."""
    shaped, starts = prepared.shaped, prepared.starts
    return [
        _table("int axl_shaped", [one.places for one in shaped] or [(-1, -1, -1)]),
        _table(
            "axl_real axl_own_shapes",
            [(float(one.shape.code), one.shape.seconds) for one in shaped] or [(0.0, 0.0)],
        ),
        _table("axl_real axl_start_states", [one.states.tolist() or [0.0] for one in starts]),
        _table("axl_real axl_start_inputs", [one.inputs.tolist() or [0.0] for one in starts]),
        "static const int64_t axl_turn_places[] = "
        f"{{{', '.join(map(str, angle_places(prepared.turns).ravel().tolist()))}}};\n",
    ]


_RULES: Final = {Rule.MINIMUM: "AXL_MINIMUM", Rule.MAXIMUM: "AXL_MAXIMUM", Rule.SUM: "AXL_SUM"}


def _law_numbers(prepared: StepProgram) -> dict[str, object]:
    """Arrays in C have one entry at least."""
    laws = prepared.laws
    memory = sum(len(law.memory) for law in laws)
    return {
        "AXL_FIRST": 0, "AXL_MINIMUM": 1, "AXL_MAXIMUM": 2, "AXL_SUM": 3,
        "NLAWS": len(laws),
        "NMEMORY": max(memory, 1),
        "NMEMORY_OWN": memory,
        "NWISHES": sum(len(law.commands) for law in laws),
        "NCOMMANDED": len(prepared.commanded),
        "LAW_RESULTS": max((routine.size for routine in prepared.program.laws), default=1),
    }  # fmt: skip


def _law_texts(prepared: StepProgram) -> list[str]:
    laws, commanded = prepared.laws, prepared.commanded
    if not laws:
        return []
    inputs = prepared.program.inputs
    place = {q.name: k for k, q in enumerate(inputs)}
    shaped = {one.places[0]: k for k, one in enumerate(prepared.shaped)}
    rows, memory, wishes = [], 0, 0
    for law in laws:
        rows.append((place[law.switch.name], memory, len(law.memory), wishes, len(law.commands)))
        memory, wishes = memory + len(law.memory), wishes + len(law.commands)
    starts = [float(q.default) for law in laws for q in law.memory] or [0.0]
    wished = [list(commanded).index(one.name) for law in laws for one in law.commands]
    places = [
        f"{{{shaped[place[name]]}, {_RULES.get(rule, 'AXL_FIRST')}}}"
        for name, rule in commanded.items()
    ]
    bounds = [prepared.input_bounds[shaped[place[name]]] for name in commanded]
    cases = [
        f"    case {k}: model_{routine.name}(t, x, u, c, w, next); break;"
        for k, routine in enumerate(prepared.program.laws)
    ]
    return [
        _table("int axl_laws", rows),
        _list("axl_real axl_intervals", [c_number(law.interval) for law in laws]),
        _list("axl_real axl_memory_starts", [c_number(value) for value in starts]),
        _list("int axl_wished", map(str, wished)),
        f"static const int axl_commanded[][2] = {{{', '.join(places)}}};\n",
        _table("axl_real axl_command_bounds", bounds),
        "\n".join([
            "static void axl_law(int k, axl_real t, const axl_real *x, const axl_real *u,",
            "                    const axl_real *c, const axl_real *w, axl_real *next)",
            "{", "    switch (k) {", *cases, "    default: break;", "    }", "}", "",
        ]),
    ]  # fmt: skip


def _list(declared: str, texts: Iterable[str]) -> str:
    return f"static const {declared}[] = {{{', '.join(texts)}}};\n"


def _table(declared: str, rows: Sequence[Iterable[float]]) -> str:
    texts = [[c_number(v) if isinstance(v, float) else str(v) for v in row] for row in rows]
    lines = ",\n".join(f"    {{{', '.join(row)}}}" for row in texts)
    return f"static const {declared}[{len(texts)}][{len(texts[0])}] = {{\n{lines}\n}};\n"


def _named(text: str, prefix: str) -> str:
    return text.replace("PREFIX", prefix.upper()).replace("model_", f"{prefix}_")
