// Words: what was learned and said of them, and which ones one would like to know about.
import { get, part } from './api.js';
import { barTable } from './bars.js';
import { documentLinks, field, h, press, quiet, rich, section } from './dom.js';
import { t } from './language.js';
import { forgetWord, path, rateWords, search } from './search.js';
import { saidOf } from './text_view.js';
import { WordsField } from './words_field.js';

const atFirst = 20;
const plain = (label, about, work) => press(label, work, { class: 'plain', 'aria-label': about });

export async function makeScreen({ place, attempt, act }) {
  const { words, ask } = await get(path('/words?limit=200'));
  const common = new Set(words.filter(({ common, marked }) => common && !marked).map(({ feature }) => feature));
  const known = ask.filter(({ word, feature }) => !/^\d+$/.test(word) && !common.has(feature));
  const choice = ({ word, feature }, rate) => {
    const says = t(rate > 0 ? 'speaks_for' : 'speaks_against', { word });
    return plain(t(rate > 0 ? 'for' : 'against'), says, act(() => rateWords([{ word: feature, rate }]), says));
  };
  const rows = words.map(({ word, feature, weight, deviation, marked }) => ({
    word, value: weight, doubt: deviation, said: marked, common: common.has(feature),
    more: marked === 0 ? ['', [choice({ word, feature }, 1), choice({ word, feature }, -1)]] : [h('span', { class: 'small' }, saidOf(marked)),
      plain(t('take_back'), t('take_back_word', { word }), act(() => forgetWord(feature), t('is_forgotten', { word })))],
  }));
  const add = new WordsField({ label: t('say_words'), hint: t('say_words_hint'), pool: () => search.facts.pool });
  const learn = act(async () => (await add.take()) && add.words.length && rateWords(add.words), t('words_learned'));
  const results = h('div', { role: 'status' });
  const asked = h('input', { id: 'asked', maxLength: 1000, required: true });
  const find = (event) => {
    event.preventDefault();
    attempt(async () => {
      const { documents, unknown } = await get(`pools/${part(search.facts.pool)}/search?words=${part(asked.value)}&limit=20`);
      results.replaceChildren(unknown.length ? quiet(rich('no_document_holds', { words: unknown.join(', ') })) : '', documentLinks(place.id, documents));
    });
  };

  const table = h('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': t('table_of_words') });
  const fill = (some) => table.replaceChildren(barTable(t('learned_of_words'), [t('head_word'), t('head_weight'), t('head_figures'), t('head_said'), t('head_change')], some));
  // Words that the reader rated or marked come first, whatever their weight, and those that say nothing alone come last.
  rows.sort((a, b) => Boolean(b.said) - Boolean(a.said) || a.common - b.common);
  fill(rows.slice(0, Math.max(Math.min(atFirst, rows.filter((row) => !row.common).length), rows.filter(({ said }) => said).length)));
  const all = press(t('all_words', { n: rows.length }), () => (fill(rows), all.remove(), table.focus()), { class: 'plain' });

  return {
    title: t('screen_words'),
    content: h('div', { class: 'page stack' },
      h('h1', { tabIndex: -1 }, t('screen_words')),
      words.length
        ? section(t('learned'), { class: 'card' },
            quiet(t('bars_explained')),
            table, rows.length > table.querySelectorAll('tbody tr').length && all)
        : h('p', { class: 'quiet' }, t('nothing_learned')),
      known.length > 0 && section(t('like_to_know'), { class: 'card' }, quiet(t('least_certain')),
        h('ul', { class: 'asks' }, known.slice(0, 10).map((word) => h('li', {}, h('span', {}, h('bdi', {}, word.word), h('span', { class: 'quiet small' }, ` ${t('in_many', { n: word.documents })}`)), choice(word, 1), choice(word, -1))))),
      h('div', { class: 'pair' },
        h('form', { class: 'card stack', onsubmit: learn }, add.element, h('div', {}, h('button', {}, t('learn_these')))),
        h('form', { class: 'card stack', role: 'search', onsubmit: find }, field(t('find_documents'), asked, t('find_documents_hint')), h('div', {}, h('button', {}, t('find'))), results))),
  };
}
