#!/usr/bin/env node
// Tries docs/card.html on the cards of docs/vectors/card.json: its script alone, and, with
// `--browser PROGRAM`, the page itself in Chromium, from a file and without a network.
//
// usage: card_page.mjs [--browser PROGRAM] [--screenshot FILE]
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, webcrypto } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import vm from 'node:vm';

const root = fileURLToPath(new URL('../..', import.meta.url));
const place = join(root, 'docs/card.html');
const html = readFileSync(place, 'utf8');
const vectors = JSON.parse(readFileSync(join(root, 'docs/vectors/card.json'), 'utf8'));
const bytes = (hex) => Uint8Array.from(Buffer.from(hex, 'hex'));
const utf8 = (text) => new TextEncoder().encode(text);
const option = (name) => {
  const index = process.argv.indexOf(name);
  return index < 0 ? null : process.argv[index + 1];
};

// The page lets nothing run or load that is not in it.
function checkPolicy() {
  const inside = (tag) => new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(html)[1];
  const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)[1];
  assert.equal(policy, `default-src 'none'; script-src ${hash(inside('script'))}; style-src `
    + `${hash(inside('style'))}; base-uri 'none'; form-action 'none'`);
  for (const word of ['http:', 'https:', ' src=', ' href=', 'innerHTML', 'outerHTML',
    'insertAdjacent', 'document.write', 'fetch(', 'XMLHttp', 'WebSocket', 'eval(']) {
    assert(!html.includes(word), `the page has ${word}`);
  }
  return inside('script');
}

const isCardError = (error) => error.constructor.name === 'CardError';

async function checkScript(script) {
  globalThis.crypto ??= webcrypto;
  vm.runInThisContext(script);
  const { read, argon2id, phrase, hex } = globalThis.LinnetCard;
  const check = (card) => {
    const wanted = vectors.card;
    assert.deepEqual(
      [hex(card.inner), hex(card.signature), card.group, hex(card.key), card.title],
      [wanted.inner, wanted.signature, wanted.group, wanted.device, wanted.title]);
    assert.deepEqual([card.issued, card.expires], [wanted.issued, wanted.expires]);
    assert.deepEqual(card.scopes, wanted.scopes);
    assert.deepEqual(card.fingerprint, wanted.fingerprint);
    assert.equal(card.isSigned, true);
  };
  check(await read(bytes(vectors.withKey.box), ''));
  check(await read(utf8([...vectors.withKey.parts].reverse().join(' and ')), ''));
  check(await read(utf8(vectors.withKey.parts.join('')), ''));
  const locked = vectors.withPassphrase;
  assert.equal(hex(argon2id(phrase(locked.passphrase), bytes(locked.salt))), locked.key);
  const typed = ` ${locked.passphrase.toUpperCase().replaceAll(' ', '-')}\n`;
  check(await read(bytes(locked.box), typed));
  await assert.rejects(read(bytes(locked.box), ''), /passphrase/);
  await assert.rejects(read(bytes(locked.box), 'eleven char'), /12 characters/);
  await assert.rejects(read(bytes(locked.box), 'not the right words'), /does not open/);
  for (const item of vectors.refused) {
    const given = item.box ? bytes(item.box) : utf8(item.text);
    await assert.rejects(read(given, ''), isCardError, item.what);
  }
  const box = bytes(vectors.withKey.box);
  for (let index = 0; index < box.length; index++) {
    const other = box.slice();
    other[index] ^= 4;
    await assert.rejects(read(other, ''), isCardError, `byte ${index}`);
  }
  console.log(`the script reads the cards and refuses ${vectors.refused.length} others`);
}

