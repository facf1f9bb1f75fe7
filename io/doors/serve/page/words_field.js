// A field in which words are typed, with suggestions from the pool: a combobox and the words chosen so far.
import { get, part } from './api.js';
import { counted, h } from './dom.js';

let fields = 0;

/** `pool()` names the pool. Words begin with a minus where they are not wanted. */
export class WordsField {
  constructor({ label, hint, pool, changed = () => {} }) {
    const id = `words-${++fields}`;
    Object.assign(this, { pool, changed, chosen: new Map(), active: -1, options: [], pending: Promise.resolve() });
    this.list = h('ul', { id: `${id}-list`, role: 'listbox', 'aria-label': 'Words of the pool', hidden: true });
    this.input = h('input', {
      id, role: 'combobox', autocomplete: 'off', spellcheck: false, 'aria-autocomplete': 'list', 'aria-expanded': 'false',
      'aria-controls': `${id}-list`, 'aria-describedby': `${id}-hint`,
      oninput: () => this.suggest(), onkeydown: (event) => this.key(event), onblur: () => setTimeout(() => this.close(), 150),
    });
    this.chips = h('ul', { class: 'chips' });
    this.problem = h('p', { class: 'against small', role: 'status' });
    this.element = h('div', {},
      h('label', { for: id }, h('span', {}, label)),
      h('p', { class: 'hint', id: `${id}-hint` }, hint),
      h('div', { class: 'suggest' }, this.input, this.list), this.problem, this.chips);
  }

  /** What was chosen: [{word, rate}]. */
  get words() {
    return [...this.chosen].map(([word, rate]) => ({ word, rate }));
  }

  clear() {
    this.chosen.clear();
    this.draw();
  }

  parts(text) {
    const sign = /^[-−]\s*/.exec(text);
    return [text.slice(sign?.[0].length ?? 0).trim(), sign ? -1 : 1];
  }

  /** Words of the pool that begin so; where none does, those that begin so in small letters. */
  async ask(word, limit) {
    const { words } = await get(`pools/${part(this.pool())}/words?prefix=${part(word)}&limit=${limit}`);
    return words.length || word === word.toLowerCase() ? words : this.ask(word.toLowerCase(), limit);
  }

  async suggest() {
    this.problem.textContent = '';
    const comma = this.input.value.lastIndexOf(',');
    if (comma >= 0) {
      const before = this.input.value.slice(0, comma);
      this.input.value = this.input.value.slice(comma + 1).trimStart();
      this.look(before);
    }
    const typed = this.input.value;
    const [word] = this.parts(typed.trim());
    if (!word) return this.close();
    const found = await this.ask(word, 8).catch(() => []);
    if (typed !== this.input.value) return; // the reader types on
    const pointed = this.options[this.active]?.word; // an answer may come after the reader pressed an arrow
    this.options = found;
    this.list.replaceChildren(...found.map((one, index) =>
      h('li', { id: `${this.list.id}-${index}`, role: 'option', 'aria-selected': 'false', onpointerdown: (event) => (event.preventDefault(), this.add(one.word)) },
        h('span', {}, one.word), h('span', { class: 'quiet small number' }, counted(one.documents, 'document')))));
    this.show(found.length > 0);
    this.point(found.findIndex(({ word }) => word === pointed));
  }

  show(open) {
    this.list.hidden = !open;
    this.input.setAttribute('aria-expanded', String(open));
  }

  close() {
    this.options = [];
    this.show(false);
    this.point(-1);
  }

  point(index) {
    this.active = index;
    [...this.list.children].forEach((option, at) => option.setAttribute('aria-selected', String(at === index)));
    if (index < 0) return this.input.removeAttribute('aria-activedescendant');
    this.list.children[index].scrollIntoView({ block: 'nearest' });
    this.input.setAttribute('aria-activedescendant', this.list.children[index].id);
  }

  key(event) {
    const many = this.options.length;
    if (event.key === 'ArrowDown' && many) this.point((this.active + 1) % many);
    else if (event.key === 'ArrowUp' && many) this.point((this.active < 0 ? many : this.active) - 1);
    else if (event.key === 'Escape' && many) this.close();
    else if (event.key === 'Enter' && this.active >= 0) this.add(this.options[this.active].word);
    else if (event.key === 'Enter' && this.input.value.trim()) this.take();
    else if (event.key === 'Backspace' && !this.input.value && this.chosen.size) this.drop([...this.chosen.keys()].at(-1));
    else return;
    event.preventDefault();
  }

  /** Takes what is typed. Returns whether each of its words is in the pool. */
  take() {
    const typed = this.input.value;
    this.input.value = ''; // at once: the reader may type on while the pool is asked
    return this.look(typed);
  }

  /** Chooses those of the words that the pool has, and gives the others back. One such look after the other. */
  look(text) {
    this.pending = this.pending.then(async () => {
      const unknown = [];
      for (const typed of text.split(',').filter((one) => one.trim())) {
        const [word, rate] = this.parts(typed.trim());
        const found = (await this.ask(word, 1).catch(() => []))[0]?.word;
        if (found?.toLowerCase() === word.toLowerCase()) this.chosen.set(found, rate);
        else unknown.push(typed.trim());
      }
      if (unknown.length) {
        this.input.value = [...unknown, this.input.value.trim()].filter(Boolean).join(', ');
        this.problem.textContent = `No document of this pool holds ${unknown.map((word) => `“${word}”`).join(', ')}.`;
      }
      this.close();
      this.draw();
      return !this.input.value.trim();
    });
    return this.pending;
  }

  add(word) {
    this.chosen.set(word, this.parts(this.input.value.trim())[1]);
    this.input.value = '';
    this.close();
    this.draw();
  }

  drop(word) {
    this.chosen.delete(word);
    this.draw();
    this.input.focus();
  }

  draw() {
    this.chips.replaceChildren(...[...this.chosen].map(([word, rate]) =>
      h('li', { class: rate < 0 ? 'chip against' : 'chip' }, rate < 0 ? `not ${word}` : word,
        h('button', { type: 'button', 'aria-label': `Leave out ${word}`, onclick: () => this.drop(word) }, '×'))));
    this.changed();
  }
}
