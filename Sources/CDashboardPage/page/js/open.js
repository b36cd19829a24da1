/**
 * Uses the link: the secret behind the `#` never stands in an address that a server sees. It is
 * taken out of the address first, so that neither the history nor a bookmark keeps it.
 */

const secret = location.hash.slice(1);
history.replaceState(null, '', '/open');

const message = document.getElementById('message');
const again = 'Ask for a new one with: linnet dashboard --open';

async function use() {
  if (!/^[0-9a-f]{64}$/.test(secret)) {
    message.textContent = `This address has no link in it. ${again}`;
    return;
  }
  let answer;
  try {
    answer = await fetch('/open', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ secret }),
    });
  } catch {
    message.textContent = 'The node does not answer: it was ended, or its machine is busy. '
      + 'Start it with: linnet run. Then: linnet dashboard --open';
    return;
  }
  if (answer.ok) {
    location.replace('/');
    return;
  }
  const body = await answer.json().catch(() => null);
  const said = body?.error;
  message.textContent = said
    ? [said.message, said.remedy].filter(Boolean).join(' ')
    : `The node refused the link (${answer.status}). ${again}`;
}

await use();
