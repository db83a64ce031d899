import { type Kysely, type Transaction, sql } from "kysely";

import type { CatalogRoot } from "@/lib/core/domain/catalog";
import { type CopyRow, type CopyTrial, WHOLE_JOB } from "@/lib/core/domain/copies";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import type { TaskRun } from "@/lib/core/domain/task-labels";

import type { IndexStore } from "../open-store";
import type { IndexTables, Stored } from "../schema/tables";
import { FAILURE_TABLES, type JobRow, UNREAD, createVersion, deleteJobRows, insertJobRows } from "./source";

export type JobOrigin = Awaited<ReturnType<typeof readJobOrigins>>[number];

export async function readJobOrigins({ db }: IndexStore) {
  const rows = await db
    .selectFrom("jobs")
    .innerJoin("sources", "sources.id", "jobs.sourceId")
    .select(["jobs.id", "jobs.key", "jobs.name", "jobs.uuid", "jobs.aliases"])
    .select(["jobs.part", "sources.root", "sources.folder"])
    .orderBy("sources.root")
    .orderBy("sources.folder")
    .orderBy("sources.kind")
    .orderBy("jobs.part")
    .execute();
  return rows.map(({ aliases, ...row }) => ({
    ...row,
    aliases: aliases.split("\n").filter((key) => key !== ""),
  }));
}

/** Trials whose id, or else the digest of whose result, occurs several times. */
export async function readRepeatedTrials({ db }: IndexStore): Promise<readonly CopyTrial[]> {
  const statement = sql<CopyTrial>`select "jobRowId" as "jobId", position, uuid, "runUuid",
    coalesce(uuid, "resultDigest") || ' ' || "trialName" as identity from trials
    where coalesce(uuid, "resultDigest") in (select coalesce(uuid, "resultDigest") from trials
      where coalesce(uuid, "resultDigest") is not null group by 1 having count(*) > 1)
    order by "jobRowId", position`;
  return (await statement.execute(db)).rows;
}

/** Reads the facts that rank the copies of a job, in the order of {@link readJobOrigins}. */
export async function readCopyJobs({ db }: IndexStore, origins: readonly JobOrigin[]) {
  const rows = await db
    .selectFrom("trials")
    .select(({ fn }) => ["jobRowId", fn.countAll<number>().as("nTrials")])
    .select(sql<number>`count(case when state = 'finished' then 1 end)`.as("nFinished"))
    // Equals computeEndMs.
    .select(sql<number | null>`max("startedMs" + coalesce("durationMs", 0))`.as("endedMs"))
    .where("hasFolder", "=", 1)
    .groupBy("jobRowId")
    .execute();
  const byJob = new Map(rows.map((row) => [row.jobRowId, row]));
  const namesakes = sql<number>`(select id from jobs where uuid in
    (select uuid from jobs group by uuid having count(*) > 1))`;
  const trials = await db
    .selectFrom("trials")
    .select(["jobRowId", "trialName"])
    .where("jobRowId", "in", namesakes)
    .execute();
  const names = Map.groupBy(trials, ({ jobRowId }) => jobRowId);
  const none = { nTrials: 0, nFinished: 0, endedMs: null };
  return origins.map(({ id, uuid }) => {
    const trialNames = (names.get(id) ?? []).map(({ trialName }) => trialName);
    return { ...(byJob.get(id) ?? none), id, uuid, trialNames };
  });
}

interface CatalogFacts {
  readonly generation: number;
  readonly scannedAtMs: number;
  readonly isFinished: boolean;
  readonly roots: readonly Pick<CatalogRoot, "label" | "path">[];
  readonly keys: ReadonlyMap<number, { readonly key: string; readonly aliases: readonly string[] }>;
  readonly rootIssues: readonly JobRow<"issues">[];
  readonly sharedIssues: ReadonlyMap<number, readonly JobRow<"issues">[]>;
  /** Sources of all regraded trials; null keeps those of the last generation, because not everything was read. */
  readonly trialLinks: readonly TrialLink[] | null;
  /** Null as `trialLinks`. */
  readonly copies: readonly CopyRow[] | null;
  /** Null as `trialLinks`. */
  readonly taskLabels: readonly Stored<"taskLabels">[] | null;
}

