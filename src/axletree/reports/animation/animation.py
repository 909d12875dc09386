"""The animation of a run: a page to look at it in three dimensions, and pictures of it.

The page is one HTML file with its program, its style and its data: the scene as JSON, with arrays
as base64 of little-endian numbers.
"""

from __future__ import annotations

import base64
import dataclasses
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.core.arguments import check_arguments
from axletree.core.files import write_text
from axletree.model.model import Model
from axletree.reports.animation.build import build_scene, panel_names
from axletree.reports.animation.mesh import Mesh, lathe
from axletree.reports.animation.motion import RATE, AnimationError, RunValues, shown_records
from axletree.reports.animation.scene import (
    ON_DARK,
    Actor,
    GroundMesh,
    Scene,
    ShownPiece,
)
from axletree.reports.animation.wheels import wheel_outputs
from axletree.reports.page import render
from axletree.simulation.recomputed_outputs import RunFacts
from axletree.simulation.trajectory import Trajectory
from axletree.system.formulation import formulate
from axletree.system.system import System

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAGE = "animation.html"
ENDINGS = (".html", ".png", ".gif")


@dataclass(frozen=True)
class Animation:
    """What moves in a run, ready to be written.

    Example:
    >>> import axletree as at
    >>> model = at.read_model("pendulum")
    >>> film = at.animation(model, model.formulate().simulate(0.5, step=0.1))
    >>> film.html[:15], film.embedded[:7]
    ('<!DOCTYPE html>', '<iframe')
    """

    scene: Scene

    def save(self, path: str | Path) -> Path:
        """By the ending of the name: .html is a page, .gif a film, .png a picture of instants.

        Example:
        >>> import axletree as at
        >>> model = at.read_model("pendulum")
        >>> film = at.animation(model, model.formulate().simulate(0.5, step=0.1))
        >>> film.save("swing.html").name
        'swing.html'
        """
        path = Path(path)
        if path.suffix not in ENDINGS:
            raise AnimationError(
                f"cannot write an animation to {path}; expected a name that ends in "
                f"{', '.join(ENDINGS)}"
            )
        if path.suffix == ".html":
            write_text(path, self.html)
            return path
        from axletree.reports.animation.pictures import write_gif, write_png

        return (write_png if path.suffix == ".png" else write_gif)(self.scene, path)

    def picture(self) -> Figure:
        """The first instant, without forces.

        Example:
        >>> import axletree as at
        >>> model = at.read_model("pendulum")
        >>> film = at.animation(model, model.formulate().simulate(0.5, step=0.1))
        >>> type(film.picture()).__name__
        'Figure'
        """
        from axletree.reports.animation.pictures import draw_instants

        return draw_instants(dataclasses.replace(self.scene, forces=()), [0])

    @cached_property
    def html(self) -> str:
        """The page as text."""
        return page_text(self.scene)

    @cached_property
    def embedded(self) -> str:
        """The page as an element that can stand in another page."""
        return render("animation_frame", title=self.scene.title, page=self.html)


def animation(
    model: Model,
    run: Trajectory,
    *,
    system: System | None = None,
    facts: RunFacts | None = None,
    title: str = "",
    rate: float = RATE,
) -> Animation:
    """The animation of a run, with as many instants a second as ``rate`` says.

    What the run has not recorded is computed again from its states, with the equations of
    ``system`` (those of the model's own tree, if none is given) and the inputs and parameters of
    ``facts``.

    Example:
    >>> import axletree as at
    >>> model = at.read_model("pendulum")
    >>> film = at.animation(model, model.formulate().simulate(1.0, step=0.1), rate=5.0)  # 1/s
    >>> film.scene.title, len(film.scene.time)
    ('pendulum', 6)
    """
    check_arguments(animation, locals())
    if rate <= 0.0:
        raise AnimationError(f"{rate:g} instants a second show nothing; expected more than 0")
    equations = _equations(model, run) if system is None else system
    whole = RunValues(run, np.arange(len(run)), equations, facts or RunFacts())
    traced = [*wheel_outputs(model, equations), *panel_names(model, whole)]
    courses = dataclasses.replace(whole, records=shown_records(run, rate, traced))
    return Animation(build_scene(model, courses, title))


