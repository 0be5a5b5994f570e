// A small test runner: a server of its own, one browser, a fresh visit per test. Prints "N passed, N failed".
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(`${process.env.SOLOIST_BROWSER}/`);
const { chromium } = require("playwright-core");

/** @type {{name: string, act: Function, options: object}[]} */
const tests = [];

/** Declares a test. options: those of a browser context, such as the size of the window. */
export function test(name, act, options = {}) {
  tests.push({ name, act, options });
}

export function must(holds, text) {
  if (!holds) throw new Error(text);
}

/** Starts the program's server and returns its address and a function that ends it. It does not outlive the tests. */
export function serve(program, ...words) {
  const server = spawn(program, ["serve", ...words], { stdio: ["ignore", "pipe", "inherit"] });
  process.once("exit", () => server.kill("SIGKILL"));
  return new Promise((resolve, reject) => {
    createInterface({ input: server.stdout }).once("line", (address) => resolve({
      address,
      stop: (signal = "SIGINT") => new Promise((ended) => {
        server.once("exit", ended);
        server.kill(signal);
      }),
    }));
    server.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
}

/** Runs the tests, or those whose names contain one of the words. Returns whether all passed. */
export async function runAll(address, words) {
  const root = process.getuid?.() === 0;
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: root ? ["--no-sandbox"] : [] });
  let passed = 0;
  let failed = 0;
  for (const { name, act, options } of tests) {
    if (words.length && !words.some((word) => name.includes(word))) continue;
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...options });
    const page = await context.newPage();
    const faults = [];
    if (process.env.SLOWDOWN) // a page that is so many times slower shows tests that do not wait for what they look at
      await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: Number(process.env.SLOWDOWN) });
    page.setDefaultTimeout(Number(process.env.PATIENCE_MS ?? 60000));
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => message.type() === "error" && !/status of 4\d\d/.test(message.text()) && faults.push(message.text()));
    try {
      await act(page, address, context);
      must(!faults.length, `the page reported: ${faults.join("; ")}`);
      passed++;
    } catch (error) {
      failed++;
      console.log(`FAILED ${name}: ${error.message}`);
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/failed-${failed}.png` });
    }
    await context.close();
  }
  await browser.close();
  console.log(`${passed} passed, ${failed} failed`);
  return !failed;
}
