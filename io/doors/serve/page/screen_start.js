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

const encodings = ['utf-8', 'windows-1252', 'windows-1250', 'windows-1251', 'windows-1253', 'windows-1254', 'windows-1255', 'windows-1256', 'windows-874', 'koi8-r', 'gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr', 'utf-16le', 'utf-16be'];

/** The first three titles of a text; of a table, its first lines that show how it is encoded. */
function titlesIn(text) {
  const lines = text.split(/[\r\n]+/);
  const titles = lines.map((line) => /^(?:(?:TI|T1|BT) {2}- |TI |%T |Subject: |\s*"?title"?\s*[=:]\s*[{"])(.+)/i.exec(line)?.[1]).filter(Boolean);
  return (titles.length ? titles : lines.filter((line) => /[^ -~\t]/.test(line))).slice(0, 3);
}

/** A choice of the encoding of a file, with its first titles as each choice would read them. `again` reads the file once more. */
function encodingChoice(again) {
  let file = null;
  const titles = h('ul', { class: 'quiet', 'aria-live': 'polite' });
  const repeat = press('Read the file again', () => file && again(file, choice.value), { hidden: true });
  const show = async () => {
    const text = file && choice.value !== 'auto' ? new TextDecoder(choice.value).decode(await file.slice(0, 65536).arrayBuffer()) : '';
    redraw(titles, () => titlesIn(text).map((title) => h('li', { dir: 'auto' }, title.slice(0, 200))));
    repeat.hidden = !text;
  };
  const choice = h('select', { id: 'encoding', onchange: show }, h('option', { value: 'auto' }, 'as it was detected'), encodings.map((name) => h('option', { value: name }, name)));
  const element = h('details', { hidden: true }, h('summary', {}, 'Letters look wrong?'), field('Encoding of the text', choice), titles, repeat);
  const of = (brought) => {
    file = brought;
    element.hidden = false;
    show();
  };
  return { element, of };
}

/** Where a file of records is dropped or chosen. `use` gets the pool that is made of it. */
function dropField(attempt, say, use) {
  const input = h('input', { id: 'records', type: 'file', class: 'small', onchange: () => take(input.files[0]) });
  const choice = encodingChoice((file, encoding) => take(file, encoding));
  const remarks = h('ul', { class: 'quiet' });
  const state = h('p', { class: 'hint', role: 'status' }, 'RIS, PubMed, EndNote, BibTeX, CSL-JSON, CSV, Excel, JSON lines, mail or plain text. It stays on this computer.');
  const take = (file, encoding = 'auto') => file && attempt(async () => {
    const before = state.textContent;
    choice.of(file);
    state.textContent = `Reading ${file.name} …`;
    input.disabled = true;
    try {
      const pool = await bringFile(`pools?name=${part(file.name)}&encoding=${part(encoding)}`, file);
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
  choice.element);
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
