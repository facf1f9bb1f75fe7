// Every screen in three languages and both themes, also in small windows, is accessible and small.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Server, axeViolations, finish, folder, launch, makePool, openPage, settled, step } from './parts.mjs';

const mostBytes = 90_000;

makePool();
for (const end of ['', '-wal', '-shm', '.json']) rmSync(join(folder, `screens.db${end}`), { force: true });
const server = new Server();
await server.start(undefined, join(folder, 'screens.db'));
const browser = await launch();
const problems = [];
const origin = new URL(server.address).origin;

// One context signs in, and its cookies serve all others.
const first = await browser.newContext();
const page = await openPage(first, problems);
await step('a browser without a token is asked for one, accessibly', async () => {
  await page.goto(origin);
  if (await page.getByLabel('Six digits, or token').count()) assert.deepEqual(await axeViolations(page), []);
});
await page.goto(server.address);
await page.getByLabel('What are you looking for?').fill('Soil and compost');
await page.getByRole('combobox', { name: 'Words to begin with' }).fill('soil, -ferry');
await page.keyboard.press('Enter');
await page.locator('.chip').nth(1).waitFor();
await page.getByRole('button', { name: 'Begin' }).click();
await page.locator('.text').waitFor();
for (let n = 0; n < 8; n++) {
  const before = await page.textContent('#document');
  const good = /soil|compost/i.test(await page.textContent('.text'));
  await page.locator('.text .word').nth(n % 3).click();
  await page.keyboard.press(good ? 'v' : 'x');
  await page.waitForFunction((before) => document.querySelector('#document').textContent !== before, before);
}
const name = new URL(page.url()).hash.split('/')[1];
const state = await first.storageState();
const screens = { Start: '#/', Read: `#/${name}/read`, Words: `#/${name}/words`, History: `#/${name}/history`, Progress: `#/${name}/progress`, Keys: '#/settings', Copies: `#/${name}/copies` };
const show = async (one, where) => {
  await one.goto('about:blank');
  await one.goto(`${origin}/${where}`);
  await one.getByRole('heading', { level: 1 }).first().waitFor();
  await settled(one);
};

/** What a screen says, without what comes from documents, people and the server. */
const saidOn = (one) => one.evaluate(() => {
  const own = (element) => !element.closest('bdi, code, [dir], [lang=en], [lang=de], [lang=es], .text, .brand, #policy, #encoding option + option');
  const inside = [...document.body.querySelectorAll('*')].filter(own);
  const texts = inside.flatMap((element) => [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data)).concat(inside.flatMap((element) => [element.ariaLabel, element.title]));
  return [...new Set(texts.map((text) => text?.trim()).filter((text) => /[a-z]{3}/i.test(text ?? '')))];
});
const english = {};
const catalogue = async (language) => (await import(new URL(`../../../io/doors/serve/page/language/${language}.js`, import.meta.url))).default;
const en = await catalogue('en');
for (const locale of ['en-US', 'de-AT', 'es-MX']) {
  const language = locale.slice(0, 2);
  const texts = await catalogue(language);
  const same = new Set(Object.keys(en).filter((name) => en[name] === texts[name]).map((name) => en[name]));
  const context = await browser.newContext({ storageState: state, locale });
  const one = await openPage(context, problems);
  for (const [screen, where] of Object.entries(screens)) {
    await step(`axe finds nothing on ${screen} in ${language}, light and dark, and all of it is in this language`, async () => {
      await show(one, where);
      if (screen === 'Read') await one.locator('.text .word').nth(1).click();
      await one.evaluate(() => document.querySelectorAll('details').forEach((part) => (part.open = true)));
      await one.emulateMedia({ colorScheme: 'light' });
      assert.deepEqual(await axeViolations(one), []);
      await one.emulateMedia({ colorScheme: 'dark' }); // the same elements in other colours
      assert.deepEqual(await axeViolations(one, ['color-contrast']), []);
      assert.equal(await one.getAttribute('html', 'lang'), language);
      const said = await saidOn(one);
      if (language === 'en') english[screen] = new Set(said);
      else assert.deepEqual(said.filter((text) => english[screen].has(text) && !same.has(text) && !/^RIS, PubMed/.test(text)), []);
    });
  }
  await context.close();
}

