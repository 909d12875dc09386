"""LaTeX formulas as MathML: the converter of docutils, and what browsers need beyond it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from docutils.utils.math.latex2mathml import accents, tex2mathml

SPACE = "http://www.w3.org/1998/Math/MathML"
THIN = "0.1667em"  # between the name of a function and its neighbours
PRIME = "\u2032"
APPLY = "\u2061"  # invisible, between a function and what it is of
# The converter takes all that follows a bold symbol into it; it has bold letters, Greek ones too.
BOLD = re.compile(r"\\boldsymbol(?=\W)")
# An opening bar of its own would be as high as the line, the closing one not.
BAR = re.compile(r"\\[lr]vert(?![a-zA-Z])")
# It aligns the lines of any block; what only says so in LaTeX is unknown to it.
BLOCK = re.compile(r"\\(begin|end)\{(align|equation|gather)\*?\}")
# Matrices as SymPy writes them, which the converter knows by another name.
MATRIX = re.compile(r"\\left\[\\begin\{array\}\{c+\}(.*?)\\end\{array\}\\right\]", re.DOTALL)
ET.register_namespace("", SPACE)


def mathml(text: str, *, as_block: bool) -> str:
    """The element of a formula; errors of the converter go through."""
    text = MATRIX.sub(r"\\begin{bmatrix}\1\\end{bmatrix}", text)
    readable = BAR.sub("|", BOLD.sub(r"\\mathbf", BLOCK.sub("", text))).strip()
    made = str(tex2mathml(readable, as_block=as_block))
    root = ET.fromstring(made.replace("&ApplyFunction;", APPLY))
    for element in list(root.iter()):
        _part_accent_and_index(element)
        _raise_primes(element)
    for element in list(root.iter()):
        _lift_dots(element)
        _close_up_bars(element)
        _space_functions(element)
    return ET.tostring(root, encoding="unicode")


def _tag(name: str) -> str:
    return f"{{{SPACE}}}{name}"


SCRIPTS = tuple(_tag(name) for name in ("msub", "msup", "msubsup"))


def _part_accent_and_index(element: ET.Element) -> None:
    """An index goes behind a letter that has an accent; the converter puts it below."""
    if element.tag != _tag("munderover") or element[2].text not in accents.values():
        return
    base, below, accent = list(element)
    accented = ET.Element(_tag("mover"), accent="true")
    accented.extend([base, accent])
    element[:] = [accented, below]
    element.tag = _tag("msub")


def _raise_primes(row: ET.Element) -> None:
    """What has primes carries them as an exponent."""
    kept: list[ET.Element] = []
    for child in row:
        is_prime = child.tag == _tag("mo") and child.text == "'"
        if is_prime and kept and kept[-1].get("class") == "primes":
            kept[-1][1].text += PRIME
        elif is_prime and kept:
            raised = ET.Element(_tag("msup"), {"class": "primes"})
            raised.append(kept.pop())
            ET.SubElement(raised, _tag("mo")).text = PRIME
            kept.append(raised)
        else:
            kept.append(child)
    row[:] = kept


def _lift_dots(element: ET.Element) -> None:
    """Dots of letters that are low would lie on these."""
    if element.tag == _tag("mover") and element[1].text in (accents["dot"], accents["ddot"]):
        element.attrib.pop("accent", None)


def _close_up_bars(element: ET.Element) -> None:
    """Bars and slashes are no operators with room on both sides."""
    if element.tag == _tag("mo") and element.text in ("|", "/"):
        element.attrib.update(lspace="0", rspace="0")


def _space_functions(row: ET.Element) -> None:
    """Thin spaces around ``cos x``, none towards signs and parentheses, as LaTeX has them."""
    if row.tag in SCRIPTS:
        return
    children = list(row)
    for k in reversed(range(len(children))):
        if not _is_function(children[k]):
            continue
        after = k + 1
        if after < len(children) and children[after].text == APPLY:
            after += 1
        if after < len(children) and not _has_room(children[after]):
            row.insert(after, ET.Element(_tag("mspace"), width=THIN))
        if k > 0 and (children[k - 1].text == ")" or not _has_room(children[k - 1])):
            row.insert(k, ET.Element(_tag("mspace"), width=THIN))


def _is_function(element: ET.Element) -> bool:
    """A name such as cos, or a power of it."""
    if element.tag in SCRIPTS:
        return _is_function(element[0])
    return element.tag == _tag("mi") and len(element.text or "") > 1


def _has_room(neighbour: ET.Element) -> bool:
    """Signs bring their own."""
    return neighbour.tag in (_tag("mo"), _tag("mspace"))
