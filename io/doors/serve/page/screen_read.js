// Read: one document, its words, why it is shown, and the bar with which it is rated.
import { get, part } from './api.js';
import { field, h, press, quiet, rich, showDialog } from './dom.js';
import { count, listed, t } from './language.js';
import { doesOf } from './screen_settings.js';
import { actions, change, keyOf, settings } from './settings.js';
import { aim, handOn, keepDraft, markWords, openDocument, path, rate, rateWords, redo, search, shown, skip, undo } from './search.js';
import { TextView, nextRate, saidOf } from './text_view.js';
import { colours } from './tints.js';
import { wordList } from './word_list.js';
import { WordsField } from './words_field.js';

const grades = [0, 0.25, 0.5, 0.75, 1];
const fewWords = 5;
const answersBetweenQuestions = 20;
const fewKeywords = 6;
const mostNamed = 5; // words of a reason
const modes = { all: t('tint_all'), marked: t('tint_marked'), off: t('tint_off') };
const chances = { 'likely good': 'chance_likely', 'may be good': 'chance_may', 'unlikely to be good': 'chance_unlikely' };
const asked = new Map(); // by search, after how many ratings the last question was asked
let whyIsOpen = true;

function theEnd({ set, shared, progress, withheld }) {
  if (set) return t('end_of_drawn');
  if (withheld) return t('end_withheld', { n: withheld });
  if (shared.length && progress.rated < progress.documents) return t('end_shared');
  return t('read_everything');
}

const idOf = ({ document, id }) => id ?? t('document', { number: document });
/** Each once, as the server takes them: up to 20, of up to 100 bytes. */
const tagsIn = (typed) => [...new Set(typed.split(/[,;]/).map((tag) => tag.trim()).filter(Boolean))];
const nameOf = (document) => document.title || idOf(document);

/** Who wrote it, when, where, and what it is about; a click on a keyword that is a word of the document marks it. The site of a
 * link does not learn where the reader came from. */
