"""Can it be read and worked by everybody: names, keyboard, contrast, widths."""

CONTROLS = {
    "button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "switch", "slider",
    "tab", "menuitem", "spinbutton", "DisclosureTriangle", "Date", "listbox"}

# Ratios as WCAG 2.2 has them (success criteria 1.4.3 and 1.4.11), of colours as they are painted.
CONTRAST = r"""
const pen = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
const parse = (colour) => {
  pen.clearRect(0, 0, 1, 1);
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
};
const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3]));
const light = (c) => {
  const [r, g, b] = c.map((v) => v / 255)
    .map((v) => (v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4));
  return .2126 * r + .7152 * g + .0722 * b;
};
const ratio = (one, other) => {
  const [a, b] = [light(one), light(other)];
  return (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
};
const ground = (element) => {
  const layers = [];
  for (let e = element; e; e = e.parentElement) {
    const colour = parse(getComputedStyle(e).backgroundColor);
    layers.push(colour);
    if (colour[3] === 1) break;
  }
  return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
};
const bad = [];
for (const element of document.querySelectorAll('body *')) {
  const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.nodeValue.trim());
  const isControl = element.matches('input:not([type=checkbox]), select, textarea');
  if (!own && !isControl) continue;
  if (!element.checkVisibility({visibilityProperty: true}) || element.disabled) continue;
  if (element.closest('svg, option, .hidden, .skip, [aria-hidden=true]')) continue;
  const style = getComputedStyle(element);
  const behind = ground(element);
  const size = parseFloat(style.fontSize);
  const isLarge = size >= 24 || (size >= 18.66 && +style.fontWeight >= 700);
  const seen = ratio(over(parse(style.color), behind), behind);
  const what = `${element.tagName}.${element.className}: ${element.innerText?.slice(0, 30) ?? ''}`;
  if (seen < (isLarge ? 3 : 4.5)) bad.push(`${what} ${seen.toFixed(2)}`);
  if (isControl) {
    const edge = ratio(over(parse(style.borderTopColor), behind), ground(element.parentElement));
    if (edge < 3) bad.push(`edge of ${what} ${edge.toFixed(2)}`);
  }
}
return bad;
"""

# Everything that a person can work, as far as it is shown.
REACHABLE = r"""
window.reachable = () => [...document.querySelectorAll(
  'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), '
  + 'textarea:not([disabled]), summary, [tabindex="0"]')]
  .filter((e) => e.checkVisibility({visibilityProperty: true}));
window.nameOf = (e) => `${e.tagName} ${e.id} ${(e.getAttribute('aria-label')
  ?? e.innerText ?? '').slice(0, 40)}`.replace(/\s+/g, ' ');
return window.reachable().length;
"""


def nameless(page):
    """The controls that a screen reader could not name."""
    return [role for role, name in page.accessible() if role in CONTROLS and not name.strip()]


def weak(page, theme):
    """Texts and edges with too little contrast in a theme."""
    page.theme(theme)
    return page.run(CONTRAST)


def too_wide(page, width):
    """Whether the page scrolls sideways at a width, and by how much."""
    page.size(width)
    page.until("it fits the new width", "innerWidth === arguments[0]", width)
    wide = page.run("return document.documentElement.scrollWidth")
    return 0 if wide == width else wide - width


def unreached(page):
    """The controls that pressing Tab again and again does not come to."""
    count = page.run(REACHABLE)
    page.run("document.activeElement?.blur(); window.reached = new Set()")
    for _ in range(count + 3):
        page.press("TAB")
        page.run("window.reached.add(document.activeElement)")
    return page.run(
        "return window.reachable().filter((e) => !window.reached.has(e)).map(window.nameOf)")


def unseen_focus(page):
    """The controls whose focus cannot be seen, when Tab comes to them."""
    page.run(REACHABLE)
    page.run("document.activeElement?.blur()")
    hidden = []
    for _ in range(6):
        page.press("TAB")
        hidden += page.run(
            "const e = document.activeElement; const s = getComputedStyle(e);"
            "const isSeen = s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2;"
            "return e === document.body || isSeen ? [] : [window.nameOf(e)]")
    return hidden
