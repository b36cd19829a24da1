/** Journeys: how schedules go on in another time zone, which a person decides. */

import { call, intent } from './api.js';
import { h } from './dom.js';
import { say } from './news.js';
import { button, chip, name, section } from './parts.js';
import { duration } from './words.js';

const strategies = {
  keepLocalTime: ['Keep the time of day', 'At the same time of day, in the new zone.'],
  keepHomeTime: ['Keep the time at home', 'At the same moment as before the journey.'],
  gradualShift: ['Move step by step', 'A little each day until the time of day is the usual one.'],
};

export function journeysPart(travel, again) {
  const { journeys, disputes } = travel;
  if (journeys.length === 0 && disputes.length === 0) return null;
  return section('A journey to decide', { class: 'panel asks journeys' },
    disputes.length === 0 ? null : h('div', { class: 'notice warn' }, h('p', {},
      'Decisions about the same schedule were made apart, on several devices. Choose again.')),
    h('ul', { class: 'lines' }, journeys.map((journey) => h('li', {
      class: 'stack', 'data-key': journey.schedule,
    },
    h('p', {}, h('strong', {}, name(journey.name)), `: from ${journey.from} to ${journey.to}`),
    h('ul', { class: 'options' }, journey.options.map((option) =>
      strategy(journey, option, again)))))));
}

function strategy(journey, option, again) {
  const [words, meaning] = strategies[option.strategy] ?? [option.strategy, ''];
  const decide = async () => {
    const answer = await call('med-travel', {
      strategy: option.strategy, schedules: [journey.schedule], intent: intent() });
    say(answer.changed ? `Decided for ${journey.name}: ${words.toLowerCase()}.`
      : 'It was decided so before.');
    await again();
  };
  return h('li', { class: 'option' }, h('h3', {}, words), h('p', { class: 'quiet' }, meaning),
    h('ol', {}, option.doses.slice(0, 4).map((dose) => h('li', {},
      h('span', { class: 'mono' }, dose.here.replace('T', ' ')), dose.gapMinutes === null ? null
        : h('span', { class: 'quiet' }, ` · after ${duration(dose.gapMinutes * 60_000)}`),
      dose.warning ? [' ', chip('warn', `${dose.warning} gap`)] : null))),
    button('Choose', decide, {
      class: 'small', 'aria-label': `${words} for ${journey.name}`,
      'data-focus': `journey-${journey.schedule}-${option.strategy}` }));
}
