// The board: for the crowd around the table. It looks on, and changes nothing.

import { lay } from "./dice.js";
import { at, follow, made, TITLES, write, writeBoth } from "./news.js";
import { chances, face, holding, line, lowest, many, moment, roundSaid, row, timed, toDo } from "./words.js";

const NEAREST = 0.45; // parts of the picture: the least that is shown, and how much around the dice
const AROUND = 0.2;

let game = null;
let story = {};
let reading = {};
let lostAt = null;
let spoken = "";

// --- the large tiles ---

function show() {
  if (game === null) return;
  const instead = face(game, story);
  document.body.dataset.face = instead?.name ?? "game";
  document.body.dataset.game = game.cup || game.facts.to_beat !== undefined ? "cup" : "dice";
  document.body.dataset.players = String(Object.keys(game.seats).length);
  write(at("title"), TITLES[game.game] ?? game.game);
  write(at("where"), where());
  write(at("rounds-label"), game.phase === "sitting" ? "The last game" : "Rounds");
  showFace(instead);
  showTurn();
  showLast();
  showClaim();
  showPot();
  showPlayers();
  showChance(instead === null);
  showRounds();
  showStory();
  showPicture();
  speak(instead);
  spread();
  fitAll();
}

/** Let the last panel take all of its row, where it is alone there. */
function spread() {
  const seen = [...document.querySelectorAll(".aside > *")].filter((panel) => !panel.hidden);
  document.body.dataset.aside = seen.length === 0 ? "none" : "some";
  seen.forEach((panel, index) => panel.classList.toggle("wide", index === seen.length - 1 && index % 2 === 0));
}

function where() {
  const played = game.facts.rounds_played ?? 0;
  const parts = game.phase === "sitting" ? [] : [game.phase === "over" ? `${many(played, "round")} played` : `round ${played + 1}`];
  if (game.rules) parts.push(`rules #${game.rules}`);
  if (game.unsaved) parts.push(`${many(game.unsaved, "event")} not stored: the disk is full`);
  return parts.join(" \u00b7 ");
}

/** Let a word be as large as its style has it, or as its place allows. */
function fit(element) {
  element.style.fontSize = "";
  const room = element.clientWidth;
  if (room === 0 || element.scrollWidth <= room) return;
  element.style.fontSize = `${(parseFloat(getComputedStyle(element).fontSize) * room) / element.scrollWidth - 0.5}px`;
}

function fitAll() {
  for (const element of document.querySelectorAll(".huge, .player .name")) fit(element);
}

function showFace(instead) {
  write(at("face-label"), instead?.label);
  write(at("face-big"), instead?.big);
  write(at("face-text"), instead?.text);
  write(at("face-more"), instead?.more);
}

function showTurn() {
  const now = moment(game, story);
  write(at("turn-label"), now?.label ?? "On turn");
  write(at("turn-name"), now?.big ?? game.player ?? "\u2013");
  if (now?.theirs) writeBoth(at("turn-text"), "", now.text, game.language);
  else write(at("turn-text"), now?.text ?? (game.player ? toDo(game) : ""));
  showRolls(now === null);
}

function showRolls(shown) {
  const facts = game.facts;
  const place = at("rolls");
  place.hidden = !shown || facts.rolls_used === undefined || facts.rolls_used === null || (facts.rolling_for_lead ?? []).length > 0;
  if (place.hidden) return;
  const said = `${facts.rolls_used} of ${many(game.most_rolls, "roll")} used`;
  const cap = facts.cap === null ? "the lead sets the cap" : `cap ${facts.cap}`;
  const key = `${said} ${cap}`;
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  const marks = made("span", "marks");
  marks.setAttribute("aria-hidden", "true");
  for (let roll = 1; roll <= game.most_rolls; roll += 1) marks.append(made("i", roll <= facts.rolls_used ? "used" : ""));
  place.replaceChildren(marks, made("span", "", said), made("span", "cap", cap));
}

function showLast() {
  const last = story.last;
  const faces = last?.faces ?? [];
  const mexico = faces.length === 2 && faces.includes(2) && faces.includes(1);
  write(at("last-score"), faces.length === 0 ? "\u2013" : [...faces].sort((one, two) => two - one).join(""));
  lay(at("last-dice"), [...faces].sort((one, two) => two - one));
  write(at("last-text"), faces.length === 0 ? "nothing yet" : mexico && game.facts.units ? `Mexico, by ${last.player}` : `by ${last.player}`);
}

