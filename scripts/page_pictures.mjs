// Makes the pictures of docs/PAGE.md anew, except that of a phone, with Chromium, from a server of its own:
//   CHROMIUM=$(command -v chromium) SOLOIST_BROWSER=$PWD/build/browser node scripts/page_pictures.mjs build/soloist [NAME...]
// build/browser holds node_modules (scripts/deps.sh fills it); NAME is a picture, such as page-lab.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "../tests/browser/harness.mjs";

const { chromium } = createRequire(`${process.env.SOLOIST_BROWSER}/`)("playwright-core");
const [program, ...names] = [resolve(process.argv[2]), ...process.argv.slice(3)];
const source = fileURLToPath(new URL("..", import.meta.url));
const button = (page, name) => page.getByRole("button", { name, exact: true });

/** A board for the view of a search, always the same. */
function boardLink() {
  const { board } = JSON.parse(execFileSync(program, ["generate", "samegame", "width=13", "height=13", "colours=7", "--seed", "1", "--json"]).toString());
  return `#samegame&title=Thirteen%20by%20thirteen&level=${encodeURIComponent(board.replaceAll("\n", "|"))}`;
}

/** One function per picture: it brings the page into the state that is shown. */
const pictures = {
  async page(page, address) {
    await page.goto(address);
    await page.locator("#levels [aria-current]").waitFor({ state: "attached" });
    await page.getByText("Small warehouse").click();
    await button(page, "Solve").click();
    await page.locator("#result").filter({ hasText: "Solved" }).waitFor();
    await button(page, "To the end").click();
    await button(page, "One move back").click();
  },
  async "page-watch"(page, address) {
    await page.goto(`${address}#samegame`);
    await page.getByText("fifteen by fifteen").click();
    await page.getByLabel("Method").selectOption("nrpa");
    await button(page, "Solve").click();
    await page.waitForTimeout(10000);
    const slider = page.getByLabel("Move number");
    await slider.fill(String(Math.floor(Number(await slider.getAttribute("max")) / 2)));
  },
  async "page-lab"(page, address) {
    await page.goto(`${address}#lab`);
    await page.getByText("900 of 900 runs are done").waitFor();
    const figure = await page.getByRole("group", { name: "Figure: Stacks solved by number of iterations" }).boundingBox();
    await page.mouse.move(figure.x + figure.width * 0.97, figure.y + figure.height * 0.8); // near the last point of a series
  },
  async "page-search"(page, address) {
    await page.goto(`${address}watch.html${boardLink()}`);
    await page.getByLabel("First search").selectOption("uct");
    await page.getByLabel("Second search").selectOption("nrpa");
    await button(page, "Start").click();
    await page.waitForTimeout(8000);
    await button(page, "Pause").click();
    await page.getByText("Paused.").waitFor();
  },
};

const folder = mkdtempSync(join(tmpdir(), "soloist-pictures-"));
const [store, network] = [join(folder, "lab.db"), join(folder, "small.safetensors")];
execFileSync(program, ["lab", "run", join(source, "data/experiments/example.lab"), "--store", store, "--quiet"]);
execFileSync(program, ["train", "samegame", "--out", network, "--time", "10"], { stdio: "pipe" });
const server = await serve(program, store, network, `${network}.run`);
const root = process.getuid?.() === 0;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: root ? ["--no-sandbox"] : [] });
for (const [name, act] of Object.entries(pictures)) {
  if (names.length && !names.includes(name)) continue;
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: name === "page-watch" ? "dark" : "light" });
  const page = await context.newPage();
  await act(page, server.address);
  await page.waitForTimeout(500); // the text below the board follows when the moves pause
  await page.screenshot({ path: join(source, `docs/${name}.png`), fullPage: name === "page-search" });
  await context.close();
}
await browser.close();
await server.stop();
rmSync(folder, { recursive: true });
