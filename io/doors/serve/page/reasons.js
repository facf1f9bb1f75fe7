// The reasons for which a review leaves documents out: a list that its owner writes, each with a key while reading.
import { field, h, press } from './dom.js';
import { wordsIn } from './tints.js';

const usual = ['population', 'intervention', 'comparison', 'outcome', 'study design', 'publication type', 'language', 'duplicate'];
const most = 10; // as many as there are keys
const bytes = (text) => new TextEncoder().encode(text).length;

/** `chosen()` is the list, each reason once. */
export function reasonsField(given = []) {
  const input = h('input', { id: 'reasons', value: given.join(', '), maxLength: 900, autocomplete: 'off', dir: 'auto' });
  const chosen = () => [...new Set(wordsIn(input.value))].filter((reason) => bytes(reason) <= 100).slice(0, most);
  return {
    element: h('div', {}, field('Reasons to leave a document out', input, 'Each gets a button and a key that says No with this reason. Put commas between them, at most ten.'),
      press('Fill in the usual ones', () => (input.value = usual.join(', ')), { class: 'plain small' })),
    chosen,
  };
}
