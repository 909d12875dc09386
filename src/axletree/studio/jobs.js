// Runs, comparisons and sweeps: how far they are, and what they found.

const SHOWN_METRICS = 6;

class JobList {
  constructor(holder, ask) {
    this.holder = holder;
    this.ask = ask; // (action, given)
    this.picked = new Set();
    this.known = new Map(); // by number: what is shown, as text
    this.chosen = new Map(); // of sweeps: the finding that is drawn
  }

  show(jobs) {
    const listed = new Set(jobs.map((job) => String(job.number)));
    for (const one of [...this.holder.children]) if (!listed.has(one.dataset.number)) one.remove();
    for (const job of jobs) {
      const said = JSON.stringify(job) + (this.chosen.get(job.number) || "");
      if (this.known.get(job.number) === said) continue;
      this.known.set(job.number, said);
      const made = this.entry(job);
      const old = this.holder.querySelector(`[data-number="${job.number}"]`);
      if (old) old.replaceWith(made);
      else this.holder.prepend(made);
    }
  }

  get toCompare() { return [...this.picked].sort((a, b) => a - b); }

  entry(job) {
    const made = document.createElement("li");
    made.dataset.number = job.number;
    made.className = job.state;
    const head = element("div", made, "", "job-head");
    if (job.kind === "run" && job.state === "done") this.picker(head, job);
    element("strong", head, `${job.number} ${job.title}`);
    element("span", head, job.state, "state");
    if (job.state === "running" || job.state === "waiting") this.progress(made, job);
    if (job.report) this.report(made, job);
    if (job.state === "failed") element("pre", made, job.log, "failure");
    const metrics = Object.values(job.metrics);
    if (metrics.length) this.metrics(made, metrics);
    if (job.kind === "sweep" && job.points.length) this.points(made, job);
    const how = element("details", made);
    element("summary", how, "how");
    element("code", how, job.command);
    element("p", how, `results: ${job.folder}`);
    return made;
  }

  picker(head, job) {
    const box = element("input", head);
    box.type = "checkbox";
    box.checked = this.picked.has(job.number);
    box.setAttribute("aria-label", `compare ${job.title}`);
    box.addEventListener("change", () => {
      if (box.checked) this.picked.add(job.number);
      else this.picked.delete(job.number);
    });
  }

  progress(made, job) {
    const row = element("div", made, "", "progress-row"), found = job.progress;
    const bar = element("progress", row);
    bar.setAttribute("aria-label", `progress of ${job.title}`);
    if (found?.whole) {
      bar.max = found.whole;
      bar.value = found.done;
    }
    const part = found?.whole ? ` ${found.done.toPrecision(3)} of ${found.whole.toPrecision(3)} ${found.unit}` : "";
    element("span", row, found ? `${found.doing}${part}` : job.state);
    const stop = element("button", row, "cancel");
    stop.addEventListener("click", () => this.ask("cancel", { job: job.number }));
  }

  report(made, job) {
    const link = element("a", made, job.kind === "live" ? "drive it" : "report");
    link.href = `/results/${job.number}/${job.results_key}/report.html`;
    link.target = "_blank";
    link.rel = "noopener";
  }

  metrics(made, metrics) {
    const table = element("table", made);
    for (const one of metrics.slice(0, SHOWN_METRICS)) {
      const row = element("tr", table);
      element("th", row, one.description || one.name);
      element("td", row, shownNumber(one.value));
      element("td", row, one.unit === "1" ? "" : one.unit, "unit");
    }
  }

  // A finding over the first number that is varied, as far as the sweep is.
  points(made, job) {
    const names = [...new Set(job.points.flatMap((point) => Object.keys(point.findings)))];
    const found = (name) => job.points.map((point) => point.findings[name]?.value).filter(Number.isFinite);
    const finding = this.chosen.get(job.number) || names.find((name) => differ(found(name))) || names[0];
    const choice = element("select", made);
    choice.setAttribute("aria-label", "finding");
    for (const name of names) element("option", choice, name.replaceAll("_", " ")).value = name;
    choice.value = finding;
    choice.addEventListener("change", () => {
      this.chosen.set(job.number, choice.value);
      made.replaceWith(this.entry(job));
    });
    const rows = job.points.map((point) => [
      Object.values(point.values)[0], point.findings[finding]?.value, point.failure]);
    const unit = job.points.find((p) => p.findings[finding])?.findings[finding].unit;
    const whole = Object.keys(job.points[0].values)[0], asked = job.unit;
    const titles = [inWords(whole.split(".").pop()), inWords(finding || "")].map(
      (name, k) => (([asked, unit][k] || "1") === "1" ? name : `${name} [${[asked, unit][k]}]`));
    this.curve(made, rows, titles);
    const table = element("table", made, "", "points"), head = element("tr", table);
    for (const title of titles) element("th", head, title).title = whole;
    for (const [value, found, failure] of rows) {
      const row = element("tr", table);
      element("td", row, shownNumber(value));
      element("td", row, failure ? "failed" : shownNumber(found)).title = failure;
    }
  }

  curve(made, rows, titles) {
    const known = rows.filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y));
    const [x, y] = [0, 1].map((k) => known.map((row) => row[k]));
    if (known.length > 1) chart(made, titles[1], titles[0], [{ x, y }], true);
  }
}

function shownNumber(value) {
  if (typeof value !== "number") return value === null || value === undefined ? "none" : String(value);
  return Number(value.toPrecision(5)).toString();
}
