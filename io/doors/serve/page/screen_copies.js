// Copies: the records that are not offered because each is one with another, to be looked through and taken apart.
import { get } from './api.js';
import { count, counted, h, press, quiet } from './dom.js';
import { path, separate } from './search.js';

const atOnce = 50;

export async function copiesScreen({ place, attempt, act }) {
  const list = h('ol', { class: 'events' });
  const more = press('More', () => attempt(async () => show(await ask(shown))), { hidden: true });
  let shown = 0;
  let last = null; // the list of copies of the original that is shown last, and its row
  const ask = (after) => get(path(`/copies?limit=${atOnce}&after=${after}`));

  const record = (one) => [
    h('a', { href: `#/${place.id}/read/${one.document}`, dir: 'auto' }, h('strong', {}, one.title || one.beginning || `Document ${count(one.document)}`)),
    quiet([one.file?.split('/').pop(), one.id, one.authors, one.year, one.links?.[0]].filter(Boolean).join(' · ')),
  ];

  function row(one) {
    if (last?.original !== one.same_as) {
      last = { original: one.same_as, copies: h('ul', { class: 'searches' }) };
      list.append(h('li', {}, h('div', {}, quiet('Offered'), record(one.original), quiet('And not offered'), last.copies)));
    }
    last.copies.append(h('li', {}, record(one), press('Take apart', act(() => separate(one.document), 'Taken apart: it is offered and rated by itself.'), { class: 'plain', 'aria-label': `Take document ${count(one.document)} apart` })));
  }

  function show({ documents, hidden }) {
    documents.forEach(row);
    shown += documents.length;
    more.hidden = shown >= hidden;
    return hidden;
  }

  const hidden = show(await ask(0));
  return {
    title: 'Copies',
    content: h('div', { class: 'page stack' },
      h('h1', { tabIndex: -1 }, 'Copies'),
      h('p', {}, hidden ? `${counted(hidden, 'record is', 'records are')} not offered, because each is one with another: what you say of one is said of all. Take apart those that are not. History takes it back.` : 'No record is a copy of another one.'),
      list, more),
  };
}
