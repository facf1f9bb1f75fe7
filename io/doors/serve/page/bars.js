// Bars of weights and contributions, each with a whisker as long as it may be off.
import { h, svg } from './dom.js';
import { fixed, signed } from './language.js';

/** A bar from zero, on a scale from `least` to `most`. It is not read out: its number is beside it. */
export function bar(value, doubt, least, most) {
  const at = (number) => 1 + ((number - least) / (most - least)) * 98;
  return svg('svg', { viewBox: '0 0 100 16', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    svg('rect', { class: value < 0 ? 'con' : 'pro', x: Math.min(at(0), at(value)), y: 3, width: Math.abs(at(value) - at(0)), height: 10, rx: 1 }),
    svg('line', { class: 'zero', x1: at(0), x2: at(0), y1: 0, y2: 16, 'vector-effect': 'non-scaling-stroke' }),
    svg('path', { class: 'whisker', d: `M${at(value - doubt)} 8H${at(value + doubt)}`, 'vector-effect': 'non-scaling-stroke' }));
}

/** Rows are {word, value, doubt, more?}; `more` are cells behind the number. */
export function barTable(caption, heads, rows) {
  const least = Math.min(0, ...rows.map(({ value, doubt }) => value - doubt));
  const most = Math.max(least + 1e-9, 0, ...rows.map(({ value, doubt }) => value + doubt));
  return h('table', { class: 'bars' },
    h('caption', { class: 'unseen' }, caption),
    h('thead', { class: heads.length > 2 ? '' : 'unseen' }, h('tr', {}, heads.map((head) => h('th', { scope: 'col' }, head)))),
    h('tbody', {}, rows.map(({ word, value, doubt, more = [] }) =>
      h('tr', {},
        h('th', { scope: 'row' }, h('bdi', {}, word)),
        h('td', {}, bar(value, doubt, least, most)),
        h('td', { class: 'number' }, h('span', { class: value < 0 ? 'against' : 'for' }, signed(value)), h('span', { class: 'quiet' }, ` ± ${fixed(doubt)}`)),
        more.map((cell) => h('td', {}, cell))))));
}
