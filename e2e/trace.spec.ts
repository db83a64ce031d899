import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test, withFewJobs } from "./fixtures/app";
import { copyJob } from "./fixtures/job-folders";

const PAYLOAD = "<img src=x onerror=window.pwned=1>";
const NOTES = Array.from({ length: 400 }, (_, at) => `line ${at}${at === 390 ? " heron" : ""}`).join("\n");

const lines = (...records: readonly object[]) => records.map((record) => JSON.stringify(record)).join("\n");

/** A short Codex log: prose, a failing command, a long output, an answer. */
const CODEX = lines(
  { type: "thread.started", thread_id: "t" },
  {
    type: "item.completed",
    item: { id: "a", type: "agent_message", text: `I look for a Heron. ${PAYLOAD}` },
  },
  {
    type: "item.completed",
    item: { id: "b", type: "command_execution", command: "make", aggregated_output: "no rule", exit_code: 2 },
  },
  {
    type: "item.completed",
    item: {
      id: "c",
      type: "command_execution",
      command: "cat notes",
      aggregated_output: NOTES,
      exit_code: 0,
    },
  },
  { type: "item.completed", item: { id: "d", type: "agent_message", text: "It is done." } },
);
const SESSION = lines(
  { type: "session", version: 3, id: "s", timestamp: "2026-01-01T00:00:00Z" },
  {
    type: "message",
    id: "r1",
    parentId: null,
    timestamp: "2026-01-01T00:00:00Z",
    message: { role: "user", content: [{ type: "text", text: "Find the egret." }] },
  },
);

test("an agent's own log is the trajectory if there is no other, and every trace can be chosen @long", async ({
  page,
}) => {
  await withFewJobs(async ({ url, jobsFolder }) => {
    const [first = "", second = ""] = copyJob(jobsFolder, "tb2-orca-next", "logs", { nTrials: 2 });
    for (const trial of [first, second]) {
      const agent = join(jobsFolder, "logs", trial, "agent");
      rmSync(agent, { recursive: true, force: true });
      mkdirSync(agent, { recursive: true });
      writeFileSync(join(agent, "state.json"), '{"weather": "fine"}');
    }
    writeFileSync(join(jobsFolder, "logs", first, "agent", "codex.txt"), `Reading input\n${CODEX}\n`);
    writeFileSync(join(jobsFolder, "logs", first, "agent", "openclaw-session.jsonl"), SESSION);
    const address = `${url}/jobs/logs/trials/${first}`;
    await expect.poll(async () => (await page.request.get(address)).status()).toBe(200);

    await page.goto(address);
    const steps = page.locator(".steps");
    const traces = page.getByRole("group", { name: "Traces of this trial" });
    await expect(steps).toContainText("Find the egret.");
    await traces.getByRole("link", { name: "Codex exec log" }).click();
    await expect(page).toHaveURL(/source=agent%2Fcodex\.txt|source=agent\/codex\.txt/);
    await expect(steps).toContainText("It is done.");
    await expect(page.getByRole("main")).toContainText("Line 1 of agent/codex.txt is not JSON");
    expect(await page.evaluate(() => "pwned" in window)).toBe(false);

    // By keyboard.
    await expect(async () => {
      await page.keyboard.press("{");
      await expect(steps).toContainText("Find the egret.", { timeout: 2_000 });
    }).toPass();
    await page.keyboard.press("}");
    await expect(steps).toContainText("It is done.");
    await page.keyboard.press("#");
    await page.keyboard.type("3");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/step=3/);
    await expect(page.locator("[data-step='3']")).toHaveClass(/step-current/);

    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const output = page.locator("[data-step='3'] .step-pre").last();
    await expect(output).toHaveCSS("white-space-collapse", "preserve");
    const wrap = () => output.evaluate((element) => getComputedStyle(element).textWrapMode);
    expect(await wrap()).toBe("nowrap");
    await page.keyboard.press("w");
    await expect.poll(wrap).toBe("wrap");
    await page.keyboard.press("Y");
    await expect(page.getByText("Step 3 as Markdown copied")).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`**[Step 3](${address}?`);
    expect(copied).toContain("```\nline 0\nline 1\n");
    expect(copied).toContain("line 13\n… 386 more lines\n```");

    // A link to a line opens it although it is folded at first.
    await page.locator("[data-step='3']").getByRole("button", { name: "Show all 400 lines" }).click();
    await output.evaluate((text) => {
      const node =
        [...(text.firstElementChild?.childNodes ?? [])].find(
          ({ nodeValue }) => nodeValue === "line 390 heron\n",
        ) ?? text;
      getSelection()?.setBaseAndExtent(node, 0, node, 4);
    });
    await page.locator("[data-step='3'] a[data-row-link]").focus();
    await page.keyboard.press("y");
    await expect(page.getByText("Link to step 3, line 391 copied")).toBeVisible();
    await page.goto(await page.evaluate(() => navigator.clipboard.readText()));
    await expect
      .poll(() => page.evaluate(() => [...(CSS.highlights.get("line") ?? [])].map(String)))
      .toEqual(["line 390 heron"]);
    const seen = () =>
      page.evaluate(() => {
        const [range] = CSS.highlights.get("line") ?? [];
        const box = range instanceof Range ? range.getBoundingClientRect() : null;
        return box !== null && box.top > 0 && box.bottom < innerHeight;
      });
    await expect.poll(seen).toBe(true);

    // Without a trace, the page lists the searched files.
    await page.goto(`${url}/jobs/logs/trials/${second}`);
    await expect(page.getByRole("main")).toContainText("No readable agent log in this trial.");
    await expect(page.getByRole("link", { name: "agent/state.json" })).toBeVisible();
    await expect(page.getByRole("main")).toContainText("weather");
  });
});

