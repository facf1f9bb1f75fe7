// When a reader means to stop: the conditions of a rule, to be chosen and to be looked at, and what rules are worth. And the
// reasons for which a review leaves documents out: a list that its owner writes, each with a key while reading.
import { field, h, press, rich } from './dom.js';
import { count, percent, t } from './language.js';
import { wordsIn } from './tints.js';

const mostInRow = 200; // with more, nearly all is read
const leastWhole = 850; // documents of the smallest whole review that was measured
const leastInRow = 10;
const shareInRow = 0.5; // with a quarter, 95 % were found in hardly more than half of the searches of 100 documents
const rareShare = 0.02; // with fewer good ones among what was read, rules were worth less
const telling = 0.5; // a bound above this share of what is unread says nothing

/** How many bad ones in a row are recommended for so many documents. */
export const recommended = (documents) => Math.max(leastInRow, Math.min(mostInRow, Math.ceil(documents * shareInRow)));

const saysSomething = ({ documents, rated, good_left: left }) => left.at_most <= (documents - rated) * telling;

const conditions = [
  { name: 'without_good', usual: recommended, least: 1, now: ({ progress }) => t('now', { number: progress.without_good }), met: ({ progress }, limit) => progress.without_good >= limit },
  { name: 'left_at_most', usual: () => 20, least: 0, now: ({ progress }) => (saysSomething(progress) ? t('at_most_now', { number: progress.good_left.at_most }) : t('not_known_now')), met: ({ progress }, limit) => progress.good_left.at_most <= limit },
  { name: 'good', usual: () => 30, least: 1, now: ({ progress }) => t('now', { number: progress.good }), met: ({ progress }, limit) => progress.good >= limit },
  { name: 'rated', usual: () => 200, least: 1, now: ({ progress }) => t('now', { number: progress.rated }), met: ({ progress }, limit) => progress.rated >= limit },
];

/** The form of a rule for a pool of so many documents; `rule()` is what was chosen, null where nothing was. `given` is the rule so
 * far; undefined for a new search, which begins with what is recommended. `forDocuments` says how many another pool has. */
export function ruleForm(given, documents) {
  const first = given === undefined ? { without_good: recommended(documents) } : given;
  const rows = conditions.map(({ name, usual, least }) => {
    const number = h('input', { id: `rule-${name}`, type: 'number', min: least, max: 1_000_000_000, step: 1, value: first?.[name] ?? usual(documents), 'aria-label': t(`rule_${name}`, { number: t('how_many_here') }), oninput: () => (box.checked = number.isOwn = true) });
    const box = h('input', { type: 'checkbox', checked: first?.[name] !== undefined, 'aria-label': t(`rule_${name}`, { number: '…' }) });
    return { name, box, number, usual, element: h('div', { class: 'choice rule' }, box, rich(`rule_${name}`, { number }).map((piece) => (piece === number ? piece : h('span', {}, piece.trim())))) };
  });
  const hint = h('p', { class: 'hint' });
  const explain = (many) => (hint.textContent = t('rule_hint', { recommended: t(many < leastWhole ? 'recommended_small' : 'recommended_large', { number: recommended(many) }) }));
  explain(documents);
  const element = h('fieldset', {}, h('legend', {}, t('rule_legend')), hint, rows.map((row) => row.element));
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
  if (!rule) return h('p', { class: 'quiet' }, t('no_rule'));
  const reached = curve.progress.rule_reached;
  return h('div', { class: reached ? 'met' : 'not-met' },
    h('p', {}, h('strong', {}, t(reached ? 'rule_met_stop' : 'rule_not_met'))),
    h('ul', {}, conditions.filter(({ name }) => rule[name] !== undefined).map(({ name, now, met }) =>
      h('li', {}, met(curve, rule[name]) ? '✓ ' : '○ ', t(`rule_${name}`, { number: rule[name] }), ' ', h('span', { class: 'quiet' }, `(${t(met(curve, rule[name]) ? 'holds' : 'not_yet')}; ${now(curve)})`)))));
}

