import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "./fixtures/app";
import { copyJob } from "./fixtures/job-folders";

const call = (command: string, output: string) => ({
  type: "item.completed",
  item: { type: "command_execution", command, aggregated_output: output, exit_code: 0 },
});
const say = (text: string) => ({ type: "item.completed", item: { type: "agent_message", text } });

/** Codex logs of two runs that diverge at the ninth step. */
const START = Array.from({ length: 8 }, (_, at) => call(`ls folder-${at}`, `file-${at}`));
const PASSED = [...START, call("make all", "built"), call("make test", "2 passed"), say("Done.")];
const FAILED = [
  ...START,
  call("make clean", "gone"),
  ...Array.from({ length: 5 }, (_, at) => call(`find ${at}`, "nothing")),
  call("make test", "0 passed"),
  say("Done."),
];

test("two attempts side by side: one key from a trial, to the divergence and all differences", async ({
  page,
  few: { url, jobsFolder },
}) => {
  const [first = "", second = ""] = copyJob(jobsFolder, "tb2-orca-next", "pair", { nTrials: 2 });
  for (const [trial, log] of [[first, PASSED] as const, [second, FAILED] as const]) {
    const agent = join(jobsFolder, "pair", trial, "agent");
    rmSync(agent, { recursive: true, force: true });
    mkdirSync(agent, { recursive: true });
    writeFileSync(join(agent, "codex.txt"), log.map((record) => JSON.stringify(record)).join("\n"));
  }
  const address = `${url}/jobs/pair/trials/${first}`;
  await expect.poll(async () => (await page.request.get(address)).status()).toBe(200);

  await page.goto(address);
  await expect(async () => {
    await page.keyboard.press("c");
    await expect(page).toHaveURL(/\/diff\?a=pair\/[^&]+&b=/, { timeout: 500 });
  }).toPass();

  // The former address.
  await page.goto(`${url}/beside?a=pair/${first}&b=pair/${second}`);
  await expect(page).toHaveURL(
    (at) => at.pathname === "/diff" && at.searchParams.get("b") === `pair/${second}`,
  );
  const main = page.getByRole("main");
  await expect(main).toContainText("9 of 10 calls in A have an equal one among 15 in B");
  const rows = page.locator(".step-pair");
  // Seven equal steps fold into one line, and so do the five of B.
  await expect(rows).toHaveCount(6);
  await expect(rows.nth(2)).toContainText("First divergence");
  await expect(rows.nth(2)).toContainText("make all");
  await expect(rows.nth(2)).toContainText("make clean");
  await expect(rows.nth(4)).toContainText("0 passed");

  const current = page.locator(".pair-current");
  await expect(async () => {
    await page.keyboard.press("d");
    await expect(page).toHaveURL(/row=9/, { timeout: 500 });
  }).toPass();
  await expect(current).toContainText("make clean");
  await expect(current.getByRole("link", { name: "Row 9: call differs" })).toBeFocused();
  await page.keyboard.press("n");
  await expect(current).toContainText("find 0");
  await expect(rows.filter({ hasText: "find 4" })).toBeVisible();
  await page.keyboard.press("n");
  await expect(current).toContainText("result differs");
  await page.keyboard.press("p");
  await expect(page).toHaveURL(/row=10/);
  await page.keyboard.press("p");
  await expect(page).toHaveURL(/row=9/);

  // The same row, with both sides swapped.
  await page.keyboard.press("x");
  await expect(page).toHaveURL(new RegExp(`a=pair/${second}&b=pair/${first}&row=9`));
  await expect(main).toContainText("9 of 15 calls in A have an equal one among 10 in B");
  await expect(current.locator(".pair-cell").first()).toContainText("make clean");

  await page.keyboard.press("l");
  const pane = (letter: string) => page.getByRole("region", { name: `Steps of ${letter}` });
  await expect(pane("A").locator(".pair-current")).toContainText("make clean");
  await expect(pane("B").locator(".pair-current")).toContainText("make all");
  await page.keyboard.press("l");
  await expect(rows.first()).toBeVisible();
  await expect(pane("A")).toHaveCount(0);

  // Their files.
  await page.getByRole("link", { name: "Files" }).press("Enter");
  await page.getByRole("link", { name: "agent/codex.txt" }).press("Enter");
  const diff = page.getByRole("table", { name: "Lines of both files" });
  await expect(diff.getByRole("row", { name: "make clean" })).toContainText("make all");
});
