// The picture of the model as it is now: what moves is placed from the outputs of the stepper.

// The quaternion of a rotation matrix by rows; its greatest part is found first (Shepperd 1978).
function quaternionOf(R) {
  const trace = R[0] + R[4] + R[8], parts = [trace, R[0], R[4], R[8]];
  const k = parts.indexOf(Math.max(...parts));
  const q = [R[7] - R[5], R[2] - R[6], R[3] - R[1]]; // 4 w times the vector part
  const products = [
    [1 + trace, ...q],
    [q[0], 1 + R[0] - R[4] - R[8], R[1] + R[3], R[2] + R[6]],
    [q[1], R[1] + R[3], 1 - R[0] + R[4] - R[8], R[5] + R[7]],
    [q[2], R[2] + R[6], R[5] + R[7], 1 - R[0] - R[4] + R[8]],
  ][k];
  const n = Math.hypot(...products);
  return products.map((part) => part / n);
}

class LiveScene {
  constructor(scene, moves, stepper) {
    this.scene = scene;
    this.moves = moves;
    this.places = moves.outputs.map((name) => stepper.found(name).index);
    this.ground = { p: [0, 0, 0], q: [1, 0, 0, 0] };
    this.poses = moves.bodies.map(() => this.ground);
    scene.arrowScale = moves.arrowScale;
    // One instant, which is written again for each picture.
    for (const [k, actor] of scene.actors.entries()) {
      delete actor.spin;
      actor.position = actor.position.slice(0, 3);
      actor.rotation = actor.rotation.slice(0, 4);
      actor.move = moves.actors[k];
    }
    scene.ties = moves.ties.map((ends) => (
      { ends, start: new Float32Array(3), end: new Float32Array(3) }));
    this.contacts = moves.forces.map((force) => ({ ...force, load: 0, point: [0, 0, 0] }));
    this.update(stepper.values("outputs"));
    this.focus = minus(Array.from(scene.focus.slice(0, 3)), this.main.p);
  }

  get main() { return this.moves.main < 0 ? this.ground : this.poses[this.moves.main]; }

  // Likewise, of outputs of another stepper.
  mainOf(outputs) {
    const { main, bodies } = this.moves;
    return main < 0 ? this.ground : this.poseOf(bodies[main], (k) => outputs[this.places[k]]);
  }

  poseOf(names, value) {
    return { p: names.slice(0, 3).map(value), q: quaternionOf(names.slice(3).map(value)) };
  }

  update(outputs) {
    const value = (k) => outputs[this.places[k]];
    this.poses = this.moves.bodies.map((names) => this.poseOf(names, value));
    for (const actor of this.scene.actors) {
      const { p, q } = this.placeOf(actor.move);
      actor.position.set(p);
      actor.rotation.set(q);
    }
    for (const tie of this.scene.ties) {
      tie.start.set(this.placeOf(tie.ends[0]).p);
      tie.end.set(this.placeOf(tie.ends[1]).p);
    }
    this.contacts.forEach((contact, k) => this.updateContact(contact, this.scene.forces[k], value));
  }

  placeOf(move) {
    const body = move.body < 0 ? this.ground : this.poses[move.body];
    return {
      p: sum(body.p, turn(body.q, move.offset)),
      q: move.turn ? product(body.q, move.turn) : body.q,
    };
  }

  // Forces act along the contact's normal, forward and to the left.
  updateContact(contact, force, value) {
    const road = this.placeOf(contact.road);
    let point, forward, normal;
    if (contact.contact) {
      const numbers = contact.contact.map(value);
      point = sum(road.p, turn(road.q, numbers.slice(0, 3)));
      forward = turn(road.q, numbers.slice(3, 6));
      normal = turn(road.q, numbers.slice(6, 9));
    } else {
      const carrier = this.placeOf(contact.carrier), aside = turn(carrier.q, contact.axis);
      normal = turn(road.q, [0, 0, 1]);
      const up = unit(minus(normal, times(aside, dot(normal, aside))));
      forward = unit(cross(aside, normal));
      point = minus(this.placeOf(this.scene.actors[contact.actor].move).p, times(up, contact.radius));
    }
    const parts = contact.forces.map((k) => value(k) || 0);
    const along = [normal, forward, cross(normal, forward)];
    const vector = parts.reduce((all, part, k) => sum(all, times(along[k], part)), [0, 0, 0]);
    Object.assign(contact, { point, forward, normal, load: parts[0] });
    contact.along = parts[1] || 0;
    contact.aside = parts[2] || 0;
    force.point.set(point);
    force.vector.set(vector);
  }

  get target() { return sum(this.main.p, this.focus); }

  get heading() {
    const ahead = turn(this.main.q, [1, 0, 0]);
    return Math.atan2(ahead[1], ahead[0]);
  }
}
