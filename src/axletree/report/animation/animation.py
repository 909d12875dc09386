"""The animation of a run: a page to look at it in three dimensions, and pictures of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from axletree.core.files import write_text
from axletree.model.model import Model
from axletree.report.animation.build import build_scene
from axletree.report.animation.motion import RATE, AnimationError, RunValues, shown_records
from axletree.report.animation.page import page_text
from axletree.report.animation.scene import Scene
from axletree.report.page import render
from axletree.simulation.recomputed_outputs import RunFacts
from axletree.simulation.trajectory import Trajectory
from axletree.system.formulation import formulate
from axletree.system.system import System

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
        if path.suffix == ".html":
            write_text(path, self.html)
            return path
        from axletree.report.animation.pictures import write_gif, write_png

        if path.suffix == ".png":
            return write_png(self.scene, path)
        if path.suffix == ".gif":
            return write_gif(self.scene, path)
        raise AnimationError(
            f"cannot write an animation to {path}; expected a name that ends in "
            f"{', '.join(ENDINGS)}"
        )

    @property
    def html(self) -> str:
        """The page as text."""
        return page_text(self.scene)

    @property
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
    if rate <= 0.0:
        raise AnimationError(f"{rate:g} instants a second show nothing; expected more than 0")
    records = shown_records(run, rate)
    equations = _equations(model, run) if system is None else system
    courses = RunValues(run, records, equations, facts or RunFacts())
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
