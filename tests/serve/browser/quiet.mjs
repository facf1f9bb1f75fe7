// A page that is quiet and right: titles, tints, colours, reasons by one key, questions, a rule that is met, and the export.
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Server, axeViolations, finish, folder, launch, openPage, step } from './parts.mjs';

const source = new URL('../../../io/doors/serve/page/', import.meta.url);
globalThis.addEventListener ??= () => {};
globalThis.window ??= {};
const [{ lengthOfTitle, placesOfWords, runsByTitle, tintsOf }, { recommended, bound }, { fileName }] =
  await Promise.all(['tints.js', 'rule_form.js', 'export.js'].map((name) => import(new URL(name, source))));

await step('a title ends where it ends, whatever blanks either has', () => {
  const cases = [['In type 2 diabetes. A trial of', 'In type 2 diabetes.', 19], ['In  type\n2 x', 'In type 2', 10], ['Inner', 'In', 0], ['Other', 'In', 0],
    ['A b', 'A b', 3], [' A b\nC', 'A b', 4], ['Long title of all\nText', 'Long title…', 17], ['x', '', 0]];
  for (const [text, title, length] of cases) assert.equal(lengthOfTitle(text, title), length, text);
  const runs = [['in', null], [' ', null], ['diabetes', 3, [[9, 3]]], ['. A ', null], ['trial', 4]];
  assert.deepEqual(runsByTitle(runs, 'in diabetes.').runs.map(([piece]) => piece), ['in', ' ', 'diabetes', '.', ' A ', 'trial']);
  assert.deepEqual(runsByTitle(runs, 'in diabetes.').runs[2][2], []);
  assert.equal(runsByTitle(runs, 'in diabetes.').title, 4);
});

await step('of what was learned at most 12 places are tinted, the heaviest words, and none that says nothing; marks always', () => {
  const parts = Array.from({ length: 40 }, (_, feature) => ({ feature, weight: (feature % 2 ? -1 : 1) * (1 + feature / 10), common: feature % 4 === 3, marked: feature === 7 ? -1 : 0 }));
  const places = Array.from({ length: 400 }, (_, at) => [at % 40, at, at]);
  const looks = (mode, marks = new Map()) => tintsOf(places, { marks, parts, mode });
  const features = (list) => new Set(list.map(([, first]) => first % 40));
  assert.equal(looks('all').length, 12 + 10);
  assert.ok([...features(looks('all'))].every((feature) => feature === 7 || (!parts[feature].common && feature >= 30)));
  assert.deepEqual([...features(looks('marked'))], [7]);
  assert.deepEqual(looks('off'), []);
  assert.deepEqual([...features(looks('off', new Map([[3, 1]])))], [3]);
  assert.deepEqual(looks('all', new Map([[3, -0.5]])).find(([, first]) => first === 3)[0], 'marked-against');
});

await step('words are listed as each language lists them', async () => {
  for (const tag of ['en-GB', 'de', 'es']) {
    Object.defineProperty(globalThis, 'navigator', { value: { languages: [tag] }, configurable: true });
    const { listed } = await import(new URL(`language.js?${tag}`, source));
    for (const words of [[], ['bean'], ['dolor', 'yeso'], ['dolor', 'infarto'], ['dolor', 'Hijo'], ['dolor', 'hielo'], ['bean', 'rose', 'soil'], ['a', 'b', 'c', 'ion']])
      assert.equal(listed(words), new Intl.ListFormat(tag).format(words), tag);
  }
});

await step('words in colours are found whole, in any case, and with a star by their beginning', () => {
  assert.deepEqual(placesOfWords('Randomized, un-random (RANDOM) trial  of x+y', 'random*, trial of, x+y'), [[0, 10], [15, 21], [23, 29], [31, 40], [41, 44]]);
  assert.deepEqual(placesOfWords('any text', ' , '), []);
});

