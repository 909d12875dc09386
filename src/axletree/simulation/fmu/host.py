"""The program that loads an FMU, ``python -m axletree.simulation.fmu.host``, in its own process.

It answers requests over a pipe: JSON, so that nothing that comes back can be executed. Whatever
the FMU prints goes elsewhere. The functions of the standard are called by FMPy.
"""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections.abc import Mapping, Sequence
from ctypes import c_double
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any, Final

_LOOK: Final = 0.5  # s, between two looks whether the process that asks is still there


class HostedFmu:
    """An instance of an FMU; signals are pairs of the type of a number and its reference."""

    def __init__(self, asked: Mapping[str, Any]) -> None:
        import fmpy.fmi2
        import fmpy.fmi3

        self.version, self.exchange = asked["version"], asked["exchange"]
        module = fmpy.fmi2 if self.version == 2 else fmpy.fmi3
        kind = "Model" if self.exchange else "Slave"
        self.fmu: Any = getattr(module, f"FMU{self.version}{kind}")(
            guid=asked["token"], unzipDirectory=asked["folder"],
            modelIdentifier=asked["identifier"], instanceName=asked["name"],
            libraryPath=asked["library"], requireFunctions=False,
        )  # fmt: skip
        self.fmu.instantiate()
        self.inputs: list[tuple[str, int]] = [tuple(one) for one in asked["inputs"]]
        self.outputs: list[tuple[str, int]] = [tuple(one) for one in asked["outputs"]]
        self.parts = asked["parts"]
        self._set([tuple(one) for one in asked["start"]], asked["start_values"])
        if self.version == 2:
            self.fmu.setupExperiment(startTime=asked["time"])
            self.fmu.enterInitializationMode()
        else:
            self.fmu.enterInitializationMode(startTime=asked["time"])
        self._set(self.inputs, asked["values"])
        self.fmu.exitInitializationMode()
        self.x, self.k = (_array(asked["states"]) for _ in range(2))
        self.z, self.before = (_array(asked["events"]) for _ in range(2))
        self.next_event = math.inf  # [s], as the FMU says
        if self.exchange:
            self._events()
            self._indicators(self.before)

    def get(self) -> list[float]:
        return [self._get(number, reference) for number, reference in self.outputs]

    def _get(self, number: str, reference: int) -> float:
        word = {"Enumeration": "Integer"}.get(number, number) if self.version == 2 else number
        if self.version == 3 and number == "Enumeration":
            word = "Int64"
        return float(getattr(self.fmu, f"get{word}")([reference])[0])

    def _set(self, signals: Sequence[tuple[str, int]], values: Sequence[float]) -> None:
        for (number, reference), value in zip(signals, values, strict=True):
            real = number in ("Real", "Float64", "Float32")
            word = {"Enumeration": "Integer" if self.version == 2 else "Int64"}.get(number, number)
            given: float | int | bool = value if real else round(value)
            if number == "Boolean":
                given = value != 0.0
            getattr(self.fmu, f"set{word}")([reference], [given])

    def step(self, asked: Mapping[str, Any]) -> list[float]:
        """From a time over a communication step, with these inputs."""
        self._set(self.inputs, asked["values"])
        time, over = asked["time"], asked["over"]
        if self.exchange:
            for part in range(self.parts):
                self._runge_kutta(time + over * part / self.parts, over / self.parts)
        else:
            ended = self.fmu.doStep(time, over)
            if self.version == 3 and ended[3] < time + over * (1.0 - 1e-6):
                raise RuntimeError(f"the step ends at {ended[3]:g} s, before its end")
        return self.get()

    # Model exchange: classical Runge-Kutta steps; events are looked for at their ends.

    def _runge_kutta(self, t: float, h: float) -> None:
        n = len(self.x)
        self.fmu.getContinuousStates(self.x, n)
        first = list(self.x)
        slopes: list[list[float]] = []
        for at, weight in ((0.0, 0.0), (0.5, 0.5), (0.5, 0.5), (1.0, 1.0)):
            if slopes:
                self.x[:] = [a + weight * h * b for a, b in zip(first, slopes[-1], strict=True)]
            slopes.append(self._rates(t + at * h))
        self.x[:] = [
            a + h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4)
            for a, k1, k2, k3, k4 in zip(first, *slopes, strict=True)
        ]
        self._place(t + h)
        asks, _ = self.fmu.completedIntegratorStep()
        self._indicators(self.z)
        crossed = any(a * b < 0.0 for a, b in zip(self.z, self.before, strict=True))
        if asks or crossed or t + h >= self.next_event - 1e-9 * h:
            self.fmu.enterEventMode()
            self._events()
            self._indicators(self.z)
        self.before[:] = self.z[:]

    def _place(self, t: float) -> None:
        self.fmu.setTime(t)
        if len(self.x):
            self.fmu.setContinuousStates(self.x, len(self.x))

    def _rates(self, t: float) -> list[float]:
        self._place(t)
        if len(self.k):
            word = "getDerivatives" if self.version == 2 else "getContinuousStateDerivatives"
            getattr(self.fmu, word)(self.k, len(self.k))
        return list(self.k)

    def _indicators(self, into: Any) -> None:
        if len(into):
            self.fmu.getEventIndicators(into, len(into))

    def _events(self) -> None:
        word = "newDiscreteStates" if self.version == 2 else "updateDiscreteStates"
        while True:
            again, ends, _, _, is_known, time = getattr(self.fmu, word)()
            if ends:
                raise RuntimeError("the FMU asks for the end of the run")
            if not again:
                break
        self.next_event = time if is_known else math.inf
        self.fmu.enterContinuousTimeMode()


def _array(size: int) -> Any:
    return (c_double * size)()


def serve(connection: Connection) -> None:
    """Requests until the other side has gone."""
    import fmpy.fmi2
    import fmpy.fmi3  # noqa: F401 - loaded before the other side begins to wait

    connection.send_bytes(b"{}")
    hosted: HostedFmu | None = None
    while True:
        try:
            asked = json.loads(connection.recv_bytes())
        except EOFError:
            return
        try:
            if hosted is None:
                hosted = HostedFmu(asked)
                answer: dict[str, Any] = {"values": hosted.get()}
            else:
                answer = {"values": hosted.step(asked)}
        except Exception as error:  # whatever a foreign library raises is said to the other side
            answer = {"error": f"{error}" or type(error).__name__}
        connection.send_bytes(json.dumps(answer).encode())


def end_with(parent: int) -> None:
    """End where the process that asks has gone, whatever the FMU does then: an endless loop in it
    would go on alone."""
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os._exit(1)


if __name__ == "__main__":
    Thread(target=end_with, args=(int(sys.argv[2]),), daemon=True).start()
    serve(Connection(int(sys.argv[1])))
