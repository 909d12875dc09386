"""``axletree studio``: build and tune a vehicle in a page of this machine."""

from __future__ import annotations

import signal
import threading
import webbrowser
from contextlib import suppress
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import typer

from axletree.cli.options import argument, option
from axletree.core.errors import AxletreeError
from axletree.core.registry import section
from axletree.model_files.included_files import SUFFIXES
from axletree.studio.project import StudioError
from axletree.studio.server import StudioServer
from axletree.studio.studio import Studio


def studio_command(
    car: Annotated[
        str | None,
        argument("CAR", "A model file, or a name of the catalogue, of which a copy begins."),
    ] = None,
    folder: Annotated[
        Path | None,
        option("--folder FOLDER", "Of the project. Default: that of CAR, or the current one."),
    ] = None,
    port: Annotated[int, option("--port PORT", "Of the address. Default: one that is free.")] = 0,
    browser: Annotated[
        bool, option("--browser/--no-browser", "Open the address in the browser.")
    ] = True,
) -> None:
    """Open a studio: build and tune vehicles in a page, with forms, pictures and runs.

    The page is on this machine alone. Ctrl-C ends it.

    Example: axletree studio car.yaml
    """
    top, name, base = _asked(car, folder)
    try:
        server = StudioServer(top, port)
    except (OSError, OverflowError) as error:
        raise StudioError(f"port {port} cannot be used: {error}; try another --port") from None
    signal.signal(signal.SIGTERM, _interrupt)  # whose jobs end with it
    with server, suppress(KeyboardInterrupt):
        hashed = ""
        if name:
            if base:
                server.studio.create({"name": name, "base": base})
            else:
                server.studio.open({"name": name})
            hashed = f"#{quote(name)}"
            look = threading.Thread(target=_look, args=(server.studio, name), daemon=True)
            look.start()  # while the browser opens
        address = f"{server.access.address}{hashed}"
        typer.echo(f"studio: {address}")
        typer.echo("Ctrl-C ends it; whoever has the address can use it on this machine")
        if browser:
            webbrowser.open(address)
        server.serve_forever()


def _look(studio: Studio, name: str) -> None:
    with suppress(AxletreeError):  # which the page shows
        studio.inspect({"name": name})


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def _asked(car: str | None, folder: Path | None) -> tuple[Path, str, str]:
    """The project's folder, the file in it to begin with, and the model that this is based on."""
    top = folder or Path()
    if folder is not None and not folder.is_dir():
        raise StudioError(f"{folder} is no folder; give one that is there")
    if car is None:
        return top, "", ""
    if car.endswith(SUFFIXES):
        path = Path(car)
        if not path.is_file():
            raise StudioError(f"{car}: there is no such file")
        if folder is None:
            return path.parent, path.name, ""
        try:
            return top, path.resolve().relative_to(top.resolve()).as_posix(), ""
        except ValueError:
            raise StudioError(f"{car} is not in the folder {folder}") from None
    if Path(car).is_dir():
        raise StudioError(f"{car} is a folder; write --folder {car} to work in it")
    if car not in section("MODELS"):
        raise StudioError(f"{car!r} is neither a model file nor a name of `axletree list models`")
    return top, _free_name(top, car), car


def _free_name(top: Path, base: str) -> str:
    """Of a new file that is not there yet."""
    names = (f"my-{base}{'' if k == 1 else f'-{k}'}.yaml" for k in range(1, 1000))
    found = next((name for name in names if not (top / name).exists()), None)
    if found is None:
        raise AxletreeError(f"{top} has no name left for a new {base}")
    return found
