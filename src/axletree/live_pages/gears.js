// Gears: by themselves, or held as the person at the page says, by keys, paddles or buttons.

class Gears {
  // Of each drive with several gears the names of an input, 0 while gears change by themselves, and
  // of an output, the ratio in use, and all ratios.
  constructor(drives, drive) {
    this.drives = drives;
    this.drive = drive;
    this.held = 0;
  }

  get possible() { return this.drives.length > 0; }

  get automatic() { return this.held === 0; }

  // The nearest to the ratio that is in use, the first is 1.
  get now() {
    const [{ gear, ratios }] = this.drives, ratio = this.drive.stepper.get(gear);
    const off = ratios.map((one) => Math.abs(Math.log(one / ratio)));
    return 1 + off.indexOf(Math.min(...off));
  }

  // Held from now on, from the gear that is in use, or changed by the speed again.
  switch(automatic) { this.hold(automatic ? 0 : this.now); }

  // Up or down; whoever shifts wants to.
  shift(by) {
    if (!this.possible) return;
    const from = this.automatic ? this.now : this.held;
    this.hold(Math.min(this.drives[0].ratios.length, Math.max(1, from + by)));
  }

  hold(number) {
    this.held = number;
    this.apply();
    this.show();
  }

  // After a start, whose inputs are its own.
  apply() {
    for (const { selected, ratios } of this.drives) {
      const wanted = Math.min(this.held, ratios.length);
      if (this.drive.stepper.get(selected) !== wanted) this.drive.set(selected, wanted);
    }
  }

  // As a drive that is replayed has it.
  follow() {
    if (!this.possible) return;
    this.held = Math.round(this.drive.stepper.get(this.drives[0].selected));
    this.show();
  }

  show() {
    if (!this.possible) return;
    document.getElementById("gear").textContent = `gear ${this.now}${this.automatic ? "" : ", held"}`;
    document.getElementById("automatic").checked = this.automatic;
  }
}
