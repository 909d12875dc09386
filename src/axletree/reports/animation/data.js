// The scene as it stands in the page, decoded, and its values between the instants.

function bytes(text) {
  const raw = atob(text), found = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; k++) found[k] = raw.charCodeAt(k);
  return found.buffer;
}

const floats = (text) => new Float32Array(bytes(text));
const whole = (text) => new Uint16Array(bytes(text));

function readScene() {
  return decodeScene(JSON.parse(document.getElementById("scene").textContent));
}

function decodeScene(scene) {
  scene.time = floats(scene.time);
  scene.focus = floats(scene.focus);
  scene.spread = scene.spread && floats(scene.spread);
  for (const mesh of scene.meshes) {
    mesh.points = floats(mesh.points);
    mesh.triangles = whole(mesh.triangles);
    mesh.lines = whole(mesh.lines);
  }
  decode(scene.actors, ["position", "rotation", "spin"]);
  decode(scene.forces, ["point", "vector"]);
  decode(scene.trails, ["points"]);
  decode(scene.lines, ["points"]);
  decode(scene.ties, ["start", "end"]);
  decode(scene.ruts, ["top", "floor", "sinkage"]);
  decode(scene.grounds, ["points"]);
  decode(scene.signals, ["values"]);
  return scene;
}

function decode(entries, names) {
  for (const entry of entries) {
    for (const name of names) if (entry[name]) entry[name] = floats(entry[name]);
  }
}

// Where a time is among the instants: that before it, and the part of the way to the next.
function moment(times, t) {
  let low = 0, high = times.length - 1;
  if (t <= times[0] || !high) return { k: 0, part: 0 };
  if (t >= times[high]) return { k: high, part: 0 };
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle; else high = middle;
  }
  return { k: low, part: (t - times[low]) / (times[high] - times[low]) };
}

function numberAt(values, at) {
  const a = values[at.k];
  return at.part ? a + (values[at.k + 1] - a) * at.part : a;
}

function vectorAt(values, at) {
  const k = 3 * at.k, a = [values[k], values[k + 1], values[k + 2]];
  if (!at.part) return a;
  const b = [values[k + 3], values[k + 4], values[k + 5]];
  return sum(a, times(minus(b, a), at.part));
}

// Along the straight line between two quaternions: instants are close to one another.
function turnAt(values, at) {
  const k = 4 * at.k, q = [];
  for (let i = 0; i < 4; i++) {
    const a = values[k + i];
    q.push(at.part ? a + (values[k + 4 + i] - a) * at.part : a);
  }
  const n = Math.hypot(...q) || 1;
  return q.map((x) => x / n);
}

// Pose of an actor: a quaternion and a place.
function poseAt(actor, at) {
  let q = turnAt(actor.rotation, at);
  if (actor.spin) q = product(q, aboutAxis(actor.axis, numberAt(actor.spin, at)));
  return { q, p: vectorAt(actor.position, at) };
}
