/** A new record; in a log it is written once and for all. */

import { addressOf } from './addresses.js';
import { form, openDialog } from './dialog.js';
import { h } from './dom.js';
import { input, readInputs } from './inputs.js';
import { field as labelled } from './parts.js';
import { tellReceipt } from './receipts.js';
import { Wishes } from './wishes.js';

/** Forms that a new record is given at once; the others are edited once it is there. */
const atOnce = new Set(['single', 'members', 'several', 'amount', 'text']);

/** @param {object} collection */
export function openNewRecord(collection) {
  openDialog(`New record of ${collection.name}`, (dialog) => {
    const wishes = new Wishes();
    const isLog = collection.kind === 'log';
    const identifier = h('input', {
      id: 'new-identifier', autocomplete: 'off', required: true, maxlength: 64,
      value: crypto.randomUUID().slice(0, 13) });
    const controls = collection.columns.filter((one) => atOnce.has(one.form))
      .map((column) => input(column, null));
    dialog.show(form(dialog, [
      labelled('Identifier', identifier,
        'The record is known by it on every device, also to those that cannot read it.'),
      controls,
    ], isLog ? 'Write it for good' : 'Write it', async () => {
      const fields = readInputs(controls, true);
      const receipt = await wishes.call(isLog ? 'insert' : 'write', {
        collection: collection.name, record: identifier.value.trim(), fields });
      tellReceipt(receipt, 'Written.');
      dialog.close();
      location.hash = addressOf.record(collection.name, identifier.value.trim());
    }));
    dialog.body.querySelector('[data-column]')?.focus();
  });
}
