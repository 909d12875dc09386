// A run of the model that goes on as it is told: values in by name, steps, values out by name.
// All values are in SI units. For browsers (<script src="stepper.js">) and for Node (require).

"use strict";

const ARRAYS = { states: 0, inputs: 1, parameters: 2, outputs: 3, memory: 4 };
const SHAPES = { hold: 0, linear: 1, filter: 2, smooth: 3 };

class Stepper {
  // Of the bytes of model.wasm and of layout.json as an object; steps are in seconds.
  static async load(bytes, layout, step = 1e-3) {
    const { instance } = await WebAssembly.instantiate(bytes, {});
    return new Stepper(instance, layout, step);
  }

  // Of a module that is compiled already, at once: the way to many steppers of one model.
  static of(module, layout, step = 1e-3) {
    return new Stepper(new WebAssembly.Instance(module, {}), layout, step);
  }

  constructor(instance, layout, step) {
    this.layout = layout;
    this.memory = instance.exports.memory;
    this.functions = {};
    for (const [name, made] of Object.entries(instance.exports)) {
      this.functions[name.replace("model_stepper_", "")] = made;
    }
    if (instance.exports._initialize) instance.exports._initialize();
    const abi = this.functions.abi();
    if (abi !== layout.stepper.abi) {
      throw new Error(`model.wasm is of interface ${abi}, layout.json of ${layout.stepper.abi}`);
    }
    this.at = this.functions.create(step);
    if (!this.at) throw new Error(`no stepper with steps of ${step} s; expected more than 0`);
    this.step = step;
    this.bytes = this.functions.bytes();
    this.room = this.functions.malloc(this.bytes); // for save, restore and single numbers
    this.known = new Map(); // where quantities are, by name
    for (const array of ["memory", "outputs", "parameters", "inputs", "states"]) {
      (layout[array] ?? []).forEach((one, index) => this.known.set(one.name, { array, index, ...one }));
    }
  }

  get time() { return this.functions.time(this.at); }

  get(name) {
    const { array, index } = this.found(name);
    return this.values(array)[index];
  }

  // An input, a parameter, or a state of a model without constraints.
  set(name, value) {
    const { array, index, lower, upper, unit } = this.found(name);
    const number = Number(value);
    if (array === "inputs" && !(number >= (lower ?? -Infinity) && number <= (upper ?? Infinity))) {
      throw new Error(`${name} is ${value} ${unit}; expected ${lower} to ${upper}`);
    }
    this.checked(this.functions.set(this.at, ARRAYS[array], index, number), name);
  }

  // "states", "inputs", "parameters", "outputs" or, of controllers, "memory", in the order of the
  // layout: a view that holds until the stepper is used again.
  values(array) {
    if (!(array in ARRAYS)) throw new Error(`no array ${array}; try ${Object.keys(ARRAYS)}`);
    const from = this.functions.values(this.at, ARRAYS[array]);
    return new Float64Array(this.memory.buffer, from, (this.layout[array] ?? []).length);
  }

  // How an input goes over into what is set from now on: "hold", "linear", "filter", "smooth".
  shape(name, shape, time = 0) {
    if (!(shape in SHAPES)) throw new Error(`no shape ${shape}; try ${Object.keys(SHAPES)}`);
    const code = this.functions.shape(this.at, this.found(name).index, SHAPES[shape], time);
    this.checked(code, name);
  }

  advance(steps = 1) { this.checked(this.functions.advance(this.at, steps)); }

  // Steps of this length [s] from now on, each computed as so many shorter ones.
  setStep(step, parts = 1) {
    this.checked(this.functions.set_step(this.at, step, parts));
    this.step = step;
  }

  // To a start of the layout by name, at a time [s].
  reset(start = this.layout.starts[0].name, time = 0) {
    const found = this.layout.starts.find((one) => one.name === start);
    const known = this.layout.starts.map((one) => one.name).join(", ");
    if (!found) throw new Error(`no start ${start}; there are ${known}`);
    this.checked(this.functions.reset(this.at, found.index, time));
  }

  // To states and inputs in the order of the layout, at a time [s].
  place(states, inputs, time = 0) {
    const counts = [states.length, inputs.length], own = ["states", "inputs"].map((one) => this.layout[one].length);
    if (counts.join() !== own.join()) throw new Error(`${counts.join(" and ")} numbers; expected ${own.join(" and ")}`);
    const room = this.functions.malloc(8 * (own[0] + own[1] + 1)); // malloc may move the memory's buffer
    new Float64Array(this.memory.buffer, room, own[0]).set(states);
    new Float64Array(this.memory.buffer, room + 8 * own[0], own[1]).set(inputs);
    const code = this.functions.place(this.at, room, room + 8 * own[0], time);
    this.functions.free(room);
    this.checked(code);
  }

  // All that the stepper is, for restore: the steps that follow are the same, bit for bit.
  save() {
    this.checked(this.functions.save(this.at, this.room, this.bytes));
    return new Uint8Array(this.memory.buffer, this.room, this.bytes).slice();
  }

  restore(saved) {
    if (saved.length !== this.bytes) throw new Error(this.text(5));
    new Uint8Array(this.memory.buffer, this.room, this.bytes).set(saved);
    this.checked(this.functions.restore(this.at, this.room, this.bytes));
  }

  found(name) {
    const one = this.known.get(name);
    if (!one) throw new Error(`${this.layout.name} has no ${name}; layout.json has the names`);
    return one;
  }

  text(code) {
    const memory = new Uint8Array(this.memory.buffer), from = this.functions.text(code);
    return String.fromCharCode(...memory.subarray(from, memory.indexOf(0, from)));
  }

  checked(code, name = "") {
    if (code) throw new Error(`${name ? `${name}: ` : ""}${this.text(code)} (${this.time} s)`);
  }
}

if (typeof module === "object") module.exports = { Stepper };
