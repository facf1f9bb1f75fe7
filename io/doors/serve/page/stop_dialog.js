// What is known when the rule of the reader is met, and what they may do then.
import { get } from './api.js';
import { h, press, showDialog } from './dom.js';
import { showExport } from './export.js';
import { t } from './language.js';
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
    if (await sample(many)) say(t('next_at_random', { n: many }));
    await redraw();
  });
  const box = h('dialog', { 'aria-labelledby': 'met-head', onclose: () => box.remove() }, h('div', { class: 'stack' },
    h('h2', { id: 'met-head' }, t('rule_met_stop')),
    h('ul', { class: 'stack' },
      h('li', {}, t('met_figures', { rated, documents, good, withoutGood })),
      worthOf(facts.rule, curve).map((text) => h('li', {}, text)),
      h('li', {}, guess(curve)),
      h('li', {}, bound(curve))),
    h('div', { class: 'row' }, press(t('go_on'), close(), { class: 'first' }),
      many > 0 && press(t('check_sample', { n: many }), close(draw)), press(t('export'), close(() => showExport({ attempt, say }))))));
  showDialog(box);
  box.querySelector('.first').focus();
}
