/** Dialogs: one at a time, closed by Escape, after which the focus is where it was. */

import { h, paint } from './dom.js';
import { button, refusal } from './parts.js';

/**
 * Opens a dialog.
 * @param {string} title
 * @param {(dialog: {body: Element, close: () => void, show: (...nodes) => void}) => void} fill
 * @param {() => void} [closed] called once it is closed
 */
export function openDialog(title, fill, closed = () => {}) {
  const before = document.activeElement;
  const key = before?.dataset?.focus;
  const body = h('div', { class: 'dialog-body' });
  const element = h('dialog', { class: 'dialog', 'aria-labelledby': 'dialog-title' },
    h('div', { class: 'dialog-head' },
      h('h2', { id: 'dialog-title' }, title),
      button('Close', () => element.close(), { class: 'plain' })),
    body);
  element.onclose = () => {
    element.remove();
    // What opened it may have been painted anew meanwhile.
    const back = before?.isConnected ? before
      : key ? document.querySelector(`[data-focus="${CSS.escape(key)}"]`) : null;
    (back ?? document.getElementById('main')).focus();
    closed();
  };
  document.body.append(element);
  const dialog = {
    body,
    close: () => element.close(),
    show: (...nodes) => paint(body, ...nodes),
  };
  element.showModal();
  fill(dialog);
  return dialog;
}

/**
 * A form whose wish is carried out while the dialog waits; a refusal stays in it.
 * @param {object} dialog as `openDialog` gives it
 * @param {Array} content what is filled in
 * @param {string} words what the button says
 * @param {(form: HTMLFormElement) => Promise<void>} carryOut
 */
export function form(dialog, content, words, carryOut, kind = 'primary') {
  const trouble = h('div', {});
  const submit = h('button', { type: 'submit', class: kind }, words);
  const element = h('form', {
    class: 'stack',
    onsubmit: async (event) => {
      event.preventDefault();
      submit.disabled = true;
      paint(trouble);
      try {
        await carryOut(element);
      } catch (error) {
        paint(trouble, refusal(error));
      }
      submit.disabled = false;
    },
  }, content, trouble, h('div', { class: 'actions' }, submit,
    button('Cancel', dialog.close, { class: 'plain' })));
  return element;
}
