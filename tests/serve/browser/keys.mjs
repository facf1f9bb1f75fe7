// A whole search by keys alone, without a mouse. The element with the focus is always visible.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Server, finish, folder, launch, makePool, openPage, step } from './parts.mjs';

makePool();
for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `keys.db${end}`), { force: true });
const server = new Server();
await server.start(undefined, join(folder, 'keys.db'));
const browser = await launch();
const problems = [];
const page = await openPage(await browser.newContext(), problems);
await page.goto(server.address);
await page.getByRole('heading', { level: 1 }).waitFor();

const focused = () => page.evaluate(() => {
  const one = document.activeElement;
  const label = one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent;
  const style = getComputedStyle(one);
  return { tag: one.tagName, label: label.trim().slice(0, 60), isSeen: style.outlineStyle !== 'none' || one.matches('h1, article, main, body, dialog, .text') };
});
/** Presses Tab until the element with this label has the focus, and asserts that the focus is always visible. */
async function tabTo(label, { back = false, most = 80 } = {}) {
  await page.waitForFunction((label) => [...document.querySelectorAll('a, button, input, select, summary, textarea, [tabindex]')].some((one) =>
    (one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent).trim().startsWith(label)), label); // it may still be loaded
  for (let n = 0; n < most; n++) {
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
    const one = await focused();
    assert.ok(one.isSeen, `no focus to be seen on ${JSON.stringify(one)}`);
    if (one.label.startsWith(label)) return one;
  }
  throw new Error(`no Tab leads to “${label}”; the last one was on ${JSON.stringify(await focused())}`);
}
const heading = () => page.textContent('#document');
async function next(key) {
  const before = await heading();
  await page.keyboard.press(key);
  await page.waitForFunction((before) => document.querySelector('#document')?.textContent !== before, before);
}
const title = (name) => page.getByRole('heading', { level: 1, name: new RegExp(`^${name}`) }).waitFor();
const held = () => page.evaluate(async () => {
  const id = location.hash.split('/')[1];
  const { events } = await (await fetch(`/api/v1/sessions/${id}/events?limit=1000`)).json();
  return events.filter((event) => event.kind === 'rated' && event.holds);
});

await step('a search is begun', async () => {
  await page.keyboard.press('Tab');
  assert.equal((await focused()).label, 'Skip to the content');
  await page.keyboard.press('Enter');
  await tabTo('What are you looking for?');
  await page.keyboard.type('Soil');
  await tabTo('Words to begin with');
  await page.keyboard.type('compos');
  await page.getByRole('option').first().filter({ hasText: 'compost' }).waitFor(); // not what begins with “c”, which comes before
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Words so far' }).getByText('compost').waitFor();
  await tabTo('Name, reasons, when to stop');
  await page.keyboard.press('Enter');
  await tabTo('I have read');
  await page.keyboard.press(' ');
  await tabTo('Begin');
  await page.keyboard.press('Enter');
  await page.locator('.text').waitFor();
});

// The ratings of a document's words, without the words.
const said = ({ words }) => words.map(({ rate, confidence }) => (rate === undefined ? { confidence } : { rate, confidence }));

await step('words are marked by arrows, and documents rated by a key', async () => {
  for (let n = 0; n < 6; n++) {
    await page.keyboard.press('w');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press(n % 2 ? '-' : ' ');
    await page.keyboard.press('Escape');
    await next(n % 2 ? 'n' : 'y');
  }
  const rated = await held();
  assert.equal(rated.length, 6);
  const mark = [{ confidence: 1 }];
  const against = [{ rate: -1, confidence: 1 }];
  assert.deepEqual(rated.map(said), [mark, against, mark, against, mark, against]);
});

await step('words are marked by check boxes, and documents rated by buttons', async () => {
  await page.keyboard.press('d');
  for (let n = 0; n < 60 && (await focused()).tag !== 'INPUT'; n++) await page.keyboard.press('Tab');
  await page.keyboard.press(' ');
  await tabTo('How ');
  await page.keyboard.press('ArrowDown');
  await tabTo('Yes');
  await next('Enter');
  assert.deepEqual(said((await held()).at(-1)), [{ confidence: 0.5 }]);
});

await step('an answer is taken back, a note is written, why is opened', async () => {
  await next('u');
  await page.keyboard.press('m');
  await page.keyboard.type('v x u'); // letters in a field are letters
  await tabTo('Keep');
  await page.keyboard.press('Enter');
  await page.getByText('Note: v x u').waitFor();
  await page.keyboard.press('e'); // closes the panel
  await page.keyboard.press('e');
  assert.match((await focused()).label, /^Why this one/);
  await next('5');
  assert.equal((await held()).at(-1).note, 'v x u');
});

await step('all screens are reached by a key, and their tasks by Tab', async () => {
  await page.keyboard.press('l');
  await title('Words');
  await tabTo('Take back what you said');
  await page.keyboard.press('h');
  await title('History');
  await tabTo('Take back answer');
  const before = (await held()).length;
  const undone = await page.locator('.events .undone').count();
  await page.keyboard.press('Enter');
  await page.locator('.events .undone').nth(undone).waitFor(); // one more than before
  assert.equal((await held()).length, before - 1);
  await page.keyboard.press('p');
  await title('Progress');
  await tabTo('Draw the next');
  await tabTo('Export');
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor(); // its screen may still be loaded
  assert.equal((await focused()).label, 'Close');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await title('Keys');
  await page.keyboard.press('d');
  await page.locator('.text').waitFor();
});

await step('after a task the focus is where the reader was, never lost', async () => {
  await page.keyboard.press('h');
  await title('History');
  await tabTo('Take back answer');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(300);
  assert.notEqual((await focused()).tag, 'BODY');
});

await step('no error in the page', async () => assert.deepEqual(problems, []));

await browser.close();
await server.kill();
finish();
