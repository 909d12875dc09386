// One set of axes: its curves, what is marked on them, its view, and the buttons beside it.

const DASHES = [[], [4, 2], [5, 2, 1, 2], [1, 2], [6, 2, 1, 2, 1, 2], [2, 1]]; // times the width
const GUIDES = [1, 0, 3, 2, 4]; // places among the dashes; dark and grey in turn
const EDGE = { left: 62, right: 18, top: 8, bottom: 40 }; // px, about the axes
const PAPER = 0, INK = 1, GREY = 2, FAINT = 3, FIRST_COLOUR = 4; // places among the colours
const MARGIN = 0.05; // of the height of curves, above and below them
const POINT = 2.6; // px, the radius of a point of a curve that is no line
const BADGE = 8; // px, the radius of a mark's number
const LOWEST_PLAN = 170, HIGHEST_PLAN = 416; // px
const ON_PAPER = [350, 175]; // px, of one of two charts side by side
const ALONE_ON_PAPER = [710, 320]; // px, of one across the sheet

class Chart {
  constructor(root, panel, board) {
    Object.assign(this, { panel, board });
    this.hidden = new Set();
    this.ranks = ranksOf(panel.curves);
    this.figure = element("figure", root, "", "chart");
    element("figcaption", this.figure, panel.title);
    this.legend = element("div", this.figure, "", "legend");
    this.values = panel.curves.map((curve, k) => this.legendEntry(curve, k));
    this.canvas = element("canvas", this.figure);
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", `${panel.title}: ${panel.y} over ${panel.x}`);
    if (panel.marks.length) this.listMarks();
    this.addButtons();
    this.reset();
    listen(this);
  }

  legendEntry(curve, k) {
    const entry = element("button", this.legend);
    entry.type = "button";
    entry.setAttribute("aria-pressed", "true");
    entry.title = "show or hide this curve";
    entry.hidden = Boolean(curve.guide && !curve.label); // one of several that look alike
    const sample = element("canvas", entry, "", "sample");
    sample.width = 52;
    sample.height = 12;
    sample.hidden = this.panel.curves.length === 1; // a lone curve needs no key
    this.samples = [...(this.samples || []), sample];
    if (curve.label && this.panel.curves.length > 1) element("span", entry, curve.label);
    else if (this.panel.curves.length === 1) entry.classList.add("only");
    entry.addEventListener("click", () => {
      if (!this.hidden.delete(k)) this.hidden.add(k);
      entry.setAttribute("aria-pressed", String(!this.hidden.has(k)));
      this.draw();
    });
    return element("output", entry);
  }

  listMarks() {
    const list = element("ol", this.figure, "", "marks");
    for (const mark of this.panel.marks) element("li", list, mark.words);
  }

  addButtons() {
    const bar = element("div", this.figure, "", "tools");
    const button = (name, title, act) => {
      const made = element("button", bar, name);
      Object.assign(made, { type: "button", title });
      made.addEventListener("click", () => act(made));
    };
    button("Reset", "show all of it again; also a double click", () => this.board.reset(this));
    for (const kind of ["PNG", "SVG", "CSV"]) {
      button(kind, `copy as ${kind}, or save it where that is not allowed`,
        (made) => copyChart(this, kind, made));
    }
  }

  // All of the curves.
  reset() {
    const shown = this.panel.curves.filter((_, k) => !this.hidden.has(k));
    const curves = shown.length ? shown : this.panel.curves;
    const levels = this.panel.marks.map((mark) => mark.y);
    const dots = curves.some((curve) => curve.points) && !this.panel.time && !this.panel.log;
    this.x = limitsOf(curves.map((curve) => curve.x), dots ? MARGIN : 0);
    this.y = limitsOf([...curves.map((curve) => curve.y), levels], levels.length ? 2 * MARGIN : MARGIN);
    this.whole = { x: this.x, y: this.y };
  }

  // On paper it is not that of the screen, by which this is drawn before the sheet is laid out.
  get size() {
    if (!this.board.printing) return [this.canvas.clientWidth || 480, this.canvas.clientHeight || 240];
    const [width, most] = this.figure.matches(":only-of-type") ? ALONE_ON_PAPER : ON_PAPER;
    return [width, this.panel.plan ? this.planHeight(width, most) : most];
  }

