// The page: physics, picture and numbers once a frame, and the buttons.

const CAMERAS = ["chase", "cockpit", "free"];
const SMOOTHING = 4; // 1/s, of the camera's heading behind the vehicle

class LivePage {
  constructor(data, module) {
    this.data = data;
    this.module = module;
    this.stepper = Stepper.of(module, data.layout, data.step);
    for (const [name, value] of Object.entries(data.changed)) this.stepper.set(name, value);
    const { columns } = this;
    this.drive = new Drive(this.stepper, data.controls, columns);
    this.canvas = document.getElementById("view");
    this.pedals = new Pedals(data.controls, this.canvas);
    this.gears = new Gears(data.gears, data.reverse, this.drive);
    this.setup = new Setup(data.sliders, this.drive);
    this.telemetry = new Telemetry(data, this.drive);
    this.handling = new Handling(module, data, this.drive, this.setup);
    this.travel = new WheelTravel(module, data, this.drive, this.setup);
    this.times = { physics: [], script: [] }; // ms a frame
    this.pace = 1; // of time in the page beside that of the clock
    this.view = "chase";
    this.heading = 0;
    this.running = false;
    this.course = null;
    this.drive.onfail = (message) => this.say(`The run has ended: ${message}. Start again.`);
    this.openPicture(decodeScene(data.scene), data.moves);
    this.drive.onrecord = () => this.pass();
    this.restart();
  }

  // What is recorded: inputs that can be set, and what is shown of the whole.
  get columns() {
    const { layout, controls, signals } = this.data;
    const places = ["x", "y", "heading"].map((word) => `vehicle.${word}`);
    const known = new Set(layout.outputs.map((one) => one.name));
    const inputs = [...Object.values(controls.keys).flatMap(({ names }) => names), ...controls.inputs.map((one) => one.name), ...controls.held];
    const own = [...signals.map((one) => one.name), ...places.filter((name) => known.has(name))];
    const wheels = layout.outputs.map((one) => one.name).filter((name) => /\.(slip|slip_angle|sinkage)$/.test(name));
    return [...new Set([...own, ...inputs, ...wheels])];
  }

  openPicture(scene, moves) {
    this.scene = scene;
    this.live = new LiveScene(scene, moves, this.stepper);
    try {
      this.painter = new Painter(this.canvas);
    } catch (error) {
      this.say("This page draws with WebGL, which this browser does not have or has switched off.");
      if (error.message !== "no WebGL") throw error;
      return;
    }
    scene.trails = [];
    scene.lines = [];
    this.theme = new Theme(scene.dark);
    this.grounds = new Grounds(this.painter, scene);
    this.actors = new Actors(this.painter, scene);
    this.shadow = new Shadow(this.painter, this.actors, scene);
    const { known } = this.stepper, depth = (name) => (
      known.has(`${name}.sinkage`) ? this.stepper.get(`${name}.sinkage`) : null);
    this.marks = new Marks(this.painter, this.live, (name) => depth(name) !== null);
    this.ruts = new Ruts(this.painter, this.live, this.grounds, depth);
    this.ghost = new Ghost(scene.actors[scene.main], this.data.laps, this.live.main);
    this.cone = coneMesh(this.painter);
    this.camera = new Camera(this.canvas, scene, () => {});
    this.theme.onchange = () => {
      this.draw();
      this.handling.draw();
      this.travel.draw();
    };
    window.addEventListener("resize", () => this.resize());
    this.resize();
  }

  resize() {
    const ratio = Math.min(2, window.devicePixelRatio || 1), { canvas } = this;
    canvas.width = Math.max(1, Math.round(canvas.clientWidth * ratio));
    canvas.height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    this.draw();
  }

  say(text) {
    const place = document.getElementById("message");
    place.textContent = text;
    place.hidden = !text;
  }

