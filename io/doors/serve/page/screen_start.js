// Start: the searches that were begun, and a new one.
import { bringFiles, get, importLog, ownWaiting, part, post } from './api.js';
import { collectionTasks } from './collections.js';
import { field, foreign, h, press, quiet, redraw, rich, section } from './dom.js';
import { hasText, listed, t, weekday, when } from './language.js';
import { reasonsField, ruleForm } from './rule_form.js';
import { people } from './settings.js';
import { WordsField, askWords, wordChip } from './words_field.js';

/** A search of two people who do not see each other has the name of the one that it was drawn from. */
const apart = (pairs, { session }) => pairs.some((pair) => pair.decisions === session) ? ` · ${t('where_two_differ')}` : pairs.some((pair) => pair.session === session) ? ` · ${t('apart')}` : '';

function waitingOf({ session }) {
  const waiting = ownWaiting().filter((write) => write.session === session).length;
  return waiting > 0 && quiet(t('not_sent_open', { n: waiting }));
}

function searchList(sessions, pairs, user, titles) {
  if (!sessions.length) return h('p', { class: 'quiet' }, t('no_searches'));
  return h('ul', { class: 'searches' }, sessions.map((one) => {
    const facts = [h('strong', { dir: 'auto' }, one.name), quiet(one.pool === null ? t('pool_not_served') : h('bdi', {}, titles.get(one.pool) ?? one.pool), ' · ', one.owner === user ? t('begun', { when: when(one.created_ms) }) : rich('begun_by', { when: when(one.created_ms), owner: one.owner }), apart(pairs, one)), waitingOf(one)];
    return h('li', {}, one.pool === null ? facts : h('a', { href: `#/${part(one.session)}/read` }, facts));
  }));
}

const goOnCard = (href, what, state) => h('a', { class: 'card go-on', href }, h('strong', {}, what), quiet(state));

/** The search that was used last and is not at its end; how far it is comes when the server has loaded it. */
function goOn(sessions, pairs) {
  const lasts = sessions.filter(({ pool }) => pool !== null).sort((one, other) => other.last_ms - one.last_ms);
  if (!lasts.length) return null;
  const ofPairs = new Set(pairs.flatMap(({ session, decisions }) => [session, decisions])); // these have an end
  const place = h('div');
  const look = async (at) => {
    if (at === lasts.length) return place.remove();
    const { session, name, last_ms: ms } = lasts[at];
    const show = (state) => place.replaceChildren(goOnCard(`#/${part(session)}/read`, rich('go_on_with', { name }), state));
    if (!ofPairs.has(session)) show(t('last_on', { day: weekday(ms) }));
    const facts = await get(`sessions/${part(session)}`).catch(() => null);
    if (facts?.set && (facts.set.closed || facts.set.left === 0)) return look(at + 1);
    if (!facts) return show(t('last_on', { day: weekday(ms) })); // better than no way back
    show(t('how_far', { rated: facts.progress.rated, good: facts.progress.good, day: weekday(ms) }) + (facts.progress.rule_reached ? ` · ${t('rule_is_met')}` : ''));
  };
  look(0);
  return place;
}

/** Where two are done and differ, and this reader decides. */
function toDecide(pairs, user) {
  const place = h('div');
  for (const { pair, name, readers, decider } of pairs)
    if (decider === user) get(`pairs/${part(pair)}`).then(({ agreement, conflicts }) => {
      const open = agreement ? conflicts.filter(({ decision }) => decision === null).length : 0;
      if (open) place.append(goOnCard(`#/people/${part(pair)}`, rich('to_decide', { name }), t('they_differ_on', { readers: listed(readers), n: open })));
    }, () => {});
  return place;
}

const pauseOfTyping = 350; // milliseconds, after which the pool is asked for the words of a sentence

