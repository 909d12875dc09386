"""Vehicles of one model on a CUDA card: a thread each, from the text and layout in a folder.

Needs NumPy and CuPy alone (``cupy-cuda13x``, which has NVRTC), beside ``vehicles.cu`` and
``layout.json``, so that it runs on a machine without Axletree:

    from card_batch import CardBatch

    cars = CardBatch("folder", members=1_000_000, step=1e-3)
    cars.set_parameters({"body.mass": masses})      # arrays of NumPy or of the card
    cars.inputs["driver.steering"][:] = 0.02        # rad; held until they are set again
    cars.advance(1000)
    cars.states["body.wz"]                          # an array of the card, no copy

Arrays of the card go to torch and JAX by DLPack without a copy: ``torch.from_dlpack(array)``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cupy
import numpy as np

SHARED_BYTES = 227 * 1024  # of a multiprocessor, of which blocks take a share where they are few


class CardBatch:
    """So many vehicles with states, inputs and parameters of their own, in arrays of the card.

    ``number`` is "double" or "float"; ``fast_math`` takes the quick functions of the card, in 32
    bits; ``card_functions`` the library of the card in place of the functions of the text.
    ``tile`` vehicles make a block; ``blocks_resident`` limits the blocks of a multiprocessor, whose
    constants then stay in its cache.
    """

    def __init__(
        self,
        folder: str | Path,
        members: int,
        step: float,
        *,
        number: str = "double",
        fast_math: bool = False,
        card_functions: bool = False,
        blocks_resident: int = 0,
        tile: int = 64,
        options: tuple[str, ...] = (),
    ) -> None:
        if number not in ("double", "float") or (fast_math and number == "double"):
            raise ValueError(f"number {number!r}, fast_math {fast_math}: float is for fast math")
        if members < 1 or not step > 0.0:
            raise ValueError(f"members {members}, step {step} s; expected numbers above 0")
        self.layout = json.loads(Path(folder, "layout.json").read_text(encoding="utf-8"))
        text = Path(folder, "vehicles.cu").read_text(encoding="utf-8")
        chosen = [f"-DAXL_TILE={tile}", *options]
        chosen += ["-DAXL_FLOAT"] if number == "float" else []
        chosen += ["-DAXL_CARD_FUNCTIONS"] if card_functions or fast_math else []
        chosen += ["--use_fast_math"] if fast_math else []
        self._module = cupy.RawModule(code=text, options=tuple(chosen), backend="nvrtc")
        self.members, self.step, self.number = members, step, number
        self.dtype = np.dtype(np.float64 if number == "double" else np.float32)
        self.tile, self.blocks = tile, -(-members // tile)
        self._shared = 0
        self._advance = self._module.get_function("axl_advance")
        if blocks_resident:
            self._shared = SHARED_BYTES // blocks_resident - 1024
            self._advance.max_dynamic_shared_size_bytes = self._shared
        sizes = self.layout["sizes"]
        self.parameters = [one["start"] for one in self.layout["parameters"]]
        self._constants = cupy.empty(self.blocks * tile * max(sizes["constants"], 1), self.dtype)
        self.states = CardColumns(self.layout["states"], members, self.dtype)
        self.inputs = CardColumns(self.layout["inputs"], members, self.dtype)
        self.outputs = CardColumns(self.layout["outputs"], members, self.dtype)
        self.failed = cupy.full(members, -1, np.int64)  # the step after which it is no number
        self.start, self.steps = 0.0, 0
        self.set_parameters({})

    def set_parameters(self, columns: Mapping[str, Any]) -> None:
        """Numbers for all vehicles, or arrays with one for each; others are the model's."""
        names = {one["name"]: one for one in self.layout["parameters"]}
        unknown = [name for name in columns if name not in names]
        if unknown:
            raise KeyError(f"{', '.join(unknown)}: no parameter of {self.layout['name']}")
        common = np.array([*self.parameters, 0.0], self.dtype)
        own = {}
        for name, value in columns.items():
            place = names[name]["index"]
            if np.ndim(value) == 0:
                common[place] = value
            else:
                own[place] = cupy.asarray(value, self.dtype)
                if own[place].shape != (self.members,):
                    raise ValueError(f"{name} has shape {own[place].shape}; expected a value each")
        self._check_ties(names, own, common)
        places = cupy.asarray([*own, 0], np.int32)
        values = cupy.stack(list(own.values())) if own else cupy.zeros((1, 1), self.dtype)
        given = (cupy.asarray(common), np.int32(len(own)), places, values, self._constants)
        kernel = self._module.get_function("axl_make_constants")
        kernel((self.blocks,), (self.tile,), (np.int64(self.members), *given))

    def _check_ties(self, names: Mapping[str, Any], own: Mapping[int, Any], common: Any) -> None:
        """Parameters that the text takes for equal are so in every vehicle."""
        for name, one in names.items():
            if one.get("tuning") == "structural":
                a, b = names[one["equal_to"]]["index"], one["index"]
                first, second = own.get(a, common[a]), own.get(b, common[b])
                if not bool(cupy.all(cupy.asarray(first) == cupy.asarray(second))):
                    raise ValueError(
                        f"{name} and {one['equal_to']} are equal in this text, which has one law "
                        "for both; write it anew without equal laws"
                    )

    def advance(self, steps: int) -> None:
        """So many steps of all vehicles; the card works on while Python goes on."""
        arguments = (
            np.int64(self.members), np.int64(self.steps), np.int32(steps),
            np.float64(self.start), np.float64(self.step), self._constants,
            self.inputs.values, self.states.values, self.failed,
        )  # fmt: skip
        self._advance((self.blocks,), (self.tile,), arguments, shared_mem=self._shared)
        self.steps += steps

    def update_outputs(self) -> CardColumns:
        """The outputs of now, in the same arrays each time."""
        if self.outputs.count:
            kernel = self._module.get_function("axl_outputs")
            time = np.float64(self.start + self.step * self.steps)
            given = (time, self._constants, self.inputs.values, self.states.values)
            arguments = (np.int64(self.members), *given, self.outputs.values)
            kernel((self.blocks,), (self.tile,), arguments)
        return self.outputs

    @property
    def registers(self) -> tuple[int, int]:
        """Registers of a thread, and bytes of memory for what found no room there."""
        return self._advance.num_regs, self._advance.local_size_bytes


class CardColumns:
    """Arrays of the card by the names of quantities, rows of one array."""

    def __init__(self, quantities: list[dict[str, Any]], members: int, dtype: Any) -> None:
        self.index = {one["name"]: one["index"] for one in quantities}
        self.units = {one["name"]: one["unit"] for one in quantities}
        self.count = len(quantities)
        first = [one.get("start", 0.0) for one in quantities] or [0.0]
        column = cupy.asarray(first, dtype)[:, None]
        self.values = cupy.ascontiguousarray(cupy.broadcast_to(column, (len(first), members)))

    def __getitem__(self, name: str) -> Any:
        """Of a quantity, to be read and set in place."""
        if name not in self.index:
            raise KeyError(f"{name!r}; there are {', '.join(list(self.index)[:5])} ...")
        return self.values[self.index[name]]
