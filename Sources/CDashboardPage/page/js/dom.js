/**
 * Building nodes and bringing what stands on the page in line with them.
 *
 * Nothing here parses markup: whatever comes from a record, a device or an error becomes a text
 * node or the value of an attribute.
 */

const svgSpace = 'http://www.w3.org/2000/svg';

/** Handlers that `paint` carries over to the element that stays. */
const handlers = [
  'onclick', 'onsubmit', 'onchange', 'oninput', 'onkeydown', 'ontoggle', 'onfocus', 'onblur'];

/**
 * An element.
 * @param {string} name such as `p`, or `svg:path` for a part of a picture
 * @param {Object<string, *>} [attributes] `on…` are handlers; null, undefined and false are left out
 * @param {...(Node|string|number|null|Array)} children
 * @returns {Element}
 */
export function h(name, attributes = {}, ...children) {
  const element = name.startsWith('svg:')
    ? document.createElementNS(svgSpace, name.slice(4)) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) element[key] = value;
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...flat(children));
  return element;
}

/** The nodes and texts of nested lists, without what is nothing. */
function flat(children) {
  return children.flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}

/**
 * Makes the children of `place` look like `children`. Elements that stay the same thing stay the
 * same element, so that focus, selection, scrolling and opened details outlive news.
 */
export function paint(place, ...children) {
  const wanted = document.createDocumentFragment();
  wanted.append(...flat(children));
  alignChildren(place, wanted);
}

/** What makes two elements the same thing: a name of its own, else its place and its tag. */
function keyOf(node) {
  return node.nodeType === Node.ELEMENT_NODE ? node.dataset?.key ?? (node.id || null) : null;
}

function alignChildren(place, wanted) {
  const named = new Map();
  for (const child of place.children) {
    const key = keyOf(child);
    if (key !== null) named.set(key, child);
  }
  let here = place.firstChild;
  for (const node of [...wanted.childNodes]) {
    const key = keyOf(node);
    let match = key === null ? null : named.get(key) ?? null;
    if (key === null && here && keyOf(here) === null && isAlike(here, node)) match = here;
    if (match && !isAlike(match, node)) match = null;
    if (!match) {
      place.insertBefore(node, here);
      continue;
    }
    if (match === here) here = here.nextSibling;
    else place.insertBefore(match, here);
    align(match, node);
  }
  while (here) {
    const next = here.nextSibling;
    here.remove();
    here = next;
  }
}

function isAlike(one, other) {
  return one.nodeType === other.nodeType && one.nodeName === other.nodeName;
}

function align(old, wanted) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== wanted.nodeValue) old.nodeValue = wanted.nodeValue;
    return;
  }
  alignAttributes(old, wanted);
  for (const name of handlers) old[name] = wanted[name];
  // Whoever types here keeps what was typed.
  if (old.nodeName === 'TEXTAREA' || old.dataset.typing !== undefined) return;
  alignChildren(old, wanted);
  if (old.nodeName === 'SELECT' && old !== document.activeElement) old.value = wanted.value;
}

function alignAttributes(old, wanted) {
  const stays = old.nodeName === 'DETAILS' ? ['open'] : [];
  for (const { name } of [...old.attributes]) {
    if (!wanted.hasAttribute(name) && !stays.includes(name)) old.removeAttribute(name);
  }
  for (const { name, value } of wanted.attributes) {
    if (stays.includes(name) || old.getAttribute(name) === value) continue;
    old.setAttribute(name, value);
  }
}