  restart(start = this.drive.start) {
    this.say("");
    if (this.course) this.course.reset();
    this.drive.reset(start, this.trimmed(start));
    this.pedals.reset(this.given);
    this.setSwitches();
    this.gears.begin();
    this.clearTracks();
    if (this.ghost) this.ghost.begin(this.drive.time);
    this.live.update(this.stepper.values("outputs"));
    this.heading = this.live.heading;
    this.draw();
  }

  // The steady motion of a start with parameters that have changed since the page was made.
  trimmed(start) {
    if (!this.drive.isChanged) return null;
    const found = this.handling.trim(start);
    if (!found && this.data.speeds.includes(start)) {
      this.say(`With these parameters no steady motion at ${start} is found: the drive begins in that of the page as it was made.`);
    }
    return found;
  }

  // Steering, throttle and brake as they are.
  get given() {
    const found = {};
    for (const word of Object.keys(this.pedals.keys)) {
      found[word] = this.pedals.share(word, this.stepper.get(this.pedals.names(word)[0]));
    }
    return found;
  }

  // Controllers in the steps, as they are switched on the page.
  setSwitches() {
    for (const { name, input } of this.data.switches) {
      this.drive.set(input, Number(document.getElementById(`switch-${name}`)?.checked || false));
    }
  }

  clearTracks() {
    if (!this.marks) return;
    this.marks.clear();
    this.ruts.clear();
    this.live.update(this.stepper.values("outputs"));
    this.ruts.add();
  }

  get speed() {
    const name = "vehicle.forward_speed";
    return this.stepper.known.has(name) ? this.stepper.get(name) : 0;
  }

  get friction() {
    const shares = this.live.contacts.map((one) => (
      one.load > 1 ? Math.hypot(one.along, one.aside) / one.load : 0));
    return Math.max(0, ...shares);
  }

  pass() {
    const { stepper } = this, at = (word) => stepper.get(`vehicle.${word}`);
    if (!this.course || !stepper.known.has("vehicle.heading")) return;
    const laps = this.course.begun;
    this.course.pass(this.drive.time, at("x"), at("y"), at("heading"));
    if (this.course.begun !== laps && this.ghost) this.ghost.begin(this.course.begun);
  }

  // One frame: dt seconds of the clock.
  frame(dt) {
    const begin = performance.now();
    if (this.drive.replaying) {
      this.gears.follow();
      if (this.pedals.held.size || this.pedals.finger) this.takeOver();
    } else if (this.pedals.any) {
      this.pedals.update(Math.min(dt, LONGEST_FRAME), Math.abs(this.speed), this.friction);
      const by = this.pedals.takeShift();
      if (by) this.gears.shift(by, this.speed);
      for (const word of Object.keys(this.pedals.keys)) {
        for (const name of this.pedals.names(word)) this.drive.set(name, this.pedals.value(word));
      }
    }
    const passed = this.drive.pass(dt) * this.stepper.step;
    if (dt > 0) this.pace += 0.05 * (Math.min(1, passed / dt) - this.pace);
    const stepped = performance.now();
    this.live.update(this.stepper.values("outputs"));
    if (this.marks) {
      this.marks.add(this.slides());
      this.ruts.add();
      this.ghost.add(this.drive.time, this.live.main);
    }
    this.heading += SMOOTHING * Math.min(dt, 0.1) * wrapped(this.live.heading - this.heading);
    this.draw();
    this.keep(this.times.physics, stepped - begin);
    this.keep(this.times.script, performance.now() - stepped);
  }

  // From where wheel and pedals are now.
  takeOver() {
    this.drive.takeOver();
    Object.assign(this.pedals.wanted, this.given);
    this.say("");
  }

  slides() {
    const { known } = this.stepper;
    return this.live.contacts.map(({ name }) => [`${name}.slip`, `${name}.slip_angle`].some((one) => (
      known.has(one) && Math.abs(this.stepper.get(one)) > SLIDING)));
  }

  keep(times, value) {
    times.push(value);
    if (times.length > 120) times.shift();
  }

