// The page: one file is shown, in its text, its form and its picture; what one changes the others
// show.

const PULSE = 1200; // ms between questions about what changes by itself
const $ = (id) => document.getElementById(id);

class StudioPage {
  constructor() {
    this.calls = new Calls();
    this.file = null; // as the server has it: name, text, revision
    this.text = new YamlText($("text"), $("gutter"), (text) => this.change("edit", { text }));
    this.view = new VehicleView($("view"), $("point-name"), (k, place) => this.move(k, place));
    this.graph = new GraphView($("graph"), (domain, tree) => this.useTree(domain, tree));
    this.curves = new WheelCurves($("curves"));
    this.jobs = new JobList($("jobs"), (action, given) => this.start(action, given));
    this.queue = Promise.resolve();
    this.wire();
  }

  async begin() {
    const [schema, { models }] = await Promise.all([this.calls.get("schema"), this.calls.get("catalogue")]);
    this.form = new Form($("form"), schema, (changes) => this.change("set", { changes }));
    for (const name of models) element("option", $("bases"), name).value = name;
    await this.pulse();
    const [asked, ...tabs] = location.hash.slice(1).split("&").map(decodeURIComponent);
    const first = asked || Object.keys(this.state.open)[0] || this.state.files[0];
    for (const name of tabs) if ($(`tab-${name}`)) this.tab($(`tab-${name}`));
    if (first) await this.open(first);
    else this.say("this folder has no model files yet; choose a model to begin with", false);
    setInterval(() => this.pulse(), PULSE);
  }

  wire() {
    $("file").addEventListener("change", () => this.open($("file").value));
    for (const name of ["undo", "redo", "save"]) $(name).addEventListener("click", () => this.change(name, {}));
    $("new").addEventListener("click", () => { $("creating").hidden = !$("creating").hidden; });
    $("create").addEventListener("click", () => this.create());
    for (const name of Object.keys(LOOKS)) $(`look-${name}`).addEventListener("click", () => this.view.look(name));
    for (const tab of document.querySelectorAll("[role=tab]")) tab.addEventListener("click", () => this.tab(tab));
    $("run").addEventListener("click", () => this.run());
    $("live").addEventListener("click", () => this.start("live", this.runGiven()));
    $("sweep").addEventListener("click", () => this.start("sweep", {
      ...this.runGiven(), parameter: $("parameter").value.trim(), values: $("values").value.trim(),
    }));
    $("compare").addEventListener("click", () => this.start("compare", { jobs: this.jobs.toCompare }));
    $("theme").addEventListener("click", () => this.swapTheme());
    $("points").addEventListener("change", () => this.view.choose(Number($("points").value)));
    $("message-close").addEventListener("click", () => { $("message").hidden = true; });
    for (const axis of ["x", "y", "z"]) $(`point-${axis}`).addEventListener("change", () => this.placePoint());
    window.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("beforeunload", (event) => {
      if (this.text.isTyped) event.preventDefault();
    });
    const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
  }

  key(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    if (event.key === "s") {
      event.preventDefault();
      this.text.send().then(() => this.change("save", {}));
    }
    const inField = event.target.matches("input, textarea");
    if (inField || !["z", "y"].includes(event.key)) return;
    event.preventDefault();
    this.change(event.key === "y" || event.shiftKey ? "redo" : "undo", {});
  }

  swapTheme() {
    if (this.view.theme) this.view.theme.swap();
    else {
      const root = document.documentElement;
      root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    }
  }

  tab(chosen) {
    for (const tab of chosen.parentElement.querySelectorAll("[role=tab]")) {
      const isChosen = tab === chosen;
      tab.setAttribute("aria-selected", isChosen);
      $(tab.getAttribute("aria-controls")).hidden = !isChosen;
    }
    if (chosen.getAttribute("aria-controls") === "graph") this.showGraph();
    if (chosen.getAttribute("aria-controls") === "picture") this.view.resize();
    this.text.number();
  }

  say(text, isWrong = true) {
    $("message-text").textContent = text;
    $("message").className = isWrong ? "wrong" : "";
    $("message").hidden = false;
  }

  // -- files ---------------------------------------------------------------------------
  async open(name) {
    try {
      this.take(await this.calls.post("open", { name }), true);
    } catch (error) {
      this.say(error.message);
    }
  }

  async create() {
    const typedName = $("new-name").value.trim(), name = typedName.replace(/(\.ya?ml)?$/, ".yaml");
    const given = { name, base: $("bases").value, copy: $("whole").checked };
    try {
      this.take(await this.calls.post("create", given), true);
      $("creating").hidden = true;
      await this.pulse();
    } catch (error) {
      this.say(error.message);
    }
  }

