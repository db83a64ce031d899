import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it } from "vitest";

import { pickCompared, renumber } from "@/lib/core/comparison";
import { collectSettings } from "@/lib/core/domain/agent-settings";
import { collectEnvironment } from "@/lib/core/domain/environment";
import { groupRef } from "@/lib/pages/address/href";
import { readExclusions } from "@/lib/pages/sensitivity/job";
import { describeQueries } from "@/lib/store/database/postgres.fixture";
import { readHeads, readSuspicions, readTrialsAt } from "@/lib/store/tables";
import { indexFolders } from "@/lib/testing/index.fixture";

import { readGroupContent } from "./groups";

/** Jobs that real Harbor wrote: groups of several settings, regrades and steps among them. */
const CORPUS = join(import.meta.dirname, "../../core/verification/corpus/jobs/0.24.0");

/** A job with its only trial in result.json and no folder, as early Harbor wrote it. */
function makeEmbedded(): string {
  const root = mkdtempSync(join(tmpdir(), "embedded-"));
  const job = join(root, "embedded");
  cpSync(join(CORPUS, "single-key", "single-key"), job, { recursive: true });
  const trials = readdirSync(job).filter((name) => name.includes("__"));
  const results = trials.map((name): unknown =>
    JSON.parse(readFileSync(join(job, name, "result.json"), "utf8")),
  );
  const path = join(job, "result.json");
  const result = JSON.parse(readFileSync(path, "utf8")) as object; // A file of the corpus.
  writeFileSync(path, JSON.stringify({ ...result, trial_results: results }));
  for (const name of trials) rmSync(join(job, name), { recursive: true });
  return root;
}

describeQueries("what is compared", (engine) => {
  it("is read from columns as the records of the trials have it", async () => {
    const { store } = await indexFolders(engine, [CORPUS, makeEmbedded()]);
    const ids = await store.db.selectFrom("jobs").select("id").execute();
    const jobs = await readHeads(
      store,
      ids.map(({ id }) => id),
    );
    const seen = { several: 0, regraded: 0, parts: 0, withoutFolder: 0, failed: 0 };
    for (const job of jobs) {
      const suspicions = await readSuspicions(store, job.rowId);
      const wholes = job.groups.map(({ group: { key } }) => ({ key, figureKey: key }));
      const parts = job.groups.flatMap(({ group, setups }) =>
        (setups?.parts ?? []).map(({ summary }) => ({ key: summary.group.key, figureKey: group.key })),
      );
      const places = await store.db
        .selectFrom("trials")
        .select(["jobRowId", "position", "key", "setupKey"])
        .where("jobRowId", "=", job.rowId)
        .orderBy("position")
        .execute();
      const records = (await readTrialsAt(store, places)).map(({ trial }) => trial);
      const setups = new Map(places.map(({ key, setupKey }) => [key, setupKey]));
      for (const { key, figureKey } of [...wholes, ...parts]) {
        const own = records.filter((trial) =>
          key === figureKey ? trial.groupKey === key : setups.get(trial.key) === key,
        );
        const exclusions = await readExclusions(store, { jobRowId: job.rowId, groupKey: figureKey });
        const picked = own
          .map((trial) => ({
            ...pickCompared(trial, "harbor-0.25"),
            jobKey: job.key,
            isSuspect: suspicions.has(trial.key),
            exclusion: exclusions.get(trial.key) ?? null,
          }))
          .toSorted((a, b) => a.attempt - b.attempt);
        const { trials, settings, environment } = await readGroupContent(store, job, key, figureKey);
        expect(trials, groupRef(job.key, key)).toEqual(key === figureKey ? picked : renumber(picked));
        expect(settings, groupRef(job.key, key)).toEqual(collectSettings(own));
        expect(environment, groupRef(job.key, key)).toEqual(collectEnvironment(own, job));
        seen.several += trials.filter(({ rewards }) => rewards.size > 1).length;
        seen.regraded += own.filter(({ sourceTrial }) => sourceTrial !== null).length;
        seen.parts += key === figureKey ? 0 : 1;
        seen.withoutFolder += trials.filter(({ hasFolder }) => !hasFolder).length;
        seen.failed += trials.filter(({ exceptionType }) => exceptionType !== null).length;
      }
    }
    expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([]);
  });
});
