// Hands at the virtual table: a finger stays on a button for as long as it is there, and every command is sent in turn.

const HERE_MS = 8000;
const AGAIN_MS = 1000; // so soon the table is told once more which buttons are held, when an end was lost on its way
const KEYS = { s: "stop", S: "stop", Enter: "confirm" };
const TURNS = { ArrowRight: 1, ArrowUp: 1, "+": 1, ArrowLeft: -1, ArrowDown: -1, "-": -1 };
const STAY = "mexico-guest";

export class Hands {
  /**
   * @param {(words: string) => void} wrong told why a command was not carried out
   * @param {() => void} seated told when the seat of this browser may be another
   */
  constructor(wrong, seated) {
    this.seat = null;
    this.wrong = wrong;
    this.seated = seated;
    this.guest = null;
    this.run = null; // of the program: after another one began nobody is known, and no seat is played
    this.turned = 0;
    this.robots = []; // the seats that the computer plays, as this browser has seen it last
    this.away = false;
    this.queue = Promise.resolve();
    this.down = new Set(); // the keys that are held down from here
    this.fingers = new Map(); // by the button or the key of a keyboard that a finger is on: what takes it off
    const away = () => { for (const where of [...this.fingers.keys()]) this.#lift(where); };
    addEventListener("blur", away); // where a finger comes off after that, another window is told
    document.addEventListener("visibilitychange", () => document.hidden && away());
  }

  /** Come to the table; a table that was started anew knows nobody. */
  come() {
    this.queue = this.queue.then(async () => {
      const kept = JSON.parse(sessionStorage.getItem(STAY) ?? "null");
      this.guest = kept?.guest ?? null;
      this.seat = kept?.seat ?? null;
      this.run = kept?.run ?? null;
      await this.#here();
      this.#keep();
      this.away = false;
    });
    clearInterval(this.hereTimer);
    this.hereTimer = setInterval(() => this.#stay(), HERE_MS);
    return this.queue;
  }

  #stay() {
    this.queue = this.queue.then(() => this.#here());
  }

  /** Say that this browser is still here, and which buttons it holds; a table that has forgotten it admits it anew. */
  async #here() {
    if (this.guest !== null) await this.#post("here", { down: [...this.down] }, true);
    if (this.guest === null) await this.#comeAnew();
  }

  /** Come to a table that knows this browser no more: take the seat that was one's own, and if the table knows nobody
   * because it was started anew, let the computer play as before. */
  async #comeAnew() {
    const said = await this.#post("come", {}, true);
    if (said === null) return;
    this.guest = said.guest;
    if (this.seat !== null && !(await this.#post("sit", { seat: this.seat }, true))) this.seat = null;
    if (said.run !== this.run) for (const seat of this.robots) await this.#post("robot", { seat, on: true }, true);
    this.run = said.run;
    this.#keep();
  }

  /** Send a command after those before it. */
  ask(name, command) {
    const answer = this.queue.then(() => this.#post(name, command));
    this.queue = answer.catch(() => null);
    return answer;
  }

  async sit(seat) {
    if (await this.ask("sit", { seat })) {
      this.seat = seat;
      this.#keep();
    }
  }

  async press(key, down) {
    if (down) this.down.add(key);
    else this.down.delete(key);
    const done = await this.ask("press", { key, down });
    if (!down && done === null) setTimeout(() => this.#stay(), AGAIN_MS);
  }

  async tap(key) {
    await this.press(key, true);
    await this.press(key, false);
  }

  /** Turn the knob; what is turned while a command is on its way goes into the next one. */
  turn(steps) {
    this.turned += steps;
    this.queue = this.queue.then(async () => {
      const all = Math.max(-20, Math.min(20, this.turned));
      this.turned = 0;
      if (all !== 0) await this.#post("turn", { steps: all });
    });
  }

  #touch(where, down, up) {
    if (this.fingers.has(where)) return;
    this.fingers.set(where, up);
    down();
  }

  #lift(where) {
    const up = this.fingers.get(where);
    this.fingers.delete(where);
    up?.();
  }

  /** Let a button be held by mouse, finger and keyboard alike; a screen reader sends a click and nothing else. */
  hold(button, down, up) {
    const press = () => this.#touch(button, down, up);
    const release = () => this.#lift(button);
    button.addEventListener("pointerdown", (event) => { button.setPointerCapture(event.pointerId); press(); });
    for (const name of ["pointerup", "pointercancel", "blur"]) button.addEventListener(name, release);
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    button.addEventListener("click", (event) => { if (event.detail === 0) { press(); release(); } });
    button.addEventListener("keydown", (event) => {
      if ((event.key === " " || event.key === "Enter") && !event.repeat) { event.preventDefault(); press(); }
    });
    button.addEventListener("keyup", (event) => {
      if (event.key === " " || event.key === "Enter") { event.preventDefault(); release(); }
    });
  }

  /** Let the keyboard be the table's buttons, wherever it is not needed for something else. */
  keys({ key, turn, throwDice }) {
    const named = (event) => (/^[1-8]$/.test(event.key) ? `seat_${event.key}` : KEYS[event.key]);
    const elsewhere = (event) =>
      event.ctrlKey || event.altKey || event.metaKey ||
      event.target.closest("input, select, textarea") !== null ||
      ((event.key === " " || event.key === "Enter") && event.target.closest("button, a, summary") !== null) ||
      (event.key.startsWith("Arrow") && event.target.closest("[tabindex]") !== null);
    document.addEventListener("keydown", (event) => {
      if (elsewhere(event)) return;
      if (event.key === " ") { event.preventDefault(); if (!event.repeat) throwDice(); }
      else if (event.key in TURNS) { event.preventDefault(); turn(TURNS[event.key]); }
      else if (named(event) && !event.repeat) {
        const name = named(event);
        event.preventDefault();
        this.#touch(event.code, () => key(name, true), () => key(name, false));
      }
    });
    document.addEventListener("keyup", (event) => this.#lift(event.code)); // wherever the focus is by then
    // After a click the keyboard is the table's again, not the button's that was clicked.
    document.addEventListener("click", (event) => { if (event.detail > 0) event.target.closest("button")?.blur(); });
  }

  #keep() {
    sessionStorage.setItem(STAY, JSON.stringify({ guest: this.guest, seat: this.seat, run: this.run }));
    this.seated();
  }

  /** Send one command and return its answer, null when it was not carried out. */
  async #post(name, command, quietly = false) {
    const headers = { "content-type": "application/json", "x-mexico-guest": this.guest ?? "" };
    try {
      const answer = await fetch(`/table/${name}`, { method: "POST", headers, body: JSON.stringify(command) });
      const said = await answer.json();
      if (answer.ok) return said;
      if (answer.status === 401) this.guest = null;
      if (!quietly) this.wrong(said.error);
    } catch {
      // The table does not answer; the page says so already, in large letters.
    }
    return null;
  }
}
