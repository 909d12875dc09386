"""FMUs do in FMPy, which is another program, what the model does here."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from export.fmu_cases import OUTPUTS, fmu_of, system_of

import axletree as at
from axletree.analysis.drive import with_manoeuvre
from axletree.core.errors import AxletreeError
from axletree.export.fmu.binaries import this_platform
from axletree.export.fmu.documentation import fmu_page
from axletree.export.fmu.fmu_model import fmu_model
from axletree.export.fmu.model_description import model_description
from axletree.export.fmu.variable_names import distinct, structured_name
from axletree.export.fmu.write import write_fmu
from axletree.expr import evaluate, jacobian
from axletree.simulation.fmu.archive import FmuError
from axletree.system.system import System

fmpy = pytest.importorskip("fmpy")
pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None or this_platform() != "x86_64-linux",
    reason="binaries are compiled and loaded here on linux64 alone",
)
VERSIONS = (2, 3)


def references(description: Any) -> dict[str, int]:
    return {variable.name: variable.valueReference for variable in description.modelVariables}


@contextmanager
def instance(
    file: Path, *, exchange: bool = False, said: list[str] | None = None, **more: Any
) -> Iterator[tuple[Any, dict[str, int]]]:
    """The FMU in FMPy, before its initialisation, and its references by name."""
    description = fmpy.read_model_description(str(file))
    folder = fmpy.extract(str(file))
    kind = description.modelExchange if exchange else description.coSimulation
    version = int(description.fmiVersion[0])
    module = fmpy.fmi2 if version == 2 else fmpy.fmi3
    fmu = getattr(module, f"FMU{version}{'Model' if exchange else 'Slave'}")(
        guid=getattr(description, "instantiationToken", None) or description.guid,
        unzipDirectory=folder, modelIdentifier=kind.modelIdentifier, instanceName="one",
    )  # fmt: skip
    if said is not None:
        more["callbacks" if version == 2 else "logMessage"] = _listener(module, said)
    fmu.instantiate(**more)
    try:
        yield fmu, references(description)
    finally:
        fmu.freeInstance()
        shutil.rmtree(folder, ignore_errors=True)


def _listener(module: Any, said: list[str]) -> Any:
    if module is fmpy.fmi3:
        return lambda environment, status, category, message: said.append(message.decode())
    callbacks = module.fmi2CallbackFunctions()
    callbacks.logger = module.fmi2CallbackLoggerTYPE(
        lambda environment, name, status, category, message: said.append(message.decode())
    )
    callbacks.allocateMemory = module.fmi2CallbackAllocateMemoryTYPE(fmpy.calloc)
    callbacks.freeMemory = module.fmi2CallbackFreeMemoryTYPE(fmpy.free)
    return callbacks


def begin(fmu: Any, version: int) -> None:
    if version == 2:
        fmu.setupExperiment(startTime=0.0)
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()


def getter(fmu: Any) -> Any:
    return getattr(fmu, "getReal", None) or fmu.getFloat64


def setter(fmu: Any) -> Any:
    return getattr(fmu, "setReal", None) or fmu.setFloat64


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", ["four-bar", "bicycle-car"])
def test_fmpy_validates_without_a_message(name: str, version: int) -> None:
    from fmpy.validation import validate_fmu

    assert validate_fmu(str(fmu_of(name, version))) == []


def test_build_description_keeps_to_the_schema() -> None:
    from lxml import etree

    schemas = Path(fmpy.__file__).parent / "schema" / "fmi3" / "fmi3BuildDescription.xsd"
    with zipfile.ZipFile(fmu_of("pendulum", 3)) as archive:
        text = archive.read("sources/buildDescription.xml")
    etree.XMLSchema(etree.parse(str(schemas))).assertValid(etree.fromstring(text))


@pytest.mark.parametrize("version", VERSIONS)
def test_co_simulation_takes_the_steps_of_a_stepper(version: int) -> None:
    """Bit for bit: steering that is set each 10 ms goes through the same filter."""
    own = system_of("bicycle-car").stepper(step=0.01, parts=10, outputs=OUTPUTS["bicycle-car"])
    names = [*OUTPUTS["bicycle-car"], "chassis.rate", "front_tyre.q2"]
    with instance(fmu_of("bicycle-car", version)) as (fmu, ref):
        begin(fmu, version)
        for k in range(50):
            steer = 0.03 * np.sin(0.4 * k)
            own["steer.angle"] = steer
            setter(fmu)([ref["steer.angle"]], [steer])
            own.advance()
            fmu.doStep(k * 0.01, 0.01)
            found = getter(fmu)([ref[name] for name in names])
            assert found == [own[name] for name in names]
        assert abs(own["chassis.rate"]) > 1e-3
        assert getter(fmu)([ref["steer.angle_filtered_rate"]])[0] == pytest.approx(
            own["steer.angle_rate"], rel=1e-14
        )


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", ["pendulum", "four-bar"])
def test_model_exchange_by_the_same_method(name: str, version: int) -> None:
    """Euler's method of FMPy and ours; states of a closed loop are projected by events."""
    own = system_of(name).stepper(
        step=0.001, method="explicit-euler", outputs=OUTPUTS[name], record=OUTPUTS[name]
    )
    own.advance("0.2 s")
    loop = {"fmu.projection_tolerance": 0.0} if name == "four-bar" else {}
    outputs = [structured_name(output) for output in OUTPUTS[name]]
    run = fmpy.simulate_fmu(
        str(fmu_of(name, version)), fmi_type="ModelExchange", solver="Euler", stop_time=0.2,
        step_size=1e-3, output_interval=1e-3, output=outputs, start_values=loop,
    )  # fmt: skip
    last = np.append(np.diff(run["time"]) > 1e-9, True)  # of the rows at an event
    for output, legal in zip(OUTPUTS[name], outputs, strict=True):
        np.testing.assert_allclose(
            run[legal][last], own.trajectory[output], rtol=1e-9, atol=1e-9, err_msg=output
        )
    assert np.ptp(run[outputs[1]]) > 1e-3


