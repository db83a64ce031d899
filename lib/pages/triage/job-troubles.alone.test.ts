import { rmSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished } from "vitest";

import { runCli } from "@/lib/cli/run-cli";
import { parseTrialsParams } from "@/lib/pages/trials/address";
import { getAnnotationStore } from "@/lib/people/annotations";
import { describeQueries } from "@/lib/store/database/postgres.fixture";
import { type IndexStore, readHead, readTrials } from "@/lib/store/tables";
import { raised } from "@/lib/testing/attempts.fixture";
import {
  type FolderFiles,
  jobResult,
  makeFolder,
  trialResult,
  writeFiles,
} from "@/lib/testing/folder.fixture";
import { indexFolders } from "@/lib/testing/index.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";

import { openTrialsList } from "../job/trials-selection";
import { getJobTroubles } from "./job-troubles";

const minute = (at: number) => `2026-05-01T17:${String(at).padStart(2, "0")}:00Z`;
const limited = raised("ApiRateLimitError", "429 too many requests");

const RUNNING = jobResult(
  {},
  {
    finished_at: null,
    n_total_trials: 40,
    stats: { n_completed_trials: 11, n_running_trials: 2, evals: {} },
  },
);

/** A trial as Harbor leaves it: its folder first, its result once it ended. */
function end(
  folder: string,
  at: number,
  { model = "m1", over }: { model?: string; over?: FolderFiles } = {},
) {
  const name = `task-${String(at)}__aaaaaa${String(at % 10)}`;
  const config = { task: { path: `tasks/task-${String(at)}` }, trial_name: name };
  const agent = { name: "orca", model_name: `lab/${model}` };
  writeFiles(folder, { [`run/${name}/config.json`]: { ...config, agent, trials_dir: "run" } });
  const agentInfo = { name: "orca", version: "1.0", model_info: { name: model, provider: "lab" } };
  writeFiles(folder, {
    [`run/${name}/result.json`]: trialResult(name, over === undefined ? 1 : null, {
      config: { ...config, agent },
      agent_info: agentInfo,
      started_at: minute(at),
      finished_at: minute(at + 1),
      ...over,
    }),
  });
}

async function listLinked(store: IndexStore, trouble: Awaited<ReturnType<typeof getJobTroubles>>[number]) {
  const job = await readHead(store, "run");
  const { failureClass, groups, sinceMs } = trouble;
  const params = { ...parseTrialsParams({}), failureClasses: [failureClass], groups, endedFrom: sinceMs };
  const { jobs, selection, sort } = await openTrialsList(store, job, params);
  return (await readTrials(store, jobs, selection, sort, { from: 0, limit: 50 })).rows.map(
    ({ trial }) => trial.taskName,
  );
}

describeQueries("a job that runs", (engine) => {
  itLong(engine.name === "sqlite")(
    "reports current troubles on its page and to scripts, with links to their trials",
    async () => {
      process.env["ASSAY_DATA"] = makeFolder({});
      const annotations = getAnnotationStore();
      const folder = makeFolder({
        "run/config.json": { job_name: "run", n_attempts: 1, agents: [{ name: "orca" }], datasets: [] },
        "run/result.json": RUNNING,
      });
      // One that failed alike long ago, and another model of the agent that fails alike but seldom.
      end(folder, 0, { over: limited });
      for (const at of [1, 2, 3, 4, 5, 6]) end(folder, at);
      for (const at of [11, 12, 13]) end(folder, at, { model: "m2" });
      end(folder, 14, { model: "m2", over: limited });
      const index = await indexFolders(engine, [folder]);
      onTestFinished(async () => {
        await annotations.close();
        globalThis.assayAnnotationStore = undefined;
      });
      const read = async () => {
        await index.refresh();
        await index.settle();
        const job = await readHead(index.store, "run");
        return job === null ? [] : getJobTroubles(index.store, job);
      };
      expect(await read()).toEqual([]);

      let stdout = "";
      const write = (text: string) => ((stdout += text), true);
      const stream = { write, once: () => undefined };
      const args = ["watch", folder, "--stop", "--every", "1", "--data", makeFolder({})];
      const watch = runCli(args, { stdout: stream, stderr: stream, env: {} });
      for (const at of [21, 22, 23, 24, 25, 26, 27]) {
        end(folder, at, { over: limited });
        await index.refresh();
      }
      expect(await watch).toBe(1);
      expect(stdout).toMatch(/^run: \d of the last \d+ trials of .*m1: .*429/);
      // It still runs: nothing told it to end.
      expect((await readHead(index.store, "run"))?.state).toBe("running");

      const [trouble, ...more] = await read();
      expect(more).toEqual([]);
      expect(trouble).toMatchObject({ nTrials: 7, nRecent: 10, failureClass: "provider" });
      expect(trouble === undefined ? [] : (await listLinked(index.store, trouble)).toSorted()).toEqual(
        [21, 22, 23, 24, 25, 26, 27].map((at) => `task-${String(at)}`),
      );

      rmSync(join(folder, "run/result.json"));
      writeFiles(folder, { "run/result.json": jobResult({}, { n_total_trials: 18 }) });
      expect(await read()).toEqual([]);
    },
  );
});