  take(file, isOther = false) {
    this.file = file;
    if (isOther) {
      location.hash = encodeURIComponent(file.name);
      $("graph").replaceChildren();
    }
    this.text.show(file.text);
    $("undo").disabled = !file.undo;
    $("redo").disabled = !file.redo;
    $("save").disabled = file.saved;
    $("saved").textContent = file.saved ? "saved" : "not saved";
    document.title = `${file.saved ? "" : "• "}${file.name} – Axletree studio`;
    $("file").value = file.name;
    this.inspect();
  }

  // Changes go one after the other, each from the revision that the one before it made.
  change(action, given) {
    this.queue = this.queue.then(() => this.changed(action, given));
    return this.queue;
  }

  async changed(action, given) {
    if (!this.file) return;
    const { name, revision } = this.file;
    const overwrite = action === "save" && this.overwriting === name;
    this.overwriting = null;
    try {
      this.take(await this.calls.post(action, { name, revision, overwrite, ...given }));
      if (action === "save") this.say(`${name} is saved`, false);
    } catch (error) {
      this.say(error.message);
      if (action === "save" && error.status === 422) this.overwriting = name;
      if (error.status === 409) {
        this.lost = given.text;
        await this.open(name);
        this.say(error.message);
      } else if (action === "set" && this.seen) this.showForm();
    }
  }

  async inspect() {
    const { name, revision } = this.file;
    $("looking").hidden = false;
    try {
      const seen = await this.calls.get("inspect", { name });
      if (this.file.name !== name || this.file.revision !== seen.revision) return;
      this.seen = seen;
      this.showSeen();
    } catch (error) {
      this.say(error.message);
    } finally {
      if (this.file.name === name && this.file.revision === revision) $("looking").hidden = true;
    }
  }

  // -- what the text describes ----------------------------------------------------------
  showSeen() {
    const { seen } = this;
    this.text.mark(seen.problems);
    this.showProblems();
    this.showForm();
    this.showSheet();
    if (!seen.problems.length) this.curves.show(seen.name, seen.curves || []);
    if (seen.picture) this.view.show(seen.name, seen.picture);
    else if (!seen.problems.length) this.drawMechanism(seen);
    $("no-picture").hidden = true;
    $("picture").classList.toggle("old", seen.problems.length > 0);
    this.showPoints();
    this.showManoeuvres();
    if (!$("graph").hidden) this.showGraph();
  }

  // Its equations are formed for it, which may take longer than the rest.
  async drawMechanism({ name, revision }) {
    if (this.view.name !== name) this.view.show(name, null);
    try {
      const found = await this.calls.get("mechanism", { name });
      if (this.file.name === name && found.revision === revision) this.view.show(name, found);
    } catch (error) {
      this.view.show(name, null);
      $("no-picture").textContent = error.message;
      $("no-picture").hidden = false;
    }
    this.showPoints();
  }

  showForm() {
    if (this.seen.values) this.form.show(this.seen.own, this.seen.values, this.seen.problems);
  }

  showProblems() {
    const list = $("problems");
    list.replaceChildren();
    for (const { line, text } of this.seen.problems) {
      const button = element("button", element("li", list, "", "wrong"), text);
      button.addEventListener("click", () => {
        this.tab($("tab-text"));
        this.text.goTo(line || 1);
      });
    }
    for (const text of this.seen.warnings) element("li", list, text, "unusual");
    $("verdict").textContent = this.seen.problems.length
      ? `${this.seen.problems.length} to mend` : `${this.seen.title}: reads without a problem`;
  }

  showSheet() {
    const { sheet, problems } = this.seen;
    $("sheet").classList.toggle("old", problems.length > 0);
    if (!sheet) return;
    const before = new Map(this.sheet?.name === this.seen.name ? this.sheet.rows.map((r) => [r.name, r.value]) : []);
    this.sheet = { name: this.seen.name, rows: sheet };
    $("sheet").replaceChildren();
    for (const { name, value, unit } of sheet) {
      const row = element("tr", $("sheet"));
      element("th", row, name);
      const old = before.get(name), cell = element("td", row, value);
      if (old !== undefined && old !== value) {
        cell.className = "changed";
        cell.title = `was ${old}`;
      }
      element("td", row, unit, "unit");
    }
  }

  showManoeuvres() {
    const { manoeuvres = [], runs, parameters = [] } = this.seen, choice = $("manoeuvre"), old = choice.value;
    choice.replaceChildren();
    if (runs) element("option", choice, "its own run").value = "";
    for (const name of manoeuvres) element("option", choice, name).value = name;
    if ([...choice.options].some((one) => one.value === old)) choice.value = old;
    $("parameters").replaceChildren();
    for (const name of parameters) element("option", $("parameters")).value = name;
    const cannot = this.seen.problems.length > 0 || !choice.options.length;
    for (const name of ["run", "sweep", "live"]) $(name).disabled = cannot;
  }

