/** The trash of a collection: who deleted what, and the way back. */

import { addressOf } from './addresses.js';
import { call, intent } from './api.js';
import { h, paint } from './dom.js';
import { asOf, button, choice, empty, field, name, time } from './parts.js';
import { tellReceipt } from './receipts.js';
import { titleOf } from './schema.js';
import { list } from './words.js';

/** @param {Element} place @param {object} collection @param {Array} all */
export function openTrash(place, collection, all) {
  let read = null;

  async function readAll() {
    read = { ...await call('trash', { collection: collection.name }), at: Date.now() };
    draw();
  }

  async function restore(record) {
    tellReceipt(await call('undelete', {
      collection: collection.name, record: record.id, intent: intent() }),
    `${titleOf(record, collection)} is back.`);
    await readAll();
    place.querySelector('h1').focus();
  }

  function draw() {
    paint(place,
      h('div', { class: 'screen-head' },
        h('div', {}, h('h1', { tabindex: '-1' }, 'Trash'),
          h('p', { class: 'lead' }, asOf(read.at))),
        h('a', { class: 'button', href: addressOf.table(collection.name) }, 'Back to the records')),
      h('div', { class: 'row controls' }, field('Collection',
        choice(all.map((one) => one.name), collection.name, {
          id: 'collection',
          onchange: (event) => { location.hash = addressOf.trash(event.target.value); },
        }))),
      read.records.length === 0
        ? empty(`Nothing of ${collection.name} is in the trash. Deleted records wait here.`)
        : h('ul', { class: 'panel lines' }, read.records.map((record) => h('li', {
          class: 'split', 'data-key': record.id,
        },
        h('div', {}, h('p', {}, h('a', { href: addressOf.record(collection.name, record.id) },
          h('bdi', {}, titleOf(record, collection)))),
        h('p', { class: 'quiet' }, 'deleted ', time(record.deletedMilliseconds), ' by ',
          name(record.deviceName, 'a device'), record.editedAfter.length > 0
            ? `; edited after that: ${list(record.editedAfter)}` : '')),
        button('Bring it back', () => restore(record), {
          class: 'small', 'data-focus': `restore-${record.id}`,
          'aria-label': `Bring ${titleOf(record, collection)} back` })))),
      read.more ? h('p', { class: 'quiet' }, 'There are more than are shown here.') : null);
  }

  return {
    collection,
    isTrash: true,
    mark() {},
    focusBack() { place.querySelector('h1')?.focus(); },
    async show() {
      if (!read) await readAll();
    },
    async refresh(news) {
      const isMine = [...news.places].some((text) => JSON.parse(text)[0] === collection.name);
      if (news.all || isMine) await readAll();
    },
  };
}