test("a search covers all steps, including folded text, and its matches are visited by keyboard @long", async ({
  page,
}) => {
  await withFewJobs(async ({ url, jobsFolder }) => {
    const [trial = ""] = copyJob(jobsFolder, "tb2-orca-next", "finds", { nTrials: 1 });
    const agent = join(jobsFolder, "finds", trial, "agent");
    rmSync(agent, { recursive: true, force: true });
    mkdirSync(agent, { recursive: true });
    writeFileSync(join(agent, "codex.txt"), CODEX);
    const address = `${url}/jobs/finds/trials/${trial}`;
    await expect.poll(async () => (await page.request.get(address)).status()).toBe(200);
    await page.goto(address);

    const field = page.getByRole("searchbox", { name: "Find in all 4 steps" });
    const tools = page.getByRole("search", { name: "Steps" });
    // Keys pressed before scripts run are lost.
    await expect(async () => {
      await page.keyboard.press("Control+f");
      await expect(field).toBeFocused({ timeout: 500 });
    }).toPass();
    await page.keyboard.type("heron");
    await expect(tools.getByRole("status")).toHaveText("2 matches in 2 steps");
    const matches = page.getByRole("region", { name: "Matches" });
    await expect(matches.getByRole("listitem")).toHaveCount(2);
    await expect(page.locator("[data-step='1']")).toHaveClass(/step-current/);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/step=3/);
    // The second match is far below the visible part of the step.
    await expect(page.locator("[data-step='3']")).toContainText("line 390 heron");
    const marked = () =>
      page.evaluate(() =>
        [...(CSS.highlights.get("found") ?? [])].map((range) =>
          range instanceof Range ? range.toString() : "",
        ),
      );
    await expect.poll(marked).toEqual(["Heron", "heron"]);

    await field.focus();
    await page.keyboard.press("Alt+c");
    await expect(tools.getByRole("status")).toHaveText("1 match in 1 step");
    await page.keyboard.press("Alt+c");
    // Enter visits all matches of a step before the next step; the field keeps the focus.
    await field.fill("line 39");
    await expect(tools.getByRole("status")).toHaveText("11 matches in 1 step");
    const current = () =>
      page.evaluate(() => {
        const [range] = CSS.highlights.get("found-current") ?? [];
        return range instanceof Range ? range.startContainer.nodeValue : null;
      });
    await expect.poll(current).toBe("line 39\n");
    await page.keyboard.press("Enter");
    await expect.poll(current).toBe("line 390 heron\n");
    await page.keyboard.press("Shift+Enter");
    await expect.poll(current).toBe("line 39\n");
    await expect(field).toBeFocused();
    await field.fill("line 3\\d\\d$");
    await page.keyboard.press("Alt+r");
    await expect(tools.getByRole("status")).toHaveText("99 matches in 1 step");
    await field.fill("(");
    await expect(tools.getByRole("status")).toContainText("Not a regular expression");
    await page.keyboard.press("Escape");
    await expect(page).not.toHaveURL(/find=/);
    await expect(matches).toHaveCount(0);

    await tools.getByText("Only").click();
    await tools.getByRole("link", { name: /^steps with an error/ }).click();
    await expect(page.getByRole("main")).toContainText("1 of 4 steps match the filter.");
    await expect(page.locator("[data-step]")).toHaveCount(1);
    await page.getByRole("link", { name: "Show all steps" }).click();
    await expect(page.locator("[data-step]")).toHaveCount(4);
    await tools.getByText("Go to").click();
    await expect(tools.getByRole("link", { name: /^First error/ })).toHaveAttribute("title", "Step 2");

    // All steps at once, by keyboard.
    const strip = page.getByRole("slider", { name: "Step" });
    await strip.focus();
    await page.keyboard.press("End");
    await expect(strip).toHaveAttribute("aria-valuetext", /^4 It is done/);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/step=4/);
    await expect(page.getByRole("link", { name: "Step 4", exact: true })).toBeFocused();
    // Selecting several with Shift lists only these.
    await strip.focus();
    await page.keyboard.press("Shift+ArrowLeft");
    await expect(strip).toHaveAttribute("aria-valuetext", "List 2 steps, 3 to 4");
    await page.keyboard.press("Enter");
    await expect(page.locator("[data-step]")).toHaveCount(2);
    const box = await strip.boundingBox();
    if (box === null) throw new Error("The strip is drawn.");
    await page.mouse.move(box.x + 2, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 2, box.y + 5, { steps: 3 });
    await page.mouse.up();
    await expect(page.locator("[data-step]")).toHaveCount(4);
    await expect(page).toHaveURL(/range=1\.\.4/);
  });
});

