"""The lines of a step as C, Python, MATLAB and Fortran.

All four have the same operations in the same order. C and Fortran call routines that fill an
array, Python and MATLAB functions that return one; C writes a loop over the states, the others
a line on whole vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from axletree.code.printers.c import c_number, wrapped_lines
from axletree.code.printers.dialect import Language
from axletree.code.printers.fortran import FORTRAN_LANGUAGE, fortran_literal
from axletree.code.printers.matlab import MATLAB_LANGUAGE, matlab_literal
from axletree.code.step_rules import Move, Rates, StatePart, StepLine, unit_fraction


def weighted_sum(
    slopes: Mapping[str, Fraction],
    entry: Callable[[str], str],
    whole: bool = True,
    number: Callable[[float], str] = repr,
) -> tuple[str, str]:
    """A factor of h, such as "h / 6.0", and the sum that it multiplies.

    Neighbours of equal weight share it: k1 + 2.0 * (k2 + k3) + k4.
    """
    unit = unit_fraction(tuple(slopes.values())) if whole else None
    factor = "h" if unit in (None, 1) else f"h / {number(float(1 / unit))}"
    runs: list[tuple[Fraction, list[str]]] = []
    for name, weight in slopes.items():
        multiple = weight if unit is None else weight / unit
        if unit is not None and runs and runs[-1][0] == multiple:
            runs[-1][1].append(entry(name))
        else:
            runs.append((multiple, [entry(name)]))
    terms = []
    for k, (multiple, names) in enumerate(runs):
        text = names[0] if len(names) == 1 else f"({' + '.join(names)})"
        if abs(multiple) != 1:
            text = f"{number(float(abs(multiple)))} * {text}"
        sign = "-" if multiple < 0 else "+"
        terms.append(f" {sign} {text}" if k else f"{sign}{text}".removeprefix("+"))
    return factor, "".join(terms)


def moved(line: Move, entry: Callable[[str], str], number: Callable[[float], str] = repr) -> str:
    """The value of a move: x + h / 6.0 * (k1 + ...)."""
    factor, text = weighted_sum(line.slopes, entry, line.whole, number)
    is_name = text in [entry(name) for name in line.slopes]
    return f"{entry('x')} + {factor} * {text if is_name else f'({text})'}"


def time_text(at: Fraction, number: Callable[[float], str] = repr) -> str:
    """t + 0.5 * h, say."""
    if at in (0, 1):
        return "t + h" if at else "t"
    return f"t + {number(float(at))} * h"


# C: a step calls ``axl_slope(run, t, x, xdot)``, which is defined around it.

_C_RANGES: Final = {
    StatePart.ALL: ("0", "NX"),
    StatePart.SPEEDS: ("0", "NP"),
    StatePart.OTHERS: ("NP", "NX"),
}


_ROUTINES: Final = {
    StatePart.ALL: "rhs",
    StatePart.SPEEDS: "speed_rates",
    StatePart.OTHERS: "other_rates",
}


def c_lines(lines: Sequence[StepLine], places: Mapping[str, str] | None = None) -> str:
    """The body of a function in C; ``places`` are arrays that stand for some of the names."""
    known = places or {}
    found: list[str] = []
    for line in lines:
        result = known.get(line.result, line.result)
        if isinstance(line, Rates):
            found += wrapped_lines(_c_rates(line, result, known.get(line.of, line.of)))
            continue
        first, end = _C_RANGES[line.part]
        shift = " - NP" if line.part is StatePart.OTHERS else ""

        def entry(name: str, shift: str = shift) -> str:
            return f"{known.get(name, name)}[i{shift if name != 'x' else ''}]"

        found.append(f"    for (i = {first}; i < {end}; ++i) {{")
        found += wrapped_lines(f"{result}[i] = {moved(line, entry, c_number)};", " " * 8)
        found.append("    }")
    return "\n".join(found)


def _c_rates(line: Rates, result: str, of: str) -> str:
    """What other rates share with those of the speeds stands behind these, in one array."""
    if line.part is StatePart.SPEEDS:
        return f"axl_speed_rates(run, t, {of}, {result});"
    if line.part is StatePart.OTHERS:
        return f"model_other_rates(t, {of}, run->u, run->c, pdot + NP, {result});"
    return f"axl_slope(run, {time_text(line.at, c_number)}, {of}, {result});"


def c_step(lines: Sequence[StepLine]) -> str:
    """The function ``axl_step``, which moves the states x from t to t + h."""
    kinds = {line.result: "NS" if line.part is StatePart.SPEEDS else "NX" for line in lines}
    arrays = [f"{name}[{kind}_ARRAY]" for name, kind in kinds.items() if name != "x"]
    declared = f"axl_real {', '.join(arrays)};"
    head = "static void axl_step(const axl_run *run, axl_real t, axl_real h, axl_real *x)"
    return "\n".join([head, "{", *wrapped_lines(declared), "    int i;", c_lines(lines), "}", ""])


# Python: a step is given the loop that it belongs to.


def python_lines(lines: Sequence[StepLine]) -> Iterator[str]:
    """Statements of Python on lists."""
    for line in lines:
        if isinstance(line, Rates):
            shared = ", pdot[n:]" if line.part is StatePart.OTHERS else ""
            called = f"{_ROUTINES[line.part]!r}, {time_text(line.at)}, {line.of}{shared}"
            yield f"{line.result} = loop.call({called})"
            continue
        x = {StatePart.ALL: "x", StatePart.SPEEDS: "x[:n]", StatePart.OTHERS: "x[n:]"}[line.part]
        names = [x, *line.slopes]
        entries = ", ".join(["x_i", *(f"{name}_i" for name in line.slopes)])
        value = moved(line, "{}_i".format)
        new = f"[{value} for {entries} in zip({', '.join(names)})]"
        before = {StatePart.OTHERS: "x[:n] + "}.get(line.part, "")
        after = {StatePart.SPEEDS: " + x[n:]"}.get(line.part, "")
        yield f"{line.result} = {before}{new}{after}"


def python_function_text(head: str, statements: Sequence[str]) -> str:
    """A function of Python."""
    return "\n".join([f"def {head}:", *(f"    {line}" for line in statements), ""])


def python_function(head: str, statements: Sequence[str]) -> Callable[..., Any]:
    """A function of printed Python, which holds nothing but what this file writes."""
    text = python_function_text(head, statements)
    namespace: dict[str, Any] = {"__builtins__": {"zip": zip, "abs": abs, "max": max}}
    exec(compile(text, f"<axletree {head}>", "exec"), namespace)
    made: Callable[..., Any] = namespace[head.partition("(")[0]]
    return made


def python_step(lines: Sequence[StepLine]) -> Callable[..., list[float]]:
    """The function of a loop, t, h and x that returns the states at t + h."""
    return python_function(
        "step(loop, t, h, x)", ["n = loop.speeds", *python_lines(lines), "return x"]
    )


# MATLAB and Fortran: on whole vectors.


@dataclass(frozen=True)
class VectorLanguage:
    """How a language with vectors spells a step."""

    language: Language
    call: str  # of a routine: its name, its arguments, its result
    rest: str  # of a vector: from n + 1 on
    end: str  # of a statement
    number: Callable[[float], str]

    def statements(self, lines: Sequence[StepLine]) -> Iterator[str]:
        """What moves x from t to t + h, with inputs u, constants c and n speeds."""
        for line in lines:
            if isinstance(line, Rates):
                shared = f", pdot{self.rest}" if line.part is StatePart.OTHERS else ""
                arguments = f"{time_text(line.at, self.number)}, {line.of}, u, c{shared}"
                call = self.call.format(_ROUTINES[line.part], arguments, line.result)
                yield f"{call}{self.end}"
            else:
                parts = {StatePart.SPEEDS: "(1:n)", StatePart.OTHERS: self.rest}
                part = parts.get(line.part, "")
                taken = {"x": f"x{part}", "pdot": "pdot(1:n)"}
                names = {name: name for name in line.slopes} | taken
                value = moved(line, names.__getitem__, self.number)
                yield f"{line.result}{part} = {value}{self.end}"

    def text(self, lines: Sequence[StepLine]) -> str:
        """The body of a function."""
        statements = self.statements(lines)
        return "\n".join(text for s in statements for text in self.language.lines(s, "    "))


MATLAB_STEPS: Final = VectorLanguage(
    MATLAB_LANGUAGE, "{2} = model_{0}({1})", "(n + 1:end)", ";", matlab_literal
)
FORTRAN_STEPS: Final = VectorLanguage(
    FORTRAN_LANGUAGE, "call {0}({1}, {2})", "(n + 1:)", "", fortran_literal
)
