"""Where commands leave their results unless they are told."""

from __future__ import annotations

from pathlib import Path


def result_folder(source: str, *choices: str | None) -> Path:
    """Each manoeuvre, fidelity and soil has its place in ``out``.

    A model is named as it was asked for: a file without its ending, ``file.py:name`` by the name.
    """
    head, _, name = source.rpartition(":")
    model = name if head.endswith(".py") else Path(source).name
    for ending in (".yaml", ".yml"):
        model = model.removesuffix(ending)
    return Path("out", model, "-".join(filter(None, choices)))
