// Several searches side by side, and several readers.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Server, axeViolations, finish, folder, launch, makePool, openPage, step } from './parts.mjs';

const tokens = { ida: 'ida-has-a-long-token-of-her-own', tom: 'tom-has-another-one-that-is-long' };
const users = join(folder, 'users.txt');
writeFileSync(users, Object.entries(tokens).map(([name, token]) => `${name} ${createHash('sha256').update(token).digest('hex')}\n`).join(''));
makePool();
for (const end of ['', '-wal', '-shm', '.logins', '.files']) rmSync(join(folder, `readers.db${end}`), { force: true, recursive: true });
const server = new Server();
await server.start(undefined, join(folder, 'readers.db'), ['--users', users]);
const origin = new URL(server.address).origin;
const browser = await launch();
const problems = [];

async function signIn(token, isKnown = true) {
  const page = await openPage(await browser.newContext(), problems);
  await page.goto(`${origin}/#/`);
  await page.getByLabel('Six digits, or token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  if (isKnown) await page.getByRole('heading', { name: 'New search' }).waitFor();
  return page;
}
async function begin(page, name, words, rule) {
  await page.goto(`${origin}/#/`);
  await page.getByRole('heading', { name: 'New search' }).waitFor();
  await page.getByRole('combobox', { name: 'Words to begin with' }).fill(words);
  await page.keyboard.press('Enter');
  await page.locator('.chip').first().waitFor();
  await page.getByText('Name, reasons, when to stop').click();
  await page.getByLabel('Name').fill(name);
  if (rule) {
    await page.getByRole('checkbox', { name: /were not good/ }).uncheck();
    await page.getByRole('spinbutton', { name: rule[0] }).fill(String(rule[1]));
  }
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.locator('.text').waitFor();
}
const progress = (page) => page.evaluate(async () => (await (await fetch(`/api/v1/sessions/${location.hash.split('/')[1]}/progress`)).json()).progress);
async function rate(page, key) {
  const before = await page.textContent('#document');
  await page.keyboard.press(key);
  await page.waitForFunction((before) => document.querySelector('#document')?.textContent !== before, before);
}

await step('a token that nobody has is refused in words', async () => {
  const page = await signIn('somebody-else', false);
  await page.getByText('This is not known.').waitFor();
});

const ida = await signIn(tokens.ida);
const tom = await signIn(tokens.tom);
await step('two readers begin searches, and each sees only what is theirs', async () => {
  await begin(ida, 'Soil of Ida', 'soil');
  await begin(tom, 'Ferries of Tom', 'ferry');
  for (let n = 0; n < 3; n++) await rate(ida, 'v');
  await rate(tom, 'x');
  assert.deepEqual([(await progress(ida)).rated, (await progress(tom)).rated], [3, 1]);
  await ida.goto(`${origin}/#/`);
  await ida.getByRole('link', { name: /Soil of Ida/ }).first().waitFor();
  assert.equal(await ida.getByRole('link', { name: /Ferries of Tom/ }).count(), 0);
  const foreign = new URL(tom.url()).hash;
  await ida.goto(`${origin}/${foreign}`);
  await ida.getByRole('heading', { name: 'This cannot be shown' }).waitFor();
});

await step('one reader has several searches side by side, in two tabs', async () => {
  await begin(ida, 'Roses of Ida', 'rose', [/I have read/, 2]);
  const other = await openPage(ida.context(), problems);
  await other.goto(`${origin}/#/`);
  await other.getByRole('link', { name: /Soil of Ida/ }).first().click();
  await other.locator('.text').waitFor();
  await Promise.all([rate(ida, 'v'), rate(other, 'x')]);
  await rate(other, 'x');
  assert.deepEqual([(await progress(ida)).rated, (await progress(other)).rated], [1, 5]);
  assert.ok(await ida.locator('#banner').isHidden());
});

await step('the rule chosen at the start is announced as soon as it is met, and the search continues', async () => {
  await rate(ida, 'v');
  const met = ida.getByRole('dialog');
  await met.getByText('Your rule is met').waitFor();
  assert.match(await met.textContent(), /You have read 2 of/);
  await met.getByRole('button', { name: 'Go on' }).click();
  assert.match(await ida.textContent('.bar .found'), /your rule is met/);
  await rate(ida, 'x');
  assert.equal(await met.count(), 0);
  assert.equal((await progress(ida)).rated, 3);
});

async function openPeople(page) {
  await page.getByRole('link', { name: 'People' }).click();
  await page.getByRole('heading', { name: 'People' }).waitFor();
}

await step('two readers share a search: each has a document of their own, and History says who said what', async () => {
  await begin(ida, 'Ours', 'soil');
  await openPeople(ida);
  await ida.getByRole('checkbox', { name: 'tom' }).click();
  await ida.locator('#status').getByText('Kept.').waitFor({ state: 'attached' });
  await tom.goto(`${origin}/#/`);
  await tom.getByRole('link', { name: /Ours/ }).first().click();
  await tom.locator('.text').waitFor();
  await ida.getByRole('link', { name: 'Read', exact: true }).click();
  await ida.locator('.text').waitFor();
  for (let n = 0; n < 3; n++) {
    assert.notEqual(await ida.textContent('#document'), await tom.textContent('#document'));
    await Promise.all([rate(ida, 'v'), rate(tom, 'x')]);
  }
  assert.equal((await progress(ida)).rated, 6);
  const handed = await ida.textContent('#document');
  await ida.locator('#bar').getByRole('button', { name: 'Hand on' }).click();
  await ida.waitForFunction((before) => document.querySelector('#document').textContent !== before, handed);
  assert.equal(await ida.evaluate(() => document.activeElement.dataset.act), 'handOn');
  await rate(tom, 'x');
  await tom.waitForFunction((handed) => document.querySelector('#document').textContent === handed, handed);
  await ida.getByRole('link', { name: 'History' }).click();
  await ida.getByText('Handed on').waitFor();
  await ida.getByText(/^tom · /).first().waitFor();
  assert.equal(await ida.getByRole('button', { name: /^Take back answer/ }).count(), 5); // three ratings, a document handed on, and the words with which she began
});

await step('a shared search fits 320 pixels in German, in which its buttons are long', async () => {
  const page = await openPage(await browser.newContext({ locale: 'de-DE', viewport: { width: 320, height: 640 } }), problems);
  await page.goto(`${origin}/#/join/${tokens.ida}`);
  await page.getByRole('button', { name: 'Anmelden' }).click();
  await page.getByRole('link', { name: /Ours/ }).first().click();
  await page.getByRole('button', { name: 'Weitergeben' }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  const beyond = await page.locator('#bar button').evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().right > innerWidth).map((one) => one.textContent));
  assert.deepEqual(beyond, []);
  await page.context().close();
});

