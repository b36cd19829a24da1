/** Why a field shows what it shows, and what was written to it: a line of time. */

import { call } from './api.js';
import { h } from './dom.js';
import { chip, empty, facts, name, notKnown, time } from './parts.js';
import { columnsOf } from './schema.js';
import { historicValue, showValue } from './values.js';
import { fullMoment } from './words.js';

const actions = {
  unknown: () => 'was changed by a newer version', set: (value) => value,
  count: (value, key) => `counted ${value}${key ? ` under ${key}` : ''}`,
  recount: (value) => `counted anew: ${value}`, add: (value) => `added ${value}`,
  remove: (value) => `took out ${value}`, insertText: (value) => `wrote “${value}”`,
  deleteText: () => 'deleted characters', move: () => 'moved it',
  insert: (value) => `written: ${value}`, delete: () => 'deleted the record',
  restore: () => 'brought the record back',
};

/** The explanation of one field, to stand below it. */
export async function explanation(collection, record, field) {
  const members = { collection: collection.name, record };
  const [why, { changes }] = await Promise.all([
    call('why', { ...members, field: field.name }),
    call('history', { ...members, field: field.name, limit: 50 })]);
  const columns = columnsOf(collection, field);
  return h('div', { class: 'why stack' },
    facts([
      ['Rule', why.rule],
      ['Shows', why.winners.length === 0 ? 'nothing that was written'
        : showValue(why.value, columns.length === 1 ? columns[0] : null)],
      ['Who has it', h('ul', { class: 'holders' }, why.holders.map(holder))],
    ]),
    why.waiting.length === 0 ? null : h('div', { class: 'notice warn' },
      why.waiting.map((sentence) => h('p', {}, sentence))),
    timeline(changes, { collection, label: `What was written to ${field.name}, newest first` }));
}

function holder(one) {
  const words = { holds: ['good', 'has it'], lacks: ['lost', 'lacks it'] }[one.holding];
  return h('li', {}, name(one.name, 'a device'), ' ',
    words ? chip(words[0], words[1]) : notKnown());
}

/**
 * Changes as a line of time.
 * @param {Array} changes of the verb `history`, newest first
 * @param {{collection: object, label: string, withFields?: boolean}} around
 */
export function timeline(changes, { collection, label, withFields = false }) {
  if (changes.length === 0) {
    return empty('Nothing was ever written here, as far as this device holds it.');
  }
  return h('ol', { class: 'timeline', 'aria-label': label }, changes.map((change) =>
    h('li', { class: change.shows ? 'shows' : /^waits/.test(change.fate) ? 'waits' : 'lost' },
      h('span', { class: 'dot', 'aria-hidden': 'true' },
        change.shows ? '●' : /^waits/.test(change.fate) ? '◌' : '╳'),
      h('div', { class: 'line-head' },
        h('span', { class: 'when' }, time(change.writtenMilliseconds)),
        h('strong', {}, name(change.deviceName, 'a device')),
        change.broughtBy ? h('span', { class: 'quiet' }, 'of another group') : null,
        withFields && change.field ? h('span', { class: 'quiet' }, change.field) : null,
        change.timeBelieved ? null : chip('warn', 'its clock was not believed')),
      h('div', { class: 'value' }, what(change, collection)),
      h('div', { class: 'fate' }, fate(change, changes)))));
}

function what(change, collection) {
  const columns = collection.columns.filter((one) => one.field === change.field);
  const value = historicValue(change.value, columns);
  return (actions[change.action] ?? ((text) => `${change.action} ${text}`))(value, change.key);
}

/** What became of a change: where it lost to one that stands in the same list, to which. */
function fate(change, changes) {
  if (change.shows) return 'shows';
  const winner = changes.find((one) => change.fate === `lost to ${one.change}`);
  if (winner) {
    return h('span', { title: change.fate }, 'lost to what ', name(winner.deviceName, 'a device'),
      ' wrote, ', time(winner.writtenMilliseconds, fullMoment));
  }
  const stamped = change.stampMilliseconds === change.writtenMilliseconds ? ''
    : `; it counts as written ${fullMoment(change.stampMilliseconds)}`;
  return `${change.fate}${stamped}`;
}
