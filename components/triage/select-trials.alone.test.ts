import { expect, onTestFinished } from "vitest";

import { getJudgedOrNull } from "@/lib/pages/annotations/judged";
import { readClusters } from "@/lib/pages/clusters/clusters";
import { openTrialsList } from "@/lib/pages/job/trials-selection";
import { HEAT_ROWS, triageAddress } from "@/lib/pages/triage/address";
import { makeHeatMap } from "@/lib/pages/triage/heat";
import { readTriagePage } from "@/lib/pages/triage/page";
import { readTriageBase } from "@/lib/pages/triage/parts";
import { parseTrialsParams, trialsPageHref } from "@/lib/pages/trials/address";
import { createAnnotation, getAnnotationStore } from "@/lib/people/annotations";
import { describeQueries } from "@/lib/store/database/postgres.fixture";
import { type IndexStore, readTrials } from "@/lib/store/tables";
import { attemptFiles, raised } from "@/lib/testing/attempts.fixture";
import { makeFolder } from "@/lib/testing/folder.fixture";
import { indexFolders } from "@/lib/testing/index.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";

import { selectRow, selectTrials } from "./select-trials";

const late = raised("AgentTimeoutError", "Agent execution timed out after 900.0 seconds");
const OLD = { task_checksum: "0".repeat(64), started_at: "2025-01-01T00:00:00Z" };
const FILES = {
  ...attemptFiles("run", [
    { task: "alpha", reward: 0, model: "m1" },
    { task: "alpha", reward: 1, model: "m1" },
    { task: "alpha", reward: 0, model: "m2" },
    { task: "beta", reward: 0, model: "m1" },
    { task: "beta", reward: 0, model: "m2", over: late },
    { task: "gamma", reward: 0.5, model: "m1" },
    { task: "gamma", reward: null, agent: "lamp", over: late },
    { task: "gamma", reward: null, agent: "lamp", over: raised("AgentTimeoutError", "took too long") },
  ]),
  ...attemptFiles("old", [{ task: "beta", reward: 0, model: "m1", over: OLD }]),
  ...attemptFiles("ref", [
    { task: "alpha", reward: 1, agent: "oracle" },
    { task: "beta", reward: 0, agent: "oracle" },
    { task: "alpha", reward: 0, agent: "nop" },
    { task: "beta", reward: 0, agent: "nop" },
    { task: "gamma", reward: null, agent: "nop", over: late },
  ]),
  // The same names of tasks in another dataset, and in none.
  ...attemptFiles("far", [
    { task: "alpha", reward: 0, model: "m1", over: { source: "other" } },
    { task: "beta", reward: 0, model: "m1", over: { source: "other" } },
  ]),
  ...attemptFiles("loose", [{ task: "alpha", reward: 0, model: "m1", over: { source: null } }]),
};

/** The trials behind a link of the page. */
async function follow(store: IndexStore, filter: Parameters<typeof trialsPageHref>[1]) {
  const address = new URL(trialsPageHref(null, filter), "http://localhost").searchParams;
  const search: Record<string, string[]> = {};
  for (const [name, value] of address) (search[name] ??= []).push(value);
  const { jobs, selection, sort } = await openTrialsList(store, null, parseTrialsParams(search, true));
  const { rows } = await readTrials(store, jobs, selection, sort, { from: 0, limit: 100 });
  return rows.map(({ trial }) => trial);
}

describeQueries("links of the triage page", (engine) => {
  itLong(engine.name === "sqlite")("open as many trials as they count, with any filters", async () => {
    process.env["ASSAY_DATA"] = makeFolder({});
    const annotations = getAnnotationStore();
    onTestFinished(async () => {
      await annotations.close();
      globalThis.assayAnnotationStore = undefined;
    });
    const { store } = await indexFolders(engine, [makeFolder(FILES)]);
    await createAnnotation(annotations, {
      subject: {
        trialId: "id-run-alpha__run0000",
        jobUuid: "11111111-1111-4111-8111-111111111111",
        trialName: "alpha__run0000",
        jobName: "run",
        rootLabel: "jobs",
        taskName: "alpha",
        agent: "orca",
        model: "m1",
        outcomeSeen: "failed",
        rewardSeen: "0",
      },
      draft: { reviewerId: "Ada", reviewerDiscipline: null, judgment: "pass", categories: [], notes: "" },
      baseVersionId: null,
    });
    const sources = {
      base: await readTriageBase(store),
      judged: await getJudgedOrNull(store, annotations),
      clusters: await readClusters(store, annotations),
      notes: null,
      codebook: null,
      browserKeyHash: null,
    };
    const [agent = ""] = [...sources.base.agentModels].flatMap(([name, { model }]) =>
      model === "m2" ? [name] : [],
    );
    const kinds = new Set<string>();
    for (const address of [
      "",
      "task=alpha",
      "job=run",
      "dataset=other",
      `dataset=bench&agent=${encodeURIComponent(agent)}`,
      "dataset=~task:alpha",
      "class=out_of_time",
      "q=TIMED OUT",
      "reviewed=yes",
      "reviewed=no",
      `agent=${encodeURIComponent(agent)}`,
      `agent=${encodeURIComponent(agent)}&q=timed&task=beta`,
    ]) {
      const params = triageAddress.read(Object.fromEntries(new URLSearchParams(address)));
      const page = await readTriagePage(store, sources, params, () => 1);
      const drawn: [string, number][] = [];
      const listed: [string, number][] = [];
      const compare = async (name: string, n: number, filter: Parameters<typeof trialsPageHref>[1]) => {
        const trials = await follow(store, filter);
        expect(trials.map((trial) => trial.agent)).not.toContain("oracle");
        drawn.push([`${address}: ${name}`, n]);
        listed.push([`${address}: ${name}`, trials.length]);
      };
      for (const row of page.causes) {
        kinds.add(row.kind);
        await compare(row.key, row.nTrials, selectTrials(row, params, page));
      }
      for (const row of HEAT_ROWS.flatMap((rows) => makeHeatMap(page.scope, rows).lines))
        for (const { failureClass, n } of row.cells)
          if (n > 0)
            await compare(`${row.label} ${failureClass}`, n, {
              ...selectRow(row, params, page),
              failureClasses: [failureClass],
            });
      expect(drawn.length, address).toBeGreaterThan(0);
      expect(listed).toEqual(drawn);
    }
    expect([...kinds].toSorted()).toEqual(["alike", "broken", "strict"]);
  });
});
