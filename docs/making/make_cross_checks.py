"""Writes docs/reference/cross-checks.md: runs cross_checks/, and lists what they found."""

from __future__ import annotations

from make_validation import ROOT, compare, summary, table, tests_of

PAGE = ROOT / "docs" / "reference" / "cross-checks.md"
HEAD = """\
# Cross-checks

`make cross-check` writes this page. It installs four other programs into an environment of their
own (the extra `cross-check`), builds the same bodies and joints in each and in Axletree, and lists
how far they are apart; it fails where a deviation exceeds its tolerance. The test suite does not
need them. Columns are those of the [validation](validation.md), which has what publications and
closed forms say.

| program | how it works | what is compared |
| --- | --- | --- |
| Pinocchio | recursion over joint coordinates | rates of speeds at random states |
| MuJoCo | composite bodies and a sparse factor | rates of speeds at random states |
| Drake | articulated bodies | rates of speeds at random states |
| Exudyn | bodies in Euler parameters, joints as constraints | motions over a second |

Trees are a chain with axes and inertias of any direction, and the bodies of the car and of the
skidder of Morency 2007 with forces in their joints. Velocities of free bodies are in the axes of
the body here and in Pinocchio, in those of the ground in MuJoCo and Drake; `cross_checks/trees.py`
converts them.
"""


def page() -> str:
    rows = compare(sorted((ROOT / "cross_checks").glob("test_*.py")), workers=1)
    return "\n".join(
        [HEAD, summary(rows), f"## Mechanisms and vehicles\n\n{table(rows)}", tests_of(rows)]
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
