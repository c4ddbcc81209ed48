// What is to be done now: in words, and with which of the table's buttons. Knows nothing of the page.

const CLAIMS = ["announce", "bid", "call"];
const OWN_CUPS = ["liars_common", "liars_individual", "liars_stanford"]; // shaken without the table being told
const OFFERED = { void: "take it back", read_again: "read it again", pause: "pause the game", count: "count it" };
const DOUBTED = {
  throw: (doubt) => `The throw of ${doubt.player} is in doubt.`,
  claim: (doubt) => `What ${doubt.player} claimed is in doubt.`,
  find: (doubt) => `After the power cut other dice lie there; ${doubt.player} was on turn.`,
};

/**
 * Return what is to be done at this browser.
 *
 * @param {object} game what everybody sees of it
 * @param {{taken: number[], robots: number[]}} guests who sits where
 * @param {number|null} own the seat of this browser
 * @returns {{words: string, due: string[], throws: string, may_throw: boolean}} the words; the buttons that stand out
 *   (throw, stop, knob, push, seat_1 and so on); what a throw is called now, and whether it is wanted from here
 */
export function todo(game, guests, own) {
  const looksOn = own === null && guests.taken.length > 0;
  const ours = (seat) => !guests.robots.includes(seat) && (own === null ? !guests.taken.includes(seat) : seat === own || !guests.taken.includes(seat));
  const at = { game, guests, own, ours: (seat) => !looksOn && ours(seat) };
  const said = game.camera_lost !== null ? { words: "The camera gives no pictures: the game waits for it." } : PHASES[game.phase](at);
  const mine = game.phase === "playing" && at.ours(game.seat);
  const throws = game.cup ? (game.dice > 0 ? "Show the dice" : "Shake") : "Throw";
  const shakes = game.choices.kinds.includes("shake") || OWN_CUPS.includes(game.game);
  const may_throw = mine && (game.dice > 0 || (game.cup && shakes));
  const due = looksOn ? [] : said.due ?? [];
  return { words: looksOn && ["paused", "over"].includes(game.phase) ? `${said.words} You look on: press a free seat to join in.` : said.words, due, throws, may_throw };
}

const PHASES = {
  sitting({ game, own }) {
    const many = Object.keys(game.seats).length;
    if (game.calibrating) return { words: "The table is being calibrated: nobody can join meanwhile." };
    if (many > game.most_players) return { words: `At most ${game.most_players} play this game: press a seat again to leave it.` };
    if (many >= 2) return { words: "STOP begins the game. More may join before: press their seats.", due: ["stop"] };
    if (many === 1) return { words: own === null ? "One more, at least: press another seat." : "One more, at least: let the computer play a seat, or wait for a guest." };
    return { words: "Press a seat to join.", due: [] };
  },
  paused: () => ({ words: "Paused. STOP goes on.", due: ["stop"] }),
  over: () => ({ words: "The game is over. STOP plays another one.", due: ["stop"] }),
  disputed,
  playing,
};

/** What a doubt takes: hands, one after the other, the seat on turn among them. */
function disputed({ game }) {
  const doubt = game.doubt;
  const what = DOUBTED[doubt.about](doubt);
  if (doubt.choice === "pause") return { words: `${what} Push the knob to pause the game, turn it for something else; STOP leaves all as it is.`, due: ["push", "stop"] };
  const up = doubt.hands;
  const names = (seats) => seats.map((seat) => game.seats[seat]).join(", ");
  const must = doubt.on_turn !== null && !up.includes(doubt.on_turn);
  const others = doubt.needed - up.length - (must ? 1 : 0);
  const still = [must ? game.seats[doubt.on_turn] : "", others > 0 ? `${others} ${must ? "other" : "more"}` : ""].filter(Boolean).join(" and ");
  const open = Object.keys(game.seats).map(Number).filter((seat) => !up.includes(seat) && (others > 0 || seat === doubt.on_turn));
  const pressed = up.length ? `${names(up)} ${up.length > 1 ? "have" : "has"} pressed` : "One after the other, within ten seconds";
  return {
    words: `${what} To ${OFFERED[doubt.choice]}: press the seats of ${still}. ${pressed}. The knob offers something else, STOP leaves all as it is.`,
    due: open.map((seat) => `seat_${seat}`),
  };
}

function playing({ game, guests, own, ours }) {
  const callers = Object.entries(game.seats).filter(([seat, name]) => game.callers.includes(name) && ours(Number(seat)) && (own === null || Number(seat) === own));
  const call = callers.map(([seat]) => `seat_${seat}`);
  const liar = callers.length ? `A lie? Then press your seat, ${callers.map(([, name]) => name).join(" or ")}.` : "";
  if (!ours(game.seat)) {
    const who = guests.robots.includes(game.seat) ? `${game.player} is played by the computer.` : `${game.player} is on turn.`;
    return { words: [who, liar].filter(Boolean).join(" "), due: call };
  }
  const whose = game.seat === own ? `Your turn, ${game.player}` : `${game.player} is on turn`;
  if (game.dice > 0) {
    const dice = game.dice === 1 ? "one die" : `${game.dice} dice`;
    if (game.cup) return { words: `${whose}: show ${game.dice === 1 ? "the die" : `the ${dice}`}.`, due: ["throw"] };
    return { words: `${whose}: throw ${dice}${game.may_stop ? ", or STOP to keep what you have" : ""}.`, due: game.may_stop ? ["throw", "stop"] : ["throw"] };
  }
  return cup(game, whose, liar, call);
}

/** What may be done with a cup: shake, claim with the knob, call, show. */
function cup(game, whose, liar, call) {
  const { kinds, chosen } = game.choices;
  const does = [];
  const due = [...call];
  if (kinds.includes("shake")) { does.push("shake"); due.push("throw"); }
  const claims = kinds.some((kind) => CLAIMS.includes(kind));
  if (chosen) {
    does.push("push the knob to say what the display shows, or turn on");
    due.push("knob", "push");
  } else if (kinds.some((kind) => kind !== "shake")) {
    does.push(kinds.includes("choose") ? "turn the knob to choose a player" : claims ? "turn the knob to what you claim, then push it" : "turn the knob to what you do, then push it");
    if (!kinds.includes("shake")) due.push("knob");
  }
  const shows = game.may_stop ? ` ${does.length ? "Or s" : "S"}how what you have: STOP.` : "";
  const words = does.length ? `${whose}: ${does.join(", or ")}.` : `${whose}.`;
  return { words: `${words}${liar ? ` ${liar}` : ""}${shows}`, due };
}
