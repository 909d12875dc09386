"""FMUs as parts of a run: ours in both kinds, a foreign one, and those that fail."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from export.fmu_cases import fmu_of, system_of

import axletree as at
from axletree.export.fmu.binaries import fmu_binaries, this_platform
from axletree.export.fmu.write import write_fmu
from axletree.expr.quantity import Quantities, Quantity, Role
from axletree.simulation.fmu.archive import FmuError
from axletree.simulation.simulate import StoppedRunError
from axletree.system.system import System, output

pytest.importorskip("fmpy")
pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None or this_platform() != "x86_64-linux",
    reason="binaries are compiled and loaded here on linux64 alone",
)


def changed(file: Path, to: Path, **content: bytes | None) -> Path:
    """A copy of the archive with other content in some files; None leaves one out."""
    places = {key.replace("__", "/"): value for key, value in content.items()}
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(to, "w") as new:
        for name in old.namelist():
            if name not in places:
                new.writestr(name, old.read(name))
        for name, value in places.items():
            if value is not None:
                new.writestr(name, value)
    return to


def with_step(to: Path, statement: str) -> Path:
    """The pendulum, compiled with another beginning of its communication step."""
    return compiled_with(to, statement, "    return (fmi2Status)axl_steps(i, from, over, 0);")


def compiled_with(to: Path, statement: str, plain: str) -> Path:
    """The pendulum with a statement before one of its interface."""
    file = fmu_of("pendulum", 2)
    with zipfile.ZipFile(file) as archive:
        texts = {
            name.removeprefix("sources/"): archive.read(name).decode()
            for name in archive.namelist()
            if name.startswith("sources/")
        }
    assert plain in texts["fmi2.inc"]
    texts["fmi2.inc"] = texts["fmi2.inc"].replace(plain, f"    {statement}\n{plain}")
    ((place, binary),) = fmu_binaries(texts, "pendulum", 2, [this_platform()]).items()
    return changed(file, to, **{place: binary})


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("kind", list(at.FmuKind))
def test_an_fmu_of_ours_moves_as_its_stepper(version: int, kind: at.FmuKind) -> None:
    own = system_of("bicycle-car").stepper(step=0.01, parts=10, outputs=["front_tyre.Fy"])
    with at.Fmu(fmu_of("bicycle-car", version), kind=kind, start={"body.mass": 1600.0}) as car:
        own["body.mass"] = 1600.0
        car.begin()
        for steer in (0.0, 0.02, 0.03, -0.01):
            car["steer.angle"] = own["steer.angle"] = steer
            car.advance("10 ms")
            own.advance()
        bound = 1e-13 if kind is at.FmuKind.CO_SIMULATION else 2e-4  # rk4 of the filter's states
        assert car["front_tyre.Fy"] == pytest.approx(own["front_tyre.Fy"], rel=bound)


def test_two_halves_of_a_loop_agree_with_the_whole() -> None:
    """A car in a stepper, and its twin as FMU that is steered alike, have one motion."""
    own = system_of("bicycle-car").stepper(step=1e-3, outputs=["front_tyre.Fy"])
    own["steer.angle"] = 0.02
    with at.Fmu(
        fmu_of("bicycle-car", 2), name="twin", reads={"steer.angle": "steer.angle"}
    ) as twin:
        run = at.co_simulate(own, [twin], duration=0.5, interval=1e-3, record=["front_tyre.Fy"])
    assert run.complete
    assert run.units["twin.front_tyre.Fy"] == "N"
    difference = run["twin.front_tyre.Fy"] - run["front_tyre.Fy"]
    # The twin sees steering that the car has filtered, and filters it once more: 10 ms later.
    late = np.interp(run.time - 0.011, run.time, run["front_tyre.Fy"])
    assert np.abs(difference).max() > 50.0
    assert np.abs(run["twin.front_tyre.Fy"] - late)[200:].max() < 12.0


DRIVER = """
from pythonfmu import Fmi2Slave, Real

