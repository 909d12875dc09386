"""The runner with real clients: processes that talk over UDP and shared memory."""

from __future__ import annotations

import json
import math
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from mechanisms.shipped_run import shipped_system
from typer.testing import CliRunner

import axletree as at
from axletree.analysis.steady_start import steady_start
from axletree.cli.app import app
from axletree.code.backends.c import find_compiler
from axletree.core.errors import AxletreeError, SimulationError
from axletree.core.registry import UnknownNameError
from axletree.export.realtime.client import MemoryLink, RealTimeClient, UdpLink
from axletree.export.realtime.packets import OWN_OUTPUTS, Channels, PacketKind
from axletree.export.realtime.runner import (
    RunnerReport,
    RunnerSettings,
    build_runner,
    runner_project,
    write_runner,
)
from axletree.simulation.stepper.step_program import step_program

pytestmark = [
    pytest.mark.shipped_flags,
    pytest.mark.skipif(find_compiler() is None, reason="no C compiler"),
    pytest.mark.skipif(sys.platform != "linux", reason="the runner is for Linux"),
]
OUTPUTS = ["front_tyre.Fy", "rear_tyre.Fy"]
PATIENCE = 60.0  # s, on a machine with much else to do


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A runner, compiled once."""
    system = shipped_system("bicycle-car")
    start = steady_start(system, {"chassis.vx": "72 km/h"}, name="cruise")
    folder = write_runner(
        system, tmp_path_factory.mktemp("runner"), starts=[start], outputs=OUTPUTS
    )
    build_runner(folder)
    return folder


@contextmanager
def running(project: Path, settings: RunnerSettings) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The runner, and what it says first: where it listens."""
    command = ["./runner", *settings.words()]
    with subprocess.Popen(command, cwd=project, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.terminate()


def port_of(said: str) -> int:
    return int(said.rpartition(":")[2])


def test_in_lockstep_its_trajectory_is_that_of_the_stepper(project: Path) -> None:
    """Bit for bit, with inputs that are set by packets and one that stays as it was."""
    s = shipped_system("bicycle-car").stepper(
        step="2 ms", start={"chassis.vx": "72 km/h"}, outputs=OUTPUTS
    )
    settings = RunnerSettings(step=2e-3, start=1, port=0, lockstep=True)
    with (
        running(project, settings) as (process, said),
        RealTimeClient(project, UdpLink(port_of(said)), timeout=PATIENCE) as client,
    ):
        for k in range(25):
            s["steer.angle"] = client["steer.angle"] = 0.02 * math.sin(0.7 * k)
            s.advance()
            state = client.exchange()
            assert {name: state[name] for name in s.states} == s.states
            assert [client[name] for name in OUTPUTS] == [s[name] for name in OUTPUTS]
            assert (state["time"], state["status"]) == (s.time, 0.0)
            assert state["inputs_sequence"] == k + 1
        client.reset("cruise")
        assert client.receive()["time"] == 0.0
        assert client["chassis.vx"] == pytest.approx(20.0, rel=1e-12)
        client.stop()
        assert process.wait(PATIENCE) == 0


def test_by_the_clock_it_steps_by_itself_and_reports(project: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    settings = RunnerSettings(step=5e-3, start=1, port=0, every=2, report=str(report))
    with running(project, settings) as (process, said):
        stranger = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        for packet in (b"", b"AXLT", b"x" * 32, b"AXLT" + bytes(28)):  # none of them is a packet
            stranger.sendto(packet, ("127.0.0.1", port_of(said)))
        stranger.close()
        with RealTimeClient(project, UdpLink(port_of(said)), timeout=PATIENCE) as client:
            client["steer.angle"] = "1 deg"
            first = dict(client.exchange())
            second = dict(client.receive())
            assert second["time"] > first["time"]
            ratio = (second["time"] - first["time"]) / 10e-3
            assert ratio == pytest.approx(round(ratio), abs=1e-9)
            client.stop()
        rest, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    found = RunnerReport.read(report)
    assert (found.packets, found.refused) == (2, 4)
    assert found.time == pytest.approx(5e-3 * found.periods, rel=1e-12)
    assert found.page_faults == 0 or "not locked" in rest
    assert 0.0 < found.step.median <= found.step.p99_9 <= found.step.worst
    assert f"{found.periods} periods" in rest
    assert "step: median" in rest


def test_wrong_packets_are_refused_as_a_whole(project: Path, tmp_path: Path) -> None:
    """Too long by what is not kept of them, infinite, not the inputs: nothing of them is set."""
    channels, report = Channels.read(project), tmp_path / "report.json"
    settings = RunnerSettings(port=0, lockstep=True, report=str(report))
    most = max(len(channels.inputs), len(OWN_OUTPUTS) + len(channels.outputs))
    good = channels.packet(PacketKind.SET, [0.01, 0.0])
    wrong = [
        channels.packet(PacketKind.SET, [0.2, math.inf]),
        channels.packet(PacketKind.SET, [-math.inf, math.nan]),
        channels.packet(PacketKind.SET, [0.2]),
        good[:-1],
        good + bytes(8),
        channels.packet(PacketKind.HELLO, [0.2] * most) + bytes(8),  # whole, as far as it is kept
        channels.packet(PacketKind.RESET, [math.nan]),
        channels.packet(PacketKind.RESET, [2.0]),
        channels.packet(PacketKind.STATE, []),
    ]
    with running(project, settings) as (process, said):
        link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        link.connect(("127.0.0.1", port_of(said)))
        for packet in (*wrong, good):
            link.send(packet)
        link.settimeout(PATIENCE)
        found = channels.values_of(link.recv(65_536))  # the only answer
        assert found is not None
        s = shipped_system("bicycle-car").stepper(step="1 ms", outputs=OUTPUTS)
        s["steer.angle"] = 0.01
        s.advance()
        assert found[1][len(OWN_OUTPUTS) :] == (*s.states.values(), *s.outputs.values())
        link.send(channels.packet(PacketKind.STOP))
        assert process.wait(PATIENCE) == 0
        link.close()
    assert RunnerReport.read(report).refused == len(wrong)


def test_inputs_have_the_bounds_of_the_model() -> None:
    car = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}}).formulate()
    files = runner_project(step_program(car, outputs=[]))
    layout = json.loads(files["layout.json"])
    bounds = re.findall(r"\{ (\S+), (\S+) \},", files["runner.h"])
    found = dict(zip(layout["channels"]["inputs"], bounds, strict=True))
    assert found["driver.throttle"] == ("0.0", "1.0")
    assert float(found["driver.brake_pressure"][1]) == sys.float_info.max


