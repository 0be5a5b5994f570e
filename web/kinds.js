// @ts-check
// What differs between the puzzles on the page: how each is drawn, played by keys and by pointer, counted and hinted at.
import * as others from "./paint/others.js";
import * as sokobanPainter from "./paint/sokoban.js";

/** @typedef {import("./rules/game.js").Game} Game */
/** What a kind needs of the table on which it is played. `play` plays moves one after the other.
 * @typedef {{game: Game, marks: any, play: (moves: any[]) => void, refresh: () => void, say: (text: string) => void}} Table */
/** @typedef {{x: number, y: number}} Place */
/** @typedef {"up"|"left"|"down"|"right"|"act"} Control */
/** @typedef {{
 *   title: string, goal: string, set: string, painter: any, score: boolean, piece: string,
 *   difficulties: [string, {options: Record<string, number>, least?: Record<string, number>, most?: Record<string, number>}][],
 *   swipes: boolean, aims: [string, string][], fields: [string, string, number, number, number][], keys: string,
 *   press: (table: Table, control: Control, shift?: boolean) => void, point: (table: Table, place: Place) => void,
 *   grab?: (table: Table, place: Place) => void,
 *   hover: (table: Table, place: Place|null) => void, suggest: (table: Table, line: any) => void,
 *   hintWords: (line: any, game: Game) => string,
 *   counts: (game: Game) => [string, number|string][], describe: (game: Game) => string}} Kind */

const ARROWS = { up: "u", left: "l", down: "d", right: "r" };

/** @type {Kind} */
const sokoban = {
  title: "Sokoban", goal: "Push every box onto a marked square. Boxes can be pushed, not pulled, and only one at a time.", set: "first", painter: sokobanPainter, score: false, piece: "level",
  swipes: true,
  difficulties: [
    ["easy", { options: { width: 7, height: 7, boxes: 2 }, least: { pushes: 5 }, most: { pushes: 14, effort: 100 } }],
    ["medium", { options: { width: 9, height: 9, boxes: 3 }, least: { pushes: 15, "box-changes": 4, effort: 60 }, most: { effort: 1500 } }],
    ["hard", { options: { width: 10, height: 9, boxes: 4 }, least: { pushes: 30, "box-changes": 8, effort: 1000 } }],
  ],
  aims: [["", "any solution"], ["pushes", "fewest pushes, proved"], ["moves", "fewest moves, proved"]],
  fields: [["width", "Columns", 9, 5, 30], ["height", "Rows", 9, 5, 30], ["boxes", "Boxes", 3, 1, 30],
    ["pushes", "Pushes at least", 10, 0, 500]],
  keys: "arrows walk and push",
  press(table, control) {
    if (control !== "act") table.play([ARROWS[control]]);
  },
  point(table, { x, y }) {
    const position = table.game.position;
    const cell = y * position.width + x;
    const ways = table.marks.ways;
    if (ways?.has(cell)) {
      const line = ways.get(cell);
      table.marks = {};
      return table.play([...line]);
    }
    if (position.box[cell] && table.marks.chosen !== cell) {
      const found = position.boxWays(cell);
      table.marks = { chosen: cell, ways: found, targets: new Set(found.keys()) };
      table.say(found.size ? `This box can go to ${found.size} square${found.size === 1 ? "" : "s"}.` : "This box cannot be moved now.");
      return table.refresh();
    }
    table.marks = {};
    const line = position.box[cell] ? null : position.walk(cell);
    if (line) return table.play([...line]);
    table.refresh();
  },
  grab(table, { x, y }) {
    const position = table.game.position;
    const cell = y * position.width + x;
    if (!position.box[cell]) return;
    const ways = position.boxWays(cell);
    table.marks = { chosen: cell, ways, targets: new Set(ways.keys()) };
    table.refresh();
  },
  hover() {},
  suggest(table, line) {
    const position = table.game.position;
    const letters = [...line];
    const push = letters.findIndex((letter) => letter !== letter.toLowerCase());
    if (push < 0) return;
    const before = letters.slice(0, push);
    before.forEach((letter) => position.apply(letter));
    const direction = "uldr".indexOf(letters[push].toLowerCase());
    const from = position.neighbour(position.player, direction);
    const to = position.neighbour(from, direction);
    before.reverse().forEach((letter) => position.undo(letter));
    table.marks = { hint: { from, to }, line };
  },
  hintWords(line) {
    const push = [...line].find((letter) => letter !== letter.toLowerCase()) ?? "";
    return `push the marked box ${{ U: "up", L: "to the left", D: "down", R: "to the right" }[push] ?? ""}`;
  },
  counts(game) {
    const { moves, pushes } = game.counts();
    return [["moves", moves], ["pushes", pushes]];
  },
  describe(game) {
    const p = game.position;
    const { boxes, home } = p.pieces();
    return `Sokoban, ${p.width} by ${p.height}, ${boxes} boxes, ${home} on goals, player in column ${(p.player % p.width) + 1}, ` +
      `row ${Math.floor(p.player / p.width) + 1}. Arrow keys walk and push.`;
  },
};