  draw() {
    if (!this.painter || !this.camera) return;
    const { camera, painter, theme, live, scene } = this, aspect = this.canvas.width / this.canvas.height;
    const [target, heading] = this.aim();
    const { view, lens } = camera.matrices(target, heading, aspect);
    this.followGround(live.target);
    painter.begin(theme.rgb("sky"), view, lens);
    const at = { k: 0, part: 0 };
    this.ruts.update();
    this.grounds.draw(theme, { k: this.ruts.count - 1, part: 0 }, camera.reach);
    this.marks.draw(theme);
    this.shadow.draw(theme, live.contacts);
    if (this.course) this.course.draw(theme, this.cone);
    this.actors.draw(theme, at);
    this.ghost.draw(theme, painter, this.actors.meshes, this.drive.time);
    this.showNumbers();
    if (!this.data.drawn) this.data.drawn = scene.title;
  }

  aim() {
    if (this.view === "free") return [this.live.target, 0];
    if (this.view === "chase") return [this.live.target, this.heading];
    return [this.live.target, this.live.heading];
  }

  // From inside, the body is seen through, and forces would stand in the way.
  dress() {
    const inside = this.view === "cockpit", is = (id) => document.getElementById(id).checked;
    this.actors.shown.forces = is("forces") && !inside;
    this.seeThrough(is("glass") || inside);
  }

  use(view) {
    this.view = view;
    document.getElementById("camera").value = view;
    this.dress();
    this.camera.reset();
    if (view === "cockpit") Object.assign(this.camera, { elevation: 0.13, azimuth: Math.PI, distance: 0.55 * this.scene.size });
    if (view === "chase") Object.assign(this.camera, { azimuth: Math.PI, elevation: 0.28, distance: 1.9 * this.scene.size });
    this.draw();
  }

  // A level plane is moved along in whole cells of its grid, so that it has no end.
  followGround([x, y]) {
    const cell = 10 * this.grounds.gap, far = 60 * this.scene.size;
    this.scene.grounds.forEach((ground, k) => {
      if (!ground.endless) return;
      const middle = [0, 1].map((axis) => {
        const values = ground.points.filter((_, n) => n % 3 === axis);
        return (Math.min(...values) + Math.max(...values)) / 2;
      });
      const way = [x - middle[0], y - middle[1]].map((d) => cell * Math.round(d / cell));
      if (Math.hypot(...way) < far) return;
      for (let n = 0; n < ground.points.length; n += 3) {
        ground.points[n] += way[0];
        ground.points[n + 1] += way[1];
      }
      const old = this.grounds.surfaces[k];
      this.grounds.surfaces[k] = this.grounds.surface(ground);
      for (const one of [old.points.made, old.normals.made, old.indices]) this.painter.gl.deleteBuffer(one);
    });
  }

  seeThrough(wanted) {
    for (const k of this.data.moves.hulls) {
      for (const piece of this.scene.actors[k].pieces) piece.opacity = wanted ? 0.25 : 1;
    }
    this.draw();
  }

  showNumbers() {
    const now = performance.now();
    document.getElementById("now").textContent = `${this.drive.time.toFixed(1)} s`;
    for (const word of ["steering", "throttle", "brake"]) {
      const [name] = this.pedals.names(word), meter = document.getElementById(`meter-${word}`);
      if (!name) continue;
      const value = this.pedals.share(word, this.stepper.get(name));
      meter.value = word === "steering" ? -value / this.pedals.most : value;
    }
    if (now - (this.shown || 0) < 100 && this.running) return;
    this.shown = now;
    this.gears.show();
    this.telemetry.show(this.live.contacts);
    this.telemetry.draw();
    document.getElementById("course-state").textContent = this.course ? this.course.inWords(this.drive.time) : "";
    document.getElementById("cost").textContent = this.cost
      + (this.running && this.pace < 0.9 ? `; slow motion, ${this.pace.toFixed(2)} of the clock` : "");
  }

  costOf(word) { return middleAndMost(this.times[word]); } // ms

