/** Controls for the types of values. */

import { h } from './dom.js';
import { choice, field as labelled } from './parts.js';

/** A labelled control for a column, which shows `value` when it has one. */
export function input(column, value, attributes = {}) {
  const control = controlFor(column, value, attributes);
  control.dataset.column = column.name;
  control.id = `value-${column.name}`;
  control.dataset.before = control.value;
  const element = labelled(column.name, control, noteFor(column));
  return element;
}

function controlFor(column, value, attributes) {
  const text = value === undefined || value === null ? '' : String(value);
  if (column.type === 'bool') {
    return choice([['', 'not set'], ['true', 'yes'], ['false', 'no']], text, attributes);
  }
  if (column.type === 'choice') {
    const choices = [...column.choices];
    // A word of another version stays what it is until somebody chooses.
    if (text !== '' && !choices.includes(text)) choices.unshift(text);
    return choice([['', 'not set'], ...choices], text, attributes);
  }
  const kinds = { date: { type: 'date' }, int: { inputmode: 'numeric' },
    decimal: { inputmode: 'decimal' }, double: { inputmode: 'decimal' } };
  if (column.form === 'text') {
    const area = h('textarea', { rows: 4, ...attributes });
    area.value = text;
    return area;
  }
  return h('input', { autocomplete: 'off', ...kinds[column.type], ...attributes, value: text });
}

function noteFor(column) {
  if (['bool', 'choice', 'date'].includes(column.type)) return null;
  if (column.type === 'reference') return `The identifier of a record of ${column.refersTo}.`;
  return column.type === 'text' ? null : `It takes ${column.allowed}.`;
}

/**
 * What changed in labelled controls, as the member `fields` of a write.
 * @param {Element[]} elements as `input` made them
 * @param {boolean} [all] also what was not touched, where it has a value
 */
export function readInputs(elements, all = false) {
  const fields = {};
  for (const element of elements) {
    const control = element.querySelector('[data-column]');
    const { column, before } = control.dataset;
    if (control.value === before && !(all && control.value !== '')) continue;
    fields[column] = control.value === '' ? null : control.value;
  }
  return fields;
}
