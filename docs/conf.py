"""The site of the pages in this folder, built by ``make docs`` into out/site."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "making"))

project = "Axletree"
author = "Axletree contributors"
extensions = ["myst_nb", "mathml", "site_pages"]
exclude_patterns = ["making"]
nitpicky = True

# $...$ and $$...$$; labels of equations stand behind: $$ ... $$ (label)
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
nb_execution_mode = "off"  # notebooks come with what they show
html_math_renderer = "mathml"
# Not every system has a font for mathematics; this one comes with a package and goes with the site.
MATHEMATICS_FONT = Path(find_spec("ziamath").origin).parent / "fonts" / "STIXTwoMath-Regular.ttf"

# A block without a language is a command's output or a signature; nothing is to be guessed of it.
highlight_language = "none"
pygments_dark_style = "github-dark"  # that of the theme underlines names as if they were links
html_theme = "furo"
html_title = "Axletree"
html_static_path = ["making/static", str(MATHEMATICS_FONT)]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
