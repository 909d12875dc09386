"""``write_model``: a model as a YAML file that reads back to the same equations."""

from __future__ import annotations

import enum
import io
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from axletree.components.bodies import FramedBody
from axletree.components.contract import Component
from axletree.components.curves import Curve
from axletree.components.frames import NO_TURN, Frame, Turn
from axletree.components.parts import PARTS, Part, part_word
from axletree.components.signals import TIME, Constant, Input, TimeFunction, TimeTable
from axletree.core.errors import AxletreeError, ModelError
from axletree.core.files import whole_file
from axletree.core.registry import section
from axletree.expr import Expr, symbols_of
from axletree.expr.text import parse_expression, to_text
from axletree.model.model import Model
from axletree.model.yaml.declaration import Declared, declared_fields
from axletree.model.yaml.document import LARGEST_FILE
from axletree.model.yaml.settings import written_plots

LONGEST_EXPRESSION = 2000  # operations


def write_model(model: Model, path: str | Path) -> None:
    """Write the model to a YAML file; what a file cannot say is an error.

    Example:
    >>> import axletree as at
    >>> model = at.read_model("pendulum")
    >>> at.write_model(model, "copy.yaml")
    >>> at.read_model("copy.yaml")["rod"].mass  # kg
    1.0
    """
    from ruamel.yaml import YAML

    content = _content(model)
    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style = None  # the innermost lists and mappings on one line each
    yaml.sort_base_mapping_type_on_output = False  # type: ignore[assignment]
    yaml.width = 1000  # a line is broken at spaces only where it has to be
    text = io.BytesIO()
    yaml.dump(content, text)
    if len(text.getvalue()) > LARGEST_FILE:
        raise ModelError(
            f"the model would take {len(text.getvalue()) >> 10} KiB, and a model file may have "
            f"{LARGEST_FILE >> 10}; heights on a large grid belong in a file of their own, which "
            "a surface of type height-map names"
        )
    with whole_file(path) as stream:
        stream.write(text.getvalue())


def _content(model: Model) -> dict[str, Any]:
    content: dict[str, Any] = {"name": model.name}
    if model.description:
        content["description"] = model.description
    content["gravity"] = list(model.gravity)
    if model.ground.frames()[1:]:
        content["ground"] = {"frames": _frames(model.ground)}
    content["components"] = {component.name: _component(component) for component in model}
    if model.start:
        content["start"] = dict(model.start)
    if model.tree is not None:
        content["tree"] = (
            {domain: list(names) for domain, names in model.tree.items()}
            if isinstance(model.tree, Mapping)
            else list(model.tree)
        )
    if run := _run(model):
        content["run"] = run
    # A file of components has no section in which a manoeuvre could change its road or its driver.
    driven = {name: one for name, one in model.manoeuvres.items() if not one.changes}
    if driven:
        content["manoeuvres"] = {
            name: written_part(manoeuvre, f"manoeuvres.{name}", "MANOEUVRES")
            for name, manoeuvre in driven.items()
        }
    if model.plots:
        content["plots"] = written_plots(model.plots)
    return content


def _run(model: Model) -> dict[str, Any]:
    found = {key: value for key, value in vars(model.run).items() if value not in (None, {})}
    if "outputs" in found:
        found["outputs"] = list(found["outputs"])
    if "inputs" in found:
        found["inputs"] = {
            name: _text(value, name) if isinstance(value, Expr) else value
            for name, value in model.run.inputs.items()
        }
    return found


def _component(component: Component) -> dict[str, Any]:
    place = f"{type(component).__module__}:{type(component).__name__}"
    words = [word for word, entry in section("COMPONENTS").items() if entry == place]
    if not words:
        raise ModelError(
            f"{component.name} is a {type(component).__name__}, which is not in the catalogue; "
            "a file can only name what is"
        )
    content: dict[str, Any] = {"type": words[0]}
    for item in declared_fields(type(component)).values():
        where = f"{component.name}.{item.field}"
        if item.kind.word == "frames" and isinstance(component, FramedBody):
            written = _frames(component)
            default: Any = {}
        elif item.kind.section:
            written, default = _held(component, item, where)
        elif item.kind.word == "axis":
            written = _axis(getattr(component, item.field))
            default = None if item.required else _axis(item.kind.check(item.default))
        else:
            written = _plain(getattr(component, item.field), where)
            default = None if item.required else _plain(item.kind.check(item.default), where)
        if item.required or written != default:
            content[item.key] = written
    return content


