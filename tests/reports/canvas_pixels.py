"""What is drawn on the canvas of an animation's page."""

from __future__ import annotations

from collections.abc import Sequence

from reports.headless_page import Page

READ = """
  animation.draw();
  const gl = animation.painter.gl, w = gl.drawingBufferWidth, h = gl.drawingBufferHeight;
  const all = new Uint8Array(4 * w * h);
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, all);"""
COARSE = """(() => {%s
  const found = [];
  for (let y = 0; y < h; y += 4) {
    for (let x = 0; x < w; x += 4) {
      const k = 4 * (y * w + x);
      found.push((all[k] << 16) + (all[k + 1] << 8) + all[k + 2]);
    }
  }
  return found;
})()"""
COLOURED = """((r, g, b, darkest) => {%s
  const whole = r * r + g * g + b * b;
  let count = 0;
  for (let k = 0; k < 4 * w * h; k += 4) {
    const share = (all[k] * r + all[k + 1] * g + all[k + 2] * b) / whole;
    count += share < 1.02 && share >= darkest && Math.abs(all[k] - share * r) < 3
      && Math.abs(all[k + 1] - share * g) < 3 && Math.abs(all[k + 2] - share * b) < 3;
  }
  return count;
})(%s)"""


def coarse_picture(page: Page) -> list[int]:
    """Every fourth pixel of every fourth row: all would be a long text."""
    return list(page.value(COARSE % READ))


def coloured(page: Page, colour: Sequence[float], darkest: float = 0.99) -> int:
    """How many pixels have a colour, or are darker in the same hue down to a share of it."""
    return int(page.value(COLOURED % (READ, ", ".join(str(x) for x in (*colour, darkest)))))
