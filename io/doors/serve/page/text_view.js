// The text of a document: its known words tinted, its marked words filled, and four ways to mark one: a click, a
// selection, keys, and the check boxes beside it (word_list.js).
import { h } from './dom.js';
import { t } from './language.js';
import { colours, placesOfWords, runsByTitle, tintsOf } from './tints.js';

const levels = [1, 2, 3].flatMap((level) => [`for-${level}`, `against-${level}`]).concat(Array.from({ length: colours }, (_, at) => `colour-${at + 1}`), 'marked-for', 'marked-against');
const canHighlight = typeof Highlight === 'function' && 'highlights' in (window.CSS ?? {});

/** The next rate of a word that is clicked again: for it, against it, nothing. `maybe` halves it. */
export const nextRate = (rate, maybe) => (rate === undefined ? (maybe ? 0.5 : 1) : rate > 0 ? (maybe ? -0.5 : -1) : undefined);

/** How a word speaks by what was said of it, and what is said of a word of a document that speaks so: for it, a mark; against
 * it, a rating of -1. */
export const rateOf = ({ rate = 1, confidence }) => rate * confidence;
export const saidInDocument = (word, rate) => (rate < 0 ? { word, rate: -1, confidence: -rate } : { word, confidence: rate });

export const saidOf = (rate) =>
  t(rate === undefined ? 'not_marked' : rate > 0 ? (rate < 1 ? 'maybe_for' : 'for') : rate > -1 ? 'maybe_against' : 'against');

/** The runs of a text; where the pool keeps none, its words. */
const runsOf = (document) => document.runs ?? document.words.flatMap(({ word, feature }) => [[word, feature], ['   ', null]]);

export class TextView {
  /** `marks` maps features to rates; `parts` are the words of `why`; `coloured` are the reader's own words, a text for each
   * colour; `mode` is that of `tintsOf`; `mark(feature, rate)` receives each mark; `below` is shown under the title, which is the
   * heading of the page, if the text begins with one (`hasTitle`). */
  constructor(document, { marks, parts, coloured, mode, mark, say, below }) {
    const { runs, title } = document.runs ? runsByTitle(document.runs, document.title) : { runs: runsOf(document), title: 0 };
    Object.assign(this, { marks, parts, coloured, mode, mark, say, runs, cursor: -1 });
    this.nodes = this.runs.map(([piece, feature], index) =>
      feature === null ? globalThis.document.createTextNode(piece) : h(canHighlight ? 'span' : 'mark', { class: 'word', 'data-run': index }, piece),
    );
    this.hasTitle = title > 0;
    this.words = this.runs.flatMap(([, feature], index) => (feature === null ? [] : [index]));
    const heading = this.hasTitle && h('h1', { id: 'document', class: 'title', tabIndex: -1, dir: 'auto' }, this.nodes.slice(0, title));
    // The blanks between the title and the abstract are no line of their own.
    const rest = this.nodes.slice(title);
    if (this.hasTitle && rest[0]?.nodeType === Node.TEXT_NODE) rest[0].data = rest[0].data.trimStart();
    this.element = h('div', { class: 'text', tabIndex: -1, dir: 'auto',
      // Shift and a click would select the text up to here.
      onmousedown: (event) => event.shiftKey && event.target.closest('.word') && event.preventDefault(),
      onclick: (event) => this.clicked(event), onpointerup: () => setTimeout(() => this.selected()) },
      heading, this.hasTitle && below, rest);
    this.paint();
  }

  /** The places of each feature: [feature, first run, last run]; phrases come after the words in them. */
  *places() {
    for (const [index, [, feature, phrases]] of this.runs.entries()) {
      if (feature !== null) yield [feature, index, index];
      for (const [phrase, length] of phrases ?? []) yield [phrase, index, index + length - 1];
    }
  }

  /** [look, first run, last run] of all that is tinted or coloured. */
  looks() {
    const looks = tintsOf([...this.places()], this);
    if (this.mode === 'off') return looks;
    const ends = [];
    this.nodes.reduce((end, node) => (ends.push(end + node.textContent.length), ends.at(-1)), 0);
    const text = this.nodes.map((node) => node.textContent).join('');
    for (const [at, typed] of this.coloured.entries())
      for (const [begin, end] of placesOfWords(text, typed)) looks.push([`colour-${at + 1}`, ends.findIndex((one) => one > begin), ends.findIndex((one) => one >= end), begin, end]);
    return looks;
  }

  paint() {
    const ranges = new Map(levels.map((level) => [level, []]));
    for (const [look, ...place] of this.looks()) ranges.get(look).push(place);
    if (!canHighlight) for (const index of this.words) this.nodes[index].className = 'word';
    for (const [priority, level] of levels.entries()) {
      if (canHighlight) {
        const highlight = new Highlight(...ranges.get(level).map((place) => this.rangeOf(...place)));
        highlight.priority = priority;
        CSS.highlights.set(level, highlight);
      } else {
        for (const [first, last] of ranges.get(level))
          for (let index = first; index <= last; index++) this.nodes[index].classList?.add(level);
      }
    }
  }

  /** From the first to the last of these runs; with `begin` and `end`, between these letters of the text. */
  rangeOf(first, last, begin, end) {
    const range = new Range();
    if (begin === undefined) {
      range.setStartBefore(this.nodes[first]);
      range.setEndAfter(this.nodes[last]);
      return range;
    }
    const before = (index) => this.nodes.slice(0, index).reduce((letters, node) => letters + node.textContent.length, 0);
    const textOf = (index) => this.nodes[index].firstChild ?? this.nodes[index];
    range.setStart(textOf(first), begin - before(first));
    range.setEnd(textOf(last), end - before(last));
    return range;
  }

