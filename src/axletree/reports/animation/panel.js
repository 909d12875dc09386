// What stands beside the picture: time, numbers with units, a legend.

const FINEST = { "°": 3, "°/s": 2, "m/s²": 3, "km/h": 1 }; // decimals that mean something

// Three digits of the greatest of the values, so that what is below a point stays below it; no more
// decimals than mean something in a unit of motion.
function formatter(unit, ...courses) {
  const greatest = Math.max(0, ...courses.map((values) => values.reduce(
    (most, value) => Math.max(most, Math.abs(value)), 0)));
  if (greatest >= 1e5) return (value) => value.toExponential(2);
  const places = greatest > 1e-9 ? Math.floor(Math.log10(greatest)) : 0;
  const decimals = Math.min(FINEST[unit] ?? 6, Math.max(0, 2 - places));
  return (value) => value.toFixed(decimals).replace(/^-(?=[0.]*$)/, "");
}

const inWords = (name) => name.replaceAll("_", " ");
const ownColour = (colour) => `var(--own-${colour.slice(1)}, ${colour})`;

class Panel {
  constructor(scene, gap) {
    this.scene = scene;
    this.cells = [];
    const span = scene.time[scene.time.length - 1] - scene.time[0];
    this.timeDecimals = Math.min(6, Math.max(2, 1 - Math.floor(Math.log10(span || 1))));
    document.getElementById("title").textContent = scene.title;
    document.getElementById("note").textContent = scene.note;
    this.time = document.getElementById("now");
    this.fillSignals(document.getElementById("signals"));
    this.fillWheels(document.getElementById("wheels"));
    this.fillLegend(document.getElementById("legend"), gap);
  }

  fillSignals(table) {
    for (const signal of this.scene.signals.filter((s) => !s.owner)) {
      const row = element("tr", table);
      element("th", row, signal.label);
      this.cells.push({ signal, cell: element("td", row), format: formatter(signal.unit, signal.values) });
      element("td", row, signal.unit, "unit");
    }
  }

  // A row for each wheel, a column for each kind of number.
  fillWheels(table) {
    const own = this.scene.signals.filter((signal) => signal.owner);
    if (!own.length) { table.parentElement.hidden = true; return; }
    const kinds = [...new Map(own.map((s) => [s.label, s])).values()];
    const formatters = kinds.map((kind) => formatter(
      kind.unit, ...own.filter((signal) => signal.label === kind.label).map((signal) => signal.values)));
    const head = element("tr", table);
    element("th", head);
    for (const kind of kinds) element("th", head, `${kind.label} [${kind.unit}]`, "number");
    for (const owner of new Set(own.map((signal) => signal.owner))) {
      const row = element("tr", table), name = element("th", row);
      const mine = own.filter((signal) => signal.owner === owner);
      element("i", name, "", "dot").style.background = ownColour(mine[0].colour);
      name.append(inWords(owner));
      kinds.forEach((kind, k) => {
        const signal = mine.find((s) => s.label === kind.label), cell = element("td", row);
        if (signal) this.cells.push({ signal, cell, format: formatters[k] });
      });
    }
  }

  fillLegend(list, gap) {
    const entry = (colour, text, kind = "dot") => {
      const item = element("li", list);
      element("i", item, "", kind).style.background = colour;
      item.append(text);
    };
    const wheels = new Set(this.scene.signals.map((signal) => signal.owner));
    const bodies = this.scene.actors.filter((a) => !wheels.has(a.name) && a.named);
    for (const body of bodies.slice(0, 8)) entry(ownColour(body.colour), inWords(body.name));
    if (bodies.length > 8) entry("transparent", `and ${bodies.length - 8} more bodies`);
    const { arrowScale, size } = this.scene;
    if (arrowScale) {
      const force = 0.3 * size / arrowScale, power = 10 ** Math.floor(Math.log10(force));
      const round = [5, 2, 1].map((k) => k * power).find((k) => k <= force);
      const shown = round >= 1000 ? `${round / 1000} kN` : `${+round.toPrecision(3)} N`;
      const text = `force of the ground on a wheel: ${shown} is an arrow of ${+(round * arrowScale).toPrecision(2)} m`;
      entry("var(--force)", text, "arrow");
    }
    for (const ground of this.scene.grounds) {
      const steep = ground.steeper > 1 ? `, slopes exaggerated ${ground.steeper} times in shading` : "";
      if (ground.label) entry(`var(--${ground.colour})`, ground.label + steep, "area");
    }
    for (const [name, colour] of new Map(this.scene.lines.map((l) => [l.name, l.colour]))) {
      entry(`var(--${colour})`, name, "line");
    }
    if (this.scene.ruts.length) entry("var(--rut)", "rut, as deep as the wheel sinkage", "area");
    if (this.scene.grounds.length) entry("var(--grid)", `grid: ${+gap.toPrecision(1)} m`, "line");
  }

  show(t, at) {
    this.time.textContent = `${t.toFixed(this.timeDecimals)} s`;
    for (const { signal, cell, format } of this.cells) {
      cell.textContent = format(numberAt(signal.values, at));
    }
  }
}
