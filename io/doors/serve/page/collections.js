// Collections that were brought by the page: another name, and away with one of which there is no search.
import { Problem, part, post, remove } from './api.js';
import { field, h, press, rich, showDialog } from './dom.js';
import { t } from './language.js';

/** A dialog with one field or none; `done` gets what it says and returns whether that was taken. */
function ask(title, content, label, done) {
  const submit = (event) => (event.preventDefault(), done(problem).then((taken) => taken && (box.close(), (document.getElementById('pool') ?? document.querySelector('h1')).focus())));
  const problem = h('p', { class: 'against', role: 'alert' });
  const box = h('dialog', { 'aria-labelledby': 'collection-head', onclose: () => box.remove() }, h('form', { class: 'stack', onsubmit: submit },
    h('h2', { id: 'collection-head' }, title), content, problem, h('div', { class: 'row' }, h('button', { class: 'first' }, label), press(t('cancel'), () => box.close()))));
  showDialog(box);
}

/** The buttons of a collection; `changed` gets it under its new name, or null once it is removed. */
export function collectionTasks(pool, { attempt, say, changed }) {
  const path = `pools/${part(pool.pool)}`;
  const work = async (does, said, problem) => {
    let taken = false;
    await attempt(async () => {
      try {
        changed(await does());
        taken = true;
      } catch (refusal) {
        if (!(refusal instanceof Problem) || refusal.status !== 409) throw refusal;
        problem.textContent = t('collection_in_use');
      }
    });
    if (taken) say(said);
    return taken;
  };
  const name = h('input', { id: 'collection-name', value: pool.title, required: true, maxLength: 100, autocomplete: 'off', dir: 'auto' });
  const rename = () => ask(t('rename_collection'), field(t('name'), name), t('rename'), (problem) => work(() => post(`${path}/title`, { title: name.value.trim() || pool.title }), t('renamed'), problem));
  const away = () => ask(rich('remove_which', { name: pool.title }), h('p', {}, t('remove_says', { n: pool.documents })), t('remove'), (problem) => work(() => remove(path), t('removed'), problem));
  return h('div', { class: 'row' }, press(t('rename'), rename, { class: 'plain small' }), press(t('remove'), away, { class: 'plain small' }));
}