  /** Tints by another mode, or colours other words. */
  show(changes) {
    Object.assign(this, changes);
    this.paint();
  }

  /** The reader says something of a word; the marks change before this returns. */
  set(feature, rate) {
    this.mark(feature, rate);
    this.paint();
  }

  clicked(event) {
    const index = event.target.closest('.word')?.dataset.run;
    if (index === undefined || !(getSelection()?.isCollapsed ?? true)) return;
    this.turn(Number(index), event.shiftKey);
  }

  turn(index, maybe) {
    const feature = this.runs[index][1];
    this.set(feature, nextRate(this.marks.get(feature), maybe));
    this.say(`${this.runs[index][0]}: ${saidOf(this.marks.get(feature))}`);
  }

  /** The features of a selection: a phrase where it is just that, else each word in it. */
  selected() {
    const selection = getSelection();
    this.offer?.remove();
    if (!selection || selection.isCollapsed || !this.element.contains(selection.anchorNode)) return;
    const range = selection.getRangeAt(0);
    const inside = this.words.filter((index) => range.intersectsNode(this.nodes[index].firstChild) && this.isHeld(range, index));
    if (!inside.length) return;
    const phrase = [...this.places()].find(([, first, last]) => first < last && first === inside[0] && last === inside.at(-1));
    const features = phrase ? [phrase[0]] : [...new Set(inside.map((index) => this.runs[index][1]))];
    const choose = (label, rate) =>
      h('button', { type: 'button', onclick: () => (features.forEach((feature) => this.set(feature, rate)), this.offer.remove(), selection.removeAllRanges()) }, label);
    const box = range.getBoundingClientRect();
    this.offer = h('div', { class: 'selection', role: 'group', 'aria-label': t('mark_selected') }, choose(t('choose_for'), 1), choose(t('choose_maybe'), 0.5), choose(t('choose_against'), -1));
    this.offer.style.left = `${Math.max(8, Math.min(box.left, innerWidth - 260)) + scrollX}px`;
    this.offer.style.top = `${box.bottom + scrollY + 6}px`;
    globalThis.document.body.append(this.offer);
  }

  // Whether more than the edge of the word is selected.
  isHeld(range, index) {
    const word = this.rangeOf(index, index);
    return range.compareBoundaryPoints(Range.END_TO_START, word) < 0 && range.compareBoundaryPoints(Range.START_TO_END, word) > 0;
  }

  /** Starts or ends marking by keys. */
  toggleCursor() {
    if (this.cursor >= 0 || !this.words.length) return this.leaveCursor();
    this.moveTo(this.words.find((index) => this.nodes[index].getBoundingClientRect().top >= 0) ?? this.words[0]);
  }

  leaveCursor() {
    this.nodes[this.cursor]?.classList.remove('cursor');
    if (this.cursor >= 0) this.say(t('marking_off'));
    this.cursor = -1;
  }

  moveTo(index) {
    this.nodes[this.cursor]?.classList.remove('cursor');
    this.cursor = index;
    const [piece, feature] = this.runs[index];
    this.nodes[index].classList.add('cursor');
    this.nodes[index].scrollIntoView({ block: 'nearest' });
    this.say(`${piece}, ${saidOf(this.marks.get(feature))}`);
  }

  /** The word in the next line, in this direction, that is nearest to the cursor. */
  inNextLine(direction) {
    const from = this.nodes[this.cursor].getBoundingClientRect();
    const away = (box) => (box.top - from.top) * direction;
    const boxes = this.words.map((index) => [index, this.nodes[index].getBoundingClientRect()]).filter(([, box]) => away(box) > from.height / 2);
    const next = Math.min(...boxes.map(([, box]) => away(box)));
    const line = boxes.filter(([, box]) => away(box) < next + from.height / 2);
    return line.sort(([, a], [, b]) => Math.abs(a.left - from.left) - Math.abs(b.left - from.left))[0]?.[0] ?? this.cursor;
  }

  /** Takes a key while marking by keys is on; returns whether it was one of its keys. */
  key(event) {
    if (this.cursor < 0 || event.ctrlKey || event.altKey || event.metaKey) return false;
    const at = this.words.indexOf(this.cursor);
    const feature = this.runs[this.cursor][1];
    const say = (rate) => (this.set(feature, rate), this.moveTo(this.cursor));
    const moves = {
      ArrowRight: () => this.moveTo(this.words[Math.min(at + 1, this.words.length - 1)]),
      ArrowLeft: () => this.moveTo(this.words[Math.max(at - 1, 0)]),
      ArrowDown: () => this.moveTo(this.inNextLine(1)),
      ArrowUp: () => this.moveTo(this.inNextLine(-1)),
      Home: () => this.moveTo(this.words[0]),
      End: () => this.moveTo(this.words.at(-1)),
      ' ': () => this.turn(this.cursor, event.shiftKey),
      '+': () => say(1),
      '-': () => say(-1),
      Escape: () => this.leaveCursor(),
    };
    if (!moves[event.key]) return false;
    moves[event.key]();
    return true;
  }

  leave() {
    this.offer?.remove();
    if (canHighlight) levels.forEach((level) => CSS.highlights.delete(level));
  }
}
