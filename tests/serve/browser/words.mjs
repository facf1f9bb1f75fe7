// Words that are typed at any speed, pasted, or part of a sentence: each becomes a chip, in order, and none is lost.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Server, finish, folder, launch, makePool, openPage, step } from './parts.mjs';

makePool();
for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `words.db${end}`), { force: true });
const server = new Server();
await server.start(undefined, join(folder, 'words.db'));
const browser = await launch();
const problems = [];
const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
const page = await openPage(context, problems);
await page.goto(server.address);
const field = page.getByRole('combobox', { name: 'Words to begin with' });
const chips = page.locator('[aria-label="Words so far"] .chip');
await field.waitFor();

const inNoDocument = 'in no document';
const stopWord = 'a stop word: left out when the pool was built';
// What a reader types, and what the chips say: the word, and how many documents hold it or why none does.
const lists = [
  ['soil mine ferry', [['soil', /^\d+ documents$/], ['mine', stopWord], ['ferry', /^\d+ documents$/]]],
  ['soil, mine, compost, -ferry, silver', [['soil', /doc/], ['mine', stopWord], ['compost', /doc/], ['not ferry', /doc/], ['silver', inNoDocument]]],
  ['rose -"warm soil" zinc,,  gulls', [['rose', /doc/], ['not warm soil', /--ngrams 1,2$/], ['zinc', inNoDocument], ['gulls', /doc/]]],
];
async function shows(expected) {
  await page.waitForFunction((many) => !document.querySelector('.chip[aria-busy]') && document.querySelectorAll('[aria-label="Words so far"] .chip').length === many, expected.length);
  const seen = await chips.evaluateAll((all) => all.map((chip) => [chip.querySelector('span').textContent, chip.querySelector('small').textContent, chip.matches('.unknown')]));
  for (const [at, [word, says]] of expected.entries()) {
    assert.equal(seen[at][0], word, JSON.stringify(seen));
    assert.match(seen[at][1], typeof says === 'string' ? new RegExp(`^${says}$`) : says);
    assert.equal(seen[at][2], !/doc.*s?$/.test(seen[at][1]) || seen[at][1] === inNoDocument, seen[at].join(': '));
  }
  assert.equal(await field.inputValue(), '');
}
async function clear() {
  while (await chips.count()) await chips.last().getByRole('button').click();
  await field.fill('');
}

for (const delay of [0, 20, 60, 120, 200])
  for (const [typed, expected] of delay === 200 ? lists.slice(0, 2) : lists)
    await step(`“${typed}” at ${delay} ms a key`, async () => {
      await field.pressSequentially(typed, { delay });
      await page.keyboard.press('Enter');
      await shows(expected);
      await clear();
    });

await step('what is typed while the pool is slow to answer stays in its order', async () => {
  let late = 300;
  await page.route('**/asked?*', async (route) => {
    await new Promise((done) => setTimeout(done, (late -= 60)));
    await route.continue().catch(() => {});
  });
  await field.pressSequentially('soil zinc rose mine gulls ');
  await shows([['soil', /doc/], ['zinc', inNoDocument], ['rose', /doc/], ['mine', stopWord], ['gulls', /doc/]]);
  await page.unroute('**/asked?*');
  await clear();
});

await step('what the pool was not asked for stands as it was typed, and is asked for with the next word', async () => {
  await page.route('**/asked?*', (route) => route.abort());
  await field.pressSequentially('soil zinc ');
  await page.getByText('The pool could not be asked').waitFor();
  assert.deepEqual(await chips.allTextContents(), ['soil', 'zinc']);
  await page.unroute('**/asked?*');
  await field.pressSequentially('rose ');
  await shows([['soil', /doc/], ['zinc', inNoDocument], ['rose', /doc/]]);
  await clear();
});

await step('a pasted list of lines, and one with bullets', async () => {
  for (const text of ['soil\nzinc\r\n-rose\n', '- soil\n- zinc\n-rose']) {
    await page.evaluate((text) => navigator.clipboard.writeText(text), text);
    await field.focus();
    await page.keyboard.press('Control+v');
    await shows([['soil', /doc/], ['zinc', inNoDocument], ['not rose', /doc/]]);
    await clear();
  }
});

await step('a word that is said twice counts once, as it was said last', async () => {
  await field.pressSequentially('Soil rose -soil ');
  await shows([['not soil', /doc/], ['rose', /doc/]]);
});

