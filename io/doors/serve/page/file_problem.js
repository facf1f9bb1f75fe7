// Why a file of records was not taken, in words for the page, and what may help.

const quoted = (text) => [...text.matchAll(/"((?:[^"\\\\]|\\\\.)*)"/g)].map(([, name]) => name);

/** {text, columns}: a sentence, and the columns of which one may hold the text. `detail` is the server's, for a command line. */
export function problemOfFile(detail, name) {
  const found = /expected (?:a header line with )?the field "[^"]*".*?, found (.*?)(?:; --text-field names another)?$/.exec(detail);
  const columns = found ? quoted(found[1]) : [];
  if (columns.length > 0) return { text: `No column of ${name} is called title or abstract. Which one holds the text?`, columns };
  if (/found none \(--allow-empty/.test(detail)) return { text: `${name} holds no records.`, columns };
  if (/neither the name nor the content/.test(detail)) return { text: `${name} is no file of records that can be read here. Export it again as RIS, CSV or Excel.`, columns };
  // The place is one in the copy of the server: a line and a column of the file.
  const [, line, rest] = /^\S*?:(\d+)(?::\d+)?: (.*)$/.exec(detail) ?? [null, null, detail];
  const plain = rest.replace(/^--[\w-]+: /, '').replace(/\s*\([^()]*--[\w-]+[^()]*\)/g, '').split(/; /).filter((sentence) => !/--[\w-]+|'inkling /.test(sentence)).join('; ').replaceAll(/\S*\.files\//g, '');
  return { text: `${name} was not taken${line ? `, because of line ${line}` : ''}${plain ? `: ${plain}` : ''}.`, columns };
}
