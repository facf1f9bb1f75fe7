// Copies: the records that are not offered because each is one with another, to be looked through and taken apart.
import { get } from './api.js';
import { h, press, quiet } from './dom.js';
import { t } from './language.js';
import { path, separate } from './search.js';

const atOnce = 50;

export async function makeScreen({ place, attempt, act }) {
  const list = h('ol', { class: 'events' });
  const more = press(t('more'), () => attempt(async () => show(await ask(shown))), { hidden: true });
  let shown = 0;
  let last = null; // the list of copies of the original that is shown last, and its row
  const ask = (after) => get(path(`/copies?limit=${atOnce}&after=${after}`));

  const record = (one) => [
    h('a', { href: `#/${place.id}/read/${one.document}`, dir: 'auto' }, h('strong', {}, one.title || one.beginning || t('document', { number: one.document }))),
    quiet([one.file?.split('/').pop(), one.id, one.authors, one.year, one.links?.[0]].filter(Boolean).join(' · ')),
  ];

  function row(one) {
    if (last?.original !== one.same_as) {
      last = { original: one.same_as, copies: h('ul', { class: 'searches' }) };
      list.append(h('li', {}, h('div', {}, quiet(t('offered')), record(one.original), quiet(t('not_offered')), last.copies)));
    }
    last.copies.append(h('li', {}, record(one), press(t('take_apart'), act(() => separate(one.document), t('taken_apart')), { class: 'plain', 'aria-label': t('take_apart_document', { number: one.document }) })));
  }

  function show({ documents, hidden }) {
    documents.forEach(row);
    shown += documents.length;
    more.hidden = shown >= hidden;
    return hidden;
  }

  const hidden = show(await ask(0));
  return {
    title: t('screen_copies'),
    content: h('div', { class: 'page stack' },
      h('h1', { tabIndex: -1 }, t('screen_copies')),
      h('p', {}, hidden ? t('copies_what', { n: hidden }) : t('copies_none')),
      list, more),
  };
}
