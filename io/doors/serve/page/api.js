// Requests to the server, each in the name of one person. A write that gets no answer is kept for its person and sent again with
// the same number until it is answered, so that it is done once, under their name, and never lost.
import { t } from './language.js';

const base = '/api/v1/';
const userHeader = 'Inkling-User';
const retriable = new Set([429, 502, 503, 504]);

/** An answer that says no. `status` is that of HTTP; 0 where nothing answered. */
export class Problem extends Error {
  constructor(status, problem) {
    super(problem.detail ?? t('no_answer'));
    this.status = status;
    this.where = problem.where;
    this.expected = problem.expected;
  }
  /** Another person is signed in than the one in whose name it was asked. */
  get isOfAnother() {
    return this.status === 403 && this.where === userHeader;
  }
  get inWords() {
    return this.message + (this.expected ? ` ${t('expected', { what: this.expected })}` : '');
  }
}

/** What people type into a path must not become part of it. */
export const part = encodeURIComponent;

/** Whose window this is, from the first answer of the server until it is loaded anew, and who else is signed in by now. */
export const reader = { name: null, other: null };

// What was asked before it was known who is here: by path. Each answer says whose it is, and counts for them until something is written.
const early = new Map();
export function askEarly(...paths) {
  for (const path of paths) early.set(path, fetch(base + path, { cache: 'no-store' }).catch(() => null));
  setTimeout(() => early.clear(), 5_000); // whoever did not need them by then asks anew
}
async function earlyAnswer(path) {
  const answer = await early.get(path);
  early.delete(path);
  return answer?.ok && reader.name !== null && decodeURIComponent(answer.headers.get(userHeader) ?? '') === reader.name ? answer.json() : undefined;
}

async function send(method, path, { body, type = 'application/json', headers = {}, accept, person = reader.name } = {}) {
  let answer;
  if (method !== 'GET') early.clear();
  try {
    answer = await fetch(base + path, {
      method,
      body: typeof body === 'string' || body instanceof Blob ? body : body && JSON.stringify(body),
      headers: { ...headers, ...(person === null ? {} : { [userHeader]: part(person) }), ...(method === 'GET' ? {} : { 'Content-Type': type }), ...(accept ? { Accept: accept } : {}) },
      cache: 'no-store',
    });
    if (answer.ok) return answer.status === 204 ? null : accept ? await answer.text() : await answer.json();
  } catch {
    throw new Problem(0, {});
  }
  const problem = await answer.json().catch(() => ({ detail: t('status_only', { status: String(answer.status) }) }));
  throw new Problem(answer.status, problem);
}

export const get = async (path) => (await earlyAnswer(path)) ?? send('GET', path);
export const getText = (path, accept) => send('GET', path, { accept });
export const post = (path, body) => send('POST', path, { body });
export const remove = (path) => send('DELETE', path);
/** Files of records make one pool, read as this says. */
export const bringFiles = (files, as) => send('POST', `pools?${new URLSearchParams(Object.entries({
  name: files.map(({ name }) => name).join('/'), sizes: files.length > 1 ? files.map(({ size }) => size).join(',') : '', ...as,
}).filter(([, value]) => value))}`, { body: new Blob(files), type: 'application/octet-stream' });
export const importLog = (path, text) => send('POST', path, { body: text, type: 'application/x-ndjson' });

/** A new number for a request. `randomUUID` would need a secure origin, which a server in a home network is not. */
export const requestNumber = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Who is signed in. Throws a Problem where that is not whose window this is. */
export async function whoIsHere() {
  const about = await send('GET', 'about', { person: null });
  reader.name ??= about.user;
  reader.other = about.user === reader.name ? null : about.user;
  if (reader.other) throw new Problem(403, { where: userHeader });
  return about;
}

// What is kept of a person has their name in its place, by JSON so that no two names meet.
const waitingPlaces = 'inkling.waiting.';
const placeOf = ({ person, session, request }) => waitingPlaces + JSON.stringify([person, session, request]);

/** The writes that have no answer yet, of everybody who uses this browser, the earliest first. */
export function waitingWrites() {
  const found = [];
  try {
    for (const place of Object.keys(localStorage)) if (place.startsWith(waitingPlaces)) found.push(JSON.parse(localStorage.getItem(place)));
  } catch {
    // Without a store nothing waits beyond its window.
  }
  return found.filter((write) => typeof write?.person === 'string').sort((one, other) => one.said - other.said);
}
export const ownWaiting = () => waitingWrites().filter(({ person }) => person === reader.name);

function keepWaiting(write, waits) {
  try {
    if (waits) localStorage.setItem(placeOf(write), JSON.stringify(write));
    else localStorage.removeItem(placeOf(write));
  } catch {
    // Without a store the write lives in this window alone.
  }
}

// Sends a write once. It is kept unless it is answered or refused; it waits for its person where somebody else, or nobody, is
// signed in.
async function sendKept(write) {
  try {
    const answer = await send(write.method, write.path, { body: write.body, person: write.person, headers: { 'If-Match': `"${write.match}"` } });
    keepWaiting(write, false);
    return answer;
  } catch (problem) {
    problem.tryAgain = problem.status === 0 || retriable.has(problem.status);
    problem.waits = problem.tryAgain || problem.status === 401 || problem.isOfAnother;
    if (!problem.waits) keepWaiting(write, false);
    throw problem;
  }
}

/** Sends once what the reader could not send before, in whichever search; `refused` gets each problem of which nothing waits. */
export async function sendWaiting(refused) {
  for (const write of ownWaiting()) await sendKept(write).catch((problem) => problem.waits || refused(problem));
}

let wake = () => {};
export const tryNow = () => wake();
addEventListener('online', tryNow);

const pause = (ms) =>
  new Promise((done) => {
    const timer = setTimeout(done, ms);
    wake = () => (clearTimeout(timer), done());
  });

/** Something that the reader says now: to be sent until it is answered. */
export const newWrite = (session, request, method, path, body, match) => ({ person: reader.name, session, request, method, path, body, match, said: Date.now() });

/** Sends a write until it is answered. `lost` is called after each try that failed. Throws a Problem where the server says no. */
export async function writeSurely(write, lost) {
  keepWaiting(write, true);
  for (let tries = 0; ; tries++) {
    try {
      return await sendKept(write);
    } catch (problem) {
      if (!problem.tryAgain) throw problem;
      lost(problem);
      await pause(Math.min(15_000, 500 * 2 ** tries));
    }
  }
}
