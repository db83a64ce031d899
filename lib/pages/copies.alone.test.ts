import { cpSync } from "node:fs";

import { expect, it, onTestFinished, vi } from "vitest";

import { groupRef } from "@/lib/pages/address/href";
import { parseCompareParams } from "@/lib/pages/compare/address";
import { datasetAddress } from "@/lib/pages/datasets/address";
import { errorsAddress } from "@/lib/pages/errors/address";
import { parseJobsParams } from "@/lib/pages/jobs/address";
import { taskAddress } from "@/lib/pages/tasks/address";
import { getHealthPage } from "@/lib/pages/tasks/health";
import { taxonomyAddress } from "@/lib/pages/taxonomy/address";
import { triageAddress } from "@/lib/pages/triage/address";
import { parseTrialsParams } from "@/lib/pages/trials/address";
import { getAnnotationStore } from "@/lib/people/annotations";
import { getSharedIndex } from "@/lib/store/indexer";
import { type IndexStore, readHead, readJobCopies } from "@/lib/store/tables";
import { jobFiles, makeFolder } from "@/lib/testing/folder.fixture";

import { serveApi } from "./api/lists";
import { readClusters } from "./clusters/clusters";
import { readClusterPage } from "./clusters/page";
import { getComparePage } from "./compare/page";
import { getHistory } from "./datasets/history";
import { getLeaderboard } from "./datasets/leaderboard";
import { getDataset, getDatasetsPage } from "./datasets/list";
import { getErrorsPage } from "./errors/page";
import { getScannersPage } from "./errors/scanners";
import { getJobPage } from "./job/page";
import { serveAllTrials } from "./job/trials-download";
import { serveJobs } from "./jobs/download";
import { getJobsPage } from "./jobs/page";
import { previewQueue } from "./queues/new-queue";
import { readNamedRuns } from "./run-sets/saved";
import { getStore, getWholeStore } from "./shell/catalog";
import { getSearch } from "./shell/search";
import { getShell } from "./shell/shell";
import { getTaskPage } from "./tasks/page";
import { getTaxonomyPage } from "./taxonomy/page";
import { getTriagePage } from "./triage/page";
import { getAllTrialsPage } from "./trials/page";

vi.mock("next/server", () => ({ connection: () => Promise.resolve() }));
vi.mock("next/headers", () => ({
  headers: () => Promise.resolve(new Headers()),
  cookies: () => Promise.resolve(new Map()),
}));

async function openRoots(roots: readonly string[]) {
  process.env["ASSAY_ROOTS"] = JSON.stringify(roots);
  process.env["ASSAY_DATA"] = makeFolder({});
  const index = await getSharedIndex();
  const annotations = getAnnotationStore();
  onTestFinished(() => annotations.close());
  await index.refresh();
  await index.settle();
  const close = async () => {
    await index.close();
    globalThis.assayIndex = undefined;
    globalThis.assayAnnotationStore = undefined;
  };
  return { annotations, close };
}

/** Reads every list over the opened folders. */
async function readLists(roots: readonly string[]) {
  const { annotations, close } = await openRoots(roots);
  const store = await getStore();
  const datasets = await getDatasetsPage(1);
  const dataset = await getDataset(datasets.rows[0]?.id ?? "");
  if (dataset === null) throw new Error("The dataset was just indexed.");
  const datasetParams = datasetAddress.read({});
  const { clusters } = await readClusters(store, annotations);
  const download = async (answer: Promise<Response>) => (await (await answer).text()).split("\n").sort();
  const ask = (path: string) => new Request(`http://assay.test${path}`);
  const source = { job: null, list: "", picks: [], judgments: [], judged: null };
  const lists = {
    shell: await getShell(),
    jobs: await getJobsPage(parseJobsParams({})),
    runs: await readNamedRuns(await getStore()),
    trials: await getAllTrialsPage(parseTrialsParams({}, true)),
    triage: await getTriagePage(triageAddress.read({})),
    clusters: await Promise.all(clusters.map(({ key }) => readClusterPage(store, key, annotations))),
    exceptions: await getErrorsPage(errorsAddress.read({})),
    scanners: await getScannersPage(),
    taxonomy: await getTaxonomyPage(taxonomyAddress.read({})),
    datasets,
    leaderboard: await getLeaderboard(dataset, datasetParams),
    history: await getHistory(dataset, datasetParams),
    health: await getHealthPage(dataset, datasetParams),
    task: await getTaskPage("alpha", taskAddress.read({})),
    search: await getSearch("alpha"),
    queue: await previewQueue({
      source,
      method: "all",
      size: 10,
      seed: 1,
      order: "list",
      doubleShare: 0,
    }),
    jobsFile: await download(serveJobs("csv", ask("/jobs.csv"))),
    trialsFile: await download(serveAllTrials("csv", ask("/trials.csv"))),
    jobsAnswer: await download(serveApi(ask("/api/v1/jobs"))),
    trialsAnswer: await download(serveApi(ask("/api/v1/jobs/run/trials"))),
  };
  const page = await getJobPage("run");
  await close();
  return {
    lists: JSON.parse(JSON.stringify(lists, simplify)) as Readonly<Record<string, unknown>>,
    copies: page?.copies.map(({ place, isCounted }) => ({ place, isCounted })),
  };
}

