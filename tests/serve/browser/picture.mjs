// A picture of the page for the README: a search of the demonstration after some ratings.
import { readFileSync, writeFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Server, folder, launch, openPage } from './parts.mjs';

const [file, review] = process.argv.slice(5);
const records = gunzipSync(readFileSync(review)).toString().trim().split('\n').map((line) => JSON.parse(line));
const included = records.filter((record) => record.included).map((record) => record.title);
const ratingsBefore = 14;
const sessions = join(folder, 'picture.db');
for (const end of ['', '-wal', '-shm']) rmSync(sessions + end, { force: true });

const problems = [];
const server = new Server();
await server.start(join(folder, 'pool'), sessions);
const browser = await launch();
const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, deviceScaleFactor: 1.5, colorScheme: 'light', reducedMotion: 'reduce' });
const page = await openPage(context, problems);
await page.goto(server.address);
await page.getByLabel('What are you looking for?').fill('Specialized psychotherapies for adults with borderline personality disorder');
await page.getByRole('combobox', { name: 'Words to begin with' }).fill('borderline, psychotherapy, trial');
await page.keyboard.press('Enter');
await page.locator('.chip').nth(2).waitFor();
await page.getByRole('button', { name: 'Begin' }).click();
await page.locator('.text').waitFor();

const isGood = async () => {
  const shown = await page.textContent('#document');
  return included.some((title) => shown.includes(title));
};
const wordsOf = page.locator('.text .word');
async function next(key) {
  const before = await page.textContent('#document');
  await page.keyboard.press(key);
  await page.waitForFunction((before) => document.querySelector('#document').textContent !== before, before);
}
async function mark(pattern) {
  const word = wordsOf.filter({ hasText: pattern }).first();
  if (await word.count()) await word.click();
}
for (let n = 0; n < ratingsBefore; n++) {
  const good = await isGood();
  if (good) await mark(/^(dbt|schema|dialectical|mentalization|outpatients|psychotherapy)$/i);
  await next(good ? (n % 4 === 3 ? '4' : 'v') : 'x');
}
// The picture shows a good document with several known words.
for (let n = 0; n < 30 && !((await isGood()) && (await page.locator('.words-here .pull').count()) >= 3); n++) await next((await isGood()) ? 'v' : 'x');
await mark(/^(randomi[sz]ed|therapy|treatment)$/i);
await page.mouse.move(5, 5);
await page.evaluate(() => scrollTo(0, 0));
const client = await context.newCDPSession(page);
const { data } = await client.send('Page.captureScreenshot', file.endsWith('.webp') ? { format: 'webp', quality: 82 } : { format: 'png' });
writeFileSync(file, Buffer.from(data, 'base64'));
await browser.close();
await server.kill();
if (problems.length) throw new Error(problems.join('\n'));
