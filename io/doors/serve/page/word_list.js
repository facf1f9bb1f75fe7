// The words of a document as check boxes: the way of marking that needs neither a mouse nor a text.
import { h, signed } from './dom.js';

const atFirst = 12;
const rates = [[1, 'for'], [0.5, 'maybe for'], [-0.5, 'maybe against'], [-1, 'against']];

/** Known words come first, then those that say most of the document. */
export function wordList({ words }, { known, marks, mark }) {
  const weight = (word) => Math.abs(known.get(word.feature) ?? 0);
  const sorted = [...words].sort((a, b) => weight(b) - weight(a));
  const isWanted = (word, place) => place < atFirst || marks.has(word.feature);
  const list = h('ul', { class: 'words-here', tabIndex: 0, 'aria-label': 'Words of this document' });
  let all = false;

  function row({ word, feature }) {
    const rate = marks.get(feature);
    const box = h('input', { type: 'checkbox', checked: rate !== undefined, 'data-feature': feature, onchange: () => mark(feature, box.checked ? 1 : undefined) });
    const weightHere = known.get(feature);
    const pull = Math.abs(weightHere) >= 0.005 && h('span', { class: `pull number ${weightHere < 0 ? 'against' : 'for'}` },
      h('span', { class: 'unseen' }, weightHere < 0 ? 'speaks against it ' : 'speaks for it '), signed(weightHere));
    const how = rate !== undefined && h('select', { 'aria-label': `How ${word} speaks`, 'data-how': feature, onchange: (event) => mark(feature, Number(event.target.value)) },
      rates.map(([value, label]) => h('option', { value, selected: value === rate }, label)));
    return h('li', {}, h('label', {}, box, h('span', {}, word), pull), how);
  }

  function draw() {
    const focused = document.activeElement?.dataset?.feature;
    const how = document.activeElement?.dataset?.how;
    const shown = all ? sorted : sorted.filter(isWanted);
    list.replaceChildren(...shown.map(row));
    more.hidden = shown.length === sorted.length;
    if (focused !== undefined) list.querySelector(`[data-feature="${focused}"]`)?.focus();
    if (how !== undefined) list.querySelector(`[data-how="${how}"]`)?.focus();
  }

  const more = h('button', { type: 'button', class: 'plain', onclick: () => ((all = true), draw(), list.focus()) }, `All ${sorted.length} words`);
  draw();
  return { element: h('div', {}, list, more), draw };
}
