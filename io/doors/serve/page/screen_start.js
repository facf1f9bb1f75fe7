// Start: the searches that were begun, and a new one.
import { bringFile, get, importLog, ownWaiting, part, post } from './api.js';
import { counted, field, h, press, quiet, redraw, section, when } from './dom.js';
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

const encodings = ['utf-8', 'windows-1252', 'windows-1250', 'windows-1251', 'windows-1253', 'windows-1254', 'windows-1255', 'windows-1256', 'windows-874', 'koi8-r', 'gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr', 'utf-16le'];

/** Where a file of records is dropped or chosen. `use` gets the pool that is made of it. */
function dropField(attempt, say, use) {
  const input = h('input', { id: 'records', type: 'file', class: 'small', onchange: () => take(input.files[0]) });
  const encoding = h('input', { id: 'encoding', class: 'small', list: 'encodings', placeholder: 'detected', spellcheck: 'false' });
  const remarks = h('ul', { class: 'quiet' });
  const state = h('p', { class: 'hint', role: 'status' }, 'RIS, PubMed, BibTeX, CSV, Excel, JSON lines, mail or plain text. It stays on this computer.');
  const take = (file) => file && attempt(async () => {
    const before = state.textContent;
    state.textContent = `Reading ${file.name} …`;
    input.disabled = true;
    try {
      const pool = await bringFile(`pools?name=${part(file.name)}&encoding=${part(encoding.value.trim() || 'auto')}`, file);
      redraw(remarks, () => pool.remarks.map((remark) => h('li', { dir: 'auto' }, remark)));
      state.textContent = `${file.name}: ${counted(pool.documents, 'document')}.`;
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
    ondrop: (event) => (mark(false)(event), take(event.dataTransfer.files[0])),
  }, h('label', { for: 'records' }, h('span', {}, 'Bring your records'), h('small', {}, 'Drop a file here, or choose one.')), input, state, remarks,
  h('details', {}, h('summary', {}, 'Letters look wrong?'), h('label', { for: 'encoding' }, 'Encoding of the text'), encoding, h('datalist', { id: 'encodings' }, encodings.map((name) => h('option', { value: name }))), quiet('Say another one and bring the file again.')));
  return zone;
}

export async function startScreen({ go, attempt, say }) {
  const [{ pools }, { sessions }, about] = await Promise.all([get('pools'), get('sessions'), get('about')]);
  const { pairs } = about.users.length > 1 ? await get('pairs') : { pairs: [] };
  const pool = h('select', { id: 'pool', onchange: () => askAgain() }, pools.map(choiceOf));
  const place = h('div', {});
  const showPools = () => place.replaceChildren(
    pool.length > 1 ? field('Search in', pool) : h('p', { class: 'quiet' }, pool.options[0]?.text ?? 'Bring a file first.'));
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
  const askAgain = () => (seeds.askAgain(), offered.ask());
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
    await attempt(async () => read(await post('sessions', {
      name: name.value.trim() || nameOf(question.value.trim(), seeds.entries.filter(({ word }) => word), pool.value), pool: pool.value, policy: policy.value, question: question.value.trim(),
      words: seeds.words, ...(rule && { rule }),
    })));
  }

  const bring = ({ target: { files: [file] } }) => file && attempt(async () =>
    read(await importLog(`sessions/import?name=${part(file.name.slice(0, 200))}&pool=${part(pool.value)}`, await file.text())));

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
