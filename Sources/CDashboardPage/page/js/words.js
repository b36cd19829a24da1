/** Times, sizes and counts in words. Whatever is null is *not known*; `parts.js` shows that. */

const zone = undefined;  // the browser's
const timeOnly = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: zone });
const withSeconds = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: zone });
const dayAndTime = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const numbers = new Intl.NumberFormat('en-GB');

/** The time, with the day unless it is today's, and with the year unless it is this one. */
export function moment(milliseconds, now = Date.now()) {
  const date = new Date(milliseconds);
  const today = new Date(now);
  if (date.toDateString() === today.toDateString()) return timeOnly.format(date);
  if (date.getFullYear() === today.getFullYear()) return dayAndTime.format(date);
  return whole.format(date);
}

/** The time with its seconds: as of when a number holds. */
export function exactTime(milliseconds) {
  return withSeconds.format(new Date(milliseconds));
}

/** Day, time and seconds, for a title. */
export function fullMoment(milliseconds) {
  return whole.format(new Date(milliseconds));
}

/** A length of time in its two largest units. */
export function duration(milliseconds) {
  const seconds = Math.round(Math.abs(milliseconds) / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return count(Math.floor(hours / 24), 'day');
}

/** How long ago something was, said roughly. */
export function ago(milliseconds, now = Date.now()) {
  const passed = now - milliseconds;
  return passed < 5000 ? 'just now' : `${duration(passed)} ago`;
}

/** A number with its thousands parted. */
export function number(value) {
  return numbers.format(value);
}

/** `1 change`, `2 changes`. */
export function count(value, one, many = `${one}s`) {
  return `${numbers.format(value)} ${value === 1 || value === 1n ? one : many}`;
}

/** A size in the largest fitting unit. */
export function bytes(value) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  let rest = value;
  while (rest >= 1024 && unit < units.length - 1) {
    rest /= 1024;
    unit += 1;
  }
  const shown = unit === 0 || rest >= 100 ? Math.round(rest) : Math.round(rest * 10) / 10;
  return `${numbers.format(shown)} ${units[unit]}`;
}

/** Microseconds as milliseconds, with as many digits as say something. */
export function took(microseconds) {
  const milliseconds = microseconds / 1000;
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
}

/** `a`, `a and b`, `a, b and c`. */
export function list(words) {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
