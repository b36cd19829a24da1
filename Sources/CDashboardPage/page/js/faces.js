/** The faces as they are on a phone, a watch and its widgets. */

import { doseButtons } from './doses.js';
import { h } from './dom.js';
import { choice, field, section, name } from './parts.js';
import { isDark } from './themes.js';

const faces = [
  ['phone', 'Phone', 393, 700],
  ['watch', 'Watch', 198, 352],
  ['widget-small', 'Small widget', 170, 170],
  ['widget-medium', 'Medium widget', 364, 170],
  ['widget-rectangular', 'Rectangular widget', 172, 76],
  ['complication-circular', 'Circular complication', 76, 76],
  ['complication-corner', 'Corner complication', 76, 76],
  ['complication-inline', 'Inline complication', 234, 26],
];

let kind = 'next-dose';

/** @param {object} today the answer of `med-today` @param {number} version of what is known */
export function facesPart(today, version, again) {
  const dark = isDark();
  const source = (face) => {
    const query = new URLSearchParams({ zone: today.zone, v: String(version) });
    if (dark) query.set('dark', '1');
    if (kind === 'adherence' && /^widget-(small|medium)$/.test(face)) query.set('kind', kind);
    return `/face/${face}.svg?${query}`;
  };
  const next = today.doses.find((dose) => ['due', 'snoozed', 'upcoming'].includes(dose.status));
  return section('Faces', {
    class: 'panel faces-panel',
    beside: field('Widgets show', choice([['next-dose', 'the next dose'],
      ['adherence', 'adherence']], kind, {
      id: 'face-kind',
      onchange: (event) => {
        kind = event.target.value;
        again();
      },
    })),
  },
  next ? h('div', { class: 'next-dose' }, h('p', {}, 'Next: ', h('strong', {}, name(next.name)),
    ` at ${next.local.slice(-5)}`), h('div', { class: 'actions' },
    doseButtons(next, again, 'face-'))) : null,
  h('div', { class: 'faces' }, faces.map(([face, words, width, height]) =>
    h('figure', { class: `face ${face}`, 'data-key': face },
      h('img', {
        src: source(face), width, height,
        alt: `${words}; the list of doses says the same in words`,
      }),
      h('figcaption', { class: 'quiet' }, words)))));
}