export async function writeCatalogFacts(store: IndexStore, facts: CatalogFacts): Promise<void> {
  await store.db.transaction().execute(async (transaction) => {
    for (const [id, { key, aliases }] of facts.keys) {
      await transaction
        .updateTable("jobs")
        .set({
          key,
          keySearch: key.toLowerCase(),
          aliases: `\n${aliases.join("\n")}\n`,
          version: createVersion(),
        })
        .where("id", "=", id)
        .execute();
    }
    await transaction
      .deleteFrom("issues")
      .where((where) => where.or([where("jobRowId", "is", null), where("origin", "=", "shared")]))
      .execute();
    for (const [id, rows] of facts.sharedIssues) await insertJobRows(store, transaction, "issues", id, rows);
    await insertJobRows(store, transaction, "issues", null, facts.rootIssues);
    if (facts.trialLinks !== null) await replaceTrialLinks(store, transaction, facts.trialLinks);
    if (facts.copies !== null) await replaceCopies(store, transaction, facts.copies);
    if (facts.taskLabels !== null) await replaceTaskLabels(store, transaction, facts.taskLabels);
    await transaction.deleteFrom("roots").execute();
    const roots = facts.roots.map(({ label, path }, position) => ({ position, label, path }));
    if (roots.length > 0) await transaction.insertInto("roots").values(roots).execute();
    const { generation, scannedAtMs, isFinished } = facts;
    await writeMeta(transaction, { generation, scanned_at_ms: scannedAtMs, is_finished: isFinished ? 1 : 0 });
  });
}

async function replaceTrialLinks(
  store: IndexStore,
  db: Transaction<IndexTables>,
  links: readonly TrialLink[],
): Promise<void> {
  await db.deleteFrom("trialLinks").execute();
  for (const [jobRowId, own] of Map.groupBy(links, (link) => link.jobRowId)) {
    await insertJobRows(store, db, "trialLinks", jobRowId, own);
  }
}

/** Jobs whose counted trials change get a new version, which invalidates page caches. */
async function replaceCopies(store: IndexStore, db: Transaction<IndexTables>, copies: readonly CopyRow[]) {
  const before = await db.selectFrom("copies").selectAll().execute();
  await db.deleteFrom("copies").execute();
  const now = Map.groupBy(copies, ({ jobId }) => jobId);
  for (const [id, rows] of now) await insertJobRows(store, db, "copies", id, rows);
  const nameTrials = (rows: readonly Omit<Stored<"copies">, "jobRowId">[] = []) =>
    rows
      .flatMap(({ position, family, rank }) =>
        position === WHOLE_JOB ? [] : `${position} ${family} ${rank}`,
      )
      .sort()
      .join();
  const old = Map.groupBy(before, ({ jobRowId }) => jobRowId);
  for (const id of new Set([...old.keys(), ...now.keys()]))
    if (nameTrials(old.get(id)) !== nameTrials(now.get(id)))
      await db.updateTable("jobs").set({ version: createVersion() }).where("id", "=", id).execute();
}

/** Starts a new generation after changes in jobs that do not affect the catalog. */
export async function nextGeneration({ db }: IndexStore): Promise<number> {
  const row = await db
    .updateTable("meta")
    .set({ value: sql<string>`cast(cast(value as integer) + 1 as text)` })
    .where("name", "=", "generation")
    .returning("value")
    .executeTakeFirst();
  return Number(row?.value ?? 0);
}

/** Marks sources as changing, so that another process finishes the work if this one ends. */
export async function markUnfinished({ db }: IndexStore): Promise<void> {
  await writeMeta(db, { is_finished: 0 });
}

export async function writeMeta(db: Kysely<IndexTables>, values: Readonly<Record<string, number | string>>) {
  const rows = Object.entries(values).map(([name, value]) => ({ name, value: String(value) }));
  await db
    .insertInto("meta")
    .values(rows)
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: sql.ref("excluded.value") }))
    .execute();
}

export async function readRootIssues({ db }: IndexStore): Promise<readonly LoadIssue[]> {
  return db
    .selectFrom("issues")
    .select(["code", "path", "detail"])
    .where("jobRowId", "is", null)
    .orderBy("position")
    .execute();
}

export async function writeScanTime({ db }: IndexStore, scannedAtMs: number): Promise<void> {
  await writeMeta(db, { scanned_at_ms: scannedAtMs });
}

