"""Tables in C."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from axletree.core.expr import Table

# The number of halvings depends on the size of the table alone, so the cost is fixed.
LOOKUP = """\
static double axl_lookup(double v, int n, int width, const double *breaks, const double *rows)
{
    int row = 0;
    int half = 1;
    int k;
    double local, value;
    while (2 * half <= n) {
        half *= 2;
    }
    for (; half > 0; half /= 2) {
        row += (row + half <= n && v >= breaks[row + half - 1]) ? half : 0;
    }
    local = v - breaks[row > 0 ? row - 1 : 0];
    rows += row * width;
    value = rows[width - 1];
    for (k = width - 2; k >= 0; --k) {
        value = value * local + rows[k];
    }
    return v == v ? value : v;
}
"""


def table_functions(tables: Mapping[object, str], literal: Callable[[float], str]) -> Iterator[str]:
    for table, name in tables.items():
        assert isinstance(table, Table)
        yield _table(table, name, literal)


def _table(table: Table, name: str, literal: Callable[[float], str]) -> str:
    width = len(table.coefficients[0])
    values = [value for row in table.coefficients for value in row]
    count = len(table.breakpoints)
    return "\n".join(
        [
            f"static double {name}(double v)",
            "{",
            *_array("breaks", table.breakpoints, literal),
            *_array("rows", values, literal),
            f"    return axl_lookup(v, {count}, {width}, breaks, rows);",
            "}",
            "",
        ]
    )


def _array(
    name: str, values: Sequence[float], literal: Callable[[float], str], in_line: int = 4
) -> Iterator[str]:
    yield f"    static const double {name}[{len(values)}] = {{"
    for start in range(0, len(values), in_line):
        yield "        " + " ".join(literal(v) + "," for v in values[start : start + in_line])
    yield "    };"
