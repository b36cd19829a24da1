/** The sessions of the dashboard: which browsers may see this device's data now. */

import { call } from './api.js';
import { h } from './dom.js';
import { button, chip, section, timeAgo } from './parts.js';
import { say } from './news.js';

export function sessionsPart(sessions, again) {
  return section('Open pages', { class: 'panel' },
    h('p', { class: 'quiet' },
      'Each was opened by a link that worked once. All end when the node does.'),
    h('ul', { class: 'lines' }, sessions.map((one) => h('li', {
      class: 'split', 'data-key': `session-${one.session}`,
    },
    h('div', {}, h('p', {}, h('bdi', {}, browser(one.agent)), ' ',
      one.self ? chip('accent', 'this one') : null),
    h('p', { class: 'quiet' }, 'opened ', timeAgo(one.openedMilliseconds))),
    button('End', async () => {
      await call('session-end', { session: one.session });
      if (one.self) return;
      say('That session is over; its pages say so.');
      again();
    }, {
      class: 'small danger', 'data-focus': `session-${one.session}`,
      'aria-label': `End session ${one.session}${one.self ? ', this one' : ''}`,
    })))));
}

/** The browser's own words, shortened to its name where that can be told. */
function browser(agent) {
  const found = /(Firefox|Edg|OPR|Chrome|HeadlessChrome|Version)\/(\d+)/.exec(agent ?? '');
  if (!found) return agent || 'a program that did not say its name';
  const names = { Edg: 'Edge', OPR: 'Opera', Version: 'Safari', HeadlessChrome: 'Chrome' };
  return `${names[found[1]] ?? found[1]} ${found[2]}`;
}
