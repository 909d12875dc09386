"""A mechanism of components as it starts, in three dimensions: its equations say where it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from axletree.live_pages.scene_recipe import scene_recipe
from axletree.model_files.read import ModelText, read_model_text
from axletree.reports.animation.animation import scene_data
from axletree.simulation.stepper.step_program import own_start
from axletree.studio.project import StudioError
from axletree.system.formulation import formulate

_MOST_COMPONENTS: Final = 40  # of equations that are formed while somebody waits


def mechanism_picture(text: str, name: str, folder: str) -> dict[str, Any]:
    """What a page draws of a model without a vehicle; no hard points.

    Example:
    >>> from axletree.studio.mechanism_picture import mechanism_picture
    >>> len(mechanism_picture("base: four-bar\\n", "four.yaml", ".")["scene"]["actors"])
    3
    """
    given = ModelText(text, Path(name).name, Path(name).stem, Path(folder, name).parent)
    model = read_model_text(given)
    if len(model.components) > _MOST_COMPONENTS:
        raise StudioError(
            f"a model of {len(model.components)} components has no picture here; a run shows it"
        )
    system = formulate(model)
    values = {quantity.name: quantity.default for quantity in system.parameters}
    recipe = scene_recipe(model, system, own_start(system), values, model.name)
    return {"scene": scene_data(recipe.scene), "points": []}
