// The search that is open: what the server said of it last, and what the reader has marked but not sent.
import { Problem, askEarly, get, newWrite, ownWaiting, part, reader, requestNumber, writeSurely } from './api.js';
import { rateOf, saidInDocument } from './text_view.js';

const emptyDraft = (document = null) => ({ document, marks: new Map(), note: '', tags: [] });

export const search = {
  id: null,
  facts: null, // Session of the interface
  next: null, // the document on offer; null where every one is rated
  opened: null, // another document that the reader opened, in the shape of `next`
  draft: emptyDraft(),
  busy: false,
  shownAt: 0,
};

const listeners = { change: () => {}, lost: () => {}, found: () => {}, elsewhere: () => {}, refused: () => {}, people: () => {} };
export const listen = (given) => Object.assign(listeners, given);

const tabs = 'BroadcastChannel' in window ? new BroadcastChannel('inkling') : null;
/** Other windows of this browser look again who is signed in. */
export const tellPeopleChanged = () => tabs?.postMessage({ people: true });
tabs?.addEventListener('message', async ({ data }) => {
  if (data.people) return listeners.people();
  if (data.id !== search.id || search.busy || !(data.sequence > search.facts?.sequence)) return;
  await reload();
  listeners.elsewhere();
});

/** The document that the reader sees. */
export const shown = () => search.opened ?? search.next;
export const path = (rest = '') => `sessions/${part(search.id)}${rest}`;

export async function allEvents() {
  const events = [];
  for (;;) {
    const answer = await get(path(`/events?after=${events.at(-1)?.sequence ?? 0}&limit=10000`));
    events.push(...answer.events);
    if (!answer.more || !answer.events.length) return events;
  }
}

const draftPlace = () => `inkling.draft.${JSON.stringify([reader.name, search.id])}`;

/** Marks, a note and tags survive a reload. */
export function keepDraft() {
  const { document, marks, note, tags } = search.draft;
  try {
    if (marks.size || note || tags.length) localStorage.setItem(draftPlace(), JSON.stringify({ document, marks: [...marks], note, tags }));
    else localStorage.removeItem(draftPlace());
  } catch {
    // Without a store the draft lives in this window alone.
  }
}

function takeDraft() {
  const document = shown()?.document.document ?? null;
  if (search.draft.document === document) return;
  let kept = null;
  try {
    kept = JSON.parse(localStorage.getItem(draftPlace()));
  } catch {
    // as if there were none
  }
  search.draft = emptyDraft(document);
  if (kept && kept.document === document) Object.assign(search.draft, { marks: new Map(kept.marks), note: kept.note, tags: kept.tags ?? [] });
  search.shownAt = performance.now();
}

async function reload() {
  const none = (problem) => {
    if (problem.status !== 410) throw problem;
    return null;
  };
  [search.facts, search.next] = await Promise.all([get(path()), get(path('/next')).catch(none)]);
  // Asking for the next document may have shown it, which is an event.
  search.facts.sequence = Math.max(search.facts.sequence, search.next?.choice.shown ?? 0);
  takeDraft();
  listeners.change();
}

/** Asks for a search before it is known who is here. */
export const askForSearch = (id) => askEarly(`sessions/${part(id)}`, `sessions/${part(id)}/next`);

/** Opens a search, and sends first what an earlier window could not send. */
export async function open(id) {
  if (search.id === id && search.facts) return;
  Object.assign(search, { id, facts: null, next: null, opened: null, draft: emptyDraft() });
  for (const write of ownWaiting().filter(({ session }) => session === id))
    await deliver(write).catch((problem) => problem.waits || listeners.refused(problem));
  await reload();
}

