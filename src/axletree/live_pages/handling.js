// Steady motions with the parameters as they are: the trim that a drive begins in, and the steering
// that steady turns need from straight on to the limit. Newton's method in the module finds them.

const TURNS = 30; // up to the limit
const STEERING_SCALE = 2.5, GRAVITY_SCALE = 9.80665; // rad of the steering wheel and m/s^2 along a curve
const FIRST_LENGTH = 1.2; // of a curve up to the limit, while it is not known
const PAST_LIMIT = 0.985; // of the greatest lateral acceleration, below which the limit is passed
const SHORTEST = 1 / 64; // of a step

class Handling {
  constructor(module, data, drive, setup) {
    const starts = data.layout.starts.filter((one) => data.speeds.includes(one.name));
    const folded = document.getElementById("of-handling");
    this.possible = Boolean(data.turns && starts.length);
    folded.hidden = !this.possible;
    if (!this.possible) return;
    Object.assign(this, { data, drive, setup, curves: {}, trims: [], cost: 0, length: FIRST_LENGTH });
    this.speeds = starts.map((one) => one.name);
    this.stepper = Stepper.of(module, data.layout, data.step); // for its starts; it never steps
    this.rows = new RowSolver(this.stepper, data.turns);
    this.chart = new Chart(document.getElementById("handling"),
      { factor: 1 }, { factor: 180 / Math.PI, mark: "°" });
    setup.listen(folded, () => this.update());
  }

  // Of a start, with the parameters as they are: states and inputs, or null where it is not kept.
  trim(start) {
    if (!this.possible || !this.speeds.includes(start)) return null;
    const { stepper, rows } = this;
    rows.take(this.drive.stepper.values("parameters"));
    stepper.reset(start);
    const states = stepper.values("states").slice(), inputs = stepper.values("inputs").slice();
    for (const { name, array, index } of stepper.known.values()) {
      if (array === "states" && rows.names.has(name)) rows.set(name, states[index]);
    }
    rows.set("driver.steering", 0);
    rows.set("driver.effort", stepper.get("driver.throttle"));
    rows.set("restraint.Mz", 0);
    rows.set("path.acceleration", 0);
    this.speed = stepper.known.has("vehicle.forward_speed") ? stepper.get("vehicle.forward_speed") : 0;
    if (!this.turn(1, 0, 0)) return null;
    const effort = rows.get("driver.effort");
    if (!(effort >= 0 && effort <= 1)) return null;
    for (const { name, array, index } of stepper.known.values()) {
      if (array === "states" && rows.names.has(name)) states[index] = rows.get(name);
      if (array === "inputs" && name === "driver.throttle") inputs[index] = effort;
    }
    return { states: [...states], inputs: [...inputs], throttle: effort };
  }

  turn(bySteering, byLateral, target) {
    return this.rows.solve({
      speed: this.speed, target,
      by_steering: bySteering / STEERING_SCALE, by_lateral: byLateral,
    });
  }

  update() {
    const begin = performance.now(), { current } = this.setup;
    const start = this.speeds.includes(this.drive.start) ? this.drive.start : this.speeds[0];
    this.curves[current] = this.curve(start);
    this.trims = this.speeds.map((name) => [name, this.trim(name)]);
    this.cost = performance.now() - begin;
    this.shownStart = start;
    this.draw();
  }

  // Turns of lateral acceleration [m/s^2] and angle of the steering wheel [rad].
  curve(start) {
    if (!this.trim(start)) return [];
    const { rows } = this, found = [], most = this.data.controls.mostSteering;
    const place = () => {
      const lateral = rows.results["path.lateral"], steering = rows.get("driver.steering");
      return { lateral, steering, at: [steering / STEERING_SCALE, lateral / GRAVITY_SCALE], y: rows.array("unknowns").slice() };
    };
    let now = place(), before = null, step = this.length / TURNS, along = [0, 1], greatest = 0, run = 0;
    const whole = step;
    found.push([now.lateral, now.steering]);
    while (found.length < 4 * TURNS && step > SHORTEST * whole) {
      const y = rows.array("unknowns");
      const share = before ? step / before.step : 0;
      y.set(before ? now.y.map((value, k) => value + share * (value - before.y[k])) : now.y);
      const target = along[0] * now.at[0] + along[1] * now.at[1] + step;
      const reached = this.turn(along[0], along[1], target) ? place() : null;
      const way = reached ? reached.at.map((value, k) => value - now.at[k]) : [0, 0], gone = Math.hypot(...way);
      if (!reached || gone > 2 * step || rows.get("driver.effort") > 1) {
        step /= 2;
        continue;
      }
      before = { y: now.y, step: gone };
      now = reached;
      run += gone;
      along = way.map((value) => value / gone);
      step = Math.min(whole, 2 * step);
      if (now.lateral < PAST_LIMIT * greatest || Math.abs(now.steering) > most) break;
      if (now.lateral > greatest) {
        greatest = now.lateral;
        this.length = run;
      }
      found.push([now.lateral, now.steering]);
    }
    return found;
  }

  draw() {
    if (!this.possible || !this.shownStart) return;
    const line = (name, colour) => ({ points: this.curves[name] || [], colour, name });
    this.chart.draw([line("A", "--curve"), line("B", "--force")]);
    const trims = this.trims.map(([name, found]) => (
      `${name} ${found ? `${(100 * found.throttle).toFixed(1)} %` : "not kept"}`));
    document.getElementById("handling-text").textContent =
      `Steering wheel over lateral acceleration [m/s²] of steady turns at ${this.shownStart}; throttle straight on: `
      + `${trims.join(", ")}. Solved in ${this.cost.toFixed(0)} ms.`;
  }
}
