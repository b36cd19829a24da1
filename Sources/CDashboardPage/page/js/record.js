/** One record: its fields, each with its editor and the reason why it shows what it shows. */

import { addressOf } from './addresses.js';
import { call, intent } from './api.js';
import { form, openDialog } from './dialog.js';
import { h, paint } from './dom.js';
import { openEditor } from './editor.js';
import { asOf, button, chip, empty, identifier, section, time } from './parts.js';
import { tellReceipt } from './receipts.js';
import { columnsOf, kindWords, titleOf, valueIn } from './schema.js';
import { showValue } from './values.js';
import { explanation, timeline } from './why.js';
import { Wishes } from './wishes.js';

/** @param {Element} place @param {object} collection @param {string} id @param {Function} back */
export function openRecord(place, collection, id, back) {
  const key = { collection: collection.name, record: id };
  /** Explanations that are open, by field. */
  const open = new Map();
  let state = null;

  async function read() {
    const [{ record, deleted }, { changes }] = await Promise.all([
      call('get', key), call('history', { ...key, limit: 50 })]);
    state = { record, deleted, changes, at: Date.now() };
    for (const field of [...open.keys()]) open.set(field, await explain(field));
    draw();
  }

  const explain = (name) => explanation(collection, id,
    collection.fields.find((one) => one.name === name));

  async function toggle(name) {
    if (open.has(name)) open.delete(name);
    else open.set(name, await explain(name));
    draw();
  }

  function draw() {
    const { record, deleted, changes, at } = state;
    const shown = record ?? deleted;
    paint(place, h('article', { class: 'panel record', 'aria-labelledby': 'record-title' },
      h('div', { class: 'section-head' },
        h('div', {}, h('h2', { id: 'record-title', tabindex: '-1' },
          h('bdi', {}, shown ? titleOf(shown, collection) : id)),
        h('p', { class: 'quiet' }, `${collection.name} · `, identifier(id, 24), ' · ', asOf(at))),
        h('a', { class: 'button small', href: addressOf.table(collection.name),
          onclick: () => setTimeout(back) }, 'Close')),
      marks(record, deleted),
      shown ? h('ul', { class: 'fields' }, collection.fields.map((field) =>
        fieldRow(field, shown, Boolean(record)))) : empty(
        'There is no such record here: it was never written, or it has not come yet.'),
      h('div', { class: 'actions' },
        record && collection.delete !== 'neverDelete' ? button('Delete…', remove,
          { class: 'danger', 'data-focus': 'delete', id: 'delete-record' }) : null,
        deleted ? button('Bring it back', restore,
          { class: 'primary', 'data-focus': 'restore', id: 'restore-record' }) : null)),
    section('What happened', { class: 'panel' },
      timeline(changes, { collection, withFields: true,
        label: 'What was written to this record, newest first' }),
      changes.length === 50 ? h('p', { class: 'quiet' }, 'Older changes are not listed.') : null));
  }

  function marks(record, deleted) {
    return [
      deleted ? h('div', { class: 'notice warn' }, h('p', {}, 'It is in the trash: deleted ',
        time(deleted.deletedMilliseconds), ` by ${deleted.deviceName || 'a device'}`,
        deleted.editedAfter.length > 0
          ? `; edited after that: ${deleted.editedAfter.join(', ')}` : '', '.')) : null,
      record?.idCollision ? h('div', { class: 'notice warn' },
        h('p', {}, 'Two devices wrote different records under this identifier.')) : null,
      record?.standing === 'dangling' ? h('div', { class: 'notice' },
        h('p', {}, 'The record that it refers to has not come yet.')) : null,
      record?.standing === 'hidden' ? h('div', { class: 'notice' },
        h('p', {}, 'The record that it refers to is deleted.')) : null,
    ];
  }

  function fieldRow(field, record, isLive) {
    const columns = columnsOf(collection, field);
    const isConflict = record.conflicts?.includes(field.name);
    const canEdit = isLive && collection.kind !== 'log';
    const isOpen = open.has(field.name);
    return h('li', { class: 'field-row', 'data-key': `field-${field.name}` },
      h('div', { class: 'field-head' }, h('h3', {}, field.name),
        h('span', { class: 'kind', title: kindWords[field.kind] ?? '' }, field.kind),
        h('span', { class: 'field-buttons' },
          canEdit ? button('Edit', () => openEditor({ collection, field, id, record, read }), {
            class: 'small plain', 'data-focus': `edit-${field.name}`,
            'aria-label': `Edit ${field.name}` }) : null,
          button('Why', () => toggle(field.name), {
            class: 'small plain', 'data-focus': `why-${field.name}`,
            'aria-expanded': String(isOpen), 'aria-label': `Why ${field.name} shows this` }))),
      h('div', { class: 'field-value' }, columns.map((column) => h('div', {},
        columns.length > 1 ? h('span', { class: 'quiet' }, `${column.name}: `) : null,
        showValue(valueIn(record, column), column))),
      isConflict ? chip('warn', 'written at one time: edit it to settle') : null),
      isOpen ? open.get(field.name) : null);
  }

  function remove() {
    openDialog('Delete this record', (dialog) => {
      const wishes = new Wishes();
      dialog.show(form(dialog,
        [h('p', {}, 'It goes into the trash of every device, and can be brought back with all '
          + 'that it held.')],
        'Delete it', async () => {
          tellReceipt(await wishes.call('delete', key), 'It is in the trash.');
          dialog.close();
          await read();
        }, 'danger'));
    });
  }

  async function restore() {
    tellReceipt(await call('undelete', { ...key, intent: intent() }), 'It is back.');
    await read();
    place.querySelector('#record-title').focus();
  }

  return {
    id,
    collection,
    async show() {
      if (state) return;
      await read();
      place.querySelector('#record-title')?.focus({ preventScroll: true });
      if (matchMedia('(max-width: 68rem)').matches) place.scrollIntoView();
    },
    async refresh(news) {
      const mine = JSON.stringify([collection.name, id]);
      if (news.all || news.places.has(mine)) await read();
      else if (news.status && open.size > 0) await read();
    },
  };
}
