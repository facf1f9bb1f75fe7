// The frame of the page: which screen is shown, its keys, and what is said to the reader.
import { Problem, ownWaiting, reader, sendWaiting, tryNow, whoIsHere } from './api.js';
import { foreign, h, rich } from './dom.js';
import { applyLanguage, t } from './language.js';
import { askForSearch, listen, open, search } from './search.js';
import { actionOf, applySettings, people } from './settings.js';

const byId = (id) => document.getElementById(id);
const [main, bar, nav, name, status, banner] = ['main', 'bar', 'nav', 'search-name', 'status', 'banner'].map(byId);
/** Each screen and dialog is loaded when it is first shown, so that the first text does not wait for all of them. */
const parts = {
  start: () => import('./screen_start.js'), read: () => import('./screen_read.js'), words: () => import('./screen_words.js'),
  history: () => import('./screen_history.js'), progress: () => import('./screen_progress.js'), people: () => import('./screen_people.js'),
  copies: () => import('./screen_copies.js'), settings: () => import('./screen_settings.js'), login: () => import('./screen_login.js'),
  export: () => import('./export.js'), stop: () => import('./stop_dialog.js'),
};
const load = (name) => parts[name]().catch(() => {
  throw new Problem(0, {}); // no answer
});
const ofSearch = ['read', 'words', 'history', 'progress', 'people', 'copies'];
const showExport = () => attempt(async () => (await load('export')).showExport({ attempt, say }));
const showKeys = () => attempt(async () => (await load('settings')).showKeys());
let screen = {};
let drawing = 0;

/** Sets the text that screen readers announce and nobody sees. */
const say = (text) => (status.textContent = text);

function tell(text, ...more) {
  banner.firstElementChild.replaceChildren(h('p', {}, text), ...more);
  banner.hidden = false;
}
const hush = () => (banner.hidden = true);
const dismiss = () => h('button', { type: 'button', class: 'plain', onclick: hush }, t('close'));

function fail(problem) {
  if (!(problem instanceof Problem)) throw problem;
  if (problem.status === 401 || problem.isOfAnother) return lookWhoIsHere();
  tell(problem.status === 0 ? t('no_answer_running') : foreign(problem.inWords), dismiss());
}

/** Whoever comes in then begins with what they could not send. */
function lookWhoIsHere() {
  search.facts = null;
  people.several = null;
  return draw();
}

/** Does what may go wrong, and says so if it does. A token that is not known has a message of its own. */
async function attempt(work) {
  try {
    await work();
  } catch (problem) {
    if (problem instanceof Problem && problem.status === 401 && screen.isLogin) tell(t('token_unknown'), dismiss());
    else fail(problem);
  }
}

/** The handler of a button or a form: does a write, then shows the screen as it is after it. */
const act = (work, done) => (event) => {
  event?.preventDefault?.();
  return attempt(async () => {
    if (!(await work())) return;
    await draw({ keepFocus: true });
    say(done);
  });
};