/** Leaves out values that depend on the index. */
function simplify(key: string, value: unknown): unknown {
  if (/^(rowId|jobRowId|id|version|generation|roots|scannedAtMs)$/.test(key) && typeof value !== "string")
    return null;
  if (value instanceof Map || value instanceof Set) return [...value];
  return typeof value === "bigint" ? String(value) : value;
}

it("a job in a second folder changes no list, and its page names both", async () => {
  const original = makeFolder({
    ...jobFiles("run", { alpha__aaaaaaa: 1, beta__bbbbbbb: 0, gamma__ccccccc: 0 }),
    ...jobFiles("other", { alpha__ddddddd: 0, beta__eeeeeee: 1 }, { id: "other" }),
  });
  const backup = makeFolder({}, "backup");
  const alone = await readLists([original]);
  cpSync(original, backup, { recursive: true });
  const twice = await readLists([original, backup]);
  for (const [name, list] of Object.entries(alone.lists)) expect.soft(twice.lists[name], name).toEqual(list);
  expect(alone.copies).toEqual([]);
  expect(twice.copies).toEqual([
    { place: "jobs/run", isCounted: true },
    { place: "backup/run", isCounted: false },
  ]);
});

it("compares the counted trials of each group, also with an unknown reference and a copy", async () => {
  const original = makeFolder({
    ...jobFiles("run", { alpha__aaaaaaa: 1, beta__bbbbbbb: 0, gamma__ccccccc: 0 }),
    ...jobFiles("other", { alpha__ddddddd: 0, beta__eeeeeee: 1 }, { id: "other" }),
  });
  cpSync(`${original}/other/alpha__ddddddd`, `${original}/run/alpha__ddddddd`, { recursive: true });
  const backup = makeFolder({}, "backup");
  cpSync(`${original}/run`, `${backup}/run`, { recursive: true });
  const { close } = await openRoots([original, backup]);
  const whole = await getWholeStore();
  const find = async (store: IndexStore, key: string) => {
    const group = (await readHead(store, key))?.groups[0]?.group.key ?? "";
    return groupRef(key, group);
  };
  const copies = await readJobCopies(whole, (await readHead(whole, "run"))?.rowId ?? 0);
  const copy = await find(whole, copies.find(({ isCounted }) => !isCounted)?.key ?? "");
  const refs = [await find(whole, "run"), await find(whole, "other")];
  const compare = async (...more: readonly string[]) => {
    const { comparison, unknown } = await getComparePage({
      ...parseCompareParams({}),
      refs: [...refs, ...more],
      order: "chosen",
    });
    return { n: comparison?.groups.map(({ trials }) => trials.length), unknown };
  };
  const counted = await compare();
  expect(counted).toEqual({ n: [4, 1], unknown: [] });
  expect(await compare("gone:nothing")).toEqual({ n: [4, 1], unknown: ["gone:nothing"] });
  expect(await compare(copy)).toEqual({ n: [4, 1, 4], unknown: [] });
  await close();
});
