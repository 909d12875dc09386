"""``write_fmu``: a model as one file for tools that know FMI 2 or FMI 3."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from axletree.analysis.drive import with_manoeuvre
from axletree.analysis.steady_start import fixed_cost_method, steady_start
from axletree.code.identifiers import identifier
from axletree.controllers.built_in import with_controllers
from axletree.controllers.contract import ReferenceController
from axletree.core.arguments import check_arguments
from axletree.core.files import whole_file
from axletree.core.units import to_si
from axletree.equations.tree import TreeChoice
from axletree.export.fmu.binaries import chosen_platforms, fmu_binaries
from axletree.export.fmu.documentation import fmu_icon, fmu_page
from axletree.export.fmu.fmu_model import FmuModel, fmu_model
from axletree.export.fmu.model_description import model_description
from axletree.export.fmu.sources import build_description, fmu_sources, with_guid
from axletree.export.folder import with_assembled_start
from axletree.model.manoeuvre import Manoeuvre
from axletree.model.model import Model
from axletree.model_files.read import model_of
from axletree.simulation.control.built_in_controllers import built_in
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.fmu.archive import FmuError
from axletree.simulation.simulate import form_for
from axletree.simulation.stepper.layout import stepper_layout
from axletree.simulation.stepper.shaping import InputShape
from axletree.simulation.stepper.step_program import usual_method
from axletree.system.component_system import component_system
from axletree.system.forms.contract import Form
from axletree.system.formulation import formulate
from axletree.system.system import System

VERSIONS: Final = (2, 3)
DEFAULT_STEP, DEFAULT_METHOD, DEFAULT_STOP = 1e-3, "rk4", 10.0  # s, -, s
_MADE: Final = (1980, 1, 1, 0, 0, 0)  # of every file: the same model is the same archive


def write_fmu(
    model: Model | System | str | Path,
    file: str | Path,
    *,
    fmi: int = 2,
    step: float | str | None = None,
    method: str | FixedStep | None = None,
    outputs: Sequence[str] | None = None,
    initial: Mapping[str, float | str] | None = None,
    inputs: Mapping[str, float | str] | None = None,
    parameters: Mapping[str, float | str] | None = None,
    start: Mapping[str, float | str] | None = None,
    shapes: Mapping[str, InputShape] | None = None,
    platforms: Sequence[str] | None = None,
    tree: TreeChoice = None,
    form: Form | None = None,
    functions: Mapping[str, str | Path] | None = None,
    component: str | None = None,
    manoeuvre: str | Manoeuvre | None = None,
    controllers: Sequence[ReferenceController | str] = (),
) -> Path:
    """Write an FMU for model exchange and co-simulation, and return its path.

    Parameters
    ----------
    fmi: version of the standard, 2 or 3.
    step, method: of co-simulation within a communication step [s]; those that a model proposes,
        or 1 ms by rk4. Methods that solve for set-valued forces make co-simulation alone.
    outputs: of the FMU, by name; nothing else is then computed. Unless given, those of a vehicle
        as a whole ("vehicle...."), those that a model proposes to record, or all; all others are
        variables that can be read.
    initial, inputs, parameters: start values, as ``simulate`` takes them; states are found
        consistent with constraints.
    start: a steady motion to begin in, as for ``trim``: {"speed": "80 km/h"}; in the place of
        ``initial`` and ``inputs``.
    shapes: inputs that are held (``HoldInput``) or go through a filter (``FilteredInput``); unless
        given, those whose rates the model needs are filtered (5 ms).
    platforms: "x86_64-linux", "x86_64-windows", "aarch64-linux", "x86_64-darwin" and
        "aarch64-darwin"; unless given, all with the extra ``cc``, else this machine's. None of
        them, (), leaves the C sources.
    tree, form: of a model, as ``formulate`` takes them; ``functions``: C files of functions that
        it declares.
    component: a tyre, a driver, a powertrain or another component alone, by its name; states of
        others that it depends on are then inputs, for the chassis of another tool, and its own
        states are outputs.
    manoeuvre: whose changes of a model are taken, such as a driver who follows its path.
    controllers: reference controllers that act in the steps of co-simulation, which is then the
        only kind, as ``stepper`` takes them; each has a switch, the input ``esc.active``.

    Example:
    >>> import axletree as at, zipfile
    >>> from axletree.export.fmu.write import write_fmu
    >>> file = write_fmu(at.read_model("pendulum"), "pendulum.fmu", fmi=3, platforms=())
    >>> sorted(zipfile.ZipFile(file).namelist())[:2]
    ['documentation/icon.png', 'documentation/index.html']
    """
    check_arguments(write_fmu, locals())
    model = model if isinstance(model, System) else model_of(model)
    if fmi not in VERSIONS:
        raise FmuError(f"the version of FMI is {fmi!r}; expected 2 or 3")
    chosen = chosen_platforms(platforms)
    if controllers and component is not None:
        raise FmuError(
            f"controllers are for a vehicle, and the FMU is to be {component!r} alone; leave out "
            "one of the two"
        )
    model, acting = built_in(model, controllers)
    seconds, by = _stepping(model, step, method)
    if manoeuvre is not None:
        model, _ = with_manoeuvre(model, manoeuvre)
    described = model if isinstance(model, Model) else None
    system = formulate(model, tree, form_for(by, form)) if isinstance(model, Model) else model
    system = system.with_functions(functions or {})
    if component is not None:
        system = component_system(with_assembled_start(system), component)
        by = method or DEFAULT_METHOD
    system = with_controllers(system, acting) if acting else system
    if start and (initial or inputs):
        raise FmuError("initial values or inputs are given beside a start; put them into it")
    prepared = fmu_model(
        system, step=seconds, method=by, outputs=outputs, initial=initial, inputs=inputs,
        parameters=parameters, shapes=shapes,
        proposed=(described.run.outputs if described and component is None else None) or (),
        point=steady_start(system, start, dict(parameters or {})) if start else None,
        description=_description(described, component), visible=component is not None,
        stop=(described.run.duration if described else None) or DEFAULT_STOP, adjoint=fmi == 3,
    )  # fmt: skip
    shown = described if component is None else None
    content = _archive(prepared, fmi, chosen, fmu_icon(system, shown))
    return _write(Path(file), content)


def _description(model: Model | None, component: str | None) -> str:
    if component is not None:
        return f"{component} of {model.name if model else 'a system'}, alone"
    return model.description if model else ""


def _stepping(
    model: Model | System, step: float | str | None, method: str | FixedStep | None
) -> tuple[float, str | FixedStep]:
    """As given, as the model proposes, or as usual."""
    proposed = model.run if isinstance(model, Model) else None
    if isinstance(model, System):
        usual = "complementarity" if model.rows is not None else usual_method(model)
    else:
        usual = model.run.method or fixed_cost_method(model)
    by = method or usual
    seconds = step if step is not None else (proposed.step if proposed else None) or DEFAULT_STEP
    found = to_si(seconds, expected="s")
    if not found > 0.0:
        raise FmuError(f"the step is {step!r}; expected a positive one in s")
    return found, by


def _archive(
    model: FmuModel, version: int, platforms: Sequence[str], icon: bytes | None
) -> dict[str, bytes]:
    """The content of all files, by their places."""
    name = identifier(model.name)
    texts = fmu_sources(model, version)
    texts, guid = with_guid(texts, model_description(model, version, name, ""))
    page = fmu_page(model, "icon.png" if icon else "")
    found = {
        "modelDescription.xml": model_description(model, version, name, guid).encode(),
        "documentation/index.html": page.encode(),
        "resources/layout.json": _layout(model).encode(),
        **{f"sources/{file}": text.encode() for file, text in texts.items()},
        **fmu_binaries(texts, name, version, platforms),
    }
    if version == 3:
        found["sources/buildDescription.xml"] = build_description(name).encode()
    if icon:
        found["documentation/icon.png"] = icon
        found["model.png" if version == 2 else "terminalsAndIcons/icon.png"] = icon
    return found


def _layout(model: FmuModel) -> str:
    return json.dumps(stepper_layout(model.prepared), indent=1) + "\n"


def _write(file: Path, content: Mapping[str, bytes]) -> Path:
    with whole_file(file) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for place in sorted(content):
            entry = zipfile.ZipInfo(place, _MADE)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, content[place])
    return file
