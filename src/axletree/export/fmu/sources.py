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
from axletree.export.fmu.tangents import Tangents, tangents
from axletree.expr.quantity import Quantity
from axletree.simulation.stepper.c_interface import stepper_header, stepper_unit

COMPILED: Final = ("model.c", "tangent.c")  # other files are included by the first


def fmu_sources(model: FmuModel, version: int) -> dict[str, str]:
    """The texts but for ``guid.h``, which depends on them.

    There is no ``tangent.c`` where there are no exact derivatives.
    """
    found = tangents(model, backward=version == 3)
    # In the archive what is included has an ending of its own: some compile every .c that is there.
    own = {
        f"fmi{version}.h": f"fmi{version}.h",
        "instance.inc": "instance.c",
        f"fmi{version}.inc": f"fmi{version}.c",
    }
    included = [f"fmi{version}.h", "instance.inc", "guid.h", f"fmi{version}.inc"]
    tail = [
        c_definitions(_numbers(model, found)),
        *_tables(model),
        _TANGENT if found else "",
        *(f'#include "{name}"' for name in included),
        "",
    ]
    unit = stepper_unit(model.prepared, more=["\n".join(tail)])
    texts = {name: packaged_text(__package__, file) for name, file in own.items()}
    texts["model.h"] = stepper_header(model.prepared)
    texts["model.c"] = f'#include "model.h"\n{unit}'
    if found:
        texts["tangent.c"] = found.text()
    return texts


_TANGENT: Final = """\
void tangent_constants(const axl_real *p, axl_real *c);
void tangent_forward(
    axl_real t, const axl_real *x, const axl_real *u, const axl_real *c, axl_real *xdot);
void tangent_backward(
    axl_real t, const axl_real *x, const axl_real *u, const axl_real *c, axl_real *y);
"""


def _numbers(model: FmuModel, found: Tangents | None) -> dict[str, object]:
    inputs, total = len(model.prepared.shaped), model.state_count
    constants = found.constants if found else 0
    return {
        "NINPUTS": inputs,
        "NINPUTS_ARRAY": max(inputs, 1),
        "NFILTERS": model.filter_count,
        "NTOTAL": total,
        "NTOTAL_ARRAY": max(total, 1),
        "NEVENTS": model.events,
        "NPORTS": model.ports,
        "NSETTINGS": len(model.setting_values),
        "TANGENT": int(found is not None),
        "NTANGENT_ARRAY": max(constants, 1),
    }


def _tables(model: FmuModel) -> list[str]:
    program = model.prepared.program
    filters = ", ".join(map(str, model.filters)) or "-1"
    settings = ", ".join(map(c_number, model.setting_values))
    allowed = ",\n".join(
        f"    {{{_bound(q.lower)}, {_bound(q.upper)}, {c_number(float(q.above))}}}"
        for q in program.parameters
    )
    return [
        f"static const int axl_filter[] = {{{filters}}};",
        f"static const axl_real axl_own_settings[] = {{{settings}}};",
        f"static const axl_real axl_allowed[][3] = {{\n{allowed or '    {0}'}\n}};",
        _names("axl_state_names", program.states),
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


def build_description(identifier: str, sources: Sequence[str]) -> str:
    """``buildDescription.xml`` of FMI 3."""
    root = Element("fmiBuildDescription", fmiVersion="3.0")
    build = SubElement(root, "BuildConfiguration", modelIdentifier=identifier)
    files = SubElement(build, "SourceFileSet", language="C99")
    for source in sources:
        SubElement(files, "SourceFile", name=source)
    SubElement(files, "IncludeDirectory", name=".")
    SubElement(build, "Library", name="m", external="true", description="mathematics of C")
    indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"
