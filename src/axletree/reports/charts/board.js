// All charts of a page: one cursor and one view along time, which the run in three dimensions shares.

class Board {
  constructor(data) {
    this.palettes = data.colours;
    this.charts = [];
    this.printing = false;
    this.dark = window.matchMedia("(prefers-color-scheme: dark)");
    this.dark.addEventListener("change", () => this.draw());
    window.addEventListener("resize", () => this.draw());
    window.addEventListener("beforeprint", () => this.print(true));
    window.addEventListener("afterprint", () => this.print(false));
    window.addEventListener("message", (event) => {
      const time = event.data && event.data.axletreeTime;
      if (Number.isFinite(time)) this.setTime(time);
    });
    this.seen = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        target.chart.visible = isIntersecting;
        if (isIntersecting) target.chart.draw();
      }
    }, { rootMargin: "200px" });
  }

  add(root, panel) {
    const chart = new Chart(root, panel, this);
    chart.figure.chart = chart;
    this.charts.push(chart);
    this.seen.observe(chart.figure);
  }

  get colours() { return this.palettes[this.dark.matches && !this.printing ? "dark" : "light"]; }

  get ratio() { return this.printing ? 3 : window.devicePixelRatio || 1; }

  draw() { for (const chart of this.charts) if (chart.visible) chart.draw(); }

  // What is folded away is not on paper either.
  print(begins) {
    this.printing = begins;
    for (const chart of this.charts) {
      if (begins ? chart.canvas.clientWidth : chart.visible) chart.draw();
    }
    for (const still of document.querySelectorAll(".still")) still.remove();
    if (begins) document.querySelectorAll("iframe").forEach(addStill);
  }

  // The cursor: of all charts over the same quantity at once.
  point(chart, value) {
    if (chart.panel.time) {
      this.setTime(value);
      for (const frame of document.querySelectorAll("iframe")) {
        frame.contentWindow.postMessage({ axletreeSeek: value }, "*");
      }
    } else {
      for (const one of this.beside(chart)) one.cursor = value;
      this.draw();
    }
  }

  setTime(time) {
    this.time = time;
    for (const chart of this.charts) if (chart.panel.time) chart.cursor = time;
    this.draw();
  }

  // Those that show the same along x.
  beside(chart) {
    const { x, plan } = chart.panel;
    return plan ? [chart] : this.charts.filter((one) => one.panel.x === x && !one.panel.plan);
  }

  view(chart, low, high) {
    for (const one of this.beside(chart)) one.show("x", low, high);
    this.draw();
  }

  reset(chart) {
    for (const one of this.beside(chart)) one.reset();
    this.draw();
  }
}

// Paper shows the run in three dimensions as it is seen now, on light ground.
function addStill(frame) {
  const player = frame.contentWindow.animation;
  if (!player) return; // without WebGL
  const shown = player.theme.name, figure = element("figure", frame.parentElement, "", "still");
  frame.before(figure);
  const copy = element("canvas", figure);
  [copy.width, copy.height] = [player.canvas.width, player.canvas.height];
  player.theme.use("light");
  copy.getContext("2d").drawImage(player.canvas, 0, 0);
  player.theme.use(shown);
  element("figcaption", figure, `at ${+player.time.toFixed(3)} s`);
}

function numbers([precision, text]) {
  const raw = atob(text), found = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; k++) found[k] = raw.charCodeAt(k);
  return precision === "single" ? new Float32Array(found.buffer) : new Float64Array(found.buffer);
}

// Panels stand where they are shown; the colours and the columns that many share, once.
function openCharts() {
  const data = JSON.parse(document.getElementById("chart-data").textContent);
  const columns = data.columns.map(numbers), board = new Board(data);
  for (const root of document.querySelectorAll(".charts")) {
    for (const panel of JSON.parse(root.querySelector("script").textContent)) {
      for (const curve of panel.curves) [curve.x, curve.y] = [columns[curve.x], columns[curve.y]];
      board.add(root, panel);
    }
  }
  window.charts = board;
}

openCharts();