  get cost() {
    if (!this.times.physics.length) return "";
    const [physics, script] = ["physics", "script"].map((word) => this.costOf(word));
    return `physics ${physics[0].toFixed(2)} ms, script ${script[0].toFixed(2)} ms a picture `
      + `(99 % below ${physics[1].toFixed(1)} and ${script[1].toFixed(1)} ms)`;
  }

  go() {
    if (this.running) return;
    this.running = true;
    this.clock = null;
    const tick = (now) => {
      if (!this.running) return;
      const dt = this.clock === null ? 0 : (now - this.clock) / 1000;
      this.clock = now;
      this.frame(dt);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    this.onrun();
  }

  stop() {
    this.running = false;
    this.shown = 0;
    this.draw();
    this.onrun();
  }

  onrun() {
    const button = document.getElementById("run");
    button.textContent = this.running ? "❚❚ Pause" : "▶ Drive";
    button.setAttribute("aria-pressed", this.running);
  }

  choose(name) {
    const given = this.data.courses.find((one) => one.name === name);
    this.course = given && this.painter ? new Course(this.painter, given) : null;
    const lap = this.data.laps.find((one) => one.course === name);
    if (lap && this.ghost) this.race(lap.name);
    this.restart();
  }

  // Another ghost; "" for none.
  race(name) {
    this.ghost.chosen = document.getElementById("ghost").value = name;
    this.draw();
  }

  // The ghost of a file: a drive that was saved here, or a record with the places of a vehicle.
  openGhost(name, text) {
    const poses = name.endsWith(".json")
      ? this.posesOf(JSON.parse(text))
      : placesOfCsv(text, this.trackOrigin).map((place) => this.ghost.onGround(place));
    if (!this.ghost.kept.has(name)) element("option", document.getElementById("ghost"), name).value = name;
    this.ghost.keep(name, poses);
    this.race(name);
  }

  // Of the track that is chosen, or of the first one; none of a page without tracks of laps.
  get trackOrigin() {
    const tracks = this.data.courses.filter(({ origin }) => origin);
    return (this.course?.given.origin ? this.course.given : tracks[0])?.origin;
  }

  // Of a drive that is driven again, beside the one that goes on.
  posesOf(recording) {
    const { layout, step, controls } = this.data, found = [];
    const other = new Drive(Stepper.of(this.module, layout, step), controls, []);
    other.onfail = (message) => { throw new Error(message); };
    other.onrecord = () => (
      found.push({ time: other.time, ...this.live.mainOf(other.stepper.values("outputs")) }));
    other.replay(recording);
    while (other.replaying) other.advance(other.every);
    return found;
  }
}

// The mean of the middle half, which clocks of 0.1 ms and pictures that another program held up do
// not spoil, and the 99th percentile.
function middleAndMost(values) {
  const sorted = [...values].sort((a, b) => a - b), n = sorted.length;
  const middle = sorted.slice(n >> 2, Math.max(n - (n >> 2), 1));
  return [middle.reduce((all, one) => all + one, 0) / (middle.length || 1), sorted[Math.floor(0.99 * n)] ?? 0];
}

function wrapped(angle) { return Math.atan2(Math.sin(angle), Math.cos(angle)); }

function save(name, text, kind) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: kind }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function connect(page) {
  const by = (id) => document.getElementById(id), { data, drive } = page;
  const options = (select, entries, chosen) => {
    for (const [value, text] of entries) element("option", select, text).value = value;
    select.value = chosen;
  };
  by("title").textContent = data.title;
  const driven = new Set(data.drives.map(({ name }) => name));
  options(by("start"), data.layout.starts.filter(({ name }) => !driven.has(name)).map(({ name }) => [name, name === "own" ? "the model's own" : name]), drive.start);
  options(by("course"), [["", "none"], ...data.courses.map(({ name }) => [name, name])], "");
  by("course").parentElement.hidden = !data.courses.length;
  by("run").addEventListener("click", () => (page.running ? page.stop() : page.go()));
  by("restart").addEventListener("click", () => page.restart());
  by("start").addEventListener("change", () => page.restart(by("start").value));
  by("course").addEventListener("change", () => page.choose(by("course").value));
  by("camera").addEventListener("change", () => page.use(by("camera").value));
  by("theme").addEventListener("click", () => page.theme.swap());
  for (const { name } of data.switches) {
    const label = element("label", by("switches")), box = element("input", label);
    Object.assign(box, { type: "checkbox", id: `switch-${name}` });
    label.append(` ${name.length < 4 ? name.toUpperCase() : name}`);
    label.title = `the controller ${name} acts in the steps`;
    box.addEventListener("change", () => page.setSwitches());
  }
  by("switches").hidden = !data.switches.length;
  by("of-gears").hidden = by("keys-gears").hidden = !page.gears.possible;
  by("automatic").parentElement.hidden = !data.gears.length;
  by("automatic").addEventListener("change", () => page.gears.switch(by("automatic").checked));
  for (const [id, way] of [["gear-up", 1], ["gear-down", -1]]) {
    by(id).addEventListener("click", () => shift(page, way));
  }
  by("help").parentElement.hidden = !page.pedals.any;
  by("help").addEventListener("change", () => { page.pedals.help = by("help").checked; });
  by("glass").addEventListener("change", () => page.dress());
  by("glass").parentElement.hidden = !data.moves.hulls.length;
  by("forces").addEventListener("change", () => page.dress());
  options(by("manoeuvre"), [["", "none"], ...data.drives.map(({ name }) => [name, name])], "");
  by("manoeuvre").parentElement.hidden = !data.drives.length;
  by("manoeuvre").addEventListener("change", () => show(page, by("manoeuvre").value));
  options(by("ghost"), [["", "none"], ...[LAST, ...data.laps.map(({ name }) => name)].map((name) => [name, name])], LAST);
  by("ghost").addEventListener("change", () => page.race(by("ghost").value));
  by("open-ghost").addEventListener("change", async () => {
    const [file] = by("open-ghost").files;
    try {
      page.openGhost(file.name, await file.text());
    } catch (error) {
      page.say(`This file is no ghost for this page: ${error.message}. It takes drives that were saved here and CSV files with vehicle.x, vehicle.y and vehicle.heading, such as lap.csv of axletree lap, whose columns are x, y and heading.`);
    }
  });
  by("csv").addEventListener("click", () => save(`${data.layout.name}.csv`, drive.csv(), "text/csv"));
  by("keep").addEventListener("click", () => (
    save(`${data.layout.name}.drive.json`, JSON.stringify(drive.recording()), "application/json")));
  by("again").addEventListener("click", () => { replay(page, drive.recording()); });
  by("open").addEventListener("change", async () => {
    try {
      replay(page, JSON.parse(await by("open").files[0].text()));
    } catch (error) {
      page.say(`This file is no drive that can be replayed here: ${error.message}.`);
    }
  });
  fillInputs(page, by("inputs"));
  connectKeys(page);
  connectPad(page, by("pad"));
  by("keys").hidden = by("pad").hidden = by("meters").hidden = !page.pedals.any;
}

