// Words: what was learned and said of them, and which ones one would like to know about.
import { get, part } from './api.js';
import { barTable } from './bars.js';
import { count, documentLinks, field, h, press, quiet, section } from './dom.js';
import { forgetWord, path, rateWords, search } from './search.js';
import { saidOf } from './text_view.js';
import { WordsField } from './words_field.js';

const atFirst = 20;
const plain = (label, about, work) => press(label, work, { class: 'plain', 'aria-label': about });

export async function wordsScreen({ place, attempt, act }) {
  const { words, ask } = await get(path('/words?limit=200'));
  const common = new Set(words.filter(({ common, marked }) => common && !marked).map(({ feature }) => feature));
  const known = ask.filter(({ word, feature }) => !/^\d+$/.test(word) && !common.has(feature));
  const choice = ({ word, feature }, rate, says) =>
    plain(says, `${word} speaks ${says} a document`, act(() => rateWords([{ word: feature, rate }]), `${word} speaks ${says} a document.`));
  const rows = words.map(({ word, feature, weight, deviation, marked }) => ({
    word, value: weight, doubt: deviation, said: marked, common: common.has(feature),
    more: marked === 0 ? ['', [choice({ word, feature }, 1, 'for'), choice({ word, feature }, -1, 'against')]] : [h('span', { class: 'small' }, saidOf(marked)),
      plain('Take back', `Take back what you said of ${word}`, act(() => forgetWord(feature), `${word} is forgotten.`))],
  }));
  const add = new WordsField({ label: 'Say which words you look for', hint: 'Type or paste them; put a minus before one that you do not want.', pool: () => search.facts.pool });
  const learn = act(async () => (await add.take()) && add.words.length && rateWords(add.words), 'The words are learned.');
  const results = h('div', { role: 'status' });
  const asked = h('input', { id: 'asked', maxLength: 1000, required: true });
  const find = (event) => {
    event.preventDefault();
    attempt(async () => {
      const { documents, unknown } = await get(`pools/${part(search.facts.pool)}/search?words=${part(asked.value)}&limit=20`);
      results.replaceChildren(unknown.length ? quiet(`No document holds ${unknown.join(', ')}.`) : '', documentLinks(place.id, documents));
    });
  };

  const table = h('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Table of words' });
  const fill = (some) => table.replaceChildren(barTable('What was learned of words', ['Word', 'Weight', 'In figures', 'You said', 'Change'], some));
  // Words that the reader rated or marked come first, whatever their weight, and those that say nothing alone come last.
  rows.sort((a, b) => Boolean(b.said) - Boolean(a.said) || a.common - b.common);
  fill(rows.slice(0, Math.max(Math.min(atFirst, rows.filter((row) => !row.common).length), rows.filter(({ said }) => said).length)));
  const all = press(`All ${rows.length} words`, () => (fill(rows), all.remove(), table.focus()), { class: 'plain' });

  return {
    title: 'Words',
    content: h('div', { class: 'page stack' },
      h('h1', { tabIndex: -1 }, 'Words'),
      words.length
        ? section('What was learned', { class: 'card' },
            quiet('A bar to the right speaks for a document, one to the left against it. The whisker shows how far off a weight may be.'),
            table, rows.length > table.querySelectorAll('tbody tr').length && all)
        : h('p', { class: 'quiet' }, 'Nothing is learned yet. Mark words while you read, or say here which ones you look for.'),
      known.length > 0 && section('We would like to know about', { class: 'card' }, quiet('These words of the document on offer are the least certain ones.'),
        h('ul', { class: 'asks' }, known.slice(0, 10).map((word) => h('li', {}, h('span', {}, h('bdi', {}, word.word), h('span', { class: 'quiet small' }, ` in ${count(word.documents)}`)), choice(word, 1, 'for'), choice(word, -1, 'against'))))),
      h('div', { class: 'pair' },
        h('form', { class: 'card stack', onsubmit: learn }, add.element, h('div', {}, h('button', {}, 'Learn these words'))),
        h('form', { class: 'card stack', role: 'search', onsubmit: find }, field('Find documents with words', asked, 'To read and rate those that you know of.'), h('div', {}, h('button', {}, 'Find')), results))),
  };
}
