/** Today: what is due, taken and missed, for homes that keep medicines. */

import { call, expectRefusal } from './api.js';
import { calendarPart } from './calendar.js';
import { dosesPart } from './doses.js';
import { h, paint } from './dom.js';
import { facesPart } from './faces.js';
import { journeysPart } from './journeys.js';
import { asOf, chip, empty, known, section } from './parts.js';
import { hasMedicines } from './schema.js';
import { stockPart } from './stock.js';

/** Milliseconds after which a page that is seen asks again: doses become due by themselves. */
const pause = 60_000;

/** Collections whose records change what this screen says. */
const own = new Set(['medication', 'stock', 'schedule', 'doseEvent', 'timeZoneEvent',
  'scheduleAdjustment', 'doseTotal']);

/** @param {Element} place */
export function openToday(place) {
  let state = null;
  let timer = null;

  async function read() {
    if (!await hasMedicines()) {
      paint(place, h('h1', {}, 'Today'), empty('This home keeps no medicines.',
        h('p', {}, 'Its records stand under ', h('a', { href: '#/records' }, 'Records'), '.')));
      return;
    }
    const [today, list, adherence, { alerts }, travel] = await Promise.all([
      call('med-today'), call('med-list'), call('med-adherence', { days: 35 }),
      call('med-alerts'), call('med-journeys')]);
    state = { today, list, adherence, alerts, travel, readAt: Date.now() };
    draw();
  }

  function draw() {
    const { today, list, adherence, alerts, travel, readAt } = state;
    if (list.medications.length === 0) {
      paint(place, h('h1', {}, 'Today'), empty('There is no medicine yet.',
        h('p', {}, 'Add the first one: ', h('code', { class: 'command' },
          'linnet med add NAME --amount 500 --unit mg --times 08:00,20:00 --stock 30'))));
      return;
    }
    paint(place,
      h('div', { class: 'screen-head' },
        h('div', {}, h('h1', {}, 'Today'), h('p', { class: 'lead' }, dayWords(today.day), ' · ',
          today.zone, ' · ', asOf(today.nowMilliseconds))),
        h('div', { class: 'progress-line' }, progress(today)),
        h('a', { class: 'button', href: '/report.html?days=30', target: '_blank',
          rel: 'noopener' }, 'Report for a doctor…')),
      today.isInStep ? null : h('div', { class: 'notice warn' }, h('p', {},
        'Not all that the group holds has come to this device: some doses are not known.')),
      journeysPart(travel, read),
      h('div', { class: 'today-grid' },
        h('div', { class: 'column' }, alertsPart(alerts), dosesPart(today, read)),
        h('div', { class: 'column' }, calendarPart(adherence, today.day), stockPart(list)),
        h('div', { class: 'column' }, facesPart(today, readAt, read))));
  }

  function tick() {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      if (!place.isConnected) return;
      if (!document.hidden) await read().catch((error) => { expectRefusal(error); });
      tick();
    }, pause);
  }

  document.addEventListener('themechange', () => {
    if (place.isConnected && state) draw();
  });

  return {
    async show() {
      await read();
      tick();
    },
    async refresh(news) {
      const isMine = [...news.places].some((text) => own.has(JSON.parse(text)[0]));
      if (news.all || isMine) await read();
    },
  };
}

function dayWords(day) {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' })
    .format(new Date(`${day}T00:00:00Z`));
}

function progress(today) {
  return h('p', {}, h('strong', { class: 'big' }, String(today.taken)), ' of ',
    known(today.due, String), ' taken',
    today.notKnown > 0 ? [' · ', chip('quiet', `${today.notKnown} not known`)] : null);
}

const alertSigns = { lowStock: 'warn', expiring: 'warn', missed: 'bad', aboveMaximum: 'bad',
  possibleDoubleDose: 'bad', unknown: 'note' };
const alertWords = { lowStock: 'stock', expiring: 'expiry', missed: 'missed',
  aboveMaximum: 'too much', possibleDoubleDose: 'taken twice?', unknown: 'newer version' };

function alertsPart(alerts) {
  if (alerts.length === 0) return null;
  return section('What you should know', { class: 'panel' },
    h('ul', { class: 'lines' }, alerts.map((one) => h('li', { class: 'alert-line' },
      chip(alertSigns[one.alert] ?? 'note', alertWords[one.alert] ?? one.alert),
      h('span', {}, one.text)))));
}
