// What the camera sees, with what was read drawn over it, and the figures of the picture.

import { at, filmed } from "/static/news.js";
import { ask } from "/static/panel_ask.js";
import { tell } from "/static/panel_game.js";
import * as calibrate from "/static/panel_calibrate.js";

const SVG = "http://www.w3.org/2000/svg";
let isOpen = false;
let blind = false;
let outline = null;
let last = null;
let timer = 0;

export async function open() {
  isOpen = true;
  calibrate.open();
  const said = await ask("/panel/outline");
  if (!said.error) outline = said;
  if (!isOpen) return;
  show();
  measure();
}
export function close() {
  isOpen = false;
  calibrate.close();
  clearTimeout(timer);
  at("film").removeAttribute("src"); // ends the stream
}

/** Hear what the table shows. */
export function game(shown) {
  calibrate.game(shown);
  if (blind === shown.blind) return;
  blind = shown.blind;
  if (blind) last = null;
  if (isOpen) show();
}

/** Hear what was read. */
export function reading(read) {
  last = read.dice ? read : null;
  if (isOpen) draw();
}

function show() {
  at("dark").hidden = !blind;
  if (blind) {
    at("film").removeAttribute("src");
    at("histogram").replaceChildren();
    at("figures").replaceChildren();
  } else if (!at("film").hasAttribute("src")) {
    at("film").src = `/panel/camera?${Date.now()}`;
  }
  draw();
}

function draw() {
  const svg = at("overlay");
  svg.replaceChildren();
  if (blind || !outline?.size) return;
  const [wide, high] = outline.size;
  svg.setAttribute("viewBox", `0 0 ${wide} ${high}`);
  if (at("show-floor").checked) {
    svg.append(polygon(outline.floor, "floor"), polygon(outline.tops, "tops"));
  }
  if (!last || !at("show-dice").checked) return;
  for (const die of last.dice) {
    svg.append(polygon(die.corners, last.fault ? "die refused" : "die"));
    const middle = [0, 1].map((axis) => die.corners.reduce((sum, corner) => sum + corner[axis], 0) / die.corners.length);
    const text = document.createElementNS(SVG, "text");
    text.setAttribute("x", middle[0]);
    text.setAttribute("y", middle[1]);
    text.setAttribute("font-size", wide / 28);
    text.textContent = die.face ?? "?";
    svg.append(text);
  }
}

function polygon(points, name) {
  const shape = document.createElementNS(SVG, "polygon");
  shape.setAttribute("points", points.map((point) => point.join(",")).join(" "));
  shape.setAttribute("class", name);
  return shape;
}

async function measure() {
  clearTimeout(timer); // of another opening that was overtaken
  const mine = (timer = setTimeout(measure, 1500));
  if (blind) return;
  if (!filmed(at("film"))) {
    at("film").removeAttribute("src"); // it has ended, or did not begin
    show();
  }
  const said = await ask("/panel/figures");
  if (timer !== mine || blind) return;
  if (said.error) {
    tell(at("figures"), [["Picture", "none at this moment"]]);
    at("histogram").replaceChildren();
    return;
  }
  tell(at("figures"), [
    ["Mean brightness", `${said.mean} of 255`],
    ["Clipped (glare)", `${(said.clipped * 100).toFixed(1)} %`],
    ["Black", `${(said.black * 100).toFixed(1)} %`],
    ["Sharpness", said.blur_px === null ? "no edges seen" : `edges ${said.blur_px} px wide`],
    ["Picture", `${said.size[0]} × ${said.size[1]} px`],
  ]);
  const top = Math.max(...said.histogram.flat(), 1e-6);
  at("histogram").replaceChildren(...said.histogram.map((bins, colour) => {
    const line = document.createElementNS(SVG, "path");
    const points = bins.map((part, bin) => `${(bin + 0.5) * (256 / bins.length)},${98 - 94 * Math.sqrt(part / top)}`);
    line.setAttribute("d", `M${points.join("L")}`);
    line.setAttribute("class", ["red", "green", "blue"][colour]);
    return line;
  }));
}

for (const box of ["show-floor", "show-dice"]) at(box).addEventListener("change", draw);