class Driver(Fmi2Slave):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.yaw_rate = 0.0
        self.wanted = 0.1
        self.steer = 0.0
        self.register_variable(Real("yaw_rate", causality="input"))
        self.register_variable(Real("wanted", causality="parameter", variability="tunable"))
        self.register_variable(Real("steer", causality="output"))

    def do_step(self, time, step):
        self.steer += step * 1.5 * (self.wanted - self.yaw_rate)
        return True
"""


def test_a_foreign_controller_drives_the_car(tmp_path: Path) -> None:
    """Written in Python by others' tool: an integrating controller reaches its yaw rate."""
    builder = pytest.importorskip("pythonfmu.builder")
    (tmp_path / "driver.py").write_text(DRIVER)
    file = builder.FmuBuilder.build_FMU(tmp_path / "driver.py", dest=tmp_path)
    own = system_of("bicycle-car").stepper(step=1e-3, outputs=[])
    with at.Fmu(
        file, name="driver", start={"wanted": 0.08}, reads={"yaw_rate": "chassis.rate"},
        sets={"steer.angle": "steer"},
    ) as driver:  # fmt: skip
        run = at.co_simulate(own, [driver], duration="6 s", interval="10 ms")
    assert run["chassis.rate"][-1] == pytest.approx(0.08, rel=0.01)
    assert run["driver.steer"][-1] == pytest.approx(run["steer.angle"][-1], rel=0.05)


def test_a_crash_inside_ends_in_a_message_and_keeps_the_records(tmp_path: Path) -> None:
    file = with_step(tmp_path / "crash.fmu", "if (from > 0.045) *(volatile int *)0 = 1;")
    own = system_of("pendulum").stepper(step=1e-3, outputs=[])
    with (
        at.Fmu(file) as bad,
        pytest.raises(StoppedRunError, match=r"crash has crashed.*SIGSEGV.*t = 0\.05 s") as stopped,
    ):
        at.co_simulate(own, [bad], duration=0.1, interval=0.01, record=["pin.angle"])
    run = stopped.value.trajectory
    assert not run.complete
    assert "SIGSEGV" in run.note
    assert run.time[-1] == pytest.approx(0.05)
    assert len(run["crash.energy.total"]) == 6


def test_an_endless_loop_is_ended(tmp_path: Path) -> None:
    file = with_step(tmp_path / "endless.fmu", "for (;;) {}")
    with at.Fmu(file, timeout=0.5) as bad:
        bad.begin()
        with pytest.raises(FmuError, match=r"does not answer within 0.5 s, and is ended"):
            bad.advance(0.01)
        with pytest.raises(FmuError, match="before it is begun, or after it failed"):
            bad.advance(0.01)


def test_an_fmu_ends_with_the_process_that_asks(tmp_path: Path) -> None:
    """A run that is killed while its FMU loops leaves no process behind."""
    file = with_step(tmp_path / "endless.fmu", "for (;;) {}")
    text = f"""
import axletree as at
fmu = at.Fmu({str(file)!r}, timeout=600.0)
fmu.begin()
print(fmu._process.pid, flush=True)
fmu.advance(0.01)
"""
    with subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        host = Path(f"/proc/{int(run.stdout.readline())}")
        assert host.exists()
        run.kill()
    end = time.monotonic() + 30.0
    while host.exists() and time.monotonic() < end:
        time.sleep(0.05)
    assert not host.exists()


def test_what_an_fmu_says_is_in_the_message(tmp_path: Path) -> None:
    with (
        at.Fmu(fmu_of("pendulum", 2), start={"rod.mass": -1.0}) as bad,
        pytest.raises(FmuError, match=r"fails: .*SetReal.*parameter rod.mass is set to -1"),
    ):
        bad.begin()


