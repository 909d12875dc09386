"""A stepper of WebAssembly in a sandbox: a model of somebody else's, which is not trusted.

The module gets no import, so that it reaches nothing but its own memory; memory and instructions
are bounded. It runs by wasmtime (extra ``wasm``), at about twice the time of compiled C.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.errors import SimulationError
from axletree.core.registry import unknown_name
from axletree.core.units import UnitError, to_si
from axletree.simulation.problem import SettingsError
from axletree.simulation.stepper.engines import OK, ValueArray

_MODULE, _LAYOUT = "model.wasm", "layout.json"  # of `axletree export wasm`
_LARGEST: Final = 64 * 2**20  # bytes of a file
_MEMORY: Final = 256 * 2**20  # bytes that a module may use
_BEFORE: Final = 100_000_000  # instructions of a call that takes no steps
_ARRAYS: Final = {
    "outputs": ValueArray.OUTPUTS, "parameters": ValueArray.PARAMETERS,
    "inputs": ValueArray.INPUTS, "states": ValueArray.STATES,
}  # fmt: skip
_MOST: Final = 1_000_000  # quantities of an array
_STOPPED = "all fuel consumed"  # what wasmtime says where the instructions are used up


class SandboxedStepper:
    """A run of an exported module, with the verbs of ``Stepper``; values by name, in SI units.

    ``folder`` has ``model.wasm`` and ``layout.json``; ``step`` is in seconds. What takes more than
    so many ``instructions`` of WebAssembly a step is stopped with an error, and so is what takes
    more than 256 MB.

    Example:
    >>> import axletree as at
    >>> from axletree.export.wasm import write_wasm
    >>> folder = write_wasm(at.read_model("pendulum").formulate(), "swing", outputs=[])
    >>> with at.SandboxedStepper(folder, step="1 ms") as pendulum:
    ...     pendulum["rod.mass"] = "2 kg"
    ...     pendulum.advance(500)
    ...     print(f"{pendulum['pin.angle']:.4f} rad at {pendulum.time:g} s")
    -0.1356 rad at 0.5 s
    """

    def __init__(
        self, folder: str | Path, step: float | str = 1e-3, *, instructions: int = 10_000_000
    ) -> None:
        check_arguments(SandboxedStepper.__init__, {**locals(), "self": None})
        try:
            import wasmtime
        except ImportError:
            raise SimulationError(
                "WebAssembly runs by wasmtime, which is missing: pip install axletree[wasm]"
            ) from None
        self._error: Any = wasmtime.WasmtimeError, wasmtime.Trap
        place = Path(folder)
        self._layout = _checked_layout(_read(place / _LAYOUT))
        self.name = self._layout["name"]
        self._instructions = instructions
        try:
            seconds = to_si(step, expected="s")
        except UnitError as error:
            raise SettingsError(f"step: {error}") from None
        config = wasmtime.Config()
        config.consume_fuel = True
        engine = wasmtime.Engine(config)
        self._store: Any = wasmtime.Store(engine)
        self._store.set_limits(memory_size=_MEMORY, instances=1, memories=1)
        self._store.set_fuel(_BEFORE)
        try:
            module = wasmtime.Module(engine, _read(place / _MODULE))
        except self._error as error:
            raise SimulationError(f"{place / _MODULE} is no module: {_short(error)}") from None
        if module.imports:
            asked = ", ".join(f"{one.module}.{one.name}" for one in module.imports[:3])
            raise SimulationError(
                f"{place / _MODULE} asks for {asked}; a model of `axletree export wasm` imports "
                "nothing, and nothing is given to it"
            )
        try:
            self._exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        except self._error as error:
            raise SimulationError(f"{place / _MODULE} does not start: {_short(error)}") from None
        self._memory = self._exported("memory", wasmtime.Memory)
        if "_initialize" in self._exports:
            self._called("_initialize")
        abi = self._called("model_stepper_abi")
        if abi != self._layout["stepper"]["abi"]:
            raise SimulationError(
                f"{_MODULE} is of interface {abi}, {_LAYOUT} of {self._layout['stepper']['abi']}"
            )
        self._known = {
            one["name"]: (array, index, one)
            for array in _ARRAYS
            for index, one in enumerate(self._layout[array])
        }
        self._place = self._called("model_stepper_create", seconds)
        if not self._place:
            raise SettingsError(f"step is {step!r}; expected a positive number of seconds")
        self.step = seconds

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give its memory back; it cannot be used any more.

        Example:
        >>> import axletree as at
        >>> from axletree.export.wasm import write_wasm
        >>> folder = write_wasm(at.read_model("pendulum").formulate(), "swing", outputs=[])
        >>> pendulum = at.SandboxedStepper(folder)
        >>> pendulum.close()
        >>> pendulum
        SandboxedStepper 'pendulum', closed
        """
        self._store = None

    def __repr__(self) -> str:
        if self._store is None:
            return f"SandboxedStepper {self.name!r}, closed"
        return (
            f"SandboxedStepper {self.name!r} at t = {self.time:.9g} s: steps of {self.step:g} s by "
            f"{self._layout['stepper']['method']}, {len(self._layout['states'])} states"
        )

    @property
    def layout(self) -> Mapping[str, Any]:
        """What ``layout.json`` says."""
        return self._layout

    @property
    def time(self) -> float:
        """[s]"""
        return float(self._called("model_stepper_time", self._place))

    @property
    def states(self) -> dict[str, float]:
        """By name, in SI units."""
        return self._named("states")

    @property
    def outputs(self) -> dict[str, float]:
        """By name, in SI units, at the present time."""
        return self._named("outputs")

    @property
    def parameters(self) -> dict[str, float]:
        """By name, in SI units."""
        return self._named("parameters")

    def __getitem__(self, name: str) -> float:
        array, index, _ = self._found(name)
        return float(self._values(array)[index])

    def __setitem__(self, name: str, value: float | str) -> None:
        array, index, quantity = self._found(name)
        try:
            number = to_si(value, expected=quantity["unit"])
        except UnitError as error:
            raise SettingsError(f"{name}: {error}") from None
        low, high = quantity.get("lower", -math.inf), quantity.get("upper", math.inf)
        if array != "parameters" and not low <= number <= high:
            raise SettingsError(
                f"{name} is {number!r} {quantity['unit']}; expected a value between {low:g} and "
                f"{high:g}"
            )
        code = self._called("model_stepper_set", self._place, int(_ARRAYS[array]), index, number)
        self._check(code, name)

    def advance(self, steps: int = 1) -> None:
        """By so many steps.

        Example:
        >>> import axletree as at
        >>> from axletree.export.wasm import write_wasm
        >>> folder = write_wasm(at.read_model("pendulum").formulate(), "swing", outputs=[])
        >>> pendulum = at.SandboxedStepper(folder)
        >>> pendulum.advance(10)
        >>> print(f"{pendulum.time:g} s")
        0.01 s
        """
        if not (isinstance(steps, int | np.integer) and 0 <= steps < 2**31):
            raise SettingsError(f"steps is {steps!r}; expected a whole number of 0 or more")
        fuel = min(_BEFORE + steps * self._instructions, 2**63 - 1)
        code = self._called("model_stepper_advance", self._place, int(steps), fuel=fuel)
        self._check(code)

    def reset(self, start: str | None = None, time: float = 0.0) -> None:
        """Back to a start of the layout by name, its first one unless given, at a time [s].

        Example:
        >>> import axletree as at
        >>> from axletree.export.wasm import write_wasm
        >>> folder = write_wasm(at.read_model("pendulum").formulate(), "swing", outputs=[])
        >>> pendulum = at.SandboxedStepper(folder)
        >>> pendulum.advance(10)
        >>> pendulum.reset(time=2.0)
        >>> pendulum.time
        2.0
        """
        starts = {one["name"]: k for k, one in enumerate(self._layout["starts"])}
        chosen = next(iter(starts)) if start is None else start
        if chosen not in starts:
            raise unknown_name("start", chosen, starts, f"the module of {self.name!r}")
        self._check(self._called("model_stepper_reset", self._place, starts[chosen], time))

    def save(self) -> bytes:
        """All that it is, for ``restore``.

        Example:
        >>> import axletree as at
        >>> from axletree.export.wasm import write_wasm
        >>> folder = write_wasm(at.read_model("pendulum").formulate(), "swing", outputs=[])
        >>> pendulum = at.SandboxedStepper(folder)
        >>> kept = pendulum.save()
        >>> pendulum.advance(10)
        >>> pendulum.restore(kept)
        >>> pendulum.time
        0.0
        """
        size = self._called("model_stepper_bytes")
        room = self._called("malloc", size)
        try:
            self._check(self._called("model_stepper_save", self._place, room, size))
            return bytes(self._memory.read(self._store, room, room + size))
        finally:
            self._called("free", room)

    def restore(self, saved: bytes) -> None:
        """Back to what was saved: the steps that follow are the same, bit for bit.

        Example:
        >>> import axletree as at
        >>> from axletree.export.wasm import write_wasm
        >>> folder = write_wasm(at.read_model("pendulum").formulate(), "swing", outputs=[])
        >>> pendulum = at.SandboxedStepper(folder)
        >>> kept = pendulum.save()
        >>> pendulum.advance(10)
        >>> there = pendulum["pin.angle"]
        >>> pendulum.restore(kept)
        >>> pendulum.advance(10)
        >>> pendulum["pin.angle"] == there
        True
        """
        size = self._called("model_stepper_bytes")
        if len(saved) != size:
            raise SettingsError(f"{len(saved)} bytes were saved by another model; expected {size}")
        room = self._called("malloc", size)
        try:
            self._memory.write(self._store, bytes(saved), room)
            self._check(self._called("model_stepper_restore", self._place, room, size))
        finally:
            self._called("free", room)

    def _named(self, array: str) -> dict[str, float]:
        names = [one["name"] for one in self._layout[array]]
        return dict(zip(names, self._values(array).tolist(), strict=True))

    def _values(self, array: str) -> FloatArray:
        count = len(self._layout[array])
        place = self._called("model_stepper_values", self._place, int(_ARRAYS[array]))
        content = self._memory.read(self._store, place, place + 8 * count)
        if len(content) != 8 * count:
            raise SimulationError(f"{_MODULE} has {array} beyond its memory")
        return np.array(struct.unpack(f"<{count}d", content))

    def _found(self, name: str) -> tuple[str, int, Mapping[str, Any]]:
        if name not in self._known:
            raise unknown_name("quantity", name, self._known, f"the module of {self.name!r}")
        return self._known[name]

    def _exported(self, name: str, kind: Any) -> Any:
        found = self._exports.get(name)
        if not isinstance(found, kind):
            raise SimulationError(
                f"{_MODULE} has no {name!r}; expected a module of `axletree export wasm`"
            )
        return found

    def _called(self, name: str, *arguments: float, fuel: int = _BEFORE) -> Any:
        import wasmtime

        if self._store is None:
            raise SimulationError(f"the stepper of {self.name!r} is closed")
        function = self._exported(name, wasmtime.Func)
        self._store.set_fuel(fuel)
        try:
            return function(self._store, *arguments)
        except self._error as error:
            if _STOPPED in str(error):
                raise SimulationError(
                    f"{name} of {self.name!r} takes more than {fuel:g} instructions and was "
                    "stopped; allow more by instructions=..., if the model is that large"
                ) from None
            raise SimulationError(f"{name} of {self.name!r} fails: {_short(error)}") from None
        except (TypeError, ValueError) as error:  # another signature than the interface has
            raise SimulationError(
                f"{name} of {self.name!r} is not that of a stepper: {error}"
            ) from None

    def _check(self, code: int, name: str = "") -> None:
        if code == OK:
            return
        place = self._called("model_stepper_text", code)
        content = bytes(self._memory.read(self._store, place, place + 200))
        text = content.partition(b"\0")[0].decode("utf-8", "replace")
        raise SimulationError(f"{self.name}{f', {name}' if name else ''}: {text}")


