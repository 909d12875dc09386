// Numbers beside the picture, curves of the last seconds, accelerations, and loads of the wheels.

const SPAN = 20; // s, of the curves
const GRAVITY = 9.80665; // m/s^2
const SLIPS = [["slip", 100, " %"], ["slip_angle", 180 / Math.PI, "°"], ["sinkage", 1000, " mm"]]; // of a wheel

class Telemetry {
  constructor(data, drive) {
    this.drive = drive;
    this.signals = data.signals;
    this.columns = drive.columns;
    this.cells = this.fillNumbers(document.getElementById("numbers"));
    this.wheels = this.fillWheels(document.getElementById("wheel-rows"), data.wheels);
    this.strips = this.fillStrips(document.getElementById("strips"));
    this.cursor = null; // time [s] that is pointed at
    this.gg = document.getElementById("gg");
    this.places = ["longitudinal", "lateral"].map(
      (word) => this.columns.indexOf(`vehicle.${word}_acceleration`));
    this.gg.hidden = this.places.includes(-1);
  }

  fillNumbers(table) {
    return this.signals.map((signal) => {
      const row = element("tr", table);
      element("th", row, signal.label);
      const cell = element("td", row);
      element("td", row, signal.unit, "unit");
      return cell;
    });
  }

  fillWheels(table, names) {
    document.getElementById("of-wheels").hidden = !names.length;
    return names.map((name) => {
      const row = element("tr", table);
      const head = element("th", row, name.replaceAll("_", " ").replace(/ (tyre|soil)$/, ""));
      const told = SLIPS.map(([word]) => `${name}.${word}`).map((one) => this.drive.stepper.known.has(one));
      const load = element("td", row), bar = element("span", element("td", row), "", "bar");
      return { load, bar: element("i", bar), share: element("td", row), name, told, slip: element("small", head) };
    });
  }

  fillStrips(place) {
    const shown = this.signals.filter((signal) => this.columns.includes(signal.name)).slice(0, 4);
    return shown.map((signal) => {
      const figure = element("figure", place);
      const label = element("figcaption", figure, "");
      const canvas = element("canvas", figure);
      canvas.height = 54;
      canvas.addEventListener("pointermove", (event) => this.point(event, canvas));
      canvas.addEventListener("pointerleave", () => { this.cursor = null; this.draw(); });
      return { signal, column: 1 + this.columns.indexOf(signal.name), canvas, label };
    });
  }

  point(event, canvas) {
    const share = event.offsetX / canvas.clientWidth, [from, to] = this.range();
    this.cursor = from + share * (to - from);
    this.draw();
  }

  range() {
    const { rows } = this.drive, last = rows[rows.length - 1][0];
    return [Math.max(rows[0][0], last - SPAN), Math.max(last, rows[0][0] + SPAN)];
  }

  // friction has for each wheel how much of its load it carries sideways and along.
  show(contacts) {
    const { stepper } = this.drive;
    this.signals.forEach((signal, k) => {
      this.cells[k].textContent = inFewDigits(stepper.get(signal.name) * signal.factor);
    });
    this.wheels.forEach((row, k) => {
      const contact = contacts[k], force = Math.hypot(contact.along, contact.aside);
      const share = contact.load > 1 ? force / contact.load : 0;
      row.load.textContent = `${(contact.load / 1000).toFixed(2)} kN`;
      row.bar.style.width = `${Math.min(100, 100 * share)}%`;
      row.share.textContent = share.toFixed(2);
      row.slip.textContent = SLIPS.filter((_, n) => row.told[n])
        .map(([word, factor, unit]) => `${inFewDigits(stepper.get(`${row.name}.${word}`) * factor)}${unit}`).join(", ");
    });
  }

  draw() {
    const [from, to] = this.range(), { rows } = this.drive;
    const first = lowerBound(rows, from), last = rows.length - 1;
    const at = this.cursor === null ? last : Math.min(last, lowerBound(rows, this.cursor));
    const style = getComputedStyle(document.documentElement);
    for (const strip of this.strips) this.drawStrip(strip, from, to, first, at, style);
    if (!this.gg.hidden) this.drawAccelerations(first, at, style);
  }

