"""Tables 5.1 to 5.6 of Morency 2007 measured again, stage by stage, with the vehicles of chapter 5.

Intermediate variables of components are written otherwise by SymPy, within a budget of time.
"""

from __future__ import annotations

import dataclasses
import enum
import multiprocessing
import signal
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

from axletree.core.registry import load, section
from axletree.equations.derivation import derive_equations
from axletree.equations.equations import Equations
from axletree.expr import (
    CalledFunction,
    Expr,
    ExpressionFunction,
    OperationCount,
    evaluate,
    from_sympy,
    substitute,
    symbol,
    symbols_of,
    to_sympy,
    topological_order,
)
from axletree.expr.expression import ZERO
from axletree.expr.node import Node
from axletree.expr.traversal import rebuild
from axletree.model.model import Model, checked_start
from axletree.model_files.read import read_model
from axletree.system.assemble import assemble
from axletree.system.forms.baumgarte import Baumgarte
from axletree.system.forms.projected import Projected
from axletree.system.formulation import formulate
from axletree.system.system import System
from axletree.thesis.code_measure import MeasuredCode, TimedDrive, measure_code
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
    vehicles = THESIS_CAR, SKIDDER
    yield from (_stage(vehicle, "cotree", _plain) for vehicle in vehicles)
    yield _stage(THESIS_CAR, "fiala", _fiala)
    yield from (_stage(vehicle, "tree", _in_tree) for vehicle in vehicles)
    for vehicle in vehicles:
        for manipulation in (Manipulation.SIMPLIFY, Manipulation.COMBINE):
            measure = partial(_manipulated, manipulation=manipulation)
            yield _stage(vehicle, manipulation.value, measure)


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


def _manipulated(vehicle: ThesisVehicle, manipulation: Manipulation) -> MeasuredCode:
    left: list[str] = []

    def form() -> System:
        system, names = vehicle.form_manipulated(manipulation)
        left.extend(names)
        return system

    return replace(measure_code(form, vehicle.drives, euler_only=True), left=tuple(left))


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
        return formulate(with_law(read_model(self.model), law))

    def form_in_tree(self) -> System:
        """With tyre edges in the tree, constraints stabilised after Baumgarte (section 5.3.5)."""
        return formulate(read_model(self.model), self.tree_with_tyres, Baumgarte())

    def form_manipulated(self, manipulation: Manipulation) -> tuple[System, tuple[str, ...]]:
        """With manipulated intermediate variables, and those for which time did not suffice."""
        model = read_model(self.model)
        equations = derive_equations(model, model.tree)
        with Manipulator(EXPRESSION_BUDGET, TOTAL_BUDGET) as worker:
            rewritten, left = rewrite_intermediates(
                equations, lambda form: worker.apply(manipulation, form)
            )
        return assemble(rewritten, Projected(), checked_start(model)), tuple(left)

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
    other.form = model.form
    return other


def example_law(name: str) -> TyreLaw:
    """The example of a law of the catalogue."""
    kind = load("tyre law", name, section("TYRES"))
    law: TyreLaw = kind(**kind.example)
    return law


GOLDEN = 0.6180339887498949  # its multiples spread evenly over the unit interval
Rewrite = Callable[[Any], Any | None]  # of a SymPy expression; None leaves it as it was


@dataclass
class Rewriting:
    """Intermediate variables by the nodes that they were, and what could not be rewritten.

    Those before a variable stand in it by name while it is rewritten (Morency 2007, section
    4.5.4), so that it is no larger than in the computational sequence.
    """

    rewrite: Rewrite
    needed: Collection[Node]  # the others are left alone
    replaced: dict[Node, Expr] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    _known: dict[tuple[int, float], Any] = field(default_factory=dict)

    def add(self, component: str, variables: Sequence[tuple[str, Expr]]) -> None:
        """The intermediate variables of a component, in their order."""
        names: dict[Node, Expr] = {}
        values: dict[Expr, Expr] = {}
        for name, expression in variables:
            node = expression.node
            if not self._is_computed(node) or node in self.replaced:
                continue
            sign = 1.0 / expression.coefficient
            (short,) = with_nodes([expression], names)
            other = self._rewritten(short)
            if other is None:
                self.left.append(f"{component}.{name}")
                other = short
            own = symbol(f"{component}.{name} rewritten")
            (values[own],) = substitute([other], values)
            names[node] = own * sign
            self.replaced[node] = values[own] * sign

    def _is_computed(self, node: Node) -> bool:
        """In block 1: no state, and no result of a call."""
        return bool(node.operands) and node.operation != "output" and node in self.needed

    def _rewritten(self, expression: Expr) -> Expr | None:
        """Tyres of one kind have one expression up to names: it is rewritten once."""
        symbols = symbols_of([expression])
        key = _fingerprint(expression, symbols)
        plain = _plain_symbols(len(symbols))
        if key not in self._known:
            (form,) = to_sympy([expression], dict(zip(symbols, plain, strict=True)))
            self._known[key] = self.rewrite(form)
        if self._known[key] is None:
            return None
        return from_sympy([self._known[key]], dict(zip(plain, symbols, strict=True)))[0]


