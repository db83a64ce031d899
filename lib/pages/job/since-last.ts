import "server-only";
import { computeSinceLast, nameKind } from "@/lib/core/comparison";
import type { ClockTime } from "@/lib/core/domain/clock-time";
import { groupRef } from "@/lib/pages/address/href";
import { type IndexStore, type JobHead, readHeads } from "@/lib/store/tables";

import { findGroups, readChosenGroups } from "../compare/groups";
import { type Dataset, listDatasets } from "../datasets/list";
import { getCached } from "../shell/catalog";

const MOST_ROWS = 6;

export type SinceLastPanel = NonNullable<Awaited<ReturnType<typeof readSinceLast>>>;

export type SinceLastRow = SinceLastPanel["rows"][number];

export async function getSinceLast(job: JobHead) {
  const datasets = await getCached("datasets", listDatasets);
  return getCached(`since last ${String(job.rowId)}`, (store) => readSinceLast(store, job, datasets));
}

/** Finds, for each group, the last run of its agent, model and dataset that began before the job. Null without any. */
export async function readSinceLast(
  store: IndexStore,
  job: JobHead,
  datasets: readonly Pick<Dataset, "groups">[],
) {
  const start = readStart(job);
  if (start === null) return null;
  const others = listOthers(job, datasets);
  const jobs = await readHeads(store, [...new Set(others.flatMap(({ jobRowIds }) => jobRowIds))]);
  const byId = new Map(jobs.map((one) => [one.rowId, one]));
  const found = others.flatMap(({ group, jobRowIds }) => {
    const dated = jobRowIds.flatMap((id) => {
      const one = byId.get(id);
      const began = one === undefined ? null : readStart(one);
      return one === undefined || began === null ? [] : [{ job: one, start: began }];
    });
    const earlier = dated.filter((one) => one.start.epochMs < start.epochMs);
    const [last] = earlier.toSorted((a, b) => b.start.epochMs - a.start.epochMs);
    return last === undefined ? [] : [{ group, last }];
  });
  if (found.length === 0) return null;
  const shown = found.slice(0, MOST_ROWS);
  const undated = jobs.filter((one) => readStart(one) === null);
  return {
    rows: await Promise.all(
      shown.map(async ({ group: { key, agent, model }, last }) => {
        const refs = [groupRef(last.job.key, key), groupRef(job.key, key)] as const;
        const { chosen } = await findGroups(store, refs, () => 0);
        const [before, now] = await readChosenGroups(store, chosen);
        return {
          groupKey: key,
          agent,
          model,
          before: { key: last.job.key, name: last.job.name, start: last.start },
          refs,
          since: before === undefined || now === undefined ? null : computeSinceLast(before, now),
        };
      }),
    ),
    nLeftOut: found.length - shown.length,
    /** Other runs of the same agents and datasets without a start time, whose order is unknown. */
    nUndated: undated.length,
  };
}

function listOthers(job: JobHead, datasets: readonly Pick<Dataset, "groups">[]) {
  return datasets.flatMap(({ groups }) =>
    groups
      .filter(({ jobRowId }) => jobRowId === job.rowId)
      .map((group) => {
        const kind = nameKind(group);
        const same = groups.filter((one) => one.jobRowId !== job.rowId && nameKind(one) === kind);
        return { group, jobRowIds: same.map(({ jobRowId }) => jobRowId) };
      }),
  );
}

/** A start without a time zone cannot be ordered. */
function readStart({ time: { startedAt } }: Pick<JobHead, "time">): ClockTime | null {
  return startedAt?.zoned === true ? startedAt : null;
}
