// Where the vehicle was at the same time of the attempt before: of the last lap on a circuit, else
// since the last start.

const MOST_POSES = 40000;

class Ghost {
  constructor(actor) {
    this.actor = actor;
    this.shown = true;
    this.poses = []; // of this attempt: { time, p, q }, time [s] since it began
    this.before = []; // of the last one
    this.begun = 0;
  }

  // A new attempt begins at a time [s]; one that was given up at once is forgotten.
  begin(time) {
    if (this.poses.length > 60) this.before = this.poses;
    this.poses = [];
    this.begun = time;
  }

  add(time, { p, q }) {
    if (this.poses.length < MOST_POSES) this.poses.push({ time: time - this.begun, p, q });
  }

  // The pose between two that were kept, or none past the end.
  at(time) {
    const { before } = this, since = time - this.begun;
    if (!before.length || since < before[0].time || since > before[before.length - 1].time) return null;
    let low = 0, high = before.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (before[middle].time <= since) low = middle; else high = middle;
    }
    const a = before[low], b = before[high], span = b.time - a.time;
    const part = span > 0 ? (since - a.time) / span : 0;
    const q = a.q.map((v, k) => v + (b.q[k] - v) * part), n = Math.hypot(...q) || 1;
    return { p: sum(a.p, times(minus(b.p, a.p), part)), q: q.map((v) => v / n) };
  }

  draw(theme, painter, meshes, time) {
    const pose = this.shown && this.actor ? this.at(time) : null;
    if (!pose) return;
    const { gl } = painter, place = placement(pose.q, pose.p);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    for (const piece of this.actor.pieces) {
      const mesh = meshes[piece.mesh];
      painter.draw(gl.TRIANGLES, mesh.corners, mesh.normals, place, theme.rgb("part"), 0.3);
    }
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }
}
