// Ruts that wheels leave in soft soil, as deep as they have sunk, cut into the ground as in animations.
// All have a cross-section at the same instants, the last of which goes along with the wheel.

const MOST_SECTIONS = 3000, SECTION_GAP = 0.08; // m between two of them

class Ruts {
  // ``depth`` gives the sinkage [m] of a wheel by its name, null on ground that keeps no track.
  constructor(painter, scene, grounds, depth) {
    Object.assign(this, { painter, scene, grounds, depth });
    this.clear();
  }

  clear() {
    for (const rut of this.grounds.ruts) for (const one of this.buffers(rut)) this.painter.gl.deleteBuffer(one.made);
    this.wheels = this.scene.contacts.filter(({ name }) => this.depth(name) !== null);
    this.grounds.ruts = this.wheels.map(() => {
      const empty = () => new Float32Array(6 * MOST_SECTIONS), buffer = () => this.painter.buffer(empty());
      return {
        data: { top: empty(), floor: empty(), sinkage: new Float32Array(MOST_SECTIONS) },
        top: buffer(), floor: buffer(), walls: [buffer(), buffer()],
      };
    });
    this.count = 0;
    this.last = null; // places of wheels at the last section that stays
    this.first = MOST_SECTIONS; // section from which on the buffers are behind
  }

  buffers({ top, floor, walls }) { return [top, floor, ...walls]; }

  // After steps.
  add() {
    const { wheels } = this;
    if (!wheels.length) return;
    const moved = this.last && wheels.some(({ point }, k) => length(minus(point, this.last[k])) >= SECTION_GAP);
    if (!this.count || moved) {
      if (this.count === MOST_SECTIONS) this.forget();
      this.count += 1;
      this.last = wheels.map(({ point }) => point);
    }
    const k = Math.max(1, this.count) - 1;
    this.first = Math.min(this.first, k);
    wheels.forEach((contact, w) => this.section(this.grounds.ruts[w].data, contact, k));
    if (this.count === 1) { // a strip has two sections
      this.count = 2;
      wheels.forEach((contact, w) => this.section(this.grounds.ruts[w].data, contact, 1));
    }
  }

  section({ top, floor, sinkage }, contact, k) {
    const { point, normal, forward, width, name, load } = contact;
    const depth = load > 0 ? Math.max(0, this.depth(name)) : 0, half = times(cross(normal, forward), 0.5 * width);
    const above = contact.contact ? point : sum(point, times(normal, depth)); // of the surface
    [minus(above, half), sum(above, half)].forEach((edge, side) => {
      top.set(edge, 6 * k + 3 * side);
      floor.set(minus(edge, times(normal, depth)), 6 * k + 3 * side);
    });
    sinkage[k] = depth;
  }

  // The older half, where there is no more room.
  forget() {
    const half = MOST_SECTIONS >> 1;
    for (const { data } of this.grounds.ruts) {
      data.top.copyWithin(0, 6 * half);
      data.floor.copyWithin(0, 6 * half);
      data.sinkage.copyWithin(0, half);
    }
    this.count -= half;
    this.first = 0;
  }

  // What has changed goes to the card.
  update() {
    const { gl } = this.painter, from = this.first, to = this.count;
    if (from >= to) return;
    for (const { data, ...rut } of this.grounds.ruts) {
      const wall = (side) => {
        const found = new Float32Array(6 * (to - from));
        for (let k = from; k < to; k++) {
          [data.top, data.floor].forEach((edge, n) => {
            found.set(edge.subarray(6 * k + 3 * side, 6 * k + 3 * side + 3), 6 * (k - from) + 3 * n);
          });
        }
        return found;
      };
      const parts = [data.top.subarray(6 * from, 6 * to), data.floor.subarray(6 * from, 6 * to), wall(0), wall(1)];
      this.buffers(rut).forEach(({ made }, n) => {
        gl.bindBuffer(gl.ARRAY_BUFFER, made);
        gl.bufferSubData(gl.ARRAY_BUFFER, 24 * from, parts[n]);
      });
    }
    this.first = to - 1;
  }
}
