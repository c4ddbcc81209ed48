// What an evening came to, seat by seat, and whether its dice are fair.

import { at, write, made, TITLES } from "/static/news.js";
import { ask, told, sentence } from "/static/panel_ask.js";
import { tell } from "/static/panel_game.js";

const GENERAL = [["games", "games"], ["won", "games_won"], ["rounds", "rounds"], ["lost", "rounds_lost"], ["safe running", "longest_safe"], ["lost running", "longest_lost"]];
const MEXICO = [["rolls", "rolls"], ["a turn", "rolls_per_turn"], ["21", "mexicos"], ["paid", "units_paid"], ["won", "units_won"], ["bought", "units_bought"], ["turn takes", "median_turn_s"], ["bad rolls", "bad_rolls"]];
const CUP = [["claims", "claims"], ["calls", "calls"], ["right", "calls_won"], ["rounds won", "rounds_won"], ["marks", "marks"], ["glasses", "finishes"], ["balance", "balance"]];
let isOpen = false;
let newest = 0;
let due = 0;

export async function open() {
  isOpen = true;
  const said = await ask("/panel/evenings");
  if (said.error) return told(sentence(said.error), true);
  newest = said.evenings[0]?.evening ?? 0;
  at("evenings").replaceChildren(...said.evenings.map((evening) => {
    const option = made("option", "", `${day(evening.begun)}, ${evening.games.length} ${evening.games.length === 1 ? "game" : "games"}${evening.kind === "virtual" ? ", virtual" : ""}`);
    option.value = evening.evening;
    return option;
  }));
  if (newest) show(newest);
  else {
    write(at("advice"), "No game was played yet.");
    at("evening-facts").replaceChildren();
    at("evening-seats").replaceChildren();
    at("dice").replaceChildren();
  }
}
export function close() {
  isOpen = false;
  clearTimeout(due);
  due = 0;
}

/** Hear of an event that is stored: the evening that goes on has grown. */
export function story() {
  if (!isOpen || due || Number(at("evenings").value || newest) !== newest) return;
  due = setTimeout(() => {
    due = 0;
    if (newest) show(newest);
    else open();
  }, 3000);
}

async function show(number) {
  const said = await ask(`/panel/evenings/${number}`);
  if (!isOpen || Number(at("evenings").value) !== number) return;
  if (said.error) return told(sentence(said.error), true);
  const faults = Object.entries(said.bad_rolls).map(([fault, times]) => `${fault} ${times}`).join(", ");
  tell(at("evening-facts"), [
    ["Games", Object.entries(said.by_game).map(([name, times]) => `${TITLES[name] ?? name} ${times}`).join(", ")],
    ["Played to the end", said.over], ["Rounds", said.rounds], ["Rolls", said.rolls || null],
    ["Of them 21", said.rolls ? `${said.mexicos}, fair are ${(said.rolls / 18).toFixed(1)}` : null],
    ["Units paid", said.rolls ? said.units_paid : null], ["Thrown badly, in its games", faults],
    ["Over soonest", said.fastest ? `game ${said.fastest.game}, ${long(said.fastest.value)}` : null],
    ["Largest pot", said.largest_pot ? `${said.largest_pot.value}, game ${said.largest_pot.game}` : null],
    ["Not counted", Object.keys(said.unread).length ? `game ${Object.keys(said.unread).join(", ")}` : null],
  ]);
  const tables = [table("By seat", GENERAL, said.seats)];
  if (said.seats.some((seat) => seat.rolls)) tables.push(table("Mexico", MEXICO, said.seats));
  if (said.seats.some((seat) => seat.claims || seat.calls)) tables.push(table("With a cup", CUP, said.seats));
  at("evening-seats").replaceChildren(...tables.flat());
  write(at("advice"), said.fairness.advice);
  write(at("alpha"), Math.round(1 / said.fairness.alpha));
  at("advice").classList.toggle("bad", said.fairness.alarm);
  const rows = said.fairness.throws ? said.fairness.found.map((die) => [die.name, ...die.counts, times(die.peak), times(die.needed)]) : [];
  fill(at("dice"), ["", "1", "2", "3", "4", "5", "6", "likelier", "alarm at"], rows);
}

function table(title, columns, seats) {
  const box = made("div", "wide");
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", title);
  const grid = made("table");
  fill(grid, ["", ...columns.map(([head]) => head)], seats.map((seat) => [seat.name, ...columns.map(([, name]) => cell(name, seat[name]))]));
  box.append(grid);
  return [made("h3", "", title), box];
}

function fill(grid, heads, rows) {
  const line = (values, tag) => {
    const row = made("tr");
    row.append(...values.map((value, place) => {
      const box = made(place ? tag : "th", "", String(value));
      if (tag === "th" || !place) box.scope = tag === "th" ? "col" : "row";
      return box;
    }));
    return row;
  };
  grid.replaceChildren(...(rows.length ? [line(heads, "th"), ...rows.map((row) => line(row, "td"))] : []));
}

function cell(name, value) {
  if (value === null) return "–";
  if (typeof value === "object") return Object.values(value).reduce((sum, count) => sum + count, 0);
  if (name === "median_turn_s") return `${Math.round(value)} s`;
  return Number.isInteger(value) ? value : value.toFixed(2);
}

const times = (value) => (value === null || value >= 1e6 ? "over a million" : value >= 10 ? Math.round(value) : value.toFixed(1));
const day = (moment) => new Date(moment).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
const long = (seconds) => (seconds >= 60 ? `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s` : `${Math.round(seconds)} s`);

at("evenings").addEventListener("change", () => show(Number(at("evenings").value)));
at("swapped").addEventListener("click", async () => {
  const said = await ask("/panel/dice", { swapped: true });
  told(said.error ? sentence(said.error) : "Noted: the test of the dice begins anew with the next throw.", Boolean(said.error));
  if (!said.error) open();
});
