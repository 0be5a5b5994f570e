// The view of searches at work, as a person uses it. Searches begin paused and go on by steps, so that nothing here depends
// on how fast they are.
import { createRequire } from "node:module";
import { must, runAll, serve, test } from "./harness.mjs";

const axe = createRequire(`${process.env.SOLOIST_BROWSER}/`).resolve("axe-core/axe.min.js");
const SOKOBAN = "#sokoban&level=" + encodeURIComponent("9#|#--.---#|#-$--$.-#|#@---$--#|#--.----#|9#") + "&title=Three";
const SAMEGAME = "#samegame&level=" + encodeURIComponent("1213241|2312413|1132432|4213214|3124231|2341123|1423312") + "&title=Seven";
const TILES = "#tiles&level=" + encodeURIComponent("8 6 7 2 5 4 3 0 1");
const PANCAKES = "#pancake&level=" + encodeURIComponent("5 2 9 1 6 8 4 3 10 7");

const button = (scope, name) => scope.getByRole("button", { name, exact: true });
const lane = (page, name) => page.getByRole("article", { name });
const fact = (scope, name) => scope.locator("dt", { hasText: new RegExp(`^${name}$`) }).locator("xpath=following-sibling::dd[1]");

/** A number on the page, such as "1,234". */
const count = async (scope, name) => Number((await fact(scope, name).textContent()).replaceAll(",", ""));

/** Waits until a number on the page has grown. */
async function grown(scope, name, before) {
  for (;;) {
    const now = await count(scope, name);
    if (now > before) return now;
    await scope.page().evaluate(() => new Promise(requestAnimationFrame));
  }
}

async function open(page, address, fragment) {
  await page.goto(`${address}watch.html${fragment}`);
  await page.getByLabel("First search").locator("option").nth(1).waitFor({ state: "attached" });
}

/** Starts searches that are paused. */
async function begin(page, size, ...methods) {
  await page.getByLabel("First search").selectOption(methods[0]);
  if (methods[1]) await page.getByLabel("Second search").selectOption(methods[1]);
  await page.getByLabel("Begin paused").check();
  await page.getByLabel("Step size").selectOption(String(size));
  await button(page, "Start").click();
  for (const method of methods) await fact(lane(page, method), "State").filter({ hasText: /paused|ended/ }).waitFor();
}

/** Presses a button, unless it cannot be pressed because the searches have ended meanwhile. Returns whether it could. */
async function press(page, name) {
  const off = page.getByRole("button", { name, exact: true, disabled: true });
  return Promise.race([button(page, name).click().then(() => true, () => false), off.waitFor().then(() => false, () => false)]);
}

/** Makes steps until something is there. */
async function stepUntil(page, locator) {
  for (let i = 0; i < 200 && !(await locator.isVisible()); i++) {
    if (!(await press(page, "Step"))) break;
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }
  await locator.waitFor();
}

/** Ends a search, unless its last steps have done so. */
async function stop(page, here) {
  await press(page, "Stop");
  await fact(here, "State").filter({ hasText: "ended" }).waitFor();
}

/** A search of this method shows a heading, and then what belongs to it. */
function watches(method, fragment, heading, size, look) {
  test(`watching ${method}: ${heading}`, async (page, address) => {
    await open(page, address, fragment);
    await begin(page, size, method);
    const here = lane(page, method);
    await stepUntil(page, here.getByRole("heading", { name: heading, exact: true }));
    await look(page, here);
    await stop(page, here);
  });
}

watches("uct", SAMEGAME, "The tree", 100, async (page, here) => {
  const table = here.getByRole("region", { name: "Moves in the tree" });
  await stepUntil(page, table.getByRole("row").nth(2));
  const visits = await table.getByRole("row").nth(1).getByRole("cell").nth(1).textContent();
  const move = table.getByRole("row").nth(1).getByRole("button");
  const words = await move.textContent();
  await move.click();
  const path = here.getByRole("list", { name: "Path in the tree" });
  await path.getByRole("button", { name: words }).waitFor();
  await here.locator("caption").filter({ hasText: `visited ${visits} times` }).waitFor();
  await path.getByRole("button", { name: "Root" }).click();
  await here.locator("caption").filter({ hasNotText: `visited ${visits} times` }).waitFor();
  const seen = {};
  for (const heat of ["none", "visits", "values"]) {
    await page.getByLabel("Heat").selectOption(heat);
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(drawn)))));
    seen[heat] = await here.getByRole("img", { name: /The board at the chosen node/ }).screenshot();
  }
  must(!seen.none.equals(seen.visits) && !seen.visits.equals(seen.values), "the board is coloured by what was chosen");
});

