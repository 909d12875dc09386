// A form made from the JSON schema of model files: a field for each number, with its unit, its
// limits and what it is.

const PLAIN_NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/;
const MOST_LISTED = 6; // numbers that stand in a row

// As a person types it: a number without a unit is one, else it is a text.
function typed(text) {
  const word = text.trim();
  return PLAIN_NUMBER.test(word) ? Number(word) : word;
}

const inWords = (key) => key.replaceAll("_", " ");

class Form {
  constructor(holder, schema, onchange) {
    this.holder = holder;
    this.schema = schema;
    this.onchange = onchange;
    this.opened = new Set(["vehicle", "vehicle.body", "vehicle.axles", "components"]);
  }

  // ``own`` is what the file says, ``values`` with what it is based on.
  show(own, values, problems) {
    const active = document.activeElement?.closest?.("[data-path]")?.dataset.path;
    const part = document.activeElement?.dataset?.part;
    this.own = own;
    this.values = values;
    this.wrong = new Map(problems.map(({ text }) => {
      const said = /^(?:line \d+, )?([\w.-]+): (.*)$/s.exec(text);
      return said ? [said[1], said[2]] : ["", text];
    }));
    const top = this.holder.scrollTop;
    this.holder.replaceChildren();
    const { properties } = this.schema;
    for (const key of ["description", "vehicle", "components", "start", "run", "gravity"]) {
      const has = values[key] !== undefined || key === "description";
      if (has) this.field(this.holder, [key], properties[key]);
    }
    this.holder.scrollTop = top;
    if (active) {
      const row = this.holder.querySelector(`[data-path="${CSS.escape(active)}"]`);
      row?.querySelector(part ? `[data-part="${part}"]` : "input, select")?.focus();
    }
  }

  at(content, path) {
    return path.reduce((found, key) => (found === undefined || found === null ? undefined : found[key]), content);
  }

  resolved(schema) {
    if (!schema.$ref) return schema;
    const name = schema.$ref.replace("#/$defs/", "");
    return { ...this.schema.$defs[name], ...(schema.description ? { description: schema.description } : {}) };
  }

  field(holder, path, given) {
    const schema = this.resolved(given), value = this.at(this.values, path);
    const kinds = this.partKinds(schema);
    if (kinds) this.part(holder, path, schema, kinds, value);
    else if (schema.type === "object" && schema.properties && !schema.allOf) {
      this.group(holder, path, schema, schema.properties, value);
    } else if (schema.type === "object" && typeof schema.additionalProperties === "object"
      && (this.partKinds(schema.additionalProperties) || schema.additionalProperties.properties)) {
      this.named(holder, path, schema, value);
    } else this.value(holder, path, schema, value);
  }

  // Of a part, which is one of several kinds: its kinds, each with the schema of its fields.
  partKinds(schema) {
    for (const one of [schema, ...(schema.anyOf || []), ...(schema.oneOf || [])]) {
      if (one !== schema && (one.anyOf || one.oneOf)) {
        const inner = this.partKinds(one);
        if (inner) return inner;
      }
      if (!one.allOf) continue;
      const pairs = one.allOf.filter((each) => each.if?.properties?.type)
        .map((each) => [each.if.properties.type.const, each.then]);
      if (pairs.length) return new Map(pairs);
    }
    return null;
  }

  details(holder, path, words, about) {
    const name = path.join("."), made = element("details", holder), head = element("summary", made, words);
    made.dataset.group = name;
    head.title = about || "";
    made.open = this.opened.has(name);
    if ([...this.wrong.keys()].some((key) => key.startsWith(`${name}.`) || key === name)) {
      head.classList.add("wrong");
    }
    return { made, head };
  }

  // Fields are made when a group is opened for the first time.
  filled(made, path, fill) {
    const name = path.join(".");
    if (made.open) fill();
    made.addEventListener("toggle", () => {
      if (made.open && !this.opened.has(name)) {
        this.opened.add(name);
        if (made.children.length < 2) fill();
      } else if (!made.open) this.opened.delete(name);
    });
  }

  group(holder, path, schema, properties, value) {
    const words = inWords(path[path.length - 1]);
    if (value === undefined || value === null) {
      this.absent(holder, path, schema, words);
      return;
    }
    const { made, head } = this.details(holder, path, words, schema.description);
    this.removable(head, path, "this part");
    this.filled(made, path, () => this.fields(made, path, properties, value));
  }