def test_wrong_files_are_refused(tmp_path: Path) -> None:
    good = fmu_of("pendulum", 2)
    damaged = tmp_path / "damaged.fmu"
    content = bytearray(good.read_bytes())
    content[200:4000] = bytes(3800)
    damaged.write_bytes(content)
    (tmp_path / "text.fmu").write_text("no archive")
    pipe = tmp_path / "pipe.fmu"
    os.mkfifo(pipe)
    link = zipfile.ZipInfo("resources/link")
    link.external_attr = 0o120777 << 16
    linked = changed(good, tmp_path / "linked.fmu")
    with zipfile.ZipFile(linked, "a") as archive:
        archive.writestr(link, "/etc/passwd")
    description = zipfile.ZipFile(good).read("modelDescription.xml")
    older = description.replace(b'fmiVersion="2.0"', b'fmiVersion="1.0"')
    entity = description.replace(b"?>", b'?><!DOCTYPE a [<!ENTITY b "c">]>', 1)
    cases = {
        damaged: "is damaged, or no archive",
        tmp_path / "text.fmu": "is damaged, or no archive",
        tmp_path / "nowhere.fmu": "there is no file",
        tmp_path: "is a folder; expected an FMU",
        Path("/dev/zero"): "is a device or a pipe; expected an FMU",
        pipe: "is a device or a pipe; expected an FMU",
        linked: "'resources/link' is a link",
        changed(good, tmp_path / "out.fmu", **{"../out.txt": b""}): "outside of its folder",
        changed(good, tmp_path / "root.fmu", **{"/tmp/out.txt": b""}): "outside of its folder",
        changed(good, tmp_path / "none.fmu", **{"modelDescription.xml": None}): "it is no FMU",
        changed(good, tmp_path / "xml.fmu", **{"modelDescription.xml": b"<a"}): "is no XML",
        changed(good, tmp_path / "entity.fmu", **{"modelDescription.xml": entity}): "document type",
        changed(good, tmp_path / "1.fmu", **{"modelDescription.xml": older}): "1.0; expected 2.0",
        changed(
            good, tmp_path / "path.fmu",
            **{"modelDescription.xml": description.replace(b'"pendulum" can', b'"../../x" can')},
        ): "the modelIdentifier is '../../x'",
        changed(
            good, tmp_path / "other.fmu",
            **{"binaries/linux64/pendulum.so": None, "binaries/win64/pendulum.dll": b""},
        ): r"no code for this machine \(linux64\); it has: win64",
    }  # fmt: skip
    for file, expected in cases.items():
        with pytest.raises(FmuError, match=expected):
            at.Fmu(file)
    assert not (tmp_path.parent / "out.txt").exists()


def test_code_of_another_processor_is_refused(tmp_path: Path) -> None:
    good = fmu_of("pendulum", 2)
    with zipfile.ZipFile(good) as archive:
        binary = bytearray(archive.read("binaries/linux64/pendulum.so"))
    struct.pack_into("<H", binary, 18, 183)  # e_machine: AArch64
    file = changed(good, tmp_path / "arm.fmu", **{"binaries/linux64/pendulum.so": bytes(binary)})
    with at.Fmu(file) as bad, pytest.raises(FmuError, match="fails: Failed to load shared library"):
        bad.begin()


