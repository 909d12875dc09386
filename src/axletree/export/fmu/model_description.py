"""``modelDescription.xml``: what an importing tool reads, by FMI 2.0.4 and FMI 3.0.2."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version as package_version
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from axletree.export.fmu.dependencies import fmu_dependencies
from axletree.export.fmu.fmu_model import FmuModel, FmuVariable
from axletree.export.fmu.fmu_units import unit_definitions
from axletree.export.fmu.sources import COMPILED

LOG_CATEGORIES: Final = {
    "logStatusError": "calls that are refused, and why",
    "logStatusDiscard": "steps that fail, with the state that they fail at",
    "logStatusWarning": "calls that are answered, with a doubt",
    "logEvents": "what happens, if logging is on",
}


def model_description(model: FmuModel, version: int, identifier: str, guid: str) -> str:
    """The text of the description in this version of the standard, 2 or 3."""
    root = Element("fmiModelDescription")
    root.set("fmiVersion", f"{version}.0")
    root.set("modelName", model.name)
    root.set("guid" if version == 2 else "instantiationToken", guid)
    if model.description:
        root.set("description", model.description)
    root.set("generationTool", f"Axletree {package_version('axletree')}")
    root.set("variableNamingConvention", "structured")
    if version == 2:
        root.set("numberOfEventIndicators", str(model.events))
    _kinds(root, model, version, identifier)
    root.append(unit_definitions(v.unit for v in model.variables))
    categories = SubElement(root, "LogCategories")
    for name, text in LOG_CATEGORIES.items():
        SubElement(categories, "Category", name=name, description=text)
    SubElement(
        root, "DefaultExperiment", startTime="0", stopTime=repr(model.stop), tolerance="1e-06",
        stepSize=repr(model.step),
    )  # fmt: skip
    variables = SubElement(root, "ModelVariables")
    (_variables_2 if version == 2 else _variables_3)(variables, model.variables)
    (_structure_2 if version == 2 else _structure_3)(SubElement(root, "ModelStructure"), model)
    indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _kinds(root: Element, model: FmuModel, version: int, identifier: str) -> None:
    state, derivative = ("FMUstate", "") if version == 2 else ("FMUState", "s")
    shared = {
        "modelIdentifier": identifier,
        f"canGetAndSet{state}": "true",
        f"canSerialize{state}": "true",
        f"providesDirectionalDerivative{derivative}": _bool(model.has_derivatives),
    }
    if version == 2:
        shared["canNotUseMemoryManagementFunctions"] = "true"
    else:
        shared["providesAdjointDerivatives"] = _bool(model.has_derivatives)
    exchange = (
        {"completedIntegratorStepNotNeeded": _bool(not model.is_projected)}
        if version == 2
        else {"needsCompletedIntegratorStep": _bool(model.is_projected)}
    )
    step = {"canHandleVariableCommunicationStepSize": "true"}
    if version == 3:
        step["providesIntermediateUpdate"] = "true"
        step["canReturnEarlyAfterIntermediateUpdate"] = "true"
        step["fixedInternalStepSize"] = repr(model.step)
    kinds = [("ModelExchange", exchange)] if model.has_exchange else []
    for name, own in (*kinds, ("CoSimulation", step)):
        kind = SubElement(root, name, shared | own)
        if version == 2:
            files = SubElement(kind, "SourceFiles")
            SubElement(files, "File", name=COMPILED)


def _bool(value: bool) -> str:
    return "true" if value else "false"


def _head(variable: FmuVariable) -> dict[str, str]:
    found = {"name": variable.name, "valueReference": str(variable.reference)}
    if variable.description:
        found["description"] = variable.description
    found |= {"causality": variable.causality, "variability": variable.variability}
    if variable.initial is not None and variable.causality != "input":
        found["initial"] = variable.initial
    return found


def _numbers(variable: FmuVariable, derivative: str | None) -> dict[str, str]:
    found = {"unit": variable.unit}
    for name, value in (("min", variable.lower), ("max", variable.upper)):
        if value is not None:
            found[name] = repr(value)
    if derivative is not None:
        found["derivative"] = derivative
    if variable.changes_at_events:
        found["reinit"] = "true"
    if variable.start is not None:
        found["start"] = repr(variable.start)
    return found


def _variables_2(parent: Element, variables: Sequence[FmuVariable]) -> None:
    index = _indices(variables)
    for variable in variables:
        state = variable.derivative_of
        scalar = SubElement(parent, "ScalarVariable", _head(variable))
        SubElement(scalar, "Real", _numbers(variable, None if state is None else str(index[state])))


def _variables_3(parent: Element, variables: Sequence[FmuVariable]) -> None:
    for variable in variables:
        state = variable.derivative_of
        SubElement(
            parent, "Float64",
            _head(variable) | _numbers(variable, None if state is None else str(state)),
        )  # fmt: skip


def _indices(variables: Sequence[FmuVariable]) -> dict[int, int]:
    """FMI 2 names variables by their place, from 1 on, where FMI 3 takes references."""
    return {variable.reference: k for k, variable in enumerate(variables, start=1)}


def _outputs(model: FmuModel) -> list[int]:
    return [v.reference for v in model.variables if v.causality == "output"]


def _rates(model: FmuModel) -> list[int]:
    return [v.reference for v in model.variables if v.derivative_of is not None]


def _initial_unknowns(model: FmuModel) -> list[int]:
    """Outputs that are calculated, rates, and states of filters."""
    first, last = model.references["states"], model.references["rates"]
    given = {v.reference for v in model.variables if v.initial == "exact"}
    calculated = [
        v.reference
        for v in model.variables
        if first <= v.reference < last and v.initial == "calculated" and model.has_exchange
    ]
    outputs = [reference for reference in _outputs(model) if reference not in given]
    return sorted([*outputs, *_rates(model), *calculated])


def _structure_2(parent: Element, model: FmuModel) -> None:
    index, on = _indices(model.variables), fmu_dependencies(model)
    for title, references in (("Outputs", _outputs(model)), ("Derivatives", _rates(model))):
        if references:
            group = SubElement(parent, title)
            for reference in references:
                SubElement(group, "Unknown", _unknown("index", reference, on, index))
    group = SubElement(parent, "InitialUnknowns")
    for reference in _initial_unknowns(model):
        SubElement(group, "Unknown", index=str(index[reference]))


def _structure_3(parent: Element, model: FmuModel) -> None:
    on = fmu_dependencies(model)
    same = {v.reference: v.reference for v in model.variables}
    last = model.references["outputs"] + len(model.prepared.program.outputs)
    indicators = range(last - model.events, last)
    for title, references in (
        ("Output", _outputs(model)),
        ("ContinuousStateDerivative", _rates(model)),
    ):
        for reference in references:
            SubElement(parent, title, _unknown("valueReference", reference, on, same))
    for reference in _initial_unknowns(model):
        SubElement(parent, "InitialUnknown", valueReference=str(reference))
    for reference in indicators:
        SubElement(parent, "EventIndicator", _unknown("valueReference", reference, on, same))


def _unknown(
    key: str, reference: int, on: Mapping[int, Iterable[int]], names: Mapping[int, int]
) -> dict[str, str]:
    found = {key: str(names[reference])}
    if reference in on:
        found["dependencies"] = " ".join(str(names[one]) for one in on[reference])
    return found
