/** News for people: a line that is also read aloud, and goes by itself. */

const place = document.getElementById('news');
const seconds = 8;

/** @param {string} sentence */
export function say(sentence) {
  const line = document.createElement('p');
  line.textContent = sentence;
  place.append(line);
  setTimeout(() => line.remove(), seconds * 1000);
}
