// Physics by the clock: steps of one length, however long pictures take; records and replays.

const RECORD_GAP = 0.01; // s
const LONGEST_FRAME = 0.1; // s of physics for one picture: below 10 pictures a second time slows down
const BUDGET = 30; // ms of the clock for the steps of one picture: beyond it time slows down
const USUAL_FRAME = 1 / 30; // s, that are stepped in any case within the budget
const CATCHING_UP = 1; // ms of the clock for a picture that came later: it does not hold up the next one, too
const MOST_RECORDS = 360000; // an hour

class Drive {
  constructor(stepper, controls, signals) {
    this.stepper = stepper;
    this.controls = controls;
    this.columns = signals;
    this.every = Math.max(1, Math.round(RECORD_GAP / stepper.step));
    for (const name of controls.held) stepper.shape(name, "hold"); // no gear lies between two
    this.start = stepper.layout.starts[stepper.layout.starts.length > 1 ? 1 : 0].name;
    this.budget = BUDGET;
    this.catchingUp = CATCHING_UP;
    this.made = stepper.values("parameters").slice();
    this.onfail = () => {};
    this.onrecord = () => {};
    this.reset();
  }

  // To a start, or to states and inputs that take the place of its own.
  reset(start = this.start, placed = null) {
    this.start = start;
    this.placed = placed && { states: placed.states, inputs: placed.inputs };
    if (placed) this.stepper.place(placed.states, placed.inputs); else this.stepper.reset(start);
    this.steps = 0;
    this.rest = 0; // s of the clock that are not stepped yet
    this.failed = "";
    this.rows = [];
    this.orders = []; // every value that was set, with the step before which it was
    this.changes = Object.fromEntries(this.changedParameters());
    this.given = {};
    this.played = null;
    this.record();
  }

  changedParameters() {
    const values = this.stepper.values("parameters");
    return this.stepper.layout.parameters
      .map((one, k) => [one.name, values[k], one.start])
      .filter(([, value, own]) => value !== own).map(([name, value]) => [name, value]);
  }

  // Whether parameters are others than those that the page was made with.
  get isChanged() {
    const values = this.stepper.values("parameters");
    return values.some((value, k) => value !== this.made[k]);
  }

  get time() { return this.stepper.time; }

  set(name, value) {
    if (this.given[name] === value) return;
    this.stepper.set(name, value);
    this.given[name] = value;
    this.orders.push([this.steps, name, value]);
  }

  // By so many seconds of the clock; returns how many steps were taken.
  pass(seconds) {
    this.rest += Math.min(LONGEST_FRAME, seconds);
    const count = Math.floor(this.rest / this.stepper.step + 1e-9);
    this.rest -= count * this.stepper.step;
    const first = this.steps, end = first + count, begin = performance.now();
    const usual = first + Math.ceil(USUAL_FRAME / this.stepper.step);
    let spent = 0, took = 0; // ms, of all steps and of the last ones
    while (this.steps < end && !this.failed
      && (this.steps < usual ? spent < this.budget : spent + took < this.catchingUp)) {
      this.advance(Math.min(this.every, end - this.steps));
      took = performance.now() - begin - spent;
      spent += took;
    }
    return this.steps - first;
  }

  advance(count) {
    const end = this.steps + count;
    while (this.steps < end && !this.failed) {
      const due = this.follow();
      const next = Math.min(end, due, this.steps + this.every - (this.steps % this.every));
      try {
        this.stepper.advance(next - this.steps);
      } catch (error) {
        this.failed = error.message;
        this.onfail(error.message);
        return;
      }
      this.steps = next;
      if (this.steps % this.every === 0) this.record();
    }
  }

  record() {
    if (this.rows.length >= MOST_RECORDS) return;
    const { stepper } = this;
    const row = [stepper.time, ...this.columns.map((name) => stepper.get(name))];
    this.rows.push(row);
    this.onrecord(row);
  }

  // The same drive once more: its start, its parameters and all that was set, before the same steps.
  recording() {
    return {
      model: this.stepper.layout.name, step: this.stepper.step, start: this.start,
      parameters: this.changes, orders: this.orders, steps: this.steps, placed: this.placed,
    };
  }

  replay(recording) {
    const { model, step, start, parameters, orders, steps, placed } = recording;
    if (model !== this.stepper.layout.name) throw new Error(`a drive of ${model}, not of this model`);
    this.stepper.setStep(step);
    this.stepper.layout.parameters.forEach((one) => {
      const value = parameters[one.name] ?? one.start;
      if (this.stepper.get(one.name) !== value) this.stepper.set(one.name, value);
    });
    this.reset(start, placed);
    this.played = { orders, steps, next: 0 };
  }

  get replaying() { return this.played !== null && this.steps < this.played.steps; }

  takeOver() { this.played = null; }

  // Sets what is due; returns the step of what is due next.
  follow() {
    const { played } = this;
    if (!played) return Infinity;
    const { orders } = played;
    while (played.next < orders.length && orders[played.next][0] <= this.steps) {
      const [, name, value] = orders[played.next++];
      this.set(name, value);
    }
    return played.next < orders.length ? orders[played.next][0] : Infinity;
  }

  csv() {
    const units = new Map();
    for (const array of ["states", "inputs", "outputs"]) {
      for (const one of this.stepper.layout[array]) units.set(one.name, one.unit);
    }
    const head = ["time [s]", ...this.columns.map((name) => `${name} [${units.get(name)}]`)];
    return [head, ...this.rows].map((row) => row.join(",")).join("\n") + "\n";
  }
}