/** The words of a sentence to begin with: a press takes one into the field. Those of no document stay grey. */
function proposals(question, seeds, pool) {
  const list = h('ul', { class: 'chips' });
  const element = h('div', { hidden: true }, h('p', { class: 'hint', id: 'proposed' }, t('proposed')), list);
  let found = [];
  let confidence = 1;
  const take = (word) => () => (seeds.add(word), seeds.input.focus());
  const draw = () => {
    const taken = new Set(seeds.entries.map(({ feature }) => feature));
    const left = found.filter(({ feature }) => feature === undefined || !taken.has(feature));
    redraw(list, () => (element.hidden = !left.some(({ feature }) => feature !== undefined), left.map((word) => {
      const chip = wordChip(word, word.feature !== undefined && press('+', take(word), { 'aria-label': t('look_for', { word: word.word }) }));
      if (word.feature !== undefined) Object.assign(chip, { onclick: (event) => event.target.closest('button') || take(word)() }).classList.add('whole');
      return chip;
    })));
  };
  let waiting = 0;
  const ask = async () => {
    const text = question.value;
    const answer = text.trim() ? await askWords(pool(), text.slice(0, 1000)).catch(() => null) : { words: [], proposed: [] };
    if (!answer || text !== question.value) return; // the reader types on
    found = answer.proposed.map((place) => answer.words[place]);
    confidence = answer.confidence;
    draw();
  };
  question.addEventListener('input', () => (clearTimeout(waiting), (waiting = setTimeout(ask, pauseOfTyping))));
  question.addEventListener('change', ask);
  /** Words of the question count as lightly as the pool says: ratings soon tell more. */
  const weigh = (words) => words.map((one) => found.some(({ feature, wanted }) => feature === one.word && wanted && one.rate > 0) ? { ...one, confidence } : one);
  return { element, draw, ask, weigh };
}

/** A search has a name to be found again by. */
const nameOf = (question, words, pool) => (question || words.map(({ wanted, word }) => wanted ? word : t('not_word', { word })).join(', ') || pool).slice(0, 80);

const choiceOf = (one) =>
  h('option', { value: one.pool }, t(one.has_text ? 'pool_choice' : 'pool_choice_textless', { pool: one.title, n: one.documents }));

const encodings = ['utf-8', 'windows-1252', 'windows-1250', 'windows-1251', 'windows-1253', 'windows-1254', 'windows-1255', 'windows-1256', 'windows-874', 'koi8-r', 'gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr', 'utf-16le', 'utf-16be'];

