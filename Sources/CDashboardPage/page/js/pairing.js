/** Pairing: a code and its picture on the page, then the question about the newcomer. */

import { call, expectRefusal } from './api.js';
import { openDialog } from './dialog.js';
import { h } from './dom.js';
import { say } from './news.js';
import { button, choice, command, field, name, refusal, time } from './parts.js';

/**
 * Opens the dialog.
 * @param {() => void} closed
 * @returns {{refresh: () => Promise<void>}}
 */
export function openPairing(status, closed) {
  let asked = false;
  let isOpen = true;
  const dialog = openDialog('Pair a device', () => {}, () => {
    isOpen = false;
    // An offer that nobody looks at any more would let in whoever knows its code.
    if (asked) call('pair-cancel').catch((error) => { expectRefusal(error); });
    closed();
  });

  const act = async (verb, members) => {
    try {
      draw(await call(verb, members));
    } catch (error) {
      expectRefusal(error);
      dialog.show(refusal(error, start));
    }
  };

  function start() {
    asked = false;
    const role = choice([['admin', 'admin: reads, writes, admits and removes'],
      ['member', 'member: reads and writes'], ['reader', 'reader: reads'],
      ['relay', 'relay: passes on what it cannot read']], 'admin', { id: 'pair-role' });
    dialog.show(h('form', {
      class: 'stack',
      'data-key': 'offer',
      onsubmit: (event) => {
        event.preventDefault();
        asked = true;
        act('pair', { role: role.value });
      },
    },
    h('p', {}, 'The new device types a code that is shown here, or reads its picture. The offer '
      + 'ends after two minutes, and with its first use.'),
    field('Role of the new device', role),
    h('div', { class: 'actions' }, h('button', { type: 'submit', class: 'primary' },
      'Show a code'))));
    role.focus();
  }

  function draw(pairing) {
    if (!isOpen) return;
    if (pairing.state === 'offered') dialog.show(offered(pairing));
    else if (pairing.state === 'newcomer') dialog.show(newcomer(pairing));
    else if (pairing.state === 'paired') {
      asked = false;
      say(`${pairing.name || 'A device'} is in the group.`);
      dialog.show(h('div', { class: 'notice good', 'data-key': 'paired' },
        h('p', {}, h('strong', {}, name(pairing.name), ' is in the group.')),
        h('p', {}, 'It gets what the group holds as soon as it connects.')),
      h('div', { class: 'actions' }, button('Done', dialog.close, { class: 'primary' })));
      dialog.body.querySelector('button').focus();
    } else if (asked) {
      asked = false;
      dialog.show(h('div', { class: 'notice warn', role: 'alert', 'data-key': 'ended' },
        h('p', {}, h('strong', {}, 'The pairing ended.')), h('p', {}, pairing.message ?? '')),
      h('div', { class: 'actions' }, button('Show another code', start, { class: 'primary' })));
    }
  }

  function offered(pairing) {
    return h('div', { class: 'offer', 'data-key': `offered-${pairing.code}` },
      h('img', {
        src: pairing.qr, width: 220, height: 220,
        class: 'qr', alt: 'The pairing address as a QR code',
      }),
      h('div', { class: 'stack' },
        h('div', {}, h('p', { class: 'quiet' }, 'Code'),
          h('p', { class: 'code', id: 'pair-code', 'aria-live': 'polite' }, pairing.code)),
        h('p', {}, 'On the new device: ', command(
          `linnet join --name NAME --code ${pairing.code.replace(/\D/g, '')}${
            pairing.listen ? ` --peer ${pairing.listen}` : ''}`)),
        h('p', { class: 'quiet' }, 'Valid until ', time(pairing.untilMilliseconds),
          pairing.triesLeft === null || pairing.triesLeft === undefined ? '.'
            : `; a wrong code was typed, ${pairing.triesLeft} more may be.`),
        h('details', {}, h('summary', {}, 'The address as a text'),
          h('p', { class: 'mono uri' }, pairing.uri)),
        h('div', { class: 'actions' }, button('Cancel the offer', () => act('pair-cancel')))));
  }

  function newcomer(pairing) {
    const decide = (accept) => () => act('pair-decide', { accept });
    return h('div', { class: 'stack', 'data-key': 'newcomer', role: 'alert' },
      h('p', {}, 'A device wants to join: ', h('strong', {}, name(pairing.name)),
        pairing.deviceKind ? ` (${pairing.deviceKind})` : '', '.'),
      h('p', {}, 'Its screen must show the same six words:'),
      h('ol', { class: 'words', id: 'pair-words' },
        pairing.fingerprint.map((word) => h('li', {}, word))),
      h('div', { class: 'actions' },
        button('They are the same: let it in', decide(true), { class: 'primary', id: 'pair-yes' }),
        button('Refuse it', decide(false), { class: 'danger', id: 'pair-no' })));
  }

  call('pairing').then((pairing) => {
    const underWay = pairing.state === 'offered' || pairing.state === 'newcomer';
    if (!underWay) return start();
    asked = true;
    return draw(pairing);
  }).catch((error) => {
    expectRefusal(error);
    dialog.show(refusal(error));
  });

  return {
    async refresh() {
      if (asked) draw(await call('pairing'));
    },
  };
}