@pytest.mark.skipif(
    tuple(map(int, fmpy.__version__.split(".")[:3])) <= (0, 3, 22),
    reason="what FMPy 0.3.22 finds after a jump of an input depends on how often it records",
)
@pytest.mark.parametrize("version", VERSIONS)
def test_model_exchange_by_the_solver_of_another_program(version: int) -> None:
    """CVODE of FMPy, with a step of the steering wheel and another mass, against rk4."""
    changed = {"body.mass": 1500.0}
    own = system_of("bicycle-car").stepper(
        step=1e-3, parameters=changed, outputs=["front_tyre.Fy"], record=["front_tyre.Fy"]
    )
    own.advance("0.1 s")
    own["steer.angle"] = 0.02
    own.advance("0.4 s")
    signal = np.array([(0.0, 0.0), (0.1, 0.0), (0.1, 0.02), (1.0, 0.02)],
                      dtype=[("time", float), ("steer.angle", float)])  # fmt: skip
    run = fmpy.simulate_fmu(
        str(fmu_of("bicycle-car", version)), fmi_type="ModelExchange", stop_time=0.5,
        output_interval=1e-2, relative_tolerance=1e-8, output=["front_tyre.Fy"],
        start_values=changed, input=signal,
    )  # fmt: skip
    expected = np.interp(run["time"], own.trajectory.time, own.trajectory["front_tyre.Fy"])
    np.testing.assert_allclose(run["front_tyre.Fy"][5:], expected[5:], rtol=2e-4, atol=0.5)


@pytest.mark.parametrize("version", VERSIONS)
def test_states_are_restored_bit_for_bit(version: int) -> None:
    with instance(fmu_of("bicycle-car", version)) as (fmu, ref):
        begin(fmu, version)
        word, back = ("FMUstate", "deSerialize") if version == 2 else ("FMUState", "deserialize")
        get, put, pack, unpack = (
            getattr(fmu, f"{verb}{word}") for verb in ("get", "set", "serialize", back)
        )

        def go_on() -> list[float]:
            setter(fmu)([ref["steer.angle"], ref["body.mass"]], [0.05, 1300.0])
            fmu.doStep(0.1, 0.05)
            return list(getter(fmu)(list(ref.values())))

        setter(fmu)([ref["steer.angle"]], [0.02])
        fmu.doStep(0.0, 0.1)
        kept = get()
        packed = pack(kept)
        first = go_on()
        put(kept)
        assert go_on() == first
        put(unpack(packed))
        assert go_on() == first