await step('a rule is scaled to its collection, and a bound that says nothing is not said', () => {
  assert.deepEqual([12, 271, 850, 2000, 100_000].map(recommended), [10, 136, 200, 200, 200]);
  globalThis.document = { createElement: () => ({ namespaceURI: '', setAttribute() {}, append(...texts) { this.text = texts.join(''); } }) };
  const said = (atMost, draws) => bound({ progress: { documents: 500, rated: 122, good_left: { at_most: atMost, about: 3, confidence: 0.95, draws } }, prices: [{ at_most: 300, draws: 20 }, { at_most: 100, draws: 70 }] }).map((one) => one.text).join(' ');
  assert.match(said(378, 0), /^Nothing is certain of the 378 unread documents: none was drawn.*at most 100 left: 70 more draws/);
  assert.doesNotMatch(said(378, 0), /378 are good|300/);
  assert.match(said(80, 70), /^Of the 378 unread documents at most 80 are good \(95 % sure\)/);
});

await step('a file is named after its review, in at most 40 letters', () => {
  assert.equal(fileName('Café: α/β, "x"?', 'included', 'csv'), 'Café-α-β-x-included.csv');
  for (const what of ['included', 'all']) assert.ok(fileName('long name '.repeat(20), what, 'jsonl').length <= 40);
  assert.equal(fileName('...', 'all', 'ris'), 'search-all.ris');
});

const subjects = [['soil and compost', 'The soil was dry and we turned the compost in 22 beds of the garden.'], ['ferries at the pier', 'At the pier the ferry was late with 40 cars and they were on it.']];
const records = Array.from({ length: 120 }, (_, n) => {
  const [of, text] = subjects[n % 3 ? 1 : 0];
  return { id: `r${n}`, title: `A study of ${of}, part ${n}.`, abstract: `A ${text} We saw it in day${n % 7}. ${n % 3 ? 'Ticket' : 'Bean'} number ${n} was in use.`, journal: 'Journal of Gardens', keywords: 'soil; ferry; late; pier; cars; beds; humans' };
});
const corpus = join(folder, 'quiet.jsonl');
writeFileSync(corpus, records.map((one) => JSON.stringify(one)).join('\n'));
for (const end of ['', '-wal', '-shm', '.json', '.files']) rmSync(join(folder, `quiet.db${end}`), { force: true, recursive: true });
rmSync(`${corpus}.pool`, { force: true, recursive: true });
const server = new Server();
await server.start(corpus, join(folder, 'quiet.db'));
const browser = await launch();
const context = await browser.newContext({ acceptDownloads: true });
const problems = [];
const page = await openPage(context, problems);
const session = () => new URL(page.url()).hash.split('/')[1];
const api = (path) => page.evaluate(async (path) => (await fetch(`/api/v1/sessions/${path}`)).json(), path);
const events = async (kind) => (await api(`${session()}/events?limit=10000`)).events.filter((event) => event.kind === kind);
const heading = () => page.textContent('#document');
async function next(work) {
  const before = await heading();
  await work();
  await page.waitForFunction((before) => document.querySelector('#document')?.textContent !== before, before);
}
const isGood = async () => /soil/i.test(await heading());
const rate = async () => next(async () => page.keyboard.press((await isGood()) ? 'y' : 'n'));
const tinted = () => page.evaluate(() => [...CSS.highlights].flatMap(([name, ranges]) => [...ranges].map((range) => [name, range.toString()])));
/** How often the title is to be seen, as the reader sees it. */
const titlesSeen = () => page.evaluate(() => {
  const title = document.querySelector('#document').textContent.trim();
  const seen = [...document.querySelectorAll('main *')].filter((one) => one.textContent.trim() === title && one.getClientRects().length && one.getBoundingClientRect().width > 1);
  return seen.filter((one) => !seen.some((other) => other !== one && other.contains(one))).length;
});

await page.goto(server.address);
await page.getByLabel('What are you looking for?').fill('Soil');
await page.getByText('Name, reasons, when to stop').click();
await page.getByLabel('Name').fill('A review with a name that is rather long for a file');
await page.getByLabel('Reasons to leave a document out').fill('population, wrong design');

await step('what is recommended for this collection is filled in', async () => {
  assert.ok(await page.getByRole('checkbox', { name: /documents that I read were not good/ }).isChecked());
  assert.equal(await page.getByRole('spinbutton', { name: /documents that I read were not good/ }).inputValue(), '60');
});
await page.getByRole('spinbutton', { name: /documents that I read were not good/ }).fill('6');
await page.getByRole('button', { name: 'Begin' }).click();
await page.locator('.text').waitFor();

