// Vectors as arrays of 3, quaternions as [w, x, y, z], matrices of 16 numbers by columns.

function sum(a, b) { return [a[0] + b[0], a[1] + b[1], a[2] + b[2]]; }
function minus(a, b) { return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]; }
function times(a, k) { return [a[0] * k, a[1] * k, a[2] * k]; }
function dot(a, b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
function length(a) { return Math.sqrt(dot(a, a)); }
function unit(a) { return times(a, 1 / (length(a) || 1)); }
function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function product(p, q) {
  return [
    p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
    p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
    p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
    p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
  ];
}

function aboutAxis(axis, angle) {
  const s = Math.sin(angle / 2);
  return [Math.cos(angle / 2), axis[0] * s, axis[1] * s, axis[2] * s];
}

// The quaternion of the shortest turn from one unit vector to another.
function between(from, to) {
  const c = dot(from, to);
  if (c < -0.999999) {
    const aside = Math.abs(from[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
    return aboutAxis(unit(cross(from, aside)), Math.PI);
  }
  const axis = cross(from, to), q = [1 + c, axis[0], axis[1], axis[2]];
  const n = Math.hypot(...q);
  return q.map((x) => x / n);
}

function turn(q, v) {
  const u = [q[1], q[2], q[3]], t = times(cross(u, v), 2);
  return sum(sum(v, times(t, q[0])), cross(u, t));
}

// From axes that are turned by q, scaled by k (one number or three) and moved to p.
function placement(q, p, k = 1) {
  const s = typeof k === "number" ? [k, k, k] : k;
  const x = times(turn(q, [1, 0, 0]), s[0]);
  const y = times(turn(q, [0, 1, 0]), s[1]);
  const z = times(turn(q, [0, 0, 1]), s[2]);
  return [...x, 0, ...y, 0, ...z, 0, ...p, 1];
}

const IDENTITY = placement([1, 0, 0, 0], [0, 0, 0]);

function matrixProduct(a, b) {
  const c = new Array(16).fill(0);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      for (let k = 0; k < 4; k++) c[4 * column + row] += a[4 * k + row] * b[4 * column + k];
    }
  }
  return c;
}

function perspective(angle, aspect, near, far) {
  const f = 1 / Math.tan(angle / 2), d = 1 / (near - far);
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (near + far) * d, -1, 0, 0, 2 * near * far * d, 0];
}

// From the scene's axes to those of an eye: x right, y up, z backwards.
function lookAt(eye, target, up) {
  const z = unit(minus(eye, target)), x = unit(cross(up, z)), y = cross(z, x);
  return [
    x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0,
    -dot(x, eye), -dot(y, eye), -dot(z, eye), 1,
  ];
}
