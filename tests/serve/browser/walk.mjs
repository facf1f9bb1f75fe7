// A whole search in a browser, as a person does it.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Server, axeViolations, finish, folder, hostile, launch, makePool, openPage, step } from './parts.mjs';

makePool();
for (const end of ['', '-wal', '-shm', '.json', '.files']) rmSync(join(folder, `searches.db${end}`), { force: true, recursive: true });
const server = new Server();
await server.start();
const browser = await launch();
const context = await browser.newContext({ acceptDownloads: true });
const problems = [];
const page = await openPage(context, problems);

const api = (path) => page.evaluate(async (path) => (await fetch('/api/v1/' + path)).json(), path);
const session = () => new URL(page.url()).hash.split('/')[1];
const events = async () => (await api(`sessions/${session()}/events?limit=10000`)).events;
const lastRated = async () => (await events()).findLast((event) => event.kind === 'rated');
const ratings = async () => (await events()).filter((event) => event.kind === 'rated' && event.holds).length;
const heading = () => page.textContent('#document');
const readText = () => page.textContent('.text');
/** Does something that shows another document, and waits for that document. */
async function next(work) {
  const before = await heading();
  await work();
  await page.waitForFunction((before) => document.querySelector('#document')?.textContent !== before, before);
}
const to = async (name) => {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  if (name !== 'Read') await page.getByRole('heading', { level: 1, name: new RegExp(`^${name}`) }).waitFor();
};
const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
const said = () => page.textContent('#status');
const isGood = async () => /soil|compost/i.test(await readText());