/** A part of an address as it was before it was encoded; a part that nobody encoded as it is. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Where the address points: {screen, id, document}. */
function placeOf(hash) {
  const [id, screenName, document] = hash.replace(/^#\/?/, '').split('/').map(decoded);
  if (id === 'settings') return { screen: 'settings', id: search.id };
  if (id === 'people') return { screen: 'people', id: null, pair: screenName };
  if (id === 'join') return { screen: 'login', id: null, token: screenName };
  if (!id || !ofSearch.includes(screenName)) return { screen: 'start', id: null };
  return { screen: screenName, id, document: document === undefined || !/^\d+$/.test(document) ? null : Number(document) };
}

const go = (hash) => (location.hash === hash ? draw() : (location.hash = hash));

const refused = (problem) => tell(rich('waiting_refused', { problem: foreign(problem.inWords) }), dismiss());

/** Whose window this is, before anything of them is shown or sent. Where one person alone reaches the server, nothing of the page
 * speaks of others. */
async function knowReader(place) {
  if (people.several !== null) return;
  if (place.id && place.screen !== 'settings') askForSearch(place.id);
  const { users, lets_in: letsIn } = await whoIsHere();
  await sendWaiting(refused);
  people.several = users.length > 1 || letsIn;
}

/** Somebody else signed in: the window is loaded anew, so that nothing of the one is left in it for the other. */
async function otherReader() {
  if (!reader.other) await whoIsHere().catch(() => {});
  hush();
  const other = reader.other ?? t('somebody_else');
  return { title: t('other_reader'), content: h('div', { class: 'page stack' }, h('h1', { tabIndex: -1 }, t('other_reader')),
    h('p', {}, rich('other_window', { name: other }), ' ', ownWaiting().length > 0 && rich('kept_until', { name: reader.name })),
    h('div', {}, h('button', { type: 'button', class: 'first', onclick: () => location.reload() }, rich('continue_as', { name: other })))) };
}

function drawFrame(place) {
  // Where what is looked for is shown, it is not said twice.
  const { name: called = '', question } = (place.id && search.facts) || {};
  name.textContent = place.screen === 'read' && called === question ? '' : called;
  const links = place.id ? ofSearch.filter((key) => key !== 'copies' || place.screen === 'copies').map((key) => [key, `#/${encodeURIComponent(place.id)}/${key}`]) : [];
  nav.replaceChildren(...[...links, ...(place.id ? [] : [['people', '#/people']]), ['settings', '#/settings']].filter(([key]) => people.several || key !== 'people').map(([key, href]) =>
    h('li', {}, h('a', { href, 'aria-current': key === place.screen ? 'page' : null }, t(`screen_${key}`)))));
  if (place.id && search.facts) nav.append(h('li', {}, h('button', { type: 'button', class: 'export', onclick: showExport }, t('export'))));
}

async function make(place, context, loading) {
  if (place.id && place.screen !== 'settings') await open(place.id);
  return (await loading).makeScreen(context);
}

const reachable = () => [...main.querySelectorAll('a[href], button, input, select, textarea, summary')].filter((one) => !one.disabled);
const nameOf = (one) => one.id || one.getAttribute('aria-label') || one.textContent;

/** Gives the focus back after a redraw: to what had it, or to what has replaced it. */
function giveFocusBack(had, place) {
  const now = reachable();
  const same = now.find((one) => one.tagName === had.tagName && nameOf(one) === nameOf(had));
  (same ?? now[Math.min(place, now.length - 1)])?.focus({ preventScroll: true });
}

/** Draws the screen to which the address points. */
async function draw({ keepFocus = false } = {}) {
  const turn = ++drawing;
  const place = placeOf(location.hash);
  const context = { place, say, attempt, act, go, hush, redraw: () => draw({ keepFocus: true }) };
  const loading = load(place.screen);
  loading.catch(() => {}); // whoever waits for it hears of it
  let made;
  try {
    const isJoining = place.screen === 'login'; // whoever is signed in
    if (!isJoining) await knowReader(place).catch((problem) => {
      if (place.screen !== 'settings' || problem.status !== 0) throw problem; // keys are chosen without a server, too
    });
    made = { ...(await make(place, context, loading)), isLogin: isJoining };
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    if (problem.isOfAnother) made = await otherReader();
    else if (problem.status === 401) made = { ...(await (await load('login')).makeScreen(context)), isLogin: true };
    else {
      const isSilent = problem.status === 0;
      made = { title: t('not_here'), content: h('div', { class: 'page stack' }, h('h1', { tabIndex: -1 }, t(isSilent ? 'server_silent' : 'cannot_be_shown')),
        h('p', {}, isSilent ? t('nothing_lost') : foreign(problem.inWords)),
        h('div', { class: 'row' }, h('button', { type: 'button', onclick: () => draw() }, t('try_again')), h('a', { href: '#/' }, t('all_searches')))) };
    }
  }
  if (turn !== drawing) return made.leave?.(); // the reader opened another screen meanwhile
  screen.leave?.();
  if (screen.place?.screen !== place.screen) say(''); // a message of another screen does not apply here
  const first = !main.hasChildNodes();
  const had = document.activeElement;
  const hadPlace = reachable().indexOf(had);
  const wasLogin = screen.isLogin; // what follows is another screen at the same address
  screen = { ...made, place };
  main.replaceChildren(made.content);
  bar.hidden = !made.bar;
  bar.replaceChildren(...(made.bar ? [made.bar] : []));
  drawFrame(place);
  document.title = `${made.title}${place.id && search.facts ? ` · ${search.facts.name}` : ''} · Inkling`;
  if (keepFocus && !wasLogin) return hadPlace >= 0 && giveFocusBack(had, hadPlace);
  scrollTo(0, 0);
  if (!first) main.querySelector('h1')?.focus({ preventScroll: true });
}

let reached = { id: null, rule: true };
/** Says once that the rule of the reader is met, to whoever reads; other screens show it themselves. */
function lookAtRule() {
  const rule = Boolean(search.facts?.progress.rule_reached);
  const isMetNow = search.id === reached.id && rule && !reached.rule && screen.place?.screen === 'read';
  reached = { id: search.id, rule: search.facts ? rule : true };
  if (isMetNow) attempt(async () => (await load('stop')).showRuleMet({ attempt, say, redraw: () => draw({ keepFocus: true }) }));
}

listen({
  change: () => search.facts && (screen.changed?.(), search.busy || lookAtRule()),
  lost: (problem) => tell(
    problem.status === 0 ? t('no_connection') : rich('kept_and_sent', { problem: foreign(problem.inWords) }),
    h('button', { type: 'button', onclick: tryNow }, t('try_now'))),
  found: hush,
  refused,
  people: lookWhoIsHere,
  elsewhere: (problem) => {
    const taken = problem && problem.where !== 'If-Match'; // another person was there first
    tell(taken ? foreign(problem.message) : t('changed_elsewhere'), dismiss());
    if (screen.place?.screen !== 'read') draw({ keepFocus: true });
  },
});

addEventListener('hashchange', () => draw());
addEventListener('keydown', (event) => {
  if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
  const inField = event.target.closest('input, textarea, select, button, a, summary');
  if (!inField && screen.key?.(event)) return event.preventDefault();
  const action = actionOf(event);
  if (!action || event.repeat) return;
  const id = search.id && encodeURIComponent(search.id);
  if (screen.acts?.[action]) screen.acts[action]();
  else if (action === 'keys') showKeys();
  else if (ofSearch.includes(action) && id && (people.several || action !== 'people')) go(`#/${id}/${action}`);
  else return;
  event.preventDefault();
});
byId('skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});

applySettings();
applyLanguage(document);
await draw();
// The others come while the reader reads, so that they are there without a server, too.
(window.requestIdleCallback ?? setTimeout)(() => Object.values(parts).forEach((part) => part().catch(() => {})));