const cutOff = (one) => one.evaluate(() => [...document.querySelectorAll('main *, nav *, #bar *')].filter((element) => {
  const style = getComputedStyle(element);
  return element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1 && style.display !== 'inline' && style.overflowX !== 'auto' && !element.closest('.unseen, .two-lines, svg') && !element.querySelector('.scroll, .unseen');
}).map((element) => element.outerHTML.slice(0, 100)));
for (const [what, locale, direction] of [['German', 'de-DE', 'ltr'], ['text from right to left', 'en-US', 'rtl']]) {
  await step(`${what} fits 390 pixels without scrolling sideways, and nothing is cut`, async () => {
    const context = await browser.newContext({ storageState: state, locale, viewport: { width: 390, height: 844 } });
    const one = await openPage(context, problems);
    for (const [screen, where] of Object.entries(screens)) {
      await show(one, where);
      await one.evaluate((direction) => {
        document.documentElement.dir = direction;
        document.querySelectorAll('details').forEach((part) => (part.open = true));
      }, direction);
      assert.equal(await one.evaluate(() => document.documentElement.scrollWidth), 390, screen);
      assert.deepEqual(await cutOff(one), [], screen);
      if (screen === 'Read' && direction === 'rtl') assert.ok((await one.locator('.brand').boundingBox()).x > 195, 'the page begins at the right');
    }
    await context.close();
  });
}

await step('German in the largest letters fits 390 pixels, and nothing is cut', async () => {
  const context = await browser.newContext({ storageState: state, locale: 'de-DE', viewport: { width: 390, height: 844 } });
  const one = await openPage(context, problems);
  for (const [screen, where] of Object.entries(screens)) {
    await show(one, where);
    await one.evaluate(() => (document.documentElement.dataset.size = '150'));
    assert.equal(await one.evaluate(() => document.documentElement.scrollWidth), 390, screen);
    assert.deepEqual(await cutOff(one), [], screen);
  }
  await context.close();
});

const longReasons = ['Bevölkerungsgruppe außerhalb der Fragestellung', 'keine Vergleichsgruppe vorhanden', 'Zielgröße nicht berichtet', 'Intervention', 'Vergleichsbehandlung',
  'Studiendesign ungeeignet', 'Publikationstyp', 'Sprache', 'Veröffentlichungszeitraum', 'Krankenhausversorgungsqualitätssicherungsmaßnahme'];
