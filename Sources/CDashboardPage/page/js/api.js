/** Asking the node: the verbs of docs/api.md over the paths of docs/dashboard.md. */

/** A refusal of the node, or its silence: `message` for people, `remedy` or null beside it. */
export class ApiError extends Error {
  /**
   * @param {string} code such as `usage`, `failed`, `session`, or `silent` when nobody answered
   * @param {string} message
   * @param {string|null} remedy
   */
  constructor(code, message, remedy = null) {
    super(message);
    this.code = code;
    this.remedy = remedy;
  }
}

/** Throws on whatever is no refusal of the node: that is a mistake of this page. */
export function expectRefusal(error) {
  if (!(error instanceof ApiError)) throw error;
}

const silence = () => new ApiError(
  'silent', 'The node does not answer.',
  'If it was ended, start it with “linnet run”, then “linnet dashboard --open”.');

let token = null;
let lowest = null;

/** The number of the first answer to a verb: everything up to there was in it. */
export const firstSeq = () => lowest;

/** Whom this page belongs to: `{token, device, name, session, guest}`. */
export async function openSession() {
  const session = (await exchange('/session', {})).ok;
  token = session.token;
  return session;
}

/**
 * Carries out a verb.
 * @param {string} verb
 * @param {object} [members]
 * @returns {Promise<*>} what stands under `ok`
 * @throws {ApiError}
 */
export async function call(verb, members = {}) {
  if (token === null) await openSession();
  const body = JSON.stringify({ digits: 'text', ...members });
  const post = () => exchange(`/api/${verb}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Linnet-Token': token },
    body,
  });
  let answer;
  try {
    answer = await post();
  } catch (error) {
    // Another link was opened in this browser meanwhile: the session is a new one.
    if (error.code !== 'token') throw error;
    await openSession();
    answer = await post();
  }
  lowest ??= answer.seq ?? null;
  return answer.ok;
}

async function exchange(path, options) {
  let answer;
  let body;
  try {
    answer = await fetch(path, options);
    body = await answer.json();
  } catch {
    throw silence();
  }
  if (answer.ok && body && 'ok' in body) return body;
  const { code = 'failed', message = `The node answered ${answer.status}.`, remedy = null } =
    body?.error ?? {};
  if (code === 'session') dispatchEvent(new CustomEvent('sessionover', { detail: message }));
  throw new ApiError(code, message, remedy);
}

/** A name for a wish, so that the same wish said twice is carried out once. */
export function intent() {
  return crypto.randomUUID();
}

/** A text as a value of a condition: between quotes that it does not have itself. */
export function quoted(text) {
  if (!text.includes("'")) return `'${text}'`;
  if (!text.includes('"')) return `"${text}"`;
  throw new ApiError('usage', 'A text with both kinds of quotes cannot be searched for.');
}
