// @ts-check
// The editor: draws walls, boxes, goals and the player, and says while drawing whether the level is valid.
import { wordsOf } from "./paint/numbers.js";
import { forget } from "./paint/sokoban.js";
import { Game } from "./rules/game.js";
import { $ } from "./table.js";

/** @typedef {import("./table.js").Table} Table */

/** @type {[string, string, string][]} symbol, name, key */
const BRUSHES = [["#", "Wall", "1"], [" ", "Floor", "2"], ["$", "Box", "3"], [".", "Goal", "4"], ["@", "Player", "5"]];

export const TITLE = "My level"; // of a level that was drawn
const PAST_MOST = 500; // strokes that can be taken back

export class Editor {
  /** @param {Table} table @param {{done: (text: string) => void, turned: () => void}} listener turned: the editor was
   *  opened or closed */
  constructor(table, listener) {
    this.table = table;
    this.listener = listener;
    this.before = table.level; // the level that was on the table when the editor was opened
    this.brush = "#";
    this.drawing = false;
    this.cursor = 0;
    /** @type {string[]} the level before each stroke */ this.past = [];
    $("brushes").replaceChildren(...BRUSHES.map(([symbol, name, key]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.title = `${name} (${key})`;
      button.setAttribute("role", "radio");
      button.dataset.symbol = symbol;
      button.addEventListener("click", () => this.choose(symbol));
      return button;
    }));
    $("edit-done").addEventListener("click", () => this.finish());
    $("edit-undo").addEventListener("click", () => this.undo());
    $("edit-clear").addEventListener("click", () => this.clear());
    $("edit-cancel").addEventListener("click", () => this.close());
    for (const id of ["columns", "rows"]) $(id).addEventListener("change", () => this.#resize());
    const canvas = table.view.canvas;
    canvas.addEventListener("pointerdown", (event) => this.#draw(event, true));
    canvas.addEventListener("pointermove", (event) => this.drawing && this.#draw(event, false));
    addEventListener("pointerup", () => (this.drawing = false));
  }

  open() {
    const { table } = this;
    if (table.editing) return;
    table.flush();
    table.stop();
    this.before = table.level;
    table.editing = true;
    const text = table.level.domain === "sokoban" ? table.game.position.text() : "#####\n#@$.#\n#####\n";
    this.#set(text);
    this.past = [];
    table.view.grid = true;
    this.cursor = 0;
    $("editor").hidden = false;
    $("play-tools").hidden = $("film-tools").hidden = true;
    this.choose("#");
    this.#changed();
    this.listener.turned();
    table.view.canvas.focus();
  }

  close() {
    this.table.editing = false;
    this.table.view.grid = false;
    $("editor").hidden = true;
    $("play-tools").hidden = $("film-tools").hidden = false;
    this.table.level = { ...this.before, text: "" };
    this.table.open(this.before);
    this.listener.turned();
  }

  finish() {
    const fault = this.fault();
    if (fault) return this.table.say(`Not yet: ${fault}.`, "lost");
    const { text } = this.table.level;
    this.close();
    this.listener.done(text);
  }

  /** @param {string} symbol */
  choose(symbol) {
    this.brush = symbol;
    for (const button of $("brushes").children)
      button.setAttribute("aria-checked", String(/** @type {HTMLElement} */ (button).dataset.symbol === symbol));
  }

  /** @param {string} text */
  #set(text) {
    this.table.game = new Game("sokoban", text);
    const { width, height } = this.table.game.position;
    Object.assign($("columns"), { value: String(width) });
    Object.assign($("rows"), { value: String(height) });
  }

  /** To be called before something is drawn. */
  #remember() {
    this.past.push(paddedText(this.table.game.position));
    if (this.past.length > PAST_MOST) this.past.shift();
  }

  undo() {
    const text = this.past.pop();
    if (text === undefined) return;
    this.#set(text);
    this.cursor = Math.min(this.cursor, this.table.game.position.wall.length - 1);
    this.#changed();
  }

  /** An empty room of the same size. */
  clear() {
    const { width, height } = this.table.game.position;
    this.#remember();
    this.#set(Array.from({ length: height }, (_, y) => (y === 0 || y === height - 1 ? "#".repeat(width) : `#${" ".repeat(width - 2)}#`)).join("\n"));
    this.#changed();
  }

  #resize() {
    this.#remember();
    /** @param {string} id */ const side = (id) => Math.max(3, Math.min(64, Number(/** @type {HTMLInputElement} */ ($(id)).value) || 3));
    const [width, height] = [side("columns"), side("rows")];
    const rows = this.table.game.position.text().trimEnd().split("\n");
    const grown = Array.from({ length: height }, (_, y) => (rows[y] ?? "").padEnd(width).slice(0, width));
    this.#set(grown.join("\n"));
    this.#changed();
  }