  // Of a plan, whose scales are one: no more than what it shows takes.
  planHeight(width, most) {
    const { x, y } = this.whole, share = (y[1] - y[0]) / (x[1] - x[0]);
    const needed = share * (width - EDGE.left - EDGE.right) + EDGE.top + EDGE.bottom;
    return Math.round(Math.min(most, Math.max(LOWEST_PLAN, needed)));
  }

  // The scales of both axes; those of a plan are one.
  scales([width, height] = this.size) {
    const right = width - EDGE.right, low = height - EDGE.bottom;
    let [x, y] = [this.x, this.y];
    if (this.panel.plan) {
      const wide = (x[1] - x[0]) / (right - EDGE.left), tall = (y[1] - y[0]) / (low - EDGE.top);
      const grown = ([a, b], share) => [(a + b) / 2 - share * (b - a) / 2, (a + b) / 2 + share * (b - a) / 2];
      if (wide > tall) y = grown(y, wide / tall); else x = grown(x, tall / wide);
    }
    return {
      x: new Scale(...x, EDGE.left, right, this.panel.log),
      y: new Scale(...y, low, EDGE.top),
    };
  }

  draw() {
    const { canvas, board } = this, ratio = board.ratio;
    if (this.panel.plan) canvas.style.setProperty("--plan", `${this.planHeight(canvas.clientWidth, HIGHEST_PLAN)}px`);
    const [width, height] = this.size;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    this.paint(new CanvasPen(canvas, ratio), [width, height]);
    this.samples.forEach((sample, k) => {
      const pen = new CanvasPen(sample, 2);
      pen.context.clearRect(0, 0, 26, 6);
      const ends = this.panel.curves[k].points ? [13] : [0, 26];
      this.paintCurve(pen, Float32Array.from(ends), new Float32Array(ends.length).fill(3), this.panel.curves[k], k);
    });
    this.tell();
  }

  stroke(curve, k) {
    const colours = this.board.colours, rank = this.ranks[k];
    if (curve.guide) {
      const dash = DASHES[GUIDES[rank % GUIDES.length]];
      return { colour: colours[rank % 2 ? GREY : INK], width: 1.1, dash };
    }
    const count = colours.length - FIRST_COLOUR;
    return {
      colour: colours[FIRST_COLOUR + rank % count], width: 2 - 0.15 * Math.min(rank, 5),
      dash: DASHES[rank % DASHES.length],
    };
  }

  paint(pen, size) {
    const { x, y } = this.scales(size), colours = this.board.colours, [width, height] = size;
    pen.fill(0, 0, width, height, colours[PAPER]);
    this.paintAxes(pen, x, y, size);
    pen.clip(EDGE.left, EDGE.top, width - EDGE.left - EDGE.right, height - EDGE.top - EDGE.bottom, () => {
      this.panel.curves.forEach((curve, k) => {
        if (this.hidden.has(k)) return;
        const xs = Float32Array.from(curve.x, (value) => x.pixel(value));
        this.paintCurve(pen, xs, Float32Array.from(curve.y, (value) => y.pixel(value)), curve, k);
      });
      this.panel.marks.forEach((mark, k) => this.paintMark(pen, mark, k, x, y));
      if (this.cursor !== undefined) this.paintCursor(pen, x, y);
    });
  }

  // A line, or points that no line joins.
  paintCurve(pen, xs, ys, curve, k) {
    const stroke = this.stroke(curve, k);
    if (!curve.points) { pen.line(xs, ys, stroke); return; }
    xs.forEach((at, j) => {
      if (Number.isFinite(at) && Number.isFinite(ys[j])) pen.dot(at, ys[j], POINT, stroke.colour);
    });
  }

  paintAxes(pen, x, y, [width, height]) {
    const colours = this.board.colours, low = height - EDGE.bottom, right = width - EDGE.right;
    const [beneath, beside] = this.board.printing ? [24, 55] : [38, 80]; // px between ticks
    const down = y.ticks(beneath), along = x.ticks(beside), thin = { colour: colours[FAINT], width: 0.8 };
    for (const value of down.values) {
      const at = y.pixel(value);
      pen.line([EDGE.left, right], [at, at], thin);
      pen.words(tickText(value, down.step), EDGE.left - 6, at, { colour: colours[INK], size: 11, align: "right" });
    }
    for (const value of along.values) {
      const at = x.pixel(value);
      pen.line([at, at], [EDGE.top, low], thin);
      pen.words(tickText(value, along.step), at, low + 12, { colour: colours[INK], size: 11, align: "center" });
    }
    const edge = { colour: colours[GREY], width: 1 };
    pen.line([EDGE.left, EDGE.left, right], [EDGE.top, low, low], edge);
    const words = { colour: colours[INK], size: 12, align: "center" };
    pen.words(this.panel.x, (EDGE.left + right) / 2, height - 10, words);
    pen.words(this.panel.y, 10, (EDGE.top + low) / 2, { ...words, turn: -Math.PI / 2 });
  }

