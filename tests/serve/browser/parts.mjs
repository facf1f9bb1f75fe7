// A pool, a server and a browser for tests of the page.
import { spawn, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';

export const [program, folder, chromiumPath] = process.argv.slice(2);
/** A pool for this script alone, so that several scripts can run side by side. */
const pool = join(folder, `${basename(process.argv[1], '.mjs')}-pool`);
const require = createRequire(join(folder, 'node_modules', 'x.js'));
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Characters that would act in the page if a document were shown as anything but text. */
export const hostile = '<img src=x onerror="document.title=\'broken\'"> &amp; "quoted" \u0007\u202e</script>';

const gardens = ['The soil was dry until June.', 'We turn the compost every other week.', 'Beans want warm soil and a little compost.',
  'A rose by the wall needs pruning in spring.', 'Slugs ate the lettuce again.', 'I sow carrots between the onions.'];
const ferries = ['The ferry was late again.', 'A storm kept the harbour closed.', 'Cars wait in two lanes for the ferry.',
  'The captain knows every rock.', 'Tickets are sold on the pier.', 'Gulls follow the boat home.'];

/** 240 messages in two topics; the last one is hostile. */
export function makePool() {
  rmSync(pool, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const lines = [];
  for (let n = 0; n < 239; n++) {
    const from = n % 3 ? ferries : gardens;
    const text = [0, 1, 2].map((at) => from[(n * (at + 1) + 2 * at + Math.floor(n / 7)) % from.length]).join(' ') + ` Note ${n} of day${n % 12}.`;
    lines.push(JSON.stringify({ id: `${n % 3 ? 'ferry' : 'garden'}-${String(n).padStart(3, '0')}`, label: n % 3 ? 'ferry' : 'garden', text }));
  }
  lines.push(JSON.stringify({ id: `odd ${hostile}`, label: `odd ${hostile}`, text: `Uncommon soil ${hostile} words.` }));
  const corpus = `${pool}.jsonl`;
  writeFileSync(corpus, lines.join('\n') + '\n');
  execFileSync(program, ['build', corpus, '--keep-text', '--stop-words', 'english', '--ngrams', '1', '--out', pool], { stdio: 'pipe' });
}

const freePort = () => new Promise((done) => {
  const socket = createServer().listen(0, '127.0.0.1', () => {
    const { port } = socket.address();
    socket.close(() => done(port));
  });
});

/** `inkling serve` on a port that stays the same when it is started again. */
export class Server {
  async start(served = pool, sessions = join(folder, 'searches.db'), more = []) {
    this.port ??= await freePort();
    this.process = spawn(program, ['serve', served, '--searches', sessions, '--port', String(this.port), ...more], { stdio: ['ignore', 'pipe', 'inherit'] });
    const { process: child } = this;
    process.once('exit', () => child.kill('SIGKILL')); // even if the test ends by an error
    this.address = await new Promise((done, failed) => {
      let said = '';
      this.process.stdout.on('data', (data) => {
        said += data;
        const address = /https?:\S+/.exec(said)?.[0];
        if (address && said.includes('\n')) done(address);
      });
      this.process.on('exit', (code) => failed(new Error(`inkling serve ended with ${code}: ${said}`)));
    });
    for (let tries = 0; ; tries++) {
      if (await fetch(new URL('/healthz', this.address)).catch(() => null)) return;
      if (tries > 200) throw new Error('the server does not answer');
      await new Promise((done) => setTimeout(done, 50));
    }
  }
  async kill() {
    const ended = new Promise((done) => this.process.once('exit', done));
    this.process.removeAllListeners('exit');
    this.process.once('exit', () => {});
    const gone = new Promise((done) => this.process.once('exit', done));
    this.process.kill('SIGKILL');
    await Promise.race([ended, gone]);
  }
}

/** A browser whose pages speak English unless a context says otherwise. */
export async function launch() {
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--force-prefers-reduced-motion=0'] });
  const newContext = browser.newContext.bind(browser);
  return Object.assign(browser, { newContext: (options) => newContext({ locale: 'en-US', ...options }) });
}

/** A page whose errors count as failures, except those of connections that the test itself broke. */
export async function openPage(context, problems) {
  const page = await context.newPage();
  page.setDefaultTimeout(20_000); // a busy machine may be slow
  await page.addInitScript(() => {
    const asked = window.fetch;
    window.asking = 0; // requests without an answer
    window.fetch = (...of) => (++window.asking, asked(...of).finally(() => --window.asking));
  });
  page.on('pageerror', (error) => problems.push(error.stack ?? String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) problems.push(message.text());
  });
  page.on('dialog', (dialog) => problems.push(`a dialog: ${dialog.message()}`));
  return page;
}

/** Waits until nothing was asked of the server and nothing has moved for three frames: until then colours are between two, and parts
 * of a screen may come that are not there yet. */
export async function settled(page) {
  await page.waitForFunction(() => !window.asking);
  await page.evaluate(async () => {
    for (let quiet = 0; quiet < 3; quiet++) {
      const moving = document.getAnimations().map((animation) => animation.finished);
      await Promise.allSettled(moving); // an animation whose element goes ends by an error
      await new Promise(requestAnimationFrame);
      if (moving.length || window.asking) quiet = -1;
    }
  });
}

/** The faults that axe finds in a page, by all of its rules or by these. */
export async function axeViolations(page, rules) {
  await settled(page);
  await page.evaluate(axe);
  const { violations } = await page.evaluate((rules) => window.axe.run(document, { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }), rules);
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(' | ')}`);
}

let passed = 0;
const failures = [];
/** A part of a test. The test goes on after a failure, to report all of them. */
export async function step(name, work) {
  try {
    const figure = await work();
    passed++;
    console.log(`ok      ${name}${figure === undefined ? '' : `: ${figure}`}`);
  } catch (error) {
    failures.push(name);
    console.log(`FAILED  ${name}: ${error.stack ?? error}`);
  }
}

export function finish() {
  console.log(`${passed} passed, ${failures.length} failed`);
  process.exitCode = failures.length ? 1 : 0;
}
