// People: who else searches here, and two who read the same documents without seeing each other.
import { get, part, post } from './api.js';
import { fileName } from './export.js';
import { count, counted, field, h, press, quiet, save, section } from './dom.js';
import { path, search } from './search.js';

const chooser = (id, names, chosen) => h('select', { id }, names.map((name) => h('option', { value: name, selected: name === chosen }, name)));
const fixed = (number) => number.toFixed(2);

/** Whom the owner of a search lets in: one queue for all of them. */
function sharing({ user, users }, { attempt, redraw, say }) {
  const { owner, shared } = search.facts;
  const rules = quiet('Each gets documents of their own from one queue, and all teach it. Whoever does not want to decide hands a document on; what somebody leaves unanswered for 30 minutes goes to whoever asks next, too. Each takes back their own answers; History says who said what.');
  if (owner !== user) return section('Search together', { class: 'card stack' }, h('p', {}, `${owner} began this search. In it with you: ${[owner, ...shared].filter((name) => name !== user).join(', ')}.`), rules);
  const boxes = users.filter((name) => name !== user).map((name) => h('input', { type: 'checkbox', value: name, checked: shared.includes(name), onchange: () => attempt(async () => {
    search.facts = await post(path('/share'), { with: boxes.filter(({ checked }) => checked).map(({ value }) => value) });
    say('Kept.');
    await redraw();
  }) }));
  return section('Search together', { class: 'card stack' }, h('fieldset', {}, h('legend', {}, 'Who else searches here?'),
    h('div', { class: 'row' }, boxes.map((box) => h('label', { class: 'choice' }, box, h('span', {}, box.value))))), rules);
}

/** Draws the documents that two people read. */
function drawing({ user, users }, { attempt, go }) {
  const first = chooser('first-reader', users, user);
  const second = chooser('second-reader', users, users.find((name) => name !== user));
  const third = () => [user, ...users].find((name) => name !== first.value && name !== second.value) ?? user;
  const decider = chooser('decider', users, third());
  for (const reader of [first, second]) reader.onchange = () => (decider.value = third());
  const many = h('input', { id: 'many', type: 'number', min: 1, max: 20000, value: 50, required: true });
  const how = h('select', { id: 'how' }, [['', 'The best, by what was learned'], ['random', 'A random sample'], ['all', 'All, one by one, as the search learns from both']].map(([value, text]) => h('option', { value }, text)));
  how.onchange = () => (many.disabled = how.value === 'all');
  const draw = (event) => {
    event.preventDefault();
    attempt(async () => {
      const { pair } = await post(path('/pairs'), { readers: [first.value, second.value], decider: decider.value, ...(how.value === 'all' ? { all: true } : { count: Number(many.value), at_random: how.value === 'random' }) });
      go(`#/people/${part(pair)}`);
    });
  };
  return section('Two who do not see each other', { class: 'card stack' },
    h('form', { class: 'stack', onsubmit: draw }, h('p', {}, 'Both read the same unread documents in the same order, each in a search of their own. Here nobody is offered them meanwhile. When both are done, you see how well they agree; what they agree on and what is decided then counts in this search.'),
      h('div', { class: 'row' }, field('One reads', first), field('The other reads', second), field('Who decides where they differ', decider)),
      h('div', { class: 'row' }, field('How many documents', many), field('Which', how)), h('div', {}, h('button', {}, 'Draw them'))));
}

const pairList = (pairs) => section('Pairs', {}, pairs.length === 0 ? quiet('None yet.') : h('ul', { class: 'searches' }, pairs.map((one) => h('li', {},
  h('a', { href: `#/people/${part(one.pair)}` }, h('strong', { dir: 'auto' }, one.name), quiet(`${one.readers.join(' and ')} · ${one.grows ? 'all documents' : counted(one.documents, 'document')} · ${one.decider} decides`))))));

function agreementOf({ readers, agreement }) {
  const { documents, both_good: both, neither_good: neither, first_only: first, second_only: second, kappa, low, high } = agreement;
  return section('How they agree', { class: 'card stack' },
    h('p', {}, `Of ${counted(documents, 'document')}, ${count(both)} are good to both, ${count(neither)} to neither, ${count(first)} to ${readers[0]} alone and ${count(second)} to ${readers[1]} alone.`),
    h('p', {}, kappa === null ? 'Both rated every document the same way: kappa says nothing.' : h('strong', {}, `Cohen’s kappa ${fixed(kappa)}`), kappa !== null && `, and with 95 % between ${fixed(low)} and ${fixed(high)}.`));
}

const saidOf = (pair) => (one, at) => h('li', {}, h('span', { class: 'quiet number small' }, count(at + 1)), h('div', {}, h('strong', { dir: 'auto' }, one.title || one.id || `Document ${count(one.document)}`),
  h('p', { class: 'quiet small two-lines', dir: 'auto' }, one.beginning),
  quiet(pair.readers.map((name, reader) => `${name}: ${one.ratings[reader]}${one.notes[reader] ? ` (${one.notes[reader]})` : ''}`).join(' · '), one.decision === null ? '' : ` · decided: ${one.decision}`)));

function onePair(pair, { user }, { attempt, go, redraw }) {
  const done = pair.agreement !== null;
  const { grows, closed } = pair;
  const end = () => attempt(async () => (await post(`pairs/${part(pair.pair)}/end`, {}), redraw()));
  const decide = () => attempt(async () => go(`#/${part((await post(`pairs/${part(pair.pair)}/decisions`, {})).session)}/read`));
  const take = () => attempt(async () => save(fileName(pair.name, 'compared', 'csv'), 'text/csv', (await get(`pairs/${part(pair.pair)}/export`)).text));
  const left = grows ? [closed ? `${pair.readers.join(' and ')} are done` : `${pair.readers.join(' and ')} read all documents, one by one`] : pair.readers.map((name, at) => pair.left[at] === null ? `${name} reads too` : pair.left[at] ? `${name} has ${count(pair.left[at])} of ${count(pair.documents)} left` : `${name} is done`);
  return [h('p', {}, `${left.join(', ')}.`, grows ? !closed && ' Nobody sees what either said of a document before both have answered it, and another one since.' : !done && ' Until both are done, nobody sees what either said.'),
    pair.session && !(grows ? closed : done) && h('p', {}, h('a', { href: `#/${part(pair.session)}/read` }, 'Go on reading')),
    done && agreementOf(pair),
    done && section('Where they differ', {}, pair.conflicts.length ? h('ol', { class: 'events' }, pair.conflicts.map(saidOf(pair))) : quiet('Nowhere.')),
    done && h('div', { class: 'row' }, pair.conflicts.length > 0 && user === pair.decider && press('Decide', decide, { class: 'first' }), press('CSV', take)),
    !closed && user === pair.drawn_by && h('div', {}, press('End the reading', end), quiet('What not both have read is offered in the search again.'))];
}

export async function peopleScreen(context) {
  const about = await get('about');
  const { pair: asked } = context.place;
  const pair = asked && (await get(`pairs/${part(asked)}`));
  const isSearch = context.place.id && !search.facts.set;
  const alone = about.users.length < 2;
  const content = pair ? onePair(pair, about, context)
    : alone ? h('p', {}, 'Only you reach this server. Whoever runs it lets others in: inkling serve --users FILE --add-user NAME.')
      : [isSearch && sharing(about, context), isSearch && search.facts.owner === about.user && drawing(about, context), pairList((await get('pairs')).pairs)];
  return { title: 'People', content: h('div', { class: 'page stack' }, h('h1', { tabIndex: -1 }, pair ? h('bdi', {}, pair.name) : 'People'), content) };
}