def _equations(model: Model, run: Trajectory) -> System:
    system = formulate(model)
    missing = [q.name for q in system.states if q.name not in run]
    if missing:
        raise AnimationError(
            f"the run of {run.system} has other states than {model.name}: {missing[0]} is not "
            "among its columns; give the system that was run, as system=..."
        )
    return system


# In the order in which they need one another.
PROGRAM = (
    "element.js", "algebra.js", "data.js", "theme.js", "painter.js", "camera.js", "ground.js",
    "actors.js", "panel.js", "player.js", "start.js",
)  # fmt: skip


def page_text(scene: Scene) -> str:
    """It needs no other file and no network."""
    program = "\n".join(animation_text(name) for name in PROGRAM)
    style = animation_text("style.css")
    return render("animation", scene=scene_data(scene), style=style, program=program)


def animation_text(name: str) -> str:
    """A part of the page's program, or its style."""
    return (files("axletree.reports.animation") / name).read_text(encoding="utf-8")


# Of an arrow of length and radius 1 along z.
SHAFT = lathe([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)], 10, closed=False)
HEAD = lathe([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)], 14, closed=False)


def scene_data(scene: Scene) -> dict[str, Any]:
    """What the page's program reads; a mesh that many share is there once."""
    meshes = _Meshes()
    return {
        "title": scene.title,
        "note": scene.note,
        "time": floats(scene.time),
        "up": list(scene.up),
        "size": scene.size,
        "main": [actor.name for actor in scene.actors].index(scene.main),
        "focus": floats(scene.focus),
        "spread": None if scene.spread is None else floats(scene.spread),
        "view": list(scene.view),
        "dark": ON_DARK,
        "arrowScale": scene.metres_per_newton,
        "actors": [_actor(actor, meshes) for actor in scene.actors],
        "fixed": [_piece(piece, meshes) for piece in scene.fixed],
        **{
            name: [_fields(one) for one in getattr(scene, name)]
            for name in ("forces", "trails", "lines", "ties", "ruts", "signals")
        },
        "grounds": [_ground(ground) for ground in scene.grounds],
        "arrow": {"shaft": meshes.number(SHAFT), "head": meshes.number(HEAD)},
        "meshes": meshes.data,
    }


def _fields(shown: Any) -> dict[str, Any]:
    """Of a dataclass, by name; arrays in single precision."""
    values = {field.name: getattr(shown, field.name) for field in dataclasses.fields(shown)}
    return {k: floats(v) if isinstance(v, np.ndarray) else v for k, v in values.items()}


def floats(values: np.ndarray) -> str:
    """Single precision, in order of rows."""
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f4").tobytes()).decode()


def whole(values: np.ndarray) -> str:
    """Whole numbers below 65 536."""
    return base64.b64encode(np.ascontiguousarray(values, dtype="<u2").tobytes()).decode()


class _Meshes:
    """Numbers meshes, each that differs once."""

    def __init__(self) -> None:
        self.data: list[dict[str, str]] = []

    def number(self, mesh: Mesh) -> int:
        indices = {"triangles": whole(mesh.triangles), "lines": whole(mesh.lines)}
        entry = {"points": floats(mesh.points), **indices}
        if entry not in self.data:
            self.data.append(entry)
        return self.data.index(entry)


def _actor(actor: Actor, meshes: _Meshes) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "name": actor.name,
        "colour": actor.colour,
        "named": any(piece.colour.startswith("#") for piece in actor.pieces),
        "pieces": [_piece(piece, meshes) for piece in actor.pieces],
        "position": floats(actor.position),
        "rotation": floats(actor.rotation),
    }
    if actor.spin is not None:
        entry |= {"axis": list(actor.axis), "spin": floats(actor.spin)}
    return entry


def _piece(piece: ShownPiece, meshes: _Meshes) -> dict[str, Any]:
    number = meshes.number(piece.mesh)
    return {"mesh": number, "colour": piece.colour, "opacity": piece.opacity}


def _ground(ground: GroundMesh) -> dict[str, Any]:
    rows, columns = ground.x.shape
    points = np.stack([ground.x, ground.y, ground.z], axis=-1)
    return {
        "label": ground.label, "colour": ground.colour, "endless": ground.endless, "rows": rows,
        "columns": columns, "points": floats(points),
    }  # fmt: skip
