// The page's rules against the program's referee: 100,000 random moves. Every random game becomes a puzzle of which it is
// a solution, and `soloist check` must accept it with the same counts.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Game } from "../../web/rules/game.js";
import { Sokoban } from "../../web/rules/sokoban.js";

const program = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), "soloist-rules-"));
let seed = 12345;
/** Uniform enough below n; the same on every machine. */
function below(n) {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return Math.floor((seed / 4294967296) * n);
}

/** A room with boxes in the middle, in which nothing is ever stuck for long, and decoration outside, which does not count. */
function sokobanGame(moves) {
  const [width, height] = [8 + below(8), 8 + below(8)];
  const rows = Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) =>
    (x === 0 || y === 0 || x === width - 1 || y === height - 1 ? "#" : x > 2 && y > 2 && x < width - 3 && y < height - 3 && below(5) === 0 ? "$" : " ")));
  rows[1][1] = "@";
  rows[2][2] = "$";
  if (below(2)) rows[below(height)].push(" ", "$", "*", ".");
  const game = new Game("sokoban", rows.map((row) => row.join("")).join("\n"));
  for (let tries = 0; game.at < moves && tries < 9 * moves; tries++) {
    if (below(8)) {
      game.play("uldr"[below(4)]);
      continue;
    }
    const boxes = [...game.position.box.keys()].filter((cell) => game.position.box[cell]);
    const ways = [...game.position.boxWays(boxes[below(boxes.length)]).values()];
    const way = below(2) ? game.position.walk(below(game.position.wall.length)) : ways[below(ways.length)];
    if (way && game.at + way.length <= moves) for (const letter of way) if (!game.play(letter)) throw new Error("a way is not legal");
  }
  const line = game.line();
  const goals = game.position.box.map((box, cell) => box & game.position.floor[cell]);
  game.goTo(0);
  const start = game.position.text();
  game.goTo(line.length);
  if (game.line() !== line) throw new Error("redo differs");
  const level = new Sokoban(start);
  level.goal = goals;
  const again = new Game("sokoban", level.text());
  if (!again.follow(line) || !again.position.isEnded()) throw new Error("the end is not recognised");
  return { text: level.text(), line, moves: line.length, count: game.counts() };
}

/** A room in which boxes are pulled at random; what was played backwards must be a solution of the level that begins where it
 *  ended. */
function reverseGame(moves) {
  const { text } = sokobanGame(40);
  const open = text.replace(/[*]/g, "$");
  const boxes = new Sokoban(open).box.reduce((n, box) => n + box, 0);
  const goals = new Sokoban(open);
  goals.goal = goals.box.slice();
  const game = new Game("reverse", goals.text());
  const begin = game.position.player;
  for (let tries = 0; game.at < moves && tries < 9 * moves; tries++) {
    const where = game.position;
    if (below(4)) {
      game.play(below(2) ? "uldr"[below(4)] : "ULDR"[below(4)]);
      continue;
    }
    const jump = below(5) ? null : where.elsewhere();
    if (jump !== null) game.play(jump);
    const cells = [...where.box.keys()].filter((cell) => where.box[cell]);
    const ways = [...where.boxWays(cells[below(boxes)]).values()];
    const way = ways[below(ways.length)];
    if (way && game.at + way.length <= moves) for (const letter of way) if (!game.play(letter)) throw new Error("a way backwards is not legal");
  }
  const count = game.at;
  const end = game.position.text();
  game.goTo(0);
  game.goTo(count);
  if (game.position.text() !== end) throw new Error("redo backwards differs");
  const level = new Sokoban(end);
  level.goal = goals.box.slice();
  const forward = new Game("reverse", level.text());
  for (const move of [{ to: begin }, ...game.played()]) if (!forward.play(typeof move === "string" ? move : move.to)) throw new Error("the game cannot be played again");
  if (!forward.isEnded()) throw new Error("the end backwards is not recognised");
  const line = forward.position.solution(forward.played());
  const pushes = [...line].filter((letter) => letter !== letter.toLowerCase()).length;
  return { text: level.text(), line, moves: line.length, count: { pushes } };
}

function samegameGame() {
  const [width, height, colours] = [2 + below(14), 2 + below(14), 2 + below(4)];
  const text = Array.from({ length: height }, () => Array.from({ length: width }, () => 1 + below(colours)).join("")).join("\n");
  const game = new Game("samegame", text);
  for (let groups; (groups = game.position.groups()).length;) game.play(groups[below(groups.length)]);
  const line = game.line();
  const end = game.position.text();
  game.goTo(0);
  game.goTo(game.moves.length);
  if (game.position.text() !== end) throw new Error("redo differs");
  return { text: `${text}\n`, line, moves: game.at, count: game.counts() };
}

function tilesGame(moves) {
  const [width, height] = [2 + below(4), 2 + below(4)];
  const goal = Array.from({ length: width * height }, (_, i) => i).join(" ");
  const game = new Game("tiles", `${width}x${height}: ${goal}`);
  while (game.at < moves) game.play("ULRD"[below(4)]);
  const line = game.played().reverse().map((letter) => "DRLU"["ULRD".indexOf(letter)]).join("");
  return { text: game.position.text(), line, moves: game.at, count: { moves: game.at } };
}

function pancakeGame(moves) {
  const n = 3 + below(40);
  const game = new Game("pancake", Array.from({ length: n }, (_, i) => i + 1).join(" "));
  while (game.at < moves) game.play(2 + below(n - 1));
  return { text: game.position.text(), line: JSON.stringify(game.played().reverse()), moves: game.at, count: { moves: game.at } };
}

let failed = 0;
let total = 0;

/** Lets the referee judge the games. The claimed counts are a part of the file, and `check` compares them. */
function judge(domain, games) {
  const [puzzles, solutions] = [join(folder, `${domain}.txt`), join(folder, `${domain}.json`)];
  writeFileSync(puzzles, games.map((game) => game.text).join("\n"));
  writeFileSync(solutions, games.map((game, i) => {
    const solution = domain === "sokoban" || domain === "tiles" ? JSON.stringify(game.line) : game.line;
    const { score, pushes } = game.count;
    const claims = { moves: game.moves, ...(score === undefined ? {} : { score }), ...(pushes === undefined ? {} : { pushes }) };
    return `{"id":${i + 1},"status":"solved","solution":${solution},${JSON.stringify(claims).slice(1)}`;
  }).join("\n"));
  try {
    execFileSync(program, ["check", "--domain", domain, puzzles, solutions], { stdio: ["ignore", "pipe", "pipe"] });
    total += games.reduce((sum, game) => sum + game.moves, 0);
  } catch (error) {
    failed++;
    console.log(`FAILED ${domain}: ${String(error.stdout).split("\n").slice(0, 3).join(" ")} ${error.stderr ?? ""}`);
  }
}

const many = (count, make) => Array.from({ length: count }, make);
judge("sokoban", many(150, () => sokobanGame(400)));
judge("sokoban", many(60, () => reverseGame(300)));
judge("samegame", many(500, samegameGame));
judge("tiles", many(60, () => tilesGame(400)));
judge("pancake", many(60, () => pancakeGame(300)));
rmSync(folder, { recursive: true });
if (total < 100000 && !failed) {
  failed++;
  console.log(`FAILED only ${total} moves were played`);
}
console.log(`${5 - failed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