def test_connections_are_checked_before_the_run(tmp_path: Path) -> None:
    own = system_of("bicycle-car").stepper(step=1e-3, outputs=[])
    good = fmu_of("pendulum", 2)
    with pytest.raises(at.AxletreeError, match="unknown input 'angle' in the FMU 'pendulum"):
        at.Fmu(good, reads={"angle": "steer.angle"})
    with pytest.raises(at.AxletreeError, match="unknown output 'x' in the FMU"):
        at.Fmu(good, sets={"steer.angle": "x"})
    with pytest.raises(at.AxletreeError, match="unknown start value 'rod.mas'"):
        at.Fmu(good, start={"rod.mas": 1.0})
    with (
        at.Fmu(good, sets={"steer.angel": "energy.total"}) as fmu,
        pytest.raises(at.AxletreeError, match="unknown input 'steer.angel'"),
    ):
        at.co_simulate(own, [fmu], duration=1.0, interval=0.01)
    with (
        at.Fmu(good, sets={"steer.angle": "rod.rotation[1,1]"}, name="a") as one,
        at.Fmu(good, sets={"steer.angle": "rod.rotation[1,1]"}, name="b") as other,
        pytest.raises(FmuError, match="'steer.angle' is set by 'a' and by 'b'"),
    ):
        at.co_simulate(own, [one, other], duration=1.0, interval=0.01)
    with at.Fmu(good) as fmu, pytest.raises(FmuError, match="no whole number of intervals"):
        at.co_simulate(own, [fmu], duration=1.0, interval=0.3)


def test_an_fmu_of_one_kind_is_not_run_as_another(tmp_path: Path) -> None:
    good = fmu_of("pendulum", 2)
    text = zipfile.ZipFile(good).read("modelDescription.xml")
    begin, end = text.index(b"<ModelExchange"), text.index(b"</ModelExchange>") + 16
    alone = {"modelDescription.xml": text[:begin] + text[end:]}
    file = changed(good, tmp_path / "alone.fmu", **alone)
    with pytest.raises(FmuError, match="is not for ModelExchange, but for CoSimulation"):
        at.Fmu(file, kind=at.FmuKind.MODEL_EXCHANGE)


def test_units_of_connections_are_converted_or_refused(tmp_path: Path) -> None:
    good = fmu_of("bicycle-car", 2)
    text = zipfile.ZipFile(good).read("modelDescription.xml")
    at_steer = text.index(b'name="steer.angle" ')
    unit = text.index(b'unit="rad"', at_steer)
    for said, factor in ((b"deg", np.degrees(1.0)), (b"furlong", 1.0), (b"1", 1.0)):
        other = text[:unit] + b'unit="' + said + b'"' + text[unit + 10 :]
        file = changed(good, tmp_path / "unit.fmu", **{"modelDescription.xml": other})
        own = system_of("bicycle-car").stepper(step=1e-3, inputs={"steer.angle": 0.02}, outputs=[])
        with at.Fmu(file, reads={"steer.angle": "steer.angle"}) as fmu:
            at.co_simulate(own, [fmu], duration=0.01, interval=0.01)
            assert fmu["steer.angle"] == pytest.approx(0.02 * factor)
    file = changed(
        good, tmp_path / "metre.fmu",
        **{"modelDescription.xml": text[:unit] + b'unit="m"' + text[unit + 10 :]},
    )  # fmt: skip
    with (
        at.Fmu(file, reads={"steer.angle": "steer.angle"}) as fmu,
        pytest.raises(FmuError, match="steer.angle is in m, and steer.angle in rad"),
    ):
        at.co_simulate(own, [fmu], duration=0.01, interval=0.01)


def test_inputs_begin_where_the_description_says(tmp_path: Path) -> None:
    """And not at 0, which would take the foot off the throttle."""
    good = fmu_of("bicycle-car", 2)
    text = zipfile.ZipFile(good).read("modelDescription.xml")
    torque = text.index(b'start="', text.index(b'name="drive.torque"'))
    other = text[:torque] + text[torque:].replace(b'start="0.0"', b'start="250.0"', 1)
    file = changed(good, tmp_path / "start.fmu", **{"modelDescription.xml": other})
    with at.Fmu(file) as fmu:
        assert fmu["drive.torque"] == 250.0


def integrator(name: str, factor: float, start: float) -> System:
    """x' = factor u, and y = x."""
    x, u = (Quantity(one, "1", one, role) for one, role in (("x", Role.STATE), ("u", Role.INPUT)))
    return System(
        name=name,
        time=Quantity("time", "s", "time", Role.TIME),
        states=Quantities([replace(x, default=start)]),
        inputs=Quantities([u]),
        parameters=Quantities(),
        derivatives=(factor * u.symbol,),
        outputs=(output("y", "1", "the state", x.symbol),),
        intermediates=(),
        projection=None,
    )


