"""Reads a printed Fortran module into Python functions of arrays."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from printed.expression import FORTRAN_FUNCTIONS, Expression, check_name, solver, statements, table

WORDS = (
    "abs acos asin atan atan2 cos cosh exp log merge sin sinh sqrt tan tanh call contains data "
    "do else end function if implicit integer intent module parameter private public real "
    "result save subroutine then dp"
)
RESERVED = WORDS.split()
OWN = ("axl_power", "axl_sign", "axl_min", "axl_max", "axl_lookup", "axl_solve")
DECLARED = re.compile(r"real\(dp\)(?:, (intent\(\w+\)|save))? :: (.*)")


@dataclass
class Procedure:
    """A subroutine: its arguments, the sizes of what it declares, its statements."""

    arguments: list[str]
    sizes: dict[str, str] = field(default_factory=dict)
    body: list[str] = field(default_factory=list)


class Module:
    """The subroutines of a module, which are called with the arrays that go in."""

    def __init__(self, text: str) -> None:
        lines = statements(text.lower(), "!", " &", 132, 39)
        (self.name,) = re.findall(r"^module (\w+)$", "\n".join(lines), re.M)
        assert lines[-1] == f"end module {self.name}"
        split = lines.index("contains")
        self.constants = self._constants(lines[:split])
        self.procedures: dict[str, Procedure] = {}
        self.functions: dict[str, Callable[..., Any]] = dict(FORTRAN_FUNCTIONS)
        self._read(lines[split + 1 : -1])
        names = [*self.constants, *self.procedures, self.name]
        assert len(names) == len(set(names)), "two entities of the module have one name"

    @staticmethod
    def _constants(lines: list[str]) -> dict[str, int]:
        found: dict[str, int] = {}
        for line in lines:
            if match := re.fullmatch(r"integer, parameter, public :: (\w+) = (\d+)", line):
                check_name(match[1], RESERVED)
                assert match[1] not in found, f"{match[1]} is declared twice"
                found[match[1]] = int(match[2])
        return found

    def _read(self, lines: list[str]) -> None:
        start = 0
        while start < len(lines):
            head = re.fullmatch(
                r"(?:pure |elemental )?(subroutine|function) (\w+)\(([\w, ]*)\)(?: result\(r\))?",
                lines[start],
            )
            assert head is not None, lines[start]
            end = lines.index(f"end {head[1]} {head[2]}")
            body = lines[start + 1 : end]
            if head[2] in OWN:
                pass
            elif head[1] == "function":
                self.functions[head[2]] = _table(body)
            else:
                self.procedures[head[2]] = _procedure(head[3].split(", "), body)
            start = end + 1

    def size(self, text: str) -> int:
        return int(text) if text.isdigit() else self.constants[text]

    def run(self, name: str, *given: Any) -> np.ndarray:
        """The last argument, which is the result."""
        procedure = self.procedures[name]
        result = procedure.arguments[-1]
        out = np.full(self.size(procedure.sizes[result]), np.nan)
        self._call(name, [*given, out])
        assert not np.isnan(out).any(), f"{result} is not set in whole"
        return out

    def _call(self, name: str, given: list[Any]) -> None:
        procedure = self.procedures[name]
        variables = dict(zip(procedure.arguments, given, strict=True))
        for argument, value in variables.items():
            if np.ndim(value):
                assert len(value) == self.size(procedure.sizes[argument]), argument
        for name_, size in procedure.sizes.items():
            if name_ not in variables and size:
                variables[name_] = np.full(self.size(size), np.nan)
        for line in procedure.body:
            self._statement(line, variables, procedure)

    def _statement(self, line: str, variables: dict[str, Any], procedure: Procedure) -> None:
        if called := re.fullmatch(r"call (\w+)\((.*)\)", line):
            arguments = [self._value(text, variables) for text in called[2].split(", ")]
            if called[1] == "axl_solve":
                arguments[3][:] = solver(arguments[0], arguments[1])(arguments[2])
            else:
                self._call(called[1], arguments)
            return
        found = re.fullmatch(r"(\w+)(?:\((\d+)\))? = (.*)", line)
        assert found is not None, line
        assert found[1] in procedure.sizes, f"{found[1]} is not declared"
        value = self._value(found[3], variables)
        if found[2]:
            variables[found[1]][int(found[2]) - 1] = value
        elif procedure.sizes[found[1]]:
            variables[found[1]][:] = value
        else:
            variables[found[1]] = value

    def _value(self, text: str, variables: Mapping[str, Any]) -> Any:
        return Expression(text, variables, self.functions, fortran=True).value()


def _procedure(arguments: list[str], body: list[str]) -> Procedure:
    procedure = Procedure(arguments)
    for line in body:
        if declared := DECLARED.fullmatch(line):
            for name, size in re.findall(r"(\w+)(?:\((\w+)\))?(?:, |$)", declared[2]):
                check_name(name, RESERVED)
                assert name not in procedure.sizes, f"{name} is declared twice"
                procedure.sizes[name] = size
        else:
            procedure.body.append(line)
    assert set(arguments) <= set(procedure.sizes)
    return procedure


def _table(body: list[str]) -> Callable[[float], float]:
    values: dict[str, list[float]] = {"breaks": [], "rows": []}
    for line in body:
        if data := re.fullmatch(r"data \((\w+)\(k\), k = (\d+), (\d+)\) / (.*) /", line):
            numbers = [float(text.removesuffix("_dp")) for text in data[4].split(", ")]
            assert int(data[2]) == len(values[data[1]]) + 1
            values[data[1]] += numbers
            assert int(data[3]) == len(values[data[1]])
    return table(values["breaks"], values["rows"])
