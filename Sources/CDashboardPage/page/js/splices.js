/** Two edits of one text: each is one splice, and both are kept where they do not meet. */

/**
 * The smallest single splice that makes one text of another: `[start, end)` becomes `text`. It
 * never parts a character that is written as two units.
 */
export function splice(from, to) {
  const old = [...from];
  const wanted = [...to];
  let start = 0;
  while (start < old.length && start < wanted.length && old[start] === wanted[start]) start += 1;
  let tail = 0;
  while (tail < old.length - start && tail < wanted.length - start
    && old[old.length - 1 - tail] === wanted[wanted.length - 1 - tail]) tail += 1;
  return {
    start, end: old.length - tail, text: wanted.slice(start, wanted.length - tail).join('') };
}

/**
 * What comes out when both edits of `base` are kept; null when they change the same place.
 * @param {string} base @param {string} mine @param {string} theirs
 */
export function mergedText(base, mine, theirs) {
  if (theirs === base || mine === theirs) return mine;
  if (mine === base) return theirs;
  const [one, other] = [splice(base, mine), splice(base, theirs)];
  const isBefore = one.end < other.start || (one.end === other.start && one.end > one.start);
  const isAfter = other.end < one.start || (other.end === one.start && other.end > other.start);
  if (!isBefore && !isAfter) return null;
  const [first, second] = isBefore ? [one, other] : [other, one];
  const letters = [...base];
  return letters.slice(0, first.start).join('') + first.text
    + letters.slice(first.end, second.start).join('') + second.text
    + letters.slice(second.end).join('');
}
