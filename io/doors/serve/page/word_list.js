// The words of a document in one list: what each adds, and a tick for those that matter. It needs neither a mouse nor a text.
import { bar } from './bars.js';
import { h } from './dom.js';
import { fixed, signed, t } from './language.js';

const atFirst = 8;
const rates = [[1, t('for')], [0.5, t('maybe_for')], [-0.5, t('maybe_against')], [-1, t('against')]];

/** Words that add much come first, then those that say most of the document. Words that say nothing alone come last, unless
 * somebody marked them, and numbers, such as the parts of 244,749, are left out. */
export function wordList({ words }, { why, marks, mark }) {
  const parts = new Map(why.words.map((part) => [part.feature, { ...part, doubt: Math.abs(part.value) * part.deviation }]));
  const adds = ({ feature }) => parts.get(feature)?.contribution ?? 0;
  const isCommon = ({ common, feature }) => Boolean(common && !parts.get(feature)?.marked);
  const sorted = words.filter(({ word, feature }) => !/^\d+$/.test(word) || parts.get(feature)?.marked).sort((a, b) => isCommon(a) - isCommon(b) || Math.abs(adds(b)) - Math.abs(adds(a)));
  const telling = sorted.filter((word) => !isCommon(word)).length;
  const scaled = sorted.slice(0, Math.min(atFirst, telling)).map(({ feature }) => parts.get(feature)).filter(Boolean);
  const least = Math.min(0, ...scaled.map(({ contribution, doubt }) => contribution - doubt));
  const most = Math.max(least + 1e-9, 0, ...scaled.map(({ contribution, doubt }) => contribution + doubt));
  const list = h('ul', { class: 'words-here', 'aria-label': t('words_here') });
  let all = false;

  function row({ word, feature }) {
    const rate = marks.get(feature);
    const part = parts.get(feature);
    const box = h('input', { type: 'checkbox', checked: rate !== undefined, 'data-feature': feature, onchange: () => mark(feature, box.checked ? 1 : undefined) });
    const pull = part && Math.abs(part.contribution) >= 0.005 && h('span', { class: 'pull', onpointerenter: ({ target }) => (target.title = t('adds', { figure: `${signed(part.contribution)} ± ${fixed(part.doubt)}` })) },
      h('span', { class: 'unseen' }, t(part.contribution < 0 ? 'pulls_against' : 'pulls_for')), bar(part.contribution, part.doubt, least, most));
    const how = rate !== undefined && h('select', { 'aria-label': t('how_it_speaks', { word }), 'data-how': feature, onchange: (event) => mark(feature, Number(event.target.value)) },
      rates.map(([value, label]) => h('option', { value, selected: value === rate }, label)));
    return h('li', {}, h('label', {}, box, h('span', {}, h('bdi', {}, word)), pull), how);
  }

  function draw() {
    const focused = document.activeElement?.dataset?.feature;
    const how = document.activeElement?.dataset?.how;
    const shown = all ? sorted : sorted.filter((word, place) => place < Math.min(atFirst, telling) || marks.has(word.feature));
    list.replaceChildren(...shown.map(row));
    more.hidden = shown.length === sorted.length;
    if (focused !== undefined) list.querySelector(`[data-feature="${focused}"]`)?.focus();
    if (how !== undefined) list.querySelector(`[data-how="${how}"]`)?.focus();
  }

  const more = h('button', { type: 'button', class: 'plain', onclick: () => ((all = true), draw(), list.querySelectorAll('input')[atFirst]?.focus()) }, t('all_words', { n: sorted.length }));
  draw();
  return { element: h('div', {}, list, more), draw };
}
