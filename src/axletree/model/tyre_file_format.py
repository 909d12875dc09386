"""Which law a tyre property file is for, from ``FITTYP`` and ``PROPERTY_FILE_FORMAT``.

Neither key tells alone: MF-Tyre numbers its formulas by FITTYP, in which 6 is version 5.2;
Adams names the format, and its PAC2002 files carry no FITTYP, or 5, or 6.
"""

from __future__ import annotations

import enum

from axletree.core.errors import ModelError


class TyreFormat(enum.Enum):
    """The laws whose parameters stand in property files."""

    MF50 = "Magic Formula 5.0"
    MF52 = "Magic Formula 5.2"
    PAC2002 = "PAC2002"
    MF61 = "Magic Formula 6.1"
    MF62 = "Magic Formula 6.2"
    FIALA = "Fiala"


FORMAT_KEYS = ("FITTYP", "PROPERTY_FILE_FORMAT")  # of the section [MODEL]
_BY_NUMBER = {
    5: TyreFormat.MF50,
    6: TyreFormat.MF52,
    52: TyreFormat.MF52,
    61: TyreFormat.MF61,
    62: TyreFormat.MF62,
}
_BY_NAME = {
    "PAC2002": TyreFormat.PAC2002,
    "FIALA": TyreFormat.FIALA,
    "MF_05": TyreFormat.MF50,
}
# Names that say only whose file it is: the number decides.
_NAMES_WITHOUT_LAW = {"", "USER", "MF_05", "MF-TYRE", "MF_TYRE", "MF-SWIFT", "MF_SWIFT"}
_PAC2002_NUMBERS = {None, 5, 6, 52}


def recognised_format(number: float | str | None, name: float | str | None) -> TyreFormat:
    """The law of a file with these values of FITTYP and PROPERTY_FILE_FORMAT (None: absent)."""
    word = "" if name is None else str(name).strip().upper()
    found = f"FITTYP is {_shown(number)} and PROPERTY_FILE_FORMAT is {_shown(name)}"
    if number is not None and number not in _BY_NUMBER:
        known = ", ".join(f"{key} ({law.value})" for key, law in _BY_NUMBER.items())
        raise ModelError(f"{found}: this FITTYP is not known; expected one of {known}")
    if word == "PAC2002" and number not in _PAC2002_NUMBERS:
        raise ModelError(f"{found}: the two contradict each other; PAC2002 goes with 5, 6 or none")
    if number is not None and word in _NAMES_WITHOUT_LAW:
        return _BY_NUMBER[int(number)]
    if word in _BY_NAME:
        return _BY_NAME[word]
    raise ModelError(
        f"{found}: these do not tell the law; expected a FITTYP among "
        f"{', '.join(map(str, _BY_NUMBER))}, or a format among {', '.join(_BY_NAME)}"
    )


def _shown(value: float | str | None) -> str:
    if value is None:
        return "absent"
    return f"{value:g}" if isinstance(value, float) else repr(value[:40])
