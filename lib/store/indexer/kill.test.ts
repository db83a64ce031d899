import { readdirSync } from "node:fs";
import { join } from "node:path";

import Database from "better-sqlite3";
import { expect } from "vitest";

import { describeEngines, type EngineUnderTest } from "@/lib/store/database/postgres.fixture";
import { openIndexStore, readIndexState, resolveIndexTarget } from "@/lib/store/tables";
import { makeFolder } from "@/lib/testing/folder.fixture";
import { dumpFresh, dumpIndex, makeDataFolder } from "@/lib/testing/index.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";
import { IS_LONG_RUN, planRuns } from "@/lib/testing/plan-runs";
import { Random } from "@/lib/testing/random";
import { writeSyntheticJobs } from "@/lib/testing/synthetic";

import { startChild } from "./processes.fixture";

const { numRuns: ROUNDS, seed } = planRuns({ short: 1, long: 100 });
const POSTGRES_ROUNDS = Math.ceil(ROUNDS / 5);
const TRIALS = IS_LONG_RUN ? 3000 : 48;
const SECONDS_A_ROUND = 120;

async function prepareEnvironment(engine: EngineUnderTest): Promise<Record<string, string>> {
  const target = await engine.freshTarget();
  return target.engine === "postgres" ? { DATABASE_URL: target.url } : { ASSAY_DATA: makeDataFolder() };
}

describeEngines("an indexer that is killed at any moment", (engine) => {
  const nRounds = engine.name === "postgres" ? POSTGRES_ROUNDS : ROUNDS;
  itLong(engine.name === "sqlite")(
    "leaves what the next start makes equal to a fresh index",
    async () => {
      const folder = makeFolder({});
      writeSyntheticJobs(folder, { trials: TRIALS, jobs: 8, seed: 5 });
      // A copy, for issues that only the whole catalog can tell.
      writeSyntheticJobs(join(folder, "copy"), { trials: Math.ceil(TRIALS / 8), jobs: 1, seed: 5 });
      const roots = [folder];
      const fresh = await dumpFresh(roots);
      const startedAt = performance.now();
      const whole = await startChild(roots, await prepareEnvironment(engine), false);
      expect(await whole.exit).toBe(0);
      let wholeMs = performance.now() - startedAt;

      const states: string[] = [];
      const random = new Random(`kill moments ${seed}`);
      let nKilled = 0;
      while (nKilled < nRounds) {
        // On PostgreSQL there is one schema, named after the folder. It is dropped at the end of the round.
        const environment = await prepareEnvironment(engine);
        const target = resolveIndexTarget({ roots, summation: "cpython-3.12" }, environment);
        const killed = await startChild(roots, environment, false);
        const timer = setTimeout(() => killed.process.kill("SIGKILL"), wholeMs * random.unit());
        const beganAt = performance.now();
        const code = await killed.exit;
        if (code === null) nKilled++;
        // Too late: the machine was slower when the time was taken.
        else wholeMs = Math.min(wholeMs, performance.now() - beganAt);
        clearTimeout(timer);
        const store = await openIndexStore(target);
        const { generation, isFinished } = await readIndexState(store);
        const read = await store.db.selectFrom("sources").select("id").where("state", "=", "read").execute();
        states.push(
          `${code === null ? "killed" : "ended"} at ${generation}/${read.length}/${isFinished ? 1 : 0}`,
        );
        if (code === 0) expect(isFinished).toBe(true);

        const next = await startChild(roots, environment, false);
        expect(await next.exit).toBe(0);
        expect(next.status()).toMatchObject({ phase: "current", isComplete: true, failure: null });
        expect(await dumpIndex(store), states.at(-1)).toEqual(fresh);
        if (target.engine === "sqlite") {
          const file = new Database(target.file, { readonly: true });
          expect(file.pragma("integrity_check", { simple: true })).toBe("ok");
          file.close();
          await store.close();
          expect(readdirSync(environment["ASSAY_DATA"] ?? "")).toEqual([target.file.split("/").at(-1)]);
        } else {
          await store.db.schema.dropSchema(target.schema).cascade().execute();
          await store.close();
        }
      }
    },
    (nRounds + 2) * SECONDS_A_ROUND * 1000,
  );
});