  // Those that are given first, then those that may be.
  fields(made, path, properties, value) {
    const keys = Object.keys(properties).filter((key) => key !== "type" || !properties.type.const);
    const has = (key) => value && typeof value === "object" && value[key] !== undefined;
    for (const key of keys.filter(has)) this.field(made, [...path, key], properties[key]);
    const rest = keys.filter((key) => !has(key));
    if (!rest.length) return;
    const more = [...path, "…"], { made: further } = this.details(made, more, "what is not given", "");
    this.filled(further, more, () => {
      for (const key of rest) this.field(further, [...path, key], properties[key]);
    });
  }

  named(holder, path, schema, value) {
    const words = inWords(path[path.length - 1]), isThere = value !== undefined && value !== null;
    const { made } = this.details(holder, path, isThere ? words : `${words}: none`, schema.description);
    if (!isThere) value = {};
    this.filled(made, path, () => {
      for (const key of Object.keys(value)) this.field(made, [...path, key], schema.additionalProperties);
      this.adder(made, path, this.partKinds(schema.additionalProperties));
    });
  }

  // One more of what has names, such as loads; what it needs is told as a problem until it is there.
  adder(made, path, kinds) {
    const row = this.row(made, path, "one more, by name", "letters, digits and underscores");
    row.classList.add("adder");
    const box = element("input", row), choice = kinds && element("select", row);
    const button = element("button", row, "add"), where = path.join(" ");
    box.setAttribute("aria-label", `name of a new one in ${where}`);
    if (kinds) {
      choice.setAttribute("aria-label", `kind of a new one in ${where}`);
      for (const word of kinds.keys()) {
        const about = this.resolved(kinds.get(word)).description || "";
        Object.assign(element("option", choice, word), { value: word, title: about });
      }
    }
    box.addEventListener("input", () => box.setCustomValidity(""));
    button.addEventListener("click", () => {
      const name = box.value.trim();
      const isTaken = this.at(this.values, [...path, name]) !== undefined;
      if (!/^[A-Za-z]\w*$/.test(name) || isTaken) {
        box.setCustomValidity(isTaken ? `${name} is there already` : "a letter, then letters, digits and underscores");
        box.reportValidity();
        return box.focus();
      }
      for (const open of [[...path, name], [...path, name, "…"]]) this.opened.add(open.join("."));
      return this.send([{ path: [...path, name], value: kinds ? { type: choice.value } : {} }]);
    });
  }

  part(holder, path, schema, kinds, value) {
    const words = inWords(path[path.length - 1]);
    const type = typeof value === "string" ? value : value?.type;
    const { made, head } = this.details(holder, path, type ? `${words}: ${type}` : words, schema.description);
    this.removable(head, path, "this part");
    this.filled(made, path, () => {
      const row = this.row(made, path, "kind", schema.description || "");
      const choice = element("select", row);
      for (const word of ["", ...kinds.keys()]) element("option", choice, word || "none").value = word;
      choice.value = kinds.has(type) ? type : "";
      choice.addEventListener("change", () => {
        if (choice.value) this.send([{ path, value: { type: choice.value } }]);
      });
      if (!kinds.has(type)) return;
      const inner = this.resolved(kinds.get(type));
      element("p", made, inner.description || "", "about");
      const shown = typeof value === "string" ? {} : value;
      this.fields(made, path, this.propertiesOf(inner), shown);
    });
  }

  propertiesOf(schema) { return schema.then?.properties || schema.properties || {}; }

  absent(holder, path, schema, words) {
    const row = this.row(holder, path, words, schema.description || "");
    const button = element("button", row, "add");
    button.addEventListener("click", () => {
      this.opened.add(path.join("."));
      this.send([{ path, value: {} }]);
    });
  }

  row(holder, path, words, about) {
    const row = element("div", holder, "", "row");
    row.dataset.path = path.join(".");
    const label = element("label", row, words);
    label.title = about;
    const name = path.join(".");
    if (this.wrong.has(name)) {
      row.classList.add("wrong");
      element("p", row, this.wrong.get(name), "wrong-text");
    }
    return row;
  }

  removable(holder, path, what) {
    if (this.at(this.own, path) === undefined) return;
    const button = element("button", holder, "×", "remove");
    button.title = `take ${what} out of this file`;
    button.setAttribute("aria-label", `take ${path.join(" ")} out of this file`);
    button.addEventListener("click", (event) => {
      event.preventDefault();
      this.send([{ path, remove: true }]);
    });
  }

