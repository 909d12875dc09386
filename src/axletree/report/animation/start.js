// Opens the page. An address that ends in #t=2&theme=dark&camera=ride begins there.

const NARROW = "(max-width: 45rem), (max-height: 30rem)"; // as in the style sheet

function start() {
  if (window.matchMedia(NARROW).matches) {
    for (const part of document.querySelectorAll("details")) part.open = false;
  }
  const asked = new URLSearchParams(location.hash.slice(1));
  let player;
  try {
    player = new Player(readScene(), document.getElementById("view"));
  } catch (error) {
    const message = document.getElementById("message");
    message.hidden = false;
    if (error.message !== "no WebGL") { message.textContent += ` (${error.message})`; throw error; }
    return;
  }
  player.follow = asked.get("camera") || (player.travels ? "follow" : "stay");
  if (asked.has("theme")) player.theme.use(asked.get("theme"));
  connect(player);
  player.seek(Number(asked.get("t") || player.first));
  window.animation = player;
}

start();
