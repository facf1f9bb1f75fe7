// Read: one document, its words, why it is shown, and the bar with which it is rated.
import { get, part } from './api.js';
import { count, counted, h, press, quiet } from './dom.js';
import { actions, keyOf, settings } from './settings.js';
import { handOn, keepDraft, markWords, openDocument, path, rate, rateWords, redo, search, shown, skip, undo } from './search.js';
import { TextView, saidOf } from './text_view.js';
import { wordList } from './word_list.js';
import { WordsField, askWords } from './words_field.js';

const grades = [0, 0.25, 0.5, 0.75, 1];
const fewWords = 5;
let whyIsOpen = true;

/** Why there is no document. */
function theEnd({ set, shared, progress, withheld }) {
  if (set) return 'You have read all that was drawn for you.';
  if (withheld) return `Two readers have the ${counted(withheld, 'document')} that are left. They are rated here when both are done.`;
  if (shared.length && progress.rated < progress.documents) return 'Others read what is left. What they leave for 30 minutes comes to you.';
  return 'You have read every document.';
}

const idOf = ({ document, id }) => id ?? `Document ${count(document)}`;
/** Each once, as the server takes them: up to 20, of up to 100 bytes. */
const tagsIn = (typed) => [...new Set(typed.split(/[,;]/).map((tag) => tag.trim()).filter(Boolean))];
const nameOf = (document) => document.title || idOf(document);

