/** The editor of a field, by its form: what each kind of field can be told. */

import { ApiError, call, expectRefusal } from './api.js';
import { form, openDialog } from './dialog.js';
import { h, paint } from './dom.js';
import { input, readInputs } from './inputs.js';
import { button, choice, field as labelled } from './parts.js';
import { tellReceipt } from './receipts.js';
import { columnsOf, kindWords, titleOf, valueIn } from './schema.js';
import { mergedText } from './splices.js';
import { Wishes } from './wishes.js';

/**
 * `ask` carries verbs out where the record is: this device, unless it is another's.
 * @typedef {{collection: object, field: object, id: string, record: object,
 *   read: () => Promise<void>, ask?: typeof call, of?: string, wishes: Wishes}} Task
 */

/** @param {Task} given all but the wishes, which are new with each dialog */
export function openEditor(given) {
  const ask = given.ask ?? call;
  const task = { ...given, ask, wishes: new Wishes(ask) };
  const { field } = task;
  openDialog(`Edit ${field.name}${given.of ? ` on ${given.of}` : ''}`, (dialog) => {
    const [column] = columnsOf(task.collection, field);
    const editors = { amount, elements, text, place };
    (editors[column.form] ?? values)(dialog, task);
  });
}

const rule = (field) => h('p', { class: 'quiet' }, `${field.kind}: ${kindWords[field.kind] ?? ''}.`);

/** Writes and closes; a write that does not show stays open with the reason. */
async function write(dialog, task, fields) {
  const receipt = await task.wishes.call('write', {
    collection: task.collection.name, record: task.id, fields });
  await task.read();
  tellReceipt(receipt, 'Saved.');
  dialog.close();
}

/** Single values, members of a group, and values that stand side by side. */
function values(dialog, task) {
  const columns = columnsOf(task.collection, task.field);
  const controls = columns.map((column) => {
    const value = valueIn(task.record, column);
    return input(column, Array.isArray(value) ? value[0] : value);
  });
  const several = columns.length === 1 ? valueIn(task.record, columns[0]) : null;
  dialog.show(form(dialog, [
    rule(task.field),
    Array.isArray(several) && several.length > 1 ? h('div', { class: 'notice warn' },
      h('p', {}, `Written at one time: ${several.join(' | ')}.`),
      h('p', {}, 'What you save takes the place of all of them.')) : null,
    controls,
  ], 'Save', () => write(dialog, task, readInputs(controls))));
  dialog.body.querySelector('input, select, textarea')?.focus();
}

/** A number that is counted: add to it, or say how many there are. */
function amount(dialog, task) {
  const { name } = task.field;
  const by = h('input', { id: 'count-by', inputmode: 'decimal', value: '1', required: true });
  const total = h('input', { id: 'count-total', inputmode: 'decimal' });
  const now = valueIn(task.record, columnsOf(task.collection, task.field)[0]) ?? '0';
  const count = (sign) => async () => {
    const amountText = by.value.trim();
    const signed = sign < 0 ? (amountText.startsWith('-') ? amountText.slice(1)
      : `-${amountText}`) : amountText;
    await write(dialog, task, { [name]: { add: signed } });
  };
  const trouble = h('div', {});
  const guarded = (work) => async () => {
    paint(trouble);
    try {
      await work();
    } catch (error) {
      expectRefusal(error);
      paint(trouble, h('div', { class: 'notice bad', role: 'alert' },
        h('p', {}, h('strong', {}, error.message)), error.remedy ? h('p', {}, error.remedy) : null));
    }
  };
  dialog.show(rule(task.field), h('p', {}, 'There are ', h('strong', {}, String(now)), '.'),
    h('div', { class: 'row' }, labelled('How many', by),
      button('Add', guarded(count(1)), { class: 'primary', id: 'count-add' }),
      button('Take away', guarded(count(-1)), { id: 'count-take' })),
    h('div', { class: 'row' }, labelled('Or count anew: there are', total),
      button('Set', guarded(() => write(dialog, task, { [name]: total.value.trim() })),
        { id: 'count-set' })),
    trouble);
  by.focus();
  by.select();
}

/** Elements of a set: what is added and what is taken out. */
function elements(dialog, task) {
  const { name } = task.field;
  const [column] = columnsOf(task.collection, task.field);
  const before = (valueIn(task.record, column) ?? []).map(String);
  const boxes = before.map((element, index) => ({
    element, box: h('input', { type: 'checkbox', id: `element-${index}`, checked: true }) }));
  const added = h('textarea', { id: 'elements-added', rows: 3 });
  dialog.show(form(dialog, [
    rule(task.field),
    boxes.length === 0 ? h('p', { class: 'quiet' }, 'It has no elements yet.')
      : h('fieldset', { class: 'stack' }, h('legend', {}, 'Elements that stay'),
        boxes.map(({ element, box }) => h('div', { class: 'check' }, box,
          h('label', { for: box.id }, h('bdi', {}, element))))),
    labelled('New elements', added, 'One a line.'),
  ], 'Save', () => {
    const add = added.value.split('\n').map((line) => line.trim()).filter(Boolean);
    const remove = boxes.filter(({ box }) => !box.checked).map(({ element }) => element);
    return write(dialog, task, { [name]: { add, remove } });
  }));
  added.focus();
}

/** A text: what others wrote meanwhile stays, wherever it is not the same place. */
function text(dialog, task) {
  const { name } = task.field;
  const [column] = columnsOf(task.collection, task.field);
  let base = valueIn(task.record, column) ?? '';
  const area = h('textarea', { id: 'text-value', rows: 10 });
  area.value = base;
  dialog.show(form(dialog, [rule(task.field), labelled('Text', area)], 'Save', async () => {
    const { record } = await task.ask('get', { collection: task.collection.name, record: task.id });
    const theirs = record ? valueIn(record, column) ?? '' : '';
    const merged = mergedText(base, area.value, theirs);
    base = theirs;
    if (merged === null) {
      const mine = area.value;
      area.value = theirs;
      throw new ApiError('changed', 'Somebody changed the same place meanwhile. The text now shows '
        + 'theirs.', `Yours was: ${mine}`);
    }
    await write(dialog, task, { [name]: merged });
  }));
  area.focus();
}

/** A place among the records. */
async function place(dialog, task) {
  const { collection, field, id } = task;
  const { records } = await task.ask('query', {
    collection: collection.name, sort: [field.name], limit: 1000 });
  const others = records.filter((one) => one.id !== id);
  const where = choice([['first', 'at the beginning'], ['last', 'at the end'],
    ...others.map((one) => [`after:${one.id}`, `after ${titleOf(one, collection)}`])], 'last',
  { id: 'place-where' });
  dialog.show(form(dialog, [rule(field), labelled('Where it stands', where)], 'Move', async () => {
    const [word, ...rest] = where.value.split(':');
    const target = word === 'after' ? { after: rest.join(':') } : { [word]: true };
    const receipt = await task.wishes.call('move', {
      collection: collection.name, record: id, field: field.name, ...target });
    await task.read();
    tellReceipt(receipt, 'Moved.');
    dialog.close();
  }));
  where.focus();
}