/** The model's guess of what is left. */
export const guess = ({ guess: known }) => known
  ? t('guess', { number: Math.round(known.about) })
  : t('guess_unknown');

const fewDraws = 10; // fewer draws say hardly anything about what is left
/** What the random draws show about what is left, where they show something, and the price of a lower bound. */
export function bound({ progress, prices }) {
  const { documents, rated, good_left: left } = progress;
  const unread = documents - rated;
  if (unread === 0) return h('p', {}, t('read_everything'));
  const about = left.draws >= fewDraws ? ` ${t('bound_about', { number: Math.round(Math.max(0, left.about)) })}` : '';
  const cheaper = prices.filter(({ at_most: atMost, draws }) => atMost <= unread * telling && draws < unread);
  return [
    h('p', {}, saysSomething(progress)
      ? `${t('bound', { unread, atMost: left.at_most, percent: percent(left.confidence * 100) })}${about} ${t('bound_rests', { n: left.draws })}`
      : left.draws ? t('bound_few', { unread, n: left.draws }) : t('bound_none', { unread })),
    cheaper.length > 0 && h('p', {}, t(saysSomething(progress) ? 'less_costs' : 'would_be_certain'), ' ', cheaper.map(({ at_most: atMost, draws }, at) => (at ? '; ' : '') + t(at ? 'price' : 'first_price', { atMost, draws })), '.')];
}

const searchedHere = { 'newsgroups, 5 % good': 'newsgroups_5', 'newsgroups, 1 % good': 'newsgroups_1', 'systematic reviews': 'systematic_reviews' };
const searchedIn = ({ searched }) => (searchedHere[searched] ? t(searchedHere[searched]) : searched);

/** What a rule in a row was worth where it was tried, by the measured one that is next below, in sentences; and what is not known
 * where good documents are rare. */
export function worthOf(rule, { rules, progress: { rated, good } }) {
  const inRow = rule?.without_good;
  if (!inRow) return [];
  const below = Math.max(0, ...rules.map((one) => one.without_good).filter((many) => many <= inRow));
  if (!below) return [t('few_in_row', { number: inRow })];
  const measured = rules.filter((one) => one.without_good === below);
  const isRare = good < rated * rareShare;
  return [t('measured', { number: below, what: measured.map((one) => t('measured_one', { percent: percent(one.found_95), n: one.searches, searched: searchedIn(one) })).join(', ') }),
    isRare && t('rare_here', { good, rated })].filter(Boolean);
}

/** What rules for stopping were worth where they were tried, in one table. */
export function ruleWorth({ rules }) {
  const searched = [...new Set(rules.map(searchedIn))];
  const inRows = [...new Set(rules.map((rule) => rule.without_good))];
  const cell = (one) => h('td', {}, one && `${percent(one.found_95)}, ${percent(one.read)}`);
  return h('details', {}, h('summary', {}, t('worth')),
    h('p', { class: 'quiet' }, t('worth_says')),
    h('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': t('worth') }, h('table', { class: 'worth' },
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('not_good_in_row')), searched.map((name) => h('th', { scope: 'col' }, name)))),
      h('tbody', {}, inRows.map((inRow) => h('tr', {}, h('th', { scope: 'row' }, count(inRow)), searched.map((name) => cell(rules.find((rule) => rule.without_good === inRow && searchedIn(rule) === name)))))))));
}

const mostReasons = 10; // as many as there are keys
const bytes = (text) => new TextEncoder().encode(text).length;

/** `chosen()` is the list, each reason once. */
export function reasonsField(given = []) {
  const input = h('input', { id: 'reasons', value: given.join(', '), maxLength: 900, autocomplete: 'off', dir: 'auto' });
  const chosen = () => [...new Set(wordsIn(input.value))].filter((reason) => bytes(reason) <= 100).slice(0, mostReasons);
  return {
    element: h('div', {}, field(t('reasons'), input, t('reasons_hint')),
      press(t('reasons_fill_in'), () => (input.value = t('reasons_usual')), { class: 'plain small' })),
    chosen,
  };
}
