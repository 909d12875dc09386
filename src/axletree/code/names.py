"""The names of a program in a language: no two alike, none that the language has for itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from axletree.code.identifier import OWN_PREFIX, unused
from axletree.code.language import Language
from axletree.code.program import CallGroup, Program
from axletree.code.special import groups_of, tables_and_functions
from axletree.core.errors import ExportError
from axletree.core.expr import CalledFunction, Expr, ExternalFunction
from axletree.core.expr.linear_solve import solver_size

ARRAYS = ("t", "x", "u", "c", "p", "y", "j", "s", "xdot", "zdot", "xnew", "in", "prepared", "out")
Variant = tuple[CalledFunction, tuple[int, ...]]  # a function, and which arguments stand in c


@dataclass(frozen=True)
class Names:
    """The names of a program in a language: of its quantities, variables and functions."""

    symbols: Mapping[Expr, str]
    variables: Mapping[str, str]  # by identifier
    tables: Mapping[object, str]
    functions: Mapping[Variant, str]
    groups: Mapping[Variant, CallGroup]  # one that calls each function

    @classmethod
    def of(cls, program: Program, language: Language, prefix: str, taken: Iterable[str]) -> Self:
        """Tables and functions have the ``prefix``; no variable has one of the names ``taken``."""
        groups = _variants(program)
        _check_external((function for function, _ in groups), language)
        of_tables, of_functions = tables_and_functions(program)
        texts = [of_functions[function] for function, _ in groups]
        kinds = [*of_tables.values(), *_numbered(texts)]
        legal = language.names((prefix + text.removeprefix(OWN_PREFIX) for text in kinds), taken)
        own = list(legal.values())
        tables = dict(zip(of_tables, own, strict=False))
        functions = dict(zip(groups, own[len(tables) :], strict=True))
        local = [text for routine in program.routines for text in routine.names.values()]
        wanted = [*program.identifiers.values(), *local, *map(given, local)]
        found = language.names(wanted, (*ARRAYS, *taken, *own))
        symbols = {e: found[text] for e, text in program.identifiers.items()}
        return cls(symbols, found, tables, functions, groups)


def _variants(program: Program) -> dict[Variant, CallGroup]:
    """The functions that are called, with a group that calls each."""
    found: dict[Variant, CallGroup] = {}
    for group in (g for routine in program.routines for g in groups_of(routine)):
        if isinstance(group, CallGroup):
            found.setdefault((group.function, group.prepared), group)
    return found


def given(name: str) -> str:
    """The array of arguments of the call with this name."""
    return f"{name}_in"


def _check_external(functions: Iterable[CalledFunction], language: Language) -> None:
    names = [
        function.name
        for function in functions
        if isinstance(function, ExternalFunction) and solver_size(function) is None
    ]
    if names:
        raise ExportError(
            f"{', '.join(sorted(set(names)))}: known as C text alone, which {language.name} does "
            "not have; export the system as C, or use parts that are expressions (a law or a "
            "surface that is looked up in a grid, or given in C, is not)"
        )


def _numbered(texts: Iterable[str]) -> list[str]:
    """The texts, those that occur again with a number."""
    used: set[str] = set()
    found = []
    for text in texts:
        found.append(unused(text, used))
        used.add(found[-1])
    return found
