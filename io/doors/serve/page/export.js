// Export: which records of a search, in which format, with which columns.
import { get, getText } from './api.js';
import { field, h, press, save, showDialog } from './dom.js';
import { language, t } from './language.js';
import { path, search } from './search.js';

const records = { everything: t('export_everything'), all: t('export_read'), good: t('export_included'), unread: t('export_unread') };
const formats = {
  xlsx: ['Excel (XLSX)', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  csv: ['CSV', 'text/csv'],
  ris: ['RIS: Zotero, EndNote, ASReview', 'application/x-research-info-systems'],
  jsonl: ['JSON lines', 'application/x-ndjson'],
  log: [t('export_log'), 'application/x-ndjson'],
  html: [t('report_page'), 'text/html'],
  json: [`${t('report_numbers')} (JSON)`, 'application/json'],
  table: [`${t('report_numbers')} (CSV)`, 'text/csv'],
};
const reports = { html: 'html', json: 'json', table: 'csv' }; // formats, and the endings of their files
const columns = { all: t('columns_all'), decision: t('columns_decision') };
const mostLetters = 40; // of the name of a file

/** What a file of this search is called: the name of the review, in letters that every system takes. */
export function fileName(name, what, ending) {
  const end = `-${what}.${ending}`;
  const plain = name.normalize('NFKC').replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'search';
  return [...plain].slice(0, mostLetters - end.length).join('').replace(/-$/, '') + end;
}

async function exportFile(which, format, chosen) {
  const name = (what, ending) => fileName(search.facts.name, what, ending);
  if (format === 'log') return save(name('log', 'jsonl'), formats.log[1], await getText(path('/events'), formats.log[1]));
  if (reports[format]) return save(name('report', reports[format]), formats[format][1], await getText(path(`/report?as=${reports[format]}&language=${language}`), formats[format][1]));
  const { text } = await get(path(`/export?format=${format}&which=${which}&columns=${chosen}`));
  const bytes = () => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return save(name({ everything: 'all', all: 'read', good: 'included', unread: 'unread' }[which], format), formats[format][1], format === 'xlsx' ? bytes() : text);
}

/** Opens the dialog over the screen. */
export function showExport({ attempt, say }) {
  const choose = (id, names) => h('select', { id }, Object.entries(names).map(([value, name]) => h('option', { value }, name)));
  const which = choose('export-which', records);
  const format = choose('export-format', Object.fromEntries(Object.entries(formats).map(([value, [name]]) => [value, name])));
  const chosen = choose('export-columns', columns);
  const isTable = () => ['xlsx', 'csv'].includes(format.value);
  format.onchange = () => ([which.disabled, chosen.disabled] = [format.value === 'log' || format.value in reports, !isTable()]);
  const submit = (event) => (event.preventDefault(), attempt(async () => {
    await exportFile(which.value, format.value, isTable() ? chosen.value : 'all');
    box.close();
    say(t('exported'));
  }));
  const box = h('dialog', { 'aria-labelledby': 'export-head', onclose: () => box.remove() },
    h('form', { class: 'stack', onsubmit: submit }, h('h2', { id: 'export-head' }, t('export')),
      field(t('which_records'), which), field(t('format'), format), field(t('columns'), chosen),
      h('div', { class: 'row' }, h('button', { class: 'first' }, t('export')), press(t('cancel'), () => box.close()))));
  showDialog(box);
  box.querySelector('.first').focus();
}
