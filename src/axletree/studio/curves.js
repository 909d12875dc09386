// Small charts: lines over a number, with their ends written at the axes.

const ROUNDING = 1e-6; // of a value, within which values are the same
const LINES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#7a5cc0", "#8a939c"];

function differ(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return high - low > ROUNDING * Math.max(Math.abs(low), Math.abs(high));
}

// Each line has x, y and a name; one that is old is dashed, and points are marked where asked.
function chart(holder, title, under, lines, marked = false) {
  const sheet = drawn("svg", holder, { viewBox: "0 0 320 150", class: "curve", role: "img" });
  drawn("title", sheet, {}, `${title} over ${under}`);
  const ends = ["x", "y"].map((axis) => lines.flatMap((line) => line[axis]))
    .map((all) => [Math.min(...all), Math.max(...all)]);
  const scale = (value, [low, high], from, to) => (
    from + (to - from) * (differ([low, high]) ? (value - low) / (high - low) : 0.5));
  const x = (value) => scale(value, ends[0], 52, 308), y = (value) => scale(value, ends[1], 104, 26);
  drawn("path", sheet, { d: "M46 20V110H314", class: "frame" });
  for (const [k, axis] of [[0, (v) => `M${x(v)} 20V110`], [1, (v) => `M46 ${y(v)}H314`]]) {
    if (ends[k][0] < 0 && ends[k][1] > 0) drawn("path", sheet, { d: axis(0), class: "frame" });
  }
  for (const line of lines) {
    const points = line.x.map((value, k) => [x(value), y(line.y[k])]);
    const path = drawn("path", sheet, { d: `M${points.map((one) => one.join(" ")).join("L")}` });
    path.style.stroke = line.colour || LINES[0];
    if (line.old) path.setAttribute("class", "old-line");
    if (marked) for (const [cx, cy] of points) drawn("circle", sheet, { cx, cy, r: 3 });
  }
  const words = (value) => Number(value.toPrecision(4)).toString();
  drawn("text", sheet, { x: 4, y: 12 }, title);
  drawn("text", sheet, { x: 314, y: 146, "text-anchor": "end" }, under);
  drawn("text", sheet, { x: 52, y: 125 }, words(ends[0][0]));
  drawn("text", sheet, { x: 308, y: 125, "text-anchor": "end" }, words(ends[0][1]));
  if (differ(ends[1])) drawn("text", sheet, { x: 42, y: 30, "text-anchor": "end" }, words(ends[1][1]));
  const low = differ(ends[1]) ? 108 : 69;
  drawn("text", sheet, { x: 42, y: low, "text-anchor": "end" }, words(ends[1][0]));
  return sheet;
}

// Curves of axles over the travel of their wheels; those before the last change are dashed.
class WheelCurves {
  constructor(holder) {
    this.holder = holder;
    this.before = new Map();
  }

  show(name, found) {
    if (this.name !== name) this.last = null;
    this.name = name;
    const said = JSON.stringify(found);
    if (this.last && this.last.said !== said) this.before = this.last.lines;
    if (!this.last) this.before = new Map();
    this.last = { said, lines: new Map(found.map(({ title, lines }) => [title, lines])) };
    this.holder.replaceChildren();
    if (!found.length) element("p", this.holder, "Suspensions by curves and by hard points have them.", "about");
    const names = [...new Set(found.flatMap(({ lines }) => lines.map((line) => line.name)))];
    const legend = element("p", this.holder, "", "legend");
    names.forEach((each, k) => { element("span", legend, each).style.color = LINES[k % LINES.length]; });
    for (const { title, lines } of found) {
      const colour = (line) => LINES[names.indexOf(line.name) % LINES.length];
      const old = (this.before.get(title) || []).map((line) => ({ ...line, colour: colour(line), old: true }));
      const now = lines.map((line) => ({ ...line, colour: colour(line) }));
      chart(this.holder, title, "wheel travel, bump positive [mm]", [...old, ...now]);
    }
  }
}
