// Requests to the server. A write that gets no answer is kept and sent again with the same number until it is answered,
// so that it is done once and never lost.

const base = '/api/v1/';
const retriable = new Set([429, 502, 503, 504]);

/** An answer that says no. `status` is that of HTTP; 0 where nothing answered. */
export class Problem extends Error {
  constructor(status, problem) {
    super(problem.detail ?? 'The server does not answer.');
    this.status = status;
    this.where = problem.where;
    this.expected = problem.expected;
  }
  get inWords() {
    return this.message + (this.expected ? ` Expected here: ${this.expected}.` : '');
  }
}

async function send(method, path, { body, type = 'application/json', headers = {}, accept } = {}) {
  let answer;
  try {
    answer = await fetch(base + path, {
      method,
      body: typeof body === 'string' || body instanceof Blob ? body : body && JSON.stringify(body),
      headers: { ...headers, ...(method === 'GET' ? {} : { 'Content-Type': type }), ...(accept ? { Accept: accept } : {}) },
      cache: 'no-store',
    });
    if (answer.ok) return answer.status === 204 ? null : accept ? await answer.text() : await answer.json();
  } catch {
    throw new Problem(0, {});
  }
  const problem = await answer.json().catch(() => ({ detail: `The server said ${answer.status}.` }));
  throw new Problem(answer.status, problem);
}

/** What people type into a path must not become part of it. */
export const part = encodeURIComponent;

export const get = (path) => send('GET', path);
export const getLines = (path) => send('GET', path, { accept: 'application/x-ndjson' });
export const post = (path, body) => send('POST', path, { body });
export const bringFile = (path, file) => send('POST', path, { body: file, type: 'application/octet-stream' });
export const importLog = (path, text) => send('POST', path, { body: text, type: 'application/x-ndjson' });

/** A new number for a request. `randomUUID` would need a secure origin, which a server in a home network is not. */
export const requestNumber = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const placeOf = (session) => `inkling.waiting.${session}`;

/** The write of a search that has no answer yet, also after a reload. */
export function waitingWrite(session) {
  try {
    return JSON.parse(localStorage.getItem(placeOf(session)));
  } catch {
    return null;
  }
}

function keepWaiting(session, write) {
  try {
    if (write) localStorage.setItem(placeOf(session), JSON.stringify(write));
    else localStorage.removeItem(placeOf(session));
  } catch {
    // Without a store the write lives in this window alone.
  }
}

let wake = () => {};
/** Ends the pause before the next try. */
export const tryNow = () => wake();
addEventListener('online', tryNow);

const pause = (ms) =>
  new Promise((done) => {
    const timer = setTimeout(done, ms);
    wake = () => (clearTimeout(timer), done());
  });

/**
 * Sends a write until it is answered: {method, path, body, match}. `lost` hears of each try that failed. Throws a
 * Problem where the server says no.
 */
export async function writeSurely(session, write, lost) {
  keepWaiting(session, write);
  for (let tries = 0; ; tries++) {
    try {
      const answer = await send(write.method, write.path, { body: write.body, headers: { 'If-Match': `"${write.match}"` } });
      keepWaiting(session, null);
      return answer;
    } catch (problem) {
      if (problem.status === 401) throw problem; // it waits until its reader is known again
      if (problem.status !== 0 && !retriable.has(problem.status)) {
        keepWaiting(session, null);
        throw problem;
      }
      lost(problem);
      await pause(Math.min(15_000, 500 * 2 ** tries));
    }
  }
}
