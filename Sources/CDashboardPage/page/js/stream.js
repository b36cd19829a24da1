/**
 * The stream of news from the node, and what became of it. The SharedWorker holds the one stream
 * of all tabs: a browser opens six connections to an address, and a stream takes one for good.
 */

/** Milliseconds until a stream that the browser gave up is opened again. */
const pause = 2000;

/**
 * Opens the stream and keeps it open.
 * @param {(news: {kind: string, seq?: number, places?: Array, reason?: string}) => void} tell
 *   hears `reset`, `resume`, `dirty`, `status` and `end` of the node, and `lost` whenever the
 *   node does not answer
 */
export function openStream(tell) {
  const source = new EventSource('/events');
  let isOver = false;
  for (const kind of ['reset', 'resume', 'dirty', 'status']) {
    source.addEventListener(kind, (event) => tell({ kind, ...JSON.parse(event.data) }));
  }
  source.addEventListener('end', (event) => {
    isOver = true;
    source.close();
    tell({ kind: 'end', ...JSON.parse(event.data) });
  });
  source.onerror = async () => {
    if (isOver) return;
    tell({ kind: 'lost' });
    if (source.readyState !== EventSource.CLOSED) return;
    isOver = true;
    const refusal = await refusalOfSession();
    if (refusal) tell({ kind: 'end', reason: refusal });
    else setTimeout(() => openStream(tell), pause);
  };
}

/** Why the node no longer knows this session; null when it does, or does not answer. */
async function refusalOfSession() {
  try {
    const answer = await fetch('/session');
    if (answer.status !== 403) return null;
    const body = await answer.json();
    return body?.error?.message ?? 'The session is over.';
  } catch {
    return null;
  }
}
