// What the table shows, as it comes: one handler for each kind of message, each told the newest of its kind.

/**
 * Follow the table.
 *
 * @param {Object<string, (data: object) => void>} handlers by kind: devices, game, guests, reading, story
 * @param {(connected: boolean) => void} told whether the table can be heard
 * @returns {() => void} ends it
 */
export function follow(handlers, told = () => {}) {
  const source = new EventSource("/news");
  source.onopen = () => told(true);
  source.onerror = () => told(false); // the browser tries again by itself, and says what it has seen last
  for (const [kind, handler] of Object.entries(handlers)) {
    source.addEventListener(kind, (event) => handler(JSON.parse(event.data)));
  }
  return () => source.close();
}

/** Return the element with this id. */
export const at = (id) => document.getElementById(id);

/** Set the text of an element, and touch the page only where that is another one: a screen reader speaks up at each change. */
export function write(element, text) {
  const said = text === null || text === undefined ? "" : String(text);
  if (element.textContent !== said) element.textContent = said;
}

/** Return a new element with a class and a text. */
export function made(tag, name = "", text = "") {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text) element.textContent = text;
  return element;
}

/** The games by their names. */
export const TITLES = {
  mexico: "Mexico",
  mexican_changsha: "Mexican (Changsha)",
  mexican_wisconsin: "Mexican (Wisconsin)",
  liars_common: "Liar's dice, common hand",
  liars_individual: "Liar's dice, individual hand",
  liars_stanford: "Liar's dice, Stanford",
};
