// What the driver wants: steering, throttle and brake by keys, mouse, fingers or a gamepad.

const STEER_RATE = 6.0, RETURN_RATE = 9.0; // rad/s of a steering wheel that turns by FULL_TURN, by keys
const FULL_TURN = 7; // rad
const PEDAL_RATE = 2.5; // 1/s
const GENTLE_SPEED = 14; // m/s, at which keys steer half as far
const PADDLES = [4, 5]; // down and up, in the standard mapping
const KEYS = {
  ArrowLeft: "left", a: "left", ArrowRight: "right", d: "right",
  ArrowUp: "throttle", w: "throttle", ArrowDown: "brake", s: "brake",
};

class Pedals {
  constructor(controls, canvas) {
    this.keys = controls.keys;
    this.most = controls.mostSteering;
    this.held = new Set();
    this.wanted = { steering: 0, throttle: 0, brake: 0 };
    this.finger = null; // of one that steers: where it is on the pad, from -1 to 1
    this.source = "keys";
    this.paddles = [false, false]; // which are pressed
    this.wish = 0; // gears
    this.help = true; // whether keys steer less far at speed
  }

  // All inputs that a word sets.
  names(word) { return this.keys[word] ? this.keys[word].names : []; }

  // What they are set to: an angle, or a share of all that a pedal can do.
  value(word) { return this.wanted[word] * this.keys[word].full; }

  // What is wanted where an input has a value.
  share(word, value) { return value / this.keys[word].full; }

  get any() { return Object.keys(this.keys).length > 0; }

  reset(values) {
    Object.assign(this.wanted, { steering: 0, throttle: 0, brake: 0 }, values);
    this.held.clear();
    this.finger = null;
    this.source = "start";
  }

  // Whether a key steers.
  press(key, down) {
    const word = KEYS[key.length === 1 ? key.toLowerCase() : key];
    if (!word) return false;
    if (down) { this.held.add(word); this.source = "keys"; } else this.held.delete(word);
    return true;
  }

  // A pad that is touched or dragged: to the side steers, up is throttle, down is brake.
  touch(x, y) {
    this.finger = { x, y };
    this.source = "pad";
  }

  release() { this.finger = null; }

  readGamepad() {
    const pads = navigator.getGamepads ? [...navigator.getGamepads()] : [];
    const pad = pads.find((one) => one && one.connected);
    if (!pad) return null;
    const dead = (v) => (Math.abs(v) < 0.06 ? 0 : v);
    const trigger = (k) => (pad.buttons[k] ? pad.buttons[k].value : 0);
    this.readPaddles(pad);
    const found = { steering: -dead(pad.axes[0] || 0), throttle: trigger(7), brake: trigger(6), pad };
    if (found.steering || found.throttle || found.brake) this.source = "gamepad";
    return this.source === "gamepad" ? found : null;
  }

  // Buttons of a pad's shoulders, the paddles of a wheel: one gear for each press.
  readPaddles(pad) {
    const pressed = PADDLES.map((k) => Boolean(pad.buttons[k] && pad.buttons[k].value > 0.5));
    pressed.forEach((down, k) => { if (down && !this.paddles[k]) this.wish += k ? 1 : -1; });
    this.paddles = pressed;
  }

  // How many gears up or down are wished for since the last call.
  takeShift() {
    const { wish } = this;
    this.wish = 0;
    return wish;
  }

  // Over dt seconds, at a speed [m/s]; friction is how much of it the tyres use, from 0 to 1.
  update(dt, speed, friction = 0) {
    const pad = this.readGamepad(), { wanted } = this;
    if (pad) {
      wanted.steering = this.reach(speed) * pad.steering;
      wanted.throttle = pad.throttle;
      wanted.brake = pad.brake;
      this.shake(pad.pad, friction);
    } else if (this.finger) {
      const { x, y } = this.finger;
      wanted.steering = toward(wanted.steering, -x * this.reach(speed), 2 * STEER_RATE * this.most / FULL_TURN * dt);
      wanted.throttle = Math.max(0, -y);
      wanted.brake = Math.max(0, y);
    } else if (this.source !== "start" || this.held.size) this.byKeys(dt, speed);
    return wanted;
  }

  byKeys(dt, speed) {
    const { wanted, held } = this;
    const side = held.has("left") - held.has("right");
    const rate = side && side * wanted.steering >= 0 ? STEER_RATE : RETURN_RATE;
    wanted.steering = toward(wanted.steering, side * this.reach(speed), rate * this.most / FULL_TURN * dt);
    for (const word of ["throttle", "brake"]) {
      wanted[word] = toward(wanted[word], held.has(word) ? 1 : 0, PEDAL_RATE * dt);
    }
  }

  // How far the steering wheel is turned at most [rad].
  reach(speed) { return this.help ? this.most / (1 + (speed / GENTLE_SPEED) ** 2) : this.most; }

  shake(pad, friction) {
    const motor = pad.vibrationActuator;
    if (!motor || friction < 0.9) return;
    motor.playEffect("dual-rumble", { duration: 40, strongMagnitude: friction - 0.9, weakMagnitude: 0.4 });
  }
}

function toward(value, aim, most) {
  return value + Math.min(most, Math.max(-most, aim - value));
}