watches("fess", SOKOBAN, "The feature space", 1, async (page, here) => {
  await stepUntil(page, here.getByRole("img", { name: /cells by packed/ }));
  await here.getByRole("columnheader", { name: "packed" }).waitFor();
});

watches("astar", SOKOBAN, "The front of the search", 1, async (page, here) => {
  await stepUntil(page, here.getByRole("img", { name: /Open states by f/ }));
  await here.getByRole("img", { name: /Open states by cost so far/ }).waitFor();
  await stepUntil(page, here.getByRole("img", { name: /The board at the end of the line that the search follows/ }));
});

test("a search on several threads shows its line", async (page, address) => {
  await open(page, address, TILES);
  await page.getByLabel("Threads").fill("2");
  await begin(page, 1000, "astar");
  await stepUntil(page, lane(page, "astar").getByRole("img", { name: /The board at the end of the line that the search follows/ }));
  await stop(page, lane(page, "astar"));
});

watches("mm", PANCAKES, "The front of the search", 10, async (page, here) => {
  await stepUntil(page, here.getByText("from the goals").first());
});

watches("idastar", TILES, "Depth-first search below a threshold", 1000, async (page, here) => {
  await stepUntil(page, here.getByRole("img", { name: /Positions per threshold/ }));
  await stepUntil(page, here.getByRole("img", { name: /Positions that wait, by depth/ }));
});

watches("nrpa", SAMEGAME, "The levels of the search", 10, async (page, here) => {
  await stepUntil(page, here.getByRole("img", { name: /Best result over time/ }));
  await here.getByRole("cell", { name: "Level 1" }).waitFor();
});

watches("beam", SAMEGAME, "The layers of the beam", 100, async (page, here) => {
  await stepUntil(page, here.getByRole("img", { name: /States kept per layer/ }));
  await here.getByRole("img", { name: /Ranks: the best of the newest layer/ }).waitFor();
});

watches("policy-mcts", SAMEGAME, "The tree", 10, async (page, here) => {
  const table = here.getByRole("region", { name: "Moves in the tree" });
  await stepUntil(page, table.getByRole("cell", { name: /\d %/ }).first());
  await page.getByLabel("Heat").selectOption("priors");
  await here.getByRole("img", { name: /The board at the chosen node/ }).waitFor();
});

watches("auto", SAMEGAME, "The front of the search", 1000, async (page, here) => {
  await fact(here, "At work").filter({ hasText: "bestfirst" }).waitFor();
});

test("a search is paused, taken step by step, slowed down, and looked at as it was", async (page, address) => {
  await open(page, address, SAMEGAME);
  await begin(page, 100, "uct");
  const here = lane(page, "uct");
  let positions = await count(here, "Positions");
  for (let i = 0; i < 3; i++) {
    await button(page, "Step").click();
    const next = await grown(here, "Positions", positions);
    must(next - positions >= 50 && next - positions <= 1000, `a step of 100 positions made ${next - positions}`);
    positions = next;
  }
  must((await fact(here, "State").textContent()) === "paused", "it went on by itself");
  await page.getByLabel("Moment").fill("1");
  await page.waitForFunction((now) => [...document.querySelectorAll("dt")].some((dt) => dt.textContent === "Positions" &&
    Number(dt.nextElementSibling.textContent.replaceAll(",", "")) < now), positions);
  await button(page, "Newest").click();
  await grown(here, "Positions", positions - 1);
  await page.getByLabel("Speed").selectOption("10 steps a second");
  await button(page, "Go on").click();
  positions = await grown(here, "Positions", positions);
  await grown(here, "Positions", positions);
  await button(page, "Pause").click();
  await fact(here, "State").filter({ hasText: "paused" }).waitFor();
  await button(page, "Stop").click();
  await fact(here, "Result").filter({ hasText: "stopped" }).waitFor();
});

