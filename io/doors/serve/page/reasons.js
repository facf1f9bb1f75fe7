// The reasons for which a review leaves documents out: a list that its owner writes, each with a key while reading.
import { field, h, press } from './dom.js';
import { t } from './language.js';
import { wordsIn } from './tints.js';

const most = 10; // as many as there are keys
const bytes = (text) => new TextEncoder().encode(text).length;

/** `chosen()` is the list, each reason once. */
export function reasonsField(given = []) {
  const input = h('input', { id: 'reasons', value: given.join(', '), maxLength: 900, autocomplete: 'off', dir: 'auto' });
  const chosen = () => [...new Set(wordsIn(input.value))].filter((reason) => bytes(reason) <= 100).slice(0, most);
  return {
    element: h('div', {}, field(t('reasons'), input, t('reasons_hint')),
      press(t('reasons_fill_in'), () => (input.value = t('reasons_usual')), { class: 'plain small' })),
    chosen,
  };
}
