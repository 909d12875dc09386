"""What is wrong with a model file: gathered with file, line and place, raised once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from axletree.core.errors import AxletreeError, ModelError

_LONGEST_TEXT = 600  # characters of one problem; what was found may be arbitrarily long
LONGEST_VALUE = 60  # characters of a value that a message shows

KeyPath = tuple[str, ...]  # keys from the top of the file: ("components", "pin", "axis")


class Problems:
    """The problems of one file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._found: list[tuple[int, str]] = []

    @property
    def count(self) -> int:
        """How many have been found so far."""
        return len(self._found)

    def add(self, line: int, place: KeyPath, text: object) -> None:
        """A problem on a line (from 1; 0 for the file as a whole): a text, or an error."""
        where = self.file
        if line:
            where += f", line {line}"
        if place:
            where += f", {'.'.join(place)}"
        message = f"{where}: {shortened(str(text), _LONGEST_TEXT)}"
        if (line, message) not in self._found:
            self._found.append((line, message))

    def stop(self, line: int, place: KeyPath, text: str) -> NoReturn:
        """A problem after which nothing can be read."""
        self.add(line, place, text)
        raise self._error()

    @contextmanager
    def gathered(self, line: int, place: KeyPath) -> Iterator[None]:
        """An error of the package within is a problem of this line, or several."""
        try:
            yield
        except AxletreeError as error:
            for text in error.problems if isinstance(error, ModelError) else [str(error)]:
                self.add(line, place, text)

    def raise_any(self) -> None:
        if self._found:
            raise self._error()

    def _error(self) -> ModelError:
        return ModelError(text for _, text in sorted(self._found, key=lambda item: item[0]))


def shown(value: Any) -> str:
    """A value as a message shows it."""
    return shortened(repr(value), LONGEST_VALUE)


def shortened(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 3]}..."
