// What keeps somebody from using the page: see accessible.py.
() => {
  const found = [];
  const say = (rule, element, what) => found.push(`${rule}: ${what}: ${element.outerHTML.slice(0, 90)}`);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const seen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const tiny = (element) => { const box = element.getBoundingClientRect(); return box.width <= 1 || box.height <= 1; };

  // 1.1.1, 4.1.2: everything has a name
  const nameOf = (element) => {
    const by = (element.getAttribute("aria-labelledby") ?? "").split(/\s+/).filter(Boolean).map((id) => document.getElementById(id));
    if (by.includes(null)) say("4.1.2", element, "is labelled by what is not there");
    const labels = [...(element.labels ?? [])];
    const own = [element.getAttribute("aria-label"), ...by.map((label) => label?.textContent), ...labels.map((label) => label.textContent),
      element.textContent, element.getAttribute("alt"), element.getAttribute("title")];
    return own.map((text) => (text ?? "").trim()).find((text) => text) ?? "";
  };
  for (const element of all("button, a[href], input:not([type=hidden]), select, textarea, summary, [role=button], [role=img], [role=group], section[aria-label], section[aria-labelledby], ol[aria-labelledby]"))
    if (seen(element) && !nameOf(element)) say("4.1.2", element, "has no name");
  for (const image of all("img")) if (seen(image) && !image.hasAttribute("alt")) say("1.1.1", image, "has no alternative");
  for (const drawing of all("svg, canvas"))
    if (seen(drawing) && !drawing.closest("[aria-hidden=true]") && !nameOf(drawing)) say("1.1.1", drawing, "is neither named nor hidden");

  // 1.3.1, 2.4.x: the page and its parts
  if (!document.documentElement.lang) say("3.1.1", document.documentElement, "has no language");
  if (!document.title.trim()) say("2.4.2", document.head, "has no title");
  if (all("main").filter(seen).length !== 1) say("1.3.1", document.body, "has not one main part");
  if (all("h1").filter(seen).length !== 1) say("1.3.1", document.body, "has not one main heading");
  const levels = all("h1, h2, h3, h4").filter(seen).map((heading) => Number(heading.tagName[1]));
  levels.forEach((level, index) => { if (level > (levels[index - 1] ?? 0) + 1) found.push(`1.3.1: a heading of level ${level} follows ${levels[index - 1]}`); });
  const ids = all("[id]").map((element) => element.id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) found.push(`4.1.1: two elements are called ${id}`);
  for (const list of all("ul, ol")) for (const child of list.children) if (child.tagName !== "LI") say("1.3.1", child, "stands in a list");
  if (/maximum-scale|user-scalable=no/.test(document.querySelector("meta[name=viewport]")?.content ?? "")) say("1.4.4", document.head, "cannot be enlarged");

  // 2.1.1, 2.4.3, 2.5.8: the keyboard and the finger
  for (const element of all("[tabindex]")) if (Number(element.getAttribute("tabindex")) > 0) say("2.4.3", element, "breaks the order");
  for (const element of all("*")) {
    const scrolls = /auto|scroll/.test(getComputedStyle(element).overflowY) && element.scrollHeight > element.clientHeight + 1;
    if (scrolls && seen(element) && element !== document.documentElement && element !== document.body && element.tabIndex < 0
      && !element.querySelector("button, a[href], input")) say("2.1.1", element, "scrolls and cannot be reached with the keyboard");
  }
  for (const element of all("button, summary, input, select")) {
    const box = element.getBoundingClientRect();
    if (seen(element) && box.width > 1 && (box.width < 24 || box.height < 24)) say("2.5.8", element, "is too small for a finger");
  }

  // 1.4.3: contrast
  const rgba = (text) => { const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number); return [r, g, b, a]; };
  const over = (top, below) => top.slice(0, 3).map((value, index) => value * top[3] + below[index] * (1 - top[3])).concat(1);
  const light = ([r, g, b]) => { const part = [r, g, b].map((value) => { value /= 255; return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2]; };
  const ground = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) { layers.push(rgba(getComputedStyle(at).backgroundColor)); if (layers.at(-1)[3] === 1) break; }
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  for (const element of all("body *")) {
    const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!text || !seen(element) || tiny(element) || element.closest("[aria-hidden=true], :disabled, svg, .out-of-sight")) continue;
    const style = getComputedStyle(element);
    let opacity = 1;
    for (let at = element; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
    const back = ground(element), front = rgba(style.color);
    const ink = over([...front.slice(0, 3), front[3] * opacity], back);
    const [bright, dark] = [light(ink), light(back)].sort((one, other) => other - one);
    const ratio = (bright + 0.05) / (dark + 0.05);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) say("1.4.3", element, `has a contrast of ${ratio.toFixed(2)}`);
  }
  return found;
}