  drawStrip({ signal, column, canvas, label }, from, to, first, at, style) {
    const { rows } = this.drive, pen = pens(canvas), w = canvas.clientWidth, h = canvas.clientHeight;
    let low = Infinity, high = -Infinity;
    for (let k = first; k < rows.length; k++) {
      low = Math.min(low, rows[k][column]);
      high = Math.max(high, rows[k][column]);
    }
    const room = Math.max(high - low, 1e-9 + 0.02 * Math.abs(high)) * 0.12;
    [low, high] = [low - room, high + room];
    const x = (t) => w * (t - from) / (to - from), y = (v) => h * (high - v) / (high - low);
    pen.clearRect(0, 0, w, h);
    pen.strokeStyle = style.getPropertyValue("--line");
    if (low < 0 && high > 0) line(pen, 0, y(0), w, y(0));
    pen.strokeStyle = style.getPropertyValue("--curve");
    pen.lineWidth = 1.5;
    pen.beginPath();
    const stride = Math.max(1, Math.floor((rows.length - first) / (2 * w)));
    for (let k = first; k < rows.length; k += stride) pen.lineTo(x(rows[k][0]), y(rows[k][column]));
    pen.stroke();
    pen.lineWidth = 1;
    pen.strokeStyle = style.getPropertyValue("--ink");
    if (this.cursor !== null) line(pen, x(rows[at][0]), 0, x(rows[at][0]), h);
    const value = inFewDigits(rows[at][column] * signal.factor);
    label.textContent = `${signal.label} ${value} ${signal.unit} at ${rows[at][0].toFixed(2)} s`;
  }

  drawAccelerations(first, at, style) {
    const { rows } = this.drive, canvas = this.gg, pen = pens(canvas);
    const size = canvas.clientWidth, middle = size / 2, scale = middle / 1.25; // of 1 g
    const [along, aside] = this.places.map((place) => 1 + place);
    pen.clearRect(0, 0, size, size);
    pen.strokeStyle = style.getPropertyValue("--line");
    for (const g of [0.5, 1]) {
      pen.beginPath();
      pen.arc(middle, middle, g * scale, 0, 2 * Math.PI);
      pen.stroke();
    }
    line(pen, 0, middle, size, middle);
    line(pen, middle, 0, middle, size);
    const x = (row) => middle - scale * row[aside] / GRAVITY; // a turn to the left points left
    const y = (row) => middle - scale * row[along] / GRAVITY;
    pen.strokeStyle = style.getPropertyValue("--curve");
    pen.beginPath();
    for (let k = first; k <= at; k += 2) pen.lineTo(x(rows[k]), y(rows[k]));
    pen.stroke();
    pen.fillStyle = style.getPropertyValue("--force");
    pen.beginPath();
    pen.arc(x(rows[at]), y(rows[at]), 4, 0, 2 * Math.PI);
    pen.fill();
  }
}

// Without the sign of a zero.
function inFewDigits(value) {
  const digits = Math.abs(value) < 9.995 ? 2 : Math.abs(value) < 9999.5 ? 1 : 0;
  return value.toFixed(digits).replace(/^-(?=[0.]*$)/, "");
}

// Of a canvas as wide as it is shown, in its own pixels.
function pens(canvas) {
  const ratio = window.devicePixelRatio || 1, pen = canvas.getContext("2d");
  const [w, h] = [canvas.clientWidth, canvas.clientHeight].map((n) => Math.round(n * ratio));
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  return pen;
}

function line(pen, x1, y1, x2, y2) {
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.lineTo(x2, y2);
  pen.stroke();
}

// The first row at a time or later.
function lowerBound(rows, time) {
  let low = 0, high = rows.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle][0] < time) low = middle + 1; else high = middle;
  }
  return low;
}
