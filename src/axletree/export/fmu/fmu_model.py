"""What of a model is in an FMU: a step program, its outputs in order, filters, variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from axletree.code.lowering import Extra
from axletree.core.errors import ExpressionError
from axletree.core.registry import unknown_name
from axletree.export.fmu.variable_names import distinct, structured_name
from axletree.expr import Expr, inlined, topological_order
from axletree.expr.expression import ONE
from axletree.expr.node import Node
from axletree.expr.quantity import Quantities, Quantity
from axletree.expr.traversal import dependent_nodes
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.fmu.archive import FmuError
from axletree.simulation.problem import state_problem
from axletree.simulation.stepper.shaping import FilteredInput, HoldInput, InputShape
from axletree.simulation.stepper.step_program import StartPoint, StepProgram, step_program
from axletree.system.system import Definition, System, output

WHOLE_VEHICLE: Final = "vehicle."  # of the outputs that a vehicle has as a whole
PROJECTION_TOLERANCE: Final = 1e-6  # of a state's size, and at least as much in its unit
COMPARISONS: Final = ("lt", "le")


@dataclass(frozen=True)
class FmuVariable:
    """A variable as the description of the FMU has it."""

    name: str
    reference: int  # by which the functions of the standard know it
    unit: str  # SI
    description: str
    causality: str
    variability: str
    initial: str | None = None
    start: float | None = None
    lower: float | None = None
    upper: float | None = None
    derivative_of: int | None = None  # the reference of the state
    changes_at_events: bool = False


@dataclass(frozen=True)
class FmuModel:
    """A model with all that its FMU is made of."""

    prepared: StepProgram
    step: float  # [s], of co-simulation, within a communication step
    ports: int  # how many of the program's outputs, from the first on, are outputs of the FMU
    events: int  # how many, at their end, are event indicators
    description: str = ""
    stop: float = 10.0  # [s], of the experiment that is proposed
    visible: bool = False  # whether its own states are outputs

    @property
    def system(self) -> System:
        return self.prepared.system

    @property
    def name(self) -> str:
        return self.system.name

    @property
    def has_exchange(self) -> bool:
        """Whether rates are functions of states: not where steps are solved for forces, or
        controllers act in them."""
        return not (self.prepared.method.solves or self.prepared.laws)

    @property
    def has_derivatives(self) -> bool:
        """Of rates and ports: not where steps are solved, or a called function has none."""
        return self.prepared.program.directional is not None

    @property
    def is_projected(self) -> bool:
        return self.prepared.program.project is not None

    @cached_property
    def filters(self) -> tuple[int, ...]:
        """Of each input that can be set its filter, or -1."""
        found, count = [], 0
        for one in self.prepared.shaped:
            filtered = isinstance(one.shape, FilteredInput)
            found.append(count if filtered else -1)
            count += filtered
        return tuple(found)

    @property
    def filter_count(self) -> int:
        return sum(place >= 0 for place in self.filters)

    @property
    def state_count(self) -> int:
        """Of the FMU: with value and rate of each filter."""
        return len(self.prepared.program.states) + 2 * self.filter_count

    @property
    def setting_values(self) -> tuple[float, ...]:
        """Step, tolerance of the projection, times of filters."""
        times = [
            one.shape.seconds
            for one, place in zip(self.prepared.shaped, self.filters, strict=True)
            if place >= 0
        ]
        return (self.step, PROJECTION_TOLERANCE, *times)

    @cached_property
    def references(self) -> Mapping[str, int]:
        """The first value reference of each kind, in the order of ``instance.c``."""
        program, shaped = self.prepared.program, len(self.prepared.shaped)
        sizes = {
            "states": self.state_count,
            "rates": self.state_count,
            "inputs": shaped,
            "parameters": len(program.parameters),
            "settings": len(self.setting_values),
            "outputs": len(program.outputs),
        }
        found, first = {}, 1  # 0 is time
        for kind, size in sizes.items():
            found[kind] = first
            first += size
        return found

    @cached_property
    def variables(self) -> tuple[FmuVariable, ...]:
        """In the order of their references; those that the kinds do not need are left out."""
        rows = [
            FmuVariable("time", 0, "s", "time", "independent", "continuous"),
            *self._states(),
            *(self._rates() if self.has_exchange else ()),
            *self._inputs(),
            *self._parameters(),
            *self._settings(),
            *self._outputs(),
        ]
        names = distinct([row.name for row in rows])
        return tuple(replace(row, name=name) for row, name in zip(rows, names, strict=True))

    def _states(self) -> list[FmuVariable]:
        first, start = self.references["states"], self.prepared.starts[0].states
        found = [
            FmuVariable(
                structured_name(q.name), first + k, q.unit, q.description,
                "output" if self.visible else "local", "continuous", "exact", float(start[k]),
                changes_at_events=self.is_projected,
            )
            for k, q in enumerate(self.prepared.program.states)
        ]  # fmt: skip
        for q in self._filtered:
            name, unit = structured_name(q.name), q.unit
            place = first + len(found)
            texts = (f"{q.name} behind its filter", f"rate of {q.name} behind its filter")
            for k, (suffix, of) in enumerate((("filtered", unit), ("filtered_rate", f"{unit}/s"))):
                found.append(
                    FmuVariable(
                        f"{name}_{suffix}", place + k, of, texts[k], "local", "continuous",
                        "calculated",
                    )
                )  # fmt: skip
        return found

    @property
    def _filtered(self) -> list[Quantity]:
        pairs = zip(self.prepared.shaped, self.filters, strict=True)
        inputs = self.prepared.program.inputs
        return [inputs[one.places[0]] for one, place in pairs if place >= 0]

    def _rates(self) -> list[FmuVariable]:
        first = self.references["rates"]
        return [
            FmuVariable(
                f"der({state.name})", first + k, f"{state.unit}/s", f"rate of {state.name}",
                "local", "continuous", "calculated", derivative_of=state.reference,
            )
            for k, state in enumerate(self._states())
        ]  # fmt: skip

    def _inputs(self) -> list[FmuVariable]:
        first, start = self.references["inputs"], self.prepared.starts[0].inputs
        inputs = self.prepared.program.inputs
        return [
            _bounded(inputs[one.places[0]], first + k, "input", "continuous",
                     float(start[one.places[0]]))
            for k, one in enumerate(self.prepared.shaped)
        ]  # fmt: skip

    def _parameters(self) -> list[FmuVariable]:
        first = self.references["parameters"]
        return [
            _bounded(q, first + k, "parameter", "tunable", float(q.default))
            for k, q in enumerate(self.prepared.program.parameters)
        ]

    def _settings(self) -> list[FmuVariable]:
        first, values = self.references["settings"], self.setting_values
        found = [
            FmuVariable(
                "fmu.step", first, "s", "longest step within a communication step", "parameter",
                "fixed", "exact", values[0], 0.0,
            )
        ]  # fmt: skip
        if self.is_projected:
            text = "how far states may drift off their constraints in model exchange"
            found.append(
                FmuVariable(
                    "fmu.projection_tolerance", first + 1, "1", text, "parameter", "tunable",
                    "exact", values[1], 0.0,
                )
            )  # fmt: skip
        for k, q in enumerate(self._filtered):
            text = f"each of the two equal time constants of the filter of {q.name}"
            found.append(
                FmuVariable(
                    f"{structured_name(q.name)}_filter_time", first + 2 + k, "s", text,
                    "parameter", "tunable", "exact", values[2 + k], 0.0,
                )
            )  # fmt: skip
        return found

    def _outputs(self) -> list[FmuVariable]:
        first, outputs = self.references["outputs"], self.prepared.program.outputs
        return [
            FmuVariable(
                structured_name(q.name), first + k, q.unit, q.description,
                "output" if k < self.ports else "local", "continuous", "calculated",
            )
            for k, q in enumerate(outputs)
        ]  # fmt: skip


def _bounded(
    q: Quantity, reference: int, causality: str, variability: str, start: float
) -> FmuVariable:
    lower, upper = (bound if abs(bound) < float("inf") else None for bound in (q.lower, q.upper))
    return FmuVariable(
        structured_name(q.name), reference, q.unit, q.description, causality, variability,
        "exact", start, lower, upper,
    )  # fmt: skip


def fmu_model(
    system: System,
    *,
    step: float,
    method: str | FixedStep = "rk4",
    outputs: Sequence[str] | None = None,
    proposed: Sequence[str] = (),
    initial: Mapping[str, float | str] | None = None,
    inputs: Mapping[str, float | str] | None = None,
    parameters: Mapping[str, float | str] | None = None,
    point: StartPoint | None = None,
    shapes: Mapping[str, InputShape] | None = None,
    description: str = "",
    stop: float = 10.0,
    visible: bool = False,
    adjoint: bool = False,
) -> FmuModel:
    """The model with its outputs chosen and in order, at its start; see ``write_fmu``.

    A ``point`` stands in the place of ``initial`` and ``inputs``; ``proposed`` are outputs unless
    others are given, or there are those of a vehicle. With ``adjoint`` there are derivatives back
    along weights, too, which FMI 3 alone has.
    """
    for name, shape in (shapes or {}).items():
        if not isinstance(shape, HoldInput | FilteredInput):
            raise FmuError(
                f"the input {name!r} is to be {shape.name}; inputs of an FMU are held or filtered"
            )
    start = state_problem(system, initial=initial, inputs=inputs, parameters=parameters)
    if start.tables or start.system is not system:
        raise FmuError("inputs of an FMU start at values, not at signals; expected numbers")
    given = Quantities(
        replace(q, default=float(value))
        for q, value in zip(system.parameters, start.parameters, strict=True)
    )
    ports, others = _chosen(system, outputs, proposed)
    steps_alone = system.rows is not None or system.sampled
    events = [] if steps_alone else _event_indicators(system)
    ordered = replace(system, parameters=given, outputs=(*ports, *others, *events))
    prepared = _with_derivatives(
        ordered, method, [d.quantity.name for d in ports], shapes, adjoint=adjoint
    )
    first = point or StartPoint("start", "where the FMU starts", start.states, start.inputs)
    return FmuModel(
        replace(prepared, starts=(first,)),
        step,
        len(ports),
        len(events),
        description,
        stop,
        visible,
    )


def _with_derivatives(
    system: System,
    method: str | FixedStep,
    ports: Sequence[str],
    shapes: Mapping[str, InputShape] | None,
    *,
    adjoint: bool,
) -> StepProgram:
    """With derivatives of rates and ports; without, where steps are solved for forces or
    controllers act in them, and where a function is called whose derivative nobody gives."""
    extras = [Extra.DIRECTIONAL, *([Extra.ADJOINT] if adjoint else [])]
    if system.rows is None and not system.sampled:
        with suppress(ExpressionError):
            return step_program(system, method, extras=extras, differentiated=ports, shapes=shapes)
    return step_program(system, method, shapes=shapes)


def _chosen(
    system: System, names: Sequence[str] | None, proposed: Sequence[str]
) -> tuple[list[Definition], list[Definition]]:
    """Outputs of the FMU, and what can be read beside them."""
    if names is None:
        whole = [d for d in system.outputs if d.quantity.name.startswith(WHOLE_VEHICLE)]
        usual = [d for d in system.outputs if d.quantity.name in proposed]
        ports = whole or usual or list(system.outputs)
        return ports, [d for d in system.outputs if d not in ports]
    known = {d.quantity.name: d for d in (*system.intermediates, *system.outputs)}
    for name in names:
        if name not in known:
            raise unknown_name("output", name, known, f"system {system.name!r}")
    return [known[name] for name in dict.fromkeys(names)], []


def _event_indicators(system: System) -> list[Definition]:
    """What changes its sign where a rate may jump: sides of comparisons, and what signs are of.

    Conditions of several comparisons count as a whole, 1 or -1: one of these may change by rounding
    alone while another one decides. Called functions of expressions, as tyre laws are, are looked
    into, but for their signs: those of the Magic Formula stand before what vanishes with them.
    Functions in C have no indicators.
    """
    leaves = [q.symbol for q in (system.time, *system.states, *system.inputs)]
    order = topological_order(inlined(system.derivatives))
    moving = dependent_nodes(order, leaves)
    signs = [node for node in topological_order(system.derivatives) if node.operation == "sign"]
    found = {_indicator(node): None for node in _conditions(order) if node in moving}
    found |= {ONE * node.operands[0]: None for node in signs if node in moving}
    return [
        output(f"event_indicator.{k}", "1", "changes its sign where a rate may jump", expression)
        for k, expression in enumerate(found, start=1)
    ]


def _conditions(order: Sequence[Node]) -> list[Node]:
    """Those that choose between values, and comparisons that stand for numbers."""
    choices = [node for node in order if node.operation == "where"]
    logical: set[Node] = set()  # choices between true and false, of which conditions are made
    waiting = [node.operands[0].node for node in choices]
    while waiting:
        node = waiting.pop()
        if node.operation == "where" and node not in logical:
            logical.add(node)
            waiting += [e.node for e in node.operands]
    found = {node.operands[0].node: None for node in choices if node not in logical}
    numbers = (e.node for node in order if node.operation != "where" for e in node.operands)
    found |= {node: None for node in numbers if node.operation in COMPARISONS}
    return list(found)


def _indicator(condition: Node) -> Expr:
    if condition.operation in COMPARISONS:
        return condition.operands[0] - condition.operands[1]
    return 2.0 * Expr(1.0, condition) - 1.0
