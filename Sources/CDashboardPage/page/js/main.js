/** The page: which screen stands on it, and that it shows what the node last said. */

import { expectRefusal, firstSeq, openSession } from './api.js';
import { h, paint } from './dom.js';
import { listen } from './live.js';
import { button, command, refusal } from './parts.js';
import { hasMedicines } from './schema.js';
import { chooseTheme } from './themes.js';
import { exactTime } from './words.js';

/**
 * A screen: `show` is called with the rest of the address, `refresh` with what is new.
 * @typedef {{show: (parts: string[], query: URLSearchParams) => Promise<void>,
 *   refresh: (news: News) => Promise<void>}} Screen
 * @typedef {{all: boolean, status: boolean, places: Set<string>}} News
 */

/** Each is fetched when it is first shown. */
const screens = {
  devices: { words: 'Devices', load: async () => (await import('./devices.js')).openDevices },
  records: { words: 'Records', load: async () => (await import('./records.js')).openRecords },
  today: { words: 'Today', load: async () => (await import('./today.js')).openToday },
  merging: { words: 'Merging', load: async () => (await import('./merging.js')).openMerging },
};

const main = document.getElementById('main');
let present = null;
let hasToday = false;
/** The screen that only some nodes have, such as those of a demonstration. */
let guest = null;

// MARK: The address

function address() {
  const [path, query = ''] = location.hash.slice(1).split('?');
  const parts = path.split('/').filter(Boolean).map(decodeURIComponent);
  const name = parts[0] in screens ? parts[0] : guest ?? 'devices';
  return { name, parts: parts.slice(1), query: new URLSearchParams(query) };
}

function paintScreens(name) {
  paint(document.getElementById('screens'), Object.entries(screens)
    .filter(([key]) => (key !== 'today' || hasToday) && (key !== 'merging' || key === guest))
    .map(([key, { words }]) => h('a', {
      href: `#/${key}`, 'data-key': key, 'aria-current': key === name ? 'page' : null,
    }, words)));
}

async function go() {
  const { name, parts, query } = address();
  document.title = `${screens[name].words} · Linnet`;
  paintScreens(name);
  if (present?.name !== name) {
    const open = await screens[name].load();
    // Somebody may have gone elsewhere meanwhile.
    if (address().name !== name) return;
    const place = h('div', { class: `screen ${name}` });
    present = { name, screen: open(place), place };
    paint(main);
    main.append(place);
  }
  await guarded(() => present.screen.show(parts, query));
}

async function guarded(work) {
  const { place } = present;
  try {
    await work();
    place.querySelector(':scope > .page-refusal')?.remove();
  } catch (error) {
    expectRefusal(error);
    const words = h('div', { class: 'page-refusal' }, refusal(error, () => renew()));
    place.querySelector(':scope > .page-refusal')?.remove();
    place.prepend(words);
  }
}

// MARK: News

const nothing = () => ({ all: false, status: false, places: new Set(), seq: null });
let waiting = nothing();
let isBusy = false;
let first = null;
let isFirstNews = true;

function renew() {
  waiting.all = true;
  refresh();
}

/** Paints what is new, once for all that came meanwhile; a hidden page waits until it is seen. */
async function refresh() {
  if (isBusy || document.hidden) return;
  isBusy = true;
  try {
    await first;
    while (waiting.all || waiting.status || waiting.places.size > 0 || waiting.seq !== null) {
      const news = waiting;
      waiting = nothing();
      await guarded(() => present.screen.refresh(news));
      if (news.seq !== null) document.documentElement.dataset.seq = news.seq;
    }
  } finally {
    isBusy = false;
  }
}

function hear(news) {
  if (news.kind === 'lost' || news.kind === 'end') {
    sayLost(news);
    return;
  }
  sayLive();
  waiting.seq = news.seq;
  // The first word of the stream asks to read anew what was just read.
  const isRead = isFirstNews && firstSeq() !== null && news.seq <= firstSeq();
  isFirstNews = false;
  if (news.kind === 'reset' && !isRead) waiting.all = true;
  if (news.kind === 'status') waiting.status = true;
  for (const [collection, record] of news.places ?? []) {
    waiting.places.add(JSON.stringify([collection, record]));
  }
  refresh();
}

// MARK: The connection

const state = document.getElementById('state');
const banner = document.getElementById('banner');
let lostAt = null;

function sayLive() {
  lostAt = null;
  banner.hidden = true;
  paint(banner);
  state.className = 'state live';
  state.textContent = 'live';
}

function sayLost(news) {
  lostAt ??= Date.now();
  const isOver = news.kind === 'end';
  state.className = 'state lost';
  state.textContent = isOver ? 'ended' : 'no connection';
  banner.hidden = false;
  paint(banner,
    h('p', {}, h('strong', {}, isOver
      ? `This page is no longer connected: ${news.reason || 'the node stopped.'}`
      : 'The node does not answer.'),
    ` Everything below is as of ${exactTime(lostAt)} at the latest.`),
    h('p', {}, isOver ? 'Open a new page with ' : 'The page goes on by itself when it comes back. '
      + 'If it was ended, start it with ', isOver ? null : command('linnet run'),
    isOver ? null : ' and open a new page with ', command('linnet dashboard --open'), '.'),
    isOver ? button('Load this page again', () => location.reload(),
      { class: 'small', id: 'load-again' }) : null);
}

// MARK: Beginning

async function begin() {
  chooseTheme(document.getElementById('theme'));
  document.getElementById('skip').onclick = (event) => {
    event.preventDefault();
    main.focus();
  };
  try {
    const session = await openSession();
    guest = session.guest in screens ? session.guest : null;
    document.getElementById('device-name').textContent = session.name || 'this device';
  } catch (error) {
    paint(main, refusal(error), h('p', {}, button('Load the page again',
      () => location.reload())));
    return;
  }
  addEventListener('hashchange', go);
  addEventListener('sessionover', ({ detail }) => sayLost({ kind: 'end', reason: detail }));
  document.addEventListener('visibilitychange', refresh);
  first = go();
  listen(hear);
  await first;
  hasToday = await hasMedicines().catch(() => false);
  paintScreens(present.name);
}

await begin();
