"""The tyre laws of the catalogue that compute forces.

The others hold the contact point, or are C that is given when a model runs.
"""

from __future__ import annotations

from axletree.catalogue import TYRES
from axletree.core.registry import load

LAWS_OF_FORCES = [
    word for word in TYRES if word != "external" and not load("tyre law", word, TYRES).holds
]
