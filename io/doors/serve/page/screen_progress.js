// Progress: what was seen, what the model guesses, what is certain, what rules are worth, and whether the reader's own is met.
import { get } from './api.js';
import { count, counted, documentLinks, field, h, section, svg } from './dom.js';
import { bound, guess, ruleForm, ruleState, ruleWorth } from './rule_form.js';
import { exports } from './screen_history.js';
import { aim, path, sample, search } from './search.js';

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
  return svg('svg', { class: 'chart', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `${counted(found.at(-1), 'good document')} found among ${count(rewards.length)} read` },
    [0, Math.round(most / 2), most].map(tick),
    svg('path', { class: 'all', d: `M${x(0)} ${y(0)}L${x(rewards.length)} ${y(Math.min(atRandom, most)).toFixed(1)}` }),
    svg('path', { class: 'found', d: 'M' + points.map(([at, number]) => `${x(at).toFixed(1)} ${y(number).toFixed(1)}`).join('L') }),
    svg('text', { x: width - right, y: height - 8, 'text-anchor': 'end' }, `${count(rewards.length)} read`));
}

export async function progressScreen({ place, attempt, act }) {
  const [curve, { documents }] = await Promise.all([get(path('/progress')), get(path('/found'))]);
  const { progress, rewards } = curve;
  const figure = (term, value) => h('div', {}, h('dt', {}, term), h('dd', {}, value));
  const number = h('input', { id: 'draws', type: 'number', min: 1, max: progress.documents, step: 1, value: Math.min(20, progress.documents), required: true });
  const question = h('textarea', { id: 'question', maxLength: 2000, value: search.facts.question });
  const form = ruleForm(search.facts.rule);
  return {
    title: 'Progress',
    content: h('div', { class: 'page stack' },
      h('h1', { tabIndex: -1 }, 'Progress'),
      h('dl', { class: 'figures' }, figure('Read', count(progress.rated)), figure('Good', count(progress.good)), figure(`Good of the last ${count(progress.lately)}`, count(progress.good_lately)), figure('Since the last good one', count(progress.without_good)), figure('In the pool', count(progress.documents))),
      rewards.length > 0 && h('figure', { class: 'card' }, curveChart(curve), h('figcaption', { class: 'quiet small' }, `Good ones found; dashed: had you read at random (${count(Math.round(curve.at_random))})`)),
      section('A guess of what is left', { class: 'card stack' }, h('p', {}, guess(curve))),
      section('What is certain', { class: 'card stack' }, bound(curve),
        progress.waiting > 0 && h('p', { class: 'quiet' }, `${counted(progress.waiting, 'document')} put off for later.`),
        progress.sample_left > 0
          ? h('p', {}, `The next ${progress.sample_left === 1 ? 'document is' : `${count(progress.sample_left)} documents are`} drawn at random, as you asked. `, h('a', { href: `#/${place.id}/read` }, 'Read on'))
          : h('form', { class: 'row', onsubmit: act(() => sample(Number(number.value)), 'The next documents are drawn at random.') }, h('label', { for: 'draws' }, 'Draw the next'), number, h('span', {}, 'at random'), h('button', {}, 'Draw'))),
      section('When to stop', { class: 'card stack' }, ruleState(search.facts.rule, curve), ruleWorth(curve),
        h('details', {}, h('summary', {}, 'Change what you look for and when to stop'),
          h('form', { class: 'stack', onsubmit: act(() => aim({ question: question.value.trim(), rule: form.rule() }), 'It is kept.') },
            field('What are you looking for?', question), form.element, h('div', {}, h('button', {}, 'Keep'))))),
      section(`Found: ${counted(documents.length, 'good document')}`, {}, exports(attempt), documentLinks(place.id, documents.slice(0, 100)))),
  };
}
