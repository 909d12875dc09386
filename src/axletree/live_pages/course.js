// What is driven around: lines and cones of a course, cones that were hit, laps and their times.

class Course {
  constructor(painter, given) {
    this.given = given;
    this.painter = painter;
    this.lines = given.lines.map((line) => ({ ...line, buffer: painter.buffer(floats(line.points)) }));
    this.reset();
  }

  reset() {
    this.hit = new Set();
    this.laps = []; // s
    this.begun = null; // when this lap was begun
    this.before = null; // how far past the start line the vehicle was
  }

  // The vehicle is at x, y [m], on its heading [rad], at a time [s].
  pass(time, x, y, heading) {
    const [width, ahead, behind] = this.given.size;
    const c = Math.cos(heading), s = Math.sin(heading);
    this.given.cones.forEach(([cx, cy], k) => {
      const along = c * (cx - x) + s * (cy - y), aside = -s * (cx - x) + c * (cy - y);
      if (along < ahead && along > -behind && Math.abs(aside) < width / 2) this.hit.add(k);
    });
    if (this.given.start) this.time(time, x, y);
  }

  // A lap ends where the start line is crossed forwards, near to it.
  time(time, x, y) {
    const [sx, sy, heading] = this.given.start;
    const c = Math.cos(heading), s = Math.sin(heading);
    const past = c * (x - sx) + s * (y - sy), aside = -s * (x - sx) + c * (y - sy);
    const { before } = this;
    this.before = { past, time };
    if (!before || Math.abs(aside) > 15 || Math.abs(past) > 20) return;
    if (before.past < 0 && past >= 0) {
      const share = -before.past / (past - before.past);
      const crossed = before.time + share * (time - before.time);
      if (this.begun !== null) this.laps.push(crossed - this.begun);
      this.begun = crossed;
    } else if (this.begun === null && before.past === 0 && past > 0) this.begun = before.time;
  }

  inWords(time) {
    const parts = [];
    if (this.given.cones.length) {
      const cones = this.hit.size === 1 ? "1 cone" : `${this.hit.size || "no"} cones`;
      parts.push(`${cones} hit of ${this.given.cones.length}`);
    }
    if (this.given.start) {
      const now = this.begun === null ? "not begun" : `${(time - this.begun).toFixed(2)} s`;
      parts.push(`lap: ${now}`);
      if (this.laps.length) {
        parts.push(`last ${this.laps[this.laps.length - 1].toFixed(3)} s`);
        parts.push(`best ${Math.min(...this.laps).toFixed(3)} s`);
      }
    }
    return parts.join(", ");
  }

  draw(theme, cone) {
    const { gl } = this.painter;
    for (const { buffer, colour } of this.lines) {
      this.painter.drawLines(gl.LINE_STRIP, buffer, IDENTITY, theme.rgb(colour), 2);
    }
    this.given.cones.forEach(([x, y], k) => {
      const lying = this.hit.has(k);
      const q = lying ? aboutAxis([0, 1, 0], Math.PI / 2) : [1, 0, 0, 0];
      const place = placement(q, [x, y, lying ? 0.08 : 0]), colour = lying ? "#d55e00" : "#e69f00";
      this.painter.draw(gl.TRIANGLES, cone.corners, cone.normals, place, theme.rgb(colour));
    });
  }
}

// A cone of 0.5 m with a square foot, as triangles and the lines of none.
function coneMesh(painter) {
  const points = [], triangles = [], n = 10;
  for (let k = 0; k < n; k++) {
    const a = 2 * Math.PI * k / n;
    points.push(0.14 * Math.cos(a), 0.14 * Math.sin(a), 0);
    points.push(0.02 * Math.cos(a), 0.02 * Math.sin(a), 0.5);
  }
  for (let k = 0; k < n; k++) {
    const a = 2 * k, b = 2 * ((k + 1) % n);
    triangles.push(a, b, b + 1, a, b + 1, a + 1);
  }
  return painter.mesh(points, triangles, []);
}
