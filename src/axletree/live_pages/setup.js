// Sliders of parameters, and two set-ups A and B that are changed over while the vehicle drives.

const REST = 30; // ms
const LEAST_FACTOR = 0.5, MOST_FACTOR = 2;

class Setup {
  constructor(groups, drive) {
    this.groups = groups;
    this.drive = drive;
    this.factors = { A: new Map(), B: new Map() };
    this.current = "A";
    this.beside = new Map(); // values of hard points that the steps do not have
    this.list = document.getElementById("sliders");
    this.search = document.getElementById("search");
    this.search.addEventListener("input", () => this.fill());
    document.getElementById("setup").addEventListener("click", () => this.change());
    document.getElementById("as-built").addEventListener("click", () => this.clear());
    this.listeners = [];
    this.fill();
  }

  // Calls when sliders rest for a moment and a part of the page is open.
  listen(folded, update) {
    const one = { folded, update, waiting: null };
    this.listeners.push(one);
    folded.addEventListener("toggle", () => this.wake(one));
  }

  wake(one) {
    clearTimeout(one.waiting);
    one.waiting = setTimeout(() => { if (one.folded.open) one.update(); }, REST);
  }

  onchange() { for (const one of this.listeners) this.wake(one); }

  get chosen() { return this.factors[this.current]; }

  // The usual ones, or all that have the words that are searched for.
  fill() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (group) => words.every((word) => (
      `${group.label} ${group.description} ${group.names.join(" ")}`.toLowerCase().includes(word)));
    const usual = this.groups.some((group) => group.usual);
    const found = this.groups.map((group, k) => ({ group, k }))
      .filter(({ group }) => (words.length ? has(group) : group.usual || !usual)).slice(0, 40);
    this.list.replaceChildren();
    for (const { group, k } of found) this.slider(group, k);
    if (!found.length) element("li", this.list, "no parameter of that name");
  }

  slider(group, k) {
    const item = element("li", this.list), label = element("label", item, `${group.label} `);
    label.title = `${group.description} (${group.names.join(", ")})`;
    const value = element("output", label), range = element("input", label);
    Object.assign(range, { type: "range", min: -1, max: 1, step: 0.01 });
    range.setAttribute("aria-label", group.label);
    range.value = Math.log2(this.chosen.get(k) ?? 1);
    const show = () => {
      const factor = this.chosen.get(k) ?? 1, number = group.values[0] * factor * group.factor;
      value.textContent = `${Number(number.toPrecision(4))} ${group.unit} (${Math.round(100 * factor)} %)`;
    };
    range.addEventListener("input", () => {
      this.scale(k, 2 ** Number(range.value));
      show();
    });
    show();
  }

  scale(k, factor) {
    const bounded = Math.min(MOST_FACTOR, Math.max(LEAST_FACTOR, factor));
    if (Math.abs(bounded - 1) < 1e-9) this.chosen.delete(k); else this.chosen.set(k, bounded);
    this.apply(k);
  }

  apply(k) {
    const group = this.groups[k], factor = this.chosen.get(k) ?? 1;
    group.names.forEach((name, n) => {
      const value = group.values[n] * factor;
      if (this.drive.stepper.known.has(name)) this.drive.set(name, value); else this.beside.set(name, value);
    });
    this.onchange();
  }

  change(name = this.current === "A" ? "B" : "A") {
    const before = this.chosen;
    this.current = name;
    for (const k of new Set([...before.keys(), ...this.chosen.keys()])) this.apply(k);
    document.getElementById("setup").textContent = `Set-up ${name}`;
    this.fill();
  }

  // As built, also where a drive that was replayed has left other values.
  clear() {
    const changed = [...this.chosen.keys()], { stepper, made } = this.drive;
    this.chosen.clear();
    changed.forEach((k) => this.apply(k));
    stepper.layout.parameters.forEach(({ name }, k) => {
      if (stepper.values("parameters")[k] !== made[k]) this.drive.set(name, made[k]);
    });
    this.fill();
  }
}
