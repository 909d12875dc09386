"""Tables 5.1 to 5.6 of Morency 2007 measured again, stage by stage."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from axletree.analysis.code_measure import MeasuredCode, measure_code
from axletree.analysis.manipulation import Manipulation
from axletree.analysis.vehicle_variants import CAR, SKIDDER, Vehicle, example_law
from axletree.core.expr import (
    CalledFunction,
    ExpressionFunction,
    OperationCount,
    symbol,
    topological_order,
)
from axletree.core.expr.expression import ZERO
from axletree.core.registry import load, section
from axletree.library.tyres.calls import called_forces
from axletree.library.tyres.contract import Contact, TyreLaw
from axletree.system.system import System

LAWS: Final = ("magic-formula-5.2", "fiala")  # of table 5.4; the first is the car's own


@dataclass
class Measured:
    """Rows by vehicle and variant, filled stage by stage."""

    code: dict[tuple[str, str], MeasuredCode] = field(default_factory=dict)
    laws: dict[str, OperationCount] = field(default_factory=dict)

    def rows(self, vehicle: Vehicle, variants: Mapping[str, str]) -> dict[str, MeasuredCode]:
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
    work: Callable[[Measured], None]


def stages() -> Iterator[Stage]:
    """What there is to measure, quick things first."""
    yield Stage("tyre laws", _count_laws)
    for vehicle in (CAR, SKIDDER):
        yield _stage(vehicle, "cotree", _plain)
    yield _stage(CAR, "fiala", _fiala)
    for vehicle in (CAR, SKIDDER):
        yield _stage(vehicle, "tree", _in_tree)
    for vehicle in (CAR, SKIDDER):
        for manipulation in (Manipulation.SIMPLIFY, Manipulation.COMBINE):
            yield _stage(vehicle, manipulation.value, _manipulated(manipulation))


def _stage(vehicle: Vehicle, variant: str, measure: Callable[[Vehicle], MeasuredCode]) -> Stage:
    def work(measured: Measured) -> None:
        measured.code[vehicle.model, variant] = measure(vehicle)

    return Stage(f"{vehicle.model}, {variant}", work)


def _plain(vehicle: Vehicle) -> MeasuredCode:
    return measure_code(vehicle.form, vehicle.drives)


def _in_tree(vehicle: Vehicle) -> MeasuredCode:
    return measure_code(vehicle.form_in_tree, vehicle.drives, initial=vehicle.start_in_tree)


def _fiala(vehicle: Vehicle) -> MeasuredCode:
    return measure_code(lambda: vehicle.form(example_law(LAWS[1])), vehicle.drives)


def _manipulated(manipulation: Manipulation) -> Callable[[Vehicle], MeasuredCode]:
    def measure(vehicle: Vehicle) -> MeasuredCode:
        left: list[str] = []

        def form() -> System:
            system, names = vehicle.form_manipulated(manipulation)
            left.extend(names)
            return system

        found = measure_code(form, vehicle.drives, euler_only=True)
        return replace(found, left=tuple(left))

    return measure


def _count_laws(measured: Measured) -> None:
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
