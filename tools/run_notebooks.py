"""Runs the notebooks and keeps what they show in them; ``make notebooks``.

    python tools/run_notebooks.py [NOTEBOOK ...]

What changes from run to run (times of execution, identities of cells) is left out of the files, so
that a notebook whose results are the same is the same file.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
LONGEST = 300  # s, of one cell on a slow machine


def executed(path: Path, folder: Path) -> nbformat.NotebookNode:
    """A notebook with what its cells give, run in a folder for the files that they write."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=LONGEST,
        resources={"metadata": {"path": str(folder)}},
        record_timing=False,
    )
    client.execute()
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata.pop("execution", None)
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}
    }
    return notebook


def main() -> None:
    import tempfile

    for path in [Path(name) for name in sys.argv[1:]] or sorted(FOLDER.glob("*.ipynb")):
        with tempfile.TemporaryDirectory() as folder:
            notebook = executed(path, Path(folder))
        nbformat.write(notebook, path)
        print(path.name)


if __name__ == "__main__":
    main()