/** Sokoban backwards: it is no puzzle of its own, but another way to play a level. @type {Kind} */
export const REVERSE = {
  ...sokoban,
  keys: "arrows walk, with Shift they pull",
  press(table, control, shift = false) {
    if (control !== "act") return table.play([shift ? ARROWS[control].toUpperCase() : ARROWS[control]]);
    const square = table.game.position.elsewhere();
    if (square !== null) table.play([square]);
  },
  point(table, place) {
    const position = table.game.position;
    const cell = place.y * position.width + place.x;
    const free = position.floor[cell] && position.isFree(cell) && !table.marks.ways?.has(cell);
    if (free && position.walk(cell) === null && !position.pulls) {
      table.marks = {};
      return table.play([cell]);
    }
    sokoban.point(table, place);
  },
  counts(game) {
    const { moves, pulls } = game.counts();
    return [["moves", moves], ["pulls", pulls]];
  },
  describe: (game) => sokoban.describe(game).replace("Sokoban,", "Sokoban backwards,")
    .replace("Arrow keys walk and push.", "Arrow keys walk, with Shift they pull; space puts the player elsewhere before the first pull."),
};

/** Marks the group of a cell and says what it is worth. @param {Table} table @param {[number, number]} cell */
function showGroup(table, cell) {
  const group = table.game.position.group(cell);
  table.marks = { ...table.marks, group };
  if (!table.game.isEnded()) table.say(group.length ? `${group.length} blocks: ${(group.length - 2) ** 2} points` : "");
  table.refresh();
}

/** @type {Kind} */
const samegame = {
  title: "SameGame", goal: "Take groups of at least two blocks of one colour. A group of n blocks gives (n - 2) x (n - 2) points, an empty board 1000 more, and what is left over costs points.", set: "samegame", painter: others.samegame, score: true, piece: "board",
  swipes: false, difficulties: [], aims: [["", "the highest score"]],
  fields: [["width", "Columns", 15, 2, 32], ["height", "Rows", 15, 2, 32], ["colours", "Colours", 5, 2, 9]],
  keys: "arrows choose, Enter takes a group",
  press(table, control) {
    const p = table.game.position;
    const [x, y] = table.marks.cursor ?? [0, -1];
    if (control === "act") return table.marks.cursor && table.play([table.marks.cursor]);
    const next = { up: [x, y + 1], down: [x, y - 1], left: [x - 1, y], right: [x + 1, y] }[control];
    /** @type {[number, number]} */
    const cursor = [Math.max(0, Math.min(p.width - 1, next[0])), Math.max(0, Math.min(p.height - 1, next[1]))];
    table.marks = { cursor };
    showGroup(table, cursor);
  },
  point(table, { x, y }) {
    const cell = [x, table.game.position.height - 1 - y];
    table.marks = {};
    table.play([cell]);
  },
  hover(table, place) {
    table.marks = {};
    if (place) showGroup(table, [place.x, table.game.position.height - 1 - place.y]);
    else table.refresh();
  },
  suggest(table, line) {
    const cell = table.game.rules.readLine(line)[0];
    table.marks = { line, cursor: cell, group: table.game.position.group(cell) };
  },
  hintWords: () => "take the marked group",
  counts(game) {
    const { score, moves, blocks } = game.counts();
    return [["points", score], ["moves", moves], ["blocks left", blocks]];
  },
  describe(game) {
    const p = game.position;
    const groups = p.groups().length;
    return `SameGame, ${p.width} by ${p.height}, ${p.blocks()} blocks, ${groups} groups. Arrow keys choose, Enter takes a group.`;
  },
};

