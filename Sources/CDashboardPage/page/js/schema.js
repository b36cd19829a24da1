/** The collections of the home, as the verb `schema` gives them. */

import { call } from './api.js';

let schema = null;

/** Reads the schema again. */
export async function readSchema() {
  schema = await call('schema');
  return schema;
}

/** The collections; read once. */
export async function collections() {
  return (schema ?? await readSchema()).collections;
}

/** Whether this home keeps medicines. */
export async function hasMedicines() {
  const names = (await collections()).map((one) => one.name);
  return names.includes('medication') && names.includes('doseEvent');
}

/** What a record shows in a column; undefined when it has no value there. */
export function valueIn(record, column) {
  const fields = record.fields;
  if (column.form !== 'members') return fields[column.name];
  return fields[column.field]?.[column.name];
}

/** The column by which people know a record: its name or title, else the first text, else none. */
export function headingColumn({ columns }) {
  return columns.find((one) => one.name === 'name' || one.name === 'title')
    ?? columns.find((one) => one.type === 'text' && one.form === 'single') ?? null;
}

/** A record's name for people: what stands in its heading, else its identifier. */
export function titleOf(record, collection) {
  const column = headingColumn(collection);
  const value = column ? valueIn(record, column) : null;
  const text = Array.isArray(value) ? value.join(' | ') : value;
  return text === null || text === undefined || text === '' ? record.id : String(text);
}

/** The columns of a field. */
export function columnsOf(collection, field) {
  return collection.columns.filter((one) => one.field === field.name);
}

/** Forms by which a table can be sorted. */
export const sortable = new Set(['single', 'members', 'amount', 'place']);

/** What each kind of field does when two devices change it at one time. */
export const kindWords = {
  lww: 'the latest change wins',
  group: 'changes together; the latest wins',
  mv: 'values written at one time stand side by side',
  tally: 'a number that is counted; every count adds up',
  set: 'elements; adding wins over removing',
  text: 'written together, character by character',
  order: 'a place among the records',
  max: 'keeps the largest value',
  min: 'keeps the smallest value',
};
