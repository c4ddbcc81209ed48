// Finds, of all that is shown: text with less contrast than WCAG 2.2 AA wants, what a screen reader has no name for, and
// what is too small for a finger. To be evaluated in a page; returns a line for each.
() => {
  const parse = (text) => {
    const numbers = text.match(/[\d.]+/g).map(Number);
    return numbers.length > 3 ? numbers : [...numbers, 1];
  };
  const linear = (value) => (value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const ground = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour[3] > 0.99) return colour;
    }
    return [255, 255, 255, 1];
  };
  const shown = (what) => [...document.querySelectorAll(what)].filter((node) => node.checkVisibility());
  const found = [];
  for (const node of shown("body *")) {
    const writes = [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.textContent.trim());
    if (!writes || node.closest(":disabled, svg")) continue;
    const style = getComputedStyle(node);
    const [more, less] = [light(parse(style.color)), light(ground(node))].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const contrast = (more + 0.05) / (less + 0.05);
    if (contrast < (large ? 3 : 4.5)) found.push(`faint, ${contrast.toFixed(2)}: ${node.outerHTML.slice(0, 80)}`);
  }
  for (const node of shown("input, select, button, a, img, [tabindex]")) {
    const named = node.labels?.length || node.ariaLabel || node.alt || node.textContent.trim();
    if (!named) found.push(`without a name: ${node.outerHTML.slice(0, 80)}`);
  }
  for (const node of shown("button, select, nav a, input:not([type=checkbox])")) {
    const { width, height } = node.getBoundingClientRect();
    if (width < 24 || height < 24) found.push(`small: ${node.outerHTML.slice(0, 80)}`);
  }
  return found;
};
