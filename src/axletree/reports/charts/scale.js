// Numbers along an axis: from values to pixels and back, and where ticks stand.

class Scale {
  constructor(low, high, first, last, logarithmic = false) {
    Object.assign(this, { low, high, first, last, logarithmic });
    this.from = logarithmic ? Math.log10(low) : low;
    this.to = logarithmic ? Math.log10(high) : high;
  }

  pixel(value) {
    const place = this.logarithmic ? Math.log10(value) : value;
    return this.first + (this.last - this.first) * (place - this.from) / (this.to - this.from);
  }

  value(pixel) {
    const place = this.from + (this.to - this.from) * (pixel - this.first) / (this.last - this.first);
    return this.logarithmic ? 10 ** place : place;
  }

  // About one in so many pixels, at round numbers.
  ticks(gap) {
    const count = Math.max(2, Math.abs(this.last - this.first) / gap);
    return this.logarithmic ? this.decades(count) : this.steps(count);
  }

  steps(count) {
    const rough = (this.to - this.from) / count, power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 5, 10].find((one) => one * power >= rough * (1 - 1e-9));
    const found = [], near = 1e-5; // of a step; columns are of single precision
    for (let k = Math.ceil(this.from / step - near); k * step <= this.to + near * step; k++) {
      found.push(k * step);
    }
    return { values: found, step };
  }

  decades(count) {
    const digits = (this.to - this.from) * 3 <= count ? [1, 2, 5] : [1], found = [];
    for (let power = Math.floor(this.from); power <= Math.ceil(this.to); power++) {
      for (const digit of digits) {
        const value = digit * 10 ** power;
        if (value >= this.low * (1 - 1e-6) && value <= this.high * (1 + 1e-6)) found.push(value);
      }
    }
    return found.length > 1 ? { values: found, step: 0 } : this.steps(count);
  }
}

// In full, with as many decimals as the step between ticks asks for: no offset is to be added.
function tickText(value, step) {
  if (!step) return String(+value.toPrecision(6));
  const size = Math.max(Math.abs(value), step);
  if (size >= 1e6 || size < 1e-5) {
    const digits = Math.max(0, Math.floor(Math.log10(size)) - Math.floor(Math.log10(step) + 1e-9));
    return Math.abs(value) < 1e-9 * step ? "0" : value.toExponential(Math.min(digits, 12));
  }
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return value.toFixed(Math.min(decimals, 12)).replace(/^-(?=[0.]*$)/, "");
}

// Four digits of a value beside others up to a size.
function valueText(value, size) {
  if (!Number.isFinite(value)) return "–";
  if (size >= 1e6 || (size < 1e-4 && size > 0)) return value.toExponential(3);
  const decimals = size > 0 ? Math.max(0, 3 - Math.floor(Math.log10(size))) : 0;
  return value.toFixed(Math.min(decimals, 7)).replace(/^-(?=[0.]*$)/, "");
}

const SMALLEST_STEP = 1e-9; // of the greatest value: what moves by less stands still
const ROUNDING = 1e-12; // in the unit of the axis: what is less is 0

// The ends of an axis about values: a line that should be straight is drawn straight.
function limitsOf(columns, margin) {
  let low = Infinity, high = -Infinity;
  for (const column of columns) {
    for (const value of column) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  if (!(low <= high)) return [0, 1];
  const level = Math.max(Math.abs(low), Math.abs(high));
  if (level <= ROUNDING) return [-1, 1];
  if (high - low <= SMALLEST_STEP * level) return [low - 0.05 * level, high + 0.05 * level];
  const free = margin * (high - low);
  return [low - free, high + free];
}