/**
 * Returns the generation, which grows with every change, and the end of the last scan in ms since 1970-01-01. Both are 0 before
 * the first scan. `isFinished` is true if all found sources are read and published.
 */
export async function readIndexState({ db }: IndexStore) {
  const rows = await db.selectFrom("meta").selectAll().execute();
  const values = new Map(rows.map(({ name, value }) => [name, Number(value)]));
  return {
    generation: values.get("generation") ?? 0,
    scannedAtMs: values.get("scanned_at_ms") ?? 0,
    isFinished: values.get("is_finished") === 1,
  };
}

interface StoredTaskRun extends TaskRun {
  readonly jobRowId: number;
  readonly position: number;
}

const RECORDED = sql`coalesce(l."taskName", t."taskName")`;
const NAMED = sql`trials as t left join "taskLabels" as l on l."jobRowId" = t."jobRowId" and l.position = t."taskPosition"`;

export async function readTaskRuns({ db }: IndexStore): Promise<readonly StoredTaskRun[]> {
  const statement = sql<StoredTaskRun>`select t."jobRowId", t."taskPosition" as position,
    ${RECORDED} as "taskName", t."taskDigest", g.source, s.root, s.folder
    from ${NAMED} join jobs as j on j.id = t."jobRowId" join sources as s on s.id = j."sourceId"
    left join groups as g on g."jobRowId" = t."jobRowId" and g.key = t."groupKey"
    where t."taskDigest" is not null and ${RECORDED} in (select ${RECORDED} from ${NAMED}
      group by 1 having min(t."taskDigest") <> max(t."taskDigest"))
    group by t."jobRowId", t."taskPosition", 3, t."taskDigest", g.source, s.root, s.folder`;
  return (await statement.execute(db)).rows;
}

/** Renames tasks whose labels changed. Marks their jobs as unclassified, as clusters depend on the task. */
async function replaceTaskLabels(
  store: IndexStore,
  db: Transaction<IndexTables>,
  labels: readonly Stored<"taskLabels">[],
): Promise<void> {
  const placeOf = ({ jobRowId, position }: Stored<"taskLabels">) => `${jobRowId} ${position}`;
  const before = new Map(
    (await db.selectFrom("taskLabels").selectAll().execute()).map((row) => [placeOf(row), row]),
  );
  const now = new Map(labels.map((row) => [placeOf(row), row]));
  const changed = new Set<number>();
  for (const [place, row] of new Map([...before, ...now])) {
    const from = before.get(place)?.label ?? row.taskName;
    const to = now.get(place)?.label ?? row.taskName;
    if (from === to) continue;
    changed.add(row.jobRowId);
    await renameTask(db, row, from, to);
  }
  if (changed.size === 0) return;
  await db.deleteFrom("taskLabels").execute();
  for (const [id, rows] of Map.groupBy(now.values(), ({ jobRowId }) => jobRowId))
    await insertJobRows(store, db, "taskLabels", id, rows);
  for (const id of changed) {
    await deleteJobRows(db, FAILURE_TABLES, id);
    const version = createVersion();
    const changes = { version, trialsVersion: version, failureRules: UNREAD.failureRules };
    await db.updateTable("jobs").set(changes).where("id", "=", id).execute();
  }
}

async function renameTask(
  db: Transaction<IndexTables>,
  { jobRowId, position }: Stored<"taskLabels">,
  from: string,
  to: string,
): Promise<void> {
  const search = to.toLowerCase();
  const rest = sql<string>`substr(search, length(cast(${from.toLowerCase()} as text)) + 1)`;
  await db
    .updateTable("trials")
    .set({ taskName: to, search: sql<string>`cast(${search} as text) || ${rest}` })
    .where((where) => where.and({ jobRowId, taskPosition: position }))
    .execute();
  await db
    .updateTable("tasks")
    .set({ taskName: to, search })
    .where((where) => where.and({ jobRowId, position }))
    .execute();
}

export type TrialLink = Stored<"trialLinks">;
type Candidate = Awaited<ReturnType<typeof readCandidates>>[number];

/**
 * Finds the sources of all regraded trials among the open trials: by id, else by the folder names of job and trial if these are
 * unique. Reads every trial once if there is any regraded trial.
 *
 * @param uncounted - ids of jobs that are copies; their trials are a source only if no other trial is
 */
export async function findTrialLinks({ db }: IndexStore, uncounted: ReadonlySet<number> = new Set()) {
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
