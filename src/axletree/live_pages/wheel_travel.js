// What links do to their wheels over travel: camber and toe of each axle, from the positions of the
// links, which Newton's method in the module finds with the parameters as they are.

const TRAVELS = 25, TRAVEL_SHARE = 0.2; // positions, and of a wheel's radius each way
const ANGLES = ["camber", "toe"];

class WheelTravel {
  constructor(module, data, drive, setup) {
    const folded = document.getElementById("of-travel");
    this.possible = Boolean(data.travel);
    folded.hidden = !this.possible;
    if (!this.possible) return;
    Object.assign(this, { drive, setup, curves: {}, cost: 0 });
    const stepper = Stepper.of(module, data.layout, data.step);
    this.rows = new RowSolver(stepper, data.travel);
    this.begin = data.links.begin; // as the links are assembled
    this.alone = data.links.alone;
    this.reach = TRAVEL_SHARE * Math.max(...data.moves.forces.map(({ radius }) => radius));
    this.axles = data.travel.results.filter((name) => name.endsWith(".camber")).map((name) => name.slice(0, -7));
    this.charts = Object.fromEntries(ANGLES.map((word) => [word,
      new Chart(document.getElementById(`travel-${word}`), { factor: 1000 }, { factor: 180 / Math.PI, mark: "°" })]));
    setup.listen(folded, () => this.update());
  }

  update() {
    const begin = performance.now();
    this.curves[this.setup.current] = this.curve();
    this.cost = performance.now() - begin;
    this.draw();
  }

  // By angle and axle: points of travel [m] and change of the angle from design [rad].
  curve() {
    const { rows } = this, found = {};
    rows.take(this.drive.stepper.values("parameters"), this.setup.beside);
    rows.array("unknowns").set(this.begin);
    if (!rows.solve({ travel: 0 })) return found;
    const middle = rows.array("unknowns").slice(), design = rows.results;
    for (const name of Object.keys(design)) found[name] = [[0, 0]];
    for (const side of [1, -1]) {
      rows.array("unknowns").set(middle);
      for (let k = 1; k <= TRAVELS >> 1; k++) {
        const travel = side * this.reach * k / (TRAVELS >> 1);
        if (!rows.solve({ travel })) break; // beyond the reach of the links
        for (const [name, value] of Object.entries(rows.results)) {
          const point = [travel, value - design[name]];
          if (side > 0) found[name].push(point); else found[name].unshift(point);
        }
      }
    }
    return found;
  }

  draw() {
    if (!this.possible) return;
    for (const word of ANGLES) {
      this.charts[word].draw([["A", "--curve"], ["B", "--force"]].flatMap(([setup, colour]) => (
        this.axles.map((axle, k) => ({
          points: (this.curves[setup] || {})[`${axle}.${word}`] || [], colour, dashed: k > 0,
          name: `${axle} ${setup}`,
        })))));
    }
    document.getElementById("travel-text").textContent =
      `Change of camber (top outward) and of toe (front inward) over the travel of all wheels [mm]. `
      + (this.alone ? "The model that is driven has these curves as they were when the page was made: hard points move them here alone. A page by axletree live --model links is driven by the links. " : "")
      + `Solved in ${this.cost.toFixed(0)} ms.`;
  }
}
