"""The ``axletree`` command, also as ``python -m axletree``."""

from __future__ import annotations

import gc
import sys

# Objects between two looks for cycles among them: modules, expressions and programs are made by the
# hundred thousand and stay, and to look through them at every seventh hundred takes an eighth of
# the time of a short run.
OBJECTS_BETWEEN_COLLECTIONS = 200_000

EXIT_INTERRUPTED = 130  # as of any program that Ctrl-C ends


def main() -> None:
    """The imports take a moment, in which Ctrl-C is as good as later."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    try:
        from axletree.cli.app import app

        app(prog_name="axletree")
    except KeyboardInterrupt:
        sys.stderr.write("axletree: interrupted from the keyboard\n")
        sys.exit(EXIT_INTERRUPTED)
    finally:
        gc.freeze()  # what is left when a program ends need not be looked through


if __name__ == "__main__":
    main()