/** The first three titles of a text; of a table, its first lines that show how it is encoded. */
function titlesIn(text) {
  const lines = text.split(/[\r\n]+/);
  const titles = lines.map((line) => /^(?:(?:TI|T1|BT) {2}- |TI |%T |Subject: |\s*"?title"?\s*[=:]\s*[{"])(.+)/i.exec(line)?.[1]).filter(Boolean);
  return (titles.length ? titles : lines.filter((line) => /[^ -~\t]/.test(line))).slice(0, 3);
}

/** A choice of the encoding of a file, with its first titles as each choice would read them. `again` reads the file once more. */
function encodingChoice(again) {
  let files = null;
  const titles = h('ul', { class: 'quiet', 'aria-live': 'polite' });
  const repeat = press(t('read_it_again'), () => files && again(files, choice.value), { hidden: true });
  const show = async () => {
    const text = files && choice.value !== 'auto' ? new TextDecoder(choice.value).decode(await files[0].slice(0, 65536).arrayBuffer()) : '';
    redraw(titles, () => titlesIn(text).map((title) => h('li', { dir: 'auto' }, title.slice(0, 200))));
    repeat.hidden = !text;
  };
  const choice = h('select', { id: 'encoding', onchange: show }, h('option', { value: 'auto' }, t('as_detected')), encodings.map((name) => h('option', { value: name }, name)));
  const element = h('details', { hidden: true }, h('summary', {}, t('letters_wrong')), field(t('encoding'), choice), titles, repeat);
  const of = (brought) => {
    files = brought;
    element.hidden = false;
    show();
  };
  return { element, of };
}

/** Where files of records are dropped or chosen. `use` gets the one pool that is made of them. */
function dropField(attempt, say, use) {
  const input = h('input', { id: 'records', type: 'file', multiple: true, class: 'small', onchange: () => take([...input.files]) });
  const choice = encodingChoice((files, encoding) => take(files, encoding));
  const remarks = h('ul', { class: 'quiet' });
  const state = h('p', { class: 'hint', role: 'status' }, t('formats_taken'), ' ', t(people.several ? 'stays_yours' : 'stays_here'));
  const trouble = h('div', { role: 'alert' });
  const take = (files, encoding = 'auto', textField = '') => files.length > 0 && attempt(async () => {
    const names = files.length > 3 ? t('many_files', { n: files.length }) : files.map(({ name }) => name).join(', ');
    const { problemOfFile, remarkLines } = await import('./file_problem.js');
    const before = state.textContent;
    choice.of(files);
    trouble.replaceChildren();
    state.textContent = t('reading_files', { names });
    input.disabled = true;
    try {
      const pool = await bringFiles(files, { encoding, text_field: textField });
      redraw(remarks, () => remarkLines(pool));
      state.textContent = t('files_read', { names, n: pool.documents });
      say(state.textContent);
      use(pool);
    } catch (problem) {
      state.textContent = before;
      if (problem.status !== 422) throw problem;
      const { text, columns } = problemOfFile(problem.message, names);
      trouble.replaceChildren(h('p', { class: 'against' }, text), h('div', { class: 'row' }, columns.slice(0, 20).map((column) => press(column, () => take(files, encoding, column), { class: 'small' }))));
    } finally {
      input.disabled = false;
      input.value = '';
    }
  });
  const stop = (event) => event.preventDefault();
  const mark = (on) => (event) => (stop(event), zone.classList.toggle('over', on));
  const zone = h('div', {
    class: 'drop stack', ondragenter: mark(true), ondragover: mark(true), ondragleave: mark(false),
    ondrop: (event) => (mark(false)(event), take([...event.dataTransfer.files])),
  }, h('label', { for: 'records' }, h('span', {}, t('bring')), h('small', {}, t('bring_hint'))), input, state, trouble, remarks,
  choice.element);
  return zone;
}

function sourceList(sources) {
  const some = (name, number) => number > 0 && t(name, { n: number });
  return h('ul', { class: 'quiet small' }, sources.map((one) => h('li', {}, h('bdi', {}, one.source.split('/').pop() || t('other_files')), ': ', [
    t('records', { n: one.documents }), some('copies_within', one.copies_within), some('copies_across', one.copies_across), some('known_already', one.known),
    some('left_out', one.left_out), some('without_abstract', one.without_abstract), some('with_labels', one.labelled)].filter(Boolean).join(', '),
  one.why && h('div', {}, foreign(one.why)))));
}

/** Offers the ratings that the records hold, as ASReview, Rayyan and Covidence write them. */
function ratingsField({ field: name, good, bad, disputed }) {
  const box = h('input', { type: 'checkbox', id: 'rated-by', value: name });
  return h('div', {}, h('label', { class: 'choice' }, box, h('span', {}, rich('begin_with_decisions', { n: good + bad, name, good, bad }))),
    disputed > 0 && quiet(t('disputed', { n: disputed })));
}

export async function makeScreen({ go, attempt, say }) {
  const [{ pools }, { sessions }, about] = await Promise.all([get('pools'), get('sessions'), get('about')]);
  const { pairs } = about.users.length > 1 ? await get('pairs') : { pairs: [] };
  const last = goOn(sessions, pairs);
  const pool = h('select', { id: 'pool', onchange: () => (askAgain(), stop.forDocuments(documentsOf(pool.value))) }, pools.map(choiceOf));
  const place = h('div', {});
  const facts = h('div', { class: 'stack' });
  const showPools = () => place.replaceChildren(
    pool.length > 1 ? field(t('search_in'), pool) : h('p', { class: 'quiet', dir: 'auto' }, pool.options[0]?.text ?? t('bring_first')), facts);
  const showFacts = async () => {
    const of = pool.value;
    facts.replaceChildren();
    const one = of && (await get(`pools/${part(of)}`).catch(() => null));
    if (!one || of !== pool.value) return;
    const saysMore = ({ source, format, documents, ...numbers }) => Object.values(numbers).some((number) => number > 0);
    facts.replaceChildren(...[(one.sources.length > 1 || one.sources.some(saysMore)) && sourceList(one.sources), one.ratings && ratingsField(one.ratings), one.brought && collectionTasks(one, { attempt, say, changed: changeTo(of) })].filter(Boolean));
  };
  /** Another name of a pool is in all places at once; one that is removed is no choice any more. */
  const changeTo = (name) => (made) => {
    const at = pools.findIndex((one) => one.pool === name);
    pools.splice(at, 1, ...(made ? [made] : []));
    pool.replaceChildren(...pools.map(choiceOf));
    if (made) pool.value = name;
    else stop.forDocuments(documentsOf(pool.value));
    showPools();
    askAgain();
  };
  const documentsOf = (name) => pools.find((one) => one.pool === name)?.documents ?? 0;
  const use = (made) => {
    pools.push(made);
    pool.append(choiceOf(made));
    pool.value = made.pool;
    stop.forDocuments(made.documents);
    askAgain();
    showPools();
  };
  showPools();
  const name = h('input', { id: 'name', maxLength: 200, autocomplete: 'off' });
  const question = h('textarea', { id: 'question', maxLength: 2000, rows: 2, dir: 'auto' });
  const seeds = new WordsField({
    label: t('words_to_begin'),
    hint: t('words_to_begin_hint'),
    pool: () => pool.value,
    changed: () => offered?.draw(),
  });
  const offered = proposals(question, seeds, () => pool.value);
  const askAgain = () => (seeds.askAgain(), offered.ask(), showFacts());
  const stop = ruleForm(undefined, documentsOf(pool.value));
  const reasons = reasonsField([]);
  const policy = h('select', { id: 'policy', 'aria-describedby': 'summary', onchange: () => explain() },
    about.policies.map((one) => h('option', { value: one.name, selected: one.name === about.default_policy }, one.name)));
  const summary = h('p', { class: 'hint', id: 'summary' });
  const explain = () => (summary.textContent = hasText(`policy_${policy.value}`) ? t(`policy_${policy.value}`) : about.policies.find((one) => one.name === policy.value)?.summary ?? '');
  explain();
  const read = ({ session }) => go(`#/${part(session)}/read`);

  async function begin(event) {
    event.preventDefault();
    if (!(await seeds.take())) return seeds.input.focus();
    const rule = stop.rule();
    const ratings = facts.querySelector('#rated-by:checked');
    await attempt(async () => read(await post('sessions', {
      name: name.value.trim() || nameOf(question.value.trim(), seeds.entries.filter(({ word }) => word), pool.value), pool: pool.value, policy: policy.value, question: question.value.trim(),
      words: offered.weigh(seeds.words), ...(rule && { rule }), ...(reasons.chosen().length && { reasons: reasons.chosen() }), ...(ratings && { rated_by: ratings.value }),
    })));
  }

  const bring = ({ target: { files: [file] } }) => file && attempt(async () =>
    read(await importLog(`sessions/import?name=${part(file.name.slice(0, 200))}&pool=${part(pool.value)}`, await file.text())));

  showFacts();
  return {
    title: t('start'),
    content: h('div', { class: 'start' },
      h('header', {}, h('h1', { tabIndex: -1 }, t('start_title')),
        !last && h('p', {}, t('start_lead'))),
      h('div', { class: 'ongoing stack' }, last, toDecide(pairs, about.user)),
      section(t('my_searches'), {}, searchList(sessions, pairs, about.user, new Map(pools.map(({ pool: name, title }) => [name, title]))),
        field(t('bring_log'), h('input', { id: 'import', type: 'file', accept: '.jsonl,.ndjson', class: 'small', onchange: bring }), t('bring_log_hint'))),
      h('form', { onsubmit: begin }, section(t('new_search'), { class: 'card stack' },
        about.takes_records && dropField(attempt, say, use),
        place,
        field(t('question'), question, t('question_hint')),
        offered.element,
        seeds.element,
        h('details', {}, h('summary', {}, t('more_settings')),
          h('div', { class: 'stack' }, field(t('name'), name, t('name_hint')), reasons.element, stop.element, field(t('policy'), policy), summary)),
        h('div', {}, h('button', { class: 'first' }, t('begin')))))),
  };
}
