// Progress: what was seen, what the model guesses, what is certain, what rules are worth, and whether the reader's own is met.
import { get } from './api.js';
import { documentLinks, field, h, press, section, svg } from './dom.js';
import { count, t } from './language.js';
import { bound, guess, reasonsField, ruleForm, ruleState, ruleWorth } from './rule_form.js';
import { aim, path, sample, search } from './search.js';

const atOnce = 50; // of the found documents

/** Documents in pages; a press shows one more. */
function paged(search, documents) {
  const list = h('div', {});
  let most = atOnce;
  const more = press('', () => ((most += atOnce), draw()), { class: 'plain' });
  function draw() {
    list.replaceChildren(documentLinks(search, documents.slice(0, most)));
    more.hidden = documents.length <= most;
    more.textContent = t('more_of', { more: Math.min(atOnce, documents.length - most), of: documents.length });
  }
  draw();
  return [list, more];
}

/** How often each reason, or tag, was given. */
const reasonCounts = (tags) => tags.length > 0 && section(t('reasons_and_tags'), { class: 'card stack' }, h('ul', { class: 'counts' }, tags.map(({ tag, documents }) =>
  h('li', {}, h('bdi', {}, tag), h('span', { class: 'number quiet' }, t('documents', { n: documents }))))));

const [height, left, right, top, bottom] = [240, 44, 16, 12, 34];

/** Good documents found, against documents read, and what reading at random would have found. */
function curveChart({ rewards, found: each, at_random: atRandom }) {
  const width = innerWidth < 640 ? 320 : 640; // so that its letters stay large enough
  const found = [0, ...each];
  const most = Math.max(found.at(-1), 2);
  const x = (at) => left + (at / rewards.length) * (width - left - right);
  const y = (number) => height - bottom - (number / most) * (height - top - bottom);
  const step = Math.ceil(found.length / 600);
  const points = found.map((number, at) => [at, number]).filter(([at]) => at % step === 0 || at === rewards.length);
  const tick = (number) => [svg('line', { class: 'grid', x1: left, x2: width - right, y1: y(number), y2: y(number) }), svg('text', { x: left - 8, y: y(number) + 4, 'text-anchor': 'end' }, count(number))];
  return svg('svg', { class: 'chart', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': t('found_among', { n: found.at(-1), read: rewards.length }) },
    [0, Math.round(most / 2), most].map(tick),
    svg('path', { class: 'all', d: `M${x(0)} ${y(0)}L${x(rewards.length)} ${y(Math.min(atRandom, most)).toFixed(1)}` }),
    svg('path', { class: 'found', d: 'M' + points.map(([at, number]) => `${x(at).toFixed(1)} ${y(number).toFixed(1)}`).join('L') }),
    svg('text', { x: width - right, y: height - 8, 'text-anchor': 'end' }, t('many_read', { n: rewards.length })));
}

export async function makeScreen({ place, attempt, act }) {
  const [curve, { documents }, { tags }] = await Promise.all([get(path('/progress')), get(path('/found')), get(path('/tags'))]);
  const { progress, rewards } = curve;
  const figure = (term, value) => h('div', {}, h('dt', {}, term), h('dd', {}, value));
  const number = h('input', { id: 'draws', type: 'number', min: 1, max: progress.documents, step: 1, value: Math.min(20, progress.documents), required: true });
  const question = h('textarea', { id: 'question', maxLength: 2000, value: search.facts.question });
  const form = ruleForm(search.facts.rule, progress.documents);
  const reasons = reasonsField(search.facts.reasons);
  return {
    title: t('screen_progress'),
    content: h('div', { class: 'page stack' },
      h('h1', { tabIndex: -1 }, t('screen_progress')),
      h('dl', { class: 'figures' }, figure(t('figure_read'), count(progress.rated)), figure(t('figure_good'), count(progress.good)), figure(t('figure_good_lately', { n: progress.lately }), count(progress.good_lately)), figure(t('figure_without_good'), count(progress.without_good)), figure(t('figure_pool'), count(progress.documents))),
      rewards.length > 0 && h('figure', { class: 'card' }, curveChart(curve), h('figcaption', { class: 'quiet small' }, t('curve_says', { number: Math.round(curve.at_random) }))),
      section(t('guess_of_left'), { class: 'card stack' }, h('p', {}, guess(curve))),
      section(t('certain'), { class: 'card stack' }, bound(curve),
        progress.waiting > 0 && h('p', { class: 'quiet' }, t('put_off', { n: progress.waiting })),
        progress.sample_left > 0
          ? h('p', {}, t('next_as_asked', { n: progress.sample_left }), ' ', h('a', { href: `#/${place.id}/read` }, t('read_on')))
          : h('form', { class: 'row', onsubmit: act(() => sample(Number(number.value)), t('next_are_random')) }, h('label', { for: 'draws' }, t('draw_next')), number, h('span', {}, t('at_random')), h('button', {}, t('draw')))),
      section(t('when_to_stop'), { class: 'card stack' }, ruleState(search.facts.rule, curve), ruleWorth(curve),
        h('details', {}, h('summary', {}, t('change_aim')),
          h('form', { class: 'stack', onsubmit: act(() => aim({ question: question.value.trim(), rule: form.rule(), reasons: reasons.chosen() }), t('kept')) },
            field(t('question'), question), reasons.element, form.element, h('div', {}, h('button', {}, t('keep')))))),
      reasonCounts(tags),
      section(t('found', { n: documents.length }), {}, paged(place.id, documents))),
  };
}
