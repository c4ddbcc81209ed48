// What the doctor finds while the table runs.

import { at, made } from "/static/news.js";
import { ask, sentence, told } from "/static/panel_ask.js";

const STATES = { ok: "well", failed: "see to it", absent: "not there", skipped: "not looked at" };
let timer = 0;

export function open() { look(); }
export function close() { clearTimeout(timer); timer = 0; }

async function look() {
  const mine = (timer = setTimeout(look, 5000));
  const said = await ask("/panel/findings");
  if (timer !== mine) return;
  told(said.error ? `${sentence(said.error)} What stands here was found before.` : "", Boolean(said.error));
  if (said.error) return;
  const off = (check) => check.state === "skipped" && check.do.startsWith("stop the table");
  at("checks").replaceChildren(...said.checks.filter((check) => !off(check)).map(line));
  at("off").replaceChildren(...said.checks.filter(off).map((check) => line({ ...check, do: "" })));
}

function line(check) {
  const item = made("li", check.state);
  const found = made("span");
  found.append(made("span", "is", STATES[check.state]), `: ${check.found}`);
  item.append(made("b", "", check.name), found);
  if (check.do && check.state !== "ok") item.append(made("span", "do", check.do));
  return item;
}
