/** The devices: who is here, since when, over what, and what each holds and lacks. */

import { call, expectRefusal } from './api.js';
import { certificatesPart } from './certificates.js';
import { deviceCard } from './device.js';
import { h, paint } from './dom.js';
import { lateParts } from './late.js';
import { openPairing } from './pairing.js';
import { asOf, button, empty } from './parts.js';
import { questionsPart } from './questions.js';
import { removalsPart } from './removals.js';
import { sessionsPart } from './sessions.js';
import { Rates } from './rates.js';
import { doctorPart, warningsPart } from './warnings.js';
import { count } from './words.js';

/** Milliseconds after which a page that is seen asks again, so that its numbers stay young. */
const pause = 10_000;

/** @param {Element} place */
export function openDevices(place) {
  const rates = new Rates();
  const state = {
    status: null, identity: null, sessions: [], late: [],
    /** Read on demand: a certificate needs all that the device shows. */
    certificates: null, certificatesAt: null, findings: null, findingsAt: null };
  let pairing = null;
  let timer = null;

  async function read() {
    const [status, { sessions }, identity] = await Promise.all([
      call('status'), call('sessions'), call('identity')]);
    Object.assign(state, { status, sessions, identity });
    state.late = status.lateBatches > 0 ? (await call('late')).late : [];
    rates.take(status);
    draw();
  }

  async function examine(deep) {
    state.findings = (await call('doctor', { deep })).findings;
    state.findingsAt = Date.now();
    draw();
  }

  async function certify(verb, members) {
    state.certificates = await call(verb, members);
    state.certificatesAt = Date.now();
    await read();
    return state.certificates;
  }

  function pair() {
    pairing = openPairing(state.status, () => {
      pairing = null;
      read();
    });
  }

  function draw() {
    const { status, certificates, identity, findings } = state;
    const others = status.devices.filter((one) => !one.self);
    const here = others.filter((one) => one.connected).length;
    const again = () => read();
    paint(place,
      h('div', { class: 'screen-head' },
        h('div', {}, h('h1', {}, 'Devices'),
          h('p', { class: 'lead' }, others.length === 0 ? 'This device is alone. '
            : `${count(status.devices.length, 'device')}, ${here} of ${
              count(others.length, 'other')} connected · `, asOf(status.nowMilliseconds))),
        h('div', { class: 'actions' },
          button('Pair a device…', pair, { class: 'primary', 'data-focus': 'pair', id: 'pair' }))),
      questionsPart(status, again),
      warningsPart(status, again),
      h('ul', { class: 'cards', 'aria-label': 'Devices' }, [...status.devices]
        .sort((one, other) => other.self - one.self).map((device) =>
          h('li', { 'data-key': device.device },
            deviceCard(device, { status, identity, certificates, rates, again })))),
      others.length > 0 ? null : empty(
        'No other device is in this group yet. Whatever is written here reaches it once it is.',
        button('Pair a device…', pair, { 'data-focus': 'pair-first' })),
      removalsPart(status),
      h('div', { class: 'halves' },
        lateParts(state.late, again),
        certificatesPart(certificates, state.certificatesAt, status, certify),
        doctorPart(findings, state.findingsAt, examine),
        sessionsPart(state.sessions, again)));
  }

  function tick() {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      if (!place.isConnected) return;
      // A node that is silent is spoken of by the banner.
      if (!document.hidden) await read().catch((error) => { expectRefusal(error); });
      tick();
    }, pause);
  }

  return {
    async show() {
      await read();
      tick();
      // It looks at files, and comes when it comes.
      if (!state.findings) examine(false).catch(expectRefusal);
    },
    async refresh(news) {
      await read();
      if (news.all || news.status) await pairing?.refresh();
    },
  };
}