test("a search that is watched is found again after a reload", async (page, address) => {
  await open(page, address, SAMEGAME);
  await begin(page, 100, "uct");
  await button(page, "Step").click();
  const positions = await grown(lane(page, "uct"), "Positions", 0);
  await page.reload();
  await page.getByText("These searches were started before").waitFor();
  must(await grown(lane(page, "uct"), "Positions", positions - 1) >= positions, "it is the same search");
  await button(page, "Step").click();
  await grown(lane(page, "uct"), "Positions", positions);
  await stop(page, lane(page, "uct"));
});

test("a short search begins paused, and a search that was found again is said to have ended", async (page, address) => {
  await open(page, address, "#sokoban&level=" + encodeURIComponent("5#|#@$.#|5#"));
  await begin(page, 100, "uct");
  const here = lane(page, "uct");
  must((await fact(here, "State").textContent()) === "paused", "it has ended unseen");
  await page.reload();
  await page.getByText("These searches were started before").waitFor();
  await button(page, "Step").click();
  await fact(here, "Result").filter({ hasText: "solved" }).waitFor();
  await page.getByText("These searches have ended.").waitFor();
});

test("two searches on a server that runs one at a time", async (page) => {
  const own = await serve(program, "--jobs", "1");
  await open(page, own.address, SAMEGAME);
  await begin(page, 100, "uct");
  await page.getByLabel("Second search").selectOption("nrpa");
  await button(page, "Start").click();
  await page.getByText("This server runs one search at a time").waitFor();
  await fact(lane(page, "nrpa"), "State").filter({ hasText: "waiting, place 1" }).waitFor();
  await page.goto("about:blank");
  await own.stop();
});

test("two searches side by side get the same limits", async (page, address) => {
  await open(page, address, SAMEGAME);
  await page.getByLabel("Positions at most").fill("3000");
  await begin(page, 1000, "uct", "nrpa");
  await stepUntil(page, lane(page, "uct").getByRole("heading", { name: "The tree" }));
  await stepUntil(page, lane(page, "nrpa").getByRole("heading", { name: "The levels of the search" }));
  await button(page, "Go on").click();
  for (const method of ["uct", "nrpa"]) {
    await fact(lane(page, method), "Result").filter({ hasText: "all positions are used" }).waitFor();
    const positions = await count(lane(page, method), "Positions");
    must(positions >= 2900 && positions <= 3000, `${method} used ${positions}`);
  }
});

test("a damaged link is told", async (page, address) => {
  for (const link of ["#sokoban&level=%", "#nope&level=3"]) {
    await page.goto("about:blank");
    await page.goto(`${address}watch.html${link}`);
    await page.getByText("This link is damaged").waitFor();
  }
});

test("the board leads to the view of its searches and back", async (page, address) => {
  await page.goto(`${address}${SOKOBAN}`);
  await page.getByRole("heading", { name: "Three" }).waitFor();
  await page.getByRole("link", { name: "Watch" }).click();
  await page.locator("#puzzle").filter({ hasText: "Sokoban: Three" }).waitFor();
  await page.getByRole("link", { name: "Back to the board" }).click();
  await page.getByRole("heading", { name: "Three" }).waitFor();
});

async function examine(page, address) {
  await page.addInitScript({ path: axe });
  for (const [fragment, ...methods] of [[SOKOBAN, "fess", "astar"], [SAMEGAME, "policy-mcts", "beam"], [TILES, "idastar", "mm"]]) {
    await open(page, address, fragment);
    await page.reload();
    await open(page, address, fragment);
    await begin(page, methods.includes("idastar") ? 1000 : 10, ...methods);
    for (let i = 0; i < 3 && (await press(page, "Step")); i++);
    const { violations } = await page.evaluate(() => window.axe.run());
    const words = violations.map((fault) => `${fault.id}: ${fault.nodes.map((node) => node.html).slice(0, 3).join(" ")}`);
    must(!words.length, `${methods}: ${words.join("; ")}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    must(wide <= 0, `${methods}: ${wide} pixels too wide`);
    await press(page, "Stop");
  }
}

test("axe finds nothing in the view of searches, light", examine, { colorScheme: "light" });
test("axe finds nothing in the view of searches, dark and narrow", examine, { colorScheme: "dark", viewport: { width: 360, height: 740 } });

const [program, ...words] = process.argv.slice(2);
const server = await serve(program, "--jobs", "2");
const good = await runAll(server.address, words);
await server.stop();
process.exit(good ? 0 : 1);
