"""First values of a model: which names they may have, and their units."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from axletree.core.errors import ModelError
from axletree.core.files import write_text
from axletree.core.registry import unknown_name
from axletree.library.edge import MotionLaw, NetworkLaw
from axletree.model.model import Model


def units_of_states(model: Model) -> dict[str, str]:
    """The unit of everything that some choice of tree makes a state, by name."""
    units: dict[str, str] = {}
    for component in model:
        variables = list(component.states())
        for edge in component.edges():
            if isinstance(edge.law, MotionLaw):
                variables += [*edge.law.coordinates, *edge.law.speeds]
            elif isinstance(edge.law, NetworkLaw) and edge.law.state is not None:
                variables.append(edge.law.state)
        units |= {f"{component.name}.{variable.suffix}": variable.unit for variable in variables}
    return units


def unknown_start(name: str, units: dict[str, str]) -> str:
    """The sentence for a first value whose name no state can have."""
    return str(unknown_name("coordinate, speed or state", name, units, "this model"))


def check_start(model: Model) -> None:
    """Refuse first values that nothing can take; those outside the tree in use are allowed."""
    units = units_of_states(model)
    unknown = [name for name in model.start if name not in units]
    if unknown:
        raise ModelError([f"start.{name}: {unknown_start(name, units)}" for name in unknown])


def write_start(values: Mapping[str, float], path: str | Path) -> None:
    """Write values of states as the section ``start`` of a model file; zeros are left out."""
    lines = [f"  {name}: {value!r}\n" for name, value in values.items() if value]
    write_text(Path(path), "start:\n" + "".join(lines) if lines else "start: {}\n")
