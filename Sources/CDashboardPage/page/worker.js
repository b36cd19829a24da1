/** The SharedWorker of all tabs: one stream, told to every tab. */

import { openStream } from './js/stream.js';

/** @type {Set<MessagePort>} */
const tabs = new Set();

/** The last that the stream said about itself, for tabs that come later. */
let state = null;
let seq = 0;
let isOpen = false;

function tell(news) {
  if (typeof news.seq === 'number') seq = news.seq;
  if (news.kind !== 'dirty' && news.kind !== 'status') state = news;
  for (const tab of tabs) tab.postMessage(news);
}

self.onconnect = ({ ports: [tab] }) => {
  tabs.add(tab);
  tab.onmessage = ({ data }) => {
    if (data === 'bye') tabs.delete(tab);
  };
  if (!isOpen || state?.kind === 'end') {
    isOpen = true;
    state = null;
    openStream(tell);
    return;
  }
  if (state?.kind === 'lost') tab.postMessage(state);
  else if (state) tab.postMessage({ kind: 'reset', seq });
};
