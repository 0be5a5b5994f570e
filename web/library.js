// @ts-check
// The list of instances: sets, files, pasted texts; thumbnails, titles, authors, what is solved.
import { engine } from "./engine.js";
import { KINDS } from "./kinds.js";
import { wordsOf } from "./paint/numbers.js";
import { readPalette } from "./paint/palette.js";
import { paintThumb } from "./paint/thumb.js";
import { RULES } from "./rules/game.js";
import { store } from "./store.js";
import { $ } from "./table.js";

/** @typedef {import("./table.js").Level} Level */

const PAGE = 200; // instances per request

export class Library {
  /** @param {{open: (level: Level, index: number) => void, fail: (text: string) => void}} listener */
  constructor(listener) {
    this.listener = listener;
    this.domain = "sokoban";
    /** @type {Level[]} */ this.levels = [];
    this.index = 0;
    this.loading = 0;
    this.label = "";
    this.text = ""; // what the list was read from
    /** @type {Level[]} what was drawn or generated and then added to it */ this.added = [];
    /** @type {string[]} what could not be read, and why */ this.faults = [];
    this.list = $("levels");
    this.palette = readPalette();
    this.seen = new IntersectionObserver((entries) => entries.forEach((entry) => entry.isIntersecting && this.#paint(entry.target)),
      { root: this.list, rootMargin: "200px" });
  }

  /** The first instances of a text. Numbers may belong to several kinds of puzzles: if a kind is preferred and can read
   *  them all, it is taken; otherwise the engine recognises the kind. @param {string} text
   *  @param {{domain?: string, prefer?: string}} wish */
  async #begin(text, wish) {
    const ask = { text, from: 0, count: PAGE };
    const preferred = wish.prefer ? await engine.read({ ...ask, domain: wish.prefer }) : null;
    if (preferred?.total && preferred.instances.every((instance) => instance.text !== null)) return preferred;
    return engine.read({ ...ask, domain: wish.domain });
  }

  /** Reads a text and shows its instances, and after them those of wish.added. The domain is recognised unless it is
   *  given. True if there was one.
   *  @param {string} text @param {string} label
   *  @param {{domain?: string, prefer?: string, open?: number, added?: Level[]}} [wish] */
  async load(text, label, wish = {}) {
    const ticket = ++this.loading;
    const first = await this.#begin(text, wish);
    if (ticket !== this.loading) return false;
    if (!KINDS[first.domain]) throw new Error(`${first.domain} cannot be played on this page`);
    const authors = authorsOf(text);
    if (first.instances.every((instance) => instance.text === null)) throw new Error(first.instances[0]?.error ?? "there is no puzzle in the text");
    Object.assign(this, { domain: first.domain, levels: [], faults: [], text, label, added: [] });
    this.list.replaceChildren();
    this.#add(first, 0, authors);
    const wanted = wish.open ?? this.#first();
    if (wanted < this.levels.length) this.go(wanted);
    for (let from = PAGE; from < first.total; from += PAGE) {
      const more = await engine.read({ text, domain: first.domain, from, count: PAGE });
      if (ticket !== this.loading) return true;
      const before = this.levels.length;
      this.#add(more, from, authors);
      if (wanted >= before && wanted < this.levels.length) this.go(wanted);
    }
    for (const level of wish.added ?? []) this.#append(level);
    if (wanted >= this.levels.length - this.added.length) this.go(Math.min(wanted, this.levels.length - 1));
    this.#tellCollection();
    return true;
  }