await step('the printed address opens the start, and its token leaves the address', async () => {
  await page.goto(server.address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  assert.ok(!page.url().includes('once'), page.url());
});

await step('a search begins with words that the pool suggests', async () => {
  await page.getByLabel('What are you looking for?').fill(`Soil and ${hostile}`);
  const words = page.getByRole('combobox', { name: 'Words to begin with' });
  await words.pressSequentially('soi');
  await page.getByRole('option').first().filter({ hasText: /^soi/ }).waitFor(); // matches more than the first letters
  await press('ArrowDown', 'Enter');
  await words.fill('zzzz, -ferry');
  await page.keyboard.press('Enter');
  await page.getByText('in no document').first().waitFor();
  assert.deepEqual(await page.locator('[aria-label="Words so far"] .chip').evaluateAll((chips) => chips.map((chip) => chip.firstChild.textContent)), ['soil', 'zzzz', 'not ferry']);
  await page.getByText('Name, reasons, when to stop').click();
  await page.getByLabel('Name').fill('Garden club');
  await page.getByRole('checkbox', { name: /I have read/ }).check();
  await page.getByRole('checkbox', { name: /were not good/ }).uncheck();
  await page.getByRole('spinbutton', { name: /I have read/ }).fill('40');
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.locator('.text').waitFor();
  assert.equal((await events()).filter((event) => event.kind === 'marked').length, 1);
});

await step('what is looked for stays in view, as text', async () => assert.ok((await page.textContent('.question')).includes(hostile.slice(0, 30))));

await step('words that are known are tinted, and listed with their pull', async () => {
  for (let n = 0; n < 30 && !/soil/i.test(await readText()); n++) await next(() => page.keyboard.press('s'));
  assert.match(await readText(), /soil/i);
  const tinted = await page.evaluate(() => [...CSS.highlights].filter(([name]) => name.startsWith('for')).reduce((sum, [, highlight]) => sum + highlight.size, 0));
  assert.ok(tinted > 0);
  assert.match(await page.locator('.words-here li', { hasText: 'soil' }).first().textContent(), /speaks for it/);
});

await step('ten ratings by buttons, keys and grades, with marks by click, selection, keys and check boxes', async () => {
  const word = (name) => page.locator('.text .word', { hasText: new RegExp(`^${name}$`, 'i') }).first();
  const some = () => page.locator('.text .word');
  const start = await ratings();
  const rateBy = async (key) => next(() => page.keyboard.press(key));

  if (await word('soil').count()) await word('soil').click();
  else await some().first().click();
  await some().nth(1).click({ modifiers: ['Shift'] });
  await rateBy('y');
  let marks = (await lastRated()).words.map((mark) => mark.rate ?? mark.confidence);
  assert.deepEqual(marks.sort(), [0.5, 1]);

  const name = (await some().nth(1).textContent()).toLowerCase();
  await some().nth(1).click();
  await some().nth(1).click(); // a second click marks it against
  await rateBy('x');
  let last = await lastRated();
  assert.deepEqual([last.reward, last.words.map((mark) => [mark.word, mark.rate])], [0, [[name, -1]]]);

  const box = await some().nth(0).boundingBox();
  const end = await some().nth(2).boundingBox();
  await page.mouse.move(box.x + 1, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(end.x + end.width - 1, end.y + end.height / 2, { steps: 4 });
  await page.mouse.up();
  await page.getByRole('group', { name: 'Mark what is selected' }).getByRole('button', { name: 'For' }).click();
  await page.getByText('Grades').click();
  await next(() => page.getByRole('button', { name: '4 of 5' }).click());
  last = await lastRated();
  assert.ok(last.words.length >= 1 && last.reward === 0.75, JSON.stringify(last));

  await press('w', 'ArrowRight', ' ');
  assert.match(await said(), /: for$/);
  await press('ArrowRight', '-', 'ArrowDown', 'ArrowUp', 'Escape');
  await rateBy('5');
  assert.deepEqual((await lastRated()).words.map((mark) => mark.rate ?? mark.confidence).sort(), [-1, 1]);

  await page.locator('.words-here input').nth(0).check();
  await page.locator('.words-here li').nth(0).getByRole('combobox').selectOption('maybe against');
  await page.keyboard.press('Escape');
  await next(() => page.getByRole('button', { name: 'No', exact: false }).first().click());
  assert.deepEqual((await lastRated()).words.map((mark) => [mark.rate, mark.confidence]), [[-1, 0.5]]);

  await page.getByRole('heading', { level: 1 }).focus();
  for (let n = 0; n < 5; n++) {
    const good = await isGood();
    if (good) await some().first().click();
    await page.getByRole('heading', { level: 1 }).focus();
    await rateBy(good ? 'y' : 'n');
  }
  assert.equal((await ratings()) - start, 10);
});

await step('the screen says to a screen reader what was done and what is next', async () => assert.match(await said(), /^(Yes|No)\. Next: /));

await step('why this one says how likely it is good, and has one list: a tick and a bar for each word, eight at first, no number', async () => {
  for (let n = 0; n < 40 && !(await page.locator('aside .pull').count()); n++) await next(() => page.keyboard.press('s'));
  await page.locator('aside .pull').first().hover();
  assert.match(await page.locator('aside .pull').first().getAttribute('title'), /adds [+−]\d\.\d\d ± \d\.\d\d/);
  assert.match(await page.locator('aside details p').first().textContent(), /^(It is likely good|It may be good|It is unlikely to be good|It has no word|It was drawn at random|It holds|$)/);
  assert.ok((await page.locator('.words-here li').count()) <= 8);
  const words = page.getByRole('button', { name: /^All \d+ words/ });
  if (await words.isVisible()) await words.click();
  assert.deepEqual((await page.locator('.words-here label > span:nth-of-type(1)').allTextContents()).filter((word) => /^\d+$/.test(word)), []);
  assert.ok(!/\d\.\d\d/.test(await page.locator('article').textContent()), 'no score stands over a document');
  assert.ok(await page.locator('aside .whisker').count());
  await page.keyboard.press('e');
  assert.equal(await page.locator('aside details').evaluate((one) => one.open), false);
  await page.keyboard.press('e');
  assert.equal(await page.locator('aside details').evaluate((one) => one.open), true);
});

await step('undo brings the document back with its marks, redo and Ctrl+Z as well', async () => {
  await page.getByRole('heading', { level: 1 }).focus();
  const before = await heading();
  await page.locator('.text .word').first().click();
  await next(() => page.keyboard.press('v'));
  const rated = await ratings();
  await next(() => page.keyboard.press('u'));
  assert.equal((await heading()).split(' · ')[0], before.split(' · ')[0]);
  assert.equal(await page.locator('.words-here input:checked').count(), 1);
  assert.equal(await ratings(), rated - 1);
  await next(() => page.keyboard.press('r'));
  assert.equal(await ratings(), rated);
  await next(() => page.keyboard.press('Control+z'));
  assert.equal(await ratings(), rated - 1);
  await next(() => page.keyboard.press('Control+y'));
});

await step('a note and tags go with the rating', async () => {
  await page.keyboard.press('m');
  await page.getByRole('textbox', { name: 'Note' }).fill('Ask Ida about x and v');
  await page.getByRole('textbox', { name: 'Tags' }).fill(' too old, animals,too old;');
  await page.getByRole('button', { name: 'Keep' }).click();
  await page.getByText('Note: Ask Ida').waitFor();
  await page.getByRole('heading', { level: 1 }).focus();
  await next(() => page.keyboard.press('2'));
  assert.deepEqual([(await lastRated()).note, (await lastRated()).reward, (await lastRated()).tags], ['Ask Ida about x and v', 0.25, ['too old', 'animals']]);
  await page.keyboard.press('m');
  await page.getByRole('button', { name: 'animals (1)' }).click();
  assert.equal(await page.getByRole('textbox', { name: 'Tags' }).inputValue(), 'animals');
  await page.keyboard.press('Escape');
});

await step('a reload shows the same document, with the words that were marked', async () => {
  const before = await heading();
  await page.locator('.text .word').nth(1).click();
  await page.reload();
  await page.locator('.text').waitFor();
  assert.equal(await heading(), before);
  assert.equal(await page.locator('.words-here input:checked').count(), 1);
  await page.locator('.words-here input:checked').click();
});

await step('words shows what was learned, takes a word back, and learns new ones', async () => {
  await to('Words');
  await page.getByRole('button', { name: 'Take back what you said of ferry' }).click();
  await page.getByRole('button', { name: 'Take back what you said of ferry' }).waitFor({ state: 'detached' });
  assert.equal((await events()).filter((event) => event.kind === 'forgot' && event.holds).length, 1);
  await page.getByRole('combobox').fill('compost');
  await page.keyboard.press('Enter');
  await page.locator('.chip').waitFor();
  await page.getByRole('button', { name: 'Learn these words' }).click();
  await page.locator('.chip').waitFor({ state: 'detached' });
  await page.getByRole('rowheader', { name: 'compost' }).waitFor();
  await page.getByLabel('Find documents with words').fill('uncommon');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('link', { name: /^odd/ }).waitFor();
});

await step('marks of HTML in a text, an id and a question are shown as they are', async () => {
  await page.getByRole('link', { name: /^odd/ }).click();
  await page.locator('.text').waitFor();
  await page.waitForFunction(() => document.querySelector('#document')?.textContent.startsWith('odd'));
  assert.ok((await readText()).includes('<img src=x onerror='));
  assert.equal(await page.locator('img').count(), 0);
  assert.match(await page.title(), /Inkling$/);
});

await step('a document that one opened can be rated, and the search goes on', async () => {
  await page.keyboard.press('n');
  await page.waitForFunction(() => document.querySelector('#document')?.textContent.startsWith('odd') === false);
  assert.match((await lastRated()).id, /^odd/);
});

await step('history can be filtered, changed and taken back', async () => {
  await to('History');
  const all = await page.locator('.events > li').count();
  await page.getByLabel('Show').selectOption('Good ones');
  assert.ok((await page.locator('.events > li').count()) < all);
  await page.getByLabel('Show').selectOption('Notes');
  assert.equal(await page.locator('.events > li').count(), 1);
  await page.getByLabel('Show').selectOption('All answers');
  await page.getByLabel('With this word').fill('odd');
  await page.locator('.events > li').getByRole('link').first().click(); // the newest event, because the document may also have been skipped before
  await page.getByText('You said no').waitFor();
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('3');
  await page.waitForFunction(() => document.querySelector('#document')?.textContent.startsWith('odd') === false);
  assert.equal((await lastRated()).reward, 0.5);
  const before = await ratings();
  await to('History');
  await page.getByRole('button', { name: 'Take back answer' }).first().click();
  await page.waitForFunction(() => document.querySelector('.events .undone'));
  assert.ok((await ratings()) === before - 1 || (await ratings()) === before);
  const held = (await events()).filter((event) => event.holds).length;
  await page.getByRole('button', { name: /^Undo to here: takes back 2 answers/ }).click();
  await page.waitForFunction(() => document.querySelectorAll('.events .undone').length >= 3);
  assert.equal((await events()).filter((event) => event.holds).length, held - 2);
});

await step('progress tells what was found, what is left, and when the rule is met', async () => {
  await to('Progress');
  const { progress } = await api(`sessions/${session()}/progress`);
  assert.deepEqual((await page.locator('.figures dd').allTextContents()).slice(0, 2), [String(progress.rated), String(progress.good)]);
  await page.getByText(progress.good_lately === 0 ? 'Since the last good one' : 'Good of the last').first().waitFor();
  for (const part of ['A guess of what is left', 'What is certain', 'When to stop']) await page.getByRole('heading', { name: part }).waitFor();
  await page.getByText('more draws, all bad').waitFor();
  await page.getByText('What a rule is worth').click();
  assert.match(await page.locator('.worth tr', { has: page.getByRole('rowheader', { name: '200' }) }).textContent(), /100 %, \d+ %/);
  await page.getByText('Your rule is not met yet').waitFor();
  await page.getByText('Change what you look for').click();
  await page.getByRole('spinbutton', { name: /I have read/ }).fill('3');
  await page.getByRole('button', { name: 'Keep', exact: true }).click();
  await page.locator('.met').getByText('Your rule is met').waitFor();
  await page.getByRole('spinbutton', { name: 'Draw the next' }).fill('7');
  await page.getByRole('button', { name: 'Draw', exact: true }).click();
  await page.getByText('The next 7 documents are drawn at random').waitFor();
  await to('Read');
  await page.getByText('It was drawn at random, to learn').waitFor();
});

await step('a second tab that is behind shows where the search stands, and rates nothing unseen', async () => {
  const behind = await openPage(context, problems);
  await behind.addInitScript(() => delete window.BroadcastChannel);
  await behind.goto(page.url());
  await behind.locator('.text').waitFor();
  await next(() => page.keyboard.press('n'));
  const rated = await ratings();
  await behind.keyboard.press('v');
  await behind.getByText('changed in another window').waitFor();
  assert.equal(await ratings(), rated);
  await behind.waitForFunction((heading) => document.querySelector('#document')?.textContent === heading, await heading());
  await behind.close();
  const other = await openPage(context, problems);
  await other.goto(page.url());
  await other.locator('.text').waitFor();
  await next(() => page.keyboard.press('n'));
  await other.waitForFunction((heading) => document.querySelector('#document')?.textContent === heading, await heading());
  await other.close();
});

await step('four in a row that were not good ask for two more words, and four more do not ask again so soon', async () => {
  const offer = page.locator('.offer');
  await next(() => page.keyboard.press('y'));
  for (let n = 0; n < 4; n++) {
    assert.ok(await offer.isHidden(), `after ${n}`);
    await next(() => page.keyboard.press('n'));
  }
  await offer.getByText('Several in a row were not it').waitFor();
  await offer.getByRole('combobox').pressSequentially('slugs zinc ');
  await offer.getByRole('button', { name: 'Look for these' }).click();
  await page.waitForFunction(() => document.querySelector('.offer').hidden);
  assert.deepEqual((await events()).findLast((event) => event.kind === 'marked').words.map(({ word }) => word), ['slugs']);
  for (let n = 4; n < 8; n++) {
    assert.ok(await offer.isHidden(), `after ${n}`);
    await next(() => page.keyboard.press('n'));
  }
  assert.ok(await offer.isHidden());
  await page.getByRole('heading', { level: 1 }).focus();
});

await step('a server that is killed loses no answer: it is sent again, once', async () => {
  const before = await heading();
  const rated = await ratings();
  const name = session();
  await server.kill();
  await page.locator('.text .word').first().click();
  await page.keyboard.press('y');
  await page.getByText('No connection to the server').waitFor();
  assert.equal(await heading(), before);
  await page.mouse.wheel(0, 2000);
  await page.waitForTimeout(100);
  const banner = await page.locator('#banner').boundingBox();
  assert.ok(banner.y >= 0 && banner.y < 10 || (await page.evaluate(() => scrollY)) < 100, 'the message is in view wherever the reader is');
  await page.keyboard.press('y'); // does nothing, because an answer is pending
  await server.start();
  // Logins survive: the start leads on, and a reload of this window shows the same.
  const again = await openPage(context, problems);
  await again.goto(new URL(server.address).origin);
  await again.getByRole('link', { name: /Go on: Garden club.* read, .* included, last on/ }).click();
  await again.locator('.text').waitFor();
  await again.close();
  await page.goto(`${new URL(server.address).origin}/#/${name}/read`);
  await page.reload();
  await page.locator('.text').waitFor();
  await page.waitForFunction((before) => document.querySelector('#document')?.textContent !== before, before);
  assert.equal(await ratings(), rated + 1);
  assert.equal((await lastRated()).words.length, 1);
});

await step('an answer that was done, but whose reply was lost, is not done twice', async () => {
  const rated = await ratings();
  const requests = [];
  let lost = 0;
  await page.route('**/ratings', async (route) => {
    requests.push(JSON.parse(route.request().postData()).request);
    if (lost++) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('heading', { level: 1 }).focus();
  await next(() => page.keyboard.press('n'));
  await page.unroute('**/ratings');
  assert.equal(requests.length, 2);
  assert.equal(requests[0], requests[1]);
  assert.equal(await ratings(), rated + 1);
  assert.ok(await page.locator('#banner').isHidden());
});

/** Where a file is that the dialog exports. */
async function exported(format, which) {
  await page.getByRole('navigation').getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Format').selectOption(format);
  if (which) await dialog.getByLabel('Which records').selectOption(which);
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Export' }).click()]);
  await dialog.waitFor({ state: 'detached' });
  return download.path();
}

await step('what was found and the log are exported', async () => {
  await to('Progress');
  const take = async (format, which) => readFileSync(await exported(format, which), 'utf8');
  const { progress } = await api(`sessions/${session()}/progress`);
  assert.match(await take('csv', 'good'), /^id,.*,rating,included,words_for,words_against,tags,note,rated_at,chosen\r\n/);
  assert.equal((await take('jsonl', 'good')).trimEnd().split('\n').length, progress.good);
  assert.equal((await take('ris', 'good')).match(/^N1 {2}- ASReview_relevant\r$/gm).length, progress.good);
  const log = (await take('log')).trimEnd().split('\n').map((line) => JSON.parse(line));
  assert.equal(log.filter((line) => 'reward' in line && 'document' in line).length, progress.rated);
});

await step('a log becomes a search of its own', async () => {
  const log = await exported('log');
  const { progress } = await api(`sessions/${session()}/progress`);
  await page.goto(`${new URL(server.address).origin}/#/`);
  await page.getByLabel('Bring in a log').setInputFiles(log);
  await page.locator('.text').waitFor();
  assert.equal((await api(`sessions/${session()}`)).progress.rated, progress.rated);
});

await step('keys can be changed and put off', async () => {
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('Yes, and show the next document').waitFor(); // the help stands over the document
  assert.ok(await page.locator('.text').isVisible());
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await to('Keys');
  await page.getByRole('textbox', { name: 'Yes, and show' }).fill('j');
  await page.getByRole('checkbox', { name: 'Single keys act' }).focus();
  await page.goBack();
  await page.locator('.text').waitFor();
  await next(() => page.keyboard.press('j'));
  await to('Keys');
  await page.getByRole('checkbox', { name: 'Single keys act' }).uncheck();
  await page.goBack();
  await page.locator('.text').waitFor();
  const before = await ratings();
  await page.keyboard.press('j');
  await page.waitForTimeout(200);
  assert.equal(await ratings(), before);
});

await step('without highlights of the browser, words are tinted all the same', async () => {
  const plain = await openPage(context, problems);
  await plain.addInitScript(() => delete window.Highlight);
  await plain.goto(page.url());
  await plain.locator('.text').waitFor();
  await plain.locator('.text mark').first().click();
  assert.ok(await plain.locator('.text mark.marked-for').count());
  await plain.close();
});

await step('a file of records is brought by the page and searched, and one that holds none leaves nothing', async () => {
  await page.goto(`${new URL(server.address).origin}/#/`);
  const bring = (name, text) => page.getByLabel('Bring your records').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await bring('wrong.pdf', '%PDF-1.7\n');
  await page.locator('.drop').getByText(/wrong.pdf .*PDF file/).waitFor();
  await bring('odd.csv', 'id,inhalt\nx,"a late bean"\n');
  await page.locator('.drop').getByText('No column of odd.csv is called title or abstract').waitFor();
  await page.locator('.drop').getByRole('button', { name: 'inhalt' }).click();
  await page.getByText('odd.csv: 1 document.').first().waitFor();
  const empty = (n) => `TY  - JOUR\nAU  - Ann, ${n}\nER  - \n`;
  await bring('gaps.ris', `${empty(1)}TY  - JOUR\nTI  - A bean\nER  - \n${[2, 3, 4].map(empty).join('')}`);
  await page.locator('.drop ul').getByText('4 left out: expected a title or an abstract in the record, found neither (gaps.ris:1, gaps.ris:7, gaps.ris:10 …)').waitFor();
  await page.locator('li div').getByText('expected a title or an abstract in the record, found neither', { exact: true }).waitFor();
  await bring('late.csv', 'id,text\nx,"a late bean"\ny,"a later pea"\n');
  await page.getByText('late.csv: 2 documents.').first().waitFor();
  assert.match(await page.locator('#pool option:checked').textContent(), /late.csv: 2 documents/);
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.locator('.text').waitFor();
  assert.match(await readText(), /bean|pea/);
  assert.deepEqual(readdirSync(join(folder, 'searches.db.files')).sort(), ['gaps.ris', 'gaps.ris.pool', 'late.csv', 'late.csv.pool', 'odd.csv', 'odd.csv.pool']);
  assert.deepEqual(problems.splice(0).filter((problem) => !/422/.test(problem)), []);
});

await step('a choice of the encoding shows three titles, and reads the file once more', async () => {
  await page.goto(`${new URL(server.address).origin}/#/`);
  const drop = page.locator('.drop');
  const titles = drop.locator('details li');
  for (const [name, text, wrong, right, title] of [
    ['beete.csv', 'id,title,text\n' + [1, 2, 3, 4].map((n) => `${n},"D\xfcngung der B\xf6den ${n}","Gr\xf6\xdfere Beete"\n`).join(''), 'windows-1251', 'windows-1252', /Düngung der Böden 1/],
    ['hiryo.ris', [1, 2, 3, 4].map((n) => `TY  - JOUR\nTI  - \x93\x79\x8f\xeb\x82\xcc\x94\xec\x97\xbf ${n}\nER  - \n`).join(''), 'windows-1252', 'shift_jis', /^土壌の肥料 1$/]]) {
    await page.getByLabel('Bring your records').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text, 'latin1') });
    await drop.getByText(/read as \S+ \(detected/).waitFor();
    await drop.locator('summary').click();
    await page.locator('#encoding').selectOption(wrong);
    await titles.nth(2).waitFor();
    assert.doesNotMatch(await titles.first().textContent(), title);
    await page.locator('#encoding').selectOption(right);
    await titles.filter({ hasText: title }).waitFor();
    assert.equal(await titles.count(), 3);
    await page.getByRole('button', { name: 'Read it again' }).click();
    await page.locator('#pool option:checked', { hasText: `2-${name}: 4 documents` }).waitFor({ state: 'attached' });
    for (const pool of [`2-${name}.pool`, `${name}.pool`]) await page.evaluate((one) => fetch(`/api/v1/pools/${one}`, { method: 'DELETE' }), pool);
    await page.goto('about:blank');
    await page.goto(`${new URL(server.address).origin}/#/`);
  }
});

await step('what was brought gets another name, and is removed unless a search reads it', async () => {
  const dialog = page.getByRole('dialog');
  const choose = async (name) => {
    await page.goto('about:blank');
    await page.goto(`${new URL(server.address).origin}/#/`);
    const option = page.locator('#pool option', { hasText: name });
    await page.locator('#pool').selectOption(await option.getAttribute('value'));
  };
  await choose('odd.csv: 1 document');
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  assert.deepEqual(await axeViolations(page), []);
  await dialog.getByLabel('Name').fill('<b>Beans</b>');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await dialog.waitFor({ state: 'detached' });
  await choose('<b>Beans</b>: 1 document');
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await dialog.getByRole('heading', { name: 'Remove <b>Beans</b>?' }).waitFor();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await page.locator('#pool option', { hasText: 'Beans' }).count(), 0);
  if (process.env.INKLING_REMOVES_AT_START) { // where a file that is open cannot be removed
    await server.kill();
    await server.start();
  }
  assert.deepEqual(readdirSync(join(folder, 'searches.db.files')).sort(), ['gaps.ris', 'gaps.ris.pool', 'late.csv', 'late.csv.pool']);
  await choose('late.csv:');
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByText('A search reads this collection').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await choose('walk-pool');
  assert.equal(await page.getByRole('button', { name: 'Remove', exact: true }).count(), 0);
});

await step('no error in the page', async () => assert.deepEqual(problems, []));

await browser.close();
await server.kill();
finish();
