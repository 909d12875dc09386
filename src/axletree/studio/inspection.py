"""What a text describes: its problems by line, data sheet, warnings, picture, manoeuvres.

It is found anew with every change, in a process of its own (``worker``).
"""

from __future__ import annotations

import math
import re
import warnings
from pathlib import Path
from typing import Any, Final

from axletree.components.file_entries import located_files
from axletree.core.errors import AxletreeError, ModelError
from axletree.core.problems import Problems
from axletree.core.yaml_document import read_document
from axletree.model.model import Model
from axletree.model_files.included_files import with_base
from axletree.model_files.read import ModelText, read_model_text
from axletree.reports.data_sheet import check
from axletree.studio.vehicle_picture import vehicle_picture
from axletree.studio.wheel_curves import axle_curves
from axletree.vehicles.data_sheet import data_sheet
from axletree.vehicles.vehicle import Vehicle

_LINE: Final = re.compile(r"\bline (\d+)\b")
_MOST_COMPONENTS: Final = 60  # of a mechanism whose equations are formed for its sheet
_MOST_PARAMETERS: Final = 400


def inspect_text(text: str, name: str, folder: str) -> dict[str, Any]:
    """What a page shows of the text of a file in a folder.

    Example:
    >>> from axletree.studio.inspection import inspect_text
    >>> found = inspect_text("base: sedan\\nvehicle: {body: {mass: 1.6 m}}\\n", "car.yaml", ".")
    >>> found["problems"][0]["line"], "mass" in found["problems"][0]["text"]
    (2, True)
    """
    found: dict[str, Any] = {"problems": [], "warnings": [], "files": []}
    given = ModelText(text, Path(name).name, Path(name).stem, Path(folder, name).parent)
    found["own"], found["values"] = _values(given)
    with warnings.catch_warnings(record=True) as caught, located_files() as files:
        warnings.simplefilter("always")
        try:
            _describe(read_model_text(given), found)
        except AxletreeError as error:
            texts = error.problems if isinstance(error, ModelError) else (str(error),)
            found["problems"] = [_problem(one, given.file) for one in texts]
    found["warnings"] += dict.fromkeys(str(one.message) for one in caught)
    found["files"] = _inner(files, given.folder)
    return found


def _problem(text: str, file: str) -> dict[str, Any]:
    line = _LINE.search(text)
    said = text.removeprefix(f"{file}, ") if line else text
    return {"line": int(line[1]) if line else 0, "text": said}


def _values(given: ModelText) -> tuple[Any, Any]:
    """What the file says itself, and with what it is based on; None where it cannot be read."""
    problems = Problems(given.file)
    try:
        own = read_document(given.text, problems)
        whole = with_base(own, given.folder, problems)
    except AxletreeError:
        return None, None
    return _for_json(own.plain), _for_json(whole.plain)


def _for_json(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _for_json(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_for_json(inner) for inner in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _inner(files: list[Path], folder: Path | None) -> list[str]:
    """Files beside the model or below, by their paths from it."""
    top = Path(folder or ".").resolve()
    found = (path.resolve() for path in files if path.is_file())
    return sorted({p.relative_to(top).as_posix() for p in found if p.is_relative_to(top)})


def _describe(model: Model, found: dict[str, Any]) -> None:
    found["title"] = model.name.replace("_", " ")
    found["description"] = model.description
    found["manoeuvres"] = list(model.manoeuvres)
    found["runs"] = model.run.duration is not None
    found["parameters"] = [q.name for q in model.parameters][:_MOST_PARAMETERS]
    vehicle = model.described.get("vehicle")
    if isinstance(vehicle, Vehicle):
        sheet = data_sheet(vehicle)
        found["fidelity"] = vehicle.fidelity.value
        found["picture"] = vehicle_picture(vehicle, found["title"])
        found["curves"] = axle_curves(vehicle)
    elif len(model.components) <= _MOST_COMPONENTS:
        sheet = check(model).sheet
    else:
        return
    found["warnings"] += sheet.warnings
    found["sheet"] = [
        {"name": row.name, "value": row.in_words, "unit": "" if row.unit == "1" else row.unit}
        for row in sheet.rows
    ]
