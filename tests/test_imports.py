"""Imports point one way: a stage knows the stages before it and none after it."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src"
STAGES = (
    "core",
    "library",
    "model",
    "vehicles",
    "graph",
    "formulation",
    "system",
    "code",
    "simulation",
    "analysis",
    "export",
    "report",
    "catalogue",
    "pipeline",
    "language",
    "examples",
    "cli",
)
HEAVY = ("sympy", "scipy", "matplotlib", "pandas", "casadi")
MODULES = sorted((SOURCE / "axletree").rglob("*.py"))


def dotted_name(path: Path, source: Path = SOURCE) -> str:
    parts = path.relative_to(source).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def stage_of(module: str) -> str:
    """``axletree.expr`` belongs to "core"; the package and its command to "axletree"."""
    parts = module.removesuffix(".__main__").split(".")
    return parts[1] if len(parts) > 1 else "axletree"


def imported_modules(path: Path, source: Path = SOURCE) -> Iterator[tuple[int, str]]:
    """Every import statement of a file, inside functions too: its line and the full name."""
    module = dotted_name(path, source)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = node.module or ""
            if node.level:
                parents = package.split(".")[: len(package.split(".")) - node.level + 1]
                origin = ".".join([*parents, origin] if origin else parents)
            yield from ((node.lineno, f"{origin}.{alias.name}") for alias in node.names)


def stages_seen_by(stage: str) -> tuple[str, ...]:
    """The stages that a module of ``stage`` may import from."""
    if stage == "axletree":
        return (*STAGES, "axletree")
    if stage == "catalogue":
        return ("catalogue",)
    seen = STAGES[: STAGES.index(stage) + 1]
    return (*seen, "axletree") if stage == "cli" else seen


def forbidden_imports(path: Path, source: Path = SOURCE) -> list[str]:
    module = dotted_name(path, source)
    allowed = stages_seen_by(stage_of(module))
    return [
        f"{module}:{line} imports {name}"
        for line, name in imported_modules(path, source)
        if name.split(".")[0] == "axletree" and target_stage(name) not in allowed
    ]


def target_stage(name: str) -> str:
    """``from axletree import core`` is an import of core, ``... import Model`` of the package."""
    stage = stage_of(name)
    return stage if stage in STAGES else "axletree"


def test_every_module_belongs_to_a_stage() -> None:
    strays = [dotted_name(path) for path in MODULES if stage_of(dotted_name(path)) not in STAGES]
    assert strays == ["axletree", "axletree.__main__"]


@pytest.mark.parametrize("stage", [*STAGES, "axletree"])
def test_imports_point_one_way(stage: str) -> None:
    paths = [path for path in MODULES if stage_of(dotted_name(path)) == stage]
    assert [fault for path in paths for fault in forbidden_imports(path)] == []


@pytest.mark.parametrize(
    ("module", "statement"),
    [
        ("core/frames", "import axletree.equations.tree"),
        ("core/frames", "from axletree import Model"),
        ("core/registry", "from axletree import catalogue"),
        ("library/revolute", "from axletree.equations.tree import Tree"),
        ("graph/tree", "def late():\n    from axletree.formulation import equations"),
        ("graph/tree", "from ..pipeline import formulate"),
        ("system/system", "from .. import code"),
        ("catalogue/tyres", "from axletree.core.errors import AxletreeError"),
        ("pipeline", "import axletree.cli.app"),
    ],
)
def test_a_backward_import_is_found(tmp_path: Path, module: str, statement: str) -> None:
    assert forbidden_imports(write_module(tmp_path, module, statement), tmp_path) != []


@pytest.mark.parametrize(
    ("module", "statement"),
    [
        ("core/frames", "from axletree.core.errors import AxletreeError"),
        ("core/frames", "from . import errors\nimport numpy"),
        ("library/joints/revolute", "from ...core import quantity"),
        ("system/system", "from axletree.equations.equations import Equations"),
        ("catalogue/__init__", "from axletree.catalogue import TYRES"),
        ("cli/doctor", "from axletree import __version__"),
        ("__init__", "from axletree.cli import app"),
    ],
)
def test_a_forward_import_is_allowed(tmp_path: Path, module: str, statement: str) -> None:
    assert forbidden_imports(write_module(tmp_path, module, statement), tmp_path) == []


def write_module(source: Path, module: str, text: str) -> Path:
    path = source / "axletree" / f"{module}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_heavy_packages_are_not_imported_with_the_package() -> None:
    program = f"import sys, axletree; print([name for name in {HEAVY} if name in sys.modules])"
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"
