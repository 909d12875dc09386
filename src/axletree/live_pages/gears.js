// Gears: by themselves, or held as the person at the page says, by keys, paddles or buttons.

const SLOW = 1.5; // m/s, above which there is no way into reverse

class Gears {
  // Of each drive with several gears the names of an input, 0 while gears change by themselves, and
  // of an output, the ratio in use, and all ratios; the input of the lever of reverse, or "".
  constructor(drives, reverse, drive) {
    Object.assign(this, { drives, reverse, drive });
    this.held = 0;
    this.backward = false;
  }

  get possible() { return this.drives.length > 0 || this.reverse !== ""; }

  get automatic() { return this.held === 0; }

  // The nearest to the ratio that is in use, the first is 1.
  get now() {
    if (!this.drives.length) return 1;
    const [{ gear, ratios }] = this.drives, ratio = this.drive.stepper.get(gear);
    const off = ratios.map((one) => Math.abs(Math.log(Math.abs(one / ratio))));
    return 1 + off.indexOf(Math.min(...off));
  }

  // Held from now on, from the gear that is in use, or changed by the speed again.
  switch(automatic) { this.hold(automatic ? 0 : this.now); }

  // Up or down; whoever shifts wants to. Below the first gear there is reverse, for who is slow.
  shift(by, speed = 0) {
    if (!this.possible) return;
    const from = this.automatic ? this.now : this.held;
    if (this.backward) {
      if (by > 0) this.turn(false);
    } else if (by < 0 && from === 1 && this.reverse) {
      if (Math.abs(speed) < SLOW) this.turn(true);
    } else if (this.drives.length) {
      this.hold(Math.min(this.drives[0].ratios.length, Math.max(1, from + by)));
    }
  }

  turn(backward) {
    this.backward = backward;
    this.apply();
    this.show();
  }

  hold(number) {
    this.held = number;
    this.apply();
    this.show();
  }

  // After a start, whose inputs are its own.
  apply() {
    const { stepper } = this.drive, set = (name, wanted) => {
      if (stepper.get(name) !== wanted) this.drive.set(name, wanted);
    };
    for (const { selected, ratios } of this.drives) set(selected, Math.min(this.held, ratios.length));
    if (this.reverse) set(this.reverse, Number(this.backward));
  }

  // A drive begins forward.
  begin() {
    this.backward = false;
    this.apply();
  }

  // As a drive that is replayed has it.
  follow() {
    const { stepper } = this.drive;
    if (this.drives.length) this.held = Math.round(stepper.get(this.drives[0].selected));
    if (this.reverse) this.backward = stepper.get(this.reverse) > 0.5;
    this.show();
  }

  show() {
    if (!this.possible) return;
    const forward = this.drives.length ? `gear ${this.now}` : "forward";
    const held = this.automatic || this.backward ? "" : ", held";
    document.getElementById("gear").textContent = (this.backward ? "reverse" : forward) + held;
    document.getElementById("automatic").checked = this.automatic;
  }
}
