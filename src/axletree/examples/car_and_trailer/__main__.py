"""The case study: ``python -m axletree.examples.car_and_trailer FOLDER`` draws its figures."""

from __future__ import annotations

import sys
from pathlib import Path

from axletree.examples.car_and_trailer.results import draw_figures


def main(arguments: list[str]) -> None:
    """Draw all figures into the folder that is named, or into the one at hand."""
    if len(arguments) > 1:
        sys.exit("expected at most one folder: python -m axletree.examples.car_and_trailer FOLDER")
    for path in draw_figures(Path(arguments[0] if arguments else ".")):
        print(path)


if __name__ == "__main__":
    main(sys.argv[1:])
