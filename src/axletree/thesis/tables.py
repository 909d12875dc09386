"""Tables of operation counts, and tables 4.4, 4.5 and 5.1 to 5.6 of Morency 2007 beside ours.

The numbers of Morency 2007 stand first, as they are printed there. Maple 10 on a 3.2 GHz Pentium 4
generated the code; Simulink ran it, 10 s at steps of 1 ms by explicit Euler. Functions in tables
4.4 and 4.5 count x(t) as one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Final

from axletree.code.system_operations import Operations
from axletree.core.text_table import TextTable
from axletree.expr import OperationCount
from axletree.thesis.code_measure import DriveTime, MeasuredCode
from axletree.thesis.sequences import SequenceCount, WrittenVariable
from axletree.thesis.stages import SKIDDER, THESIS_CAR, MeasuredStage

COUNTS = ("+", "*", "/", "f")


def count_cells(*counts: OperationCount | None) -> tuple[str, ...]:
    """Additions, multiplications, divisions, functions; those of several counts are set apart."""
    first, *others = (
        (NO_VALUE,) * len(COUNTS) if count is None else tuple(map(str, astuple(count)))
        for count in counts
    )
    return (*first, *(cell for other in others for cell in ("|", *other)))


def block_table(operations: Operations) -> TextTable:
    """The blocks of the right-hand side (Morency 2007, section 4.4), and what runs less often."""
    blocks = operations.rows[:3]
    rows: list[tuple[str, ...]] = []
    for number, (title, count) in enumerate(blocks, start=1):
        rows.append((f"{number}  {title}", *count_cells(count)))
        for c in operations.calls if number == 2 else ():
            rows.append((f"     {c.name}, each of {c.calls}", *count_cells(c.each)))
    rows += [(title, *count_cells(count)) for title, count in operations.rows[3:]]
    return TextTable("operations", ("block:", *COUNTS), tuple(rows))


def sequence_table(component: str, rows: Sequence[SequenceCount]) -> TextTable:
    """What the values of a component cost, in three ways of writing them."""
    return TextTable(
        f"{component}: complete substitution, computational sequence, shared code",
        ("value:", *COUNTS, "", *COUNTS, "", *COUNTS, "by name in the sequence:"),
        tuple(
            (
                row.quantity.name.removeprefix(f"{component}."),
                *count_cells(row.substituted, row.sequence, row.shared),
                ", ".join(row.left),
            )
            for row in rows
        ),
        (
            "Complete substitution: in states and inputs alone, every operation where it stands.",
            "Sequence: values above stand by name, the rest is written out.",
            "Shared code: each operation once, whatever was computed for the values above is free.",
        ),
    )


def contact_table(component: str, rows: Sequence[WrittenVariable]) -> TextTable:
    """The same for the variables of a tyre as Morency 2007 writes them, tables 4.4 and 4.5."""
    return TextTable(
        f"{component}: in road axes, as in Morency 2007, tables 4.4 and 4.5",
        ("variable:", *COUNTS, "", *COUNTS, "by name in the sequence:"),
        tuple(
            (row.name, *count_cells(row.substituted, row.sequence), ", ".join(row.left))
            for row in rows
        ),
        (
            "Left: complete substitution (4.4). Right: computational sequence (4.5).",
            "As there, f counts x(t) as one function and its derivative as two.",
        ),
    )


SIMPLIFICATIONS = {"none": "cotree", "simplify": "simplify", "combine": "combine"}
_PLACES = {"cotree": "cotree", "tree": "tree"}
_LAWS = {"magic-formula-5.2": "cotree", "fiala": "fiala"}
OURS, RATIO = "axletree", "measured/printed"
NO_VALUE = "-"
DURATION = 10.0  # s, of every drive

_COLUMNS = (
    "row:", "by:", *COUNTS, "assign.", "generated in s",
    "sine steer s", "braking s", "RK4 sine s", "RK4 braking s",
)  # fmt: skip
_CODE_NOTE = (
    "Operations of the main code: called functions (tyre law, slip) are counted in table 5.3.",
    "Times: 10 s at steps of 1 ms by explicit Euler, and by Runge and Kutta where they stand. "
    "* not converged.",
)


def sequence_tables(rows: Sequence[WrittenVariable]) -> Iterator[TextTable]:
    """Complete substitution and computational sequence of the car's front left tyre."""
    for title, theirs, ours in (
        ("4.4: complete substitution", TABLE_4_4, {r.name: r.substituted for r in rows}),
        ("4.5: computational sequence", TABLE_4_5, {r.name: r.sequence for r in rows}),
    ):
        pairs = {name: (theirs.get(name), count) for name, count in ours.items()}
        yield TextTable(
            f"Table {title}, front left tyre of the car",
            ("variable:", *COUNTS, "", *(f"{sign} " for sign in COUNTS), ":"),
            tuple((name, *count_cells(*pair), _verdict(*pair)) for name, pair in pairs.items()),
            (f"Left: {CITATION}, as printed_tables. Right: {OURS}, vectors in road axes.",),
        )