def _plain(value: Any, where: str) -> Any:
    """A field's value as the file writes it."""
    match value:
        case Frame() | Component():
            return value.name
        case bool():
            return value
        case enum.Enum():
            return value.value
        case Constant():
            return value.value
        case Input(value=0.0):
            return "input"
        case Input():
            raise ModelError(f"{where}: the level of an input cannot be written to a file")
        case TimeFunction():
            return _text(value.expression, where)
        case TimeTable():
            kind = {} if value.kind is None else {"kind": value.kind.value}
            return {"times": list(value.times), "values": list(value.values), **kind}
        case Curve():
            return {"x": list(value.x), "y": list(value.y), "kind": value.kind.value}
        case str() | float() | int() | None:
            return value
        case Expr():
            return _text(value, where)
        case Part():
            return _fields(value, where)
        case Mapping():
            return {name: _plain(part, f"{where}.{name}") for name, part in value.items()}
        case Sequence():
            return [_plain(part, where) for part in value]
    raise ModelError(f"{where}: {value!r} cannot be written to a file")


def written_part(
    part: Part, where: str, catalogue_section: str, *, defaults: bool = False
) -> dict[str, Any]:
    """A part as a file writes it: its type, and the fields that are not as they are by default.

    With ``defaults`` those, too, as nothing else says which they were.
    """
    return {"type": part_word(part, catalogue_section), **_fields(part, where, defaults)}


def _fields(part: Part, where: str, defaults: bool = False) -> dict[str, Any]:
    """Those that are not as they are by default; of a piece, all that a file has of it."""
    content: dict[str, Any] = {}
    for item in declared_fields(type(part)).values():
        name = f"{where}.{item.field}"
        if item.kind.section:
            written, default = _held(part, item, name, defaults)
        else:
            written = _plain(getattr(part, item.field), name)
            default = None if item.required else _plain(item.kind.check(item.default), name)
        if item.required or defaults or written != default:
            content[item.key] = written
    return content


def _held(owner: Any, item: Declared, where: str, defaults: bool = False) -> tuple[Any, Any]:
    """A field of one part or of several as the file writes it, and its default likewise."""
    held, section_name = getattr(owner, item.field), item.kind.section
    if item.kind.word == PARTS:
        rows = [written_part(one, where, section_name, defaults=defaults) for one in held]
        return rows, []
    given = held, None if item.required else item.default
    written, default = (
        None if one is None else written_part(one, where, section_name, defaults=defaults)
        for one in given
    )
    return written, default


def _axis(axis: Sequence[float]) -> Any:
    """A letter for a coordinate axis."""
    signs = {1.0: "", -1.0: "-"}
    for letter, part in zip("xyz", axis, strict=True):
        if abs(part) == 1.0:
            return signs[part] + letter
    return list(axis)


def _text(expression: Expr, where: str) -> str:
    """The expression as text, checked by reading it again."""
    text = to_text(expression, LONGEST_EXPRESSION)
    known = {found.name: found for found in symbols_of([expression])}
    try:
        same = parse_expression(text, {TIME.name: TIME, **known}) == expression
    except AxletreeError:
        same = False
    if not same:
        raise ModelError(f"{where}: the expression {text} cannot be written to a file")
    return text


def _frames(body: FramedBody) -> dict[str, Any]:
    return {frame.label: _place(frame) for frame in body.frames()[1:]}


def _place(frame: Frame) -> Any:
    position = list(frame.position)
    if frame.turn == NO_TURN:
        return position
    turns = zip("zyx", _angles(frame.turn), strict=True)
    return {"position": position, "turn": [[axis, angle] for axis, angle in turns if angle]}


def _angles(R: Turn) -> tuple[float, float, float]:
    """Turns about z, then y, then x that make a rotation matrix [rad]."""
    cosine = math.hypot(R[0][0], R[1][0])
    pitch = math.atan2(-R[2][0], cosine)
    if cosine < 1e-12:  # z and x turn about one line; x is left at 0
        return math.atan2(-R[0][1], R[1][1]), pitch, 0.0
    return math.atan2(R[1][0], R[0][0]), pitch, math.atan2(R[2][1], R[2][2])