await step('two who do not see each other: nothing is shown before both are done, then how they agree', async () => {
  await openPeople(ida);
  await ida.locator('#many').fill('2');
  await ida.getByRole('button', { name: 'Draw them' }).click();
  await ida.getByText('ida has 2 of 2 left. tom reads too.').waitFor();
  await ida.getByRole('link', { name: 'Go on reading' }).click();
  await ida.locator('.text').waitFor();
  for (let n = 0; n < 2; n++) await rate(ida, 'v');
  await ida.getByRole('heading', { name: 'You have read all that was drawn for you.' }).waitFor();
  await tom.goto(`${origin}/#/people`);
  await tom.getByRole('link', { name: /ida and tom/ }).click();
  await tom.getByText('ida reads too. tom has 2 of 2 left.').waitFor();
  assert.equal(await tom.getByRole('heading', { name: 'How they agree' }).count(), 0);
  await tom.getByRole('link', { name: 'Go on reading' }).click();
  await tom.locator('.text').waitFor();
  for (let n = 0; n < 2; n++) await rate(tom, 'x');
  await ida.goto(`${origin}/#/people`);
  await ida.getByRole('link', { name: /ida and tom/ }).click();
  await ida.getByText('Cohen’s kappa 0.00').waitFor();
  const squeezed = await ida.locator('.events strong').evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height > 60).length);
  assert.equal(squeezed, 0);
  for (const where of [new URL(ida.url()).hash, '#/people', '#/']) {
    await ida.goto(`${origin}/${where}`);
    await ida.getByRole('link', { name: /Ours|ida and tom/ }).or(ida.getByText('Cohen’s kappa')).first().waitFor();
    for (const colorScheme of ['light', 'dark']) {
      await ida.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      assert.deepEqual(await axeViolations(ida), [], `${where}, ${colorScheme}`);
    }
  }
  await ida.getByRole('link', { name: 'People' }).click();
  await ida.getByRole('link', { name: /ida and tom/ }).click();
  await ida.getByRole('button', { name: 'Decide' }).click();
  await ida.locator('.text').waitFor();
});