  /** The first instance that is not solved from the start. */
  #first() {
    if (KINDS[this.domain].score) return 0;
    return Math.max(0, this.levels.findIndex(({ domain, text }) => !new RULES[domain](text).isEnded()));
  }

  #tellCollection() {
    const { length } = this.levels;
    const solved = this.levels.filter(({ domain, text }) => store.entry(domain, text).byMoves).length;
    const [fault, ...others] = this.faults;
    const wrong = !fault ? "" : others.length ? `; ${this.faults.length} could not be read, the first of them ${fault}` : `; one could not be read: ${fault}`;
    const done = solved ? `, ${solved} ${KINDS[this.domain].score ? "played" : "solved"}` : "";
    $("collection").textContent = `${this.label}: ${length} ${KINDS[this.domain].piece}${length === 1 ? "" : "s"}${done}${wrong}`;
  }

  /** @param {import("./engine.js").Reading} reading @param {number} from how many instances stand before these in the text
   *  @param {(line: number) => string} authors */
  #add({ domain, instances }, from, authors) {
    const { piece } = KINDS[domain];
    instances.forEach(({ name, line, text, error, error_line: at }, i) => {
      const number = from + i + 1;
      if (text === null) this.faults.push(`${piece} ${number} (line ${at || line}: ${error})`);
      else this.#list({ domain, text, title: name || `${capital(piece)} ${number}`, author: authors(line) });
    });
  }

  /** @param {Level} level */
  #list(level) {
    this.levels.push(level);
    this.list.append(this.#row(level, this.levels.length - 1));
  }

  /** Lists an instance that is not in the text. @param {Level} level */
  #append(level) {
    this.added.push(level);
    this.#list(level);
  }

  /** @param {Level} level @param {number} index */
  #row(level, index) {
    const row = document.createElement("li");
    const button = document.createElement("button");
    const picture = document.createElement("canvas");
    const words = document.createElement("span");
    const done = document.createElement("span");
    button.type = "button";
    button.dataset.index = String(index);
    picture.setAttribute("aria-hidden", "true");
    done.className = "done";
    words.textContent = level.title;
    if (level.author) {
      const author = document.createElement("span");
      author.className = "author";
      author.textContent = level.author;
      words.append(author);
    }
    button.append(picture, words, done);
    button.addEventListener("click", () => {
      this.go(index);
      document.body.classList.remove("library");
      $("open-library").setAttribute("aria-expanded", "false");
    });
    row.append(button);
    this.#tell(button, level);
    this.seen.observe(button);
    return row;
  }

  /** Says on a row what was reached. @param {Element} button @param {Level} level */
  #tell(button, level) {
    const { byMoves, byPushes } = store.entry(level.domain, level.text);
    const words = /** @type {HTMLElement} */ (button.children[1]);
    const best = document.createElement("span");
    best.className = "best";
    words.querySelector(".best")?.remove();
    button.children[2].textContent = byMoves ? "✓" : "";
    button.children[2].setAttribute("aria-label", byMoves ? "solved" : "");
    button.children[2].setAttribute("role", "img");
    if (!byMoves) {
      button.children[2].removeAttribute("role");
      button.children[2].removeAttribute("aria-label");
      return;
    }
    /** @param {import("./store.js").Best} result */
    const both = (result) => wordsOf([["moves", result.moves ?? 0], ["pushes", result.pushes ?? 0]]);
    best.textContent = byMoves.score !== undefined ? wordsOf([["points", byMoves.score]])
      : byPushes?.pushes === undefined ? wordsOf([[byMoves.flips === undefined ? "moves" : "flips", byMoves.moves ?? byMoves.flips ?? 0]])
        : byMoves.pushes === byPushes.pushes ? both({ ...byMoves, pushes: byPushes.pushes })
          : `by moves: ${both(byMoves)}\nby pushes: ${both(byPushes)}`;
    words.append(best);
  }

  /** @param {Element} button */
  #paint(button) {
    this.seen.unobserve(button);
    const level = this.levels[Number(/** @type {HTMLElement} */ (button).dataset.index)];
    if (level) paintThumb(/** @type {HTMLCanvasElement} */ (button.children[0]), level.domain, level.text, this.palette);
  }

  /** Draws all thumbnails anew, for another theme. */
  repaint() {
    this.palette = readPalette();
    for (const button of this.list.querySelectorAll("button")) this.seen.observe(button);
  }

  /** Tells on the present row, or on all rows, what was reached. @param {boolean} [all] */
  update(all = false) {
    for (const button of this.list.querySelectorAll(all ? "button" : `button[data-index="${this.index}"]`))
      this.#tell(button, this.levels[Number(/** @type {HTMLElement} */ (button).dataset.index)]);
    this.#tellCollection();
  }

  /** @param {number} index */
  go(index) {
    if (index < 0 || index >= this.levels.length) return;
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    this.index = index;
    const button = this.list.querySelector(`button[data-index="${index}"]`);
    button?.setAttribute("aria-current", "true");
    if (button instanceof HTMLElement) this.#reveal(button);
    $("previous").toggleAttribute("disabled", index === 0);
    $("next").toggleAttribute("disabled", index === this.levels.length - 1);
    this.listener.open(this.levels[index], index);
  }

  /** Scrolls the list only: scrollIntoView would also move the place from which the Tab key goes on. @param {HTMLElement} row */
  #reveal(row) {
    const [list, place] = [this.list.getBoundingClientRect(), row.getBoundingClientRect()];
    if (place.top < list.top) this.list.scrollTop -= list.top - place.top;
    if (place.bottom > list.bottom) this.list.scrollTop += place.bottom - list.bottom;
  }

  /** Gives another title to the only instance. @param {string} title */
  rename(title) {
    if (this.levels.length !== 1) return;
    this.levels[0].title = title;
    $("name").textContent = title;
    const words = this.list.querySelector("button")?.children[1].firstChild;
    if (words) words.textContent = title;
  }

  /** Adds an instance at the end of the list and opens it. @param {Level} level */
  addOne(level) {
    if (level.domain !== this.domain) {
      Object.assign(this, { domain: level.domain, levels: [], faults: [], text: "", added: [] });
      this.list.replaceChildren();
    }
    this.#append(level);
    this.go(this.levels.length - 1);
  }
}

