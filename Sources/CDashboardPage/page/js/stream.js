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
  source.addEventListener('end', async (event) => {
    isOver = true;
    source.close();
    // Another link may have been used in this browser meanwhile.
    if (await askSession() === 'open') openStream(tell);
    else tell({ kind: 'end', ...JSON.parse(event.data) });
  });
  source.onerror = async () => {
    if (isOver) return;
    tell({ kind: 'lost' });
    if (source.readyState !== EventSource.CLOSED) return;
    isOver = true;
    const session = await askSession();
    if (session === 'open' || session === 'silent') setTimeout(() => openStream(tell), pause);
    else tell({ kind: 'end', reason: session });
  };
}

/** `open` or `silent`, else the node's words why it does not know this browser's session. */
async function askSession() {
  try {
    const answer = await fetch('/session');
    if (answer.ok) return 'open';
    if (answer.status !== 403) return 'silent';
    return (await answer.json()).error.message;
  } catch {
    return 'silent';
  }
}
