// page_times.mjs INKLING FOLDER CHROMIUM COLLECTION: how long a reader waits in the browser. FOLDER is that of browser_test.sh, which
// gets the tools. Opens the collection, reads 300 documents of it by keys, marks a word in every third, and prints quantiles of the time from
// the key to the frame that shows the next document, and of the time from the address to the first text (cache empty, and kept).
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Server, folder, launch, openPage } from '../../tests/serve/browser/parts.mjs';

const [collection] = process.argv.slice(5);
const searches = join(folder, 'times.db');
for (const end of ['', '-wal', '-shm', '.json', '.files', '.logins']) rmSync(searches + end, { force: true, recursive: true });
const server = new Server();
await server.start(collection, searches);
const browser = await launch();
const problems = [];
const context = await browser.newContext();
const page = await openPage(context, problems);
const print = (what, times) => {
  times.sort((a, b) => a - b);
  const at = (share) => Math.round(times[Math.min(times.length - 1, Math.floor(share * times.length))]);
  console.log(JSON.stringify({ what, times: times.length, p50_ms: at(0.5), p95_ms: at(0.95), worst_ms: at(1) }));
};

await page.goto(server.address);
await page.getByLabel('What are you looking for?').fill('trial of treatment in patients');
await page.getByRole('button', { name: 'Begin' }).click();
await page.locator('.text').waitFor();

/** The time from a key to the frame that shows another document. */
const next = (key) => page.evaluate((key) => new Promise((done) => {
  const heading = document.querySelector('#document');
  const [before, begun] = [heading.textContent, performance.now()];
  const observer = new MutationObserver(() => {
    if ((document.querySelector('#document')?.textContent ?? before) === before) return;
    observer.disconnect();
    requestAnimationFrame(() => requestAnimationFrame((shown) => done(shown - begun))); // the second begins when the first is painted
  });
  observer.observe(document, { childList: true, subtree: true, characterData: true });
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
}), key);

const waits = [];
for (let n = 0; n < 300; n++) {
  if (n === 12) await page.evaluate((at) => fetch(`/api/v1/sessions/${at}/aim`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"request":"no rule","rule":null}' }), new URL(page.url()).hash.split('/')[1]);
  if (n === 12) await page.reload().then(() => page.locator('.text').waitFor());
  await page.keyboard.press('Escape');
  if (n % 3 === 0) await page.locator('.text .word').nth(5 + (n % 40)).click({ timeout: 2000 }).catch(() => {});
  waits.push(await next(n % 3 === 0 ? 'y' : 'n'));
}
print('next record', waits);

const where = page.url();
const state = await context.storageState();
for (const [what, isKept] of [['first text, cache empty', false], ['first text, cache kept', true]]) {
  const times = [];
  let one = await browser.newContext({ storageState: state });
  for (let n = 0; n < 21; n++) {
    if (!isKept && n) one = (await one.close(), await browser.newContext({ storageState: state }));
    const fresh = await openPage(one, problems);
    await fresh.addInitScript(() => new MutationObserver((_, observer) => {
      if (!document.querySelector('.text')) return;
      observer.disconnect();
      requestAnimationFrame(() => requestAnimationFrame((shown) => (window.firstText = shown)));
    }).observe(document, { childList: true, subtree: true }));
    await fresh.goto(where);
    await fresh.waitForFunction(() => window.firstText);
    if (n) times.push(await fresh.evaluate(() => window.firstText));
    await fresh.close();
  }
  await one.close();
  print(what, times);
}
await browser.close();
await server.kill();
if (problems.length) throw new Error(problems.join('\n'));
