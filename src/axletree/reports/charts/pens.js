// What draws lines and words: onto a canvas, or as text of an SVG file.

// The parts of a line between points that are not known: first, and one beyond the last.
function pieces(xs, ys) {
  const found = [];
  let from = -1;
  for (let k = 0; k <= xs.length; k++) {
    const known = k < xs.length && Number.isFinite(xs[k]) && Number.isFinite(ys[k]);
    if (known && from < 0) from = k;
    if (!known && from >= 0) { found.push([from, k]); from = -1; }
  }
  return found;
}

class CanvasPen {
  constructor(canvas, ratio) {
    this.context = canvas.getContext("2d");
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  fill(x, y, width, height, colour) {
    this.context.fillStyle = colour;
    this.context.fillRect(x, y, width, height);
  }

  clip(x, y, width, height, draw) {
    const { context } = this;
    context.save();
    context.beginPath();
    context.rect(x, y, width, height);
    context.clip();
    draw();
    context.restore();
  }

  line(xs, ys, { colour, width = 1, dash = [] }) {
    const { context } = this;
    context.beginPath();
    for (const [from, to] of pieces(xs, ys)) {
      context.moveTo(xs[from], ys[from]);
      for (let k = from + 1; k < to; k++) context.lineTo(xs[k], ys[k]);
    }
    Object.assign(context, { strokeStyle: colour, lineWidth: width, lineJoin: "round" });
    context.setLineDash(dash.map((part) => part * width));
    context.stroke();
  }

  dot(x, y, radius, colour) {
    const { context } = this;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fillStyle = colour;
    context.fill();
  }

  words(text, x, y, { colour, size = 12, align = "left", turn = 0, bold = false }) {
    const { context } = this;
    context.save();
    context.translate(x, y);
    context.rotate(turn);
    context.font = `${bold ? "bold " : ""}${size}px system-ui, sans-serif`;
    Object.assign(context, { fillStyle: colour, textAlign: align, textBaseline: "middle" });
    context.fillText(text, 0, 0);
    context.restore();
  }
}

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text) => text.replace(/[&<>"]/g, (letter) => ESCAPES[letter]);
const short = (number) => String(+number.toFixed(2));

class SvgPen {
  constructor(width, height) {
    this.size = [width, height];
    this.parts = [];
    this.clips = 0;
  }

  fill(x, y, width, height, colour) {
    this.parts.push(`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${colour}"/>`);
  }

  clip(x, y, width, height, draw) {
    const name = `clip${this.clips++}`;
    const shape = `<rect x="${x}" y="${y}" width="${width}" height="${height}"/>`;
    this.parts.push(`<clipPath id="${name}">${shape}</clipPath><g clip-path="url(#${name})">`);
    draw();
    this.parts.push("</g>");
  }

  line(xs, ys, { colour, width = 1, dash = [] }) {
    const gaps = dash.length ? ` stroke-dasharray="${dash.map((part) => part * width).join(" ")}"` : "";
    for (const [from, to] of pieces(xs, ys)) {
      const points = [];
      for (let k = from; k < to; k++) points.push(`${short(xs[k])},${short(ys[k])}`);
      this.parts.push(
        `<polyline points="${points.join(" ")}" fill="none" stroke="${colour}" stroke-width="${width}"${gaps}/>`);
    }
  }

  dot(x, y, radius, colour) {
    this.parts.push(`<circle cx="${short(x)}" cy="${short(y)}" r="${radius}" fill="${colour}"/>`);
  }

  words(text, x, y, { colour, size = 12, align = "left", turn = 0, bold = false }) {
    const anchor = { left: "start", center: "middle", right: "end" }[align];
    const place = `translate(${short(x)} ${short(y)}) rotate(${short(turn * 180 / Math.PI)})`;
    this.parts.push(
      `<text transform="${place}" font-family="sans-serif" font-size="${size}" fill="${colour}"`
      + ` text-anchor="${anchor}" dominant-baseline="central"${bold ? ' font-weight="bold"' : ""}>`
      + `${escaped(text)}</text>`);
  }

  get text() {
    const [width, height] = this.size;
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"`
      + ` viewBox="0 0 ${width} ${height}">${this.parts.join("")}</svg>`;
  }
}
