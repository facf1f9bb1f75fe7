// What is known when the rule of the reader is met, and what they may do then.
import { get } from './api.js';
import { count, counted, h, press } from './dom.js';
import { showExport } from './export.js';
import { bound, guess, worthOf } from './rule_form.js';
import { path, sample, search } from './search.js';

const drawn = 50;

export async function showRuleMet({ attempt, say, redraw }) {
  const { facts } = search;
  const curve = await get(path('/progress')).catch(() => null);
  if (!curve || search.facts !== facts || document.querySelector('dialog[open]')) return;
  const { documents, rated, good, without_good: withoutGood } = curve.progress;
  const many = Math.min(drawn, documents - rated);
  const close = (work) => () => (box.close(), work?.());
  const draw = () => attempt(async () => {
    if (await sample(many)) say(`The next ${counted(many, 'document')} are drawn at random.`);
    await redraw();
  });
  const box = h('dialog', { 'aria-labelledby': 'met-head', onclose: () => box.remove() }, h('div', { class: 'stack' },
    h('h2', { id: 'met-head' }, 'Your rule is met: you may stop here'),
    h('ul', { class: 'stack' },
      h('li', {}, `You have read ${count(rated)} of ${count(documents)}, and ${count(good)} of them are good. The last ${count(withoutGood)} were not.`),
      worthOf(facts.rule, curve).map((text) => h('li', {}, text)),
      h('li', {}, guess(curve)),
      h('li', {}, bound(curve))),
    h('div', { class: 'row' }, press('Go on', close(), { class: 'first' }),
      many > 0 && press(`Check a random sample of ${count(many)}`, close(draw)), press('Export', close(() => showExport({ attempt, say }))))));
  document.body.append(box);
  box.showModal();
  box.querySelector('.first').focus();
}
