// Marks of tyres on hard ground, where they slide; soft soil has ruts.

const MOST_MARKS = 3000, MARK_GAP = 0.15; // places of each wheel, and m between two of them
const SLIDING = 0.1; // slip, or rad of slip angle, from which on a tyre leaves a mark

class Marks {
  // ``isSoft`` says by its name whether a wheel is on soil, which has ruts.
  constructor(painter, scene, isSoft) {
    this.painter = painter;
    this.scene = scene;
    this.isSoft = isSoft;
    this.clear();
  }

  clear() {
    for (const way of this.ways || []) if (way.buffer) this.painter.gl.deleteBuffer(way.buffer.made);
    this.ways = this.scene.contacts.map((contact) => (
      { contact, soft: this.isSoft(contact.name), points: [], last: null, buffer: null, stale: false }));
  }

  // After steps; slides has for each wheel whether it slides.
  add(slides) {
    this.ways.forEach((way, k) => {
      if (way.soft) return;
      const { point, normal, forward, load, width } = way.contact;
      if (!(load > 0)) { way.last = null; return; }
      if (way.last && length(minus(point, way.last)) < MARK_GAP) return;
      if (way.last && slides[k]) {
        const half = times(cross(normal, forward), 0.45 * width), lift = times(normal, 0.006);
        const from = sum(way.last, lift), to = sum(point, lift);
        const corners = [
          minus(from, half), sum(from, half), sum(to, half),
          minus(from, half), sum(to, half), minus(to, half),
        ];
        way.points.push(corners.flat());
        if (way.points.length > MOST_MARKS) way.points.splice(0, MOST_MARKS / 4);
        way.stale = true;
      }
      way.last = point;
    });
  }

  get count() { return this.ways.reduce((all, way) => all + way.points.length, 0); }

  draw(theme) {
    const gl = this.painter.gl;
    for (const way of this.ways) {
      if (way.stale) {
        if (way.buffer) gl.deleteBuffer(way.buffer.made);
        way.buffer = this.painter.buffer(way.points.flat());
        way.stale = false;
      }
      if (!way.buffer) continue;
      gl.enable(gl.BLEND);
      gl.depthMask(false);
      this.painter.draw(gl.TRIANGLES, way.buffer, null, IDENTITY, theme.rgb("tyre"), 0.55);
      gl.depthMask(true);
      gl.disable(gl.BLEND);
    }
  }
}
