"""A process that answers questions one after the other, and is replaced when it fails or hangs.

Whatever a file makes the package do happens there: the server goes on.
"""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Final

from axletree.core.errors import AxletreeError
from axletree.studio.project import StudioError

PATIENCE: Final = 90.0  # s, for one answer
_ENDING: Final = 2.0  # s, until a process that does not end is killed


class Worker:
    """Calls functions of modules, with arguments that can be pickled.

    Example:
    >>> import math
    >>> from axletree.studio.worker import Worker
    >>> worker = Worker()
    >>> worker.ask(math.hypot, 3.0, 4.0)
    5.0
    >>> worker.close()
    """

    def __init__(self, patience: float = PATIENCE) -> None:
        """``patience`` [s] is how long an answer may take."""
        self._patience = patience
        self._lock = threading.Lock()
        self._process: Any = None
        self._pipe: Connection[Any, Any] | None = None

    def ask(self, function: Callable[..., Any], *given: Any) -> Any:
        """What the function returns there; its error of the package is raised here."""
        with self._lock:
            pipe = self._started()
            try:
                pipe.send((function, given))
                if not pipe.poll(self._patience):
                    raise StudioError(f"no answer within {self._patience:g} s; it was given up")
                worked, answer = pipe.recv()
            except (EOFError, OSError):
                code = self._end()
                raise StudioError(f"what worked on it ended (exit code {code})") from None
            except StudioError:
                self._end()
                raise
        if worked:
            return answer
        raise StudioError(answer)

    def close(self) -> None:
        """End the process; the next question starts another one."""
        with self._lock:
            self._end()

    def _started(self) -> Connection[Any, Any]:
        if self._pipe is None or not self._process.is_alive():
            self._end()
            context = multiprocessing.get_context("spawn")
            here, there = context.Pipe()
            self._process = context.Process(target=_answer, args=(there,), daemon=True)
            self._process.start()
            there.close()
            self._pipe = here
        return self._pipe

    def _end(self) -> int | None:
        if self._process is None:
            return None
        self._process.terminate()
        self._process.join(_ENDING)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        code: int | None = self._process.exitcode
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None
        return code


def _answer(pipe: Connection[Any, Any]) -> None:
    """In the process: until nobody asks any more."""
    with suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            function, given = pipe.recv()
            try:
                pipe.send((True, function(*given)))
            except AxletreeError as error:
                pipe.send((False, str(error)))
            except (OSError, EOFError):
                raise
            except Exception as error:  # a fault in the package must not end the studio
                pipe.send((False, f"{type(error).__name__}: {error}"))
