"""Controllers that a command is given: an FMU, a class of a Python file, or functions of C."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from axletree.core.errors import AxletreeError
from axletree.model.model import Model
from axletree.system.system import System

if TYPE_CHECKING:
    from axletree.simulation.control.controllers import ControlLoop


_LIBRARIES = (".so", ".dylib", ".dll")  # of C functions
_FURTHER = ("timeout", "sensors", "actuators", "rules")  # of a loop, where a class has them


class ControllerFileError(AxletreeError):
    """A file that a controller cannot be made from."""


def read_controllers(
    texts: Sequence[str], interval: float | None, system: System, model: Model
) -> list[ControlLoop]:
    """``esc``, ``esc.fmu``, ``mine.py:Esc`` or ``mine.c:esc``, with instants this [s] apart.

    A word is that of a reference controller of the catalogue, made for the model, with instants of
    its own. Inputs and outputs of an FMU are connected with quantities of their names. A class is
    called without arguments and has ``reads`` and ``sets``, and ``interval`` unless one is given;
    ``timeout``, ``sensors``, ``actuators`` and ``rules`` are those of its loop.
    """
    if not texts:
        return []
    from axletree.simulation.control.reference_loops import controlled

    found: list[ControlLoop] = []
    for one in given_controllers(texts, interval, lambda: system):
        found += controlled(model, [one])[1] if isinstance(one, str) else [one]
    return found


def given_controllers(
    texts: Sequence[str], interval: float | None, system: Callable[[], System]
) -> list[ControlLoop | str]:
    """Likewise with words as they are, for runs of which each makes them for what it drives."""
    return [text if _is_word(text) else _loop_of_file(text, interval, system) for text in texts]


def _loop_of_file(text: str, interval: float | None, system: Callable[[], System]) -> ControlLoop:
    from axletree.simulation.control.controllers import ControlLoop

    if text.endswith(".fmu"):
        if interval is None:
            raise ControllerFileError(
                f"--controller {text}: an FMU needs --control-interval, such as '10 ms'"
            )
        return ControlLoop(_connected_fmu(text, system()), interval)
    path, _, name = text.rpartition(":")
    made = _instance(text, path, name)
    own = getattr(made, "interval", None) if interval is None else interval
    if own is None:
        raise ControllerFileError(
            f"--controller {text}: {name} has no interval; give it one, or --control-interval"
        )
    reads, sets = (getattr(made, one, ()) for one in ("reads", "sets"))
    further = {one: getattr(made, one) for one in _FURTHER if hasattr(made, one)}
    called = made.name if path.endswith((".c", *_LIBRARIES)) else ""
    return ControlLoop(made, own, reads=reads, sets=sets, name=called, **further)


def _is_word(text: str) -> bool:
    return ":" not in text and "." not in text


def controller_words(texts: Sequence[str]) -> list[str]:
    """Those of reference controllers, all of which are known.

    Example:
    >>> from axletree.cli.controller import controller_words
    >>> controller_words(["esc", "mine.py:Radar"])
    ['esc']
    """
    from axletree.simulation.control.reference_loops import controller_class

    words = [text for text in texts if _is_word(text)]
    for word in words:
        controller_class(word)
    return words


def _connected_fmu(path: str, system: System) -> Any:
    """By equal names, which both have."""
    from axletree.simulation.fmu.fmu import Fmu

    with Fmu(path) as looked_at:
        inputs, outputs = looked_at.inputs, looked_at.outputs
    seen = [q.name for q in (*system.states, *system.inputs)]
    seen += [one.quantity.name for one in (*system.outputs, *system.intermediates)]
    settable = [q.name for q in system.inputs if not q.derivative_of]
    reads = {name: name for name in inputs if name in seen}
    sets = {name: name for name in outputs if name in settable}
    if not sets:
        raise ControllerFileError(
            f"--controller {path}: none of its outputs ({', '.join(outputs) or 'it has none'}) has "
            f"the name of an input of {system.name} ({', '.join(settable)}); connect it in Python: "
            "at.Fmu(file, reads={...}, sets={...})"
        )
    return Fmu(path, reads=reads, sets=sets)


def _instance(text: str, path: str, name: str) -> Any:
    file = Path(path)
    if name and file.suffix in (".c", *_LIBRARIES):
        from axletree.simulation.control.c_controller import CController

        return CController(file, name)
    if not path or not name or not path.endswith(".py"):
        raise ControllerFileError(
            f"--controller {text!r} is none; expected file.fmu, file.py:Class, file.c:name, or a "
            "word of `axletree list controllers`"
        )
    if not file.is_file():
        raise ControllerFileError(f"--controller {text}: there is no file {path}")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        return getattr(module, name)()
    except AttributeError as error:
        known = ", ".join(one for one, value in vars(module).items() if isinstance(value, type))
        if hasattr(module, name):
            raise ControllerFileError(f"--controller {text}: AttributeError: {error}") from error
        raise ControllerFileError(
            f"--controller {text}: {path} has no {name}; its classes are {known or 'none'}"
        ) from None
    except Exception as error:  # of the user's own program
        raise ControllerFileError(
            f"--controller {text} fails: {type(error).__name__}: {error}"
        ) from error