  /** @param {PointerEvent} event @param {boolean} first */
  #draw(event, first) {
    const place = this.table.editing ? this.table.view.locate(event) : null;
    if (!place) return;
    this.drawing = true;
    const cell = place.y * this.table.game.position.width + place.x;
    if (first) this.#remember();
    if (first || cell !== this.cursor) this.put(cell, first);
    this.cursor = cell;
  }

  /** Draws with the brush; a box or goal where there is one already is taken away. @param {number} cell @param {boolean} first */
  put(cell, first) {
    const p = this.table.game.position;
    const { brush } = this;
    if (brush === "#" || brush === " ") {
      if (p.player === cell) p.player = -1;
      p.wall[cell] = brush === "#" ? 1 : 0;
      p.box[cell] = p.goal[cell] = 0;
    } else {
      p.wall[cell] = 0;
      if (brush === "@") {
        p.box[cell] = 0;
        p.player = cell;
      } else if (brush === "$") {
        if (p.player === cell) p.player = -1;
        p.box[cell] = first && p.box[cell] ? 0 : 1;
      } else {
        p.goal[cell] = first && p.goal[cell] ? 0 : 1;
      }
    }
    this.#changed();
  }

  /** What is drawn is the level on the table, so that it is what leaves the page as a file or a link. */
  #changed() {
    forget(this.table.game.position);
    this.table.level = { domain: "sokoban", text: tidy(this.table.game.position.text()), title: TITLE, author: "" };
    this.table.marks = { cursor: this.cursor };
    const p = this.table.game.position;
    const fresh = new Game("sokoban", paddedText(p));
    p.floor = fresh.position.floor;
    const fault = this.fault();
    this.table.say(fault ? `Not yet playable: ${fault}.` : "This level is valid.", fault ? "" : "solved");
    const { boxes, goals } = p.pieces();
    /** @type {import("./paint/numbers.js").Counts} */ const counts = [["boxes", boxes], ["goals", goals]];
    this.table.numbers.show(counts);
    $("counts").textContent = wordsOf(counts);
    $("edit-undo").toggleAttribute("disabled", !this.past.length);
    this.table.refresh();
  }

  /** What is missing, or "". */
  fault() {
    const p = this.table.game.position;
    if (p.player < 0) return "there is no player";
    const { boxes, goals } = p.pieces();
    if (!boxes) return "there is no box";
    if (goals < boxes) return `${wordsOf([["boxes", boxes]])}, but only ${wordsOf([["goals", goals]])}`;
    for (let cell = 0; cell < p.floor.length; cell++) {
      const x = cell % p.width;
      const edge = x === 0 || x === p.width - 1 || cell < p.width || cell >= p.floor.length - p.width;
      if (edge && p.floor[cell] && !p.wall[cell]) return "the wall is not closed";
    }
    return p.isEnded() ? "every box is on a goal already" : "";
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const p = this.table.game.position;
    const steps = { ArrowUp: -p.width, ArrowDown: p.width, ArrowLeft: -1, ArrowRight: 1 };
    const step = steps[/** @type {keyof typeof steps} */ (event.key)];
    const brush = BRUSHES.find(([, , key]) => key === event.key);
    if (step) {
      const next = this.cursor + step;
      if (next >= 0 && next < p.wall.length) this.cursor = next;
      this.table.marks = { cursor: this.cursor };
      this.table.say(`Column ${(this.cursor % p.width) + 1}, row ${Math.floor(this.cursor / p.width) + 1}: ${nameOf(p.symbol(this.cursor))}`);
      this.table.refresh();
    } else if (brush) {
      this.choose(brush[0]);
    } else if (event.key === " " || event.key === "Enter") {
      this.#remember();
      this.put(this.cursor, true);
    } else {
      return false;
    }
    return true;
  }
}

/** @param {string} symbol */
const nameOf = (symbol) => ({ "#": "wall", " ": "floor", $: "box", ".": "goal", "@": "player", "*": "box on a goal", "+": "player on a goal" })[symbol];

/** The text with every row as long as the board is wide. @param {import("./rules/sokoban.js").Sokoban} p */
const paddedText = (p) => p.text().replace(/\n$/, "").split("\n").map((row) => row.padEnd(p.width)).join("\n");

/** Without empty rows and columns around the level. @param {string} text */
function tidy(text) {
  const rows = text.split("\n").filter((row) => row.trim());
  const left = Math.min(...rows.map((row) => row.search(/\S/)));
  return `${rows.map((row) => row.slice(left).trimEnd()).join("\n")}\n`;
}
