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

// The page that it stands in may have a cursor along the same time, and moves it as this moves.
function shareTime(player) {
  const draw = player.onmove;
  let told = false; // whether that page has said the time
  player.onmove = () => {
    draw();
    if (!told && window.parent !== window) window.parent.postMessage({ axletreeTime: player.time }, "*");
  };
  window.addEventListener("message", (event) => {
    const time = event.data && event.data.axletreeSeek;
    if (!Number.isFinite(time)) return;
    told = true;
    if (player.playing) player.pause();
    player.seek(time);
    told = false;
  });
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
  shareTime(player);
  player.seek(Number(given.get("t") || player.first));
  window.animation = player;
}

start();