def test_it_ends_where_its_client_is_silent(project: Path, tmp_path: Path) -> None:
    settings = RunnerSettings(port=0, silence=0.02)
    with running(project, settings) as (process, said):
        with RealTimeClient(project, UdpLink(port_of(said)), timeout=PATIENCE) as client:
            client.exchange()
        rest, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "ended: no packet came for longer than --silence" in rest


def test_what_is_taken_already_is_named(project: Path, tmp_path: Path) -> None:
    def said_by_another(**settings: Any) -> str:
        words = RunnerSettings(**settings).words()
        done = subprocess.run(["./runner", *words], cwd=project, capture_output=True, text=True)
        assert done.returncode == 1
        return done.stderr

    with running(project, RunnerSettings(port=0)) as (_, said):
        port = port_of(said)
        found = said_by_another(port=port)
        assert f"port {port} of UDP at 127.0.0.1: Address already in use" in found
        assert "--port 0" in found
    name = f"/axletree-test-twice-{tmp_path.parent.name}"
    with running(project, RunnerSettings(memory=name)) as (process, _):
        assert f"remove /dev/shm{name}" in said_by_another(memory=name)
        process.terminate()
        assert process.wait(PATIENCE) == 0


def test_a_client_sees_what_is_now() -> None:
    """Not the states that have piled up; those stay for ``receive``."""
    channels = Channels(7, ("a",), (), ("own",), {})
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as runner:
        runner.bind(("127.0.0.1", 0))
        link = UdpLink(runner.getsockname()[1])
        with RealTimeClient(channels, link, timeout=PATIENCE) as client:
            client.hello()
            _, client_address = runner.recvfrom(100)

            def send(time: float) -> None:
                state = channels.packet(PacketKind.STATE, [time, 0.0, 0.0, 0.0])
                runner.sendto(state, client_address)

            def answer() -> None:
                runner.recv(100)
                send(4.0)

            for time in (1.0, 2.0, 3.0):
                send(time)
            assert client.receive()["time"] == 1.0
            with ThreadPoolExecutor(1) as threads:
                answered = threads.submit(answer)
                assert client.exchange()["time"] == 4.0
                answered.result(PATIENCE)


