// The settings: a form made of what the table says may be set. The table checks all of it before it saves anything.

import { at, write, made, TITLES } from "/static/news.js";
import { ask, order, told, sentence } from "/static/panel_ask.js";

const SECTIONS = { table: "The table", game: "The game", camera: "Camera", tray: "Tray and dice", sound: "Sound and caller", timing: "Timing", virtual: "Virtual table", page: "This page", journal: "Journal" };
let form = null;
let seated = false;
let saving = false;

export async function open() {
  if (!form) return load();
  const said = await ask("/panel/settings"); // the program may have begun anew meanwhile; what was typed stays
  if (!said.error) at("waits").hidden = !said.waits;
}
export function close() {}

/** Hear what the table shows. */
export function game(shown) {
  seated = !["sitting", "over"].includes(shown.phase);
  at("restart").disabled = seated;
}

async function load() {
  const said = await ask("/panel/settings");
  if (said.error) return told(sentence(said.error), true);
  form = said;
  write(at("when"), `Saved in ${said.file}. What is saved takes effect when the program begins the next time; a game that goes on keeps the house rules it began with.`);
  at("waits").hidden = !said.waits;
  build();
}

function build() {
  const sections = new Map();
  for (const field of form.fields) {
    const name = field.key.split(".")[0];
    if (!sections.has(name)) sections.set(name, group(SECTIONS[name] ?? name));
    sections.get(name).append(asked(field));
  }
  const rules = group("House rules");
  rules.id = "rules";
  sections.get("game")?.after(rules);
  const save = made("div", "save");
  const button = made("button", "main", "Check and save");
  const back = made("button", "", "Discard");
  back.type = "button";
  back.addEventListener("click", () => { told(""); form = null; load(); });
  save.append(button, back);
  at("form").replaceChildren(...sections.values(), save);
  sections.get("game")?.after(rules);
  control("game.name").addEventListener("change", () => ruled(standing()));
  ruled(standing());
}

function group(title) {
  const set = made("fieldset");
  set.append(made("legend", "", title));
  return set;
}

const idOf = (key) => `s-${key.replaceAll(".", "-")}`;
const control = (key) => at(idOf(key));
const valueOf = (key) => form.fields.find((field) => field.key === key).value;

function asked(field) {
  const box = made("div", field.kind === "list" ? "field wide" : "field");
  box.dataset.key = field.key;
  const id = idOf(field.key);
  const label = labelled(field.label, field.key);
  label.htmlFor = field.kind === "list" ? `${id}-0` : id;
  const usual = field.kind === "list" ? field.usual.join(" ") : String(field.usual);
  const allowed = made("p", "allowed", field.kind === "switch" ? `comes ${field.usual ? "on" : "off"}` : `${field.allowed}; comes as ${usual || "nothing"}`);
  allowed.id = `${id}-allowed`;
  const wrong = made("p", "wrong");
  wrong.id = `${id}-wrong`;
  const given = field.kind === "list" ? list(field, id) : one(field, id);
  for (const input of [given, ...given.querySelectorAll("input")]) input.setAttribute("aria-describedby", `${allowed.id} ${wrong.id}`);
  given.addEventListener("input", () => mark(box, field));
  box.append(label, given, allowed, wrong);
  return box;
}

/** Return what is asked for in words, and small beside it the key under which it stands in the file. */
function labelled(words, key) {
  const label = made("label", "", `${words} `);
  label.append(made("code", "setting-key", key));
  return label;
}

function one(field, id) {
  let input;
  if (field.kind === "choice" || field.kind === "switch") {
    const choices = field.kind === "switch" ? ["true", "false"] : field.choices;
    input = chooser(choices.map((choice) => [choice, field.kind === "switch" ? { true: "on", false: "off" }[choice] : TITLES[choice] ?? choice]));
    input.value = String(field.value);
  } else {
    input = made("input");
    input.value = String(field.value);
    input.inputMode = field.kind === "text" ? "text" : field.kind === "whole" ? "numeric" : "decimal";
    input.autocomplete = "off";
  }
  input.id = id;
  return input;
}

function list(field, id) {
  const names = made("div", "names");
  field.value.forEach((value, place) => {
    const input = made("input");
    input.id = `${id}-${place}`;
    input.value = value;
    input.setAttribute("aria-label", `${field.label}, ${place + 1}`);
    names.append(input);
  });
  return names;
}

function chooser(pairs) {
  const select = made("select");
  for (const [value, text] of pairs) {
    const option = made("option", "", text);
    option.value = value;
    select.append(option);
  }
  return select;
}

/** Return what was answered, in the type that the table wants; what is no number goes as it is, and is refused there. */
function answer(field) {
  const id = idOf(field.key);
  if (field.kind === "list") return field.value.map((_, place) => at(`${id}-${place}`).value);
  const text = at(id).value;
  if (field.kind === "switch") return text === "true";
  if (field.kind === "whole" || field.kind === "number") return number(text);
  return text;
}

