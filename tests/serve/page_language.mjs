// The catalogues of the page: the same names, placeholders and forms in each language, words that dictionaries know, and no text
// that is shown outside of them; and the same of reports. Takes the folders of the page and of reports; needs neither a browser nor a server.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';

const [folder, reports] = process.argv.slice(2);
const names = readdirSync(folder).filter((name) => name.endsWith('.js'));
const catalogues = Object.fromEntries(await Promise.all(readdirSync(join(folder, 'language')).map(async (name) => [name.slice(0, -3), (await import(pathToFileURL(join(folder, 'language', name)))).default])));
const { en } = catalogues;
const formsOf = (text) => (typeof text === 'string' ? { other: text } : text);
const places = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

const sources = new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

// Names, and values of the interface.
const notShown = /^(Excel \(XLSX\)|JSON lines|RIS: Zotero, EndNote, ASReview|English|Deutsch|Español|Content-Type|If-Match|Inkling-User|Arrow\w+|Home|End|Escape|Enter|Backspace|noopener noreferrer|--keep-text|Delete|BroadcastChannel|likely good|may be good|unlikely to be good|in no document|no letter or digit|side by side in no document|a stop word|too short|too common|too rare|newsgroups, \d % good|systematic reviews|inkling serve --users FILE)$/;
const tokens = /\/\*[^]*?\*\/|\/\/.*|(?<=[(,=:[!&|?{};]\s*|return )\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\\n]|\\.)*)`/g;
const isStyle = /(class|className|animation)\b[^,]*$|(closest(\?\.)?|querySelector(All)?|matches|createElementNS)\($/;
const isChild = /\}, $|\b(press|field|quiet|section|say|tell)\($/;
/** What a source shows without the catalogue, as far as it looks so: words with a capital letter, several words, and children. */
function textsIn(code) {
  return [...code.matchAll(tokens)].flatMap(({ index, 1: quoted, 2: template }) => {
    const text = quoted ?? template?.replace(/\$\{[^}]*\}?/g, ' ').trim() ?? '';
    const before = code.slice(Math.max(0, index - 60), index);
    const isText = /^[A-Z][a-zäöü]+|[A-Za-z]{2,},? [a-z]{2,}/.test(text) || (isChild.test(before) && /[a-z]{2}/.test(text));
    return isText && !isStyle.test(before) && !notShown.test(text) ? [text] : [];
  });
}

for (const [language, texts] of Object.entries(catalogues)) {
  test(`${language} has the names, forms and placeholders of English`, () => {
    assert.deepEqual(Object.keys(texts), Object.keys(en));
    for (const [name, text] of Object.entries(texts)) {
      assert.deepEqual(Object.keys(formsOf(text)), Object.keys(formsOf(en[name])), name);
      for (const [form, said] of Object.entries(formsOf(text))) {
        assert.deepEqual(new Set(places(said)), new Set(places(formsOf(en[name])[form])), name);
        assert.ok(said && said === said.trim() && !/ {2}|[{}]/.test(said.replace(/\{\w+\}/g, 'x')), name);
        if (language !== 'en') assert.equal(/[.:?!…]$/.exec(said)?.[0], /[.:?!…]$/.exec(formsOf(en[name])[form])?.[0], `${name} ends otherwise`);
      }
    }
  });
}

test('each name is used, and each that is used is there', () => {
  const all = [...sources.values()].join('\n');
  const quoted = new Set([...all.matchAll(/'([\w-]+)'/g)].map(([, name]) => name));
  const prefixes = [...all.matchAll(/\b(?:t|rich|hasText)\(`(\w+_)\$\{/g)].map(([, prefix]) => prefix);
  assert.deepEqual(Object.keys(en).filter((name) => !quoted.has(name) && !prefixes.some((prefix) => name.startsWith(prefix))), []);
  const asked = [...all.matchAll(/\b(?:t|rich)\((?:[^()'`]*\? )?'([\w-]+)'(?: : '([\w-]+)')?/g)].flatMap(([, one, other]) => [one, other]).filter(Boolean);
  assert.ok(asked.length > 200, String(asked.length));
  assert.deepEqual(asked.filter((name) => !Object.hasOwn(en, name)), []);
});

test('no text is shown that is not in the catalogues', () => {
  assert.deepEqual(textsIn("h('p', { class: 'quiet small' }, t('x'), 'Nothing', h('b', {}, 'two')); say(`${n} of them`); // 'No more'\n h('p', {}, x ? 'no more' : /'/)"), ['Nothing', 'two', 'of them', 'no more']);
  for (const [name, code] of sources) assert.deepEqual(textsIn(code), [], name);
});

const languages = ['en', 'de', 'es'];
const reportTexts = [...readFileSync(join(reports, 'report_texts.inc'), 'utf8').matchAll(/^\{("[^]*?")\},$/gm)].map(([, row]) => JSON.parse(`[${row}]`));

test('a report has each text in all languages, with the same placeholders, and uses it', () => {
  const code = readFileSync(join(reports, 'report_page.cpp'), 'utf8').replace(/"\s*\n\s*"/g, '');
  assert.ok(reportTexts.length > 80, String(reportTexts.length));
  for (const texts of reportTexts) {
    assert.equal(texts.length, languages.length, texts[0]);
    for (const text of texts) assert.deepEqual(text.match(/\{\d?\}/g)?.sort(), texts[0].match(/\{\d?\}/g)?.sort(), text);
    assert.ok(code.includes(JSON.stringify(texts[0])), `${texts[0]} is not used`);
  }
});

// What no dictionary has: names, formats, and words of the trade.
const known = {
  de_DE: 'abstract Abstract Abstracts al BMJ Page PRISMA Screening κ BibTeX CSL CSV Cohens EndNote ff Inkling JSON Klondike anhaken Lines Newsgroups oful Publikationstyp PubMed RIS random serve inkling Stoppregel Stoppwort Umschalt Strg',
  es_ES: 'abstract BMJ n Page κ BibTeX CSL CSV Cohen EndNote Excel ff HTML Inkling inkling JSON Lines oful PubMed RIS random serve title token Intro Ctrl Mayús Inícielo Reintentar escríbalo Escríbalas péguelas elíjalos Expórtelo quítelas púlsela Sepárelas Sepárelo Sepárelos',
};
for (const [dictionary, words] of Object.entries(known)) {
  test(`the dictionary ${dictionary} knows the words`, (context) => {
    const { direction, ...texts } = catalogues[dictionary.slice(0, 2)];
    const said = new Set(Object.values(texts).flatMap((text) => Object.values(formsOf(text))).concat(reportTexts.map((row) => row[languages.indexOf(dictionary.slice(0, 2))])).flatMap((text) => text.replace(/\{\w+\}|&#\d+;/g, ' ').match(/\p{L}+/gu)));
    const { error, status, stdout } = spawnSync('hunspell', ['-d', dictionary, '-i', 'utf-8', '-l'], { input: [...said, 'Unfugwortxyz', ''].join('\n'), encoding: 'utf8' });
    if (error || status !== 0) return context.skip(`no hunspell with ${dictionary}`);
    const unknown = new Set(stdout.split('\n').filter(Boolean));
    assert.ok(unknown.delete('Unfugwortxyz'));
    assert.deepEqual([...unknown].filter((word) => !words.split(' ').includes(word)), []);
    assert.deepEqual(words.split(' ').filter((word) => !unknown.has(word)), [], 'in the list without need');
  });
}
