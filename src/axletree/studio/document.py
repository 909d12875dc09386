"""A model file that is open: its text, its revision, and the texts before it.

Every change has a revision, and has to name that which it starts from. A window that has not seen
the last change cannot overwrite it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from axletree.core.yaml_document import LARGEST_FILE
from axletree.studio.project import StudioError

_MOST_STEPS: Final = 300  # that can be taken back


class StaleRevisionError(StudioError):
    """A change to a text that is not the last one any more."""


@dataclass
class Document:
    """The text as it is edited, and as it stands on the disk.

    Example:
    >>> from axletree.studio.document import Document
    >>> car = Document("car.yaml", "base: sedan\\n", "base: sedan\\n")
    >>> car.change(1, "base: suv\\n")
    >>> car.undo(2)
    >>> car.text, car.revision, car.is_saved
    ('base: sedan\\n', 3, True)
    """

    name: str
    text: str
    saved: str | None  # None: there is no such file yet
    revision: int = 1
    _before: list[str] = field(default_factory=list)
    _after: list[str] = field(default_factory=list)

    @property
    def is_saved(self) -> bool:
        return self.text == self.saved

    def change(self, revision: object, text: str) -> None:
        """Another text, in place of that of a revision."""
        self.check(revision)
        if len(text.encode("utf-8", "surrogatepass")) > LARGEST_FILE:
            raise StudioError(f"{self.name} is too large; the limit is {LARGEST_FILE // 1024} KiB")
        try:
            text.encode()
        except UnicodeEncodeError:
            raise StudioError(f"{self.name}: has letters that no file in UTF-8 can have") from None
        if text == self.text:
            return
        self._before = [*self._before[1 - _MOST_STEPS :], self.text]
        self._after.clear()
        self._take(text)

    def undo(self, revision: object) -> None:
        self.check(revision)
        if not self._before:
            raise StudioError(f"{self.name}: nothing is left to undo")
        self._after.append(self.text)
        self._take(self._before.pop())

    def redo(self, revision: object) -> None:
        self.check(revision)
        if not self._after:
            raise StudioError(f"{self.name}: nothing was undone")
        self._before.append(self.text)
        self._take(self._after.pop())

    def check(self, revision: object) -> None:
        """That a window has seen the last change."""
        if revision != self.revision:
            raise StaleRevisionError(
                f"{self.name} was changed in another window meanwhile; here is what it says now"
            )

    def _take(self, text: str) -> None:
        self.text = text
        self.revision += 1

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "text": self.text,
            "revision": self.revision,
            "saved": self.is_saved,
            "undo": len(self._before),
            "redo": len(self._after),
        }
