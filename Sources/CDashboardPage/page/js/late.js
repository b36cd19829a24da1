/** Late writes: what came of a device after it was taken out, and counts nowhere. */

import { call } from './api.js';
import { h } from './dom.js';
import { say } from './news.js';
import { button, known, name, section, time } from './parts.js';
import { count } from './words.js';

export function lateParts(late, again) {
  if (late.length === 0) return null;
  return section('Late writes', { class: 'panel' },
    h('p', { class: 'quiet' }, 'They came here after their device was removed or became a reader,'
      + ' and count nowhere. The times are those that the device claims.'),
    h('ul', { class: 'lines' }, late.map((one) => line(one, again))));
}

function line(one, again) {
  const choose = (accept) => async () => {
    const { batches } = await call('late-choose', {
      device: one.device, chain: one.chain, through: one.last, accept });
    say(`${count(batches, 'batch', 'batches')} ${accept ? 'accepted: they count on every device.'
      : 'dropped: they stay in the log and are listed no more.'}`);
    again();
  };
  const key = `late-${one.device}-${one.chain}-${one.first}`;
  return h('li', { class: 'stack', 'data-key': key },
    h('p', {}, name(one.name), `: ${count(one.changes, 'change')} in batches ${one.first} to ${
      one.last}, written `, known(one.earliestMilliseconds, time), ' to ',
    known(one.latestMilliseconds, time), one.unreadable > 0
      ? `; ${count(one.unreadable, 'batch', 'batches')} cannot be read here` : null),
    one.records.length === 0 ? null : h('details', {}, h('summary', {}, 'Records'),
      h('ul', { class: 'bullets' }, one.records.map((record) => h('li', {}, record)),
        one.moreRecords ? h('li', { class: 'quiet' }, 'and other records') : null)),
    h('div', { class: 'actions' },
      button('Accept', choose(true), { class: 'small', 'data-focus': `${key}-yes` }),
      button('Drop', choose(false), { class: 'small', 'data-focus': `${key}-no` })));
}