def test_co_simulation_is_of_first_order_in_its_interval(tmp_path: Path) -> None:
    """x' = v here, v' = -w^2 x in an FMU: together an oscillator, whose motion is cos(w t)."""
    w = 3.0
    file = write_fmu(
        integrator("velocity", -(w**2), 0.0), tmp_path / "velocity.fmu", step=1e-3,
        platforms=[this_platform()],
    )  # fmt: skip
    own = integrator("position", 1.0, 1.0)
    errors = []
    for interval in (4e-3, 2e-3, 1e-3):
        with (
            own.stepper(step=1e-3) as position,
            at.Fmu(file, reads={"u": "y"}, sets={"u": "y"}) as velocity,
        ):
            run = at.co_simulate(
                position, [velocity], duration=1.0, interval=interval, record=["x"]
            )
        errors.append(np.abs(run["x"] - np.cos(w * run.time)).max())
    np.testing.assert_allclose(np.log2(np.array(errors[:-1]) / errors[1:]), 1.0, atol=0.05)
    assert errors[-1] < 0.01


def test_events_at_times_that_an_fmu_names_are_taken(tmp_path: Path) -> None:
    """At 20 ms the pendulum is put to rest at an angle, and swings on from there."""
    file = compiled_with(
        tmp_path / "timed.fmu",
        """axl_instance *const j = (axl_instance *)c;
    const int late = model_stepper_time(j->s) > 0.0199;
    if (late) {
        j->s->x[0] = 0.0;
        j->s->x[1] = 0.7;
        j->v.known = 0;
    }
    memset(info, 0, sizeof *info);
    info->nextEventTimeDefined = !late;
    info->nextEventTime = 0.02;
    info->valuesOfContinuousStatesChanged = late;
    return fmi2OK;""",
        "    memset(info, 0, sizeof *info);",
    )
    own = system_of("pendulum").stepper(
        step=0.01, parts=10, initial={"pin.angle": 0.7, "pin.rate": 0.0},
        outputs=["rod.rotation.11"],
    )  # fmt: skip
    with at.Fmu(file, kind=at.FmuKind.MODEL_EXCHANGE) as fmu:
        fmu.begin()
        fmu.advance(0.02)
        assert fmu["rod.rotation[1,1]"] == pytest.approx(np.cos(0.7), rel=1e-12)
        fmu.advance(0.01)
    own.advance()
    assert fmu["rod.rotation[1,1]"] == pytest.approx(own["rod.rotation.11"], rel=1e-9)


@pytest.mark.parametrize("value", ["1 kg", None, np.nan, np.inf, [1.0]])
def test_values_that_are_no_finite_numbers_are_named(value: object) -> None:
    file = fmu_of("pendulum", 2)
    with pytest.raises(FmuError, match="rod.mass is .*expected one finite number in kg"):
        at.Fmu(file, start={"rod.mass": value})


def test_arguments_of_another_kind_are_named(tmp_path: Path) -> None:
    pendulum = at.read_model("pendulum")
    for call, message in (
        (lambda: at.Fmu(None), "file is None"),
        (lambda: write_fmu(3, tmp_path / "a.fmu"), "model is 3; expected Model"),
        (lambda: write_fmu(pendulum, tmp_path / "a.fmu", platforms="win"), "platforms is 'win'"),
        (lambda: at.co_simulate(None, [], duration=1.0, interval=1.0), "vehicle is None"),
        (lambda: pendulum.formulate().functions("f", outputs="pin.angle"), "outputs is"),
    ):
        with pytest.raises(at.AxletreeError, match=message):
            call()
    assert not list(tmp_path.iterdir())
