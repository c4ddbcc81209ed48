// The virtual table: what the devices show, and what hands do.

import { Hands } from "./hands.js";
import { at, filmed, follow, made, TITLES, write, writeBoth } from "./news.js";
import { paintFour, paintOled, Speaker } from "./devices.js";
import { todo } from "./todo.js";
import { line } from "./words.js";

const TROUBLES = [
  ["cocked", "Next die leans"], ["hand", "Hand in the tray"], ["bump", "Camera bumped"],
  ["camera", "Camera unplugged"], ["display", "Display unplugged"], ["power", "Power cut"],
];
const NAMES = "ABCDEFGH";
const WRONG_MS = 4000; // so long it stands there why something was not done
const FILM_MS = 2000; // so long until a film that has ended, or did not begin, is tried again
const ROLLING_MS = 15000; // so long at most a throw is awaited before another may be tried

const hands = new Hands((words) => hint(words, true), () => { showSeats(); showTurn(); });
const speaker = new Speaker();
let game = null;
let guests = { seats: 8, taken: [], robots: [], troubles: [] };
let seats = [];
let hinting = 0;
let rolling = 0;

// --- what is shown ---

function hint(words, wrong = false) {
  write(at("hint"), words);
  at("hint").classList.toggle("wrong", wrong);
  clearTimeout(hinting);
  hinting = wrong ? setTimeout(() => { hinting = 0; showTurn(); }, WRONG_MS) : 0;
}

function showDevices(shown) {
  at("starting").hidden = shown.oled !== null || game !== null;
  for (const seat of seats) seat.press.classList.toggle("lit", shown.lit.includes(`seat_${seat.number}`));
  for (const [id, lamp] of [["stop", "stop"], ["lens", "blind"]]) at(id).classList.toggle("lit", shown.lit.includes(lamp));
  paintOled(at("oled"), shown.oled);
  paintFour(at("four"), shown.four);
  if (shown.said === null) write(at("said"), "The display is dark");
  else writeBoth(at("said"), "", shown.said, shown.language);
  speaker.tone(shown.tone_hz);
}

function showGame(now) {
  if (game?.moment !== now.moment || game.phase !== now.phase) rolled();
  game = now;
  at("starting").hidden = true;
  write(at("what"), TITLES[now.game] ?? now.game);
  at("blind").hidden = !now.blind;
  at("three").hidden = now.phase !== "sitting";
  write(at("three"), now.most_players > 2 ? "Play against three computers" : "Play against the computer");
  showSeats();
  showTurn();
}

function showTurn() {
  if (game === null) return;
  const now = todo(game, guests, hands.seat);
  at("throw").disabled = !now.may_throw || rolling !== 0;
  write(at("throw"), rolling === 0 ? now.throws : game.cup ? "The cup moves" : "The dice roll");
  for (const [id, name] of [["throw", "throw"], ["stop", "stop"], ["right", "knob"], ["left", "knob"], ["push", "push"]]) {
    at(id).classList.toggle("due", now.due.includes(name) && !at(id).disabled);
  }
  for (const seat of seats) seat.press.classList.toggle("due", now.due.includes(`seat_${seat.number}`));
  if (!hinting) hint(now.words);
}

function showSeats() {
  for (const seat of seats) {
    const name = game?.seats[seat.number];
    const robot = guests.robots.includes(seat.number);
    const mine = hands.seat === seat.number;
    const who = mine ? "you" : robot ? "" : guests.taken.includes(seat.number) ? "guest" : name ? "no one" : "free";
    write(seat.who, who);
    write(seat.holds, name ? holding(name) : "");
    seat.item.classList.toggle("turn", game?.phase === "playing" && game.seat === seat.number);
    seat.press.setAttribute("aria-label", `Button of seat ${seat.number}, ${name ?? "not joined"}, ${who || "computer"}`);
    seat.robot.hidden = mine || (!robot && guests.taken.includes(seat.number));
    seat.robot.setAttribute("aria-pressed", String(robot));
  }
}

function holding(name) {
  const facts = game.facts ?? {};
  const amount = facts.units?.[name] ?? facts.dice_left?.[name] ?? facts.marks?.[name];
  return amount === undefined ? name : `${name} ${amount}`;
}

function showReading(reading) {
  if (reading.dice) rolled();
  const overlay = at("overlay");
  overlay.replaceChildren();
  if (!reading.dice) return write(at("verdict"), "");
  overlay.setAttribute("viewBox", `0 0 ${reading.size[0]} ${reading.size[1]}`);
  overlay.classList.toggle("refused", reading.faces === null);
  for (const die of reading.dice) {
    const outline = document.createElementNS("http://www.w3.org/2000/svg", "polygon");
    outline.setAttribute("points", die.corners.map((corner) => corner.join(",")).join(" "));
    const label = document.createElementNS("http://www.w3.org/2000/svg", "text");
    label.setAttribute("x", die.corners.reduce((sum, corner) => sum + corner[0], 0) / 4);
    label.setAttribute("y", Math.min(...die.corners.map((corner) => corner[1])) - 12);
    label.textContent = die.face ?? "?";
    overlay.append(outline, label);
  }
  for (const [x, y] of reading.unclear) {
    const ring = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    ring.setAttribute("cx", x);
    ring.setAttribute("cy", y);
    ring.setAttribute("r", reading.size[0] / 25);
    overlay.append(ring);
  }
  if (reading.faces) write(at("verdict"), `read ${reading.faces.join(" ")}`);
  else writeBoth(at("verdict"), "not counted: ", reading.said, reading.language);
}

function showStory(story) {
  at("story").replaceChildren(...[...(story.lines ?? [])].reverse().map((told) => toldLine(line(told))));
}

