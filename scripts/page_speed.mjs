// Measures the page, for scripts/page_speed.sh: the first paint on loopback, and script and drawing per frame while a film
// of moves and a person's steps run on a board of 50 x 50 squares. Exits with 1 if a limit is not met.
import { createRequire } from "node:module";
import { serve } from "../tests/browser/harness.mjs";

const { chromium } = createRequire(`${process.env.SOLOIST_BROWSER}/`)("playwright-core");
const LIMITS = { paint: 300, frame: 8 };
const VISITS = 7;
const DENSITY = Number(process.env.DENSITY ?? 1);

/** A room with pillars, boxes and as many goals; the player walks around it. */
function largeLevel() {
  const side = 50;
  const rows = Array.from({ length: side }, (_, y) => Array.from({ length: side }, (_, x) => {
    if (x === 0 || y === 0 || x === side - 1 || y === side - 1) return "#";
    if (x % 6 === 3 && y % 6 === 3) return "#";
    if (x % 6 === 0 && y % 6 === 0 && x < side - 2 && y < side - 2) return "$";
    return x % 6 === 0 && y % 6 === 2 && x < side - 2 && y < side - 2 && y > 2 ? "." : " ";
  }));
  rows[1][1] = "@";
  const count = (symbol) => rows.flat().filter((cell) => cell === symbol).length;
  for (let x = 1; count(".") < count("$"); x += 2) if (rows[side - 2][x] === " ") rows[side - 2][x] = ".";
  return rows.map((row) => row.join("")).join("\n");
}

const quantile = (values, share) => values.slice().sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
const text = (value) => value.toFixed(1);

/** First paint and first board of fresh visits, in milliseconds. */
async function measurePaint(browser, address) {
  const [paints, boards] = [[], []];
  for (let visit = 0; visit < VISITS; visit++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.goto(address);
    await page.locator("#levels [aria-current]").waitFor({ state: "attached" });
    const { paint, board } = await page.evaluate(() => ({
      paint: performance.getEntriesByType("paint").find((entry) => entry.name === "first-contentful-paint")?.startTime ?? Infinity,
      board: performance.now(),
    }));
    paints.push(paint);
    boards.push(board);
    await context.close();
  }
  return { paints, boards };
}

/** Script, style, layout and paint of each frame, from the browser's own trace, in milliseconds of the main thread's own
 *  time: what other programs take meanwhile does not count. */
function framesOf(events) {
  const named = events.find((event) => event.name === "thread_name" && event.args?.name === "CrRendererMain" && events.some((other) => other.pid === event.pid && other.name === "FireAnimationFrame"));
  const main = events.filter((event) => event.ph === "X" && event.pid === named?.pid && event.tid === named?.tid);
  const tasks = main.filter((event) => /RunTask$/.test(event.name)).sort((a, b) => a.ts - b.ts);
  const frames = main.filter((event) => event.name === "FireAnimationFrame").map((event) => event.ts).sort((a, b) => a - b);
  return frames.slice(1).map((end, i) => tasks.filter((task) => task.ts > frames[i] && task.ts <= end).reduce((sum, task) => sum + (task.tdur ?? task.dur), 0) / 1000);
}

async function measureFrames(browser, address) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, deviceScaleFactor: DENSITY });
  const page = await context.newPage();
  await page.goto(`${address}#sokoban&level=${encodeURIComponent(largeLevel().replace(/ /g, "-").replace(/\n/g, "|"))}`);
  await page.locator("#collection").filter({ hasText: "From a link" }).waitFor();
  await page.getByRole("button", { name: "Paste", exact: true }).click();
  await page.getByRole("textbox", { name: "Text" }).fill(`${"r".repeat(47)}${"d".repeat(47)}${"l".repeat(47)}${"u".repeat(46)}`.repeat(4));
  await page.getByRole("button", { name: "Load" }).click();
  await page.locator("#counts").filter({ hasText: /[1-9]\d\d moves/ }).waitFor();
  await page.getByRole("button", { name: "To the beginning" }).click();
  await page.getByLabel("Speed").selectOption("40");
  await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline", "__metadata"] });
  await page.getByRole("button", { name: "Play the film" }).click();
  await page.waitForFunction(() => Number(document.getElementById("scrub").value) > 200, null, { timeout: 120000, polling: 250 });
  await page.getByRole("application").focus();
  for (let i = 0; i < 150; i++) {
    await page.keyboard.press(i % 2 ? "ArrowLeft" : "ArrowRight");
    await page.waitForTimeout(33); // as fast as a key that is held down
  }
  const trace = JSON.parse((await browser.stopTracing()).toString());
  await context.close();
  return framesOf(trace.traceEvents ?? trace);
}

const server = await serve(process.argv[2]);
const root = process.getuid?.() === 0;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: root ? ["--no-sandbox"] : [] });
const { paints, boards } = await measurePaint(browser, server.address);
const frames = await measureFrames(browser, server.address);
await browser.close();
await server.stop();
const paint = quantile(paints, 0.5);
const frame = quantile(frames, 0.95);
console.log(`first paint: ${text(paint)} ms in the median of ${VISITS} visits (slowest ${text(Math.max(...paints))} ms); the level is on the board after ${text(quantile(boards, 0.5))} ms; limit ${LIMITS.paint} ms`);
console.log(`frames on a board of 50 x 50 (1280 x 800, density ${DENSITY}): ${text(frame)} ms at the 95th percentile of ${frames.length} (median ${text(quantile(frames, 0.5))} ms, slowest ${text(Math.max(...frames))} ms); limit ${LIMITS.frame} ms`);
process.exit(paint <= LIMITS.paint && frame <= LIMITS.frame && frames.length > 100 ? 0 : 1);