/** Opens any document of the pool; null goes back to the one on offer. */
export async function openDocument(document) {
  search.opened = null;
  if (document !== null && document !== search.next?.document.document) {
    const [text, why] = await Promise.all([get(`pools/${part(search.facts.pool)}/documents/${document}`), get(path(`/documents/${document}/why`))]);
    const { rated } = why;
    search.opened = { document: text, why, choice: null };
    takeDraft();
    if (rated && !search.draft.marks.size) search.draft.marks = new Map(rated.words.map((word) => [word.feature, rateOf(word)]));
    if (rated && !search.draft.note) search.draft.note = rated.note;
    if (rated && !search.draft.tags.length) search.draft.tags = rated.tags;
  }
  takeDraft();
}

async function deliver(write) {
  const answer = await writeSurely(write, listeners.lost);
  listeners.found();
  return answer;
}

/** A write to this search. Returns what the server answered, or null where nothing was done. */
async function write(method, rest, body, done = () => {}) {
  const { facts } = search;
  if (search.busy || !facts) return null;
  search.busy = true;
  const request = requestNumber();
  listeners.change();
  try {
    const isRemoval = method === 'DELETE';
    const answer = await deliver(newWrite(search.id, request, method, path(rest) + (isRemoval ? `?request=${request}` : ''),
      isRemoval ? undefined : { request, ...body }, facts.sequence));
    if (search.facts !== facts) return null; // opened anew meanwhile, by whoever is signed in now
    const { last, next, progress, undo, redo } = answer;
    Object.assign(facts, { sequence: last, progress, undo, redo });
    search.next = next;
    done();
    tabs?.postMessage({ id: search.id, sequence: last });
    return answer;
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.status !== 409) throw problem;
    await reload();
    listeners.elsewhere(problem);
    return null;
  } finally {
    search.busy = false;
    if (search.facts) takeDraft();
    listeners.change();
  }
}

let sent = null; // the draft of the last rating, which comes back with undo

/** `reason` is the tag that says why not: it takes the place of another one of the list. */
export function rate(reward, reason) {
  const { document, marks, note } = search.draft;
  const others = reason || reward > 0 ? search.draft.tags.filter((tag) => !search.facts.reasons.includes(tag)) : search.draft.tags;
  const tags = reason ? [...others, reason] : others;
  if (document === null) return null;
  // A word whose mark did not change keeps what was said of it.
  const before = (feature, rate) => search.opened?.why.rated?.words.find((word) => word.feature === feature && rateOf(word) === rate);
  const words = [...marks].map(([feature, how]) => {
    const { rate, confidence } = before(feature, how) ?? saidInDocument(feature, how);
    return { word: feature, ...(rate === undefined ? {} : { rate }), confidence };
  });
  const ms = Math.round(performance.now() - search.shownAt);
  const body = { document, reward, ms, ...(words.length ? { words } : {}), ...(note ? { note } : {}), ...(tags.length ? { tags } : {}) };
  return write('POST', '/ratings', body, () => {
    sent = { document, marks, note, tags: reason ? others : tags };
    search.opened = null;
    search.draft = emptyDraft();
    keepDraft();
  });
}

export const skip = () => write('POST', '/skips', { document: search.draft.document });
export const separate = (document) => write('POST', '/separations', { document });
export const handOn = () => write('POST', '/skips', { document: search.draft.document, hand_on: true });

export async function undo(what = {}) {
  const answer = await write('POST', '/undo', what);
  // The document is on offer again, with the words that were marked in it.
  if (answer && sent && sent.document === search.draft.document && !search.draft.marks.size) {
    search.draft = sent;
    keepDraft();
    listeners.change();
  }
  return answer;
}

export const redo = () => write('POST', '/redo', {});
export const sample = (count) => write('POST', '/samples', { count });
export const rateWords = (words) => write('POST', '/queries', { words });
export const markWords = (document, features) => write('POST', '/marks', { document, words: features.map((word) => ({ word, confidence: 1 })) });
export const forgetWord = (feature) => write('DELETE', `/words/${feature}`);
export async function aim(changes) {
  const answer = await write('POST', '/aim', changes);
  if (answer) Object.assign(search.facts, changes);
  return answer;
}
