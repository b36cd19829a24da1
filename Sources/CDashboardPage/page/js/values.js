/** Values of fields, as people read them. */

import { addressOf } from './addresses.js';
import { h } from './dom.js';
import { number } from './words.js';

/** @param {*} value of a column, @param {object} column of the schema */
export function showValue(value, column) {
  if (value === undefined || value === null || value === '') return nothing();
  if (Array.isArray(value)) {
    if (value.length === 0) return nothing();
    const several = column?.form === 'several' && value.length > 1;
    return h('span', { class: several ? 'several' : 'elements' }, value.map((one) =>
      h('span', { class: 'element' }, plain(one))));
  }
  if (typeof value === 'object') return members(value);
  return plain(value, column);
}

/** No value has a look of its own, too. */
function nothing() {
  return h('span', { class: 'nothing' }, h('span', { 'aria-hidden': 'true' }, '–'),
    h('span', { class: 'hidden' }, 'no value'));
}

function plain(value, column) {
  if (value === true || value === 'true' && column?.type === 'bool') return 'yes';
  if (value === false || value === 'false' && column?.type === 'bool') return 'no';
  if (typeof value === 'object' && value !== null) return members(value);
  if (column?.type === 'reference' && column.refersTo) {
    return h('a', { href: addressOf.record(column.refersTo, String(value)) },
      h('bdi', {}, String(value)));
  }
  if (isWhole(value, column)) return number(Number(value));
  return h('bdi', {}, String(value));
}

function members(value) {
  return h('span', { class: 'members' }, Object.entries(value).map(([key, part]) =>
    h('span', { class: 'element' }, h('span', { class: 'quiet' }, `${key} `), plain(part))));
}

/** A whole number is grouped wherever it stands, so that it looks the same everywhere. */
const isWhole = (value, column) => column?.type === 'int' && /^-?\d{1,15}$/.test(value);

/** A value of the history, where its column is not known: a group comes as a list. */
export function historicValue(value, columns) {
  if (Array.isArray(value) && columns?.[0]?.form === 'members') {
    return value.filter((part) => part !== null && part !== undefined).map(String).join(' ');
  }
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (value !== null && typeof value === 'object') return JSON.stringify(value);
  if (value === null || value === undefined) return 'nothing';
  return columns?.length === 1 && isWhole(value, columns[0]) ? number(Number(value)) : String(value);
}
