"""Frequency response of a linear system: how outputs follow inputs that swing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from axletree.analysis.linear.tangent import LinearisationError
from axletree.core.registry import refuse_unknown

if TYPE_CHECKING:
    from axletree.analysis.linear.linearisation import Linearisation


@dataclass(frozen=True)
class FrequencyResponse:
    """G(i w) = C (i w - A)^-1 B + D, for chosen inputs and outputs.

    Example:
    >>> import axletree as at
    >>> linear = at.read_model("rlc-circuit").formulate().linearise(outputs=["resistor.voltage"])
    >>> response = linear.frequency_response([159.155])  # Hz: 1 / (2 pi sqrt(50 mH * 20 uF))
    >>> print(f"{abs(response['resistor.voltage', 'source.voltage'][0]):.3f} V/V")
    1.000 V/V
    """

    system: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    frequencies: np.ndarray  # [Hz]
    response: np.ndarray  # complex: frequencies by outputs by inputs, SI
    units: Mapping[str, str] = field(default_factory=dict)  # of inputs and outputs

    def __getitem__(self, pair: tuple[str, str]) -> np.ndarray:
        """``response[output, input]``, complex, along the frequencies."""
        output, entry = pair
        refuse_unknown("output", [output], self.outputs, "the frequency response")
        refuse_unknown("input", [entry], self.inputs, "the frequency response")
        return np.asarray(self.response[:, self.outputs.index(output), self.inputs.index(entry)])

    def gain(self, output: str, entry: str) -> np.ndarray:
        """|G|, in the unit of the output over that of the input.

        Example:
        >>> import axletree as at
        >>> circuit = at.read_model("rlc-circuit").formulate()
        >>> linear = circuit.linearise(outputs=["inductor.current"])
        >>> response = linear.frequency_response([159.155])  # Hz, where the circuit resonates
        >>> response.gain("inductor.current", "source.voltage").round(4).tolist()  # A/V: 1 / 10 Ohm
        [0.1]
        """
        return np.asarray(np.abs(self[output, entry]))

    def unit(self, output: str, entry: str) -> str:
        """Of a gain, such as ``rad/(N*m)``; empty where units are not known.

        Example:
        >>> import axletree as at
        >>> circuit = at.read_model("rlc-circuit").formulate()
        >>> response = circuit.linearise(outputs=["inductor.current"]).frequency_response([1.0])
        >>> response.unit("inductor.current", "source.voltage")
        'A/V'
        """
        above, below = self.units.get(output, ""), self.units.get(entry, "")
        if not above or below in ("", "1"):
            return above if below else ""
        return f"{above}/({below})" if set(below) & set("*/ ") else f"{above}/{below}"

    def phase(self, output: str, entry: str) -> np.ndarray:
        """[rad], without jumps along the frequencies; negative where the output is late.

        Example:
        >>> import axletree as at
        >>> circuit = at.read_model("rlc-circuit").formulate()
        >>> slow = circuit.linearise(outputs=["inductor.current"]).frequency_response([1e-3])  # Hz
        >>> slow.phase("inductor.current", "source.voltage").round(2).tolist()  # rad
        [1.57]
        """
        return np.asarray(np.unwrap(np.angle(self[output, entry])))


def frequency_response(
    linear: Linearisation, frequencies: Sequence[float] | np.ndarray
) -> FrequencyResponse:
    """Of all inputs and outputs of a linearisation, at frequencies [Hz].

    Each frequency takes one solution of linear equations in Hessenberg form.
    """
    from scipy.linalg import hessenberg

    hertz = np.asarray(frequencies, dtype=float)
    if hertz.ndim != 1 or not len(hertz) or not np.isfinite(hertz).all() or (hertz < 0.0).any():
        raise LinearisationError("a frequency response needs frequencies in Hz, 0 or more")
    if not linear.inputs or not linear.outputs:
        raise LinearisationError(
            f"{linear.system} has {len(linear.outputs)} outputs and {len(linear.inputs)} inputs "
            "here; a frequency response needs one of each: linearise with outputs=[...]"
        )
    H, Q = hessenberg(linear.A, calc_q=True) if len(linear.A) else (linear.A, linear.A)
    B, C = Q.T @ linear.B, linear.C @ Q
    found = [_at(H, B, C, linear.D, 2j * np.pi * f, linear.system) for f in hertz.tolist()]
    units = {name: linear.units.get(name, "") for name in (*linear.inputs, *linear.outputs)}
    return FrequencyResponse(
        linear.system, linear.inputs, linear.outputs, hertz, np.array(found), units
    )


def _at(
    H: np.ndarray, B: np.ndarray, C: np.ndarray, D: np.ndarray, s: complex, system: str
) -> np.ndarray:
    try:
        found: np.ndarray = C @ np.linalg.solve(s * np.eye(len(H)) - H, B) + D
    except np.linalg.LinAlgError:
        raise LinearisationError(
            f"{system} has an eigenvalue of {s:g} 1/s: at {abs(s) / (2 * np.pi):g} Hz the "
            "response has no bounds; leave that frequency out"
        ) from None
    return found
