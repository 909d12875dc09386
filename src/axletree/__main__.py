"""The ``axletree`` command, also as ``python -m axletree``."""

from __future__ import annotations


def main() -> None:
    from axletree.cli.app import app

    app(prog_name="axletree")


if __name__ == "__main__":
    main()