/** @type {Kind} */
const tiles = {
  title: "Tiles", goal: "Slide the tiles until their numbers are in order, with the empty square first.", set: "tiles", painter: others.tiles, score: false, piece: "board",
  swipes: true, difficulties: [], aims: [["", "any solution"], ["moves", "fewest moves, proved"]],
  fields: [["width", "Columns", 4, 2, 5], ["height", "Rows", 4, 2, 5], ["walk", "Random moves (0: any board)", 0, 0, 100000]],
  keys: "arrows slide a tile",
  press(table, control) {
    const blank = { up: "D", down: "U", left: "R", right: "L" };
    if (control !== "act") table.play([blank[control]]);
  },
  point(table, { x, y }) {
    const moves = table.game.position.slide(y * table.game.position.width + x);
    table.marks = {};
    if (moves) table.play(moves);
  },
  hover() {},
  suggest(table, line) {
    table.marks = { line, hint: table.game.position.target(table.game.rules.readLine(line)[0]) };
  },
  hintWords: () => "slide the marked tile",
  counts: (game) => [["moves", game.counts().moves]],
  describe: (game) => `Sliding tiles, ${game.position.width} by ${game.position.height}: ${game.position.squares.join(" ")}. ` +
    "Arrow keys slide a tile.",
};

/** @type {Kind} */
const pancake = {
  title: "Pancakes", goal: "Put the stack in order, the smallest pancake on top. A flip turns over the top of the stack, down to a pancake that you choose.", set: "pancakes", painter: others.pancake, score: false, piece: "stack",
  swipes: false, difficulties: [], aims: [["", "any solution"], ["moves", "fewest flips, proved"]],
  fields: [["n", "Pancakes", 10, 2, 60]],
  keys: "up and down choose, Enter flips",
  press(table, control) {
    const most = table.game.position.stack.length;
    const flip = table.marks.flip ?? 0;
    if (control === "act") return flip >= 2 && table.play([flip]);
    const next = control === "down" ? flip + 1 : control === "up" ? flip - 1 : flip;
    table.marks = { flip: Math.max(2, Math.min(most, next)) };
    table.say(`Flip ${table.marks.flip}`);
    table.refresh();
  },
  point(table, { y }) {
    table.marks = {};
    table.play([y + 1]);
  },
  hover(table, place) {
    table.marks = place && place.y > 0 ? { flip: place.y + 1 } : {};
    table.refresh();
  },
  suggest(table, line) {
    table.marks = { line, flip: table.game.rules.readLine(line)[0] };
  },
  hintWords: (line, game) => `flip the top ${game.rules.readLine(line)[0]}`,
  counts: (game) => [["flips", game.counts().flips]],
  describe: (game) => `Pancakes from the top: ${game.position.stack.join(" ")}. Up and down choose, Enter flips.`,
};

/** @type {Record<string, Kind>} */
export const KINDS = { sokoban, samegame, tiles, pancake };
