// When a reader means to stop: the conditions of a rule, to be chosen and to be looked at.
import { count, counted, h } from './dom.js';

const conditions = [
  { name: 'left_at_most', before: 'at most', after: 'good ones are left unread (95 % sure)', usual: 20, least: 0, now: ({ progress }) => `at most ${count(progress.good_left.at_most)} now`, met: ({ progress }, limit) => progress.good_left.at_most <= limit },
  { name: 'without_good', before: 'the last', after: 'documents that I read were not good', usual: 50, least: 1, now: ({ progress }) => `${count(progress.without_good)} now`, met: ({ progress }, limit) => progress.without_good >= limit },
  { name: 'good', before: 'I have found', after: 'good ones', usual: 30, least: 1, now: ({ progress }) => `${count(progress.good)} now`, met: ({ progress }, limit) => progress.good >= limit },
  { name: 'rated', before: 'I have read', after: 'documents', usual: 200, least: 1, now: ({ progress }) => `${count(progress.rated)} now`, met: ({ progress }, limit) => progress.rated >= limit },
];

/** The form of a rule; `rule()` is what was chosen, null where nothing was. */
export function ruleForm(given) {
  const rows = conditions.map(({ name, before, after, usual, least }) => {
    const number = h('input', { id: `rule-${name}`, type: 'number', min: least, max: 1_000_000_000, step: 1, value: given?.[name] ?? usual, 'aria-label': `${before} how many ${after}`, oninput: () => (box.checked = true) });
    const box = h('input', { type: 'checkbox', checked: given?.[name] !== undefined, 'aria-label': `${before} … ${after}` });
    return { name, box, number, element: h('div', { class: 'choice rule' }, box, h('span', {}, before), number, h('span', {}, after)) };
  });
  const element = h('fieldset', {},
    h('legend', {}, 'When do you mean to stop?'),
    h('p', { class: 'hint' }, 'When all that you tick here holds, the page says so. The search itself never ends.'),
    rows.map((row) => row.element));
  const rule = () => {
    const chosen = rows.filter(({ box, number }) => box.checked && number.value !== '' && number.checkValidity());
    return chosen.length ? Object.fromEntries(chosen.map(({ name, number }) => [name, Number(number.value)])) : null;
  };
  return { element, rule };
}

/** What holds of a rule now: `curve` is the answer of progress. */
export function ruleState(rule, curve) {
  if (!rule) return h('p', { class: 'quiet' }, 'You have not said when you mean to stop.');
  const reached = curve.progress.rule_reached;
  return h('div', { class: reached ? 'met' : 'not-met' },
    h('p', {}, h('strong', {}, reached ? 'Your rule is met: you may stop here.' : 'Your rule is not met yet.')),
    h('ul', {}, conditions.filter(({ name }) => rule[name] !== undefined).map(({ name, before, after, now, met }) =>
      h('li', {}, met(curve, rule[name]) ? '✓ ' : '○ ', `${before} ${count(rule[name])} ${after} `, h('span', { class: 'quiet' }, `(${met(curve, rule[name]) ? 'holds' : 'not yet'}; ${now(curve)})`)))));
}

/** The model's guess of what is left. */
export const guess = ({ guess: known }) => known
  ? `The model takes about ${count(Math.round(known.about))} of the unread documents to be good. It may be wrong.`
  : 'Not known yet. It takes 5 good documents, and at most 2 good ones among the last 50.';

const fewDraws = 10; // fewer draws say hardly anything about what is left
/** What the random draws show about what is left, and the price of a lower bound. */
export function bound({ progress: { documents, rated, good_left: left }, prices }) {
  const unread = documents - rated;
  if (unread === 0) return h('p', {}, 'You have read every document.');
  const about = left.draws >= fewDraws ? `, about ${count(Math.round(Math.max(0, left.about)))} by what the draws suggest` : '';
  return [
    h('p', {}, left.draws === 0
      ? `Nothing is known of the ${count(unread)} unread documents, because none was drawn at random and rated.`
      : `Of the ${count(unread)} unread documents at most ${count(left.at_most)} are good (${count(left.confidence * 100)} % sure)${about}. This rests on ${counted(left.draws, 'document')} drawn at random.`),
    prices.length > 0 && h('p', {}, 'What less costs: ', prices.map(({ at_most: atMost, draws }, n) => `${n ? '; at most' : 'at most'} ${count(atMost)}${n ? '' : ' left'}: ${count(draws)}${n ? '' : ' more draws, all bad'}`), '.')];
}

/** What rules for stopping were worth where they were tried. */
export const ruleWorth = ({ rules }) => h('details', {}, h('summary', {}, 'What a rule is worth'),
  h('p', { class: 'quiet' }, 'Measured in searches whose good documents are known.'),
  h('ul', {}, rules.map((rule) => h('li', {}, `${count(rule.without_good)} bad ones in a row, ${rule.searched}: 95 % were found in ${count(Math.round(rule.found_95))} % of ${counted(rule.searches, 'search', 'searches')}, after ${count(Math.round(rule.read))} % of all documents`))));
