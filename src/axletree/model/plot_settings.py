"""What a model file says of plots.

Under ``plots``, by title: a quantity, a list of them, or a mapping

    Path in the plane: {x: chassis.x, y: chassis.y}
    Roll angle: {y: chassis.roll, unit: deg}
    Lateral forces: "*_tyre.Fy"

``*`` stands for any characters of a name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from fnmatch import fnmatchcase
from typing import Any

from axletree.core.registry import unknown_name
from axletree.core.units import UnitError, parse_unit
from axletree.model.document import Entry
from axletree.model.model import Model
from axletree.model.plot import Plot
from axletree.model.problems import Place, Problems, shown

PLOT = {
    "y": "quantity or quantities that are shown, * for any characters",
    "x": "quantity that they are shown over; time if left out",
    "unit": "unit in which they are shown",
}
WHOLE_MODEL = ("energy", "momentum")  # first words of quantities that belong to no component


def read_plots(
    model: Model, entry: Entry, unbuilt: Set[str], problems: Problems
) -> tuple[Plot, ...]:
    """The plots of a file, in its order; ``unbuilt`` are components that have problems already."""
    if not isinstance(entry.content, dict):
        text = f"expected plots by title, got {shown(entry.plain)}"
        problems.add(entry.line, ("plots",), text)
        return ()
    owners = [*(component.name for component in model), *sorted(unbuilt), *WHOLE_MODEL]
    return tuple(_plot(owners, title, given, problems) for title, given in entry.content.items())


def _plot(owners: Sequence[str], title: str, entry: Entry, problems: Problems) -> Plot:
    place = ("plots", title)
    given = entry.content if isinstance(entry.content, dict) else {"y": entry}
    for key in given:
        if key not in PLOT:
            problems.add(
                given[key].line, (*place, key), str(unknown_name("key", key, PLOT, "a plot"))
            )
    if "y" not in given:
        problems.add(entry.line, place, f"the key 'y' is missing: {PLOT['y']}")
    y = _names(owners, given, "y", place, problems)
    x = _names(owners, given, "x", place, problems)
    if len(x) > 1 or any("*" in name for name in x):
        problems.add(given["x"].line, (*place, "x"), "expected one quantity")
    return Plot(title, y, x[0] if x else "", _unit(given, place, problems))


def _names(
    owners: Sequence[str], given: Mapping[str, Entry], key: str, place: Place, problems: Problems
) -> tuple[str, ...]:
    if key not in given:
        return ()
    entry = given[key]
    parts = entry.content if isinstance(entry.content, list) else [entry]
    found = []
    for part in parts:
        problem = _wrong_name(owners, part.content)
        if problem:
            problems.add(part.line, (*place, key), problem)
        else:
            found.append(str(part.content))
    return tuple(found)


def _wrong_name(owners: Sequence[str], name: Any) -> str:
    if not isinstance(name, str) or "." not in name:
        return f"expected a quantity as component.quantity, got {shown(name)}"
    owner = name.partition(".")[0]
    if any(fnmatchcase(known, owner) for known in owners):
        return ""
    return str(unknown_name("owner", owner[:100], owners, f"the quantity {shown(name)}"))


def _unit(given: Mapping[str, Entry], place: Place, problems: Problems) -> str:
    if "unit" not in given:
        return ""
    text = str(given["unit"].plain)
    try:
        parse_unit(text)
    except UnitError as error:
        problems.add(given["unit"].line, (*place, "unit"), str(error))
    return text


def written_plots(plots: Sequence[Plot]) -> dict[str, Any]:
    """As ``read_plots`` reads them."""
    content: dict[str, Any] = {}
    for plot in plots:
        y: Any = plot.y[0] if len(plot.y) == 1 else list(plot.y)
        more = {key: value for key, value in (("x", plot.x), ("unit", plot.unit)) if value}
        content[plot.title] = {"y": y, **more} if more else y
    return content


def plots_schema() -> dict[str, Any]:
    """The JSON schema of ``plots``."""
    one: dict[str, Any] = {"type": "string"}
    names = {"oneOf": [one, {"type": "array", "items": one}]}
    values = {"y": names, "x": one, "unit": one}
    described = {key: values[key] | {"description": text} for key, text in PLOT.items()}
    full = {
        "type": "object", "properties": described, "additionalProperties": False,
        "required": ["y"],
    }  # fmt: skip
    return {"type": "object", "additionalProperties": {"oneOf": [*names["oneOf"], full]}}