function showClaim() {
  const claim = game.claim;
  const shown = shownDice();
  write(at("claim-label"), claim ? "Claimed, and to beat" : shown.length ? "Shown" : "To beat");
  write(at("claim-large"), timed(claim?.large));
  lay(at("claim-dice"), shown.length === 1 ? shown[0][1] : []);
  const told = shown.map(([who, faces]) => `${who} shows ${faces.join(" ")}`).join(", ");
  at("claim-large").lang = game.language;
  if (claim) showClaimed(claim);
  else write(at("claim-text"), told || "nothing is claimed yet");
  const more = claim && told ? [told] : [];
  if (game.callers.length) more.push(`${row(game.callers, "or")} may call it`);
  if (game.facts.dice_in_play) more.push(`${many(game.facts.dice_in_play, "die", "dice")} in play`);
  if (game.facts.count !== null && game.facts.count !== undefined) more.push(`counted: ${game.facts.count}`);
  if (game.dice === 0 && (game.facts.rerolls_left ?? null) !== null) more.push(`${many(game.facts.rerolls_left, "re-roll")} left`);
  if (game.facts.direction === "counterclockwise") more.push("play goes counterclockwise");
  write(at("claim-more"), more.join(" \u00b7 "));
}

function showClaimed(claim) {
  const by = claim.by ?? story.claimed;
  writeBoth(at("claim-text"), by ? `${by} says ` : "", timed(claim.words), game.language);
}

function shownDice() {
  const visible = game.facts.visible;
  if (!visible) return [];
  if (!Array.isArray(visible)) return Object.entries(visible);
  const who = (game.facts.revealed ?? []).join(" ") || "the table";
  return visible.length ? [[who, visible]] : [];
}

function showPot() {
  const facts = game.facts;
  write(at("pot-units"), facts.pot ?? "");
  const worth = facts.pot_money !== undefined && facts.pot_money !== facts.pot ? `worth ${facts.pot_money}` : "";
  const stake = facts.stake === null || facts.stake === undefined ? "" : `stake ${facts.stake}`;
  write(at("pot-text"), [stake, worth].filter(Boolean).join(" \u00b7 "));
}

// --- the players ---

function showPlayers() {
  const cards = Object.entries(game.seats).map(([seat, name]) => player(Number(seat), name));
  at("players").replaceChildren(...cards);
}

function player(seat, name) {
  const facts = game.facts;
  const card = made("li", "player");
  const chips = made("span", "chips");
  const add = (word, kind = "") => chips.append(made("span", `chip ${kind}`, word));
  const out = (facts.out ?? []).includes(name);
  const left = (facts.left ?? []).includes(name);
  const on = game.player === name && ["playing", "paused", "disputed"].includes(game.phase);
  card.classList.toggle("on", on);
  card.classList.toggle("gone", out || left);
  if (facts.winner === name) add("wins", "good");
  if (on) add("on turn", "on");
  if (left) add("left");
  else if (out) add("out");
  if (facts.lead === name && game.phase !== "over") add("lead");
  if (facts.scores && lowest(facts.scores).includes(name)) add("lowest", "bad");
  if (game.callers.includes(name)) add("may call");
  card.append(made("b", "name", name), chips);
  if (game.phase === "sitting") {
    card.append(made("span", "number", String(seat)), made("span", "counts", "seat"));
    return card;
  }
  const has = holding(game, name);
  const number = made("span", "number");
  const value = made("span", "", has.number === "" ? "\u2013" : String(has.number));
  if (has.number === "") value.setAttribute("aria-hidden", "true");
  number.append(value);
  if (facts.scores) number.prepend(made("span", "out-of-sight", has.number === "" ? "no score yet" : "this round "));
  card.append(number, made("span", "counts", has.counts), made("span", "has", has.more.join(", ")));
  return card;
}

// --- what stands beside ---

function showChance(shown) {
  const told = shown ? chances(game.chance) : null;
  at("chance").parentElement.hidden = told === null;
  if (told === null) return;
  write(at("chance-label"), told.of);
  at("chance").replaceChildren(...told.rows.map(([what, per, exact]) => {
    const entry = made("div");
    const value = made("dd");
    value.append(made("strong", "", per), made("span", "exact", `exactly ${exact}`));
    entry.append(made("dt", "", what), value);
    return entry;
  }));
}

