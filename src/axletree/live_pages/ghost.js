// Another car where it was at the same time: of the last attempt (on a circuit a lap, else the drive
// since the last start), of a lap that the page was made with, or of a recorded drive.

const MOST_POSES = 40000;
const LAST = "last attempt";
const PLACES = [ // what records call them: outputs of a vehicle, states of its body, or columns of a lap
  ["time [s]"], ["vehicle.x [m]", "chassis.x [m]", "x [m]"], ["vehicle.y [m]", "chassis.y [m]", "y [m]"],
  ["vehicle.heading [rad]", "chassis.yaw [rad]", "chassis.angle [rad]", "heading [rad]"],
];

class Ghost {
  // Places of laps are [time, x, y, heading] over level ground, where the actor begins at a pose.
  constructor(actor, laps, pose) {
    this.actor = actor;
    this.level = pose;
    this.poses = []; // of this attempt: { time, p, q }, time [s] since it began
    this.kept = new Map([[LAST, []]]);
    this.begun = 0;
    this.chosen = LAST; // "" for none
    for (const { name, places } of laps) this.keep(name, places.map((place) => this.onGround(place)));
  }

  get before() { return this.kept.get(LAST); }

  get shown() { return this.kept.get(this.chosen) || []; }

  keep(name, poses) { this.kept.set(name, poses); }

  // Of a place: as high and as level as at the start.
  onGround([time, x, y, heading]) {
    const now = this.level, ahead = turn(now.q, [1, 0, 0]);
    const by = heading - Math.atan2(ahead[1], ahead[0]);
    return { time, p: [x, y, now.p[2]], q: product([Math.cos(by / 2), 0, 0, Math.sin(by / 2)], now.q) };
  }

  // A new attempt begins at a time [s]; one that was given up at once is forgotten.
  begin(time) {
    if (this.poses.length > 60) this.keep(LAST, this.poses);
    this.poses = [];
    this.begun = time;
  }

  add(time, { p, q }) {
    if (this.poses.length < MOST_POSES) this.poses.push({ time: time - this.begun, p, q });
  }

  // The pose between two that were kept, or none past the end.
  at(time) {
    const { shown } = this, since = time - this.begun;
    if (!shown.length || since < shown[0].time || since > shown[shown.length - 1].time) return null;
    let low = 0, high = shown.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (shown[middle].time <= since) low = middle; else high = middle;
    }
    const a = shown[low], b = shown[high], span = b.time - a.time;
    const part = span > 0 ? (since - a.time) / span : 0, side = a.q.reduce((all, v, k) => all + v * b.q[k], 0) < 0 ? -1 : 1;
    const q = a.q.map((v, k) => v + (side * b.q[k] - v) * part), n = Math.hypot(...q) || 1;
    return { p: sum(a.p, times(minus(b.p, a.p), part)), q: q.map((v) => v / n) };
  }

  draw(theme, painter, meshes, time) {
    const pose = this.actor ? this.at(time) : null;
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

// Columns of a CSV file whose head has "name [unit]", as the page, ``axletree run`` and ``axletree lap``
// write them. A lap is over the station of a track, in whose axes its places are: they are moved to where the
// page has the origin [x, y, heading] of the track, or else the lap's own beginning.
function placesOfCsv(text, origin) {
  const [head, ...rows] = text.trim().split(/\r?\n/).filter((row) => !row.startsWith("#")).map((row) => row.split(","));
  const names = head.map((one) => one.trim().replace(/^"|"$/g, ""));
  const found = PLACES.map((known) => names.findIndex((name) => known.includes(name)));
  const missing = PLACES.filter((_, k) => found[k] < 0).map(([name]) => name);
  if (missing.length) throw new Error(`it has no column ${missing.join(", ")}`);
  const places = rows.map((row) => found.map((k) => Number(row[k])));
  if (!places.length || places.flat().some((value) => !Number.isFinite(value))) throw new Error("a row of it has no numbers");
  const from = names.includes("station [m]") ? origin || places[0].slice(1) : [0, 0, 0];
  const c = Math.cos(from[2]), s = Math.sin(from[2]);
  return places.map(([time, x, y, heading]) => {
    const dx = x - from[0], dy = y - from[1];
    return [time - places[0][0], c * dx + s * dy, c * dy - s * dx, heading - from[2]];
  });
}
