"""Every command that the pages show, as a reader types it, with times: ``make commands``.

Each runs in a process of its own. The commands of a page share a folder, which has the files of the
page; what several pages show runs with the first of them. Words choose pages whose names have them:
``python benchmarks/page_commands.py tutorials gallery``. The exit code is 1 where a command fails.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
import time
from contextlib import chdir
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from docs.page_blocks import PAGES
from docs.page_commands import MISTAKES, UNTIL_ENDED, Words, expanded, steps_of
from docs.page_files import write_files

USER_ERROR = 2  # the exit code of what is shown as a mistake


def runs_as_it_should(words: Words) -> bool:
    """Run a command in the working folder, and tell how long it takes."""
    begin, before = time.perf_counter(), sum(os.times()[2:4])
    command = [sys.executable, "-m", "axletree", *expanded(words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    taken, busy = time.perf_counter() - begin, sum(os.times()[2:4]) - before
    expected = USER_ERROR if words in MISTAKES else 0
    good = done.returncode == expected and bool(done.stdout or expected)
    print(f"{taken:7.1f} {busy:7.1f}  {'' if good else 'FAILED: '}{shlex.join(words)}", flush=True)
    if not good:
        print(f"{done.stdout}{done.stderr}")
    return good


def run_pages(pages: list[str]) -> list[Words]:
    """The commands that fail."""
    failed = []
    for page in pages:
        print(page, flush=True)
        with tempfile.TemporaryDirectory() as folder, chdir(folder):
            for words in (words for step in steps_of(page) for words in step.commands):
                write_files(page, words)
                if words not in UNTIL_ENDED and not runs_as_it_should(words):
                    failed.append(words)
    return failed


if __name__ == "__main__":
    os.environ["MPLBACKEND"] = "agg"
    chosen = [page for page in PAGES if not sys.argv[1:] or any(w in page for w in sys.argv[1:])]
    print("seconds, of the processor")
    wrong = run_pages([page for page in chosen if steps_of(page)])
    print(f"{len(wrong)} failed")
    sys.exit(bool(wrong))
