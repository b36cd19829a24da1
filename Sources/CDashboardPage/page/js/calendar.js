/** Adherence as a calendar: weeks are rows, and every day says its numbers. */

import { h } from './dom.js';
import { facts, known, notKnown, section } from './parts.js';
import { count } from './words.js';

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const dayOf = (text) => new Date(`${text}T00:00:00Z`);
const monthAndDay = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric', month: 'short', timeZone: 'UTC' });

/** @param {object} adherence of `med-adherence` @param {string} today the day that goes on */
export function calendarPart(adherence, today) {
  const { rateThousandths: rate, streakDays, streakIsWhole } = adherence;
  return section('Adherence', { class: 'panel' },
    facts([
      ['Rate', known(rate, (thousandths) => `${(thousandths / 10).toFixed(1)} %`,
        'nothing was due yet'), h('span', { class: 'quiet' },
        ` · ${adherence.taken} of ${adherence.total} taken, ${adherence.late} late, ${
          adherence.missed} missed, ${adherence.skipped} left out`)],
      ['Streak', streakIsWhole ? count(streakDays, 'day') : `at least ${count(streakDays, 'day')}`],
      adherence.knownSince ? ['Known since', adherence.knownSince] : null,
    ]),
    h('table', { class: 'calendar' },
      h('caption', { class: 'hidden' }, 'Doses taken of doses due, by day'),
      h('thead', {}, h('tr', {}, weekdays.map((day) => h('th', { scope: 'col' }, day)))),
      h('tbody', {}, weeks(adherence.calendar).map((week) => h('tr', {}, week.map((day) => cell(day, today)))))),
    h('p', { class: 'legend quiet' }, h('span', { class: 'key all' }, '✓ all taken'),
      h('span', { class: 'key some' }, '◐ some'), h('span', { class: 'key none' }, '✕ none'),
    h('span', { class: 'key' }, '◔ today, so far'),
      h('span', { class: 'key' }, '– nothing due'), notKnown()));
}

/** The days in rows of seven from Monday on, with null where there is none. */
function weeks(days) {
  if (days.length === 0) return [];
  const sorted = [...days].sort((one, other) => (one.day < other.day ? -1 : 1));
  const lead = (dayOf(sorted[0].day).getUTCDay() + 6) % 7;
  const cells = [...Array(lead).fill(null), ...sorted];
  while (cells.length % 7 !== 0) cells.push(null);
  return Array.from({ length: cells.length / 7 }, (_, row) => cells.slice(row * 7, row * 7 + 7));
}

function cell(day, today) {
  if (!day) return h('td', { class: 'outside' });
  const unknown = day.notKnown === true || day.notKnown > 0 || day.due === null;
  const [kind, sign] = unknown ? ['unknown-day', '?'] : day.due === 0 ? ['quiet', '–']
    : day.taken >= day.due ? ['all', '✓'] : day.day === today ? ['now', '◔'] : day.taken === 0 ? ['none', '✕'] : ['some', '◐'];
  const words = unknown ? 'not known'
    : `${day.taken} of ${day.due} taken${kind === 'now' ? ' so far' : ''}`;
  return h('td', { class: kind, title: `${day.day}: ${words}` },
    h('span', { class: 'day' }, monthAndDay.format(dayOf(day.day))),
    h('span', { class: 'day-sign', 'aria-hidden': 'true' }, sign),
    h('span', { class: 'day-count' }, unknown ? h('span', { class: 'hidden' }, 'not known')
      : day.due === 0 ? '' : `${day.taken}/${day.due}`));
}