test("a subagent's steps open below the step that started it, by keyboard and in place @long", async ({
  page,
}) => {
  await withFewJobs(async ({ url, jobsFolder }) => {
    const [trial = ""] = copyJob(jobsFolder, "tb2-orca-next", "lanes", { nTrials: 1 });
    const started = (id: string) => ({
      observation: { results: [{ content: "Done.", subagent_trajectory_ref: [{ trajectory_id: id }] }] },
    });
    const say = (n: number, more: object = {}) => ({
      step_id: n,
      source: "agent",
      message: `Part ${n}.`,
      ...more,
    });
    const trajectory = {
      schema_version: "ATIF-v1.7",
      agent: { name: "orca" },
      steps: [say(1), say(2, started("scout")), say(3, started("check"))],
      subagent_trajectories: [
        { trajectory_id: "scout", agent: { name: "x" }, steps: [say(1), say(2)] },
        { trajectory_id: "check", agent: { name: "x" }, steps: [say(1)] },
      ],
    };
    writeFileSync(join(jobsFolder, "lanes", trial, "agent/trajectory.json"), JSON.stringify(trajectory));
    const address = `${url}/jobs/lanes/trials/${trial}`;
    await expect.poll(async () => (await page.request.get(address)).status()).toBe(200);
    await page.goto(address);
    const keys = () =>
      page.locator("[data-step]").evaluateAll((rows) => rows.map((row) => row.dataset["step"]));
    expect(await keys()).toEqual(["1", "2", "3"]);
    const lanes = page.getByRole("list", { name: "Subagents" }).getByRole("link");
    const lane = lanes.first();
    await expect(lane).toHaveText(/scout.*2 steps/);
    await lane.focus();
    await page.keyboard.press("Enter");
    await expect.poll(keys).toEqual(["1", "2", "scout.1", "scout.2", "3"]);
    await expect(lane).toBeFocused();
    await page.keyboard.press("Enter");
    await expect.poll(keys).toEqual(["1", "2", "3"]);
    await expect(lane).toBeFocused();
    await page.getByRole("link", { name: "Open all subagents" }).click();
    await expect.poll(keys).toEqual(["1", "2", "scout.1", "scout.2", "3", "check.1"]);
    await lanes.last().press("Enter");
    await expect.poll(keys).toEqual(["1", "2", "scout.1", "scout.2", "3"]);
    // A link to one of its steps opens it too.
    await page.goto(`${address}?step=scout.2`);
    await expect(page.locator("[data-step='scout.2']")).toHaveClass(/step-current/);
    await expect.poll(keys).toEqual(["1", "2", "scout.1", "scout.2", "3"]);
  });
});