/** @param {string} word */
const capital = (word) => word[0].toUpperCase() + word.slice(1);

const BOARD = /^(?=.*#)[-\s#@+$*._&bBpPoO0-9|()]+$/; // a row of a Sokoban level
const AUTHOR = /^\s*[;:#]*\s*author\s*:\s*(.+)$/i;
const COLLECTION = /^\s*[;:#]*\s*collection\s*:/i;
const NUMBER = /^\s*[;:]\s*\d+\s*$/; // the number of a level, above it

/** Finds the author of the level that begins at a line: its own, or the collection's, which stands above all levels.
 *  An author directly under `Collection:`, or above it, is the collection's; one after a blank line or a level's number
 *  is not. Authors stand above their levels if the first level has one above it that is not the collection's, none
 *  touches the first level from below, and none stands below the last level. @param {string} text */
function authorsOf(text) {
  /** What stands above the first level, and below each level. */
  const parts = [{ line: 0, author: "", touches: false }];
  const head = parts[0];
  let [blank, inside, collection, titled, shared] = [true, false, false, false, ""];
  text.split(/\r\n|\r|\n/).forEach((line, number) => {
    const isRow = BOARD.test(line), isGap = !line.trim() || NUMBER.test(line);
    if (isRow && !inside) parts.push({ line: number + 1, author: "", touches: false });
    inside = isRow;
    blank = !isRow && (blank || isGap);
    titled = !isRow && titled && !isGap;
    if (parts.length === 1 && COLLECTION.test(line)) {
      collection = titled = true;
      [shared, head.author] = [shared || head.author, ""];
    }
    const author = AUTHOR.exec(line)?.[1].trim();
    const part = parts[parts.length - 1];
    if (author && titled) shared ||= author;
    else if (author && !part.author) Object.assign(part, { author, touches: !blank });
  });
  const below = parts.slice(1);
  const precede = head.author && !below[0]?.touches && !below.at(-1)?.author && below.some(({ author }) => author);
  return (/** @type {number} */ line) => {
    const at = parts.findLastIndex((part) => part.line <= line);
    if (precede && at) return parts[at - 1].author || shared;
    return parts[at].author || (collection && at > 1 ? shared : head.author || shared);
  };
}
