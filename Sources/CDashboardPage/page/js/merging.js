/** Two devices side by side: cut their link, change a record on both, join them, and see. */

import { call, expectRefusal } from './api.js';
import { signOf } from './device.js';
import { h, paint } from './dom.js';
import { openEditor } from './editor.js';
import { mergedPart } from './merged.js';
import { button, chip, identifier } from './parts.js';
import { columnsOf, collections, kindWords, valueIn } from './schema.js';
import { showValue } from './values.js';

/** What both write when the person asks for an example: a field of every kind, on each side. */
const example = [
  { name: 'Metformin XR', amount: '850', unit: 'mg', stock: { add: '-1' },
    tags: { add: ['morning'] }, prescriber: 'Dr Bo', strongest: '850',
    instructions: 'Take with plenty of water.' },
  { name: 'Metformin retard', amount: '1', unit: 'g', stock: { add: '-2' },
    tags: { add: ['evening'], remove: ['diabetes'] }, prescriber: 'Dr Cy', strongest: '1000',
    instructions: 'Take with water. Not before sleep.' }];

/** @param {Element} place */
export function openMerging(place) {
  document.head.append(h('link', { rel: 'stylesheet', href: '/merging.css' }));
  const state = { merging: null, collection: null, sides: [], isBusy: false };

  /** Carries a verb out on one of both devices. */
  const on = (side) => (verb, members) => call('merging-on', {
    side, verb, members: { digits: 'text', ...members } });

  async function read() {
    const merging = await call('merging');
    state.collection ??= (await collections()).find((one) => one.name === merging.collection);
    const key = { collection: merging.collection, record: merging.record };
    state.sides = await Promise.all([0, 1].map(async (side) => {
      const [{ record }, { changes }] = await Promise.all([
        on(side)('get', key), on(side)('history', { ...key, limit: 200 })]);
      return { record, changes };
    }));
    state.merging = merging;
    await explain(key);
    draw();
  }

  /** The reasons for the fields that somebody changed since the link was cut. */
  async function explain(key) {
    const since = state.merging.cutMilliseconds;
    const names = since === null ? [] : [...new Set(state.sides.flatMap(({ changes }) => changes)
      .filter((change) => change.writtenMilliseconds >= since).map((change) => change.field))];
    const reasons = await Promise.all(names.filter(Boolean).map(async (field) =>
      [field, await on(0)('why', { ...key, field })]));
    state.reasons = new Map(reasons);
  }

  async function change(verb) {
    state.isBusy = true;
    draw();
    try {
      await call(verb);
    } finally {
      state.isBusy = false;
      await read();
    }
  }

  async function playExample() {
    const { collection, record } = state.merging;
    for (const side of [0, 1]) {
      await on(side)('write', { collection, record, fields: example[side] });
    }
    await read();
  }

  function draw() {
    const { merging, sides } = state;
    if (!merging) return;
    const same = merging.devices[0].digest === merging.devices[1].digest;
    paint(place,
      h('div', { class: 'screen-head' },
        h('div', {}, h('h1', {}, 'Merging'),
          h('p', { class: 'lead' }, 'Two devices hold one record. Cut their link, change the '
            + 'record on both, and join them again.')),
        h('div', { class: 'actions' },
          button('Let both change everything', playExample, {
            id: 'example', 'data-focus': 'example', disabled: merging.linked }))),
      h('div', { class: 'merging-stage' },
        side(0), link(merging, same), side(1)),
      mergedPart({ merging, sides, collection: state.collection, reasons: state.reasons, same }));
  }

  function link(merging, same) {
    const words = merging.linked ? 'Cut the link' : 'Join them';
    return h('div', { class: `merging-link ${merging.linked ? 'joined' : 'cut'}`,
      'data-key': 'link' },
    h('svg:svg', { viewBox: '0 0 120 24', class: 'merging-line', 'aria-hidden': 'true' },
      merging.linked ? h('svg:path', { d: 'M4 12h112' })
        : [h('svg:path', { d: 'M4 12h40M76 12h40' }), h('svg:path', { d: 'M52 4l16 16M68 4L52 20',
          class: 'cross' })]),
    h('p', { role: 'status' }, merging.linked ? chip('live', 'joined') : chip('lost', 'cut'), ' ',
      same ? chip('good', 'both show the same') : chip('warn', 'they show different things')),
    button(words, () => change(merging.linked ? 'merging-cut' : 'merging-join'), {
      class: 'primary', id: 'link', 'data-focus': 'link', disabled: state.isBusy }));
  }

  function side(index) {
    const device = state.merging.devices[index];
    const { record } = state.sides[index];
    const { collection } = state;
    return h('article', { class: 'panel merging-side', 'aria-label': device.name,
      'data-key': `side-${index}` },
    h('div', { class: 'device-head' }, signOf(device.kind),
      h('div', { class: 'device-title' }, h('h2', {}, device.name),
        h('p', { class: 'quiet' }, 'shows ', identifier(device.digest, 12)))),
    h('ul', { class: 'fields' }, collection.fields.map((field) => row(field, record, index))));
  }

  function row(field, record, index) {
    const { collection, merging } = state;
    const columns = columnsOf(collection, field);
    const { name } = merging.devices[index];
    return h('li', { class: 'field-row', 'data-key': `side-${index}-${field.name}` },
      h('div', { class: 'field-head' }, h('h3', {}, field.name),
        h('span', { class: 'kind', title: kindWords[field.kind] ?? '' }, field.kind),
        h('span', { class: 'field-buttons' }, button('Edit', () => openEditor({
          collection, field, id: merging.record, record, read, ask: on(index), of: name }), {
          class: 'small plain', 'data-focus': `edit-${index}-${field.name}`,
          'aria-label': `Edit ${field.name} on ${name}` }))),
      h('div', { class: 'field-value' }, columns.map((column) => h('div', {},
        columns.length > 1 ? h('span', { class: 'quiet' }, `${column.name}: `) : null,
        showValue(record ? valueIn(record, column) : null, column)))));
  }

  return {
    show: read,
    async refresh() {
      await read().catch(expectRefusal);
    },
  };
}
