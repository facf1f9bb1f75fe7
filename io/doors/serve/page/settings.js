// What a reader set for this browser: theme, size, motion and keys. Nothing of a search is kept here.

const place = 'inkling.settings';

/** Of the reasons to leave a document out, in the order of their list. */
const reasonKeys = [...'67890abcfi'];

/** Every key of the page, the same as on a terminal. A key is what KeyboardEvent.key says; the reader may choose other ones.
 * `also` is one that it had before. */
export const actions = [
  { name: 'no', key: 'n', also: 'x', does: 'No, and show the next document' },
  { name: 'yes', key: 'y', also: 'v', does: 'Yes, and show the next document' },
  { name: 'grade1', key: '1', does: 'Grade 1: not at all' },
  { name: 'grade2', key: '2', does: 'Grade 2' },
  { name: 'grade3', key: '3', does: 'Grade 3: half' },
  { name: 'grade4', key: '4', does: 'Grade 4' },
  { name: 'grade5', key: '5', does: 'Grade 5: just what I want' },
  ...reasonKeys.map((key, at) => ({ name: `reason${at + 1}`, key, does: `No, for reason ${at + 1} of the list`, reason: at })),
  { name: 'later', key: 's', does: 'Later: show it again after other ones' },
  { name: 'handOn', key: 'g', does: 'Give it to somebody else, in a shared search', several: true },
  { name: 'undo', key: 'u', does: 'Undo the last answer' },
  { name: 'redo', key: 'r', does: 'Redo what was undone' },
  { name: 'note', key: 'm', does: 'Write a note, or tags: reasons' },
  { name: 'mark', key: 'w', does: 'Mark words: then arrows and Space' },
  { name: 'why', key: 'e', does: 'Why this one, and its words' },
  { name: 'tint', key: 't', does: 'Tint all that was learned, only what was marked, or nothing' },
  { name: 'read', key: 'd', does: 'Back to the document' },
  { name: 'words', key: 'l', does: 'Words: what was learned' },
  { name: 'history', key: 'h', does: 'History' },
  { name: 'progress', key: 'p', does: 'Progress' },
  { name: 'people', key: 'o', does: 'People: the others who read', several: true },
  { name: 'keys', key: '?', does: 'All keys' },
];

/** Whether others reach this server, too; null as long as that is not known. */
export const people = { several: null };
/** Those that do something; the search that is open has so many reasons. */
export const usableActions = (reasons = 0) => actions.filter(({ several, reason }) => (people.several || !several) && !(reason >= reasons));

const standard = { theme: 'auto', size: '100', motion: 'auto', tint: 'all', useKeys: true, keys: {} };

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