// By the person at the page, who takes over with it.
function shift(page, way) {
  if (!page.gears.possible) return;
  if (page.drive.replaying) page.takeOver();
  page.gears.shift(way, page.speed);
}

// A manoeuvre as its driver drives it, among its cones.
function show(page, name) {
  const given = page.data.drives.find((one) => one.name === name);
  if (!given) return;
  if (given.course !== (page.course ? page.course.given.name : "")) {
    document.getElementById("course").value = given.course;
    page.choose(given.course);
  }
  const { layout, changed, switches } = page.data;
  const parameters = { ...changed, ...Object.fromEntries(page.drive.changedParameters()) };
  replay(page, { model: layout.name, step: page.data.step, start: name, parameters, ...given });
  if (switches.length) page.setSwitches();
}

function replay(page, recording) {
  page.drive.replay(recording);
  page.say("");
  if (page.course) page.course.reset();
  page.clearTracks();
  if (page.ghost) page.ghost.begin(page.drive.time);
  page.pedals.reset({});
  page.go();
}

function fillInputs(page, list) {
  const { inputs } = page.data.controls;
  document.getElementById("of-inputs").hidden = !inputs.length;
  for (const { name, unit, low, high } of inputs) {
    const label = element("label", element("li", list), `${name.replaceAll("_", " ")} `);
    const value = element("output", label), range = element("input", label);
    Object.assign(range, { type: "range", min: low, max: high, step: (high - low) / 200 });
    range.setAttribute("aria-label", name.replaceAll("_", " ")); // the label is that of its output
    range.value = page.stepper.get(name);
    const show = () => { value.textContent = `${Number(range.value).toPrecision(3)} ${unit}`; };
    range.addEventListener("input", () => { page.drive.set(name, Number(range.value)); show(); });
    show();
  }
}