  paintMark(pen, mark, k, x, y) {
    const colours = this.board.colours, line = { colour: colours[GREY], width: 1.2, dash: [3, 3] };
    const [a, b] = [x.pixel(mark.x), y.pixel(mark.y)];
    let [left, top] = [a, b];
    if (mark.kind === "level") pen.line([x.first, x.last], [b, b], line);
    if (mark.kind === "moment") pen.line([a, a], [y.first, y.last], line);
    if (mark.kind === "span") {
      const from = x.pixel(mark.start);
      pen.line([from, a], [b, b], { colour: colours[INK], width: 1.4 });
      for (const end of [from, a]) pen.line([end, end], [b - 4, b + 4], { colour: colours[INK], width: 1.4 });
      left = (from + a) / 2;
    }
    if (mark.kind === "point") {
      pen.dot(a, b, 4, colours[INK]);
      [left, top] = [a + BADGE + 4, b - BADGE - 4]; // beside it
    }
    // At an edge of the view the whole number stays within the axes; what is out of view has none.
    const held = (at, low, high) => {
      const near = Math.min(Math.max(at, low + BADGE), high - BADGE);
      return Math.abs(near - at) <= 2 * BADGE + 4 ? near : at;
    };
    left = held(left, x.first, x.last);
    top = held(top, y.last, y.first);
    pen.dot(left, top, BADGE, colours[INK]);
    pen.words(String(k + 1), left, top, { colour: colours[PAPER], size: 11, align: "center", bold: true });
  }

  paintCursor(pen, x, y) {
    const colours = this.board.colours, at = x.pixel(this.cursor);
    pen.line([at, at], [y.first, y.last], { colour: colours[INK], width: 1 });
    this.panel.curves.forEach((curve, k) => {
      const value = this.valueAt(curve);
      if (!this.hidden.has(k) && Number.isFinite(value)) {
        pen.dot(at, y.pixel(value), 3.2, this.stroke(curve, k).colour);
      }
    });
  }

  // Of a curve at the cursor: over time between points along the straight line; of others at the nearest.
  valueAt(curve) {
    const { x, y } = curve, t = this.cursor;
    if (t === undefined || !x.length) return NaN;
    if (!this.panel.time) return y[nearest(x, t)];
    if (t < x[0] || t > x[x.length - 1]) return NaN;
    const k = Math.min(lastBefore(x, t), x.length - 2);
    if (k < 0) return y[0];
    const wide = x[k + 1] - x[k];
    return wide > 0 ? y[k] + (y[k + 1] - y[k]) * (t - x[k]) / wide : y[k];
  }

  // Numbers at the cursor, in the legend.
  tell() {
    const alone = this.panel.curves.length === 1;
    this.panel.curves.forEach((curve, k) => {
      const size = Math.max(Math.abs(this.whole.y[0]), Math.abs(this.whole.y[1]));
      const value = this.valueAt(curve), known = Number.isFinite(value) || !alone;
      this.values[k].textContent = this.cursor !== undefined && known ? valueText(value, size) : "";
    });
  }

  // In view from one value to another along x, or y.
  show(axis, low, high) {
    const whole = this.whole[axis], least = 1e-6 * (whole[1] - whole[0]);
    if (high - low > least && Number.isFinite(high - low)) this[axis] = [low, high];
  }
}

// The place of each curve among those of its kind; guides without a label go with the one before.
function ranksOf(curves) {
  let guides = -1, others = -1;
  return curves.map((curve) => {
    if (!curve.guide) return ++others;
    if (curve.label || guides < 0) guides += 1;
    return guides;
  });
}

function lastBefore(times, t) {
  let low = 0, high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle; else high = middle;
  }
  return times[high] <= t ? high : low;
}

function nearest(values, wanted) {
  let best = 0;
  for (let k = 1; k < values.length; k++) {
    if (Math.abs(values[k] - wanted) < Math.abs(values[best] - wanted)) best = k;
  }
  return best;
}
