"""The ``axletree`` command, also as ``python -m axletree``."""

from __future__ import annotations

import sys

EXIT_INTERRUPTED = 130  # as of any program that Ctrl-C ends


def main() -> None:
    """The imports take a moment, in which Ctrl-C is as good as later."""
    try:
        from axletree.cli.app import app

        app(prog_name="axletree")
    except KeyboardInterrupt:
        sys.stderr.write("axletree: interrupted from the keyboard\n")
        sys.exit(EXIT_INTERRUPTED)


if __name__ == "__main__":
    main()