await step('the title is there once at each arrival, with no word of the abstract, and the record says where it came out', async () => {
  const titles = new Map(records.map(({ id, title }) => [id, title]));
  for (const key of ['s', 's', 'u', 's']) {
    await page.getByRole('heading', { level: 1 }).focus();
    await next(() => page.keyboard.press(key));
    assert.equal(await titlesSeen(), 1);
    assert.equal((await heading()).trim(), titles.get(await page.locator('article > p').first().textContent()));
    assert.match(await page.locator('.text').evaluate((text) => [...text.childNodes].at(-1).textContent), /\.$/);
  }
  await page.reload();
  await page.locator('.text').waitFor();
  assert.equal(await titlesSeen(), 1);
  assert.match(await page.locator('.record').textContent(), /Journal of Gardens/);
});

await step('a click on a keyword that is a word of the document marks it', async () => {
  await page.locator('.record summary').click();
  await page.locator('.keywords button').first().click();
  assert.equal(await page.locator('.marked').count(), 1);
  assert.match(await page.locator('.marked').textContent(), /(soil|ferry) \(for\)/);
  await page.locator('.keywords button').first().click();
  await page.locator('.keywords button').first().click();
});

let reasonOf;
await step('No with a reason is one key or one click, undone with its answer, counted, and exported as Zotero shows it', async () => {
  for (let n = 0; n < 20 && (await isGood()); n++) await next(() => page.keyboard.press('s'));
  await next(() => page.keyboard.press('7'));
  const said = async () => (await events('rated')).filter(({ holds }) => holds).map(({ reward, tags }) => [reward, tags]);
  assert.deepEqual(await said(), [[0, ['wrong design']]]);
  await next(() => page.keyboard.press('u'));
  assert.deepEqual(await said(), []);
  await next(() => page.getByRole('group', { name: 'No, because' }).getByRole('button', { name: /population/ }).click());
  assert.deepEqual(await said(), [[0, ['population']]]);
  assert.deepEqual((await api(`${session()}/tags`)).tags, [{ tag: 'population', documents: 1 }]);
  // Another reason takes its place.
  const { document, id } = (await events('rated')).at(-1);
  await page.goto(`${page.url().replace(/#.*/, '')}#/${session()}/read/${document}`);
  await page.getByText('You said no').waitFor();
  for (const [key, reason] of [['7', 'wrong design'], ['6', 'population']]) {
    await page.goto(`${page.url().replace(/#.*/, '')}#/${session()}/read/${document}`);
    await page.getByText(id, { exact: true }).waitFor();
    await page.keyboard.press(key);
    await page.waitForFunction(() => location.hash.endsWith('/read'));
    assert.deepEqual((await events('rated')).at(-1).tags, [reason]);
  }
  reasonOf = id;
  const { text } = await api(`${session()}/export?format=ris&which=all`);
  assert.match(text, /\r\nN1  - Excluded: population\r\n/);
});

await step('a question comes beside the document, without keys, moves nothing, and not again for 20 answers', async () => {
  for (let n = 0; n < 30 && !(await isGood()); n++) await next(() => page.keyboard.press('s'));
  const top = () => page.locator('.text').evaluate(async (text) => {
    await Promise.allSettled(document.getAnimations().map((one) => one.finished));
    return text.getBoundingClientRect().top + scrollY;
  });
  const title = await heading();
  await rate();
  assert.match(await page.locator('aside .offer').textContent(), /Which of these made .* good/);
  assert.ok((await page.locator('.offer').textContent()).includes(title.trim()));
  assert.deepEqual(await page.locator('.offer label').evaluateAll((all) => all.map((one) => one.textContent.trim()).filter((word) => /^(the|was|and|we|in|it|of|\d+)$/.test(word))), []);
  const beside = await top();
  await page.locator('.offer').evaluate((offer) => (offer.style.display = 'none'));
  assert.equal(await top(), beside);
  await page.locator('.offer').evaluate((offer) => (offer.style.display = ''));
  await next(() => page.keyboard.press('5'));
  assert.equal((await events('rated')).at(-1).reward, 1);
  for (let n = 0; n < 5; n++) await next(() => page.keyboard.press('n'));
  assert.ok(await page.locator('.offer').isHidden(), 'asked twice');
});

