// The lab on the page: a store with a small experiment, and the folder of a training to which a row is added while it is
// looked at.
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "./harness.mjs";

const EXPERIMENT = `title Small stacks
generate pancake n=6 count=4 seed=1 as stacks
method astar as A*
method bfs as breadth
budget nodes=100 time=none
budget nodes=5000 time=none
seeds 1
measure cost SELECT value FROM runs WHERE label = ?1
row "mean cost of A*" cost A*
figure "Nodes by stack" x="stack" y="nodes" : SELECT label, number, nodes FROM runs
`;
const row = (number, score) => `${JSON.stringify({ row: number, time_s: 10 * number, doing: "self-play", steps: 100 * number, games: 7 * number, positions: 900 * number, policy_loss: 3 / (number + 1), value_loss: 0.2, greedy_mean: score, greedy_interval: 5 })}\n`;

/** Makes the files, and returns the words for `soloist serve` and the file to which rows are added. */
export function makeLab(program) {
  const folder = mkdtempSync(join(tmpdir(), "soloist-lab-"));
  const training = join(folder, "mine.safetensors.run");
  const words = [training];
  mkdirSync(training);
  writeFileSync(join(training, "curve.jsonl"), row(0, 12) + row(1, 40));
  writeFileSync(join(training, "games.txt"), "1122|1221\t4\t[[0,0],[0,0]]\n2211|1122\t0\t[[0,0]]\n");
  writeFileSync(join(training, "words.json"), JSON.stringify({ domain: "samegame", board: "4x2", seed: 1 }));
  writeFileSync(join(folder, "small.lab"), EXPERIMENT);
  try {
    execFileSync(program, ["lab", "run", join(folder, "small.lab"), "--store", join(folder, "small.db"), "--quiet"], { stdio: "pipe" });
    words.unshift(join(folder, "small.db"));
  } catch {
    console.log("SKIP the lab's tables: they need a program with SQLite");
  }
  return { folder, words, curve: join(training, "curve.jsonl"), stored: words.length > 1 };
}

/** @param {ReturnType<typeof makeLab>} lab */
export function declareLabTests(lab) {
  if (lab.stored)
    test("the lab: tables, a comparison, a figure that is hovered, a run on the board", async (page, address) => {
      await page.goto(`${address}#lab`);
      const view = page.getByRole("main", { name: "Lab" });
      await view.getByRole("heading", { name: "Small stacks" }).waitFor();
      await view.getByText("16 of 16 runs are done").waitFor();
      await view.getByRole("row", { name: "mean cost of A*" }).waitFor();
      await view.getByRole("row", { name: /^A\* 5,000/ }).waitFor();
      await view.getByLabel("What is compared").selectOption("nodes");
      await view.getByRole("cell", { name: /nodes (of A\* is lower|does not differ)/ }).waitFor();
      const figure = view.getByRole("group", { name: "Figure: Nodes by stack" });
      const box = await figure.boundingBox();
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await figure.focus();
      await page.keyboard.press("ArrowRight");
      await view.getByRole("status").filter({ hasText: /(A\*|breadth), stack \d: \d+/ }).waitFor();
      await view.getByRole("combobox", { name: "Figure", exact: true }).selectOption("performance profile");
      await view.getByRole("group", { name: /Figure: runs/ }).waitFor();
      await view.getByText("List the runs").click();
      await view.getByRole("button", { name: "Show run 9 on the board" }).click();
      await page.locator("#name").filter({ hasText: "small, run 9" }).waitFor();
      await page.getByRole("button", { name: "Back to my game" }).waitFor();
    });

  test("a training at work: its curve grows, its games are played on the board", async (page, address) => {
    await page.goto(`${address}#lab&training=0`);
    const view = page.getByRole("main", { name: "Lab" });
    await view.getByText("At work").waitFor();
    const figure = view.getByRole("group", { name: "Figure: Policy without search" });
    await figure.focus();
    await page.keyboard.press("ArrowLeft");
    await view.getByRole("status").filter({ hasText: ": 40 (35 to 45)" }).waitFor();
    appendFileSync(lab.curve, row(2, 55));
    await view.getByText("1,800").waitFor();
    await figure.focus();
    await page.keyboard.press("ArrowRight");
    await view.getByRole("status").filter({ hasText: ": 55 (50 to 60)" }).waitFor();
    await view.getByRole("button", { name: "4 points" }).click();
    await page.getByRole("button", { name: "To the end" }).click();
    await page.locator("#counts").filter({ hasText: "2 moves" }).waitFor();
  });
}