function recordOf({ authors, year, journal, kinds = [], keywords = [], links = [], words }, mark) {
  const who = [authors, [journal, year].filter(Boolean).join(' '), kinds.join(', ')].filter(Boolean).join(' · ');
  const safe = links.filter((link) => /^https?:\/\//i.test(link));
  const known = new Map(words.map(({ word, feature }) => [word.toLowerCase(), feature]));
  const chip = (keyword) => {
    const feature = known.get(keyword.toLowerCase().replace(/^\*|\/.*$/g, '')); // MeSH: *Gold/therapeutic use
    return h('li', {}, feature === undefined ? h('bdi', {}, keyword) : press(h('bdi', {}, keyword), () => mark(feature), { class: 'plain small', title: t('marks_it') }));
  };
  const list = h('ul', { class: 'keywords', 'aria-label': t('keywords') }, keywords.map(chip));
  return (who || safe.length > 0 || keywords.length > 0) && h('div', { class: 'record small' }, who && h('p', { dir: 'auto' }, who),
    safe.map((link) => h('p', {}, h('a', { href: link, rel: 'noopener noreferrer', target: '_blank' }, link))),
    keywords.length > fewKeywords ? h('details', {}, h('summary', {}, t('many_keywords', { n: keywords.length })), list) : keywords.length > 0 && list);
}

function howItCame({ choice, why }) {
  if (why.rated) return { 0: t('said_no'), 1: t('said_yes') }[why.rated.reward] ?? t('said_grade', { grade: grades.indexOf(why.rated.reward) + 1 || why.rated.reward });
  if (choice?.explored) return t('drawn_to_learn');
  if (!why.words.length) return t('no_known_word');
  return why.chance ? t(chances[why.chance]) : '';
}

export const vote = (rating) => ({ 0: t('vote_no'), 1: t('vote_yes') })[rating] ?? count(rating);

/** What each of two readers said of the documents on which they differ, for whoever decides: by document. */
async function votesOn({ set }) {
  if (!set?.decision) return new Map();
  const { readers, conflicts } = await get(`pairs/${part(set.pair)}`);
  return new Map(conflicts.map(({ document, ratings, notes, tags }) => [document, readers.map((name, at) => h('li', {},
    h('strong', {}, h('bdi', {}, name), `: ${vote(ratings[at])}`), tags[at].length > 0 && ` · ${tags[at].join(', ')}`, notes[at] && ` · “${notes[at]}”`))]));
}

/** Which of its words somebody rated or marked. */
function reasonOf({ words }) {
  const names = (some) => {
    const all = some.map(({ word }) => word);
    return all.length > mostNamed ? t('and_others', { words: all.slice(0, mostNamed).join(', '), n: all.length - mostNamed }) : listed(all);
  };
  const [wanted, unwanted] = [words.filter(({ marked }) => marked > 0), words.filter(({ marked }) => marked < 0)].map(names);
  return wanted && unwanted ? rich('holds_both', { wanted, unwanted }) : wanted ? rich('holds_wanted', { words: wanted }) : unwanted ? rich('holds_unwanted', { words: unwanted }) : '';
}

/** Why it is shown and its words, in one list. */
const whyPanel = (one, list) => h('details', { open: whyIsOpen, ontoggle: (event) => (whyIsOpen = event.target.open) },
  h('summary', {}, t('why_this_one')),
  h('p', {}, [howItCame(one), reasonOf(one.why)].filter(Boolean).map((said) => [said, ' '])),
  quiet(t('tick_a_word')), list.element);

export async function makeScreen({ place, say, attempt, go }) {
  await openDocument(place.document);
  const isShared = search.facts.shared.length > 0;
  const votes = await votesOn(search.facts);
  let view = null;
  let list = null;
  const paper = h('div');
  const side = h('aside', { 'aria-label': t('about_document') });
  const chosen = () => ({ coloured: search.facts.coloured ?? [], mode: settings.tint });

  /** How much is tinted, and the reader's own words in colours. */
  const tinting = h('fieldset', { class: 'tinting small' }, h('legend', {}, t('tint')));
  function drawTinting() {
    const radio = ([value, label]) => h('label', { class: 'choice' }, h('input', { type: 'radio', name: 'tint', value, checked: settings.tint === value, onchange: () => tint(value) }), h('span', {}, label));
    tinting.replaceChildren(h('legend', {}, t('tint'), ' ', settings.useKeys && h('kbd', { 'aria-hidden': 'true' }, keyOf('tint'))), h('div', { class: 'row' }, Object.entries(modes).map(radio)),
      h('p', {}, ...chosen().coloured.flatMap((typed, at) => (typed ? [h('mark', { class: `colour-${at + 1}`, dir: 'auto' }, typed), ' '] : []))),
      press(t('words_in_colours'), chooseColours, { class: 'plain small' }));
  }
  function tint(mode) {
    change({ tint: mode });
    view?.show({ mode });
    drawTinting();
    tinting.querySelector(':checked').focus({ preventScroll: true });
    say(`${t('tint')}: ${modes[mode]}.`);
  }
  function chooseColours() {
    const fields = Array.from({ length: colours }, (_, at) => h('input', { id: `colour-${at + 1}`, class: `colour-${at + 1}`, maxLength: 600, value: chosen().coloured[at] ?? '', autocomplete: 'off', dir: 'auto' }));
    const box = h('dialog', { 'aria-labelledby': 'colours-head', onclose: () => {
      box.remove();
      if (box.returnValue === 'keep') attempt(async () => {
        if (!(await aim({ coloured: fields.map(({ value }) => value.trim()) }))) return;
        view?.show(chosen());
        drawTinting();
        say(t('words_coloured'));
      });
    } }, h('form', { method: 'dialog', class: 'stack' }, h('h2', { id: 'colours-head' }, t('words_in_colours')),
      h('p', { class: 'quiet small' }, t('colours_hint')),
      fields.map((one, at) => field(t('colour', { number: at + 1 }), one)),
      h('div', { class: 'row' }, h('button', { class: 'first', value: 'keep' }, t('keep')), h('button', { value: '', formNoValidate: true }, t('cancel')))));
    showDialog(box);
  }

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
    marked.replaceChildren(...(names.length ? [t('marked_are'), ' ', ...names.flatMap((name, at) => (at ? [', ', name] : [name]))] : []),
      ...[['tags_are', { tags: search.draft.tags.join(', ') }], ['note_is', { note: search.draft.note }]]
        .filter(([, { tags, note }]) => tags || note).flatMap(([name, said], at) => [names.length || at ? h('br') : '', ...rich(name, said)]));
  }

  let drawn = null; // what is on the paper, so that a change elsewhere does not redraw it
  function draw() {
    const one = shown();
    const { progress, rule } = search.facts;
    found.textContent = [t('many_read', { n: progress.rated }), t('many_good', { n: progress.good }), progress.good && progress.without_good && t('since_good', { n: progress.without_good }), rule && progress.rule_reached && t('rule_is_met')].filter(Boolean).join(' · ');
    // A button that is disabled would lose the focus of whoever pressed it.
    for (const button of buttons) button.setAttribute('aria-disabled', String(search.busy || (button.dataset.needs === 'undo' ? search.facts.undo === null : !one)));
    if (drawn && drawn.one === one && drawn.draft === search.draft) return;
    const isNew = drawn?.one !== one;
    drawn = { one, draft: search.draft };
    const held = paper.contains(document.activeElement) || side.contains(document.activeElement);
    view?.leave();
    if (!one) {
      paper.replaceChildren(h('article', { class: 'card' }, h('h1', { tabIndex: -1 }, theEnd(search.facts)), h('p', {}, search.facts.set ? h('a', { href: `#/people/${search.facts.set.pair}` }, t('see_agreement')) : h('a', { href: `#/${place.id}/progress` }, t('see_found')))));
      side.replaceChildren();
      if (held) paper.querySelector('h1').focus({ preventScroll: true });
      return;
    }
    const turn = (feature) => (mark(feature, nextRate(search.draft.marks.get(feature))), say(saidOf(search.draft.marks.get(feature))));
    const record = recordOf(one.document, turn);
    const { title } = one.document;
    view = new TextView(one.document, { marks: search.draft.marks, parts: one.why.words, ...chosen(), mark, say, below: record });
    list = wordList(one.document, { why: one.why, marks: search.draft.marks, mark });
    paper.replaceChildren(h('article', { class: isNew ? 'card new' : 'card', tabIndex: -1, 'aria-labelledby': 'document' },
      title && h('p', { class: 'quiet small', dir: 'auto' }, idOf(one.document)),
      !view.hasTitle && [h('h1', { id: 'document', tabIndex: -1, dir: 'auto', class: title && 'title' }, nameOf(one.document)), record],
      votes.has(one.document.document) && h('ul', { class: 'small', 'aria-label': t('two_said') }, votes.get(one.document.document)),
      !one.document.runs && quiet(rich('no_texts', { option: h('code', { dir: 'ltr' }, '--keep-text') })),
      view.element, marked));
    side.replaceChildren(whyPanel(one, list), tinting, offer);
    drawTinting();
    drawMarks();
    if (isNew) scrollTo(0, 0);
    if (held) paper.querySelector('article').focus({ preventScroll: true });
  }

  // What is asked beside the document, seldom, and never where it would move the text: which words made the first good one good,
  // and for more words where none of the last ones was good.
  const offer = h('section', { class: 'offer', 'aria-label': t('a_question'), hidden: true });
  function closeOffer() {
    const held = offer.contains(document.activeElement);
    offer.hidden = true;
    if (held) paper.querySelector('article').focus({ preventScroll: true });
  }
  function openOffer(...content) {
    asked.set(place.id, search.facts.progress.rated);
    offer.replaceChildren(...content, press(t('not_now'), closeOffer, { class: 'plain' }));
    offer.hidden = false;
  }
  const mayAsk = () => !asked.has(place.id) || Math.abs(search.facts.progress.rated - asked.get(place.id)) >= answersBetweenQuestions;
  /** The words of its title that say most of it, then others. */
  function askWhatMadeItGood({ document, why }) {
    const said = new Set(why.words.filter(({ marked }) => marked).map(({ feature }) => feature));
    const ofTitle = new Set((document.title ?? '').toLowerCase().split(/[^\p{L}\p{N}]+/u));
    const words = document.words.filter(({ word, feature, common }) => !common && !/^\d+$|\s/.test(word) && !said.has(feature))
      .sort((one, other) => ofTitle.has(other.word) - ofTitle.has(one.word)).slice(0, fewWords);
    if (!words.length) return;
    const boxes = words.map(({ word, feature }) => h('input', { type: 'checkbox', value: feature, 'aria-label': word }));
    const take = (event) => (event.preventDefault(), attempt(async () => {
      const taken = boxes.filter(({ checked }) => checked).map(({ value }) => Number(value));
      closeOffer();
      if (taken.length && (await markWords(document.document, taken))) say(t('words_learned'));
    }));
    openOffer(h('form', { onsubmit: take }, h('p', {}, rich('which_made_good', { title: h('strong', { dir: 'auto' }, nameOf(document)) })),
      boxes.map((box, at) => h('label', { class: 'choice' }, box, h('span', { dir: 'auto' }, words[at].word))), h('button', {}, t('learn_them'))));
  }
  function askForMoreWords() {
    const words = new WordsField({ label: t('more_words'), hint: t('more_words_hint'), pool: () => search.facts.pool });
    const take = (event) => (event.preventDefault(), attempt(async () => {
      if (!(await words.take()) || !words.words.length) return;
      closeOffer();
      if (await rateWords(words.words)) say(t('words_learned'));
    }));
    openOffer(h('form', { onsubmit: take }, words.element, h('button', {}, t('look_for_these'))));
  }
  const rateIt = async (reward, reason) => {
    const one = shown();
    const hadMarks = search.draft.marks.size > 0;
    const before = search.facts.progress.standstills;
    const answer = await rate(reward, reason);
    if (!answer) return answer;
    if (!offer.contains(document.activeElement)) closeOffer();
    const { good, without_good: withoutGood, standstills } = search.facts.progress;
    if (!offer.hidden || !mayAsk()) return answer;
    if (before < standstills) askForMoreWords();
    else if (good === 1 && withoutGood === 0 && !hadMarks) askWhatMadeItGood(one);
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
    say([done.replace(/\.?$/, '.'), next ? `${t('next_is', { title: nameOf(next.document).replace(/\.$/, '') })} ${howItCame(next)}` : theEnd(search.facts), !offer.hidden && t('question_beside')].filter(Boolean).join(' '));
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
    } }, h('form', { method: 'dialog', class: 'stack' }, h('h2', { id: 'note-head' }, t('note_and_tags')),
      h('p', { class: 'quiet small' }, t('note_kept')),
      h('label', {}, h('span', {}, t('note')), text),
      h('label', {}, h('span', {}, t('tags_label')), tags),
      known,
      h('div', { class: 'row' }, h('button', { class: 'first', value: 'keep' }, t('keep')), h('button', { value: '' }, t('cancel')))));
    showDialog(box);
    get(`sessions/${place.id}/tags`).then((answer) => known.replaceChildren(...answer.tags.slice(0, 12).map(more)), () => {});
  };

  const reasons = (search.facts.reasons ?? []).slice(0, actions.filter(({ reason }) => reason !== undefined).length);
  const acts = {
    ...Object.fromEntries(reasons.map((reason, at) => [`reason${at + 1}`, () => act(() => rateIt(0, reason), `${t('no')}: ${reason}`)])),
    tint: () => tint(Object.keys(modes)[(Object.keys(modes).indexOf(settings.tint) + 1) % 3]),
    no: () => act(() => rateIt(0), t('no')),
    yes: () => act(() => rateIt(1), t('yes')),
    ...Object.fromEntries(grades.map((reward, at) => [`grade${at + 1}`, () => act(() => rateIt(reward), t('grade', { number: at + 1 }))])),
    later: () => shown() && act(skip, t('later')),
    handOn: () => isShared && shown() && act(handOn, t('handed_on')),
    undo: () => search.facts.undo !== null && act(() => again(undo), t('taken_back')),
    redo: () => search.facts.redo !== null && act(() => again(redo), t('done_again')),
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
      'aria-label': bare ? t('grade_of', { label }) : null, title: doesOf(actions.find((action) => action.name === name)),
    }, label, bare ? null : hint(name));
  const reasonBar = reasons.length > 0 && h('div', { class: 'reasons', role: 'group', 'aria-label': t('no_because') },
    h('span', { class: 'quiet small', 'aria-hidden': 'true' }, `${t('no_because')}:`), reasons.map((reason, at) => button(`reason${at + 1}`, h('bdi', {}, reason), { look: 'small' })));
  const bar = h('div', {}, reasonBar, found,
    h('div', { class: 'rate', role: 'group', 'aria-label': t('rate_document') }, button('no', t('no')), button('yes', t('yes'), { look: 'first' }),
      h('details', { class: 'grades' }, h('summary', {}, t('grades'), ' ', settings.useKeys && h('kbd', { 'aria-hidden': 'true' }, '1–5')),
        h('div', { role: 'group', 'aria-label': t('grades') }, grades.map((reward, at) => button(`grade${at + 1}`, String(at + 1), { bare: true }))))),
    h('div', { class: 'more' }, button('later', t('later'), { look: 'plain' }), isShared && button('handOn', t('hand_on'), { look: 'plain' }), button('undo', t('undo'), { look: 'plain', needs: 'undo' }), button('note', t('note'), { look: 'plain' })));
  const buttons = [...bar.querySelectorAll('button')];
  draw();
  return {
    title: t('screen_read'),
    content: h('div', { class: 'read' },
      search.facts.question && h('p', { class: 'question', dir: 'auto' }, h('span', { class: 'unseen' }, t('you_look_for'), ' '), h('strong', {}, search.facts.question)),
      paper, side),
    bar, acts, changed: draw,
    key: (event) => Boolean(view?.key(event)),
    leave: () => view?.leave(),
  };
}
