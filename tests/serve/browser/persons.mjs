// Two people in one browser, one after the other: each answer is kept once, under the name of whoever gave it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Server, axeViolations, finish, folder, launch, makePool, openPage, step } from './parts.mjs';

const tokens = { ada: 'ada-has-a-long-token-of-her-own', bob: 'bob-has-another-one-that-is-long' };
const users = join(folder, 'persons.txt');
writeFileSync(users, Object.entries(tokens).map(([name, token]) => `${name} ${createHash('sha256').update(token).digest('hex')}\n`).join(''));
makePool();
for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `persons.db${end}`), { force: true });
const server = new Server();
const start = () => server.start(undefined, join(folder, 'persons.db'), ['--users', users]);
const restart = async () => (await server.kill(), await start());
await start();
const origin = new URL(server.address).origin;
const browser = await launch();
const context = await browser.newContext();
const problems = [];

async function ask(who, path, body) {
  const answer = await fetch(`${origin}/api/v1/${path}`, { method: body ? 'POST' : 'GET', body: body && JSON.stringify(body),
    headers: { Authorization: `Bearer ${tokens[who]}`, ...(body && { 'Content-Type': 'application/json' }) } });
  assert.ok(answer.ok, `${path}: ${answer.status}`);
  return answer.json();
}
const { session: ours } = await ask('ada', 'sessions', { name: 'Ours', pool: 'persons-pool', words: ['soil'] });
await ask('ada', `sessions/${ours}/share`, { with: ['bob'] });
const { session: source } = await ask('ada', 'sessions', { name: 'Apart', pool: 'persons-pool' });
const { pair } = await ask('ada', `sessions/${source}/pairs`, { readers: ['ada', 'bob'], count: 8 });
const apart = {};
for (const who of ['ada', 'bob']) apart[who] = (await ask(who, `pairs/${pair}`)).session;
const own = (session, who) => (session === 'pair' ? apart[who] : ours);

const heading = (page, name) => page.getByRole('heading', { name });
const atLogin = (page) => heading(page, 'Who are you?').waitFor();
const isLost = (page) => page.getByText('Your answer is kept here').waitFor();
const waiting = (page) => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('inkling.waiting.')).length);

/** Signs out whoever is signed in on a page, and signs in another one. */
async function becomes(page, who) {
  const isNew = page.url() === 'about:blank';
  await page.goto(`${origin}/#/settings`);
  if (!isNew) await page.reload(); // another place of the same page is not loaded again
  const button = page.getByRole('button', { name: 'Sign out', exact: true });
  await button.or(heading(page, 'Who are you?')).first().waitFor();
  if (await button.isVisible()) await button.click();
  await atLogin(page);
  await page.getByLabel('Token').fill(tokens[who]);
  await page.getByRole('button', { name: 'Enter' }).click();
  await page.getByText(`You are ${who}.`).waitFor();
}
async function openSearch(page, session) {
  await page.goto(`${origin}/#/${session}/read`);
  await page.locator('.text').waitFor();
}
async function rate(page, key = 'y') {
  const before = await page.textContent('#document');
  await page.keyboard.press(key);
  await page.waitForFunction((before) => document.querySelector('#document')?.textContent !== before, before);
  return before;
}
/** An answer that is not acknowledged, as far as the page can know. */
async function say(page, seen) {
  const document = await page.textContent('#document');
  await page.keyboard.press('y');
  await seen(page);
  return document;
}
const cutOff = (pages) => pages.route('**/ratings', (route) => route.abort());

/** What was said: [who, session, document]. The log must have just this, whatever happened. */
const said = [];
async function check() {
  const kept = [];
  for (const session of [ours, apart.ada, apart.bob]) {
    const { events } = await ask(session === apart.bob ? 'bob' : 'ada', `sessions/${session}/events?limit=10000`);
    for (const { kind, by, id } of events) if (kind === 'rated') kept.push([by ?? (session === apart.bob ? 'bob' : 'ada'), session, id].join(' '));
  }
  assert.deepEqual(kept.sort(), said.map((one) => one.join(' ')).sort());
}

