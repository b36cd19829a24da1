/** What happened when two devices came together again: field by field, and by which rule. */

import { h } from './dom.js';
import { chip, empty, section, time } from './parts.js';
import { columnsOf, kindWords, valueIn } from './schema.js';
import { historicValue, showValue } from './values.js';
import { timeline } from './why.js';
import { list } from './words.js';

/**
 * @param {{merging: object, sides: Array, collection: object, reasons: Map, same: boolean}} state
 */
export function mergedPart({ merging, sides, collection, reasons, same }) {
  const since = merging.cutMilliseconds;
  const title = merging.linked ? 'What happened' : 'What each does not know of the other';
  const attributes = { class: 'panel merged' };
  if (since === null) {
    return section(title, attributes,
      empty('Nothing yet: the link was not cut.'));
  }
  const changes = known(sides, since);
  const fields = collection.fields.filter((field) =>
    changes.some((change) => change.field === field.name));
  if (fields.length === 0) {
    return section(title, attributes, empty('Nobody changed the record since the link was cut at '
      + 'that time. Edit a field on either device.'));
  }
  return section(title, attributes,
    h('p', { class: 'quiet' }, 'Since the link was cut, ', time(since),
      merging.linked ? [', joined again ', time(merging.joinedMilliseconds), '. ',
        same ? 'Both show the same now.' : 'They are still exchanging.'] : '.'),
    h('ul', { class: 'merged-fields' }, fields.map((field) => fieldStory(field, {
      merging, collection, sides, reason: reasons.get(field.name),
      changes: changes.filter((change) => change.field === field.name) }))));
}

/** Every change since then that either device holds, newest first; each once. */
function known(sides, since) {
  const all = new Map();
  for (const { changes } of sides) {
    for (const change of changes) {
      if (change.writtenMilliseconds >= since) all.set(change.change, change);
    }
  }
  return [...all.values()].sort((one, other) =>
    other.writtenMilliseconds - one.writtenMilliseconds);
}

function fieldStory(field, { merging, collection, sides, reason, changes }) {
  const columns = columnsOf(collection, field);
  const value = (record) => h('span', { class: 'merged-value' }, columns.map((column) =>
    h('span', {}, columns.length > 1 ? h('span', { class: 'quiet' }, `${column.name} `) : null,
      showValue(record ? valueIn(record, column) : null, column), ' ')));
  const by = merging.devices.map((device) =>
    changes.filter((change) => change.device === device.device));
  return h('li', { class: 'merged-field', 'data-key': `merged-${field.name}` },
    h('div', { class: 'field-head' }, h('h3', {}, field.name),
      h('span', { class: 'kind' }, field.kind),
      h('span', { class: 'quiet' }, reason?.rule ?? kindWords[field.kind] ?? '')),
    h('dl', { class: 'merged-table' },
      cell('Before', value(merging.before[0])),
      merging.devices.map((device, side) => cell(`${device.name} wrote`,
        by[side].length === 0 ? h('span', { class: 'quiet' }, 'nothing')
          : by[side].map((change) => h('span', { class: 'merged-change' },
            deed(change, columns), ' ', merging.linked ? fateChip(change) : null)).reverse())),
      merging.linked ? cell('Now both show', value(sides[0].record))
        : merging.devices.map((device, side) => cell(`${device.name} shows`,
          value(sides[side].record)))),
    h('p', { class: 'merged-sentence' }, merging.linked
      ? sentence(field, columns, by, merging, sides[0].record)
      : apart(by, merging)),
    h('details', {}, h('summary', {}, 'History'),
      timeline(changes, { collection, label: `What was written to ${field.name}, newest first` })));
}

const cell = (term, ...value) => h('div', {}, h('dt', {}, term), h('dd', {}, value));

function fateChip(change) {
  return change.shows ? chip('good', 'shows') : chip('lost', 'lost, in the history');
}

function deed(change, columns) {
  const value = historicValue(change.value, columns);
  const words = {
    count: () => (value.startsWith('-') ? `− ${value.slice(1)}` : `+ ${value}`),
    recount: () => `counted anew: ${value}`, add: () => `added ${value}`,
    remove: () => `took out ${value}`, insertText: () => `wrote “${value}”`,
    deleteText: () => `deleted ${value} ${value === '1' ? 'character' : 'characters'}`,
  };
  return h('bdi', {}, (words[change.action] ?? (() => value))());
}

function apart(by, { devices }) {
  const writers = devices.filter((_, side) => by[side].length > 0).map((device) => device.name);
  if (writers.length === 2) return 'Both changed it apart. Join them to see what becomes of it.';
  const other = devices.find((device) => device.name !== writers[0])?.name;
  return `${writers[0]} changed it, and ${other} does not know yet.`;
}

/** What the rule made of both sides' changes, in a sentence. */
function sentence(field, columns, by, merging, record) {
  const names = merging.devices.map((device) => device.name);
  const writers = names.filter((_, side) => by[side].length > 0);
  const all = by.flat().sort((one, next) => one.writtenMilliseconds - next.writtenMilliseconds);
  const [form] = columns.map((column) => column.form);
  if (form === 'amount') return counted(columns[0], all, merging, record);
  if (writers.length === 1) return `Only ${writers[0]} changed it: there was nothing to decide.`;
  if (form === 'elements') return elements(by, names, columns);
  if (form === 'text') {
    return 'What both wrote stands in the text, each where it was written: nothing was '
      + 'overwritten.';
  }
  if (form === 'several') {
    return 'Both values stand side by side, since neither writer knew of the other’s. Whoever '
      + 'edits the field next settles it.';
  }
  const winner = all.find((change) => change.shows);
  const losers = all.filter((change) => !change.shows);
  const extreme = { max: 'the largest value stays', min: 'the smallest value stays' }[field.kind];
  if (!winner) return 'What stood there before stays.';
  return [`${winner.deviceName} has it, since `, extreme ?? 'the later change wins', '. ',
    losers.length === 0 ? null : [list(losers.map((change) =>
      `“${historicValue(change.value, columns)}” of ${change.deviceName}`)),
    ' lost, and stays in the history.']];
}

function counted(column, all, { before }, record) {
  const words = (value) => historicValue(value ?? '0', [column]);
  const start = words(before[0] ? valueIn(before[0], column) : null);
  const counts = all.filter((change) => change.action === 'count');
  const now = words(valueIn(record, column));
  if (counts.length < all.length) {
    return `It was counted anew, which stands for all that its writer had seen; counts that it had `
      + `not seen still add up: ${now}.`;
  }
  const sum = counts.map((change) => words(change.value))
    .map((one) => (one.startsWith('-') ? `− ${one.slice(1)}` : `+ ${one}`)).join(' ');
  return `${start} ${sum} = ${now}: every count is kept, each once, under a key of its own.`;
}

function elements(by, names, columns) {
  const parts = names.map((who, side) => {
    const of = (action) => by[side].filter((change) => change.action === action)
      .map((change) => historicValue(change.value, columns)).reverse();
    const words = [['added', of('add')], ['took out', of('remove')]]
      .filter(([, elementsOf]) => elementsOf.length > 0)
      .map(([word, elementsOf]) => `${word} ${list(elementsOf)}`);
    return words.length === 0 ? null : `${who} ${words.join(' and ')}`;
  }).filter(Boolean);
  return `${parts.join('; ')}. All of it counts; an element that one added and the other took out `
    + 'apart stays.';
}
