/** Removals and roles that were given, each with the receipts of the other devices. */

import { h } from './dom.js';
import { chip, name, section, time } from './parts.js';
import { list } from './words.js';

export function removalsPart(status) {
  const removals = status.removals;
  if (removals.length === 0) return null;
  const names = new Map(status.devices.map((one) => [one.device, one.name]));
  for (const one of removals) names.set(one.device, one.name);
  return section('Removals and roles', { class: 'panel' },
    h('ul', { class: 'lines' }, removals.map((one) => removal(one, names))));
}

function removal(one, names) {
  const called = (device) => names.get(device) || `device ${device.slice(0, 8)}`;
  const device = one.self ? 'This device' : name(one.name, called(one.device));
  const by = name(one.byName, called(one.by));
  const deed = one.role ? [device, ` was given the role ${one.role} by `, by]
    : one.device === one.by ? [device, ' left the group']
      : [device, ' was removed by ', by, one.reason ? ` (${one.reason})` : ''];
  const asked = one.holders.length + one.unheard.length;
  return h('li', { class: 'stack', 'data-key': `removal-${one.record}` },
    h('p', {}, deed, one.with.length > 0 ? `, with ${list(one.with.map(called))}` : '', ' ',
      one.stands ? null : chip('warn', 'it has no effect')),
    h('div', { class: 'receipt' },
      h('progress', {
        max: Math.max(asked, 1), value: one.holders.length,
        'aria-label': `Receipts: ${one.holders.length} of ${asked}`,
      }),
      h('ul', { class: 'receipts' },
        one.holders.map((holder) => h('li', {}, chip('good', called(holder.device)),
          h('span', { class: 'quiet' }, holder.record ? ' signed that it holds it'
            : holder.self ? ' is this device' : ' holds it, by word of a session'))),
        one.unheard.map((other) => h('li', {}, chip('quiet', called(other)),
          h('span', { class: 'quiet' }, ' is not known to have heard'))))),
    votes(one, called),
    one.wipe ? h('p', {}, one.wipe.obeyedMilliseconds === null
      ? ['It was asked to destroy itself at ', time(one.wipe.askedMilliseconds),
        '; it is not known that it did.']
      : ['It said at ', time(one.wipe.obeyedMilliseconds), ' that it destroys itself.']) : null);
}

function votes(one, called) {
  if (one.against.length === 0 && one.rivals.length === 0) return null;
  return h('p', {}, 'Votes: ', one.for.length > 0 ? `for it ${list(one.for.map(called))}` : '',
    one.against.length > 0 ? `; against it ${list(one.against.map(called))}` : '',
    one.silent.length > 0 ? `; not spoken yet ${list(one.silent.map(called))}` : '', '. ',
    h('span', { class: 'quiet' }, 'Change the vote of this device with “linnet vote”.'));
}
