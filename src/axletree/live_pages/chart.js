// Curves of both set-ups over one another, with lines at round numbers.

const BESIDE = 0.12; // of a curve, by which names of curves stand apart

class Chart {
  // ``x`` and ``y`` have a word for their unit and how many of it one is in SI.
  constructor(canvas, x, y) { Object.assign(this, { canvas, x, y }); }

  // Lines of { points, colour, dashed, name }; points are in SI units.
  draw(lines) {
    const pen = pens(this.canvas), style = getComputedStyle(document.documentElement);
    const [w, h] = [this.canvas.clientWidth, this.canvas.clientHeight];
    const all = lines.flatMap(({ points }) => points);
    const range = (k, factor) => {
      const values = all.map((one) => one[k] * factor), low = Math.min(0, ...values), high = Math.max(0, ...values);
      return low === high ? [low, low + 1] : [low, high];
    };
    const [left, right] = range(0, this.x.factor), [low, high] = range(1, this.y.factor);
    const x = (v) => 6 + (w - 14) * (v - left) / (right - left);
    const y = (v) => h - 18 - (h - 26) * (v - low) / (high - low);
    pen.clearRect(0, 0, w, h);
    pen.font = "11px system-ui, sans-serif";
    pen.fillStyle = style.getPropertyValue("--ink");
    pen.strokeStyle = style.getPropertyValue("--line");
    pen.lineWidth = 1;
    for (const value of rounds(left, right, 5)) {
      line(pen, x(value), 4, x(value), h - 16);
      const text = shortly(value), wide = pen.measureText(text).width;
      pen.fillText(text, Math.min(w - wide - 1, Math.max(1, x(value) - wide / 2)), h - 4);
    }
    for (const value of rounds(low, high, 4)) {
      line(pen, 4, y(value), w, y(value));
      pen.fillText(`${shortly(value)}${this.y.mark ?? ""}`, 6, Math.max(11, y(value) - 2));
    }
    for (const [k, { points, colour, name, dashed }] of lines.entries()) {
      if (!points.length) continue;
      pen.strokeStyle = pen.fillStyle = style.getPropertyValue(colour);
      pen.lineWidth = 2;
      pen.setLineDash(dashed ? [5, 4] : []);
      pen.beginPath();
      for (const [a, b] of points) pen.lineTo(x(a * this.x.factor), y(b * this.y.factor));
      pen.stroke();
      const [a, b] = points[Math.round((points.length - 1) * (1 - BESIDE * k))], wide = pen.measureText(name).width;
      pen.fillText(name, Math.min(w - wide - 2, x(a * this.x.factor) - wide - 2), Math.max(12, y(b * this.y.factor) - 4));
    }
    pen.setLineDash([]);
  }
}

// Multiples of 1, 2 or 5 times a power of ten, about ``count`` of them.
function rounds(low, high, count) {
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const gap = power * ([1, 2, 5].find((k) => k * power >= rough) ?? 10), found = [];
  for (let k = Math.ceil(low / gap); k * gap <= high + 1e-9 * gap; k++) found.push(k * gap);
  return found;
}

function shortly(value) { return `${Number(value.toPrecision(6))}`; }
