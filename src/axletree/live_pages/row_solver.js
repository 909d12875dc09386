// Rows that vanish, solved for by Newton's method in the module: unknowns, targets and parameters in,
// unknowns and results out, by name.

class RowSolver {
  constructor(stepper, layout) {
    this.stepper = stepper;
    this.layout = layout;
    this.names = new Map(layout.unknowns.map((name, k) => [name, k]));
    this.places = layout.parameters.map((name) => {
      const known = stepper.known.get(name);
      return known && known.array === "parameters" ? known.index : -1;
    });
  }

  // A view that holds until the memory grows.
  array(word, names = word) {
    const from = this.stepper.functions[`${this.layout.name}_${word}`]();
    return new Float64Array(this.stepper.memory.buffer, from, this.layout[names].length);
  }

  // In the order of the stepper's; of those that it does not have ``beside`` has values by name, and
  // all others are as they were made.
  take(parameters, beside = []) {
    const own = this.array("parameters");
    this.places.forEach((place, k) => { own[k] = place < 0 ? this.layout.values[k] : parameters[place]; });
    for (const [name, value] of beside) {
      const k = this.layout.parameters.indexOf(name);
      if (k >= 0) own[k] = value;
    }
  }

  get(name) { return this.array("unknowns")[this.names.get(name)]; }

  set(name, value) { this.array("unknowns")[this.names.get(name)] = value; }

  // Near the unknowns as they are; without a root there they stay.
  solve(targets) {
    const asked = this.array("targets");
    this.layout.targets.forEach((name, k) => { asked[k] = targets[name]; });
    return Boolean(this.stepper.functions[`${this.layout.name}_solve`]());
  }

  get results() {
    const values = this.array("results");
    return Object.fromEntries(this.layout.results.map((name, k) => [name, values[k]]));
  }
}
