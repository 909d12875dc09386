"""The MODEL argument and the options that several subcommands share; ``NAME=VALUE`` on the command
line, with units, and inputs as expressions of time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from axletree.cli.prepared_runs import prepared_system
from axletree.core.errors import AxletreeError, ModelError
from axletree.core.registry import load, section, unknown_name
from axletree.core.units import UnitError, to_si
from axletree.equations.tree import TreeChoice
from axletree.expr import Expr, parse_expression
from axletree.expr.quantity import Quantity
from axletree.model.model import Model
from axletree.model_files.read import object_from_python, read_model
from axletree.simulation.simulate import form_for
from axletree.system.forms.contract import Form
from axletree.system.system import System


def argument(metavar: str, text: str) -> Any:
    """An argument of a command, by the word in capitals that its help has for it."""
    return typer.Argument(metavar=metavar, help=text, show_default=False)


def option(*said: str) -> Any:
    """An option as its help shows it: names and what it takes, if they are not those of the
    parameter (``"--quantity -q NAME"``), and a sentence."""
    *words, text = said
    names = [word for word in " ".join(words).split() if word.startswith("-")]
    taken = [word for word in " ".join(words).split() if not word.startswith("-")]
    return typer.Option(*names, metavar=" ".join(taken) or None, help=text)


ModelArgument = Annotated[
    str,
    argument(
        "MODEL", "A YAML file, a name of `axletree list models`, or file.py:name (which is run)."
    ),
]
TreeOption = Annotated[
    list[str],
    option(
        "--tree NAMES",
        "Components whose edges form the tree, comma-separated; their variables are "
        "the modelling variables. Per domain: --tree translation=a,b --tree rotation=c. "
        "Default: the model's own choice.",
    ),
]
FormOption = Annotated[
    str | None,
    option(
        "--form FORM", "How constraints are solved; see `axletree list forms`. Default: automatic."
    ),
]

FunctionOption = Annotated[
    list[str],
    option(
        "--function NAME=FILE",
        "C file with a function that the model declares; it is compiled and run. Repeatable.",
    ),
]

ParameterOption = Annotated[
    list[str], option("--parameter NAME=VALUE", "Value of a parameter; repeatable.")
]
PicturesOption = Annotated[bool, option("--pictures", "Also write the plots as PNG files.")]
NoReportOption = Annotated[bool, option("--no-report", "Write no page.")]
SpeedOption = Annotated[str | None, option('Speed of the manoeuvre, for example 20 or "72 km/h".')]
FidelityOption = Annotated[
    str | None,
    option(
        "--model FIDELITY",
        "Fidelity of a vehicle model: bushings or links of hard points, full, 14-dof, two-track, "
        "two-track-static, single-track or linear.",
    ),
]
FidelitiesOption = Annotated[
    list[str],
    option(
        "--model FIDELITY",
        "Fidelity of a vehicle model: bushings or links of hard points, full, 14-dof, two-track, "
        "two-track-static, single-track or linear; repeatable.",
    ),
]
ManoeuvreOption = Annotated[str | None, option("--manoeuvre -m", "Default: the model's own run.")]
ControllersOption = Annotated[
    list[str],
    option(
        "--controller NAME",
        "Word of `axletree list controllers`, which acts in the steps, with an input esc.active as "
        "its switch; repeatable.",
    ),
]
SoilOption = Annotated[
    str | None,
    option(
        "--soil SOIL",
        "Put a vehicle on soft ground: a name of `axletree list soils`; by wong-reece.",
    ),
]
DurationOption = Annotated[str | None, option('For example 10 or "2 min".')]
StepOption = Annotated[str | None, option('For example 1e-3 or "1 ms".')]
MethodOption = Annotated[str | None, option("See `axletree list integrators`.")]

SOIL_ORDER = 8  # points of the law's integrals, see docs/theory/soils.md


def vehicle_changes(fidelity: str | None, soil: str | None = None) -> dict[str, Any]:
    """What options change in the file of a vehicle."""
    changed: dict[str, Any] = {"fidelity": fidelity} if fidelity else {}
    if soil:
        changed["soil"] = {"law": {"type": "wong-reece", "soil": soil, "order": SOIL_ORDER}}
    return {"vehicle": changed} if changed else {}


def chosen_tree(model: Model, tree: Sequence[str]) -> TreeChoice:
    """The tree that was given, else the one that the model proposes."""
    if not tree:
        return model.tree
    if len(tree) == 1 and "=" not in tree[0]:
        return _names(tree[0])
    return {
        domain: _names(names)
        for domain, names in split_assignments(tree, "--tree", "rotation=pin").items()
    }


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def system_of(
    system: Model | System,
    source: str,
    tree: Sequence[str],
    form: str | None,
    functions: Sequence[str] = (),
    method: str | None = None,
) -> System:
    """A model in the form that is asked for and that the method steps; a system as it is."""
    if isinstance(system, Model):
        return formulated(system, tree, form, functions, method)
    if tree or form:
        raise ModelError(
            f"{source} is a finished system without a graph: --tree and --form do not apply"
        )
    return system.with_functions(_files(functions))


def model_or_system(source: str, fidelity: str | None = None) -> Model | System:
    """A model, or a system written by hand that ``file.py:name`` leads to."""
    head, colon, name = source.rpartition(":")
    if not (colon and head.endswith(".py")):
        return read_model(source, vehicle_changes(fidelity) or None)
    if fidelity:
        raise ModelError(f"{source} is no file of a vehicle: --model does not apply")
    from axletree.language import StateSpace

    found = object_from_python(Path(head), name)
    system = found.system() if isinstance(found, StateSpace) else found
    if not isinstance(system, Model | System):
        raise ModelError(
            f"{head}: {name} is no model but {type(found).__name__}; expected an axletree.Model, "
            "a System, a StateSpace, or a function that returns one of these"
        )
    return system


def _files(functions: Sequence[str]) -> dict[str, str]:
    return split_assignments(functions, "--function", "my_law=my_law.c")


def formulated(
    model: Model,
    tree: Sequence[str],
    form: str | None,
    functions: Sequence[str] = (),
    method: str | None = None,
    key: str | None = None,
) -> System:
    """In the form that is asked for, or around it in the one that a ``method`` steps; ``key`` says
    what the model follows from, so that one that was formulated before is not so again."""
    chosen: Form | None = load("form", form, section("FORMS"))() if form else None
    if method is not None:
        chosen = form_for(method, chosen)
    system = prepared_system(model, chosen_tree(model, tree), chosen, None if functions else key)
    return system.with_functions(_files(functions))


class AssignmentError(AxletreeError):
    """An option that is not of the form ``NAME=VALUE``, or whose value cannot be read."""


def split_assignments(
    texts: Sequence[str], option: str, example: str = "pin.angle=0.3"
) -> dict[str, str]:
    """The values by name, as they were written."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise AssignmentError(
                f"{option} {text!r}: expected NAME=VALUE, for example {option} {example}"
            )
        if name.strip() in found:
            raise AssignmentError(f"{option} gives {name.strip()!r} twice")
        found[name.strip()] = value.strip()
    return found


