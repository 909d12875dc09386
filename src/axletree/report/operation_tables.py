"""Tables of operation counts: the three blocks, and the values of a component."""

from __future__ import annotations

from collections.abc import Sequence

from axletree.analysis.contact_sequence import WrittenVariable
from axletree.analysis.operations import Operations
from axletree.analysis.sequence_counts import SequenceCount
from axletree.core.expr import OperationCount
from axletree.report.text_table import TextTable

COUNTS = ("+", "*", "/", "f")


def count_cells(count: OperationCount) -> tuple[str, str, str, str]:
    """Additions, multiplications, divisions, functions."""
    numbers = (count.additions, count.multiplications, count.divisions, count.functions)
    a, b, c, d = (str(number) for number in numbers)
    return a, b, c, d


def block_table(operations: Operations) -> TextTable:
    """The blocks of the right-hand side (Morency 2007, section 4.4), and what runs less often."""
    blocks = operations.rows[:3]
    rows: list[tuple[str, ...]] = []
    for number, (title, count) in enumerate(blocks, start=1):
        rows.append((f"{number}  {title}", *count_cells(count)))
        if number == 2:
            rows += [
                (f"     {c.name}, each of {c.calls}", *count_cells(c.each))
                for c in operations.calls
            ]
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
                *count_cells(row.substituted),
                "|",
                *count_cells(row.sequence),
                "|",
                *count_cells(row.shared),
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
            (
                row.name,
                *count_cells(row.substituted),
                "|",
                *count_cells(row.sequence),
                ", ".join(row.left),
            )
            for row in rows
        ),
        (
            "Left: complete substitution (4.4). Right: computational sequence (4.5).",
            "As there, f counts x(t) as one function and its derivative as two.",
        ),
    )
