"""Which colours wheels and bodies have, so that none is taken for another."""

from __future__ import annotations

from axletree.core.plot_style import COLOURS, DARK

# A wheel has the colour of its curve in plots; past those come the same ones, deeper. Grey is left
# to bodies.
_HUES = COLOURS[:-1]
_DEEP = ("#00395a", "#7a3000", "#00563d", "#8a2f63", "#8a5a00", "#1c6d99", "#3f2685")
WHEELS = (*_HUES, *_DEEP)
GREYS = (COLOURS[-1], "#3f4954", "#b4bbc2", "#66707b")

# Each with that which it has on dark paper.
ON_DARK = {
    **{colour: DARK[colour] for colour in COLOURS},
    **dict(zip(_DEEP, ("#b9dcf5", "#ffcfae", "#a9f0da", "#fbd7ea", "#fce6b5", "#d6edfb", "#ddd2ff"),
               strict=True)),
    **dict(zip(GREYS[1:], ("#dde3e8", "#7d8893", "#c3ccd5"), strict=True)),
}  # fmt: skip


def wheel_colour(k: int) -> str:
    """Of the wheel with this number, from 0; no two of 14 are alike."""
    return WHEELS[k % len(WHEELS)]


def body_colour(k: int, wheels: int) -> str:
    """Of the body with this number, from 0, beside so many wheels: a grey or what no wheel has."""
    if not wheels:
        return COLOURS[k % len(COLOURS)]
    free = (GREYS[0], *reversed(_HUES[wheels:]), *GREYS[1:])
    return free[k % len(free)]
