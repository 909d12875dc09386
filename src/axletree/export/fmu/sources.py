"""The C texts of an FMU, by the names of their files."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from axletree.code.identifiers import comment_text
from axletree.code.printers.c import c_definitions, c_number
from axletree.code.printers.dialect import packaged_text
from axletree.export.fmu.fmu_model import FmuModel
from axletree.expr.quantity import Quantity
from axletree.simulation.stepper.c_interface import stepper_header, stepper_unit

COMPILED: Final = "model.c"  # other files are included by it


def fmu_sources(model: FmuModel, version: int) -> dict[str, str]:
    """The texts but for ``guid.h``, which depends on them."""
    # In the archive what is included has an ending of its own: some compile every .c that is there.
    own = {
        f"fmi{version}.h": f"fmi{version}.h",
        "instance.inc": "instance.c",
        "functions.inc": "functions.c",
        f"fmi{version}.inc": f"fmi{version}.c",
    }
    included = [f"fmi{version}.h", "instance.inc", "guid.h", f"fmi{version}.inc"]
    tail = [
        c_definitions(_numbers(model)),
        *_tables(model),
        *(f'#include "{name}"' for name in included),
        "",
    ]
    unit = stepper_unit(model.prepared, more=["\n".join(tail)])
    texts = {name: packaged_text(__package__, file) for name, file in own.items()}
    texts["model.h"] = stepper_header(model.prepared)
    texts[COMPILED] = f'#include "model.h"\n{unit}'
    return texts


def _numbers(model: FmuModel) -> dict[str, object]:
    inputs, total, program = len(model.prepared.shaped), model.state_count, model.prepared.program
    return {
        "NINPUTS": inputs,
        "NINPUTS_ARRAY": max(inputs, 1),
        "NFILTERS": model.filter_count,
        "NTOTAL": total,
        "NTOTAL_ARRAY": max(total, 1),
        "NEVENTS": model.events,
        "NPORTS": model.ports,
        "NSETTINGS": len(model.setting_values),
        "FORWARD": int(program.directional is not None),
        "BACKWARD": int(program.adjoint is not None),
    }


def _tables(model: FmuModel) -> list[str]:
    program = model.prepared.program
    filters = ", ".join(map(str, model.filters)) or "-1"
    settings = ", ".join(map(c_number, model.setting_values))
    allowed = ",\n".join(
        f"    {{{_bound(q.lower)}, {_bound(q.upper)}, {c_number(float(q.above))}}}"
        for q in program.parameters
    )
    inputs = [program.inputs[one.places[0]] for one in model.prepared.shaped]
    bounds = ",\n".join(f"    {{{_bound(q.lower)}, {_bound(q.upper)}}}" for q in inputs)
    return [
        f"static const int axl_filter[] = {{{filters}}};",
        f"static const axl_real axl_own_settings[] = {{{settings}}};",
        f"static const axl_real axl_allowed[][3] = {{\n{allowed or '    {0}'}\n}};",
        f"static const axl_real axl_bounds[][2] = {{\n{bounds or '    {0}'}\n}};",
        _names("axl_state_names", program.states),
        _names("axl_input_names", inputs),
        _names("axl_parameter_names", program.parameters),
    ]


def _bound(value: float) -> str:
    return c_number(value) if math.isfinite(value) else ("HUGE_VAL", "-HUGE_VAL")[value < 0.0]


def _names(table: str, quantities: Sequence[Quantity]) -> str:
    lines = ",\n".join(f'    "{comment_text(q.name)}"' for q in quantities) or '    ""'
    return f"static const char *const {table}[] = {{\n{lines}\n}};"


def with_guid(texts: dict[str, str], description: str) -> tuple[dict[str, str], str]:
    """The texts with ``guid.h``, and the GUID: a digest of the texts and the description."""
    parts = [description, *(f"{name}\0{texts[name]}" for name in sorted(texts))]
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    pieces = (digest[:8], digest[8:12], digest[12:16], digest[16:20], digest[20:32])
    guid = f"{{{'-'.join(pieces)}}}"
    return {**texts, "guid.h": f'#define GUID "{guid}"\n'}, guid


def build_description(identifier: str) -> str:
    """``buildDescription.xml`` of FMI 3."""
    root = Element("fmiBuildDescription", fmiVersion="3.0")
    build = SubElement(root, "BuildConfiguration", modelIdentifier=identifier)
    files = SubElement(build, "SourceFileSet", language="C99")
    SubElement(files, "SourceFile", name=COMPILED)
    SubElement(files, "IncludeDirectory", name=".")
    SubElement(build, "Library", name="m", external="true", description="mathematics of C")
    indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"
