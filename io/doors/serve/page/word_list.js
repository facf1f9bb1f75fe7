// The words of a document in one list: what each adds, and a tick for those that matter. It needs neither a mouse nor a text.
import { bar } from './bars.js';
import { h, signed } from './dom.js';

const atFirst = 8;
const rates = [[1, 'for'], [0.5, 'maybe for'], [-0.5, 'maybe against'], [-1, 'against']];

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
  const list = h('ul', { class: 'words-here', 'aria-label': 'Words of this document' });
  let all = false;

  function row({ word, feature }) {
    const rate = marks.get(feature);
    const part = parts.get(feature);
    const box = h('input', { type: 'checkbox', checked: rate !== undefined, 'data-feature': feature, onchange: () => mark(feature, box.checked ? 1 : undefined) });
    const pull = part && Math.abs(part.contribution) >= 0.005 && h('span', { class: 'pull', title: `adds ${signed(part.contribution)} ± ${part.doubt.toFixed(2)}` },
      h('span', { class: 'unseen' }, part.contribution < 0 ? 'speaks against it' : 'speaks for it'), bar(part.contribution, part.doubt, least, most));
    const how = rate !== undefined && h('select', { 'aria-label': `How ${word} speaks`, 'data-how': feature, onchange: (event) => mark(feature, Number(event.target.value)) },
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

  const more = h('button', { type: 'button', class: 'plain', onclick: () => ((all = true), draw(), list.querySelectorAll('input')[atFirst]?.focus()) }, `All ${sorted.length} words`);
  draw();
  return { element: h('div', {}, list, more), draw };
}
