// What the page shows of searches, without a browser: its own code on answers of the server, as text. Standard input is a list
// of {facts, answers by address}; standard output, for each, the texts of the history by filter, and of the progress.
import { readFileSync } from 'node:fs';

const [place] = process.argv.slice(2);

/** As much of an element as the page needs to put text into one. */
class Element {
  constructor(tag, namespaceURI = 'html') {
    Object.assign(this, { tag, namespaceURI, children: [], listeners: {}, style: {}, dataset: {} });
  }
  append(...children) {
    this.children.push(...children);
  }
  replaceChildren(...children) {
    this.children = children;
  }
  setAttribute(name, value) {
    this[name] = value;
  }
  addEventListener(name, listener) {
    this.listeners[name] = listener;
  }
  get textContent() {
    return this.children.map((child) => child.textContent ?? String(child)).join('');
  }
  set textContent(text) {
    this.children = [text];
  }
  all(tag) {
    return this.children.filter((child) => child instanceof Element).flatMap((child) => [...(child.tag === tag ? [child] : []), ...child.all(tag)]);
  }
}
Object.assign(globalThis, {
  window: globalThis, innerWidth: 1000, addEventListener: () => {}, localStorage: { getItem: () => '{"language":"en"}', setItem: () => {}, removeItem: () => {} },
  document: { createElement: (tag) => Object.assign(new Element(tag), { value: '' }), createElementNS: (name, tag) => new Element(tag, name) },
});
delete globalThis.BroadcastChannel;
let answers = {};
globalThis.fetch = async (address) => {
  const none = { '/copies?': { documents: [], hidden: 0 }, '/tags': { tags: [] } };
  const answer = answers[address.replace('/api/v1/', '')] ?? Object.entries(none).find(([place]) => address.includes(place))?.[1];
  return { ok: answer !== undefined, status: answer === undefined ? 404 : 200, json: async () => structuredClone(answer ?? { detail: address }) };
};

const { search } = await import(`${place}/search.js`);
const { makeScreen: historyScreen } = await import(`${place}/screen_history.js`);
const { makeScreen: progressScreen } = await import(`${place}/screen_progress.js`);

const texts = [];
for (const one of JSON.parse(readFileSync(0, 'utf8'))) {
  answers = one.answers;
  Object.assign(search, { id: one.facts.session, facts: one.facts });
  const given = { place: { id: search.id }, attempt: (work) => work(), act: (work) => work };
  // A select has no value of its own here: each filter in turn.
  const history = {};
  for (const [name, filter] of Object.entries({ 'All answers': 'all', 'Good ones': 'good', 'Ones that were not good': 'bad', Notes: 'notes' })) {
    const make = document.createElement;
    document.createElement = (tag) => Object.assign(make(tag), tag === 'select' ? { value: filter } : {});
    const { content } = await historyScreen(given);
    document.createElement = make;
    history[name] = content.all('ol')[0].children.map((row) => row.textContent);
  }
  const { content } = await progressScreen(given);
  const listed = content.all('ul').filter((list) => list.class === 'searches').flatMap((list) => list.all('strong').map((name) => name.textContent));
  texts.push({ history, progress: content.all('dd').map((value) => value.textContent), found: listed, paragraphs: content.all('p').map((text) => text.textContent),
    points: (content.all('path').find((path) => path.class === 'found')?.d.match(/[ML]/g) ?? []).length });
}
process.stdout.write(JSON.stringify(texts));
