// @ts-check
// The table on which one instance is played: board, keys, pointer, counts, warnings, bookmarks and the film of its moves.
import { engine } from "./engine.js";
import { KINDS, REVERSE } from "./kinds.js";
import { Game } from "./rules/game.js";
import { Reverse } from "./rules/reverse.js";
import { Numbers, wordsOf } from "./paint/numbers.js";
import { better, store } from "./store.js";
import { View } from "./view.js";

/** @typedef {{domain: string, text: string, title: string, author: string}} Level */
/** @typedef {import("./kinds.js").Control} Control */

/** @template {HTMLElement} T @param {string} id @returns {T} */
export const $ = (id) => /** @type {T} */ (document.getElementById(id));

const DRAG = 20; // pixels from which on a press is no click any more
const BACKWARDS = "backwards:"; // begins the bookmarks of the backward game
const REST_MS = 80; // after a move, until the position is described in words and judged
const TELL_MOST_MS = 3000; // while moves follow one another, until it is described all the same
const STEP_MS = 14; // between the steps of a walk that a click began

export class Table {
  /** @param {{changed: () => void, solved: () => void}} listener */
  constructor(listener) {
    this.listener = listener;
    this.view = new View($("board"), () => this.#show());
    this.numbers = new Numbers($("numbers"));
    /** @type {Level} */ this.level = { domain: "sokoban", text: "", title: "", author: "" };
    /** @type {Game} */ this.game = new Game("sokoban", "#####\n#@$.#\n#####\n");
    /** @type {any} */ this.marks = {};
    /** @type {{moves: any[], at: number}|null} */ this.mine = null;
    /** @type {any[]} */ this.queue = [];
    this.timer = 0;
    this.film = 0;
    this.judging = 0;
    this.resting = 0; // the timer that waits for the last move
    this.movedAt = 0;
    this.rail = 0; // how far the knob of the slider can go, and where it is
    this.knob = 0;
    this.told = 0;
    this.mode = "";
    this.stale = false; // the position has changed since its numbers were shown
    this.finished = false; // the person has just solved it
    this.warn = store.setting("warn", true);
    this.editing = false;
    this.dragged = false; // the last press of the pointer was not a click
    /** @type {{moves: any[], at: number}} the forward game while it is played backwards */ this.ahead = { moves: [], at: 0 };
    this.#listen();
  }

  get kind() {
    return this.isReverse ? REVERSE : KINDS[this.level.domain];
  }

  get isReverse() {
    return this.game.domain === "reverse";
  }

  // ---- opening and keeping ----

  /** @param {Level} level */
  open(level) {
    this.keep();
    this.stop();
    this.level = level;
    this.game = new Game(level.domain, level.text);
    this.mine = null;
    this.marks = {};
    const entry = store.entry(level.domain, level.text);
    if (entry.line) {
      this.game.follow(entry.line);
      if (this.game.isEnded()) this.game.goTo(0);
    }
    this.view.painter = this.kind.painter;
    $("name").textContent = level.title || `A ${this.kind.piece} without a name`;
    $("author").textContent = level.author;
    this.say("");
    this.changed();
  }

  /** Writes the moves so far into the browser's store, unless a solution is shown. */
  keep() {
    if (!this.level.text || this.mine || this.editing || this.isReverse) return;
    const entry = store.entry(this.level.domain, this.level.text);
    const line = this.game.at ? this.game.line() : undefined;
    if (entry.line !== line) store.keep(this.level.domain, this.level.text, { ...entry, line });
  }

  /** @param {string} text @param {string} [mood] */
  say(text, mood = "") {
    $("status").textContent = text;
    $("status").className = mood;
  }

  refresh() {
    this.view.position = this.game.position;
    this.view.marks = this.marks;
    this.view.refresh();
  }

  /** To be called after every change of the position. What it changes around the board is shown with the next frame. */
  changed() {
    this.marks = {};
    this.stale = true;
    this.finished = false;
    this.judging++;
    this.movedAt = performance.now();
    this.resting ||= setTimeout(() => this.#rest(), REST_MS);
    this.refresh();
  }

  /** Numbers, buttons and slider, at most once per frame. */
  #show() {
    if (!this.stale || this.editing) return;
    this.stale = false;
    const { at, moves } = this.game;
    $("next").classList.toggle("main", this.finished);
    this.numbers.show(this.kind.counts(this.game));
    for (const id of ["undo", "restart", "first", "step-back"]) $(id).toggleAttribute("disabled", !at);
    for (const id of ["redo", "step-on", "last"]) $(id).toggleAttribute("disabled", at === moves.length);
    this.#moveKnob();
    this.#showMode();
    this.#showBookmarks();
    this.listener.changed();
  }

  /** What is seen of the slider. */
  #moveKnob() {
    const { at, moves } = this.game;
    const knob = Math.round(this.rail * (moves.length ? at / moves.length : 0));
    if (knob === this.knob) return;
    this.knob = knob;
    $("knob").style.transform = $("track").style.transform = `translateX(${knob}px)`;
  }

