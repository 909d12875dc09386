"""Words of the catalogue for parts, and for what reads parts from files of their own."""

from __future__ import annotations

from axletree.core.errors import ModelError
from axletree.core.registry import section


def part_file_readers(catalogue_section: str) -> dict[str, str]:
    """What reads parts of a section from files of their own, by the word of ``type``."""
    prefix = f"{catalogue_section}."
    entries = section("PART_FILES").items()
    return {name.removeprefix(prefix): place for name, place in entries if name.startswith(prefix)}


def part_word(held: object, catalogue_section: str) -> str:
    """The name of a part's class in a section of the catalogue."""
    place = f"{type(held).__module__}:{type(held).__name__}"
    for word, entry in section(catalogue_section).items():
        if entry == place:
            return word
    raise ModelError(f"{type(held).__name__} is not in the catalogue; a file can only name what is")
