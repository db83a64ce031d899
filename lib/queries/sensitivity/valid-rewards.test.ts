import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { openIndex } from "@/lib/indexer";
import { readHead } from "@/lib/store";

import { readScoredTallies } from "./tallies";

const CORPUS = join(import.meta.dirname, "../../verification/corpus/jobs/0.26.0");

const resultSchema = z.object({
  stats: z.object({
    evals: z.record(
      z.string(),
      z.object({ n_trials: z.number(), metrics: z.array(z.record(z.string(), z.number())) }),
    ),
  }),
});

it("counts and averages the trials that Harbor 0.26 counts", async () => {
  const data = mkdtempSync(join(tmpdir(), "valid-"));
  const scenarios = readdirSync(CORPUS).filter((name) => name.startsWith("policy-"));
  const roots = scenarios.map((name) => join(CORPUS, name));
  const index = await openIndex({ roots, environment: { ASSAY_DATA: data } });
  onTestFinished(async () => {
    await index.close();
    rmSync(data, { recursive: true, force: true });
  });
  await index.refresh();
  await index.settle();
  const jobs = await index.store.db.selectFrom("jobs").select("key").execute();
  let nCompared = 0;
  let nLeftOut = 0;
  for (const { key } of jobs) {
    const head = await readHead(index.store, key);
    if (head === null || !head.hasRecordedStats) continue;
    const text = readFileSync(join(head.path, "result.json"), "utf8");
    const { evals } = resultSchema.parse(JSON.parse(text)).stats;
    const tallies = await readScoredTallies(index.store, { first: head.rowId, last: head.rowId });
    for (const { group, interval, nFinished } of head.groups) {
      const recorded = evals[group.key];
      if (recorded === undefined) continue;
      const own = tallies.filter(({ groupKey }) => groupKey === group.key);
      expect(own.reduce((sum, { count }) => sum + count, 0)).toBe(recorded.n_trials);
      const mean = recorded.metrics[0]?.["mean"];
      if (mean === undefined) expect(interval.kind === "computed" && recorded.n_trials === 0).toBe(false);
      else expect(interval.kind === "computed" ? interval.mean : null).toBeCloseTo(mean, 12);
      nCompared += 1;
      nLeftOut += nFinished - recorded.n_trials;
    }
  }
  expect(nCompared).toBeGreaterThan(5);
  expect(nLeftOut).toBeGreaterThan(5);
});
