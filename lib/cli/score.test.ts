import { expect, it } from "vitest";

import { jobFiles, jobResult, makeFolder } from "@/lib/testing/folder.fixture";

import { runCli } from "./run-cli";

const REWARDS = { alpha__aaaaaaa: 1, beta__bbbbbbb: 0 };

async function run(...args: readonly string[]) {
  const written = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof written) => ({
    write: (text: string) => ((written[name] += text), true),
    once: () => undefined,
  });
  const code = await runCli(args, { stdout: stream("stdout"), stderr: stream("stderr"), env: {} });
  return { code, ...written };
}

it.each([{}, { n_completed_trials: 0 }])("warns if result.json counts too few trials: %j", async (stats) => {
  const folder = makeFolder({
    ...jobFiles("run", REWARDS),
    "run/result.json": jobResult(REWARDS, { finished_at: null, stats }),
  });
  const warning = /^assay: result.json counts 0 of 2 planned trials, .*--from-trials/;
  const { code, stdout, stderr } = await run("score", `${folder}/run`);
  expect(code).toBe(0);
  expect(stdout).toContain('"score": 0.0');
  expect(stderr).toMatch(warning);
  expect((await run("score", `${folder}/run`, "--json")).stderr).toMatch(warning);
  const fromTrials = await run("score", "--from-trials", `${folder}/run`);
  expect(fromTrials.stdout).toContain('"score": 0.5');
  expect(fromTrials.stderr).toBe("");
});