  // -- hard points -----------------------------------------------------------------------
  showPoints() {
    const { points, chosen } = this.view, list = $("points");
    $("point-bar").hidden = !points.length || !this.view.scene;
    list.replaceChildren();
    element("option", list, "choose a hard point").value = "-1";
    points.forEach((point, k) => {
      const said = point.path.filter((key) => !["vehicle", "axles", "suspension", "points"].includes(key));
      element("option", list, said.join(" ").replaceAll("_", " ")).value = k;
    });
    list.value = String(chosen);
    this.showPoint();
  }

  showPoint() {
    const point = this.view.points[this.view.chosen];
    ["x", "y", "z"].forEach((axis, k) => {
      const box = $(`point-${axis}`);
      box.disabled = !point;
      box.value = point ? Number((1000 * this.ofFile(point)[k]).toFixed(2)) : "";
    });
    $("points").value = String(this.view.chosen);
    $("points").title = point ? point.about : "";
  }

  // [m], in the axes in which the file has it.
  ofFile(point) { return minus(point.position, [point.forward, 0, 0]); }

  placePoint() {
    const point = this.view.points[this.view.chosen];
    const given = ["x", "y", "z"].map((axis) => Number($(`point-${axis}`).value) / 1000);
    if (point && given.every(Number.isFinite)) this.move(this.view.chosen, sum(given, [point.forward, 0, 0]));
  }

  // To a place in the picture; without one it is on its way there.
  move(k, place) {
    const point = this.view.points[k];
    this.showPoint();
    if (!place) return;
    const metres = minus(place, [point.forward, 0, 0]);
    const old = point.path.reduce((found, key) => found?.[key], this.seen.values);
    this.change("set", { changes: [{ path: point.path, value: metres.map((m, i) => inUnitOf(old?.[i], m)) }] });
  }

  // -- graph -----------------------------------------------------------------------------
  // Of the file and the revision that are shown: a tree is chosen in it, and an answer may be late.
  async showGraph() {
    const { name } = this.file || {};
    if (!name || this.seen?.name !== name || this.seen.problems.length) return;
    try {
      const found = await this.calls.get("graph", { name });
      if (this.file.name === name && this.file.revision === found.revision) this.graph.show(found);
    } catch (error) {
      if (this.file.name !== name) return;
      $("graph").replaceChildren();
      element("p", $("graph"), error.message, "about");
    }
  }

  useTree(domain, tree) {
    if (this.seen.problems.length) this.say("the graph is that of before; mend the problems first");
    else if (!domain) this.change("set", { changes: [{ path: ["tree"], remove: true }] });
    else {
      const given = this.seen.values.tree;
      const whole = Array.isArray(given) || !given ? {} : given;
      this.change("set", { changes: [{ path: ["tree"], value: { ...whole, [domain]: tree } }] });
    }
  }

  // -- jobs ------------------------------------------------------------------------------
  runGiven() {
    return {
      name: this.file?.name, manoeuvre: $("manoeuvre").value, speed: $("speed").value.trim(),
      label: $("label").value.trim(),
    };
  }

  async run() {
    await this.text.send();
    await this.queue;
    await this.start("run", this.runGiven());
    $("label").value = "";
  }

  async start(action, given) {
    try {
      await this.calls.post(action, given);
      this.tab($("tab-runs"));
      await this.pulse();
    } catch (error) {
      this.say(error.message);
    }
  }

  // What changes by itself, or in other windows.
  async pulse() {
    try {
      this.state = await this.calls.get("state");
    } catch (error) {
      this.say(error.message);
      return;
    }
    const { project, files, open, unsaved, jobs } = this.state;
    $("project").textContent = project;
    const names = [...new Set([...files, ...Object.keys(open)])];
    const said = JSON.stringify([names, unsaved]);
    if (this.listed !== said) {
      this.listed = said;
      $("file").replaceChildren();
      for (const name of names) {
        element("option", $("file"), unsaved.includes(name) ? `${name} •` : name).value = name;
      }
      if (this.file) $("file").value = this.file.name;
    }
    this.jobs.show(jobs);
    const theirs = this.file && open[this.file.name];
    if (theirs && theirs > this.file.revision && !this.text.isTyped) this.queue = this.queue.then(() => this.follow());
  }

  async follow() {
    const seen = await this.calls.post("open", { name: this.file.name });
    if (seen.revision > this.file.revision) this.take(seen);
  }
}

// A length [m] in the unit in which it was written.
function inUnitOf(old, metres) {
  const found = typeof old === "string" ? /[\d.]\s*(mm|cm|m)$/.exec(old.trim()) : null;
  if (!found) return typeof old === "string" ? `${Number((1000 * metres).toFixed(1))} mm` : Number(metres.toFixed(4));
  const size = { mm: 1000, cm: 100, m: 1 }[found[1]];
  return `${Number((size * metres).toFixed({ mm: 1, cm: 2, m: 4 }[found[1]]))} ${found[1]}`;
}

const page = new StudioPage();
window.studio = page;
page.begin();
