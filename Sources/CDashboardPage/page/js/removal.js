/** Taking a device out of the group: first what that means, then the deed. */

import { call, expectRefusal } from './api.js';
import { form, openDialog } from './dialog.js';
import { h } from './dom.js';
import { say } from './news.js';
import { choice, facts, field, name, refusal } from './parts.js';
import { count, list } from './words.js';

const reasons = [['lost', 'It is lost'], ['sold', 'It is sold or given away'],
  ['broken', 'It is broken'], ['mine', 'It is mine and no longer needed']];

/** @param {object} device of `status` @param {() => void} again called when it is done */
export function openRemoval(device, again) {
  const title = `Remove ${device.name || 'a device'}`;
  openDialog(title, async (dialog) => {
    dialog.show(h('p', { class: 'quiet' }, 'Looking at what this would do…'));
    try {
      const plan = await call('removal-plan', { device: device.device });
      dialog.show(content(dialog, device, plan, again));
    } catch (error) {
      expectRefusal(error);
      dialog.show(refusal(error));
    }
  });
}

function content(dialog, device, plan, again) {
  const reason = choice(reasons, 'lost', { id: 'remove-reason' });
  const wipe = h('input', { type: 'checkbox', id: 'remove-wipe' });
  const helpers = plan.helpers.map((one) => ({
    box: h('input', { type: 'checkbox', id: `with-${one.device}` }), device: one }));
  return form(dialog, [
    h('p', {}, 'Nothing has changed yet. This is what a removal does:'),
    facts([
      ['The others', 'get new keys. What ', name(plan.name), ' writes from now on counts nowhere.'],
      ['It keeps', `what it has read: ${count(plan.batchesReadable, 'batch', 'batches')} are `
        + `readable with the ${count(plan.keysHeld, 'key')} that it holds. Nobody can take that `
        + 'back.'],
      ['It wrote', `${count(plan.batchesKept, 'batch', 'batches')}, which stay and count.`],
      plan.lateBatches > 0 ? ['Too late', `${count(plan.lateBatches, 'batch', 'batches')} of it `
        + 'would not count any more.'] : null,
      ['Not told yet', plan.unheard.length === 0 ? 'nobody: every other device is connected'
        : `${list(plan.unheard.map((one) => one.name || one.device.slice(0, 8)))} will hear of `
          + 'it at the next connection.'],
    ]),
    field('Reason', reason),
    helpers.length === 0 ? null : h('fieldset', { class: 'stack' },
      h('legend', {}, 'Only this device let them in: take them out, too?'),
      helpers.map(({ box, device: one }) => h('div', { class: 'check' }, box,
        h('label', { for: box.id }, name(one.name))))),
    h('div', { class: 'check' }, wipe, h('label', { for: 'remove-wipe' },
      'Ask it to destroy its copy. That is a courtesy: it may never hear of it.')),
  ], `Remove ${plan.name || 'it'}`, async () => {
    await call('remove', {
      device: device.device, reason: reason.value, wipe: wipe.checked,
      with: helpers.filter(({ box }) => box.checked).map(({ device: one }) => one.device) });
    dialog.close();
    say(`${plan.name || 'The device'} is out of the group. Receipts come in below.`);
    again();
  }, 'danger');
}