  value(holder, path, schema, value) {
    const about = schema.description || "", unit = (/\[([^\]]+)\]$/.exec(about) || ["", ""])[1];
    const row = this.row(holder, path, inWords(path[path.length - 1]), `${about}${this.limits(schema)}`);
    const isOwn = this.at(this.own, path) !== undefined;
    row.classList.toggle("inherited", !isOwn && value !== undefined);
    const boxes = this.boxes(row, path, schema, value);
    const label = row.querySelector("label");
    boxes[0].id = `field-${path.join("-")}`;
    label.htmlFor = boxes[0].id;
    for (const box of boxes) box.title = label.title;
    element("span", row, unit, "unit").title = unit ? `of a plain number; others are written with theirs` : "";
    if (isOwn) this.removable(row, path, "this value");
    else element("span", row, value === undefined ? "" : "base", "origin").title = "of the model that it is based on";
  }

  limits({ minimum, exclusiveMinimum, maximum, default: usual }) {
    const said = [];
    if (exclusiveMinimum !== undefined) said.push(`above ${exclusiveMinimum}`);
    if (minimum !== undefined) said.push(`at least ${minimum}`);
    if (maximum !== undefined) said.push(`at most ${maximum}`);
    if (usual !== undefined) said.push(`${usual} if left out`);
    return said.length ? `; ${said.join(", ")}` : "";
  }

  boxes(row, path, schema, value) {
    if (schema.enum) return [this.choice(row, path, schema.enum, value, schema.default)];
    if (schema.type === "boolean") return [this.flag(row, path, value)];
    const length = schema.maxItems || (Array.isArray(value) && value.length);
    const isNumbers = (schema.items?.type || [])[0] === "number"
      || (schema.oneOf || []).some((one) => one.minItems && (one.items?.type || [])[0] === "number");
    const isFlat = !Array.isArray(value) || value.every((one) => typeof one !== "object");
    if (isNumbers && isFlat && length && length <= MOST_LISTED) return this.numbers(row, path, length, value);
    const isSimple = value === undefined || typeof value !== "object" || value === null;
    return [isSimple ? this.text(row, path, schema, value) : this.content(row, path, value)];
  }

  choice(row, path, words, value, usual) {
    const box = element("select", row);
    if (value === undefined) element("option", box, usual === undefined ? "" : `${usual} (left out)`).value = "";
    for (const word of words) element("option", box, String(word)).value = String(word);
    box.value = value === undefined ? "" : String(value);
    box.addEventListener("change", () => this.send([{ path, value: typed(box.value) }]));
    return box;
  }

  flag(row, path, value) {
    const box = element("input", row);
    box.type = "checkbox";
    box.checked = value === true;
    box.addEventListener("change", () => this.send([{ path, value: box.checked }]));
    return box;
  }

  text(row, path, schema, value) {
    const box = element("input", row);
    const isText = schema.type === "string";
    if (isText) box.className = "wide";
    box.value = value === undefined || value === null ? "" : String(value);
    if (schema.default !== undefined) box.placeholder = String(schema.default);
    box.addEventListener("change", () => {
      const has = this.at(this.own, path) !== undefined;
      if (box.value.trim() === "") {
        if (has) this.send([{ path, remove: true }]);
      } else this.send([{ path, value: isText ? box.value : typed(box.value) }]);
    });
    return box;
  }

  numbers(row, path, length, value) {
    const boxes = [];
    for (let k = 0; k < length; k++) {
      const box = element("input", row, "", "narrow");
      box.dataset.part = String(k);
      box.setAttribute("aria-label", `${path.join(" ")}, ${["x", "y", "z"][k] || k + 1}`);
      box.value = Array.isArray(value) ? String(value[k]) : "";
      box.addEventListener("change", () => {
        if (boxes.every((one) => one.value.trim() !== "")) {
          this.send([{ path, value: boxes.map((one) => typed(one.value)) }]);
        }
      });
      boxes.push(box);
    }
    return boxes;
  }

  // Tables and the like, as they stand in JSON.
  content(row, path, value) {
    const box = element("textarea", row);
    box.value = JSON.stringify(value);
    box.rows = 2;
    box.addEventListener("change", () => {
      try {
        this.send([{ path, value: JSON.parse(box.value) }]);
      } catch {
        row.classList.add("wrong");
        element("p", row, "a list or a mapping is not closed; see brackets and quotes", "wrong-text");
      }
    });
    return box;
  }

  send(changes) { this.onchange(changes); }
}

