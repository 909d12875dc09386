"""The JSON schema of model files, ready to check documents: it takes longer to open than to use."""

from __future__ import annotations

from functools import cache

import jsonschema

from axletree.model_files.schema import model_schema


@cache
def validator() -> jsonschema.Draft202012Validator:
    """That the schema is one is a test of its own, in test_schema.py."""
    return jsonschema.Draft202012Validator(model_schema())
