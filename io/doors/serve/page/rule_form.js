// When a reader means to stop: the conditions of a rule, to be chosen and to be looked at, and what rules are worth.
import { count, counted, h } from './dom.js';

const mostInRow = 200; // with more, nearly all is read
const leastInRow = 10;
const shareInRow = 0.25;
const rareShare = 0.02; // with fewer good ones among what was read, rules were worth less
const telling = 0.5; // a bound above this share of what is unread says nothing

/** How many bad ones in a row are recommended for so many documents. */
export const recommended = (documents) => Math.max(leastInRow, Math.min(mostInRow, Math.ceil(documents * shareInRow)));

const saysSomething = ({ documents, rated, good_left: left }) => left.at_most <= (documents - rated) * telling;

const conditions = [
  { name: 'without_good', before: 'the last', after: 'documents that I read were not good', usual: recommended, least: 1, now: ({ progress }) => `${count(progress.without_good)} now`, met: ({ progress }, limit) => progress.without_good >= limit },
  { name: 'left_at_most', before: 'at most', after: 'good ones are left unread (95 % sure, by random draws)', usual: () => 20, least: 0, now: ({ progress }) => (saysSomething(progress) ? `at most ${count(progress.good_left.at_most)} now` : 'not known now'), met: ({ progress }, limit) => progress.good_left.at_most <= limit },
  { name: 'good', before: 'I have found', after: 'good ones', usual: () => 30, least: 1, now: ({ progress }) => `${count(progress.good)} now`, met: ({ progress }, limit) => progress.good >= limit },
  { name: 'rated', before: 'I have read', after: 'documents', usual: () => 200, least: 1, now: ({ progress }) => `${count(progress.rated)} now`, met: ({ progress }, limit) => progress.rated >= limit },
];

/** The form of a rule for a pool of so many documents; `rule()` is what was chosen, null where nothing was. `given` is the rule so
 * far; undefined for a new search, which begins with what is recommended. `forDocuments` says how many another pool has. */
export function ruleForm(given, documents) {
  const first = given === undefined ? { without_good: recommended(documents) } : given;
  const rows = conditions.map(({ name, before, after, usual, least }) => {
    const number = h('input', { id: `rule-${name}`, type: 'number', min: least, max: 1_000_000_000, step: 1, value: first?.[name] ?? usual(documents), 'aria-label': `${before} how many ${after}`, oninput: () => (box.checked = number.isOwn = true) });
    const box = h('input', { type: 'checkbox', checked: first?.[name] !== undefined, 'aria-label': `${before} … ${after}` });
    return { name, box, number, usual, element: h('div', { class: 'choice rule' }, box, h('span', {}, before), number, h('span', {}, after)) };
  });
  const hint = h('p', { class: 'hint' });
  const explain = (many) => (hint.textContent = `When all that you tick here holds, the page says so; the search itself never ends. Recommended here: ${count(recommended(many))} in a row that were not good${many * shareInRow < mostInRow ? ', a quarter of this small collection (200 were measured, from 850 documents on)' : ', which found 95 % of the good ones in every measured review; where only 1 of 100 documents was good it stopped too early in most'}.`);
  explain(documents);
  const element = h('fieldset', {}, h('legend', {}, 'When do you mean to stop?'), hint, rows.map((row) => row.element));
  const rule = () => {
    const chosen = rows.filter(({ box, number }) => box.checked && number.value !== '' && number.checkValidity());
    return chosen.length ? Object.fromEntries(chosen.map(({ name, number }) => [name, Number(number.value)])) : null;
  };
  const forDocuments = (many) => {
    explain(many);
    for (const { number, usual } of rows) if (!number.isOwn) number.value = usual(many);
  };
  return { element, rule, forDocuments };
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
  : 'How many good ones are left is not known: a guess takes 5 good documents, and at most 2 good ones among the last 50.';

const fewDraws = 10; // fewer draws say hardly anything about what is left
/** What the random draws show about what is left, where they show something, and the price of a lower bound. */
export function bound({ progress, prices }) {
  const { documents, rated, good_left: left } = progress;
  const unread = documents - rated;
  if (unread === 0) return h('p', {}, 'You have read every document.');
  const about = left.draws >= fewDraws ? `, about ${count(Math.round(Math.max(0, left.about)))} by what the draws suggest` : '';
  const cheaper = prices.filter(({ at_most: atMost, draws }) => atMost <= unread * telling && draws < unread);
  return [
    h('p', {}, saysSomething(progress)
      ? `Of the ${count(unread)} unread documents at most ${count(left.at_most)} are good (${count(left.confidence * 100)} % sure)${about}. This rests on ${counted(left.draws, 'document')} drawn at random.`
      : `Nothing is certain of the ${count(unread)} unread documents: ${left.draws ? `${counted(left.draws, 'random draw')} ${left.draws === 1 ? 'is' : 'are'} too few` : 'none was drawn at random'}.`),
    cheaper.length > 0 && h('p', {}, saysSomething(progress) ? 'What less costs: ' : 'What would be certain: ', cheaper.map(({ at_most: atMost, draws }, n) => `${n ? '; at most' : 'at most'} ${count(atMost)}${n ? '' : ' left'}: ${count(draws)}${n ? '' : ' more draws, all bad'}`), '.')];
}

const percent = (number) => `${count(Math.round(number))} %`;

/** What a rule in a row was worth where it was tried, by the measured one that is next below, in sentences; and what is not known
 * where good documents are rare. */
export function worthOf(rule, { rules, progress: { rated, good } }) {
  const inRow = rule?.without_good;
  if (!inRow) return [];
  const below = Math.max(0, ...rules.map((one) => one.without_good).filter((many) => many <= inRow));
  if (!below) return [`So few in a row (${count(inRow)}) were not measured. They stop early.`];
  const measured = rules.filter((one) => one.without_good === below);
  const isRare = good < rated * rareShare;
  return [`Measured with ${count(below)} in a row: 95 % of the good ones were found in ${measured.map((one) => `${percent(one.found_95)} of ${counted(one.searches, 'search', 'searches')} (${one.searched})`).join(', ')}.`,
    isRare && `Good documents are rare here: ${count(good)} of ${count(rated)}. For such topics nobody knows how many this rule leaves unread; one or two may be missing.`].filter(Boolean);
}

/** What rules for stopping were worth where they were tried, in one table. */
export function ruleWorth({ rules }) {
  const searched = [...new Set(rules.map((rule) => rule.searched))];
  const inRows = [...new Set(rules.map((rule) => rule.without_good))];
  const cell = (one) => h('td', {}, one && `${percent(one.found_95)}, ${percent(one.read)}`);
  return h('details', {}, h('summary', {}, 'What a rule is worth'),
    h('p', { class: 'quiet' }, 'In searches whose good documents are known: in how many of them 95 % were found when the rule was met, and how much of all was read by then.'),
    h('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'What a rule is worth' }, h('table', { class: 'worth' },
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Not good in a row'), searched.map((name) => h('th', { scope: 'col' }, name)))),
      h('tbody', {}, inRows.map((inRow) => h('tr', {}, h('th', { scope: 'row' }, count(inRow)), searched.map((name) => cell(rules.find((rule) => rule.without_good === inRow && rule.searched === name)))))))));
}
