// A reader whom the server does not know: six digits that the program prints, or the token of a user.
import { post, reader, waitingWrites } from './api.js';
import { field, h, quiet, rich } from './dom.js';
import { t } from './language.js';
import { tellPeopleChanged } from './search.js';

/** For whom answers wait in this browser, and how many. */
function waitingHere() {
  const numbers = new Map();
  for (const { person } of waitingWrites()) numbers.set(person, (numbers.get(person) ?? 0) + 1);
  return [...numbers].map(([person, number]) => quiet(rich('waiting_of', { person, n: number })));
}

export async function makeScreen({ place, attempt, hush, redraw }) {
  if (place.token) history.replaceState(null, '', '#/'); // a link that somebody sent: its token leaves the address
  const token = h('input', { id: 'token', value: place.token ?? '', type: 'password', autocomplete: 'current-password', required: true, maxLength: 1000 });
  const enter = (event) => {
    event.preventDefault();
    attempt(async () => {
      await post('login', { token: token.value.trim() });
      tellPeopleChanged();
      hush(); // a wrong one before it is no news any more
      if (reader.name !== null) location.reload(); // so that nothing is left of who was here before
      else await redraw();
    });
  };
  return {
    title: t('who_are_you'),
    content: h('form', { class: 'page card stack login', onsubmit: enter }, h('h1', { tabIndex: -1 }, t('who_are_you')),
      h('p', {}, t(place.token ? 'joining' : 'login_how')), waitingHere(),
      field(t('login_token'), token), h('div', {}, h('button', { class: 'first' }, t('sign_in')))),
  };
}
