import { type SqlBool, sql } from "kysely";

import type { SourceJob } from "@/lib/core/domain/lineage";
import type { ListRange } from "@/lib/core/domain/list-page";
import { type PlannedLabel, labelPlanned } from "@/lib/core/domain/task-labels";
import { toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import { type SortKey, atSamePlace, countRows, readListPage, inOrder } from "./query";

export type RegradedTrial = Awaited<ReturnType<typeof readRegradedTrials>>[number];

/** A link of an earlier generation may point to another trial by now. */
const IS_STATED_SOURCE = sql<SqlBool>`coalesce(source.uuid, stated.uuid, '') = coalesce(stated.uuid, source.uuid, '')`;

export async function readRegradedTrials(
  { db }: IndexStore,
  jobRowId: number,
  position: number | null = null,
) {
  let query = db
    .selectFrom("trialSources as stated")
    .innerJoin("trials as own", atSamePlace("own", "stated"))
    .leftJoin("trialLinks as link", atSamePlace("link", "stated"))
    .leftJoin("trials as source", (join) =>
      join
        .onRef("source.jobRowId", "=", "link.sourceJobRowId")
        .onRef("source.position", "=", "link.sourcePosition")
        .on(IS_STATED_SOURCE),
    )
    .leftJoin("jobs", "jobs.id", "source.jobRowId")
    .select(["own.key", "own.state", "own.outcome", "own.reward", "own.rewardText", "own.taskName"])
    .select(["sourceVersion", "sourceDigest", "ownVersion", "ownDigest"])
    .select(["jobs.key as jobKey", "source.reward as sourceReward", "source.rewardText as sourceText"])
    .select((select) => [
      select.ref("jobs.name").$notNull().as("jobName"),
      select.ref("source.key").$notNull().as("sourceKey"),
      select.ref("source.state").$notNull().as("sourceState"),
      select.ref("source.outcome").$notNull().as("sourceOutcome"),
    ])
    .where("stated.jobRowId", "=", jobRowId)
    .orderBy("stated.position");
  if (position !== null) query = query.where("stated.position", "=", position);
  return (await query.execute()).map((row) => {
    const { key, state, outcome, reward, rewardText, taskName, jobKey, jobName } = row;
    const { sourceKey, sourceState, sourceOutcome, sourceReward, sourceText } = row;
    const source = { key: sourceKey, state: sourceState, outcome: sourceOutcome, reward: sourceReward };
    return {
      ...{ key, state, outcome, reward, rewardText, taskName },
      sourceTask: { version: row.sourceVersion, digest: row.sourceDigest },
      ownTask: { version: row.ownVersion, digest: row.ownDigest },
      /** Null if no open trial is the source. */
      source: jobKey === null ? null : { jobKey, jobName, ...source, rewardText: sourceText },
    };
  });
}

function selectLinks({ db }: IndexStore) {
  return db
    .selectFrom("trialLinks as link")
    .innerJoin("trials as own", atSamePlace("own", "link"))
    .innerJoin("trials as source", (join) =>
      join
        .onRef("source.jobRowId", "=", "link.sourceJobRowId")
        .onRef("source.position", "=", "link.sourcePosition"),
    );
}

export async function readRegradesOf(store: IndexStore, jobRowId: number, position: number) {
  return selectLinks(store)
    .innerJoin("trialSources as stated", (join) => atSamePlace("stated", "link")(join).on(IS_STATED_SOURCE))
    .innerJoin("jobs", "jobs.id", "own.jobRowId")
    .select(["own.key", "own.state", "own.outcome", "own.reward", "own.rewardText"])
    .select(["jobs.key as jobKey", "jobs.name as jobName"])
    .where((where) => where.and({ "link.sourceJobRowId": jobRowId, "link.sourcePosition": position }))
    .orderBy(inOrder("jobs.nameSort", "own.position"))
    .execute();
}

/** `nTrials` counts its trials that regrade trials of another job. */
export async function readRegradingJobs({ db }: IndexStore, jobRowId: number) {
  return db
    .selectFrom("trialLinks")
    .innerJoin("jobs", "jobs.id", "trialLinks.jobRowId")
    .select(["jobs.id", "jobs.key", "jobs.name"])
    .select((select) => select.fn.countAll<number>().as("nTrials"))
    .where("trialLinks.sourceJobRowId", "=", jobRowId)
    .groupBy(["jobs.id", "jobs.key", "jobs.name", "jobs.nameSort"])
    .orderBy("jobs.nameSort")
    .execute();
}

export async function readSourceJob({ db }: IndexStore, { id, name }: SourceJob) {
  const jobs = db.selectFrom("jobs").select(["id", "key", "name"]).orderBy("id").limit(2);
  const byId = id === null ? [] : await jobs.where("uuid", "=", toColumnText(id)).execute();
  if (byId[0] !== undefined) return byId.find((job) => job.name === name) ?? byId[0];
  if (name === null) return null;
  // A namesake with an id of its own is another job.
  const namesakes = jobs.where("name", "=", toColumnText(name));
  const found = await (id === null ? namesakes : namesakes.where("uuid", "is", null)).execute();
  return found.length === 1 ? (found[0] ?? null) : null;
}

export async function readPlannedTasks({ db }: IndexStore, jobRowId: number) {
  const row = await db
    .selectFrom("jobPlans")
    .select("plan")
    .where("jobRowId", "=", jobRowId)
    .executeTakeFirst();
  if (row === undefined) return [];
  const labels =
    await sql<PlannedLabel>`select distinct l."taskName", l.label, t."taskDigest" from "taskLabels" as l
    join trials as t on t."jobRowId" = l."jobRowId" and t."taskPosition" = l.position
    where l."jobRowId" = ${jobRowId}`.execute(db);
  return decodeValue(row.plan).map((task) => labelPlanned(task, labels.rows));
}

export type RolloutLink = Awaited<ReturnType<typeof readRolloutLinks>>[number];

export async function readRolloutLinks(store: IndexStore) {
  return selectLinks(store)
    .select(["link.jobRowId", "link.position", "own.groupKey", "link.sourceJobRowId", "link.sourcePosition"])
    .select("source.groupKey as sourceGroupKey")
    .execute();
}

export type ReportRow = Awaited<ReturnType<typeof readReports>>["rows"][number];

export async function readReports(
  { db }: IndexStore,
  { trialName, taskFolder }: { readonly trialName: string; readonly taskFolder: string },
  limit: number,
) {
  const list = db
    .selectFrom("reports")
    .innerJoin("jobs", "jobs.id", "reports.jobRowId")
    .where((where) =>
      where.or([
        where.and({ "jobs.purpose": "analysis", "reports.subject": toColumnText(trialName) }),
        where.and({ "jobs.purpose": "check", "reports.subject": toColumnText(taskFolder) }),
      ]),
    );
  const rows = await list
    .select(["jobs.key as jobKey", "jobs.name as jobName", "jobs.purpose", "reports.content"])
    .orderBy("jobs.whenMs", (order) => order.desc().nullsLast())
    .orderBy(inOrder("jobs.id", "reports.position"))
    .limit(limit)
    .execute();
  return {
    rows: rows.map(({ content, ...job }) => ({ ...decodeValue(content), ...job })),
    nMatching: rows.length < limit ? rows.length : await countRows(list),
  };
}

const ORDER: readonly SortKey[] = [
  { column: "recordedJudgments.atMs", descending: true },
  { column: "recordedJudgments.jobRowId" },
  { column: "recordedJudgments.position" },
  { column: "recordedJudgments.ordinal" },
];

export async function readRecordedJudgments({ db }: IndexStore, jobKey: string | null, range: ListRange) {
  let list = db
    .selectFrom("recordedJudgments")
    .innerJoin("jobs", "jobs.id", "recordedJudgments.jobRowId")
    .innerJoin("trials", atSamePlace("trials", "recordedJudgments"))
    .select(["record", "jobs.key as jobKey", "jobs.name as jobName", "trials.key"])
    .select(["trialName", "taskName", "attempt", "agent", "model", "outcome", "rewardText as reward"]);
  if (jobKey !== null) list = list.where("jobs.key", "=", jobKey);
  const page = await readListPage(list, ORDER, range);
  return {
    ...page,
    rows: page.rows.map(({ record, ...row }) => ({ judgment: decodeValue(record), ...row })),
  };
}

export type RecordedTotals = Awaited<ReturnType<typeof readRecordedTotals>>;

export async function readRecordedTotals({ db }: IndexStore, jobKey: string | null = null) {
  let list = db.selectFrom("recordedJudgments").innerJoin("jobs", "jobs.id", "recordedJudgments.jobRowId");
  if (jobKey !== null) list = list.where("jobs.key", "=", jobKey);
  return {
    nJudgments: await countRows(list),
    // Counts each trial once, by its first judgment.
    nTrials: await countRows(list.where("ordinal", "=", 0)),
  };
}
