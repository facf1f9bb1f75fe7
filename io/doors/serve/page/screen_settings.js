// Keys and settings of this browser, and all keys at a glance.
import { get, ownWaiting, post } from './api.js';
import { counted, h, press, quiet, section } from './dom.js';
import { search, tellPeopleChanged } from './search.js';
import { change, keyOf, settings, usableActions } from './settings.js';

const actionsHere = () => usableActions(search.facts?.reasons?.length);

/** All keys over the screen that the reader is on. */
export function showKeys() {
  const close = press('Close', () => box.close(), { class: 'first' });
  const box = h('dialog', { 'aria-labelledby': 'keys-head', class: 'keys-here', onclose: () => box.remove(), onkeydown: (event) => event.key === keyOf('keys') && (event.preventDefault(), box.close()) },
    h('h2', { id: 'keys-head' }, 'Keys'),
    h('ul', { class: 'keys' }, actionsHere().map(({ name, does }) => h('li', {}, h('kbd', {}, keyOf(name)), ' ', does))),
    h('div', { class: 'row' }, close, h('a', { href: '#/settings', onclick: () => box.close() }, 'Other keys, colours, size')));
  document.body.append(box);
  box.showModal();
  close.focus();
}

export async function settingsScreen({ attempt, say }) {
  const about = await get('about').catch((problem) => {
    if (problem.status !== 0) throw problem;
    return { users: [] };
  });
  const signOut = (which) => () => attempt(async () => {
    await post('logout', which);
    tellPeopleChanged();
    location.reload(); // nothing is left in the window for whoever comes next
  });
  const radios = (name, legend, choices) => h('fieldset', {}, h('legend', {}, legend), h('div', { class: 'row' }, Object.entries(choices).map(([value, label]) =>
    h('label', { class: 'choice' }, h('input', { type: 'radio', name, value, checked: settings[name] === value, onchange: () => change({ [name]: value }) }), h('span', {}, label)))));
  const problem = h('p', { class: 'against', role: 'status' });
  function keyField(action) {
    const key = h('input', { value: keyOf(action.name), maxLength: 1, onfocus: () => key.select(), onchange: () => {
      const taken = actionsHere().find((other) => other !== action && keyOf(other.name) === key.value);
      problem.textContent = taken ? `${key.value} is the key for: ${taken.does}` : '';
      if (taken || !key.value.trim()) key.value = keyOf(action.name);
      else change({ keys: { ...settings.keys, [action.name]: key.value } });
    } });
    return h('li', {}, h('label', { class: 'choice' }, key, h('span', {}, action.does)));
  }
  const list = h('ul', { class: 'keys' });
  const draw = () => list.replaceChildren(...actionsHere().map(keyField));
  draw();
  return {
    title: 'Keys and settings',
    content: h('div', { class: 'page stack' },
      h('h1', { tabIndex: -1 }, 'Keys and settings'),
      section('Keys', { class: 'card stack' },
        h('label', { class: 'choice' }, h('input', { type: 'checkbox', checked: settings.useKeys, onchange: (event) => change({ useKeys: event.target.checked }) }), h('span', {}, 'Single keys act, except where you type')),
        list, problem,
        quiet('Ctrl+Z and Ctrl+Y undo and redo. While you mark words by keys, arrows move, Space turns a word from for to against to nothing, Shift+Space says maybe, + and − say it at once, and Escape ends it. A click on a word does what Space does; Shift and a click say maybe.'),
        h('div', {}, press('Usual keys', () => (change({ keys: {} }), draw(), say('The keys are the usual ones again.'))))),
      about.users.length > 0 && section('You', { class: 'card stack' }, h('p', {}, `You are ${about.user}.`),
        ownWaiting().length > 0 && quiet(`${counted(ownWaiting().length, 'answer')} not sent yet: kept here until you sign in again.`),
        h('div', { class: 'row' }, press('Sign out', signOut({})), press('Sign out everywhere', signOut({ everywhere: true }), { 'aria-describedby': 'everywhere' })),
        h('p', { class: 'hint', id: 'everywhere' }, 'Everywhere: in all browsers, also where somebody copied your login. Your token stays.')),
      section('Look', { class: 'card stack' },
        radios('theme', 'Colours', { auto: 'As the system', light: 'Light', dark: 'Dark' }),
        radios('size', 'Size of letters', { 100: 'Usual', 112: 'Larger', 125: 'Large', 150: 'Very large' }),
        radios('motion', 'Motion', { auto: 'As the system', less: 'None' }))),
  };
}
