import { appendFileSync, globSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import { sql } from "kysely";
import { expect, it } from "vitest";

import { describeEngines } from "@/lib/store/database/postgres.fixture";
import type { IndexStore } from "@/lib/store/tables";
import { makeFolder, writeFiles } from "@/lib/testing/folder.fixture";
import { dumpFresh, dumpIndex, indexFolders, makeDataFolder, openHere } from "@/lib/testing/index.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";
import { IS_LONG_RUN } from "@/lib/testing/plan-runs";
import { writeSyntheticJobs } from "@/lib/testing/synthetic";

function listResults(folder: string): string[] {
  return globSync(`${folder}/*/*/result.json`).sort();
}

/** One change of a trial each, given its result.json. */
const CHANGES: readonly ((file: string) => void)[] = [
  (file) => writeFileSync(file, readFileSync(file, "utf8").replace(/"reward": [\d.]+/, '"reward": 0.5')),
  (file) => writeFileSync(file, readFileSync(file, "utf8").replace(/"task_name": "/, '"task_name": "other-')),
  (file) => utimesSync(file, new Date(), new Date()),
  (file) => appendFileSync(file, "{"),
  (file) => rmSync(file),
  (file) => writeFileSync(`${dirname(file)}/verifier/reward.json`, '{"reward": 0.25, "style": 1}'),
  (file) => rmSync(dirname(file), { recursive: true }),
  (file) => writeFiles(dirname(dirname(file)), { "0first__0000000/result.json": readFileSync(file, "utf8") }),
];

async function countWritten({ db }: IndexStore): Promise<number> {
  const { rows } = await sql<{ n: number }>`select total_changes() as n`.execute(db);
  return rows[0]?.n ?? Number.NaN;
}

describeEngines("an index of jobs in which trials change", (engine) => {
  // `refresh.test.ts` changes trials on either engine.
  const runs = itLong(engine.name === "sqlite");
  runs("is a fresh one after every change", async () => {
    const folder = makeFolder({});
    writeSyntheticJobs(folder, { trials: IS_LONG_RUN ? 60 : 36, jobs: 2, seed: 11 });
    const index = await indexFolders(engine, [folder]);
    for (const [at, change] of CHANGES.entries()) {
      const files = listResults(folder);
      // One job in every round, both in every other.
      change(files[(at * 7) % 25] ?? "");
      if (at % 2 === 1) change(files.at(-1 - at) ?? "");
      await index.refresh();
      expect(index.status().failure).toBeNull();
      // What a change of one trial left wrong is there after that of another.
      if (IS_LONG_RUN || at % 4 === 3 || at === CHANGES.length - 1)
        expect(await dumpIndex(index.store), `change ${at}`).toEqual(await dumpFresh([folder]));
    }
  });
});

it("writes the changed rows alone", async () => {
  const folder = makeFolder({});
  writeSyntheticJobs(folder, { trials: 40, jobs: 1, seed: 3 });
  const index = await openHere([folder], makeDataFolder());
  await index.refresh();
  await index.settle();
  const first = await countWritten(index.store);
  expect(first).toBeGreaterThan(360);
  const [, file = ""] = listResults(folder);
  writeFileSync(file, readFileSync(file, "utf8").replace(/"cost_usd": [\d.]+/, '"cost_usd": 7'));
  await index.refresh();
  expect((await countWritten(index.store)) - first).toBeLessThan(100);
  expect(await dumpIndex(index.store)).toEqual(await dumpFresh([folder]));
});
