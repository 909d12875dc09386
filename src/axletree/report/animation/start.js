// Opens the page. An address that ends in #t=2&theme=dark&camera=on-board begins there.

const FORMER = { stay: "fixed", follow: "chase", ride: "on-board" }; // cameras, in links of before

// Where there is little room tables are folded; a page in another one has its size only later.
function foldWhereNarrow() {
  const narrow = window.matchMedia("(max-width: 45rem), (max-height: 30rem)"); // as in the style
  const fold = () => {
    for (const part of document.querySelectorAll("details")) part.open = !narrow.matches;
  };
  narrow.addEventListener("change", fold);
  fold();
}

function start() {
  foldWhereNarrow();
  const given = new URLSearchParams(location.hash.slice(1));
  let player;
  try {
    player = new Player(readScene(), document.getElementById("view"));
  } catch (error) {
    const message = document.getElementById("message");
    message.hidden = false;
    if (error.message !== "no WebGL") { message.textContent += ` (${error.message})`; throw error; }
    return;
  }
  const camera = given.get("camera");
  player.view = FORMER[camera] || camera || (player.travels ? "chase" : "fixed");
  if (given.has("theme")) player.theme.use(given.get("theme"));
  connect(player);
  player.seek(Number(given.get("t") || player.first));
  window.animation = player;
}

start();
