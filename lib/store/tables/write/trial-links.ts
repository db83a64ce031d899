import type { Kysely } from "kysely";

import type { IndexStore } from "../open-store";
import type { IndexTables, Stored } from "../schema/tables";

export type TrialLink = Stored<"trialLinks">;
type Candidate = Awaited<ReturnType<typeof readCandidates>>[number];

/**
 * Finds the sources of all regraded trials among the open trials: by id, else by the folder names of job and trial if these are
 * unique. Reads every trial once if there is any regraded trial.
 *
 * @param uncounted - ids of jobs that are copies; their trials are a source only if no other trial is
 */
export async function findTrialLinks(
  { db }: IndexStore,
  uncounted: ReadonlySet<number> = new Set(),
): Promise<readonly TrialLink[]> {
  const sources = await db.selectFrom("trialSources").selectAll().execute();
  if (sources.length === 0) return [];
  const candidates = (await readCandidates(db)).toSorted(
    (a, b) => Number(uncounted.has(a.jobRowId)) - Number(uncounted.has(b.jobRowId)),
  );
  const byId = Map.groupBy(candidates, ({ uuid }) => uuid ?? "");
  const byName = Map.groupBy(candidates, (row) => nameTrial(row.jobName, row.trialName));
  return sources.flatMap((source): TrialLink[] => {
    const { jobRowId, position } = source;
    const isOther = (row: Candidate) => row.jobRowId !== jobRowId || row.position !== position;
    const same = (source.uuid === null ? [] : (byId.get(source.uuid) ?? [])).filter(isOther);
    const namesakes = (byName.get(nameTrial(source.jobName, source.trialName)) ?? []).filter(
      // A namesake with an id of its own is another trial.
      (row) => isOther(row) && (source.uuid === null || row.uuid === null),
    );
    // Copies of one trial share its id; prefers the one under the recorded name.
    const found =
      same.find((row) => row.jobName === source.jobName) ??
      same[0] ??
      (namesakes.length === 1 ? namesakes[0] : undefined);
    return found === undefined
      ? []
      : [{ jobRowId, position, sourceJobRowId: found.jobRowId, sourcePosition: found.position }];
  });
}

function nameTrial(jobName: string | null, trialName: string | null): string {
  return `${jobName ?? ""}/${trialName ?? ""}`;
}

async function readCandidates(db: Kysely<IndexTables>) {
  return db
    .selectFrom("trials")
    .innerJoin("jobs", "jobs.id", "trials.jobRowId")
    .select(["trials.jobRowId", "trials.position", "trials.uuid", "trials.trialName"])
    .select("jobs.name as jobName")
    .where((where) =>
      where.or([
        where("trials.uuid", "in", where.selectFrom("trialSources").select("trialSources.uuid")),
        where("jobs.name", "in", where.selectFrom("trialSources").select("trialSources.jobName")),
      ]),
    )
    .orderBy("trials.jobRowId")
    .orderBy("trials.position")
    .execute();
}