def _verdict(theirs: OperationCount | None, ours: OperationCount) -> str:
    if theirs is None:
        return "not printed"
    return "" if theirs == ours else "differs"


def code_tables(measured: MeasuredStage) -> Iterator[TextTable]:
    """Tables 5.1 to 5.6, in their order."""
    written, place = "simplification of intermediate variables", "place of the tyre edges"
    car = measured.rows(THESIS_CAR, SIMPLIFICATIONS), measured.rows(THESIS_CAR, _PLACES)
    skidder = measured.rows(SKIDDER, SIMPLIFICATIONS), measured.rows(SKIDDER, _PLACES)
    yield _table(f"5.1: {written}, the car", TABLE_5_1, car[0])
    yield _table(f"5.2: {place}, the car", TABLE_5_2, car[1])
    yield _law_table(measured.laws)
    yield _table("5.4: tyre law, the car", TABLE_5_4, measured.rows(THESIS_CAR, _LAWS))
    yield _table(f"5.5: {written}, the skidder", TABLE_5_5, skidder[0])
    yield _table(f"5.6: {place}, the skidder", TABLE_5_6, skidder[1])


def _table(
    title: str, theirs: Mapping[str, PrintedCode], ours: Mapping[str, MeasuredCode]
) -> TextTable:
    rows: list[tuple[str, ...]] = []
    notes = [*_CODE_NOTE, *_first_row_notes(ours)]
    for name, code in theirs.items():
        rows.append((name, CITATION, *_printed_cells(code)))
        if name not in ours:
            continue
        found = ours[name]
        rows.append((f"  {found.states} states", OURS, *_measured_cells(found)))
        rows.append(("", RATIO, *_ratio_cells(code, found)))
        if found.left:
            notes.append(f"{name}: out of time, left as they were: {', '.join(found.left)}.")
    return TextTable(f"Table {title}", _COLUMNS, tuple(rows), tuple(notes))


def _first_row_notes(ours: Mapping[str, MeasuredCode]) -> Iterator[str]:
    """What a reader wants to know of the plain vehicle besides."""
    for name, code in list(ours.items())[:1]:
        ratio = DURATION / code.drives["sine-steer"].euler
        quick = f"sine steer {ratio:.0f} times as fast as real time."
        yield f"{name}: {code.with_lag} with the slip functions; {quick}"


def _printed_cells(code: PrintedCode) -> tuple[str, ...]:
    star = "" if code.converged else "*"
    return (
        *count_cells(code.operations),
        NO_VALUE if code.assignments is None else str(code.assignments),
        NO_VALUE if code.generation is None else f"{code.generation:.1f}",
        f"{code.sine_steer:.2f}{star}",
        f"{code.braking:.2f}{star}",
        NO_VALUE,
        NO_VALUE,
    )


def _measured_cells(code: MeasuredCode) -> tuple[str, ...]:
    sine, braking = code.drives["sine-steer"], code.drives["braking"]
    return (
        *count_cells(code.operations.main_code),
        str(code.operations.assignments),
        f"{code.generation:.2f}",
        _euler(sine),
        _euler(braking),
        _seconds(sine.runge_kutta),
        _seconds(braking.runge_kutta),
    )


def _euler(drive: DriveTime) -> str:
    return f"{_seconds(drive.euler)}{'*' if drive.converged is False else ''}"


def _seconds(value: float | None) -> str:
    return NO_VALUE if value is None else f"{value:.4f}"


def _ratio_cells(theirs: PrintedCode, ours: MeasuredCode) -> tuple[str, ...]:
    pairs = (
        *zip(astuple(ours.operations.main_code), astuple(theirs.operations), strict=True),
        (ours.operations.assignments, theirs.assignments),
        (ours.generation, theirs.generation),
        (ours.drives["sine-steer"].euler, theirs.sine_steer),
        (ours.drives["braking"].euler, theirs.braking),
    )
    return (*(f"{mine / their:.3f}" if their else "" for mine, their in pairs), "", "")


def _law_table(ours: Mapping[str, OperationCount]) -> TextTable:
    return TextTable(
        "Table 5.3: one call of a tyre law",
        ("law:", *COUNTS, "", *(f"{sign} " for sign in COUNTS)),
        tuple((name, *count_cells(TABLE_5_3.get(name), count)) for name, count in ours.items()),
        (
            f"Left: {CITATION}, at arguments for which no branch saves work. Right: {OURS}, both "
            "sides of every branch; what parameters alone decide is computed once.",
        ),
    )


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
