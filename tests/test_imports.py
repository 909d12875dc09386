"""Imports point one way: a room knows the rooms before it and none after it, by import or by name.

An edge is an import statement, inside functions and for type checkers, too; a text that is the
place of a module, such as ``"axletree.system.formulation:formulate"``; or the title of a section of
the catalogue, which leads to every module of that section, and to what reads its parts from files.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from axletree import catalogue, flow

SOURCE = Path(__file__).parent.parent / "src"
ROOMS = (
    "core",
    "expr",
    "components",
    "ground",
    "wheel",
    "metrics",
    "model",
    "vehicles",
    "runs",
    "model_files",
    "equations",
    "system",
    "code",
    "controllers",
    "simulation",
    "optimisation",
    "analysis",
    "plot",
    "reports",
    "export",
    "live_pages",
    "language",
    "thesis",
    "examples",
    "gym",
    "studio",
    "cli",
)
# Modules at the root, each with a rule of its own, below.
ROOT = ("axletree", "axletree.__main__", "axletree.catalogue", "axletree.flow")
# Where something leads on to a later stage: by flow alone, and from these classes alone.
FLOWING = ("axletree.model.model", "axletree.system.system", "axletree.simulation.trajectory")
REGISTRY = "axletree.core.registry"  # loads what it is asked for, by names that others give
NAMES_ONLY = "section_names"  # lists the names of a section and loads nothing
HEAVY = ("sympy", "scipy", "matplotlib", "pandas", "casadi")
MOST_MODULES = 200  # of the package, for a car that is read

PLACE = re.compile(r"axletree(\.\w+)+(:\w+)?")


@dataclass(frozen=True)
class Edge:
    """From a module to another one: ``late`` inside a function, ``typed`` for type checkers."""

    line: int
    target: str
    late: bool = False
    typed: bool = False
    by_name: bool = False


def dotted_name(path: Path, source: Path = SOURCE) -> str:
    parts = path.relative_to(source).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {dotted_name(path): path for path in sorted((SOURCE / "axletree").rglob("*.py"))}


def room_of(module: str) -> str:
    """``axletree.wheel.tyres.fiala`` is in "wheel"; modules at the root are rooms of their own."""
    return module if module in ROOT else module.split(".")[1]


@cache
def modules_of_section(title: str) -> tuple[str, ...]:
    """The modules that a section of the catalogue leads to; files of data lead nowhere."""
    readers = [p for name, p in catalogue.PART_FILES.items() if name.startswith(f"{title}.")]
    places = [*getattr(catalogue, title).values(), *readers]
    return tuple(dict.fromkeys(p.partition(":")[0] for p in places if ".data." not in p))


TITLES = frozenset(catalogue.SECTIONS)


def edges(text: str, package: str) -> Iterator[Edge]:
    """The edges of a module's source; ``package`` is what relative imports start from."""
    yield from _edges(ast.parse(text), package, late=False, typed=False)


def _edges(node: ast.AST, package: str, late: bool, typed: bool) -> Iterator[Edge]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            for name in _imported(child, package):
                if name.split(".")[0] == "axletree":
                    yield Edge(child.lineno, name, late, typed)
        if isinstance(child, ast.Constant) and isinstance(child.value, str):
            for name in _named(child.value):
                yield Edge(child.lineno, name, True, typed, by_name=True)
        if _is_list_of_names(child):
            continue
        within = late or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            for part in child.body:
                yield from _edges(ast.Module([part], []), package, within, True)
            for part in child.orelse:
                yield from _edges(ast.Module([part], []), package, within, typed)
            continue
        yield from _edges(child, package, within, typed)


def _imported(node: ast.Import | ast.ImportFrom, package: str) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    origin = node.module or ""
    if node.level:
        parents = package.split(".")[: len(package.split(".")) - node.level + 1]
        origin = ".".join([*parents, origin] if origin else parents)
    found = (f"{origin}.{alias.name}" for alias in node.names)
    return [name if name in MODULES else origin for name in found]


def _named(text: str) -> tuple[str, ...]:
    """The modules that a text leads to."""
    if text in TITLES:
        return modules_of_section(text)
    module = text.partition(":")[0]
    return (module,) if PLACE.fullmatch(text) and module in MODULES else ()


def _is_list_of_names(node: ast.AST) -> bool:
    """A call such as ``section_names("INTEGRATORS")``."""
    return isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == NAMES_ONLY


def is_allowed(module: str, edge: Edge) -> bool:
    """Whether a module may have an edge."""
    room, target = room_of(module), room_of(edge.target)
    if module == "axletree.catalogue":
        return edge.by_name
    if module == "axletree":
        return edge.by_name or target == "axletree.catalogue"
    if module == "axletree.flow":
        return edge.late or edge.typed
    if module == "axletree.__main__":
        return edge.late and target == "cli"
    if target in ROOT:
        return (
            (target == "axletree.flow" and module in FLOWING)
            or (target == "axletree.catalogue" and module == REGISTRY and edge.by_name)
            or (target != "axletree.flow" and room == "cli")
        )
    return module == REGISTRY or ROOMS.index(target) <= ROOMS.index(room)