  /** What depends on whether a solution is shown, or the level is played backwards. */
  #showMode() {
    const mode = `${this.level.domain} ${Boolean(this.mine)} ${this.isReverse}`;
    if (this.mode === mode) return;
    this.mode = mode;
    $("back").hidden = !this.mine;
    $("reverse").hidden = this.level.domain !== "sokoban";
    $("reverse").setAttribute("aria-pressed", String(this.isReverse));
  }

  /** What is too slow for every picture of a film is done when no move has followed for a moment. */
  #rest() {
    const now = performance.now();
    const left = this.movedAt + REST_MS - now;
    this.resting = left > 1 ? setTimeout(() => this.#rest(), left) : 0;
    if (!this.resting || now - this.told > TELL_MOST_MS) this.#tell();
    if (!this.resting) this.#judge();
  }

  /** Words and slider, for those who do not see the board. */
  #tell() {
    const { at, moves } = this.game;
    this.told = performance.now();
    if (this.editing) return;
    this.view.canvas.setAttribute("aria-label", this.kind.describe(this.game));
    $("counts").textContent = wordsOf(this.kind.counts(this.game));
    Object.assign($("scrub"), { max: String(moves.length), value: String(at) });
    $("scrub").setAttribute("aria-valuetext", `move ${at} of ${moves.length}`);
  }

  // ---- playing ----

  /** Plays moves; a walk of several is shown step by step. @param {any[]} moves */
  play(moves) {
    if (this.editing) return;
    this.flush();
    this.stop();
    if (moves.length > 1 && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.queue = [...moves];
      this.#step();
      return;
    }
    let legal = true;
    for (const move of moves) legal &&= this.game.play(move);
    this.#played(legal);
  }

  #step() {
    const legal = this.game.play(this.queue.shift());
    if (!legal) this.queue = [];
    if (this.queue.length) {
      this.stale = true;
      this.refresh();
      this.timer = setTimeout(() => this.#step(), STEP_MS);
    } else {
      this.timer = 0;
      this.#played(legal);
    }
  }

  /** Plays at once what is still to be shown step by step. */
  flush() {
    clearTimeout(this.timer);
    this.timer = 0;
    const left = this.queue;
    this.queue = [];
    if (!left.length) return;
    for (const move of left) this.game.play(move);
    this.#played(true);
  }

  /** @param {boolean} legal */
  #played(legal) {
    if (legal) {
      if (this.mine && this.game.at === this.game.moves.length) this.mine = null;
      this.say("");
    }
    this.changed();
    if (legal && this.game.isEnded()) this.#ended();
  }

  #ended() {
    const { domain, text } = this.level;
    if (this.isReverse) return this.#turn();
    const counts = this.game.counts();
    const best = { line: this.game.line(), ...counts };
    const entry = store.entry(domain, text);
    store.keep(domain, text, {
      ...entry,
      line: undefined,
      byMoves: better(entry.byMoves, best, "moves"),
      byPushes: better(entry.byPushes, best, "pushes"),
    });
    const words = wordsOf(this.kind.counts(this.game));
    this.say(`${this.kind.score ? "The game is over" : "Solved"}: ${words}.`, "solved");
    this.finished = true;
    this.listener.solved();
  }

  // ---- playing backwards ----

  /** Begins to play backwards, or goes back to the forward game. */
  reverse() {
    this.flush();
    this.stop();
    if (this.isReverse) {
      this.#forward(this.ahead);
      return this.say("Forwards again.");
    }
    if (this.mine) this.back();
    if (this.level.domain !== "sokoban" || !Reverse.suits(this.game.position))
      return this.say("Only a level with as many boxes as goals can be played backwards.");
    this.keep();
    this.ahead = { moves: this.game.moves, at: this.game.at };
    this.game = new Game("reverse", this.level.text);
    this.say("Backwards: pull the boxes from the goals to the marked squares where they begin. Click a box, or hold Shift with an arrow key.");
    this.changed();
  }

  /** The moves of the forward game so far, in the notation of solutions. */
  line() {
    return this.isReverse ? this.ahead.moves.slice(0, this.ahead.at).join("") : this.game.line();
  }

  /** @param {{moves: any[], at: number}} game */
  #forward(game) {
    this.game = new Game(this.level.domain, this.level.text);
    this.game.moves = game.moves;
    this.game.goTo(game.at);
    this.changed();
  }

  /** What was played backwards to the end is a solution forwards. */
  #turn() {
    const line = this.game.position.solution(this.game.played());
    this.game = new Game(this.level.domain, this.level.text);
    this.game.follow(line);
    this.changed();
    this.#ended();
    this.say(`${$("status").textContent} Played backwards; the film shows it forwards.`, "solved");
  }

  undo() {
    this.#change(() => this.game.undo());
  }

  redo() {
    this.#change(() => this.game.redo());
  }

  restart() {
    this.#change(() => this.game.goTo(0));
  }

  /** @param {() => void} act */
  #change(act) {
    if (this.editing) return;
    this.flush();
    this.stop();
    act();
    this.say("");
    this.changed();
  }

  /** Plays a line on the present position, for moves that were pasted. @param {string} line */
  follow(line) {
    this.flush();
    const legal = this.game.follow(line);
    this.#played(true);
    return legal;
  }

  // ---- solutions and the film ----

  /** Puts a solution's moves on the table, from the first position on. The person's own game can be taken up again.
   *  @param {any} line */
  show(line) {
    this.flush();
    if (this.isReverse) this.#forward(this.ahead);
    this.mine ??= { moves: this.game.moves, at: this.game.at };
    this.game = new Game(this.level.domain, this.level.text);
    this.game.follow(line);
    this.game.goTo(0);
    this.changed();
  }

  /** Shows the end of a line that a search has found so far. @param {any} line */
  preview(line) {
    this.show(line);
    this.game.goTo(this.game.moves.length);
    this.changed();
  }

  back() {
    if (!this.mine) return;
    this.stop();
    this.game = new Game(this.level.domain, this.level.text);
    this.game.moves = this.mine.moves;
    this.game.goTo(this.mine.at);
    this.mine = null;
    this.say("");
    this.changed();
  }

  /** Begins or stops the film of the moves. */
  run() {
    if (this.film) return this.stop();
    this.flush();
    if (this.game.at === this.game.moves.length) this.game.goTo(0);
    $("run").textContent = "Pause";
    $("run").setAttribute("aria-label", "Pause the film");
    const tick = () => {
      const more = this.game.redo();
      this.changed();
      if (!more || this.game.at === this.game.moves.length) return this.stop();
      this.film = setTimeout(tick, 1000 / Number(/** @type {HTMLSelectElement} */ ($("speed")).value));
    };
    this.film = setTimeout(tick, 0);
  }

  stop() {
    if (!this.film) return;
    clearTimeout(this.film);
    this.film = 0;
    $("run").textContent = "Play";
    $("run").setAttribute("aria-label", "Play the film");
  }

  /** @param {number} at */
  goTo(at) {
    this.flush();
    this.stop();
    this.game.goTo(at);
    this.changed();
  }

  // ---- warnings and hints ----

  /** Asks the engine's quick rules whether the position is lost; only the newest answer counts. */
  async #judge() {
    const { domain } = this.level;
    const question = this.judging;
    if (!this.warn || this.editing || this.isReverse || this.kind.score || !this.game.at || this.queue.length || this.game.isEnded()) return;
    const advice = await engine.explain(domain, this.game.position.text()).catch(() => null);
    if (question !== this.judging || advice?.outlook !== "lost") return;
    this.say(`This cannot be solved any more (${advice.reason}): ${advice.sentence}. Undo takes back.`, "lost");
    if (advice.board) this.marks = { ...this.marks, stuck: stuckCells(advice.board, this.game.position.width) };
    this.refresh();
  }

  async hint() {
    this.flush();
    this.stop();
    if (this.marks.line) return this.playHint();
    if (this.game.isEnded()) return this.say("There is nothing left to do.");
    if (this.isReverse) return this.say("No hint: the engine finds pushes, and backwards boxes are pulled. Play forwards for a hint.");
    const text = this.game.position.text();
    this.say("Looking for a hint …");
    try {
      const job = await engine.run({ kind: "hint", domain: this.level.domain, text, time: engine.seconds(10) });
      if (text !== this.game.position.text()) return;
      this.#tellHint(job);
    } catch (error) {
      this.say(`No hint: ${/** @type {Error} */ (error).message}`);
    }
  }

  /** @param {import("./engine.js").Job} job */
  #tellHint(job) {
    const advice = job.result;
    if (!advice) return this.say(`No hint: ${job.error}`);
    if (advice.outlook === "lost") return this.say(`No hint: ${advice.sentence}.`, "lost");
    if (!advice.line) return this.say("No hint: nothing was found in time.");
    this.kind.suggest(this, advice.line);
    this.say(`Hint: ${this.kind.hintWords(advice.line, this.game)}. Enter, or Hint again, plays it.`);
    this.refresh();
  }

  playHint() {
    const line = this.marks.line;
    this.marks = {};
    this.play(this.game.rules.readLine(line));
  }

  // ---- bookmarks ----

  bookmark() {
    const { domain, text } = this.level;
    const entry = store.entry(domain, text);
    const bookmarks = [...(entry.bookmarks ?? []), (this.isReverse ? BACKWARDS : "") + this.game.line()].slice(-9);
    store.keep(domain, text, { ...entry, bookmarks });
    this.say(`Bookmark ${bookmarks.length} is this position.`);
    this.#showBookmarks();
  }

  #showBookmarks() {
    const bookmarks = store.entry(this.level.domain, this.level.text).bookmarks ?? [];
    const backwards = bookmarks.map((line) => line.startsWith(BACKWARDS));
    if ($("bookmarks").dataset.shown === backwards.join()) return;
    $("bookmarks").dataset.shown = backwards.join();
    $("bookmarks").replaceChildren(...backwards.map((isBackwards, number) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = `${isBackwards ? "‹" : ""}${number + 1}`;
      button.setAttribute("aria-label", `Go to bookmark ${number + 1}${isBackwards ? ", backwards" : ""}`);
      button.addEventListener("click", () => this.#openBookmark(number));
      return button;
    }));
  }

  /** @param {number} number */
  #openBookmark(number) {
    const line = store.entry(this.level.domain, this.level.text).bookmarks?.[number];
    if (line === undefined) return;
    if (this.isReverse !== line.startsWith(BACKWARDS)) this.reverse();
    if (this.isReverse !== line.startsWith(BACKWARDS)) return;
    this.#change(() => {
      this.game.goTo(0);
      this.game.follow(line.replace(BACKWARDS, ""));
    });
  }

  // ---- keys and pointer ----

  /** @param {Control} control @param {boolean} [shift] */
  press(control, shift) {
    if (control === "act" && this.marks.line) return this.playHint();
    this.kind.press(this, control, shift);
  }

  /** A box can be dragged to its place, and a swipe is an arrow key. */
  #listenToDrags() {
    const { stage } = this.view;
    /** @type {{x: number, y: number, place: import("./kinds.js").Place|null}|null} */ let from = null;
    stage.addEventListener("pointerdown", (event) => {
      from = this.editing || !event.isPrimary ? null : { x: event.clientX, y: event.clientY, place: this.view.locate(event) };
      this.dragged = false;
    });
    stage.addEventListener("pointermove", (event) => {
      if (!from || this.dragged || !event.buttons || Math.hypot(event.clientX - from.x, event.clientY - from.y) < DRAG) return;
      this.dragged = true;
      this.flush();
      if (from.place) this.kind.grab?.(this, from.place);
    });
    addEventListener("pointerup", (event) => {
      const [begin, place] = [from, this.view.locate(event)];
      from = null;
      if (!begin || !this.dragged) return;
      if (this.marks.ways) return place && this.kind.point(this, place);
      const [x, y] = [event.clientX - begin.x, event.clientY - begin.y];
      if (event.pointerType === "touch" && this.kind.swipes)
        this.press(Math.abs(x) > Math.abs(y) ? (x < 0 ? "left" : "right") : y < 0 ? "up" : "down");
    });
  }

  #listen() {
    const canvas = this.view.canvas;
    this.#listenToDrags();
    canvas.addEventListener("click", (event) => {
      const place = this.view.locate(event);
      if (!place || this.editing || this.dragged) return;
      this.flush();
      this.kind.point(this, place);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse" && !this.editing && !this.marks.line) this.kind.hover(this, this.view.locate(event));
    });
    canvas.addEventListener("pointerleave", () => !this.editing && !this.marks.line && this.kind.hover(this, null));
    new ResizeObserver(([{ contentRect }]) => {
      this.rail = contentRect.width;
      this.#moveKnob();
    }).observe(/** @type {HTMLElement} */ ($("knob").parentElement));
    addEventListener("pagehide", () => this.keep());
    document.addEventListener("visibilitychange", () => document.hidden && this.keep());
  }
}

/** The cells that a board marks with X. @param {string} board @param {number} width */
function stuckCells(board, width) {
  const cells = new Set();
  board.split("\n").forEach((row, y) => [...row].forEach((symbol, x) => symbol === "X" && cells.add(y * width + x)));
  return cells;
}
