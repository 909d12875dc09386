"""``write_model``: a model as a YAML file that reads back to the same equations."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from axletree.components.bodies import FramedBody
from axletree.components.contract import Component
from axletree.components.file_entries import (
    written_expression,
    written_fields,
    written_part,
)
from axletree.components.frames import NO_TURN, Frame, Turn
from axletree.core.arguments import check_arguments
from axletree.core.errors import ModelError
from axletree.core.files import whole_file
from axletree.core.registry import section
from axletree.core.yaml_document import LARGEST_FILE
from axletree.expr import Expr
from axletree.model.model import Model
from axletree.model_files.settings import written_plots


def write_model(model: Model, path: str | Path) -> None:
    """Write the model to a YAML file; what a file cannot say is an error.

    Example:
    >>> import axletree as at
    >>> model = at.read_model("pendulum")
    >>> at.write_model(model, "copy.yaml")
    >>> at.read_model("copy.yaml")["rod"].mass  # kg
    1.0
    """
    check_arguments(write_model, locals())
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
    if model.form is not None:
        content["form"] = model.form
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
            name: written_expression(value, name) if isinstance(value, Expr) else value
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
    writers: dict[str, Callable[[Any], Any]] = {"axis": _axis}
    if isinstance(component, FramedBody):
        body = component  # which may have frames that were placed after it was made
        writers["frames"] = lambda placed: _frames(body) if placed is body.frames_at else {}
    return {"type": words[0], **written_fields(component, component.name, writers=writers)}


def _axis(axis: Sequence[float]) -> Any:
    """A letter for a coordinate axis."""
    signs = {1.0: "", -1.0: "-"}
    for letter, part in zip("xyz", axis, strict=True):
        if abs(part) == 1.0:
            return signs[part] + letter
    return list(axis)


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
