/** Small parts that several screens are made of. */

import { expectRefusal } from './api.js';
import { h } from './dom.js';
import { say } from './news.js';
import { ago, exactTime, fullMoment, moment } from './words.js';

/** What is not known looks like nothing else on the page, and says so. */
export function notKnown(words = 'not known') {
  return h('span', { class: 'unknown' }, words);
}

/** `show(value)`, or that the value is not known where it is null. */
export function known(value, show = String, words = 'not known') {
  return value === null || value === undefined ? notKnown(words) : show(value);
}

/** A moment, with all its digits as a title. */
export function time(milliseconds, show = moment) {
  return h('time', {
    datetime: new Date(milliseconds).toISOString(), title: fullMoment(milliseconds),
  }, show(milliseconds));
}

/** A moment and how long ago it was. */
export function timeAgo(milliseconds) {
  return [time(milliseconds), h('span', { class: 'quiet' }, ` · ${ago(milliseconds)}`)];
}

/** As of when the numbers beside it hold. */
export function asOf(milliseconds) {
  return h('span', { class: 'as-of' }, 'as of ', time(milliseconds, exactTime));
}

/** A device's or a record's name, of whatever length and direction. */
export function name(text, fallback = 'without a name') {
  return text ? h('bdi', { class: 'name' }, text) : h('span', { class: 'quiet' }, fallback);
}

/** The beginning of an identifier, with the whole of it as a title. */
export function identifier(text, length = 8) {
  return h('code', { class: 'id', title: text }, text.length > length + 2
    ? `${text.slice(0, length)}…` : text);
}

/** A short word with a sign, so that its colour is not all that it has. */
export function chip(kind, words) {
  return h('span', { class: `chip ${kind}` },
    h('span', { class: 'sign', 'aria-hidden': 'true' }, signs[kind] ?? '•'), words);
}

const signs = { good: '✓', warn: '!', bad: '✕', note: '•', quiet: '○', live: '●', lost: '╳' };

/** A button that says what it does, and says it when the node refuses that. */
export function button(words, work, attributes = {}) {
  const onclick = async (event) => {
    try {
      await work(event);
    } catch (error) {
      expectRefusal(error);
      say([error.message, error.remedy].filter(Boolean).join(' '));
    }
  };
  return h('button', { type: 'button', onclick, ...attributes }, words);
}

/** Terms and what is so of them; a row without a value is left out. */
export function facts(rows, attributes = {}) {
  return h('dl', { class: 'facts', ...attributes }, rows.filter(Boolean).map(([term, ...value]) =>
    h('div', { 'data-key': term }, h('dt', {}, term), h('dd', {}, value))));
}

/** A part of a screen, with its heading. */
export function section(title, attributes, ...children) {
  const id = `part-${title.toLowerCase().replace(/[^a-z]+/g, '-')}`;
  const { beside = null, level = 'h2', ...others } = attributes;
  return h('section', { 'aria-labelledby': id, 'data-key': id, ...others },
    h('div', { class: 'section-head' }, h(level, { id }, title), beside), children);
}

/** Nothing is there: why, and what to do next. */
export function empty(sentence, ...next) {
  return h('div', { class: 'empty' }, h('p', {}, sentence), next);
}

/** A refusal, with what to do about it and, where that makes sense, a way to try again. */
export function refusal(error, again) {
  return h('div', { class: 'notice bad', role: 'alert' },
    h('p', {}, h('strong', {}, error.message)),
    error.remedy ? h('p', {}, error.remedy) : null,
    again ? h('p', {}, button('Try again', again)) : null);
}

/** A labelled control. */
export function field(label, control, note = null) {
  const id = control.id || `field-${fieldCount += 1}`;
  control.id = id;
  if (note) control.setAttribute('aria-describedby', `${id}-note`);
  return h('div', { class: 'field' }, h('label', { for: id }, label), control,
    note ? h('p', { class: 'field-note', id: `${id}-note` }, note) : null);
}

let fieldCount = 0;

/** A select with its choices, each a text or `[value, words]`. */
export function choice(options, chosen, attributes = {}) {
  return h('select', attributes, options.map((option) => {
    const [value, words] = Array.isArray(option) ? option : [option, option];
    return h('option', { value, selected: value === chosen }, words);
  }));
}

/** The line of a command, to copy. */
export function command(words) {
  return h('code', { class: 'command' }, words);
}
