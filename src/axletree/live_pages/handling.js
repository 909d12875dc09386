// The steering that a turn needs, by slowly increasing steer as in FMVSS 126: the wheel is turned by
// 13.5 deg/s, the throttle keeps the speed. A stepper of its own drives it as fast as it can.

const RAMP = 13.5 * Math.PI / 180; // rad/s
const RAMP_STEP = 2e-3, LOOK = 10; // s, and steps between values that are set and read
const SETTLING = 1, LONGEST_RAMP = 12; // s
const SPEED_GAIN = 0.4, SPEED_PULL = 0.15; // of the throttle, per m/s and per m
const PAST_LIMIT = 0.97; // of the greatest lateral acceleration, below which the limit is passed

class Handling {
  constructor(module, data, drive, setup) {
    const { keys } = data.controls, known = new Set(data.layout.outputs.map((one) => one.name));
    const needed = ["vehicle.lateral_acceleration", "vehicle.forward_speed"];
    const start = data.layout.starts.find((one) => data.speeds.includes(one.name));
    this.possible = Boolean(keys.steering && keys.throttle && start) && needed.every((n) => known.has(n));
    document.getElementById("of-handling").hidden = !this.possible;
    if (!this.possible) return;
    Object.assign(this, { data, drive, setup, keys, start: start.name, curves: {}, cost: 0 });
    this.stepper = Stepper.of(module, data.layout, RAMP_STEP);
    this.canvas = document.getElementById("handling");
    setup.onchange = () => this.later();
    document.getElementById("of-handling").addEventListener("toggle", () => this.later());
  }

  // Once sliders rest for a moment.
  later() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      if (document.getElementById("of-handling").open) this.update();
    }, 60);
  }

  update() {
    const begin = performance.now();
    this.curves[this.setup.current] = this.curve();
    this.cost = performance.now() - begin;
    this.draw();
  }

  // Points of lateral acceleration [m/s^2] and angle of the steering wheel [rad].
  curve() {
    const { stepper, keys } = this, now = this.drive.stepper.values("parameters").slice();
    this.data.layout.parameters.forEach((one, k) => {
      if (stepper.values("parameters")[k] !== now[k]) stepper.set(one.name, now[k]);
    });
    stepper.reset(this.start);
    const speed = stepper.get("vehicle.forward_speed"), first = stepper.get(keys.throttle);
    const found = [];
    let greatest = 0, missed = 0;
    while (stepper.time < SETTLING + LONGEST_RAMP) {
      const error = speed - stepper.get("vehicle.forward_speed");
      missed += error * RAMP_STEP * LOOK;
      const throttle = first + SPEED_GAIN * error + SPEED_PULL * missed;
      stepper.set(keys.throttle, Math.min(1, Math.max(0, throttle)));
      const angle = Math.max(0, stepper.time - SETTLING) * RAMP;
      stepper.set(keys.steering, angle);
      stepper.advance(LOOK);
      const lateral = stepper.get("vehicle.lateral_acceleration");
      if (greatest > 1 && !(lateral >= PAST_LIMIT * greatest)) break;
      greatest = Math.max(greatest, lateral);
      if (angle > 0) found.push([lateral, stepper.get(keys.steering)]);
    }
    return found;
  }

  draw() {
    const pen = pens(this.canvas), style = getComputedStyle(document.documentElement);
    const [w, h] = [this.canvas.clientWidth, this.canvas.clientHeight];
    const all = Object.values(this.curves).flat();
    const most = Math.max(1, ...all.map(([a]) => a)), high = Math.max(0.1, ...all.map(([, s]) => s));
    pen.clearRect(0, 0, w, h);
    pen.font = "11px system-ui, sans-serif";
    pen.fillStyle = style.getPropertyValue("--ink");
    pen.strokeStyle = style.getPropertyValue("--line");
    pen.lineWidth = 1;
    const x = (a) => 4 + (w - 10) * a / (1.05 * most), y = (s) => h - 16 - (h - 22) * s / (1.05 * high);
    for (let a = 2; a < most; a += 2) {
      line(pen, x(a), 4, x(a), h - 14);
      pen.fillText(`${a}`, x(a) - 3, h - 3);
    }
    for (let s = 30; s < high * 180 / Math.PI; s += 30) {
      line(pen, 4, y(s * Math.PI / 180), w, y(s * Math.PI / 180));
      pen.fillText(`${s}°`, 6, y(s * Math.PI / 180) - 2);
    }
    for (const [name, colour] of [["A", "--curve"], ["B", "--force"]]) {
      const points = this.curves[name] || [];
      pen.strokeStyle = style.getPropertyValue(colour);
      pen.lineWidth = 2;
      pen.beginPath();
      for (const [a, s] of points) pen.lineTo(x(a), y(s));
      pen.stroke();
      const last = points[points.length - 1];
      pen.fillStyle = style.getPropertyValue(colour);
      if (last) pen.fillText(name, x(last[0]) - 12, y(last[1]) + 4);
    }
    document.getElementById("handling-text").textContent = `steering wheel over lateral acceleration [m/s²],`
      + ` from ${this.start}, 13.5°/s; drawn in ${this.cost.toFixed(0)} ms`;
  }
}
