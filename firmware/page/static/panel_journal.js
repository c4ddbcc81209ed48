// The journal: games, newest first, and each of them event by event with its pictures.

import { at, write, made, TITLES } from "/static/news.js";
import { ask, told, sentence } from "/static/panel_ask.js";

let oldest = 0;
let asked = 0; // an answer that was overtaken by a later question says nothing any more

export function open(number) {
  at("games").hidden = at("more").hidden = Boolean(number);
  at("one").hidden = !number;
  if (/^\d+$/.test(number)) read(number);
  else list();
}
export function close() {
  asked++;
  at("games").replaceChildren();
  at("rows").replaceChildren();
  oldest = 0;
}

async function list() {
  const mine = ++asked;
  const said = await ask(oldest ? `/panel/games?before=${oldest}` : "/panel/games");
  if (mine !== asked) return;
  if (said.error) return told(sentence(said.error), true);
  for (const game of said.games) {
    const link = made("a");
    link.href = `#journal/${game.game}`;
    link.append(made("b", "", `${game.game}. ${TITLES[game.name] ?? game.name}`), made("span", "", game.players.join(" ")),
      made("span", "soft", `${when(game.begun)}, ${game.events} events${game.given_up ? ", given up" : ""}${game.kind === "virtual" ? ", virtual" : ""}`));
    const item = made("li");
    item.append(link);
    at("games").append(item);
    oldest = game.game;
  }
  at("more").hidden = !said.more;
  if (!at("games").children.length) at("games").append(made("li", "soft", "No game was played yet."));
}

async function read(number) {
  write(at("one-title"), `Game ${number}`);
  write(at("one-facts"), "");
  write(at("one-standing"), "");
  const mine = ++asked;
  const said = await ask(`/panel/games/${number}`);
  if (mine !== asked) return;
  if (said.error) return told(sentence(said.error), true);
  const state = said.over ? "over" : said.given_up ? "given up" : "goes on";
  const rules = Object.entries(said.house_rules ?? {}).map(([rule, value]) => `${rule} = ${value}`).join(", ");
  write(at("one-title"), `Game ${number}: ${TITLES[said.name] ?? said.name}`);
  write(at("one-facts"), `${said.players.join(" ")}; ${state} after ${said.events} events, begun ${when(said.begun)}. Rules #${said.rules}${rules ? `: ${rules}` : ", as they come"}.`);
  write(at("one-standing"), said.standing.join("\n"));
  at("one-file").href = `/panel/games/${number}.json`;
  at("rows").replaceChildren(...said.rows.map((row) => line(number, row)));
}

function line(number, row) {
  const item = made("li");
  const text = made("span", row.counts ? "" : "void", row.told.trim().replace(/\s+/g, " ") + (row.why ? `: ${row.why}` : ""));
  const time = made("time", "", row.time.slice(11, 19));
  time.dateTime = row.time;
  item.append(time, text);
  if (!row.counts) item.append(" (taken back)");
  if (row.picture) {
    const button = made("button", "", "Picture");
    button.type = "button";
    button.setAttribute("aria-expanded", "false");
    button.setAttribute("aria-label", `Picture of event ${row.event}`);
    button.addEventListener("click", () => {
      const shown = item.querySelector("img");
      button.setAttribute("aria-expanded", String(!shown));
      if (shown) return shown.remove();
      const image = made("img");
      image.alt = `What the camera saw at event ${row.event}`;
      image.src = `/panel/games/${number}/${row.event}.jpg`;
      image.addEventListener("error", () => image.replaceWith(made("p", "soft", "No picture is shown: it is not kept any more, or dice are hidden.")));
      item.append(image);
    });
    item.append(button);
  }
  return item;
}

const when = (moment) => (moment ? new Date(moment).toLocaleString([], { dateStyle: "medium", timeStyle: "short" }) : "not yet");

at("more").addEventListener("click", list);
