/** What is left of each medicine. */

import { addressOf } from './addresses.js';
import { h } from './dom.js';
import { chip, known, name, section } from './parts.js';

export function stockPart(list) {
  return section('Medicines and stock', { class: 'panel' },
    h('ul', { class: 'lines' }, list.medications.map((one) => {
      const stock = one.stock === null ? null : Number(one.stock);
      const minimum = one.minimumStock === null ? null : Number(one.minimumStock);
      const isLow = stock !== null && minimum !== null && stock <= minimum;
      return h('li', { class: 'split', 'data-key': one.medication },
        h('div', {}, h('p', {}, h('a', { href: addressOf.record('medication', one.medication) },
          name(one.title))),
        h('p', { class: 'quiet' }, one.schedules.filter((plan) => plan.isActive)
          .map((plan) => plan.timing ?? 'at times that are not known').join('; ')
          || 'as needed')),
        h('p', { class: 'stock-count' }, h('strong', {}, known(one.stock, String)), ' left ',
          one.stockMissing && one.stockMissing !== '0'
            ? chip('bad', `${one.stockMissing} more taken than there were`) : null,
          isLow ? chip('warn', `at most ${one.minimumStock}: buy more`) : null));
    })));
}
