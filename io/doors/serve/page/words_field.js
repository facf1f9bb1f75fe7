// A field in which words are typed or pasted, with suggestions from the pool, and the chips of all that was typed.
import { get, part } from './api.js';
import { h, redraw } from './dom.js';
import { t } from './language.js';

let fields = 0;
const mostAtOnce = 6000; // bytes of an address
const quotes = '"“”„‟«»';
const dividers = /[\s,;\u060C\u061B\u3001\uFF0C\uFF1B]/;

/** Where the last, maybe unfinished word begins: after the last blank or comma that is neither in quotes nor after a minus. */
function endOfWords(text) {
  let open = false;
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    if (quotes.includes(text[at])) [open, end] = [!open, open ? at + 1 : end]; // until it is closed a quote holds all behind it
    else if (!open && dividers.test(text[at]) && !/(^|[,;])\s*[-−]\s*$/.test(text.slice(0, at + 1))) end = at + 1;
  }
  return end;
}

/** Pieces that fit into an address, cut where words end. */
function pieces(text) {
  if (part(text).length <= mostAtOnce) return [text];
  const middle = endOfWords(text.slice(0, text.length / 2)) || Math.floor(text.length / 2);
  return [...pieces(text.slice(0, middle)), ...pieces(text.slice(middle))];
}

/** What the pool says of the words of a text, and which to propose. Line ends are sent as the separator that an address may hold. */
export const askWords = (pool, text) => get(`pools/${part(pool)}/asked?text=${part(text.replace(/\r\n?|\n/g, '\u2028'))}`);

const whyNot = { 'in no document': 'in_no_document', 'no letter or digit': 'no_letter', 'side by side in no document': 'not_side_by_side', 'a stop word': 'stop_word', 'too short': 'too_short', 'too common': 'too_common', 'too rare': 'too_rare' };
/** Why a pool lacks a word: most reasons are known here, the others are shown as the server says them. */
function reasonOf(said) {
  const name = whyNot[said] ?? whyNot[said.split(':')[0]];
  return name ? t(name) : said;
}

/** A word as a chip, with how many documents hold it or why it is not known; `more` are its buttons. */
export const wordChip = ({ word, typed, wanted, documents, why_not: why }, ...more) =>
  h('li', { class: why ? 'chip unknown' : wanted ? 'chip' : 'chip against' }, h('span', { dir: 'auto' }, wanted ? word ?? typed : t('not_word', { word: word ?? typed })),
    h('small', { class: 'number' }, why ? reasonOf(why) : t('documents', { n: documents })), more);

/** `pool()` names the pool. Words begin with a minus where they are not wanted. */
export class WordsField {
  constructor({ label, hint, pool, changed = () => {} }) {
    const id = `words-${++fields}`;
    // An entry is an answer of the pool, or {text} for what it was not asked of yet.
    Object.assign(this, { pool, changed, entries: [], active: -1, options: [] });
    this.list = h('ul', { id: `${id}-list`, role: 'listbox', 'aria-label': t('words_of_pool'), hidden: true });
    this.input = h('input', {
      id, role: 'combobox', autocomplete: 'off', spellcheck: false, dir: 'auto', 'aria-autocomplete': 'list', 'aria-expanded': 'false',
      'aria-controls': `${id}-list`, 'aria-describedby': `${id}-hint`,
      oninput: (event) => event.isComposing || this.typed(), oncompositionend: () => this.typed(), onpaste: (event) => this.paste(event),
      onkeydown: (event) => this.key(event),
      // The button of the form takes them, too: chips that come before the mouse is up would move it away.
      onblur: ({ relatedTarget }) => relatedTarget?.type === 'submit' || this.take(),
    });
    this.chips = h('ul', { class: 'chips', 'aria-label': t('words_so_far') });
    this.problem = h('p', { class: 'against small', role: 'status' });
    this.element = h('div', {},
      h('label', { for: id }, h('span', {}, label)),
      h('p', { class: 'hint', id: `${id}-hint` }, hint),
      h('div', { class: 'suggest' }, this.input, this.list), this.problem, this.chips);
  }

  /** The typed words that the pool has: [{word, rate}]. */
  get words() {
    return this.entries.filter(({ feature }) => feature !== undefined).map(({ feature, wanted }) => ({ word: feature, rate: wanted ? 1 : -1 }));
  }

  /** Asks another pool for all that was typed. */
  askAgain() {
    const all = this.entries.map(({ text, typed, wanted }) => text ?? `${wanted ? '' : '-'}"${typed}"`).join(' ');
    this.entries = [];
    this.draw();
    return this.look(all);
  }

  typed() {
    this.problem.textContent = '';
    const end = endOfWords(this.input.value);
    if (end > 0) {
      const words = this.input.value.slice(0, end);
      this.input.value = this.input.value.slice(end);
      this.look(words);
    }
    return this.suggest();
  }

