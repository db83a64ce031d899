import { spawn } from "node:child_process";
import { once } from "node:events";
import { renameSync, symlinkSync } from "node:fs";

import { expect, onTestFinished, test } from "vitest";

import { makeFolder } from "@/lib/testing/folder.fixture";
import { planRuns } from "@/lib/testing/plan-runs";

import { listTrialFiles, chooseStepFolders } from "./detail/list-trial-files";
import { readTextInside } from "./detail/open-inside";
import { resolveFolder } from "./discover/load-root";
import { listFolder, listOrNull, openForReading, readChunks, readFileBytes } from "./file-access";

const { numRuns: REQUESTS } = planRuns({ short: 1_500, long: 10_000 });

/** Puts a link where the folder was, and the folder back, as fast as it can. */
const SWAP = `
  const { renameSync } = require("node:fs");
  process.chdir(process.argv[1]);
  process.stdout.write("swapping");
  for (;;) {
    renameSync("verifier", "aside");
    renameSync("link", "verifier");
    renameSync("verifier", "link");
    renameSync("aside", "verifier");
  }
`;

async function swapForever(folder: string): Promise<void> {
  const child = spawn(process.execPath, ["-e", SWAP, folder], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  await once(child.stdout, "data");
}

test("a folder swapped for a link during reading never gives files from outside", async () => {
  const outside = makeFolder({ "reward.json": "outside" }, "outside");
  const path = makeFolder({ "trial/verifier/reward.json": "inside" });
  symlinkSync(outside, `${path}/trial/link`);
  const root = { index: 0, label: "jobs", path };
  await swapForever(`${path}/trial`);

  const seen = new Map<string, number>();
  const file = "trial/verifier/reward.json";
  for (let n = 0; n < REQUESTS; n++) {
    const whole = readFileBytes(root, file, 1000);
    const inside = await readTextInside(`${path}/trial`, "verifier/reward.json", 1000);
    for (const text of [
      whole.kind === "read" ? whole.bytes.toString() : whole.kind,
      openForReading(root, file, (open) => Buffer.concat([...readChunks(open, 0, open.size)]).toString()) ??
        "refused",
      inside?.ok === true ? inside.value : String(inside?.issue.code),
    ]) {
      seen.set(text, (seen.get(text) ?? 0) + 1);
    }
  }
  expect(seen.get("outside")).toBeUndefined();
  // Both states were met, or nothing was tried.
  expect(seen.get("inside")).toBeGreaterThan(0);
  expect(seen.size).toBeGreaterThan(1);
});

test("a folder that is swapped for a link while it is listed never tells names from outside", async () => {
  const outside = makeFolder({ "outside.log": "", "steps/outside/x": "" }, "outside");
  const path = makeFolder({ "trial/verifier/inside.log": "", "trial/verifier/steps/inside/x": "" });
  symlinkSync(outside, `${path}/trial/link`);
  const root = { index: 0, label: "jobs", path };
  await swapForever(`${path}/trial`);

  const seen = new Map<string, number>();
  for (let n = 0; n < REQUESTS; n++) {
    const folder = listFolder(root, "trial/verifier");
    const files = await listTrialFiles(`${path}/trial`);
    for (const name of [
      ...("code" in folder ? [folder.code] : folder.files),
      ...files.entries.map((entry) => entry.path.replace(/^.*\//, "")),
      ...(listOrNull(root, "trial/verifier")?.entries ?? []).map((entry) => entry.name),
      ...(await chooseStepFolders(`${path}/trial/verifier`, null)),
    ]) {
      seen.set(name, (seen.get(name) ?? 0) + 1);
    }
  }
  expect([...seen.keys()].filter((name) => name.startsWith("outside"))).toEqual([]);
  expect(seen.get("inside.log")).toBeGreaterThan(0);
  expect(seen.get("link_outside_root")).toBeGreaterThan(0);
});

test("a trial's folder that becomes a link out of the root leads nowhere, before and after it was found", async () => {
  const outside = makeFolder({ "reward.txt": "outside" }, "outside");
  const path = makeFolder({ "job/trial/reward.txt": "inside" });
  const found = resolveFolder(path, "job/trial");
  expect(found).toBe(`${path}/job/trial`);
  renameSync(`${path}/job/trial`, `${path}/job/aside`);
  symlinkSync(outside, `${path}/job/trial`);
  expect(resolveFolder(path, "job/trial")).toBeNull();
  expect(await readTextInside(`${path}/job/trial`, "reward.txt", 1000)).toMatchObject({
    ok: false,
    issue: { code: "link_outside_root" },
  });
});