@pytest.mark.parametrize("version", VERSIONS)
def test_derivatives_are_those_of_exact_jacobians(version: int) -> None:
    """Forward and, in FMI 3, backward accumulation against elimination of vertices."""
    system = system_of("bicycle-car")
    ports = [d.expression for d in system.outputs if d.quantity.name in OUTPUTS["bicycle-car"]]
    leaves = [*system.states, *system.inputs]
    entries = jacobian([*system.derivatives, *ports], [q.symbol for q in leaves])
    random = np.random.default_rng(7)
    with instance(fmu_of("bicycle-car", version), exchange=True) as (fmu, ref):
        begin(fmu, version)
        states = [ref[q.name] for q in system.states]
        filtered = [ref["steer.angle_filtered"], ref["steer.angle_filtered_rate"]]
        moved = np.array(getter(fmu)(states)) + 0.02 * random.standard_normal(len(states))
        setter(fmu)([*states, *filtered], [*moved, 0.03, 0.2])
        names = ["steer.angle", "drive.torque"]
        setter(fmu)([ref[name] for name in names], [0.04, 200.0])
        over = 5e-3
        level = [0.03, 0.2, (0.04 - 0.03 - 2.0 * over * 0.2) / over**2, 200.0]
        values = dict(zip((q.symbol for q in leaves), [*moved, *level], strict=True))
        values |= {q.symbol: q.default for q in system.parameters}
        matrix = np.zeros((len(system.states) + len(ports), len(leaves)))
        for place, value in zip(entries, evaluate(list(entries.values()), values), strict=True):
            matrix[place] = value
        inner = np.zeros((len(leaves), len(leaves)))  # of the model by the FMU
        inner[: len(states), : len(states)] = np.eye(len(states))
        n = len(states)
        inner[n, n] = inner[n + 1, n + 1] = 1.0
        inner[n + 2, n : n + 3] = np.array([-1.0, -2.0 * over, 1.0]) / over**2
        inner[n + 3, n + 3] = 1.0
        expected = matrix @ inner
        known = [*states, *filtered, *(ref[name] for name in names)]
        order = [d.quantity.name for d in system.outputs
                 if d.quantity.name in OUTPUTS["bicycle-car"]]  # fmt: skip
        unknown = [*(ref[f"der({q.name})"] for q in system.states), *(ref[name] for name in order)]
        forward = np.array([fmu.getDirectionalDerivative(unknown, [one], [1.0]) for one in known]).T
        size = np.abs(expected).max(axis=1, keepdims=True)
        np.testing.assert_allclose(forward / size, expected / size, rtol=1e-12, atol=1e-12)
        if version == 3:
            weights = random.standard_normal(len(unknown))
            back = fmu.getAdjointDerivative(unknown, known, list(weights / size[:, 0]), len(known))
            wanted = (weights / size[:, 0]) @ expected
            np.testing.assert_allclose(back, wanted, rtol=1e-12, atol=1e-12 * np.abs(wanted).max())
        with instance(fmu_of("bicycle-car", version)) as (stepped, _):  # at communication points
            begin(stepped, version)
            fmu.reset()
            begin(fmu, version)
            for one in (ref["steer.angle"], ref["drive.torque"]):
                slopes = [
                    it.getDirectionalDerivative(unknown, [one], [1.0]) for it in (fmu, stepped)
                ]
                assert slopes[0] == slopes[1]


@dataclass(frozen=True)
class Case:
    """A shipped model, an input that is set after a fifth of its run, and what is compared."""

    version: int
    outputs: tuple[str, ...]
    moved: Mapping[str, float] = field(default_factory=dict)
    start: Mapping[str, str] | None = None
    duration: float = 0.5  # [s]
    atol: float = 1e-6  # of model exchange by CVODE, in the units of the outputs
    rtol: float = 1e-4


CASES = {
    "slider-crank": Case(2, ("slider.position.x", "energy.total")),
    "six-bar": Case(3, ("energy.total",)),
    "rlc-circuit": Case(2, ("resistor.voltage",), {"source.voltage": 12.0}, duration=5e-3),
    # Our steps of 0.1 ms pass a corner of the supply: 3e-4 off, and 5e-6 with steps of 1 us.
    "motor-driven-slider-crank": Case(
        3, ("motor.torque", "ram.position.x"), duration=0.3, rtol=1e-3
    ),
    "quarter-car": Case(2, ("spring.force", "tyre.Fz"), {"road.position": 0.01}, atol=1.0),
    "whipple-bicycle": Case(3, ("energy.total",)),
    "drifting-car": Case(2, ("chassis.vx_dot",), {"steer.angle": 0.02}, atol=1e-3, rtol=1e-3),
    "soil-bin": Case(3, ("soil.traction", "soil.torque"), {"motor.angle": 0.2}),
    "car-on-soil": Case(2, ("energy.total",)),
    "sedan": Case(3, ("vehicle.yaw_rate", "vehicle.lateral_acceleration"),
                  {"driver.steering": 0.2}, {"speed": "80 km/h"}, atol=1e-4, rtol=1e-3),
    "brake-bench": Case(3, ("front_left_calliper.content", "front_left_inlet.flow"),
                        {"front_left_inlet.opening": 1.0}, duration=0.2, atol=1e-9),
    "car-with-caravan": Case(2, ("vehicle.yaw_rate", "caravan.yaw_rate"),
                             {"driver.steering": 0.2}, {"speed": "80 km/h"}, atol=1e-4, rtol=1e-3),
}  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=pytest.mark.long if n == "car-with-caravan" else pytest.mark.slow)
        for n in CASES
    ],
)
def test_shipped_models_in_both_kinds(name: str, tmp_path: Path) -> None:
    """Closed loops, set-valued forces, events, vehicles and a trailer: valid, and as here."""
    from fmpy.validation import validate_fmu

    case, model = CASES[name], at.read_model(name)
    file = write_fmu(
        model, tmp_path / "it.fmu", fmi=case.version, outputs=case.outputs, start=case.start,
        platforms=[this_platform()],
    )  # fmt: skip
    assert validate_fmu(str(file)) == []
    step = model.run.step or 1e-3
    h, count = 10 * step, round(case.duration / step / 10)
    own = model.stepper(
        step=h, parts=10, method=model.run.method or "rk4", outputs=case.outputs,
        record=case.outputs, start=case.start,
    )  # fmt: skip
    first = count // 5
    own.advance(steps=first)
    own.set(case.moved)
    own.advance(steps=count - first)
    signal = _step_signal(case.moved, first * h, case.duration)
    settings = {
        "stop_time": count * h, "output_interval": h, "output": list(case.outputs), "input": signal,
    }  # fmt: skip
    run = fmpy.simulate_fmu(str(file), fmi_type="CoSimulation", step_size=h, **settings)
    for output in case.outputs:
        found = np.interp(own.trajectory.time, run["time"], run[output])
        np.testing.assert_allclose(found, own.trajectory[output], rtol=1e-9, atol=1e-9)
        assert np.ptp(found) > 0.0
    if own.prepared.method.solves:
        assert fmpy.read_model_description(str(file)).modelExchange is None
        return
    _check_exact_slopes(file, own.prepared.system, case.version)
    run = fmpy.simulate_fmu(
        str(file), fmi_type="ModelExchange", relative_tolerance=1e-7, **settings
    )
    for output in case.outputs:
        found = np.interp(own.trajectory.time[first + 8 :], run["time"], run[output])
        np.testing.assert_allclose(
            found, own.trajectory[output][first + 8 :], rtol=case.rtol, atol=case.atol
        )


