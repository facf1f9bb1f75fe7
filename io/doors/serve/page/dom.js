// Elements without a framework. Text becomes text nodes, never markup, so that nothing of a document can act.
import { pieces, t } from './language.js';
import { lengthOfTitle } from './tints.js';

const attributes = new Set(['class', 'for', 'role', 'href', 'list', 'download', 'viewBox', 'd', 'colspan', 'scope']);

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (attributes.has(name) || name.includes('-') || element.namespaceURI.endsWith('svg'))
      element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An HTML element: `h('p', {class: 'quiet'}, 'text', otherElement)`. */
export const h = (tag, properties, ...children) => fill(document.createElement(tag), properties, children);

/** An element of SVG. */
export const svg = (tag, properties, ...children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', tag), properties, children);

/** A text of the catalogue as children of an element; what is put into it has a direction of its own. */
export const rich = (name, values) => pieces(name, values).map((piece, at) => (at % 2 && typeof piece === 'string' ? h('bdi', {}, piece) : piece));

/** What the server says in its own language. */
export const foreign = (text) => h('span', { lang: 'en', dir: 'ltr' }, text);

export const quiet = (...children) => h('p', { class: 'quiet small' }, children);

export const press = (label, onclick, properties) => h('button', { type: 'button', onclick, ...properties }, label);

/** A control with its label above it; a hint is read after the label. What is beside it may be a button. */
export function field(label, control, hint, beside) {
  if (hint) control.setAttribute('aria-describedby', `${control.id}-hint`);
  return h('div', {}, h('label', { for: control.id }, h('span', {}, label)), hint && h('p', { class: 'hint', id: `${control.id}-hint` }, hint),
    beside ? h('div', { class: 'copy' }, control, beside) : control);
}

/** A button that copies what a field or another element shows, and says so. A page over http of another computer has no
 * `navigator.clipboard`, and a browser may refuse both ways: then what is shown stays selected, to be copied by hand. */
export function copyButton(shown) {
  const said = h('span', { class: 'small', role: 'status' });
  const select = () => (shown.select ? (shown.focus(), shown.select()) : getSelection().selectAllChildren(shown));
  const button = press(t('copy'), async () => {
    said.textContent = '';
    let copied = true;
    try {
      await navigator.clipboard.writeText(shown.value ?? shown.textContent);
    } catch {
      select();
      copied = document.execCommand('copy');
      if (copied) button.focus();
    }
    said.textContent = t(copied ? 'copied' : 'only_selected');
  });
  return [button, said];
}

let sections = 0;
/** A part of a page under a heading, which is its name for a screen reader. */
export function section(title, properties, ...children) {
  const id = `section-${++sections}`;
  return h('section', { class: 'stack', 'aria-labelledby': id, ...properties }, h('h2', { id }, title), children);
}

/** The text after its title. */
export const afterTitle = ({ title, beginning }) => beginning.slice(lengthOfTitle(beginning, title ?? '')).trimStart();

/** Links to documents of a search, with how their texts begin. */
export const documentLinks = (search, documents) => h('ul', { class: 'searches' }, documents.map((one) => h('li', {},
  h('a', { href: `#/${search}/read/${one.document}` }, h('strong', { dir: 'auto' }, one.title || (one.id ?? t('document', { number: one.document }))), h('p', { class: 'quiet small two-lines', dir: 'auto' }, afterTitle(one), /[\w,;]$/.test(one.beginning) && '…')))));

/** Shows a dialog over the screen. */
export function showDialog(box) {
  document.body.append(box);
  box.showModal();
}

/** Hands the reader a file. */
export function save(name, type, text) {
  const link = h('a', { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Shows what `make` returns in a list, once nothing is held down: what goes or moves before the mouse is up gets no click. */
export function redraw(list, make) {
  list.make = make;
  if (document.documentElement.matches(':active')) setTimeout(() => redraw(list, list.make), 50);
  else list.replaceChildren(...make());
}
