/** Certificates: what devices signed about what they hold and show. */

import { h } from './dom.js';
import { asOf, button, chip, empty, identifier, name, section, timeAgo } from './parts.js';
import { say } from './news.js';
import { count } from './words.js';

/**
 * @param {object|null} certificates of the verb; null until they were asked for
 * @param {number|null} at when they were read
 * @param {object} status
 * @param {(verb: string, members?: object) => Promise<object>} certify reads them again by a verb
 */
export function certificatesPart(certificates, at, status, certify) {
  const ask = async () => {
    if (!status.devices.some((one) => one.connected && !one.self)) {
      say('No other device is connected, so that none can sign now.');
      return;
    }
    // The first one of many records takes each device a while.
    const after = await certify('certify', { seconds: 60 });
    const agreed = after.agreements.filter((one) => one.agrees && one.still).length;
    say(`${agreed} of ${
      count(status.devices.length - 1, 'other')} signed that they hold the same now.`);
  };
  const others = status.devices.length > 1;
  return section('Certificates', {
    class: 'panel',
    beside: others ? button('Ask them to sign', ask, { class: 'small', 'data-focus': 'certify' })
      : null,
  },
  certificates ? content(certificates, at, others)
    : h('div', { class: 'stack' }, h('p', { class: 'quiet' },
      'A certificate says what a device holds and shows. The first one reads all records.'),
    h('div', { class: 'actions' }, button('Show the certificates', () => certify('certificates'),
      { class: 'small', 'data-focus': 'certificates' }))));
}

function content({ own, agreements }, at, others) {
  return [own ? h('p', {}, 'This device shows ', identifier(own.visibleDigest, 12), ' and holds ',
    identifier(own.vectorDigest, 12), ', ', asOf(at), '. ',
    h('span', { class: 'quiet' }, 'Equal digests mean equal records.')) : null,
  agreements.length === 0 ? empty('No device has signed that it holds the same.', others
    ? h('p', {}, 'Ask those that are connected.') : h('p', {}, 'Pair a device first.'))
    : h('ul', { class: 'lines' }, agreements.map((one) => line(one)))];
}

function line(agreement) {
  const { theirs } = agreement;
  return h('li', { class: 'split', 'data-key': `certificate-${theirs.device}` },
    h('div', {}, h('p', {}, name(theirs.name)),
      h('p', { class: 'quiet' }, 'signed ', timeAgo(theirs.signedMilliseconds))),
    !agreement.agrees ? chip('bad', 'held something else')
      : agreement.still ? chip('good', 'the same, still') : chip('note', 'the same, then'));
}