@pytest.mark.slow
def test_controllers_act_in_co_simulation(tmp_path: Path) -> None:
    """As in the stepper, which is as in a drive; its switch is an input of the FMU."""
    from fmpy.validation import validate_fmu

    model = at.read_model("sedan", {"vehicle": {"fidelity": "two-track"}})
    outputs, start = ["vehicle.yaw_rate", "vehicle.lateral_acceleration"], {"speed": "100 km/h"}
    words = {"controllers": ["esc"], "method": "rk4", "outputs": outputs, "start": start}
    file = write_fmu(
        model, tmp_path / "it.fmu", step="1 ms", platforms=[this_platform()], **words
    )  # fmt: skip
    assert validate_fmu(str(file)) == []
    assert fmpy.read_model_description(str(file)).modelExchange is None
    own = model.stepper(step="10 ms", parts=10, record=outputs, **words)
    own.advance("50 ms")
    own["driver.steering"] = 1.5
    own.advance("250 ms")
    own["esc.active"] = 0
    own.advance("0.2 s")
    rows = [
        (0.0, 0.0, 1.0),
        (0.05, 0.0, 1.0),
        (0.05, 1.5, 1.0),
        (0.3, 1.5, 1.0),
        (0.3, 1.5, 0.0),
        (1.0, 1.5, 0.0),
    ]
    names = ("time", "driver.steering", "esc.active")
    run = fmpy.simulate_fmu(
        str(file), fmi_type="CoSimulation", stop_time=0.5, output_interval=0.01, step_size=0.01,
        output=outputs, input=np.array(rows, dtype=[(name, float) for name in names]),
    )  # fmt: skip
    for output in outputs:
        found = np.interp(own.trajectory.time, run["time"], run[output])
        np.testing.assert_allclose(found, own.trajectory[output], rtol=1e-9, atol=1e-9)


@pytest.mark.long
def test_a_car_by_hard_points_is_an_fmu(tmp_path: Path) -> None:
    """The largest that is shipped, with all of its outputs; its own steps are of 5 ms."""
    from fmpy.validation import validate_fmu

    model, start = at.read_model("five-link-sedan"), {"speed": "80 km/h"}
    file = write_fmu(model, tmp_path / "it.fmu", start=start, platforms=[this_platform()])
    assert validate_fmu(str(file)) == []
    outputs = ["vehicle.yaw_rate", "vehicle.lateral_acceleration", "vehicle.roll"]
    own = model.stepper(
        step="10 ms", parts=2, method=model.run.method, outputs=outputs, record=outputs,
        start=start,
    )  # fmt: skip
    own.advance("50 ms")
    own["driver.steering"] = 0.2
    own.advance("150 ms")
    run = fmpy.simulate_fmu(
        str(file), fmi_type="CoSimulation", stop_time=0.2, output_interval=0.01, step_size=0.01,
        output=outputs, input=_step_signal({"driver.steering": 0.2}, 0.05, 0.2),
    )  # fmt: skip
    for output in outputs:
        found = np.interp(own.trajectory.time, run["time"], run[output])
        np.testing.assert_allclose(found, own.trajectory[output], rtol=1e-9, atol=1e-9)
        assert np.ptp(found) > 1e-3


