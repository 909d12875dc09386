"""Tables 5.1 to 5.6 of Morency 2007 measured again, stage by stage, with the two vehicles of
chapter 5.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from axletree.core.registry import load, section
from axletree.equations.derivation import derive_equations
from axletree.expr import (
    CalledFunction,
    ExpressionFunction,
    OperationCount,
    evaluate,
    symbol,
    topological_order,
)
from axletree.expr.expression import ZERO
from axletree.model.model import Model
from axletree.model_files.read import read_model
from axletree.system.assemble import assemble
from axletree.system.forms.baumgarte import Baumgarte
from axletree.system.forms.projected import Projected
from axletree.system.formulation import formulate
from axletree.system.system import System
from axletree.thesis.code_measure import MeasuredCode, TimedDrive, measure_code
from axletree.thesis.rewriting import Manipulation, Manipulator, rewrite_intermediates
from axletree.wheel.bound_law import called_forces
from axletree.wheel.contract import Contact, TyreLaw
from axletree.wheel.tyre import Tyre

_LAWS: Final = ("magic-formula-5.2", "fiala")  # of table 5.4; the first is the car's own


@dataclass
class MeasuredStage:
    """Rows by vehicle and variant, filled stage by stage."""

    code: dict[tuple[str, str], MeasuredCode] = field(default_factory=dict)
    laws: dict[str, OperationCount] = field(default_factory=dict)

    def rows(self, vehicle: ThesisVehicle, variants: Mapping[str, str]) -> dict[str, MeasuredCode]:
        """The rows of a table under its own names."""
        return {
            name: self.code[vehicle.model, variant]
            for name, variant in variants.items()
            if (vehicle.model, variant) in self.code
        }


@dataclass(frozen=True)
class Stage:
    """A part of the measurement: what it is called, and how it fills in its rows."""

    title: str
    work: Callable[[MeasuredStage], None]


def stages() -> Iterator[Stage]:
    """What there is to measure, quick things first."""
    yield Stage("tyre laws", _count_laws)
    for vehicle in (THESIS_CAR, SKIDDER):
        yield _stage(vehicle, "cotree", _plain)
    yield _stage(THESIS_CAR, "fiala", _fiala)
    for vehicle in (THESIS_CAR, SKIDDER):
        yield _stage(vehicle, "tree", _in_tree)
    for vehicle in (THESIS_CAR, SKIDDER):
        for manipulation in (Manipulation.SIMPLIFY, Manipulation.COMBINE):
            yield _stage(vehicle, manipulation.value, _manipulated(manipulation))


def _stage(
    vehicle: ThesisVehicle, variant: str, measure: Callable[[ThesisVehicle], MeasuredCode]
) -> Stage:
    def work(measured: MeasuredStage) -> None:
        measured.code[vehicle.model, variant] = measure(vehicle)

    return Stage(f"{vehicle.model}, {variant}", work)


def _plain(vehicle: ThesisVehicle) -> MeasuredCode:
    return measure_code(vehicle.form, vehicle.drives)


def _in_tree(vehicle: ThesisVehicle) -> MeasuredCode:
    return measure_code(vehicle.form_in_tree, vehicle.drives, initial=vehicle.start_in_tree)


def _fiala(vehicle: ThesisVehicle) -> MeasuredCode:
    return measure_code(lambda: vehicle.form(example_law(_LAWS[1])), vehicle.drives)


def _manipulated(manipulation: Manipulation) -> Callable[[ThesisVehicle], MeasuredCode]:
    def measure(vehicle: ThesisVehicle) -> MeasuredCode:
        left: list[str] = []

        def form() -> System:
            system, names = vehicle.form_manipulated(manipulation)
            left.extend(names)
            return system

        found = measure_code(form, vehicle.drives, euler_only=True)
        return replace(found, left=tuple(left))

    return measure


def _count_laws(measured: MeasuredStage) -> None:
    """Those of the catalogue that have an example, and an inside to count."""
    for name, entry in section("TYRES").items():
        if load("tyre law", name, {name: entry}).example:
            functions = _called_functions(example_law(name))
            if all(isinstance(function, ExpressionFunction) for function in functions):
                measured.laws[name] = law_operations(example_law(name))


def law_operations(law: TyreLaw) -> OperationCount:
    """One call of a tyre law, beyond what its parameters alone decide."""
    return sum((f.operations for f in _called_functions(law)), OperationCount())


def _called_functions(law: TyreLaw) -> list[CalledFunction]:
    names = [f.name for f in dataclasses.fields(Contact) if f.default is not None]
    contact = Contact(**{name: symbol(name) for name in names})
    parameters = {n: symbol(f"p.{n}") if value else ZERO for n, value in law.numbers.items()}
    forces = called_forces(law, contact, parameters)
    values = [getattr(forces, f.name) for f in dataclasses.fields(forces)]
    data = [node.data for node in topological_order(values) if node.operation == "call"]
    return [function for function in data if isinstance(function, CalledFunction)]


_MANOEUVRES: Final = ("sine-steer", "braking")
EXPRESSION_BUDGET: Final = 8.0  # s of processor time for the manipulation of one expression
TOTAL_BUDGET: Final = 20.0  # s for all of one vehicle
_CORNERS: Final = ("front_left", "front_right", "rear_left", "rear_right")
_TYRES: Final = tuple(f"{corner}_tyre" for corner in _CORNERS)

_Tree = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class ThesisVehicle:
    """A shipped model, and the tree that its tyre edges can stand in."""

    model: str
    tree_with_tyres: _Tree

    @property
    def drives(self) -> tuple[TimedDrive, ...]:
        manoeuvres = read_model(self.model).manoeuvres
        return tuple(TimedDrive(name, manoeuvres[name].signals) for name in _MANOEUVRES)

    def form(self, law: TyreLaw | None = None) -> System:
        """With tyre edges in the cotree; with another law, if one is given."""
        model = with_law(read_model(self.model), law)
        return formulate(model)

    def form_in_tree(self) -> System:
        """With tyre edges in the tree, constraints stabilised after Baumgarte (section 5.3.5)."""
        model = read_model(self.model)
        return formulate(model, self.tree_with_tyres, Baumgarte())

    def form_manipulated(self, manipulation: Manipulation) -> tuple[System, tuple[str, ...]]:
        """With manipulated intermediate variables, and those for which time did not suffice."""
        model = read_model(self.model)
        equations = derive_equations(model, model.tree)
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


THESIS_CAR: Final = ThesisVehicle(
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
SKIDDER: Final = ThesisVehicle(
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