test("a long trace is scrolled through as one list, of which the document holds a part", async ({
  page,
  few: { url, jobsFolder },
}) => {
  const [trial = ""] = copyJob(jobsFolder, "tb2-orca-next", "long", { nTrials: 1 });
  const steps = Array.from({ length: 150 }, (_, at) => ({
    step_id: at + 1,
    source: "agent",
    message: `Part ${at + 1}.`,
    tool_calls: [{ tool_call_id: "c", function_name: "bash", arguments: { command: `make part-${at}` } }],
    observation: { results: [{ source_call_id: "c", content: "line\n".repeat(1 + (at % 3)) }] },
  }));
  writeFileSync(
    join(jobsFolder, "long", trial, "agent/trajectory.json"),
    JSON.stringify({ schema_version: "ATIF-v1.6", session_id: "s", agent: { name: "orca" }, steps }),
  );
  const address = `${url}/jobs/long/trials/${trial}?from=0`;
  await expect.poll(async () => (await page.request.get(address)).status()).toBe(200);
  await page.goto(address);
  await page.locator("[data-step='1']").hover();
  // Largest number of steps that the middle of the screen moves between two frames.
  await page.evaluate(() => {
    const moved = { most: 0 };
    let before = 1;
    const follow = () => {
      const row = document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest("[data-step]");
      const now = Number(row?.getAttribute("data-step") ?? before);
      moved.most = Math.max(moved.most, Math.abs(now - before));
      before = now;
      requestAnimationFrame(follow);
    };
    follow();
    Object.assign(window, { moved });
  });
  const most = { rows: 0 };
  const scrollTo = async (key: string, deltaY: number) => {
    await expect(async () => {
      await page.mouse.wheel(0, deltaY);
      most.rows = Math.max(most.rows, await page.locator("[data-step]").count());
      await expect(page.locator(`[data-step='${key}']`)).toBeInViewport({ timeout: 50 });
    }).toPass({ intervals: [50] });
  };
  await scrollTo("150", 1_500);
  // A window that lost its position would move by forty.
  const moved = await page.evaluate(() => Object.assign({ moved: { most: Number.NaN } }, window).moved.most);
  expect(moved).toBeLessThan(30);
  await scrollTo("1", -1_500);
  expect(most.rows).toBe(100);
});

test("on a phone, the band of a short trial covers its step in every lane", async ({ page, assay }) => {
  const trials = readdirSync(join(assay.jobsFolder, "tb2-baseline"));
  const short = trials.find((name) => name.startsWith("tokenizer-parity__"));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/jobs/tb2-baseline/trials/${short ?? ""}`);
  const strip = page.getByRole("slider", { name: "Step" });
  await expect(strip).toBeVisible();
  const widths = await page
    .locator(".step-strip > svg")
    .evaluateAll((all) => all.map((one) => one.clientWidth));
  const whole = await strip.evaluate((one) => one.clientWidth);
  expect(widths.length).toBeGreaterThan(2);
  expect(widths).toEqual(widths.map(() => whole));
  // No label leaves the drawing.
  const over = await page
    .locator(".strip-label")
    .evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth));
  expect(Math.max(...over)).toBeLessThanOrEqual(0);
});
