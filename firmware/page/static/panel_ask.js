// What the panel asks of the table. Whatever changes something shows the token that only this page knows.

import { at, write } from "/static/news.js";

let csrf = "";

/** Return whether a PIN is set and we are logged in; null where the table does not answer. */
export async function knock() {
  try {
    const answer = await fetch("/panel/session");
    const session = await answer.json();
    if (!answer.ok) {
      write(at("wrong"), session.error);
      return { pin_set: true };
    }
    csrf = session.csrf ?? "";
    return session;
  } catch {
    return null;
  }
}

/** Return the answer, { error } where there is none; with data it is a change. */
export async function ask(address, data) {
  const request = { headers: {} };
  if (data !== undefined) {
    request.method = "POST";
    request.headers = { "content-type": "application/json", "x-mexico-csrf": csrf };
    request.body = JSON.stringify(data);
  }
  let answer;
  try {
    answer = await fetch(address, request);
  } catch {
    return { error: "The table does not answer.", status: 0 };
  }
  const said = await answer.json().catch(() => ({ error: `The table answered ${answer.status}.` }));
  if (answer.ok) return said;
  if (answer.status === 401) dispatchEvent(new Event("panel-ended"));
  return { error: "The table refused.", ...said, status: answer.status };
}

/** Log in; return why not, null when it is done. */
export async function enter(pin) {
  const said = await ask("/panel/login", { pin });
  if (said.error) return sentence(said.error);
  csrf = said.csrf;
  return null;
}

/** Log out. */
export async function leave() {
  await ask("/panel/logout", {});
  csrf = "";
}

/** Give an order, say what became of it, and return whether it was done. */
export async function order(wanted, done) {
  const said = await ask("/panel/order", wanted);
  told(said.error ? sentence(said.error) : done, Boolean(said.error));
  return !said.error;
}

/** Say something to who looks at the panel. */
export function told(text, bad = false) {
  at("told").classList.toggle("bad", bad);
  write(at("told"), text);
}

/** Return a sentence made of what the table said. */
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
