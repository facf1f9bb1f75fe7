// What a reader set for this browser: language, theme, size, motion and keys. Nothing of a search is kept here.

const place = 'inkling.settings';

/** Of the reasons to leave a document out, in the order of their list. */
const reasonKeys = [...'67890abcfi'];

/** Every key of the page, the same as on a terminal. A key is what KeyboardEvent.key says; the reader may choose other ones.
 * `also` is one that it had before. */
export const actions = [
  { name: 'no', key: 'n', also: 'x' },
  { name: 'yes', key: 'y', also: 'v' },
  { name: 'grade1', key: '1' },
  { name: 'grade2', key: '2' },
  { name: 'grade3', key: '3' },
  { name: 'grade4', key: '4' },
  { name: 'grade5', key: '5' },
  ...reasonKeys.map((key, at) => ({ name: `reason${at + 1}`, key, reason: at })),
  { name: 'later', key: 's' },
  { name: 'handOn', key: 'g', several: true },
  { name: 'undo', key: 'u' },
  { name: 'redo', key: 'r' },
  { name: 'note', key: 'm' },
  { name: 'mark', key: 'w' },
  { name: 'why', key: 'e' },
  { name: 'tint', key: 't' },
  { name: 'read', key: 'd' },
  { name: 'words', key: 'l' },
  { name: 'history', key: 'h' },
  { name: 'progress', key: 'p' },
  { name: 'people', key: 'o', several: true },
  { name: 'keys', key: '?' },
];

/** Whether others reach this server, too; null as long as that is not known. */
export const people = { several: null };
/** Those that do something; the search that is open has so many reasons. */
export const usableActions = (reasons = 0) => actions.filter(({ several, reason }) => (people.several || !several) && !(reason >= reasons));

const standard = { language: 'auto', theme: 'auto', size: '100', motion: 'auto', tint: 'all', useKeys: true, keys: {} };

function stored() {
  try {
    return JSON.parse(localStorage.getItem(place)) ?? {};
  } catch {
    return {};
  }
}

export const settings = { ...standard, ...stored() };

export function applySettings() {
  const root = document.documentElement;
  root.dataset.theme = settings.theme;
  root.dataset.size = settings.size;
  root.dataset.motion = settings.motion;
}

export function change(changes) {
  Object.assign(settings, changes);
  applySettings();
  try {
    localStorage.setItem(place, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing forgets the settings with the window.
  }
}

export const keyOf = (name) => settings.keys[name] ?? actions.find((action) => action.name === name).key;

/** The action of a key press, where keys are on and the press is not meant for a field. */
export function actionOf(event) {
  if (event.altKey || event.metaKey || event.isComposing) return null;
  if (event.target.closest?.('input:not([type=checkbox]):not([type=radio]), textarea, select, dialog')) return null;
  if (event.ctrlKey) return { z: event.shiftKey ? 'redo' : 'undo', Z: 'redo', y: 'redo' }[event.key] ?? null;
  if (!settings.useKeys) return null;
  const own = actions.find(({ name }) => settings.keys[name] === event.key); // the reader's own keys come first
  const usual = actions.filter(({ name }) => settings.keys[name] === undefined);
  return (own ?? usual.find(({ key }) => key === event.key) ?? usual.find(({ also }) => also === event.key))?.name ?? null;
}
