/** What a receipt of a write means for whoever wrote. */

import { ApiError } from './api.js';
import { say } from './news.js';

/** Why something that was written does not show. */
const reasons = {
  ceiling: 'what stands there has the largest timestamp that there is. Delete the record, then '
    + 'write it anew.',
  ceilingForGood: 'what stands there has the largest timestamp that there is, and the record '
    + 'cannot be deleted. Use another record.',
  counted: 'whoever counted last had counted this in. Count anew, or use another key.',
  tooMany: 'more stands there than one write replaces. Write it again.',
  lastGeneration: 'the record was deleted and created as often as can be counted. Use another one.',
  contradiction: 'the record holds something of another kind there. Use another record.',
  surpassed: 'a larger value stands there, or, where the smallest is kept, a smaller one.',
};

/**
 * Says how a write ended; one that does not show is an error for the form that made it.
 * @param {object} receipt @param {string} done the sentence when it shows
 */
export function tellReceipt(receipt, done) {
  const { outcome, hidden = [] } = receipt;
  if (outcome === 'hidden') {
    const why = hidden.map(({ field, reason }) =>
      `${field ? `${field}: ` : ''}${reasons[reason] ?? reason}`).join(' ');
    throw new ApiError('hidden', 'It was written, and does not show.', why || null);
  }
  if (outcome === 'unchanged') say('Everything was so before; nothing was written.');
  else if (outcome === 'unknown') say('It is stored. Whether it shows is not known.');
  else say(done);
}
