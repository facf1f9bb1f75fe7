// Start: the searches that were begun, and a new one.
import { bringFiles, get, importLog, ownWaiting, part, post } from './api.js';
import { count, counted, field, h, press, quiet, redraw, section, when } from './dom.js';
import { ruleForm } from './rule_form.js';
import { WordsField, askWords, wordChip } from './words_field.js';

/** A search of two people who do not see each other has the name of the one that it was drawn from. */
const apart = (pairs, { session }) => pairs.some((pair) => pair.decisions === session) ? ' · where two differ' : pairs.some((pair) => pair.session === session) ? ' · apart from another reader' : '';

/** What could not be sent yet. */
function waitingOf({ session }) {
  const waiting = ownWaiting().filter((write) => write.session === session).length;
  return waiting > 0 && quiet(`${counted(waiting, 'answer')} not sent yet: open it to send again.`);
}

function searchList(sessions, pairs, user) {
  if (!sessions.length) return h('p', { class: 'quiet' }, 'None yet. Whatever you begin is kept here, and you can continue after days.');
  return h('ul', { class: 'searches' }, sessions.map((one) => {
    const facts = [h('strong', { dir: 'auto' }, one.name), quiet(`${one.pool ?? 'Its pool is not served here'} · begun ${when(one.created_ms)}${one.owner === user ? '' : ` by ${one.owner}`}${apart(pairs, one)}`), waitingOf(one)];
    return h('li', {}, one.pool === null ? facts : h('a', { href: `#/${part(one.session)}/read` }, facts));
  }));
}

const pauseOfTyping = 350; // milliseconds, after which the pool is asked for the words of a sentence

/** The words of a sentence to begin with: a press takes one into the field. Those of no document stay grey. */
function proposals(question, seeds, pool) {
  const list = h('ul', { class: 'chips' });
  const element = h('div', { hidden: true }, h('p', { class: 'hint', id: 'proposed' }, 'Words of this, the most telling first. Take those that the documents you want would hold:'), list);
  let found = [];
  const take = (word) => () => (seeds.add(word), seeds.input.focus());
  const draw = () => {
    const taken = new Set(seeds.entries.map(({ feature }) => feature));
    const left = found.filter(({ feature }) => feature === undefined || !taken.has(feature));
    element.hidden = !left.some(({ feature }) => feature !== undefined);
    redraw(list, () => left.map((word) => wordChip(word, word.feature !== undefined && press('+', take(word), { 'aria-label': `Look for ${word.word}` }))));
  };
  let waiting = 0;
  const ask = async () => {
    const text = question.value;
    const answer = text.trim() ? await askWords(pool(), text.slice(0, 1000)).catch(() => null) : { words: [], proposed: [] };
    if (!answer || text !== question.value) return; // the reader types on
    found = answer.proposed.map((place) => answer.words[place]);
    draw();
  };
  question.addEventListener('input', () => (clearTimeout(waiting), (waiting = setTimeout(ask, pauseOfTyping))));
  question.addEventListener('change', ask);
  return { element, draw, ask };
}

/** A search has a name to be found again by. */
const nameOf = (question, words, pool) => (question || words.map(({ wanted, word }) => `${wanted ? '' : 'not '}${word}`).join(', ') || pool).slice(0, 80);

const choiceOf = (one) =>
  h('option', { value: one.pool }, `${one.pool}: ${counted(one.documents, 'document')}${one.has_text ? '' : ', without texts'}`);

