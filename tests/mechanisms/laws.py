"""The tyre laws of the catalogue that compute forces; the others hold the contact point."""

from __future__ import annotations

from axletree.catalogue import TYRES
from axletree.core.registry import load

LAWS_OF_FORCES = [word for word in TYRES if not load("tyre law", word, TYRES).holds]