function toldLine({ number, said, then }) {
  const item = made("li");
  item.append(made("span", "number", number), " ", made("span", "", said), then ? made("span", "then", ` · ${then}`) : "");
  return item;
}

function showGuests(now) {
  if (now.seats !== seats.length) makeSeats(now.seats);
  guests = now;
  if (!hands.away) hands.robots = now.robots;
  for (const button of at("troubles").children) {
    button.setAttribute("aria-pressed", String(now.troubles.includes(button.dataset.trouble)));
  }
  showSeats();
  showTurn();
}

/** Show the camera's film from now on. */
function film() {
  at("camera").src = `/camera?${Date.now()}`;
}

/** Say so where there is no film, and begin it again. */
function lookAtFilm() {
  if (!at("lost").hidden || !at("camera").hasAttribute("src")) return;
  at("no-film").hidden = filmed(at("camera"));
  if (!filmed(at("camera"))) film();
}

// --- what hands do ---

function makeSeats(many) {
  seats = Array.from({ length: many }, (_, index) => makeSeat(index + 1));
  const half = Math.ceil(many / 2); // clockwise: along the top, and back along the bottom
  at("top").replaceChildren(...seats.slice(0, half).map((seat) => seat.item));
  at("bottom").replaceChildren(...seats.slice(half).reverse().map((seat) => seat.item));
}

function makeSeat(number) {
  const seat = {
    number,
    item: made("li", "seat"),
    press: made("button", "press", NAMES[number - 1]),
    who: made("span", "who"),
    holds: made("b", "holds"),
    robot: made("button", "robot", "computer"),
  };
  seat.press.type = seat.robot.type = "button";
  const line = made("span", "who");
  line.append(seat.holds, " ", seat.who);
  seat.item.append(seat.press, line, seat.robot);
  seat.robot.setAttribute("aria-label", `Let the computer play seat ${number}`);
  hands.hold(seat.press, () => pressSeat(number, true), () => pressSeat(number, false));
  seat.robot.addEventListener("click", () => robot(number, !guests.robots.includes(number)));
  return seat;
}

/** Take a free seat by pressing it; what a finger does is sent as it is done, whatever the table has answered by then. */
function pressSeat(number, down) {
  const free = !guests.taken.includes(number) && !guests.robots.includes(number);
  const sits = down && hands.seat === null && free;
  if (sits) hands.sit(number);
  const joins = game?.phase === "sitting" && game.seats[number] === undefined;
  if (!sits || joins) hands.press(`seat_${number}`, down); // whoever takes a seat over presses nothing by that
}

async function robot(number, on) {
  const done = await hands.ask("robot", { seat: number, on });
  const joined = game?.seats[number] !== undefined;
  if (done && game?.phase === "sitting" && joined !== on) await hands.tap(`seat_${number}`);
}

async function playAgainstThree() {
  at("three").disabled = true;
  const free = seats.map((seat) => seat.number).filter((number) => !guests.taken.includes(number));
  const mine = hands.seat ?? free[0];
  const joined = game.seats;
  if (hands.seat === null) await hands.sit(mine);
  if (joined[mine] === undefined) await hands.tap(`seat_${mine}`);
  const room = game.most_players - Object.keys(joined).length - (joined[mine] === undefined ? 1 : 0);
  const three = free.filter((number) => number !== mine && joined[number] === undefined).slice(0, Math.max(0, Math.min(3, room)));
  for (const number of three) {
    await hands.ask("robot", { seat: number, on: true });
    await hands.tap(`seat_${number}`);
  }
  await hands.tap("stop");
  at("three").disabled = false;
}

async function throwDice() {
  if (at("throw").disabled) return;
  rolling = setTimeout(rolled, ROLLING_MS);
  showTurn();
  if (await hands.ask("throw", {}) === null) rolled();
}

/** Let another throw be tried: the last one has come to something. */
function rolled() {
  if (rolling === 0) return;
  clearTimeout(rolling);
  rolling = 0;
  showTurn();
}

function listen() {
  hands.hold(at("stop"), () => hands.press("stop", true), () => hands.press("stop", false));
  hands.hold(at("push"), () => hands.press("confirm", true), () => hands.press("confirm", false));
  at("left").addEventListener("click", () => hands.turn(-1));
  at("right").addEventListener("click", () => hands.turn(1));
  at("push").addEventListener("wheel", (event) => { event.preventDefault(); hands.turn(event.deltaY > 0 ? 1 : -1); });
  at("throw").addEventListener("click", throwDice);
  at("three").addEventListener("click", playAgainstThree);
  setInterval(lookAtFilm, FILM_MS);
  at("camera").parentElement.addEventListener("pointerup", throwDice);
  at("sound").addEventListener("click", () => at("sound").setAttribute("aria-pressed", String(speaker.toggle())));
  for (const [trouble, words] of TROUBLES) {
    const button = made("button", "", words);
    button.type = "button";
    button.dataset.trouble = trouble;
    button.addEventListener("click", () => hands.ask("trouble", { trouble, on: !guests.troubles.includes(trouble) }));
    at("troubles").append(button);
  }
  hands.keys({
    key: (name, down) => (name.startsWith("seat_") ? pressSeat(Number(name.slice(5)), down) : hands.press(name, down)),
    turn: (steps) => hands.turn(steps),
    throwDice,
  });
}

function connected(yes) {
  at("lost").hidden = yes;
  if (!yes) hands.away = true;
  if (yes) {
    film(); // one that broke off does not go on by itself
    hands.come().then(() => { hands.robots = guests.robots; });
  }
}

makeSeats(8);
listen();
follow(
  { devices: showDevices, game: showGame, guests: showGuests, reading: showReading, story: showStory },
  connected,
);