// A browser, spoken to over a pipe: no socket is opened.
class Browser {
  constructor(program, profile) {
    this.process = spawn(program, ['--headless', '--no-sandbox', '--disable-gpu',
      '--remote-debugging-pipe', '--proxy-server=127.0.0.1:9', '--disable-background-networking',
      '--no-first-run', `--user-data-dir=${profile}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    this.waiting = new Map();
    this.count = 0;
    this.requests = [];
    let rest = '';
    this.process.stdio[4].on('data', (data) => {
      const pieces = (rest + data).split('\0');
      rest = pieces.pop();
      for (const piece of pieces) this.hear(JSON.parse(piece));
    });
  }

  hear(message) {
    if (message.method === 'Network.requestWillBeSent') {
      this.requests.push(message.params.request.url);
    }
    this.waiting.get(message.id)?.(message);
    this.waiting.delete(message.id);
  }

  async say(method, params = {}) {
    const id = ++this.count;
    const answer = new Promise((resolve) => this.waiting.set(id, resolve));
    const message = { id, method, params, sessionId: this.session };
    this.process.stdio[3].write(JSON.stringify(message) + '\0');
    const { error, result } = await answer;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  async open(url) {
    const { targetId } = await this.say('Target.createTarget', { url: 'about:blank' });
    this.session = (await this.say('Target.attachToTarget', { targetId, flatten: true })).sessionId;
    await this.say('Network.enable');
    await this.say('Page.enable');
    await this.say('Page.navigate', { url });
  }

  async run(expression) {
    const { result, exceptionDetails } = await this.say('Runtime.evaluate',
      { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? 'it failed');
    return result.value;
  }

  // What the page shows once it says something other than that it reads.
  async shown(set) {
    return this.run(`new Promise((resolve) => {
      const card = document.getElementById('card');
      new MutationObserver((_, observer) => {
        if (card.textContent === '' || card.textContent.startsWith('Reading')) return;
        observer.disconnect();
        setTimeout(() => resolve(card.innerText), 0);
      }).observe(card, { childList: true, subtree: true });
      ${set};
      document.getElementById('show').click();
    })`);
  }
}

async function checkPage(program) {
  const profile = mkdtempSync(join(tmpdir(), 'linnet-card-'));
  const browser = new Browser(program, profile);
  const ended = new Promise((resolve) => browser.process.on('exit', resolve));
  try {
    const url = pathToFileURL(place).href;
    await browser.open(url);
    await browser.run(`new Promise((resolve) => document.readyState === 'complete'
      ? resolve() : addEventListener('load', resolve))`);
    const paste = (text) => `document.getElementById('parts').value = ${JSON.stringify(text)}`;
    // The clock of the vectors, and one after the card.
    const clock = (time) => browser.run(`Date.now = () => ${time}`);
    await clock(vectors.card.issued);
    const text = await browser.shown(paste(vectors.withKey.parts.join('\n')));
    for (const piece of ['Ada Lovelace', 'things/m9', 'Küche 9 <b>&', 'No records.',
      vectors.card.fingerprint.join(' '), 'not known']) {
      assert(text.includes(piece), `the page lacks ${piece}: ${text}`);
    }
    assert(!text.includes('EXPIRED'), text);
    assert.equal(await browser.run("document.querySelectorAll('#card b').length"), 0);
    await screenshot(browser);
    await clock(vectors.card.expires);
    const late = await browser.shown(paste(vectors.withKey.parts.join('\n')));
    assert(late.includes('expired') && !late.includes('things/m1'), late);
    const all = await browser.run(
      "document.querySelector('#card button').click(); document.getElementById('card').innerText");
    assert(all.includes('EXPIRED') && all.includes('things/m1'), all);
    for (const item of vectors.refused.filter((item) => item.text)) {
      const told = await browser.shown(paste(item.text));
      assert(told.length < 200 && !told.includes('things/m1'), `${item.what}: ${told}`);
    }
    await clock(vectors.card.issued);
    const secret = JSON.stringify(vectors.withPassphrase.passphrase);
    const opened = await browser.shown(`${paste('')};
      const list = new DataTransfer();
      const box = '${vectors.withPassphrase.box}'.match(/../g).map((pair) => parseInt(pair, 16));
      list.items.add(new File([Uint8Array.from(box)], 'card.lnt'));
      document.getElementById('files').files = list.files;
      document.getElementById('passphrase').value = ${secret}`);
    assert(opened.includes('things/m9') && opened.includes('Signed by the key'), opened);
    const asked = browser.requests.filter((asked) => asked !== url && asked !== 'about:blank');
    assert.deepEqual(asked, []);
    const blocked = await browser.run(`new Promise((resolve) => {
      addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective));
      const script = document.createElement('script');
      script.textContent = 'globalThis.intruder = true';
      document.body.append(script);
    }).then((directive) => directive + ' ' + String(globalThis.intruder))`);
    assert.equal(blocked, 'script-src-elem undefined');
    console.log('the page shows the cards in a browser, asks for nothing and runs nothing else');
  } finally {
    browser.process.kill();
    await ended;
    // Processes of the browser outlive it for a moment, and write.
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

async function screenshot(browser) {
  const file = option('--screenshot');
  if (!file) return;
  const { data } = await browser.say('Page.captureScreenshot', { captureBeyondViewport: true });
  writeFileSync(file, Buffer.from(data, 'base64'));
}

await checkScript(checkPolicy());
const program = option('--browser');
if (program) await checkPage(program);