await step('a rule that is met opens what is known and what may be done', async () => {
  await next(() => page.keyboard.press('n'));
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Your rule is met').waitFor();
  assert.match(await dialog.textContent(), /You have read 9 of 120.*The last 6 were not/);
  assert.deepEqual(await axeViolations(page), []);
  await dialog.getByRole('button', { name: 'Check a random sample of 50' }).click();
  await page.waitForFunction(() => !document.querySelector('dialog'));
  assert.equal((await events('sampled')).at(-1).count, 50);
});

await step('function words and numbers are neither tinted nor named, at most 12 learned words are tinted, and a key turns it off', async () => {
  await page.evaluate((at) => fetch(`/api/v1/sessions/${at}/aim`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"request":"no rule","rule":null}' }), session());
  await page.reload();
  await page.locator('.text').waitFor();
  for (let n = 0; n < 25; n++) await rate();
  const plain = /(^|\s)(the|was|and|we|in|it|at|of|with|on|were|they|a|\d+)(\s|$)/i;
  for (let n = 0; n < 3; n++, await rate()) {
    const learned = (await tinted()).filter(([name]) => /^(for|against)/.test(name));
    assert.ok(learned.length <= 12 && learned.length > 0, String(learned.length));
    assert.deepEqual(learned.filter(([, text]) => plain.test(text)), []);
    assert.deepEqual((await page.locator('.words-here label bdi').allTextContents()).filter((word) => plain.test(word)), []);
  }
  await page.keyboard.press('t');
  const marked = (await tinted()).length;
  await page.keyboard.press('t');
  assert.deepEqual(await tinted(), []);
  await page.keyboard.press('t');
  assert.ok((await tinted()).length > marked);
});

await step('words in five colours teach nothing, and stay', async () => {
  const before = await api(`${session()}/words?limit=1000`);
  const shown = await heading();
  await page.getByRole('button', { name: 'Words in colours' }).click();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByLabel('Colour 1').fill('part, num*');
  await page.getByLabel('Colour 5').fill('the');
  await page.getByRole('button', { name: 'Keep' }).click();
  await page.waitForFunction(() => CSS.highlights.get('colour-1')?.size);
  await page.reload();
  await page.locator('.text').waitFor();
  const seen = async (colour) => (await tinted()).filter(([name]) => name === colour).map(([, text]) => text);
  assert.deepEqual([...new Set(await seen('colour-1'))], ['part', 'number']);
  assert.ok((await seen('colour-5')).length);
  assert.equal(await heading(), shown);
  assert.deepEqual(await api(`${session()}/words?limit=1000`), before);
  assert.deepEqual((await api(session())).coloured, ['part, num*', '', '', '', 'the']);
});

await step('from every screen two clicks export all records with their decisions', async () => {
  for (const screen of ['Read', 'Words', 'History', 'Progress']) {
    await page.getByRole('navigation').getByRole('link', { name: screen, exact: true }).click();
    await page.getByRole('navigation').getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()]);
    assert.match(download.suggestedFilename(), /^A-review-with-a-name.*-all\.xlsx$/);
    assert.ok(download.suggestedFilename().length <= 40);
    await page.waitForFunction(() => !document.querySelector('dialog'));
  }
  await page.getByRole('button', { name: 'Export' }).click();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByLabel('Format').selectOption('csv');
  await page.getByLabel('Columns').selectOption('decision');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()]);
  const lines = readFileSync(await download.path(), 'utf8').trim().split('\r\n');
  assert.equal(lines[0], 'id,title,journal,rating,included,tags,note');
  assert.equal(lines.length - 1, records.length);
  assert.match(lines.find((line) => line.startsWith(`${reasonOf},`)), /,0,0,population,/);
});

await step('no error in the page', async () => assert.deepEqual(problems, []));

await browser.close();
await server.kill();
finish();
