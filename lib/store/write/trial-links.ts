import type { Kysely } from "kysely";

import type { IndexStore } from "../open-store";
import type { IndexTables } from "../schema/tables";

/** A regraded trial and the open trial that it regrades, by job and position. */
export interface TrialLink {
  readonly job_id: number;
  readonly position: number;
  readonly source_job_id: number;
  readonly source_position: number;
}

interface Candidate {
  readonly job_id: number;
  readonly position: number;
  readonly uuid: string | null;
  readonly trial_name: string;
  readonly job_name: string;
}

/**
 * Finds the sources of all regraded trials among the open trials: by id, else by the folder names of job and trial, which
 * several trials may share and then tell nothing. Reads every trial once when there is anything to find.
 */
export async function findTrialLinks({ db }: IndexStore): Promise<readonly TrialLink[]> {
  const sources = await db.selectFrom("trial_sources").selectAll().execute();
  if (sources.length === 0) return [];
  const candidates = await readCandidates(db);
  const byId = Map.groupBy(candidates, ({ uuid }) => uuid ?? "");
  const byName = Map.groupBy(candidates, (row) => nameTrial(row.job_name, row.trial_name));
  return sources.flatMap((source): TrialLink[] => {
    const { job_id, position } = source;
    const isOther = (row: Candidate) => row.job_id !== job_id || row.position !== position;
    const same = (source.uuid === null ? [] : (byId.get(source.uuid) ?? [])).filter(isOther);
    const namesakes = (byName.get(nameTrial(source.job_name, source.trial_name)) ?? []).filter(
      // A namesake with an id of its own is another trial.
      (row) => isOther(row) && (source.uuid === null || row.uuid === null),
    );
    // Copies of one trial have its id; the one under the recorded name comes first.
    const found =
      same.find((row) => row.job_name === source.job_name) ??
      same[0] ??
      (namesakes.length === 1 ? namesakes[0] : undefined);
    return found === undefined
      ? []
      : [{ job_id, position, source_job_id: found.job_id, source_position: found.position }];
  });
}

function nameTrial(jobName: string | null, trialName: string | null): string {
  return `${jobName ?? ""}/${trialName ?? ""}`;
}

async function readCandidates(db: Kysely<IndexTables>): Promise<readonly Candidate[]> {
  return db
    .selectFrom("trials")
    .innerJoin("jobs", "jobs.id", "trials.job_id")
    .select(["trials.job_id", "trials.position", "trials.uuid", "trials.trial_name"])
    .select("jobs.name as job_name")
    .where((where) =>
      where.or([
        where("trials.uuid", "in", where.selectFrom("trial_sources").select("trial_sources.uuid")),
        where("jobs.name", "in", where.selectFrom("trial_sources").select("trial_sources.job_name")),
      ]),
    )
    .orderBy("trials.job_id")
    .orderBy("trials.position")
    .execute();
}
