// An eye that goes around a target: dragged, rolled nearer, or moved with two fingers.

const LOWEST = -0.2, HIGHEST = 1.5; // rad above the horizon
const ANGLE = 0.7; // rad, from the lower to the upper edge of the picture

class Camera {
  constructor(canvas, scene, redraw) {
    this.level = between(unit(scene.up), [0, 0, 1]); // from the scene's axes to level ones
    this.first = { azimuth: scene.view[0], elevation: scene.view[1], shift: [0, 0, 0] };
    this.size = scene.size;
    this.redraw = redraw;
    this.fingers = new Map();
    this.spread = 1;
    this.reset();
    canvas.addEventListener("pointerdown", (event) => this.down(canvas, event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(name, (event) => this.fingers.delete(event.pointerId));
    }
    // Within another page a roll moves that page until one has clicked here, and a finger that goes
    // up or down moves it always.
    const inner = window.parent !== window;
    if (inner) canvas.style.touchAction = "pan-y";
    canvas.addEventListener("wheel", (event) => {
      if (inner && !document.hasFocus()) return;
      event.preventDefault();
      this.nearer(Math.exp(0.0012 * event.deltaY));
    }, { passive: false });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  reset() {
    Object.assign(this, this.first, { distance: 1.75 * this.size });
    this.shift = [0, 0, 0];
  }

  // How far off the eye is: farther where what it follows goes apart.
  get reach() { return this.distance * this.spread; }

  down(canvas, event) {
    canvas.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
  }

  move(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY];
    const dx = now[0] - before[0], dy = now[1] - before[1];
    if (this.fingers.size === 2) this.pinch(event.pointerId, before, now);
    else if (event.shiftKey || event.buttons & 2) this.pan(dx, dy);
    else this.orbit(dx, dy);
    this.fingers.set(event.pointerId, now);
  }

  orbit(dx, dy) {
    this.azimuth -= 0.006 * dx;
    this.elevation = Math.min(HIGHEST, Math.max(LOWEST, this.elevation + 0.006 * dy));
    this.redraw();
  }

  pinch(id, before, now) {
    const [other] = [...this.fingers].filter(([key]) => key !== id).map(([, place]) => place);
    const gap = (a) => Math.hypot(a[0] - other[0], a[1] - other[1]) || 1;
    this.nearer(gap(before) / gap(now));
    this.pan((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
  }

  pan(dx, dy) {
    const k = 0.0012 * this.reach, { right, up } = this.sides();
    this.shift = sum(this.shift, sum(times(right, -k * dx), times(up, k * dy)));
    this.redraw();
  }

  nearer(factor) {
    this.distance = Math.min(80 * this.size, Math.max(0.25 * this.size, this.distance * factor));
    this.redraw();
  }

  backwards(extra = 0) {
    const a = this.azimuth + extra, c = Math.cos(this.elevation);
    return [c * Math.cos(a), c * Math.sin(a), Math.sin(this.elevation)];
  }

  sides() {
    const back = this.backwards(), right = unit(cross([0, 0, 1], back));
    return { right, up: cross(back, right) };
  }

  // View and lens for a target in the scene's axes, turned along by a heading [rad].
  matrices(target, heading, aspect) {
    const at = sum(turn(this.level, target), this.shift);
    const eye = sum(at, times(this.backwards(heading), this.reach));
    const levelled = placement(this.level, [0, 0, 0]);
    this.eye = turn([this.level[0], ...times(this.level.slice(1), -1)], eye);
    const angle = 2 * Math.atan(Math.tan(ANGLE / 2) / Math.min(1, aspect));
    const near = 0.02 * this.reach, far = 12 * this.reach + 60 * this.size;
    return {
      view: matrixProduct(lookAt(eye, at, [0, 0, 1]), levelled),
      lens: perspective(angle, aspect, near, far),
    };
  }
}
