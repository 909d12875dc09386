"""Formulas of pages as MathML, which browsers show without any script: a renderer for Sphinx.

What the converter cannot read is a warning, which fails the build.
"""

from __future__ import annotations

import re

from docutils import nodes
from docutils.utils.math import MathError
from mathml_tree import mathml
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

LOG = logging.getLogger(__name__)
TAG = re.compile(r"\\tag\{([^{}]*)\}")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def visit_inline(page: HTML5Translator, node: nodes.math) -> None:
    page.body.append(converted(node, node.astext(), as_block=False))
    raise nodes.SkipNode


def visit_block(page: HTML5Translator, node: nodes.math_block) -> None:
    """A formula; to its right stands its number, if it has a label, or the text of its tag."""
    text, tags = TAG.sub("", node.astext()), TAG.findall(node.astext())
    # The theme puts a box that scrolls around a formula and gives it the anchors, too.
    own = [] if node.parent["ids"] == node["ids"] else node["ids"]
    page.body.append(page.starttag(nodes.Element(), "div", CLASS="math", IDS=own))
    page.body.append(converted(node, text, as_block=True))
    if tags:
        page.body.append(f'<span class="eqno">({page.encode(", ".join(tags))})</span>')
    elif node["number"]:
        page.body.append(f'<span class="eqno">({get_node_equation_number(page, node)})')
        page.add_permalink_ref(node, "Link to this equation")
        page.body.append("</span>")
    page.body.append("</div>\n")
    raise nodes.SkipNode


def converted(node: nodes.Node, text: str, *, as_block: bool) -> str:
    try:
        return mathml(text, as_block=as_block)
    except (MathError, IndexError, TypeError) as error:  # all of which wrong formulas lead to
        LOG.warning("%s; in the formula %s", error, text.strip(), location=node)
        return ""
