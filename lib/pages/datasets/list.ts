import "server-only";
import { compareNames } from "@/lib/core/domain/compare-text";
import { type DatasetName, nameDataset } from "@/lib/core/domain/dataset";
import { rangeOfPage, takePage, PAGE_ROWS } from "@/lib/core/domain/list-page";
import {
  countUnreadJobs,
  type DatasetGroup,
  type IndexStore,
  readDatasetGroups,
  readGroupTasks,
  readHeads,
} from "@/lib/store/tables";

import { getCached, getStore } from "../shell/catalog";

/** Groups of the newest job come first. */
export interface Dataset extends DatasetName {
  readonly groups: readonly DatasetGroup[];
  readonly tasks: readonly string[];
  readonly nJobs: number;
  readonly nTrials: number;
}

/** Datasets with a name first, then by newest job. */
export async function listDatasets(store: IndexStore): Promise<readonly Dataset[]> {
  const [groups, tasks] = await Promise.all([readDatasetGroups(store), readGroupTasks(store)]);
  const tasksOf = Map.groupBy(tasks, ({ jobRowId, groupKey }) => nameGroup(jobRowId, groupKey));
  const named = groups.map((group) => {
    const own = tasksOf.get(nameGroup(group.jobRowId, group.key)) ?? [];
    const names = own.map(({ taskName }) => taskName);
    return { group, tasks: names, dataset: nameDataset({ source: group.source, tasks: names }) };
  });
  const datasets = [...Map.groupBy(named, ({ dataset }) => dataset.id).values()].flatMap((members) => {
    const [first] = members;
    if (first === undefined) return [];
    const own = members.map(({ group }) => group);
    const names = new Set(members.flatMap((member) => member.tasks));
    return {
      ...first.dataset,
      groups: own,
      tasks: [...names].toSorted(compareNames),
      nJobs: new Set(own.map(({ jobRowId }) => jobRowId)).size,
      nTrials: own.reduce((sum, { nTrials }) => sum + nTrials, 0),
    };
  });
  return [...datasets.filter(({ isNamed }) => isNamed), ...datasets.filter(({ isNamed }) => !isNamed)];
}

function nameGroup(jobRowId: number, key: string): string {
  return `${String(jobRowId)} ${key}`;
}

/** @param page - from 1 */
export async function getDatasetsPage(page: number) {
  return readDatasetsPage(page, await getStore(), await getCached("datasets", listDatasets));
}

export type DatasetRow = Awaited<ReturnType<typeof readDatasetsPage>>["rows"][number];

export async function readDatasetsPage(page: number, store: IndexStore, datasets: readonly Dataset[]) {
  const shown = takePage(datasets, rangeOfPage(page, PAGE_ROWS));
  const newest = shown.rows.flatMap(({ groups }) => groups[0]?.jobRowId ?? []);
  const [heads, nUnread] = await Promise.all([readHeads(store, newest), countUnreadJobs(store)]);
  const byId = new Map(heads.map((job) => [job.rowId, job]));
  const rows = shown.rows.flatMap(({ groups, tasks, ...dataset }) => {
    const job = byId.get(groups[0]?.jobRowId ?? -1);
    return job === undefined
      ? []
      : [{ ...dataset, nGroups: groups.length, nTasks: tasks.length, newest: job }];
  });
  const nUnnamed = datasets.filter(({ isNamed }) => !isNamed).length;
  return { ...shown, rows, nUnnamed, nUnread };
}

export async function getDataset(id: string): Promise<Dataset | null> {
  const datasets = await getCached("datasets", listDatasets);
  return datasets.find((dataset) => dataset.id === id) ?? null;
}