def _check_exact_slopes(file: Path, system: System, version: int) -> None:
    """Of all rates along a direction of all states, against the Jacobian of the expressions."""
    direction = np.random.default_rng(3).standard_normal(len(system.states))
    with instance(file, exchange=True) as (fmu, ref):
        begin(fmu, version)
        states = [ref[q.name] for q in system.states]
        rates = [ref[f"der({q.name})"] for q in system.states]
        values = dict(zip((q.symbol for q in system.states), getter(fmu)(states), strict=True))
        values |= {q.symbol: getter(fmu)([ref[q.name]])[0] if q.name in ref else 0.0
                   for q in (system.time, *system.inputs, *system.parameters)}  # fmt: skip
        found = fmu.getDirectionalDerivative(rates, states, list(direction))
    entries = jacobian(system.derivatives, [q.symbol for q in system.states])
    terms = np.zeros((len(states), len(states)))
    for place, value in zip(entries, evaluate(list(entries.values()), values), strict=True):
        terms[place] = value * direction[place[1]]
    size = np.abs(terms).sum(axis=1)  # rounding is that of the largest terms of a sum
    np.testing.assert_array_less(np.abs(found - terms.sum(axis=1)), 1e-12 * size + 1e-300)


def _step_signal(moved: Mapping[str, float], at_time: float, end: float) -> Any:
    if not moved:
        return None
    names = list(moved)
    before = [0.0 for _ in names]
    rows = [(0.0, *before), (at_time, *before), (at_time, *moved.values()),
            (2.0 * end, *moved.values())]  # fmt: skip
    return np.array(rows, dtype=[("time", float), *((name, float) for name in names)])


def test_steps_end_early_where_the_importer_asks_for_it() -> None:
    """FMI 3: after each internal step the importer may read, and may stop at a time."""
    seen: list[tuple[float, float]] = []
    with contextlib.ExitStack() as stack:
        shared: dict[str, Any] = {}

        def look(env: Any, time: float, wanted: Any, got: Any, done: Any, may: bool,
                 asks: Any, until: Any) -> None:  # fmt: skip
            assert may
            seen.append((time, shared["fmu"].getFloat64([shared["ref"]["pin.angle"]])[0]))
            if len(seen) == 3:
                asks[0], until[0] = True, 0.0055

        fmu, ref = stack.enter_context(
            instance(fmu_of("pendulum", 3), intermediateUpdate=look, earlyReturnAllowed=True)
        )
        shared |= {"fmu": fmu, "ref": ref}
        begin(fmu, 3)
        _, ends, early, last = fmu.doStep(0.0, 0.01)
        assert (ends, early) == (False, True)
        assert last == pytest.approx(0.006)
        own = system_of("pendulum").stepper(step=1e-3, outputs=[])
        for _, angle in seen:
            own.advance()
            assert angle == pytest.approx(own["pin.angle"], rel=1e-14)
        _, _, early, last = fmu.doStep(last, 0.004)
        assert not early
        assert last == pytest.approx(0.01, rel=1e-15)


@pytest.mark.parametrize("version", VERSIONS)
def test_what_is_refused_is_said_by_the_logger(version: int) -> None:
    said: list[str] = []
    with instance(fmu_of("four-bar", version), said=said) as (fmu, ref):
        for name, value in {"crank.mass": -1.0, "energy.total": 1.0, "fmu.step": 0.0}.items():
            with pytest.raises(Exception, match="status 3"):
                setter(fmu)([ref[name]], [value])
        with pytest.raises(Exception, match="status 3"):
            setter(fmu)([ref["a.angle"]], [float("nan")])
        begin(fmu, version)
        with pytest.raises(Exception, match="status 3"):
            setter(fmu)([ref["a.angle"]], [0.1])
        with pytest.raises(Exception, match="status 3"):
            fmu.doStep(0.5, 0.01)
        with pytest.raises(Exception, match="status 3"):
            getter(fmu)([10_000])
    for text, expected in zip(
        said,
        ["parameter crank.mass is set to -1; expected a value above 0", "is computed and not set",
         "a step, tolerance or filter time is set to 0", "is not finite",
         "state a.angle is set while co-simulation runs", "from 0.5 s over 0.01 s is asked for",
         "no variable of value reference 10000"],
        strict=True,
    ):  # fmt: skip
        assert expected in text


@pytest.mark.parametrize("version", VERSIONS)
def test_a_failed_step_is_discarded_and_named(version: int) -> None:
    said: list[str] = []
    with instance(fmu_of("pendulum", version), said=said) as (fmu, ref):
        setter(fmu)([ref["gravity.z"], ref["pin.rate"]], [1.0, 1.7e308])
        begin(fmu, version)
        with pytest.raises(Exception, match="status 2"):
            fmu.doStep(0.0, 0.05)
        with pytest.raises(Exception, match="status 3"):
            fmu.doStep(0.0, 0.05)
        assert "the step from t = 0 s fails at pin." in said[0]
        fmu.reset()
        begin(fmu, version)
        fmu.doStep(0.0, 0.05)
        own = system_of("pendulum").stepper(step=0.05, parts=50, outputs=[])
        own.advance()
        assert getter(fmu)([ref["pin.angle"]]) == [own["pin.angle"]]


