import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "./fixtures/app";
import { copyJob } from "./fixtures/job-folders";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SVG = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='window.pwned=1'/>").toString(
  "base64",
);
const LISTING = Array.from({ length: 40 }, (_, at) => `file ${at} of the folder`).join("\n");

const call = (id: number, name: string, args: object, content: unknown) => ({
  step_id: id,
  source: "agent",
  message: "",
  tool_calls: [{ tool_call_id: "c", function_name: name, arguments: args }],
  observation: { results: [{ source_call_id: "c", content }] },
});

const STEPS = [
  { ...call(1, "bash", { command: "ls" }, LISTING), message: "\n\nI look around.\n" },
  call(2, "get_bird", { id: 7 }, '{"bird": {"name": "heron", "rings": [{"left": {"colour": "teal"}}]}}'),
  call(3, "read", { file_path: "a.py" }, "def f():\n    return 1  # one"),
  call(4, "bash", { command: "ls -1" }, LISTING),
  call(5, "show", { at: "x" }, [
    { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } },
    { type: "image_url", image_url: { url: `data:image/png;base64,${SVG}` } },
  ]),
];

test("a step shows JSON as a tree, code blocks, images, and repeated text folded", async ({
  page,
  assay,
}) => {
  const [trial = ""] = copyJob(assay.jobsFolder, "tb2-orca-next", "blocks", { nTrials: 1 });
  const agent = join(assay.jobsFolder, "blocks", trial, "agent");
  rmSync(agent, { recursive: true, force: true });
  mkdirSync(agent, { recursive: true });
  const trajectory = { schema_version: "ATIF-v1.5", agent: { name: "orca", version: "1" }, steps: STEPS };
  writeFileSync(join(agent, "trajectory.json"), JSON.stringify(trajectory));
  const address = `${assay.url}/jobs/blocks/trials/${trial}`;
  await expect.poll(async () => (await page.request.get(address)).status()).toBe(200);
  await page.goto(`${address}?from=0`);
  const step = (key: number) => page.locator(`[data-step="${key}"]`);
  // Otherwise hydration fails and React renders the whole page again.
  const broken: string[] = [];
  page.on("pageerror", ({ message }) => broken.push(message));

  await expect(step(2).getByText("heron", { exact: true })).toBeVisible();
  await expect(async () => {
    await page.keyboard.press("r");
    await expect(step(2).locator("pre")).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 20_000 });
  await expect(step(2).locator("pre")).toHaveText(/^\{"bird": \{"name": "heron"/);
  await expect(step(2).locator(".json-tree")).toBeHidden();
  await page.keyboard.press("r");
  await expect(step(2).locator(".json-tree")).toBeVisible();

  const weigh = (text: string) =>
    step(3)
      .getByText(text, { exact: true })
      .evaluate((word) => Number(getComputedStyle(word).fontWeight));
  expect(await weigh("return")).toBeGreaterThan(500);

  await expect(step(4).getByText("file 7 of the folder")).toBeHidden();
  await page.keyboard.press("z");
  await expect(step(4).getByText("file 7 of the folder")).toBeVisible();
  await expect(step(4).getByRole("link", { name: "Go to step 1" })).toBeVisible();

  const image = step(5).locator("img");
  await image.scrollIntoViewIfNeeded();
  await expect
    .poll(() => image.evaluate((one) => one instanceof HTMLImageElement && one.naturalWidth))
    .toBe(1);
  await expect(step(5)).toContainText("An image of type image/png, 1 KB, is embedded in the trace.");

  // Matches in a tree are unfolded and marked.
  await page.goto(`${address}?find=teal&step=2`);
  await expect(step(2).getByText("teal", { exact: true })).toBeInViewport();
  expect(await page.evaluate(() => "pwned" in window)).toBe(false);
  expect(broken).toEqual([]);
});
