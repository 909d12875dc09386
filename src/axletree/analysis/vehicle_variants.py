"""The two vehicles of Morency 2007 in the variants that chapter 5 compares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from axletree.analysis.code_measure import Drive
from axletree.analysis.manipulation import Manipulation, Manipulator
from axletree.analysis.rewritten_equations import rewrite_intermediates
from axletree.core.expr import evaluate
from axletree.core.registry import load, section
from axletree.formulation.formulate import formulate
from axletree.library.tyres.contract import TyreLaw
from axletree.library.tyres.tyre import Tyre
from axletree.model.model import Model
from axletree.model.read import read_model
from axletree.system.assemble import assemble
from axletree.system.forms.baumgarte import Baumgarte
from axletree.system.forms.projected import Projected
from axletree.system.system import System

MANOEUVRES: Final = ("sine-steer", "braking")
EXPRESSION_BUDGET: Final = 8.0  # s of processor time for the manipulation of one expression
TOTAL_BUDGET: Final = 20.0  # s for all of one vehicle
_CORNERS: Final = ("front_left", "front_right", "rear_left", "rear_right")
_TYRES: Final = tuple(f"{corner}_tyre" for corner in _CORNERS)

Tree = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Vehicle:
    """A shipped model, and the tree that its tyre edges can stand in."""

    model: str
    tree_with_tyres: Tree

    @property
    def drives(self) -> tuple[Drive, ...]:
        manoeuvres = read_model(self.model, Model).manoeuvres
        return tuple(Drive(name, manoeuvres[name].signals) for name in MANOEUVRES)

    def form(self, law: TyreLaw | None = None) -> System:
        """With tyre edges in the cotree; with another law, if one is given."""
        model = with_law(read_model(self.model, Model), law)
        return assemble(formulate(model, model.tree), Projected(), model.start)

    def form_in_tree(self) -> System:
        """With tyre edges in the tree, constraints stabilised after Baumgarte (section 5.3.5)."""
        model = read_model(self.model, Model)
        return assemble(formulate(model, self.tree_with_tyres), Baumgarte(), model.start)

    def form_manipulated(self, manipulation: Manipulation) -> tuple[System, tuple[str, ...]]:
        """With manipulated intermediate variables, and those for which time did not suffice."""
        model = read_model(self.model, Model)
        equations = formulate(model, model.tree)
        with Manipulator(EXPRESSION_BUDGET, TOTAL_BUDGET) as worker:
            rewritten, left = rewrite_intermediates(
                equations, lambda form: worker.apply(manipulation, form)
            )
        return assemble(rewritten, Projected(), model.start), tuple(left)

    def start_in_tree(self, system: System) -> dict[str, float]:
        """Where the wheels are and how they turn in the model's start."""
        plain = self.form()
        values = {q.symbol: q.default for q in (*plain.states, *plain.inputs, *plain.parameters)}
        outputs = {d.quantity.name: d.expression for d in plain.outputs}
        states = {q.name: q.default for q in plain.states}
        start = {name: states[name] for name in states if name.startswith("chassis.")}
        for corner in _CORNERS:
            for axis in "xyz":
                place = outputs[f"{corner}_wheel.position.{axis}"]
                start[f"{corner}_tyre.{axis}"] = float(evaluate([place], values)[0])
            start[f"{corner}_tyre.wy"] = states[f"{corner}_axle.rate"]
        known = {q.name for q in system.states}
        return {name: value for name, value in start.items() if name in known}


CAR: Final = Vehicle(
    "car",
    {
        "translation": (
            "chassis", *_TYRES, *(f"{corner}_axle" for corner in _CORNERS),
            "front_left_kingpin", "front_right_kingpin",
        ),
        "rotation": (
            "chassis", "steer", "front_right_steer", *(f"{corner}_strut" for corner in _CORNERS),
            *_TYRES,
        ),
    },
)  # fmt: skip
SKIDDER: Final = Vehicle(
    "skidder",
    {
        "translation": ("chassis", "hinge", *_TYRES),
        "rotation": ("chassis", "articulation", *_TYRES),
    },
)


def with_law(model: Model, law: TyreLaw | None) -> Model:
    """The model with another law in all its tyres."""
    if law is None:
        return model
    other = type(model)(model.name, model.gravity)
    for part in model:
        other.add(replace(part, law=law) if isinstance(part, Tyre) else part)
    other.start, other.tree, other.run = model.start, model.tree, model.run
    return other


def example_law(name: str) -> TyreLaw:
    """The example of a law of the catalogue."""
    kind = load("tyre law", name, section("TYRES"))
    law: TyreLaw = kind(**kind.example)
    return law
