// People: who else searches here, and two who read the same documents without seeing each other.
import { get, part, post, remove } from './api.js';
import { fileName } from './export.js';
import { afterTitle, copyButton, field, h, press, quiet, rich, save, section } from './dom.js';
import { count, fixed, listed, t } from './language.js';
import { vote } from './screen_read.js';
import { path, search } from './search.js';

const chooser = (id, names, chosen) => h('select', { id }, names.map((name) => h('option', { value: name, selected: name === chosen }, name)));

/** Whom the owner of a search lets in: one queue for all of them. */
function sharing({ user, users }, { attempt, redraw, say }) {
  const { owner, shared } = search.facts;
  const rules = quiet(t('together_rules'));
  if (owner !== user) return section(t('together'), { class: 'card stack' }, h('p', {}, rich('together_with', { owner, others: listed([owner, ...shared].filter((name) => name !== user)) })), rules);
  const boxes = users.filter((name) => name !== user).map((name) => h('input', { type: 'checkbox', value: name, checked: shared.includes(name), onchange: () => attempt(async () => {
    search.facts = await post(path('/share'), { with: boxes.filter(({ checked }) => checked).map(({ value }) => value) });
    say(t('kept'));
    await redraw();
  }) }));
  return section(t('together'), { class: 'card stack' }, h('fieldset', {}, h('legend', {}, t('who_else')),
    h('div', { class: 'row' }, boxes.map((box) => h('label', { class: 'choice' }, box, h('span', { dir: 'auto' }, box.value))))), rules);
}

/** Whoever runs the server lets others in by a link, which holds their token and is shown this once. */
function lettingIn({ user, users }, { attempt, redraw, say }) {
  const name = h('input', { id: 'new-user', required: true, maxLength: 100, autocomplete: 'off', dir: 'auto' });
  const shown = h('div');
  const show = (who, token) => {
    const link = h('input', { id: 'link', readOnly: true, value: `${location.origin}/#/join/${token}`, dir: 'ltr', onfocus: () => link.select() });
    shown.replaceChildren(field(rich('link_for', { name: who }), link, t('link_hint'), copyButton(link)));
    link.focus();
  };
  const rows = h('ul', { class: 'searches' });
  const draw = (names) => rows.replaceChildren(...names.map((one) => h('li', { class: 'row' }, h('bdi', {}, one), one === user ? h('span', { class: 'quiet small' }, t('runs_server')) : [
    press(t('new_link'), () => attempt(async () => show(one, (await post(`users/${part(one)}/token`, {})).token)), { class: 'plain', 'aria-label': t('new_link_for', { name: one }) }),
    press(t('let_out'), () => attempt(async () => (await remove(`users/${part(one)}`), say(t('is_let_out', { name: one })), redraw())), { class: 'plain', 'aria-label': t('let_out_who', { name: one }) })])));
  draw(users);
  const enter = (event) => (event.preventDefault(), attempt(async () => {
    const made = await post('users', { name: name.value.trim().replace(/\s+/g, '.') });
    name.value = '';
    draw((await get('about')).users);
    show(made.name, made.token);
  }));
  return section(t('who_may_come'), { class: 'card stack' }, rows,
    h('form', { class: 'stack', onsubmit: enter }, field(t('name_of_user'), name), h('div', {}, h('button', {}, t('let_in')))), shown);
}

/** Draws the documents that two people read. */
function drawing({ user, users }, { attempt, go }) {
  const first = chooser('first-reader', users, user);
  const second = chooser('second-reader', users, users.find((name) => name !== user));
  const third = () => [user, ...users].find((name) => name !== first.value && name !== second.value) ?? user;
  const decider = chooser('decider', users, third());
  for (const reader of [first, second]) reader.onchange = () => (decider.value = third());
  const many = h('input', { id: 'many', type: 'number', min: 1, max: 20000, value: 50, required: true });
  const how = h('select', { id: 'how' }, [['', t('drawn_best')], ['random', t('drawn_sample')], ['all', t('drawn_all')]].map(([value, text]) => h('option', { value }, text)));
  how.onchange = () => (many.disabled = how.value === 'all');
  const draw = (event) => {
    event.preventDefault();
    attempt(async () => {
      const { pair } = await post(path('/pairs'), { readers: [first.value, second.value], decider: decider.value, ...(how.value === 'all' ? { all: true } : { count: Number(many.value), at_random: how.value === 'random' }) });
      go(`#/people/${part(pair)}`);
    });
  };
  return section(t('blind'), { class: 'card stack' },
    h('form', { class: 'stack', onsubmit: draw }, h('p', {}, t('blind_how')),
      h('div', { class: 'row' }, field(t('first_reader'), first), field(t('second_reader'), second), field(t('who_decides'), decider)),
      h('div', { class: 'row' }, field(t('how_many'), many), field(t('which_ones'), how)), h('div', {}, h('button', {}, t('draw_them')))));
}

