/** The records: a table of a collection, and beside it one record. */

import { h, paint } from './dom.js';
import { empty } from './parts.js';
import { openRecord } from './record.js';
import { collections } from './schema.js';
import { openTable } from './table.js';
import { openTrash } from './trash.js';

/** @param {Element} place */
export function openRecords(place) {
  const list = h('div', { class: 'record-list' });
  const side = h('div', { class: 'record-side' });
  let table = null;
  let record = null;

  async function show([name, id], query) {
    const all = await collections();
    if (all.length === 0) {
      table = null;
      paint(place, h('h1', {}, 'Records'), empty(
        'This device has no schema yet: it waits for the one of its group.',
        h('p', {}, 'It comes with the first exchange with another device. See Devices.')));
      return;
    }
    const collection = all.find((one) => one.name === name) ?? all[0];
    const isTrash = query.has('trash');
    if (!place.contains(list)) paint(place);
    place.append(list, side);
    if (table?.collection !== collection || table.isTrash !== isTrash) {
      paint(list);
      table = isTrash ? openTrash(list, collection, all) : openTable(list, collection, all);
    }
    place.classList.toggle('has-record', Boolean(id));
    table.mark(id ?? null);
    if (!id) {
      record = null;
      paint(side);
      if (!isTrash) side.append(hint());
    } else if (record?.id !== id || record.collection !== collection) {
      paint(side);
      record = openRecord(side, collection, id, () => table?.focusBack());
    }
    await Promise.all([table.show(), record?.show()]);
  }

  return {
    show,
    async refresh(news) {
      await Promise.all([table?.refresh(news), record?.refresh(news)]);
    },
  };
}

function hint() {
  return empty('Choose a record to see its fields, who wrote them, when, and what lost.');
}
