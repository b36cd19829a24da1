/** The doses of the day, each with what can be done about it. */

import { call, expectRefusal, intent } from './api.js';
import { h } from './dom.js';
import { say } from './news.js';
import { button, chip, empty, name, notKnown, section } from './parts.js';

const looks = {
  due: ['accent', 'due now'], upcoming: ['quiet', 'later'], taken: ['good', 'taken'],
  late: ['good', 'taken late'], missed: ['bad', 'missed'], skipped: ['note', 'left out'],
  snoozed: ['note', 'put off'],
};

const deeds = { take: 'Taken', skip: 'Left out', snooze: 'Put off by ten minutes', undo: 'Taken back' };

/** What somebody did about a dose keeps the name that the medicine had then. */
const done = { taken: true, late: true, skipped: true };

/** Wishes under way, so that a second tap on one button is the same wish. */
const wishes = new Map();

/** Carries out a deed on a dose, once. */
async function act(deed, dose, again) {
  const key = `${deed} ${dose.dose} ${dose.status}`;
  if (wishes.has(key)) return;
  wishes.set(key, intent());
  try {
    const answer = await call(`med-${deed}`, {
      medication: dose.medication, scheduled: dose.isScheduled ? dose.scheduled : null,
      intent: wishes.get(key) });
    say(answer.changed ? `${deeds[deed]}: ${dose.name}.` : `${dose.name}: it was so before.`);
  } catch (error) {
    expectRefusal(error);
    say([error.message, error.remedy].filter(Boolean).join(' '));
  }
  wishes.delete(key);
  await again();
}

/** The buttons that fit what became of a dose. */
export function doseButtons(dose, again, prefix = '') {
  const which = `${dose.name} of ${dose.local.slice(-5)}`;
  const make = (deed, words, kind = '') => button(words, () => act(deed, dose, again), {
    class: `small ${kind}`, 'aria-label': `${words} ${which}`,
    'data-focus': `${prefix}${deed}-${dose.dose}` });
  switch (dose.status) {
    case 'taken': case 'late': case 'skipped': return [make('undo', 'Undo')];
    case 'snoozed': case 'due':
      return [make('take', 'Take', 'primary'), make('skip', 'Skip'), make('snooze', 'Later')];
    case 'missed': return [make('take', 'Take'), make('skip', 'Skip')];
    case 'upcoming': return [make('take', 'Take'), make('skip', 'Skip')];
    default: return [];
  }
}

export function dosesPart(today, again) {
  if (today.doses.length === 0) {
    return section('Doses', { class: 'panel' }, empty('Nothing is due today.'));
  }
  return section('Doses', { class: 'panel' }, h('ul', { class: 'doses' },
    today.doses.map((dose) => h('li', {
      class: `dose ${dose.status.replace(' ', '-')}`, 'data-key': dose.dose,
    },
    h('span', { class: 'dose-time' }, dose.isScheduled ? dose.local.slice(-5) : 'extra'),
    h('div', { class: 'dose-what' },
      h('p', { class: 'dose-name' }, name(dose.name), ' ',
        looks[dose.status] ? chip(...looks[dose.status]) : notKnown(dose.status)),
      h('p', { class: 'quiet' }, [dose.dosage, dose.form, dose.label].filter(Boolean).join(' · '),
        dose.takenAt ? ` · at ${clockOf(dose.takenAt, dose.zone)}` : '',
        dose.witnesses > 1 ? ` · ${dose.witnesses} witnesses` : '',
        dose.asRecorded || !done[dose.status] ? '' : ' · as named now')),
    h('div', { class: 'actions' }, doseButtons(dose, again))))));
}

function clockOf(text, timeZone) {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text
    : new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone }).format(date);
}