def _read(path: Path) -> bytes:
    try:
        if not path.is_file():
            raise SimulationError(
                f"there is no file {path}; expected a folder of `axletree export wasm`"
            )
        if path.stat().st_size > _LARGEST:
            raise SimulationError(f"{path} is larger than {_LARGEST // 2**20} MB")
        return path.read_bytes()
    except OSError as error:
        raise SimulationError(f"{path} cannot be read: {error.strerror}") from None


def _checked_layout(content: bytes) -> dict[str, Any]:
    """What is read of it is of the kind that is expected; nothing of it is executed."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise SimulationError(f"{_LAYOUT} is no JSON: {error}") from None
    problems = []
    if not isinstance(found, dict) or not isinstance(found.get("name"), str):
        raise SimulationError(f"{_LAYOUT} has no name; expected that of `axletree export wasm`")
    stepper = found.get("stepper")
    if not (isinstance(stepper, dict) and isinstance(stepper.get("abi"), int)
            and isinstance(stepper.get("method"), str)):  # fmt: skip
        problems.append("'stepper' has no 'abi' and 'method'")
    for array in (*_ARRAYS, "starts"):
        entries = found.get(array)
        keys = ("name",) if array == "starts" else ("name", "unit")
        if not (
            isinstance(entries, list) and len(entries) <= _MOST
            and all(isinstance(one, dict) for one in entries)
            and all(isinstance(one.get(key), str) for one in entries for key in keys)
        ):  # fmt: skip
            problems.append(f"{array!r} is no list of quantities with {' and '.join(keys)}")
    if not problems and not found["starts"]:
        problems.append("'starts' is empty")
    if problems:
        raise SimulationError(*(f"{_LAYOUT}: {text}" for text in problems))
    return found


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