/** The link is copied by the clipboard of a secure page, else by the older way, and is selected where both are refused. */
async function copies(page, link) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => (window.board = navigator.clipboard));
  const copy = async (said) => {
    await page.evaluate(() => window.board.writeText('something else'));
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('status').getByText(said).waitFor();
    return page.evaluate(async () => [await window.board.readText(), document.activeElement.textContent || document.activeElement.id]);
  };
  assert.deepEqual(await copy('Copied.'), [link, 'Copy']);
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined })); // as over http from another computer
  assert.deepEqual(await copy('Copied.'), [link, 'Copy']);
  await page.evaluate(() => (document.execCommand = () => false));
  assert.deepEqual(await copy('is selected'), ['something else', 'link']);
  assert.equal(await page.locator('#link').evaluate((field) => field.value.slice(field.selectionStart, field.selectionEnd)), link);
}

await step('whoever runs the server lets somebody in by a link, who brings records of their own, decides what waits, and is let out', async () => {
  await ida.goto(`${origin}/#/people`);
  await ida.getByLabel('Name of somebody else').fill('Eve O');
  await ida.getByRole('button', { name: 'Let them in' }).click();
  const link = await ida.getByRole('textbox', { name: 'Link for Eve.O' }).inputValue();
  assert.deepEqual(await axeViolations(ida), []);
  await copies(ida, link);
  await tom.goto(`${origin}/#/people`);
  assert.equal(await tom.getByLabel('Name of somebody else').count(), 0);
  const eve = await openPage(await browser.newContext(), problems);
  await eve.goto(link);
  await eve.getByText('Somebody let you in by this link').waitFor();
  assert.ok(!eve.url().includes('join'), 'the token leaves the address');
  await eve.getByRole('button', { name: 'Sign in' }).click();
  await eve.getByRole('heading', { name: 'New search' }).waitFor();
  await eve.getByLabel('Bring your records').setInputFiles({ name: 'eve.csv', mimeType: 'text/csv', buffer: Buffer.from('id,text\nx,"a late bean"\n') });
  await eve.locator('#pool option', { hasText: 'eve.csv: 1 document' }).waitFor({ state: 'attached' });
  await ida.goto(`${origin}/#/`);
  await ida.reload();
  await ida.getByRole('heading', { name: 'New search' }).waitFor();
  assert.equal(await ida.getByText('eve.csv').count(), 0);
  await ida.getByText(/Go on: Ours/).waitFor(); // and not the reading of the pair, which is done
  await ida.getByRole('link', { name: /Ours/ }).last().click();
  await openPeople(ida);
  await ida.locator('#first-reader').selectOption('ida');
  await ida.locator('#second-reader').selectOption('tom');
  await ida.locator('#decider').selectOption('Eve.O');
  await ida.locator('#many').fill('1');
  await ida.getByRole('button', { name: 'Draw them' }).click();
  await ida.getByRole('link', { name: 'Go on reading' }).click();
  await ida.locator('.text').waitFor();
  await rate(ida, 'v');
  await tom.goto(`${origin}/#/`);
  await tom.getByText(/Go on: Ours · tom with ida/).click();
  await tom.locator('.text').waitFor();
  await rate(tom, 'x');
  await eve.goto('about:blank');
  await eve.goto(`${origin}/#/`);
  await eve.getByText('To decide: Ours').click();
  await eve.getByRole('button', { name: 'Decide' }).click();
  await eve.getByText('tom: no').waitFor();
  await ida.goto(`${origin}/#/people`);
  await ida.getByRole('button', { name: 'Let out: Eve.O' }).click();
  await ida.getByRole('button', { name: 'Let out: Eve.O' }).waitFor({ state: 'detached' });
  await eve.reload();
  await eve.getByRole('heading', { name: 'Who are you?' }).waitFor();
});

await step('who signs out is not known any more, and a wrong token is forgotten after the right one', async () => {
  await tom.goto(`${origin}/#/settings`);
  await tom.getByRole('button', { name: 'Sign out', exact: true }).click();
  await tom.getByLabel('Six digits, or token').fill('somebody-else');
  await tom.getByRole('button', { name: 'Sign in' }).click();
  await tom.getByText('This is not known.').waitFor();
  await tom.getByLabel('Six digits, or token').fill(tokens.tom);
  await tom.getByRole('button', { name: 'Sign in' }).click();
  await tom.getByText('You are tom.').waitFor();
  assert.ok(await tom.locator('#banner').isHidden());
});

await step('a reader continues after the server was started again', async () => {
  await server.kill();
  await server.start(undefined, join(folder, 'readers.db'), ['--users', users]);
  const again = await signIn(tokens.ida);
  await again.getByRole('link', { name: /Roses of Ida/ }).first().click();
  await again.locator('.text').waitFor();
  assert.equal((await progress(again)).rated, 3);
});

await step('no error in the page', async () => assert.deepEqual(problems, []));

await browser.close();
await server.kill();
finish();
