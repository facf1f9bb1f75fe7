// Keys and settings of this browser, and all keys at a glance.
import { get, ownWaiting, post } from './api.js';
import { h, press, quiet, rich, section, showDialog } from './dom.js';
import { languages, t } from './language.js';
import { search, tellPeopleChanged } from './search.js';
import { change, keyOf, settings, usableActions } from './settings.js';

const actionsHere = () => usableActions(search.facts?.reasons?.length);

/** What an action does, in words. */
export const doesOf = ({ name, reason }) => (reason === undefined ? t(`does_${name}`) : t('does_reason', { number: reason + 1 }));

/** All keys over the screen that the reader is on. */
export function showKeys() {
  const close = press(t('close'), () => box.close(), { class: 'first' });
  const box = h('dialog', { 'aria-labelledby': 'keys-head', class: 'keys-here', onclose: () => box.remove(), onkeydown: (event) => event.key === keyOf('keys') && (event.preventDefault(), box.close()) },
    h('h2', { id: 'keys-head' }, t('screen_settings')),
    h('ul', { class: 'keys' }, actionsHere().map((action) => h('li', {}, h('kbd', {}, keyOf(action.name)), ' ', doesOf(action)))),
    h('div', { class: 'row' }, close, h('a', { href: '#/settings', onclick: () => box.close() }, t('other_keys'))));
  showDialog(box);
  close.focus();
}

export async function makeScreen({ attempt, say }) {
  const about = await get('about').catch((problem) => {
    if (problem.status !== 0) throw problem;
    return { users: [] };
  });
  const signOut = (which) => () => attempt(async () => {
    await post('logout', which);
    tellPeopleChanged();
    location.reload(); // nothing is left in the window for whoever comes next
  });
  const pick = (name, value) => {
    change({ [name]: value });
    if (name === 'language') location.reload(); // all that is shown was said in the language before
  };
  const radios = (name, legend, choices) => h('fieldset', {}, h('legend', {}, legend), h('div', { class: 'row' }, Object.entries(choices).map(([value, label]) =>
    h('label', { class: 'choice' }, h('input', { type: 'radio', name, value, checked: settings[name] === value, onchange: () => pick(name, value) }), h('span', { lang: name === 'language' && value !== 'auto' && value }, label)))));
  const problem = h('p', { class: 'against', role: 'status' });
  function keyField(action) {
    const key = h('input', { value: keyOf(action.name), maxLength: 1, onfocus: () => key.select(), onchange: () => {
      const taken = actionsHere().find((other) => other !== action && keyOf(other.name) === key.value);
      problem.textContent = taken ? t('key_taken', { key: key.value, does: doesOf(taken) }) : '';
      if (taken || !key.value.trim()) key.value = keyOf(action.name);
      else change({ keys: { ...settings.keys, [action.name]: key.value } });
    } });
    return h('li', {}, h('label', { class: 'choice' }, key, h('span', {}, doesOf(action))));
  }
  const list = h('ul', { class: 'keys' });
  const draw = () => list.replaceChildren(...actionsHere().map(keyField));
  draw();
  return {
    title: t('keys_and_settings'),
    content: h('div', { class: 'page stack' },
      h('h1', { tabIndex: -1 }, t('keys_and_settings')),
      section(t('screen_settings'), { class: 'card stack' },
        h('label', { class: 'choice' }, h('input', { type: 'checkbox', checked: settings.useKeys, onchange: (event) => change({ useKeys: event.target.checked }) }), h('span', {}, t('single_keys'))),
        list, problem,
        quiet(t('keys_explained')),
        h('div', {}, press(t('usual_keys'), () => (change({ keys: {} }), draw(), say(t('keys_are_usual')))))),
      about.users.length > 0 && section(t('you'), { class: 'card stack' }, h('p', {}, rich('you_are', { name: about.user })),
        ownWaiting().length > 0 && quiet(t('not_sent_kept', { n: ownWaiting().length })),
        h('div', { class: 'row' }, press(t('sign_out'), signOut({})), press(t('sign_out_everywhere'), signOut({ everywhere: true }), { 'aria-describedby': 'everywhere' })),
        h('p', { class: 'hint', id: 'everywhere' }, t('everywhere'))),
      section(t('look'), { class: 'card stack' },
        radios('language', t('language'), { auto: t('as_the_browser'), ...languages }),
        radios('theme', t('colours'), { auto: t('as_the_system'), light: t('light'), dark: t('dark') }),
        radios('size', t('size'), { 100: t('size_usual'), 112: t('size_larger'), 125: t('size_large'), 150: t('size_very_large') }),
        radios('motion', t('motion'), { auto: t('as_the_system'), less: t('motion_none') }))),
  };
}
