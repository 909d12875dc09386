// The linear graph: branches of the tree are solid, chords dashed. A chord that is clicked takes the
// place of one of the branches in its circuit.

const LEAST_COLUMN = 110, ROW = 62, MARGIN = 90, LETTER = 6.2, GAP = 36; // pixels
const SVG = "http://www.w3.org/2000/svg";

function drawn(kind, parent, given, text = "") {
  const made = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(given)) made.setAttribute(name, value);
  made.textContent = text;
  parent.append(made);
  return made;
}

class GraphView {
  constructor(holder, onchange) {
    this.holder = holder;
    this.onchange = onchange;
  }

  show(found) {
    this.holder.replaceChildren();
    const about = "Solid: the tree, whose variables are those of the model. Dashed: chords. "
      + "Click a chord, then a branch of its circuit, to exchange them.";
    element("p", this.holder, about, "about");
    if (found.chosen) {
      const back = element("button", this.holder, "the tree of least dimension");
      back.addEventListener("click", () => this.onchange(null));
    }
    for (const domain of found.domains) this.domain(domain);
  }

  domain(domain) {
    element("h3", this.holder, domain.name);
    const state = element("p", this.holder, "", "chord-state");
    state.setAttribute("role", "status");
    const sheet = drawn("svg", element("div", this.holder, "", "sheet"), {});
    const rows = domain.nodes.map((node) => node.row), top = Math.min(...rows);
    const left = this.columns(domain);
    const places = new Map(domain.nodes.map((node) => (
      [node.name, [MARGIN + left[node.column], 40 + ROW * (node.row - top)]])));
    const wide = 2 * MARGIN + left[left.length - 1];
    const tall = 80 + ROW * (Math.max(...rows) - top);
    sheet.setAttribute("viewBox", `0 0 ${wide} ${tall}`);
    sheet.setAttribute("width", wide);
    sheet.setAttribute("height", tall);
    const joined = new Map();
    const lines = domain.edges.map((edge) => this.edge(sheet, edge, places, joined));
    for (const [name, [x, y]] of places) {
      drawn("circle", sheet, { cx: x, cy: y, r: 5 });
      drawn("text", sheet, { x, y: y - 10 }, name);
    }
    lines.forEach((line, k) => {
      const edge = domain.edges[k];
      if (edge.fixed) return;
      const click = () => this.click(domain, edge, lines, state);
      line.addEventListener("click", click);
      line.addEventListener("keydown", (event) => { if (event.key === "Enter") click(); });
    });
  }

  // Where they stand: as far apart as the names of branches between them are long.
  columns(domain) {
    const at = new Map(domain.nodes.map((node) => [node.name, node.column]));
    const found = new Array(Math.max(...at.values()) + 1).fill(LEAST_COLUMN);
    const widen = (k, name) => { found[k] = Math.max(found[k], LETTER * name.length + GAP); };
    for (const { branch, name, tail, head } of domain.edges) {
      if (branch) widen(Math.max(at.get(tail), at.get(head)), name);
    }
    for (const { column, name } of domain.nodes) if (column) widen(column, name);
    found[0] = 0;
    return found.map((_, k) => found.slice(0, k + 1).reduce((a, b) => a + b, 0));
  }

  // Chords are arcs, the farther out the more of them join the same nodes.
  edge(sheet, edge, places, joined) {
    const [a, b] = [places.get(edge.tail), places.get(edge.head)];
    const pair = [edge.tail, edge.head].sort().join(" ");
    const count = joined.get(pair) || 0;
    joined.set(pair, count + 1);
    const bend = edge.branch ? 0 : 0.22 * (1 + count) * (edge.tail < edge.head ? 1 : -1);
    const middle = [0, 1].map((k) => (a[k] + b[k]) / 2);
    const side = [b[1] - a[1], a[0] - b[0]];
    const over = [0, 1].map((k) => middle[k] + bend * side[k]);
    const names = ["edge", edge.branch ? "branch" : "chord", edge.fixed ? "fixed" : ""].join(" ");
    const group = drawn("g", sheet, { class: names, "data-component": edge.component });
    if (!edge.fixed) group.setAttribute("tabindex", "0");
    const control = [0, 1].map((k) => middle[k] + 2 * bend * side[k]);
    const path = `M${a} Q${control} ${b}`;
    drawn("path", group, { d: path, class: "reach" });
    drawn("path", group, { d: path });
    drawn("text", group, { x: over[0], y: over[1] + (edge.branch ? 13 : 4) }, edge.name);
    drawn("title", group, {}, `${edge.name}: from ${edge.tail} to ${edge.head}`);
    return group;
  }

  click(domain, edge, lines, state) {
    const chord = this.chord?.domain === domain ? this.chord.edge : null;
    if (!edge.branch) {
      this.chord = { domain, edge };
      domain.edges.forEach((one, k) => {
        const within = one.branch && edge.circuit.includes(one.component);
        lines[k].classList.toggle("within", within);
        lines[k].classList.toggle("chosen", one === edge);
      });
      state.textContent = edge.circuit.length
        ? `${edge.component} joins the tree in place of: ${edge.circuit.join(", ")}. Which?`
        : `${edge.component} closes no circuit that could be opened elsewhere`;
    } else if (chord?.circuit.includes(edge.component)) {
      const kept = domain.tree.filter((name) => name !== edge.component);
      this.chord = null;
      this.onchange(domain.name, [...kept, chord.component]);
    } else state.textContent = "click a chord first";
  }
}
