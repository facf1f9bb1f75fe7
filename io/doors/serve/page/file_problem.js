// Why a file of records, or some of its records, were not taken, in words for the page, and what may help. Loaded when files are brought.
import { foreign, h } from './dom.js';
import { t } from './language.js';

const quoted = (text) => [...text.matchAll(/"((?:[^"\\\\]|\\\\.)*)"/g)].map(([, name]) => name);

/** {text, columns}: a sentence, and the columns of which one may hold the text. `detail` is the server's, for a command line. */
export function problemOfFile(detail, name) {
  const found = /expected (?:a header line with )?the field "[^"]*".*?, found (.*?)(?:; --text-field names another)?$/.exec(detail);
  const columns = found ? quoted(found[1]) : [];
  if (columns.length > 0) return { text: t('file_no_column', { name }), columns };
  if (/found none \(--allow-empty/.test(detail)) return { text: t('file_empty', { name }), columns };
  if (/neither the name nor the content/.test(detail)) return { text: t('file_unknown', { name }), columns };
  // The place is one in the copy of the server: a line and a column of the file.
  const [, line, rest] = /^\S*?:(\d+)(?::\d+)?: (.*)$/.exec(detail) ?? [null, null, detail];
  const plain = rest.replace(/^--[\w-]+: /, '').replace(/\s*\([^()]*--[\w-]+[^()]*\)/g, '').split(/; /).filter((sentence) => !/--[\w-]+|'inkling /.test(sentence)).join('; ').replaceAll(/\S*\.files\//g, '');
  return { text: `${t(line ? 'file_refused_line' : 'file_refused', { name, line })}${plain ? `: ${plain}` : ''}.`, columns };
}

/** What was said of records: those left out for one reason are one line, with the places of the first. Of very many, not all are said. */
export function remarkLines({ remarks, sources }) {
  const groups = {};
  let left = sources.reduce((sum, one) => sum + one.left_out, 0);
  for (const remark of remarks) {
    const [, place, why = remark] = /^(.*?): left out: (.*)/s.exec(remark) ?? [];
    if (place) left--;
    (groups[why.split(', found')[0]] ??= []).push({ place, why });
  }
  return Object.values(groups).map((group) => h('li', {}, ...(group[0].place
    ? [left > 0 && '≥ ', t('left_out', { n: group.length }), ': ', foreign(`${group[0].why} (${group.slice(0, 3).map(({ place }) => place).join(', ')}${group[3] ? ' …' : ''})`)]
    : [foreign(group[0].why)])));
}