@pytest.mark.parametrize("version", VERSIONS)
def test_start_values_of_a_closed_loop_fit_together(version: int) -> None:
    """One angle is set, and the others are moved onto the constraints."""
    system = system_of("four-bar")
    names = [q.name for q in system.states]
    with instance(fmu_of("four-bar", version)) as (fmu, ref):
        setter(fmu)([ref["a.angle"]], [-1.5])
        begin(fmu, version)
        found = dict(zip(names, getter(fmu)([ref[name] for name in names]), strict=True))
    values = {q.symbol: found[q.name] for q in system.states}
    values |= {q.symbol: q.default for q in system.parameters}
    assert found["a.angle"] != system.states["a.angle"].default
    for constraint in system.constraints:
        assert abs(float(evaluate([constraint.position], values)[0])) < 1e-12


def test_communication_steps_of_any_length() -> None:
    """The internal step is the longest that is no longer than fmu.step and fits."""
    with instance(fmu_of("pendulum", 2)) as (fmu, ref):
        setter(fmu)([ref["fmu.step"]], [2e-3])
        begin(fmu, 2)
        own = system_of("pendulum").stepper(step=1e-3, outputs=[])
        t = 0.0
        for length, parts in ((0.005, 3), (0.0005, 1), (0.01, 5)):
            fmu.doStep(t, length)
            t += length
            own._engine.set_step(length, parts)
            own.advance(steps=1)
            assert getter(fmu)([ref["pin.angle"]])[0] == pytest.approx(own["pin.angle"], rel=1e-13)


def test_events_are_found_where_rates_jump() -> None:
    """A voltage whose sign the rate depends on: CVODE stops there."""
    model = at.read_model("motor-driven-slider-crank")
    description = fmu_model(model.formulate(), step=1e-4, outputs=[])
    assert description.events == 1
    names = [v.name for v in description.variables]
    assert "event_indicator[1]" in names


def test_every_jump_of_a_rate_has_an_indicator() -> None:
    """Jumps are found by halving; those of this car are in the slip of its tyres at low speed."""
    system = system_of("bicycle-car")
    described = fmu_model(system, step=1e-3, outputs=[])
    extended = described.system
    indicators = [d.expression for d in extended.outputs[-described.events :]]
    quantities = [*system.states, *system.inputs]
    fixed = {q.symbol: q.default for q in system.parameters} | {system.time.symbol: 0.0}
    random = np.random.default_rng(11)
    found = 0
    for _ in range(12):
        begin = np.array([q.default for q in quantities])
        begin[: len(system.states)] *= 0.0
        begin += random.uniform(-1.0, 1.0, len(begin))
        way = random.uniform(-1.0, 1.0, len(begin))

        def at_places(expressions: Any, s: Any, a: Any = begin, b: Any = way) -> Any:
            values = {q.symbol: a[k] + s * b[k] for k, q in enumerate(quantities)} | fixed
            return np.array([np.broadcast_to(v, s.shape) for v in evaluate(expressions, values)])

        places = np.linspace(-1.0, 1.0, 801)
        for low, high in _jumps(lambda s: at_places(system.derivatives, s), places):
            sides = at_places(indicators, np.array([low, high]))
            assert np.any(sides[:, 0] * sides[:, 1] < 0.0)
            found += 1
    assert found >= 5


def _jumps(rates: Any, places: Any) -> Iterator[tuple[float, float]]:
    """Neighbours, next to each other as far as numbers go, between which a rate differs; they are
    looked for where a rate changes much more than right before and after."""
    change = np.abs(np.diff(rates(places), axis=1))
    beside = change[:, :-2] + change[:, 2:] + 1e-6
    sudden = (change[:, 1:-1] / beside).max(axis=0)
    for place in np.argsort(sudden)[-6:].tolist():
        low, high = places[place + 1 : place + 3].tolist()
        while True:
            middle = 0.5 * (low + high)
            a, b, c = rates(np.array([low, middle, high])).T
            if np.abs(c - a).max() <= 1e-6 * (1.0 + np.abs(a).max()):
                break
            if middle in (low, high):
                yield low, high
                break
            low, high = (
                (low, middle) if np.abs(b - a).max() > np.abs(c - b).max() else (middle, high)
            )


def test_names_are_legal_and_distinct() -> None:
    assert structured_name("rod.rotation.12") == "rod.rotation[1,2]"
    assert structured_name("a.reaction.force.x") == "a.reaction.force.x"
    assert structured_name("a.b c") == "a.'b c'"
    assert structured_name("a.ß") == "a.'U00DF'"
    assert distinct(["a", "a", "a_2"]) == ["a", "a_2", "a_2_2"]


