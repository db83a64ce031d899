import { inflateRawSync } from "node:zlib";

import { type RawBuilder, type SqlBool, sql } from "kysely";

import type { TextPiece } from "@/lib/core/domain/search-excerpt";
import { type SearchTerm, parseSearch } from "@/lib/core/domain/search-text";
import { OUTCOMES } from "@/lib/core/domain/trial";
import { toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import type { Stored } from "../schema/tables";
import {
  type JobScope,
  NEWEST_FIRST,
  type RowPlace,
  contains,
  containsText,
  countRows,
  escapeLike,
  isAt,
  isOfJobs,
} from "./query";

export interface SearchHits<Hit> {
  readonly hits: readonly Hit[];
  /** Null when there are more than shown and they were not counted. */
  readonly nMatching: number | null;
}

export type SearchReading = Awaited<ReturnType<typeof readSearch>>;
export type JobHit = SearchReading["jobs"]["hits"][number];
export type TaskHit = SearchReading["tasks"]["hits"][number];
export type ValueHit = SearchReading["agents"]["hits"][number];

const FACETS = { agents: "job-agent", models: "job-model", exceptions: "trial-exception" } as const;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const SEPARATORS = ["-", "_", " ", "/", ".", ":", "("] as const;
const NEWEST_JOBS = 3;

/**
 * Finds names that contain every word of a text. Some words of a task or trial may be in its job's name, and one word of a trial
 * may be its outcome, since lists show these next to it. An equal name ranks first, then a prefix, a word prefix, any other place.
 * Ties rank by more or newer jobs, then by shorter name.
 *
 * @param text - not blank
 * @param limit - most hits of a kind
 * @remarks Trials are not ranked: the first matches in index order end the search.
 */
export async function readSearch(store: IndexStore, text: string, limit: number) {
  const query = toColumnText(text).trim().toLowerCase();
  const [jobs, tasks, values, trials] = await Promise.all([
    readJobHits(store, query, limit),
    readTaskHits(store, query, limit),
    readValueHits(store, query),
    readTrialHits(store, query, limit),
  ]);
  const pick = (facet: string) => {
    const hits = values.filter((hit) => hit.facet === facet);
    const best = hits.slice(0, limit).map(({ value, nJobs, count }) => ({ value, nJobs, count }));
    return { hits: best, nMatching: hits.length };
  };
  return {
    jobs,
    tasks,
    trials,
    agents: pick(FACETS.agents),
    models: pick(FACETS.models),
    exceptions: pick(FACETS.exceptions),
  };
}

export async function readNewestJobs({ db }: IndexStore, limit: number) {
  const rows = await db
    .selectFrom("jobs")
    .innerJoin("sources", "sources.id", "jobs.sourceId")
    .select(["jobs.key", "jobs.name", "jobs.nTrials", "sources.state"])
    .orderBy(NEWEST_FIRST)
    .limit(limit)
    .execute();
  return rows.map(toJobHit);
}

async function readJobHits(store: IndexStore, query: string, limit: number) {
  const { db, engine } = store;
  const rows = await db
    .selectFrom("jobs")
    .innerJoin("sources", "sources.id", "jobs.sourceId")
    .select(["jobs.key", "jobs.name", "jobs.nTrials", "sources.state"])
    .select(sql<number>`count(*) over ()`.as("total"))
    .where((where) => where.or([hasWords(engine, "jobs.name", query), where("jobs.uuid", "=", query)]))
    .orderBy(rank(engine, "jobs.name", query))
    .orderBy(NEWEST_FIRST)
    .limit(limit)
    .execute();
  return { hits: rows.map(toJobHit), nMatching: rows[0]?.total ?? 0 };
}

/** `nTrials` means nothing while the trials are not read. */
function toJobHit({
  state,
  key,
  name,
  nTrials,
}: Pick<Stored<"jobs">, "key" | "name" | "nTrials"> & { state: string }) {
  return { key, name, isRead: state !== "listed", nTrials };
}

async function readTaskHits(store: IndexStore, query: string, limit: number) {
  const { db, engine } = store;
  const found = await db
    .selectFrom("tasks")
    .select((select) => ["tasks.search", "tasks.taskName", select.fn.countAll<number>().as("nJobs")])
    .select(sql<number>`count(*) over ()`.as("total"))
    .where(hasWordsInJob(engine, "tasks.search", "tasks.jobRowId", query))
    .groupBy(["tasks.search", "tasks.taskName"])
    .orderBy(rank(engine, "tasks.search", query))
    .orderBy("nJobs", "desc")
    .orderBy(({ fn }) => fn("length", ["tasks.taskName"]))
    .orderBy("tasks.taskName")
    .limit(limit)
    .execute();
  if (found.length === 0) return { hits: [], nMatching: 0 };
  const places = await db
    .selectFrom("tasks")
    .innerJoin("jobs", "jobs.id", "tasks.jobRowId")
    .select(["tasks.taskName", "jobs.key", "jobs.name"])
    .select(({ fn }) =>
      fn
        .agg<number>("row_number")
        .over((over) =>
          over
            .partitionBy("tasks.taskName")
            .orderBy("jobs.whenMs", (order) => order.desc().nullsLast())
            .orderBy("jobs.id"),
        )
        .as("place"),
    )
    // Matches both columns, since the index begins with the first.
    .where("tasks.search", "in", [...new Set(found.map((row) => row.search))])
    .where(
      "tasks.taskName",
      "in",
      found.map((row) => row.taskName),
    )
    .where(hasWordsInJob(engine, "tasks.search", "tasks.jobRowId", query))
    .execute();
  const newest = Map.groupBy(
    places.filter(({ place }) => place <= NEWEST_JOBS).toSorted((a, b) => a.place - b.place),
    (row) => row.taskName,
  );
  const hits = found.map(({ taskName, nJobs }) => ({
    taskName,
    nJobs,
    jobs: (newest.get(taskName) ?? []).map(({ key, name }) => ({ key, name })),
  }));
  return { hits, nMatching: found[0]?.total ?? 0 };
}

async function readValueHits({ db, engine }: IndexStore, query: string) {
  return db
    .selectFrom("facets")
    .select((select) => ["facets.facet", "facets.value", select.fn.countAll<number>().as("nJobs")])
    .select((select) => select.fn.sum<number>("facets.count").as("count"))
    .where("facets.facet", "in", Object.values(FACETS))
    .where(hasWords(engine, "facets.value", query))
    .groupBy(["facets.facet", "facets.value"])
    .orderBy(rank(engine, "facets.value", query))
    .orderBy("count", "desc")
    .orderBy(({ fn }) => fn("length", ["facets.value"]))
    .orderBy("facets.value")
    .execute();
}

async function readTrialHits(store: IndexStore, query: string, limit: number) {
  const { db, engine } = store;
  // The index over keys is a tenth of the table. SQLite folds ASCII only; the search column folds every letter.
  const isPlain = /^[\u0000-\u007f]*$/.test(query);
  const rows = await db
    .selectFrom((from) =>
      from
        .selectFrom("trials")
        .select(["trials.jobRowId", "trials.key"])
        .where((where) =>
          UUID.test(query)
            ? where("trials.uuid", "=", query)
            : isPlain
              ? hasWordsInJob(engine, "trials.key", "trials.jobRowId", query, isOutcome)
              : contains("trials.search", query),
        )
        .limit(limit + 1)
        .as("found"),
    )
    .innerJoin("jobs", "jobs.id", "found.jobRowId")
    .innerJoin("trials", (join) =>
      join.onRef("trials.jobRowId", "=", "found.jobRowId").onRef("trials.key", "=", "found.key"),
    )
    .select(["found.key", "jobs.key as jobKey", "jobs.name as jobName", "trials.outcome"])
    .orderBy(rank(engine, "found.key", query))
    .orderBy("jobs.whenMs", (order) => order.desc().nullsLast())
    .orderBy(({ fn }) => fn("length", ["found.key"]))
    .orderBy("found.key")
    .execute();
  return { hits: rows.slice(0, limit), nMatching: rows.length > limit ? null : rows.length };
}

type Engine = IndexStore["engine"];

/** Ignores case. A function that lowers the column would double the time. */
function isLike(engine: Engine, column: string, pattern: string) {
  const like = engine === "postgres" ? sql`ilike` : sql`like`;
  return sql<SqlBool>`${sql.ref(column)} ${like} ${pattern} escape '\\'`;
}

function listWords(query: string): readonly string[] {
  return query.split(/\s+/).filter((word) => word !== "");
}

function hasWord(engine: Engine, column: string, word: string) {
  return isLike(engine, column, `%${escapeLike(word)}%`);
}

function hasWords(engine: Engine, column: string, query: string) {
  const conditions = listWords(query).map((word) => hasWord(engine, column, word));
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}

/** At least one word is in the column; the others may be in the job's name or match `orIs`. */
function hasWordsInJob(
  engine: Engine,
  column: string,
  jobUuid: string,
  query: string,
  orIs: (word: string) => RawBuilder<SqlBool> | null = () => null,
) {
  const words = listWords(query);
  if (words.length === 1) return hasWords(engine, column, query);
  const inJob = (word: string) =>
    sql<SqlBool>`${sql.ref(jobUuid)} in (select id from jobs where ${hasWord(engine, "jobs.name", word)})`;
  const conditions = words.map((word) => {
    const places = [hasWord(engine, column, word), inJob(word), orIs(word)].filter((place) => place !== null);
    return sql<SqlBool>`(${sql.join(places, sql` or `)})`;
  });
  const anyInColumn = sql.join(
    words.map((word) => hasWord(engine, column, word)),
    sql` or `,
  );
  return sql<SqlBool>`((${anyInColumn}) and ${sql.join(conditions, sql` and `)})`;
}

function isOutcome(word: string): RawBuilder<SqlBool> | null {
  return (OUTCOMES as readonly string[]).includes(word) ? sql<SqlBool>`trials.outcome = ${word}` : null;
}

function rank(engine: Engine, column: string, query: string) {
  const pattern = escapeLike(query);
  const starts = SEPARATORS.map((mark) => isLike(engine, column, `%${escapeLike(mark)}${pattern}%`));
  return sql<number>`case when ${isLike(engine, column, pattern)} then 0
    when ${isLike(engine, column, `${pattern}%`)} then 1
    when ${sql.join(starts, sql` or `)} then 2 else 3 end`;
}

const SEARCH = sql.table("trialSearch");

interface TextMatch {
  /**
   * True if trial, task, exception or job name contains the text, or the trial's texts contain each term. Job names count only
   * over several jobs.
   */
  readonly isFound: RawBuilder<SqlBool>;
  /** True for a match by name; includes names of tests and the whole exception. */
  readonly isNamed: RawBuilder<SqlBool>;
}

/**
 * Returns the conditions of a text search.
 *
 * @param textId - column with the id of their row of `trialTexts`
 * @param jobs - searched jobs; the name of a single job is ignored
 */
export function matchText(
  { engine }: Pick<IndexStore, "engine">,
  text: string,
  { textId, jobs }: { readonly textId: string; readonly jobs: JobScope },
): TextMatch {
  const inTrial = contains("trials.search", text.toLowerCase());
  const inRow = typeof jobs === "number" ? inTrial : sql<SqlBool>`(${inTrial} or ${isOfNamedJob(text)})`;
  const terms = parseSearch(text);
  if (terms.length === 0) return { isFound: inRow, isNamed: inRow };
  const select = engine === "sqlite" ? selectBySqlite : selectByPostgres;
  const among = (isNames: boolean) => {
    const all = select(terms, isNames).map((ids) => sql`${sql.ref(textId)} in (${ids})`);
    return sql<SqlBool>`(${inRow} or (${sql.join(all, sql` and `)}))`;
  };
  return { isFound: among(false), isNamed: among(true) };
}

function isOfNamedJob(text: string): RawBuilder<SqlBool> {
  const isNamed = sql`${containsText(sql.ref("named.name"), text)} or ${contains("named.keySearch", text.toLowerCase())}`;
  return sql`${sql.ref("trials.jobRowId")} in (select named.id from ${sql.table("jobs")} as named where ${isNamed})`;
}

/** Words are quoted and hold only letters and digits, so no search text is parsed as syntax. */
function selectBySqlite(terms: readonly SearchTerm[], isNames: boolean) {
  const all = terms.map(({ tokens, isPrefix }) => `"${tokens.join(" ")}"${isPrefix ? " *" : ""}`);
  const query = `${isNames ? "names : " : ""}(${all.join(" AND ")})`;
  return [sql`select rowid from ${SEARCH} where ${SEARCH} match ${query}`];
}

/** Each term may be in another row of the trial. */
function selectByPostgres(terms: readonly SearchTerm[], isNames: boolean) {
  const find = sql.id(isNames ? "findNamedTexts" : "findTexts");
  return terms.map((term) => sql`select * from ${find}(${writeTsquery(term)}::tsquery)`);
}

/** The index also stores each pair of adjacent words as one word. Longer phrases are found by their pairs, then by positions. */
function writeTsquery({ tokens, isPrefix }: SearchTerm): string {
  const end = isPrefix ? ":*" : "";
  const [first, ...rest] = tokens;
  if (rest.length === 0) return `'${first}'${end}`;
  const pairs = rest.map((token, at) => `' ${tokens[at]} ${token}'`).join(" & ");
  return rest.length === 1
    ? `${pairs}${end}`
    : `${pairs}${end} & (${tokens.map((token) => `'${token}'`).join(" <-> ")}${end})`;
}

/** Texts of trials, keyed by row id of the job and position as `1 2`; trials whose texts are not read are absent. */
export async function readTexts(store: IndexStore, places: readonly RowPlace[]) {
  const rows = await store.db
    .selectFrom("trialTexts")
    .select(["jobRowId", "position", "texts"])
    .where(isAt(store, "trialTexts", places))
    .execute();
  return new Map(
    rows.map(({ jobRowId, position, texts }) => [`${jobRowId} ${position}`, decodeTexts(texts)]),
  );
}

/** Far above the size of any trial's texts. */
const MOST_BYTES = 16 << 20;

function decodeTexts(texts: string): readonly TextPiece[] {
  const plain = inflateRawSync(Buffer.from(texts, "base64"), { maxOutputLength: MOST_BYTES });
  const pieces = JSON.parse(plain.toString()) as readonly [TextPiece["kind"], string, string][]; // See encodeTexts.
  return pieces.map(([kind, key, text]) => ({ kind, key, text }));
}

export async function readCutPlaces({ db }: IndexStore, jobRowId: number | null) {
  const places = await db
    .selectFrom("trialTexts")
    .select(["jobRowId", "position"])
    .$if(jobRowId !== null, (query) => query.where("jobRowId", "=", jobRowId))
    .where("isCut", "=", 1)
    .execute();
  return places.flatMap(({ position, ...place }) => (position === null ? [] : [{ ...place, position }]));
}

export async function readSearchState(store: IndexStore, jobs: number | null) {
  const read = store.db
    .selectFrom("trialTexts")
    .where(isOfJobs(store, "jobRowId", jobs))
    .where("position", "is not", null);
  const [nTrials, nSearchable, nCut] = await Promise.all([
    countRows(store.db.selectFrom("trials").where(isOfJobs(store, "jobRowId", jobs))),
    countRows(read),
    countRows(read.where("isCut", "=", 1)),
  ]);
  return { nTrials, nSearchable, nCut };
}