for (const many of [3, 10]) {
  await step(`${many} reasons with long names are whole and stay in their place on a phone, whatever the document`, async () => {
    const context = await browser.newContext({ storageState: state, locale: 'de-DE', viewport: { width: 390, height: 844 } });
    const one = await openPage(context, problems);
    await show(one, screens.Start);
    const { session } = await one.evaluate(async (reasons) => (await fetch('/api/v1/sessions', { method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Gründe', pool: 'screens-pool', words: ['soil'], reasons }) })).json(), longReasons.slice(0, many));
    const places = () => one.locator('#bar button').evaluateAll((all) => all.filter((button) => button.checkVisibility()).map((button) => {
      const { x, y, width, height } = button.getBoundingClientRect();
      return { x, y, right: x + width, bottom: y + height };
    }));
    for (const [width, height] of [[390, 844], [320, 844], [320, 568]]) {
      const what = `${width} by ${height}`;
      await one.setViewportSize({ width, height });
      await show(one, `#/${session}/read`);
      assert.equal(await one.evaluate(() => document.documentElement.scrollWidth), width, what);
      assert.deepEqual(await cutOff(one), [], what);
      const before = await places();
      const [[hides, sideways], bar] = [await one.locator('.reasons').evaluate((row) => [row.scrollHeight > row.clientHeight + 1, row.scrollWidth > row.clientWidth]), await one.locator('#bar').boundingBox()];
      assert.ok(!sideways, `${what}: sideways`);
      assert.ok(bar.height <= height * 0.6, `${what}: the bar takes ${bar.height} pixels`);
      if (height === 844) { // where a window is as small as 568 pixels they may scroll down
        assert.ok(!hides, `${what}: a reason is out of sight`);
        for (const [at, button] of before.entries()) {
          assert.ok(button.x >= 0 && button.right <= width && button.y >= bar.y && button.bottom <= height, `${what}: button ${at} is cut`);
          assert.ok(before.slice(0, at).every((other) => other.right <= button.x || button.right <= other.x || other.bottom <= button.y || button.bottom <= other.y), `${what}: button ${at} covers another`);
        }
      }
      const document = await one.textContent('#document');
      await one.keyboard.press('s');
      await one.waitForFunction((document) => window.document.querySelector('#document').textContent !== document, document);
      await one.evaluate(() => document.querySelector('.text').append(' and so on'.repeat(300)));
      assert.deepEqual(await places(), before, `${what}: moved by the next document`);
      await one.evaluate(() => scrollTo(0, 1e6));
      const [end, top] = await one.evaluate(() => [document.querySelector('main').getBoundingClientRect().bottom, document.querySelector('#bar').getBoundingClientRect().y]);
      assert.ok(end <= top + 1, `${what}: the end of the text is covered`);
    }
    for (const colorScheme of ['light', 'dark']) {
      await one.emulateMedia({ colorScheme });
      assert.deepEqual(await axeViolations(one), [], colorScheme);
    }
    await context.close();
  });
}

await step('the language is that of the settings before that of the browser, and stays', async () => {
  const context = await browser.newContext({ storageState: state, locale: 'fr-FR' });
  const one = await openPage(context, problems);
  await show(one, screens.Keys);
  assert.equal(await one.getAttribute('html', 'lang'), 'en');
  await one.getByRole('radio', { name: 'Deutsch' }).check();
  await one.getByRole('heading', { name: 'Tasten und Einstellungen' }).waitFor();
  await show(one, screens.Progress);
  await one.getByRole('heading', { level: 1, name: 'Fortschritt' }).waitFor();
  await context.close();
});

await step('an address that leads nowhere shows the start', async () => {
  const context = await browser.newContext({ storageState: state });
  const one = await openPage(context, problems);
  await show(one, screens.Start);
  const heading = await one.getByRole('heading', { level: 1 }).first().textContent();
  for (const where of ['#/%E0%A4%A', `#/${name}/constructor`, `#/${name}/__proto__/1`, `#/${name}/%`]) {
    await show(one, where);
    assert.equal(await one.getByRole('heading', { level: 1 }).first().textContent(), heading, where);
  }
  await context.close();
});

for (const [what, viewport] of [['320 pixels', { width: 320, height: 640 }], ['200 % zoom', { width: 640, height: 400 }]]) {
  const context = await browser.newContext({ storageState: state, viewport });
  const one = await openPage(context, problems);
  for (const [screen, where] of Object.entries(screens)) {
    await step(`${screen} fits ${what} without scrolling sideways`, async () => {
      await show(one, where);
      const width = await one.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= viewport.width, `${width} pixels wide`);
    });
  }
  await step(`no name is squeezed to a column of letters at ${what}`, async () => {
    for (const [screen, what] of [['History', '.events strong'], ['Words', '.bars th[scope=row]']]) {
      await show(one, screens[screen]);
      await one.locator(what).first().waitFor();
      const squeezed = await one.locator(what).evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height > 60).map((one) => one.textContent));
      assert.deepEqual(squeezed, []);
    }
  });
  await step(`a document can be read and rated at ${what}`, async () => {
    await show(one, screens.Read);
    const [bar, text] = [await one.locator('#bar').boundingBox(), await one.locator('.text').boundingBox()];
    assert.ok(bar.height <= viewport.height / 2.5, `the bar takes ${bar.height} pixels`);
    assert.ok(text.y < viewport.height);
    for (const button of ['Yes', 'No', 'Later', 'Undo', 'Note']) assert.ok(await one.locator('#bar').getByRole('button', { name: button, exact: true }).isVisible());
  });
  await context.close();
}

await step('where one person alone reaches the server, nothing speaks of others', async () => {
  const context = await browser.newContext({ storageState: state });
  const one = await openPage(context, problems);
  for (const where of [screens.Start, screens.Read, screens.Keys]) {
    await show(one, where);
    assert.equal(await one.getByRole('link', { name: 'People' }).count(), 0, where);
  }
  await one.keyboard.press('?');
  await one.getByRole('dialog').waitFor();
  assert.equal(await one.getByRole('dialog').getByText(/People|somebody else/).count(), 0);
  await context.close();
});

await step('whoever presses a button keeps it, and hears what came of it', async () => {
  const context = await browser.newContext({ storageState: state });
  const one = await openPage(context, problems);
  await show(one, screens.Read);
  for (const act of ['no', 'later', 'undo', 'undo']) {
    await one.locator(`#bar [data-act=${act}]`).focus();
    await one.keyboard.press('Enter');
    await one.waitForFunction(() => /Next: /.test(document.querySelector('#status').textContent));
    assert.equal(await one.evaluate(() => document.activeElement.dataset.act), act);
    await one.evaluate(() => (document.querySelector('#status').textContent = ''));
  }
  await context.close();
});

await step('a chip leaves its word whole at 320 pixels, while the pool is asked and behind a long reason', async () => {
  const context = await browser.newContext({ storageState: state, viewport: { width: 320, height: 640 } });
  const one = await openPage(context, problems);
  await show(one, screens.Start);
  let answer;
  const asked = new Promise((resolve) => (answer = resolve));
  await one.route('**/asked?*', async (route) => (await asked, route.continue()));
  const wordsAreWhole = async () => {
    const heights = await one.locator('.chip > span').evaluateAll((all) => all.map((word) => word.getBoundingClientRect().height));
    assert.equal(heights.length, 2);
    assert.ok(heights.every((height) => height < 48), String(heights));
  };
  await one.getByRole('combobox', { name: 'Words to begin with' }).pressSequentially('the rose ');
  await one.locator('.chip[aria-busy]', { hasText: 'rose' }).waitFor();
  await wordsAreWhole();
  answer();
  await one.locator('.chip:not([aria-busy])', { hasText: 'rose' }).waitFor();
  await one.locator('.chip[aria-busy]').waitFor({ state: 'detached' });
  await wordsAreWhole();
  await context.close();
});

await step('nothing moves for people who ask for that', async () => {
  const context = await browser.newContext({ storageState: state, reducedMotion: 'reduce' });
  const one = await openPage(context, problems);
  await show(one, screens.Read);
  const moving = await one.evaluate(() => [...document.querySelectorAll('*')].filter((element) => {
    const style = getComputedStyle(element);
    return style.animationName !== 'none' || style.transitionDuration.split(', ').some((time) => parseFloat(time) > 0);
  }).length);
  assert.equal(moving, 0);
  await context.close();
});

await step('each thing to press is a target of at least 24 pixels', async () => {
  const context = await browser.newContext({ storageState: state, viewport: { width: 320, height: 640 } });
  const one = await openPage(context, problems);
  await show(one, screens.Read);
  const small = await one.locator('button:visible, select:visible, summary:visible').evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height < 24 || one.getBoundingClientRect().width < 24).map((one) => one.outerHTML.slice(0, 80)));
  assert.deepEqual(small, []);
  await context.close();
});

await step(`the whole page weighs at most ${mostBytes} bytes on its way`, async () => {
  const context = await browser.newContext({ storageState: state, locale: 'de-DE' });
  const one = await openPage(context, problems);
  const client = await context.newCDPSession(one);
  await client.send('Network.enable');
  let bytes = 0;
  const ofPage = new Map();
  client.on('Network.responseReceived', ({ requestId, response }) => /\/(assets\/.*)?$/.test(new URL(response.url).pathname) && ofPage.set(requestId, response.url));
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => ofPage.has(requestId) && (bytes += encodedDataLength));
  await show(one, screens.Read);
  await one.waitForLoadState('networkidle');
  await context.close();
  assert.ok(ofPage.size > 10, `${ofPage.size} files`);
  assert.ok(bytes <= mostBytes, `${bytes} bytes`);
  return `${bytes} bytes in ${ofPage.size} files`;
});

await step('no error in any page', async () => assert.deepEqual(problems, []));

await browser.close();
await server.kill();
finish();
