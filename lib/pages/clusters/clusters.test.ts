import { expect, it } from "vitest";

import { nameCluster, openAnnotationStore, parseQueueDraw } from "@/lib/people/annotations";
import { describeEngines } from "@/lib/store/database/postgres.fixture";
import { readClusterTrials } from "@/lib/store/tables";
import { jobResult, makeFolder, trialResult } from "@/lib/testing/folder.fixture";
import { indexFolders } from "@/lib/testing/index.fixture";

import { drawQueue, openQueueSource } from "../queues/new-queue";
import { readClusters } from "./clusters";
import { readClusterPage } from "./page";

const raised = (name: string, message: string, startedAt: string) =>
  trialResult(name, 0, {
    started_at: startedAt,
    exception_info: {
      exception_type: "EnvironmentError",
      exception_message: message,
      exception_traceback: "",
      occurred_at: startedAt,
    },
  });

const REWARDS = {
  alpha__aaaaaaa: 0,
  beta__bbbbbbb: 0,
  gamma__ccccccc: 0,
  delta__ddddddd: 0,
  good__eeeeeee: 1,
};
const FILES = {
  "run/result.json": jobResult(REWARDS),
  "run/alpha__aaaaaaa/result.json": raised(
    "alpha__aaaaaaa",
    "the host db-7 gave no answer within 30 seconds",
    "2026-05-02T10:00:00Z",
  ),
  "run/beta__bbbbbbb/result.json": raised(
    "beta__bbbbbbb",
    "the host db-7 gave no answer within 45 seconds",
    "2026-05-03T10:00:00Z",
  ),
  "run/gamma__ccccccc/result.json": raised(
    "gamma__ccccccc",
    "the host db-7 gave no useful answer within 45 seconds",
    "2026-05-01T10:00:00Z",
  ),
  "run/delta__ddddddd/result.json": raised(
    "delta__ddddddd",
    "no space left on device",
    "2026-05-01T10:00:00Z",
  ),
  "run/good__eeeeeee/result.json": trialResult("good__eeeeeee", 1),
};

describeEngines("clusters of failures", (engine) => {
  it("hold trials that failed alike, and keep their name when older near-duplicates come", async () => {
    const { store } = await indexFolders(engine, [makeFolder(FILES)]);
    const annotations = openAnnotationStore(await engine.freshTarget());
    const [largest, ...others] = (await readClusters(store, annotations)).clusters;
    // Two have one pattern, and the third, which is the oldest, is much like it.
    expect(largest).toMatchObject({
      nTrials: 3,
      name: null,
      firstSeenMs: Date.parse("2026-05-01T10:00:00Z"),
      lastSeenMs: Date.parse("2026-05-03T10:00:00Z"),
    });
    expect(others.map(({ nTrials }) => nTrials)).toEqual([1]);
    const trials = await readClusterTrials(store, largest?.keys ?? []);
    expect(trials.map(({ taskName, slots }) => [taskName, slots])).toEqual([
      ["gamma", ["45"]],
      ["alpha", ["30"]],
      ["beta", ["45"]],
    ]);
    // The pattern of the other two is named, so that now the older one joins it.
    const key = trials.at(-1)?.clusterKey ?? "";
    expect(key).not.toBe(largest?.key);
    const cluster = { kind: "exception", scope: "EnvironmentError", pattern: "as it was" };
    await nameCluster(annotations, { key, name: "Host is down", cluster, author: "Ana", base: 0 });
    const [named] = (await readClusters(store, annotations)).clusters;
    expect(named).toMatchObject({ key, name: "Host is down", nTrials: 3 });
    await annotations.close();
  });

  it("have a page that puts the odd member first and marks values that differ from the example", async () => {
    const { store } = await indexFolders(engine, [makeFolder(FILES)]);
    const annotations = openAnnotationStore(await engine.freshTarget());
    const [largest] = (await readClusters(store, annotations)).clusters;
    // By the key of any of its near-duplicates.
    const page = await readClusterPage(store, largest?.keys.at(-1) ?? "", annotations);
    expect(page?.cluster.key).toBe(largest?.key);
    expect(page?.example.taskName).toBe("alpha");
    expect(
      page?.groups.map(({ kind, members }) => [kind, members.map((one) => [one.taskName, one.values])]),
    ).toEqual([
      ["pattern", [["gamma", null]]],
      ["values", [["beta", ["45"]]]],
      ["same", [["alpha", ["30"]]]],
    ]);
    expect(page?.byAgent.map(({ nTrials, nAttempts }) => [nTrials, nAttempts])).toEqual([[3, 3]]);
    expect(await readClusterPage(store, "none", annotations)).toBeNull();
    await annotations.close();
  });

  it("give a queue one trial of each", async () => {
    const { store } = await indexFolders(engine, [makeFolder(FILES)]);
    const annotations = openAnnotationStore(await engine.freshTarget());
    const form = { method: "clusters", size: 50, seed: 3, order: "random", doubleShare: 0 };
    const draw = parseQueueDraw({
      ...form,
      source: { job: null, list: null, picks: [], judgments: [], judged: null },
    });
    const source = await openQueueSource(store, draw.source, annotations);
    const { trials, nClusters } = await drawQueue(store, source, draw, annotations);
    expect(nClusters).toBe(2);
    expect(trials.map(({ taskName }) => (taskName === "delta" ? "delta" : "alike")).toSorted()).toEqual([
      "alike",
      "delta",
    ]);
    await annotations.close();
  });
});
