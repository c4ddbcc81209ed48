// Calibrating from a phone: one step after the other, as the table asks for them.

import { at, write, made } from "/static/news.js";
import { ask, told, sentence } from "/static/panel_ask.js";

const SVG = "http://www.w3.org/2000/svg";
const PLACES = ["top left", "top right", "bottom right", "bottom left"];
const EMPTY_TRAY = [["look", "The tray is empty: look", true]];
const RIGHT = [["yes", "Yes", true], ["no", "No"]];
const BUTTONS = {
  empty: EMPTY_TRAY,
  floor: RIGHT,
  dice: [["thrown", "Thrown: read it", true], ["enough", "These are enough"], ["skip", "Do not learn the dice"]],
  dice_asked: RIGHT,
  kinds: RIGHT,
  proof: [["thrown", "Thrown: read it", true], ["skip", "Skip the proof"]],
  proof_asked: RIGHT,
  ready: [["save", "Save", true]],
};
const LEARN_THROWS = 3;

let now = {};
let phase = "";
let shown = -1;
let busy = false;
let isOpen = false;
let sitting = "";
let asked = 0; // an answer that was overtaken by a later question says nothing any more

export async function open() {
  isOpen = true;
  await refresh();
}
export function close() { isOpen = false; }

/** Hear what the table shows. */
export function game(view) {
  const state = `${view.phase} ${view.calibrating}`;
  phase = view.phase;
  sitting = Object.keys(view.seats).length;
  if (state === `${now.state}` && !now.on) return draw();
  now.state = state;
  if (isOpen && !busy && view.calibrating !== Boolean(now.on)) refresh();
  else draw();
}

async function refresh() {
  const number = ++asked;
  const said = await ask("/panel/calibrate");
  if (said.error || number !== asked) return;
  if (now.mine && !said.mine) told("The calibration has ended with nothing saved: STOP was pressed at the table, or nothing was done for five minutes.", true);
  now = { ...said, state: now.state };
  draw();
}

async function go(step, corners = null) {
  if (busy) return;
  busy = true;
  asked++;
  told("");
  draw();
  const said = await ask("/panel/calibrate", corners ? { do: step, corners } : { do: step });
  busy = false;
  if (said.error) {
    told(sentence(said.error), true);
    await refresh();
    return;
  }
  if (said.stage !== now.stage) clear();
  now = { ...said, state: now.state };
  if (said.ended) told(said.ended, /^Ended: a throw/.test(said.ended));
  draw();
  if (said.mine) at("calibrate").scrollIntoView({ block: "start" });
}

function draw() {
  const mine = Boolean(now.mine);
  at("c-begins").hidden = mine;
  at("c-steps").hidden = !mine;
  const free = phase === "sitting" && !sitting && !now.on;
  at("c-begin").disabled = busy || !now.possible || !free;
  write(at("c-about"), now.on && !mine
    ? "Somebody else calibrates at this moment. STOP at the table ends that."
    : "Camera, tray, light and dice are measured anew, only while nobody plays or sits there. Nothing is saved before the end; "
      + "the table shows that it is being calibrated, and STOP at the table ends it.");
  if (!mine) return;
  const lines = busy ? ["Looking; hold still…"] : now.said;
  if (at("c-said").innerText !== lines.join("\n")) at("c-said").replaceChildren(...lines.map((line) => made("li", "", line)));
  if (now.picture !== shown) {
    shown = now.picture;
    if (shown) at("c-img").src = `/panel/calibrate.jpg?${shown}-${Date.now()}`;
  }
  at("c-picture").hidden = !now.picture;
  at("c-corners").hidden = now.stage !== "empty" || !now.picture;
  at("c-picture").classList.toggle("tapped", now.stage === "empty");
  buttons();
  taps();
}

function buttons() {
  const wanted = (BUTTONS[now.stage] ?? []).filter(([step]) => step !== "enough" || now.learned >= LEARN_THROWS);
  const key = `${wanted.map(([step]) => step)} ${busy}`;
  if (at("c-buttons").dataset.key === key) return;
  at("c-buttons").dataset.key = key;
  at("c-end").disabled = busy;
  at("c-buttons").replaceChildren(...wanted.map(([step, text, main]) => {
    const button = made("button", main ? "main" : "", text);
    button.type = "button";
    button.disabled = busy;
    button.addEventListener("click", () => (step === "look" ? look() : go(step)));
    return button;
  }));
}

// --- corners ---

const fields = PLACES.map((place) => ["x", "y"].map((axis) => {
  const input = made("input");
  input.inputMode = "decimal";
  input.autocomplete = "off";
  input.setAttribute("aria-label", `${place}, ${axis}`);
  input.addEventListener("input", taps);
  return input;
}));
at("c-fields").append(...fields.map((pair, place) => {
  const row = made("div", "corner");
  row.append(made("span", "", PLACES[place]), ...pair);
  return row;
}));

const number = (input) => (input.value.trim() === "" ? NaN : Number(input.value.replace(",", ".")));
const points = () => fields.map((pair) => pair.map(number));

function clear() {
  for (const input of fields.flat()) input.value = "";
  taps();
}

function look() {
  const filled = fields.flat().filter((input) => input.value.trim() !== "").length;
  if (!filled || at("c-corners").hidden) return go("look");
  const corners = points();
  if (corners.flat().some((value) => !Number.isFinite(value) || value < 0)) {
    return told("All four corners are wanted, in pixels of the picture; or none of them.", true);
  }
  return go("look", corners);
}

function taps() {
  const svg = at("c-taps");
  svg.replaceChildren();
  if (!now.size || now.stage !== "empty") return;
  svg.setAttribute("viewBox", `0 0 ${now.size.join(" ")}`);
  const set = points().filter((point) => point.every(Number.isFinite));
  if (set.length > 1) {
    const shape = document.createElementNS(SVG, set.length === 4 ? "polygon" : "polyline");
    shape.setAttribute("points", set.map((point) => point.join(",")).join(" "));
    shape.setAttribute("class", "floor");
    svg.append(shape);
  }
  for (const [x, y] of set) {
    const mark = document.createElementNS(SVG, "circle");
    mark.setAttribute("cx", x);
    mark.setAttribute("cy", y);
    mark.setAttribute("r", now.size[0] / 60);
    svg.append(mark);
  }
}

at("c-picture").addEventListener("click", (event) => {
  if (now.stage !== "empty" || !now.size || busy) return;
  const box = at("c-img").getBoundingClientRect();
  const place = points().findIndex((point) => !point.every(Number.isFinite));
  if (place < 0) return told("Four corners are set. To set them anew: None of these.", true);
  fields[place][0].value = Math.round(((event.clientX - box.left) / box.width) * now.size[0]);
  fields[place][1].value = Math.round(((event.clientY - box.top) / box.height) * now.size[1]);
  told("");
  taps();
});

at("c-begin").addEventListener("click", () => { clear(); shown = -1; go("begin"); });
at("c-end").addEventListener("click", () => go("end"));
at("c-clear").addEventListener("click", clear);
