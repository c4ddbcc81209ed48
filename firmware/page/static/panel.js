// The panel: the door, and which part is open. Each part is a module with open() and close().

import { follow, at, write, TITLES } from "/static/news.js";
import { ask, enter, leave, told, knock } from "/static/panel_ask.js";
import * as game from "/static/panel_game.js";
import * as findings from "/static/panel_findings.js";
import * as camera from "/static/panel_camera.js";
import * as evening from "/static/panel_evening.js";
import * as journal from "/static/panel_journal.js";
import * as settings from "/static/panel_settings.js";

const PARTS = { game, findings, camera, evening, journal, settings };
const PHASES = { sitting: "nobody plays", playing: "a game is played", disputed: "a throw is in doubt", paused: "paused", over: "the game is over" };
let open = null;
let inside = false;
let unfollow = () => {};
let lost = false;

/** Open the part that the address names, the game where it names none. */
function turn() {
  const [name, rest = ""] = location.hash.slice(1).split("/");
  const wanted = name in PARTS ? name : "game";
  told("");
  if (open) PARTS[open].close();
  for (const part of Object.keys(PARTS)) at(`part-${part}`).hidden = part !== wanted;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#${wanted}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  open = wanted;
  scrollTo(0, 0);
  PARTS[wanted].open(rest);
}

/** Show the door or what is behind it. */
function show(isInside, session = {}) {
  if (open && !isInside) PARTS[open].close();
  if (!isInside) open = null;
  inside = isInside;
  at("door").hidden = isInside;
  at("inside").hidden = !isInside;
  at("login").hidden = !session.pin_set && !isInside;
  at("no-pin").hidden = isInside || Boolean(session.pin_set);
  unfollow();
  unfollow = () => {};
  if (!isInside) {
    if (session.wait_s) write(at("wrong"), `Too many wrong PINs: everybody waits, ${session.wait_s} seconds more.`);
    at("pin").focus();
    return;
  }
  unfollow = follow({
    game: (now) => {
      write(at("state"), `${TITLES[now.game] ?? now.game}: ${PHASES[now.phase] ?? now.phase}`);
      for (const part of Object.values(PARTS)) part.game?.(now);
    },
    story: (now) => { game.story(now); evening.story(); },
    reading: (now) => camera.reading(now),
  }, (connected) => {
    at("lost").hidden = connected;
    if (connected && lost) look(); // a table that has begun anew knows nobody
    lost = !connected;
  });
  turn();
}

async function look() {
  const session = await knock();
  if (session) show(Boolean(session.csrf), session);
  else setTimeout(look, 2000);
}

at("login").addEventListener("submit", async (event) => {
  event.preventDefault();
  at("enter").disabled = true;
  write(at("wrong"), "");
  const why = await enter(at("pin").value);
  at("enter").disabled = false;
  at("pin").value = "";
  write(at("wrong"), why ?? "");
  if (why === null) show(true);
  else at("pin").focus();
});
at("again").addEventListener("click", look);
at("logout").addEventListener("click", async () => { await leave(); look(); });
addEventListener("hashchange", () => inside && turn());
addEventListener("panel-ended", look);

// Whoever touches the page is still there; a phone that lies on the bar is not.
let touched = 0;
for (const kind of ["pointerdown", "keydown"]) {
  addEventListener(kind, () => {
    if (!inside || Date.now() - touched < 60_000) return;
    touched = Date.now();
    ask("/panel/here", {});
  });
}

look();
