// Read: one document, its words, why it is shown, and the bar with which it is rated.
import { get } from './api.js';
import { count, h, press, quiet, section, signed } from './dom.js';
import { barTable } from './bars.js';
import { actions, keyOf, settings } from './settings.js';
import { keepDraft, openDocument, rate, redo, search, shown, skip, undo } from './search.js';
import { TextView, saidOf } from './text_view.js';
import { wordList } from './word_list.js';

const grades = [0, 0.25, 0.5, 0.75, 1];
const whyAtFirst = 8;
let whyIsOpen = true;

/** Why there is no document. */
function theEnd({ set, shared, progress }) {
  if (set) return 'You have read all that was drawn for you.';
  if (shared.length && progress.rated < progress.documents) return 'Others read what is left. What they leave for 30 minutes comes to you.';
  return 'You have read every document.';
}

const idOf = ({ document, id }) => id ?? `Document ${count(document)}`;
/** Each once, as the server takes them: up to 20, of up to 100 bytes. */
const tagsIn = (typed) => [...new Set(typed.split(/[,;]/).map((tag) => tag.trim()).filter(Boolean))];
const nameOf = (document) => document.title || idOf(document);

/** Who wrote it, when, and where it stands; whoever is there does not learn where the reader came from. */
function recordOf({ authors, year, links = [] }) {
  const who = [authors, year].filter(Boolean).join(', ');
  const safe = links.filter((link) => /^https?:\/\//i.test(link));
  return (who || safe.length > 0) && h('div', { class: 'record small' }, who && h('p', {}, who),
    safe.map((link) => h('p', {}, h('a', { href: link, rel: 'noopener noreferrer', target: '_blank' }, link))));
}

function howItCame({ choice, why, rated }) {
  if (rated) return `you rated it ${rated.reward}`;
  if (!choice) return 'opened by you';
  if (choice.explored) return 'drawn at random, to learn';
  if (choice.mean === null) return 'nothing is learned yet';
  return `expected rating ${expected(why)}`;
}

/** As a rating, which a sum of words may miss a little. Some policies tell no doubt of the whole. */
function expected({ mean, width, radius }) {
  const doubt = width * (radius ?? 1);
  return Math.min(1, Math.max(0, mean)).toFixed(2) + (doubt > 0 ? ` ± ${doubt.toFixed(2)}` : '');
}

function whyPanel({ why }) {
  const parts = why.words.map((word) => ({ word: word.word, value: word.contribution, doubt: Math.abs(word.value) * word.deviation }))
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const many = Math.min(whyAtFirst, parts.filter(({ value }) => Math.abs(value) >= 0.005).length);
  const reason = why.reason ? why.reason[0].toUpperCase() + why.reason.slice(1) + '.' : '';
  const drawn = why.explored ? 'It was drawn at random, to learn and to estimate what is left. ' : '';
  const table = h('div');
  const fill = (some) => some.length && table.replaceChildren(barTable('What each known word adds to the expected rating', ['Word', 'Part'], some));
  fill(parts.slice(0, many));
  const all = () => {
    fill(parts);
    more.remove();
  };
  const more = parts.length > many && press(`All ${parts.length} words`, all, { class: 'plain' });
  return h('details', { open: whyIsOpen, ontoggle: (event) => (whyIsOpen = event.target.open) },
    h('summary', {}, 'Why this one'),
    h('p', {}, drawn + reason || (parts.length ? '' : 'It has no word that the search knows yet. Mark the words that matter.')),
    parts.length > 0 && quiet(
      `Expected rating ${expected(why)}: ${signed(why.base)} for any document, and ${many ? 'these words. A whisker shows how far off a word may be.' : 'next to nothing for its words.'}`),
    table, more);
}

export async function readScreen({ place, say, attempt, go }) {
  await openDocument(place.document);
  let view = null;
  let list = null;
  const paper = h('div');
  const side = h('aside', { 'aria-label': 'About this document' });
  const found = h('a', { class: 'found quiet small number', href: `#/${place.id}/progress` });
  const goBack = () => place.document !== null && go(`#/${place.id}/read`);

  function mark(feature, how) {
    if (how === undefined) search.draft.marks.delete(feature);
    else search.draft.marks.set(feature, how);
    keepDraft();
    view?.paint();
    list?.draw();
    drawMarks();
  }

  const marked = h('p', { class: 'marked small' });
  function drawMarks() {
    const words = shown().document.words;
    const names = [...search.draft.marks].map(([feature, how]) =>
      h('span', { class: how < 0 ? 'against' : 'for' }, `${words.find((word) => word.feature === feature)?.word ?? feature} (${saidOf(how)})`));
    marked.replaceChildren(...(names.length ? ['Marked: ', ...names.flatMap((name, at) => (at ? [', ', name] : [name]))] : []),
      ...[search.draft.tags.length && `Tags: ${search.draft.tags.join(', ')}`, search.draft.note && `Note: ${search.draft.note}`]
        .filter(Boolean).flatMap((line, at) => [names.length || at ? h('br') : '', line]));
  }

  let drawn = null; // what is on the paper, so that a change elsewhere does not redraw it
  function draw() {
    const one = shown();
    const { progress, rule } = search.facts;
    found.textContent = `${count(progress.rated)} read · ${count(progress.good)} good` + (progress.good_left.draws ? ` · at most ${count(progress.good_left.at_most)} left` : '');
    if (rule && progress.rule_reached) found.textContent += ' · your rule is met';
    for (const button of buttons) button.disabled = search.busy || (button.dataset.needs === 'document' ? !one : button.dataset.needs === 'undo' ? search.facts.undo === null : false);
    if (drawn && drawn.one === one && drawn.draft === search.draft) return;
    const isNew = drawn?.one !== one;
    drawn = { one, draft: search.draft };
    const held = paper.contains(document.activeElement) || side.contains(document.activeElement);
    view?.leave();
    if (!one) {
      paper.replaceChildren(h('article', { class: 'card' }, h('h1', { tabIndex: -1 }, theEnd(search.facts)), h('p', {}, h('a', { href: `#/${place.id}/progress` }, 'See what you found'))));
      side.replaceChildren();
      return;
    }
    const known = new Map(one.why.words.map((word) => [word.feature, word.weight]));
    const record = recordOf(one.document);
    const { title } = one.document;
    view = new TextView(one.document, { marks: search.draft.marks, known, mark, say, below: record });
    list = wordList(one.document, { known, marks: search.draft.marks, mark });
    paper.replaceChildren(h('article', { class: isNew ? 'card new' : 'card', tabIndex: -1, 'aria-labelledby': 'document' },
      title && quiet(`${idOf(one.document)} · ${howItCame(one)}`),
      h('h1', { id: 'document', tabIndex: -1, class: view.hasTitle ? 'unseen' : title && 'title' }, nameOf(one.document), !title && h('span', { class: 'quiet' }, ` · ${howItCame(one)}`)),
      !view.hasTitle && record,
      !one.document.runs && quiet('This pool keeps no texts: these are the words of the document. A pool that is built with --keep-text shows texts.'),
      view.element, marked));
    side.replaceChildren(whyPanel(one), section('Words of this document', { class: '' },
      quiet('Tick a word that matters, or click it in the text. A second click says that it speaks against a document.'), list.element));
    drawMarks();
    if (isNew) scrollTo(0, 0);
    if (held) paper.querySelector('article').focus({ preventScroll: true });
  }

  const act = (work, done) => attempt(async () => {
    if (search.busy || !(await work())) return;
    goBack();
    const next = shown();
    say(`${done}. ${next ? `Next: ${nameOf(next.document)}, ${howItCame(next)}.` : 'You have read every document.'}`);
  });

  const takeNote = () => {
    const text = h('textarea', { value: search.draft.note, maxLength: 10000, rows: 5 });
    const tags = h('input', { value: search.draft.tags.join(', '), autocomplete: 'off', maxLength: 2000 });
    const known = h('div', { class: 'row' });
    const more = ({ tag, documents }) => press(`${tag} (${count(documents)})`, () => {
      const typed = tagsIn(tags.value);
      tags.value = (typed.includes(tag) ? typed.filter((one) => one !== tag) : [...typed, tag]).join(', ');
    }, { class: 'plain small' });
    const box = h('dialog', { 'aria-labelledby': 'note-head', onclose: () => {
      if (box.returnValue === 'keep') {
        Object.assign(search.draft, { note: text.value.trim(), tags: tagsIn(tags.value) });
        keepDraft();
        drawMarks();
      }
      box.remove();
    } }, h('form', { method: 'dialog', class: 'stack' }, h('h2', { id: 'note-head' }, 'Note and tags'),
      h('p', { class: 'quiet small' }, 'They are kept with your rating of this document.'),
      h('label', {}, h('span', {}, 'Note'), text),
      h('label', {}, h('span', {}, 'Tags: reasons, divided by commas'), tags),
      known,
      h('div', { class: 'row' }, h('button', { class: 'first', value: 'keep' }, 'Keep'), h('button', { value: '' }, 'Cancel'))));
    document.body.append(box);
    box.showModal();
    get(`sessions/${place.id}/tags`).then((answer) => known.replaceChildren(...answer.tags.slice(0, 12).map(more)), () => {});
  };

  const acts = {
    no: () => act(() => rate(0), 'No'),
    yes: () => act(() => rate(1), 'Yes'),
    ...Object.fromEntries(grades.map((reward, at) => [`grade${at + 1}`, () => act(() => rate(reward), `Grade ${at + 1}`)])),
    later: () => act(skip, 'Later'),
    undo: () => search.facts.undo !== null && act(() => undo(), 'Taken back'),
    redo: () => search.facts.redo !== null && act(() => redo(), 'Done again'),
    note: () => shown() && takeNote(),
    mark: () => (view?.element.focus({ preventScroll: true }), view?.toggleCursor()),
    why: () => {
      const panel = side.querySelector('details');
      panel.open = !panel.open;
      if (panel.open) panel.querySelector('summary').focus();
    },
  };
  const hint = (name) => settings.useKeys && h('kbd', { 'aria-hidden': 'true' }, keyOf(name));
  const button = (name, label, { look = '', needs = 'document', bare = false } = {}) =>
    h('button', {
      type: 'button', class: look, 'data-needs': needs, 'data-act': name, onclick: acts[name], 'aria-keyshortcuts': settings.useKeys ? keyOf(name) : null,
      'aria-label': bare ? `${label} of 5` : null, title: actions.find((action) => action.name === name).does,
    }, label, bare ? null : hint(name));
  const bar = h('div', {}, found,
    h('div', { class: 'rate', role: 'group', 'aria-label': 'Rate this document' }, button('no', 'No'),
      h('div', { class: 'grades', role: 'group', 'aria-label': 'Grades' }, grades.map((reward, at) => button(`grade${at + 1}`, String(at + 1), { bare: true }))), button('yes', 'Yes', { look: 'first' })),
    h('div', { class: 'more' }, button('later', 'Later', { look: 'plain' }), button('undo', 'Undo', { look: 'plain', needs: 'undo' }), button('note', 'Note', { look: 'plain' })));
  const buttons = [...bar.querySelectorAll('button')];
  draw();
  return {
    title: 'Read',
    content: h('div', { class: 'read' },
      search.facts.question && h('p', { class: 'question' }, h('span', { class: 'unseen' }, 'You look for: '), h('strong', {}, search.facts.question)),
      paper, side),
    bar, acts, changed: draw,
    key: (event) => view?.key(event) ?? false,
    leave: () => view?.leave(),
  };
}