await step('Backspace in an empty field points at the last word, and a second one takes it away', async () => {
  await page.keyboard.press('Backspace');
  assert.equal(await chips.count(), 2);
  await page.keyboard.press('Backspace');
  assert.equal(await chips.count(), 1);
  assert.ok(await field.evaluate((one) => one === document.activeElement));
  await clear();
});

await step('a chip that is held down goes, though what was typed becomes another one meanwhile', async () => {
  await field.pressSequentially('soil zinc');
  await page.getByRole('button', { name: 'Leave out soil' }).click({ delay: 150 });
  await shows([['zinc', inNoDocument]]);
  await clear();
});

await step('words that the pool does not have begin no search, and are said', async () => {
  await field.pressSequentially('zinc mine');
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.getByText('The pool has none of these words').waitFor();
  await shows([['zinc', inNoDocument], ['mine', stopWord]]);
  await clear();
});

await step('what is pressed while words of the question come stays under the mouse', async () => {
  const question = page.getByLabel('What are you looking for?');
  for (const open of [true, false]) {
    await question.fill(open ? 'A rose by the wall' : '');
    await page.getByText('Name, reasons, when to stop').click({ delay: 800 });
    assert.equal(await page.locator('form details').last().evaluate((one) => one.open), open);
    await page.waitForFunction((open) => Boolean(document.querySelector('#proposed')?.checkVisibility()) === open, open);
  }
});

await step('the words of a sentence are offered, the most telling first, those of no document grey', async () => {
  await page.getByLabel('What are you looking for?').fill('Where is the warm soil for a rose, and zinc?');
  const offered = page.locator('.chips').first().locator('.chip');
  await offered.filter({ hasText: 'zinc' }).waitFor();
  const words = await offered.evaluateAll((all) => all.map((chip) => [chip.querySelector('span').textContent, chip.matches('.unknown')]));
  assert.deepEqual(words.at(-1), ['zinc', true]);
  assert.deepEqual(words.slice(0, -1).map(([word]) => word).sort(), ['rose', 'soil', 'warm']);
  await page.getByRole('button', { name: 'Look for rose' }).click({ delay: 150 }); // as long as a hand takes
  await shows([['rose', /doc/]]);
  assert.equal(await offered.filter({ hasText: 'rose' }).count(), 0);
});

await step('a search begins with the words that the pool has, and is called as what is looked for', async () => {
  await field.pressSequentially('-ferry zinc');
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.locator('.text').waitFor();
  const [, id] = new URL(page.url()).hash.split('/');
  const { events } = await page.evaluate(async (id) => (await fetch(`/api/v1/sessions/${id}/events`)).json(), id);
  assert.deepEqual(events.find(({ kind }) => kind === 'marked').words.map(({ word, rate }) => [word, rate]), [['rose', 1], ['ferry', -1]]);
  assert.match(await page.title(), /Where is the warm soil/);
});

await step('the first good document asks beside the next one which of its words made it good', async () => {
  const offer = page.locator('.offer');
  const next = async (key) => {
    const before = await page.textContent('#document');
    await page.keyboard.press(key);
    await page.waitForFunction((before) => document.querySelector('#document').textContent !== before, before);
  };
  await page.getByRole('heading', { level: 1 }).focus();
  const id = new URL(page.url()).hash.split('/')[1];
  await next('y');
  await offer.getByText(/Which of these made .* good/).waitFor();
  const box = offer.getByRole('checkbox').nth(1);
  const word = await box.getAttribute('aria-label');
  await box.check();
  await offer.getByRole('button', { name: 'Learn them' }).click();
  await page.waitForFunction(() => document.querySelector('.offer').hidden);
  await page.waitForFunction(async (id) => (await (await fetch(`/api/v1/sessions/${id}/events`)).json()).events.some(({ kind, document }) => kind === 'marked' && document !== undefined), id);
  const { events } = await page.evaluate(async (id) => (await fetch(`/api/v1/sessions/${id}/events`)).json(), id);
  assert.deepEqual(events.filter(({ kind }) => kind === 'marked').at(-1).words.map((one) => one.word), [word]);
  await page.getByRole('heading', { level: 1 }).focus();
  await next('y');
  assert.ok(await offer.isHidden());
});

await step('no error in the page', async () => assert.deepEqual(problems.filter((one) => !/ERR_FAILED/.test(one)), []));

await browser.close();
await server.kill();
finish();
