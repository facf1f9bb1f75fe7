// The language of the page: the one that was chosen in its settings, else the first of the browser's for which there is a
// catalogue in language/. Only that catalogue is loaded.
import { settings } from './settings.js';

/** Each language by its own name. */
export const languages = { en: 'English', de: 'Deutsch', es: 'Español' };

const baseOf = (tag) => tag.split('-')[0].toLowerCase();
function isTag(tag) {
  try {
    return Boolean(new Intl.Locale(tag));
  } catch {
    return false; // "en-US@posix" of a browser without a locale
  }
}
const tags = [...(globalThis.navigator?.languages ?? []).filter(isTag), 'en'];
export const language = Object.hasOwn(languages, settings.language) ? settings.language : baseOf(tags.find((tag) => Object.hasOwn(languages, baseOf(tag))));
const locale = tags.find((tag) => baseOf(tag) === language) ?? language; // "de-AT"
const { default: texts } = await import(`./language/${language}.js`);

/** Made when it is first used: the first that writes a number takes 50 milliseconds. */
const later = (make, made) => () => (made ??= make());
const plural = later(() => new Intl.PluralRules(locale));
const whole = later(() => new Intl.NumberFormat(locale));
const hundredths = later(() => new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }));

const isPlain = !locale.includes('-u-'); // digits from 0 to 9, as in all languages here
/** 1234567 as "1,234,567" in the reader's own way of writing numbers. */
export const count = (number) => (isPlain && Number.isInteger(number) && Math.abs(number) < 1000 ? String(number) : whole().format(number));
/** 0.5 as "0.50". */
export const fixed = (number) => hundredths().format(number);
/** With its sign. */
export const signed = (number) => (number < 0 ? '−' : '+') + fixed(Math.abs(number));
export const percent = (number) => `${count(Math.round(number))} %`;
/** "a, b and c"; slow by Intl.ListFormat. */
export const listed = ([first = '', ...more], last = more.pop()) => (last ? `${[first, ...more].join(', ')} ${language === 'es' && /^h?i(?!e)/i.test(last) ? 'e' : t('and')} ${last}` : first);
export const when = (ms) => new Date(ms).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
/** "Tuesday" within a week, else the date. */
export const weekday = (ms) => new Date(ms).toLocaleDateString(locale, Date.now() - ms < 6 * 86_400_000 ? { weekday: 'long' } : { dateStyle: 'medium' });

export const hasText = (name) => Object.hasOwn(texts, name);

/** The pieces of a text: its words, and at each odd place the value of a placeholder. A text of several forms has the one of the
 * number `n`. A name that the catalogue lacks is shown itself. */
export function pieces(name, values = {}) {
  const text = texts[name] ?? name;
  const form = typeof text === 'string' ? text : text[plural().select(values.n)] ?? text.other;
  return form.split(/\{(\w+)\}/).map((piece, at) => (at % 2 === 0 ? piece : typeof values[piece] === 'number' ? count(values[piece]) : values[piece]));
}

/** What the page says under this name: `t('documents', { n: 3 })`. */
export const t = (name, values) => pieces(name, values).join('');

/** Gives the frame of the page its language. */
export function applyLanguage(document) {
  Object.assign(document.documentElement, { lang: language, dir: t('direction') });
  document.getElementById('skip').textContent = t('skip');
  document.querySelector('nav').setAttribute('aria-label', t('screens'));
}
