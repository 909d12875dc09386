// Time that goes on, the buttons that steer it, and the picture at each moment.

class Player {
  constructor(scene, canvas) {
    this.scene = scene;
    this.canvas = canvas;
    this.painter = new Painter(canvas);
    this.theme = new Theme(scene.dark);
    this.grounds = new Grounds(this.painter, scene);
    this.actors = new Actors(this.painter, scene);
    this.panel = new Panel(scene, this.grounds.gap);
    this.camera = new Camera(canvas, scene, () => this.draw());
    this.first = scene.time[0];
    this.last = scene.time[scene.time.length - 1];
    this.time = this.first;
    this.speed = 1;
    this.frame = Math.min(1 / 30, (this.last - this.first) / 100); // s, of an arrow key
    this.playing = false;
    this.anchor = Array.from(scene.focus.slice(0, 3));
    this.theme.onchange = () => this.draw();
    for (const event of ["resize", "beforeprint"]) {
      window.addEventListener(event, () => this.resize());
    }
    this.resize();
  }

  // Whether it goes further than a picture of it is wide.
  get travels() {
    const { focus, size } = this.scene, at = (k) => Array.from(focus.slice(3 * k, 3 * k + 3));
    const way = minus(at(focus.length / 3 - 1), at(0));
    return length(way) > size;
  }

  resize() {
    const ratio = window.devicePixelRatio || 1, { canvas } = this;
    canvas.width = Math.max(1, Math.round(canvas.clientWidth * ratio));
    canvas.height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    this.draw();
  }

  seek(t) {
    this.time = Math.min(this.last, Math.max(this.first, t));
    this.draw();
  }

  play() {
    if (this.playing) return;
    if (this.time >= this.last) this.time = this.first;
    this.playing = true;
    this.clock = null;
    requestAnimationFrame((now) => this.tick(now));
    this.onplay();
  }

  pause() {
    this.playing = false;
    this.onplay();
  }

  tick(now) {
    if (!this.playing) return;
    const passed = this.clock === null ? 0 : Math.min(0.1, (now - this.clock) / 1000);
    this.clock = now;
    this.seek(this.time + passed * this.speed);
    if (this.time >= this.last) this.pause();
    else requestAnimationFrame((next) => this.tick(next));
  }

  // Where the camera looks, and how far it has turned along with the body [rad].
  target(at) {
    if (this.view === "fixed") return { place: this.anchor, heading: 0 };
    this.anchor = vectorAt(this.scene.focus, at);
    this.camera.spread = this.scene.spread ? numberAt(this.scene.spread, at) : 1;
    if (this.view === "chase") return { place: this.anchor, heading: 0 };
    const { q } = poseAt(this.scene.actors[this.scene.main], at);
    const ahead = turn(this.camera.level, turn(q, [1, 0, 0]));
    return { place: this.anchor, heading: Math.atan2(ahead[1], ahead[0]) };
  }

  // Where a point on an actor, in its axes, is now [m], in those of the ground.
  where(name, point = [0, 0, 0]) {
    const actor = this.scene.actors.find((one) => one.name === name);
    const { q, p } = poseAt(actor, moment(this.scene.time, this.time));
    return sum(p, turn(q, point));
  }

  draw() {
    if (!this.camera) return;
    const at = moment(this.scene.time, this.time), { place, heading } = this.target(at);
    const aspect = this.canvas.width / this.canvas.height;
    const { view, lens } = this.camera.matrices(place, heading, aspect);
    this.painter.begin(this.theme.rgb("sky"), view, lens);
    this.grounds.draw(this.theme, at, this.camera.reach);
    this.actors.draw(this.theme, at);
    this.panel.show(this.time, at);
    this.onmove();
  }

  onplay() {}
  onmove() {}
}

function connect(player) {
  const by = (id) => document.getElementById(id), slider = by("slider");
  slider.min = player.first;
  slider.max = player.last;
  slider.step = (player.last - player.first) / 5000 || 1;
  slider.addEventListener("input", () => player.seek(Number(slider.value)));
  player.onmove = () => { slider.value = player.time; };
  player.onplay = () => {
    by("play").textContent = player.playing ? "❚❚ Pause" : "▶ Play";
    by("play").setAttribute("aria-pressed", player.playing);
  };
  const swap = () => (player.playing ? player.pause() : player.play());
  by("play").addEventListener("click", swap);
  by("speed").addEventListener("change", (event) => { player.speed = Number(event.target.value); });
  const camera = by("camera");
  camera.value = player.view;
  camera.addEventListener("change", () => { player.view = camera.value; player.draw(); });
  for (const name of ["forces", "trails"]) {
    by(name).addEventListener("change", (event) => {
      player.actors.shown[name] = event.target.checked;
      player.draw();
    });
  }
  if (!player.scene.forces.length) by("forces").parentElement.hidden = true;
  by("theme").addEventListener("click", () => player.theme.swap());
  by("reset").addEventListener("click", () => { player.camera.reset(); player.draw(); });
  window.addEventListener("keydown", (event) => {
    const { target, key } = event, own = target.type === "checkbox" || target.tagName === "BUTTON";
    if (event.ctrlKey || event.altKey || event.metaKey || target.tagName === "SELECT") return;
    if (!(own && key === " ") && press(player, key, event.shiftKey, swap)) event.preventDefault();
  });
}

const TURNS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// Whether a key does something: arrows move time, with shift the eye; + and - bring it nearer.
function press(player, key, shift, swap) {
  const { camera } = player, steps = { ArrowRight: 1, ArrowLeft: -1 };
  const factor = { "+": 0.9, "=": 0.9, "-": 1 / 0.9, "_": 1 / 0.9 }[key];
  if (key === " ") swap();
  else if (shift && key in TURNS) camera.orbit(...TURNS[key].map((way) => 15 * way));
  else if (key in steps) player.seek(player.time + steps[key] * player.frame);
  else if (factor) camera.nearer(factor);
  else return false;
  return true;
}
