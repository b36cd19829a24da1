/** Was that you? What other devices did to the group. */

import { call } from './api.js';
import { h } from './dom.js';
import { say } from './news.js';
import { button, name, section, time } from './parts.js';
import { ago } from './words.js';

export function questionsPart(status, again) {
  const open = status.questions.filter((one) => one.answer === null);
  if (open.length === 0) return null;
  return section('Was that you?', { class: 'panel asks' },
    h('ul', { class: 'lines' }, open.map((one) => question(one, again))));
}

function question(one, again) {
  const answer = (own) => async () => {
    await call('question-answer', { record: one.record, own });
    say(consequence(one, own));
    again();
  };
  return h('li', { class: 'stack', 'data-key': `question-${one.record}` },
    h('p', {}, deed(one), one.heardMilliseconds === null ? '.'
      : `, which this device heard ${ago(one.heardMilliseconds)}.`),
    one.acceptanceMilliseconds === null ? null
      : h('p', { class: 'quiet' }, 'Without an answer it is accepted on ',
        time(one.acceptanceMilliseconds), '.'),
    h('div', { class: 'actions' },
      button('Yes, that was me', answer(true), { 'data-focus': `yes-${one.record}` }),
      button('No', answer(false), { class: 'danger', 'data-focus': `no-${one.record}`,
        'aria-label': `No, ${one.name || 'this'} was not me` })));
}

function deed(one) {
  const device = one.self ? 'This device' : name(one.name, 'A device without a name');
  const by = one.byRecovery ? 'the recovery words' : name(one.byName, 'a device without a name');
  if (one.matter === 'admission') return [device, ' was let in by ', by];
  if (one.matter === 'role') return [device, ` was given the role ${one.detail} by `, by];
  return [device, ' was removed by ', by, one.detail ? ` (${one.detail})` : ''];
}

function consequence(one, own) {
  const device = one.self ? 'this device' : one.name || 'the device';
  if (one.matter === 'admission') {
    return own ? `This device accepts ${device}.`
      : `This device does not accept ${device}, which stays in the group: remove it if it is not `
        + 'yours.';
  }
  if (own) return 'Noted; it is not asked again here.';
  return one.byRecovery
    ? 'No vote undoes what was done with the recovery words: “linnet recovery replace” makes others.'
    : 'This device votes against it. The votes decide, once the others hear of them.';
}
