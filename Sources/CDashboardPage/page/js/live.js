/** News of the node for this tab, from the worker that all tabs share. */

import { openStream } from './stream.js';

const workerPath = '/worker.js';

/** The one place that may name a script: it knows the worker's path and nothing else. */
const policy = globalThis.trustedTypes?.createPolicy('linnet', {
  createScriptURL: (path) => {
    if (path !== workerPath) throw new TypeError(`${path} is not the worker`);
    return path;
  },
});

/**
 * Begins to listen.
 * @param {(news: object) => void} tell as `openStream` tells
 */
export function listen(tell) {
  if (typeof SharedWorker === 'undefined') {
    openStream(tell);
    return;
  }
  const path = policy ? policy.createScriptURL(workerPath) : workerPath;
  const worker = new SharedWorker(path, { type: 'module', name: 'linnet' });
  worker.port.onmessage = ({ data }) => tell(data);
  worker.port.start();
  addEventListener('pagehide', () => worker.port.postMessage('bye'));
  // A page that comes back from the browser's memory has missed what happened meanwhile.
  addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload();
  });
}
