// What the table shows, as it comes: one handler for each kind of message, each told the newest of its kind.

const SILENT_MS = 25000; // the table gives a sign of life every ten seconds
const LIFE_MS = 12000; // so long after the last one nothing that is shown is certain to be so still
const AGAIN_MS = 3000;

/**
 * Follow the table, and go on following when it was away.
 *
 * @param {Object<string, (data: object) => void>} handlers by kind: devices, game, guests, reading, story
 * @param {(connected: boolean) => void} told whether the table can be heard
 * @returns {() => void} ends it
 */
export function follow(handlers, told = () => {}) {
  let source = null;
  let watch = 0;
  let heardAt = 0;

  function open() {
    source = new EventSource("/news");
    heard();
    source.onopen = () => { heard(); told(true); };
    source.onerror = () => {
      told(false);
      // Mostly the browser tries again by itself, and says what it has seen last; a refusal it takes for good.
      if (source.readyState === EventSource.CLOSED) later(AGAIN_MS);
    };
    source.addEventListener("here", heard);
    for (const [kind, handler] of Object.entries(handlers)) {
      source.addEventListener(kind, (event) => { heard(); handler(JSON.parse(event.data)); });
    }
  }

  function later(wait) {
    clearTimeout(watch);
    watch = setTimeout(() => { told(false); source.close(); open(); }, wait);
  }

  function heard() {
    heardAt = Date.now();
    later(SILENT_MS); // a line that is cut, and not hung up, is heard of in no other way
  }

  /** Open the line anew when somebody looks again: a phone that sleeps lets no time pass, and does not hear a line end. */
  function look() {
    if (document.hidden || Date.now() - heardAt < LIFE_MS) return;
    told(false);
    source.close();
    open();
  }

  open();
  document.addEventListener("visibilitychange", look);
  addEventListener("pageshow", look);
  return () => {
    clearTimeout(watch);
    source.close();
    document.removeEventListener("visibilitychange", look);
    removeEventListener("pageshow", look);
  };
}

/** Return the element with this id. */
export const at = (id) => document.getElementById(id);

/** Set the text of an element, and touch the page only where that is another one: a screen reader speaks up at each change. */
export function write(element, text) {
  const said = text === null || text === undefined ? "" : String(text);
  if (element.textContent !== said) element.textContent = said;
}

/** Set the text of an element: words of the page, and then words of the display, which are in the house's language. */
export function writeBoth(element, words, theirs, language) {
  if (element.textContent === words + theirs) return;
  const part = made("span", "", theirs);
  part.lang = language;
  element.replaceChildren(words, part);
}

/** Return whether a picture shows the camera's film, or may still do so; one that has ended left a single pixel. */
export const filmed = (image) => !image.complete || image.naturalWidth > 1;

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
