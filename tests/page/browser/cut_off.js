// What does not fit into its place: see accessible.py.
() => [...document.querySelectorAll("body *")].filter((element) => {
  const style = getComputedStyle(element);
  return element.checkVisibility() && style.overflowX === "hidden" && element.clientWidth > 1
    && !element.matches(".lens")
    && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1);
}).map((element) => `${element.className}: ${element.scrollWidth} in ${element.clientWidth}, `
  + `${element.scrollHeight} in ${element.clientHeight}: ${element.textContent.trim().slice(0, 60)}`)