def test_shared_memory_does_the_same(project: Path, tmp_path: Path) -> None:
    report, name = tmp_path / "report.json", f"/axletree-test-{tmp_path.parent.name}"
    settings = RunnerSettings(step=2e-3, start=1, memory=name, report=str(report))
    with running(project, settings) as (process, said):
        assert said == f"shared memory {name}"
        with RealTimeClient(project, MemoryLink(name), timeout=PATIENCE) as client:
            client["steer.angle"] = 0.02
            client.send()
            while client.receive()["inputs_sequence"] < 1.0:
                pass
            while client.receive()["front_tyre.Fy"] == 0.0:
                pass
            assert client["chassis.vx"] == pytest.approx(20.0, rel=1e-3)
            with pytest.raises(SimulationError, match="take UDP"):
                client.stop()
        with RealTimeClient(project, MemoryLink(name), timeout=PATIENCE) as client:
            client["steer.angle"] = 0.0  # where the first has ended
            client.send()
            while client.receive()["inputs_sequence"] < 2.0:
                pass
            process.terminate()
            assert process.wait(PATIENCE) == 0
            with pytest.raises(SimulationError, match="is it running"):
                RealTimeClient(project, client._link, timeout=0.01).exchange()
    assert RunnerReport.read(report).packets == 2
    with pytest.raises(AxletreeError, match="no shared memory"):
        MemoryLink(name)


@pytest.mark.skipif(shutil.which("nm") is None, reason="nm is not installed")
def test_nothing_of_it_allocates(project: Path) -> None:
    found = subprocess.run(["nm", "-u", "runner"], cwd=project, capture_output=True, text=True)
    called = {line.split()[-1].partition("@")[0] for line in found.stdout.splitlines()}
    assert "clock_nanosleep" in called
    assert not called & {"malloc", "calloc", "realloc", "free", "posix_memalign"}


def test_the_makefile_builds_it_without_a_warning(project: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(project, tmp_path / "copy")
    (folder / "runner").unlink()
    done = subprocess.run(["make"], cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--speed", "3"], "unknown option --speed"),
        (["--step", "0"], "a step is above 0"),
        (["--start", "9"], "there is no start 9"),
        (["--start", "one"], "--start is 'one'; expected a whole number"),
        (["--periods", "1e30"], "--periods is '1e30'; expected a whole number"),
        (["--every", "2.5"], "--every is '2.5'; expected a whole number"),
        (["--step", "1ms"], "--step is '1ms'; expected a number"),
        (["--port"], "--port is ''; expected a whole number"),
        (["--bind", "here"], "is no address"),
        (["--spin", "-1"], "spin at most 10 s"),
        (["--silence", "nan"], "--silence is 'nan'; expected a number"),
        (["--memory", "/x", "--lockstep"], "lockstep is for UDP"),
    ],
)
def test_wrong_settings_end_it_with_a_message(
    project: Path, words: list[str], message: str
) -> None:
    done = subprocess.run(["./runner", *words], cwd=project, capture_output=True, text=True)
    assert done.returncode == 2
    assert message in done.stderr


def test_packets_of_others_are_not_taken_for_states() -> None:
    channels = Channels(7, ("a",), ("x",), ("own",), {})
    other = Channels(8, ("a",), ("x",), ("own",), {})
    whole = channels.packet(PacketKind.STATE, [0.1, 0.0, 0.0, 0.0, 5.0], 9)
    assert channels.values_of(whole) == (9, (0.1, 0.0, 0.0, 0.0, 5.0))
    assert other.values_of(whole) is None
    assert channels.values_of(whole[:-1]) is None
    assert channels.values_of(b"") is None
    assert channels.values_of(channels.packet(PacketKind.SET, [0.0] * 5)) is None


