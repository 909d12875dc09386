// The ground: surfaces on grids, and ruts that are cut into it.

const SEEN_SLOPE = 0.25, STEEPEST = 25; // rad of uneven ground, and times that slopes are shaded

class Grounds {
  constructor(painter, scene) {
    this.painter = painter;
    this.scene = scene;
    this.gap = 10 ** Math.round(Math.log10(scene.size / 4));
    this.surfaces = scene.grounds.map((ground) => this.surface(ground));
    this.ruts = scene.ruts.map((rut) => this.rut(rut));
  }

  surface(ground) {
    const points = ground.endless ? this.widened(ground) : ground.points;
    const { rows, columns } = ground, indices = [];
    for (let i = 0; i + 1 < rows; i++) {
      for (let j = 0; j + 1 < columns; j++) {
        const a = i * columns + j, b = a + columns;
        indices.push(a, b, b + 1, a, b + 1, a + 1);
      }
    }
    const normals = this.normals(points, rows, columns);
    ground.steeper = this.steepen(normals);
    return {
      points: this.painter.buffer(points), normals: this.painter.buffer(normals),
      indices: this.painter.indices(indices), count: indices.length, colour: ground.colour,
      endless: ground.endless,
    };
  }

  // A level plane goes on for as far as it is seen.
  widened(ground) {
    const found = Float32Array.from(ground.points), last = found.length - 3;
    const extra = 150 * this.scene.size;
    for (let axis = 0; axis < 2; axis++) {
      const middle = (ground.points[axis] + ground.points[last + axis]) / 2;
      for (let k = axis; k < found.length; k += 3) {
        if (found[k] === ground.points[axis]) found[k] += Math.sign(found[k] - middle) * extra;
        else if (found[k] === ground.points[last + axis]) {
          found[k] += Math.sign(found[k] - middle) * extra;
        }
      }
    }
    return found;
  }

  normals(points, rows, columns) {
    const at = (i, j) => {
      const k = 3 * (Math.min(rows - 1, Math.max(0, i)) * columns
        + Math.min(columns - 1, Math.max(0, j)));
      return [points[k], points[k + 1], points[k + 2]];
    };
    const found = new Float32Array(points.length);
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++) {
        const along = minus(at(i + 1, j), at(i - 1, j)), aside = minus(at(i, j + 1), at(i, j - 1));
        found.set(unit(cross(along, aside)), 3 * (i * columns + j));
      }
    }
    return found;
  }

  // Slopes that are too gentle to be seen are shaded as if they were steeper; by how many times.
  steepen(normals) {
    let square = 0;
    for (let k = 0; k < normals.length; k += 3) {
      square += (normals[k] ** 2 + normals[k + 1] ** 2) / (normals[k + 2] ** 2 || 1);
    }
    const usual = Math.sqrt(3 * square / normals.length);
    const factor = Math.round(SEEN_SLOPE / usual);
    if (factor <= 1 || factor > STEEPEST) return 1; // steep enough, or level
    for (let k = 0; k < normals.length; k += 3) {
      normals.set(unit([factor * normals[k], factor * normals[k + 1], normals[k + 2]]), k);
    }
    return factor;
  }

  rut(rut) {
    const wall = (side) => {
      const found = [];
      for (let k = 0; k < rut.sinkage.length; k++) {
        for (const edge of [rut.top, rut.floor]) {
          found.push(...edge.slice(6 * k + 3 * side, 6 * k + 3 * side + 3));
        }
      }
      return this.painter.buffer(found);
    };
    return {
      data: rut, top: this.painter.buffer(rut.top), floor: this.painter.buffer(rut.floor),
      walls: [wall(0), wall(1)],
    };
  }

  // Where a wheel is now it has made room for itself ahead and behind.
  hole(rut, at) {
    const { top, floor, sinkage } = rut.data, k = at.k;
    const edge = (values, side) => {
      const from = (i) => Array.from(values.slice(6 * i + 3 * side, 6 * i + 3 * side + 3));
      return at.part ? sum(times(from(k), 1 - at.part), times(from(k + 1), at.part)) : from(k);
    };
    const [r, l] = [edge(top, 0), edge(top, 1)];
    const ahead = unit(cross(minus(l, r), this.scene.up));
    const reach = Math.sqrt(Math.max(0, numberAt(sinkage, at)) * 1.6 * length(minus(l, r)));
    const quad = (right, left) => this.painter.buffer([-1, 1].flatMap((sign) => [
      ...sum(right, times(ahead, sign * reach)), ...sum(left, times(ahead, sign * reach)),
    ]));
    return { top: quad(r, l), floor: quad(edge(floor, 0), edge(floor, 1)) };
  }

  draw(theme, at, distance) {
    const gl = this.painter.gl;
    const holes = this.ruts.map((rut) => this.hole(rut, at));
    if (holes.length) this.cut(holes, at);
    const look = {
      grid: theme.rgb("grid"), sky: theme.rgb("sky"), gap: this.gap,
      reach: Math.max(8 * distance, 30 * this.scene.size), fading: 1,
    };
    gl.enable(gl.POLYGON_OFFSET_FILL);
    this.surfaces.forEach((surface, k) => {
      gl.polygonOffset(1, 4 - 3 * Math.min(k, 1));
      this.painter.drawGround(surface, theme.rgb(surface.colour), look);
    });
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.disable(gl.STENCIL_TEST);
    this.drawRuts(theme, holes, at);
  }

  // Ground is not drawn where a rut is seen from the eye.
  cut(holes, at) {
    const gl = this.painter.gl;
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.ALWAYS, 1, 255);
    gl.stencilOp(gl.KEEP, gl.REPLACE, gl.REPLACE);
    gl.colorMask(false, false, false, false);
    gl.depthMask(false);
    this.ruts.forEach((rut, k) => {
      for (const [strip, count] of [[rut.top, 2 * at.k + 2], [holes[k].top, 4]]) {
        this.painter.draw(gl.TRIANGLE_STRIP, strip, null, IDENTITY, [0, 0, 0], 1, 0, count);
      }
    });
    gl.colorMask(true, true, true, true);
    gl.depthMask(true);
    gl.stencilFunc(gl.NOTEQUAL, 1, 255);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.KEEP);
  }

  drawRuts(theme, holes, at) {
    const gl = this.painter.gl, soil = theme.rgb("rut"), shadow = times(soil, 0.72);
    this.ruts.forEach((rut, k) => {
      const count = 2 * at.k + 2;
      this.painter.draw(gl.TRIANGLE_STRIP, rut.floor, null, IDENTITY, soil, 1, 0, count);
      for (const wall of rut.walls) {
        this.painter.draw(gl.TRIANGLE_STRIP, wall, null, IDENTITY, shadow, 1, 0, count);
      }
      this.painter.draw(gl.TRIANGLE_STRIP, holes[k].floor, null, IDENTITY, shadow, 1, 0, 4);
      for (const buffer of Object.values(holes[k])) gl.deleteBuffer(buffer.made);
    });
  }
}
