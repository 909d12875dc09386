"""CAN: messages of a database to and from a runner, on buses of python-can."""

from __future__ import annotations

import math
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.export.realtime.can_signals import CanBridge, CanError, CanSignals, open_bus
from axletree.export.realtime.client import RealTimeClient, StepperLink
from axletree.export.realtime.packets import Channels

can = pytest.importorskip("can")
cantools = pytest.importorskip("cantools")

DATABASE = Path(__file__).with_name("car.dbc")
NAMES = {"SteeringAngle": "steer.angle", "Speed": "chassis.vx"}
GROUP = "239.74.163.2"


def multicasts() -> bool:
    """Whether packets to a group come back on this machine."""
    try:
        with (
            can.Bus(interface="udp_multicast", channel=GROUP) as a,
            can.Bus(interface="udp_multicast", channel=GROUP) as b,
        ):
            a.send(can.Message(arbitration_id=1, data=[1]))
            return b.recv(2.0) is not None
    except Exception:
        return False


@pytest.fixture(params=["virtual", "udp_multicast"])
def buses(request: pytest.FixtureRequest) -> Iterator[tuple[Any, Any]]:
    """That of the car and that of a controller."""
    if request.param == "udp_multicast" and not multicasts():
        pytest.skip("no multicast on this machine")
    channel = GROUP if request.param == "udp_multicast" else f"test {os.getpid()}"
    with open_bus(request.param, channel) as car, open_bus(request.param, channel) as other:
        yield car, other


def linked() -> RealTimeClient:
    s = shipped_system("bicycle-car").stepper(step="1 ms", outputs=["front_tyre.Fy"])
    link = StepperLink(s)
    return RealTimeClient(link.channels, link)


def test_messages_are_inputs_and_states_are_messages(buses: tuple[Any, Any]) -> None:
    """Encoded and decoded by the database itself, on the other side of the bus."""
    database = cantools.database.load_file(DATABASE)
    car, other = buses
    client = linked()
    bridge = CanBridge(car, CanSignals.read(DATABASE, client.channels, NAMES), client)
    data = database.encode_message("Steering", {"SteeringAngle": 1.5, "Counter": 7})
    other.send(can.Message(arbitration_id=256, data=data, is_extended_id=False))
    assert bridge.read(timeout=5.0) == 1
    assert client.inputs == {"steer.angle": pytest.approx(math.radians(1.5), rel=1e-12)}
    bridge.exchange()
    found = {}
    while len(found) < 4:
        message = other.recv(5.0)
        assert message is not None
        if message.arbitration_id != 256:
            found |= database.decode_message(message.arbitration_id, message.data)
    assert found["Speed"] == pytest.approx(3.6 * client["chassis.vx"], abs=0.005)
    assert found["chassis_rate"] == pytest.approx(math.degrees(client["chassis.rate"]), abs=0.005)
    assert found["front_tyre_Fy"] == pytest.approx(client["front_tyre.Fy"], rel=1e-6)
    assert found["Alive"] == 5.0  # stands for nothing: the lowest that it may be


def test_what_is_no_message_of_the_database_is_ignored() -> None:
    channel = f"ignored {os.getpid()}"
    with open_bus("virtual", channel) as car, open_bus("virtual", channel) as other:
        client = linked()
        bridge = CanBridge(car, CanSignals.read(DATABASE, client.channels, NAMES), client)
        for number, data in ((99, b"12345678"), (256, b"1"), (256, b"")):
            other.send(can.Message(arbitration_id=number, data=data, is_extended_id=False))
        assert bridge.read(timeout=5.0) == 0
        assert (bridge.ignored, client.inputs) == (3, {})
        client._values = dict.fromkeys(client._names, 1e6)
        bridge.write()
        assert bridge.limited == 2  # speed and rate are sent at the ends of their ranges
        message = other.recv(5.0)
        assert message is not None
        decoded = cantools.database.load_file(DATABASE).decode_message(512, message.data)
        assert (decoded["Speed"], decoded["chassis_rate"]) == (300.0, 300.0)


@pytest.mark.parametrize(
    ("text", "names", "message"),
    [
        ("nonsense", {}, "no database of CAN messages"),
        ('VERSION ""\n', {}, "no signal"),
        (DATABASE.read_text(), {"Sped": "chassis.vx"}, "did you mean 'Speed'"),
        (DATABASE.read_text(), {"Speed": "chassis.vz"}, "unknown quantity"),
        (DATABASE.read_text(), {"Speed": "chassis.rate"}, "'km/h'"),
        (DATABASE.read_text(), {"Alive": "steer.angle", "Speed": "chassis.vx"}, "a message each"),
    ],
)
def test_a_database_that_does_not_fit_is_refused(
    text: str, names: dict[str, str], message: str
) -> None:
    with pytest.raises(CanError, match=message):
        CanSignals.of(text, linked().channels, names)


def test_buses_that_are_not_there_are_named() -> None:
    with pytest.raises(CanError, match="cannot be opened"):
        open_bus("nothing", "can0")
    with pytest.raises(CanError, match="cannot be read"):
        CanSignals.read("none.dbc", Channels(0, (), (), (), {}))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the runner is for Linux")
def test_the_command_connects_a_runner_with_a_bus(tmp_path: Path) -> None:
    """Runner, bridge and controller are three processes."""
    if not multicasts():
        pytest.skip("no multicast on this machine")
    from axletree.export.realtime.runner import RunnerSettings, build_runner, write_runner

    system = at.read_model("bicycle-car").formulate()
    folder = write_runner(system, tmp_path / "runner", outputs=["front_tyre.Fy"])
    program = build_runner(folder)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = RunnerSettings(step=5e-3, port=port)
    command = [
        sys.executable, "-m", "axletree", "can", str(folder), str(DATABASE), "--interface",
        "udp_multicast", "--channel", GROUP, "--port", str(port), "--states", "3000",
        *(word for name, value in NAMES.items() for word in ("--signal", f"{name}={value}")),
    ]  # fmt: skip
    with (
        open_bus("udp_multicast", GROUP) as bus,
        subprocess.Popen([program, *settings.words()], stdout=subprocess.PIPE, text=True) as runs,
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as bridge,
    ):
        try:
            assert steered(bus) > 0.0
        finally:
            bridge.terminate()
            runs.terminate()


def steered(bus: Any) -> float:
    """The yaw rate [deg/s] that comes back for an angle to the left."""
    database = cantools.database.load_file(DATABASE)
    data = database.encode_message("Steering", {"SteeringAngle": 1.0, "Counter": 0})
    for _ in range(2000):
        message = bus.recv(30.0)
        assert message is not None
        if message.arbitration_id == 512:
            rate = float(database.decode_message(512, message.data)["chassis_rate"])
            if rate > 0.1:
                return rate
            bus.send(can.Message(arbitration_id=256, data=data, is_extended_id=False))
    return 0.0