function number(text) {
  const value = Number(text.trim().replace(",", "."));
  return text.trim() !== "" && Number.isFinite(value) ? value : text;
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const mark = (box, field) => box.classList.toggle("other", !same(answer(field), field.value));

// --- house rules ---

/** Return the house rules that the file has for the game that is chosen: they are of one game only. */
const standing = () => (control("game.name").value === valueOf("game.name") ? form.house_rules : {});

function ruled(chosen) {
  const name = control("game.name").value;
  const rules = form.games[name];
  at("rules").replaceChildren(made("legend", "", `House rules of ${TITLES[name] ?? name}`), ...rules.map((rule) => {
    const box = made("div", "field");
    box.dataset.key = `game.house_rules ${rule.name}`;
    const id = `r-${rule.name.replaceAll(".", "-")}`;
    const label = labelled(rule.explains, rule.name);
    label.htmlFor = id;
    const allowed = made("p", "allowed", rule.allowed.replaceAll("_", " "));
    allowed.id = `${id}-allowed`;
    const values = rule.values.map(String);
    const now = rule.name in chosen ? String(chosen[rule.name]) : "";
    if (now && !values.includes(now)) values.push(now);
    const text = (value) => ({ true: "yes", false: "no" })[value] ?? value.replaceAll("_", " ");
    const input = chooser([["", `as it comes (${text(String(rule.usual))}, or as the preset has it)`], ...values.map((value) => [value, text(value)])]);
    input.id = id;
    input.value = now;
    input.setAttribute("aria-describedby", allowed.id);
    box.append(label, input, allowed);
    if (rule.least !== null) {
      const free = made("input");
      free.id = `${id}-other`;
      free.inputMode = "numeric";
      free.placeholder = `another: ${rule.least} to ${rule.most}`;
      free.setAttribute("aria-label", `${rule.explains}, another number`);
      box.append(free);
    }
    box.append(made("p", "wrong"));
    return box;
  }));
}

function chosenRules() {
  const chosen = {};
  for (const rule of form.games[control("game.name").value]) {
    const id = `r-${rule.name.replaceAll(".", "-")}`;
    const free = at(`${id}-other`)?.value.trim() ?? "";
    const text = free || at(id).value;
    if (text === "") continue;
    const typed = rule.values.find((value) => String(value) === text);
    chosen[rule.name] = typed !== undefined ? typed : rule.least !== null ? number(text) : text;
  }
  return chosen;
}

/** Return the house rules that are other here than in the file, each with its value; undefined is as it comes. */
function typedRules() {
  const chosen = chosenRules(), before = standing();
  return Object.keys({ ...before, ...chosen }).filter((rule) => !same(chosen[rule], before[rule])).map((rule) => [rule, chosen[rule]]);
}

// --- saving ---

async function save() {
  for (const box of document.querySelectorAll("#form .field")) {
    box.querySelector(".wrong").textContent = "";
    box.querySelectorAll("[aria-invalid]").forEach((input) => input.removeAttribute("aria-invalid"));
  }
  const answers = Object.fromEntries(form.fields.map((field) => [field.key, answer(field), field]).filter(([, value], place) => !same(value, form.fields[place].value)));
  const rules = chosenRules();
  const said = await ask("/panel/settings/save", { version: form.version, answers, house_rules: same(sorted(rules), sorted(form.house_rules)) ? null : rules });
  if (said.status === 409) return meanwhile(said.error);
  if (said.error) {
    told(said.problems?.length ? "Nothing was saved: see what is marked." : sentence(said.error), true);
    (said.problems ?? []).forEach(point);
    document.querySelector("#form [aria-invalid]")?.focus();
    return;
  }
  await load();
  told(said.changed.length ? `Saved: ${said.changed.join(", ")}. It takes effect when the program begins the next time.` : "Nothing was other than before.");
}

const sorted = (rules) => Object.entries(rules).sort();

/** Show a problem at the field that it is about. */
function point(problem) {
  const boxes = [...document.querySelectorAll("#form .field")];
  const found = boxes.find((box) => problem.startsWith(`${box.dataset.key} `) || problem.startsWith(`${box.dataset.key}:`))
    ?? boxes.find((box) => box.dataset.key.startsWith("game.house_rules ") && problem.includes(` ${box.dataset.key.slice(17)} `));
  if (!found) return told(`Nothing was saved: ${problem}`, true);
  found.querySelector(".wrong").textContent = `${problem}.`;
  found.querySelectorAll("input, select").forEach((input) => input.setAttribute("aria-invalid", "true"));
}

/** Somebody else has saved: say what is other now, and keep what was typed here. */
async function meanwhile(why) {
  const newer = await ask("/panel/settings");
  if (newer.error) return told(sentence(newer.error), true);
  const others = newer.fields.filter((field) => !same(field.value, valueOf(field.key)));
  const rules = same(sorted(newer.house_rules), sorted(form.house_rules)) ? [] : ["the house rules"];
  const list = [...others.map((field) => `${field.key} is ${JSON.stringify(field.value)} now`), ...rules].join("; ");
  const typed = typedRules();
  // What was not touched here becomes what the other has saved; what was typed stays.
  for (const field of others) {
    const mine = form.fields.find((old) => old.key === field.key);
    const touched = !same(answer(mine), mine.value) || (field.key === "game.name" && typed.length > 0);
    mine.value = field.value;
    if (!touched) fill(field);
  }
  form.house_rules = newer.house_rules;
  const chosen = { ...standing(), ...Object.fromEntries(typed) };
  ruled(Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined)));
  form.version = newer.version;
  told(`${sentence(why)} Other now: ${list || "nothing that is asked here"}.`, true);
}

function fill(field) {
  const id = idOf(field.key);
  if (field.kind === "list") field.value.forEach((value, place) => { at(`${id}-${place}`).value = value; });
  else at(id).value = String(field.value);
}

at("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (saving) return;
  saving = true;
  try {
    await save();
  } finally {
    saving = false;
  }
});
at("restart").addEventListener("click", async () => {
  if (await order({ order: "restart" }, "The program begins anew; log in again in a moment.")) form = null;
});
