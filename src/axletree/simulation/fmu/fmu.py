"""``Fmu``: an FMU, ours or another's, as a part of a run; it lives in a process of its own."""

from __future__ import annotations

import importlib.util
import json
import math
import numbers
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, Self

from axletree.core.arguments import check_arguments
from axletree.core.files import temporary_files
from axletree.core.registry import refuse_unknown, unknown_name
from axletree.core.units import UnitError, parse_unit, to_si, units_in
from axletree.simulation.fmu.archive import (
    FmuDescription,
    FmuError,
    FmuKind,
    binary_of,
    open_archive,
)

_LOADING: Final = 120.0  # s, for Python and FMPy in the other process
_LINES_SHOWN: Final = 4  # of what an FMU printed before it ended


class Fmu:
    """An FMU that is moved on at communication points, connected with a stepper by names.

    Parameters
    ----------
    file: of FMI 2 or 3.
    reads: of each input of the FMU that is connected, the quantity that it reads.
    sets: of each input of the vehicle that the FMU moves, the output of the FMU.
    start: values of parameters and inputs of the FMU, in its units.
    name: under which its outputs are recorded; the file's unless given.
    kind: co-simulation unless given, where the FMU has it. In model exchange it is integrated
        here, by ``parts`` steps of Runge-Kutta in a communication step.
    timeout: s that an answer may take; an FMU that takes longer is ended.

    Its code runs in another process, so that a crash, an endless loop or a wrong file end in an
    ``FmuError`` and not in the end of Python. That process has the rights of the user: take FMUs
    from those whom you trust. FMPy (extra ``fmu``) calls the functions of the standard.

    Example:
    >>> import axletree as at
    >>> model, here = at.read_model("pendulum"), ["x86_64-linux"]
    >>> file = at.write_fmu(model, "pendulum.fmu", outputs=["rod.position.x"], platforms=here)
    >>> with at.Fmu(file, start={"rod.mass": 2.0}) as pendulum:  # kg
    ...     pendulum.begin()
    ...     pendulum.advance("0.1 s")
    ...     print(f"{pendulum['rod.position.x']:.4f} m at {pendulum.time:g} s")
    -0.1360 m at 0.1 s
    """

    def __init__(
        self,
        file: str | Path,
        *,
        reads: Mapping[str, str] | None = None,
        sets: Mapping[str, str] | None = None,
        start: Mapping[str, float] | None = None,
        name: str | None = None,
        kind: FmuKind | None = None,
        parts: int = 10,
        timeout: float | str = 10.0,
    ) -> None:
        check_arguments(Fmu.__init__, locals())
        self.file = Path(file)
        self.name = name or self.file.stem
        self.reads, self.sets, self._start = dict(reads or {}), dict(sets or {}), dict(start or {})
        self.timeout, self.parts = to_si(timeout, expected="s"), parts
        if not self.timeout > 0.0 or not (isinstance(parts, int) and parts > 0):
            raise FmuError(
                f"{self.name}: timeout is {timeout!r} and parts is {parts!r}; expected a positive "
                "time in s and a whole number of 1 or more"
            )
        if importlib.util.find_spec("fmpy") is None:
            raise FmuError("FMUs are run by FMPy, which is missing: pip install axletree[fmu]")
        with temporary_files():
            self._folder = tempfile.TemporaryDirectory(prefix="axletree-fmu-")
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None
        self.time = 0.0  # [s]
        try:
            self.description = open_archive(self.file, Path(self._folder.name))
            self.kind = self._chosen(kind)
            self._library = binary_of(
                self.description, self.kind, Path(self._folder.name), self.file
            )
            self._check_names()
            self._start = {one: self._number(one, value) for one, value in self._start.items()}
        except BaseException:
            self._folder.cleanup()
            raise
        signals = self.description.signals
        self._inputs = {one: signals[one].start or 0.0 for one in self._of("input")}
        self._inputs |= {name: self._start[name] for name in self._start if name in self._inputs}
        self._values: dict[str, float] = {}

    def _chosen(self, kind: FmuKind | None) -> FmuKind:
        kinds = self.description.identifiers
        chosen = kind or next(one for one in FmuKind if one in kinds)
        if chosen not in kinds:
            raise FmuError(f"{self.file} is not for {chosen.value}, but for {_words(kinds)}")
        return chosen

    def _check_names(self) -> None:
        where = f"the FMU {self.name!r}"
        refuse_unknown("input", self.reads, self._of("input"), where)
        refuse_unknown("output", self.sets.values(), self._of("output"), where)
        signals = self.description.signals.values()
        given = ("parameter", "input")
        settable = [one.name for one in signals if one.start is not None or one.causality in given]
        refuse_unknown("start value", self._start, settable, where)

    def _of(self, causality: str) -> list[str]:
        return [s.name for s in self.description.signals.values() if s.causality == causality]

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of what it is given."""
        return tuple(self._of("input"))

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of what it computes for others."""
        return tuple(self._of("output"))

    @property
    def units(self) -> dict[str, str]:
        """Of all variables by name, as the FMU says; "" where it says nothing."""
        return {name: one.unit for name, one in self.description.signals.items()}

    def unit_factor(self, own: str, name: str, unit: str) -> float:
        """How many units of a variable of its own one SI unit is that a quantity has.

        1 where the FMU says no unit that is known here; units of another kind are an error.

        Example:
        >>> import axletree as at
        >>> model, here = at.read_model("pendulum"), ["x86_64-linux"]
        >>> file = at.write_fmu(model, "pendulum.fmu", outputs=[], platforms=here)
        >>> with at.Fmu(file) as pendulum:
        ...     print(pendulum.unit_factor("pin.angle", "steer.angle", "rad"))
        1.0
        """
        said = self.units[own]
        try:
            known = parse_unit(said) if said else None
        except UnitError:
            known = None
        if known is None or (said == "1" and known.dimension != parse_unit(unit).dimension):
            return 1.0
        if known.dimension != parse_unit(unit).dimension:
            raise FmuError(
                f"{self.name}: {own} is in {said}, and {name} in {unit}; expected one kind"
            )
        return units_in(said, unit)

    def reset(self) -> None:
        """As a controller: to be begun anew by the next ``update``.

        Example:
        >>> import axletree as at
        >>> model, here = at.read_model("pendulum"), ["x86_64-linux"]
        >>> file = at.write_fmu(model, "pendulum.fmu", outputs=[], platforms=here)
        >>> with at.Fmu(file) as pendulum:
        ...     pendulum.reset()
        ...     print(pendulum.update(1.0, {}), pendulum.time)
        {} 1.0
        """
        self._end()
        self._values, self.time = {}, 0.0

    def update(self, t: float, measured: Mapping[str, float]) -> dict[str, float]:
        """As a controller: its outputs at t [s], and inputs from there on, in its own units.

        The first call begins it at t with these inputs; the others move it on to t with those
        that it had.

        Example:
        >>> import axletree as at
        >>> model, here = at.read_model("pendulum"), ["x86_64-linux"]
        >>> file = at.write_fmu(model, "pendulum.fmu", outputs=["rod.position.x"], platforms=here)
        >>> with at.Fmu(file) as pendulum:
        ...     first, later = pendulum.update(0.0, {}), pendulum.update(0.1, {})
        >>> print(f"{first['rod.position.x']:.4f} m, {later['rod.position.x']:.4f} m")
        -0.1478 m, -0.1375 m
        """
        begun = self._process is not None
        if begun:
            self.advance(t - self.time)
            self.time = t
        for name, value in measured.items():
            self[name] = value
        if not begun:
            self.begin(t)
        return {name: self[name] for name in self.outputs}

    def __repr__(self) -> str:
        kinds = _words(self.description.identifiers)
        return (
            f"Fmu {self.name!r} of FMI {self.description.version} ({kinds}): "
            f"{len(self.inputs)} inputs, {len(self.outputs)} outputs, t = {self.time:g} s"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End its process and remove its files.

        Example:
        >>> import axletree as at
        >>> model, here = at.read_model("pendulum"), ["x86_64-linux"]
        >>> file = at.write_fmu(model, "pendulum.fmu", outputs=[], platforms=here)
        >>> pendulum = at.Fmu(file)
        >>> pendulum.inputs, pendulum.close()
        ((), None)
        """
        self._end()
        self._folder.cleanup()

    def __setitem__(self, name: str, value: float) -> None:
        """An input, from the next communication step on."""
        if name not in self._inputs:
            raise unknown_name("input", name, self._inputs, f"the FMU {self.name!r}")
        self._inputs[name] = self._number(name, value)

    def _number(self, name: str, value: object) -> float:
        if isinstance(value, numbers.Real) and math.isfinite(value):
            return float(value)
        unit = self.description.signals[name].unit
        raise FmuError(
            f"{self.name}: {name} is {value!r}; expected one finite number"
            + (f" in {unit}, the unit that the FMU has" if unit else "")
        )

    def __getitem__(self, name: str) -> float:
        """An output at the present time, or an input as it was set."""
        known = self._values | self._inputs
        if name not in known:
            raise unknown_name("output", name, known, f"the FMU {self.name!r}")
        return known[name]

    def begin(self, time: float = 0.0) -> None:
        """Initialise it at a time [s], with its inputs as they are set; from anew if it ran.

        Example:
        >>> import axletree as at
        >>> model, here = at.read_model("pendulum"), ["x86_64-linux"]
        >>> file = at.write_fmu(model, "pendulum.fmu", outputs=[], platforms=here)
        >>> with at.Fmu(file) as pendulum:
        ...     pendulum.begin(2.0)
        ...     print(pendulum.time)
        2.0
        """
        self._end()
        theirs, ours = Pipe()
        self._connection = ours
        with temporary_files():
            self._said = tempfile.TemporaryFile()  # noqa: SIM115 - until the process ends
        source = str(Path(__file__).parents[3])
        path = os.pathsep.join([source, *filter(None, [os.environ.get("PYTHONPATH", "")])])
        with theirs:
            self._process = subprocess.Popen(
                [
                    sys.executable, "-m", "axletree.simulation.fmu.host", str(theirs.fileno()),
                    str(os.getpid()),
                ],
                pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=self._said,
                stderr=subprocess.STDOUT, env={**os.environ, "PYTHONPATH": path},
            )  # fmt: skip
        self.time = time
        self._answer(_LOADING)  # the host is there; what follows is up to the FMU
        self._values = self._ask(self._beginning(self.description))

    def _beginning(self, said: FmuDescription) -> dict[str, Any]:
        start = [one for one in self._start if one not in self._inputs]
        return {
            "version": said.version,
            "exchange": self.kind is FmuKind.MODEL_EXCHANGE,
            "token": said.token,
            "folder": self._folder.name,
            "identifier": said.identifiers[self.kind],
            "library": str(self._library),
            "name": self.name,
            "inputs": self._references(self._inputs),
            "outputs": self._references(self.outputs),
            "start": self._references(start),
            "start_values": [self._start[one] for one in start],
            "values": list(self._inputs.values()),
            "time": self.time,
            "parts": self.parts,
            "states": said.states,
            "events": said.events,
        }

    def _references(self, names: Iterable[str]) -> list[tuple[str, int]]:
        signals = self.description.signals
        return [(signals[one].number, signals[one].reference) for one in names]

    def advance(self, duration: float | str) -> None:
        """By one communication step [s].

        Example:
        >>> import axletree as at
        >>> model, here = at.read_model("pendulum"), ["x86_64-linux"]
        >>> file = at.write_fmu(model, "pendulum.fmu", outputs=[], platforms=here)
        >>> with at.Fmu(file, kind=at.FmuKind.MODEL_EXCHANGE) as pendulum:
        ...     pendulum.begin()
        ...     pendulum.advance("5 ms")
        ...     print(pendulum.time)
        0.005
        """
        over = to_si(duration, expected="s")
        if not over > 0.0:
            raise FmuError(f"{self.name}: the step is {duration!r}; expected a positive time in s")
        if self._process is None:
            raise FmuError(f"{self.name} is moved on before it is begun, or after it failed")
        asked = {"time": self.time, "over": over, "values": list(self._inputs.values())}
        self._values = self._ask(asked)
        self.time += over

    def _ask(self, asked: Mapping[str, Any]) -> dict[str, float]:
        connection = self._connection
        assert connection is not None
        try:
            connection.send_bytes(json.dumps(asked).encode())
        except OSError:
            self._fail(self._death())
        answer = self._answer(self.timeout)
        if "error" in answer:
            self._fail(f"fails: {answer['error']}")
        return dict(zip(self.outputs, answer["values"], strict=True))

    def _answer(self, within: float) -> dict[str, Any]:
        connection = self._connection
        assert connection is not None
        found: dict[str, Any] = {}
        try:
            if not connection.poll(within):
                self._fail(f"does not answer within {within:g} s, and is ended")
            found = json.loads(connection.recv_bytes())
        except (EOFError, OSError):
            self._fail(self._death())
        except ValueError:
            self._fail("answers what is no answer")
        return found

    def _death(self) -> str:
        assert self._process is not None
        try:
            code = self._process.wait(self.timeout)
        except subprocess.TimeoutExpired:
            return "has closed its pipe"
        if code < 0:
            return f"has crashed: its process was ended by {signal.Signals(-code).name}"
        return f"has ended its process with code {code}"

    def _fail(self, text: str) -> None:
        said = self._printed()
        at = f"{self.name} {text} (at t = {self.time:g} s)"
        self._end()
        raise FmuError(f"{at}; it printed: {said}" if said else at)

    def _printed(self) -> str:
        self._said.seek(0)
        lines = self._said.read(100_000).decode(errors="replace").strip().splitlines()
        return " | ".join(line.strip() for line in lines[-_LINES_SHOWN:])

    def _end(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._process is not None:
            try:
                self._process.wait(0.2 if self._process.poll() is None else 0.0)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None
            self._said.close()


def _words(kinds: Iterable[FmuKind]) -> str:
    return " and ".join(kind.value for kind in kinds)
