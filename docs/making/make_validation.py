"""Writes docs/reference/validation.md: runs the tests that compare, and lists what they found."""

from __future__ import annotations

import math
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "reference" / "validation.md"
sys.path.insert(0, str(ROOT / "tests"))

from agreement import SUBJECTS, Comparison, read_comparisons, short  # noqa: E402

HEAD = """\
# Validation

`make validation` writes this page: it runs the tests that compare Axletree with something else, for
a few minutes, and lists what they found. A test fails where a deviation exceeds its tolerance.

A deviation is the distance of the number here from that of the source; where the tolerance is
relative (rel.), it is divided by the latter. Of several numbers or cases a row shows the pair
nearest to its tolerance, or the largest or first if all deviations are rounding. "Derived" stands
for equations that are the same by symbolic computation. Independent models are programs written
without Axletree; where one stands beside a figure, the number is the model's, and the figure shows
the same to the eye. What is wrong in print has [a page of its own](../theory/corrections.md), and
so have comparisons with [other programs](cross-checks.md).
"""
REMARKS = {
    "tyres": """\
Where files of MFeval 4.0 and OpenTire are at hand,
`tests/wheel/tyres/test_magic_formula_references.py` holds the Magic Formula 5.2, 6.1 and 6.2
against them, to 1e-6 of the greatest of each force and moment. The files are not in the repository,
and the table does not list them.
"""
}
MARKER = "@pytest.mark.validation("
COLUMNS = ("compared", "here", "source's", "deviation", "tolerance", "source", "test")


def files_that_compare() -> list[Path]:
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return [file for file in files if MARKER in file.read_text(encoding="utf-8")]


def compare(selection: Sequence[str | Path], workers: int = 2) -> list[Comparison]:
    """Runs the marked tests of a selection of files and functions, and gives their rows."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "agreement.json"
        parallel = ["-n", str(workers), "--dist", "worksteal"] if workers > 1 else []
        command = [
            sys.executable, "-m", "pytest", "-q", "-p", "no:benchmark", "-m", "validation",
            "--hypothesis-profile=ci", f"--record-agreement={file}", *parallel,
            *map(str, selection),
        ]  # fmt: skip
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{done.stdout}{done.stderr}\nno page is written: a comparison failed")
        return list(read_comparisons(file))


def page(rows: Sequence[Comparison]) -> str:
    parts = [HEAD, summary(rows)]
    for subject, title in SUBJECTS.items():
        of_subject = [row for row in rows if row.subject == subject]
        parts.append(f"## {title}\n\n{table(of_subject)}")
        if noted := [f"- {row.what}: {row.note}\n" for row in of_subject if row.note]:
            parts.append("Where print differs, or says less:\n\n" + "".join(noted))
        if subject in REMARKS:
            parts.append(REMARKS[subject])
        parts.append(tests_of(of_subject))
    return "\n".join(parts)


def summary(rows: Sequence[Comparison]) -> str:
    groups = by_cases(rows)
    count = Counter(group[0].source.partition(",")[0] for group in groups)
    lines = [f"{len(groups)} comparisons, by what they are with:\n"]
    lines += _as_table(("source", "comparisons"), [(k, str(n)) for k, n in count.most_common()])
    return "\n".join(lines) + "\n"


def table(rows: Sequence[Comparison]) -> str:
    number = numbers_of_tests(rows)
    lines = [(*cells(cases), str(number[cases[0].test])) for cases in by_cases(rows)]
    return "\n".join(_as_table(COLUMNS, lines)) + "\n"


def numbers_of_tests(rows: Iterable[Comparison]) -> dict[str, int]:
    """Rows name a test by its number: its whole name would not stand beside them."""
    return {test: k for k, test in enumerate(dict.fromkeys(row.test for row in rows), start=1)}


def tests_of(rows: Iterable[Comparison]) -> str:
    by_file: dict[str, list[str]] = {}
    for test, number in numbers_of_tests(rows).items():
        file, _, name = test.partition("::")
        by_file.setdefault(file, []).append(f"{number} `{name}`")
    lines = [f"- `{file}`: {', '.join(names)}\n" for file, names in by_file.items()]
    return "Tests by these numbers:\n\n" + "".join(lines)


def by_cases(rows: Iterable[Comparison]) -> list[list[Comparison]]:
    """Rows that differ by their case alone are one."""
    groups: dict[tuple[str, ...], list[Comparison]] = {}
    for row in rows:
        groups.setdefault((row.test, row.what, row.unit, row.source), []).append(row)
    return list(groups.values())


def cells(cases: Sequence[Comparison]) -> tuple[str, ...]:
    """A line of the table: the first case, or the one that is nearest to its tolerance.

    It is rounded so that it is the same on every machine.
    """
    row = max(cases, key=lambda case: case.deviation / case.tolerance if is_shown(case) else 0.0)
    numbers = sum(case.numbers for case in cases)
    told = [f"{len(cases)} cases"] if len(cases) > 1 else []
    told += [f"shown: {row.case}"] if len(cases) > 1 else []
    told += [f"{numbers} numbers"] if numbers > len(cases) else []
    what = f"{row.what} [{row.unit}]" if row.unit else row.what
    what += f" ({'; '.join(told)})" if told else ""
    relative = "rel. " if row.relative else "± "
    bound = f"{relative}{short(row.tolerance, 3)}" if row.tolerance else "exact"
    return what, row.found, row.expected, deviation(row), bound, row.source


def is_shown(row: Comparison) -> bool:
    return row.deviation > row.least_shown


def deviation(row: Comparison) -> str:
    if row.deviation == 0.0 and row.tolerance == 0.0:
        return "0"
    if not is_shown(row):
        least = 10.0 ** math.ceil(math.log10(row.least_shown) - 1e-6)
        return f"< {short(min(least, row.tolerance), 3)}"
    return short(row.deviation, 1)


def _as_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [heads, ["---"] * len(heads), *([cell.replace("|", "\\|") for cell in r] for r in rows)]
    return [f"| {' | '.join(line)} |" for line in lines]


if __name__ == "__main__":
    PAGE.write_text(page(compare(files_that_compare())), encoding="utf-8")
