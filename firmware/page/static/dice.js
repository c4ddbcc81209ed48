// Dice as they are drawn on the board: pips, never a number alone and never a colour alone.

const SVG = "http://www.w3.org/2000/svg";
const LOW = 14, MIDDLE = 32, HIGH = 50;
const PIPS = {
  1: [[MIDDLE, MIDDLE]],
  2: [[LOW, LOW], [HIGH, HIGH]],
  3: [[LOW, LOW], [MIDDLE, MIDDLE], [HIGH, HIGH]],
  4: [[LOW, LOW], [HIGH, LOW], [LOW, HIGH], [HIGH, HIGH]],
  5: [[LOW, LOW], [HIGH, LOW], [MIDDLE, MIDDLE], [LOW, HIGH], [HIGH, HIGH]],
  6: [[LOW, LOW], [HIGH, LOW], [LOW, MIDDLE], [HIGH, MIDDLE], [LOW, HIGH], [HIGH, HIGH]],
};

/** Return a die that shows *face*; one whose face nobody has named shows none. */
export function die(face) {
  const drawn = document.createElementNS(SVG, "svg");
  drawn.setAttribute("viewBox", "0 0 64 64");
  drawn.setAttribute("class", "die");
  const body = document.createElementNS(SVG, "rect");
  for (const [name, value] of Object.entries({ x: 2, y: 2, width: 60, height: 60, rx: 12 })) body.setAttribute(name, value);
  drawn.append(body);
  for (const [x, y] of PIPS[face] ?? []) {
    const pip = document.createElementNS(SVG, "circle");
    for (const [name, value] of Object.entries({ cx: x, cy: y, r: 7 })) pip.setAttribute(name, value);
    drawn.append(pip);
  }
  return drawn;
}

/** Let *place* show these dice, and touch it only where they are others. */
export function lay(place, faces) {
  const key = faces.join(" ");
  if (place.dataset.faces === key) return;
  place.dataset.faces = key;
  place.replaceChildren(...faces.map(die));
}
