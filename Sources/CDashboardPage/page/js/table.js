/** A page of a collection's records as a table that stays up to date. */

import { addressOf } from './addresses.js';
import { call, expectRefusal, quoted } from './api.js';
import { h, paint } from './dom.js';
import { openNewRecord } from './newrecord.js';
import { asOf, button, choice, empty, field, refusal } from './parts.js';
import { headingColumn, sortable, titleOf, valueIn } from './schema.js';
import { showValue } from './values.js';
import { count, number, took } from './words.js';

const pageLength = 100;

/** The condition for words that a person looks for: in every column of texts. */
function searching(words, collection) {
  const names = collection.columns.filter((one) => one.type === 'text' && one.form !== 'place')
    .map((one) => one.name);
  if (!names.includes('id')) names.unshift('id');
  return names.map((one) => `${one} contains ${quoted(words)}`).join(' or ');
}

/** @param {Element} place @param {object} collection @param {Array} all */
export function openTable(place, collection, all) {
  const wish = { words: '', condition: '', sort: null, descending: false };
  /** Places at which earlier pages began, and of the one that is shown. */
  let pages = [null];
  let read = null;
  /** How many there are, once somebody asked, and when that was. */
  let total = null;
  let marked = null;
  let trouble = null;

  function where() {
    const parts = [];
    if (wish.words.trim() !== '') parts.push(`(${searching(wish.words.trim(), collection)})`);
    if (wish.condition.trim() !== '') parts.push(`(${wish.condition.trim()})`);
    return parts.length === 0 ? null : parts.join(' and ');
  }

  const members = () => ({
    collection: collection.name, where: where(), limit: pageLength,
    sort: wish.sort === null ? [] : [`${wish.descending ? '-' : ''}${wish.sort}`] });

  async function readPage() {
    const began = performance.now();
    const answer = await call('query', { ...members(), after: pages.at(-1) });
    const microseconds = answer.tookMicroseconds ?? (performance.now() - began) * 1000;
    read = { ...answer, microseconds, at: Date.now() };
  }

  async function readAll() {
    trouble = null;
    try {
      await readPage();
    } catch (error) {
      expectRefusal(error);
      if (error.code === 'silent') throw error;
      trouble = error;
    }
    draw();
  }

  /** Counts what there is beyond this page, which reads the whole collection: only when asked. */
  async function countAgain() {
    const wanted = members();
    const answer = await call('count', wanted);
    if (JSON.stringify(members()) !== JSON.stringify(wanted)) return;
    total = { count: answer.count, at: Date.now() };
    draw();
  }

  async function anew() {
    pages = [null];
    total = null;
    await readAll();
  }

  function turn(forward) {
    if (forward) pages.push(read.next);
    else pages.pop();
    return readAll().then(() => place.querySelector('.table-scroll').scrollTo(0, 0));
  }

  function sortBy(column) {
    if (wish.sort !== column.name) Object.assign(wish, { sort: column.name, descending: false });
    else if (!wish.descending) wish.descending = true;
    else Object.assign(wish, { sort: null, descending: false });
    anew();
  }

  function draw() {
    paint(place,
      h('div', { class: 'screen-head' },
        h('div', {}, h('h1', {}, 'Records')),
        h('div', { class: 'actions' },
          button('New record…', () => openNewRecord(collection),
            { class: 'primary', 'data-focus': 'new-record', id: 'new-record' }),
          h('a', { class: 'button', href: addressOf.trash(collection.name) }, 'Trash'))),
      controls(), summary(), trouble ? refusal(trouble) : null,
      !read ? null : read.records.length === 0 && !trouble ? nothingThere() : table(), pager());
  }

  function controls() {
    const search = h('input', {
      type: 'search', id: 'search', autocomplete: 'off', spellcheck: 'false' });
    const condition = h('input', {
      id: 'condition', autocomplete: 'off', spellcheck: 'false',
      placeholder: exampleCondition(collection) });
    return h('form', {
      class: 'row controls',
      onsubmit: (event) => {
        event.preventDefault();
        wish.words = place.querySelector('#search').value;
        wish.condition = place.querySelector('#condition').value;
        anew();
      },
    },
    field('Collection', choice(all.map((one) => one.name), collection.name, {
      id: 'collection',
      onchange: (event) => { location.hash = addressOf.table(event.target.value); },
    })),
    field('Look for', search), field('Only those with', condition),
    h('button', { type: 'submit' }, 'Search'));
  }

  /** How many there are, how they were found, and as of when. */
  function summary() {
    if (!read || trouble) return null;
    const { plan, microseconds } = read;
    const first = pages.length > 1 ? (pages.length - 1) * pageLength : 0;
    const last = first + read.records.length;
    const shown = read.records.length === 0 ? 'none' : `${number(first + 1)} to ${number(last)}`;
    // The last page knows how many there are; else the number is the one of the last count.
    const all = read.next === null ? last : total?.count ?? null;
    const isOlder = read.next !== null && total;
    const [kind, words] = planWords(plan, where() !== null);
    return h('p', { class: 'summary', role: 'status' },
      h('strong', {}, shown, all === null ? ' of more' : ` of ${number(all)}`), ' · ',
      h('span', { class: `plan ${kind}`, title: plan.sentence ?? '' }, words), ' · ',
      `answered in ${took(microseconds)}`, ' · ', asOf(read.at),
      isOlder ? [' · counted ', asOf(total.at)] : null,
      read.next === null ? null : [' ', button('Count them', countAgain,
        { class: 'small plain', 'data-focus': 'count', id: 'count' })]);
  }

  function nothingThere() {
    if (where() !== null) {
      return empty('No record fits.', h('p', {}, button('Show all', () => {
        Object.assign(wish, { words: '', condition: '' });
        place.querySelector('form.controls').reset();
        anew();
      })));
    }
    return empty(`There is no ${collection.name} yet.`,
      button('New record…', () => openNewRecord(collection), { 'data-focus': 'new-first' }));
  }

  function table() {
    const heading = headingColumn(collection);
    const columns = collection.columns.filter((one) => one !== heading);
    return h('div', {
      class: 'table-scroll', tabindex: '0', role: 'region',
      'aria-label': `${collection.name}, ${count(read.records.length, 'record')}`,
    },
    h('table', { class: 'records-table' },
      h('thead', {}, h('tr', {},
        h('th', { scope: 'col' }, heading ? head(heading) : 'identifier'),
        columns.map((one) => h('th', { scope: 'col', 'aria-sort': sorted(one) }, head(one))))),
      h('tbody', {}, read.records.map((record) => row(record, columns)))));
  }

  function sorted(column) {
    if (wish.sort !== column.name) return null;
    return wish.descending ? 'descending' : 'ascending';
  }

  function head(column) {
    if (!sortable.has(column.form)) return column.name;
    const sign = { ascending: ' ▲', descending: ' ▼' }[sorted(column)] ?? '';
    return h('button', {
      type: 'button', class: 'sort', onclick: () => sortBy(column),
      'aria-label': `Sort by ${column.name}`,
    }, column.name, h('span', { 'aria-hidden': 'true' }, sign));
  }

  function row(record, columns) {
    return h('tr', { 'data-key': record.id, 'aria-current': record.id === marked ? 'true' : null },
      h('th', { scope: 'row' }, h('a', {
        href: addressOf.record(collection.name, record.id), 'data-focus': `record-${record.id}`,
      }, h('bdi', { class: 'clamp' }, titleOf(record, collection))),
      record.conflicts ? h('span', { class: 'mark warn' }, ' ! written at one time') : null),
      columns.map((column) => {
        const value = valueIn(record, column);
        return h('td', {
          'data-label': column.name, class: value === undefined ? 'none' : column.type,
        }, h('div', { class: 'clamp' }, showValue(value, column)));
      }));
  }

  function pager() {
    if (!read || (pages.length === 1 && read.next === null)) return null;
    return h('nav', { class: 'actions pager', 'aria-label': 'Pages' },
      button('Previous', () => turn(false), { disabled: pages.length === 1, id: 'previous' }),
      h('span', { class: 'quiet' }, `page ${pages.length}`),
      button('Next', () => turn(true), { disabled: read.next === null, id: 'next' }));
  }

  return {
    collection,
    isTrash: false,
    mark(id) {
      marked = id;
      if (read) draw();
    },
    focusBack() {
      (place.querySelector('tr[aria-current] a') ?? place.querySelector('h1'))?.focus();
    },
    async show() {
      if (!read) await readAll();
    },
    async refresh(news) {
      const mine = [...news.places].map((text) => JSON.parse(text))
        .filter(([name]) => name === collection.name).map(([, id]) => id);
      if (news.all) return readAll();
      if (mine.length === 0 || !read || trouble) return null;
      const rows = new Map(read.records.map((record, index) => [record.id, index]));
      const isPlain = where() === null && wish.sort === null;
      if (isPlain && mine.length <= 10 && mine.every((id) => rows.has(id))) {
        const answers = await Promise.all(mine.map((record) =>
          call('get', { collection: collection.name, record })));
        if (answers.every((answer) => answer.record)) {
          mine.forEach((id, index) => { read.records[rows.get(id)] = answers[index].record; });
          read.at = Date.now();
          return draw();
        }
      }
      await readPage();
      return draw();
    },
  };
}

/** How the records were found: its look, and in words. */
function planWords(plan, isFiltered) {
  if (plan.plan === 'scan') return ['scan', 'scan: every record was read'];
  if (plan.plan === 'identifiers') {
    return isFiltered ? ['scan', 'scan in order, until there were enough']
      : ['index', 'by identifier'];
  }
  return ['index', `${plan.index ?? ''} index of ${plan.field}`.trim()];
}

function exampleCondition(collection) {
  const column = headingColumn(collection) ?? collection.columns[0];
  return column ? `${column.name} begins A` : 'id begins a';
}
