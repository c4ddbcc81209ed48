// What the board says of the game: sentences from what the table tells everybody. Touches nothing.

/** Return names as they are said in a row. */
export function row(names, and = "and") {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${and} ${names.at(-1)}`;
}

/** Return a number with its word: 1 mark, 2 marks. */
export function many(number, word, words = `${word}s`) {
  return `${number} ${number === 1 ? word : words}`;
}

/** Return a bid with the sign of multiplication where a display has an x. */
export function timed(said) {
  return (said ?? "").replace(/(\d) ?x ?(\d)/g, (_, quantity, one) => `${quantity}\u00d7${one}`);
}

/** Return an exact fraction such as "11/18" in per cent; what is neither sure nor impossible is never called so. */
export function percent(fraction) {
  const [over, under = "1"] = fraction.split("/");
  const whole = BigInt(under), part = BigInt(over);
  if (part === 0n || part === whole) return part === 0n ? "0 %" : "100 %";
  const tenths = Number((part * 2000n + whole) / (whole * 2n)); // rounded to a tenth
  if (tenths === 0 || tenths === 1000) return tenths === 0 ? "< 0.1 %" : "> 99.9 %";
  return `${(tenths / 10).toFixed(1)} %`;
}

/** Return how high a throw of two dice is in Mexico: 21, then doubles, then the higher die first. */
export function rank(score) {
  const [high, low] = [...score].map(Number);
  return score === "21" ? 100 : high === low ? 70 + high : high * 10 + low;
}

/** Return who has the lowest of these scores; nobody while there is but one. */
export function lowest(scores) {
  const all = Object.entries(scores);
  if (all.length < 2) return [];
  const least = Math.min(...all.map(([, score]) => rank(score)));
  return all.filter(([, score]) => rank(score) === least).map(([name]) => name);
}

/** Return what the seat on turn is to do. */
export function toDo(game) {
  const facts = game.facts;
  if ((facts.rolling_for_lead ?? []).length) return facts.to_beat === undefined ? "throws one die for the lead" : "throws one die to open";
  if (!game.cup) return game.may_stop ? "throws again, or stops" : "throws both dice";
  const waiting = facts.waiting_for ?? "";
  if (game.dice > 0) return waiting.startsWith("reveal") || !game.claim ? `shows ${many(game.dice, "die", "dice")}` : `lays open ${many(game.dice, "die", "dice")}`;
  if (waiting.startsWith("choice")) return "chooses somebody";
  if (waiting.startsWith("conce")) return "says who has lost";
  if (game.claim === null) return { liars_common: "bids first" }[game.game] ?? "shakes, looks inside and claims";
  return game.game === "liars_common" ? "raises the bid, or calls it" : "believes it, or calls it";
}

/** Return what the last round has cost, for the round that was told of last. */
export function roundSaid(round) {
  const paid = round?.paid?.[round?.loser];
  return paid === undefined ? (round?.said ?? "") : `${round.loser} loses and pays ${paid}`;
}

/** Return what everybody looks at for a moment: a heading, something large, a sentence, and whether that is the display's;
 * null for an ordinary turn. */
export function moment(game, story) {
  const facts = game.facts;
  const round = (story.rounds ?? []).at(-1);
  const next = game.player ? `${game.player} ${toDo(game)}` : "";
  switch (game.note) {
    case "round_over": {
      const big = round?.loser ?? Object.keys(round?.drinks ?? {}).join(" ");
      const out = (facts.out ?? []).includes(big) ? ", and is out" : "";
      return { label: "End of the round", big: big || "Nobody", text: `${roundSaid(round)}${out}. ${next}` };
    }
    case "tied":
      return { label: "Tied for lowest", big: (facts.subround ?? []).join(" "), text: `They roll again. ${next}` };
    case "lead":
      return { label: facts.to_beat === undefined ? "Leads the round" : "Begins", big: game.player, text: toDo(game) };
    case "mexico":
      return { label: "Mexico!", big: game.who ?? story.last?.player ?? "", text: `The stake is ${facts.stake} now. ${next}` };
    case "refused":
    case "bad_roll":
      return { label: "Not counted", big: game.player ?? "", text: game.refused ?? "throws again", theirs: game.refused !== null };
    default:
      return null;
  }
}

/** Return the face of the board when no game goes on: heading, something large, a sentence, one more; else null. */
export function face(game, story) {
  const facts = game.facts ?? {};
  if (game.camera_lost !== null) {
    return { name: "camera", label: "No camera", big: "Camera?", text: "The table sees nothing. The game waits until it does." };
  }
  const seated = Object.values(game.seats);
  if (game.phase === "sitting") {
    const text = seated.length > 1 ? "STOP starts the game." : "Press a seat button at the table: two or more play.";
    const won = (story.rounds ?? []).length && story.winner ? `The last game: ${story.winner} won.` : "";
    return { name: "lobby", label: seated.length ? `${many(seated.length, "seat")} taken` : "The table is free", big: "Take a seat", text, more: won };
  }
  if (game.phase === "paused") {
    return { name: "paused", label: "The game waits", big: "Paused", text: "STOP at the table goes on.", more: game.player ? `${game.player} is on turn.` : "" };
  }
  if (game.phase === "disputed") {
    return { name: "doubt", label: "The last throw or claim", big: "Doubt", text: "The players decide at the table whether it counts." };
  }
  if (game.phase !== "over") return null;
  if (facts.winner) {
    const takes = facts.winner_takes ?? facts.payments?.[facts.winner];
    const text = takes > 0 ? `takes ${many(takes, "unit")}` : "";
    return { name: "over", label: "The winner", big: facts.winner, text: text || "wins the game", more: "STOP at the table: play again." };
  }
  const fewest = facts.fewest ?? [];
  const said = fewest.length ? `Fewest marks: ${row(fewest)}.` : "Nobody wins.";
  return { name: "over", label: "Closing time", big: "The end", text: said, more: "STOP at the table: play again." };
}

/** Return what a seat has: a number, what it counts, and what else there is to say. */
export function holding(game, name) {
  const facts = game.facts;
  if (facts.units && game.phase === "over") {
    const units = facts.units[name] ?? 0;
    return { number: units, counts: units === 1 ? "unit" : "units", more: [] };
  }
  if (facts.units) {
    return { number: facts.scores?.[name] ?? "", counts: "", more: [many(facts.units[name] ?? 0, "unit")] };
  }
  const marks = facts.marks?.[name] ?? 0, dice = facts.dice_left?.[name], balance = facts.balance?.[name] ?? 0;
  const any = (fact) => Object.values(facts[fact] ?? {}).some((value) => value);
  const word = ["mark", "drink"].includes(game.mark) ? many(marks, game.mark).replace(/^\d+ /, "") : game.mark;
  const glasses = facts.finishes?.[name] ?? 0;
  const parts = [];
  if (dice !== undefined && (facts.dice_lost > 0 || !(any("marks") || any("balance")))) parts.push([dice, dice === 1 ? "die" : "dice"]);
  if (any("balance")) parts.push([balance > 0 ? `+${balance}` : String(balance).replace("-", "\u2212"), Math.abs(balance) === 1 ? "unit" : "units"]);
  if (!parts.length || any("marks")) parts.push([marks, word]);
  const [[number, counts], ...others] = parts;
  const more = others.map((part) => part.join(" "));
  if (glasses) more.push(many(glasses, "whole glass", "whole glasses"));
  return { number, counts, more };
}

/** Return the chance: of what it is, and its rows: whose, per cent, the exact fraction; null where there is none. */
export function chances(chance) {
  if (!chance) return null;
  const row = (what, exact) => [what, percent(exact), exact];
  if (chance.kind === "claim") return { of: "Chance that it is true", rows: [row(`what ${chance.player} says`, chance.chance)] };
  const rows = [row(`by ${chance.next}, who is next`, chance.by_next)];
  if (chance.rolling > 1) rows.push(row(`by anyone of ${chance.rolling}`, chance.by_anyone));
  return { of: `Chance that ${chance.score} is beaten`, rows };
}

/** Return a line of the story in its parts: number, who, what, and what followed. */
export function line(told) {
  const [number, ...parts] = told.trim().split(/\s{2,}/);
  return { number, said: parts.slice(0, 2).join(" "), then: parts.slice(2).join(", ") };
}