def test_units_have_their_si_exponents() -> None:
    with zipfile.ZipFile(fmu_of("bicycle-car", 2)) as archive:
        root = ElementTree.fromstring(archive.read("modelDescription.xml"))
    units = {one.get("name"): one.find("BaseUnit").attrib for one in root.iter("Unit")}
    assert units["N*m"] == {"kg": "1", "m": "2", "s": "-2"}
    assert units["rad/s"] == {"rad": "1", "s": "-1"}
    assert units["1"] == {}
    speeds = {one.get("name"): float(one.get("factor", "1")) for one in root.iter("DisplayUnit")}
    assert 20.0 * speeds["km/h"] == pytest.approx(72.0)


def test_dependencies_are_what_derivatives_show() -> None:
    """What a rate does not depend on by the description moves it by nothing."""
    with zipfile.ZipFile(fmu_of("bicycle-car", 3)) as archive:
        root = ElementTree.fromstring(archive.read("modelDescription.xml"))
    structure = root.find("ModelStructure")
    assert structure is not None
    said = {
        int(one.get("valueReference")): set(map(int, one.get("dependencies").split()))
        for title in ("Output", "ContinuousStateDerivative")
        for one in structure.findall(title)
    }
    seen = dict.fromkeys(said, 0)
    with instance(fmu_of("bicycle-car", 3), exchange=True) as (fmu, ref):
        begin(fmu, 3)
        first, rates = min(said[ref["der(chassis.x)"]]), ref["der(chassis.vx)"]
        assert first < rates
        knowns = [*range(1, rates), ref["steer.angle"], ref["drive.torque"]]
        for known in knowns:
            slopes = fmu.getDirectionalDerivative(list(said), [known], [1.0])
            for unknown, slope in zip(said, slopes, strict=True):
                assert slope == 0.0 or known in said[unknown]
                seen[unknown] += slope != 0.0
    assert sum(seen.values()) > 30


def test_the_same_model_is_the_same_file(tmp_path: Path) -> None:
    again = write_fmu(
        at.read_model("pendulum"), tmp_path / "pendulum-2-None.fmu",
        outputs=OUTPUTS["pendulum"], platforms=[],
    )  # fmt: skip
    with zipfile.ZipFile(again) as new, zipfile.ZipFile(fmu_of("pendulum", 2)) as old:
        for name in new.namelist():
            assert new.read(name) == old.read(name), name
        assert "model.png" in old.namelist()
        page = old.read("documentation/index.html").decode()
        assert "rod.rotation[1,1]" in page
        assert old.read("model.png")[:4] == b"\x89PNG"


@pytest.mark.parametrize("version", VERSIONS)
def test_sources_compile_elsewhere(version: int, tmp_path: Path) -> None:
    """Without a warning, and with a prefix that keeps them apart from those of other FMUs."""
    with zipfile.ZipFile(fmu_of("four-bar", version)) as archive:
        archive.extractall(tmp_path)
    prefix = f"-DFMI{version}_FUNCTION_PREFIX=four_bar_"
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-c", prefix]
    subprocess.run(["cc", *flags, "model.c"], cwd=tmp_path / "sources", check=True)
    names = subprocess.run(
        ["nm", "model.o"], cwd=tmp_path / "sources", check=True, capture_output=True, text=True
    ).stdout
    assert f" T four_bar_fmi{version}DoStep" in names
    assert f" T fmi{version}DoStep" not in names


def test_only_functions_of_the_standard_are_seen() -> None:
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(fmu_of("pendulum", 3)) as archive:
        file = archive.extract("binaries/x86_64-linux/pendulum.so", folder)
        shown = subprocess.run(
            ["nm", "-D", "--defined-only", file], check=True, capture_output=True, text=True
        ).stdout
    names = [line.split()[-1] for line in shown.splitlines()]
    assert len(names) > 70
    assert all(name.startswith("fmi3") for name in names)


def test_steps_that_are_solved_make_co_simulation_alone() -> None:
    model = fmu_model(
        at.read_model("soil-bin").formulate(form="set-valued"), step=1e-3,
        method="complementarity", outputs=[],
    )  # fmt: skip
    text = model_description(model, 2, "soil_bin", "{0}")
    assert "<CoSimulation" in text
    assert "<ModelExchange" not in text
    assert 'providesDirectionalDerivative="false"' in text
    assert "no model exchange and no derivative" in fmu_page(model, "")


