"""The part of a report that says how to get the same run again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from axletree.report import page
from axletree.report.run_facts import RunFacts
from axletree.report.run_metrics import RunRecipe, told_input, told_versions

FOLDED = 6  # rows of inner values, beyond which they open on a click


def recipe_section(recipe: RunRecipe | None, facts: RunFacts) -> str:
    """Versions, files with their hashes, settings and inputs; without a recipe what is known."""
    if recipe is None:
        inputs = {name: told_input(signal) for name, signal in facts.inputs.items()}
        told: dict[str, Any] = {"versions": told_versions()}
        told |= {"inputs": inputs, "parameters": dict(facts.parameters)}
        return "".join(_part(name, values) for name, values in told.items())
    told = recipe.told()
    first = page.table(("", ""), [("sha256 of all of this", recipe.sha256)])
    return first + "".join(_part(name, values) for name, values in told.items() if values)


def _part(name: str, values: Any) -> str:
    rows = list(_rows(values))
    if not rows:
        return ""
    listed = page.table((name, ""), rows)
    return page.folded(f"{name}, {len(rows)} values", listed) if len(rows) > FOLDED else listed


def _rows(values: Any, before: str = "") -> Iterator[tuple[str, str]]:
    """Values by their names; what is not given is left out."""
    if isinstance(values, Mapping):
        for name, value in values.items():
            yield from _rows(value, f"{before}, {name}" if before else str(name))
    elif values is not None:
        yield before, f"{values:.10g}" if isinstance(values, float) else str(values)