def read_assigned_values(
    texts: Sequence[str], option: str, quantities: Iterable[Quantity]
) -> dict[str, float]:
    """Values in SI units; a text may carry another unit of the same dimension."""
    known = {quantity.name: quantity for quantity in quantities}
    found = {}
    for name, text in split_assignments(texts, option).items():
        quantity = _known(name, known, option)
        found[name] = read_quantity(f"{option} {name}", text, quantity.unit)
    return found


def read_quantity(option: str, text: str, unit: str) -> float:
    """What one option says, in SI units."""
    try:
        return to_si(text, expected=unit)
    except UnitError as error:
        raise AssignmentError(f"{option}: {error}") from None


def read_assigned_signals(
    texts: Sequence[str], option: str, inputs: Iterable[Quantity], time: Quantity
) -> dict[str, float | Expr]:
    """Inputs: a value with a unit, or an expression of ``t`` [s] in SI units."""
    known = {quantity.name: quantity for quantity in inputs}
    return {
        name: _signal(text, f"{option} {name}", _known(name, known, option), time.symbol)
        for name, text in split_assignments(texts, option).items()
    }


def _signal(text: str, where: str, quantity: Quantity, time: Expr) -> float | Expr:
    try:
        return to_si(text, expected=quantity.unit)
    except UnitError as error:
        no_value = error
    try:
        return parse_expression(text, {"t": time, "time": time})
    except AxletreeError as error:
        raise AssignmentError(
            f"{where}: as a value, {no_value}; as an expression of t, {error}"
        ) from None


def _known(name: str, known: dict[str, Quantity], option: str) -> Quantity:
    if name not in known:
        raise AssignmentError(f"{option}: {unknown_name('quantity', name, known, 'this model')}")
    return known[name]


WorkersOption = Annotated[int | None, option("Processes. Default: one for each core.")]
SchedulerOption = Annotated[
    str | None, option("--scheduler ADDRESS", "Of a Dask cluster, such as tcp://10.0.0.1:8786.")
]
RestartOption = Annotated[bool, option("--restart", "Discard existing results.")]