function connectKeys(page) {
  const own = (target) => ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName);
  window.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || own(target)) return;
    const button = target.tagName === "BUTTON" || target.tagName === "SUMMARY";
    if (page.pedals.any && page.pedals.press(key, true)) {
      if (!page.running) page.go();
    } else if (key === " " && !button) page.running ? page.stop() : page.go();
    else if (key === "r") page.restart();
    else if (key === "c") {
      const next = CAMERAS[(CAMERAS.indexOf(page.view) + 1) % CAMERAS.length];
      page.use(next);
    } else if (key === "b") page.setup.change();
    else if (key === "e") shift(page, 1);
    else if (key === "q") shift(page, -1);
    else return;
    event.preventDefault();
  });
  window.addEventListener("keyup", (event) => page.pedals.press(event.key, false));
  window.addEventListener("blur", () => page.pedals.held.clear());
}

function connectPad(page, pad) {
  const at = (event) => {
    const box = pad.getBoundingClientRect();
    const share = (value, from, size) => Math.min(1, Math.max(-1, 2 * (value - from) / size - 1));
    page.pedals.touch(
      share(event.clientX, box.left, box.width), share(event.clientY, box.top, box.height));
  };
  pad.addEventListener("pointerdown", (event) => {
    pad.setPointerCapture(event.pointerId);
    at(event);
    if (!page.running) page.go();
  });
  pad.addEventListener("pointermove", (event) => { if (page.pedals.finger) at(event); });
  for (const name of ["pointerup", "pointercancel"]) {
    pad.addEventListener(name, () => page.pedals.release());
  }
}

// After so many seconds with steering, throttle and brake held as the address says.
function begin(page, given) {
  const { keys } = page.data.controls, values = {};
  page.stop();
  for (const word of Object.keys(keys)) values[word] = Number(given.get(word) || 0);
  page.pedals.reset(values);
  const draw = page.draw;
  page.draw = () => {};
  while (page.drive.time < Number(given.get("t")) && !page.drive.failed) page.frame(0.02);
  page.draw = draw;
  page.times = { physics: [], script: [] }; // of pictures that nobody has seen
  page.draw();
}

async function open() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const module = await WebAssembly.compile(bytes(data.module));
  const page = new LivePage(data, module);
  connect(page);
  const given = new URLSearchParams(location.hash.slice(1));
  if (given.has("theme") && page.theme) page.theme.use(given.get("theme"));
  if (page.camera) page.use(given.get("camera") || "chase");
  if (given.has("course")) {
    document.getElementById("course").value = given.get("course");
    page.choose(given.get("course"));
  }
  if (given.has("manoeuvre")) {
    document.getElementById("manoeuvre").value = given.get("manoeuvre");
    show(page, given.get("manoeuvre"));
  }
  if (given.has("t")) begin(page, given);
  const narrow = window.matchMedia("(max-width: 60rem)");
  for (const part of document.querySelectorAll("details")) part.open = !narrow.matches && part.open;
  if (!page.pedals.any) document.getElementById("of-inputs").open = true; // all there is to drive by
  window.live = page;
}

open().catch((error) => {
  const place = document.getElementById("message");
  place.hidden = false;
  place.textContent = `This page cannot run the model: ${error.message}`;
});
