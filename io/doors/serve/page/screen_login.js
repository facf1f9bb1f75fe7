// A reader whom the server does not know: the token of the printed address, or of a user.
import { post } from './api.js';
import { field, h } from './dom.js';

export async function loginScreen({ attempt, hush, redraw }) {
  const token = h('input', { id: 'token', type: 'password', autocomplete: 'current-password', required: true, maxLength: 1000 });
  const enter = (event) => {
    event.preventDefault();
    attempt(async () => {
      await post('login', { token: token.value.trim() });
      hush(); // a wrong one before it is no news any more
      await redraw();
    });
  };
  return {
    title: 'Who are you?',
    content: h('form', { class: 'page card stack login', onsubmit: enter }, h('h1', { tabIndex: -1 }, 'Who are you?'),
      h('p', {}, 'Open the address that the program printed, or enter your token here.'),
      field('Token', token), h('div', {}, h('button', { class: 'first' }, 'Enter'))),
  };
}
