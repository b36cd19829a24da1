/** Giving this device another name. */

import { call } from './api.js';
import { form, openDialog } from './dialog.js';
import { h } from './dom.js';
import { say } from './news.js';
import { field } from './parts.js';

/** @param {object} device of `status` @param {() => void} again called when it is done */
export function openRename(device, again) {
  openDialog('Rename this device', (dialog) => {
    const input = h('input', { value: device.name, required: true, autocomplete: 'off' });
    dialog.show(form(dialog,
      [field('Name', input, 'Every device of the group shows it.')],
      'Rename', async () => {
        await call('rename', { name: input.value });
        dialog.close();
        say('The device has its new name.');
        again();
      }));
    input.select();
  });
}