/** Who wrote it, when, and where to read it; that site does not learn where the reader came from. */
function recordOf({ authors, year, links = [] }) {
  const who = [authors, year].filter(Boolean).join(', ');
  const safe = links.filter((link) => /^https?:\/\//i.test(link));
  return (who || safe.length > 0) && h('div', { class: 'record small' }, who && h('p', { dir: 'auto' }, who),
    safe.map((link) => h('p', {}, h('a', { href: link, rel: 'noopener noreferrer', target: '_blank' }, link))));
}

/** How likely it is good, in words, or how else it came. */
function howItCame({ choice, why }) {
  if (why.rated) return `you said ${{ 0: 'no', 1: 'yes' }[why.rated.reward] ?? `grade ${grades.indexOf(why.rated.reward) + 1 || why.rated.reward}`}`;
  if (choice?.explored) return 'it was drawn at random, to learn';
  if (!why.words.length) return 'it has no word that the search knows yet';
  return why.chance && `it ${why.chance.startsWith('may') ? '' : 'is '}${why.chance}`;
}

/** What each of two readers said of the documents on which they differ, for whoever decides: by document. */
async function votesOn({ set }) {
  if (!set?.decision) return new Map();
  const { readers, conflicts } = await get(`pairs/${part(set.pair)}`);
  return new Map(conflicts.map(({ document, ratings, notes, tags }) => [document, readers.map((name, at) => h('li', {},
    h('strong', {}, `${name}: ${{ 0: 'no', 1: 'yes' }[ratings[at]] ?? ratings[at]}`), tags[at].length > 0 && ` · ${tags[at].join(', ')}`, notes[at] && ` · “${notes[at]}”`))]));
}

const sentence = (text) => (text ? `${text[0].toUpperCase()}${text.slice(1)}. ` : '');

/** Why it is shown and its words, in one list. */
const whyPanel = (one, list) => h('details', { open: whyIsOpen, ontoggle: (event) => (whyIsOpen = event.target.open) },
  h('summary', {}, 'Why this one, and its words'),
  h('p', {}, sentence(howItCame(one)) + sentence(one.why.reason)),
  quiet('Tick a word that matters, or click it in the text. A second click says that it speaks against a document.'), list.element);

export async function readScreen({ place, say, attempt, go }) {
  await openDocument(place.document);
  const isShared = search.facts.shared.length > 0;
  const votes = await votesOn(search.facts);
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
      h('span', { class: how < 0 ? 'against' : 'for' }, h('bdi', {}, words.find((word) => word.feature === feature)?.word ?? feature), ` (${saidOf(how)})`));
    marked.replaceChildren(...(names.length ? ['Marked: ', ...names.flatMap((name, at) => (at ? [', ', name] : [name]))] : []),
      ...[['Tags: ', search.draft.tags.join(', ')], ['Note: ', search.draft.note]]
        .filter(([, said]) => said).flatMap(([what, said], at) => [names.length || at ? h('br') : '', what, h('bdi', {}, said)]));
  }

  let drawn = null; // what is on the paper, so that a change elsewhere does not redraw it
  function draw() {
    const one = shown();
    const { progress, rule } = search.facts;
    found.textContent = `${count(progress.rated)} read · ${count(progress.good)} good` + (progress.good && progress.without_good ? ` · ${count(progress.without_good)} since the last good one` : '');
    if (rule && progress.rule_reached) found.textContent += ' · your rule is met';
    // A button that is disabled would lose the focus of whoever pressed it.
    for (const button of buttons) button.setAttribute('aria-disabled', String(search.busy || (button.dataset.needs === 'undo' ? search.facts.undo === null : !one)));
    if (drawn && drawn.one === one && drawn.draft === search.draft) return;
    const isNew = drawn?.one !== one;
    drawn = { one, draft: search.draft };
    const held = paper.contains(document.activeElement) || side.contains(document.activeElement);
    view?.leave();
    if (!one) {
      paper.replaceChildren(h('article', { class: 'card' }, h('h1', { tabIndex: -1 }, theEnd(search.facts)), h('p', {}, search.facts.set ? h('a', { href: `#/people/${search.facts.set.pair}` }, 'See how you two agree') : h('a', { href: `#/${place.id}/progress` }, 'See what you found'))));
      side.replaceChildren();
      if (held) paper.querySelector('h1').focus({ preventScroll: true });
      return;
    }
    const known = new Map(one.why.words.map((word) => [word.feature, word.weight]));
    const record = recordOf(one.document);
    const { title } = one.document;
    view = new TextView(one.document, { marks: search.draft.marks, known, mark, say, below: record });
    list = wordList(one.document, { why: one.why, marks: search.draft.marks, mark });
    paper.replaceChildren(h('article', { class: isNew ? 'card new' : 'card', tabIndex: -1, 'aria-labelledby': 'document' },
      title && h('p', { class: 'quiet small', dir: 'auto' }, idOf(one.document)),
      h('h1', { id: 'document', tabIndex: -1, dir: 'auto', class: view.hasTitle ? 'unseen' : title && 'title' }, nameOf(one.document)),
      !view.hasTitle && record, votes.has(one.document.document) && h('ul', { class: 'small', 'aria-label': 'What the two said' }, votes.get(one.document.document)),
      !one.document.runs && quiet('This pool keeps no texts: these are the words of the document. A pool that is built with --keep-text shows texts.'),
      view.element, marked));
    side.replaceChildren(whyPanel(one, list));
    drawMarks();
    if (isNew) scrollTo(0, 0);
    if (held) paper.querySelector('article').focus({ preventScroll: true });
  }

  // What is asked beside the documents, once each time: which words made the first good one good, and for more words where
  // none of the last ones was good.
  const offer = h('section', { class: 'offer', 'aria-label': 'A question', hidden: true });
  let choices = null; // {toggle(place), take()} while words of a good document are on offer
  function closeOffer() {
    choices = null;
    const held = offer.contains(document.activeElement);
    offer.hidden = true;
    if (held) paper.querySelector('article').focus({ preventScroll: true });
  }
  const openOffer = (...content) => (offer.replaceChildren(...content, press('Not now', closeOffer, { class: 'plain' })), (offer.hidden = false));
  // The most telling ones, as the pool proposes them of a sentence.
  async function askWhatMadeItGood({ document, why }) {
    const said = new Set(why.words.filter(({ marked }) => marked).map(({ feature }) => feature));
    const single = document.words.filter(({ word, feature }) => !/^\d+$|\s/.test(word) && !said.has(feature));
    const answer = await askWords(search.facts.pool, single.slice(0, 100).map(({ word }) => word).join(', ')).catch(() => ({ proposed: [] }));
    const words = answer.proposed.map((place) => single.find(({ feature }) => feature === answer.words[place].feature)).filter(Boolean).slice(0, fewWords);
    if (!words.length) return;
    const chosen = new Set();
    const toggle = (place) => {
      const { feature } = words[place];
      if (!chosen.delete(feature)) chosen.add(feature);
      buttons[place].setAttribute('aria-pressed', String(chosen.has(feature)));
    };
    const take = () => attempt(async () => {
      closeOffer();
      if (chosen.size && (await markWords(document.document, [...chosen]))) say('The words are learned.');
    });
    const buttons = words.map(({ word }, place) => press([word, ' ', h('kbd', { 'aria-hidden': 'true' }, String(place + 1))], () => toggle(place), { 'aria-pressed': 'false', 'aria-label': word }));
    openOffer(h('p', {}, 'Which of these made it good?'), ...buttons, press(['Learn them', ' ', h('kbd', { 'aria-hidden': 'true' }, '⏎')], take, { class: 'first', 'aria-label': 'Learn them' }));
    choices = { toggle: (place) => words[place] && toggle(place), take };
  }
  function askForMoreWords() {
    const field = new WordsField({ label: 'Several in a row were not it. Two more words that you look for?', hint: 'Words that good documents would hold.', pool: () => search.facts.pool });
    const take = (event) => (event.preventDefault(), attempt(async () => {
      if (!(await field.take()) || !field.words.length) return;
      closeOffer();
      if (await rateWords(field.words)) say('The words are learned.');
    }));
    openOffer(h('form', { onsubmit: take }, field.element, h('button', {}, 'Look for these')));
  }
  const rateIt = async (reward) => {
    const one = shown();
    const hadMarks = search.draft.marks.size > 0;
    const take = choices?.take;
    const before = search.facts.progress.standstills;
    const answer = await rate(reward);
    if (!answer) return answer;
    if (take) take();
    else closeOffer();
    const { good, without_good: withoutGood, standstills } = search.facts.progress;
    if (before < standstills) askForMoreWords();
    else if (good === 1 && withoutGood === 0 && !hadMarks) await askWhatMadeItGood(one);
    return answer;
  };
  const again = async (work) => {
    const answer = await work();
    if (answer) closeOffer();
    return answer;
  };

  const act = (work, done) => attempt(async () => {
    if (search.busy || !(await work())) return;
    bar.querySelector('details').open = false;
    goBack();
    const next = shown();
    say(`${done}. ${next ? `Next: ${[nameOf(next.document), howItCame(next)].filter(Boolean).join(', ')}.` : theEnd(search.facts)}${offer.hidden ? '' : ' There is a question above the document.'}`);
  });

  const takeNote = () => {
    const text = h('textarea', { value: search.draft.note, maxLength: 10000, rows: 5, dir: 'auto' });
    const tags = h('input', { value: search.draft.tags.join(', '), autocomplete: 'off', maxLength: 2000, dir: 'auto' });
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
    no: () => act(() => rateIt(0), 'No'),
    yes: () => act(() => rateIt(1), 'Yes'),
    ...Object.fromEntries(grades.map((reward, at) => [`grade${at + 1}`, () => act(() => rateIt(reward), `Grade ${at + 1}`)])),
    later: () => shown() && act(skip, 'Later'),
    handOn: () => isShared && shown() && act(handOn, 'Handed on'),
    undo: () => search.facts.undo !== null && act(() => again(undo), 'Taken back'),
    redo: () => search.facts.redo !== null && act(() => again(redo), 'Done again'),
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
    h('div', { class: 'rate', role: 'group', 'aria-label': 'Rate this document' }, button('no', 'No'), button('yes', 'Yes', { look: 'first' }),
      h('details', { class: 'grades' }, h('summary', {}, 'Grades ', settings.useKeys && h('kbd', { 'aria-hidden': 'true' }, '1–5')),
        h('div', { role: 'group', 'aria-label': 'Grades' }, grades.map((reward, at) => button(`grade${at + 1}`, String(at + 1), { bare: true }))))),
    h('div', { class: 'more' }, button('later', 'Later', { look: 'plain' }), isShared && button('handOn', 'Hand on', { look: 'plain' }), button('undo', 'Undo', { look: 'plain', needs: 'undo' }), button('note', 'Note', { look: 'plain' })));
  const buttons = [...bar.querySelectorAll('button')];
  draw();
  return {
    title: 'Read',
    content: h('div', { class: 'read' },
      search.facts.question && h('p', { class: 'question', dir: 'auto' }, h('span', { class: 'unseen' }, 'You look for: '), h('strong', {}, search.facts.question)),
      offer, paper, side),
    bar, acts, changed: draw,
    key: (event) => {
      if (view?.key(event)) return true;
      const isChoice = choices && !event.ctrlKey && !event.altKey && !event.metaKey && settings.useKeys && /^([1-5]|Enter)$/.test(event.key);
      if (isChoice) event.key === 'Enter' ? choices.take() : choices.toggle(Number(event.key) - 1);
      return Boolean(isChoice);
    },
    leave: () => view?.leave(),
  };
}
