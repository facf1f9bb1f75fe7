// History: every answer in its order, to be looked at, changed and taken back.
import { get, part } from './api.js';
import { count, counted, field, h, press, quiet, when } from './dom.js';
import { allEvents, path, redo, search, undo } from './search.js';
import { rateOf, saidOf } from './text_view.js';

const atOnce = 50;
const isAnswer = ({ number }) => number !== undefined;
const filters = {
  'All answers': isAnswer,
  'Good ones': ({ good }) => good === true,
  'Ones that were not good': ({ good }) => good === false,
  Later: ({ kind }) => kind === 'skipped',
  Words: ({ kind }) => kind === 'marked' || kind === 'forgot',
  Notes: ({ note }) => Boolean(note),
};

function whatHappened(event) {
  const marks = (event.words ?? []).map((said) => `${said.word} ${saidOf(rateOf(said))}`).join(', ');
  return {
    rated: [{ 0: 'No', 1: 'Yes' }[event.reward] ?? `Rated ${event.reward}`, marks],
    marked: ['Words', marks],
    forgot: ['Forgotten', event.word],
    skipped: [event.hand_on ? 'Handed on' : 'Later', ''],
    separated: ['Taken apart', 'a record of its own'],
    sampled: ['Sample', `${counted(event.count, 'document')} drawn at random`],
    noted: ['Note', ''],
  }[event.kind];
}

export async function historyScreen({ place, act }) {
  const [events, { user }, { hidden }] = await Promise.all([allEvents(), get('about'), get(path('/copies?limit=1'))]);
  const answers = events.filter(isAnswer);
  const texts = new Map();
  let most = atOnce;
  const list = h('ol', { class: 'events' });
  const more = press('Earlier ones', () => ((most += atOnce), draw()));
  const kind = h('select', { id: 'kind', onchange: () => draw() }, Object.keys(filters).map((name) => h('option', {}, name)));
  const word = h('input', { id: 'word', oninput: () => draw() });
  const total = h('p', { class: 'quiet small', role: 'status' });

  async function fillBeginning(paragraph, document) {
    if (!texts.has(document)) texts.set(document, get(`pools/${part(search.facts.pool)}/documents/${document}`).catch(() => null));
    const one = await texts.get(document);
    const text = one?.runs?.map(([piece]) => piece).join('') ?? one?.words.map((held) => held.word).join(' ') ?? '';
    paragraph.textContent = text.slice(0, 300);
  }

  function row(event) {
    const [what, detail] = whatHappened(event);
    const beginning = h('p', { class: 'quiet small two-lines', dir: 'auto' });
    const name = event.id || `Document ${count(event.document)}`;
    if (event.document !== undefined) fillBeginning(beginning, event.document);
    const number = count(event.number ?? 0);
    const later = answers.filter((other) => other.holds && other.by === event.by && other.sequence > event.sequence).length;
    const holds = isAnswer(event) && event.holds && (!search.facts.shared.length || event.by === user);
    const undone = isAnswer(event) && !event.holds;
    return h('li', {},
      h('span', { class: 'quiet number small' }, isAnswer(event) && number),
      h('div', {},
        h('div', { class: undone && 'undone' }, h('strong', { class: event.good === undefined ? '' : event.good ? 'for' : 'against' }, what),
          event.document !== undefined && [' ', h('a', { href: `#/${place.id}/read/${event.document}`, dir: 'auto' }, name)],
          detail && h('span', { class: 'quiet' }, ` · ${detail}`)),
        beginning, event.tags && h('p', { class: 'small' }, 'Tags: ', h('bdi', {}, event.tags.join(', '))), event.note && h('p', { class: 'small' }, 'Note: ', h('bdi', {}, event.note)),
        quiet(undone && 'taken back · ', event.by && `${event.by} · `, when(event.at_ms))),
      h('div', { class: 'tasks' },
        holds && press('Take back', act(() => undo({ sequence: event.sequence }), 'Taken back.'), { class: 'plain', 'aria-label': `Take back answer ${number}` }),
        holds && later > 0 && press('Undo to here', act(() => undo({ count: later }), `${counted(later, 'answer')} taken back.`), { class: 'plain', 'aria-label': `Undo to here: takes back ${counted(later, 'answer')} after answer ${number}` })));
  }

  function draw() {
    const typed = word.value.trim().toLowerCase();
    const texts = (event) => [event.word, event.id, event.note, ...(event.tags ?? []), ...(event.words ?? []).map((held) => held.word)];
    const wanted = events.filter((event) => filters[kind.value](event) && (!typed || texts(event).some((text) => text?.toLowerCase().includes(typed)))).reverse();
    list.replaceChildren(...wanted.slice(0, most).map(row));
    more.hidden = wanted.length <= most;
    total.textContent = wanted.length ? counted(wanted.length, 'answer') : 'Nothing here yet.';
  }

  draw();
  const acts = { undo: act(() => undo(), 'Taken back.'), redo: act(redo, 'Done again.') };
  return {
    title: 'History',
    content: h('div', { class: 'page' },
      h('h1', { tabIndex: -1 }, 'History'),
      h('div', { class: 'tools' }, field('Show', kind), field('With this word, id, tag or note', word),
        h('div', { class: 'row' }, press('Undo', acts.undo, { disabled: search.facts.undo === null }), press('Redo', acts.redo, { disabled: search.facts.redo === null }))),
      hidden > 0 && h('p', {}, h('a', { href: `#/${place.id}/copies` }, `${counted(hidden, 'record is', 'records are')} not offered, because each is a copy of another`)),
      total, list, more),
    acts,
  };
}
