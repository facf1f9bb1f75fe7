// Which parts of a text are its title, which words are tinted, and which are in colours of the reader's own. Plain functions.

const mostPlaces = 12; // of learned words in one text: more would hide each other
const placesOfWord = 3; // a learned word is tinted where it comes first
const leastShare = 0.25; // of the largest weight: with less a word hardly matters
const leastMost = 0.5; // where all words weigh little, none looks as if it weighed much
export const colours = 5;

const isBlank = (letter) => /\s/.test(letter);

/** How long the title is at the begin of a text, whatever blanks either has; 0 where the text does not begin with all of it. A
 * title that was cut ("…") ends with its line. */
export function lengthOfTitle(text, title) {
  const wanted = title.trim().replace(/\s+/g, ' ');
  const isCut = wanted.endsWith('…') && !text.startsWith(title);
  const letters = isCut ? wanted.slice(0, -1).trimEnd() : wanted;
  if (!letters) return 0;
  let at = 0;
  while (at < text.length && isBlank(text[at])) at++;
  for (const letter of letters.split('')) {
    if (letter === ' ' ? !isBlank(text[at] ?? '') : text[at] !== letter) return 0;
    at++;
    if (letter === ' ') while (at < text.length && isBlank(text[at])) at++;
  }
  if (isCut) {
    const end = text.indexOf('\n', at);
    return end < 0 ? text.length : end;
  }
  return at === text.length || isBlank(text[at]) ? at : 0;
}

/** The runs of a text, divided where its title ends: {runs, title}, how many of the runs are the title. A run is [piece, feature,
 * phrases]; a phrase is [feature, how many runs]. */
export function runsByTitle(runs, title) {
  const length = title ? lengthOfTitle(runs.map(([piece]) => piece).join(''), title) : 0;
  if (!length) return { runs, title: 0 };
  let end = 0;
  const at = runs.findIndex(([piece]) => (end += piece.length) >= length);
  const before = length - (end - runs[at][0].length);
  if (end === length) return { runs, title: at + 1 };
  const [piece, feature] = runs[at];
  // A phrase that spans the end of the title is none: it is of two sentences.
  const own = runs.slice(0, at).map(([said, word, phrases], index) => [said, word, phrases?.filter(([, runs]) => index + runs <= at)]);
  return { runs: [...own, [piece.slice(0, before), feature], [piece.slice(before), null], ...runs.slice(at + 1)], title: at + 1 };
}

/** How strongly a word speaks, as a name of a tint; null for hardly. */
function lookOfWeight(weight, most) {
  const share = Math.abs(weight) / most;
  return share < leastShare ? null : `${weight > 0 ? 'for' : 'against'}-${share >= 0.6 ? 3 : share >= 0.4 ? 2 : 1}`;
}

/** What is tinted of a text: [look, first run, last run]. `places` are [feature, first, last], `marks` maps features to what the
 * reader says of them here, `parts` are the words of `why`, and `mode` is off, marked or all: only these marks; what somebody
 * marked in any document, too; and what was learned, the heaviest words first, few of them, and none that says nothing. */
export function tintsOf(places, { marks, parts, mode }) {
  const byFeature = new Map(parts.map((part) => [part.feature, part]));
  const most = Math.max(leastMost, ...parts.filter(({ common, marked }) => !common || marked).map(({ weight }) => Math.abs(weight)));
  const tints = [];
  const learned = [];
  for (const [feature, first, last] of places) {
    const part = byFeature.get(feature);
    if (marks.has(feature)) tints.push([marks.get(feature) > 0 ? 'marked-for' : 'marked-against', first, last]);
    else if (mode === 'off' || !part) continue;
    else if (part.marked) tints.push([lookOfWeight(part.weight, most) ?? (part.marked > 0 ? 'for-1' : 'against-1'), first, last]);
    else if (mode === 'all' && !part.common && lookOfWeight(part.weight, most)) learned.push([part, first, last]);
  }
  learned.sort((one, other) => Math.abs(other[0].weight) - Math.abs(one[0].weight));
  const shown = new Map();
  for (const [part, first, last] of learned) {
    const before = shown.get(part.feature) ?? 0;
    if (before === placesOfWord || tints.learned === mostPlaces) continue;
    shown.set(part.feature, before + 1);
    tints.learned = (tints.learned ?? 0) + 1;
    tints.push([lookOfWeight(part.weight, most), first, last]);
  }
  return tints;
}

/** The words of a list as they are typed, between commas. */
export const wordsIn = (typed) => (typed ?? '').split(/[,;\n]/).map((word) => word.trim()).filter(Boolean);

/** Where a text holds words of a list, whole and in any case; `random*` is every word that begins so: [begin, end] of letters. */
export function placesOfWords(text, typed) {
  const escaped = wordsIn(typed).map((word) => word.replace(/[.+?^${}()|[\]\\/-]/g, '\\$&').replace(/\s+/g, '\\s+').replace(/\*/g, '[\\p{L}\\p{N}]*'));
  if (!escaped.length) return [];
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  return [...text.matchAll(pattern)].filter(([found]) => found).map(({ index, 0: found }) => [index, index + found.length]);
}
