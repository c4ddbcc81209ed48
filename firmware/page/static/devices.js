// The displays and the buzzer, as they are.

const WIDE = 128;
const HIGH = 64;
const LIT = [159, 232, 255];

/** Paint the very pixels that the OLED shows: a bit each, row by row, in base64; null for a dark one. */
export function paintOled(canvas, bits) {
  const context = canvas.getContext("2d");
  const picture = context.createImageData(WIDE, HIGH);
  const bytes = bits === null ? "" : atob(bits);
  for (let pixel = 0; pixel < WIDE * HIGH; pixel++) {
    const lit = bits !== null && (bytes.charCodeAt(pixel >> 3) >> (7 - (pixel & 7))) & 1;
    picture.data.set(lit ? [...LIT, 255] : [4, 8, 12, 255], pixel * 4);
  }
  context.putImageData(picture, 0, 0);
}

// A segment is a bar with pointed ends: two of its corners, and whether it stands.
const SEGMENTS = {
  a: [8, 4, false], b: [36, 8, true], c: [36, 36, true], d: [8, 60, false], e: [4, 36, true], f: [4, 8, true], g: [8, 32, false],
};

/** Paint the four digits; each is a string of its lit segments a to g, null for a dark display. */
export function paintFour(svg, digits) {
  if (svg.childElementCount === 0) {
    for (let place = 0; place < 4; place++) {
      for (const [name, [x, y, stands]] of Object.entries(SEGMENTS)) {
        const bar = document.createElementNS("http://www.w3.org/2000/svg", "polygon");
        bar.dataset.name = name;
        bar.dataset.place = place;
        bar.setAttribute("points", points(x + place * 52, y, stands));
        svg.append(bar);
      }
    }
  }
  for (const bar of svg.children) {
    bar.classList.toggle("lit", digits !== null && digits[bar.dataset.place].includes(bar.dataset.name));
  }
}

function points(x, y, stands) {
  const along = [[0, 0], [3, -3], [25, -3], [28, 0], [25, 3], [3, 3]];
  return along.map(([far, off]) => (stands ? `${x + off},${y + far - 2}` : `${x + far},${y + off}`)).join(" ");
}

/** The buzzer; silent until somebody lets it sound, as browsers demand. */
export class Speaker {
  constructor() {
    this.context = null;
    this.on = false;
    this.hz = null;
  }

  /** Let it sound, or not; return whether it does. */
  toggle() {
    this.on = !this.on;
    if (this.on && this.context === null) {
      this.context = new AudioContext();
      this.oscillator = new OscillatorNode(this.context, { type: "square", frequency: 440 });
      this.loudness = new GainNode(this.context, { gain: 0 });
      this.oscillator.connect(this.loudness).connect(this.context.destination);
      this.oscillator.start();
    }
    this.tone(this.hz);
    return this.on;
  }

  /** Sound so many hertz from now on, or be silent for null. */
  tone(hz) {
    this.hz = hz;
    if (this.context === null) return;
    const now = this.context.currentTime;
    if (hz !== null) this.oscillator.frequency.setValueAtTime(hz, now);
    this.loudness.gain.setTargetAtTime(this.on && hz !== null ? 0.06 : 0, now, 0.005);
  }
}
