"""The numbers of Morency 2007 that ours are set beside, as they are printed there.

Maple 10 on a 3.2 GHz Pentium 4 generated the code; Simulink ran it, 10 s at steps of 1 ms
by explicit Euler. Functions in tables 4.4 and 4.5 count x(t) as one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from axletree.expr import OperationCount

CITATION: Final = "Morency 2007"


def _counts(text: str) -> dict[str, OperationCount]:
    rows = (line.split() for line in text.strip().splitlines())
    return {name: OperationCount(*map(int, numbers)) for name, *numbers in rows}


# S and alpha are not in table 4.4: "too large to evaluate".
TABLE_4_4: Final[Mapping[str, OperationCount]] = _counts(
    """
    r_Q/C    13    27   0    64
    u_z       0     0   0     0
    u_x      14    44   0   112
    u_y      15    44   0   112
    gamma    17    54   0   132
    R_l      20    59   1   145
    F_z      31    74   1   168
    r_P/C   128   390   3   945
    R_eff    41   121   2   291
    r_E/C   197   576   6  1383
    Omega    67   166   1   430
    V_Cx     37    78   0   186
    V_Cy     37    78   0   186
    V_Px    243   672   4  1644
    V_Py    243   672   4  1644
    V_Ex    335   920   8  2228
    V*_Px   331   898   6  2219
    V*_Ex   446  1208  11  2949
    """
)
TABLE_4_5: Final[Mapping[str, OperationCount]] = _counts(
    """
    r_Q/C    13    27   0    64
    u_z       0     0   0     0
    u_x      14    44   0   112
    u_y      15    44   0   112
    gamma    15    39   0    93
    R_l       3     5   1    13
    F_z      11    15   0    23
    r_P/C     1     5   0     3
    R_eff     1     3   0     1
    r_E/C     0     3   3     0
    Omega    32    58   1   168
    V_Cx     33    46   0    97
    V_Cy     33    46   0    97
    V_Px     41    71   0   197
    V_Py     41    71   0   197
    V_Ex     41    71   0   197
    V*_Px     1     1   0     0
    V*_Ex     1     1   0     0
    S         0     0   1     1
    alpha     0     0   1     2
    """
)


@dataclass(frozen=True)
class PrintedCode:
    """A row of a table of chapter 5: what the code costs and how long it takes."""

    operations: OperationCount  # of the main code: tyre functions are counted apart
    sine_steer: float  # [s] for 10 s
    braking: float  # [s] for 10 s
    generation: float | None = None  # [s]
    assignments: int | None = None
    converged: bool = True


_CAR: Final = PrintedCode(OperationCount(1293, 1773, 24, 61), 0.45, 0.48, 13.5, 1470)
_SKIDDER: Final = PrintedCode(OperationCount(1457, 2282, 16, 49), 0.31, 0.32, 11.4)

TABLE_5_1: Final[Mapping[str, PrintedCode]] = {  # the car, by simplification
    "none": _CAR,
    "simplify": PrintedCode(OperationCount(2365, 3889, 28, 118), 0.51, 0.53, 23.8),
    "combine": PrintedCode(OperationCount(2867, 4539, 24, 192), 0.59, 0.63, 40.2),
}
TABLE_5_2: Final[Mapping[str, PrintedCode]] = {  # the car, by place of the tyre edges
    "cotree": _CAR,
    "tree": PrintedCode(OperationCount(5644, 9611, 37, 95), 0.65, 0.65, converged=False),
}
TABLE_5_3: Final[Mapping[str, OperationCount]] = {  # one call of a tyre function
    "magic-formula-5.2": OperationCount(84, 205, 23, 46),
    "fiala": OperationCount(16, 33, 5, 11),
}
TABLE_5_4: Final[Mapping[str, PrintedCode]] = {  # the car, by tyre law
    "magic-formula-5.2": _CAR,
    "fiala": PrintedCode(OperationCount(1233, 1684, 24, 61), 0.30, 0.36, assignments=976),
}
TABLE_5_5: Final[Mapping[str, PrintedCode]] = {  # the skidder, by simplification
    "none": _SKIDDER,
    "simplify": PrintedCode(OperationCount(2445, 4484, 20, 118), 0.36, 0.37, 19.6),
    "combine": PrintedCode(OperationCount(3303, 5803, 16, 198), 0.44, 0.46, 37.2),
}
TABLE_5_6: Final[Mapping[str, PrintedCode]] = {  # the skidder, by place of the tyre edges
    "cotree": _SKIDDER,
    "tree": PrintedCode(OperationCount(6765, 8705, 36, 95), 0.51, 0.54),
}
