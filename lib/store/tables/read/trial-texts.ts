import { inflateRawSync } from "node:zlib";

import { type RawBuilder, sql, type SqlBool } from "kysely";

import type { TextPiece } from "@/lib/core/domain/search-excerpt";
import { parseSearch, type SearchTerm } from "@/lib/core/domain/search-text";

import type { IndexStore } from "../open-store";
import { contains, containsText, countRows, isAt, isOfJobs, type JobScope, type RowPlace } from "./query";

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
export async function readTexts(
  store: IndexStore,
  places: readonly RowPlace[],
): Promise<ReadonlyMap<string, readonly TextPiece[]>> {
  if (places.length === 0) return new Map();
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

export async function readCutPlaces(
  { db }: IndexStore,
  jobRowId: number | null,
): Promise<readonly RowPlace[]> {
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
