"""How many cores there are for this process."""

from __future__ import annotations

import os


def usable_cores() -> int:
    """Those that the operating system lets the process run on.

    Example:
    >>> from axletree.core.cores import usable_cores
    >>> usable_cores() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
