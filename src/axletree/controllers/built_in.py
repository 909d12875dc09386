"""Reference controllers built into a system: laws over what it computes, at instants of their own.

What a controller measures are expressions of the system here, not numbers that somebody hands over,
so that its law becomes a routine of the system's program, in whatever language that is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from axletree.controllers.contract import ReferenceController
from axletree.core.arguments import check_arguments
from axletree.core.errors import ModelError
from axletree.core.registry import refuse_unknown
from axletree.expr import Expr, as_expr, symbol, where
from axletree.expr.quantity import Quantities, Quantity, Role
from axletree.system.sampled_laws import Rule, SampledCommand, SampledLaw
from axletree.system.system import System

INTERVAL: Final = "interval"  # the number of a controller that does not change while it runs


def with_controllers(system: System, controllers: Sequence[ReferenceController]) -> System:
    """The system with reference controllers in its steps, and in those of what is exported of it.

    Each has a switch, the input ``esc.active``: 1 unless it is set, and off below 0.5. Its numbers
    are parameters (``esc.yaw_gain``). While it is on, what it commands stands in the place of what
    an input is set to; switched off it forgets what it has kept, and the input goes back to what
    was set. The system has what they command, as ``model.stepper(controllers=[...])`` adds it.

    Example:
    >>> import axletree as at
    >>> car = at.read_model("sedan")
    >>> cruise = at.CruiseController.of(car.described["vehicle"], speed="90 km/h")
    >>> system = car.formulate().with_controllers([cruise])
    >>> system.inputs["cruise.active"].default, system.parameters["cruise.speed"].default  # m/s
    (1.0, 25.0)
    """
    check_arguments(with_controllers, locals())
    for one in controllers:
        if not isinstance(one, ReferenceController):
            raise ModelError(
                f"the controller {getattr(one, 'word', None) or one!r} cannot become a part of the "
                f"steps of {system.name!r}: it is none that is written as expressions, such as "
                "at.StabilityController.of(vehicle); let it set inputs of a stepper, or of an FMU, "
                "from outside"
            )
    switches = [_switch(one) for one in controllers]
    numbers = [[*_numbers(one)] for one in controllers]
    _check_names(system, controllers, [*switches, *chain(*numbers)])
    laws = tuple(
        _law(system, one, switch) for one, switch in zip(controllers, switches, strict=True)
    )
    _check_rules([*system.sampled, *laws])
    return replace(
        system,
        inputs=Quantities([*system.inputs, *switches]),
        parameters=Quantities([*system.parameters, *chain(*numbers)]),
        sampled=(*system.sampled, *laws),
    )


def _switch(controller: ReferenceController) -> Quantity:
    text = f"whether the controller {controller.word} acts: from 0.5 on"
    return Quantity(f"{controller.word}.active", "1", text, Role.INPUT, 1.0, 0.0, 1.0)


def _numbers(controller: ReferenceController) -> Iterator[Quantity]:
    for name, kind, value in controller.named_parameters():
        if name != INTERVAL:
            yield Quantity(
                f"{controller.word}.{name}", kind.unit, kind.description, Role.PARAMETER, value,
                kind.lower, kind.upper, kind.above,
            )  # fmt: skip


def _law(system: System, controller: ReferenceController, switch: Quantity) -> SampledLaw:
    word, known = controller.word, _known(system)
    where_ = f"what the controller {word!r} measures of {system.name!r}"
    refuse_unknown("quantity", [q.name for q in controller.measured], known, where_)
    inputs = {q.name: q for q in system.inputs if not q.derivative_of}
    commanded = [q.name for q in controller.commanded]
    refuse_unknown("input", commanded, inputs, f"what the controller {word!r} commands")
    seen = {q.name: known[q.name] for q in controller.measured}
    seen |= {q.name: q.symbol for q in controller.memory}
    numbers = {name: symbol(f"{word}.{name}") for name, _, _ in controller.named_parameters()}
    law = controller.law(seen, numbers | {INTERVAL: as_expr(controller.interval)})
    acts = switch.symbol >= 0.5
    later = (where(acts, law.memory[q.name], q.default) for q in controller.memory)
    return SampledLaw(
        name=word,
        interval=controller.interval,
        switch=switch,
        memory=controller.memory,
        later=tuple(as_expr(e) for e in later),
        commands=tuple(
            SampledCommand(name, as_expr(law.commands[name]), _rule(controller, name))
            for name in commanded
        ),
    )


def _rule(controller: ReferenceController, name: str) -> Rule:
    return Rule(controller.rules.get(name.rpartition(".")[2], Rule.FIRST.value))


def _known(system: System) -> dict[str, Expr]:
    """What controllers may measure, as a run gives it to them: outputs come before states."""
    known = {q.name: q.symbol for q in (*system.states, *system.inputs)}
    definitions = (*system.outputs, *system.intermediates)
    return known | {one.quantity.name: one.expression for one in definitions}


def _check_names(
    system: System, controllers: Sequence[ReferenceController], added: Sequence[Quantity]
) -> None:
    taken = [q.name for q in (*system.states, *system.inputs, *system.parameters)]
    taken += [q.name for law in system.sampled for q in law.memory]
    taken += [q.name for q in added] + [q.name for one in controllers for q in one.memory]
    if twice := sorted({name for name in taken if taken.count(name) > 1}):
        raise ModelError(
            f"{system.name} has {', '.join(twice[:3])} more than once with these controllers; give "
            "each of them once, and none whose word is the name of a component"
        )


def _check_rules(laws: Sequence[SampledLaw]) -> None:
    """As in a run: laws that wish for one input have one rule for it, which lets others in."""
    rules: dict[str, dict[str, Rule]] = {}
    for law in laws:
        for one in law.commands:
            rules.setdefault(one.name, {})[law.name] = one.rule
    for name, found in rules.items():
        if len(found) > 1 and (Rule.ALONE in found.values() or len(set(found.values())) > 1):
            own = ", ".join(f"{law!r} by the rule {rule.value!r}" for law, rule in found.items())
            raise ModelError(
                f"several controllers set {name!r}: {own}; leave all but one of them out"
            )
