// The vehicle in three dimensions, as its text describes it, with hard points that can be dragged.

const ALONG = 0.99; // cosine to an axis from which on it is looked along
const HANDLE = 11; // pixels, within which a point is taken
const LOOKS = { front: [0, 0], side: [Math.PI / 2, 0], top: [Math.PI, 1.5], free: [0.6, 0.35] };

// A painter that can forget what it has drawn with: every change of the text makes a new scene.
class ChangingPainter extends Painter {
  buffer(values) {
    const found = super.buffer(values);
    (this.buffers ||= []).push(found.made);
    return found;
  }

  indices(values) {
    const found = super.indices(values);
    this.buffers.push(found);
    return found;
  }

  forget() {
    for (const one of this.buffers || []) this.gl.deleteBuffer(one);
    this.buffers = [];
  }
}

class VehicleView {
  constructor(canvas, labels, onmove) {
    this.canvas = canvas;
    this.labels = labels;
    this.onmove = onmove;
    this.points = [];
    this.chosen = -1;
    this.painter = new ChangingPainter(canvas);
    canvas.addEventListener("pointerdown", (event) => this.take(event));
    canvas.addEventListener("pointermove", (event) => this.drag(event));
    for (const kind of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(kind, (event) => this.drop(event));
    }
    new ResizeObserver(() => this.resize()).observe(canvas);
  }

  show(name, picture) {
    this.canvas.hidden = !picture;
    if (!picture) {
      this.scene = null;
      this.points = [];
      return;
    }
    const chosen = this.points[this.chosen]?.path.join(".");
    this.scene = decodeScene(picture.scene);
    this.points = picture.points;
    this.chosen = this.points.findIndex((one) => one.path.join(".") === chosen);
    this.painter.forget();
    if (!this.theme) {
      this.theme = new Theme(this.scene.dark);
      this.theme.onchange = () => this.draw();
    }
    this.grounds = new Grounds(this.painter, this.scene);
    this.actors = new Actors(this.painter, this.scene);
    this.ball = this.painter.mesh(...VehicleView.octahedron());
    if (!this.camera) this.camera = new Camera(this.canvas, this.scene, () => this.draw());
    if (this.name !== name) {
      this.camera.size = this.scene.size;
      this.camera.first = { azimuth: this.scene.view[0], elevation: this.scene.view[1], shift: [0, 0, 0] };
      this.camera.level = between(unit(this.scene.up), [0, 0, 1]);
      this.camera.reset();
      this.name = name;
    }
    this.focus = Array.from(this.scene.focus.slice(0, 3));
    this.resize();
  }

  static octahedron() {
    const points = [1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1];
    const triangles = [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5];
    return [points, triangles, []];
  }

  look(name) {
    if (!this.camera) return;
    [this.camera.azimuth, this.camera.elevation] = LOOKS[name];
    this.camera.shift = [0, 0, 0];
    this.draw();
  }

  resize() {
    const ratio = window.devicePixelRatio || 1, { canvas } = this;
    canvas.width = Math.max(1, Math.round(canvas.clientWidth * ratio));
    canvas.height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    this.draw();
  }

  draw() {
    if (!this.scene || !this.camera || this.canvas.width < 2) return;
    const { painter, theme, scene } = this, gl = painter.gl;
    const { view, lens } = this.camera.matrices(this.focus, 0, this.canvas.width / this.canvas.height);
    this.matrix = matrixProduct(lens, view);
    painter.begin(theme.rgb("sky"), view, lens);
    const at = { k: 0, part: 0 };
    this.grounds.draw(theme, at, this.camera.reach);
    this.actors.draw(theme, at);
    gl.disable(gl.DEPTH_TEST); // points are seen wherever they are
    this.points.forEach((point, k) => {
      const size = 0.0045 * this.camera.reach * (k === this.chosen ? 1.6 : 1);
      const place = placement([1, 0, 0, 0], point.position, size);
      const colour = theme.rgb(k === this.chosen ? "force" : "edge");
      painter.draw(gl.TRIANGLES, this.ball.corners, this.ball.normals, place, colour);
    });
    gl.enable(gl.DEPTH_TEST);
    this.label();
  }

  // The name of the point that is chosen, beside it.
  label() {
    const point = this.points[this.chosen];
    this.labels.hidden = !point;
    if (!point) return;
    const [x, y] = this.onScreen(point.position);
    this.labels.textContent = point.path[point.path.length - 1].replaceAll("_", " ");
    this.labels.style.left = `${x + 12}px`;
    this.labels.style.top = `${y - 10}px`;
  }

  onScreen([x, y, z]) {
    const m = this.matrix, w = m[3] * x + m[7] * y + m[11] * z + m[15];
    const u = (m[0] * x + m[4] * y + m[8] * z + m[12]) / w;
    const v = (m[1] * x + m[5] * y + m[9] * z + m[13]) / w;
    const { clientWidth, clientHeight } = this.canvas;
    return [(0.5 + 0.5 * u) * clientWidth, (0.5 - 0.5 * v) * clientHeight, w];
  }

  nearest(event) {
    let best = -1, least = HANDLE;
    this.points.forEach((point, k) => {
      const [x, y] = this.onScreen(point.position);
      const apart = Math.hypot(x - event.offsetX, y - event.offsetY);
      if (apart < least) [best, least] = [k, apart];
    });
    return best;
  }

  choose(k) {
    this.chosen = k;
    this.draw();
    this.onmove(k, null);
  }

  take(event) {
    if (!this.matrix || event.button) return;
    const found = this.nearest(event);
    if (found < 0) return;
    event.stopImmediatePropagation(); // else the eye would go around
    this.canvas.setPointerCapture(event.pointerId);
    this.choose(found);
    this.dragged = { from: [event.offsetX, event.offsetY], start: [...this.points[found].position] };
  }

  // In the plane of the picture; along an axis that is looked along, nothing is moved.
  drag(event) {
    if (!this.dragged) return;
    event.stopImmediatePropagation();
    const { from, start } = this.dragged, { right, up } = this.camera.sides();
    const depth = this.onScreen(start)[2];
    const metres = 2 * Math.tan(ANGLE / 2) * depth / Math.max(this.canvas.clientHeight, 1)
      / Math.min(1, this.canvas.width / this.canvas.height);
    const dx = (event.offsetX - from[0]) * metres, dy = (from[1] - event.offsetY) * metres;
    this.dragged.moved = Math.hypot(event.offsetX - from[0], event.offsetY - from[1]) > 2;
    const away = this.camera.backwards(), way = sum(times(right, dx), times(up, dy));
    this.points[this.chosen].position = start.map(
      (value, axis) => (Math.abs(away[axis]) > ALONG ? value : value + way[axis]));
    this.draw();
    this.onmove(this.chosen, null);
  }

  drop(event) {
    if (!this.dragged) return;
    event.stopImmediatePropagation();
    const { moved, start } = this.dragged;
    this.dragged = null;
    const point = this.points[this.chosen];
    if (moved) this.onmove(this.chosen, point.position);
    else point.position = start;
  }
}
