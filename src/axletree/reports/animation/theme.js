// Colours of what has a role, on light and on dark paper.

const THEMES = {
  light: {
    sky: "#f5f7fa", tyre: "#3a4048", mark: "#ffffff", plate: "#8d97a3", part: "#7d8792", tie: "#5b6470",
    force: "#c2185b", road: "#d9dde2", soil: "#dcc9a3", patch: "#b98d54", ice: "#a9d4ee",
    floor: "#e9edf1", grid: "#aab4bf", rut: "#8a6d3f", edge: "#1b2733", bound: "#69747f",
    glass: "#33404d", shade: "#5b6470", lamp: "#ffffff",
  },
  dark: {
    sky: "#12181f", tyre: "#8a939e", mark: "#15191e", plate: "#6f7a87", part: "#a3adb8", tie: "#9aa6b3",
    force: "#ff6f9f", road: "#2b333c", soil: "#5b4d33", patch: "#7d6034", ice: "#2f5f7d",
    floor: "#1d252e", grid: "#4b5763", rut: "#2f2616", edge: "#e3e9ef", bound: "#9aa6b3",
    glass: "#0b1015", shade: "#05080b", lamp: "#fff6dc",
  },
};

function numbersOf(hex) {
  const n = parseInt(hex.slice(1), 16);
  return [(n >> 16) / 255, ((n >> 8) & 255) / 255, (n & 255) / 255];
}

class Theme {
  // Colours of curves and wheels on light paper, each with that which it has on dark paper.
  constructor(dark) {
    this.dark = dark;
    const asked = window.matchMedia("(prefers-color-scheme: dark)");
    this.name = asked.matches ? "dark" : "light";
    this.chosen = false;
    this.onchange = () => {};
    asked.addEventListener("change", (event) => {
      if (!this.chosen) this.use(event.matches ? "dark" : "light");
    });
    this.use(this.name);
  }

  use(name) {
    this.name = name;
    const root = document.documentElement;
    root.dataset.theme = name;
    for (const colour of Object.keys(this.dark)) {
      root.style.setProperty(`--own-${colour.slice(1)}`, this.own(colour));
    }
    this.onchange();
  }

  swap() {
    this.chosen = true;
    this.use(this.name === "dark" ? "light" : "dark");
  }

  own(colour) { return this.name === "dark" ? this.dark[colour] || colour : colour; }

  // Three numbers of a colour by its role, or of one like #0072b2.
  rgb(colour) { return numbersOf(THEMES[this.name][colour] || this.own(colour)); }
}