function showRounds() {
  const told = [...(story.rounds ?? [])].reverse();
  at("rounds").parentElement.hidden = told.length === 0;
  at("rounds").replaceChildren(...told.map((round) => {
    const item = made("li");
    const more = Object.entries(round.round_scores ?? {}).map(([name, score]) => `${name}\u00a0${score}`);
    if (round.pot !== undefined) more.push(`pot\u00a0${round.pot}`);
    if (round.claim) more.push(`claimed: ${round.claim}`);
    if (round.count !== undefined) more.push(`counted: ${round.count}`);
    item.append(made("span", "number", String(round.round)), made("b", "", roundSaid(round)), made("span", "more", more.join(", ")));
    return item;
  }));
}

function showStory() {
  const told = [...(story.lines ?? [])].reverse().map(line);
  at("story").parentElement.hidden = told.length === 0;
  at("story").replaceChildren(...told.map((part) => {
    const item = made("li");
    const what = made("span");
    what.append(made("b", "", part.said), made("span", "more", part.then ? ` ${part.then}` : ""));
    item.append(made("span", "number", part.number), what);
    return item;
  }));
}

function showPicture() {
  if (game.blind) reading = {};
  const gone = !reading.picture || game.phase === "sitting";
  at("roll").hidden = gone;
  if (gone) {
    at("picture").removeAttribute("src");
    return;
  }
  const source = `/roll.jpg?${reading.picture}`;
  if (at("picture").getAttribute("src") !== source) at("picture").src = source;
  const said = reading.faces ? `read as ${reading.faces.join(" ")}` : "not counted";
  at("picture").alt = `The last roll from above, ${said}`;
  if (reading.faces) write(at("caption"), `The camera read ${reading.faces.join(" ")}`);
  else writeBoth(at("caption"), "Not counted: ", game.refused ?? reading.fault, game.refused ? game.language : "en");
  nearer();
}

/** Let the picture show the dice, what was not clear, and what lies around them; all of it where none were seen. */
function nearer() {
  const [wide, high] = reading.size;
  const corners = [...(reading.dice ?? []).flatMap((die) => die.corners), ...(reading.unclear ?? [])];
  at("lens").style.aspectRatio = `${wide} / ${high}`;
  const reach = (values, size) => [Math.min(...values) / size, Math.max(...values) / size];
  const [left, right] = reach(corners.map(([x]) => x), wide);
  const [top, bottom] = reach(corners.map(([, y]) => y), high);
  const part = corners.length === 0 ? 1 : Math.min(1, Math.max(NEAREST, AROUND + right - left, AROUND + bottom - top));
  const place = (one, other) => (part === 1 ? 0 : Math.min(1, Math.max(0, ((one + other) / 2 - part / 2) / (1 - part))));
  at("picture").style.transformOrigin = `${place(left, right) * 100}% ${place(top, bottom) * 100}%`;
  at("picture").style.transform = `scale(${1 / part})`;
}

// --- for those who listen, and the line to the table ---

function speak(instead) {
  const now = moment(game, story);
  const what = instead ?? now ?? { big: game.player ?? "", text: toDo(game) };
  const over = game.claim && !instead && !what.theirs;
  const theirs = over ? timed(game.claim.words) : what.theirs ? what.text : "";
  const words = [what.label, `${what.big} ${what.theirs ? "" : what.text}`].filter(Boolean).join(": ") + (over ? ", over " : "");
  const said = words + theirs;
  if (said === spoken) return;
  spoken = said;
  writeBoth(at("live"), words, theirs, game.language);
}

function connected(yes) {
  if (yes) lostAt = null;
  else lostAt ??= new Date();
  document.body.classList.toggle("stale", !yes);
  at("lost").hidden = yes;
  const since = lostAt?.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  const shown = game === null ? "" : ` What is shown is from ${since}.`;
  if (!yes) write(at("lost"), `No connection to the table.${shown} This page goes on by itself.`);
}

// --- full screen ---

function fullScreen() {
  const button = at("full");
  button.hidden = !document.fullscreenEnabled;
  const toggle = () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());
  button.addEventListener("click", () => toggle().catch(() => {}));
  document.addEventListener("fullscreenchange", () => {
    const on = document.fullscreenElement !== null;
    button.setAttribute("aria-pressed", String(on));
    write(button, on ? "Leave full screen" : "Full screen");
  });
}

at("picture").addEventListener("error", () => { at("roll").hidden = true; });
fullScreen();
window.addEventListener("resize", fitAll);
fitAll();
follow(
  {
    game: (now) => { game = now; show(); },
    story: (now) => { story = now; show(); },
    reading: (now) => { if (now.picture || now.gone || game?.blind) reading = now; show(); }, // picked up: it was the last all the same
  },
  connected,
);
