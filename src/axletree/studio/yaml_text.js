// The text of the file, with numbers of lines and marks where problems are.

const TYPING_REST = 500; // ms without a key, after which a text is looked at

class YamlText {
  constructor(area, gutter, onchange) {
    this.area = area;
    this.gutter = gutter;
    this.marked = new Map();
    this.timer = 0;
    this.onchange = onchange;
    area.addEventListener("input", () => {
      this.number();
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.send(), TYPING_REST);
    });
    area.addEventListener("scroll", () => { gutter.scrollTop = area.scrollTop; });
    area.addEventListener("keydown", (event) => this.indent(event));
  }

  get isTyped() { return this.timer !== 0; }

  async send() {
    clearTimeout(this.timer);
    this.timer = 0;
    await this.onchange(this.area.value);
  }

  // The tab key indents, as files have no tabs; after Escape it leaves the text.
  indent(event) {
    if (event.key === "Escape") this.leaves = true;
    else if (event.key === "Tab" && !event.shiftKey && !this.leaves) {
      event.preventDefault();
      this.area.setRangeText("  ", this.area.selectionStart, this.area.selectionEnd, "end");
      this.area.dispatchEvent(new Event("input"));
    } else this.leaves = false;
  }

  show(text) {
    clearTimeout(this.timer);
    this.timer = 0;
    if (this.area.value !== text) {
      const { selectionStart, scrollTop } = this.area;
      this.area.value = text;
      this.area.setSelectionRange(selectionStart, selectionStart);
      this.area.scrollTop = scrollTop;
    }
    this.number();
  }

  mark(problems) {
    this.marked = new Map(problems.map((one) => [one.line, one.text]));
    this.number();
  }

  number() {
    const count = this.area.value.split("\n").length;
    this.gutter.replaceChildren();
    for (let line = 1; line <= count; line++) {
      const made = element("div", this.gutter, String(line));
      if (this.marked.has(line)) {
        made.className = "wrong";
        made.title = this.marked.get(line);
      }
    }
    this.gutter.scrollTop = this.area.scrollTop;
  }

  goTo(line) {
    const lines = this.area.value.split("\n");
    const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    this.area.focus();
    this.area.setSelectionRange(start, start + (lines[line - 1] || "").length);
    const height = this.area.scrollHeight / lines.length;
    this.area.scrollTop = Math.max(0, (line - 4) * height);
  }
}
