/** The card of one device. */

import { h } from './dom.js';
import { chip, facts, identifier, known, name, notKnown, time, timeAgo, button } from './parts.js';
import { openRemoval } from './removal.js';
import { openRename } from './rename.js';
import { bytes, count, duration, list, number } from './words.js';

const signs = {
  phone: 'M7 2h10a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2zm3 17h4',
  watch: 'M8 2h8l1 4H7zM8 22h8l1-4H7zM6 6h12v12H6zM12 9v3l2 2',
  laptop: 'M5 5h14v11H5zM2 19h20',
  hub: 'M4 5h16v5H4zM4 14h16v5H4zM7.5 7.5h.01M7.5 16.5h.01',
  other: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 8v4l3 2',
};

/** The sign of a kind of device. */
export function signOf(kind) {
  return h('svg:svg', { viewBox: '0 0 24 24', class: 'device-sign', 'aria-hidden': 'true' },
    h('svg:path', { d: signs[kind] ?? signs.other }));
}

/** @param {object} device of `status` @param {object} around what else is known */
export function deviceCard(device, around) {
  return h('article', { class: 'panel device', 'aria-label': device.name || device.device },
    h('div', { class: 'device-head' }, signOf(device.kind),
      h('div', { class: 'device-title' },
        h('h2', {}, name(device.name, 'a device that has not told its name')),
        h('p', { class: 'quiet' }, [device.kind, roleWords(device)].filter(Boolean).join(' · '))),
      presence(device)),
    facts([...(device.self ? ownFacts(device, around) : otherFacts(device, around))]),
    h('div', { class: 'actions' }, device.self
      ? button('Rename…', () => openRename(device, around.again),
        { class: 'small', 'data-focus': 'rename' })
      : button('Remove…', () => openRemoval(device, around.again), {
        class: 'small danger', 'data-focus': `remove-${device.device}`,
        'aria-label': `Remove ${device.name || 'this device'}…`,
      })));
}

function roleWords({ role, scopes }) {
  return scopes === null ? role : `${role} of ${scopes}`;
}

function presence(device) {
  if (device.self) return chip('accent', 'this device');
  return device.connected ? chip('live', 'connected') : chip('quiet', 'away');
}

function ownFacts(device, { status, identity }) {
  const waiting = status.waiting;
  return [
    ['Holds', `${count(status.batches, 'batch', 'batches')}, ${bytes(status.batchBytes)}`],
    ['Written here', amounts(device)],
    ['Lacks', status.newcomer
      ? 'It has not received all that its group held when it joined.'
      : waiting.length === 0 ? 'nothing that it knows of' : waitingList(waiting)],
    ['Reached at', status.port === null ? notKnown('not listening') : `port ${status.port}`,
      h('span', { class: 'quiet' }, ` · discovery ${status.discovery}`)],
    companion(status),
    ['Six words', known(identity?.fingerprint, (words) => h('span', { class: 'mono' },
      words.join(' ')))],
    ['Identifier', identifier(device.device, 16)],
    ['Version', known(identity?.version)],
  ];
}

function waitingList(waiting) {
  return h('details', {}, h('summary', {}, count(waiting.length, 'thing')),
    h('ul', { class: 'bullets' }, waiting.map((sentence) => h('li', {}, sentence))));
}

function companion(status) {
  const link = status.companionLink;
  if (!link) return null;
  const words = link.reachable ? 'reachable' : link.present ? 'present' : 'nobody there';
  return ['Companion', `as the ${link.side}: ${words}; sent ${bytes(link.sent.bytes)}, received ${
    bytes(link.received.bytes)}`];
}

function otherFacts(device, { certificates, rates }) {
  const heard = device.lastHeardMilliseconds;
  return [
    device.connected
      ? ['Connected', known(device.connectedSinceMilliseconds ?? null, (since) =>
        ['since ', time(since)], 'since when is not known')]
      : ['Away since', known(heard, timeAgo, 'never heard by this device')],
    device.connected ? ['Over', known(device.over ?? null)] : null,
    ['Lacks', lacks(device)],
    ['Wrote', amounts(device)],
    device.connected ? ['Traffic', traffic(device, rates.of(device.device))] : null,
    ['Clock', clock(device)],
    ['Showed the same', known(device.agreedMilliseconds, timeAgo, 'not certified yet'),
      still(device, certificates)],
    ['Identifier', identifier(device.device, 16)],
  ];
}

/** What the device lacks of what is held here, by what it said when it was heard last. */
function lacks(device) {
  const lack = device.lacks ?? null;
  if (lack === null) return notKnown('not known: it never said what it holds');
  const then = device.connected ? ''
    : h('span', { class: 'quiet' }, ' · by what it said then; others may have told it more');
  if (lack.batches === 0) return [device.connected ? 'nothing' : 'nothing then', then];
  const whole = lack.opened === lack.batches;
  const changes = lack.collections.reduce((sum, part) => sum + part.records, 0);
  const parts = list(lack.collections.map((part) => `${number(part.records)} of ${
    part.collection}`));
  if (whole && changes > 0) {
    return [h('strong', {}, count(changes, 'changed record')), `: ${parts}`, then];
  }
  return [h('strong', {}, count(lack.batches, 'batch', 'batches')),
    changes > 0 ? `; the newest ${number(lack.opened)} change ${parts}` : '', then];
}

function amounts(device) {
  const today = device.recordsToday === 0 && device.batchesToday === 0 ? 'nothing today'
    : `${count(device.recordsToday, 'record')} today, ${bytes(device.bytesToday)}`;
  return [`${count(device.batchesHeld, 'batch', 'batches')}, ${bytes(device.bytesHeld)}`,
    h('span', { class: 'quiet' }, ` · ${today}`)];
}

/** What went over the connection since it was made, and how fast lately. */
function traffic(device, reading) {
  const sum = [known(device.bytesIn ?? null, (size) => `${bytes(size)} in`), ', ',
    known(device.bytesOut ?? null, (size) => `${bytes(size)} out`)];
  if (!reading) return [sum, ' · ', notKnown('rate not measured yet')];
  const idle = reading.in === 0 && reading.out === 0;
  return [sum, h('span', { class: 'quiet' }, idle ? ' · idle'
    : ` · ${bytes(Math.round(reading.in))}/s in, ${bytes(Math.round(reading.out))}/s out`,
  ` over ${duration(reading.milliseconds)}`)];
}

function clock(device) {
  const ahead = device.clockAheadMilliseconds ?? null;
  if (ahead === null) return notKnown();
  const words = Math.abs(ahead) < 1000 ? 'in step with this one'
    : `${duration(ahead)} ${ahead > 0 ? 'ahead' : 'behind'}`;
  const met = device.clockMetMilliseconds ?? null;
  return [words, device.clockBelieved === false ? [' ', chip('warn', 'not believed')] : ', believed',
    met === null ? null : h('span', { class: 'quiet' }, ' · met ', time(met))];
}

function still(device, certificates) {
  const agreement = certificates?.agreements.find((one) => one.theirs.device === device.device);
  if (!agreement || device.agreedMilliseconds === null) return null;
  if (!agreement.agrees) return [' ', chip('bad', 'they differ')];
  return [' ', agreement.still ? chip('good', 'and still does')
    : h('span', { class: 'quiet' }, '· changed since')];
}