/** Where files of records are dropped or chosen. `use` gets the one pool that is made of them. */
function dropField(attempt, say, use) {
  const input = h('input', { id: 'records', type: 'file', multiple: true, class: 'small', onchange: () => take([...input.files]) });
  const state = h('p', { class: 'hint', role: 'status' }, 'RIS, PubMed, BibTeX, CSV, Excel, JSON lines, mail or plain text. It stays on this computer.');
  const take = (files) => files.length > 0 && attempt(async () => {
    const before = state.textContent;
    const names = files.length > 3 ? counted(files.length, 'file') : files.map(({ name }) => name).join(', ');
    state.textContent = `Reading ${names} …`;
    input.disabled = true;
    try {
      const pool = await bringFiles(files);
      state.textContent = `${names}: ${counted(pool.documents, 'document')}.`;
      say(state.textContent);
      use(pool);
    } catch (problem) {
      state.textContent = before;
      throw problem;
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
  }, h('label', { for: 'records' }, h('span', {}, 'Bring your records'), h('small', {}, 'Drop one or several files here, or choose them: several become one collection.')), input, state);
  return zone;
}

/** What became of the records of each file. */
function sourceList(sources) {
  const some = (number, words) => number > 0 && `${count(number)} ${words}`;
  return h('ul', { class: 'quiet small' }, sources.map((one) => h('li', {}, h('bdi', {}, one.source.split('/').pop() || 'Other files'), ': ', [
    counted(one.documents, 'record'), some(one.copies_within, one.copies_within === 1 ? 'copy within it' : 'copies within it'), some(one.copies_across, one.copies_across === 1 ? 'copy of another file' : 'copies of other files'), some(one.known, 'known already'),
    some(one.left_out, 'left out'), some(one.without_abstract, 'without abstract'), some(one.labelled, 'with labels')].filter(Boolean).join(', '))));
}

/** Offers the ratings that the records hold, as ASReview, Rayyan and Covidence write them. */
function ratingsField({ field: name, good, bad, disputed }) {
  const box = h('input', { type: 'checkbox', id: 'rated-by', value: name });
  return h('div', {}, h('label', { class: 'choice' }, box, h('span', {}, `Begin with the ${counted(good + bad, 'decision')} in “${name}”: ${count(good)} included, ${count(bad)} not`)),
    disputed > 0 && quiet(`${counted(disputed, 'record has', 'records have')} copies with different decisions: included counts.`));
}

export async function startScreen({ go, attempt, say }) {
  const [{ pools }, { sessions }, about] = await Promise.all([get('pools'), get('sessions'), get('about')]);
  const { pairs } = about.users.length > 1 ? await get('pairs') : { pairs: [] };
  const pool = h('select', { id: 'pool', onchange: () => askAgain() }, pools.map(choiceOf));
  const place = h('div', {});
  const facts = h('div', { class: 'stack' });
  const showPools = () => place.replaceChildren(
    pool.length > 1 ? field('Search in', pool) : h('p', { class: 'quiet' }, pool.options[0]?.text ?? 'Bring a file first.'), facts);
  const showFacts = async () => {
    const of = pool.value;
    facts.replaceChildren();
    const one = of && (await get(`pools/${part(of)}`).catch(() => null));
    if (!one || of !== pool.value) return;
    const saysMore = ({ source, format, documents, ...numbers }) => Object.values(numbers).some((number) => number > 0);
    facts.replaceChildren(...[(one.sources.length > 1 || one.sources.some(saysMore)) && sourceList(one.sources), one.ratings && ratingsField(one.ratings)].filter(Boolean));
  };
  const use = (made) => {
    pool.append(choiceOf(made));
    pool.value = made.pool;
    askAgain();
    showPools();
  };
  showPools();
  const name = h('input', { id: 'name', maxLength: 200, autocomplete: 'off' });
  const question = h('textarea', { id: 'question', maxLength: 2000, rows: 2, dir: 'auto' });
  const seeds = new WordsField({
    label: 'Words to begin with',
    hint: 'Five words find rare documents in half the time. Type or paste them: gold mine, "gold rush", -price. Put a minus before one that you do not want.',
    pool: () => pool.value,
    changed: () => offered?.draw(),
  });
  const offered = proposals(question, seeds, () => pool.value);
  const askAgain = () => (seeds.askAgain(), offered.ask(), showFacts());
  const stop = ruleForm(null);
  const policy = h('select', { id: 'policy', 'aria-describedby': 'summary', onchange: () => explain() },
    about.policies.map((one) => h('option', { value: one.name, selected: one.name === about.default_policy }, one.name)));
  const summary = h('p', { class: 'hint', id: 'summary' });
  const explain = () => (summary.textContent = about.policies.find((one) => one.name === policy.value)?.summary ?? '');
  explain();
  const read = ({ session }) => go(`#/${part(session)}/read`);

  async function begin(event) {
    event.preventDefault();
    if (!(await seeds.take())) return seeds.input.focus();
    const rule = stop.rule();
    const ratings = facts.querySelector('#rated-by:checked');
    await attempt(async () => read(await post('sessions', {
      name: name.value.trim() || nameOf(question.value.trim(), seeds.entries.filter(({ word }) => word), pool.value), pool: pool.value, policy: policy.value, question: question.value.trim(),
      words: seeds.words, ...(rule && { rule }), ...(ratings && { rated_by: ratings.value }),
    })));
  }

  const bring = ({ target: { files: [file] } }) => file && attempt(async () =>
    read(await importLog(`sessions/import?name=${part(file.name.slice(0, 200))}&pool=${part(pool.value)}`, await file.text())));

  showFacts();
  return {
    title: 'Start',
    content: h('div', { class: 'start' },
      h('header', {}, h('h1', { tabIndex: -1 }, 'Find what you want by reading'),
        h('p', {}, 'Read one document at a time, say yes or no, and mark the words that made it so. Inkling learns from both, and shows you next what you most likely want.')),
      h('form', { onsubmit: begin }, section('New search', { class: 'card stack' },
        about.takes_records && dropField(attempt, say, use),
        place,
        field('What are you looking for?', question, 'In your own words: it stays in view while you read.'),
        offered.element,
        seeds.element,
        h('details', {}, h('summary', {}, 'Name, when to stop, and how to search'),
          h('div', { class: 'stack' }, field('Name', name, 'Without one it is called as you say above.'), stop.element, field('Policy', policy), summary)),
        h('div', {}, h('button', { class: 'first' }, 'Begin')))),
      section('My searches', {}, searchList(sessions, pairs, about.user),
        field('Bring in a log', h('input', { id: 'import', type: 'file', accept: '.jsonl,.ndjson', class: 'small', onchange: bring }), 'A log of ratings becomes a search of its own.'))),
  };
}