const pairList = (pairs) => section(t('pairs'), {}, pairs.length === 0 ? quiet(t('none_yet')) : h('ul', { class: 'searches' }, pairs.map((one) => h('li', {},
  h('a', { href: `#/people/${part(one.pair)}` }, h('strong', { dir: 'auto' }, one.name), quiet(rich('pair_line', { readers: listed(one.readers), what: one.grows ? t('all_documents') : t('documents', { n: one.documents }), decider: one.decider })))))));

function agreementOf({ readers, agreement }) {
  const { documents, both_good: both, neither_good: neither, first_only: first, second_only: second, kappa, low, high } = agreement;
  return section(t('how_they_agree'), { class: 'card stack' },
    h('p', {}, rich('agreement', { n: documents, both, neither, first, second, one: readers[0], other: readers[1] })),
    h('p', {}, kappa === null ? t('kappa_says_nothing') : rich('kappa', { kappa: h('strong', {}, t('cohens_kappa', { kappa: fixed(kappa) })), low: fixed(low), high: fixed(high) })));
}

const saidOf = (pair) => (one, at) => h('li', {}, h('span', { class: 'quiet number small' }, count(at + 1)), h('div', {}, h('strong', { dir: 'auto' }, one.title || one.id || t('document', { number: one.document })),
  h('p', { class: 'quiet small two-lines', dir: 'auto' }, afterTitle(one)),
  quiet(pair.readers.map((name, reader) => [reader > 0 && ' · ', h('bdi', {}, `${name}: ${vote(one.ratings[reader])}${one.notes[reader] ? ` (${one.notes[reader]})` : ''}`)]), one.decision !== null && ` · ${t('decided', { rating: vote(one.decision) })}`)));

function onePair(pair, { user }, { attempt, go, redraw }) {
  const done = pair.agreement !== null;
  const { grows, closed } = pair;
  const end = () => attempt(async () => (await post(`pairs/${part(pair.pair)}/end`, {}), redraw()));
  const decide = () => attempt(async () => go(`#/${part((await post(`pairs/${part(pair.pair)}/decisions`, {})).session)}/read`));
  const take = () => attempt(async () => save(fileName(pair.name, 'compared', 'csv'), 'text/csv', (await get(`pairs/${part(pair.pair)}/export`)).text));
  const readers = listed(pair.readers);
  const leftOf = (name, at) => pair.left[at] === null ? rich('reads_too', { name }) : pair.left[at] ? rich('has_left', { name, left: pair.left[at], n: pair.documents }) : rich('is_done', { name });
  const left = grows ? rich(closed ? 'both_are_done' : 'both_read_all', { readers }) : pair.readers.map((name, at) => [at > 0 && ' ', leftOf(name, at)]);
  return [h('p', {}, left, ' ', grows ? !closed && t('unseen_one_by_one') : !done && t('unseen_until_done')),
    pair.session && !(grows ? closed : done) && h('p', {}, h('a', { href: `#/${part(pair.session)}/read` }, t('go_on_reading'))),
    done && agreementOf(pair),
    done && section(t('where_they_differ'), {}, pair.conflicts.length ? h('ol', { class: 'events' }, pair.conflicts.map(saidOf(pair))) : quiet(t('nowhere'))),
    done && h('div', { class: 'row' }, pair.conflicts.length > 0 && user === pair.decider && press(t('decide'), decide, { class: 'first' }), press('CSV', take)),
    !closed && user === pair.drawn_by && h('div', {}, press(t('end_reading'), end), quiet(t('end_reading_says')))];
}

/** How whoever runs the server lets others in: by a command, to be copied. */
function onlyYou() {
  const command = h('code', { dir: 'ltr' }, 'inkling serve --users FILE');
  return [h('p', {}, rich('only_you', { command })), h('div', { class: 'copy' }, copyButton(command))];
}

export async function makeScreen(context) {
  const about = await get('about');
  const { pair: asked } = context.place;
  const pair = asked && (await get(`pairs/${part(asked)}`));
  const isSearch = context.place.id && !search.facts.set;
  const alone = about.users.length < 2;
  const content = pair ? onePair(pair, about, context)
    : about.lets_in && (alone || !isSearch) ? [lettingIn(about, context), !alone && pairList((await get('pairs')).pairs)]
    : alone ? onlyYou()
      : [isSearch && sharing(about, context), isSearch && search.facts.owner === about.user && drawing(about, context), pairList((await get('pairs')).pairs)];
  return { title: t('screen_people'), content: h('div', { class: 'page stack' }, h('h1', { tabIndex: -1 }, pair ? h('bdi', {}, pair.name) : t('screen_people')), content) };
}
