// The game on the table: where it stands, and what a bartender may do about it.

import { at, write, made } from "/static/news.js";
import { ask, order, sentence, told } from "/static/panel_ask.js";

const NOTHING = { game: 0, event: 0, last: null };
let now = NOTHING;
let phase = "";
let isOpen = false;
let blind = false;

export function open() {
  isOpen = true;
  refresh();
}
export function close() { isOpen = false; }

/** Hear of an event that is stored. */
export function story() { if (isOpen) refresh(); }

/** Hear what the table shows. */
export function game(shown) {
  const other = phase !== shown.phase;
  phase = shown.phase;
  blind = shown.blind;
  picture();
  at("pause").disabled = !["playing", "disputed"].includes(phase);
  at("resume").disabled = phase !== "paused";
  const facts = shown.facts;
  const units = facts.units ?? facts.dice_left ?? facts.marks ?? {};
  tell(at("facts"), [
    ["On turn", shown.phase === "sitting" ? null : shown.player],
    ["Rolls used", facts.rolls_used === undefined ? null : `${facts.rolls_used} of up to ${shown.most_rolls}`],
    ["Pot", facts.pot], ["Stake", facts.stake], ["Rounds played", facts.rounds_played],
    ["At the table", Object.values(shown.seats).join(" ") || "nobody"],
    ["Only in memory", shown.unsaved ? `${shown.unsaved} events: the disk takes nothing` : null],
    ["Camera", shown.camera_lost ? "lost" : null],
  ]);
  write(at("held"), facts.units ? "Units" : facts.dice_left ? "Dice" : facts.marks ? "Marks" : "");
  at("standing").replaceChildren(...Object.entries(units).map(([name, has]) => {
    const out = (facts.out ?? []).includes(name) ? ", out" : "";
    return made("li", "", `${name}: ${has}${out}`);
  }));
  if (other && isOpen) refresh();
}

/** Show pairs of a word and what it is, those apart that are not known. */
export function tell(list, pairs) {
  list.replaceChildren(...pairs.filter(([, value]) => value !== null && value !== undefined && value !== "").map(([word, value]) => {
    const pair = made("div");
    pair.append(made("dt", "", word), made("dd", "", String(value)));
    return pair;
  }));
}

async function refresh() {
  const said = await ask("/panel/now");
  now = said.error ? NOTHING : said; // who does not see the last throw cannot take it back
  const last = now.last;
  const none = said.error ? sentence(said.error) : "None in this game.";
  write(at("last"), last ? `Game ${now.game}, event ${last.told.trim().replace(/\s+/g, " ")}` : none);
  picture();
  at("void").disabled = !last;
}

/** Lead to the picture of the last throw, where there is one and no dice are hidden. */
function picture() {
  at("last-picture").hidden = blind || !now.last?.picture;
  if (now.last?.picture) at("last-picture").href = `/panel/games/${now.game}/${now.last.event}.jpg`;
}

async function give(what, done) {
  const reason = at("reason").value.trim();
  if (what === "void" && !reason) {
    told("Say why the throw is taken back: it stands in the journal.", true);
    at("reason").focus();
    return;
  }
  const wanted = { order: what, reason };
  if (what === "void") Object.assign(wanted, { game: now.game, event: now.event });
  if (await order(wanted, done)) at("reason").value = "";
  refresh();
}

at("pause").addEventListener("click", () => give("pause", "The game waits."));
at("resume").addEventListener("click", () => give("resume", "The game goes on."));
at("void").addEventListener("click", () => give("void", "The last throw is taken back. It is to be thrown again."));
at("orders").addEventListener("submit", (event) => event.preventDefault());
