// A chart as a picture or as numbers, to the clipboard, or as a file where that is not allowed.

const PICTURE = [960, 480]; // px

async function copyChart(chart, kind, button) {
  const name = (chart.panel.title || "chart").toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const { blob, text } = await madeOf(chart, kind), before = button.textContent;
  let done = "copied";
  try {
    if (kind === "PNG") await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
    else await navigator.clipboard.writeText(text);
  } catch {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${name}.${kind.toLowerCase()}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    done = "saved";
  }
  button.textContent = done;
  setTimeout(() => { button.textContent = before; }, 1200);
}

async function madeOf(chart, kind) {
  if (kind === "CSV") return textBlob(csvOf(chart), "text/csv");
  if (kind === "SVG") return textBlob(svgOf(chart), "image/svg+xml");
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = PICTURE.map((size) => 2 * size);
  chart.paint(new CanvasPen(canvas, 2), PICTURE);
  return { blob: await new Promise((done) => { canvas.toBlob(done, "image/png"); }) };
}

const textBlob = (text, type) => ({ text, blob: new Blob([text], { type }) });

function svgOf(chart) {
  const pen = new SvgPen(...PICTURE);
  chart.paint(pen, PICTURE);
  return pen.text;
}

// The curves that are shown, in view: all over one x where they share it, else each with its own.
function csvOf(chart) {
  const { panel } = chart, [low, high] = chart.x;
  const shown = panel.curves.filter((_, k) => !chart.hidden.has(k));
  const shared = shown.every((curve) => curve.x === shown[0].x);
  const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const heads = shown.map((curve) => quoted(`${curve.label || panel.title} ${panel.y}`.trim()));
  const columns = shared && shown.length ? [shown[0].x, ...shown.map((curve) => curve.y)]
    : shown.flatMap((curve) => [curve.x, curve.y]);
  const titles = shared ? [quoted(panel.x), ...heads] : heads.flatMap((head) => [quoted(panel.x), head]);
  const rows = [titles.join(",")], longest = Math.max(0, ...columns.map((column) => column.length));
  for (let k = 0; k < longest; k++) {
    if (shared && (columns[0][k] < low || columns[0][k] > high)) continue;
    rows.push(columns.map((column) => (k < column.length ? +column[k].toPrecision(7) : "")).join(","));
  }
  return `${rows.join("\n")}\n`;
}
