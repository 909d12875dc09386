"""``axletree realtime`` and ``can``: a model by the clock, for controllers and hardware."""

from __future__ import annotations

import itertools
import json
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated

import typer

from axletree.analysis.steady_start import fixed_cost_method, steady_start
from axletree.cli.options import (
    ControllersOption,
    FidelityOption,
    MethodOption,
    ModelArgument,
    StepOption,
    argument,
    formulated,
    option,
    split_assignments,
)
from axletree.cli.results import read_vehicle_model, result_folder
from axletree.controllers.built_in import with_controllers
from axletree.core.errors import AxletreeError, SimulationError
from axletree.core.units import to_si
from axletree.export.realtime.client import RealTimeClient, UdpLink
from axletree.export.realtime.packets import RUNNER_PORT, Channels
from axletree.export.realtime.runner import (
    USUAL_SPIN,
    RunnerSettings,
    build_runner,
    write_runner,
)
from axletree.simulation.control.built_in_controllers import built_in
from axletree.system.system import System

USUAL_OUTPUTS = "vehicle.*"  # of vehicles; other models give all that they have


def realtime(
    model: ModelArgument,
    speed: Annotated[
        str | None, option("--speed SPEED", "Of a vehicle: it starts in a steady motion, 80km/h.")
    ] = None,
    fidelity: FidelityOption = None,
    step: StepOption = "1 ms",
    parts: Annotated[int, option("--parts N", "In which each step is computed.")] = 1,
    method: MethodOption = None,
    duration: Annotated[
        str | None, option("--duration TIME", "After which it ends; without, at Ctrl-C.")
    ] = None,
    outputs: Annotated[
        list[str],
        option(
            "--output NAME",
            "Output, or a pattern such as 'front_*.Fz', to send beside the states; repeatable. "
            "Default: vehicle.* of vehicles, else all.",
        ),
    ] = [],  # noqa: B006
    every: Annotated[int, option("--every N", "Outputs go out each so many periods.")] = 1,
    port: Annotated[int, option("--port PORT", "Of UDP; 0: any that is free.")] = RUNNER_PORT,
    bind: Annotated[
        str, option("--bind ADDRESS", "At which it listens; only this machine unless given.")
    ] = "127.0.0.1",
    memory: Annotated[
        str, option("--memory NAME", "Shared memory, such as /sedan, in place of UDP.")
    ] = "",
    lockstep: Annotated[
        bool, option("--lockstep", "A step for each packet of inputs, without a clock.")
    ] = False,
    spin: Annotated[
        str, option("--spin TIME", "Before each period, in which it waits awake.")
    ] = f"{1e6 * USUAL_SPIN:g} us",
    silence: Annotated[
        str | None, option("--silence TIME", "Without packets, after which it ends.")
    ] = None,
    priority: Annotated[
        int, option("--priority N", "Of SCHED_FIFO, from 1 to 99, if it is allowed.")
    ] = 0,
    cpu: Annotated[int, option("--cpu N", "The processor to stay on.")] = -1,
    out: Annotated[Path | None, option("Folder of the runner, its layout and its report.")] = None,
    controllers: ControllersOption = [],  # noqa: B006
) -> None:
    """Run a model in real time: inputs in and outputs out over UDP or shared memory.

    The runner is a program in C, which is written, compiled and started; layout.json in its folder
    says what is where in packets, for clients in any language. It counts periods that took too
    long, and prints a histogram of the step's time at its end.

    Example: axletree realtime sedan --speed 80km/h --duration 10s
    """
    length = to_si(step or "1 ms", expected="s")
    settings = RunnerSettings(
        length, parts, int(speed is not None), 0, every, port, bind, memory, lockstep,
        to_si(spin, expected="s"), to_si(silence or 0.0, expected="s"), priority, cpu,
        attached=True, report="report.json",
    )  # fmt: skip
    settings = replace(settings, periods=periods_of(duration, length))
    described, acting = built_in(read_vehicle_model(model, fidelity), controllers)
    chosen = method or fixed_cost_method(described)
    system = formulated(described, [], None, method=chosen)
    system = with_controllers(system, acting) if acting else system
    starts = [] if speed is None else [steady_start(system, {"speed": speed})]
    folder = out or result_folder(model, "realtime", fidelity)
    write_runner(
        system, folder, method=chosen, starts=starts, outputs=chosen_outputs(system, outputs)
    )
    typer.echo(f"layout: {folder / 'layout.json'}")
    layout = json.loads((folder / "layout.json").read_text(encoding="utf-8"))
    if not layout["stepper"]["fixed_cost"]:
        typer.echo(f"warning: what a step by {chosen} costs depends on the motion", err=True)
    if bind not in ("127.0.0.1", "localhost"):
        typer.echo(f"warning: anybody who reaches {bind} can drive the model", err=True)
    code = run_program(build_runner(folder), settings)
    if code != 0:
        raise AxletreeError("the runner did not start; its message is above")
    typer.echo(f"report: {folder / 'report.json'}")