def test_wrong_requests_are_refused(tmp_path: Path) -> None:
    pendulum, car = at.read_model("pendulum"), at.read_model("bicycle-car")
    cases: list[tuple[Any, dict[str, Any], str]] = [
        (pendulum, {"fmi": 1}, "the version of FMI is 1; expected 2 or 3"),
        (pendulum, {"outputs": ["energy.totl"]}, "unknown output 'energy.totl'"),
        (pendulum, {"platforms": ["vax"]}, "unknown platform 'vax'"),
        (pendulum, {"step": 0.0}, "the step is 0.0; expected a positive one"),
        (pendulum, {"initial": {"pin.angle": "1 kg"}}, "angle"),
        (pendulum, {"initial": {"pin.rate": 0.0}, "start": {"pin.rate": 0.0}}, "beside a start"),
        (car, {"shapes": {"steer.angle": at.SmoothInput("1 s")}}, "are held or filtered"),
        (car, {"inputs": {"steer.angle": at.TIME}}, "start at values, not at signals"),
    ]
    for model, settings, expected in cases:
        with pytest.raises(AxletreeError, match=expected):
            write_fmu(model, tmp_path / "it.fmu", **{"platforms": [], **settings})
    with pytest.raises(AxletreeError, match="it is a folder"):
        write_fmu(pendulum, tmp_path, platforms=[])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_components_alone_beside_the_vehicle_they_are_of(tmp_path: Path) -> None:
    """A tyre, the powertrain and the driver of a car, moved by the car, do what they do in it."""
    from fmpy.validation import validate_fmu

    car = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    driven, _ = with_manoeuvre(car, "iso-3888-1")
    outputs = {"rear_left_tyre": "rear_left_tyre.Fx", "rear_drive": "rear_drive.torque",
               "driver": "driver.wanted_steering"}  # fmt: skip
    stepper = driven.stepper(
        step=1e-3, outputs=list(outputs.values()), initial={"chassis.vx": 20.0}
    )
    for component, output in outputs.items():
        file = write_fmu(
            car, tmp_path / f"{component}.fmu", fmi=3, component=component,
            manoeuvre="iso-3888-1", platforms=[this_platform()],
        )  # fmt: skip
        assert validate_fmu(str(file)) == []
        stepper.reset(states={"chassis.vx": 20.0})
        stepper.advance("0.3 s")
        with instance(file, exchange=True) as (fmu, ref):
            begin(fmu, 3)
            for name in stepper.state_names:
                if not name.startswith(f"{component}."):
                    continue
                place = [ref[name]]
                assert fmu.getDirectionalDerivative(place, place, [2.0]) == [2.0]
                assert fmu.getAdjointDerivative(place, place, [2.0], 1) == [2.0]
        with at.Fmu(file) as part:
            start = {name: stepper[name] for name in part.outputs if name in stepper.state_names}
        with at.Fmu(
            file, name=component, start=start, reads={name: name for name in part.inputs}
        ) as part:
            run = at.co_simulate(
                stepper, [part], duration=0.05, interval=1e-3, record=[output, *start]
            )
        found, there = run[f"{component}.{output}"], run[output]
        assert np.abs(there).max() > 1e-6
        if not start:  # a function of what it read at the last communication point
            np.testing.assert_allclose(found[1:], there[:-1], rtol=1e-12)
        for name in start:
            error = np.abs(run[f"{component}.{name}"] - run[name]).max()
            assert error <= 0.1 * np.ptp(run[name]) + 1e-12, name


def test_without_a_compiler_there_are_sources_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AXLETREE_CC", "none")
    monkeypatch.setattr("axletree.export.fmu.binaries.has_ziglang", lambda: False)
    with pytest.warns(at.ModelWarning, match="the FMU has C sources alone"):
        file = write_fmu(at.read_model("pendulum"), tmp_path / "it.fmu", outputs=[])
    with zipfile.ZipFile(file) as archive:
        assert not [name for name in archive.namelist() if name.startswith("binaries")]
    with pytest.raises(FmuError, match="is compiled by ziglang, which is not installed"):
        write_fmu(at.read_model("pendulum"), tmp_path / "it.fmu", platforms=["aarch64-darwin"])
    with pytest.raises(FmuError, match="there is no C compiler for a binary"):
        write_fmu(at.read_model("pendulum"), tmp_path / "it.fmu", platforms=[this_platform()])


def test_inputs_beyond_their_bounds_are_discarded_and_named(tmp_path: Path) -> None:
    """A pedal of 5 in the place of 5 %; the FMU goes on with what it had."""
    car = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    file = write_fmu(
        car, tmp_path / "drive.fmu", component="rear_drive", platforms=[this_platform()]
    )
    said: list[str] = []
    with instance(file, said=said) as (fmu, ref):
        pedal, clutch = ref["driver.throttle"], ref["driver.clutch"]
        begin(fmu, 2)
        setter(fmu)([pedal], [1.0])
        for value in (5.0, -1e-3):
            with pytest.raises(Exception, match="status 2"):
                setter(fmu)([pedal, clutch], [value, 0.5])
        fmu.doStep(0.0, 0.01)
        assert getter(fmu)([pedal, clutch]) == [1.0, 0.0]
    assert said == [
        f"input driver.throttle is set to {value}; expected a value from 0 to 1"
        for value in ("5", "-0.001")
    ]
