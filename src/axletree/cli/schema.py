"""``axletree schema``: the JSON schema of model files, for editors and other tools."""

from __future__ import annotations

import json

import typer

from axletree.model.schema import model_schema


def schema() -> None:
    """Print the JSON schema of model files.

    Example: axletree schema > axletree-model.json
    """
    typer.echo(json.dumps(model_schema(), indent=2))