def periods_of(duration: str | None, step: float) -> int:
    """How many take so long; 0, without end, where no duration is given. The step is in s."""
    if duration is None:
        return 0
    seconds = to_si(duration, expected="s")
    if not seconds > 0.0:
        raise SimulationError(f"--duration is {duration}; expected more than 0 s")
    return max(1, round(seconds / step))


def chosen_outputs(system: System, patterns: Sequence[str]) -> list[str]:
    """Names of outputs by names and patterns; usual ones without any."""
    known = [one.quantity.name for one in system.outputs]
    if not patterns:
        usual = [name for name in known if fnmatchcase(name, USUAL_OUTPUTS)]
        return usual or known
    found = []
    for pattern in patterns:
        matching = [name for name in known if fnmatchcase(name, pattern)]
        if not matching:
            raise SimulationError(
                f"--output {pattern} is no output of {system.name}; `axletree derive` lists them"
            )
        found += matching
    return list(dict.fromkeys(found))


def run_program(program: Path, settings: RunnerSettings) -> int:
    """What it prints is shown as it comes; Ctrl-C ends it, too, with its report."""
    command = ["./runner", *settings.words()]
    with subprocess.Popen(
        command, cwd=program.parent, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        assert running.stdout is not None
        while True:
            try:
                for line in running.stdout:
                    typer.echo(line.rstrip())
                return running.wait()
            except KeyboardInterrupt:
                running.terminate()


def can_command(
    layout: Annotated[Path, argument("LAYOUT", "layout.json of a runner, or its folder.")],
    database: Annotated[Path, argument("DATABASE", "Messages and signals: a DBC file.")],
    interface: Annotated[
        str, option("--interface NAME", "Of python-can: socketcan, virtual, udp_multicast, ...")
    ] = "socketcan",
    channel: Annotated[str, option("--channel NAME", "Of the interface.")] = "can0",
    port: Annotated[int, option("--port PORT", "UDP port of the runner.")] = RUNNER_PORT,
    host: Annotated[str, option("--host ADDRESS", "Of the runner.")] = "127.0.0.1",
    signals: Annotated[
        list[str],
        option(
            "--signal NAME=QUANTITY",
            "What a signal stands for, where its name is not that of the quantity with "
            "underscores; repeatable.",
        ),
    ] = [],  # noqa: B006
    states: Annotated[int, option("--states N", "After so many states it ends.")] = 0,
) -> None:
    """Connect a runner with a CAN bus: inputs from messages, states and outputs as messages.

    Example: axletree can out/sedan/realtime car.dbc --interface socketcan --channel can0
    """
    from axletree.export.realtime.can_signals import CanBridge, CanSignals, open_bus

    channels = Channels.read(layout)
    chosen = split_assignments(signals, "--signal", "SteeringAngle=driver.steering")
    found = CanSignals.read(database, channels, chosen)
    with (
        open_bus(interface, channel) as bus,
        RealTimeClient(channels, UdpLink(port, host)) as client,
    ):
        bridge = CanBridge(bus, found, client)
        typer.echo(
            f"receives: {', '.join(one.message.name for one in found.received) or 'nothing'}"
        )
        typer.echo(f"sends: {', '.join(one.message.name for one in found.sent) or 'nothing'}")
        with suppress(KeyboardInterrupt):  # how whoever has it run without end ends it
            for _ in range(states) if states else itertools.count():
                bridge.exchange()
        typer.echo(
            f"{bridge.taken} messages taken, {bridge.ignored} ignored, {bridge.limited} values at "
            "the end of their range"
        )