  /** A list of several lines would lose its line ends in a field of one. */
  paste(event) {
    const pasted = event.clipboardData.getData('text/plain');
    if (!/[\r\n]/.test(pasted.trim())) return;
    event.preventDefault();
    const { value, selectionStart, selectionEnd } = this.input;
    this.input.value = '';
    this.look(value.slice(0, selectionStart) + pasted + value.slice(selectionEnd));
  }

  /** Words of the pool with this prefix; if there are none, those with the prefix in small letters. */
  async wordsLike(word) {
    const { words } = await get(`pools/${part(this.pool())}/words?prefix=${part(word)}&limit=8`);
    return words.length || word === word.toLowerCase() ? words : this.wordsLike(word.toLowerCase());
  }

  async suggest() {
    const typed = this.input.value;
    const word = typed.replace(/^\s*[-−]?\s*["“„«]?/, '');
    if (!word || word.length > 100) return this.close();
    const found = await this.wordsLike(word).catch(() => []);
    if (typed !== this.input.value || document.activeElement !== this.input) return; // the reader went on
    const pointed = this.options[this.active]?.word; // an answer may come after the reader pressed an arrow
    this.options = found;
    this.list.replaceChildren(...found.map((one, index) =>
      h('li', { id: `${this.list.id}-${index}`, role: 'option', 'aria-selected': 'false', onpointerdown: (event) => (event.preventDefault(), this.add(one)) },
        h('span', {}, one.word), h('span', { class: 'quiet small number' }, t('documents', { n: one.documents })))));
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
    if (event.isComposing) return;
    if (event.key === 'ArrowDown' && many) this.point((this.active + 1) % many);
    else if (event.key === 'ArrowUp' && many) this.point((this.active < 0 ? many : this.active) - 1);
    else if (event.key === 'Escape' && many) this.close();
    else if (event.key === 'Enter' && this.active >= 0) this.add(this.options[this.active]);
    else if (event.key === 'Enter' && this.input.value.trim()) this.take();
    else if (event.key === 'Backspace' && !this.input.value && this.entries.length) this.chips.lastChild.querySelector('button')?.focus();
    else return;
    event.preventDefault();
  }

  /** Takes what is typed, and waits until the pool was asked for all of it. Returns whether a search may begin with that: with
   * words that the pool has, or without any. */
  async take() {
    const typed = this.input.value;
    this.input.value = ''; // at once: the reader may type on while the pool is asked
    this.close();
    if (typed.trim()) this.look(typed);
    await Promise.all(this.entries.map((entry) => entry.text !== undefined && (entry.asking ??= this.ask(entry))));
    if (this.words.length || !this.entries.length) return true;
    this.problem.textContent = t('words_unknown');
    return false;
  }

  /** Puts what was typed behind the chips at once, and asks the pool for it. */
  look(text) {
    for (const piece of pieces(text)) if (piece.trim()) this.entries.push({ text: piece });
    this.draw();
    return Promise.all(this.entries.map((entry) => entry.text !== undefined && (entry.asking ??= this.ask(entry))));
  }

  /** Replaces the words by the pool's answer. If there is none, they stay as they were typed, and are asked for again. */
  async ask(entry) {
    const { words } = await askWords(this.pool(), entry.text).catch((problem) => ({ problem }));
    const at = this.entries.indexOf(entry);
    if (at < 0) return; // another pool is asked now
    entry.asking = undefined;
    if (!words) {
      this.problem.textContent = t('words_not_asked');
      return;
    }
    this.entries.splice(at, 1, ...words);
    // A word that is said twice counts as it was said last, where it was said first.
    for (let later = this.entries.length - 1; later > 0; later--) {
      const same = this.entries.findIndex((one) => one.feature !== undefined && one.feature === this.entries[later].feature);
      if (same >= 0 && same < later) this.entries[same] = this.entries.splice(later, 1)[0];
    }
    this.draw();
  }

  add(word) {
    const wanted = !/^\s*[-−]/.test(this.input.value);
    this.input.value = '';
    this.close();
    const same = this.entries.findIndex(({ feature }) => feature === word.feature);
    this.entries.splice(same < 0 ? this.entries.length : same, same < 0 ? 0 : 1, { typed: word.word, wanted, ...word });
    this.draw();
  }

  drop(entry) {
    this.entries.splice(this.entries.indexOf(entry), 1);
    this.draw();
    this.input.focus();
  }

  draw() {
    const chip = (entry) => entry.text !== undefined
      ? h('li', { class: 'chip unknown', 'aria-busy': 'true' }, h('span', {}, entry.text.trim()))
      : wordChip(entry, h('button', { type: 'button', 'aria-label': t('leave_out', { word: entry.word ?? entry.typed }), onclick: () => this.drop(entry),
        onkeydown: (event) => ['Backspace', 'Delete'].includes(event.key) && (event.preventDefault(), this.drop(entry)) }, '×'));
    redraw(this.chips, () => this.entries.map(chip));
    this.changed();
  }
}
