"""What reads an MDF file in a process of its own.

A damaged file can end that process, or keep it busy for ever: asammdf follows links and reads at
places that the file states. The module imports nothing of the package, so that it is there soon.
"""

from __future__ import annotations

import io
import json
import os
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

WAS_READ, WAS_REFUSED = b"+", b"-"  # the first byte of an answer
_SECONDS_PER_BYTE = 1e-6  # of processor
_BYTES, _BYTES_PER_BYTE = 8 << 30, 50  # of memory: damaged files state any size


def print_records(path: str, seconds: float) -> None:
    """On standard output: the table and its facts as a NumPy archive, or what is wrong."""
    _print(
        path, seconds, lambda content: dict(zip(("data", "about"), _parsed(content), strict=True))
    )


def print_channels(path: str, seconds: float, wanted: list[str] | None) -> None:
    """Likewise: the channels of these names, each with its time, and the names of all; without
    names, all that hold numbers.
    """
    _print(path, seconds, lambda content: _channels(content, wanted))


def _print(path: str, seconds: float, parse: Callable[[bytes], dict[str, Any]]) -> None:
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the library prints is no answer
    warnings.simplefilter("ignore")
    try:
        data = Path(path).read_bytes()
        _limit(len(data), seconds)
        content = io.BytesIO()
        np.savez(content, **parse(data))
    except MemoryError:
        answers.write(WAS_REFUSED + b"it is damaged: it states sizes that no memory holds")
    except Exception as error:  # what the library makes of damaged files has no common kind
        answers.write(WAS_REFUSED + (str(error) or type(error).__name__).encode(errors="replace"))
    else:
        answers.write(WAS_READ + content.getvalue())
    answers.flush()
    os._exit(0)  # threads and descriptors that the library left are no concern any more


def _limit(size: int, seconds: float) -> None:
    if find_spec("resource") is None:  # Windows
        return
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    end = used.ru_utime + used.ru_stime + seconds + _SECONDS_PER_BYTE * size
    for kind, limit in (
        (resource.RLIMIT_CPU, int(end) + 1),
        (resource.RLIMIT_AS, _BYTES + _BYTES_PER_BYTE * size),
    ):
        hard = resource.getrlimit(kind)[1]
        if hard == resource.RLIM_INFINITY or limit < hard:
            resource.setrlimit(kind, (limit, hard))


def _parsed(content: bytes) -> tuple[np.ndarray, str]:
    """All records with the time first, and what is attached."""
    from asammdf import MDF

    with MDF(io.BytesIO(content)) as file:
        facts = _attached_facts(file)
        _, *channels = enumerate(file.groups[0].channels)  # the first is the time
        signals = file.select([(c.name, 0, k) for k, c in channels], raw=True)
    columns = [signals[0].timestamps, *(signal.samples for signal in signals)]
    return np.column_stack(columns).astype(float), facts


def _channels(content: bytes, wanted: list[str] | None) -> dict[str, Any]:
    from asammdf import MDF

    found: dict[str, Any] = {}
    about: list[dict[str, Any]] = []  # with places among all that are known
    with MDF(io.BytesIO(content)) as file:
        places = [
            (g, c, channel.name)
            for g, group in enumerate(file.groups)
            for c, channel in enumerate(group.channels)
            if file.masters_db.get(g) != c
        ]
        for k, (g, c, name) in enumerate(places):
            if wanted is None or name in wanted:
                signal = file.get(group=g, index=c)
                if signal.samples.dtype.kind not in "fiub" or signal.samples.ndim != 1:
                    if wanted is None:
                        continue
                    raise ValueError(f"its channel {name!r} holds no numbers")
                found[f"values{len(about)}"] = signal.samples.astype(float)
                found[f"time{len(about)}"] = signal.timestamps.astype(float)
                about.append({"place": k, "unit": signal.unit or ""})
    known = [name for _, _, name in places]
    return {**found, "about": json.dumps({"channels": about, "known": known})}


def _attached_facts(file: Any) -> str:
    if not file.attachments:
        raise ValueError("it has no attachment that says what its columns are")
    content, *_ = file.extract_attachment(index=0)
    return bytes(content).decode()
