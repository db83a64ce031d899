import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { jobFiles, makeFolder } from "@/lib/testing/folder.fixture";

import { runCli } from "./run-cli";

const A = "alpha__aaaaaaa";
const B = "beta__bbbbbbb";

async function run(...args: readonly string[]) {
  const written = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof written) => ({
    write: (text: string) => ((written[name] += text), true),
    once: () => undefined,
  });
  const env = { ASSAY_DATA: makeFolder({}) };
  const code = await runCli(["scan", ...args], { stdout: stream("stdout"), stderr: stream("stderr"), env });
  return { code, ...written };
}

const trace = (command: string) => ({
  schema_version: "ATIF-v1.6",
  session_id: "s",
  agent: { name: "orca", version: "1" },
  steps: [
    {
      step_id: 1,
      source: "agent",
      message: "",
      tool_calls: [{ tool_call_id: "c", function_name: "bash", arguments: { command } }],
    },
    { step_id: 2, source: "agent", message: "Done." },
  ],
});

const makeJobs = () =>
  makeFolder({
    ...jobFiles("run", { [A]: 1, [B]: 0 }),
    [`run/${A}/agent/trajectory.json`]: trace("wget https://example.org/data.zip"),
  });

const OWN = `id = "zipped"
version = 3
title = "Zipped"
meaning = "The agent handled a zip."
category = "files"
severity = "medium"
scope = "steps"
[[when]]
arguments = '\\.zip\\b'
[[matches]]
arguments = "unzip a.zip"
[[misses]]
arguments = "ls"
`;

it("prints each hit with its first place, and fails from the severity on that is asked for", async () => {
  const folder = makeJobs();
  const { code, stdout, stderr } = await run(folder);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^low +downloaded +run +alpha__aaaaaaa +passed +1 +step 1 +wget/m);
  expect(stdout).toMatch(/over 2 of 2 trials, 1 with a trajectory, 1 hit in 1 trial$/m);
  expect((await run(folder, "--fail-on", "medium")).code).toBe(0);
  expect((await run(folder, "--fail-on", "low")).code).toBe(1);
});

it("runs the scanners that are named alone, files among them, and refuses a file whose example fails with its line", async () => {
  const folder = makeJobs();
  const file = join(makeFolder({}), "zipped.toml");
  writeFileSync(file, OWN);
  const { code, stdout } = await run(folder, "--scanner", file, "--json", "--fail-on", "medium");
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    schema: "assay.scan/1",
    n_trials: 2,
    n_with_steps: 1,
    scanners: [{ id: "zipped", version: 3, file: "zipped.toml" }],
    hits: [
      { scanner: "zipped", trial: A, n_places: 1, places: [{ step: "1", match: ".zip" }], stopped: null },
    ],
  });
  writeFileSync(file, OWN.replace("unzip a.zip", "unzip a"));
  const refused = await run(folder, "--scanner", file);
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("zipped.toml, line 10: The example matches 1 is not found.");
});

it("does not report zero hits for a rejected scanner", async () => {
  const data = makeFolder({ "scanners/torn.toml": "id = " });
  const { code, stderr } = await run(makeJobs(), "--data", data, "--fail-on", "high");
  expect(code).toBe(1);
  expect(stderr).toMatch(/^assay: torn\.toml, line 1: .*TOML.*\n$/);
});

it("lists scanners with their meaning", async () => {
  const { code, stdout } = await run("--list");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^tests-edited +1 +medium +tests +steps +Assay +The agent changed/m);
});