// Each gives one answer of ada, which cannot be sent, and may close the page.
const ways = {
  'the server was started again': async (page) => (await restart(), say(page, atLogin)),
  'the server was down and the window was closed': async (page) => {
    await server.kill();
    const document = await say(page, isLost);
    await page.close();
    await start();
    return document;
  },
  'she signs out while her answer waits': async (page) => (await cutOff(page), say(page, isLost)),
  'her answer was done and its acknowledgement lost': async (page) => {
    let sent = false;
    await page.route('**/ratings', async (route) => {
      if (!sent) await route.fetch();
      sent = true;
      await route.abort();
    });
    return say(page, isLost);
  },
  'she is offline, and closes her laptop': async (page) => {
    await context.setOffline(true);
    const document = await say(page, isLost);
    await page.close();
    await context.setOffline(false);
    return document;
  },
  'she ended all her logins at another place': async (page) => {
    const phone = await openPage(await browser.newContext(), problems);
    await becomes(phone, 'ada');
    await phone.getByRole('button', { name: 'Sign out everywhere' }).click();
    await atLogin(phone);
    await phone.context().close();
    return say(page, atLogin);
  },
  'the disk is full, and she loads the page anew': async (page) => {
    const full = (route) => route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"detail":"no room"}' });
    await page.route('**/ratings', full);
    const document = await say(page, isLost);
    await page.reload();
    await page.getByText('Your answer is kept here').waitFor();
    return document;
  },
  'bob signed in in another window, which hers does not know': async () => {
    const page = await openPage(context, problems);
    await page.addInitScript(() => delete window.BroadcastChannel);
    await openSearch(page, ours);
    const other = await openPage(context, problems);
    await becomes(other, 'bob');
    await other.close();
    const document = await say(page, () => heading(page, 'Somebody else is signed in').waitFor());
    assert.deepEqual(await axeViolations(page), []);
    await page.getByRole('button', { name: 'Continue as bob' }).click();
    await page.locator('.text').waitFor();
    assert.notEqual(await page.textContent('#document'), document);
    await page.close();
    return document;
  },
  'her window sends again and again while bob signs in': async (page) => {
    await cutOff(context);
    const document = await say(page, isLost);
    const other = await openPage(context, problems);
    await becomes(other, 'bob');
    await context.unroute('**/ratings');
    await heading(page, 'Somebody else is signed in').waitFor();
    await page.waitForTimeout(1500); // she sends again meanwhile
    assert.equal(await waiting(other), 1);
    await Promise.all([page.close(), other.close()]);
    return document;
  },
  'pair: both read apart, and the server was started again': async (page) => (await restart(), say(page, atLogin)),
  'pair: she signs out while her answer waits': async (page) => (await cutOff(page), say(page, isLost)),
};

for (const [name, way] of Object.entries(ways)) {
  const which = name.startsWith('pair') ? 'pair' : 'ours';
  await step(name, async () => {
    const page = await openPage(context, problems);
    await becomes(page, 'ada');
    await openSearch(page, own(which, 'ada'));
    said.push(['ada', own(which, 'ada'), await rate(page)]);
    said.push(['ada', own(which, 'ada'), await way(page)]);
    await cutOff(context); // so that nothing is sent before she is signed out
    for (const left of context.pages()) await left.close();
    const next = await openPage(context, problems);
    await next.goto(`${origin}/#/`);
    assert.equal(await waiting(next), 1);
    await becomes(next, 'bob');
    await context.unroute('**/ratings');
    assert.equal(await next.getByText('not sent yet').count(), 0);
    await openSearch(next, own(which, 'bob'));
    said.push(['bob', own(which, 'bob'), await rate(next)]);
    assert.equal(await waiting(next), 1);
    await becomes(next, 'ada');
    await next.waitForFunction(() => !Object.keys(localStorage).some((key) => key.startsWith('inkling.waiting.')));
    await openSearch(next, own(which, 'ada'));
    await check();
    await next.close();
  });
}

await step('who comes next finds no marks of who was there, and sees at the door whose answers wait', async () => {
  const page = await openPage(context, problems);
  await becomes(page, 'ada');
  await openSearch(page, ours);
  await page.keyboard.press('m');
  await page.getByLabel('Note', { exact: true }).fill('only for ada');
  await page.getByRole('button', { name: 'Keep' }).click();
  await cutOff(page);
  const document = await say(page, isLost);
  await page.reload();
  await page.context().clearCookies();
  await page.unroute('**/ratings');
  await page.goto(`${origin}/#/`);
  await page.reload();
  await page.getByText('ada: 1 answer not sent yet').waitFor();
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    assert.deepEqual(await axeViolations(page), []);
  }
  await becomes(page, 'bob');
  await openSearch(page, ours);
  assert.equal(await page.getByText('only for ada').count(), 0);
  await becomes(page, 'ada');
  said.push(['ada', ours, document]);
  await check();
  await page.close();
});

await step('no error in the page', async () => assert.deepEqual(problems, []));

await browser.close();
await server.kill();
finish();