def forbidden_edges(module: str, text: str) -> list[str]:
    is_package = module in MODULES and MODULES[module].name == "__init__.py"
    package = module if is_package else module.rpartition(".")[0]
    return [
        f"{module}:{edge.line} {'names' if edge.by_name else 'imports'} {edge.target}"
        for edge in edges(text, package)
        if not is_allowed(module, edge)
    ]


def read(module: str) -> str:
    return MODULES[module].read_text(encoding="utf-8")


def test_every_module_belongs_to_a_room() -> None:
    assert {room_of(module) for module in MODULES} == {*ROOMS, *ROOT}


@pytest.mark.parametrize("room", [*ROOMS, *ROOT])
def test_edges_point_one_way(room: str) -> None:
    own = [module for module in MODULES if room_of(module) == room]
    assert own
    assert [fault for module in own for fault in forbidden_edges(module, read(module))] == []


def test_modules_do_not_import_one_another_in_a_circle() -> None:
    graph: Mapping[str, set[str]] = {
        module: {
            edge.target
            for edge in edges(read(module), module.rpartition(".")[0])
            if not (edge.late or edge.typed or edge.by_name) and edge.target != module
        }
        for module in MODULES
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" - ".join(error.args[1]))


@pytest.mark.parametrize(
    ("module", "statement"),
    [
        ("core.units", "import axletree.equations.tree"),
        ("core.units", "from axletree import Model"),
        ("core.units", "from axletree import catalogue"),
        ("components.joints", "from axletree.equations.tree import Tree"),
        ("equations.tree", "def late():\n    from axletree.system import system"),
        ("equations.tree", "from ..flow import ModelFlow"),
        ("equations.tree", "if TYPE_CHECKING:\n    from axletree.system.system import System"),
        ("system.assemble", "from axletree.flow import SystemFlow"),
        ("catalogue", "from axletree.core.errors import AxletreeError"),
        ("flow", "from axletree.system.formulation import formulate"),
        ("__init__", "from axletree.cli import app"),
        ("__main__", "from axletree.cli.app import app"),
        ("model.model", 'methods = section("INTEGRATORS")'),
        ("components.springs", 'law = part("TYRES", "a law")'),
        ("ground.paths", 'words = {"soil": "SOILS"}'),
        ("model.model", 'import_module("axletree.system.formulation")'),
    ],
)
def test_an_edge_backwards_is_found(module: str, statement: str) -> None:
    name = f"axletree.{module}".removesuffix(".__init__")
    assert forbidden_edges(name, statement) != []


@pytest.mark.parametrize(
    ("module", "statement"),
    [
        ("core.units", "from axletree.core.errors import AxletreeError"),
        ("core.units", "from . import errors\nimport numpy"),
        ("components.joints", "from ..core import units"),
        ("system.system", "from axletree.equations.equations import Equations"),
        ("system.system", "from axletree.flow import SystemFlow"),
        ("flow", "def late():\n    from axletree.system.formulation import formulate"),
        ("flow", "if TYPE_CHECKING:\n    import axletree.system.formulation"),
        ("cli.doctor", "from axletree import __version__"),
        ("__init__", "from axletree import catalogue"),
        ("__main__", "def main():\n    from axletree.cli.app import app"),
        ("model.model", 'methods = section_names("INTEGRATORS")'),
        ("wheel.tyre", 'law = part("TYRES", "a law")'),
        ("model_files.read", 'models = section("MODELS")'),
    ],
)
def test_an_edge_forwards_is_allowed(module: str, statement: str) -> None:
    name = f"axletree.{module}".removesuffix(".__init__")
    assert forbidden_edges(name, statement) == []


def test_a_section_leads_to_what_reads_its_parts_from_files() -> None:
    assert "axletree.wheel.tyres.law_files" in modules_of_section("TYRES")
    assert modules_of_section("MODELS") == ()


def test_the_arrows_of_the_flow_lead_to_functions_of_their_names() -> None:
    arrows = {
        (flowing, name)
        for flowing in (flow.ModelFlow, flow.SystemFlow)
        for name, arrow in vars(flowing).items()
        if isinstance(arrow, flow.Arrow)
    }
    assert (flow.SystemFlow, "simulate") in arrows
    assert all(getattr(flowing, name).__name__ == name for flowing, name in arrows)


def loaded_by(program: str) -> list[str]:
    """The modules of a fresh interpreter after a program."""
    result = subprocess.run(
        [sys.executable, "-c", f"import sys\n{program}\nprint(*sys.modules)"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return result.stdout.split()


def test_heavy_packages_are_not_imported_with_the_package() -> None:
    assert set(HEAVY) & set(loaded_by("import axletree")) == set()


def test_a_car_is_read_without_the_stages_that_come_after() -> None:
    loaded = loaded_by("import axletree\naxletree.read_model('sedan')")
    own = [name for name in loaded if name.split(".")[0] == "axletree"]
    assert len(own) < MOST_MODULES
    later = ROOMS[ROOMS.index("model_files") + 1 :]
    assert [name for name in own if name.count(".") and name.split(".")[1] in later] == []
