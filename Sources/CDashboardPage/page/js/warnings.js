/** Warnings with their remedies, and what the doctor finds. */

import { call } from './api.js';
import { h } from './dom.js';
import { say } from './news.js';
import { asOf, button, chip, section, timeAgo } from './parts.js';
import { count } from './words.js';

export function warningsPart(status, again) {
  const { warnings, recovery } = status;
  const hint = recovery ? recoveryHint(recovery) : null;
  if (warnings.length === 0 && !hint) return null;
  const kept = warnings.some((one) => one.untilAcknowledged);
  const acknowledge = async () => {
    const { acknowledged } = await call('acknowledge');
    say(`${count(acknowledged.length, 'warning')} known.`);
    again();
  };
  return section('Warnings', {
    class: 'warnings stack',
    beside: kept ? button('I have seen them', acknowledge,
      { class: 'small', 'data-focus': 'acknowledge' }) : null,
  },
  h('ul', { class: 'stack' }, warnings.map((one) => h('li', { class: 'notice warn' },
    h('p', {}, chip('warn', 'warning'), ' ', h('strong', {}, one.text),
      one.lastMilliseconds === null ? null
        : [' ', one.count > 1 ? `${one.count} times, last ` : '', timeAgo(one.lastMilliseconds)]),
    h('p', {}, one.remedy ?? 'Nothing needs to be done: it ends by itself.'))),
  hint ? h('li', { class: 'notice' }, h('p', {}, chip('note', 'advice'), ' ', hint)) : null));
}

/** What to do about the recovery words; null when nothing is. */
function recoveryHint(recovery) {
  if (!recovery.possible || !recovery.makerHere) return null;
  if (recovery.madeMilliseconds === null) {
    return 'This group has no recovery words. Make them with “linnet recovery create”, so that a '
      + 'lost group can be brought back.';
  }
  return recovery.testDue ? 'It is time to try the recovery words: “linnet recovery test”.' : null;
}

const states = {
  ok: ['good', 'fine'], note: ['note', 'note'], 'not checked': ['quiet', 'not checked'],
  warning: ['warn', 'warning'], broken: ['bad', 'broken'],
};

/** @param {Array} findings of `doctor` @param {number} at when @param {Function} look again */
export function doctorPart(findings, at, look) {
  if (!findings) return null;
  const wrong = findings.filter((one) => one.state === 'warning' || one.state === 'broken').length;
  const run = (deep) => async (event) => {
    event.target.disabled = true;
    try {
      await look(deep);
    } finally {
      event.target.disabled = false;
    }
    say('The device was looked at.');
  };
  return section('Health of this device', {
    class: 'panel',
    beside: h('div', { class: 'actions' },
      button('Look again', run(false), { class: 'small', 'data-focus': 'doctor' }),
      button('Read everything', run(true), { class: 'small', 'data-focus': 'doctor-deep' })),
  },
  h('p', {}, wrong === 0 ? chip('good', 'nothing is wrong')
    : chip('warn', count(wrong, 'thing needs', 'things need').concat(' you')), ' ', asOf(at)),
  h('ul', { class: 'lines findings' }, findings.map((one) => {
    const [kind, words] = states[one.state] ?? ['note', one.state];
    return h('li', { 'data-key': `finding-${one.check}` },
      h('p', { class: 'finding-head' }, h('strong', {}, one.check), chip(kind, words)),
      h('p', {}, one.finding),
      one.remedy ? h('p', { class: 'quiet' }, one.remedy) : null);
  })));
}
