// What a pointer, a wheel and keys do to a chart: a wheel zooms along x, with shift along y; a drag
// moves, with shift it takes a box; two clicks show all again; arrows move the cursor.

function listen(chart) {
  const { canvas, board } = chart;
  let pressed = null;
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pressed = { at: place(event), x: chart.x, y: chart.y, boxed: event.shiftKey };
  });
  canvas.addEventListener("pointermove", (event) => {
    const at = place(event);
    if (!pressed) board.point(chart, chart.scales().x.value(at[0]));
    else if (!pressed.boxed) drag(chart, pressed, at);
  });
  canvas.addEventListener("pointerup", (event) => {
    if (pressed && pressed.boxed) takeBox(chart, pressed.at, place(event));
    else if (pressed) board.point(chart, chart.scales().x.value(place(event)[0]));
    pressed = null;
  });
  canvas.addEventListener("pointercancel", () => { pressed = null; });
  canvas.addEventListener("dblclick", () => board.reset(chart));
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.shiftKey && document.activeElement !== canvas) return; // scrolls the page
    event.preventDefault();
    const turned = event.deltaY || event.deltaX;
    zoom(chart, place(event), Math.exp(0.0015 * turned), event.shiftKey ? "y" : "x");
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    if (press(chart, event.key)) event.preventDefault();
  });
}

function drag(chart, pressed, at) {
  const { x, y } = chart.scales(), moved = (scale, pixels, [low, high]) => {
    if (!scale.logarithmic) {
      const way = pixels * (scale.to - scale.from) / (scale.last - scale.first);
      return [low - way, high - way];
    }
    const share = 10 ** (pixels * (scale.to - scale.from) / (scale.last - scale.first));
    return [low / share, high / share];
  };
  chart.show("y", ...moved(y, at[1] - pressed.at[1], pressed.y));
  chart.board.view(chart, ...moved(x, at[0] - pressed.at[0], pressed.x));
}

function takeBox(chart, from, to) {
  if (Math.abs(from[0] - to[0]) < 4 || Math.abs(from[1] - to[1]) < 4) return;
  const { x, y } = chart.scales(), ends = (scale, a, b) => [scale.value(a), scale.value(b)].sort((p, q) => p - q);
  chart.show("y", ...ends(y, from[1], to[1]));
  chart.board.view(chart, ...ends(x, from[0], to[0]));
}

function zoom(chart, at, factor, axis) {
  const scale = chart.scales()[axis], pixel = axis === "x" ? at[0] : at[1];
  const ends = [scale.first, scale.last].map((end) => scale.value(pixel + factor * (end - pixel)));
  ends.sort((p, q) => p - q);
  if (axis === "x") chart.board.view(chart, ...ends);
  else { chart.show("y", ...ends); chart.draw(); }
}

// Whether a key does something.
function press(chart, key) {
  const { board } = chart, [low, high] = chart.x, steps = { ArrowLeft: -1, ArrowRight: 1 };
  const factor = { "+": 0.8, "=": 0.8, "-": 1.25, "_": 1.25 }[key];
  const middle = chart.scales().x.pixel(chart.cursor ?? (low + high) / 2);
  if (key in steps) board.point(chart, (chart.cursor ?? low) + steps[key] * (high - low) / 200);
  else if (factor) zoom(chart, [middle, 0], factor, "x");
  else if (key === "0" || key === "Escape") board.reset(chart);
  else return false;
  return true;
}