def rewrite_intermediates(equations: Equations, rewrite: Rewrite) -> tuple[Equations, list[str]]:
    """The same equations, and the names of the variables that were left as they were."""
    applied, following = equations.dynamics.applied, equations.dynamics.following
    rates = [state.rate for state in equations.internal]
    needed = [*applied.entries, *following.entries, *rates]
    work = Rewriting(rewrite, frozenset(topological_order(needed)))
    for answer in equations.answers:
        variables = [(c.suffix, c.expression) for c in answer.response.intermediates]
        work.add(answer.component, variables)
    dynamics = replace(
        equations.dynamics,
        applied=applied.with_entries(with_nodes(applied.entries, work.replaced)),
        following=following.with_entries(with_nodes(following.entries, work.replaced)),
    )
    rewritten = zip(equations.internal, with_nodes(rates, work.replaced), strict=True)
    internal = tuple(replace(state, rate=rate) for state, rate in rewritten)
    return replace(equations, dynamics=dynamics, internal=internal), work.left


def with_nodes(expressions: Sequence[Expr], replaced: Mapping[Node, Expr]) -> list[Expr]:
    """The expressions with whole nodes replaced."""
    built: dict[Node, Expr] = {}
    for node in topological_order(expressions):
        if node in replaced:
            built[node] = replaced[node]
        elif any(built[e.node] != Expr(1.0, e.node) for e in node.operands):
            operands = [built[e.node] * e.coefficient for e in node.operands]
            built[node] = rebuild(node.operation, operands, node.data)
        else:
            built[node] = Expr(1.0, node)
    return [built[e.node] * e.coefficient for e in expressions]


def _fingerprint(expression: Expr, symbols: Sequence[Expr]) -> tuple[int, float]:
    """Equal for expressions that differ in the names of their symbols, not in their order."""
    values = {e: 0.3 + 0.6 * (k * GOLDEN % 1.0) for k, e in enumerate(symbols)}
    value = float(evaluate([expression], values)[0])
    return len(symbols), float(f"{value:.10e}")


def _plain_symbols(count: int) -> list[Any]:
    import sympy

    return [sympy.Symbol(f"x{k}") for k in range(count)]


# SymPy's ways to write an expression otherwise, each within a budget of time.
#
# Morency 2007 (section 4.7) tries Maple's ``simplify()`` and ``combine()`` on intermediate
# variables. SymPy's ``simplify`` is for the first; for the second products of sines and
# cosines become sums of multiple angles. SymPy cannot be stopped, so it works in a
# process of its own, which is ended when an expression takes too long.


class Manipulation(enum.StrEnum):
    """What is done with an expression."""

    NONE = "none"
    SIMPLIFY = "simplify"
    COMBINE = "combine"


class Manipulator:
    """Manipulates one expression after the other; None where the budget did not suffice.

    Budgets are of processor time, so that a busy machine gives the same results.
    """

    def __init__(self, budget: float, total: float) -> None:
        self._budget = budget  # s for one expression
        self._left = total  # s for all of them
        self._context = multiprocessing.get_context("spawn")
        self._process: Any = None
        self._pipe: Any = None

    def __enter__(self) -> Manipulator:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def apply(self, manipulation: Manipulation, expression: Any) -> Any | None:
        """The SymPy expression in its other form, or None."""
        if manipulation is Manipulation.NONE:
            return expression
        budget = min(self._budget, self._left)
        if budget <= 0.0:
            return None
        if self._pipe is None:
            self._start()
        self._pipe.send((manipulation, expression, budget))
        try:
            result, spent = self._pipe.recv()
        except EOFError:  # the process was ended
            self._left -= budget
            self._stop()
            return None
        self._left -= spent
        return result

    def _start(self) -> None:
        self._pipe, theirs = self._context.Pipe()
        self._process = self._context.Process(target=_serve, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()

    def _stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.join()
            self._pipe.close()
        self._process = self._pipe = None


def _serve(pipe: Any) -> None:
    import sympy
    from sympy.simplify.fu import TR8

    forms: dict[Manipulation, Callable[[Any], Any]] = {
        Manipulation.SIMPLIFY: sympy.simplify,
        Manipulation.COMBINE: TR8,
    }
    while True:
        manipulation, expression, budget = pipe.recv()
        begin = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, budget)  # its signal ends the process
        result = forms[manipulation](expression)
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        pipe.send((result, time.process_time() - begin))