def test_a_client_says_what_is_wrong(project: Path, tmp_path: Path) -> None:
    with RealTimeClient(project, UdpLink(9), timeout=0.01) as client:
        with pytest.raises(UnknownNameError, match="did you mean 'steer.angle'"):
            client["steer.angel"] = 0.1
        with pytest.raises(SimulationError, match="no state has come"):
            client["chassis.vx"]
        with pytest.raises(SimulationError, match="is it running"):
            client.exchange()
        with pytest.raises(UnknownNameError, match="cruise"):
            client.reset("cruse")
        with pytest.raises(AxletreeError, match="finite"):
            client["steer.angle"] = math.inf
        with pytest.raises(SimulationError, match="timeout is -1"):
            RealTimeClient(project, client._link, timeout=-1)
        with pytest.raises(SimulationError, match="no runner takes packets at port 9"):
            send_without_end(client)
    for port, host in ((99_999, "127.0.0.1"), (5005, "no.such.host.invalid"), (5005, None)):
        with pytest.raises(AxletreeError, match="is not reached"):
            UdpLink(port, host)  # type: ignore[arg-type]
    with pytest.raises(AxletreeError, match="no layout of a runner"):
        RealTimeClient(write_text(tmp_path / "layout.json", "{}"))
    with pytest.raises(AxletreeError, match="cannot be read"):
        RealTimeClient(tmp_path / "none.json")


def send_without_end(client: RealTimeClient) -> None:
    while True:  # that nobody takes a packet is known some packets later
        client.send()


def write_text(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_the_command_writes_builds_and_runs_it(tmp_path: Path) -> None:
    out = tmp_path / "out"
    said = CliRunner().invoke(
        app, ["realtime", "pendulum", "--step", "2ms", "--duration", "20ms", "--port", "0",
              "--output", "energy.*", "--out", str(out)]
    )  # fmt: skip
    assert said.exit_code == 0, said.output
    assert "10 periods" in said.output
    assert "listening on 127.0.0.1" in said.output
    assert RunnerReport.read(out / "report.json").periods == 10
    assert any(name.startswith("energy.") for name in Channels.read(out).outputs)
    wrong = CliRunner().invoke(app, ["realtime", "pendulum", "--output", "nope"])
    assert wrong.exit_code == 2


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 0), (signal.SIGKILL, -9)])
def test_it_ends_with_the_command(tmp_path: Path, number: int, code: int) -> None:
    """By Ctrl-C with its report; where the command is killed, it does not go on alone."""
    command = [
        sys.executable, "-m", "axletree", "realtime", "pendulum", "--port", "0", "--out",
        str(tmp_path),
    ]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    while not process.stdout.readline().startswith("memory"):
        assert process.poll() is None
    process.send_signal(number)
    said, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == code
    assert ("page faults" in said) == (code == 0)
    end = time.monotonic() + PATIENCE
    while runs(tmp_path / "runner") and time.monotonic() < end:
        time.sleep(0.01)
    assert not runs(tmp_path / "runner")


def runs(program: Path) -> bool:
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "exe").readlink() == program:
                return True
        except OSError:  # ended meanwhile, or not ours
            continue
    return False


def test_outputs_that_no_packet_takes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("axletree.export.realtime.runner.LARGEST_PACKET", 64)
    with pytest.raises(SimulationError, match="more than one packet takes"):
        write_runner(at.read_model("pendulum").formulate(), "unused")


def test_settings_that_no_runner_takes_are_named_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(SimulationError) as found:
        RunnerSettings(
            step=0.0, parts=0, port=70_000, priority=100, memory="sedan", lockstep=True,
            spin=-1.0, silence=math.nan,
        )  # fmt: skip
    for name in ("step", "parts", "port", "priority", "memory", "lockstep", "spin", "silence"):
        assert f"{name} " in str(found.value)
    for wrong in (["--duration", "-1s"], ["--every", "0"], ["--step", "0"]):
        said = CliRunner().invoke(app, ["realtime", "pendulum", *wrong, "--out", str(tmp_path)])
        assert said.exit_code == 2
        assert "expected" in str(said.exception) + said.output
    assert not list(tmp_path.iterdir())


def test_the_command_says_where_steps_have_no_fixed_cost(tmp_path: Path) -> None:
    said = CliRunner().invoke(
        app, ["realtime", "pendulum", "--method", "subdivided-rk45", "--duration", "1ms", "--port",
              "0", "--out", str(tmp_path)]
    )  # fmt: skip
    assert said.exit_code == 0, said.output
    assert "subdivided-rk45 costs depends on the motion" in said.output
