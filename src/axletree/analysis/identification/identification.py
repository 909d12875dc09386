"""``Identification``: what a measured drive tells of a model, with its evidence, and its files."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from axletree.analysis.identification.evidence import Whiteness
from axletree.analysis.identification.unknowns import IdentificationError, SoughtValue
from axletree.analysis.measurements.agreement import Agreement, agreement
from axletree.analysis.measurements.measurement import Measurement
from axletree.analysis.measurements.replay import ReplayedDrive, replay
from axletree.analysis.studies.sweep_plan import as_changes
from axletree.core.arrays import FloatArray
from axletree.core.files import whole_file
from axletree.core.registry import refuse_unknown
from axletree.core.text_table import TextTable
from axletree.model.model import Model, ModelSource
from axletree.model_files.read import join_mappings, read_model
from axletree.vehicles.vehicle import Vehicle

_DIGITS: Final = 10  # of values in a file
_PRINTED: Final = {"rad": "deg", "rad/s": "deg/s"}


@dataclass(frozen=True)
class FoundUnknown:
    """A value that was found, and its standard deviation, in the unit of the unknown."""

    unknown: SoughtValue
    value: float
    deviation: float

    @property
    def name(self) -> str:
        """Of what was sought."""
        return self.unknown.name


@dataclass(frozen=True)
class FittedRecord:
    """A record and what the model with its found values makes of it, in SI units."""

    source: str
    time: FloatArray  # [s]
    channels: tuple[str, ...]
    units: tuple[str, ...]
    measured: FloatArray  # sample, channel
    predicted: FloatArray
    residuals: FloatArray  # measured less predicted; 0 where a delay reaches beyond the record
    whiteness: tuple[Whiteness, ...]  # of each channel


@dataclass(frozen=True, eq=False)
class Identification:
    """Values with their limits; ``found["body.mass"]`` is one, ``found.deviations`` of all.

    Example:
    >>> import axletree as at
    >>> swing = at.read_model("pendulum")
    >>> run = swing.formulate().simulate("4 s", step="1 ms", record_interval="20 ms")
    >>> rest = at.read_measurement(run.to_csv("swing.csv"))
    >>> found = at.identify(swing, rest, {"gravity.z": (-12.0, -8.0)}, channels={"pin.angle": 1e-3})
    >>> print(f"{found['gravity.z']:.3f} m/s^2")
    -9.807 m/s^2
    """

    model: str
    found: tuple[FoundUnknown, ...]
    covariance: FloatArray  # of the values, in their units
    least_covariance: FloatArray  # the bound of Cramer and Rao, for white residuals
    noise: Mapping[str, float]  # standard deviations of the channels
    records: tuple[FittedRecord, ...]
    parameters: Mapping[str, float]  # of the equations, that the values move
    undetermined: tuple[str, ...]  # what the data do not tell, in sentences
    at_bounds: tuple[str, ...]
    is_white: bool  # whether residuals are noise
    settled: bool
    steps: int  # that it took
    identified: Model
    validation: tuple[Agreement, ...] = ()  # free runs over records that were held back

    def __getitem__(self, name: str) -> float:
        return self._one(name).value

    def _one(self, name: str) -> FoundUnknown:
        refuse_unknown("unknown", [name], [one.name for one in self.found], "what was sought")
        return next(one for one in self.found if one.name == name)

    @property
    def values(self) -> dict[str, float]:
        """By name, in SI units, those of places of the file as they are written there."""
        return {one.name: one.value for one in self.found}

    @property
    def deviations(self) -> dict[str, float]:
        """Standard deviations, likewise."""
        return {one.name: one.deviation for one in self.found}

    @property
    def correlations(self) -> FloatArray:
        """Of the values [1]; NaN with one that nothing tells."""
        d = np.sqrt(np.diag(self.covariance))
        with np.errstate(all="ignore"):
            return np.asarray(self.covariance / np.outer(d, d))

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is to be known before a value is used, in sentences."""
        said = list(self.undetermined)
        if not self.settled:
            said.insert(0, f"the fit did not settle in {self.steps} steps")
        said += [f"{name} is at its bound: the data ask for more" for name in self.at_bounds]
        if not self.is_white:
            worst = max(
                (test for one in self.records for test in one.whiteness if not test.is_white),
                key=lambda test: abs(test.first_autocorrelation),
            )
            said.append(
                f"residuals are no white noise ({worst.channel}: neighbouring samples correlate by "
                f"{worst.first_autocorrelation:.2f}): the model leaves something out, or a filter "
                "was at work; deviations are widened for it, but not for what a wrong model does "
                "to the values"
            )
        return tuple(said)

    def __repr__(self) -> str:
        return self.table().text()

    def _repr_html_(self) -> str:
        return self.table().html()

    def table(self) -> TextTable:
        """Values, standard deviations and starts.

        Example:
        >>> import axletree as at
        >>> swing = at.read_model("pendulum")
        >>> run = swing.formulate().simulate("4 s", step="1 ms", record_interval="20 ms")
        >>> data = at.read_measurement(run.to_csv("swing.csv"))
        >>> found = at.identify(swing, data, ["gravity.z"], channels={"pin.angle": 1e-3})
        >>> found.table().rows[0][0]
        'gravity.z'
        """
        rows = [
            (one.name, f"{one.value:.6g} {one.unknown.unit}".removesuffix(" 1").rstrip(),
             _deviation(one), f"{one.unknown.start:.6g}")
            for one in self.found
        ]  # fmt: skip
        samples = sum(len(one.time) for one in self.records)
        title = (
            f"{self.model}: identified from {len(self.records)} "
            f"record{'s' if len(self.records) > 1 else ''}, {samples} samples"
        )
        heads = ("unknown:", "value", "standard deviation", "start")
        noise = ", ".join(f"{name} {value:.3g}" for name, value in self.noise.items())
        return TextTable(title, heads, tuple(rows), (f"noise: {noise}", *self.remarks))

    def validated(
        self, model: Model, records: Sequence[Measurement], by: ReplayedDrive | None
    ) -> Identification:
        """With free runs over records that were held back, of vehicles.

        Example:
        >>> import axletree as at
        >>> car = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
        >>> names = ["vehicle.yaw_rate", "vehicle.forward_speed", "driver.steering"]
        >>> run = car.drive("iso-7401-step", outputs=names, record_interval="20 ms")
        >>> data = at.read_measurement(run.to_csv("drive.csv"))
        >>> noise = {"vehicle.yaw_rate": "0.1 deg/s"}
        >>> found = at.identify(car, data, ["body.inertia.zz"], channels=noise)
        >>> (run,) = found.validated(car, [data], None).validation
        >>> run["vehicle.yaw_rate"].statistics.determination > 0.999
        True
        """
        identified = self.model_with_values(model)
        agreements = []
        for one in records:
            own = {
                u.name: u.value for u in self.found if not u.unknown.keys and not u.unknown.channel
            }
            run = replay(identified, one, by=by, parameters=own, watch=False)
            names = [n for n in self.records[0].channels if n in run.columns and n in one]
            agreements.append(agreement(run, one, names=names))
        return replace(self, validation=tuple(agreements))

    @property
    def _places(self) -> dict[tuple[str, ...], str]:
        return {
            one.unknown.keys: f"{one.value:.{_DIGITS}g} {one.unknown.unit}".strip()
            for one in self.found
            if one.unknown.keys
        }

    def model_with_values(self, model: Model) -> Model:
        """A model of the same file with the values that stand in places of it.

        Example:
        >>> import axletree as at
        >>> swing = at.read_model("pendulum")
        >>> run = swing.formulate().simulate("4 s", step="1 ms", record_interval="20 ms")
        >>> data = at.read_measurement(run.to_csv("swing.csv"))
        >>> place = "components.rod.mass"
        >>> found = at.identify(swing, data, [place], channels={"pin.rate": 1e-3})
        >>> found.model_with_values(swing)["rod"].mass == round(found[place], 10)  # kg
        True
        """
        return model.with_changes(as_changes(self._places)) if self._places else model

    def write(self, path: str | Path, *, beside: Path | None = None) -> Path:
        """Write a model file based on the identified one, and beside it the evidence (JSON).

        Values of the equations that no place of the file holds are in the evidence alone; there
        they stand as ``--parameter`` takes them. ``beside`` is the folder where the file will be,
        if it is moved.

        Example:
        >>> import axletree as at
        >>> swing = at.read_model("pendulum")
        >>> run = swing.formulate().simulate("4 s", step="1 ms", record_interval="20 ms")
        >>> rest = at.read_measurement(run.to_csv("swing.csv"))
        >>> found = at.identify(swing, rest, ["components.rod.mass"], channels={"pin.rate": 1e-3})
        >>> print(found.write("mine.yaml").read_text().splitlines()[0])
        base: pendulum
        """
        file = Path(path)
        if file.suffix not in (".yaml", ".yml"):
            raise IdentificationError(f"{file} is no model file; expected the ending .yaml")
        source = self.identified.source
        if source is None:
            raise IdentificationError(
                f"{self.model} was not read from a file that another one could be based on; its "
                "values are in the result"
            )
        evidence = file.with_suffix(".identification.json")
        content: dict[str, Any] = {"base": _base(source.base, beside or file.parent)}
        content = join_mappings(content, as_changes({**self._fidelity(source), **self._places}))
        from ruamel.yaml import YAML

        with whole_file(evidence) as stream:
            stream.write(json.dumps(self.evidence(), indent=1, allow_nan=False).encode())
        yaml = YAML()
        with whole_file(file) as stream:
            yaml.dump(content, stream)
        return file

    def _fidelity(self, source: ModelSource) -> dict[tuple[str, ...], str]:
        """Of a vehicle, where it is another one than its file's."""
        own = self.identified.described.get("vehicle")
        first = read_model(source.base).described.get("vehicle")
        if not (isinstance(own, Vehicle) and isinstance(first, Vehicle)):
            return {}
        same = own.fidelity is first.fidelity
        return {} if same else {("vehicle", "fidelity"): own.fidelity.value}

    def evidence(self) -> dict[str, Any]:
        """All numbers, for a file.

        Example:
        >>> import axletree as at
        >>> swing = at.read_model("pendulum")
        >>> run = swing.formulate().simulate("4 s", step="1 ms", record_interval="20 ms")
        >>> data = at.read_measurement(run.to_csv("swing.csv"))
        >>> found = at.identify(swing, data, ["gravity.z"], channels={"pin.angle": 1e-3})
        >>> found.evidence()["values"]["gravity.z"]["unit"]
        'm/s^2'
        """

        def number(x: float) -> float | None:
            return float(x) if np.isfinite(x) else None

        return {
            "model": self.model,
            "values": {
                one.name: {
                    "value": one.value, "unit": one.unknown.unit,
                    "standard_deviation": number(one.deviation), "start": one.unknown.start,
                    "lower": number(one.unknown.lower), "upper": number(one.unknown.upper),
                }
                for one in self.found
            },
            "parameters": dict(self.parameters),
            "correlations": [[number(x) for x in row] for row in self.correlations],
            "noise": dict(self.noise),
            "records": [
                {
                    "source": one.source, "samples": len(one.time),
                    "rms_residuals": dict(zip(
                        one.channels, np.sqrt(np.square(one.residuals).mean(axis=0)).tolist(),
                        strict=True)),
                    "whiteness": {
                        t.channel: {"first_autocorrelation": t.first_autocorrelation,
                                    "probability": t.probability}
                        for t in one.whiteness
                    },
                }
                for one in self.records
            ],
            "validation": [
                {name: {"normalised_rms": number(c.statistics.normalised_rms),
                        "determination": number(c.statistics.determination)}
                 for name, c in one.channels.items()}
                for one in self.validation
            ],
            "remarks": list(self.remarks),
        }  # fmt: skip


def _deviation(one: FoundUnknown) -> str:
    if not np.isfinite(one.deviation):
        return "unknown"
    share = 100.0 * one.deviation / abs(one.value) if one.value else np.inf
    return f"{one.deviation:.3g}" + (f" ({share:.2g} %)" if np.isfinite(share) else "")


def _base(name: str, folder: Path) -> str:
    """A model of the package by its name, another by its path from the folder of the new file."""
    path = Path(name)
    if not path.suffix:
        return name
    return Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()
