// An element of a page, with its text and the name of its style.

function element(kind, parent, text = "", name = "") {
  const made = document.createElement(kind);
  if (text) made.textContent = text;
  if (name) made.className = name;
  parent.append(made);
  return made;
}
