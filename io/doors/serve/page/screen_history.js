// History: every answer in its order, to be looked at, changed and taken back.
import { get, part } from './api.js';
import { afterTitle, field, h, press, quiet, rich } from './dom.js';
import { count, t, when } from './language.js';
import { allEvents, path, redo, search, undo } from './search.js';
import { rateOf, saidOf } from './text_view.js';

const atOnce = 50;
const isAnswer = ({ number }) => number !== undefined;
const filters = {
  all: isAnswer,
  good: ({ good }) => good === true,
  bad: ({ good }) => good === false,
  later: ({ kind }) => kind === 'skipped',
  words: ({ kind }) => kind === 'marked' || kind === 'forgot',
  notes: ({ note }) => Boolean(note),
};

function whatHappened(event) {
  const marks = (event.words ?? []).map((said) => `${said.word} ${saidOf(rateOf(said))}`).join(', ');
  return {
    rated: [{ 0: t('no'), 1: t('yes') }[event.reward] ?? t('rated', { reward: event.reward }), marks],
    marked: [t('words'), marks],
    forgot: [t('forgotten'), event.word],
    skipped: [t(event.hand_on ? 'handed_on' : 'later'), ''],
    separated: [t('was_taken_apart'), t('record_of_its_own')],
    sampled: [t('sample'), t('drawn_at_random', { n: event.count ?? 0 })],
    noted: [t('note'), ''],
  }[event.kind];
}

export async function makeScreen({ place, act }) {
  const [events, { user }, { hidden }] = await Promise.all([allEvents(), get('about'), get(path('/copies?limit=1'))]);
  const answers = events.filter(isAnswer);
  const texts = new Map();
  let most = atOnce;
  const list = h('ol', { class: 'events' });
  const more = press(t('earlier'), () => ((most += atOnce), draw()));
  const kind = h('select', { id: 'kind', onchange: () => draw() }, Object.keys(filters).map((name) => h('option', { value: name }, t(`filter_${name}`))));
  const word = h('input', { id: 'word', oninput: () => draw() });
  const total = h('p', { class: 'quiet small', role: 'status' });

  /** A document is called by its title, as soon as that is known. */
  async function fillText(link, paragraph, document) {
    if (!texts.has(document)) texts.set(document, get(`pools/${part(search.facts.pool)}/documents/${document}`).catch(() => null));
    const one = await texts.get(document);
    const text = one?.runs?.map(([piece]) => piece).join('') ?? one?.words.map((held) => held.word).join(' ') ?? '';
    paragraph.textContent = afterTitle({ title: one?.title, beginning: text.slice(0, 600) }).slice(0, 300);
    if (one?.title) link.textContent = one.title;
  }

  function row(event) {
    const [what, detail] = whatHappened(event);
    const beginning = h('p', { class: 'quiet small two-lines', dir: 'auto' });
    const name = event.id || t('document', { number: event.document });
    const link = h('a', { href: `#/${place.id}/read/${event.document}`, dir: 'auto' }, name);
    if (event.document !== undefined) fillText(link, beginning, event.document);
    const number = count(event.number ?? 0);
    const later = answers.filter((other) => other.holds && other.by === event.by && other.sequence > event.sequence).length;
    const holds = isAnswer(event) && event.holds && (!search.facts.shared.length || event.by === user);
    const undone = isAnswer(event) && !event.holds;
    return h('li', {},
      h('span', { class: 'quiet number small' }, isAnswer(event) && number),
      h('div', {},
        h('div', { class: undone && 'undone' }, h('strong', { class: event.good === undefined ? '' : event.good ? 'for' : 'against' }, what),
          event.document !== undefined && [' ', link],
          detail && h('span', { class: 'quiet' }, ` · ${detail}`)),
        beginning, event.tags && h('p', { class: 'small' }, rich('tags_are', { tags: event.tags.join(', ') })), event.note && h('p', { class: 'small' }, rich('note_is', { note: event.note })),
        quiet(undone && `${t('is_taken_back')} · `, event.by && [h('bdi', {}, event.by), ' · '], when(event.at_ms))),
      h('div', { class: 'tasks' },
        holds && press(t('take_back'), act(() => undo({ sequence: event.sequence }), t('taken_back')), { class: 'plain', 'aria-label': t('take_back_answer', { number }) }),
        holds && later > 0 && press(t('undo_to_here'), act(() => undo({ count: later }), t('answers_taken_back', { n: later })), { class: 'plain', 'aria-label': t('undo_to_here_says', { n: later, number }) })));
  }

  function draw() {
    const typed = word.value.trim().toLowerCase();
    const texts = (event) => [event.word, event.id, event.note, ...(event.tags ?? []), ...(event.words ?? []).map((held) => held.word)];
    const wanted = events.filter((event) => filters[kind.value](event) && (!typed || texts(event).some((text) => text?.toLowerCase().includes(typed)))).reverse();
    list.replaceChildren(...wanted.slice(0, most).map(row));
    more.hidden = wanted.length <= most;
    total.textContent = wanted.length ? t('answers', { n: wanted.length }) : t('nothing_yet');
  }

  draw();
  const acts = { undo: act(() => undo(), t('taken_back')), redo: act(redo, t('done_again')) };
  return {
    title: t('screen_history'),
    content: h('div', { class: 'page' },
      h('h1', { tabIndex: -1 }, t('screen_history')),
      h('div', { class: 'tools' }, field(t('show'), kind), field(t('with_word'), word),
        h('div', { class: 'row' }, press(t('undo'), acts.undo, { disabled: search.facts.undo === null }), press(t('redo'), acts.redo, { disabled: search.facts.redo === null }))),
      hidden > 0 && h('p', {}, h('a', { href: `#/${place.id}/copies` }, t('copies_hidden', { n: hidden }))),
      total, list, more),
    acts,
  };
}
