// @ts-check
// Progress, kept in the browser: one entry per instance, found by the instance's text.

/** @typedef {{line: string, moves?: number, pushes?: number, score?: number, flips?: number}} Best */
/** @typedef {{byMoves?: Best, byPushes?: Best, line?: string, bookmarks?: string[]}} Entry */

const PREFIX = "soloist:";

/** The text that was hashed last: mostly it is asked for the level on the board. */
const last = { text: "", hash: "" };

/** A hash that is enough to tell the instances of one person apart. @param {string} text */
export function hash(text) {
  if (text !== last.text) Object.assign(last, { text, hash: compute(text) });
  return last.hash;
}

/** 53 bits (cyrb53). @param {string} text */
function compute(text) {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}

/** The entry that was parsed last: while a level is played, it is asked for with every move. @type {{text: string|null, value: any}} */
const parsed = { text: null, value: null };

/** @param {string} key @returns {any} not to be changed */
function read(key) {
  try {
    const text = localStorage.getItem(PREFIX + key);
    if (text !== parsed.text) Object.assign(parsed, { text, value: JSON.parse(text ?? "null") });
    return parsed.value;
  } catch {
    return null;
  }
}

/** A full or forbidden store loses progress, but never stops the game. @param {string} key @param {any} value */
function write(key, value) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export const store = {
  /** @param {string} domain @param {string} text @returns {Entry} */
  entry: (domain, text) => read(`${domain}:${hash(text)}`) ?? {},
  /** @param {string} domain @param {string} text @param {Entry} entry */
  keep: (domain, text, entry) => write(`${domain}:${hash(text)}`, entry),
  /** @param {string} name @param {any} initial */
  setting: (name, initial) => read(`set:${name}`) ?? initial,
  /** @param {string} name @param {any} value */
  set: (name, value) => write(`set:${name}`, value),

  /** All entries as one text. */
  exported() {
    /** @type {Record<string, any>} */ const entries = {};
    for (let i = 0; i < localStorage.length; i++) {
      const key = localStorage.key(i) ?? "";
      if (key.startsWith(PREFIX) && !key.startsWith(`${PREFIX}set:`)) entries[key.slice(PREFIX.length)] = read(key.slice(PREFIX.length));
    }
    return JSON.stringify({ soloist: 1, entries }, null, 1);
  },

  /** Adds entries; of two bests the better stays. Returns how many were added and how many are damaged. @param {string} text */
  imported(text) {
    /** @type {any} */ let file = null;
    try {
      file = JSON.parse(text);
    } catch {
      // not even JSON
    }
    if (file?.soloist !== 1 || !isObject(file.entries)) throw new Error("This is not a progress file of Soloist.");
    const keys = Object.keys(file.entries);
    const good = keys.filter((key) => /^[a-z-]+:[0-9a-z]+$/.test(key) && isEntry(file.entries[key]));
    for (const key of good) write(key, merge(read(key) ?? {}, file.entries[key]));
    return { good: good.length, bad: keys.length - good.length };
  },
};

/** @param {any} value */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** @param {any} best */
const isBest = (best) => best === undefined || (isObject(best) && typeof best.line === "string"
  && Object.entries(best).every(([name, value]) => name === "line" || typeof value === "number"));
/** @param {any} line */
const isLine = (line) => line === undefined || typeof line === "string";
/** @param {any} entry */
const isEntry = (entry) => isObject(entry) && isBest(entry.byMoves) && isBest(entry.byPushes) && isLine(entry.line)
  && (entry.bookmarks === undefined || (Array.isArray(entry.bookmarks) && entry.bookmarks.every(isLine)));

/** @param {Entry} mine @param {Entry} other @returns {Entry} */
function merge(mine, other) {
  return {
    ...other,
    ...mine,
    byMoves: better(mine.byMoves, other.byMoves, "moves"),
    byPushes: better(mine.byPushes, other.byPushes, "pushes"),
  };
}

/** The better of two: a higher score, or fewer of the first count and then of the others. @param {Best|undefined} a
 *  @param {Best|undefined} b @param {"moves"|"pushes"} first */
export function better(a, b, first) {
  if (!a || !b) return a ?? b;
  if (a.score !== undefined && b.score !== undefined) return b.score > a.score ? b : a;
  /** @param {Best} best */
  const rank = (best) => [best[first] ?? best.flips ?? best.moves ?? 0, (first === "moves" ? best.pushes : best.moves) ?? 0];
  const [x, y] = [rank(a), rank(b)];
  return y[0] < x[0] || (y[0] === x[0] && y[1] < x[1]) ? b : a;
}
