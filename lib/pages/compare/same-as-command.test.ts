import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { runCli } from "@/lib/cli/run-cli";
import { parseCompareParams, writeRunSet } from "@/lib/pages/compare/address";
import { openIndex } from "@/lib/store/indexer";
import { IS_LONG_RUN } from "@/lib/testing/plan-runs";
import { writeSyntheticJobs } from "@/lib/testing/synthetic";

import { findGroups, readChosenGroups } from "./groups";
import { compareGroups } from "./page";

const printedSchema = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      runs: z.array(z.object({ job: z.string(), group: z.string() })),
      mean: z.unknown(),
      pass_curve: z.unknown(),
      run_to_run: z.unknown(),
      run_checks: z.unknown(),
    }),
  ),
  pairs: z.array(z.object({ sentence: z.string(), comparison: z.unknown(), with_run_to_run: z.unknown() })),
  checks: z.unknown(),
});

it("prints the figures of the page of the same groups", async () => {
  const folder = mkdtempSync(join(tmpdir(), "same-"));
  const jobs = join(folder, "jobs");
  writeSyntheticJobs(jobs, { trials: IS_LONG_RUN ? 240 : 80, seed: 7, jobs: 4 });
  const index = await openIndex({ roots: [jobs], environment: { ASSAY_DATA: join(folder, "data") } });
  onTestFinished(async () => {
    await index.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await index.refresh();
  await index.settle();
  let stdout = "";
  const sink = { write: () => true, once: () => undefined };
  const code = await runCli(["compare", jobs, "--pool", "numbers", "--json"], {
    stdout: { ...sink, write: (text: string) => ((stdout += text), true) },
    stderr: sink,
    env: {},
  });
  expect(code).toBe(0);
  const printed = printedSchema.parse(JSON.parse(stdout));
  expect(printed.groups.some(({ runs }) => runs.length > 1)).toBe(true);

  const refs = printed.groups.flatMap(({ runs }) =>
    writeRunSet(runs.map(({ job, group }) => `${job}:${group}`)),
  );
  const { chosen } = await findGroups(index.store, refs, () => 0);
  const page = compareGroups(await readChosenGroups(index.store, chosen), {
    ...parseCompareParams({}),
    refs,
  });
  const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  expect(page.groups.map(({ label }) => label)).toEqual(printed.groups.map(({ name }) => name));
  for (const [at, group] of page.groups.entries()) {
    const { mean, pass_curve, run_to_run, run_checks } = printed.groups[at] ?? {};
    expect(mean).toEqual(asJson(group.certainty.mean));
    expect(pass_curve).toEqual(asJson(group.curve));
    expect(run_to_run).toEqual(asJson(group.certainty.runToRun));
    expect(run_checks).toEqual(asJson(group.runChecks));
  }
  for (const [at, pair] of page.pairs.entries()) {
    const { sentence, comparison, with_run_to_run } = printed.pairs[at] ?? {};
    expect(sentence).toBe(pair.words.sentence);
    expect(comparison).toEqual(asJson(pair.comparison));
    expect(with_run_to_run).toEqual(asJson(pair.words.runInterval));
  }
  expect(printed.checks).toEqual(asJson(page.checks));
});
